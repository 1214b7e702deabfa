//! URL validation against server-side request forgery: webhooks are not sent to private networks, also when a
//! host name resolves to one.

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Longest accepted URL, in bytes.
const LONGEST_URL: usize = 2048;

/// Networks that are not on the public internet, as first address and prefix length.
const REFUSED_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),       // this host
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // carrier-grade NAT
    (Ipv4Addr::new(127, 0, 0, 0), 8),     // loopback
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // link-local, cloud metadata services
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),  // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),     // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),     // reserved, and broadcast
];

/// Global unicast. Loopback, unique-local, link-local, multicast and embedded IPv4 addresses
/// (`::ffff:0:0/96`, `64:ff9b::/96`) are outside.
const GIVEN_OUT_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks within global unicast that are reserved or embed IPv4 addresses.
const REFUSED_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments: Teredo, benchmarks, ORCHID
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// Why a webhook cannot be sent to a URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The URL is malformed or of an unsupported kind.
    #[error("{0}")]
    Invalid(String),
    /// The host is in a private network.
    #[error(
        "the address leads into a private network, where webhooks are not sent unless `webhooks_allow_private` \
         is set"
    )]
    Private,
}

/// Whether an address is on the public internet.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !REFUSED_V4.iter().any(|network| holds_v4(*network, address)),
        IpAddr::V6(address) => {
            holds_v6(GIVEN_OUT_V6, address) && !REFUSED_V6.iter().any(|network| holds_v6(*network, address))
        }
    }
}

/// Parses and checks the URL of a webhook. Host names are resolved and checked when a delivery is sent.
pub fn read_url(text: &str, allow_private: bool) -> Result<Url, UrlError> {
    let invalid = |what: &str| UrlError::Invalid(what.to_owned());
    if text.len() > LONGEST_URL {
        return Err(UrlError::Invalid(format!("`url` is longer than {LONGEST_URL} bytes")));
    }
    let url =
        Url::parse(text).map_err(|error| UrlError::Invalid(format!("`url` cannot be read: {error}")))?;
    if !["http", "https"].contains(&url.scheme()) {
        return Err(invalid("`url` must begin with `https://` or `http://`"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("`url` must not have a name or password in it; check the signature instead"));
    }
    if url.fragment().is_some() {
        return Err(invalid("`url` must not have a `#` in it: what follows is never sent"));
    }
    // The parser has normalised numeric hosts such as `0x7f.1` and `2130706433`.
    let host = url.host_str().unwrap_or_default();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match literal {
        Ok(address) if !allow_private && !is_public(address) => Err(UrlError::Private),
        _ => Ok(url),
    }
}

/// DNS resolver that drops private addresses. The client connects to the checked addresses, which prevents
/// DNS rebinding.
pub(super) struct PublicNames;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let public: Vec<SocketAddr> =
                found.iter().copied().filter(|found| is_public(found.ip())).collect();
            if public.is_empty() && !found.is_empty() {
                return Err(Error::new(ErrorKind::PermissionDenied, UrlError::Private).into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

fn holds_v4((first, prefix): (Ipv4Addr, u32), address: Ipv4Addr) -> bool {
    (first.to_bits() ^ address.to_bits()).leading_zeros() >= prefix
}

fn holds_v6((first, prefix): (Ipv6Addr, u32), address: Ipv6Addr) -> bool {
    (first.to_bits() ^ address.to_bits()).leading_zeros() >= prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: &str, public: bool) {
        assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
    }

    #[test]
    fn every_private_network_is_refused_from_its_first_to_its_last_address() {
        let ranges = [
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "255.255.255.255"),
        ];
        let mut refused = vec![];
        for (first, last) in ranges {
            let (first, last): (Ipv4Addr, Ipv4Addr) = (first.parse().unwrap(), last.parse().unwrap());
            refused.push(first.to_bits()..=last.to_bits());
        }
        // Every /16 network, and every /24 of those with smaller ranges.
        let halves = [0xc000, 0xc058, 0xc633, 0xcb00_u32];
        let small = halves.iter().flat_map(|half| (0..256).map(move |part| (half << 16 | part << 8, 255)));
        let large = (0..1_u32 << 16).map(|network| (network << 16, 65_535));
        for (first, size) in large.chain(small) {
            for address in [first, first | size] {
                let public = !refused.iter().any(|range| range.contains(&address));
                assert_eq!(is_public(Ipv4Addr::from_bits(address).into()), public, "{address:#x}");
            }
        }
    }

    #[test]
    fn neighbours_of_private_networks_are_not_refused() {
        for public in ["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "128.0.0.0"] {
            check(public, true);
        }
        for public in ["169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "223.255.255.255"] {
            check(public, true);
        }
    }

    #[test]
    fn ipv6_is_refused_unless_it_is_given_out_for_the_open_internet() {
        let refused = [
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8::",
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            "2002:7f00:1::",
            "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "3fff::1",
            "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
            "4000::",
            "5f00::1",
            "fc00::1",
            "fdff:ffff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        refused.into_iter().for_each(|address| check(address, false));
        let public =
            ["2001:200::1", "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700::1111", "3fff:1000::1"];
        public.into_iter().for_each(|address| check(address, true));
    }

    #[test]
    fn an_address_in_numbers_is_seen_through_however_it_is_written() {
        for private in [
            "http://127.0.0.1/",
            "http://127.1:8080/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://0177.0.0.1/",
            "http://①27.0.0.1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[64:ff9b::a00:1]/",
            "https://10.1.2.3/hook",
            "https://169.254.169.254/latest/meta-data",
        ] {
            assert_eq!(read_url(private, false), Err(UrlError::Private), "{private}");
            assert!(read_url(private, true).is_ok(), "{private}");
        }
        for public in ["https://example.org/hook?room=1", "http://8.8.8.8:81/", "https://[2606:4700::1111]/x"]
        {
            assert!(read_url(public, false).is_ok(), "{public}");
        }
    }

    #[test]
    fn what_is_no_address_of_ours_is_refused_even_when_private_ones_are_allowed() {
        let long = format!("https://example.org/{}", "x".repeat(LONGEST_URL));
        for wrong in [
            "",
            "example.org",
            "ftp://example.org/",
            "file:///etc/passwd",
            "unix:/run/x",
            "https://",
            "https://me@example.org/",
            "https://me:secret@example.org/",
            "https://:secret@example.org/",
            "https://example.org/#part",
            &long,
        ] {
            let read = read_url(wrong, true);
            assert!(matches!(read, Err(UrlError::Invalid(_))), "{wrong}: {read:?}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_home_is_refused_when_it_is_looked_up() {
        let Err(error) = PublicNames.resolve("localhost".parse().unwrap()).await else { panic!("resolved") };
        assert!(error.to_string().contains("private network"), "{error}");
    }
}
