//! TLS certificates from files, reloaded while the server runs.

use std::path::Path;
use std::sync::Arc;

use assize_testbed::contest::eventually;
use assize_testbed::server::Server;
use tempfile::TempDir;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::wire::{Answer, ask, connect, request, serve};

/// A directory with a certificate in `cert.pem` and its key in `key.pem`.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Puts a file in its place at once, as tools that renew certificates do.
    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.path("new"), text).unwrap();
        std::fs::rename(self.path("new"), self.path(name)).unwrap();
    }

    /// A new certificate for `localhost`, and what a client must trust to believe it.
    fn renew(&self) -> CertificateDer<'static> {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        self.put("key.pem", &made.signing_key.serialize_pem());
        self.put("cert.pem", &made.cert.pem());
        made.cert.der().clone()
    }

    fn serve(&self) -> Server {
        serve(&["--tls-cert", &self.path("cert.pem"), "--tls-key", &self.path("key.pem")])
    }
}

/// Asks a server, believing this certificate alone.
fn ask_trusting(server: &Server, trusted: &CertificateDer<'static>) -> std::io::Result<Answer> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let mut connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = connect(server);
    connection.complete_io(&mut stream)?;
    let text = request("GET", "/healthz", &[], "");
    Ok(ask(&mut StreamOwned::new(connection, stream), &text))
}

#[test]
fn a_server_with_a_certificate_speaks_tls_and_says_so() {
    let files = Files::new();
    let certificate = files.renew();
    let server = files.serve();
    assert!(server.url().starts_with("https://127.0.0.1:"), "{}", server.url());
    let answer = ask_trusting(&server, &certificate).unwrap();
    assert_eq!((answer.status, answer.body.as_str()), (200, "ok"));
    assert_eq!(answer.header("strict-transport-security"), Some("max-age=15552000"));
    assert!(ask_trusting(&server, &Files::new().renew()).is_err(), "another certificate is not believed");
    server.stop();
}

#[test]
fn a_renewed_certificate_is_taken_up_and_a_broken_one_is_told_and_left() {
    let files = Files::new();
    let first = files.renew();
    let server = files.serve();
    let believed = |certificate: &CertificateDer<'static>| ask_trusting(&server, certificate).is_ok();
    assert!(believed(&first));
    let second = files.renew();
    eventually("the new certificate is in use", || believed(&second));
    assert!(!believed(&first));
    files.put("cert.pem", "buy milk");
    let told = format!("there is no certificate in `{}`; it must be PEM", files.path("cert.pem"));
    eventually("the log says what is wrong", || server.log().contains(&told));
    assert!(believed(&second), "the last good one stays");
    let third = files.renew();
    eventually("it recovers", || believed(&third));
    server.stop();
}

#[test]
fn files_that_cannot_be_used_keep_the_server_from_starting() {
    let files = Files::new();
    files.renew();
    let key = std::fs::read_to_string(files.path("key.pem")).unwrap();
    files.renew();
    files.put("other.pem", &key);
    files.put("none.pem", "buy milk");
    let [certificate, other, none, gone] =
        ["cert.pem", "other.pem", "none.pem", "gone.pem"].map(|name| files.path(name));
    let told = |args: &[&str]| {
        let program = Path::new(env!("CARGO_BIN_EXE_assize"));
        let listen = ["serve", "--ephemeral", "--listen", "127.0.0.1:0"];
        let ended = std::process::Command::new(program).args(listen).args(args).output().unwrap();
        assert_eq!(ended.status.code(), Some(2));
        String::from_utf8(ended.stderr).unwrap().trim_end().to_owned()
    };
    let with = |certificate: &str, key: &str| told(&["--tls-cert", certificate, "--tls-key", key]);
    let expected = format!("assize: the key in `{other}` is not that of the certificate in `{certificate}`");
    assert_eq!(with(&certificate, &other), expected);
    assert_eq!(
        with(&certificate, &none),
        format!("assize: there is no private key in `{none}`; it must be PEM")
    );
    let expected = format!("assize: `{gone}` cannot be read: No such file or directory (os error 2)");
    assert_eq!(with(&gone, &other), expected);
    let both = "assize: `tls_cert` and `tls_key` go together: set both, or neither";
    assert_eq!(told(&["--tls-cert", &certificate]), both);
}
