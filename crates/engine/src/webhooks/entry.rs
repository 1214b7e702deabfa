//! Changes of webhooks by admins, committed together with a record of the actor; secrets are not recorded.

use std::ops::ControlFlow;
use std::sync::Arc;

use assize_kernel::{Actor, Moment, Refusal, RefusalKind, StreamId};
use assize_ledger::{
    Batch, EngineRecord, KeyEntry, LedgerError, LockedWriter, Scan, WebhookChange, WebhookProgress,
    append_engine_record,
};
use serde_json::{Value, json};

use super::MOST_WEBHOOKS;
use super::context::DeliveryContext;
use crate::{ClerkError, RequestKey};

/// The stream that records changes of webhooks.
const STREAM: (&str, &str) = ("assize", "webhooks");

/// The request that a change comes from.
#[derive(Debug, Clone)]
pub struct Asker {
    /// The actor of the request.
    pub actor: Actor,
    /// The idempotency key: a repeated request gets the first response.
    pub key: Option<RequestKey>,
    /// Client address and request id.
    pub origin: Option<Arc<str>>,
}

/// A change that is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// Id of the webhook.
    pub webhook: String,
    /// Whether the request was a repetition of an earlier one.
    pub repeated: bool,
}

impl DeliveryContext {
    /// Applies and records a change; both are on disk when this returns.
    pub(super) fn enter(&self, change: WebhookChange, asker: &Asker) -> Result<Entered, ClerkError> {
        let stream =
            StreamId::new(STREAM.0, STREAM.1).map_err(|error| LedgerError::Damaged(error.to_string()))?;
        let mut entered = Entered { webhook: id_of(&change).to_owned(), repeated: false };
        let at = self.now();
        append_engine_record(&*self.ledger, &stream, at, &asker.actor, |turn, _| {
            if let Some(before) = self.done_before(asker)? {
                entered = Entered { webhook: before, repeated: true };
                return Ok(None);
            }
            self.decide(turn, change, asker, at).map(Some)
        })?;
        Ok(entered)
    }

    /// Decides a change while holding the write lock, so that the checks stay valid until the commit.
    fn decide(
        &self,
        turn: &mut dyn LockedWriter,
        mut change: WebhookChange,
        asker: &Asker,
        at: Moment,
    ) -> Result<EngineRecord, ClerkError> {
        let refused = |code, kind, detail: String| Err(ClerkError::Refused(Refusal::new(code, kind, detail)));
        let head = turn.head().position;
        match &mut change {
            WebhookChange::Add(webhook) => {
                if self.ledger.webhooks(0, MOST_WEBHOOKS)?.len() as u64 >= MOST_WEBHOOKS {
                    let detail = format!("there are {MOST_WEBHOOKS} webhooks already; remove one first");
                    return refused("webhook.too_many", RefusalKind::Conflict, detail);
                }
                webhook.progress = WebhookProgress::after(head);
            }
            other => {
                let id = id_of(other);
                if self.ledger.webhook(id)?.is_none() {
                    let detail = format!("there is no webhook `{id}`");
                    return refused("resource.unknown", RefusalKind::Unknown, detail);
                }
            }
        }
        let (kind, body) = tell(&change);
        let (first, last) = (head + 1, head + 1);
        let key = asker.key.clone();
        let keys = key.map(|RequestKey { key, request }| KeyEntry { key, request, at, first, last });
        let origins = asker.origin.iter().map(|origin| (first, origin.clone())).collect();
        let (webhooks, keys) = (vec![change], keys.into_iter().collect());
        let beside = Batch { webhooks, keys, origins, ..Batch::default() };
        Ok(EngineRecord { kind, body, beside })
    }

    /// The webhook of an earlier request with the same idempotency key.
    fn done_before(&self, asker: &Asker) -> Result<Option<String>, ClerkError> {
        let Some(RequestKey { key, request }) = &asker.key else { return Ok(None) };
        let known = self.ledger.keys(std::slice::from_ref(key))?.into_iter().flatten().next();
        let Some(known) = known else { return Ok(None) };
        if known.request != *request {
            return Err(ClerkError::KeyReused);
        }
        let mut about = None;
        self.ledger.scan(Scan::at(known.first), &mut |record| {
            let body: Result<Value, _> = serde_json::from_str(record.body);
            let id = |body: Value| Some(body.get(record.kind)?.get("webhook")?.as_str()?.to_owned());
            about = body.ok().and_then(id);
            ControlFlow::Break(())
        })?;
        about.map(Some).ok_or_else(|| ClerkError::Broken("a key without a webhook record".into()))
    }
}

fn id_of(change: &WebhookChange) -> &str {
    match change {
        WebhookChange::Add(webhook) => &webhook.id,
        WebhookChange::Pause(id) | WebhookChange::Resume(id) | WebhookChange::Remove(id) => id,
    }
}

/// Kind and body of the record. The URL may contain a secret, so only its origin is recorded.
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
    use assize_ledger::{Webhook, WebhookSecret};

    use super::*;

    #[test]
    fn neither_the_secret_nor_a_secret_in_the_address_is_recorded() {
        let added = Webhook {
            id: "wh_1".into(),
            url: "https://example.org:8443/T0P/SECRET?key=SECRET".into(),
            topics: vec!["contest".into()],
            label: Some("SECRET".into()),
            secret: WebhookSecret("whsec_SECRET".into()),
            added: Moment::default(),
            paused: false,
            progress: WebhookProgress::default(),
            dead: 0,
        };
        let (kind, body) = tell(&WebhookChange::Add(Box::new(added)));
        let expected =
            r#"{"WebhookAdded":{"webhook":"wh_1","origin":"https://example.org:8443","topics":["contest"]}}"#;
        assert_eq!((kind, body.as_str()), ("WebhookAdded", expected));
    }
}
