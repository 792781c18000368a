//! What is trained, by name: the models against closed forms, and which methods suit them.
#![cfg(all(feature = "linfa", feature = "trees"))]

use approx::assert_relative_eq;
use jackknife::prelude::*;
use ndarray::{Array1, Array2, Axis};

const NAMES: [&str; 12] = [
    "ols",
    "ridge",
    "ridge:0.5",
    "kernel",
    "network",
    "forest",
    "forest:50",
    "linfa-ols",
    "tweedie",
    "elasticnet",
    "elasticnet:0.01",
    "svr",
];

fn learner(name: &str) -> Learner {
    name.parse().unwrap()
}

/// y = 1 + sin(2x₀) + x₁ + noise; the third column says nothing.
fn waves(n: usize) -> Sample {
    let noise = linear(n, 3, 7).unwrap();
    let x = noise.x().clone();
    let y = x.rows().into_iter().map(|row| 1.0 + (2.0 * row[0]).sin() + row[1]).collect::<Array1<f64>>();
    Sample::new(x, y + (noise.y() - noise.y().mean().unwrap()) * 0.01).unwrap()
}

#[test]
fn every_name_is_that_of_its_learner_and_others_are_refused_with_the_list() {
    for name in NAMES {
        assert_eq!(learner(name).name(), name);
    }
    for wrong in ["", "lasso", "ridge:much", "forest:many", "elasticnet:", "Network"] {
        let refusal = wrong.parse::<Learner>().unwrap_err().to_string();
        assert!(refusal.contains(&format!("`{wrong}`")), "{refusal}");
    }
    assert!(
        "lasso".parse::<Learner>().unwrap_err().to_string().contains("ols, ridge, ridge:λ, kernel, network, forest")
    );
}

#[test]
fn the_same_seed_gives_the_same_predictions_whatever_the_number_of_threads() {
    let sample = waves(120);
    for name in NAMES.into_iter().filter(|name| !["network", "tweedie"].contains(name)) {
        let predict = || learner(name).fit(&sample, 3).unwrap().predict(sample.x()).unwrap();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(predict);
        assert_eq!(predict(), alone, "{name}");
    }
}

#[test]
fn linfas_least_squares_is_ours_and_an_elastic_net_lies_between_it_and_the_mean() {
    let sample = waves(80);
    let predict = |name: &str| learner(name).fit(&sample, 0).unwrap().predict(sample.x()).unwrap();
    let (theirs, ours) = (predict("linfa-ols"), predict("ols"));
    let (hardly, wholly) = (predict("elasticnet:0.0000001"), predict("elasticnet:100"));
    for i in 0..sample.len() {
        assert_relative_eq!(theirs[i], ours[i], epsilon = 1e-9);
        assert_relative_eq!(hardly[i], ours[i], epsilon = 1e-4);
        assert_relative_eq!(wholly[i], sample.y().mean().unwrap(), epsilon = 1e-9);
    }
    let refusal = learner("elasticnet:-1").fit(&sample, 0).unwrap_err().to_string();
    assert!(refusal.starts_with("the penalty of an elastic net is -1"), "{refusal}");
}

/// With a column for each group but one, every generalised linear model with an intercept gives the groups' means.
#[test]
fn tweedie_gives_the_means_of_groups_in_every_unit_and_refuses_negative_targets() {
    let group = |i: usize| i % 3;
    let x = Array2::from_shape_fn((30, 2), |(i, j)| f64::from(u8::from(group(i) == j + 1)));
    for unit in [1e-6, 1.0, 1e9] {
        let y: Array1<f64> = (0..30).map(|i| unit * (10f64.powi(group(i) as i32) + (i / 3) as f64 * 0.1)).collect();
        let sample = Sample::new(x.clone(), y.clone()).unwrap();
        let predictions = learner("tweedie").fit(&sample, 0).unwrap().predict(sample.x()).unwrap();
        for i in 0..30 {
            let mean = (0..30).filter(|&j| group(j) == group(i)).map(|j| y[j]).sum::<f64>() / 10.0;
            assert_relative_eq!(predictions[i], mean, max_relative = 1e-5);
        }
    }
    let y = Array1::from_shape_fn(30, |i| i as f64 - 3.0);
    let refusal = learner("tweedie").fit(&Sample::new(x, y).unwrap(), 0).unwrap_err().to_string();
    assert!(refusal.contains("-3") && refusal.contains("not negative"), "{refusal}");
}

#[test]
fn support_vectors_and_kernels_follow_a_curve_that_least_squares_does_not() {
    let (train, test) = waves(400).split(0.25, 1).unwrap();
    let error = |name: &str| rmse(&learner(name).fit(&train, 0).unwrap().predict(test.x()).unwrap(), test.y()).unwrap();
    let line = error("ols");
    for name in ["svr", "kernel", "forest"] {
        assert!(error(name) < 0.6 * line, "{name}: {} against {line}", error(name));
    }
}

#[test]
fn a_forest_takes_any_unit_constant_columns_and_rows_that_only_a_long_branch_tells_apart() {
    let sample = waves(150);
    let forest = Forest::default().trees(60).seed(5);
    let plain = forest.fit(&sample).unwrap().predict(sample.x()).unwrap();
    let units = sample.x() * 2f64.powi(-60);
    let mut scaled = units.clone();
    scaled.push_column(Array1::from_elem(150, 7.0).view()).unwrap();
    // Another column draws other divisions; without it the forest is the same in every unit that rounds alike.
    let same = Sample::new(units.clone(), sample.y() * 2f64.powi(40)).unwrap();
    let predictions = forest.fit(&same).unwrap().predict(&units).unwrap();
    predictions.iter().zip(&plain).for_each(|(a, b)| assert_relative_eq!(a / 2f64.powi(40), *b, max_relative = 1e-9));
    let with_constant = forest.fit(&Sample::new(scaled.clone(), sample.y().clone()).unwrap()).unwrap();
    assert!(rmse(&with_constant.predict(&scaled).unwrap(), sample.y()).unwrap() < 0.6);

    let steps = Array2::from_shape_fn((3000, 1), |(i, _)| i as f64);
    let tower = Array1::from_shape_fn(3000, |i| 1.01f64.powi(i as i32));
    let long = Sample::new(steps, tower).unwrap();
    let grown = Forest::default().trees(30).leaf(1).fit(&long).unwrap();
    assert!(grown.predict(long.x()).unwrap().iter().all(|prediction| prediction.is_finite()));

    for (wrong, words) in [
        (forest.trees(1), "the number of trees is 1"),
        (forest.trees(3), "the number of bags is 3"),
        (forest.leaf(0), "the rows of a leaf is 0"),
        (forest.share(0.0), "the share of the columns is 0"),
        (forest.share(1.5), "the share of the columns is 1.5"),
    ] {
        let refusal = LeaveOneOut::forest(&sample, &wrong).unwrap_err().to_string();
        assert!(refusal.starts_with(words), "{refusal}");
        assert_eq!(wrong.fit(&sample).unwrap_err().to_string(), refusal);
    }
}

/// Of a single column that takes few values, a tree that divides to the end is the mean of each value in its bag.
#[test]
fn a_forest_that_divides_to_the_end_averages_the_means_of_its_bags() {
    let x = Array2::from_shape_fn((60, 1), |(i, _)| (i % 4) as f64);
    let y = Array1::from_shape_fn(60, |i| ((i * 37) % 11) as f64);
    let sample = Sample::new(x, y).unwrap();
    let forest = Forest::default().trees(40).leaf(1).share(1.0).seed(9);
    // The same bags, and a model that is nothing but these means.
    struct Means([f64; 4]);
    impl Model for Means {
        fn columns(&self) -> usize {
            1
        }
        fn evaluate(&self, x: ndarray::ArrayView2<f64>) -> Array1<f64> {
            x.index_axis(Axis(1), 0).mapv(|value| self.0[value as usize])
        }
    }
    let means = |rows: &Sample| {
        let mean = |value: usize| {
            let of: Vec<f64> =
                (0..rows.len()).filter(|&i| rows.x()[[i, 0]] == value as f64).map(|i| rows.y()[i]).collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        Means([mean(0), mean(1), mean(2), mean(3)])
    };
    let expected = LeaveOneOut::bags(&sample, 40, 9, |rows, _| Ok(means(rows))).unwrap();
    let grown = LeaveOneOut::forest(&sample, &forest).unwrap();
    let pairs = grown.left_out_predictions().iter().zip(expected.left_out_predictions());
    pairs.for_each(|(a, b)| assert_relative_eq!(a, b, max_relative = 1e-9));
    let predictions = forest.fit(&sample).unwrap().predict(sample.x()).unwrap();
    let pairs = predictions.iter().zip(expected.predict(sample.x()).unwrap());
    pairs.for_each(|(a, b)| assert_relative_eq!(*a, b, max_relative = 1e-9));
}

#[test]
fn methods_take_the_engine_that_suits_the_model_or_are_refused_with_the_reason() {
    let suited =
        |model: &str, method: &str| learner(model).suited(method.parse().unwrap()).map(|method| method.to_string());
    for (model, method, expected) in [
        ("ols", "jackknife+", "jackknife+ (closed form)"),
        ("ridge", "minmax", "minmax (closed form)"),
        ("kernel", "jackknife+", "jackknife+ (tangent)"),
        ("network", "jackknife+", "jackknife+ (one Newton step)"),
        ("forest", "studentized", "studentized (200 bags)"),
        ("forest:50", "bagged", "studentized (50 bags)"),
        ("svr", "jackknife+", "jackknife+ (10 folds)"),
        ("svr", "jackknife+ (refit)", "jackknife+ (refit)"),
        ("ols", "dj2", "jackknife+ (influence of order 2)"),
        ("network", "ensemble", "deep ensemble"),
    ] {
        assert_eq!(suited(model, method).unwrap(), expected, "{model}, {method}");
    }
    for (model, method, reason) in [
        ("forest", "tangent", "features"),
        ("svr", "split+", "features"),
        ("kernel", "dj1", "derivatives"),
        ("ols", "dropout", "baselines"),
        ("kernel", "jackknife+ (closed form)", "linear"),
        ("network", "jackknife+ (given)", "given"),
    ] {
        let refusal = suited(model, method).unwrap_err().to_string();
        let begin = format!("`{method}` does not suit the model `{model}`: ");
        assert!(refusal.starts_with(&begin) && refusal.contains(reason) && refusal.contains("; try "), "{refusal}");
    }
    // What is offered suits, and can be asked for by its name.
    for name in NAMES {
        for method in learner(name).methods().into_iter().chain(learner(name).recommended()) {
            assert_eq!(learner(name).suited(method.name().parse().unwrap()).unwrap(), method, "{name}");
        }
    }
}

#[test]
fn leave_one_out_models_of_a_learner_are_those_of_its_engine() {
    let sample = waves(60);
    let ols = learner("ols");
    let fitted = ols.fit(&sample, 0).unwrap();
    let exact = LeaveOneOut::refit(&sample, |rows| Ridge::least_squares().fit(rows)).unwrap();
    for engine in [Engine::ClosedForm, Engine::Newton, Engine::Tangent, Engine::Refit] {
        let loo = ols.leave_one_out(&fitted, engine, &sample, 0, None).unwrap();
        let pairs = loo.left_out_predictions().iter().zip(exact.left_out_predictions());
        pairs.for_each(|(a, b)| assert_relative_eq!(*a, *b, epsilon = 1e-8));
    }
    let forest = learner("forest");
    let refused = forest.leave_one_out(&forest.fit(&sample, 0).unwrap(), Engine::Tangent, &sample, 0, None);
    assert!(refused.unwrap_err().to_string().starts_with("`jackknife+ (tangent)` does not suit"));
    // A model of another learner is said to be one.
    let confused = learner("network").leave_one_out(&forest.fit(&sample, 0).unwrap(), Engine::Newton, &sample, 0, None);
    assert!(confused.unwrap_err().to_string().contains("another learner"));
}

#[test]
fn models_are_compared_on_the_same_folds_and_each_line_is_that_of_an_audit_of_its_own() {
    let sample = waves(90);
    let names = ["ols", "forest:50", "kernel"];
    let models = names.map(learner);
    let audit = Audit::default().splits(3).seed(4);
    let together = audit.clone().models(&models).run("waves", &sample).unwrap();
    assert_eq!(together.rows().len(), 6);
    for (name, model) in names.into_iter().zip(&models) {
        let methods = model.recommended();
        let alone = audit.clone().models(std::slice::from_ref(model)).methods(&methods).run("waves", &sample).unwrap();
        let rows = together.rows().iter().filter(|row| row.model() == name);
        for (row, own) in rows.zip(alone.rows()) {
            assert_eq!(row.name(), format!("{name}: {}", own.name()));
            assert_eq!(row.intervals().unwrap(), own.intervals().unwrap());
        }
    }
    assert!(together.to_csv().contains(",\"") || together.to_csv().contains("forest:50: jackknife+ (50 bags)"));
    // The others are exact, or nothing but models that were trained.
    let checked: Vec<_> = together.checks().iter().map(|check| (check.model.as_deref(), check.engine)).collect();
    assert_eq!(checked, [(Some("kernel"), Engine::Tangent)]);
    #[cfg(feature = "plotly")]
    {
        let (page, best) = (together.to_html().unwrap(), together.best().unwrap().name());
        assert!(page.contains(&format!("<h2>{best}, on the 90 rows tested")), "the best of all models is shown first");
    }
    // A method that suits one of them only is left out of the others, and said to be.
    let some = audit.clone().models(&models).methods(&["tangent".parse().unwrap()]).run("waves", &sample).unwrap();
    assert_eq!(some.rows().iter().map(|row| row.model()).collect::<Vec<_>>(), ["ols", "kernel"]);
    assert_eq!(some.left_out().len(), 1);
    assert!(format!("{some}").contains("left out: `tangent` does not suit the model `forest:50`"));
    let none = audit.clone().models(&models).methods(&["dropout".parse().unwrap()]).run("waves", &sample);
    assert!(none.unwrap_err().to_string().starts_with("`dropout` does not suit the model `ols`"));
    assert!(audit.models(&[]).run("waves", &sample).is_err());
}
