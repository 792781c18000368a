//! Bags: rows drawn with replacement.

use ndarray::{Array2, Axis};
use rand::{Rng, RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::check::refusal;
use crate::error::Result;

/// How often the bags are drawn until each row is missing from one.
const DRAWS: usize = 100;

/// A bag: its rows, and the seed of the model that sees them.
pub(crate) type Bag = (Vec<usize>, u64);

/// The bags, and for each row (a column) the weights of the models that have not seen it.
pub(crate) fn draw(n: usize, bags: usize, seed: u64) -> Result<(Vec<Bag>, Array2<f64>)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..DRAWS {
        let mut bag = || ((0..n).map(|_| rng.gen_range(0..n)).collect::<Vec<usize>>(), rng.next_u64());
        let drawn: Vec<Bag> = (0..bags).map(|_| bag()).collect();
        let mut weights = Array2::ones((bags, n));
        for ((rows, _), mut weights) in drawn.iter().zip(weights.rows_mut()) {
            rows.iter().for_each(|&row| weights[row] = 0.0);
        }
        let missing = weights.sum_axis(Axis(0));
        if missing.iter().all(|&models| models > 0.0) {
            return Ok((drawn, weights / missing));
        }
    }
    // 40 are enough for a million rows.
    Err(refusal("the number of bags", bags, "be large enough for each row to be missing from one", "40"))
}
