//! Claims without refitting against refits.

use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Layer, Panel, Point, Symbol};
use crate::figure::colour::of_rule;
use crate::interval::Rule;
use crate::leave_one_out::Fidelity;
use crate::wording::short;

impl Fidelity {
    /// The left-out predictions as claimed against those of real refits; on the diagonal they agree.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let model = Ridge::new(0.01).fit(&yacht)?;
    /// let loo = LeaveOneOut::influence(&model, &yacht, &Influence::order(1))?;
    /// let figure = loo.fidelity(&model, &yacht, 0)?.plot();
    /// assert!(format!("{figure:?}").contains("10 points"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot(&self) -> Figure {
        let pairs = self.refitted.iter().zip(&self.claimed);
        let points: Vec<Point> = (self.rows.iter().zip(pairs))
            .map(|(row, (&refit, &claimed))| {
                let hover = format!("row {row} left out\nby refit {}\nas claimed {}", short(refit), short(claimed));
                Point::new(refit, claimed, hover)
            })
            .collect();
        let name =
            format!("{} rows, differing by {} % of the residuals", points.len(), short(100.0 * self.relative_rmse));
        let layers = vec![
            Layer::mark("equal", Along::Identity),
            Layer::Points { name, colour: of_rule(Rule::Plus), symbol: Symbol::Disc, points },
        ];
        let (x, y) = (Axis::new("left-out prediction by refit"), Axis::new("left-out prediction as claimed"));
        Figure::single(Panel::new(x, y, layers).square())
    }
}
