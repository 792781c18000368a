//! Several methods, one number each, and how surely it is known.

use std::fmt;

use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Layer, Panel, Point, Scale, Symbol};
use crate::figure::colour::named;
use crate::wording::short;

/// One number for each of several methods, with its uncertainty: coverage, width, average precision.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
/// let mut comparison = Comparison::new("coverage").target(0.9);
/// for rule in [Rule::Jackknife, Rule::Plus, Rule::Minmax] {
///     let coverage = loo.intervals(rule, test.x(), 0.1)?.coverage(test.y())?;
///     comparison = comparison.add(&rule.to_string(), coverage.rate, coverage.low, coverage.high);
/// }
/// let figure = comparison.plot()?;
/// assert!(figure.to_svg().contains("jackknife+"));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Comparison {
    /// What the numbers are.
    pub name: String,
    /// The method, its number, and the low and high end of what is known about it, from top to bottom.
    pub entries: Vec<(String, f64, f64, f64)>,
    /// A number to compare with, if there is one, and what it is called.
    pub mark: Option<(String, f64)>,
}

impl Comparison {
    /// A comparison by the quantity of this name, the name of the axis.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), entries: Vec::new(), mark: None }
    }

    /// The same with one more method: its number, and the ends of its error bar.
    pub fn add(mut self, method: &str, value: f64, low: f64, high: f64) -> Self {
        self.entries.push((method.into(), value, low, high));
        self
    }

    /// The same with a number to reach.
    pub fn target(mut self, target: f64) -> Self {
        self.mark = Some(("target".into(), target));
        self
    }

    /// The same with the number that blind chance reaches.
    pub fn chance(mut self, chance: f64) -> Self {
        self.mark = Some(("chance".into(), chance));
        self
    }

    /// A point with its error bar for each method, one below the other; infinite ones at the edge.
    ///
    /// # Errors
    /// [`Error::Rows`] without methods, [`Error::NotFinite`] for a number that is none.
    pub fn plot(&self) -> Result<Figure> {
        Ok(Figure::single(self.panel()?).height(Self::height(self.entries.len())))
    }

    /// Pixels for so many methods.
    pub(super) fn height(methods: usize) -> f64 {
        110.0 + 42.0 * methods as f64
    }

    pub(super) fn panel(&self) -> Result<Panel> {
        if self.entries.is_empty() {
            return Err(Error::Rows { what: "a comparison".into(), need: 1, have: 0 });
        }
        let unknown =
            |(_, value, low, high): &&(String, f64, f64, f64)| value.is_nan() || low.is_nan() || high.is_nan();
        if let Some((method, ..)) = self.entries.iter().find(unknown) {
            return Err(Error::NotFinite { what: format!("{} of {method}", self.name), advice: "leave it out" });
        }
        let mut layers = Vec::new();
        if let Some((name, number)) = self.mark.as_ref().filter(|(_, number)| !number.is_nan()) {
            layers.push(Layer::mark(format!("{name} {}", short(*number)), Along::Vertical(*number)));
        }
        let count = self.entries.len();
        for (k, (method, value, low, high)) in self.entries.iter().enumerate() {
            let hover = format!("{method}\n{} {}\n{} to {}", self.name, short(*value), short(*low), short(*high));
            // The first method is the topmost.
            let point = Point::new(*value, (count - 1 - k) as f64, hover).bar(*low, *high);
            // The names stand beside the axis; a legend would say them twice.
            let name = String::new();
            layers.push(Layer::Points { name, colour: named(method), symbol: Symbol::Disc, points: vec![point] });
        }
        let names = self.entries.iter().rev().map(|(method, ..)| method.clone()).collect();
        let methods = Axis::new("methods").scale(Scale::Names(names));
        Ok(Panel::new(Axis::new(&self.name), methods, layers))
    }
}

impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} methods", self.name, self.entries.len())?;
        if let Some((name, number)) = &self.mark {
            write!(f, ", {name} {}", short(*number))?;
        }
        for (method, value, low, high) in &self.entries {
            write!(f, "\n  {method}  {} ({} to {})", short(*value), short(*low), short(*high))?;
        }
        Ok(())
    }
}
