//! How fast an error falls from order to order.

use std::fmt;

use super::several::Looks;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::figure::chart::{Axis, Layer, Panel, Point, Scale};
use crate::wording::short;

/// Errors of several methods at rising orders, on a logarithmic axis.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let yacht = Table::Yacht.load();
/// let (ridge, model) = (Ridge::new(0.01), Ridge::new(0.01).fit(&yacht)?);
/// let exact = LeaveOneOut::closed_form(&ridge, &yacht)?.residuals();
/// let mut errors = Vec::new();
/// for order in 1..=4 {
///     let loo = LeaveOneOut::influence(&model, &yacht, &Influence::order(order))?;
///     errors.push((order, rmse(&exact, &loo.residuals())?));
/// }
/// let figure = Convergence::new("RMSE of the residuals").add("exact terms", &errors).plot()?;
/// assert!(format!("{figure:?}").contains("4 points `exact terms`"));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Convergence {
    /// What the errors are.
    pub name: String,
    /// The method, and its error at each order.
    pub entries: Vec<(String, Vec<(usize, f64)>)>,
}

impl Convergence {
    /// Errors of this name, the name of the axis.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), entries: Vec::new() }
    }

    /// The same with one more method: pairs of an order and the error there.
    pub fn add(mut self, method: &str, errors: &[(usize, f64)]) -> Self {
        self.entries.push((method.into(), errors.to_vec()));
        self
    }

    /// A line for each method; errors of 0 and infinite ones are drawn at the edge.
    ///
    /// # Errors
    /// [`Error::Rows`] without errors, [`Error::NotFinite`] for one that is negative or not a number.
    pub fn plot(&self) -> Result<Figure> {
        let all = || self.entries.iter().flat_map(|(_, errors)| errors);
        if all().next().is_none() {
            return Err(Error::Rows { what: "a convergence".into(), need: 1, have: 0 });
        }
        if all().any(|(_, error)| error.is_nan() || *error < 0.0) {
            let what = format!("the logarithm of {}", self.name);
            return Err(Error::NotFinite { what, advice: "give errors that are positive" });
        }
        let mut layers = Vec::new();
        let mut looks = Looks::default();
        for (method, errors) in &self.entries {
            // Methods of one colour differ in dash and symbol.
            let (colour, dash, symbol) = looks.next(method);
            let (x, y) = errors.iter().map(|&(order, error)| (order as f64, error)).unzip();
            let point = |&(order, error): &(usize, f64)| {
                let cut = if error > 0.0 && error.is_finite() { "" } else { ", cut off at the frame" };
                Point::new(order as f64, error, format!("{method}\norder {order}\n{} {}{cut}", self.name, short(error)))
            };
            let points = errors.iter().map(point).collect();
            layers.push(Layer::Line { name: String::new(), colour, dash, x, y });
            layers.push(Layer::Points { name: method.clone(), colour, symbol, points });
        }
        let (x, y) = (Axis::new("order").scale(Scale::Whole), Axis::new(&self.name).scale(Scale::Logarithmic));
        Ok(Figure::single(Panel::new(x, y, layers)))
    }
}

impl fmt::Debug for Convergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over the order", self.name)?;
        for (method, errors) in &self.entries {
            write!(f, "\n  {method} ")?;
            errors.iter().try_for_each(|(order, error)| write!(f, " {order}: {}", short(*error)))?;
        }
        Ok(())
    }
}
