//! Whether wide intervals stand where errors are large.

use crate::error::Result;
use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Layer, Panel, Point, Symbol};
use crate::figure::colour::{ALARM, CALM};
use crate::interval::Intervals;
use crate::sample::Sample;
use crate::wording::{percent, short};

impl Intervals {
    /// The width of each interval against the error |y − f(x)| that it was to foresee.
    ///
    /// Errors above their 90 % quantile ([`Intervals::large_error`], the line) count as large: intervals that
    /// discriminate have these points at the top ([`Intervals::discrimination`]).
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) unless there is one interval for each row.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.studentised(test.x(), 0.1)?;
    /// assert!(format!("{:?}", intervals.plot_width(&test)?).contains("7 points `large errors"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot_width(&self, test: &Sample) -> Result<Figure> {
        let (errors, threshold, width) = (self.errors(test.y())?, self.large_error(test.y())?, self.width());
        let covers = self.covers(test.y())?;
        let (large, small): (Vec<usize>, Vec<usize>) = (0..errors.len()).partition(|&row| errors[row] > threshold);
        let point = |row: usize| {
            let cut = if width[row].is_finite() { "" } else { ", cut off at the frame" };
            let hover = format!(
                "row {row}, {}\n|error| {}\nwidth {}{cut}\n{} interval {} to {}",
                if covers[row] { "covered" } else { "not covered" },
                short(errors[row]),
                short(width[row]),
                percent(1.0 - self.alpha),
                short(self.lower[row]),
                short(self.upper[row]),
            );
            Point::new(errors[row], width[row], hover)
        };
        let points = |name: &str, colour, symbol, rows: Vec<usize>| Layer::Points {
            name: format!("{name} ({})", rows.len()),
            colour,
            symbol,
            points: rows.into_iter().map(point).collect(),
        };
        let layers = vec![
            Layer::mark(format!("90 % of the errors lie below {}", short(threshold)), Along::Vertical(threshold)),
            points("other errors", CALM, Symbol::Disc, small),
            points("large errors", ALARM, Symbol::Diamond, large),
        ];
        let x = Axis::new(format!("|error| of {}", test.target())).shows(0.0, 0.0);
        // From 0: a width that hardly varies must look like one.
        let y = Axis::new(format!("interval width for {}", test.target())).shows(0.0, 0.0);
        Ok(Figure::single(Panel::new(x, y, layers)))
    }
}
