//! What an answer without refitting leaves out, row by row.

use ndarray::{Array1, Array2, Axis};

use super::parametric::Parametric;
use crate::curvature::Prepared;
use crate::error::Result;
use crate::model::linearised::Linearised;
use crate::sample::Sample;

/// Rows whose derivatives are held at a time.
const BLOCK: usize = 256;
/// Residuals below this share of the penalty's pull are lost in it: six of sixteen digits go, ten are left.
const LOST: f64 = 1e-6;
/// From here on a Newton step multiplies the residual by 1000 and more, and with it whatever is wrong in it.
const NEARLY_ONE: f64 = 0.999;

/// hᵢ = Jᵢ(nH + nD)⁻¹Jᵢᵀ from the first-order steps sᵢ = (nH + nD)⁻¹∇ℓᵢ that an engine has anyway.
///
/// ```text
/// ∇ℓᵢ = λ∘θ̂ − eᵢJᵢ     so     hᵢ = Jᵢ( (nH + nD)⁻¹(λ∘θ̂) − sᵢ )/eᵢ
/// ```
///
/// This is one more right-hand side; rows whose eᵢ says nothing, as where a model passes through them, are solved for
/// by themselves.
pub(super) fn leverages(here: &Linearised, inverse: &mut Prepared, first: &Array2<f64>) -> Result<Array1<f64>> {
    let (n, errors) = (here.rows(), here.residuals());
    let mut pull = here.shrinkage().insert_axis(Axis(0)) / n as f64;
    if pull.iter().any(|&part| part != 0.0) {
        inverse.solve_rows(&mut pull)?;
    }
    let mut leverages = Array1::zeros(n);
    for start in (0..n).step_by(BLOCK) {
        let jacobian = here.objective().jacobian_of(start..(start + BLOCK).min(n));
        let mut silent = Vec::new();
        for (k, row) in jacobian.rows().into_iter().enumerate() {
            let (i, pulled) = (start + k, row.dot(&pull.row(0)));
            match errors[i].abs() > LOST * pulled.abs() {
                true => leverages[i] = (pulled - row.dot(&first.row(i))) / errors[i],
                false => silent.push(k),
            }
        }
        if !silent.is_empty() {
            let rows = jacobian.select(Axis(0), &silent);
            let mut turned = &rows / n as f64;
            inverse.solve_rows(&mut turned)?;
            let own = rows.rows().into_iter().zip(turned.rows()).map(|(row, turned)| row.dot(&turned));
            silent.iter().zip(own).for_each(|(&k, leverage)| leverages[start + k] = leverage);
        }
    }
    Ok(leverages)
}

/// The share of each left-out residual that a series cut after order m leaves out.
///
/// ```text
/// least squares:  r⁽ᵐ⁾ = |e|(1 − hᵐ⁺¹)/(1 − h),  so (r − r⁽ᵐ⁾)/r = hᵐ⁺¹ exactly
/// ```
///
/// Elsewhere h is the larger of the leverage and of the rate at which the terms shrink.
pub(super) fn of_series(ratios: &Array1<f64>, leverages: &Array1<f64>, order: usize) -> Array1<f64> {
    let power = i32::try_from(order).map_or(i32::MAX, |order| order.saturating_add(1));
    let share = |(&ratio, &leverage): (&f64, &f64)| {
        // `max` would drop what is not a number.
        if ratio.is_nan() || leverage.is_nan() { f64::NAN } else { ratio.abs().max(leverage.abs()).powi(power) }
    };
    ratios.iter().zip(leverages).map(share).collect()
}

/// What the model does at each row beyond first order in its step, over the left-out residuals' root mean square.
pub(super) fn of_first_order(models: &Parametric, sample: &Sample, left_out: &Array1<f64>) -> Array1<f64> {
    let fitted = models.fitted(sample);
    beyond(sample, &fitted, models.first_order(sample, &fitted), left_out)
}

/// The same from the changes of first order.
pub(super) fn beyond(
    sample: &Sample,
    fitted: &Array1<f64>,
    first_order: Array1<f64>,
    left_out: &Array1<f64>,
) -> Array1<f64> {
    let bends = (left_out - fitted - first_order).mapv(f64::abs);
    let residuals = sample.y() - left_out;
    let size = (residuals.dot(&residuals) / sample.len() as f64).sqrt();
    // Without residuals there is nothing to be wrong about.
    if size > 0.0 { bends / size } else { bends.mapv(|_| 0.0) }
}

/// The larger of that and of what the series of order 1 leaves out.
pub(super) fn of_influence(beyond: Array1<f64>, leverages: &Array1<f64>) -> Array1<f64> {
    let series = of_series(leverages, leverages, 1);
    series.into_iter().zip(beyond).map(|(a, b)| if b > a { b } else { a }).collect()
}

/// The same for a Newton step, whose own equation fails where a row alone determines its prediction.
pub(super) fn of_newton(beyond: Array1<f64>, leverages: &Array1<f64>) -> Array1<f64> {
    let share = |(beyond, &leverage): (f64, &f64)| if leverage < NEARLY_ONE { beyond } else { f64::INFINITY };
    beyond.into_iter().zip(leverages).map(share).collect()
}
