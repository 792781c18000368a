//! Nothing that comes from outside makes the library panic; every refusal is a sentence with the value in it.

use jackknife::model::reminimised;
use jackknife::prelude::*;
use ndarray::{Array1, Array2, array};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, serialize};

fn line(n: usize) -> Sample {
    let x = Array2::from_shape_fn((n, 1), |(i, _)| i as f64);
    Sample::new(x, Array1::from_shape_fn(n, |i| i as f64 + (3.0 * i as f64).sin())).unwrap()
}

fn says<T>(result: Result<T>, words: &str) {
    let message = result.err().expect("this should be refused").to_string();
    assert!(message.contains(words), "`{words}` is not in: {message}");
}

#[test]
fn a_single_row_cannot_be_left_out() {
    let one = line(1);
    let model = Ridge::least_squares().fit(&one).unwrap();
    says(LeaveOneOut::closed_form(&Ridge::least_squares(), &one), "needs at least 2 rows, but there are 1");
    says(LeaveOneOut::refit(&one, |rows| Ridge::new(1.0).fit(rows)), "needs at least 2 rows");
    says(LeaveOneOut::influence(&model, &one, &Influence::order(1)), "needs at least 2 rows");
    says(LeaveOneOut::newton(&model, &one, &Newton::default()), "needs at least 2 rows");
    says(LeaveOneOut::reminimise(&model, &one), "needs at least 2 rows");
    says(HeldOut::fit(&one, 0.5, 0, |rows| Ridge::new(1.0).fit(rows)), "needs at least 2 rows");
    says(LeaveOneOut::folds(&one, 2, |rows| Ridge::new(1.0).fit(rows)), "the number of folds is 2");
    says(LeaveOneOut::tangent(&model, &one, &Tangent::default()), "needs at least 3 rows, but there are 1");
    says(Ridge::by_likelihood(&one), "a penalty by marginal likelihood needs at least 3 rows, but there are 1");
    says(LeaveOneOut::closed_form(&Ridge::by_likelihood(&line(9)).unwrap(), &line(2)), "needs at least 3 rows");
    let given = GivenFeatures::new(array![[1.0]], array![1.0], array![[1.0]]).unwrap();
    says(LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default()), "needs at least 2 rows");
}

#[test]
fn features_that_do_not_belong_together_are_refused() {
    let (rows, points) = (array![[1.0, 2.0], [2.0, 1.0], [0.0, 1.0]], array![[1.0, 1.0]]);
    let target = array![1.0, 2.0, 3.0];
    let given = |test: Array2<f64>| GivenFeatures::new(rows.clone(), target.clone(), test);
    says(given(array![[1.0]]), "`test.features` has 1 columns, but `train.features` has 2");
    says(given(Array2::zeros((0, 2))), "`test.features` has no rows");
    says(given(array![[1.0, f64::NAN]]), "column `test.features[1]`, row 1 is NaN");
    says(GivenFeatures::new(rows.clone(), array![1.0], points.clone()), "`train.target` has 1 rows");
    let good = given(points.clone()).unwrap();
    says(good.clone().with_offsets(array![0.0], array![0.0]), "`train.offset` has 1 rows, but the train rows are 3");
    says(good.clone().with_offsets(array![0.0, 1.0, 1.0], array![f64::NAN]), "column `test.offset`, row 1 is NaN");
    says(good.clone().with_places(rows.clone(), array![[1.0]]), "`test.place` has 1 columns");
    says(good.clone().with_test_target(array![]), "`test.target` has 0 rows");
    let kernel = |train: Array2<f64>| GivenFeatures::kernel(train, array![1.0, 2.0], array![[0.0, 1.0]], array![1.0]);
    assert!(kernel(array![[2.0, 1.0], [1.0, 2.0]]).is_ok());
    says(kernel(array![[2.0, 1.0], [0.5, 2.0]]), "not symmetric: 1 in row 1, column 2, and 0.5 in row 2, column 1");
    says(kernel(array![[1.0, 2.0], [2.0, 1.0]]), "not positive semidefinite: its eigenvalues go from −1 to 3");
    says(kernel(array![[-1.0, 0.0], [0.0, -2.0]]), "not positive semidefinite");
    let two = GivenFeatures::kernel(array![[2.0, 1.0], [1.0, 2.0]], target.clone(), points, array![1.0]);
    says(two, "`train.target` has 3 rows, but the rows of `train.kernel` are 2");
    let loo = LeaveOneOut::tangent_of(good.clone(), good.train(), &Tangent::default()).unwrap();
    says(loo.nested(&array![[1.0]], 0.1), "trained on 2 columns, but these rows have 1");
    says(LeaveOneOut::tangent_of(good, &line(5), &Tangent::default()), "trained on 2 columns");
}

#[test]
fn levels_orders_and_dampings_out_of_range_are_refused() {
    let sample = line(10);
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap();
    for alpha in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
        for rule in [Rule::InSample, Rule::Jackknife, Rule::Plus, Rule::Minmax, Rule::Studentised] {
            says(loo.intervals(rule, sample.x(), alpha), &format!("alpha is {alpha}"));
        }
    }
    says(LeaveOneOut::influence(&model, &sample, &Influence::order(0)), "the order of influence is 0");
    says(LeaveOneOut::influence(&model, &sample, &Influence::order(3).as_printed()), "the order as printed is 3");
    for damping in [-1.0, f64::NAN, f64::INFINITY] {
        let how = Influence::order(1).damping(damping);
        says(LeaveOneOut::influence(&model, &sample, &how), &format!("the damping is {damping}"));
        let newton = Newton::default().curvature(Curvature::Exact).damping(damping);
        says(LeaveOneOut::newton(&model, &sample, &newton), "the damping is");
    }
    for lambda in [-1.0, f64::NAN, f64::INFINITY] {
        says(Ridge::new(lambda).fit(&sample), &format!("the ridge penalty λ is {lambda}"));
    }
}

#[test]
fn points_with_other_columns_or_bad_cells_are_refused() {
    let sample = line(10);
    let model = Ridge::least_squares().fit(&sample).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &sample).unwrap();
    let (wide, bad) = (array![[1.0, 2.0]], array![[f64::NAN]]);
    for rule in [Rule::InSample, Rule::Jackknife, Rule::Plus, Rule::Minmax, Rule::Studentised] {
        says(loo.intervals(rule, &wide, 0.1), "trained on 1 columns, but these rows have 2");
        says(loo.intervals(rule, &bad, 0.1), "column `x0`, row 1 is NaN");
        assert_eq!(loo.intervals(rule, &Array2::zeros((0, 1)), 0.2).unwrap().prediction.len(), 0);
    }
    says(model.predict(&wide), "trained on 1 columns");
    says(loo.variability(&wide), "trained on 1 columns");
    let network = Training::default().hidden(&[2]).epochs(1).fit(&sample).unwrap();
    says(network.predict(&wide), "trained on 1 columns");
    let other = Sample::new(Array2::ones((5, 2)), Array1::ones(5)).unwrap();
    says(LeaveOneOut::influence(&network, &other, &Influence::order(1)), "trained on 1 columns");
    says(reminimised(&network, &other), "trained on 1 columns");
    says(loo.jackknife_plus(sample.x(), 0.2).unwrap().coverage(&array![1.0]), "targets and intervals: 1 against 10");
}

#[test]
fn training_options_out_of_range_are_refused() {
    let sample = line(10);
    says(Training::default().epochs(0).fit(&sample), "the number of epochs is 0");
    says(Training::default().batch(0).fit(&sample), "the batch size is 0");
    says(Training::default().hidden(&[3, 0]).fit(&sample), "the size of a hidden layer is 0");
    says(Training::default().patience(0).fit(&sample), "the patience is 0");
    says(Training::default().l2(-1.0).fit(&sample), "the penalty λ is -1");
    says(Training::default().learning_rate(f64::NAN).fit(&sample), "the learning rate is NaN");
    says(
        Training::default().epochs(500).standardise(false).learning_rate(1e200).fit(&sample),
        "try a smaller learning rate",
    );
}

#[derive(Clone)]
struct Root;

impl Formula for Root {
    fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
        (theta[0] * x[0]).sqrt()
    }
}

#[test]
fn a_formula_outside_its_domain_is_refused() {
    let sample = line(10);
    says(Curve::fit(Root, &sample, &[-1.0], 0.0), "is not a finite number");
    says(Curve::fit(Root, &sample, &[], 0.0), "the number of parameters is 0");
    says(Curve::fit(Root, &sample, &[1.0], -1.0), "the penalty λ is -1");
    let curve = Curve::new(Root, &[-1.0], 1, 0.0);
    says(LeaveOneOut::influence(&curve, &sample, &Influence::order(1)), "is not a finite number");
}

#[test]
fn a_dense_hessian_too_large_for_memory_is_refused_before_it_is_begun() {
    let sample = line(3);
    let network = Training::default().hidden(&[300, 300]).epochs(1).fit(&sample).unwrap();
    let how = Influence::order(1).solver(Solver::Dense);
    says(LeaveOneOut::influence(&network, &sample, &how), "use the solver `cg`");
}

/// Weights as a file would hold them.
fn weights(tensors: &[(&str, Dtype, &[usize], Vec<u8>)]) -> Vec<u8> {
    let views = tensors
        .iter()
        .map(|(name, dtype, shape, data)| (name.to_string(), TensorView::new(*dtype, shape.to_vec(), data).unwrap()));
    serialize(views.collect::<Vec<_>>(), None).unwrap()
}

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn single_precision_weights_are_read_and_others_refused() {
    let file = weights(&[
        ("0.weight", Dtype::F32, &[2, 1], f32s(&[1.0, -1.0])),
        ("0.bias", Dtype::F32, &[2], f32s(&[0.5, 0.25])),
        ("2.weight", Dtype::F32, &[1, 2], f32s(&[2.0, 4.0])),
        ("2.bias", Dtype::F32, &[1], f32s(&[0.125])),
    ]);
    let network = Network::from_bytes(&file, Activation::Relu, 0.0).unwrap();
    assert_eq!(network.predict(&array![[1.0]]).unwrap(), array![3.125]);

    let load = |file: Vec<u8>| Network::from_bytes(&file, Activation::Tanh, 0.0);
    let good = || ("0.bias", Dtype::F32, &[1][..], f32s(&[0.0]));
    says(load(weights(&[])), "there is no layer");
    says(load(weights(&[good()])), "layer 0 has no `0.weight`");
    says(load(weights(&[("0.weight", Dtype::F32, &[1, 1], f32s(&[1.0]))])), "layer 0 has no `0.bias`");
    says(load(weights(&[("fc.weight", Dtype::F32, &[1, 1], f32s(&[1.0])), good()])), "`fc.weight`");
    says(load(weights(&[("0.scale", Dtype::F32, &[1, 1], f32s(&[1.0])), good()])), "`0.scale`");
    says(load(weights(&[("0.weight", Dtype::F32, &[1], f32s(&[1.0])), good()])), "shape [1]");
    says(load(weights(&[("0.weight", Dtype::F16, &[1, 1], vec![0, 0]), good()])), "float32 or float64");
    says(load(weights(&[("0.weight", Dtype::F32, &[2, 1], f32s(&[1.0, 1.0])), good()])), "but 1 biases");
    says(load(weights(&[("0.weight", Dtype::F32, &[1, 1], f32s(&[f32::NAN])), good()])), "not finite");
    let two = ("0.bias", Dtype::F32, &[2][..], f32s(&[0.0, 0.0]));
    says(load(weights(&[("0.weight", Dtype::F32, &[2, 1], f32s(&[1.0, 1.0])), two])), "2 outputs");
    says(load(vec![1, 2, 3]), "not a whole safetensors file");
    says(Network::load("nowhere.safetensors", Activation::Tanh, 0.0), "cannot read `nowhere.safetensors`");
    says(Network::load("tests/fixtures/net_a.safetensors", Activation::Tanh, -1.0), "the penalty λ is -1");
}
