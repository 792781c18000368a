//! The scales that were tried for the studentised rule: each a [`Score`] of its own, and [`Scaled`] makes a rule of it.
//!
//! ```text
//! d(x)² = floor² + Σⱼ vⱼ(x)²,  the floor in units of the median over i of √( Σ_{j≠i} vⱼ(xᵢ)² )
//! ℓ(x)  = the root mean square of the leave-one-out residuals around x
//! ```

use std::sync::LazyLock;

use jackknife::prelude::*;
use jackknife::quantile::order_statistic;
use ndarray::{Array1, Array2};

/// Which of the two parts a scale has, and how they are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// d.
    Deviation,
    /// ℓ.
    Local,
    /// √(d·ℓ).
    Product,
    /// √(d² + ℓ²).
    Squares,
}

impl Parts {
    /// As in a formula.
    pub fn formula(self) -> &'static str {
        match self {
            Self::Deviation => "d",
            Self::Local => "ℓ",
            Self::Product => "√(d·ℓ)",
            Self::Squares => "√(d² + ℓ²)",
        }
    }
}

/// A scale with its floor.
#[derive(Clone, Debug)]
pub struct Variant {
    name: String,
    parts: Parts,
    floor: f64,
}

impl Variant {
    fn new(parts: Parts, floor: f64) -> Self {
        let formula = parts.formula();
        let name = if floor > 0.0 { format!("{formula} with floor {floor}") } else { formula.into() };
        Self { name, parts, floor }
    }

    /// The floor in the units of the target.
    fn floor(&self, loo: &LeaveOneOut) -> Result<f64> {
        let deviations = loo.left_out_deviations()?;
        Ok(self.floor * order_statistic(deviations, loo.len().div_ceil(2)))
    }

    fn scale(&self, deviations: Array1<f64>, local: Array1<f64>, floor: f64) -> Array1<f64> {
        let scale = |(d, l): (f64, f64)| match self.parts {
            Parts::Deviation => d.hypot(floor),
            Parts::Local => l,
            Parts::Product => (d.hypot(floor) * l).sqrt(),
            Parts::Squares => d.hypot(floor).hypot(l),
        };
        deviations.into_iter().zip(local).map(scale).collect()
    }
}

impl Score for Variant {
    fn name(&self) -> &str {
        &self.name
    }

    fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
        Ok(self.scale(loo.left_out_deviations()?, loo.left_out_local_errors(), self.floor(loo)?))
    }

    fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
        Ok(self.scale(loo.deviation(x)?, loo.local_error(x)?, self.floor(loo)?))
    }
}

/// Floors that were tried, in units of the median.
const FLOORS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

/// Every scale that was tried, in the order of the table.
static VARIANTS: LazyLock<Vec<Scaled<Variant>>> = LazyLock::new(|| {
    let floored = [Parts::Deviation, Parts::Product].map(|parts| FLOORS.map(|floor| Variant::new(parts, floor)));
    let others = [Parts::Local, Parts::Squares].map(|parts| Variant::new(parts, 0.0));
    floored.into_iter().flatten().chain(others).map(Scaled).collect()
});

/// Each as a rule.
pub fn rules() -> Vec<Rule> {
    VARIANTS.iter().map(|variant| Rule::of(variant)).collect()
}
