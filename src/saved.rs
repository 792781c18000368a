//! A fit that is kept: the training rows, the reader's decisions and the model in one file, which answers new rows at any time,
//! without the training table.
//!
//! ```text
//! jackknife fit 1            what it is, and the version of the form
//! 0123456789abcdef           FNV-1a of all that follows
//! safetensors                the rows (x, y), a network's parameters (theta, units), and how to read them (fit: JSON)
//! ```
//!
//! The leave-one-out models are made again from these when the file is loaded, with the same seed: the intervals are bit for bit
//! those of the moment at which it was saved. A network is not trained again, a forest is grown again.

use std::fmt;
use std::path::Path;

use ndarray::{Array1, Array2};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::file::write_whole;
use crate::interval::{HeldOut, Intervals, Method, Rule};
use crate::learner::{Fitted, Learner};
use crate::leave_one_out::{Engine, LeaveOneOut, Tangent};
use crate::model::Differentiable;
use crate::model::network::Network;
use crate::sample::Sample;

/// What the file begins with, but for the version.
const MAGIC: &str = "jackknife fit ";
/// The version that is written, and the latest that can be read.
const VERSION: u64 = 1;
/// The share of the rows that `split+` does not show to its model.
const UNSEEN: f64 = 0.2;

/// A model, the rows it was trained on, and the method it answers by unless told otherwise.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let fit = Saved::fit("ridge".parse()?, &train, None, 0)?;
/// let path = std::env::temp_dir().join("jackknife-doc.fit");
/// fit.save(&path)?;
/// let again = Saved::load(&path)?;
/// assert_eq!(again.intervals(test.x(), 0.1)?, fit.intervals(test.x(), 0.1)?);
/// # std::fs::remove_file(path).ok();
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Saved {
    learner: Learner,
    /// All of the learner in words, as it was when it was trained.
    words: String,
    /// Only a network: other models are quickly made again.
    network: Option<Network>,
    rows: Sample,
    /// For `split+`: the number of rows, from the first on, that the model has seen.
    seen: Option<usize>,
    method: Method,
    seed: u64,
}

impl Saved {
    /// Trains on a sample. Without a method it is the tangent's nested rule, or the jackknife+ for models that have no tangent.
    ///
    /// # Errors
    /// [`Error::Unsuited`] for a method that does not suit the model, or for which a network would have to be trained again at each
    /// use, and whatever the learner answers.
    pub fn fit(learner: Learner, sample: &Sample, method: Option<Method>, seed: u64) -> Result<Self> {
        let nested = Method::Pair(Engine::Tangent, Rule::Nested);
        let usual = || learner.suited(nested).unwrap_or(Method::Pair(learner.usual(), Rule::Plus));
        let method = lasting(&learner, method.map_or_else(|| Ok(usual()), |method| learner.suited(method))?)?;
        let (rows, seen) = match method {
            Method::Pair(Engine::TangentSplit, _) => {
                let (seen, unseen) = sample.split_rows(UNSEEN, seed)?;
                (sample.rows(&[&seen[..], &unseen].concat())?, Some(seen.len()))
            }
            _ => (sample.clone(), None),
        };
        let network = match &learner {
            Learner::Network { .. } => {
                let shown: Vec<usize> = (0..seen.unwrap_or(rows.len())).collect();
                learner.fit(&rows.rows(&shown)?, seed)?.network().cloned()
            }
            _ => None,
        };
        let words = learner.to_string();
        let fit = Self { learner, words, network, rows, seen, method, seed };
        // What cannot answer is not kept.
        fit.models(method)?;
        Ok(fit)
    }

    /// The method that it answers by.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The training rows, with which new tables are encoded.
    pub fn sample(&self) -> &Sample {
        &self.rows
    }

    /// Intervals at each row of `x`, by the method of the fit.
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    pub fn intervals(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals_by(self.method, x, alpha)
    }

    /// The same by another method.
    ///
    /// # Errors
    /// [`Error::Unsuited`] as [`Saved::fit`], and as [`LeaveOneOut::intervals`].
    pub fn intervals_by(&self, method: Method, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        let method = lasting(&self.learner, self.learner.suited(method)?)?;
        match (method, self.models(method)?) {
            (Method::Pair(_, rule), Some(loo)) => loo.intervals(rule, x, alpha),
            (Method::HeldOut, _) => {
                let fit = |rows: &Sample| self.learner.fit(rows, self.seed);
                HeldOut::fit(&self.rows, 0.5, self.seed, fit)?.intervals(x, alpha)
            }
            _ => Intervals::in_sample(&self.model()?, &self.rows, x, alpha),
        }
    }

    /// The model itself.
    fn model(&self) -> Result<Fitted> {
        match &self.network {
            Some(network) => Ok(Fitted::Network(network.clone())),
            None => self.learner.fit(&self.rows, self.seed),
        }
    }

    /// The leave-one-out models behind a method, if it has any.
    fn models(&self, method: Method) -> Result<Option<LeaveOneOut>> {
        let Method::Pair(engine, _) = method else { return Ok(None) };
        let of_all = |engine| self.learner.leave_one_out(&self.model()?, engine, &self.rows, self.seed, None);
        let loo = match (engine, self.seen, &self.network) {
            (Engine::TangentSplit, Some(seen), Some(network)) => {
                let (first, last): (Vec<usize>, Vec<usize>) = (0..self.rows.len()).partition(|row| *row < seen);
                let (seen, unseen) = (self.rows.rows(&first)?, self.rows.rows(&last)?);
                LeaveOneOut::tangent_on_unseen(network, &seen, &unseen, &Tangent::default())?
            }
            // Rows that a network has not seen are not its training rows, so only `split+` has a meaning.
            (_, Some(_), Some(_)) | (Engine::TangentSplit, None, Some(_)) => {
                return Err(Error::Conflict {
                    options: "split+ keeps rows from its model, and the other methods do not",
                    advice: "fit once more, with --method as it is to be used",
                });
            }
            (engine, ..) => of_all(engine)?,
        };
        Ok(Some(loo))
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let refuse = |error: safetensors::SafeTensorError| Error::File {
            action: "write",
            path: path.into(),
            reason: error.to_string(),
        };
        let network = self
            .network
            .as_ref()
            .map(|network| json!({"sizes": network.shape().0, "activation": network.activation().to_string()}));
        let facts = json!({
            "learner": self.learner.name(), "words": self.words, "method": self.method.to_string(), "seed": self.seed,
            "seen": self.seen, "network": network, "sample": self.rows.record(),
        });
        let facts = facts.to_string().into_bytes();
        let bytes = |values: &mut dyn Iterator<Item = &f64>| values.flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        let mut tensors = vec![
            ("fit", Dtype::U8, vec![facts.len()], facts),
            ("x", Dtype::F64, vec![self.rows.len(), self.rows.columns()], bytes(&mut self.rows.x().iter())),
            ("y", Dtype::F64, vec![self.rows.len()], bytes(&mut self.rows.y().iter())),
        ];
        if let Some(network) = &self.network {
            // Numbers that JSON would round.
            let mut units = network.shape().1;
            units.push(network.l2());
            let theta = network.parameters();
            tensors.push(("units", Dtype::F64, vec![units.len()], bytes(&mut units.iter())));
            tensors.push(("theta", Dtype::F64, vec![theta.len()], bytes(&mut theta.iter())));
        }
        let views: Vec<(&str, TensorView)> = tensors
            .iter()
            .map(|(name, kind, shape, bytes)| {
                Ok((*name, TensorView::new(*kind, shape.clone(), bytes).map_err(refuse)?))
            })
            .collect::<Result<_>>()?;
        let body = safetensors::serialize(views, None).map_err(refuse)?;
        let mut file = format!("{MAGIC}{VERSION}\n{:016x}\n", fingerprint(&body)).into_bytes();
        file.extend(body);
        write_whole(path, &file)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, is no saved fit, was written by a newer version, or is not whole.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let refuse = |reason: String| Error::File { action: "read", path: path.into(), reason };
        let bytes = std::fs::read(path).map_err(|error| refuse(error.to_string()))?;
        Self::from_bytes(&bytes).map_err(|reason| refuse(reason.to_string()))
    }

    /// As [`Saved::load`], from the bytes of such a file; the reason in words where they are not one.
    fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, String> {
        let foreign = "it is not a fit saved by `jackknife fit`";
        let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
        let version: u64 = lines
            .next()
            .and_then(|line| std::str::from_utf8(line).ok()?.strip_prefix(MAGIC)?.parse().ok())
            .ok_or(foreign)?;
        if version > VERSION {
            return Err(format!(
                "it has the form {version} of a newer version, and this one knows {VERSION}: update jackknife"
            ));
        }
        let broken = || "it is not whole or was altered: save it again".to_string();
        let sum = lines.next().and_then(|line| u64::from_str_radix(std::str::from_utf8(line).ok()?, 16).ok());
        let body = lines.next().ok_or_else(broken)?;
        if sum != Some(fingerprint(body)) {
            return Err(broken());
        }
        Self::from_body(body).ok_or_else(broken)
    }

    /// `None` for a body that this crate would not have written.
    fn from_body(body: &[u8]) -> Option<Self> {
        let file = SafeTensors::deserialize(body).ok()?;
        let facts: Value = serde_json::from_slice(file.tensor("fit").ok()?.data()).ok()?;
        let numbers = |name: &str| -> Option<(Vec<usize>, Vec<f64>)> {
            let tensor = file.tensor(name).ok().filter(|tensor| tensor.dtype() == Dtype::F64)?;
            let values = tensor.data().as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
            Some((tensor.shape().to_vec(), values))
        };
        let ((shape, x), (_, y)) = (numbers("x")?, numbers("y")?);
        let x = Array2::from_shape_vec((*shape.first()?, *shape.get(1)?), x).ok()?;
        let rows = Sample::of_record(facts.get("sample")?, x, y.into())?;
        let learner: Learner = facts.get("learner")?.as_str()?.parse().ok()?;
        let network = match facts.get("network")? {
            Value::Null => None,
            network => {
                let sizes = network.get("sizes")?.as_array()?.iter().map(|size| usize::try_from(size.as_u64()?).ok());
                let sizes = sizes.collect::<Option<Vec<usize>>>()?;
                let (_, mut units) = numbers("units")?;
                let l2 = units.pop()?;
                let activation = network.get("activation")?.as_str()?.parse().ok()?;
                let theta: Array1<f64> = numbers("theta")?.1.into();
                Some(Network::of_shape((&sizes, &units), theta.view(), activation, l2).ok()?)
            }
        };
        if network.is_some() != learner.is_network() {
            return None;
        }
        let method = facts.get("method")?.as_str()?.parse().ok()?;
        let (seed, words) = (facts.get("seed")?.as_u64()?, facts.get("words")?.as_str()?.to_string());
        let seen = match facts.get("seen")? {
            Value::Null => None,
            seen => Some(usize::try_from(seen.as_u64()?).ok()?).filter(|seen| *seen < rows.len()),
        };
        Some(Self { learner, words, network, rows, seen, method, seed })
    }
}

/// The method, unless a network would have to be trained again for it each time.
fn lasting(learner: &Learner, method: Method) -> Result<Method> {
    let trained_again = match method {
        Method::Pair(engine, _) => {
            matches!(engine, Engine::Refit | Engine::Folds(_) | Engine::Bags(_) | Engine::TangentFolds(_))
        }
        Method::HeldOut | Method::Baseline(_) => true,
        Method::InSample | Method::Given => false,
    };
    match trained_again && learner.is_network() {
        true => Err(Error::Unsuited {
            method: method.name(),
            model: learner.name(),
            reason: "networks would have to be trained at each use of what is kept",
            instead: "tangent, split+, full, laplace, jackknife+, studentized".into(),
        }),
        false => Ok(method),
    }
}

/// FNV-1a in 64 bits: against accidents, not against forgers.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl fmt::Debug for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, target) = (self.rows.len(), self.rows.target());
        write!(f, "{} on {rows} rows, target `{target}`; answers by {}", self.words, self.method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the draft of Fowler, Noll and Vo.
    #[test]
    fn fingerprints_are_those_of_the_published_table() {
        for (text, sum) in [("", 0xcbf29ce484222325), ("a", 0xaf63dc4c8601ec8c), ("foobar", 0x85944171f73967e8)] {
            assert_eq!(fingerprint(text.as_bytes()), sum);
        }
    }
}
