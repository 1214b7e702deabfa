//! The client address of a request: the peer of the connection, or `X-Forwarded-For` from trusted proxies.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Request};

use crate::connections::Peer;

/// The client's IP address; loopback for requests without a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// A network in CIDR notation, as `10.0.0.0/8`; a single address is `192.0.2.7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl ClientAddress {
    /// Walks back from the connection through trusted proxies to the first address that is not one.
    pub(crate) fn of<B>(request: &Request<B>, trusted: &[Network]) -> Self {
        let peer = request.extensions().get::<Peer>().map(|Peer(address)| address.ip().to_canonical());
        let mut address = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        if trusted.is_empty() {
            return Self(address);
        }
        let mut before = forwarded_for(request.headers()).into_iter().rev();
        while trusted.iter().any(|network| network.contains(address)) {
            // An entry that cannot be parsed cannot be trusted: the request counts as coming from the proxy
            // itself.
            match before.next().flatten() {
                Some(earlier) => address = earlier,
                None => break,
            }
        }
        Self(address)
    }
}

/// The addresses in `X-Forwarded-For`, in order; none for an entry that cannot be parsed.
fn forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let lines = headers.get_all("x-forwarded-for").iter();
    let parts = lines.flat_map(|line| line.to_str().unwrap_or_default().split(','));
    parts.map(|part| part.trim().parse().ok().map(|address: IpAddr| address.to_canonical())).collect()
}

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let known = parts.extensions.get::<Self>().copied();
        Ok(known.unwrap_or(Self(IpAddr::V4(Ipv4Addr::LOCALHOST))))
    }
}

impl Network {
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.bits
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros() >= self.bits
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let wrong =
            || format!("`{text}` is no address such as `192.0.2.7` and no network such as `10.0.0.0/8`");
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(longest), str::parse).map_err(|_| wrong())?;
        if bits > longest { Err(wrong()) } else { Ok(Self { address, bits }) }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(peer: &str, forwarded: &[&str], trusted: &[&str], expected: &str) {
        let trusted: Vec<Network> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        let mut request = Request::new(());
        request.extensions_mut().insert(Peer(peer.parse().unwrap()));
        for line in forwarded {
            request.headers_mut().append("x-forwarded-for", line.parse().unwrap());
        }
        assert_eq!(ClientAddress::of(&request, &trusted).0.to_string(), expected);
    }

    #[test]
    fn a_header_that_nobody_vouches_for_is_not_believed() {
        check("192.0.2.7:80", &["10.9.9.9"], &[], "192.0.2.7");
        check("192.0.2.7:80", &["10.9.9.9"], &["127.0.0.1"], "192.0.2.7");
    }

    #[test]
    fn the_last_address_that_is_no_trusted_proxy_counts() {
        check("127.0.0.1:80", &["203.0.113.5"], &["127.0.0.1"], "203.0.113.5");
        check(
            "127.0.0.1:80",
            &["198.51.100.1, 203.0.113.5, 10.1.2.3"],
            &["127.0.0.1", "10.0.0.0/8"],
            "203.0.113.5",
        );
        check("127.0.0.1:80", &["198.51.100.1", "203.0.113.5"], &["127.0.0.0/8"], "203.0.113.5");
        check("[::ffff:127.0.0.1]:80", &["2001:db8::7"], &["127.0.0.1"], "2001:db8::7");
    }

    #[test]
    fn what_cannot_be_read_counts_as_the_proxy() {
        check("127.0.0.1:80", &["203.0.113.5, nonsense"], &["127.0.0.1"], "127.0.0.1");
        check("127.0.0.1:80", &[], &["127.0.0.1"], "127.0.0.1");
    }

    #[test]
    fn a_network_that_is_none_is_named() {
        let wrong = "10.0.0.0/33".parse::<Network>().unwrap_err();
        assert_eq!(
            wrong,
            "`10.0.0.0/33` is no address such as `192.0.2.7` and no network such as `10.0.0.0/8`"
        );
        assert_eq!("::/0".parse::<Network>().unwrap().to_string(), "::/0");
    }
}
