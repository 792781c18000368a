//! Whether numbers are a kernel, and coordinates in which it is a product.

use ndarray::{Array1, Array2, Axis};

use crate::error::{Error, Result};
use crate::factor::{self, Eigen};
use crate::memory;
use crate::wording::short;

/// How far from symmetric rounding in single precision makes a kernel, in units of its largest cell.
const ASYMMETRY: f64 = 1e-5;
/// How far below 0 it makes an eigenvalue, in units of the largest, for few rows.
const NEGATIVE: f64 = 1e-6;
/// By how much it makes k(x, x) less than what the training rows explain of it, in units of the largest k(xᵢ, xᵢ).
const EXPLAINED: f64 = 1e-3;

/// The kernel of the training rows, made symmetric to the last digit, and what makes coordinates of k(x, xⱼ).
///
/// ```text
/// K = QΛQᵀ     c(x) = k(x)·QΛ^(−½):   ‖c(xᵢ) − c(xⱼ)‖² = k(xᵢ,xᵢ) − 2k(xᵢ,xⱼ) + k(xⱼ,xⱼ)
/// ```
///
/// A point's c(x) lacks what no training row explains of it, which is as far from each of them.
pub(super) fn checked(
    train: Array2<f64>,
    test: &Array2<f64>,
    diagonal: &Array1<f64>,
) -> Result<(Array2<f64>, Array2<f64>)> {
    let n = train.nrows();
    if train.ncols() != n {
        return Err(Error::Given(format!(
            "`train.kernel` is {n} × {}, not square; give k(xᵢ, xⱼ) of the training rows with each other",
            train.ncols()
        )));
    }
    let square = 8e-9 * (n as f64).powi(2);
    memory::check(|| format!("the kernel of {n} rows"), 10.0 * square, "fewer rows would fit")?;
    let largest = train.iter().fold(0.0_f64, |largest, cell| largest.max(cell.abs()));
    if let Some(((i, j), _)) =
        train.indexed_iter().find(|&((i, j), cell)| (cell - train[[j, i]]).abs() > ASYMMETRY * largest)
    {
        return Err(Error::Given(format!(
            "`train.kernel` is not symmetric: {} in row {}, column {}, and {} in row {}, column {} (counted from 1); give \
             k(xᵢ, xⱼ) with rows and columns in one order",
            short(train[[i, j]]),
            i + 1,
            j + 1,
            short(train[[j, i]]),
            j + 1,
            i + 1,
        )));
    }
    let train = (&train + &train.t()) * 0.5;
    let Eigen { values, vectors } = factor::symmetric_eigen(&train).ok_or(Error::Diverged {
        what: "the decomposition of the kernel",
        steps: 0,
        advice: "look for rows of very different magnitudes and rescale them",
    })?;
    let extreme = |best: fn(f64, f64) -> f64| values.iter().copied().fold(0.0, best);
    let (most, least) = (extreme(f64::max), extreme(f64::min));
    // Rounding grows with the rows.
    if least < -most * NEGATIVE.max(n as f64 * f64::from(f32::EPSILON)) {
        return Err(Error::Given(format!(
            "`train.kernel` is not positive semidefinite: its eigenvalues go from {} to {}; give a kernel k(x, x′) = J(x)·J(x′), \
             as J·Jᵀ or exp(−|x − x′|²)",
            short(least),
            short(most)
        )));
    }
    let zero = (n as f64 * f64::EPSILON * most).max(-least);
    let kept: Vec<usize> = (0..n).filter(|&k| values[k] > zero).collect();
    let coordinates =
        vectors.select(Axis(1), &kept) / values.select(Axis(0), &kept).mapv(f64::sqrt).insert_axis(Axis(0));
    let within = factor::product(test.view(), coordinates.view()).map_axis(Axis(1), |row| row.dot(&row));
    let slack = EXPLAINED * train.diag().iter().copied().fold(0.0, f64::max);
    match within.iter().zip(diagonal).position(|(within, own)| *within > own + slack || *own < 0.0) {
        None => Ok((train, coordinates)),
        Some(point) => Err(Error::Given(format!(
            "`test.kernel_diagonal` is {} in row {}, less than the {} that the training rows explain of it; give k(x, x) of the \
             same kernel as `test.kernel` and `train.kernel`",
            short(diagonal[point]),
            point + 1,
            short(within[point])
        ))),
    }
}
