//! The server: the clerk that everything passes through, HTTP, and what people see.

mod access;
mod assessing;
mod at_once;
pub mod carry;
mod clerk;
mod clock;
mod closing;
mod courts;
pub mod demo;
mod endless;
mod history;
mod hooks;
mod http;
mod live;
mod media;
mod opening;
mod provider;
mod rejudge;
mod replay;
mod serve;
mod tls;
mod unread;

pub use access::{
    AccessCommand, BadScope, NewToken, NewUser, Scope, Secret, change_access, hash_password, is_password,
    make_password,
};
pub use assessing::{Assessing, AssessingTask};
pub use assize_courts::courts as shipped_courts;
pub use clerk::{
    Answer, BoardView, Clerk, ClerkError, ClerkThread, Petition, Rebuilt, RequestKey, Revise, Settings,
    Views, rebuild,
};
pub use clock::{Clock, system_time};
pub use closing::Closing;
pub use courts::Courts;
pub use hooks::{HookSettings, Hooks, Sender};
pub use http::{App, Audience, HttpSettings, Network, Origin, openapi_document};
pub use live::Hub;
pub use media::MediaStore;
pub use opening::{GroundTruth, NotOpened, Opened, open_to_all};
pub use rejudge::rejudge;
pub use replay::{Difference, OtherEdition, Replay, replay};
pub use serve::{ServeSettings, serve};
pub use tls::Tls;
