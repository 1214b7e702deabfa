//! `assize calibrate`: accuracy of assessors, by court.

mod assessors;
mod comparing;
mod radio;
mod statistics;
mod summary;

use crate::CommandResult;
use crate::args::CalibrateCommand;

pub(crate) fn run(command: &CalibrateCommand) -> CommandResult {
    match command {
        CalibrateCommand::Radio(args) => radio::run(args),
        CalibrateCommand::Summary(args) => summary::run(args),
        CalibrateCommand::Assessors(args) => assessors::run(args),
    }
}
