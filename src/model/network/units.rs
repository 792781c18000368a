//! Units: data are raw outside a network and standardised inside.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::Layer;
use crate::sample::Sample;

/// How features and target are shifted and scaled.
///
/// ```text
/// (x − m)/s column by column,    (y − m_y)/s_y
/// ```
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Units {
    inputs: Standard,
    /// m_y.
    shift: f64,
    /// s_y.
    scale: f64,
}

/// (x − shift)/scale, column by column.
#[derive(Clone, Debug, PartialEq)]
struct Standard {
    shift: Array1<f64>,
    scale: Array1<f64>,
}

impl Standard {
    /// Mean 0 and deviation 1; a column without spread is only shifted.
    fn of(x: ArrayView2<f64>) -> Self {
        let shift = x.mean_axis(Axis(0)).expect("a sample has rows");
        let scale = x.std_axis(Axis(0), 0.0).mapv(|scale| if scale > 1e-100 { scale } else { 1.0 });
        Self { shift, scale }
    }
}

impl Units {
    /// Data as they are.
    pub(crate) fn raw(columns: usize) -> Self {
        let inputs = Standard { shift: Array1::zeros(columns), scale: Array1::ones(columns) };
        Self { inputs, shift: 0.0, scale: 1.0 }
    }

    /// Those in which every feature and the target of the sample have mean 0 and deviation 1.
    pub(crate) fn of(sample: &Sample) -> Self {
        let target = Standard::of(sample.y().view().insert_axis(Axis(1)));
        Self { inputs: Standard::of(sample.x().view()), shift: target.shift[0], scale: target.scale[0] }
    }

    #[cfg(test)]
    pub(crate) fn with_target(self, shift: f64, scale: f64) -> Self {
        Self { shift, scale, ..self }
    }

    /// Shifts and scales of the features, then those of the target.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        self.inputs.shift.iter().chain(&self.inputs.scale).copied().chain([self.shift, self.scale]).collect()
    }

    /// From [`Units::numbers`]; `None` if they are not those of so many columns, or no units.
    pub(crate) fn from_numbers(numbers: &[f64], columns: usize) -> Option<Self> {
        let lawful = numbers.len() == 2 * columns + 2 && numbers.iter().all(|number| number.is_finite());
        let (shift, rest) = lawful.then(|| numbers.split_at(columns))?;
        let (scale, target) = rest.split_at(columns);
        let inputs = Standard { shift: shift.to_vec().into(), scale: scale.to_vec().into() };
        scale.iter().chain([&target[1]]).all(|&scale| scale > 0.0).then_some(Self {
            inputs,
            shift: target[0],
            scale: target[1],
        })
    }

    /// The number of features.
    pub(crate) fn columns(&self) -> usize {
        self.inputs.shift.len()
    }

    /// s_y: what a deviation of the target is divided by.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// Features inside.
    pub(crate) fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        (&x - &self.inputs.shift) / &self.inputs.scale
    }

    /// Features and target of a sample inside.
    pub(crate) fn inside(&self, sample: &Sample) -> (Array2<f64>, Array1<f64>) {
        (self.features(sample.x().view()), (sample.y() - self.shift) / self.scale)
    }

    /// Predictions outside.
    pub(crate) fn predictions(&self, inside: Array1<f64>) -> Array1<f64> {
        inside * self.scale + self.shift
    }

    /// Variances outside.
    pub(crate) fn variances(&self, inside: Array1<f64>) -> Array1<f64> {
        inside * self.scale * self.scale
    }

    /// Folds the units into the first and the last layer, which then take and give raw ones.
    pub(super) fn fold_into(&self, layers: &mut [Layer]) {
        if let Some(first) = layers.first_mut() {
            first.weight /= &self.inputs.scale;
            first.bias -= &first.weight.dot(&self.inputs.shift);
        }
        if let Some(last) = layers.last_mut() {
            last.weight *= self.scale;
            last.bias = &last.bias * self.scale + self.shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn what_goes_inside_comes_out_as_it_was() {
        let (x, y) = (array![[1.0, 5.0], [2.0, 5.0], [6.0, 5.0]], array![10.0, 40.0, 70.0]);
        let sample = Sample::new(x, y).unwrap();
        let units = Units::of(&sample);
        let (x, y) = units.inside(&sample);
        assert!(x.column(0).sum().abs() < 1e-12 && (y.std(0.0) - 1.0).abs() < 1e-12);
        assert_eq!(x.column(1), array![0.0, 0.0, 0.0]); // a column without spread is only shifted
        assert!((units.predictions(y.clone()) - sample.y()).iter().all(|difference| difference.abs() < 1e-12));
        assert!((units.variances(array![1.0])[0] - sample.y().var(0.0)).abs() < 1e-9);
        assert_eq!(Units::raw(2).inside(&sample), (sample.x().clone(), sample.y().clone()));
    }
}
