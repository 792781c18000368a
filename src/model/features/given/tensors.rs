//! Features and kernels from safetensors.

use std::collections::BTreeMap;
use std::path::Path;

use ndarray::{Array1, Array2};
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;

use super::GivenFeatures;
use crate::error::{Error, Result};
use crate::model::tensor;

/// All that is known.
const KNOWN: [&str; 11] = [
    "train.features",
    "train.target",
    "test.features",
    "train.offset",
    "test.offset",
    "train.place",
    "test.place",
    "train.kernel",
    "test.kernel",
    "test.kernel_diagonal",
    "test.target",
];

impl GivenFeatures {
    /// Features from a file of safetensors, in f32 or f64.
    ///
    /// | tensor | shape | |
    /// |---|---|---|
    /// | `train.features`, `test.features` | n × p, m × p | the features J |
    /// | `train.kernel`, `test.kernel`, `test.kernel_diagonal` | n × n, m × n, m | or a kernel in their place |
    /// | `train.target` | n | what is to be predicted |
    /// | `train.offset`, `test.offset` | n, m | o, both or none |
    /// | `train.place`, `test.place` | n × q, m × q | where near is measured, both or none |
    /// | `test.target` | m | if it is known |
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read, [`Error::Given`] if it is damaged, lacks a tensor or has one that is not
    /// known, and as [`GivenFeatures::new`] and [`GivenFeatures::kernel`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let given = GivenFeatures::load("tests/fixtures/tangent_a.safetensors")?;
    /// assert_eq!(format!("{given:?}"), "12 features of 60 training rows and 8 points, with places, with offsets");
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        Self::from_bytes(&tensor::read(path.as_ref())?)
    }

    /// As [`GivenFeatures::load`], from the bytes of such a file.
    ///
    /// # Errors
    /// As there, but for [`Error::File`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let file = SafeTensors::deserialize(bytes)
            .map_err(|error| Error::Given(format!("this is not a whole safetensors file ({error}); save it again")))?;
        let file = File(file.tensors().into_iter().collect());
        file.check()?;
        let mut given = if file.has("train.kernel") {
            let (train, test) = (file.matrix("train.kernel")?, file.matrix("test.kernel")?);
            Self::kernel(train, file.vector("train.target")?, test, file.vector("test.kernel_diagonal")?)?
        } else {
            let (train, test) = (file.matrix("train.features")?, file.matrix("test.features")?);
            Self::new(train, file.vector("train.target")?, test)?
        };
        if file.has("train.place") {
            given = given.with_places(file.matrix("train.place")?, file.matrix("test.place")?)?;
        }
        if file.has("train.offset") {
            given = given.with_offsets(file.vector("train.offset")?, file.vector("test.offset")?)?;
        }
        if file.has("test.target") {
            given = given.with_test_target(file.vector("test.target")?)?;
        }
        Ok(given)
    }
}

/// The tensors of a file, by name.
struct File<'a>(BTreeMap<String, TensorView<'a>>);

impl File<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Refuses names that are not known, that lack their other half, or that exclude each other.
    fn check(&self) -> Result<()> {
        if let Some(name) = self.0.keys().find(|name| !KNOWN.contains(&name.as_str())) {
            let known = KNOWN.join(", ");
            return Err(Error::Given(format!("the tensor `{name}` is not known; the names are {known}")));
        }
        let is_kernel = ["train.kernel", "test.kernel", "test.kernel_diagonal"].iter().any(|name| self.has(name));
        let has_features = self.has("train.features") || self.has("test.features");
        if is_kernel && has_features {
            let advice = "give `train.features` and `test.features`, or `train.kernel`, `test.kernel` and \
                          `test.kernel_diagonal`";
            return Err(Error::Given(format!("the file has both features and a kernel; {advice}")));
        }
        let needed: &[&str] = match is_kernel {
            true => &["train.kernel", "train.target", "test.kernel", "test.kernel_diagonal"],
            false => &["train.features", "train.target", "test.features"],
        };
        let halves = ["offset", "place"].map(|what| [format!("train.{what}"), format!("test.{what}")]);
        let halves = halves.iter().filter(|pair| pair.iter().any(|name| self.has(name))).flatten();
        let mut needed = needed.iter().copied().chain(halves.map(String::as_str));
        match needed.find(|name| !self.has(name)) {
            Some(missing) => Err(self.missing(missing)),
            None => Ok(()),
        }
    }

    fn missing(&self, name: &str) -> Error {
        let there: Vec<&str> = self.0.keys().map(String::as_str).collect();
        let there = if there.is_empty() { "no tensors at all".into() } else { there.join(", ") };
        Error::Given(format!("there is no tensor `{name}`; the file has {there}; add it and save it again"))
    }

    fn cells(&self, name: &str) -> Result<(Vec<f64>, &[usize])> {
        let tensor = self.0.get(name).ok_or_else(|| self.missing(name))?;
        let cells = tensor::numbers(tensor).ok_or_else(|| {
            let other = tensor.dtype();
            Error::Given(format!("the tensor `{name}` has type {other:?}; save it as float32 or float64"))
        })?;
        Ok((cells, tensor.shape()))
    }

    fn matrix(&self, name: &str) -> Result<Array2<f64>> {
        let (cells, shape) = self.cells(name)?;
        let dim = <[usize; 2]>::try_from(shape).ok();
        dim.and_then(|[rows, columns]| Array2::from_shape_vec((rows, columns), cells).ok())
            .ok_or_else(|| Error::Given(format!("`{name}` has shape {shape:?}; give rows × columns")))
    }

    /// A column is a vector too.
    fn vector(&self, name: &str) -> Result<Array1<f64>> {
        let (cells, shape) = self.cells(name)?;
        match shape {
            [_] | [_, 1] => Ok(cells.into()),
            _ => Err(Error::Given(format!("`{name}` has shape {shape:?}; give one number for each row"))),
        }
    }
}
