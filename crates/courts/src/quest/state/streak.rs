//! Streaks: consecutive days in the hunter's time zone.

use serde::{Deserialize, Serialize};

use super::super::day::Day;
use super::super::profile::QuestType;

/// A streak of consecutive days with a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Streak {
    days: u32,
    last: Option<Day>,
    pub(crate) longest: u32,
}

impl Streak {
    /// The streak before a log of this day. A missed day ends it; a penalty quest bridges one missed day.
    pub(crate) fn before(&self, day: Day, quest_type: QuestType) -> u32 {
        let reach = if quest_type == QuestType::Penalty { 2 } else { 1 };
        let alive = self.last.is_some_and(|last| day.since(last) <= reach);
        if alive { self.days } else { 0 }
    }

    /// Counts a log: at most one day per calendar day. A penalty quest adds no day but keeps the streak.
    pub(crate) fn count(&mut self, day: Day, quest_type: QuestType) {
        let before = self.before(day, quest_type);
        let new_day = self.last.is_none_or(|last| day > last);
        let adds = new_day && quest_type != QuestType::Penalty;
        self.days = before.saturating_add(u32::from(adds));
        self.last = Some(self.last.map_or(day, |last| last.max(day)));
        self.longest = self.longest.max(self.days);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(days: &[(i32, QuestType)], on: i32, expected: u32) {
        let mut streak = Streak::default();
        for (day, quest_type) in days {
            streak.count(Day::of(2026, 1, *day), *quest_type);
        }
        assert_eq!(streak.before(Day::of(2026, 1, on), QuestType::Daily), expected);
    }

    #[test]
    fn one_a_day_and_a_missed_day_ends_it() {
        use QuestType::{Daily, Penalty};
        check(&[], 1, 0);
        check(&[(1, Daily), (1, Daily), (2, Daily)], 3, 2);
        check(&[(1, Daily), (2, Daily)], 4, 0);
        check(&[(1, Daily), (2, Daily), (4, Daily)], 5, 1);
        // The third was missed; a penalty on the fourth keeps two days, and the fifth makes three.
        check(&[(1, Daily), (2, Daily), (4, Penalty)], 5, 2);
        check(&[(1, Daily), (2, Daily), (4, Penalty), (5, Daily)], 6, 3);
        // Two days were missed.
        check(&[(1, Daily), (2, Daily), (5, Penalty)], 6, 0);
        // The hunter travels west.
        check(&[(1, Daily), (2, Daily), (1, Daily)], 3, 2);
    }
}
