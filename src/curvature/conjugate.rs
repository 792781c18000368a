//! H⁻¹ by conjugate gradients on Hessian products.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{Curvature, Inverse, Problem, raise};
use crate::error::{Error, Result};

/// The residual, relative to the right-hand side, at which a solution is good.
const TOLERANCE: f64 = 1e-12;

pub(super) struct ConjugateGradients<'a> {
    product: Product<'a>,
    /// The mean diagonal of Gauss–Newton, which dampings are measured against.
    scale: f64,
    damping: f64,
}

/// v ↦ H·v, without damping.
pub(super) struct Product<'a> {
    pub(super) problem: Problem<'a>,
    jacobian: Option<Array2<f64>>,
}

impl<'a> Product<'a> {
    pub(super) fn new(problem: Problem<'a>) -> Self {
        let jacobian = (problem.curvature == Curvature::GaussNewton).then(|| problem.objective.jacobian());
        Self { problem, jacobian }
    }

    pub(super) fn apply(&self, v: ArrayView1<f64>) -> Array1<f64> {
        self.over(v, 0..self.problem.rows())
    }

    /// The product with the mean over some of the rows.
    pub(super) fn over(&self, v: ArrayView1<f64>, rows: std::ops::Range<usize>) -> Array1<f64> {
        let n = rows.len() as f64;
        let sum = match &self.jacobian {
            Some(jacobian) => {
                let part = jacobian.slice(ndarray::s![rows, ..]);
                part.t().dot(&part.dot(&v))
            }
            None => self.problem.objective.taylor(&[v], rows),
        };
        sum / n + &self.problem.penalty * &v
    }
}

impl<'a> ConjugateGradients<'a> {
    pub(super) fn new(problem: Problem<'a>) -> Result<Self> {
        let (n, p) = (problem.rows() as f64, problem.penalty.len() as f64);
        let squares = problem.objective.jacobian().mapv(|j| j * j).sum() / n;
        let scale = ((squares + problem.penalty.sum()) / p).max(f64::MIN_POSITIVE);
        let (damping, seed) = (problem.damping, problem.seed);
        let mut solver = Self { product: Product::new(problem), scale, damping };
        // A random vector has a part along every eigenvector, so its solution meets negative curvature if any is there.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let probe = Array1::from_shape_simple_fn(p as usize, || rng.gen_range(-1.0..1.0));
        while solver.solve(probe.view()).is_none() {
            solver.damping = raise(solver.damping, scale)?;
        }
        Ok(solver)
    }

    /// (H + D·I)⁻¹b; `None` where the curvature is not positive.
    fn solve(&self, b: ArrayView1<f64>) -> Option<Array1<f64>> {
        let target = TOLERANCE * b.dot(&b).sqrt();
        let (mut z, mut residual, mut direction) = (Array1::zeros(b.len()), b.to_owned(), b.to_owned());
        let mut square = residual.dot(&residual);
        // In exact arithmetic p steps are enough; rounding takes a few times that.
        for _ in 0..20 * b.len() + 100 {
            if square.sqrt() <= target {
                break;
            }
            let image = self.product.apply(direction.view()) + self.damping * &direction;
            let bend = direction.dot(&image);
            if bend <= 1e-14 * self.scale * direction.dot(&direction) {
                return None;
            }
            let step = square / bend;
            z.scaled_add(step, &direction);
            residual.scaled_add(-step, &image);
            let next = residual.dot(&residual);
            direction *= next / square;
            direction += &residual;
            square = next;
        }
        z.iter().all(|z| z.is_finite()).then_some(z)
    }
}

impl Inverse for ConjugateGradients<'_> {
    fn solve_rows(&self, rows: &mut Array2<f64>) -> Result<()> {
        let solved: Option<Vec<_>> = rows.axis_iter(Axis(0)).into_par_iter().map(|b| self.solve(b)).collect();
        let solved = solved.ok_or_else(|| Error::Curvature {
            damping: self.damping,
            scale: self.scale,
            advice: "raise the damping, or use Gauss–Newton curvature".into(),
        })?;
        rows.axis_iter_mut(Axis(0)).zip(solved).for_each(|(mut row, z)| row.assign(&z));
        Ok(())
    }

    fn damping(&self) -> f64 {
        self.damping
    }
}
