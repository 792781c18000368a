//! The tangent's rules: residuals in units of a scale that has not seen the row left out.
//!
//! ```text
//! nested    [ Q⁻_α{f₋ᵢ(x) − |qᵢ|s₋ᵢ(x)},  Q⁺_α{f₋ᵢ(x) + |qᵢ|s₋ᵢ(x)} ]           ≥ 1 − 2α
//! signed    [ Q⁻_{α/2}{f₋ᵢ(x) + qᵢs₋ᵢ(x)},  Q⁺_{α/2}{f₋ᵢ(x) + qᵢs₋ᵢ(x)} ]        ≥ 1 − 2α
//! full      { y : the studentised residual of (x, y) is not among the α(n+1) largest }   ≥ 1 − α for a fixed κ
//! laplace   f(x) ± z·σ√(1 + g(x)),   z the normal quantile                       none, for comparison
//! ```
//!
//! Where and why they are proven is told in [`leave_one_out::tangent`](crate::leave_one_out::tangent).

use ndarray::{Array1, Array2};

use super::{Guarantee, Recipe};
use crate::error::{Error, Result};
use crate::hat::Asked;
use crate::leave_one_out::LeaveOneOut;
use crate::normal;
use crate::quantile::Ranks;
use crate::sample::check_points;

/// [ Q⁻{f₋ᵢ(x) − |qᵢ|s₋ᵢ(x)}, Q⁺{f₋ᵢ(x) + |qᵢ|s₋ᵢ(x)} ].
pub(super) struct Nested;

/// The same with the signs of the errors, half of α at each end.
pub(super) struct Signed;

/// The Gaussian process of the tangent, taken at its word.
pub(super) struct Laplace;

impl Recipe for Nested {
    fn name(&self) -> &str {
        "nested"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let scores = loo.tangent_models(self.name())?.scores().mapv(f64::abs);
        let ranks = Ranks::new(loo.len(), alpha)?;
        between(loo, x, (-&scores, ranks.lower), (scores, ranks.upper))
    }

    fn guarantee(&self, loo: &LeaveOneOut, alpha: f64) -> Guarantee {
        super::plus::bound(loo, alpha)
    }
}

impl Recipe for Signed {
    fn name(&self) -> &str {
        "signed"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let scores = loo.tangent_models(self.name())?.scores();
        let ranks = Ranks::new(loo.len(), 0.5 * alpha)?;
        between(loo, x, (scores.clone(), ranks.lower), (scores, ranks.upper))
    }

    fn guarantee(&self, loo: &LeaveOneOut, alpha: f64) -> Guarantee {
        super::plus::bound(loo, alpha)
    }
}

/// The two order statistics of f₋ᵢ(x) + mᵢs₋ᵢ(x).
fn between(
    loo: &LeaveOneOut,
    x: &Array2<f64>,
    lower: (Array1<f64>, usize),
    upper: (Array1<f64>, usize),
) -> Result<Vec<(f64, f64)>> {
    check_points(x, loo.x().ncols())?;
    let (below, above) = (lower.0.to_vec(), upper.0.to_vec());
    let asked = [
        Asked { multiples: &below, scaled: true, rank: lower.1 },
        Asked { multiples: &above, scaled: true, rank: upper.1 },
    ];
    let ends = loo.tangent_models("nested")?.order_statistics(x.view(), &asked)?;
    Ok(ends.rows().into_iter().map(|ends| (ends[0], ends[1])).collect())
}

impl Recipe for Laplace {
    fn name(&self) -> &str {
        "laplace"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let (hat, unit) = loo.tangent_models(self.name())?.hat().ok_or_else(|| several(self.name()))?;
        check_points(x, loo.x().ncols())?;
        let half = hat.deviations(x.view()) * unit * -normal::quantile(0.5 * alpha);
        Ok(loo.predict(x)?.iter().zip(&half).map(|(f, half)| (f - half, f + half)).collect())
    }
}

/// Every y that a ridge on n + 1 rows, the new one among them, would not find strange.
pub(super) struct Full;

impl Recipe for Full {
    fn name(&self) -> &str {
        "full"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let models = loo.tangent_models(self.name())?;
        let (hat, unit) = models.hat().ok_or_else(|| several(self.name()))?;
        let ranks = Ranks::new(loo.len(), alpha)?;
        check_points(x, loo.x().ncols())?;
        let halves = hat.conformal(x.view(), models.rows(), ranks.lower, ranks.upper);
        Ok(loo.predict(x)?.iter().zip(halves).map(|(f, (below, above))| (f + unit * below, f + unit * above)).collect())
    }

    fn guarantee(&self, loo: &LeaveOneOut, alpha: f64) -> Guarantee {
        match loo.nested_models().is_some_and(|models| models.has_fixed_penalty()) {
            true => Guarantee::with_models(loo, 1.0 - alpha),
            false => Guarantee::None,
        }
    }
}

/// A rule of one tangent asked of several.
pub(super) fn several(rule: &str) -> Error {
    Error::Rule {
        rule: rule.into(),
        needs: "one tangent of all rows",
        engine: "tangent folds".into(),
        advice: "make them by LeaveOneOut::tangent",
    }
}
