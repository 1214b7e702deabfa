//! Rounding of reported numbers, in one place, so that 98.95 on paper is 98.95 here.

/// Compensates for the representation error of f64: 1.005 is stored as slightly less.
const NUDGE: f64 = 1e-9;

/// Rounds half up to `decimals` places.
#[must_use]
pub fn round(value: f64, decimals: u8) -> f64 {
    let scale = POWERS_OF_TEN.get(usize::from(decimals)).copied().unwrap_or(1e9);
    (value * scale + 0.5 + NUDGE).floor() / scale
}

/// Floors to a whole number.
#[must_use]
pub fn floor(value: f64) -> f64 {
    (value + NUDGE).floor()
}

const POWERS_OF_TEN: [f64; 10] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

#[cfg(test)]
mod tests {
    use super::{floor, round};

    #[test]
    fn halves_go_up_even_where_binary_falls_short() {
        assert_eq!(round(98.95, 1), 99.0);
        assert_eq!(round(1.005, 2), 1.01);
        assert_eq!(round(48.333_333, 1), 48.3);
        assert_eq!(round(-2.5, 0), -2.0);
    }

    #[test]
    fn a_product_that_is_whole_on_paper_is_not_floored_below_itself() {
        assert_eq!(100.0 * 1.15, 114.999_999_999_999_99);
        assert_eq!(floor(100.0 * 1.15), 115.0);
        assert_eq!(floor(415.8), 415.0);
    }
}
