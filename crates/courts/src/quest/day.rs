//! A calendar day in the hunter's time zone; the current day comes with the command.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Days since 1970-01-01; on the wire `2026-11-16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i32);

/// Error for a text that is not a valid day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a day such as 2026-11-16")]
pub struct NotADay(String);

impl Day {
    /// The day of a date; months and days count from 1.
    #[must_use]
    pub const fn of(year: i32, month: i32, day: i32) -> Self {
        // Years that begin in March have their leap day at the end.
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let in_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        Self(era * 146_097 + in_era - 719_468)
    }

    /// Year, month and day.
    const fn date(self) -> (i32, i32, i32) {
        let days = self.0 + 719_468;
        let era = days.div_euclid(146_097);
        let in_era = days.rem_euclid(146_097);
        let of_era = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
        let of_year = in_era - (365 * of_era + of_era / 4 - of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = of_era + era * 400 + if month <= 2 { 1 } else { 0 };
        (year, month, day)
    }

    /// The number of days from `earlier` to this day.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i32 {
        self.0 - earlier.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Self, NotADay> {
        let wrong = || NotADay(text.chars().take(40).collect());
        let mut parts = text.splitn(3, '-').map(str::parse::<i32>);
        let (Some(Ok(year)), Some(Ok(month)), Some(Ok(day))) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong());
        };
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(wrong());
        }
        let found = Self::of(year, month, day);
        // Rejects days such as the 30th of February, which would become the 2nd of March.
        if found.to_string() == text { Ok(found) } else { Err(wrong()) }
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        std::borrow::Cow::<str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other_over_leap_years() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        assert_eq!(day("1970-01-01"), Day(0));
        assert_eq!(day("2028-03-01").since(day("2028-02-28")), 2);
        assert_eq!(day("2026-03-01").since(day("2026-02-28")), 1);
        assert_eq!(day("2027-01-01").since(day("2026-12-31")), 1);
        for number in (0..40_000).step_by(37) {
            assert_eq!(day(&Day(number).to_string()), Day(number));
        }
    }

    #[test]
    fn what_is_no_day_is_shown_back() {
        for text in ["2026-02-30", "2026-13-01", "tomorrow", "2026-1-1", ""] {
            assert_eq!(text.parse::<Day>().unwrap_err(), NotADay(text.into()));
        }
    }
}
