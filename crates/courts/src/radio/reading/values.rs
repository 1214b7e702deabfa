//! Values in radio calls, with their spoken and written forms.

use std::fmt;

use super::digits::DigitRun;

/// Left, right or centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
    /// Centre.
    Center,
}

/// A runway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runway {
    /// 1 to 36.
    pub number: u8,
    /// Side, for parallel runways.
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
    /// Spoken form.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Center => "center",
        }
    }

    /// Letter after a runway number.
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
    /// Spoken form, without the word `runway`.
    #[must_use]
    pub fn spoken(self) -> String {
        let number = spoken_digits(&[self.number / 10, self.number % 10]);
        self.side.map_or(number.clone(), |side| format!("{number} {}", side.word()))
    }
}

impl Level {
    /// Whether both can be the same level, given that units may be missing.
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

    /// Digits of the level.
    #[must_use]
    pub fn digits(self) -> DigitRun {
        match self {
            Self::Flight(level) | Self::Bare(level) => DigitRun::of(u32::from(level)),
            Self::Feet(feet) => DigitRun::of(feet),
        }
    }

    /// Spoken form.
    #[must_use]
    pub fn spoken(self) -> String {
        match self {
            Self::Flight(level) if level % 100 == 0 && level > 0 => {
                format!("flight level {} hundred", spoken_digits(&[(level / 100) as u8]))
            }
            Self::Flight(level) => {
                let digits = DigitRun::of(u32::from(level));
                format!("flight level {}", spoken_digits(digits.as_slice()))
            }
            Self::Bare(level) => spoken_digits(DigitRun::of(u32::from(level)).as_slice()),
            Self::Feet(feet) => format!("{} feet", spoken_feet(feet)),
        }
    }
}

impl Frequency {
    /// From digits with three before the decimal point; none outside the VHF band.
    #[must_use]
    pub fn read(digits: DigitRun) -> Option<Self> {
        let (whole, decimals) = digits.split(3);
        let mhz = whole.value();
        let places = decimals.len();
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

    /// Whether this is a voice channel: only these endings are in use.
    #[must_use]
    pub const fn is_channel(self) -> bool {
        self.0 >= 118_000 && self.0 < 137_000 && matches!(self.0 % 25, 0 | 5 | 10 | 15)
    }

    /// Spoken form.
    #[must_use]
    pub fn spoken(self) -> String {
        let (whole, decimals) = self.parts();
        format!("{} decimal {}", spoken_digits(whole.as_slice()), spoken_digits(decimals.as_slice()))
    }

    /// Digits before and after the decimal point, without trailing zeros.
    fn parts(self) -> (DigitRun, DigitRun) {
        let mut decimals = DigitRun::default();
        let mut left = self.0 % 1000;
        for scale in [100, 10, 1] {
            if decimals.is_empty() || left > 0 {
                decimals.push((left / scale) as u8);
                left %= scale;
            }
        }
        (DigitRun::of(self.0 / 1000), decimals)
    }
}

/// Spoken digits, one by one.
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

/// Spoken form of feet: in thousands and hundreds, anything else digit by digit.
fn spoken_feet(feet: u32) -> String {
    let thousands = feet / 1000;
    let hundreds = feet % 1000 / 100;
    let rest = feet % 100;
    if rest > 0 || feet == 0 {
        return spoken_digits(DigitRun::of(feet).as_slice());
    }
    let mut words = Vec::new();
    if thousands > 0 {
        words.push(format!("{} thousand", spoken_digits(DigitRun::of(thousands).as_slice())));
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
