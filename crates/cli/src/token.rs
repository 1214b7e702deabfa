//! `assize token`: a new admin token.

use assize_kernel::{Actor, Role, check_name};
use assize_server::issue_token;

use crate::Done;
use crate::args::Token;
use crate::output::{Failure, say};
use crate::store;

pub(crate) fn run(args: &Token) -> Done {
    check_name(&args.name).map_err(|error| Failure::Use(error.to_string()))?;
    let ledger = store::open_existing(&args.store)?;
    say(issue_token(&*ledger, &Actor::new(Role::Admin, args.name.clone()), "")?)
}
