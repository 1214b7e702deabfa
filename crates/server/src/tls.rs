//! TLS by a certificate and its key, read again when the files change.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{Error, ServerConfig};
use tokio_rustls::server::TlsStream;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long a client may take to agree on a secret.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// A certificate with its key, as they are in their files now.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    /// The files as they were just before they were first read.
    first: Mark,
    current: RwLock<TlsAcceptor>,
}

/// By what a changed file is known: when it was changed, and which one it is.
type Mark = [Option<(i64, i64, u64)>; 2];

impl Tls {
    /// Reads both files, which are PEM: the certificate with those that vouch for it, and its key.
    ///
    /// # Errors
    /// Names the file and what is wrong with it.
    pub fn load(certificate: PathBuf, key: PathBuf) -> Result<Self, String> {
        let first = mark(&certificate, &key);
        let current = RwLock::new(read(&certificate, &key)?);
        Ok(Self { certificate, key, first, current })
    }

    /// Agrees on a secret with a client.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let acceptor = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        timeout(HANDSHAKE, acceptor.accept(stream)).await?
    }

    /// Reads the files again whenever they change. What cannot be used is told, and the last good one stays.
    pub(crate) async fn follow(&self) {
        let mut seen = self.first;
        loop {
            sleep(LOOK_EVERY).await;
            let now = mark(&self.certificate, &self.key);
            if now == seen {
                continue;
            }
            seen = now;
            match read(&self.certificate, &self.key) {
                Ok(fresh) => {
                    *self.current.write().unwrap_or_else(PoisonError::into_inner) = fresh;
                    tracing::info!(certificate = %self.certificate.display(), "the certificate was read again");
                }
                Err(error) => tracing::error!("{error}; the certificate that was there before stays in use"),
            }
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

fn mark(certificate: &Path, key: &Path) -> Mark {
    use std::os::unix::fs::MetadataExt;
    [certificate, key].map(|file| {
        let about = std::fs::metadata(file).ok()?;
        Some((about.mtime(), about.mtime_nsec(), about.ino()))
    })
}

fn read(certificate: &Path, key: &Path) -> Result<TlsAcceptor, String> {
    let chain = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
    let chain: Vec<CertificateDer<'static>> =
        chain.map_err(|error| unreadable(certificate, "certificate", &error))?;
    if chain.is_empty() {
        return Err(unreadable(certificate, "certificate", &pem::Error::NoItemsFound));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, "private key", &error))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_no_client_auth())
        .and_then(|builder| builder.with_single_cert(chain, secret));
    let mut config = config.map_err(|error| unusable(certificate, key, &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn unreadable(file: &Path, what: &str, error: &pem::Error) -> String {
    let file = file.display();
    match error {
        pem::Error::Io(error) => format!("`{file}` cannot be read: {error}"),
        pem::Error::NoItemsFound => format!("there is no {what} in `{file}`; it must be PEM"),
        other => format!("`{file}` is no PEM file: {other}"),
    }
}

fn unusable(certificate: &Path, key: &Path, error: &Error) -> String {
    let (certificate, key) = (certificate.display(), key.display());
    match error {
        Error::InconsistentKeys(_) => {
            format!("the key in `{key}` is not that of the certificate in `{certificate}`")
        }
        Error::InvalidCertificate(error) => {
            format!("the certificate in `{certificate}` cannot be used: {error}")
        }
        other => format!("the key in `{key}` cannot be used with `{certificate}`: {other}"),
    }
}
