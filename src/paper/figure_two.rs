//! Figure 2: what one interval is made of.

use std::fmt;

use ndarray::{Array2, Axis};

use super::ALPHA;
use crate::curvature::Curvature;
use crate::error::Result;
use crate::figure::Figure;
use crate::leave_one_out::{Influence, LeaveOneOut};
use crate::model::network::Training;
use crate::quantile::{lower, upper};
use crate::sample::tables::Table;

/// Figure 2 of the paper: R and V(x), and the quantiles that make the interval of one yacht.
#[derive(Clone)]
pub struct FigureTwo {
    /// The leave-one-out models, by influence of order 2.
    pub loo: LeaveOneOut,
    /// The test row whose interval it is.
    pub x: Array2<f64>,
    /// Q⁺_α(R): the star of the left panel.
    pub residual: f64,
    /// Q⁻_α and Q⁺_α of V(x): the stars of the right panel.
    pub variability: (f64, f64),
    /// The half width of the jackknife+ interval at x.
    pub half_width: f64,
}

/// Figure 2: the residuals R and the variability V(x) of one test row of yacht, each in rising order, with stars at
/// the ranks of α = 0.1.
///
/// The network is the paper's, its leave-one-out models come by influence of order 2. The stars say which of the two
/// rules the width: the residuals, by far.
///
/// # Errors
/// None that a seed could cause; those of training and of the engine.
///
/// # Example
/// ```no_run
/// use jackknife::prelude::*;
/// let figure = paper::figure_two(0)?;
/// assert!(figure.residual > figure.variability.1);
/// let picture = figure.plot()?.to_svg();
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn figure_two(seed: u64) -> Result<FigureTwo> {
    let (train, test) = Table::Yacht.load().split(0.2, seed)?;
    let network = Training::default().seed(seed).fit(&train)?;
    let how = Influence::order(2).curvature(Curvature::GaussNewton).damping(1e-3);
    let loo = LeaveOneOut::influence(&network, &train, &how)?;
    let x = test.x().select(Axis(0), &[0]);
    let v = loo.variability(&x)?.row(0).to_owned();
    let variability = (lower(&v, ALPHA)?, upper(&v, ALPHA)?);
    let (residual, half_width) = (upper(&loo.residuals(), ALPHA)?, 0.5 * loo.jackknife_plus(&x, ALPHA)?.mean_width());
    Ok(FigureTwo { loo, x, residual, variability, half_width })
}

impl FigureTwo {
    /// The two panels with their stars: see [`LeaveOneOut::plot_residuals`].
    ///
    /// # Errors
    /// As [`LeaveOneOut::plot_residuals`], for fields that were changed.
    pub fn plot(&self) -> Result<Figure> {
        self.loo.plot_residuals(&self.x, 0, ALPHA)
    }
}

impl fmt::Debug for FigureTwo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.variability;
        write!(
            f,
            "Figure 2 of the paper: Q⁺(R) is {:.4}, Q⁻ and Q⁺ of V(x) are {low:.4} and {high:.4}; ",
            self.residual
        )?;
        write!(f, "the half width of the interval is {:.4}\n  {:?}", self.half_width, self.loo)
    }
}
