//! Charts, rendered on the server as SVG; an `aria-label` states their values in words.

use maud::{Markup, html};

use super::parts::{clock_text, points, scrolling};
use super::why;

/// One line of a chart over time.
pub(super) struct ChartLine {
    pub(super) name: String,
    /// Time in milliseconds and the value from then on, in order of time.
    pub(super) steps: Vec<(i64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
/// Margins: scale at the left, names at the right, axis below.
const LEFT: f64 = 40.0;
const RIGHT: f64 = 130.0;
const BELOW: f64 = 24.0;
const ABOVE: f64 = 10.0;

/// Step chart from `begin` to `end`; scores do not change gradually, so nothing is interpolated.
#[allow(clippy::cast_precision_loss, reason = "pixels")]
pub(super) fn over_time(title: &str, lines: &[ChartLine], begin: i64, end: i64) -> Markup {
    let most = lines.iter().flat_map(|line| &line.steps).map(|(_, value)| *value).fold(0.0_f64, f64::max);
    let most = nice(most);
    let span = (end - begin).max(1) as f64;
    let x = |at: i64| LEFT + (WIDTH - LEFT - RIGHT) * ((at - begin) as f64 / span).clamp(0.0, 1.0);
    let y = |value: f64| HEIGHT - BELOW - (HEIGHT - BELOW - ABOVE) * (value / most).clamp(0.0, 1.0);
    let last = |line: &ChartLine| line.steps.last().map_or(0.0, |(_, value)| *value);
    let path = |line: &ChartLine| {
        let mut path = format!("M{:.1} {:.1}", x(begin), y(0.0));
        for (at, value) in &line.steps {
            path.push_str(&format!("H{:.1}V{:.1}", x(*at), y(*value)));
        }
        path.push_str(&format!("H{:.1}", x(end)));
        path
    };
    let summary: Vec<String> =
        lines.iter().map(|line| format!("{} {}", line.name, points(last(line)))).collect();
    let names = spread(&lines.iter().map(|line| y(last(line))).collect::<Vec<_>>());
    let drawing = html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(format!("{title}: {}", summary.join(", "))) {
            @for part in [0.0, 0.5, 1.0] {
                line class="grid" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y(most * part)) y2=(y(most * part)) {}
                text class="scale" x=(LEFT - 6.0) y=(y(most * part) + 4.0) text-anchor="end" { (why::plain(most * part)) }
            }
            text class="scale" x=(LEFT) y=(HEIGHT - 6.0) { "0:00" }
            text class="scale" x=(WIDTH - RIGHT) y=(HEIGHT - 6.0) text-anchor="end" { (clock_text(end - begin)) }
            @for (place, line) in lines.iter().enumerate().rev() {
                path class=(format!("line line-{}", place.min(5))) d=(path(line)) {}
            }
            @for (place, (line, y)) in lines.iter().zip(names).enumerate() {
                text class=(format!("name name-{}", place.min(5))) x=(WIDTH - RIGHT + 6.0) y=(y + 4.0) { (short(&line.name)) }
            }
        }
    };
    html! { figure class="chart" { (scrolling(title, &drawing)) figcaption { (title) } } }
}

/// Bar chart of amounts on one scale; the last bar is their result.
#[allow(clippy::cast_precision_loss, reason = "pixels")]
pub(super) fn steps(title: &str, steps: &[(String, f64)]) -> Markup {
    let most = steps.iter().map(|(_, value)| value.abs()).fold(0.0_f64, f64::max);
    if steps.len() < 2 || most <= 0.0 {
        return html! {};
    }
    let top = |place: usize| place as f64 * 18.0;
    let length = |value: f64| (value.abs() / most * 200.0).max(1.0);
    let said: Vec<String> =
        steps.iter().map(|(name, value)| format!("{name} {}", why::plain(*value))).collect();
    let label = format!("{title}: {}", said.join(", "));
    html! {
        svg class="steps" preserveAspectRatio="xMinYMin" viewBox=(format!("0 0 400 {}", top(steps.len()))) role="img" aria-label=(label) {
            @for (place, (name, value)) in steps.iter().enumerate() {
                @let y = top(place);
                @let class = if place + 1 == steps.len() { "bar last" } else { "bar" };
                rect class=(class) x="140" y=(y + 3.0) width=(format!("{:.1}", length(*value))) height="12" rx="2" {}
                text class="scale" x="134" y=(y + 13.0) text-anchor="end" { (short(name)) }
                text class="scale" x=(format!("{:.1}", 146.0 + length(*value))) y=(y + 13.0) { (why::plain(*value)) }
            }
        }
    }
}

/// Upper end of a scale: the next round number whose half is also easy to read.
fn nice(most: f64) -> f64 {
    let mut size = 1.0;
    while size * 10.0 < most {
        size *= 10.0;
    }
    [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|step| step * size)
        .find(|end| *end >= most)
        .unwrap_or(most)
}

/// Vertical positions of the names, moved apart so that they do not overlap; in the order of the lines.
fn spread(heights: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    let of = |place: usize| heights.get(place).copied().unwrap_or_default();
    order.sort_by(|left, right| of(*left).total_cmp(&of(*right)));
    let mut placed = vec![0.0; heights.len()];
    let mut above = f64::MIN;
    for place in order {
        let height = of(place).max(above + 13.0);
        if let Some(at) = placed.get_mut(place) {
            *at = height;
        }
        above = height;
    }
    placed
}

fn short(name: &str) -> String {
    if name.chars().count() <= 16 { name.to_owned() } else { name.chars().take(15).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        assert_eq!([0.0, 1.0, 97.5, 187.3, 299.7, 501.0].map(nice), [1.0, 1.0, 100.0, 200.0, 300.0, 600.0]);
    }

    #[test]
    fn names_do_not_lie_upon_each_other() {
        assert_eq!(spread(&[50.0, 45.0, 100.0]), [58.0, 45.0, 100.0]);
    }

    #[test]
    fn steps_are_drawn_on_one_scale_and_said_in_words() {
        let drawn = steps("Score", &[("t1".into(), 50.0), ("sum".into(), 100.0)]).into_string();
        assert!(drawn.contains("aria-label=\"Score: t1 50, sum 100\""), "{drawn}");
        assert!(drawn.contains("width=\"100.0\"") && drawn.contains("width=\"200.0\""), "{drawn}");
    }

    #[test]
    fn a_chart_says_in_words_what_it_shows() {
        let line = ChartLine { name: "bees <b>".into(), steps: vec![(1_000, 50.0)] };
        let drawn = over_time("Score", &[line], 0, 10_000).into_string();
        assert!(drawn.contains("aria-label=\"Score: bees &lt;b&gt; 50.0\""), "{drawn}");
        assert!(drawn.contains("M40.0 216.0H87.0V10.0H510.0"), "{drawn}");
    }
}
