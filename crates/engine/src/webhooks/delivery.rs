//! Webhook deliveries: one notice as one JSON body, which depends only on the record and the webhook.

use std::ops::ControlFlow;

use assize_kernel::{Audience, Moment, RecordRef, to_json};
use assize_ledger::{Depth, Ledger, LedgerError, Scan, Webhook};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::Courts;

/// Number of records scanned for a page.
const PAGE: u64 = 256;

/// One webhook delivery.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The same for every attempt, so that receivers can deduplicate.
    pub id: String,
    /// Position of the record that it reports.
    pub position: u64,
    /// The JSON body, or why it cannot be rendered.
    pub body: Result<String, String>,
}

/// The deliveries of one page of records.
pub(super) struct Page {
    pub(super) deliveries: Vec<Delivery>,
    /// Position of the last record scanned.
    pub(super) end: u64,
    /// Whether the page reaches the end of the ledger.
    pub(super) is_last: bool,
}

#[derive(Serialize)]
struct Body<'a> {
    id: &'a str,
    webhook: &'a str,
    stream: &'a str,
    position: u64,
    at: Moment,
    kind: &'a str,
    audience: &'a str,
    data: &'a RawValue,
}

/// The next page of deliveries to a webhook, from the records after a position.
pub(super) fn page(
    ledger: &dyn Ledger,
    courts: &Courts,
    webhook: &Webhook,
    after: u64,
) -> Result<Page, LedgerError> {
    let mut page = Page { deliveries: Vec::new(), end: after, is_last: false };
    let mut seen = 0;
    let scan = Scan { limit: PAGE, ..Scan::all(after, Depth::Facts) };
    ledger.scan(scan, &mut |record| {
        seen += 1;
        page.end = record.position;
        page.deliveries.extend(tell(courts, webhook, &record));
        ControlFlow::Continue(())
    })?;
    page.is_last = seen < PAGE;
    Ok(page)
}

/// The delivery of the record at a position; `None` when the webhook gets none.
pub fn delivery_at(
    ledger: &dyn Ledger,
    courts: &Courts,
    webhook: &Webhook,
    position: u64,
) -> Result<Option<Delivery>, LedgerError> {
    let mut found = None;
    ledger.scan(Scan::at(position), &mut |record| {
        found = tell(courts, webhook, &record);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

/// A test delivery, for admins.
pub fn trial(webhook: &Webhook, at: Moment, random: u64) -> Delivery {
    let id = format!("{}-test-{random:016x}", webhook.id);
    let body = serde_json::json!({
        "id": id, "webhook": webhook.id, "stream": "assize/webhooks", "position": 0, "at": at,
        "kind": "WebhookTested", "audience": "judges", "data": {},
    });
    Delivery { id, position: 0, body: Ok(body.to_string()) }
}

/// The id of a delivery.
pub fn delivery_id(webhook: &str, position: u64) -> String {
    format!("{webhook}-{position}")
}

/// Whether a topic, which is a stream or a court, includes a stream.
fn takes_in(topic: &str, stream: &str) -> bool {
    stream.strip_prefix(topic).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn tell(courts: &Courts, webhook: &Webhook, record: &RecordRef<'_>) -> Option<Delivery> {
    if !webhook.topics.iter().any(|topic| takes_in(topic, record.stream)) {
        return None;
    }
    let (court, _) = record.stream.split_once('/')?;
    let id = delivery_id(&webhook.id, record.position);
    let body = match courts.get(court)?.notice(record) {
        Ok(None) => return None,
        Ok(Some(notice)) => write(&id, webhook, record, &notice.audience, &notice.data),
        Err(error) => Err(error.to_string()),
    };
    Some(Delivery { id, position: record.position, body })
}

fn write(
    id: &str,
    webhook: &Webhook,
    record: &RecordRef<'_>,
    audience: &Audience,
    data: &str,
) -> Result<String, String> {
    let audience = match audience {
        Audience::Everyone => "everyone".to_owned(),
        Audience::Participant(name) => format!("participant:{name}"),
        Audience::Judges => "judges".to_owned(),
    };
    let data: &RawValue = serde_json::from_str(data).map_err(|error| error.to_string())?;
    Ok(to_json(&Body {
        id,
        webhook: &webhook.id,
        stream: record.stream,
        position: record.position,
        at: record.at,
        kind: record.kind,
        audience: &audience,
        data,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_a_stream_or_a_whole_court() {
        for (topic, stream, wanted) in [
            ("contest", "contest/spring", true),
            ("contest/spring", "contest/spring", true),
            ("contest/spring", "contest/spring-2", false),
            ("contest/spring", "contest/autumn", false),
            ("contest", "contests/spring", false),
            ("quest", "contest/spring", false),
        ] {
            assert_eq!(takes_in(topic, stream), wanted, "{topic} {stream}");
        }
    }
}
