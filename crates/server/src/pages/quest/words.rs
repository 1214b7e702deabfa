//! Labels for the states of logs and hunters. They stay neutral: a report is a doubt until a judge decides.

use assize_courts::quest::{HunterStatus, LogView, SignKind, Status};
use maud::{Markup, html};

/// Badge for a log's status.
pub(super) fn status(log: &LogView) -> Markup {
    let (word, class) = match (log.badge, log.status) {
        ("removed", _) => ("taken out by a judge", "badge"),
        (_, Status::Approved) => ("counts", "badge right"),
        (_, Status::Flagged) => ("counts half until there is proof", "badge"),
        (_, Status::Rejected) => ("does not count", "badge"),
        (_, Status::PendingVerification) => ("waits to be confirmed", "badge lively"),
    };
    html! { span class=(class) { (word) } }
}

/// Badge for a log's proof.
pub(super) fn proof(log: &LogView) -> Markup {
    let word = match log.badge {
        "verified" => "proof seen by a judge",
        "proof-backed" => "with proof",
        _ => return html! {},
    };
    html! { span class="badge lively" { (word) } }
}

/// Label for a hunter's status.
pub(super) fn standing(status: HunterStatus) -> Option<&'static str> {
    match status {
        HunterStatus::Normal => None,
        HunterStatus::Verified => Some("verified by judges"),
        HunterStatus::Flagged => Some("under review"),
        HunterStatus::Corrupted => Some("off the board while judges look"),
    }
}

/// Label for a report reason of the rulebook.
pub(super) fn reason(reason: &str) -> String {
    let mut words = reason.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// Labels for the signs read in a text.
pub(super) fn signs(signs: &[SignKind]) -> String {
    let word = |sign: &SignKind| match sign {
        SignKind::Injury => "an injury",
        SignKind::Pain => "pain",
        SignKind::Exhaustion => "exhaustion",
        SignKind::Ease => "ease",
    };
    signs.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Number of reports that were not dismissed.
pub(super) fn doubts(log: &LogView) -> Markup {
    let standing = log.reports.iter().filter(|report| report.standing != "dismissed").count();
    html! {
        @if standing > 0 {
            span class="badge" { (crate::pages::parts::count(standing, "doubt", "doubts")) }
        }
    }
}

#[test]
fn reasons_are_words() {
    assert_eq!(reason("fake_proof"), "Fake proof");
    assert_eq!(reason(""), "");
}
