//! The server: connections, the HTTP API, and the pages that people see in a browser.

mod connections;
mod detached_stream;
mod drain_body;
mod http;
mod pages;
mod repoll;
mod tls;

pub use connections::{ServeSettings, serve};
pub use http::contest::open_from_file::{GroundTruth, NotOpened, Opened, open_to_all};
pub use http::{App, HttpSettings, MetricsAudience, Network, Origin, openapi_document};
pub use tls::Tls;
