//! Request context: the request id and the caller's role, as a task-local.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use assize_kernel::Role;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

use super::dres;
use crate::pages::PageTheme;

/// The header with the request id, in requests and responses.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of a client's request id.
const LONGEST: usize = 64;

tokio::task_local! {
    /// Task-local, so that any problem response can name its request.
    static CURRENT: Arc<RequestContext>;
}

/// The context of the request being handled.
#[derive(Debug)]
pub(crate) struct RequestContext {
    id: HeaderValue,
    role: OnceLock<Role>,
    /// Whether errors are written in the format of DRES.
    dres: bool,
    /// The browser user, for error pages.
    reader: Option<BrowserUser>,
}

/// The user of a browser: their page and display preferences.
#[derive(Debug, Clone)]
pub(crate) struct BrowserUser {
    pub(crate) place: String,
    pub(crate) theme: Option<String>,
}

impl BrowserUser {
    /// Set when `Accept` asks for HTML; programs ask for anything, or for JSON.
    fn of(headers: &HeaderMap, uri: &Uri) -> Option<Self> {
        let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok())?;
        let page = accepts.contains("text/html") && !uri.path().starts_with("/api/");
        let place = uri.path_and_query().map_or("/", |place| place.as_str()).to_owned();
        page.then(|| Self { place, theme: PageTheme::said(headers).map(str::to_owned) })
    }
}

impl RequestContext {
    /// The context of a request. Takes over the client's request id when it is well-formed, and generates one
    /// otherwise.
    pub(crate) fn of(headers: &HeaderMap, uri: &Uri) -> Arc<Self> {
        let given = headers.get(REQUEST_ID).filter(|id| is_plain(id.as_bytes()));
        let id = given.cloned().unwrap_or_else(next_id);
        let dres = uri.path().starts_with(dres::PLACE);
        let reader = BrowserUser::of(headers, uri);
        Arc::new(Self { id, role: OnceLock::new(), dres, reader })
    }

    /// Runs a future within this context.
    pub(crate) async fn during<T>(self: &Arc<Self>, work: impl Future<Output = T>) -> T {
        CURRENT.scope(Arc::clone(self), work).await
    }

    /// Reads the current context; none outside of a request.
    pub(crate) fn current<T>(look: impl FnOnce(&Self) -> T) -> Option<T> {
        CURRENT.try_with(|visit| look(visit)).ok()
    }

    /// The current request id.
    pub(crate) fn current_id() -> Option<String> {
        Self::current(|visit| visit.id().to_owned())
    }

    /// Whether errors of the current request are written in the format of DRES.
    pub(crate) fn is_of_dres() -> bool {
        Self::current(|visit| visit.dres).unwrap_or(false)
    }

    /// The browser user of the current request, who gets errors as pages.
    pub(crate) fn reader() -> Option<BrowserUser> {
        Self::current(|visit| visit.reader.clone()).flatten()
    }

    /// Notes the caller's role, for the access log.
    pub(crate) fn note_role(role: Role) {
        // Outside of a request there is no context, and no log line.
        let _ = Self::current(|visit| visit.role.set(role));
    }

    pub(crate) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    pub(crate) fn header(&self) -> HeaderValue {
        self.id.clone()
    }

    /// The caller's role, once the caller is authenticated.
    pub(crate) fn known_role(&self) -> Option<Role> {
        self.role.get().copied()
    }

    /// The caller's role; `nobody` without valid credentials.
    pub(crate) fn role(&self) -> &'static str {
        self.role.get().map_or("nobody", |role| role.as_str())
    }
}

fn is_plain(id: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    (1..=LONGEST).contains(&id.len()) && id.iter().all(plain)
}

/// A counter with a random start, so that ids of different processes do not collide.
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
            RequestContext::of(&headers, &Uri::default()).id().to_owned()
        };
        assert_eq!(id("Trace-7.of_9"), "Trace-7.of_9");
        for given in ["", "two words", "a\"b", "<script>"] {
            assert_eq!(id(given).len(), 16, "{given}");
        }
        assert_ne!(
            RequestContext::of(&HeaderMap::new(), &Uri::default()).id(),
            RequestContext::of(&HeaderMap::new(), &Uri::default()).id()
        );
    }

    #[tokio::test]
    async fn a_visit_is_known_while_it_lasts() {
        let visit = RequestContext::of(&HeaderMap::new(), &Uri::default());
        let seen = visit
            .during(async {
                RequestContext::note_role(Role::Judge);
                RequestContext::current_id()
            })
            .await;
        assert_eq!((seen.as_deref(), visit.role()), (Some(visit.id()), "judge"));
        assert_eq!(RequestContext::current_id(), None);
    }
}
