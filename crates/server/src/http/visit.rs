//! One request while it is attended to: its id, and who it turned out to be from.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use assize_kernel::Role;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

use super::dres;
use super::pages::Theme;

/// The header that a request's id comes and goes with.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken over from a client.
const LONGEST: usize = 64;

tokio::task_local! {
    /// So that a problem can name its request wherever it comes up.
    static CURRENT: Arc<Visit>;
}

/// What is known of the request that is being answered.
#[derive(Debug)]
pub(super) struct Visit {
    id: HeaderValue,
    role: OnceLock<Role>,
    /// Whether it wants to be told in DRES's words what goes wrong.
    dres: bool,
    /// Of a person with a browser: where they are, and how they like their pages.
    reader: Option<Reader>,
}

/// Somebody who looks at a page.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    pub(super) place: String,
    pub(super) theme: Option<String>,
}

impl Reader {
    /// Browsers say so when they want a page; programs ask for anything, or for JSON.
    fn of(headers: &HeaderMap, uri: &Uri) -> Option<Self> {
        let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok())?;
        let page = accepts.contains("text/html") && !uri.path().starts_with("/api/");
        let place = uri.path_and_query().map_or("/", |place| place.as_str()).to_owned();
        page.then(|| Self { place, theme: Theme::said(headers).map(str::to_owned) })
    }
}

impl Visit {
    /// Takes over the id that came with a request when it is a plain word, and makes one otherwise.
    pub(super) fn of(headers: &HeaderMap, uri: &Uri) -> Arc<Self> {
        let given = headers.get(REQUEST_ID).filter(|id| is_plain(id.as_bytes()));
        let id = given.cloned().unwrap_or_else(next_id);
        let (dres, reader) = (uri.path().starts_with(dres::PLACE), Reader::of(headers, uri));
        Arc::new(Self { id, role: OnceLock::new(), dres, reader })
    }

    /// Does something as a part of this visit.
    pub(super) async fn during<T>(self: &Arc<Self>, work: impl Future<Output = T>) -> T {
        CURRENT.scope(Arc::clone(self), work).await
    }

    /// Looks at the request that is being answered here; none outside of one.
    pub(super) fn current<T>(look: impl FnOnce(&Self) -> T) -> Option<T> {
        CURRENT.try_with(|visit| look(visit)).ok()
    }

    /// Its id.
    pub(super) fn current_id() -> Option<String> {
        Self::current(|visit| visit.id().to_owned())
    }

    /// Whether whoever asks wants to be told in DRES's words what goes wrong.
    pub(super) fn is_of_dres() -> bool {
        Self::current(|visit| visit.dres).unwrap_or(false)
    }

    /// Whoever looks at a page, and is to be told on a page what goes wrong.
    pub(super) fn reader() -> Option<Reader> {
        Self::current(|visit| visit.reader.clone()).flatten()
    }

    /// Notes who is asking, for the log.
    pub(super) fn note_role(role: Role) {
        // Outside of a request there is no log to keep.
        let _ = Self::current(|visit| visit.role.set(role));
    }

    pub(super) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    pub(super) fn header(&self) -> HeaderValue {
        self.id.clone()
    }

    /// The role of whoever asks, `nobody` without a good token.
    pub(super) fn role(&self) -> &'static str {
        self.role.get().map_or("nobody", |role| role.as_str())
    }
}

fn is_plain(id: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    (1..=LONGEST).contains(&id.len()) && id.iter().all(plain)
}

/// Counted from a random beginning, so that processes and starts do not share their ids.
fn next_id() -> HeaderValue {
    static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(getrandom::u64().unwrap_or_default()));
    let id = format!("{:016x}", NEXT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("unnamed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_taken_over_when_it_is_a_plain_word() {
        let id = |given: &'static str| {
            let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_static(given))]);
            Visit::of(&headers, &Uri::default()).id().to_owned()
        };
        assert_eq!(id("Trace-7.of_9"), "Trace-7.of_9");
        for given in ["", "two words", "a\"b", "<script>"] {
            assert_eq!(id(given).len(), 16, "{given}");
        }
        assert_ne!(
            Visit::of(&HeaderMap::new(), &Uri::default()).id(),
            Visit::of(&HeaderMap::new(), &Uri::default()).id()
        );
    }

    #[tokio::test]
    async fn a_visit_is_known_while_it_lasts() {
        let visit = Visit::of(&HeaderMap::new(), &Uri::default());
        let seen = visit
            .during(async {
                Visit::note_role(Role::Judge);
                Visit::current_id()
            })
            .await;
        assert_eq!((seen.as_deref(), visit.role()), (Some(visit.id()), "judge"));
        assert_eq!(Visit::current_id(), None);
    }
}
