//! Chart of a session's four score dimensions by turn: SVG, with an `aria-label` in words.

use assize_courts::radio::{SessionView, TurnScore, TurnView};
use maud::{Markup, html};

use crate::pages::why::plain;

const WIDTH: f64 = 400.0;
/// Margins: names at the left, means at the right.
const LEFT: f64 = 96.0;
const RIGHT: f64 = 44.0;
const ROW: f64 = 36.0;
/// Height of a line within its row.
const REACH: f64 = 20.0;

/// The chart; empty before the second turn, as one point is no line.
pub(super) fn over_time(view: &SessionView) -> Markup {
    if view.line.len() < 2 {
        return html! {};
    }
    let rows: Vec<(&str, Vec<Option<f64>>)> = DIMENSIONS
        .iter()
        .map(|(name, of)| (*name, view.line.iter().map(|turn| of(counts(turn))).collect()))
        .collect();
    let said: Vec<String> = rows.iter().map(|(name, shares)| in_words(name, shares)).collect();
    let label = format!("Four dimensions, turn after turn. {}", said.join(" "));
    let height = ROW * 4.0 + 18.0;
    let drawing = html! {
        svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(label) {
            @for (place, (name, shares)) in rows.iter().enumerate() { (row(place, name, shares)) }
            @for turn in numbered(view.line.len()) {
                text class="scale" x=(format!("{:.1}", across(turn - 1, view.line.len()))) y=(height - 4.0) text-anchor="middle" { (turn) }
            }
        }
    };
    html! { figure class="chart compact" { (drawing) figcaption { "Four dimensions from turn to turn, and on average" } } }
}

type ScoreDimension = (&'static str, fn(&TurnScore) -> Option<f64>);

/// The four dimensions of the rubric, in its order, with their labels.
pub(super) const DIMENSIONS: [ScoreDimension; 4] = [
    ("Phrases", |score| score.phrase_accuracy),
    ("Order", |score| score.ordering),
    ("Completeness", |score| score.omissions),
    ("Safety", |score| score.safety),
];

/// The score that counts: the overruled one, if there is one.
pub(super) fn counts(turn: &TurnView) -> &TurnScore {
    turn.overruled.as_ref().map_or(&turn.score, |overruled| &overruled.score)
}

#[allow(clippy::cast_precision_loss, reason = "pixels")]
fn row(place: usize, name: &str, shares: &[Option<f64>]) -> Markup {
    let top = place as f64 * ROW + 8.0;
    let y = |share: f64| top + REACH * (1.0 - share.clamp(0.0, 1.0));
    let dots: Vec<(f64, f64, f64)> = shares
        .iter()
        .enumerate()
        .filter_map(|(turn, share)| share.map(|share| (across(turn, shares.len()), y(share), share)))
        .collect();
    let path: Vec<String> = dots.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
    html! {
        rect class="band" x=(LEFT) y=(top - 4.0) width=(WIDTH - LEFT - RIGHT) height=(REACH + 8.0) {}
        text class="name" x=(LEFT - 8.0) y=(top + REACH / 2.0 + 4.0) text-anchor="end" { (name) }
        polyline class="line line-1" points=(path.join(" ")) {}
        @for (x, y, share) in &dots {
            circle class=(if *share < 1.0 { "dot less" } else { "dot" }) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="3" {}
        }
        text class="scale" x=(WIDTH - RIGHT + 6.0) y=(top + REACH / 2.0 + 4.0) { (percent(mean(shares))) }
    }
}

/// Horizontal centre of a turn.
#[allow(clippy::cast_precision_loss, reason = "pixels")]
fn across(turn: usize, turns: usize) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (turn as f64 + 0.5) / turns.max(1) as f64
}

/// Turns whose numbers are written on the axis: at most twenty.
fn numbered(turns: usize) -> impl Iterator<Item = usize> {
    (1..=turns).step_by(turns.div_ceil(20).max(1))
}

#[allow(clippy::cast_precision_loss, reason = "a few turns")]
fn mean(shares: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = shares.iter().flatten().copied().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{} %", plain(assize_kernel::round(share * 100.0, 0))))
}

fn in_words(name: &str, shares: &[Option<f64>]) -> String {
    let each: Vec<String> = shares.iter().map(|share| percent(*share)).collect();
    format!("{name}: {}.", each.join(", "))
}

#[test]
fn a_line_is_said_in_words_and_its_mean_leaves_out_what_nobody_looked_at() {
    let shares = [Some(1.0), None, Some(0.5)];
    assert_eq!(in_words("Order", &shares), "Order: 100 %, –, 50 %.");
    assert_eq!(percent(mean(&shares)), "75 %");
    assert_eq!(percent(mean(&[None])), "–");
}

#[test]
fn at_most_twenty_turns_are_numbered() {
    assert_eq!(numbered(3).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(numbered(45).collect::<Vec<_>>(), [1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43]);
}
