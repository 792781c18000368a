//! How far the leave-one-out models behind the intervals can be trusted, one check for each engine.

use std::fmt;
use std::sync::OnceLock;

use ndarray::Axis;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::interval::Method;
use crate::learner::Fitted;
use crate::leave_one_out::{Engine, Fidelity, LeaveOneOut, Tangent, Trust};
use crate::model::Model;
use crate::sample::Sample;

/// What the first split says about the leave-one-out models of one engine, none of which was refitted.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 0)?;
/// let audit = Audit::default().splits(1).training(Training::default().hidden(&[5]).epochs(50));
/// let table = audit.run("cubic", &sample)?;
/// let newton = &table.checks()[0];
/// assert_eq!((newton.engine, newton.methods.len()), (Engine::Newton, 4));
/// let damping = newton.trust.as_ref().unwrap().damping();
/// assert!((damping - LeaveOneOut::usual_damping(48)).abs() < 1e-12);
/// assert_eq!(newton.fidelity.as_ref().unwrap().rows.len(), 10);
/// assert_eq!(table.checks().last().map(|check| check.engine), Some(Engine::Tangent));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Check {
    /// The model, where there are several.
    pub model: Option<String>,
    /// Where the models come from.
    pub engine: Engine,
    /// The methods that stand on them.
    pub methods: Vec<Method>,
    /// Damping, gradient, pivot and the rows that do not converge; `None` for the tangent, which is exact for its features.
    pub trust: Option<Trust>,
    /// What else a reader should know of the models, as [`LeaveOneOut::notes`].
    pub notes: Vec<String>,
    /// A handful of real refits against what was claimed of them, or why they failed: networks trained without the row, and for
    /// the tangent the tangents of these.
    pub fidelity: Result<Fidelity>,
}

/// Models that have each not seen one row of a handful: a training each, and they serve every engine.
struct Refits<'a> {
    train: &'a Sample,
    rows: Vec<usize>,
    /// The rows that each has seen, and the model.
    models: Result<Vec<(Sample, Fitted)>>,
}

impl<'a> Refits<'a> {
    fn new(train: &'a Sample, fit: impl Fn(&Sample) -> Result<Fitted> + Sync, handful: usize, seed: u64) -> Self {
        let rows = Fidelity::chosen(train.len(), handful, seed);
        let refit = |&row: &usize| {
            let rest = train.without(row)?;
            let model = fit(&rest)?;
            Ok((rest, model))
        };
        let models = match handful {
            0 => Err(Error::Conflict {
                options: "a model trained without a row takes too long on this table",
                advice: "measure it on fewer rows",
            }),
            _ => rows.par_iter().map(refit).collect(),
        };
        Self { train, rows, models }
    }

    /// An engine's claims against refits of the same kind: the models' own predictions, or those of their tangents.
    fn against(&self, loo: &LeaveOneOut) -> Result<Fidelity> {
        let models = self.models.as_ref().map_err(Clone::clone)?;
        let prediction = |(&row, (rest, model)): (&usize, &(Sample, Fitted))| {
            let x = self.train.x().select(Axis(0), &[row]);
            let at_row = match loo.engine() {
                Engine::Tangent => match model.features() {
                    Some(features) => LeaveOneOut::tangent_at(features, rest, &Tangent::default())?.predict(&x)?,
                    None => model.predict(&x)?,
                },
                _ => model.predict(&x)?,
            };
            Ok(at_row[0])
        };
        let refitted: Result<Vec<f64>> = self.rows.par_iter().zip(models).map(prediction).collect();
        Ok(Fidelity::compare(loo, self.rows.clone(), refitted?.into()))
    }
}

impl Check {
    /// Checks the models of each engine once, where they start from the model and none was refitted.
    pub(super) fn all(
        model: Option<String>,
        behind: Vec<(Method, LeaveOneOut)>,
        train: &Sample,
        fit: impl Fn(&Sample) -> Result<Fitted> + Sync,
        (handful, seed): (usize, u64),
    ) -> Vec<Self> {
        let mut checks: Vec<Self> = Vec::new();
        let refits = OnceLock::new();
        for (method, loo) in behind {
            // A tangent whose features no row has had a say in is exact.
            let tangent =
                loo.engine() == Engine::Tangent && loo.nested_models().is_some_and(|models| !models.is_proven());
            if loo.trust().is_none() && !tangent {
                continue;
            }
            if let Some(check) = checks.iter_mut().find(|check| check.engine == loo.engine()) {
                check.methods.push(method);
                continue;
            }
            let fidelity = refits.get_or_init(|| Refits::new(train, &fit, handful, seed)).against(&loo);
            let (engine, trust, notes) = (loo.engine(), loo.trust().cloned(), loo.notes());
            checks.push(Self { model: model.clone(), engine, methods: vec![method], trust, notes, fidelity });
        }
        checks
    }

    /// The methods that stand on these models, by their names.
    pub(crate) fn names(&self) -> String {
        let names: Vec<String> = self.methods.iter().map(Method::name).collect();
        let of = self.model.as_ref().map_or(String::new(), |model| format!("{model}: "));
        of + &names.join(", ")
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "models by {} ({}): ", self.engine, self.names())?;
        self.trust.iter().try_for_each(|trust| write!(f, "{trust}; "))?;
        self.notes.iter().try_for_each(|note| write!(f, "{note}; "))?;
        write!(f, "fidelity ")?;
        match &self.fidelity {
            Ok(fidelity) => write!(f, "{fidelity:?}"),
            Err(error) => write!(f, "not measured: {error}"),
        }
    }
}
