//! TLS with a certificate and key that are reloaded when their files change.

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

/// Interval at which the files are checked for changes.
const CHECK_EVERY: Duration = Duration::from_secs(2);
/// Timeout of the handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// A certificate and key, kept up to date with their files.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    /// The stamp of the files just before they were first read.
    first: FileStamps,
    current: RwLock<TlsAcceptor>,
}

/// Modification time (seconds, nanoseconds) and inode of both files; detects changes.
type FileStamps = [Option<(i64, i64, u64)>; 2];

impl Tls {
    /// Reads the PEM files: the certificate chain and the private key.
    ///
    /// # Errors
    /// Names the file and what is wrong with it.
    pub fn load(certificate: PathBuf, key: PathBuf) -> Result<Self, String> {
        let first = file_stamps(&certificate, &key);
        let current = RwLock::new(read(&certificate, &key)?);
        Ok(Self { certificate, key, first, current })
    }

    /// Performs the TLS handshake.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let acceptor = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await?
    }

    /// Reloads the files whenever they change. If they cannot be used, logs an error and keeps the last
    /// certificate.
    pub(crate) async fn follow(&self) {
        let mut seen = self.first;
        loop {
            sleep(CHECK_EVERY).await;
            let now = file_stamps(&self.certificate, &self.key);
            if now == seen {
                continue;
            }
            seen = now;
            match read(&self.certificate, &self.key) {
                Ok(fresh) => {
                    *self.current.write().unwrap_or_else(PoisonError::into_inner) = fresh;
                    tracing::info!(certificate = %self.certificate.display(), "reloaded the certificate");
                }
                Err(error) => tracing::error!("{error}; the previous certificate stays in use"),
            }
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

fn file_stamps(certificate: &Path, key: &Path) -> FileStamps {
    use std::os::unix::fs::MetadataExt;
    [certificate, key].map(|file| {
        let metadata = std::fs::metadata(file).ok()?;
        Some((metadata.mtime(), metadata.mtime_nsec(), metadata.ino()))
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
    let certificate = certificate.display();
    let key = key.display();
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
