//! The baselines against what is known in closed form.

use approx::assert_relative_eq;
use jackknife::prelude::*;
use ndarray::{Array1, Array2, Axis, array, concatenate};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

/// y = 1 + 2x₀ − x₁ + ½ε with standard normal features and noise.
fn linear(n: usize, seed: u64) -> Sample {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut normal = || rng.sample::<f64, _>(StandardNormal);
    let x = Array2::from_shape_simple_fn((n, 2), &mut normal);
    let noise = Array1::from_shape_simple_fn(n, normal) * 0.5;
    let y = 1.0 + &x.dot(&array![2.0, -1.0]) + &noise;
    Sample::new(x, y).unwrap()
}

/// (x, 1), row by row.
fn with_ones(x: &Array2<f64>) -> Array2<f64> {
    concatenate(Axis(1), &[x.view(), Array2::ones((x.nrows(), 1)).view()]).unwrap()
}

/// A⁻¹ of a small positive definite matrix, by Gauss–Jordan.
fn inverse(a: &Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    let mut both = concatenate(Axis(1), &[a.view(), Array2::eye(n).view()]).unwrap();
    for k in 0..n {
        let pivot = both.row(k).to_owned() / both[[k, k]];
        for (i, mut row) in both.rows_mut().into_iter().enumerate() {
            let factor = if i == k { row[k] - 1.0 } else { row[k] };
            row.scaled_add(-factor, &pivot);
        }
    }
    both.slice(ndarray::s![.., n..]).to_owned()
}

/// A linear model with Gaussian weights, in the units in which the baselines work: mean 0 and deviation 1.
struct Posterior {
    x_mean: Array1<f64>,
    x_scale: Array1<f64>,
    y_mean: f64,
    y_scale: f64,
    mean: Array1<f64>,
    covariance: Array2<f64>,
}

impl Posterior {
    /// θ ~ N(0, diag(`prior`)), y ~ N(θ·(x, 1), `noise`²), with the noise in raw units.
    fn new(sample: &Sample, prior: f64, noise: f64) -> Self {
        let (x_mean, x_scale) = (sample.x().mean_axis(Axis(0)).unwrap(), sample.x().std_axis(Axis(0), 0.0));
        let (y_mean, y_scale) = (sample.y().mean().unwrap(), sample.y().std(0.0));
        let z = with_ones(&((sample.x() - &x_mean) / &x_scale));
        let target = (sample.y() - y_mean) / y_scale;
        let variance = (noise / y_scale).powi(2);
        let precision = z.t().dot(&z) / variance + Array2::<f64>::eye(z.ncols()) / prior;
        let covariance = inverse(&precision);
        let mean = covariance.dot(&z.t().dot(&target)) / variance;
        Self { x_mean, x_scale, y_mean, y_scale, mean, covariance }
    }

    /// The mean and the variance of f(x) at each row of `x`, in raw units.
    fn at(&self, x: &Array2<f64>) -> (Array1<f64>, Array1<f64>) {
        let z = with_ones(&((x - &self.x_mean) / &self.x_scale));
        let variance = (z.dot(&self.covariance) * &z).sum_axis(Axis(1)) * self.y_scale.powi(2);
        (z.dot(&self.mean) * self.y_scale + self.y_mean, variance)
    }
}

fn points() -> Array2<f64> {
    array![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.5, 2.0], [3.0, 3.0]]
}

#[test]
fn a_gaussian_interval_has_the_quantiles_of_the_tables() {
    let predictive = Predictive { mean: array![1.0, -2.0], deviation: array![1.0, 3.0] };
    for (alpha, z) in [(0.05, 1.959963984540054), (0.1, 1.6448536269514722), (0.01, 2.5758293035489004)] {
        let intervals = predictive.intervals(alpha, Baseline::Dropout).unwrap();
        // The table has sixteen digits.
        assert_relative_eq!(intervals.upper[0], 1.0 + z, epsilon = 1e-13);
        assert_relative_eq!(intervals.lower[1], -2.0 - 3.0 * z, epsilon = 1e-13);
        assert_eq!((intervals.method, intervals.guarantee), (Method::Baseline(Baseline::Dropout), Guarantee::None));
    }
}

#[test]
fn dropout_that_switches_nothing_off_trains_the_network_of_plain_training() {
    let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 1).unwrap();
    let training = Training::default().hidden(&[6, 4]).epochs(30).batch(17).patience(3).seed(8);
    let dropout = Dropout::default().training(training.clone()).rate(0.0).passes(2).fit(&sample).unwrap();
    let network = training.fit(&sample).unwrap();
    assert_eq!(dropout.predictive(sample.x()).unwrap().mean, network.predict(sample.x()).unwrap());
}

#[test]
fn dropout_of_features_spreads_a_linear_model_by_its_closed_form() {
    let weight = array![[1.0, -2.0, 0.5]];
    let layer = Layer { weight: weight.clone(), bias: array![0.3] };
    let network = Network::new(vec![layer], Activation::Tanh, 0.0).unwrap();
    let sample = Sample::new(Array2::eye(3), array![1.0, 0.0, 1.0]).unwrap();
    let (p, passes) = (0.2, 20_000);
    let fitted = Dropout::default().input_rate(p).passes(passes).around(&network, &sample).unwrap();
    let x = array![[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [2.0, 0.0, 1.0], [0.0, 0.5, -3.0]];
    let predictive = fitted.predictive(&x).unwrap();
    let variance = predictive.deviation.mapv(|d| d * d);
    for k in 1..x.nrows() {
        let terms = (&x.row(k) * &weight.row(0)).mapv(|t| t * t);
        let expected = p / (1.0 - p) * terms.sum();
        // A variance from 20,000 draws of few Bernoulli variables is known to 1 %; at x = 0 only the noise is left.
        assert_relative_eq!(variance[k] - variance[0], expected, max_relative = 0.04);
        let mean = 0.3 + x.row(k).dot(&weight.row(0));
        assert!((predictive.mean[k] - mean).abs() < 4.0 * (expected / passes as f64).sqrt());
    }
}

#[test]
fn dropout_of_hidden_units_spreads_a_network_by_its_closed_form() {
    let hidden = Layer { weight: array![[1.0], [-0.5], [2.0], [0.3]], bias: array![0.1, 0.2, -0.4, 0.0] };
    let output = Layer { weight: array![[0.7, -1.1, 0.4, 2.0]], bias: array![-0.2] };
    let network = Network::new(vec![hidden.clone(), output.clone()], Activation::Tanh, 0.0).unwrap();
    let sample = Sample::new(array![[0.0], [1.0]], array![0.0, 1.0]).unwrap();
    let p = 0.3;
    let variance = |x: f64| {
        let h = (hidden.weight.column(0).to_owned() * x + &hidden.bias).mapv(f64::tanh);
        p / (1.0 - p) * (h * output.weight.row(0)).mapv(|t| t * t).sum()
    };
    let fitted = Dropout::default().rate(p).passes(20_000).around(&network, &sample).unwrap();
    let found = fitted.predictive(&array![[-1.0], [2.0]]).unwrap().deviation.mapv(|d| d * d);
    // The noise is unknown here and cancels; each variance is known to 1 %.
    assert_relative_eq!(found[1] - found[0], variance(2.0) - variance(-1.0), max_relative = 0.05);
}

#[test]
fn training_with_dropped_features_is_ridge_regression() {
    let sample = linear(100, 3);
    let p = 0.2;
    let training = Training::default().hidden(&[]).epochs(4000).learning_rate(2e-3);
    let fitted = Dropout::default().training(training).input_rate(p).passes(5000).fit(&sample).unwrap();
    // In standardised units dropout adds p/(1−p)‖w‖² to the mean squared error (Srivastava et al. 2014, Section 9):
    // a Gaussian prior of variance (1−p)/(pn) at a noise of one standard deviation of y.
    let ridge = Posterior::new(&sample, (1.0 - p) / (100.0 * p), sample.y().std(0.0));
    let x = points();
    let (found, expected) = (fitted.predictive(&x).unwrap().mean, ridge.at(&x).0);
    let slope = |mean: &Array1<f64>, k: usize| mean[k] - mean[0];
    for k in 1..3 {
        // Adam on random masks wanders by 1 or 2 %; the least-squares slopes are 20 % steeper.
        assert_relative_eq!(slope(&found, k), slope(&expected, k), max_relative = 0.06);
    }
}

#[test]
fn the_interval_at_a_row_does_not_depend_on_the_rows_asked_with_it() {
    let sample = linear(40, 0);
    let training = Training::default().hidden(&[8]).epochs(20);
    let fitted = Dropout::default().training(training).fit(&sample).unwrap();
    let x = Array2::from_shape_fn((600, 2), |(i, j)| (i as f64 * 0.37 + j as f64).sin());
    let all = fitted.predictive(&x).unwrap();
    let alone = fitted.predictive(&x.slice(ndarray::s![577..578, ..]).to_owned()).unwrap();
    assert_relative_eq!(alone.mean[0], all.mean[577], max_relative = 1e-12);
    assert_relative_eq!(alone.deviation[0], all.deviation[577], max_relative = 1e-12);
}

#[test]
fn an_ensemble_learns_noise_that_depends_on_x() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let deviation = |x: f64| 0.3 * (0.6 * x).exp();
    let x = Array2::from_shape_simple_fn((2000, 1), || rng.gen_range(-2.0..2.0));
    let y = x.column(0).mapv(|x| x + 1.0 + deviation(x) * rng.sample::<f64, _>(StandardNormal));
    let sample = Sample::new(x, y).unwrap();
    let training = Training::default().hidden(&[20]).epochs(150).learning_rate(0.005);
    let fitted = Ensemble::default().training(training).fit(&sample).unwrap();
    let at = array![[-1.5], [-0.5], [0.5], [1.5]];
    let predictive = fitted.predictive(&at).unwrap();
    for (k, &x) in at.iter().enumerate() {
        // About 500 rows tell of each quarter: 3 % for a deviation, and as much again for its change within.
        assert_relative_eq!(predictive.deviation[k], deviation(x), max_relative = 0.12);
        assert!((predictive.mean[k] - (x + 1.0)).abs() < 0.3 * deviation(x));
    }
}

#[test]
fn resampling_has_the_variance_of_the_infinitesimal_jackknife() {
    let sample = linear(120, 7);
    let lambda = 0.1;
    let model = Ridge::new(lambda).fit(&sample).unwrap();
    let fitted = Resampling::default().draws(4000).damping(0.0).fit(&model, &sample).unwrap();

    let n = sample.len() as f64;
    let design = with_ones(sample.x());
    let penalty = Array2::from_diag(&array![lambda, lambda, 0.0]);
    let hessian = design.t().dot(&design) / n + &penalty;
    let residuals = sample.y() - &model.predict(sample.x()).unwrap();
    let noise = residuals.mapv(|r| r * r).mean().unwrap();
    let gradients = -(&design * &residuals.insert_axis(Axis(1))) + &penalty.dot(&model.parameters());
    let shifts = with_ones(&points()).dot(&inverse(&hessian)).dot(&gradients.t());
    let expected = shifts.mapv(|s| s * s).sum_axis(Axis(1)) / (n * n);

    let found = fitted.predictive(&points()).unwrap().deviation.mapv(|d| d * d) - noise;
    for (found, expected) in found.iter().zip(&expected) {
        // A variance from 4000 draws has a relative error of √(2/4000) = 2.2 %: three of them.
        assert_relative_eq!(found, expected, max_relative = 0.07);
    }
}

#[test]
fn resampling_a_linear_model_agrees_with_a_bootstrap_that_refits() {
    let sample = linear(200, 11);
    let learner = Ridge::least_squares();
    let model = learner.fit(&sample).unwrap();
    let residuals = sample.y() - &model.predict(sample.x()).unwrap();
    let noise = residuals.mapv(|r| r * r).mean().unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let refits = (0..800).map(|_| {
        let rows: Vec<usize> = (0..sample.len()).map(|_| rng.gen_range(0..sample.len())).collect();
        learner.fit(&sample.rows(&rows).unwrap()).unwrap().predict(&points()).unwrap()
    });
    let refits: Vec<Array1<f64>> = refits.collect();
    let refits = ndarray::stack(Axis(0), &refits.iter().map(|f| f.view()).collect::<Vec<_>>()).unwrap();
    let bootstrap = refits.std_axis(Axis(0), 0.0);

    let fitted = Resampling::default().draws(800).damping(0.0).fit(&model, &sample).unwrap();
    let found = fitted.predictive(&points()).unwrap().deviation.mapv(|d| (d * d - noise).sqrt());
    for (found, bootstrap) in found.iter().zip(&bootstrap) {
        // 2.5 % of Monte-Carlo error on either side, and the second order, which is 1/n.
        assert_relative_eq!(found, bootstrap, max_relative = 0.12);
    }
}

#[test]
fn langevin_dynamics_draw_from_the_posterior_of_a_linear_model() {
    let sample = linear(50, 13);
    let (prior, noise) = (0.5, 0.8);
    let dynamics = Langevin::default().hidden(&[]).prior(prior).noise(noise).batch(50).step(0.1);
    let fitted = dynamics.burn_in(15_000).draws(15_000).thin(10).seed(4).fit(&sample).unwrap();
    let predictive = fitted.predictive(&points()).unwrap();
    let spread = predictive.deviation.mapv(|d| (d * d - noise * noise).sqrt());
    let (mean, variance) = Posterior::new(&sample, prior * prior, noise).at(&points());
    for k in 0..mean.len() {
        // 150,000 steps of relaxation time 2/step = 20 to 70 are worth some 1500 draws: 2 % of the deviation for
        // its own value and 3 % for the mean; four of them. The step itself widens by less than 2 %.
        assert_relative_eq!(spread[k], variance[k].sqrt(), max_relative = 0.08);
        assert!((predictive.mean[k] - mean[k]).abs() < 0.12 * variance[k].sqrt(), "mean at point {k}");
    }
}

#[test]
fn langevin_dynamics_find_an_unknown_noise() {
    let sample = linear(400, 17);
    let fitted = Langevin::default().hidden(&[]).step(0.1).burn_in(200).draws(400).thin(2).fit(&sample).unwrap();
    let deviation = fitted.predictive(&array![[0.0, 0.0]]).unwrap().deviation[0];
    // The truth is 0.5; 400 rows tell it to 3.5 %, and the prior is worth two.
    assert_relative_eq!(deviation, 0.5, max_relative = 0.1);
}

#[test]
fn probabilistic_backpropagation_of_a_linear_model_is_near_its_exact_posterior() {
    let sample = linear(300, 37);
    let (prior, noise) = (1.0, 0.5);
    let filter = Pbp::default().hidden(&[]).prior(prior).noise(noise).epochs(1);
    let predictive = filter.fit(&sample).unwrap().predictive(&points()).unwrap();
    let spread = predictive.deviation.mapv(|d| (d * d - noise * noise).sqrt());
    // A layer divides by √(inputs + 1), here √3.
    let (mean, variance) = Posterior::new(&sample, prior * prior / 3.0, noise).at(&points());
    for k in 0..mean.len() {
        // One pass would be exact if it kept the correlations of the weights. For features that are nearly
        // orthogonal over 300 rows these are below 0.1, which the spread and the mean feel as much.
        assert_relative_eq!(spread[k], variance[k].sqrt(), max_relative = 0.15);
        assert!((predictive.mean[k] - mean[k]).abs() < 0.5 * variance[k].sqrt(), "mean at point {k}");
    }
}

#[test]
fn probabilistic_backpropagation_finds_an_unknown_noise() {
    let fitted = Pbp::default().hidden(&[]).fit(&linear(400, 17)).unwrap();
    let deviation = fitted.predictive(&array![[0.0, 0.0]]).unwrap().deviation[0];
    // The truth is 0.5; 400 rows tell it to 3.5 %, and forty passes over them leave the prior no weight.
    assert_relative_eq!(deviation, 0.5, max_relative = 0.1);
}

#[test]
fn probabilistic_backpropagation_learns_a_curve_and_is_less_sure_where_there_are_no_rows() {
    let sample = cubic(200, Feature::Uniform { half_width: 3.0 }, 1.0, 3).unwrap();
    let fitted = Pbp::default().hidden(&[50]).fit(&sample).unwrap();
    let error = rmse(sample.y(), &fitted.predict(sample.x()).unwrap()).unwrap();
    // The noise has deviation 1, and the best straight line misses by 4.
    assert!(error < 1.5, "{error}");
    let deviation = fitted.predictive(&array![[0.0], [6.0]]).unwrap().deviation;
    assert!(deviation[1] > 1.5 * deviation[0], "{deviation}");
}

/// Every baseline, small, with its seed.
fn fits(sample: &Sample, seed: u64) -> Vec<Probabilistic> {
    let training = Training::default().hidden(&[6]).epochs(15).batch(16).l2(1e-3);
    let network = training.fit(sample).unwrap();
    vec![
        Dropout::default().training(training.clone()).seed(seed).fit(sample).unwrap(),
        Ensemble::default().training(training).members(3).seed(seed).fit(sample).unwrap(),
        Pbp::default().hidden(&[6]).epochs(3).seed(seed).fit(sample).unwrap(),
        Langevin::default().hidden(&[6]).burn_in(5).draws(5).thin(2).batch(16).seed(seed).fit(sample).unwrap(),
        Resampling::default().seed(seed).fit(&network, sample).unwrap(),
    ]
}

#[test]
fn the_same_seed_gives_the_same_numbers_on_any_number_of_threads_and_another_seed_does_not() {
    let sample = linear(60, 19);
    let on = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let predict = |fitted: Probabilistic| fitted.predictive(sample.x()).unwrap();
        pool.install(|| fits(&sample, seed).into_iter().map(predict).collect::<Vec<_>>())
    };
    let (one, three, other) = (on(1, 0), on(3, 0), on(2, 1));
    assert_eq!(one, three);
    for (one, other) in one.iter().zip(&other) {
        assert_ne!(one.deviation, other.deviation);
    }
}

#[test]
fn intervals_are_in_raw_units_and_centred_on_the_prediction() {
    let sample = linear(60, 23);
    let large = Sample::new(sample.x() * 1e-3, sample.y() * 1e6 + 4e7).unwrap();
    for (small, large) in fits(&sample, 0).iter().zip(fits(&large, 0)) {
        let name = small.baseline().to_string();
        let (a, b) = (small.intervals(&points(), 0.1).unwrap(), large.intervals(&(points() * 1e-3), 0.1).unwrap());
        for k in 0..a.prediction.len() {
            // Training on standardised data differs by rounding only, which a hundred steps leave small.
            assert_relative_eq!(a.prediction[k] * 1e6 + 4e7, b.prediction[k], max_relative = 1e-6);
            assert_relative_eq!(a.width()[k] * 1e6, b.width()[k], max_relative = 1e-5);
            assert_relative_eq!(0.5 * (a.lower[k] + a.upper[k]), a.prediction[k], max_relative = 1e-9);
        }
        assert_eq!((a.method.to_string(), small.columns()), (name, 2));
    }
}

#[test]
fn a_single_row_is_enough_for_finite_intervals() {
    let sample = linear(1, 41);
    let ridge = Ridge::new(0.1).fit(&sample).unwrap();
    let resampled = Resampling::default().fit(&ridge, &sample).unwrap();
    for fitted in fits(&sample, 0).into_iter().chain([resampled]) {
        let intervals = fitted.intervals(&points(), 0.1).unwrap();
        assert!(intervals.lower.iter().chain(&intervals.upper).all(|end| end.is_finite()), "{fitted:?}");
    }
}

#[test]
fn a_bad_option_is_refused_with_a_clear_sentence() {
    let sample = linear(20, 29);
    let network = Training::default().hidden(&[2]).epochs(1).fit(&sample).unwrap();
    let refused = [
        (
            Dropout::default().rate(1.0).fit(&sample),
            "the dropout rate is 1, but it must be at least 0 and below 1: try 0.1",
        ),
        (
            Dropout::default().input_rate(f64::NAN).around(&network, &sample),
            "the input dropout rate is NaN, but it must be at least 0 and below 1: try 0.1",
        ),
        (Dropout::default().passes(1).fit(&sample), "the number of passes is 1, but it must be at least 2: try 100"),
        (Ensemble::default().members(0).fit(&sample), "the number of members is 0, but it must be at least 1: try 5"),
        (
            Ensemble::default().training(Training::default().epochs(0)).fit(&sample),
            "the number of epochs is 0, but it must be at least 1: try 100",
        ),
        (
            Pbp::default().hidden(&[10, 0]).fit(&sample),
            "the size of a hidden layer is 0, but it must be at least 1: try 100",
        ),
        (
            Pbp::default().prior(0.0).fit(&sample),
            "the prior deviation is 0, but it must lie above 0 and up to 1e100: try 1",
        ),
        (
            Langevin::default().noise(-1.0).fit(&sample),
            "the noise deviation is -1, but it must lie above 0 and up to 1e100: try 0.5",
        ),
        (
            Langevin::default().decay(2.0).fit(&sample),
            "the decay of the step is 2, but it must lie between 0 and 1: try 0.55",
        ),
        (Langevin::default().thin(0).fit(&sample), "the thinning is 0, but it must be at least 1: try 10"),
        (
            Resampling::default().damping(-1.0).fit(&network, &sample),
            "the damping is -1, but it must lie between 0 and 1e100: try 0.001",
        ),
        (
            Resampling::default().draws(0).fit(&network, &sample),
            "the number of bootstrap samples is 0, but it must be at least 2: try 100",
        ),
    ];
    for (outcome, sentence) in refused {
        assert_eq!(outcome.unwrap_err().to_string(), sentence);
    }
}

#[test]
fn langevin_steps_that_are_too_long_are_reported_as_a_divergence() {
    let error = Langevin::default().step(1e9).fit(&linear(20, 29)).unwrap_err();
    assert!(error.to_string().starts_with("the Langevin dynamics diverged after"), "{error}");
}

#[test]
fn other_columns_and_impossible_levels_are_refused() {
    let sample = linear(20, 31);
    let narrow = Sample::new(Array2::ones((3, 1)), array![1.0, 2.0, 3.0]).unwrap();
    let network = Training::default().hidden(&[2]).epochs(1).fit(&sample).unwrap();
    let columns = Error::Columns { trained: 2, given: 1 };
    assert_eq!(Resampling::default().fit(&network, &narrow).unwrap_err(), columns);
    assert_eq!(Dropout::default().around(&network, &narrow).unwrap_err(), columns);
    for fitted in fits(&sample, 0) {
        assert_eq!(fitted.intervals(narrow.x(), 0.1).unwrap_err(), columns);
        assert_eq!(fitted.intervals(sample.x(), 1.0).unwrap_err(), Error::Level(1.0));
        assert!(fitted.intervals(&Array2::zeros((0, 2)), 0.1).unwrap().prediction.is_empty());
    }
}
