//! The server: the clerk that everything passes through, HTTP, and what people see.

mod clerk;
mod clock;
mod courts;
mod http;
mod replay;

pub use assize_courts::courts as shipped_courts;
pub use clerk::{
    Answer, Clerk, ClerkError, ClerkThread, Petition, Rebuilt, RequestKey, Settings, Views, rebuild,
};
pub use clock::{Clock, system_time};
pub use courts::Courts;
pub use http::{App, issue_token};
pub use replay::{Difference, OtherEdition, Replay, replay};
