//! Intervals and the targets in them.

use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::figure::chart::{Axis, Dash, Layer, Panel, Point, Scale, Symbol};
use crate::figure::colour::{ALARM, CALM, colour};
use crate::interval::Intervals;
use crate::sample::Sample;
use crate::wording::{listed, percent, short};

impl Intervals {
    /// The intervals at the rows of `test` in the order of their predictions, with the targets inside and outside.
    ///
    /// Ends at infinity are drawn at the edge of the frame; a point says so when asked.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one interval for each row.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let figure = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.minmax(test.x(), 0.1)?.plot(&test)?;
    /// assert!(format!("{figure:?}").contains("over test rows, sorted by prediction"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot(&self, test: &Sample) -> Result<Figure> {
        self.errors(test.y())?;
        let prediction = self.prediction.to_vec();
        let order = order(&prediction, &prediction);
        let place: Vec<f64> = (1..=order.len()).map(|rank| rank as f64).collect();
        let layers = vec![
            self.band(&order, &place),
            self.line(&order, &place),
            self.targets(test, &order, &place, true)?,
            self.targets(test, &order, &place, false)?,
        ];
        let rows = Axis::new("test rows, sorted by prediction").scale(Scale::Whole);
        Ok(Figure::single(Panel::new(rows, Axis::new(test.target()), layers)))
    }

    /// The intervals over one feature of `test`, with the targets inside and outside.
    ///
    /// A band if it is the only feature; otherwise neighbours may differ in the others, and each has its own bar.
    ///
    /// # Errors
    /// [`Error::Column`] if there is no such feature, and as [`Intervals::plot`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = cubic(80, Feature::Uniform { half_width: 4.0 }, 3.0, 7)?.split(0.5, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
    /// assert!(intervals.plot_over(&test, "x").is_ok());
    /// assert!(intervals.plot_over(&test, "z").is_err());
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot_over(&self, test: &Sample, feature: &str) -> Result<Figure> {
        self.errors(test.y())?;
        let values = column(test, feature)?;
        let order = order(&values, &self.prediction.to_vec());
        let place: Vec<f64> = order.iter().map(|&row| values[row]).collect();
        let mut layers = match test.columns() {
            1 => vec![self.band(&order, &place), self.line(&order, &place)],
            _ => vec![self.bars(&order, &place)],
        };
        layers.push(self.targets(test, &order, &place, true)?);
        layers.push(self.targets(test, &order, &place, false)?);
        Ok(Figure::single(Panel::new(Axis::new(feature), Axis::new(test.target()), layers)))
    }

    fn band(&self, order: &[usize], place: &[f64]) -> Layer {
        let (lower, upper) = self.ends(order);
        Layer::Band { name: self.legend(), colour: colour(self.method), x: place.to_vec(), lower, upper }
    }

    fn bars(&self, order: &[usize], place: &[f64]) -> Layer {
        let (lower, upper) = self.ends(order);
        Layer::Bars { name: self.legend(), colour: colour(self.method), x: place.to_vec(), lower, upper }
    }

    fn line(&self, order: &[usize], place: &[f64]) -> Layer {
        let y = order.iter().map(|&row| self.prediction[row]).collect();
        Layer::Line { name: "prediction".into(), colour: colour(self.method), dash: Dash::Solid, x: place.to_vec(), y }
    }

    fn ends(&self, order: &[usize]) -> (Vec<f64>, Vec<f64>) {
        order.iter().map(|&row| (self.lower[row], self.upper[row])).unzip()
    }

    /// The targets that are covered, or those that are not.
    fn targets(&self, test: &Sample, order: &[usize], place: &[f64], covered: bool) -> Result<Layer> {
        let covers = self.covers(test.y())?;
        let chosen = order.iter().zip(place).filter(|(row, _)| covers[**row] == covered);
        let points: Vec<Point> =
            chosen.map(|(&row, &x)| Point::new(x, test.y()[row], self.says(test, row, covered))).collect();
        let (word, colour, symbol) =
            if covered { ("covered", CALM, Symbol::Disc) } else { ("not covered", ALARM, Symbol::Diamond) };
        Ok(Layer::Points { name: format!("{word} ({})", points.len()), colour, symbol, points })
    }

    /// What a point says of its row.
    fn says(&self, test: &Sample, row: usize, covered: bool) -> String {
        let (lower, upper) = (self.lower[row], self.upper[row]);
        let clipped = if lower.is_finite() && upper.is_finite() { "" } else { ", cut off at the frame" };
        format!(
            "row {row}, {}\n{} {}\n{} interval {} to {}{clipped}\nprediction {}",
            if covered { "covered" } else { "not covered" },
            test.target(),
            short(test.y()[row]),
            percent(1.0 - self.alpha),
            short(lower),
            short(upper),
            short(self.prediction[row]),
        )
    }

    fn legend(&self) -> String {
        format!("{} {}", percent(1.0 - self.alpha), self.method)
    }
}

/// The values of a feature.
pub(super) fn column(test: &Sample, feature: &str) -> Result<Vec<f64>> {
    let Some(column) = test.features().iter().position(|name| name == feature) else {
        let problem = format!("is no feature: try one of {}", listed(test.features(), 40));
        return Err(Error::Column { column: feature.into(), problem });
    };
    Ok(test.x().column(column).to_vec())
}

/// The rows in rising order of some values, of others where these are equal.
pub(super) fn order(values: &[f64], then: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]).then(then[a].total_cmp(&then[b])));
    order
}
