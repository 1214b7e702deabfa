//! `assize calibrate`: how good whoever assesses is, court by court.

mod assessors;
mod comparing;
mod radio;
mod statistics;
mod summary;

use crate::Done;
use crate::args::Calibrate;

pub(crate) fn run(command: &Calibrate) -> Done {
    match command {
        Calibrate::Radio(args) => radio::run(args),
        Calibrate::Summary(args) => summary::run(args),
        Calibrate::Assessors(args) => assessors::run(args),
    }
}
