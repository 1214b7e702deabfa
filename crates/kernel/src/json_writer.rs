//! A JSON writer that produces the same bytes as serde several times as fast; it is on the path of every
//! verdict.

mod serializer;

use serde::Serialize;

use crate::digest::hex_digits;
use crate::rulebook::RulebookRef;
use crate::verdict::Evidence;

/// Below this every integer has an exact f64.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// A buffer of JSON text.
#[derive(Debug, Default)]
pub struct JsonWriter(String);

impl JsonWriter {
    /// A writer with this capacity in bytes.
    #[must_use]
    pub fn with_room(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// The finished text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// The text written so far.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Writes punctuation and names verbatim.
    pub fn put(&mut self, text: &str) -> &mut Self {
        self.0.push_str(text);
        self
    }

    /// Writes `before` verbatim, then a string.
    pub fn field(&mut self, before: &str, text: &str) {
        self.put(before).text(text);
    }

    /// Like [`JsonWriter::field`]; writes nothing without a text.
    pub fn field_if(&mut self, before: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.field(before, text);
        }
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        // Scans to the end without a branch, so the compiler can vectorize the loop.
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

    /// Writes a value by its `Serialize`. A type that only serde_json can write is left to serde_json.
    pub fn value<T: Serialize + ?Sized>(&mut self, value: &T) {
        let start = self.0.len();
        if value.serialize(&mut *self).is_err() {
            self.0.truncate(start);
            self.serde(value);
        }
    }

    /// Writes a value with serde_json.
    pub fn serde<T: Serialize + ?Sized>(&mut self, value: &T) {
        #[allow(clippy::expect_used, reason = "only maps with keys that are no text fail, and we have none")]
        let text = serde_json::to_string(value).expect("our structures are writable as JSON");
        self.0.push_str(&text);
    }

    /// Writes a number, without `.0` if it is an integer.
    pub fn number(&mut self, number: f64) {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "compared right away"
        )]
        let (whole, same) = (number as i64, (number as i64) as f64 == number);
        if same && number.abs() < EXACT { self.whole(whole) } else { self.float(number) }
    }

    /// Writes a number as serde does, with `.0` if it is an integer.
    pub fn float(&mut self, number: f64) {
        // A decimal with at most six decimals and fifteen digits is the shortest text of exactly one f64.
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
        // As many decimals as are significant, at least one.
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

    /// Writes `before` verbatim, then a number or null.
    pub fn float_or_null(&mut self, before: &str, number: Option<f64>) {
        self.put(before);
        match number {
            Some(number) => self.float(number),
            None => _ = self.put("null"),
        }
    }

    /// Like [`JsonWriter::float_or_null`]; writes nothing without a number.
    pub fn float_if(&mut self, before: &str, number: Option<f64>) {
        if number.is_some() {
            self.float_or_null(before, number);
        }
    }

    /// Writes a count.
    pub fn count(&mut self, number: usize) {
        self.digits(number as u64);
    }

    /// Writes an integer.
    pub fn whole(&mut self, number: i64) {
        if number < 0 {
            self.0.push('-');
        }
        self.digits(number.unsigned_abs());
    }

    fn digits(&mut self, number: u64) {
        // Most numbers are short, and writing single digits is faster than copying a slice.
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

    /// Writes one digit; `number` is below ten.
    fn digit(&mut self, number: u64) {
        #[allow(clippy::cast_possible_truncation, reason = "the last digit")]
        self.0.push(char::from(b'0' + (number % 10) as u8));
    }

    /// Writes a boolean.
    pub fn truth(&mut self, truth: bool) {
        self.put(if truth { "true" } else { "false" });
    }

    /// Writes an array; `write` writes each item.
    pub fn list<T>(&mut self, items: &[T], write: impl Fn(&mut Self, &T)) {
        let mut before = "[";
        for item in items {
            self.put(std::mem::replace(&mut before, ","));
            write(self, item);
        }
        self.put(if items.is_empty() { "[]" } else { "]" });
    }

    /// Writes start and end of a span.
    pub fn span(&mut self, (from, to): (usize, usize)) {
        self.put("[").digits(from as u64);
        self.put(",").digits(to as u64);
        self.put("]");
    }

    /// Writes a rulebook reference.
    pub fn rulebook(&mut self, RulebookRef { name, version, hash }: &RulebookRef) {
        self.field("{\"name\":", name);
        self.put(",\"version\":").whole((*version).into());
        self.put(",\"hash\":").hex(&hash.0);
        self.put("}");
    }

    /// Writes bytes as a string of hexadecimal digits.
    pub fn hex(&mut self, bytes: &[u8]) {
        self.0.push('"');
        for byte in bytes {
            self.0.extend(hex_digits(*byte).map(char::from));
        }
        self.0.push('"');
    }

    /// Writes the evidence of a reason.
    pub fn evidence(&mut self, Evidence { source, text, span }: &Evidence) {
        self.field("{\"source\":", source);
        self.field(",\"text\":", text);
        if let Some(span) = span {
            self.put(",\"span\":").span(*span);
        }
        self.put("}");
    }
}
