//! Ticks at round numbers.

use super::chart::Scale;
use super::frame::Range;
use crate::wording::{fixed, power, scientific, trimmed};

/// A tick: where, and what stands there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

/// The ticks of an axis, about as many as wished.
pub(super) fn ticks(range: &Range, scale: &Scale, wished: usize) -> Vec<Tick> {
    match scale {
        Scale::Names(names) => {
            names.iter().enumerate().map(|(k, name)| Tick { at: k as f64, label: name.clone() }).collect()
        }
        Scale::Logarithmic => decades(range, wished),
        Scale::Linear => linear(range, wished, 0.0),
        Scale::Whole => linear(range, wished, 1.0),
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear(range: &Range, wished: usize, smallest: f64) -> Vec<Tick> {
    let rough = (range.high - range.low) / wished.max(1) as f64;
    let unit = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * unit >= 0.7 * rough).unwrap_or(10.0);
    let step = (factor * unit).max(smallest);
    let (first, last) = ((range.low / step - 1e-9).ceil(), (range.high / step + 1e-9).floor());
    // A range of few units in the last place has no round numbers.
    if !(last - first).is_finite() || last - first > 50.0 {
        return Vec::new();
    }
    let largest = range.low.abs().max(range.high.abs());
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let label = |at: f64| match largest {
        largest if largest >= 1e6 => scientific(at, digits(largest, step)),
        largest if largest < 1e-3 => scientific(at, 2),
        _ => fixed(at, decimals),
    };
    (0..=(last - first) as usize)
        .map(|k| (first + k as f64) * step)
        .map(|at| Tick { at, label: label(if at.abs() < 1e-9 * step { 0.0 } else { at }) })
        .collect()
}

/// The decimals that tell ticks apart once the largest is written as d.ddd×10ᵏ.
fn digits(largest: f64, step: f64) -> usize {
    ((largest.log10().floor() - step.log10().floor()).max(0.0) as usize).min(8)
}

/// Powers of ten; with 2 and 5 times these, or round numbers, if the range has too few.
fn decades(range: &Range, wished: usize) -> Vec<Tick> {
    let (first, last) = (range.low.ceil() as i32, range.high.floor() as i32);
    if last - first >= 2 {
        let step = ((last - first) as usize).div_ceil(wished.max(1)).max(1);
        let plain = first >= -2 && last <= 3;
        let label = |k: i32| if plain { trimmed(10_f64.powi(k), 2) } else { power(k) };
        return (first..=last).step_by(step).map(|k| Tick { at: 10_f64.powi(k), label: label(k) }).collect();
    }
    let exponents = range.low.floor() as i32..=range.high.ceil() as i32;
    let fine: Vec<f64> = exponents
        .flat_map(|k| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powi(k)))
        .filter(|at| (range.low..=range.high).contains(&at.log10()))
        .collect();
    if fine.len() >= 3 {
        return fine.into_iter().map(|at| Tick { at, label: label_of(at) }).collect();
    }
    let (low, high) = (10_f64.powf(range.low), 10_f64.powf(range.high));
    linear(&Range { low, high, logarithmic: false }, wished, 0.0)
}

fn label_of(at: f64) -> String {
    if (1e-3..1e4).contains(&at) { trimmed(at, 3) } else { scientific(at, 0) }
}
