//! Access commands: decided on the access tables on disk plus the changes of batches in flight.

use std::sync::Arc;

use assize_kernel::{Actor, Draft, Moment, Record};

use super::batch::{BatchBuilder, DecideResult};
use super::context::DecideContext;
use super::{Answer, ClerkError, Petition};
use crate::access::{AccessCommand, Known, Ruling, access_stream, decide};

impl BatchBuilder {
    /// Decides a petition with an [`AccessCommand`].
    pub(super) fn decide_access(&mut self, context: &mut DecideContext, petition: &Petition) -> DecideResult {
        let Some(command) = petition.command.downcast_ref::<AccessCommand>() else {
            return Err(ClerkError::Broken("no command of the engine's".into()));
        };
        let at = petition.at;
        let actor = &petition.actor;
        let in_flight = context.in_flight.iter().flat_map(|batch| &batch.access);
        let known = Known::on_disk(&*context.ledger).with(in_flight.chain(&*self.access()));
        let ruling = decide(command, at, actor, &known)?;
        Ok(Answer { records: self.enter_access(context, ruling, at, actor), repeated: false })
    }

    /// Appends the record of an access change; the tables are updated in the same transaction.
    pub(super) fn enter_access(
        &mut self,
        context: &mut DecideContext,
        ruling: Ruling,
        at: Moment,
        actor: &Actor,
    ) -> Vec<Arc<Record>> {
        let Ruling { kind, body, changes } = ruling;
        context.access_cursor.version += 1;
        self.access().extend(changes);
        let draft = Draft::of_engine(access_stream(), context.access_cursor.version, kind, at, actor, body);
        self.seal(vec![draft])
    }
}
