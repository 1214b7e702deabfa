//! The options of `assize serve`; they can also be set by environment variables and in the settings file.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use assize_server::{HttpSettings, MetricsAudience, Network, Origin, ServeSettings, Tls};

use assize_engine::{MediaStore, WebhookSettings};
use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum, value_parser};
use tokio::runtime::Handle;

use super::StoreArgs;
use crate::logging;
use crate::output::Failure;

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", env = "ASSIZE_LISTEN", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Keep everything in memory and forget it at the end [env: ASSIZE_EPHEMERAL]
    #[arg(long, conflicts_with_all = ["data", "postgres"])]
    pub(crate) ephemeral: bool,
    /// Open a contest with this ground truth, a CSV file, to everybody: tools of the AIC scoring server
    /// submit to it at /submit without a token, and from this machine run it at /admin. Its name is the
    /// file's; the same file goes on with the same contest
    #[arg(long, value_name = "FILE", env = "ASSIZE_OPEN_CONTEST")]
    pub(crate) open_contest: Option<PathBuf>,
    /// Say which settings are in effect and where each comes from, and serve nothing
    #[arg(long)]
    pub(crate) show_settings: bool,
    /// Where pictures and videos are kept that hunters show as proof: a directory, or s3://bucket/prefix with
    /// AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; none are taken otherwise
    #[arg(long, value_name = "PLACE", env = "ASSIZE_MEDIA")]
    media: Option<String>,
    #[command(flatten)]
    tls: TlsFiles,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    network: NetworkArgs,
    /// How much to log: error, warn, info, debug or trace, or by part, as in
    /// warn,assize_server=debug
    #[arg(long, value_name = "LEVEL", env = "ASSIZE_LOG", default_value = "info", help_heading = "Logs", value_parser = logging::check)]
    pub(crate) log: String,
    /// How to write the log
    #[arg(
        long,
        value_name = "FORMAT",
        env = "ASSIZE_LOG_FORMAT",
        default_value = "text",
        help_heading = "Logs"
    )]
    pub(crate) log_format: LogFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Args)]
#[command(next_help_heading = "TLS")]
struct TlsFiles {
    /// The certificate, with those that vouch for it, as PEM; read again when it changes
    #[arg(long, value_name = "FILE", env = "ASSIZE_TLS_CERT")]
    tls_cert: Option<PathBuf>,
    /// Its private key, as PEM
    #[arg(long, value_name = "FILE", env = "ASSIZE_TLS_KEY")]
    tls_key: Option<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// How many requests may wait for the clerk before more are turned away
    #[arg(long, value_name = "N", env = "ASSIZE_QUEUE", default_value_t = 16_384, value_parser = value_parser!(u32).range(1..=1_000_000))]
    queue: u32,
    /// How many connections there may be at once
    #[arg(long, value_name = "N", env = "ASSIZE_CONNECTIONS", default_value_t = 20_000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    connections: u32,
    /// How long the head of a request may take, and an idle connection is kept
    #[arg(long, value_name = "SECONDS", env = "ASSIZE_HEAD_SECONDS", default_value_t = 75, value_parser = value_parser!(u32).range(1..=3_600))]
    head_seconds: u32,
    /// The longest body of a request
    #[arg(long, value_name = "BYTES", env = "ASSIZE_BODY_BYTES", default_value_t = 1_048_576, value_parser = value_parser!(u32).range(1_024..=1_073_741_824))]
    body_bytes: u32,
    /// The largest picture or video
    #[arg(long, value_name = "BYTES", env = "ASSIZE_MEDIA_BYTES", default_value_t = 67_108_864, value_parser = value_parser!(u32).range(1_024..=1_073_741_824))]
    media_bytes: u32,
    /// How long a body may take to arrive
    #[arg(long, value_name = "SECONDS", env = "ASSIZE_BODY_SECONDS", default_value_t = 30, value_parser = value_parser!(u32).range(1..=3_600))]
    body_seconds: u32,
    /// How long an answer may take before the client is told to look again
    #[arg(long, value_name = "SECONDS", env = "ASSIZE_REQUEST_SECONDS", default_value_t = 60, value_parser = value_parser!(u32).range(1..=3_600))]
    request_seconds: u32,
    /// Requests a second from one address, five seconds' worth of them at once; 0 for any number
    #[arg(long, value_name = "N", env = "ASSIZE_RATE_PER_ADDRESS", default_value_t = 2_000)]
    rate_per_address: u32,
    /// Requests a second with one token, five seconds' worth of them at once; 0 for any number
    #[arg(long, value_name = "N", env = "ASSIZE_RATE_PER_TOKEN", default_value_t = 200)]
    rate_per_token: u32,
    /// Whether these rates hold for requests from this machine too
    #[arg(long, value_name = "TRUE|FALSE", env = "ASSIZE_RATE_ON_LOOPBACK", hide_possible_values = true, default_value = "false", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = BoolishValueParser::new(), action = clap::ArgAction::Set)]
    rate_on_loopback: bool,
    /// How many streams of events may be open at once; fewer than connections, so that others get in too
    #[arg(long, value_name = "N", env = "ASSIZE_EVENT_STREAMS", default_value_t = 16_000)]
    event_streams: u32,
    /// How long what was taken may take when the server is asked to stop
    #[arg(long, value_name = "SECONDS", env = "ASSIZE_CLOSING_SECONDS", default_value_t = 10, value_parser = value_parser!(u32).range(0..=3_600))]
    closing_seconds: u32,
}

#[derive(Args)]
#[command(next_help_heading = "Neighbours")]
struct NetworkArgs {
    /// Proxies whose X-Forwarded-For is believed: addresses or networks, with commas between
    #[arg(long, value_name = "NETWORKS", env = "ASSIZE_TRUSTED_PROXIES", value_delimiter = ',')]
    trusted_proxies: Vec<Network>,
    /// Web pages elsewhere that may use this server: origins such as `https://example.org`, with
    /// commas between, or * for all, which then get no cookies
    #[arg(long, value_name = "ORIGINS", env = "ASSIZE_CORS_ORIGINS", value_delimiter = ',')]
    cors_origins: Vec<Origin>,
    /// Who may read /metrics beside admins: admins (nobody), loopback (this machine) or everyone
    #[arg(long, value_name = "WHO", env = "ASSIZE_METRICS_FOR", default_value = "loopback")]
    metrics_for: MetricsAudience,
    /// Whether webhooks may go into private networks: to this machine, and others that the internet does
    /// not reach
    #[arg(long, value_name = "TRUE|FALSE", env = "ASSIZE_WEBHOOKS_ALLOW_PRIVATE", hide_possible_values = true, default_value = "false", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = BoolishValueParser::new(), action = clap::ArgAction::Set)]
    webhooks_allow_private: bool,
    /// How many microseconds a second takes when a webhook waits for its next attempt: for tests
    #[arg(long, hide = true, env = "ASSIZE_WEBHOOKS_SECOND", default_value_t = 1_000_000)]
    webhooks_second: u64,
}

impl ServeArgs {
    /// The settings of the clerk.
    pub(crate) fn for_clerk(&self, runtime: &Handle) -> assize_engine::ClerkSettings {
        assize_engine::ClerkSettings {
            queue: self.limits.queue as usize,
            runtime: Some(runtime.clone()),
            ..assize_engine::ClerkSettings::default()
        }
    }

    /// The settings of HTTP requests.
    pub(crate) fn for_requests(&self) -> HttpSettings {
        let limits = &self.limits;
        let network = &self.network;
        HttpSettings {
            trusted_proxies: network.trusted_proxies.clone(),
            body_limit: limits.body_bytes as usize,
            body_time: seconds(limits.body_seconds),
            request_time: seconds(limits.request_seconds),
            rate_per_address: limits.rate_per_address,
            rate_per_token: limits.rate_per_token,
            rate_on_loopback: limits.rate_on_loopback,
            event_streams: limits.event_streams as usize,
            cors_origins: network.cors_origins.clone(),
            metrics: network.metrics_for,
            secure: self.tls.tls_cert.is_some(),
        }
    }

    /// The media store.
    pub(crate) fn for_media(&self) -> Result<Option<MediaStore>, Failure> {
        let open = |place: &String| MediaStore::open(place, self.limits.media_bytes as usize);
        self.media.as_ref().map(open).transpose().map_err(Failure::Use)
    }

    /// The settings of webhooks.
    pub(crate) fn for_hooks(&self) -> WebhookSettings {
        let second = Duration::from_micros(self.network.webhooks_second);
        WebhookSettings { allow_private: self.network.webhooks_allow_private, second }
    }

    /// The settings of connections.
    pub(crate) fn for_connections(&self) -> Result<ServeSettings, Failure> {
        let tls = match (&self.tls.tls_cert, &self.tls.tls_key) {
            (Some(certificate), Some(key)) => {
                Some(Tls::load(certificate.clone(), key.clone()).map_err(Failure::Use)?)
            }
            (None, None) => None,
            _ => {
                return Err(Failure::Use(
                    "`tls_cert` and `tls_key` go together: set both, or neither".into(),
                ));
            }
        };
        Ok(ServeSettings {
            connections: self.limits.connections as usize,
            head_time: seconds(self.limits.head_seconds),
            grace: seconds(self.limits.closing_seconds),
            tls: tls.map(Arc::new),
        })
    }
}

fn seconds(number: u32) -> Duration {
    Duration::from_secs(number.into())
}
