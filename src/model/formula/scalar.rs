//! The scalar that a formula is written over.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number that formulas calculate with: `f64`, or a recording scalar that the crate differentiates.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// fn logistic<S: Scalar>(capacity: S, rate: S, time: f64) -> S {
///     capacity / ((-rate * time).exp() + 1.0)
/// }
/// assert_eq!(logistic(2.0, 1.0, 0.0), 1.0);
/// ```
pub trait Scalar:
    Copy
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// eˣ.
    fn exp(self) -> Self;
    /// ln x.
    fn ln(self) -> Self;
    /// √x.
    fn sqrt(self) -> Self;
    /// tanh x.
    fn tanh(self) -> Self;
    /// sin x.
    fn sin(self) -> Self;
    /// cos x.
    fn cos(self) -> Self;
    /// xᵃ for a positive x.
    fn powf(self, power: f64) -> Self;

    /// 1/x.
    fn recip(self) -> Self {
        Self::from(1.0) / self
    }

    /// xⁿ for any integer n, by repeated squaring.
    fn powi(self, power: i32) -> Self {
        let (mut result, mut base, mut left) = (Self::from(1.0), self, power.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                result = result * base;
            }
            base = base * base;
            left >>= 1;
        }
        if power < 0 { result.recip() } else { result }
    }
}

impl Scalar for f64 {
    fn exp(self) -> Self {
        f64::exp(self)
    }
    fn ln(self) -> Self {
        f64::ln(self)
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn tanh(self) -> Self {
        f64::tanh(self)
    }
    fn sin(self) -> Self {
        f64::sin(self)
    }
    fn cos(self) -> Self {
        f64::cos(self)
    }
    fn powf(self, power: f64) -> Self {
        f64::powf(self, power)
    }
}
