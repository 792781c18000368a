//! Features and kernels that another program made: in the library, on the command line, and what is refused.

mod folder;

use std::path::PathBuf;
use std::process::{Command, Output};

use folder::Folder;
use jackknife::prelude::*;
use ndarray::{Array1, Array2, Axis, array};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};

/// A tensor as a file holds it.
#[derive(Clone)]
struct Tensor {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

fn tensor(name: &str, shape: &[usize], cells: impl IntoIterator<Item = f64>) -> Tensor {
    let bytes = cells.into_iter().flat_map(f64::to_le_bytes).collect();
    Tensor { name: name.into(), dtype: Dtype::F64, shape: shape.into(), bytes }
}

fn matrix(name: &str, cells: &Array2<f64>) -> Tensor {
    tensor(name, &[cells.nrows(), cells.ncols()], cells.iter().copied())
}

fn vector(name: &str, cells: &Array1<f64>) -> Tensor {
    tensor(name, &[cells.len()], cells.iter().copied())
}

fn single(tensor: &Tensor) -> Tensor {
    let numbers = tensor.bytes.chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()) as f32);
    Tensor { dtype: Dtype::F32, bytes: numbers.flat_map(f32::to_le_bytes).collect(), ..tensor.clone() }
}

fn file(tensors: &[Tensor]) -> Vec<u8> {
    let views: Vec<_> = tensors
        .iter()
        .map(|tensor| {
            let view = TensorView::new(tensor.dtype, tensor.shape.clone(), &tensor.bytes).unwrap();
            (tensor.name.clone(), view)
        })
        .collect();
    serialize(views, None).unwrap()
}

/// The tensors of the reference problem.
fn reference() -> Vec<Tensor> {
    let bytes = std::fs::read("tests/fixtures/tangent_a.safetensors").unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap().tensors();
    let own = |(name, view): (String, TensorView)| Tensor {
        name,
        dtype: view.dtype(),
        shape: view.shape().into(),
        bytes: view.data().into(),
    };
    tensors.into_iter().map(own).collect()
}

fn cells(tensors: &[Tensor], name: &str) -> Array2<f64> {
    let tensor = tensors.iter().find(|tensor| tensor.name == name).unwrap();
    let cells = tensor.bytes.chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
    Array2::from_shape_vec((tensor.shape[0], tensor.shape.get(1).copied().unwrap_or(1)), cells).unwrap()
}

/// The same problem with the kernel J·Jᵀ in place of J.
fn as_kernel(tensors: &[Tensor]) -> Vec<Tensor> {
    let (train, test) = (cells(tensors, "train.features"), cells(tensors, "test.features"));
    let mut kernel = tensors.to_vec();
    kernel.retain(|tensor| !tensor.name.ends_with("features"));
    kernel.push(matrix("train.kernel", &train.dot(&train.t())));
    kernel.push(matrix("test.kernel", &test.dot(&train.t())));
    kernel.push(vector("test.kernel_diagonal", &(&test * &test).sum_axis(Axis(1))));
    kernel
}

fn without(tensors: &[Tensor], ending: &str) -> Vec<Tensor> {
    tensors.iter().filter(|tensor| !tensor.name.ends_with(ending)).cloned().collect()
}

fn with(tensors: &[Tensor], other: Tensor) -> Vec<Tensor> {
    let mut tensors = tensors.to_vec();
    tensors.retain(|tensor| tensor.name != other.name);
    tensors.push(other);
    tensors
}

fn ends(tensors: &[Tensor], rule: Rule) -> Result<Vec<[f64; 3]>> {
    let given = GivenFeatures::from_bytes(&file(tensors))?;
    let loo = LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default())?;
    let Intervals { prediction, lower, upper, .. } = loo.intervals(rule, given.test(), 0.1)?;
    Ok((0..prediction.len()).map(|k| [prediction[k], lower[k], upper[k]]).collect())
}

fn close(a: &[[f64; 3]], b: &[[f64; 3]], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}: {a} against {b}");
    }
}

const RULES: [Rule; 4] = [Rule::Nested, Rule::Full, Rule::Laplace, Rule::Signed];

#[test]
fn a_kernel_of_the_features_gives_what_the_features_give() {
    let features = reference();
    for (what, tensors) in [("places", features.clone()), ("no places", without(&features, "place"))] {
        for rule in RULES {
            let (a, b) = (ends(&as_kernel(&tensors), rule).unwrap(), ends(&tensors, rule).unwrap());
            close(&a, &b, 1e-8, &format!("{rule}, {what}"));
        }
    }
    let kernel = GivenFeatures::from_bytes(&file(&as_kernel(&features))).unwrap();
    assert!(kernel.is_kernel());
    assert_eq!(format!("{kernel:?}"), "a kernel of 60 training rows and 8 points, with places, with offsets");
    let loo = LeaveOneOut::tangent_of(kernel.clone(), kernel.train(), &Tangent::default()).unwrap();
    assert_eq!(loo.notes()[0], "ridge on a kernel of 60 rows, κ = 32 by marginal likelihood");
}

#[test]
fn single_precision_costs_its_digits_and_no_more() {
    let features = reference();
    for tensors in [features.clone(), as_kernel(&features), without(&as_kernel(&features), "place")] {
        let single: Vec<Tensor> = tensors.iter().map(single).collect();
        close(&ends(&single, Rule::Nested).unwrap(), &ends(&tensors, Rule::Nested).unwrap(), 1e-4, "f32");
    }
}

#[test]
fn offsets_are_added_back_and_more_features_than_rows_are_welcome() {
    let features = reference();
    let plain = without(&features, "offset");
    let target = cells(&features, "train.target") - cells(&features, "train.offset");
    let moved = ends(&with(&plain, vector("train.target", &target.column(0).to_owned())), Rule::Nested).unwrap();
    let offset = cells(&features, "test.offset");
    let back: Vec<[f64; 3]> = moved.iter().zip(offset.column(0)).map(|(ends, o)| ends.map(|end| end + o)).collect();
    close(&back, &ends(&features, Rule::Nested).unwrap(), 1e-10, "offset");
    let wide = |n: usize| Array2::from_shape_fn((n, 50), |(i, k)| ((1.3 * i as f64 + 0.7) * (k + 1) as f64).sin());
    let target = Array1::from_shape_fn(20, |i| (1.3 * i as f64).cos());
    let given = GivenFeatures::new(wide(20), target, wide(4)).unwrap();
    let loo = LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default()).unwrap();
    assert!(loo.nested(given.test(), 0.2).unwrap().width().iter().all(|width| *width > 0.0));
}

#[test]
fn a_kernel_of_zeros_or_of_one_rank_has_an_answer() {
    let target = array![1.0, 2.0, 4.0, 3.0, 2.5];
    for scale in [0.0, 1.0] {
        let ones = |rows| Array2::from_elem((rows, 5), scale);
        let given = GivenFeatures::kernel(ones(5), target.clone(), ones(2), Array1::from_elem(2, scale)).unwrap();
        let loo = LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default()).unwrap();
        for rule in RULES {
            assert!(loo.intervals(rule, given.test(), 0.4).unwrap().mean_width() > 0.0, "{scale} {rule}");
        }
    }
}

/// `jackknife intervals --features` with the tensors in a file.
struct Desk(Folder);

impl Desk {
    fn out(&self) -> PathBuf {
        self.0.path().join("out.csv")
    }

    fn run(&self, bytes: &[u8], options: &str) -> Output {
        let path = self.0.path().join("features.safetensors");
        std::fs::write(&path, bytes).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
        command.args(["intervals", "--features"]).arg(path).args(options.split_whitespace());
        command.arg("--out").arg(self.out()).output().unwrap()
    }

    fn refuses(&self, bytes: &[u8], options: &str, words: &[&str]) {
        let output = self.run(bytes, options);
        let message = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.starts_with("error: ") && message.lines().count() == 1, "{message}");
        words.iter().for_each(|word| assert!(message.contains(word), "`{word}` is not in: {message}"));
        assert!(!self.out().exists(), "no partial output");
    }
}

#[test]
fn the_reference_problem_comes_out_of_the_command_line() {
    let desk = Desk(Folder::new());
    let json = std::fs::read_to_string("tests/fixtures/tangent_a.json").unwrap();
    let expected: serde_json::Value = serde_json::from_str(&json).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    };
    for tensors in [reference(), as_kernel(&reference())] {
        for options in ["", "--alpha 0.1 --method tangent", "--alpha 0.2"] {
            let output = desk.run(&file(&tensors), options);
            let told = String::from_utf8_lossy(&output.stdout).to_string();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let level = if options.ends_with("0.2") { "60 %" } else { "80 %" };
            assert!(told.contains(&format!("at least {level} if the features were made without the training rows")));
            assert!(told.contains("κ = 32 by marginal likelihood"), "{told}");
            let text = std::fs::read_to_string(desk.out()).unwrap();
            assert!(text.starts_with("prediction,lower,upper\n"));
            let ends = &expected["intervals"][if options.ends_with("0.2") { "0.2" } else { "0.1" }];
            let columns = [&expected["prediction"], &ends["lower"], &ends["upper"]].map(numbers);
            for (k, line) in text.lines().skip(1).enumerate() {
                for (cell, column) in line.split(',').zip(&columns) {
                    let found: f64 = cell.parse().unwrap();
                    assert!((found - column[k]).abs() < 1e-9 * (1.0 + column[k].abs()), "{options} row {k}: {line}");
                }
            }
        }
    }
}

#[test]
fn targets_of_the_points_give_the_coverage() {
    let desk = Desk(Folder::new());
    let tensors = with(&reference(), tensor("test.target", &[8, 1], [1e6; 8]));
    let output = desk.run(&file(&tensors), "--method full");
    let told = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(
        told.contains("coverage on the 8 test rows: 0.0000") && told.contains("no guarantee is proven\n"),
        "{told}"
    );
}

#[test]
fn what_does_not_go_with_features_is_refused() {
    let desk = Desk(Folder::new());
    let bytes = file(&reference());
    for option in [
        "--train a.csv",
        "--test a.csv",
        "--target y",
        "--model ols",
        "--order 1",
        "--folds 3",
        "--activation tanh",
        "--l2 0.1",
        "--hidden 3",
        "--epochs 5",
        "--trust-anyway",
    ] {
        let name = option.split(' ').next().unwrap();
        desk.refuses(&bytes, option, &[&format!("{name} does not go with --features"), "leave it away"]);
    }
    for method in ["split+", "tangent-cv", "jackknife+", "cv+", "split", "weighted", "naive"] {
        desk.refuses(&bytes, &format!("--method {method}"), &[method, "tangent, full, laplace, signed"]);
    }
    desk.refuses(&bytes, "--method magic", &["`magic`", "try tangent"]);
    desk.refuses(&bytes, "--alpha 1", &["alpha is 1"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    let output = command
        .args(["intervals", "--features", "tests/fixtures/tangent_a.safetensors", "--out"])
        .arg(desk.0.path().join("no/where.csv"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("its folder does not exist"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    let output = command.args(["intervals", "--features", "nowhere.safetensors", "--out"]).arg(desk.out()).output();
    assert!(String::from_utf8_lossy(&output.unwrap().stderr).contains("cannot read `nowhere.safetensors`"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    let output = command.args(["intervals", "--test", "a.csv", "--out"]).arg(desk.out()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(output.status.code() == Some(2) && said.contains("--train") && said.contains("--model"), "{said}");
}

#[test]
fn tensors_that_do_not_belong_together_are_refused_by_name() {
    let desk = Desk(Folder::new());
    let (whole, kernel) = (reference(), as_kernel(&reference()));
    let refuses = |tensors: &[Tensor], words: &[&str]| desk.refuses(&file(tensors), "", words);
    refuses(&[], &["no tensor `train.features`", "no tensors at all"]);
    let missing = |tensors: &[Tensor], name: &str| {
        let there = if name == "test.offset" { "train.offset" } else { "test.place" };
        refuses(&without(tensors, name), &[&format!("there is no tensor `{name}`"), "the file has", there]);
    };
    for name in ["train.features", "train.target", "test.features", "test.offset", "train.place"] {
        missing(&whole, name);
    }
    for name in ["train.kernel", "test.kernel", "test.kernel_diagonal", "train.target"] {
        missing(&kernel, name);
    }
    let both = with(&kernel, matrix("train.features", &cells(&whole, "train.features")));
    refuses(&both, &["both features and a kernel"]);
    refuses(
        &with(&whole, tensor("train.offsets", &[60], [0.0; 60])),
        &["`train.offsets` is not known", "train.offset,"],
    );
    refuses(&with(&whole, tensor("train.target", &[59], [0.0; 59])), &["`train.target` has 59 rows", "are 60"]);
    refuses(&with(&whole, tensor("train.target", &[60, 2], [0.0; 120])), &["`train.target` has shape [60, 2]"]);
    refuses(&with(&whole, tensor("train.features", &[720], [0.0; 720])), &["`train.features` has shape [720]"]);
    refuses(&with(&whole, tensor("test.features", &[8, 11], [0.0; 88])), &["`test.features` has 11 columns", "has 12"]);
    refuses(&with(&whole, tensor("test.features", &[0, 12], [])), &["`test.features` has no rows"]);
    refuses(&with(&whole, tensor("train.features", &[0, 12], [])), &["`train.features` has no rows"]);
    refuses(&with(&whole, tensor("test.offset", &[7], [0.0; 7])), &["`test.offset` has 7 rows", "are 8"]);
    refuses(&with(&whole, tensor("train.place", &[60, 2], [0.0; 120])), &["`test.place` has 3 columns", "has 2"]);
    refuses(&with(&whole, tensor("test.place", &[7, 3], [0.0; 21])), &["`test.place` has 7 rows"]);
    refuses(&with(&whole, tensor("test.target", &[7], [0.0; 7])), &["`test.target` has 7 rows"]);
    let mut nan = vec![0.0; 96];
    nan[14] = f64::NAN;
    refuses(&with(&whole, tensor("test.features", &[8, 12], nan)), &["`test.features[2]`, row 2 is NaN"]);
    let mut infinite = vec![1.0; 60];
    infinite[3] = f64::INFINITY;
    for name in ["train.target", "train.offset"] {
        refuses(&with(&whole, tensor(name, &[60], infinite.clone())), &[&format!("`{name}`, row 4 is inf")]);
    }
    refuses(&with(&whole, tensor("train.features", &[60, 12], [1e200; 720])), &["rescale the column"]);
    let half = Tensor { dtype: Dtype::F16, bytes: vec![0; 120], ..vector("train.target", &Array1::zeros(60)) };
    refuses(&with(&whole, half), &["`train.target` has type F16", "float32 or float64"]);
    let one = [tensor("train.features", &[1, 2], [1.0; 2]), tensor("train.target", &[1], [1.0])];
    let one = [one[0].clone(), one[1].clone(), tensor("test.features", &[1, 2], [1.0; 2])];
    refuses(&one, &["needs at least 2 rows, but there are 1"]);
    let none = [tensor("train.features", &[3, 0], []), vector("train.target", &array![1.0, 2.0, 3.0])];
    let none = [none[0].clone(), none[1].clone(), tensor("test.features", &[1, 0], [])];
    refuses(&none, &["`train.features` has no columns"]);
    let bytes = file(&whole);
    for cut in [0, 4, 8, 50, bytes.len() - 1] {
        desk.refuses(&bytes[..cut], "", &["not a whole safetensors file"]);
    }
}

#[test]
fn numbers_that_are_no_kernel_are_refused_with_what_shows_it() {
    let desk = Desk(Folder::new());
    let kernel = as_kernel(&reference());
    let refuses = |tensors: &[Tensor], words: &[&str]| desk.refuses(&file(tensors), "", words);
    let square = cells(&kernel, "train.kernel");
    let mut other = square.clone();
    other[[4, 7]] += 0.5;
    refuses(&with(&kernel, matrix("train.kernel", &other)), &["not symmetric", "row 5, column 8", "row 8, column 5"]);
    let mut other = square.clone();
    other[[3, 3]] -= 40.0;
    refuses(&with(&kernel, matrix("train.kernel", &other)), &["not positive semidefinite", "eigenvalues go from −"]);
    refuses(&with(&kernel, tensor("train.kernel", &[59, 60], vec![0.0; 3540])), &["59 × 60, not square"]);
    refuses(&with(&kernel, tensor("test.kernel", &[8, 59], [0.0; 472])), &["`test.kernel` has 59 columns", "has 60"]);
    refuses(
        &with(&kernel, tensor("test.kernel_diagonal", &[7], [1.0; 7])),
        &["`test.kernel_diagonal` has 7 rows, but the rows of `test.kernel` are 8"],
    );
    refuses(
        &with(&kernel, tensor("test.kernel_diagonal", &[8], [0.01; 8])),
        &["`test.kernel_diagonal` is 0.01 in row 1, less than", "the same kernel"],
    );
    let mut other = cells(&kernel, "test.kernel");
    other[[0, 5]] = f64::NAN;
    refuses(&with(&kernel, matrix("test.kernel", &other)), &["`test.kernel[5]`, row 1 is NaN"]);
}
