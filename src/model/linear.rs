//! Least squares and ridge regression, and their leave-one-out predictions in closed form.
//!
//! Both are the oracle of the other engines: every leave-one-out model is known exactly from one singular value
//! decomposition, and the order-m influence shift of least squares has relative error exactly hᵢᵐ, hᵢ the leverage.

mod columns;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, concatenate, s};
use std::fmt;
use std::ops::Range;

use super::{Differentiable, Features, Model, Objective};
use crate::check;
use crate::error::{Error, Result};
use crate::factor::{self, Svd};
use crate::sample::Sample;
use crate::wording::short;
pub(crate) use columns::Columns;

/// 1 − hᵢ of a row without which the other rows still determine the model is larger than this.
const FREE: f64 = 1e-10;

/// The linear learners: least squares and ridge, with an intercept that is not penalised, features as given.
///
/// ```text
/// minimise  (1/n) Σᵢ ½(yᵢ − b − xᵢ·β)² + ½λ‖β‖²
/// ```
///
/// With λ = 0 and more features than rows, or collinear ones, the solution is that of least norm ‖β‖, the limit
/// λ → 0.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// let line = Sample::new(array![[0.0], [1.0], [2.0]], array![1.0, 3.0, 5.0])?;
/// let model = Ridge::least_squares().fit(&line)?;
/// assert!((model.intercept() - 1.0).abs() < 1e-12);
/// assert!((model.coefficients()[0] - 2.0).abs() < 1e-12);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ridge {
    lambda: f64,
    /// Whether λ was chosen by marginal likelihood.
    is_chosen: bool,
}

impl Ridge {
    /// Ridge with the penalty λ ≥ 0 of the loss above.
    pub fn new(lambda: f64) -> Self {
        Self { lambda, is_chosen: false }
    }

    /// Ridge with a λ that was chosen by marginal likelihood.
    pub(crate) fn chosen(lambda: f64) -> Self {
        Self { lambda, is_chosen: true }
    }

    /// Whether it was.
    pub(crate) fn is_chosen(&self) -> bool {
        self.is_chosen
    }

    /// Least squares: λ = 0.
    pub fn least_squares() -> Self {
        Self::new(0.0)
    }

    /// λ.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Fits the sample.
    ///
    /// # Errors
    /// [`Error::Choice`] for a negative or infinite λ.
    pub fn fit(&self, sample: &Sample) -> Result<Linear> {
        let fitted = Smoother::new(sample, self.lambda)?.fit(sample.y().view());
        Ok(Linear { is_chosen: self.is_chosen, ..fitted })
    }
}

impl fmt::Display for Ridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_chosen, self.lambda == 0.0) {
            (true, _) => write!(f, "ridge, λ = {} by marginal likelihood", short(self.lambda)),
            (false, true) => write!(f, "least squares"),
            (false, false) => write!(f, "ridge, λ = {}", self.lambda),
        }
    }
}

/// A fitted linear model, f(x) = b + x·β.
#[derive(Clone, PartialEq)]
pub struct Linear {
    intercept: f64,
    coefficients: Array1<f64>,
    lambda: f64,
    is_chosen: bool,
}

impl Linear {
    /// b.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// β.
    pub fn coefficients(&self) -> &Array1<f64> {
        &self.coefficients
    }

    /// λ of the penalty that it was fitted with.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// What it was fitted by.
    pub(crate) fn learner(&self) -> Ridge {
        Ridge { lambda: self.lambda, is_chosen: self.is_chosen }
    }
}

impl fmt::Debug for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.learner();
        write!(f, "{kind}: intercept {:.6}, coefficients {:.6}", self.intercept, self.coefficients)
    }
}

impl Model for Linear {
    fn columns(&self) -> usize {
        self.coefficients.len()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        x.dot(&self.coefficients) + self.intercept
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        Some(&x * &self.coefficients)
    }
}

/// θ = (β, b); the intercept is not penalised.
impl Differentiable for Linear {
    fn parameters(&self) -> Array1<f64> {
        let mut theta = self.coefficients.to_vec();
        theta.push(self.intercept);
        theta.into()
    }

    fn with_parameters(&self, theta: ArrayView1<f64>) -> Self {
        let d = self.columns();
        Self {
            intercept: theta[d],
            coefficients: theta.slice(s![..d]).to_owned(),
            lambda: self.lambda,
            is_chosen: self.is_chosen,
        }
    }

    fn penalty(&self) -> Array1<f64> {
        let mut penalty = Array1::from_elem(self.columns() + 1, self.lambda);
        penalty[self.columns()] = 0.0;
        penalty
    }

    fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a> {
        let ones = Array2::ones((sample.len(), 1));
        let design = concatenate(Axis(1), &[sample.x().view(), ones.view()]).expect("one row each");
        let residuals = sample.y() - &self.evaluate(sample.x().view());
        Box::new(Quadratic { design, residuals })
    }

    /// The columns as they are; the intercept is free, and the penalty is kept, unless it was chosen by marginal likelihood: then
    /// the choice is made again, without the row that is left out.
    fn tangent(&self) -> Box<dyn Features> {
        Box::new(Columns { count: self.columns(), penalty: (!self.is_chosen).then_some(self.lambda) })
    }
}

/// The squared error of a linear model: a parabola, so every Taylor coefficient but the first two is a product.
struct Quadratic {
    /// (X, 1).
    design: Array2<f64>,
    residuals: Array1<f64>,
}

impl Objective for Quadratic {
    fn residuals(&self) -> &Array1<f64> {
        &self.residuals
    }

    fn jacobian_of(&self, rows: Range<usize>) -> Array2<f64> {
        self.design.slice(s![rows, ..]).to_owned()
    }

    fn taylor(&self, path: &[ArrayView1<f64>], rows: Range<usize>) -> Array1<f64> {
        let design = self.design.slice(s![rows.clone(), ..]);
        match path.last() {
            None => -design.t().dot(&self.residuals.slice(s![rows])),
            Some(last) if last.is_empty() => Array1::zeros(design.ncols()),
            Some(last) => design.t().dot(&design.dot(last)),
        }
    }

    fn hessian(&self) -> Array2<f64> {
        factor::gram(self.design.view())
    }
}

/// The linear smoother of a ridge fit, f(x) = Σᵢ wᵢ(x) yᵢ, from the singular values of the centred features.
///
/// The leave-one-out model of row i has penalty (n−1)λ in the sum of squares, because ℓᵢ takes its share of the
/// penalty with it. So a smoother has a number of rows of its own: n for the fit, n − 1 for the models without a row.
pub(crate) struct Smoother {
    x_mean: Array1<f64>,
    /// What the columns were divided by before the decomposition; 1 unless the solution is unique.
    scale: Array1<f64>,
    svd: Svd,
    lambda: f64,
    /// rows · λ.
    ridge: f64,
}

impl Smoother {
    pub(crate) fn new(sample: &Sample, lambda: f64) -> Result<Self> {
        check::not_negative("the ridge penalty λ", lambda, "0.1")?;
        let x_mean = sample.x().mean_axis(Axis(0)).expect("a sample has rows");
        let centred = sample.x() - &x_mean;
        let ridge = lambda * sample.len() as f64;
        let ones = Array1::ones(x_mean.len());
        if ridge == 0.0 {
            // A unique least-squares solution does not depend on the units of the columns, so take those that
            // are best for accuracy. If it is not unique, with all rows or without one, the solution of least norm
            // depends on them: keep them.
            let scale = centred.map_axis(Axis(0), |column| column.dot(&column).sqrt());
            if scale.iter().all(|&scale| scale > 1e-100) && centred.nrows() > centred.ncols() {
                let svd = decompose((&centred / &scale).view())?;
                let share = 1.0 / sample.len() as f64;
                let unique = svd.u.rows().into_iter().all(|u| u.dot(&u) + share < 1.0 - FREE);
                if svd.s.len() == x_mean.len() && unique {
                    return Ok(Self { x_mean, scale, svd, lambda, ridge });
                }
            }
        }
        Ok(Self { svd: decompose(centred.view())?, x_mean, scale: ones, lambda, ridge })
    }

    /// The same features with the penalty of another number of rows.
    pub(crate) fn with_rows(self, rows: usize) -> Self {
        Self { ridge: self.lambda * rows as f64, ..self }
    }

    /// The model that the smoother stands for.
    pub(crate) fn fit(&self, y: ArrayView1<f64>) -> Linear {
        let coefficients = self.coefficients(y);
        let intercept = self.y_mean(y) - self.x_mean.dot(&coefficients);
        Linear { intercept, coefficients, lambda: self.lambda, is_chosen: false }
    }

    fn y_mean(&self, y: ArrayView1<f64>) -> f64 {
        y.mean().unwrap_or(0.0)
    }

    /// s/(s² + ridge), the inverse that a ridge puts in place of 1/s.
    fn inverse(&self) -> Array1<f64> {
        self.svd.s.mapv(|s| s / (s * s + self.ridge))
    }

    /// β.
    fn coefficients(&self, y: ArrayView1<f64>) -> Array1<f64> {
        let centred = &y - self.y_mean(y);
        self.svd.v.dot(&(self.svd.u.t().dot(&centred) * self.inverse())) / &self.scale
    }

    /// wᵢ(x) = 1/n + (x − mean)·left·right[:, i]: the two factors, features × rank and rank × n.
    pub(crate) fn weights(&self) -> (Array2<f64>, Array2<f64>) {
        let left = &self.svd.v / &self.scale.view().insert_axis(Axis(1));
        let right = &self.svd.u.t() * &self.inverse().insert_axis(Axis(1));
        (left, right)
    }

    /// The mean of the features.
    pub(crate) fn x_mean(&self) -> &Array1<f64> {
        &self.x_mean
    }

    /// yᵢ − f₋ᵢ(xᵢ) for every row.
    ///
    /// ```text
    /// eᵢ/(1 − hᵢ)                    if row i leaves the rank as it is,
    /// (K⁺y)ᵢ/(K⁺)ᵢᵢ, K = X_c X_cᵀ     if it does not: then eᵢ = 0 and hᵢ = 1, and this is the limit λ → 0
    /// ```
    pub(crate) fn left_out_residuals(&self, y: ArrayView1<f64>) -> Array1<f64> {
        let (u, n) = (&self.svd.u, y.len());
        let centred = &y - self.y_mean(y);
        let shrink = self.svd.s.mapv(|s| s * s / (s * s + self.ridge));
        let projected = u.t().dot(&centred);
        let residuals = &centred - &u.dot(&(&projected * &shrink));
        let inverse = self.svd.s.mapv(|s| 1.0 / (s * s));
        let dual = u.dot(&(&projected * &inverse));
        Array1::from_shape_fn(n, |i| {
            let row = u.row(i);
            let square = |weights: &Array1<f64>| row.iter().zip(weights).map(|(u, w)| u * u * w).sum::<f64>();
            let free = 1.0 - 1.0 / n as f64 - square(&shrink);
            if free > FREE || self.ridge > 0.0 { residuals[i] / free } else { dual[i] / square(&inverse) }
        })
    }
}

/// The decomposition without the singular values that are zero up to rounding.
fn decompose(x: ArrayView2<f64>) -> Result<Svd> {
    let svd = factor::thin_svd(x).ok_or(Error::Diverged {
        what: "the singular value decomposition of the features",
        steps: 0,
        advice: "look for columns of very different magnitudes and rescale them",
    })?;
    let tolerance = x.nrows().max(x.ncols()) as f64 * f64::EPSILON * svd.s.first().copied().unwrap_or(0.0);
    let rank = svd.s.iter().take_while(|&&s| s > tolerance).count();
    let columns = s![.., ..rank];
    Ok(Svd {
        u: svd.u.slice(columns).to_owned(),
        s: svd.s.slice(s![..rank]).to_owned(),
        v: svd.v.slice(columns).to_owned(),
    })
}
