//! Features in their principal axes, where the ridge of every κ is diagonal.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::factor::{self, Eigen, Svd};
use crate::memory;
use crate::model::Features;

/// Rows whose features are held at a time while the Gram matrix is added up.
const BLOCK: usize = 2048;
/// Up to so many operations a singular value decomposition is quick, and keeps all the digits that a Gram matrix loses.
const QUICK: f64 = 5e8;

/// The features in their principal axes, of which there are r.
///
/// ```text
/// primal, p < n:   J = A·Vᵀ,   rows A = JV,   points B(x) = J(x)V
/// dual,   p ≥ n:   JJᵀ = QΛQᵀ, rows A = Q,    points B(x) = Qᵀk(x)
///
/// cᵢ(x) = Σₖ AᵢₖBₖ(x)/(λₖ+κ),   hᵢⱼ = Σₖ AᵢₖAⱼₖ·ωₖ,   ω = 1/(λ+κ) or λ/(λ+κ)
/// ```
///
/// With a free intercept the features are centred, and 1/n is added to c, h and g.
pub(super) struct Spectrum {
    /// λ, falling.
    pub(super) values: Array1<f64>,
    /// A, n × r.
    pub(super) rows: Array2<f64>,
    side: Side,
}

enum Side {
    /// V, p × r, the mean of the features, and what its columns were divided by.
    Primal { axes: Array2<f64>, mean: Array1<f64>, scale: Option<Array1<f64>> },
    /// The means of the kernel's columns and their mean.
    Dual { means: Array1<f64>, mean: f64 },
}

/// Points in the axes.
pub(super) struct Points {
    /// B, points × r.
    pub(super) axes: Array2<f64>,
    /// J(x)·J(x) of the dual.
    squares: Option<Array1<f64>>,
}

impl Spectrum {
    /// The features of some rows; `rescaled` where no penalty ties the units of the columns.
    pub(super) fn new(features: &dyn Features, x: &Array2<f64>, is_free: bool, rescaled: bool) -> Result<Self> {
        let (n, p) = (x.nrows(), features.width());
        let rank = n.min(p) as f64;
        let gigabytes = 8e-9 * (n as f64 * rank + 4.0 * rank * rank);
        let what = || format!("the tangent of {n} rows in {}", features.words());
        memory::check(what, gigabytes, "fewer rows, or a model with fewer parameters, would fit")?;
        match p < n || p == n && rescaled {
            true => Self::primal(features, x, is_free, rescaled),
            false => Self::dual(features, x, is_free),
        }
    }

    fn primal(features: &dyn Features, x: &Array2<f64>, is_free: bool, rescaled: bool) -> Result<Self> {
        let (n, p) = (x.nrows(), features.width());
        let blocks: Vec<usize> = (0..n).step_by(BLOCK).collect();
        let block = |&start: &usize| features.features(x.slice(s![start..(start + BLOCK).min(n), ..]));
        let mut mean = Array1::zeros(p);
        if is_free {
            blocks.iter().for_each(|start| mean += &block(start).sum_axis(Axis(0)));
            mean /= n as f64;
        }
        let mut rows = Array2::zeros((n, p));
        for start in &blocks {
            let part = block(start) - &mean;
            check_finite(&part)?;
            rows.slice_mut(s![*start..(start + BLOCK).min(n), ..]).assign(&part);
        }
        let scale = rescaled.then(|| {
            let norms = rows.map_axis(Axis(0), |column| column.dot(&column).sqrt());
            norms.mapv(|norm| if norm > 1e-100 { norm } else { 1.0 })
        });
        if let Some(scale) = &scale {
            rows /= scale;
        }
        let (values, axes, rows) = match n as f64 * (p * p) as f64 <= QUICK {
            true => {
                let Svd { u, s, v } = factor::thin_svd(rows.view()).ok_or(diverged())?;
                // What rounding leaves of an axis without features is none.
                let least = n as f64 * f64::EPSILON * s.first().copied().unwrap_or(0.0);
                let s = s.mapv(|s| if s > least { s } else { 0.0 });
                (s.mapv(|s| s * s), v, u * s)
            }
            false => {
                let Eigen { values, vectors } = factor::symmetric_eigen(&factor::gram(rows.view())).ok_or(diverged())?;
                // In place: the rows are the largest thing there is.
                for start in &blocks {
                    let mut part = rows.slice_mut(s![*start..(start + BLOCK).min(n), ..]);
                    let turned = factor::product(part.view(), vectors.view());
                    part.assign(&turned);
                }
                (without_rounding(values), vectors, rows)
            }
        };
        Ok(Self { values, rows, side: Side::Primal { axes, mean, scale } })
    }

    fn dual(features: &dyn Features, x: &Array2<f64>, is_free: bool) -> Result<Self> {
        let mut kernel = features.kernel(x.view(), x.view());
        check_finite(&kernel)?;
        let (mut means, mut mean) = (Array1::zeros(x.nrows()), 0.0);
        if is_free {
            means = kernel.mean_axis(Axis(0)).expect("there are rows");
            mean = means.mean().expect("there are rows");
            kernel -= &means;
            kernel -= &means.view().insert_axis(Axis(1));
            kernel += mean;
        }
        let Eigen { values, vectors } = factor::symmetric_eigen(&kernel).ok_or(diverged())?;
        Ok(Self { values: without_rounding(values), rows: vectors, side: Side::Dual { means, mean } })
    }

    pub(super) fn is_dual(&self) -> bool {
        matches!(self.side, Side::Dual { .. })
    }

    /// 1/(λ+κ), and 0 where both are 0: the inverse of least norm.
    pub(super) fn inverse(&self, kappa: f64) -> Array1<f64> {
        self.values.mapv(|value| if value + kappa > 0.0 { 1.0 / (value + kappa) } else { 0.0 })
    }

    /// ω.
    pub(super) fn weights(&self, inverse: &Array1<f64>) -> Array1<f64> {
        if self.is_dual() { inverse * &self.values } else { inverse.clone() }
    }

    /// The smallest κ at which 1 − h keeps its digits in the primal, and g(x) in the dual.
    pub(super) fn least_penalty(&self) -> f64 {
        1e-11 * self.values.first().copied().unwrap_or(0.0)
    }

    /// Points in the axes; `x` are the rows that the spectrum was made of.
    pub(super) fn points(&self, features: &dyn Features, x: &Array2<f64>, points: ArrayView2<f64>) -> Points {
        match &self.side {
            Side::Primal { axes, mean, scale } => {
                let mut rows = features.features(points) - mean;
                if let Some(scale) = scale {
                    rows /= scale;
                }
                Points { axes: factor::product(rows.view(), axes.view()), squares: None }
            }
            Side::Dual { means, mean } => {
                let mut kernel = features.kernel(points, x.view());
                let mut squares = features.squares(points);
                // Without a free intercept the means are 0.
                let own = if *mean == 0.0 && means.iter().all(|&mean| mean == 0.0) {
                    Array1::zeros(points.nrows())
                } else {
                    kernel.mean_axis(Axis(1)).expect("there are rows")
                };
                squares.zip_mut_with(&own, |square, own| *square += *mean - 2.0 * own);
                kernel -= means;
                kernel -= &own.insert_axis(Axis(1));
                kernel += *mean;
                let mut axes = factor::product(kernel.view(), self.rows.view());
                // No point has a part along an axis without features.
                let empty = self.values.iter().position(|&value| value == 0.0).unwrap_or(self.values.len());
                axes.slice_mut(s![.., empty..]).fill(0.0);
                Points { axes, squares: Some(squares) }
            }
        }
    }

    /// J(x)MJ(x) at each point.
    pub(super) fn variances(&self, points: &Points, inverse: &Array1<f64>, kappa: f64) -> Array1<f64> {
        let sum = |row: ndarray::ArrayView1<f64>, weights: &Array1<f64>| -> f64 {
            row.iter().zip(weights).map(|(b, w)| b * b * w).sum()
        };
        let Some(squares) = &points.squares else {
            return points.axes.map_axis(Axis(1), |row| sum(row, inverse));
        };
        // J(x) in the span of the rows, and the rest of it: a difference, which rounding must not make more than it is.
        let spread = self.values.mapv(|value| if value > 0.0 { 1.0 / value } else { 0.0 });
        let within = inverse * &spread;
        let variance = |(row, square): (ndarray::ArrayView1<f64>, &f64)| {
            let rest = square - sum(row, &spread);
            let rest = if rest > 1e-13 * square { rest / kappa } else { 0.0 };
            sum(row, &within) + rest
        };
        points.axes.rows().into_iter().zip(squares).map(variance).collect()
    }

    /// Σₖ Aᵢₖ²ωₖ and Σₖ Aᵢₖbₖ for each row and for each column of ω and b, in blocks of rows.
    pub(super) fn row_sums(&self, weights: &Array2<f64>, vectors: &Array2<f64>) -> (Array2<f64>, Array2<f64>) {
        let squares: Vec<Array2<f64>> = (0..self.rows.nrows())
            .into_par_iter()
            .step_by(BLOCK)
            .map(|start| {
                let part = self.rows.slice(s![start..(start + BLOCK).min(self.rows.nrows()), ..]);
                part.mapv(|a| a * a).dot(weights)
            })
            .collect();
        let views: Vec<_> = squares.iter().map(Array2::view).collect();
        let squares = ndarray::concatenate(Axis(0), &views).expect("as many columns each");
        (squares, factor::product(self.rows.view(), vectors.view()))
    }
}

/// Eigenvalues without those that are rounding's.
fn without_rounding(values: Array1<f64>) -> Array1<f64> {
    let largest = values.first().copied().unwrap_or(0.0);
    let least = 4.0 * (values.len() as f64).sqrt() * f64::EPSILON * largest;
    values.mapv(|value| if value > least { value } else { 0.0 })
}

fn diverged() -> Error {
    Error::Diverged {
        what: "the decomposition of the tangent's features",
        steps: 0,
        advice: "look for columns of very different magnitudes and rescale them",
    }
}

fn check_finite(features: &Array2<f64>) -> Result<()> {
    match features.iter().all(|cell| cell.is_finite()) {
        true => Ok(()),
        false => Err(Error::NotFinite {
            what: "a feature of the tangent".into(),
            advice: "look for weights or columns of very large magnitude",
        }),
    }
}
