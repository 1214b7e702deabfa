//! What is sent: one notice as one JSON text, which follows from the record and the webhook alone.

use std::ops::ControlFlow;

use assize_kernel::{Audience, Moment, RecordRef, to_json};
use assize_ledger::{Depth, Ledger, LedgerError, Scan, Webhook};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::Courts;

/// How many records are looked at in one go.
const PAGE: u64 = 256;

/// Something to be sent.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The same however often it is sent, so that receivers can drop what they have.
    pub id: String,
    /// The record it tells of.
    pub position: u64,
    /// What is sent, or why it cannot be said.
    pub body: Result<String, String>,
}

/// What there is to send from a part of the ledger.
pub(super) struct Page {
    pub(super) deliveries: Vec<Delivery>,
    /// Everything up to here has been looked at.
    pub(super) end: u64,
    /// Whether there was nothing more to look at.
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

/// What a webhook is to be told of the records after a position.
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

/// What a webhook is told of the record at a position.
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

/// A delivery by which an admin sees whether a webhook works.
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

/// Whether a topic, a stream or a court, takes in a stream.
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
