//! Digit sequence: a short, fixed-capacity list of spoken digits.

use std::fmt;

/// Maximum number of digits.
const MOST: usize = 10;

/// A sequence of digits; leading zeros are significant.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct DigitRun {
    len: u8,
    digits: [u8; MOST],
}

impl DigitRun {
    /// The digits of a number, without leading zeros.
    #[must_use]
    pub fn of(number: u32) -> Self {
        let mut reversed = Self::default();
        let mut left = number;
        loop {
            reversed.push((left % 10) as u8);
            left /= 10;
            if left == 0 {
                break;
            }
        }
        let mut digits = Self::default();
        reversed.as_slice().iter().rev().for_each(|digit| {
            digits.push(*digit);
        });
        digits
    }

    /// A run of `count` zeros.
    #[must_use]
    pub fn zeros(count: u8) -> Self {
        Self { len: count.min(MOST as u8), digits: [0; MOST] }
    }

    /// Appends a digit; false when the run is full.
    pub fn push(&mut self, digit: u8) -> bool {
        match self.digits.get_mut(usize::from(self.len)) {
            Some(place) => {
                *place = digit;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// Appends another run; digits beyond the capacity are dropped.
    pub fn append(&mut self, other: Self) {
        for digit in other.as_slice() {
            self.push(*digit);
        }
    }

    /// Number of digits.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the run is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The digits.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        self.digits.get(..self.len()).unwrap_or_default()
    }

    /// Numeric value, saturating.
    #[must_use]
    pub fn value(&self) -> u32 {
        self.as_slice()
            .iter()
            .fold(0_u32, |value, digit| value.saturating_mul(10).saturating_add(u32::from(*digit)))
    }

    /// Splits after the first `count` digits.
    #[must_use]
    pub fn split(&self, count: usize) -> (Self, Self) {
        let mut first = Self::default();
        let mut rest = Self::default();
        for (index, digit) in self.as_slice().iter().enumerate() {
            if index < count {
                first.push(*digit)
            } else {
                rest.push(*digit)
            };
        }
        (first, rest)
    }
}

impl fmt::Debug for DigitRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for DigitRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.digits.map(|digit| b'0' + digit);
        let shown = letters.get(..self.len()).and_then(|shown| std::str::from_utf8(shown).ok());
        f.write_str(shown.unwrap_or_default())
    }
}
