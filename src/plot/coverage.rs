//! Whether the intervals hold what they promise at every level.

use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Dash, Layer, Panel, Point, Symbol};
use crate::figure::colour::of_rule;
use crate::interval::Rule;
use crate::leave_one_out::LeaveOneOut;
use crate::sample::Sample;
use crate::wording::short;

/// The levels looked at: 5 %, 10 %, …, 95 %.
const LEVELS: std::ops::Range<usize> = 1..20;

impl LeaveOneOut {
    /// The coverage achieved on `test` against the 1 − α asked for, for each rule; on the diagonal they are equal.
    ///
    /// A single rule has the 95 % band of [`Intervals::coverage`](crate::interval::Intervals::coverage);
    /// of several, the points say it when asked.
    ///
    /// # Errors
    /// [`Error::Empty`] without rules, and as [`LeaveOneOut::intervals`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// let figure = loo.plot_coverage(&[Rule::Plus], &test)?;
    /// assert!(format!("{figure:?}").contains("19 points `jackknife+`"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot_coverage(&self, rules: &[Rule], test: &Sample) -> Result<Figure> {
        if rules.is_empty() {
            return Err(Error::empty("no rule was given", "give at least one, as `&[Rule::Plus]`"));
        }
        let mut layers = vec![Layer::mark("as promised", Along::Identity)];
        for &rule in rules {
            let (mut x, mut y, mut points) = (Vec::new(), Vec::new(), Vec::new());
            let (mut lower, mut upper) = (Vec::new(), Vec::new());
            for step in LEVELS {
                let level = step as f64 / LEVELS.end as f64;
                let coverage = self.intervals(rule, test.x(), 1.0 - level)?.coverage(test.y())?;
                let hover = format!("{rule}\n1 − α {}\ncoverage {coverage:?}", short(level));
                x.push(level);
                y.push(coverage.rate);
                lower.push(coverage.low);
                upper.push(coverage.high);
                points.push(Point::new(level, coverage.rate, hover));
            }
            let colour = of_rule(rule);
            // Bands of several rules would hide each other.
            if rules.len() == 1 {
                layers.push(Layer::Band { name: String::new(), colour, x: x.clone(), lower, upper });
            }
            layers.push(Layer::Line { name: String::new(), colour, dash: Dash::Solid, x, y });
            layers.push(Layer::Points { name: rule.to_string(), colour, symbol: Symbol::Disc, points });
        }
        let axis = |name: &str| Axis::new(name).shows(0.0, 1.0);
        Ok(Figure::single(Panel::new(axis("1 − α asked for"), axis("coverage on the test rows"), layers).square()))
    }
}
