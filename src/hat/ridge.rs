//! Ridge regression with the penalty that its rows ask for.

use super::level::Target;
use super::plan::Plan;
use super::source::Source;
use super::spectrum::Spectrum;
use crate::error::{Error, Result};
use crate::model::linear::{Columns, Ridge};
use crate::sample::Sample;

impl Ridge {
    /// Ridge with λ by marginal likelihood: the penalty that makes the targets of these rows likeliest, on a grid.
    ///
    /// ```text
    /// κ = argmin over 2⁻²⁰ … 2¹⁰ of (n−1)·ln(uᵀe) + Σₖ ln(1+λₖ/κ)      λ = κ/n
    /// ```
    ///
    /// with the centred target u, the residuals e and the eigenvalues λₖ of the centred XᵀX; the grid grows where its best κ is
    /// at an end. Columns are taken as they are, so those of very different units ask for different penalties.
    ///
    /// λ has then seen every row, those that are left out later too. What asks for models without a row must choose again
    /// without it for its guarantee to hold: [`LeaveOneOut::closed_form`](crate::leave_one_out::LeaveOneOut::closed_form) and
    /// [`LeaveOneOut::tangent`](crate::leave_one_out::LeaveOneOut::tangent) do so at no cost, and a refit does if it calls this on
    /// the rows that it is given. Influence functions and Newton steps keep the λ of all rows: nothing is proven of them then.
    ///
    /// # Errors
    /// [`Error::Rows`] for fewer than three rows, [`Error::Memory`] for more than the machine has free.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let ridge = Ridge::by_likelihood(&train)?;
    /// let loo = LeaveOneOut::closed_form(&ridge, &train)?;
    /// let refit = LeaveOneOut::refit(&train, |rows| Ridge::by_likelihood(rows)?.fit(rows))?;
    /// let (a, b) = (loo.jackknife_plus(test.x(), 0.1)?, refit.jackknife_plus(test.x(), 0.1)?);
    /// assert!((a.upper - b.upper).iter().all(|apart| apart.abs() < 1e-8));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn by_likelihood(sample: &Sample) -> Result<Self> {
        let n = sample.len();
        if n < 3 {
            return Err(Error::Rows { what: "a penalty by marginal likelihood".into(), need: 3, have: n });
        }
        let columns = Columns { count: sample.columns(), penalty: None };
        let source = Source { features: &columns, x: sample.x() };
        let spectrum = Spectrum::new(source, true, false, &Plan::new(n, sample.columns()))?;
        let u = sample.y() - sample.y().mean().unwrap_or(0.0);
        let kappa = 2f64.powi(Target::new(&spectrum, source, &u, 1.0 / n as f64).of_all().0.power);
        Ok(Self::chosen(kappa / n as f64))
    }
}
