//! Weights from and to PyTorch: safetensors with the names of `torch.nn.Sequential`.

use std::collections::BTreeMap;
use std::path::Path;

use ndarray::{Array1, Array2};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::{Activation, Layer, Network};
use crate::error::{Error, Result};
use crate::model::tensor;

impl Network {
    /// A network that PyTorch has trained: `torch.nn.Sequential` of `Linear` layers with activations between, saved
    /// by `safetensors.torch.save_file(model.state_dict(), path)`, in f32 or f64.
    ///
    /// The tensors are called `0.weight`, `0.bias`, `2.weight`, …; their numbers give the order. The features are
    /// taken as they are.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read, [`Error::Weights`] if it is damaged or does not describe such a
    /// network, [`Error::Choice`] for a negative λ.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let network = Network::load("tests/fixtures/net_a.safetensors", Activation::Tanh, 0.01)?;
    /// assert_eq!(network.parameters().len(), 17);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn load(path: impl AsRef<Path>, activation: Activation, l2: f64) -> Result<Self> {
        Self::load_from(path.as_ref(), activation, l2)
    }

    fn load_from(path: &Path, activation: Activation, l2: f64) -> Result<Self> {
        Self::from_bytes(&tensor::read(path)?, activation, l2)
    }

    /// As [`Network::load`], from the bytes of such a file.
    ///
    /// # Errors
    /// [`Error::Weights`] and [`Error::Choice`] as there.
    pub fn from_bytes(bytes: &[u8], activation: Activation, l2: f64) -> Result<Self> {
        let file = SafeTensors::deserialize(bytes).map_err(|error| {
            Error::Weights(format!("this is not a whole safetensors file ({error}); save it again"))
        })?;
        let mut layers: BTreeMap<usize, Parts> = BTreeMap::new();
        for (name, tensor) in file.tensors() {
            let unknown = || {
                Error::Weights(format!(
                    "the tensor `{name}` is not called `NUMBER.weight` or `NUMBER.bias`, as those of torch.nn.Sequential are"
                ))
            };
            let (number, kind) = name.split_once('.').ok_or_else(unknown)?;
            let entry = layers.entry(number.parse().map_err(|_| unknown())?).or_default();
            let values = numbers(&name, &tensor)?;
            match (kind, tensor.shape()) {
                ("weight", &[outputs, inputs]) => entry.0 = Array2::from_shape_vec((outputs, inputs), values).ok(),
                ("bias", &[_]) => entry.1 = Some(values.into()),
                ("weight" | "bias", shape) => {
                    return Err(Error::Weights(format!(
                        "the tensor `{name}` has shape {shape:?}, not that of a Linear layer"
                    )));
                }
                _ => return Err(unknown()),
            }
        }
        let layers = layers.into_iter().map(|(number, pair)| match pair {
            (Some(weight), Some(bias)) => Ok(Layer { weight, bias }),
            (None, _) => Err(Error::Weights(format!("layer {number} has no `{number}.weight`"))),
            (_, None) => Err(Error::Weights(format!("layer {number} has no `{number}.bias`"))),
        });
        Self::new(layers.collect::<Result<_>>()?, activation, l2)
    }

    /// Saves the weights for PyTorch, in f64, with the standardisation folded into the first and the last layer, so
    /// that the loaded network takes and gives raw units.
    ///
    /// The file appears whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(50, Feature::Normal { deviation: 1.0 }, 0.1, 0)?;
    /// let network = Training::default().hidden(&[5]).epochs(20).fit(&sample)?;
    /// let path = std::env::temp_dir().join("jackknife-doc.safetensors");
    /// network.save(&path)?;
    /// let again = Network::load(&path, Activation::Tanh, 0.0)?;
    /// let difference = network.predict(sample.x())? - again.predict(sample.x())?;
    /// assert!(difference.iter().all(|d| d.abs() < 1e-12));
    /// # std::fs::remove_file(path).ok();
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_to(path.as_ref())
    }

    fn save_to(&self, path: &Path) -> Result<()> {
        let refuse = |reason: String| Error::File { action: "write", path: path.into(), reason };
        let bytes = |values: &mut dyn Iterator<Item = &f64>| values.flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        let raw = self.in_raw_units();
        let mut tensors = Vec::new();
        for (k, layer) in raw.iter().enumerate() {
            let weight = (vec![layer.weight.nrows(), layer.weight.ncols()], bytes(&mut layer.weight.iter()));
            let bias = (vec![layer.bias.len()], bytes(&mut layer.bias.iter()));
            tensors.push((format!("{}.weight", 2 * k), weight));
            tensors.push((format!("{}.bias", 2 * k), bias));
        }
        let views = tensors.iter().map(|(name, (shape, bytes))| {
            TensorView::new(Dtype::F64, shape.clone(), bytes)
                .map(|view| (name, view))
                .map_err(|e| refuse(e.to_string()))
        });
        let views = views.collect::<Result<Vec<_>>>()?;
        let bytes = safetensors::serialize(views, None).map_err(|error| refuse(error.to_string()))?;
        crate::file::write_whole(path, &bytes)
    }

    /// The layers with the standardisation folded in.
    fn in_raw_units(&self) -> Vec<Layer> {
        let mut layers = self.layers.clone();
        self.units.fold_into(&mut layers);
        layers
    }
}

/// What a file holds of one layer.
type Parts = (Option<Array2<f64>>, Option<Array1<f64>>);

fn numbers(name: &str, tensor: &TensorView) -> Result<Vec<f64>> {
    tensor::numbers(tensor).ok_or_else(|| {
        let other = tensor.dtype();
        Error::Weights(format!("the tensor `{name}` has type {other:?}; save it as float32 or float64"))
    })
}
