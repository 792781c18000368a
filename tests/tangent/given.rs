//! Problems to try the tangent on: features that are given, and rows at random.

use jackknife::prelude::*;
use ndarray::{Array1, Array2, ArrayView2, s};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Features, places and offsets as the columns of x: features first, then the places, then the offset.
#[derive(Clone)]
pub struct Given {
    pub width: usize,
    /// 0 measures what is near by the columns of x.
    pub places: usize,
    pub unit: f64,
    pub free: bool,
    pub penalty: Option<f64>,
}

impl Given {
    pub fn new(width: usize, places: usize) -> Self {
        Self { width, places, unit: 1.0, free: false, penalty: None }
    }
}

impl Features for Given {
    fn columns(&self) -> usize {
        self.width + self.places + 1
    }

    fn width(&self) -> usize {
        self.width
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        x.slice(s![.., ..self.width]).to_owned()
    }

    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        x.column(x.ncols() - 1).to_owned()
    }

    fn unit(&self) -> f64 {
        self.unit
    }

    fn has_free_intercept(&self) -> bool {
        self.free
    }

    fn penalty(&self) -> Option<f64> {
        self.penalty
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        (self.places > 0).then(|| x.slice(s![.., self.width..self.width + self.places]).to_owned())
    }

    fn are_fixed(&self) -> bool {
        true
    }
}

/// Normal numbers.
pub fn normal(rng: &mut Xoshiro256PlusPlus, shape: (usize, usize)) -> Array2<f64> {
    Array2::from_shape_simple_fn(shape, || rng.sample(StandardNormal))
}

pub fn seeded(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Rows whose target is linear in the first of some columns of unequal size, with noise that grows with the second.
pub fn rows(n: usize, columns: usize, seed: u64) -> Sample {
    let mut rng = seeded(seed);
    let mut x = normal(&mut rng, (n, columns));
    x.columns_mut().into_iter().enumerate().for_each(|(k, mut column)| column *= 1.5f64.powi(k as i32 % 5 - 2));
    let noise = normal(&mut rng, (n, 2));
    let theta = normal(&mut rng, (columns, 1));
    let y = Array1::from_shape_fn(n, |i| {
        let signal: f64 = (0..columns.min(6)).map(|k| theta[[k, 0]] * x[[i, k]]).sum();
        2.0 + signal + noise[[i, 0]] * (0.3 + x[[i, columns.min(2) - 1]].abs())
    });
    Sample::new(x, y).unwrap()
}

/// The same sample with its columns of zeros, and so many of them, after the first `width`.
pub fn padded(x: &Array2<f64>, width: usize, zeros: usize) -> Array2<f64> {
    let (left, right) = (x.slice(s![.., ..width]), x.slice(s![.., width..]));
    ndarray::concatenate(ndarray::Axis(1), &[left, Array2::zeros((x.nrows(), zeros)).view(), right]).unwrap()
}

/// Whether two numbers agree to so many parts of their size, or of `scale` where they are smaller.
pub fn agree(found: f64, expected: f64, tolerance: f64, scale: f64) -> bool {
    found == expected || (found - expected).abs() <= tolerance * expected.abs().max(scale)
}

/// Refuses arrays that do not agree, in units of the larger of each number and `scale`.
pub fn close<'a>(
    found: impl IntoIterator<Item = &'a f64>,
    expected: impl IntoIterator<Item = &'a f64>,
    tolerance: f64,
    scale: f64,
    what: &str,
) {
    let (found, expected): (Vec<&f64>, Vec<&f64>) = (found.into_iter().collect(), expected.into_iter().collect());
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (&&found, &&expected)) in found.iter().zip(&expected).enumerate() {
        assert!(agree(found, expected, tolerance, scale), "{what} {k}: {found} against {expected}");
    }
}
