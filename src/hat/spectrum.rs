//! Features in their principal axes, where the ridge of every κ is diagonal.

mod decomposition;

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::plan::Plan;
use super::source::{Frame, Source};
use crate::error::Result;
use crate::factor::{self, product_with_rows};

/// Rows that are copied together for a product.
const GATHERED: usize = 256;
/// Up to so many operations a product is not worth its preparation, and is taken cell by cell.
const SMALL: usize = 1 << 18;

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
///
/// Of many rows A is not kept. J is made again in blocks where all rows are asked for, and at points for the few rows that can
/// matter, which need not be turned: cᵢ(x) = z·Jᵢ with z = V·B(x)/(λ+κ).
pub(super) struct Spectrum {
    /// λ, falling.
    pub(super) values: Array1<f64>,
    side: Side,
}

enum Side {
    /// V, p × r, and A unless it is made again.
    Primal { axes: Array2<f64>, frame: Frame, rows: Option<Array2<f64>> },
    /// Q, the means of the kernel's columns and their mean.
    Dual { rows: Array2<f64>, means: Array1<f64>, mean: f64 },
}

/// The rows in the axes, or what they are made again from.
enum Held<'a> {
    Kept(&'a Array2<f64>),
    Made { axes: &'a Array2<f64>, frame: &'a Frame },
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
    pub(super) fn new(source: Source, is_free: bool, rescaled: bool, plan: &Plan) -> Result<Self> {
        let (n, p) = (source.x.nrows(), source.features.width());
        plan.check(n, p, &source.features.words())?;
        match p < n || p == n && rescaled {
            true if plan.streamed => Self::streamed(source, is_free, rescaled),
            true => Self::primal(source, is_free, rescaled),
            false => Self::dual(source, is_free),
        }
    }

    pub(super) fn is_dual(&self) -> bool {
        matches!(self.side, Side::Dual { .. })
    }

    /// How the rows are had.
    fn held(&self) -> Held<'_> {
        match &self.side {
            Side::Primal { axes, frame, rows: None } => Held::Made { axes, frame },
            Side::Primal { rows: Some(rows), .. } | Side::Dual { rows, .. } => Held::Kept(rows),
        }
    }

    /// The length of what [`Spectrum::products`] multiplies with: r where the rows are kept, p where they are made again.
    pub(super) fn width(&self) -> usize {
        match self.held() {
            Held::Kept(rows) => rows.ncols(),
            Held::Made { axes, .. } => axes.nrows(),
        }
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

    /// Something of each block of rows of A, for those blocks that are wanted.
    pub(super) fn of_blocks<T: Send>(
        &self,
        source: Source,
        wanted: impl Fn(&Range<usize>) -> bool + Sync,
        of: impl Fn(Range<usize>, ArrayView2<f64>) -> T + Sync,
    ) -> Vec<T> {
        let blocks: Vec<Range<usize>> = source.blocks(self.width()).into_iter().filter(wanted).collect();
        match self.held() {
            Held::Made { axes, frame } => {
                let block = |rows: Range<usize>| {
                    let made = frame.of(source.features, source.x.slice(s![rows.clone(), ..]));
                    of(rows, factor::product(made.view(), axes.view()).view())
                };
                blocks.into_par_iter().map(block).collect()
            }
            Held::Kept(kept) => blocks.into_par_iter().map(|rows| of(rows.clone(), kept.slice(s![rows, ..]))).collect(),
        }
    }

    /// Aᵀu.
    pub(super) fn onto_axes(&self, source: Source, u: &Array1<f64>) -> Array1<f64> {
        let (axes, frame) = match self.held() {
            Held::Kept(rows) => return rows.t().dot(u),
            Held::Made { axes, frame } => (axes, frame),
        };
        let part = |rows: Range<usize>| {
            let made = frame.of(source.features, source.x.slice(s![rows.clone(), ..]));
            made.t().dot(&u.slice(s![rows]))
        };
        let parts: Vec<Array1<f64>> = source.blocks(axes.nrows()).into_par_iter().map(part).collect();
        axes.t().dot(&parts.iter().fold(Array1::zeros(axes.nrows()), |sum, part| sum + part))
    }

    /// Points in the axes.
    pub(super) fn points(&self, source: Source, points: ArrayView2<f64>) -> Points {
        match &self.side {
            Side::Primal { axes, frame, .. } => {
                let rows = frame.of(source.features, points);
                Points { axes: factor::product(rows.view(), axes.view()), squares: None }
            }
            Side::Dual { rows, means, mean } => {
                let mut kernel = source.features.kernel(points, source.x.view());
                let mut squares = source.features.squares(points);
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
                let mut axes = factor::product(kernel.view(), rows.view());
                // No point has a part along an axis without features.
                let empty = self.values.iter().position(|&value| value == 0.0).unwrap_or(self.values.len());
                axes.slice_mut(s![.., empty..]).fill(0.0);
                Points { axes, squares: Some(squares) }
            }
        }
    }

    /// B(x)·fit at each point, which is not turned into the axes where the fit can be turned out of them.
    pub(super) fn predictions(&self, source: Source, points: ArrayView2<f64>, fit: &Array1<f64>) -> Array1<f64> {
        match &self.side {
            Side::Primal { axes, frame, .. } => frame.of(source.features, points).dot(&axes.dot(fit)),
            Side::Dual { .. } => self.points(source, points).axes.dot(fit),
        }
    }

    /// J(x)MJ(x) at each point.
    pub(super) fn variances(&self, points: &Points, kappa: f64) -> Array1<f64> {
        let inverse = self.inverse(kappa);
        let sum = |row: ArrayView1<f64>, weights: &Array1<f64>| -> f64 {
            row.iter().zip(weights).map(|(b, w)| b * b * w).sum()
        };
        let Some(squares) = &points.squares else {
            return points.axes.map_axis(Axis(1), |row| sum(row, &inverse));
        };
        // J(x) in the span of the rows, and the rest of it: a difference, which rounding must not make more than it is.
        let spread = self.values.mapv(|value| if value > 0.0 { 1.0 / value } else { 0.0 });
        let within = &inverse * &spread;
        let variance = |(row, square): (ArrayView1<f64>, &f64)| {
            let rest = square - sum(row, &spread);
            let rest = if rest > 1e-13 * square { rest / kappa } else { 0.0 };
            sum(row, &within) + rest
        };
        points.axes.rows().into_iter().zip(squares).map(variance).collect()
    }

    /// For each point the z of which [`Spectrum::products`] makes cᵢ(x).
    pub(super) fn toward(&self, points: &Points, kappa: f64) -> Array2<f64> {
        self.turned_back(&points.axes * &self.inverse(kappa))
    }

    /// For each of some rows j the z of which [`Spectrum::products`] makes hᵢⱼ.
    pub(super) fn toward_rows(&self, source: Source, rows: &[usize], kappa: f64) -> Array2<f64> {
        let weights = self.weights(&self.inverse(kappa));
        let turned = match self.held() {
            Held::Kept(kept) => kept.select(Axis(0), rows),
            Held::Made { axes, frame } => factor::product(source.selected(frame, rows).view(), axes.view()),
        };
        self.turned_back(turned * &weights)
    }

    fn turned_back(&self, vectors: Array2<f64>) -> Array2<f64> {
        let Held::Made { axes, .. } = self.held() else { return vectors };
        let mut back = Array2::zeros((vectors.nrows(), axes.nrows()));
        product_with_rows(vectors.view(), axes.view(), back.as_slice_mut().expect("standard layout"));
        back
    }

    /// Some rows, as they are multiplied with.
    pub(super) fn rows(&self, source: Source, rows: &[usize]) -> Array2<f64> {
        match self.held() {
            Held::Kept(kept) => kept.select(Axis(0), rows),
            Held::Made { frame, .. } => source.selected(frame, rows),
        }
    }

    /// Some rows times the rows of another matrix.
    pub(super) fn products(&self, source: Source, rows: &[usize], right: &Array2<f64>) -> Array2<f64> {
        if let (Held::Kept(kept), true) = (self.held(), rows.len() * right.len() <= SMALL) {
            return Array2::from_shape_fn((rows.len(), right.nrows()), |(k, t)| kept.row(rows[k]).dot(&right.row(t)));
        }
        let mut out = Array2::zeros((rows.len(), right.nrows()));
        let cells = out.as_slice_mut().expect("standard layout");
        // A few at a time: the copies stay in the cache.
        for (few, cells) in rows.chunks(GATHERED).zip(cells.chunks_mut((GATHERED * right.nrows()).max(1))) {
            product_with_rows(self.rows(source, few).view(), right.view(), cells);
        }
        out
    }
}
