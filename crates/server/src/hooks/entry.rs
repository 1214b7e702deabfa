//! What an admin decides about webhooks, entered into the ledger in the same stroke: who did it, never the secret.

use assize_kernel::{Actor, StreamId};
use assize_ledger::{Batch, Entry, LedgerError, Progress, WebhookChange, enter};
use serde_json::json;

use super::office::Office;

/// Where it is entered.
const STREAM: (&str, &str) = ("assize", "webhooks");

impl Office {
    /// Does what was decided and records it; both are on disk when this returns.
    pub(super) fn enter(&self, mut change: WebhookChange, actor: &Actor) -> Result<(), LedgerError> {
        let stream =
            StreamId::new(STREAM.0, STREAM.1).map_err(|error| LedgerError::Damaged(error.to_string()))?;
        enter(&*self.ledger, &stream, (self.now(), actor), |turn| {
            if let WebhookChange::Add(webhook) = &mut change {
                webhook.progress = Progress::after(turn.head().position);
            }
            let (kind, body) = tell(&change);
            let beside = Batch { webhooks: vec![change], ..Batch::default() };
            Ok(Some(Entry { kind, body, beside }))
        })
    }
}

/// The whole address may hold a secret, so only where it leads is recorded.
fn tell(change: &WebhookChange) -> (&'static str, String) {
    let (kind, facts) = match change {
        WebhookChange::Add(webhook) => {
            let origin = reqwest::Url::parse(&webhook.url).map(|url| url.origin().ascii_serialization());
            let origin = origin.unwrap_or_default();
            let facts = json!({ "webhook": webhook.id, "origin": origin, "topics": webhook.topics });
            ("WebhookAdded", facts)
        }
        WebhookChange::Pause(id) => ("WebhookPaused", json!({ "webhook": id })),
        WebhookChange::Resume(id) => ("WebhookResumed", json!({ "webhook": id })),
        WebhookChange::Remove(id) => ("WebhookRemoved", json!({ "webhook": id })),
    };
    (kind, json!({ kind: facts }).to_string())
}

#[cfg(test)]
mod tests {
    use assize_kernel::Moment;
    use assize_ledger::{Secret, Webhook};

    use super::*;

    #[test]
    fn neither_the_secret_nor_a_secret_in_the_address_is_recorded() {
        let added = Webhook {
            id: "wh_1".into(),
            url: "https://example.org:8443/T0P/SECRET?key=SECRET".into(),
            topics: vec!["contest".into()],
            label: Some("SECRET".into()),
            secret: Secret("whsec_SECRET".into()),
            added: Moment::default(),
            paused: false,
            progress: Progress::default(),
            dead: 0,
        };
        let (kind, body) = tell(&WebhookChange::Add(Box::new(added)));
        let expected =
            r#"{"WebhookAdded":{"webhook":"wh_1","origin":"https://example.org:8443","topics":["contest"]}}"#;
        assert_eq!((kind, body.as_str()), ("WebhookAdded", expected));
    }
}
