//! The tangent against reference numbers and against refits that know nothing of its closed forms.

#[path = "tangent/bad_input.rs"]
mod bad_input;
#[path = "tangent/brute.rs"]
mod brute;
#[path = "tangent/coverage.rs"]
mod coverage;
#[path = "tangent/given.rs"]
mod given;
#[path = "tangent/ingredient.rs"]
mod ingredient;
#[path = "tangent/invariance.rs"]
mod invariance;
#[path = "tangent/many.rs"]
mod many;
#[path = "tangent/rules.rs"]
mod rules;

use given::{Given, close};
use jackknife::prelude::*;
use ndarray::{Array1, Array2, Axis, concatenate};
use safetensors::SafeTensors;

fn numbers(value: &serde_json::Value) -> Array1<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

#[test]
fn the_reference_problem_has_its_reference_numbers() {
    let file = std::fs::read("tests/fixtures/tangent_a.safetensors").unwrap();
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let read = |name: &str| {
        let tensor = tensors.tensor(name).unwrap();
        let cells: Vec<f64> =
            tensor.data().chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
        let (rows, columns) = (tensor.shape()[0], tensor.shape().get(1).copied().unwrap_or(1));
        Array2::from_shape_vec((rows, columns), cells).unwrap()
    };
    let together = |part: &str| {
        let parts = ["features", "place", "offset"].map(|name| read(&format!("{part}.{name}")));
        concatenate(Axis(1), &parts.each_ref().map(|part| part.view())).unwrap()
    };
    let train = Sample::new(together("train"), read("train.target").column(0).to_owned()).unwrap();
    let x = together("test");
    let loo = LeaveOneOut::tangent_of(Given::new(12, 3), &train, &Tangent::default()).unwrap();

    let json = std::fs::read_to_string("tests/fixtures/tangent_a.json").unwrap();
    let expected: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(format!("{loo:?}").contains("κ = 32 by marginal likelihood"), "{loo:?}");
    close(&loo.predict(&x).unwrap(), &numbers(&expected["prediction"]), 1e-9, 1.0, "prediction");
    close(loo.left_out_predictions(), &numbers(&expected["left_out"]), 1e-9, 1.0, "left-out prediction");
    close(&loo.nested_scores().unwrap().mapv(f64::abs), &numbers(&expected["scores"]), 1e-9, 1.0, "score");
    for (alpha, ends) in expected["intervals"].as_object().unwrap() {
        let intervals = loo.nested(&x, alpha.parse().unwrap()).unwrap();
        close(&intervals.lower, &numbers(&ends["lower"]), 1e-9, 1.0, "lower end");
        close(&intervals.upper, &numbers(&ends["upper"]), 1e-9, 1.0, "upper end");
    }
}
