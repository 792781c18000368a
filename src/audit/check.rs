//! How far the leave-one-out models behind the intervals can be trusted, one check for each engine.

use std::fmt;

use crate::error::Result;
use crate::interval::Method;
use crate::learner::Fitted;
use crate::leave_one_out::{Engine, Fidelity, LeaveOneOut, Trust};
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
/// assert!((newton.trust.damping() - LeaveOneOut::usual_damping(48)).abs() < 1e-12);
/// assert_eq!(newton.fidelity.as_ref().unwrap().rows.len(), 10);
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
    /// Damping, gradient, pivot and the rows that do not converge.
    pub trust: Trust,
    /// A handful of real refits against what was claimed of them, or why they failed.
    pub fidelity: Result<Fidelity>,
}

impl Check {
    /// Checks the models of each engine once; the refits, which cost a training each, serve all of them.
    pub(super) fn all(
        model: Option<String>,
        behind: Vec<(Method, LeaveOneOut)>,
        train: &Sample,
        fit: impl Fn(&Sample) -> Result<Fitted> + Sync,
        seed: u64,
    ) -> Vec<Self> {
        let mut checks: Vec<Self> = Vec::new();
        for (method, loo) in behind {
            let Some(trust) = loo.trust() else { continue };
            if let Some(check) = checks.iter_mut().find(|check| check.engine == loo.engine()) {
                check.methods.push(method);
                continue;
            }
            let fidelity = match checks.first() {
                Some(first) => first.fidelity.clone().and_then(|refits| refits.of(&loo)),
                None => Fidelity::measure(&loo, train, Fidelity::HANDFUL, seed, &fit),
            };
            let (model, methods) = (model.clone(), vec![method]);
            checks.push(Self { model, engine: loo.engine(), methods, trust: trust.clone(), fidelity });
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
        write!(f, "models by {} ({}): {}; fidelity ", self.engine, self.names(), self.trust)?;
        match &self.fidelity {
            Ok(fidelity) => write!(f, "{fidelity:?}"),
            Err(error) => write!(f, "not measured: {error}"),
        }
    }
}
