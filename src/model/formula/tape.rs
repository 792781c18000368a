//! A formula recorded as a list of operations, and its derivatives by one sweep forth and one back.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use ndarray::{Array1, ArrayView1};

use super::scalar::Scalar;
use super::series;

thread_local! {
    /// The recording under way on this thread. A scalar that is `Copy` cannot carry it.
    static RECORDING: RefCell<Vec<Operation>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone, Copy)]
enum Operation {
    Parameter(usize),
    Constant(f64),
    Add(usize, usize),
    Subtract(usize, usize),
    Multiply(usize, usize),
    Divide(usize, usize),
    Shift(usize, f64),
    Scale(usize, f64),
    Exp(usize),
    Ln(usize),
    Sqrt(usize),
    Tanh(usize),
    Sin(usize),
    Cos(usize),
    Power(usize, f64),
}

use Operation::*;

/// A value of the recording: the number of the operation that makes it.
#[derive(Clone, Copy)]
pub(super) struct Value(usize);

fn push(operation: Operation) -> Value {
    RECORDING.with_borrow_mut(|operations| {
        operations.push(operation);
        Value(operations.len() - 1)
    })
}

macro_rules! operators {
    ($($name:ident $method:ident $both:ident, $number:expr;)*) => {$(
        impl $name for Value {
            type Output = Value;
            fn $method(self, other: Value) -> Value {
                push($both(self.0, other.0))
            }
        }
        impl $name<f64> for Value {
            type Output = Value;
            fn $method(self, other: f64) -> Value {
                let number: fn(usize, f64) -> Operation = $number;
                push(number(self.0, other))
            }
        }
    )*};
}

operators! {
    Add add Add, |a, c| Shift(a, c);
    Sub sub Subtract, |a, c| Shift(a, -c);
    Mul mul Multiply, |a, c| Scale(a, c);
    Div div Divide, |a, c| Scale(a, 1.0 / c);
}

impl Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        push(Scale(self.0, -1.0))
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        push(Constant(value))
    }
}

impl Scalar for Value {
    fn exp(self) -> Self {
        push(Exp(self.0))
    }
    fn ln(self) -> Self {
        push(Ln(self.0))
    }
    fn sqrt(self) -> Self {
        push(Sqrt(self.0))
    }
    fn tanh(self) -> Self {
        push(Tanh(self.0))
    }
    fn sin(self) -> Self {
        push(Sin(self.0))
    }
    fn cos(self) -> Self {
        push(Cos(self.0))
    }
    fn powf(self, power: f64) -> Self {
        push(Power(self.0, power))
    }
}

/// A recorded formula.
pub(super) struct Tape {
    operations: Vec<Operation>,
    output: usize,
    parameters: usize,
}

/// The coefficients of θ(t), parameter by parameter.
pub(super) fn curve(theta: &Array1<f64>, path: &[ArrayView1<f64>]) -> Vec<f64> {
    let mut curve = Vec::with_capacity(theta.len() * (path.len() + 1));
    for (j, &constant) in theta.iter().enumerate() {
        curve.push(constant);
        curve.extend(path.iter().map(|step| step.get(j).copied().unwrap_or(0.0)));
    }
    curve
}

impl Tape {
    /// Records what `formula` does with its parameters.
    pub(super) fn record(parameters: usize, formula: &dyn Fn(&[Value]) -> Value) -> Self {
        RECORDING.with_borrow_mut(Vec::clear);
        let theta: Vec<Value> = (0..parameters).map(|j| push(Parameter(j))).collect();
        let output = formula(&theta).0;
        Self { operations: RECORDING.take(), output, parameters }
    }

    /// f(θ(t)) and ∂f/∂θⱼ(θ(t)) as series up to tᴷ; the gradient parameter by parameter.
    pub(super) fn differentiate(&self, theta: &[f64], order: usize) -> (Vec<f64>, Vec<f64>) {
        let width = order + 1;
        let values = self.forward(theta, width);
        let mut adjoints = vec![0.0; values.len()];
        adjoints[self.output * width] = 1.0;
        let mut gradient = vec![0.0; self.parameters * width];
        for (k, &operation) in self.operations.iter().enumerate().rev() {
            let (before, from) = adjoints.split_at_mut(k * width);
            let (result, adjoint) = (&values[k * width..][..width], &from[..width]);
            let value = |a: usize| &values[a * width..][..width];
            let mut add = |a: usize, factor: f64, term: &[f64]| {
                before[a * width..][..width].iter_mut().zip(term).for_each(|(sum, term)| *sum += factor * term);
            };
            let times = |other: &[f64]| {
                let mut product = vec![0.0; width];
                series::add_product(adjoint, other, &mut product);
                product
            };
            let over = |top: &[f64], bottom: &[f64]| {
                let mut quotient = vec![0.0; width];
                series::divide(top, bottom, &mut quotient);
                quotient
            };
            match operation {
                Parameter(j) => gradient[j * width..][..width].iter_mut().zip(adjoint).for_each(|(g, a)| *g += a),
                Constant(_) => {}
                Add(a, b) => {
                    add(a, 1.0, adjoint);
                    add(b, 1.0, adjoint);
                }
                Subtract(a, b) => {
                    add(a, 1.0, adjoint);
                    add(b, -1.0, adjoint);
                }
                Multiply(a, b) => {
                    add(a, 1.0, &times(value(b)));
                    add(b, 1.0, &times(value(a)));
                }
                Divide(a, b) => {
                    add(a, 1.0, &over(adjoint, value(b)));
                    add(b, -1.0, &over(&times(result), value(b)));
                }
                Shift(a, _) => add(a, 1.0, adjoint),
                Scale(a, factor) => add(a, factor, adjoint),
                Exp(a) => add(a, 1.0, &times(result)),
                Ln(a) => add(a, 1.0, &over(adjoint, value(a))),
                Sqrt(a) => add(a, 0.5, &over(adjoint, result)),
                Tanh(a) => {
                    let square = times(result);
                    let mut back = vec![0.0; width];
                    series::add_product(&square, result, &mut back);
                    add(a, 1.0, adjoint);
                    add(a, -1.0, &back);
                }
                Sin(a) => add(a, 1.0, &times(&series::sin_cos(value(a)).1)),
                Cos(a) => add(a, -1.0, &times(&series::sin_cos(value(a)).0)),
                Power(a, power) => add(a, power, &over(&times(result), value(a))),
            }
        }
        (values[self.output * width..][..width].to_vec(), gradient)
    }

    fn forward(&self, theta: &[f64], width: usize) -> Vec<f64> {
        let mut values = vec![0.0; self.operations.len() * width];
        for (k, &operation) in self.operations.iter().enumerate() {
            let (before, from) = values.split_at_mut(k * width);
            let (value, out) = (|a: usize| &before[a * width..][..width], &mut from[..width]);
            let mut combine = |a: usize, b: usize, factor: f64| {
                out.iter_mut().zip(value(a).iter().zip(value(b))).for_each(|(out, (a, b))| *out = a + factor * b);
            };
            match operation {
                Parameter(j) => out.copy_from_slice(&theta[j * width..][..width]),
                Constant(constant) => out[0] = constant,
                Add(a, b) => combine(a, b, 1.0),
                Subtract(a, b) => combine(a, b, -1.0),
                Multiply(a, b) => series::add_product(value(a), value(b), out),
                Divide(a, b) => series::divide(value(a), value(b), out),
                Shift(a, constant) => {
                    out.copy_from_slice(value(a));
                    out[0] += constant;
                }
                Scale(a, factor) => out.iter_mut().zip(value(a)).for_each(|(out, a)| *out = factor * a),
                Exp(a) => series::exp(value(a), out),
                Ln(a) => series::ln(value(a), out),
                Sqrt(a) => series::sqrt(value(a), out),
                Tanh(a) => series::tanh(value(a), out),
                Sin(a) => out.copy_from_slice(&series::sin_cos(value(a)).0),
                Cos(a) => out.copy_from_slice(&series::sin_cos(value(a)).1),
                Power(a, power) => series::powf(value(a), power, out),
            }
        }
        values
    }
}
