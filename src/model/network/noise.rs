//! Noise in training: random factors on the units that each layer reads.

use rand::Rng;

/// What multiplies the units that a layer reads.
pub(crate) trait Noise {
    /// Whether the units that layer `l` reads have factors at all.
    fn touches(&self, l: usize) -> bool;

    /// The factor of one of them.
    fn factor(&self, l: usize, rng: &mut impl Rng) -> f64;
}

/// Dropout: the shares of units that are switched off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    pub(crate) input: f64,
    pub(crate) hidden: f64,
}

impl Rates {
    /// No noise.
    pub(crate) const NONE: Self = Self { input: 0.0, hidden: 0.0 };

    fn before(&self, l: usize) -> f64 {
        if l == 0 { self.input } else { self.hidden }
    }
}

impl Noise for Rates {
    fn touches(&self, l: usize) -> bool {
        self.before(l) > 0.0
    }

    /// 0 for a unit switched off and 1/(1 − p) for the others.
    fn factor(&self, l: usize, rng: &mut impl Rng) -> f64 {
        let p = self.before(l);
        if rng.r#gen::<f64>() < p { 0.0 } else { 1.0 / (1.0 - p) }
    }
}
