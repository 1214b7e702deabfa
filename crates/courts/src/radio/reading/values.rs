//! The values that are said on the radio, each with its spoken and its written form.

use std::fmt;

use super::digits::Digits;

/// Left, right or centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
    /// The one in the middle.
    Center,
}

/// A runway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runway {
    /// 1 to 36.
    pub number: u8,
    /// Which of several that are parallel.
    pub side: Option<Side>,
}

/// A level, as it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// A flight level.
    Flight(u16),
    /// An altitude in feet.
    Feet(u32),
    /// Two or three digits without a unit, as in `descend 150`.
    Bare(u16),
}

/// A VHF channel, in kHz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frequency(pub u32);

impl Side {
    /// As it is said.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Center => "center",
        }
    }

    /// As it is written behind a runway.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Left => 'L',
            Self::Right => 'R',
            Self::Center => 'C',
        }
    }
}

impl Runway {
    /// As it is said, without the word `runway`.
    #[must_use]
    pub fn spoken(self) -> String {
        let number = spoken_digits(&[self.number / 10, self.number % 10]);
        self.side.map_or(number.clone(), |side| format!("{number} {}", side.word()))
    }
}

impl Level {
    /// Whether two are the same level, as far as both say.
    #[must_use]
    pub fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Bare(bare), Self::Feet(feet)) | (Self::Feet(feet), Self::Bare(bare)) => {
                u32::from(bare) * 100 == feet || u32::from(bare) == feet
            }
            (Self::Bare(bare) | Self::Flight(bare), Self::Flight(level) | Self::Bare(level)) => bare == level,
            (Self::Feet(feet), Self::Feet(other)) => feet == other,
            // `level two hundred` is flight level 200: nobody is sent to 200 feet.
            (Self::Feet(feet), Self::Flight(level)) | (Self::Flight(level), Self::Feet(feet)) => {
                feet == u32::from(level) && feet % 100 == 0
            }
        }
    }

    /// Its digits as they are said or written.
    #[must_use]
    pub fn digits(self) -> Digits {
        match self {
            Self::Flight(level) | Self::Bare(level) => Digits::of(u32::from(level)),
            Self::Feet(feet) => Digits::of(feet),
        }
    }

    /// As it is said.
    #[must_use]
    pub fn spoken(self) -> String {
        match self {
            Self::Flight(level) if level % 100 == 0 && level > 0 => {
                format!("flight level {} hundred", spoken_digits(&[(level / 100) as u8]))
            }
            Self::Flight(level) => {
                let digits = Digits::of(u32::from(level));
                format!("flight level {}", spoken_digits(digits.as_slice()))
            }
            Self::Bare(level) => spoken_digits(Digits::of(u32::from(level)).as_slice()),
            Self::Feet(feet) => format!("{} feet", spoken_feet(feet)),
        }
    }
}

impl Frequency {
    /// From digits with three before the point; none when it is no VHF channel.
    #[must_use]
    pub fn read(digits: Digits) -> Option<Self> {
        let (whole, decimals) = digits.split(3);
        let (mhz, places) = (whole.value(), decimals.len());
        if whole.len() != 3 || !(108..138).contains(&mhz) || places > 3 {
            return None;
        }
        let mut khz = decimals.value() * [1000, 100, 10, 1].get(places).copied().unwrap_or(1);
        // On 25 kHz channels the last 5 is often left out: `118.02` is 118.025.
        if places == 2 && matches!(decimals.value() % 10, 2 | 7) {
            khz += 5;
        }
        Some(Self(mhz * 1000 + if places == 0 { 0 } else { khz }))
    }

    /// Whether people speak on it: the names of channels have these endings only.
    #[must_use]
    pub const fn is_channel(self) -> bool {
        self.0 >= 118_000 && self.0 < 137_000 && matches!(self.0 % 25, 0 | 5 | 10 | 15)
    }

    /// As it is said.
    #[must_use]
    pub fn spoken(self) -> String {
        let (whole, decimals) = self.parts();
        format!("{} decimal {}", spoken_digits(whole.as_slice()), spoken_digits(decimals.as_slice()))
    }

    /// The digits before and behind the point, without zeros at the end.
    fn parts(self) -> (Digits, Digits) {
        let mut decimals = Digits::default();
        let mut left = self.0 % 1000;
        for scale in [100, 10, 1] {
            if decimals.is_empty() || left > 0 {
                decimals.push((left / scale) as u8);
                left %= scale;
            }
        }
        (Digits::of(self.0 / 1000), decimals)
    }
}

/// Digits one by one.
#[must_use]
pub fn spoken_digits(digits: &[u8]) -> String {
    const WORDS: [&str; 10] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "niner"];
    let mut spoken = String::with_capacity(6 * digits.len());
    for word in digits.iter().filter_map(|digit| WORDS.get(usize::from(*digit))) {
        if !spoken.is_empty() {
            spoken.push(' ');
        }
        spoken.push_str(word);
    }
    spoken
}

/// Thousands and hundreds as such, anything else digit by digit.
fn spoken_feet(feet: u32) -> String {
    let (thousands, hundreds, rest) = (feet / 1000, feet % 1000 / 100, feet % 100);
    if rest > 0 || feet == 0 {
        return spoken_digits(Digits::of(feet).as_slice());
    }
    let mut words = Vec::new();
    if thousands > 0 {
        words.push(format!("{} thousand", spoken_digits(Digits::of(thousands).as_slice())));
    }
    if hundreds > 0 {
        words.push(format!("{} hundred", spoken_digits(&[hundreds as u8])));
    }
    words.join(" ")
}

impl fmt::Display for Runway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}", self.number)?;
        self.side.map_or(Ok(()), |side| write!(f, "{}", side.letter()))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flight(level) => write!(f, "FL{level}"),
            Self::Feet(feet) => write!(f, "{feet} ft"),
            Self::Bare(level) => write!(f, "{level}"),
        }
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, decimals) = self.parts();
        write!(f, "{whole}.{decimals}")
    }
}
