//! The engine: decides commands, records them and publishes what was recorded. It knows no HTTP.
//!
//! The [`Clerk`] is the single writer: it takes petitions, lets a court decide, appends to the ledger and
//! replies. [`live`] broadcasts what was recorded, [`webhooks`] deliver it, [`assessing`] asks models and
//! people.

pub mod access;
pub mod assessing;
pub mod clerk;
pub mod clock;
mod courts;
mod history;
pub mod live;
pub mod media;
pub mod provider;
mod rejudge;
mod replay;
mod shutdown;
pub mod transfer;
pub mod webhooks;

pub use access::{
    AccessCommand, BadScope, NewToken, NewUser, Scope, Secret, change_access, hash_password, is_password,
    make_password,
};
pub use assessing::{Assessing, AssessingTask};
pub use assize_courts::courts as shipped_courts;
pub use clerk::{
    Answer, BoardView, Clerk, ClerkError, ClerkSettings, ClerkThread, Petition, Rebuilt, RequestKey, Revise,
    Views, rebuild,
};
pub use clock::{Clock, system_time};
pub use courts::Courts;
pub use live::Hub;
pub use media::MediaStore;
pub use rejudge::rejudge;
pub use replay::{Difference, OtherEdition, Replay, replay};
pub use shutdown::Shutdown;
pub use webhooks::{Sender, WebhookSettings, Webhooks};
