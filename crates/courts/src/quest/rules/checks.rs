//! Range checks for rulebook parameters.

use assize_kernel::Fault;

/// NaN is in no range and therefore a fault, too.
pub(super) fn within(key: &'static str, value: f64, most: f64) -> Option<Fault> {
    let fault = || Fault::new(key, format!("must be a number from 0 to {most}, is {value}"));
    (!(0.0..=most).contains(&value)).then(fault)
}

pub(super) fn above(key: &'static str, value: f64, most: f64) -> Option<Fault> {
    let fault = || Fault::new(key, format!("must be above 0 and at most {most}, is {value}"));
    (!(value > 0.0 && value <= most)).then(fault)
}
