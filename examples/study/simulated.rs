//! Tables that are drawn, so that the truth about them is known.

use jackknife::prelude::*;
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal, StudentT};
use rand_xoshiro::Xoshiro256PlusPlus;

type Random = Xoshiro256PlusPlus;

/// A way to draw a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Three features, and a target that knows nothing of them.
    Noise,
    /// y = x₁ + ε, of three features.
    Signal,
    /// y = x + |x|ε, of one feature.
    Heteroscedastic,
    /// As `Signal`, with Student's t of 2.5 degrees of freedom for ε.
    HeavyTails,
    /// As `Signal`, with an ε that is ten times as large in one row of twenty.
    Outliers,
    /// As `Signal`, with an offset N(0, 1) for every ten rows, which stand together.
    Groups,
    /// As `Signal`, with a mean that rises by 2 from the first row to the last.
    Drift,
    /// As `Signal`, with every fourth row a copy of the one before it.
    Duplicates,
}

pub const SCENARIOS: [Scenario; 8] = [
    Scenario::Noise,
    Scenario::Signal,
    Scenario::Heteroscedastic,
    Scenario::HeavyTails,
    Scenario::Outliers,
    Scenario::Groups,
    Scenario::Drift,
    Scenario::Duplicates,
];

impl Scenario {
    /// As it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Noise => "noise",
            Self::Signal => "signal",
            Self::Heteroscedastic => "heteroscedastic",
            Self::HeavyTails => "heavy_tails",
            Self::Outliers => "outliers",
            Self::Groups => "groups",
            Self::Drift => "drift",
            Self::Duplicates => "duplicates",
        }
    }

    /// Whether the rows that come next are unlike those of the table.
    pub fn has_order(self) -> bool {
        matches!(self, Self::Groups | Self::Drift)
    }

    fn features(self) -> usize {
        if self == Self::Heteroscedastic { 1 } else { 3 }
    }

    /// A table of so many rows.
    pub fn draw(self, rows: usize, seed: u64) -> Result<Drawn> {
        let mut rng = Random::seed_from_u64(seed);
        let offsets: Vec<f64> = (0..rows.div_ceil(TOGETHER)).map(|_| normal(&mut rng)).collect();
        let mut x = Array2::from_shape_simple_fn((rows, self.features()), || normal(&mut rng));
        let mut y: Array1<f64> = (0..rows)
            .map(|row| self.target(x[(row, 0)], offsets[row / TOGETHER], row as f64 / rows as f64, &mut rng))
            .collect();
        if self == Self::Duplicates {
            for row in (3..rows).step_by(4) {
                let before = x.row(row - 1).to_owned();
                x.row_mut(row).assign(&before);
                y[row] = y[row - 1];
            }
        }
        Ok(Drawn { scenario: self, sample: Sample::new(x, y)?, offsets, rng })
    }

    /// The target of a row with this first feature, of a group with this offset, at a time that is 0 for the first row of the
    /// table and 1 after the last.
    fn target(self, first: f64, offset: f64, time: f64, rng: &mut Random) -> f64 {
        let epsilon = normal(rng);
        match self {
            Self::Noise => epsilon,
            Self::Signal | Self::Duplicates => first + epsilon,
            Self::Heteroscedastic => first + first.abs() * epsilon,
            Self::HeavyTails => first + heavy(rng),
            Self::Outliers if rng.gen_range(0..20) == 0 => first + 10.0 * epsilon,
            Self::Outliers => first + epsilon,
            Self::Groups => first + offset + epsilon,
            Self::Drift => first + 2.0 * time + epsilon,
        }
    }
}

/// Rows of a group.
const TOGETHER: usize = 10;

/// A table, with what is needed to draw more of its kind.
pub struct Drawn {
    pub sample: Sample,
    scenario: Scenario,
    offsets: Vec<f64>,
    rng: Random,
}

/// Which rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// Like those of the table: of its groups and its times.
    Alike,
    /// Those that come next: of new groups, and of the time after it, half as long.
    Next,
}

impl Drawn {
    /// New points, and `each` targets at each of them.
    pub fn fresh(&mut self, which: Fresh, points: usize, each: usize) -> (Array2<f64>, Array2<f64>) {
        let rng = &mut self.rng;
        let x = Array2::from_shape_simple_fn((points, self.scenario.features()), || normal(rng));
        let y = Array2::from_shape_fn((points, each), |(point, _)| {
            let (offset, time) = match which {
                Fresh::Alike => (self.offsets[rng.gen_range(0..self.offsets.len())], rng.r#gen()),
                Fresh::Next => (normal(rng), rng.gen_range(1.0..1.5)),
            };
            self.scenario.target(x[(point, 0)], offset, time, rng)
        });
        (x, y)
    }
}

fn normal(rng: &mut Random) -> f64 {
    StandardNormal.sample(rng)
}

fn heavy(rng: &mut Random) -> f64 {
    StudentT::new(2.5).map_or(f64::NAN, |student| student.sample(rng))
}
