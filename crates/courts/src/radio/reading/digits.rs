//! A short run of digits, as they were said one after the other.

use std::fmt;

/// No number on the radio is longer.
const MOST: usize = 10;

/// Digits in the order they were said; leading zeros count.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Digits {
    len: u8,
    digits: [u8; MOST],
}

impl Digits {
    /// The digits of a number, without leading zeros.
    #[must_use]
    pub fn of(number: u32) -> Self {
        let (mut reversed, mut left) = (Self::default(), number);
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

    /// So many zeros.
    #[must_use]
    pub fn zeros(count: u8) -> Self {
        Self { len: count.min(MOST as u8), digits: [0; MOST] }
    }

    /// Adds a digit; false when there is no room for it.
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

    /// Adds all of another run; what finds no room is left out.
    pub fn append(&mut self, other: Self) {
        for digit in other.as_slice() {
            self.push(*digit);
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The digits.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        self.digits.get(..self.len()).unwrap_or_default()
    }

    /// As a number; what is too long for one is cut off at the largest.
    #[must_use]
    pub fn value(&self) -> u32 {
        self.as_slice()
            .iter()
            .fold(0_u32, |value, digit| value.saturating_mul(10).saturating_add(u32::from(*digit)))
    }

    /// The first `count` digits and the others.
    #[must_use]
    pub fn split(&self, count: usize) -> (Self, Self) {
        let (mut first, mut rest) = (Self::default(), Self::default());
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

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.digits.map(|digit| b'0' + digit);
        let shown = letters.get(..self.len()).and_then(|shown| std::str::from_utf8(shown).ok());
        f.write_str(shown.unwrap_or_default())
    }
}
