//! Lists streams of a court from their first records, with pagination: contests, radio classes, summary runs.

use assize_kernel::{Draft, StreamId};

use super::problem::Problem;
use super::query::Pagination;
use super::records::find;
use super::{App, blocking};

/// The number of visible streams of a court, and `read` applied to the ids and first records of one page of
/// them.
pub(crate) async fn page_of_opened<T: Send + 'static>(
    app: &App,
    court: &str,
    window: Pagination,
    may_be_seen: impl Fn(&StreamId) -> bool + Send,
    read: fn(String, &Draft) -> Option<T>,
) -> Result<(usize, Vec<T>), Problem> {
    let (total, page) = {
        let views = app.clerk.views();
        let streams = || views.streams(court).filter(|(stream, _)| may_be_seen(stream));
        let page = streams().skip(window.offset()).take(window.limit());
        (streams().count(), page.map(|(stream, first)| (stream.name().to_owned(), first)).collect::<Vec<_>>())
    };
    let listed = blocking(app, move |app| {
        let mut listed = Vec::new();
        for (id, first) in page {
            listed.extend(find(app, first)?.and_then(|record| read(id, &record.draft)));
        }
        Ok(listed)
    });
    Ok((total, listed.await?))
}
