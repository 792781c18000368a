//! What is kept and what is made again, decided from the sizes alone.

use crate::error::{Error, Result};
use crate::memory;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Above so many rows the nearest are searched in a pool, and no array of rows × features is kept.
const MANY: usize = 50_000;
/// Nor where it would have more numbers than this, a gigabyte.
const KEPT: usize = 1 << 27;
/// Rows that a pool has about.
const POOL: usize = 10_000;
/// Features or rows, whichever are fewer, of the largest decomposition that is tried: its time grows with their cube.
const LARGEST: usize = 12_000;
/// The coins of every sample are the same.
const SEED: u64 = 0;

/// Matrices of the decomposition's size that are held at a time.
const DECOMPOSED: f64 = 5.0;
const ADVICE: &str = "a network with fewer hidden units would fit, or a sample of the rows";

/// How a ridge on many rows goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// How many rows the pool of neighbours has about; `None` for all of them, whose features are then kept.
    pub(super) pool: Option<usize>,
    /// Whether the rows' features are made again whenever they are asked for.
    pub(super) streamed: bool,
}

impl Plan {
    /// What suits n rows of p features; with p ≥ n only the kernel of the rows is kept, and all of them are.
    pub(super) fn new(n: usize, p: usize) -> Self {
        let is_large = p < n && (n > MANY || n * p > KEPT);
        Self { pool: is_large.then_some(POOL), streamed: is_large }
    }

    /// Gigabytes that n rows of p features take: what is kept of the rows, and the decomposition.
    pub(super) fn gigabytes(&self, n: usize, p: usize) -> f64 {
        let rank = n.min(p) as f64;
        // Two levels of the pool: most tangents have one or two different κ.
        let kept = if self.streamed { 2.0 * self.pool.unwrap_or(n) as f64 } else { n as f64 };
        8e-9 * (kept * rank + DECOMPOSED * rank * rank)
    }

    /// Refuses what the machine has not the memory for, and what would take hours, before anything is allocated.
    pub(super) fn check(&self, n: usize, p: usize, words: &str) -> Result<()> {
        let (rank, gigabytes) = (n.min(p), self.gigabytes(n, p));
        if rank > LARGEST {
            let limit = self.gigabytes(n.min(LARGEST), p.min(LARGEST));
            let what = format!("the tangent of {n} rows in {words}, a decomposition of {rank} × {rank} numbers,");
            let whose = "of 12,000 features or rows, the most that it is tried with";
            return Err(Error::Memory { what, gigabytes, limit, whose, advice: ADVICE });
        }
        memory::check(|| format!("the tangent of {n} rows in {words}"), gigabytes, ADVICE)
    }

    /// The rows of the pool, rising: each is in it by a coin of its own, that neither the row nor any other has a say in.
    pub(super) fn drawn(&self, rows: usize) -> Option<Vec<usize>> {
        let share = self.pool? as f64 / rows as f64;
        if share >= 1.0 {
            return Some((0..rows).collect());
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
        Some((0..rows).filter(|_| rng.gen_bool(share)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_problems_keep_everything_and_a_pool_has_about_its_size() {
        assert_eq!(Plan::new(43_000, 2_500), Plan { pool: None, streamed: false });
        assert_eq!(Plan::new(10_000, usize::MAX), Plan { pool: None, streamed: false });
        assert!(Plan::new(40_000, 10_000).streamed);
        let pool = Plan::new(1_000_000, 1_000).drawn(1_000_000).unwrap();
        // Six deviations of the binomial distribution.
        assert!(pool.len().abs_diff(POOL) < 600, "{}", pool.len());
        assert!(pool.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
