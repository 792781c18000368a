//! Several methods at the same rows, in one figure: width over a feature, and precision over recall.

use super::interval::{column, order};
use super::precision_recall::steps;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Dash, Layer, Panel, Point, Symbol};
use crate::figure::colour::named;
use crate::interval::Intervals;
use crate::sample::Sample;
use crate::wording::{fixed, percent, short};

impl Intervals {
    /// The widths of several methods at the rows of `test`, over one feature.
    ///
    /// A line for each method if it is the only feature; otherwise neighbours may differ in the others, and each row
    /// has its own point. Infinite widths are drawn at the edge of the frame; a point says so when asked.
    ///
    /// # Errors
    /// [`Error::Empty`] without methods, [`Error::Column`] if there is no such feature, [`Error::Shape`] unless each
    /// method has one interval for each row.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = cubic(80, Feature::Normal { deviation: 1.0 }, 1.0, 7)?.split(0.5, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// let (plus, studentised) = (loo.jackknife_plus(test.x(), 0.1)?, loo.studentised(test.x(), 0.1)?);
    /// let figure = Intervals::compare_width_over(&[&plus, &studentised], &test, "x")?;
    /// assert!(format!("{figure:?}").contains("line `studentized (closed form)`"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn compare_width_over(methods: &[&Self], test: &Sample, feature: &str) -> Result<Figure> {
        check_methods(methods)?;
        let values = column(test, feature)?;
        let mut looks = Looks::default();
        let mut layers = Vec::new();
        for intervals in methods {
            intervals.errors(test.y())?;
            let (covers, width) = (intervals.covers(test.y())?, intervals.width().to_vec());
            let order = order(&values, &width);
            let point = |&row: &usize| {
                let cut = if width[row].is_finite() { "" } else { ", cut off at the frame" };
                let hover = format!(
                    "{}\nrow {row}, {}\n{feature} {}\nwidth {}{cut}\n{} interval {} to {}",
                    intervals.method,
                    if covers[row] { "covered" } else { "not covered" },
                    short(values[row]),
                    short(width[row]),
                    percent(1.0 - intervals.alpha),
                    short(intervals.lower[row]),
                    short(intervals.upper[row]),
                );
                Point::new(values[row], width[row], hover)
            };
            let points: Vec<Point> = order.iter().map(point).collect();
            let method = intervals.method.to_string();
            layers.extend(looks.draw(&method, method.clone(), points, test.columns() == 1));
        }
        let y = Axis::new(format!("interval width, in units of {}", test.target())).shows(0.0, 0.0);
        Ok(Figure::single(Panel::new(Axis::new(feature), y, layers)))
    }

    /// The precision–recall curves of several methods at the rows of `test`: how well each width finds large errors.
    ///
    /// Each method is asked for the largest tenth of its own errors; the prevalence is what chance would reach. The
    /// legend has the average precision (AP) of each; a method of which no error stands out has no curve.
    ///
    /// # Errors
    /// [`Error::Empty`] without methods or without any curve, [`Error::Shape`] unless each method has one interval
    /// for each row.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// let (plus, studentised) = (loo.jackknife_plus(test.x(), 0.1)?, loo.studentised(test.x(), 0.1)?);
    /// let figure = Intervals::compare_precision_recall(&[&plus, &studentised], &test)?;
    /// assert!(format!("{figure:?}").contains("`prevalence 0.1129`"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn compare_precision_recall(methods: &[&Self], test: &Sample) -> Result<Figure> {
        let named: Vec<(String, &Self)> = methods.iter().map(|each| (each.method.to_string(), *each)).collect();
        Self::precision_recall_of(&named, test)
    }

    /// The same with names of one's own.
    pub(crate) fn precision_recall_of(methods: &[(String, &Self)], test: &Sample) -> Result<Figure> {
        check_methods(methods)?;
        let mut looks = Looks::default();
        let (mut layers, mut prevalence) = (Vec::new(), None);
        for (method, intervals) in methods {
            intervals.errors(test.y())?;
            let curve = match intervals.precision_recall(test.y()) {
                Err(Error::NoLargeError { .. }) => continue,
                curve => curve?,
            };
            prevalence = prevalence.or(curve.precision.first().copied());
            let name = format!("{method}, AP {}", fixed(curve.average_precision(), 3));
            let points = steps(&curve, |threshold, recall, precision| {
                let [threshold, recall, precision] = [threshold, recall, precision].map(short);
                format!("{method}\nwidth ≥ {threshold}\nrecall {recall}\nprecision {precision}")
            });
            layers.extend(looks.draw(method, name, points, true));
        }
        let Some(prevalence) = prevalence else {
            return Err(Error::empty("no method has an error that stands out", "give more rows"));
        };
        layers.push(Layer::mark(format!("prevalence {}", short(prevalence)), Along::Horizontal(prevalence)));
        let (x, y) = (Axis::new("recall of large errors").shows(0.0, 1.0), Axis::new("precision").shows(0.0, 1.0));
        // A legend of many methods takes rows of its own.
        Ok(Figure::single(Panel::new(x, y, layers)).height(440.0 + 12.0 * methods.len() as f64))
    }
}

fn check_methods<M>(methods: &[M]) -> Result<()> {
    match methods.is_empty() {
        true => Err(Error::empty("no method was given", "give the intervals of at least one")),
        false => Ok(()),
    }
}

/// How lines of one colour are told apart.
#[derive(Default)]
pub(super) struct Looks {
    used: Vec<&'static str>,
}

impl Looks {
    /// The next method's colour, dash and symbol.
    pub(super) fn next(&mut self, method: &str) -> (&'static str, Dash, Symbol) {
        let colour = named(method);
        let before = self.used.iter().filter(|other| **other == colour).count();
        self.used.push(colour);
        match before {
            0 => (colour, Dash::Solid, Symbol::Disc),
            1 => (colour, Dash::Dashed, Symbol::Square),
            _ => (colour, Dash::Dotted, Symbol::Triangle),
        }
    }

    /// A line through points that answer, or the points alone.
    fn draw(&mut self, method: &str, name: String, points: Vec<Point>, connected: bool) -> Vec<Layer> {
        let (colour, dash, symbol) = self.next(method);
        if !connected {
            return vec![Layer::Points { name, colour, symbol, points }];
        }
        let (x, y) = points.iter().map(|point| (point.x, point.y)).unzip();
        vec![
            Layer::Line { name, colour, dash, x, y },
            Layer::Points { name: String::new(), colour, symbol: Symbol::Hidden, points },
        ]
    }
}
