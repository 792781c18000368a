//! Logistic regression: how likely a row is of one kind and not of the other. What tells new points from training rows.

use ndarray::{Array1, Array2, Axis, s};

use crate::factor::{Cholesky, gram};

/// λ of ½λ‖β‖², in units of one row: it bounds β where the kinds can be told apart without an error, and is nothing else
/// beside a hundred rows.
const PENALTY: f64 = 1.0;
/// Newton's method needs about eight steps; where it needs more, the penalty alone holds β.
const STEPS: usize = 50;
/// A step below this changes no digit that is read.
const CLOSE: f64 = 1e-10;

/// ln P(positive | x)/P(negative | x) = b + β·z, with z the features in units of their deviations.
pub(crate) struct Logistic {
    mean: Array1<f64>,
    deviation: Array1<f64>,
    /// β, and b at its end.
    weights: Array1<f64>,
    penalty: f64,
}

impl Logistic {
    /// With a penalty that is nothing beside a hundred rows.
    pub(crate) fn fit(x: &Array2<f64>, positive: &[bool]) -> Self {
        Self::penalised(x, positive, PENALTY)
    }

    /// Maximises the penalised likelihood by Newton's method, λ > 0.
    ///
    /// ```text
    /// min over b, β:   Σᵢ ln(1 + exp(−sᵢ(b + β·zᵢ))) + ½λ‖β‖²,     sᵢ = 1 for a positive, −1 for a negative
    /// ```
    pub(crate) fn penalised(x: &Array2<f64>, positive: &[bool], penalty: f64) -> Self {
        let mean = x.mean_axis(Axis(0)).unwrap_or_else(|| Array1::zeros(x.ncols()));
        // A column without spread tells nothing, in any unit.
        let deviation = x.std_axis(Axis(0), 0.0).mapv(|deviation| if deviation > 0.0 { deviation } else { 1.0 });
        let mut model = Self { mean, deviation, weights: Array1::zeros(x.ncols() + 1), penalty };
        let z = model.standardised(x);
        let sign = signs(positive);
        let mut loss = model.loss(&z, &sign);
        for _ in 0..STEPS {
            let step = model.newton_step(&z, &sign);
            let Some(step) = step.filter(|step| step.iter().all(|step| step.is_finite())) else { break };
            let before = model.weights.clone();
            // The loss is convex: half of a step that overshoots does not.
            let mut size = 1.0;
            loop {
                model.weights = &before - &(size * &step);
                let now = model.loss(&z, &sign);
                if now <= loss {
                    loss = now;
                    break;
                }
                size *= 0.5;
                if size < CLOSE {
                    model.weights = before;
                    return model;
                }
            }
            if step.iter().all(|step| step.abs() < CLOSE) {
                break;
            }
        }
        model
    }

    /// ln P(positive | x)/P(negative | x) at each row.
    pub(crate) fn log_odds(&self, x: &Array2<f64>) -> Array1<f64> {
        self.standardised(x).dot(&self.weights)
    }

    /// −ln P of the kinds of these rows.
    pub(crate) fn unlikelihood(&self, x: &Array2<f64>, positive: &[bool]) -> f64 {
        unlikely(self.log_odds(x) * signs(positive))
    }

    /// The features in units of their deviations, and a column of ones.
    fn standardised(&self, x: &Array2<f64>) -> Array2<f64> {
        let mut z = Array2::ones((x.nrows(), x.ncols() + 1));
        z.slice_mut(s![.., ..x.ncols()]).assign(&((x - &self.mean) / &self.deviation));
        z
    }

    fn slopes(&self) -> Array1<f64> {
        let mut slopes = self.weights.clone();
        slopes[self.mean.len()] = 0.0;
        slopes
    }

    fn loss(&self, z: &Array2<f64>, sign: &Array1<f64>) -> f64 {
        let slopes = self.slopes();
        unlikely(z.dot(&self.weights) * sign) + 0.5 * self.penalty * slopes.dot(&slopes)
    }

    /// H⁻¹∇ of the loss; `None` if H cannot be factorised.
    fn newton_step(&self, z: &Array2<f64>, sign: &Array1<f64>) -> Option<Array1<f64>> {
        let wrong = (z.dot(&self.weights) * sign).mapv(|t| 1.0 / (1.0 + t.exp()));
        let gradient = -z.t().dot(&(&wrong * sign)) + self.penalty * self.slopes();
        let root = wrong.mapv(|wrong| (wrong * (1.0 - wrong)).sqrt()).insert_axis(Axis(1));
        let mut hessian = gram((z * &root).view());
        let intercept = self.mean.len();
        hessian.diag_mut().slice_mut(s![..intercept]).map_inplace(|entry| *entry += self.penalty);
        // Where every row is sure of its kind, nothing holds b.
        hessian[[intercept, intercept]] += f64::EPSILON * z.nrows() as f64;
        Some(Cholesky::new(hessian)?.solve(gradient.view()))
    }
}

/// 1 for a positive, −1 for a negative.
fn signs(positive: &[bool]) -> Array1<f64> {
    positive.iter().map(|&positive| if positive { 1.0 } else { -1.0 }).collect()
}

/// Σ ln(1 + e⁻ᵗ), without an overflow of either end.
fn unlikely(margins: Array1<f64>) -> f64 {
    margins.mapv(|t| (-t.abs()).exp().ln_1p() + (-t).max(0.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// N(1, 1) against N(0, 1): the log-ratio of the densities is x − ½.
    #[test]
    fn the_log_odds_of_two_normals_are_those_of_their_densities() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let each = 20_000;
        let positive: Vec<bool> = (0..2 * each).map(|row| row >= each).collect();
        let x = Array2::from_shape_fn((2 * each, 1), |(row, _)| {
            let draw: f64 = StandardNormal.sample(&mut rng);
            draw + if row >= each { 1.0 } else { 0.0 }
        });
        let odds = Logistic::fit(&x, &positive).log_odds(&ndarray::array![[0.0], [1.0]]);
        // Four standard errors of the slope, sqrt(1/(n·E[p(1−p)x²] …)) < 0.015 at n = 40 000.
        assert!((odds[1] - odds[0] - 1.0).abs() < 0.06, "{odds}");
        assert!((odds[0] + 0.5).abs() < 0.06, "{odds}");
    }

    /// By hand: rows −1 (negative) and 1 (positive) have the loss 2 ln(1 + e⁻ᵇ) + ½b² with b the slope, b = 2/(1 + eᵇ).
    #[test]
    fn two_rows_have_the_slope_that_can_be_derived_by_hand() {
        let model = Logistic::fit(&ndarray::array![[-1.0], [1.0]], &[false, true]);
        let slope = model.weights[0];
        assert!((slope - 2.0 / (1.0 + slope.exp())).abs() < 1e-9 && model.weights[1].abs() < 1e-9, "{}", model.weights);
    }

    #[test]
    fn rows_that_can_be_told_apart_and_columns_without_spread_have_finite_odds() {
        let x = ndarray::array![[0.0, 7.0], [1.0, 7.0], [1e90, 7.0], [2e90, 7.0]];
        assert!(Logistic::fit(&x, &[false, false, true, true]).log_odds(&x).iter().all(|odds| odds.is_finite()));
        assert!(Logistic::fit(&x, &[true; 4]).log_odds(&x).iter().all(|odds| odds.is_finite()));
    }
}
