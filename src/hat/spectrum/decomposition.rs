//! How the axes are found: of the rows themselves, of their Gram matrix, or of their kernel.

use ndarray::{Array1, Array2, Axis, s};

use super::{Side, Spectrum};
use crate::error::{Error, Result};
use crate::factor::{self, Eigen, Svd};
use crate::hat::source::{Frame, Source, check_finite};

/// Up to so many operations a singular value decomposition is quick, and keeps all the digits that a Gram matrix loses.
const QUICK: f64 = 5e8;

impl Spectrum {
    pub(super) fn primal(source: Source, is_free: bool, rescaled: bool) -> Result<Self> {
        let (n, p) = (source.x.nrows(), source.features.width());
        let mut frame = Frame::new(source, is_free);
        let mut rows = source.framed(&frame, 0..n);
        check_finite(&rows)?;
        if rescaled {
            let scale = unit_or(rows.map_axis(Axis(0), |column| column.dot(&column).sqrt()));
            rows /= &scale;
            frame.scale = Some(scale);
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
                for block in source.blocks(p) {
                    let mut part = rows.slice_mut(s![block, ..]);
                    let turned = factor::product(part.view(), vectors.view());
                    part.assign(&turned);
                }
                (without_rounding(values), vectors, rows)
            }
        };
        Ok(Self { values, side: Side::Primal { axes, frame, rows: Some(rows) } })
    }

    /// The same without keeping the rows: the Gram matrix is added up in blocks.
    pub(super) fn streamed(source: Source, is_free: bool, rescaled: bool) -> Result<Self> {
        let p = source.features.width();
        let mut frame = Frame::new(source, is_free);
        let mut gram = Array2::zeros((p, p));
        for block in source.blocks(p) {
            let rows = source.framed(&frame, block);
            check_finite(&rows)?;
            factor::add_upper_gram(&mut gram, rows.view());
        }
        if rescaled {
            let scale = unit_or(gram.diag().mapv(f64::sqrt));
            gram /= &scale;
            gram /= &scale.view().insert_axis(Axis(1));
            frame.scale = Some(scale);
        }
        factor::mirror(&mut gram);
        let Eigen { values, vectors } = factor::symmetric_eigen(&gram).ok_or(diverged())?;
        Ok(Self { values: without_rounding(values), side: Side::Primal { axes: vectors, frame, rows: None } })
    }

    pub(super) fn dual(source: Source, is_free: bool) -> Result<Self> {
        let x = source.x.view();
        let mut kernel = source.features.kernel(x, x);
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
        Ok(Self { values: without_rounding(values), side: Side::Dual { rows: vectors, means, mean } })
    }
}

/// Norms, and 1 for a column of nothing.
fn unit_or(norms: Array1<f64>) -> Array1<f64> {
    norms.mapv(|norm| if norm > 1e-100 { norm } else { 1.0 })
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
