//! An unknown precision: what is believed about 1/variance, and how one observation changes it.

/// A variance that is known, or a Gamma distribution of its inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Precision {
    /// The variance itself.
    Known(f64),
    /// 1/variance ~ Gamma(shape α, rate β).
    Gamma { shape: f64, rate: f64 },
}

impl Precision {
    /// The authors' prior of both precisions, Gamma(6, 6).
    pub(super) const PRIOR: Self = Self::Gamma { shape: 6.0, rate: 6.0 };

    /// The variance, or its mean β/(α − 1).
    pub(super) fn variance(self) -> f64 {
        match self {
            Self::Known(variance) => variance,
            Self::Gamma { shape, rate } => rate / (shape - 1.0),
        }
    }

    /// The belief after a value `difference` away from a Gaussian whose mean is itself uncertain by `spread`.
    ///
    /// ```text
    /// Z(α) = N(difference; 0, spread + β/(α − 1)),    Z₁ = Z(α + 1),  Z₂ = Z(α + 2)
    /// α ← [ Z·Z₂·Z₁⁻²·(α + 1)/α − 1 ]⁻¹
    /// β ← [ Z₂·Z₁⁻¹·(α + 1)/β − Z₁·Z⁻¹·α/β ]⁻¹       Hernández-Lobato & Adams 2015
    /// ```
    ///
    /// It matches the first two moments of the precision. A step that leaves α > 1, β > 0 is not made.
    pub(super) fn after(self, difference: f64, spread: f64) -> Self {
        let Self::Gamma { shape, rate } = self else { return self };
        let log_z = |shape: f64| {
            let variance = spread + rate / (shape - 1.0);
            -0.5 * (variance.ln() + difference * difference / variance)
        };
        let (z, z1, z2) = (log_z(shape), log_z(shape + 1.0), log_z(shape + 2.0));
        let next = Self::Gamma {
            shape: 1.0 / ((z + z2 - 2.0 * z1).exp() * (shape + 1.0) / shape - 1.0),
            rate: 1.0 / ((z2 - z1).exp() * (shape + 1.0) / rate - (z1 - z).exp() * shape / rate),
        };
        if next.is_proper() { next } else { self }
    }

    /// Whether β/(α − 1) is a variance.
    pub(super) fn is_proper(self) -> bool {
        match self {
            Self::Known(variance) => variance > 0.0,
            Self::Gamma { shape, rate } => shape > 1.0 && rate > 0.0 && shape.is_finite() && rate.is_finite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_observations_tell_the_variance() {
        // Deviations of ±2, each blurred by a spread of 1: what is left for the noise is 4 − 1.
        let blurred = (0..2000).fold(Precision::PRIOR, |precision, _| precision.after(2.0, 1.0));
        assert!((blurred.variance() - 3.0).abs() < 0.05, "{blurred:?}");
    }

    #[test]
    fn a_sharp_belief_moves_as_the_conjugate_one() {
        // Without spread the exact posterior is Gamma(α + ½, β + ½d²); Z for Student's density errs by 1/α.
        let Precision::Gamma { shape, rate } = (Precision::Gamma { shape: 500.0, rate: 400.0 }).after(1.3, 0.0) else {
            panic!("a Gamma distribution stays one")
        };
        assert!((shape / rate / (500.5 / (400.0 + 0.845)) - 1.0).abs() < 1e-5, "{shape} {rate}");
        assert!((shape - 500.5).abs() < 0.2 * 0.5 + 0.05, "{shape}");
    }
}
