//! The tangent against reference numbers and against refits that know nothing of its closed forms.

use jackknife::prelude::*;
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use safetensors::SafeTensors;

/// Features, places and offsets as the columns of x: features first, then three places, then the offset.
struct Given {
    width: usize,
    places: usize,
}

impl Features for Given {
    fn columns(&self) -> usize {
        self.width + self.places + 1
    }

    fn width(&self) -> usize {
        self.width
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        x.slice(s![.., ..self.width]).to_owned()
    }

    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        x.column(x.ncols() - 1).to_owned()
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        Some(x.slice(s![.., self.width..self.width + self.places]).to_owned())
    }

    fn are_fixed(&self) -> bool {
        true
    }
}

fn numbers(value: &serde_json::Value) -> Array1<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn close(found: &Array1<f64>, expected: &Array1<f64>, tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
            "{what} {k}: {found} against {expected}"
        );
    }
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
    let loo = LeaveOneOut::tangent_of(Given { width: 12, places: 3 }, &train, &Tangent::default()).unwrap();

    let json = std::fs::read_to_string("tests/fixtures/tangent_a.json").unwrap();
    let expected: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(format!("{loo:?}").contains("κ = 32 by marginal likelihood"), "{loo:?}");
    close(&loo.predict(&x).unwrap(), &numbers(&expected["prediction"]), 1e-9, "prediction");
    close(loo.left_out_predictions(), &numbers(&expected["left_out"]), 1e-9, "left-out prediction");
    close(&loo.nested_scores().unwrap().mapv(f64::abs), &numbers(&expected["scores"]), 1e-9, "score");
    for (alpha, ends) in expected["intervals"].as_object().unwrap() {
        let intervals = loo.nested(&x, alpha.parse().unwrap()).unwrap();
        close(&intervals.lower, &numbers(&ends["lower"]), 1e-9, "lower end");
        close(&intervals.upper, &numbers(&ends["upper"]), 1e-9, "upper end");
    }
}
