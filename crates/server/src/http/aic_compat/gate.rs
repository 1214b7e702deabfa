//! Authorization of organisers at the root: an admin's token, or a request from this machine.

use std::net::IpAddr;

use assize_kernel::{Actor, Role};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};

use super::detail::ErrorResponse;
use super::door::OpenContest;
use crate::connections::Peer;
use crate::http::access::Act;
use crate::http::caller::{AccessGrant, Caller};
use crate::http::client_address::Network;
use crate::http::problem::Problem;
use crate::http::settings::HttpSettings;
use crate::http::{App, cookie, csrf};
use assize_engine::Scope;

/// Headers that show that a proxy has forwarded the request.
const FORWARDED: [&str; 6] =
    ["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];

/// A caller who may run the open contest.
pub(super) struct Organiser(Caller);

impl Organiser {
    /// The open contest and its organiser; 403 when the contest is outside of their scope.
    pub(super) async fn enters(self, app: &App) -> Result<(OpenContest, Caller), ErrorResponse> {
        let door = OpenContest::find(app).await?;
        self.0.may(Act::RunTask, &door.stream)?;
        Ok((door, self.0))
    }
}

impl FromRequestParts<App> for Organiser {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ErrorResponse> {
        let shows_something =
            parts.headers.contains_key(header::AUTHORIZATION) || cookie::of(&parts.headers).is_some();
        if shows_something {
            let caller = Caller::from_request_parts(parts, app).await?;
            caller.must_have_role_for(Act::RunTask)?;
            return Ok(Self(caller));
        }
        let here = at_this_machine(parts, &app.front.settings).ok_or_else(|| {
            let said = "this needs an admin's token, sent as `Authorization: Bearer …`, or a request from this \
                        machine itself, to `127.0.0.1` or `localhost`";
            Problem::new(StatusCode::UNAUTHORIZED, "access.unknown_token", said)
        })?;
        let actor = Actor::new(Role::Admin, "loopback");
        let admitted = AccessGrant { actor, scope: Scope::Everything, expires: None, login: None };
        Ok(Self(Caller::unseen(admitted, here)))
    }
}

/// The client address of a request from this machine: by the peer of the connection, not through a proxy, and
/// not from a browser on behalf of another site.
fn at_this_machine(parts: &Parts, settings: &HttpSettings) -> Option<IpAddr> {
    let Peer(peer) = parts.extensions.get::<Peer>()?;
    let address = peer.ip().to_canonical();
    let proxy = |network: &Network| network.contains(address);
    let here = address.is_loopback()
        && !is_forwarded(&parts.headers)
        && !settings.trusted_proxies.iter().any(proxy)
        && is_called_here(&parts.headers)
        && csrf::check_site(&parts.headers, settings).is_ok();
    here.then_some(address)
}

fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| FORWARDED.contains(&name.as_str()) || name.as_str().starts_with("x-forwarded-"))
}

/// Whether `Host` names this machine: DNS rebinding can point another site's name here.
fn is_called_here(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let is_loopback = name.parse().is_ok_and(|address: IpAddr| address.to_canonical().is_loopback());
    is_loopback || name.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn let_in(peer: Option<&str>, headers: &[(&str, &str)], trusted: &[&str]) -> bool {
        let mut request = Request::get("/admin/sessions");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        if let Some(peer) = peer {
            parts.extensions.insert(Peer(peer.parse().unwrap()));
        }
        let trusted_proxies = trusted.iter().map(|network| network.parse().unwrap()).collect();
        let settings = HttpSettings { trusted_proxies, ..HttpSettings::default() };
        at_this_machine(&parts, &settings).is_some()
    }

    const HERE: Option<&str> = Some("127.0.0.1:40000");
    const HOST: (&str, &str) = ("host", "127.0.0.1:8080");

    #[test]
    fn whoever_sits_at_this_machine_is_let_in() {
        for (peer, host) in [
            ("127.0.0.1:1", "127.0.0.1:8080"),
            ("127.0.0.1:1", "localhost"),
            ("[::1]:1", "[::1]:8080"),
            ("[::ffff:127.0.0.1]:1", "LOCALHOST:8080"),
        ] {
            assert!(let_in(Some(peer), &[("host", host)], &[]), "{peer} {host}");
        }
        assert!(let_in(HERE, &[HOST, ("origin", "http://127.0.0.1:8080")], &[]), "a page of our own");
    }

    #[test]
    fn nobody_else_is_whatever_they_say() {
        let claim = ("x-forwarded-for", "127.0.0.1");
        for (peer, own) in
            [("192.0.2.7:1", "192.0.2.7"), ("10.0.0.1:1", "10.0.0.1"), ("[2001:db8::1]:1", "2001:db8::1")]
        {
            assert!(!let_in(Some(peer), &[HOST], &[]), "{peer}");
            assert!(!let_in(Some(peer), &[HOST, claim], &[]), "{peer}");
            assert!(!let_in(Some(peer), &[HOST, claim], &[own]), "{peer}, a proxy that is trusted");
        }
        assert!(!let_in(None, &[HOST], &[]), "by no connection at all");
    }

    #[test]
    fn what_came_through_a_proxy_did_not_come_from_here() {
        for name in ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-proto", "via"] {
            assert!(!let_in(HERE, &[HOST, (name, "127.0.0.1")], &[]), "{name}");
        }
        assert!(!let_in(HERE, &[HOST], &["127.0.0.1"]), "this machine's own address is a proxy's");
    }

    #[test]
    fn a_page_elsewhere_cannot_use_the_browser_at_this_machine() {
        assert!(!let_in(HERE, &[("host", "evil.example:8080")], &[]), "its name leads here");
        assert!(!let_in(HERE, &[HOST, ("origin", "https://evil.example")], &[]));
        assert!(!let_in(HERE, &[HOST, ("sec-fetch-site", "cross-site")], &[]));
        assert!(!let_in(HERE, &[], &[]), "called by no name");
    }
}
