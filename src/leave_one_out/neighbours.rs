//! How large the errors are around a point: the leave-one-out residuals of the rows nearest to it.
//!
//! ```text
//! ℓ(x)²    = 0.1·mean(rⱼ²) + the mean of rⱼ² over the 20 rows j nearest to x
//! ℓ₋ᵢ(xᵢ)² = the same with row i left out of its own neighbours
//! ```
//!
//! Near is what is alike to the model: the distance is between what adds up to the prediction
//! ([`Model::contributions`](crate::model::Model::contributions)), for a network what each hidden unit gives to the output, for a linear
//! model βⱼxⱼ; features that do not matter do not count. A model that does not tell its contributions is measured by its
//! standardised features. The share of the overall mean keeps ℓ away from 0 where twenty residuals happen to be small.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::LeaveOneOut;
use crate::error::Result;
use crate::sample::check_points;

/// How many neighbours have a say.
const NEIGHBOURS: usize = 20;
/// The share of the overall mean square.
const SHARE: f64 = 0.1;
/// Points that one thread takes at a time, whatever the number of threads.
const BLOCK: usize = 128;

/// The training rows as the model sees them, and their squared residuals.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    /// Subtracted from every point: distances stay, and their squares lose fewer digits.
    shift: Array1<f64>,
    /// Points are divided by it; 1 for contributions, which have the units of the target.
    scale: Array1<f64>,
    rows: Array2<f64>,
    norms: Array1<f64>,
    squares: Array1<f64>,
    share: f64,
}

impl LeaveOneOut {
    /// ℓ(x) at each row of `x`: the root mean square of the leave-one-out residuals around it, in units of the target
    /// ([`neighbours`](crate::leave_one_out::neighbours)).
    ///
    /// # Errors
    /// [`Error::Columns`](crate::Error::Columns) if `x` has not the columns trained on,
    /// [`Error::Cell`](crate::Error::Cell) for cells that are not finite.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(200, Feature::Uniform { half_width: 3.0 }, 0.5, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample)?;
    /// // A straight line through y = x³ is wrong at the ends.
    /// let error = loo.local_error(&ndarray::array![[0.0], [3.0]])?;
    /// assert!(error[1] > 2.0 * error[0]);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn local_error(&self, x: &Array2<f64>) -> Result<Array1<f64>> {
        check_points(x, self.x().ncols())?;
        Ok(Neighbours::of(self).at(self, x).into())
    }

    /// ℓ₋ᵢ(xᵢ) at each training row: as [`LeaveOneOut::local_error`], but no row is its own neighbour.
    pub fn left_out_local_errors(&self) -> Array1<f64> {
        Neighbours::of(self).own().into()
    }
}

impl Neighbours {
    pub(super) fn of(loo: &LeaveOneOut) -> Self {
        let contributions = loo.contributions(loo.x());
        let rows = contributions.as_ref().unwrap_or(loo.x());
        let shift = rows.mean_axis(Axis(0)).expect("there are rows");
        let scale = match contributions {
            Some(_) => Array1::ones(shift.len()),
            None => rows.std_axis(Axis(0), 0.0).mapv(|scale| if scale > 1e-100 { scale } else { 1.0 }),
        };
        let rows = (rows - &shift) / &scale;
        let squares = loo.residuals().mapv(|r| r * r);
        let share = SHARE * squares.mean().expect("there are rows");
        Self { shift, scale, norms: norms(rows.view()), rows, squares, share }
    }

    /// ℓ(x) at points that have been checked.
    pub(super) fn at(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Vec<f64> {
        let points = loo.contributions(x).unwrap_or_else(|| x.clone());
        self.errors(&((points - &self.shift) / &self.scale), false)
    }

    /// ℓ₋ᵢ(xᵢ) for every training row.
    pub(super) fn own(&self) -> Vec<f64> {
        self.errors(&self.rows, true)
    }

    /// ℓ at points in the units of the rows; `own` if they are the rows themselves.
    fn errors(&self, points: &Array2<f64>, own: bool) -> Vec<f64> {
        let starts: Vec<usize> = (0..points.nrows()).step_by(BLOCK).collect();
        let block = |start: usize| {
            let points = points.slice(s![start..(start + BLOCK).min(points.nrows()), ..]);
            let (products, norms) = (points.dot(&self.rows.t()), norms(points));
            let error = |t: usize| {
                let distance = |j: usize| norms[t] + self.norms[j] - 2.0 * products[[t, j]];
                let others = (0..self.rows.nrows()).filter(|&j| !own || j != start + t);
                self.error(others.map(|j| (distance(j), j)).collect())
            };
            (0..points.nrows()).map(error).collect::<Vec<_>>()
        };
        starts.into_par_iter().flat_map_iter(block).collect()
    }

    /// ℓ from the squared distances of the rows that have a say.
    fn error(&self, mut rows: Vec<(f64, usize)>) -> f64 {
        let count = NEIGHBOURS.min(rows.len());
        rows.select_nth_unstable_by(count - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let sum: f64 = rows[..count].iter().map(|&(_, j)| self.squares[j]).sum();
        (self.share + sum / count as f64).sqrt()
    }
}

fn norms(rows: ArrayView2<f64>) -> Array1<f64> {
    rows.map_axis(Axis(1), |row| row.dot(&row))
}
