//! The scale s(x) of the studentised rule ([`crate::interval::studentised`]): how unsure the model is, times how large its
//! errors have been nearby.

use ndarray::{Array1, Array2};

use super::LeaveOneOut;
use super::neighbours::Neighbours;
use crate::check::refusal;
use crate::error::Result;
use crate::quantile::order_statistic;

/// The floor in units of the median variability.
const FLOOR: f64 = 1.0;
/// A variability below this share of the residuals is rounding: a model that passes through every row has it, since no
/// other row's absence moves it there.
const ROUNDING: f64 = 1e-9;

/// Where the rule's d(x) comes from.
#[derive(Clone, Copy, Debug)]
enum Sureness {
    /// The model states it.
    Stated,
    /// The infinitesimal jackknife, with this floor.
    Jackknife { floor: f64 },
    /// Nothing tells one point from another.
    Unknown,
}

/// What is computed once for all points and levels.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    sureness: Sureness,
    neighbours: Neighbours,
    /// s₋ᵢ(xᵢ).
    rows: Array1<f64>,
}

impl Scale {
    pub(super) fn new(loo: &LeaveOneOut) -> Result<Self> {
        let residuals = loo.residuals();
        let median = |values: &Array1<f64>| order_statistic(values.iter().copied(), loo.len().div_ceil(2));
        let (sureness, deviations) = match loo.stated_left_out() {
            Some(stated) => (Sureness::Stated, believed(stated)?),
            None => {
                let deviations = loo.left_out_deviations()?;
                let middle = median(&deviations);
                let is_rounding = middle <= ROUNDING * median(&residuals);
                let known = Sureness::Jackknife { floor: FLOOR * middle };
                (if is_rounding { Sureness::Unknown } else { known }, deviations)
            }
        };
        let neighbours = Neighbours::of(loo);
        let own = neighbours.own();
        let scales = deviations.iter().zip(&own).map(|(&deviation, &error)| sureness.scale(deviation, error));
        let rows = scales.collect();
        Ok(Self { sureness, neighbours, rows })
    }

    /// s₋ᵢ(xᵢ) for every row.
    pub(crate) fn at_rows(&self) -> &Array1<f64> {
        &self.rows
    }

    /// s at each row of `x`, which has been checked.
    pub(crate) fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
        let deviations = match self.sureness {
            // A model that states none here, though it did at its own rows, is refused like one that states 0.
            Sureness::Stated => believed(loo.stated(x).unwrap_or_else(|| Array1::zeros(x.nrows())))?,
            _ => loo.deviation(x)?,
        };
        let errors = self.neighbours.at(loo, x);
        Ok(deviations.into_iter().zip(errors).map(|(d, error)| self.sureness.scale(d, error)).collect())
    }
}

impl Sureness {
    /// s from the two parts. A part that is 0 everywhere says nothing about x, and is left out.
    fn scale(self, deviation: f64, error: f64) -> f64 {
        let known = |part: f64| if part > 0.0 { part } else { 1.0 };
        let deviation = match self {
            Self::Stated => deviation,
            Self::Jackknife { floor } => deviation.hypot(floor),
            Self::Unknown => 1.0,
        };
        (known(deviation) * known(error)).sqrt()
    }
}

impl LeaveOneOut {
    /// The scale of the studentised rule, made at the first call and kept.
    pub(crate) fn scale(&self) -> Result<&Scale> {
        self.scale.get_or_init(|| Scale::new(self)).as_ref().map_err(Clone::clone)
    }
}

/// Deviations that a scale can be made of.
fn believed(stated: Array1<f64>) -> Result<Array1<f64>> {
    match stated.iter().find(|&&deviation| !(deviation > 0.0 && deviation.is_finite())) {
        None => Ok(stated),
        Some(deviation) => {
            let example = "another rule, such as jackknife+, which does not ask for it";
            Err(refusal("a deviation that the model states", deviation, "be positive and finite", example))
        }
    }
}
