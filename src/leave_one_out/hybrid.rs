//! Models one step away from θ̂ without a θ₋ᵢ: own residuals from the model itself, shifts at new points linear in the step.
//!
//! ```text
//! A = JᵀJ + c   hᵢ = JᵢA⁻¹Jᵢ   u = A⁻¹λθ̂   tᵢ = Jᵢu        wᵢ = (eᵢ − tᵢ)/(1−hᵢ) of a Newton step, eᵢ of influence
//!
//! θ₋ᵢ − θ̂ = u − wᵢA⁻¹Jᵢ        f₋ᵢ(x) = f(x) + g − wᵢcᵢ(x),   g = J(x)u,   cᵢ(x) = J(x)A⁻¹Jᵢ
//! ```
//!
//! c is (n−1)(λ + D) for a Newton step and n(λ + D) for influence. In the primal J is made in blocks of rows wherever it is needed;
//! in the dual ([`curvature`](crate::curvature)) it is never made, cᵢ(x) = (G·k(x))ᵢ and 1 − hᵢ = c·Gᵢᵢ.

mod deviation;
mod made;
mod order;

use std::sync::{Arc, OnceLock};

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::Models;
use crate::curvature::{Dense, Dual};
use crate::error::Result;
use crate::factor::product_with_rows;
use crate::model::Features;
use crate::model::erased::AnyDifferentiable;
use deviation::Squares;
pub(super) use made::Step;

/// Numbers of J that are held at a time.
pub(super) const HELD: usize = 1 << 21;

pub(crate) struct Hybrid {
    full: Box<dyn AnyDifferentiable>,
    derivatives: Box<dyn Features>,
    /// The training rows.
    x: Arc<Array2<f64>>,
    side: Side,
    /// u.
    common: Array1<f64>,
    /// wᵢ.
    weights: Array1<f64>,
    /// √hᵢ·|wᵢ|: how far a row can move a prediction, in units of the point's own √(J(x)A⁻¹J(x)).
    pulls: Vec<f64>,
    /// Jᵢ(θ₋ᵢ − θ̂) = tᵢ − wᵢhᵢ.
    own: Array1<f64>,
    /// The target's units in one of J·θ.
    unit: f64,
    /// Found at the first call: only rules with a scale ask for it.
    squares: OnceLock<Squares>,
}

enum Side {
    Primal(Dense),
    Dual(Dual),
}

/// Points, with what all models share there.
struct Points {
    /// f(x) + unit·g.
    base: Array1<f64>,
    /// g.
    common: Array1<f64>,
    /// A⁻¹J(x) in the primal, (cᵢ(x))ᵢ in the dual.
    turned: Array2<f64>,
    /// √(J(x)A⁻¹J(x)), of the primal.
    reach: Array1<f64>,
}

impl Hybrid {
    /// unit·Jᵢ(θ₋ᵢ − θ̂) for every row: the change of its own prediction to first order.
    pub(super) fn first_order(&self) -> Array1<f64> {
        &self.own * self.unit
    }

    /// In a sentence, what these models are.
    pub(super) fn note(&self) -> String {
        let (form, size) = match &self.side {
            Side::Primal(_) => ("parameters", self.common.len()),
            Side::Dual(_) => ("rows", self.weights.len()),
        };
        format!(
            "at new points the models answer linearly in their step, f(x) + J(x)·(θ₋ᵢ − θ̂), from one factorisation of {size} {form}; \
             their own residuals are those of f(xᵢ; θ₋ᵢ)"
        )
    }

    /// Rows whose derivatives are held at a time.
    fn block(&self) -> usize {
        block(self.common.len())
    }

    fn points(&self, x: ArrayView2<f64>) -> Points {
        let fitted = self.full.evaluate(x);
        let (common, turned, reach) = match &self.side {
            Side::Primal(dense) => {
                let jacobian = self.derivatives.features(x);
                let turned = solved(dense, &jacobian, self.x.nrows());
                let reach = row_products(&jacobian, &turned).mapv(|square| square.max(0.0).sqrt());
                (jacobian.dot(&self.common), turned, reach)
            }
            Side::Dual(dual) => {
                let mut kernel = self.derivatives.kernel(x, self.x.view());
                kernel = crate::factor::product(kernel.view(), dual.inverse.view());
                (self.derivatives.along(x, self.common.view()), kernel, Array1::zeros(0))
            }
        };
        Points { base: fitted + &common * self.unit, common, turned, reach }
    }

    /// cᵢ(x), points × rows.
    fn products(&self, points: Points) -> Array2<f64> {
        match &self.side {
            Side::Dual(_) => points.turned,
            Side::Primal(_) => {
                let (m, n) = (points.turned.nrows(), self.x.nrows());
                let mut all = Array2::zeros((m, n));
                for start in (0..n).step_by(self.block()) {
                    let rows = start..(start + self.block()).min(n);
                    let part = self.products_with(points.turned.view(), self.x.slice(s![rows.clone(), ..]));
                    all.slice_mut(s![.., rows]).assign(&part);
                }
                all
            }
        }
    }

    /// A⁻¹J(x) times the derivatives of some rows, on one thread.
    fn products_with(&self, turned: ArrayView2<f64>, rows: ArrayView2<f64>) -> Array2<f64> {
        let mut out = Array2::zeros((turned.nrows(), rows.nrows()));
        let cells = out.as_slice_mut().expect("standard layout");
        product_with_rows(turned, self.derivatives.features(rows).view(), cells);
        out
    }
}

/// Rows of p derivatives that are held at a time.
fn block(p: usize) -> usize {
    (HELD / p).clamp(64, 1024)
}

/// A⁻¹ of each row: A = nH.
fn solved(dense: &Dense, rows: &Array2<f64>, n: usize) -> Array2<f64> {
    let mut solved = rows / n as f64;
    dense.solve_rows(&mut solved);
    solved
}

/// aᵢ·bᵢ for each row.
fn row_products(a: &Array2<f64>, b: &Array2<f64>) -> Array1<f64> {
    a.rows().into_iter().zip(b.rows()).map(|(a, b)| a.dot(&b)).collect()
}

impl Models for Hybrid {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        Ok(self.full.evaluate(x))
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let points = self.points(x);
        let base = points.base.clone();
        let mut without = self.products(points);
        without *= &(&self.weights * -self.unit);
        without += &base.insert_axis(Axis(1));
        Ok(without)
    }

    fn shifts(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let points = self.points(x);
        let common = &points.common * self.unit;
        let mut shifts = self.products(points);
        shifts *= &(&self.weights * self.unit);
        shifts -= &common.insert_axis(Axis(1));
        Ok(shifts)
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.full.contributions(x)
    }

    fn hybrid(&self) -> Option<&Hybrid> {
        Some(self)
    }
}
