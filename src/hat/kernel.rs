//! Kernel ridge regression: the Gaussian kernel, its width and its penalty by marginal likelihood, exact through the n × n form.

use std::fmt;
use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::Hat;
use super::level::Target;
use super::plan::Plan;
use super::source::Source;
use super::spectrum::Spectrum;
use crate::check;
use crate::error::{Error, Result};
use crate::factor::product;
use crate::model::{Features, Model};
use crate::sample::Sample;
use crate::wording::short;

/// The widths that are compared, in units of √d for d standardised columns: 2⁻³ … 2³ in steps of √2.
const STEPS: std::ops::RangeInclusive<i32> = -6..=6;

/// The Gaussian kernel of standardised columns, with an intercept that nothing penalises.
///
/// ```text
/// k(a, b) = exp( −Σⱼ ((aⱼ − bⱼ)/sⱼ)² / (2w²) )
/// ```
///
/// # Example
/// Every leave-one-out model of kernel ridge regression, from one decomposition:
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let kernel = GaussianKernel::by_likelihood(&train)?;
/// let loo = LeaveOneOut::tangent_of(kernel.clone(), &train, &Tangent::default())?;
/// assert!(loo.nested(test.x(), 0.1)?.coverage(test.y())?.rate > 0.8);
/// assert_eq!(loo.predict(test.x())?, KernelRidge::with(kernel, &train)?.predict(test.x())?);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct GaussianKernel {
    /// s.
    scales: Array1<f64>,
    width: f64,
    is_fixed: bool,
}

impl GaussianKernel {
    /// A kernel that no row has had a say in: the units of the columns and the width are given, so that everything is proven.
    ///
    /// # Errors
    /// [`Error::Choice`] for scales and widths that are not positive and finite.
    pub fn new(scales: Array1<f64>, width: f64) -> Result<Self> {
        scales.iter().try_for_each(|&scale| check::positive("the scale of a column", scale, "1"))?;
        check::positive("the width of the kernel", width, "1")?;
        Ok(Self { scales, width, is_fixed: true })
    }

    /// The columns in units of their deviations, and the width that makes the targets likeliest, κ being the best for each width.
    ///
    /// The kernel has then seen every row, so that nothing is proven of leaving one out.
    ///
    /// # Errors
    /// [`Error::Rows`] for fewer than three rows, [`Error::Memory`] for more than the machine has free.
    pub fn by_likelihood(sample: &Sample) -> Result<Self> {
        let n = sample.len();
        if n < 3 {
            return Err(Error::Rows { what: "a kernel by marginal likelihood".into(), need: 3, have: n });
        }
        let deviations = sample.x().std_axis(Axis(0), 0.0);
        let scales = deviations.mapv(|deviation| if deviation > 1e-100 { deviation } else { 1.0 });
        let u = sample.y() - sample.y().mean().unwrap_or(0.0);
        let unit = (sample.columns() as f64).sqrt();
        let mut best: Option<(f64, Self)> = None;
        for step in STEPS {
            let width = unit * 2f64.powf(0.5 * f64::from(step));
            let kernel = Self { scales: scales.clone(), width, is_fixed: false };
            let source = Source { features: &kernel, x: sample.x() };
            let spectrum = Spectrum::new(source, true, false, &Plan::new(n, usize::MAX))?;
            let value = Target::new(&spectrum, source, &u, 1.0 / n as f64).least();
            if best.as_ref().is_none_or(|(least, _)| value < *least) {
                best = Some((value, kernel));
            }
        }
        Ok(best.expect("there are widths").1)
    }

    /// w.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// s, one for each column.
    pub fn scales(&self) -> &Array1<f64> {
        &self.scales
    }
}

impl Features for GaussianKernel {
    fn columns(&self) -> usize {
        self.scales.len()
    }

    /// More than there are rows, whatever their number.
    fn width(&self) -> usize {
        usize::MAX
    }

    /// None that could be written down.
    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        Array2::zeros((x.nrows(), 0))
    }

    fn has_free_intercept(&self) -> bool {
        true
    }

    fn are_fixed(&self) -> bool {
        self.is_fixed
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        Some(&x / &self.scales)
    }

    fn kernel(&self, a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
        let inside = |x: ArrayView2<f64>| &x / &self.scales / self.width;
        let (a, b) = (inside(a), inside(b));
        let squares = |x: &Array2<f64>| x.map_axis(Axis(1), |row| row.dot(&row));
        let (left, right) = (squares(&a), squares(&b));
        let mut kernel = product(a.view(), b.t());
        for ((i, j), cell) in kernel.indexed_iter_mut() {
            // Rounding must not make two rows nearer than the same.
            *cell = (-0.5 * (left[i] + right[j] - 2.0 * *cell).max(0.0)).exp();
        }
        kernel
    }

    fn squares(&self, x: ArrayView2<f64>) -> Array1<f64> {
        Array1::ones(x.nrows())
    }
}

impl fmt::Debug for GaussianKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gaussian kernel of {} columns, width {}", self.scales.len(), short(self.width))
    }
}

/// A kernel ridge regression, fitted.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let sample = cubic(80, Feature::Uniform { half_width: 2.0 }, 0.3, 0)?;
/// let model = KernelRidge::fit(&sample)?;
/// let error = rmse(&model.predict(sample.x())?, sample.y())?;
/// assert!(error < 0.5, "{error}");
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone)]
pub struct KernelRidge {
    kernel: GaussianKernel,
    hat: Arc<Hat>,
}

impl KernelRidge {
    /// With the width and the penalty that make the targets likeliest.
    ///
    /// # Errors
    /// As [`GaussianKernel::by_likelihood`].
    pub fn fit(sample: &Sample) -> Result<Self> {
        Self::with(GaussianKernel::by_likelihood(sample)?, sample)
    }

    /// With a kernel, and the penalty by marginal likelihood.
    ///
    /// # Errors
    /// [`Error::Columns`] if the kernel has other columns, [`Error::Rows`] for fewer than three rows, [`Error::Memory`] for more than
    /// the machine has free.
    pub fn with(kernel: GaussianKernel, sample: &Sample) -> Result<Self> {
        if kernel.columns() != sample.columns() {
            return Err(Error::Columns { trained: kernel.columns(), given: sample.columns() });
        }
        let (x, u) = (Arc::new(sample.x().clone()), sample.y().clone());
        let hat = Hat::new(Arc::new(kernel.clone()), x, u, None)?;
        Ok(Self { kernel, hat: Arc::new(hat) })
    }

    /// The kernel.
    pub fn kernel(&self) -> &GaussianKernel {
        &self.kernel
    }

    /// κ.
    pub fn penalty(&self) -> f64 {
        self.hat.kappa()
    }
}

impl Model for KernelRidge {
    fn columns(&self) -> usize {
        self.kernel.columns()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.hat.predictions(x)
    }

    fn stated_deviation(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        Some(self.hat.deviations(x))
    }
}

impl fmt::Debug for KernelRidge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel ridge on {} rows: {:?}, κ = {}", self.hat.len(), self.kernel, short(self.penalty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::synthetic::linear;

    /// α = (K + κ)⁻¹(y − b), 1ᵀα = 0: the equations of kernel ridge with a free intercept, by elimination.
    #[test]
    fn predictions_solve_the_equations_of_kernel_ridge() {
        let sample = linear(12, 2, 3).unwrap();
        let model = KernelRidge::with(GaussianKernel::new(Array1::ones(2), 1.3).unwrap(), &sample).unwrap();
        let (n, kappa) = (sample.len(), model.penalty());
        let mut system = Array2::<f64>::zeros((n + 1, n + 2));
        for i in 0..n {
            for j in 0..n {
                let apart: f64 = (&sample.x().row(i) - &sample.x().row(j)).mapv(|d| d * d).sum();
                system[[i, j]] = (-apart / (2.0 * 1.3 * 1.3)).exp() + if i == j { kappa } else { 0.0 };
            }
            (system[[i, n]], system[[n, i]], system[[i, n + 1]]) = (1.0, 1.0, sample.y()[i]);
        }
        for k in 0..=n {
            let pivot = (k..=n).max_by(|&a, &b| system[[a, k]].abs().total_cmp(&system[[b, k]].abs())).unwrap();
            for column in 0..n + 2 {
                system.swap([k, column], [pivot, column]);
            }
            for i in (0..=n).filter(|&i| i != k) {
                let factor = system[[i, k]] / system[[k, k]];
                for column in 0..n + 2 {
                    system[[i, column]] -= factor * system[[k, column]];
                }
            }
        }
        let solution: Vec<f64> = (0..=n).map(|k| system[[k, n + 1]] / system[[k, k]]).collect();
        let point = ndarray::array![[0.3, -0.7]];
        let kernel = model.kernel().kernel(point.view(), sample.x().view());
        let expected = solution[n] + kernel.iter().zip(&solution).map(|(k, a)| k * a).sum::<f64>();
        assert!((model.evaluate(point.view())[0] - expected).abs() < 1e-9);
    }
}
