//! The JUnit XML report: a test for each threshold and each metric of a baseline, and one for bad rows.

use std::fmt::Write;

use super::baseline::MetricChange;
use super::report::escaped;
use super::tally::EvalTally;
use crate::scores;

pub(super) fn of(tally: &EvalTally, thresholds: &[(usize, f64)], compared: &[MetricChange]) -> String {
    let mut tests = String::new();
    let mut failures = 0;
    let mut test = |name: &str, problem: Option<String>| {
        let name = escaped(name);
        let written = match problem {
            None => writeln!(tests, "    <testcase classname=\"assize.eval\" name=\"{name}\"/>"),
            Some(problem) => {
                failures += 1;
                let problem = escaped(&problem);
                writeln!(
                    tests,
                    "    <testcase classname=\"assize.eval\" name=\"{name}\">\n      <failure message=\"{problem}\"/>\n    \
                     </testcase>"
                )
            }
        };
        written.unwrap_or_default();
    };
    let bad: Vec<String> =
        tally.bad_rows.iter().map(|(row, problem)| format!("row {row}: {problem}")).collect();
    test(
        "every row can be judged",
        (tally.bad > 0).then(|| format!("{} cannot: {}", tally.bad, bad.join("; "))),
    );
    for (metric, least) in thresholds {
        let name = scores::NAMES.get(*metric).copied().unwrap_or_default();
        let problem = tally.below(&[(*metric, *least)]).into_iter().next();
        test(&format!("{name} is at least {least} on average"), problem);
    }
    for metric in compared {
        test(&format!("{} has not dropped", metric.name), metric.problem());
    }
    let count = thresholds.len() + compared.len() + 1;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{count}\" failures=\"{failures}\">\n  \
         <testsuite name=\"assize eval\" tests=\"{count}\" failures=\"{failures}\">\n{tests}  </testsuite>\n\
         </testsuites>\n"
    )
}
