//! JSON written piece by piece: letter for letter what serde writes, several times as fast, because everything that is
//! ever judged has a verdict.

use serde::Serialize;

use crate::digest::hex_digits;
use crate::rulebook::RulebookRef;
use crate::verdict::Evidence;

/// Below this every whole number is one of these.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// What has been written so far.
#[derive(Debug, Default)]
pub struct JsonWriter(String);

impl JsonWriter {
    /// With room for so many bytes.
    #[must_use]
    pub fn with_room(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// All of it.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// What has been written so far.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Brackets, commas and names, as they are.
    pub fn put(&mut self, text: &str) -> &mut Self {
        self.0.push_str(text);
        self
    }

    /// A text, after what stands before it.
    pub fn field(&mut self, before: &str, text: &str) {
        self.put(before).text(text);
    }

    /// The same, where there is one.
    pub fn field_if(&mut self, before: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.field(before, text);
        }
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        // Looked at to the end, without a branch, so that many letters are looked at at once.
        let special =
            text.bytes().fold(false, |found, byte| found | (byte < b' ') | (byte == b'"') | (byte == b'\\'));
        if special {
            return self.serde(text);
        }
        self.0.reserve(text.len() + 2);
        self.0.push('"');
        self.0.push_str(text);
        self.0.push('"');
    }

    /// Whatever serde writes.
    pub fn serde<T: Serialize + ?Sized>(&mut self, value: &T) {
        #[allow(clippy::expect_used, reason = "only maps with keys that are no text fail, and we have none")]
        let text = serde_json::to_string(value).expect("our structures are writable as JSON");
        self.0.push_str(&text);
    }

    /// A number without `.0` where it is whole: counts are counts.
    pub fn number(&mut self, number: f64) {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "compared right away"
        )]
        let (whole, same) = (number as i64, (number as i64) as f64 == number);
        if same && number.abs() < EXACT { self.whole(whole) } else { self.float(number) }
    }

    /// A number as serde writes one, with `.0` where it is whole.
    pub fn float(&mut self, number: f64) {
        // What has at most six decimals, and fifteen digits in all, is the shortest text of just one number.
        const MILLION: f64 = 1e6;
        let magnitude = number.abs();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "compared right away"
        )]
        let (whole, is_whole) = (number as u32, f64::from(number as u32).to_bits() == number.to_bits());
        if is_whole {
            self.digits(whole.into());
            self.put(".0");
            return;
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "compared right away"
        )]
        let (millionths, same) = {
            let millionths = (magnitude * MILLION + 0.5) as u64;
            (millionths, millionths as f64 / MILLION == magnitude)
        };
        if !same || !(1e-3..1e9).contains(&magnitude) {
            return self.serde(&number);
        }
        if number < 0.0 {
            self.0.push('-');
        }
        self.digits(millionths / 1_000_000);
        self.0.push('.');
        // As many decimals as say something, and at least one.
        let mut rest = millionths % 1_000_000;
        loop {
            rest *= 10;
            self.digit(rest / 1_000_000);
            rest %= 1_000_000;
            if rest == 0 {
                return;
            }
        }
    }

    /// A number, or null; after what stands before it.
    pub fn float_or_null(&mut self, before: &str, number: Option<f64>) {
        self.put(before);
        match number {
            Some(number) => self.float(number),
            None => _ = self.put("null"),
        }
    }

    /// The same, where there is one.
    pub fn float_if(&mut self, before: &str, number: Option<f64>) {
        if number.is_some() {
            self.float_or_null(before, number);
        }
    }

    /// How many.
    pub fn count(&mut self, number: usize) {
        self.digits(number as u64);
    }

    /// A whole number.
    pub fn whole(&mut self, number: i64) {
        if number < 0 {
            self.0.push('-');
        }
        self.digits(number.unsigned_abs());
    }

    fn digits(&mut self, number: u64) {
        // Most are short, and few letters are written sooner than they are copied.
        if number >= 1_000 {
            self.put(itoa::Buffer::new().format(number));
            return;
        }
        if number >= 100 {
            self.digit(number / 100);
        }
        if number >= 10 {
            self.digit(number / 10 % 10);
        }
        self.digit(number % 10);
    }

    /// One digit, of a number below ten.
    fn digit(&mut self, number: u64) {
        #[allow(clippy::cast_possible_truncation, reason = "the last digit")]
        self.0.push(char::from(b'0' + (number % 10) as u8));
    }

    /// Yes or no.
    pub fn truth(&mut self, truth: bool) {
        self.put(if truth { "true" } else { "false" });
    }

    /// A list.
    pub fn list<T>(&mut self, items: &[T], write: impl Fn(&mut Self, &T)) {
        let mut before = "[";
        for item in items {
            self.put(std::mem::replace(&mut before, ","));
            write(self, item);
        }
        self.put(if items.is_empty() { "[]" } else { "]" });
    }

    /// Where something stands.
    pub fn span(&mut self, (from, to): (usize, usize)) {
        self.put("[").digits(from as u64);
        self.put(",").digits(to as u64);
        self.put("]");
    }

    /// A rulebook, as a verdict names it.
    pub fn rulebook(&mut self, RulebookRef { name, version, hash }: &RulebookRef) {
        self.field("{\"name\":", name);
        self.put(",\"version\":").whole((*version).into());
        self.put(",\"hash\":").hex(&hash.0);
        self.put("}");
    }

    /// Bytes, as a text of hexadecimal digits.
    pub fn hex(&mut self, bytes: &[u8]) {
        self.0.push('"');
        for byte in bytes {
            self.0.extend(hex_digits(*byte).map(char::from));
        }
        self.0.push('"');
    }

    /// Words that something rests on.
    pub fn evidence(&mut self, Evidence { source, text, span }: &Evidence) {
        self.field("{\"source\":", source);
        self.field(",\"text\":", text);
        if let Some(span) = span {
            self.put(",\"span\":").span(*span);
        }
        self.put("}");
    }
}
