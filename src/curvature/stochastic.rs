//! H⁻¹ by the paper's stochastic series (Section 3.3, Steps 3–5), mended.
//!
//! ```text
//! zₖ₊₁ = zₖ + (b − H_B zₖ)/σ,    H_B the Hessian of L over a minibatch B,   z → H⁻¹b
//! ```
//!
//! The paper asks for H ⪰ 1; the series converges for 0 ≺ H ≺ 2, so it is scaled by σ, twice the largest
//! eigenvalue that power iteration finds. The second half of the iterates is averaged, which damps the noise of
//! the minibatches. A growing iterate is an error, not an answer; an H with negative curvature, along which every iterate
//! grows, has its damping raised first; and the residual of the average is measured with the full H.
//!
//! k terms apply (1 − (1 − h/σ)ᵏ)/h instead of 1/h to an eigenvalue h: k/σ where h is far below σ/k, which is what a damping of
//! σ/k does. The residual hardly sees those directions, and the intervals do, so this is reported too.

use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, Axis};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::ops::Range;

use super::conjugate::{ConjugateGradients, Product};
use super::problem::{Inverse, Problem};
use super::report::{Reached, worst};
use crate::error::{Error, Result};

/// Rows of a minibatch.
const BATCH: usize = 50;
/// Terms of the series.
const STEPS: usize = 4000;
/// The largest residual of a solution: a digit must be right.
const SOLVED: f64 = 0.1;

pub(super) struct Stochastic<'a> {
    product: Product<'a>,
    sigma: f64,
    damping: f64,
    /// The minibatches, the same for every right-hand side.
    batches: Vec<Range<usize>>,
}

impl<'a> Stochastic<'a> {
    pub(super) fn new(problem: Problem<'a>) -> Result<Self> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(problem.options.seed);
        let n = problem.here.rows();
        // Runs of rows of nearly equal sizes; a random row chooses its run, so every row is as likely as any other.
        let runs = n.div_ceil(BATCH);
        let start = |run: usize| run * n / runs;
        let batches = (0..STEPS).map(|_| {
            let row = rng.gen_range(0..n);
            let run = (0..runs).rev().find(|&run| start(run) <= row).unwrap_or(0);
            start(run)..start(run + 1)
        });
        let batches = batches.collect();
        let p = problem.penalty.len();
        let ConjugateGradients { product, damping, .. } = ConjugateGradients::new(problem)?;
        let mut v: Array1<f64> = Array1::from_shape_simple_fn(p, || rng.gen_range(-1.0..1.0));
        let mut largest = 0.0;
        for _ in 0..50 {
            v /= v.dot(&v).sqrt();
            v = product.apply(v.view()) + damping * &v;
            largest = v.dot(&v).sqrt();
            if !(largest > 0.0 && largest.is_finite()) {
                break;
            }
        }
        if !(largest > 0.0 && largest.is_finite()) {
            return Err(Error::Diverged { what: "the power iteration", steps: 50, advice: "use the solver `dense`" });
        }
        Ok(Self { product, sigma: 2.0 * largest, damping, batches })
    }

    fn solve(&self, b: ArrayView1<f64>) -> Result<(Array1<f64>, Reached)> {
        let damping = self.damping;
        let limit = 1e8 * b.dot(&b).sqrt() / self.sigma;
        let (mut z, mut mean) = (&b / self.sigma, Array1::zeros(b.len()));
        for (step, rows) in self.batches.iter().enumerate() {
            let image = self.product.over(z.view(), rows.clone()) + damping * &z;
            z.scaled_add(1.0 / self.sigma, &(&b - &image));
            let size = z.dot(&z).sqrt();
            if !size.is_finite() || size > limit {
                return Err(Error::Diverged {
                    what: "the stochastic series for the inverse Hessian",
                    steps: step + 1,
                    advice: "raise the damping, or use the solver `dense` or `cg`",
                });
            }
            if 2 * step >= STEPS {
                mean += &z;
            }
        }
        let z = mean / (STEPS / 2) as f64;
        let residual = self.product.residual(b, &z, damping);
        Ok((z, Reached { residual, steps: STEPS, converged: residual <= SOLVED }))
    }
}

impl Inverse for Stochastic<'_> {
    fn solve_rows(&self, rows: &mut Array2<f64>) -> Result<Option<Reached>> {
        let solve = |mut row: ArrayViewMut1<f64>| {
            let (z, reached) = self.solve(row.view())?;
            row.assign(&z);
            Ok(Some(reached))
        };
        rows.axis_iter_mut(Axis(0)).into_par_iter().map(solve).try_reduce(|| None, |a, b| Ok(worst(a, b)))
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    /// σ/k at the mean k of the iterates averaged.
    fn cut(&self) -> Option<f64> {
        Some(self.sigma / (0.75 * STEPS as f64))
    }
}
