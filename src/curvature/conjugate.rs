//! H⁻¹ by conjugate gradients on Hessian products.

use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, Axis, s};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::ops::Range;

use super::problem::{Inverse, Problem};
use super::report::{Reached, worst};
use super::{Curvature, raise};
use crate::error::{Error, Result};
use crate::model::linearised::Linearised;

/// The residual of the recursion, relative to the right-hand side, at which it ends.
const TOLERANCE: f64 = 1e-12;
/// The largest true residual of a solution: the recursion's own may be smaller where H is nearly singular.
const SOLVED: f64 = 1e-6;
/// Rows whose derivatives are held at a time.
const BLOCK: usize = 32;
/// Partial sums of a sum over all of the Jacobian.
const LANES: usize = 8;

pub(super) struct ConjugateGradients<'a> {
    pub(super) product: Product<'a>,
    /// The mean diagonal of Gauss–Newton, which dampings are measured against.
    scale: f64,
    pub(super) damping: f64,
    /// The most steps that a solution may take.
    steps: usize,
}

/// v ↦ H·v, without damping.
pub(super) struct Product<'a> {
    problem: Problem<'a>,
}

impl<'a> Product<'a> {
    pub(super) fn apply(&self, v: ArrayView1<f64>) -> Array1<f64> {
        self.over(v, 0..self.problem.here.rows())
    }

    /// The product with the mean over some of the rows.
    pub(super) fn over(&self, v: ArrayView1<f64>, rows: Range<usize>) -> Array1<f64> {
        let (n, here) = (rows.len() as f64, self.problem.here);
        let sum = match self.problem.options.curvature {
            Curvature::GaussNewton => {
                let part = here.jacobian().slice(s![rows, ..]);
                part.t().dot(&part.dot(&v))
            }
            Curvature::Exact => here.objective().taylor(&[v], rows),
        };
        sum / n + &self.problem.penalty * &v
    }

    /// ‖b − (H + D·I)z‖/‖b‖, with all rows.
    pub(super) fn residual(&self, b: ArrayView1<f64>, z: &Array1<f64>, damping: f64) -> f64 {
        let rest = &b - &self.apply(z.view()) - damping * z;
        let size = b.dot(&b).sqrt();
        if size > 0.0 { rest.dot(&rest).sqrt() / size } else { 0.0 }
    }
}

impl<'a> ConjugateGradients<'a> {
    pub(super) fn new(problem: Problem<'a>) -> Result<Self> {
        // In exact arithmetic p steps are enough; rounding takes a few times that.
        let steps = 20 * problem.penalty.len() + 100;
        let (n, p) = (problem.here.rows() as f64, problem.penalty.len());
        let squares = squares(problem.here, problem.options.curvature) / n;
        let scale = ((squares + problem.penalty.sum()) / p as f64).max(f64::MIN_POSITIVE);
        let (damping, seed) = (problem.damping, problem.options.seed);
        let mut solver = Self { product: Product { problem }, scale, damping, steps };
        // A random vector has a part along every eigenvector, so its solution meets negative curvature if any is there.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let probe = Array1::from_shape_simple_fn(p, || rng.gen_range(-1.0..1.0));
        while solver.solve(probe.view()).is_none() {
            solver.damping = raise(solver.damping, scale)?;
        }
        Ok(solver)
    }

    /// (H + D·I)⁻¹b and what was reached; `None` where the curvature is not positive.
    fn solve(&self, b: ArrayView1<f64>) -> Option<(Array1<f64>, Reached)> {
        let target = TOLERANCE * b.dot(&b).sqrt();
        let (mut z, mut residual, mut direction) = (Array1::zeros(b.len()), b.to_owned(), b.to_owned());
        let mut square = residual.dot(&residual);
        let mut steps = 0;
        while square.sqrt() > target && steps < self.steps {
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
            steps += 1;
        }
        if square.is_nan() || z.iter().any(|z: &f64| !z.is_finite()) {
            return None;
        }
        let reached = self.product.residual(b, &z, self.damping);
        let converged = square.sqrt() <= target && reached <= SOLVED;
        Some((z, Reached { residual: reached, steps, converged }))
    }
}

/// Σ Jᵢⱼ², from blocks of rows unless the Jacobian is kept anyway.
///
/// The partial sums are those by which ndarray adds up a whole array, so blocks give the same number to its last digit.
fn squares(here: &Linearised, curvature: Curvature) -> f64 {
    let (n, p) = (here.rows(), here.penalty().len());
    let (mut lanes, mut tail, mut count) = ([0.0; LANES], Vec::new(), 0);
    let whole = n * p / LANES * LANES;
    let mut add = |&j: &f64| {
        if count < whole {
            lanes[count % LANES] += j * j;
        } else {
            tail.push(j * j);
        }
        count += 1;
    };
    match curvature {
        Curvature::GaussNewton => here.jacobian().iter().for_each(add),
        Curvature::Exact => {
            for start in (0..n).step_by(BLOCK) {
                here.objective().jacobian_of(start..(start + BLOCK).min(n)).iter().for_each(&mut add);
            }
        }
    }
    let half = LANES / 2;
    let sum = (0..half).fold(0.0, |sum, k| sum + (lanes[k] + lanes[k + half]));
    tail.into_iter().fold(sum, |sum, square| sum + square)
}

impl Inverse for ConjugateGradients<'_> {
    fn solve_rows(&self, rows: &mut Array2<f64>) -> Result<Option<Reached>> {
        let solve = |mut row: ArrayViewMut1<f64>| {
            let (z, reached) = self.solve(row.view())?;
            row.assign(&z);
            Some(Some(reached))
        };
        let solved = rows.axis_iter_mut(Axis(0)).into_par_iter().map(solve);
        solved.try_reduce(|| None, |a, b| Some(worst(a, b))).ok_or_else(|| Error::Curvature {
            damping: self.damping,
            scale: self.scale,
            advice: "raise the damping, or use Gauss–Newton curvature".into(),
        })
    }

    fn damping(&self) -> f64 {
        self.damping
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::network::Training;
    use crate::sample::tables::Table;

    #[test]
    fn the_scale_is_the_same_from_blocks_and_from_the_whole_jacobian() {
        for (rows, hidden) in [(41, 7), (64, 4), (100, 5)] {
            let sample = Table::Yacht.load().rows(&(0..rows).collect::<Vec<_>>()).unwrap();
            let network = Training::default().hidden(&[hidden]).epochs(3).fit(&sample).unwrap();
            let here = Linearised::new(&network, &sample);
            let whole = here.objective().jacobian().mapv(|j| j * j).sum();
            assert_eq!(squares(&here, Curvature::Exact), whole);
            assert_eq!(squares(&here, Curvature::GaussNewton), whole);
        }
    }
}
