//! Bring your own model: a prediction formula, written once over a generic scalar.
//!
//! Implement [`Formula`] in one notebook cell and the crate derives gradients, Hessian products and directional
//! derivatives of any order from it, exactly. [`Curve::fit`] finds the parameters; the curve is then as good a
//! [`Differentiable`] model as the network.

pub mod scalar;
mod series;
mod tape;

use std::fmt;
use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use super::{Differentiable, Model, Objective, reminimised};
use crate::check;
use crate::error::Result;
use crate::sample::Sample;
pub use scalar::Scalar;
use tape::{Tape, Value};

/// A prediction formula f(x; θ).
///
/// # Example
/// The Michaelis–Menten curve of enzyme kinetics, rate = v·x/(k + x):
/// ```
/// use jackknife::prelude::*;
/// #[derive(Clone)]
/// struct MichaelisMenten;
/// impl Formula for MichaelisMenten {
///     fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
///         let (v, k) = (theta[0], theta[1]);
///         v * x[0] / (k + x[0])
///     }
/// }
/// let x = ndarray::array![[0.02], [0.06], [0.11], [0.22], [0.56], [1.10]];
/// let y = ndarray::array![61.5, 102.5, 131.0, 155.5, 196.0, 203.5];
/// let puromycin = Sample::new(x, y)?;
/// let curve = Curve::fit(MichaelisMenten, &puromycin, &[200.0, 0.1], 0.0)?;
/// let loo = LeaveOneOut::influence(&curve, &puromycin, &Influence::order(3))?;
/// assert_eq!(loo.residuals().len(), 6);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub trait Formula: Clone + Send + Sync + 'static {
    /// The prediction at one row `x` for the parameters θ.
    ///
    /// `S` is `f64` when predicting and a recording scalar when differentiating, so write constants on the right:
    /// `theta[0] * 2.0`, or `S::from(2.0) * theta[0]`.
    fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S;
}

/// A formula with its parameters: f(·; θ̂).
#[derive(Clone)]
pub struct Curve<F: Formula> {
    formula: F,
    at: Point,
}

impl<F: Formula> Curve<F> {
    /// A formula with parameters found elsewhere; `columns` is the number of features it reads.
    pub fn new(formula: F, theta: &[f64], columns: usize, l2: f64) -> Self {
        Self { formula, at: Point { theta: theta.to_vec().into(), columns, l2 } }
    }

    /// Minimises L from `start` by a damped Newton method; `l2` is λ on every parameter.
    ///
    /// # Errors
    /// [`Error::Choice`](crate::Error::Choice) for no parameters or a negative λ,
    /// [`Error::NotFinite`](crate::Error::NotFinite) if the formula is not finite at `start`,
    /// [`Error::Diverged`](crate::Error::Diverged) if no minimum is reached.
    pub fn fit(formula: F, sample: &Sample, start: &[f64], l2: f64) -> Result<Self> {
        check(start, l2)?;
        reminimised(&Self::new(formula, start, sample.columns(), l2), sample)
    }
}

fn check(start: &[f64], l2: f64) -> Result<()> {
    check::at_least_one("the number of parameters", start.len(), "start values for each of them")?;
    check::penalty(l2)
}

impl<F: Formula> fmt::Debug for Curve<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.at, f)
    }
}

impl<F: Formula> Model for Curve<F> {
    fn columns(&self) -> usize {
        self.at.columns
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.at.evaluate(x, &|theta, x| self.formula.predict(theta, x))
    }
}

impl<F: Formula> Differentiable for Curve<F> {
    fn parameters(&self) -> Array1<f64> {
        self.at.theta.clone()
    }

    fn with_parameters(&self, theta: ArrayView1<f64>) -> Self {
        Self { formula: self.formula.clone(), at: self.at.moved(theta) }
    }

    fn penalty(&self) -> Array1<f64> {
        self.at.penalty()
    }

    fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a> {
        let fitted = self.evaluate(sample.x().view());
        self.at.objective(sample, &fitted, &|theta, x| self.formula.predict(theta, x))
    }
}

/// All of a curve but its formula: what compiles once for every formula.
#[derive(Clone)]
struct Point {
    theta: Array1<f64>,
    columns: usize,
    l2: f64,
}

impl Point {
    fn moved(&self, theta: ArrayView1<f64>) -> Self {
        Self { theta: theta.to_owned(), columns: self.columns, l2: self.l2 }
    }

    fn penalty(&self) -> Array1<f64> {
        Array1::from_elem(self.theta.len(), self.l2)
    }

    fn evaluate(&self, x: ArrayView2<f64>, formula: &dyn Fn(&[f64], &[f64]) -> f64) -> Array1<f64> {
        let theta = self.theta.as_slice().expect("standard layout");
        x.rows().into_iter().map(|row| formula(theta, &row.to_vec())).collect()
    }

    /// Records the formula at every row; `fitted` is what it predicts there.
    fn objective<'a>(
        &'a self,
        sample: &'a Sample,
        fitted: &Array1<f64>,
        formula: &dyn Fn(&[Value], &[f64]) -> Value,
    ) -> Box<dyn Objective + 'a> {
        let record = |x: ArrayView1<f64>| Tape::record(self.theta.len(), &|theta| formula(theta, &x.to_vec()));
        Box::new(Recorded {
            theta: &self.theta,
            residuals: sample.y() - fitted,
            y: sample.y(),
            tapes: sample.x().rows().into_iter().map(record).collect(),
        })
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "formula with θ = {:.6}, λ = {}", self.theta, self.l2)
    }
}

/// The squared error of a formula, with the formula recorded at every row.
struct Recorded<'a> {
    theta: &'a Array1<f64>,
    y: &'a Array1<f64>,
    residuals: Array1<f64>,
    tapes: Vec<Tape>,
}

impl Objective for Recorded<'_> {
    fn residuals(&self) -> &Array1<f64> {
        &self.residuals
    }

    fn jacobian_of(&self, rows: Range<usize>) -> Array2<f64> {
        let mut jacobian = Array2::zeros((rows.len(), self.theta.len()));
        let theta = tape::curve(self.theta, &[]);
        for (mut row, tape) in jacobian.rows_mut().into_iter().zip(&self.tapes[rows]) {
            let (_, gradient) = tape.differentiate(&theta, 0);
            row.assign(&ArrayView1::from(&gradient));
        }
        jacobian
    }

    fn taylor(&self, path: &[ArrayView1<f64>], rows: Range<usize>) -> Array1<f64> {
        let order = path.len();
        let theta = tape::curve(self.theta, path);
        let mut sum = Array1::zeros(self.theta.len());
        for i in rows {
            // ∇½(y − f)² = (f − y)∇f, a product of two series.
            let (mut value, gradient) = self.tapes[i].differentiate(&theta, order);
            value[0] -= self.y[i];
            for (sum, gradient) in sum.iter_mut().zip(gradient.chunks(order + 1)) {
                *sum += (0..=order).map(|j| value[j] * gradient[order - j]).sum::<f64>();
            }
        }
        sum
    }
}
