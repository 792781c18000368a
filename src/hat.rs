//! Ridge regression on features, seen through its hat matrix: every leave-one-out model, its residual, its variance at any x
//! and even the leave-two-out residuals, at every κ, from one decomposition.
//!
//! ```text
//! M = (JᵀJ+κ)⁻¹    hᵢⱼ = JᵢMJⱼ    dᵢ = 1−hᵢᵢ    e = u − JMJᵀu    cᵢ(x) = J(x)MJᵢ    g(x) = J(x)MJ(x)
//!
//! f₋ᵢ(x) = f(x) − cᵢ(x)rᵢ,  rᵢ = eᵢ/dᵢ          g₋ᵢ(x) = g(x) + cᵢ(x)²/dᵢ
//! z²_{j,−i} = (eⱼ + hᵢⱼrᵢ)²/(dⱼ − hᵢⱼ²/dᵢ)       σ₋ᵢ² = (uᵀe − eᵢ²/dᵢ)/(n−1)
//! ℓ₋ᵢ(x)² = 0.1·σ₋ᵢ² + the mean of z²_{j,−i} over the 20 rows j ≠ i nearest to x
//! s₋ᵢ(x)² = (1 + g₋ᵢ(x))·ℓ₋ᵢ(x)²               qᵢ = eᵢ/(√dᵢ·ℓ₋ᵢ(xᵢ))
//! ```
//!
//! all of it at κ₋ᵢ, so that nothing in what row i says at x has seen row i. It knows features and numbers, and no rule.

mod conformal;
mod kernel;
mod level;
mod likelihood;
mod order;
mod place;
mod plan;
mod ridge;
mod score;
mod source;
mod spectrum;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use ndarray::{Array1, Array2, ArrayView2, Axis};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::model::Features;
pub use kernel::{GaussianKernel, KernelRidge};
use level::{Level, Target};
use likelihood::Chosen;
pub(crate) use order::Asked;
use place::Places;
use plan::Plan;
pub(crate) use score::relative;
use source::Source;
use spectrum::{Points, Spectrum};

/// How many neighbours have a say.
const NEIGHBOURS: usize = 20;
/// The share of the overall variance in ℓ².
const SHARE: f64 = 0.1;
/// Points whose features are held at a time.
pub(crate) const HELD: usize = 2048;
/// A row of least squares whose 1 − h is below this decides its prediction alone.
const ALONE: f64 = 1e-10;

/// The ridge on some features, with all that leaving rows out does to it.
pub(crate) struct Hat {
    features: Arc<dyn Features>,
    x: Arc<Array2<f64>>,
    spectrum: Spectrum,
    /// The mean of the target, which a free intercept takes.
    mean: f64,
    /// 1/n with a free intercept, else 0.
    share: f64,
    /// At the κ of all rows.
    full: Level,
    levels: Vec<Level>,
    places: Places,
    /// What makes hᵢⱼ of row i for each row j of the pool, at each level: found at the first call, where rows are not kept.
    reach: Vec<OnceLock<Array2<f64>>>,
    rows: Vec<Row>,
    /// qᵢ, found at the first call: only rules with a scale ask for it.
    scores: OnceLock<Array1<f64>>,
    /// Whether a κ is at the end of its grid.
    at_end: bool,
}

/// What a row has when it is left out; units are those of the features.
#[derive(Clone, Copy)]
struct Row {
    level: usize,
    /// rᵢ, with its sign.
    residual: f64,
    /// dᵢ.
    free: f64,
    /// √hᵢ·|rᵢ|.
    pull: f64,
    /// hᵢ/dᵢ.
    weight: f64,
    /// 0.1·σ₋ᵢ².
    floor: f64,
}

/// Gigabytes that the ridge on n rows of p features takes.
pub(crate) fn gigabytes(n: usize, p: usize) -> f64 {
    Plan::new(n, p).gigabytes(n, p)
}

/// A number at each point, whose features are held for some of them at a time.
pub(crate) fn in_blocks(x: ArrayView2<f64>, of: impl Fn(ArrayView2<f64>) -> Array1<f64> + Sync) -> Array1<f64> {
    let blocks: Vec<ArrayView2<f64>> = x.axis_chunks_iter(Axis(0), HELD).collect();
    let numbers: Vec<Array1<f64>> = blocks.into_par_iter().map(&of).collect();
    numbers.into_iter().flatten().collect()
}

impl Hat {
    /// The ridge of `u` = (y − o(x))/unit on the features of the rows of `x`.
    pub(crate) fn new(
        features: Arc<dyn Features>,
        x: Arc<Array2<f64>>,
        u: Array1<f64>,
        penalty: Option<f64>,
    ) -> Result<Self> {
        let plan = Plan::new(x.nrows(), features.width());
        Self::by(&plan, features, x, u, penalty)
    }

    /// The same by a plan.
    fn by(
        plan: &Plan,
        features: Arc<dyn Features>,
        x: Arc<Array2<f64>>,
        u: Array1<f64>,
        penalty: Option<f64>,
    ) -> Result<Self> {
        let n = x.nrows();
        let is_free = features.has_free_intercept();
        if n < 2 + usize::from(is_free) {
            return Err(Error::Rows { what: "the tangent".into(), need: 2 + usize::from(is_free), have: n });
        }
        let source = Source { features: features.as_ref(), x: &x };
        let spectrum = Spectrum::new(source, is_free, penalty == Some(0.0), plan)?;
        let (share, mean) = if is_free { (1.0 / n as f64, u.mean().unwrap_or(0.0)) } else { (0.0, 0.0) };
        let u = u - mean;
        let target = Target::new(&spectrum, source, &u, share);
        let (chosen, facts) = match penalty {
            Some(lambda) => (Chosen::fixed(n as f64 * lambda, (n - 1) as f64 * lambda, n), None),
            None => {
                let (chosen, facts) = target.likelihood();
                (chosen, Some(facts))
            }
        };
        let (mut kappas, level_of) = chosen.groups();
        kappas.push(chosen.all);
        let mut levels = target.levels(&kappas, facts.as_ref());
        let full = levels.pop().expect("that of all rows is the last");
        if penalty == Some(0.0) {
            let alone = levels[0].free.iter().position(|&free| free < ALONE);
            if spectrum.is_dual() || alone.is_some() {
                return Err(Error::Alone { row: alone.unwrap_or(0) + 1 });
            }
        }
        let places = Places::new(source, plan.drawn(n));
        let at_end = chosen.at_end;
        let reach = levels.iter().map(|_| OnceLock::new()).collect();
        let (rows, scores) = (Vec::new(), OnceLock::new());
        let mut hat = Self { features, x, spectrum, mean, share, full, levels, places, reach, rows, scores, at_end };
        hat.rows = hat.left_out(&level_of);
        Ok(hat)
    }

    fn source(&self) -> Source<'_> {
        Source { features: self.features.as_ref(), x: &self.x }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.x.nrows()
    }

    /// How many neighbours a row has.
    fn neighbours(&self) -> usize {
        NEIGHBOURS.min(self.candidates() - 1)
    }

    /// How many rows neighbours are looked for in, unless it is all of them.
    pub(crate) fn pool(&self) -> Option<usize> {
        self.places.pool().map(<[usize]>::len)
    }

    /// The rows.
    pub(crate) fn x(&self) -> Arc<Array2<f64>> {
        self.x.clone()
    }

    /// How many rows can be a neighbour.
    fn candidates(&self) -> usize {
        self.pool().unwrap_or(self.len())
    }

    /// What every row has when it is left out.
    fn left_out(&self, level_of: &[usize]) -> Vec<Row> {
        let n = self.len();
        let facts = |i: usize| {
            let level = &self.levels[level_of[i]];
            let (error, free) = (level.errors[i], level.free[i]);
            let own = 1.0 - free;
            let residual = error / free;
            let variance = (level.sum - error * residual).max(0.0) / (n - 1) as f64;
            let pull = own.max(0.0).sqrt() * residual.abs();
            Row { level: level_of[i], residual, free, pull, weight: own.max(0.0) / free, floor: SHARE * variance }
        };
        (0..n).map(facts).collect()
    }

    fn points(&self, x: ArrayView2<f64>) -> Points {
        self.spectrum.points(self.source(), x)
    }

    /// f(x) of all rows.
    pub(crate) fn predictions(&self, x: ArrayView2<f64>) -> Array1<f64> {
        in_blocks(x, |x| self.spectrum.predictions(self.source(), x, &self.full.fit) + self.mean)
    }

    /// g(x) at the κ of all rows.
    fn variances(&self, x: ArrayView2<f64>) -> Array1<f64> {
        in_blocks(x, |x| self.spectrum.variances(&self.points(x), self.full.kappa) + self.share)
    }

    /// f₋ᵢ(x), points × rows.
    pub(crate) fn without(&self, x: ArrayView2<f64>) -> Array2<f64> {
        let points = self.points(x);
        let mut without = Array2::zeros((x.nrows(), self.len()));
        for (k, level) in self.levels.iter().enumerate() {
            let predictions = points.axes.dot(&level.fit) + self.mean;
            let mine: Vec<usize> = (0..self.len()).filter(|&i| self.rows[i].level == k).collect();
            let products = self.spectrum.products(self.source(), &mine, &self.spectrum.toward(&points, level.kappa));
            for (&i, products) in mine.iter().zip(products.rows()) {
                let moved = products.mapv(|product| product + self.share) * self.rows[i].residual;
                without.column_mut(i).assign(&(&predictions - &moved));
            }
        }
        without
    }

    /// eᵢ/dᵢ = uᵢ − f₋ᵢ(xᵢ) for every row.
    pub(crate) fn residuals(&self) -> Array1<f64> {
        self.rows.iter().map(|row| row.residual).collect()
    }

    /// s(x) with all rows: (1 + g(x))·(0.1·σ² + the mean of zⱼ² around x).
    pub(crate) fn scales(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let (variances, level) = (self.variances(x), &self.full);
        let near = self.places.nearest(0, self.features.as_ref(), x, NEIGHBOURS.min(self.candidates()));
        let floor = SHARE * level.sum / self.len() as f64;
        let scale = |(g, near): (&f64, &Vec<usize>)| {
            let square = |&j: &usize| level.errors[j].powi(2) / level.free[j];
            let local = floor + near.iter().map(square).sum::<f64>() / near.len() as f64;
            ((1.0 + g) * local).sqrt()
        };
        variances.iter().zip(&near).map(scale).collect()
    }

    /// σ√(1 + g(x)): what the Gaussian process of these features states.
    pub(crate) fn deviations(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let variance = self.full.sum / (self.len() as f64 - if self.share > 0.0 { 1.0 } else { 0.0 });
        self.variances(x).mapv(|g| (variance * (1.0 + g)).sqrt())
    }

    /// κ of all rows.
    pub(crate) fn kappa(&self) -> f64 {
        self.full.kappa
    }

    /// The different κ₋ᵢ, rising, and how many rows have each.
    pub(crate) fn kappas_without(&self) -> Vec<(f64, usize)> {
        let count = |k: usize| self.rows.iter().filter(|row| row.level == k).count();
        self.levels.iter().enumerate().map(|(k, level)| (level.kappa, count(k))).collect()
    }

    /// Whether a κ is at the end of its grid, where it was stopped by rounding or by features that explain nothing.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at_end
    }

    /// The features.
    pub(crate) fn features(&self) -> &dyn Features {
        self.features.as_ref()
    }
}
