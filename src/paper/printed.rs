//! The numbers that stand in the paper's Table 2.

use std::fmt;

use crate::baseline::Baseline;
use crate::interval::{Method, Rule};
use crate::leave_one_out::Engine;
use crate::sample::tables::Table;

/// One cell of the paper's Table 2, digit by digit.
#[derive(Clone, Copy, PartialEq)]
pub struct Printed {
    /// What it calls AUPRC: folded, see [`fold`](super::fold()).
    pub precision: f64,
    /// The half width of its 95 % confidence interval over ten runs.
    pub half_width: f64,
    /// The share of covered test rows; 0.9 was the target.
    pub coverage: f64,
    /// The mean squared error on the test rows.
    pub mse: f64,
}

impl fmt::Debug for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { precision, half_width, coverage, mse } = self;
        write!(f, "AUPRC {precision:.2} ± {half_width:.2} (folded), coverage {coverage:.3}, MSE {mse:.2}")
    }
}

/// What the paper prints for a method on a table; `None` where it prints nothing.
///
/// Its methods are DJ (here `dj1`), MCDP (`dropout`), PBP (`pbp`), DE (`ensemble`) and BNN (`sgld`); its tables yacht,
/// housing, energy and kin8nm. The cell of BNN on energy is blank there, "no better than random guessing".
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let dj = paper::printed(Table::Yacht, "dj1".parse()?).expect("is in the table");
/// assert_eq!((dj.precision, dj.coverage, dj.mse), (0.87, 0.959, 26.55));
/// assert!(paper::printed(Table::EnergyEfficiency, "sgld".parse()?).is_none());
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn printed(table: Table, method: Method) -> Option<Printed> {
    let column = match table {
        Table::Yacht => 0,
        Table::BostonHousing => 1,
        Table::EnergyEfficiency => 2,
        Table::Kin8nm => 3,
        _ => return None,
    };
    let row = match method {
        Method::Pair(Engine::Influence(1, _), rule) if rule == Rule::Plus => DJ,
        Method::Baseline(Baseline::Dropout) => MCDP,
        Method::Baseline(Baseline::Pbp) => PBP,
        Method::Baseline(Baseline::Ensemble) => DE,
        Method::Baseline(Baseline::Langevin) => BNN,
        _ => return None,
    };
    let (precision, half_width, percent, mse) = row[column]?;
    // In hundredths of a per cent, so that 95.9 % is the number 0.959.
    Some(Printed { precision, half_width, coverage: (100.0 * percent).round() / 1e4, mse })
}

/// AUPRC, the half width of its interval, coverage in per cent, MSE; on yacht, housing, energy and kin8nm.
type Row = [Option<(f64, f64, f64, f64)>; 4];

const DJ: Row = [
    Some((0.87, 0.05, 95.9, 26.55)),
    Some((0.80, 0.04, 99.8, 33.87)),
    Some((0.77, 0.08, 98.11, 11.06)),
    Some((0.88, 0.01, 93.77, 0.00)),
];
const MCDP: Row = [
    Some((0.67, 0.06, 100.0, 150.93)),
    Some((0.86, 0.00, 99.6, 113.04)),
    Some((0.84, 0.03, 100.0, 92.57)),
    Some((0.83, 0.03, 100.0, 0.05)),
];
const PBP: Row = [
    Some((0.66, 0.06, 70.4, 22.21)),
    Some((0.85, 0.03, 5.0, 221.11)),
    Some((0.84, 0.04, 10.1, 201.73)),
    Some((0.82, 0.04, 89.9, 0.62)),
];
const DE: Row = [
    Some((0.87, 0.04, 0.0, 327.74)),
    Some((0.62, 0.04, 19.4, 61.82)),
    Some((0.80, 0.09, 23.6, 21.53)),
    Some((0.82, 0.02, 21.83, 0.03)),
];
const BNN: Row =
    [Some((0.81, 0.05, 82.3, 317.94)), Some((0.88, 0.00, 89.0, 118.89)), None, Some((0.89, 0.00, 100.0, 0.68))];
