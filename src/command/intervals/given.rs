//! `jackknife intervals --features`: features or kernels that another program made.

use super::answer::{Answer, unproven};
use super::asked::Asked;
use super::{Options, conclude};
use crate::command::check_folder;
use crate::command::condition::Said;
use crate::command::table::Reading;
use crate::prelude::*;

/// Columns above which new rows are not compared with the training rows, which would take longer than the intervals.
const COLUMNS: usize = 1000;

/// Reads, computes, writes, and sums up on stdout.
pub(super) fn run(options: &Options, path: &std::path::Path, own: &[Rule]) -> Result<()> {
    options.check_alone()?;
    let rule = Asked::of_features(options.method.as_deref(), own)?;
    check_folder(&options.out)?;
    let given = GivenFeatures::load(path)?;
    let loo = LeaveOneOut::tangent_of(given.clone(), given.train(), &Tangent::default())?;
    let mut answer = Answer::new(loo.intervals(rule, given.test(), options.alpha)?, &loo, given.train());
    answer.notes.extend(unproven(&answer.intervals, rule, false));
    let mut conditions = answer.errors.as_ref().map(Conditions::of_order).transpose()?.unwrap_or_default();
    // A training row knows itself in a kernel's columns, and a point does not.
    if !given.is_kernel() && given.train().columns() <= COLUMNS {
        conditions = conditions.and(Conditions::of_points(given.train(), given.test())?);
    }
    let said = Said::of(&conditions, &answer.intervals, given.test_target(), None)?;
    conclude(options, answer, said, Vec::new())
}

impl Options {
    /// Refuses what does not go with `--features`.
    fn check_alone(&self) -> Result<()> {
        let others = [
            (self.train.is_some(), "--train does not go with --features"),
            (self.test.is_some(), "--test does not go with --features"),
            (self.target.is_some(), "--target does not go with --features"),
            (self.model.is_some(), "--model does not go with --features"),
            (self.order.is_some(), "--order does not go with --features"),
            (self.folds.is_some(), "--folds does not go with --features"),
            (!self.network.hidden.is_empty(), "--hidden does not go with --features"),
            (self.network.activation.is_some(), "--activation does not go with --features"),
            (self.network.l2.is_some(), "--l2 does not go with --features"),
            (self.network.epochs.is_some(), "--epochs does not go with --features"),
            (self.reading != Reading::default(), "options of reading a table do not go with --features"),
            (self.trust_anyway, "--trust-anyway does not go with --features"),
        ];
        match others.into_iter().find(|(is_there, _)| *is_there) {
            None => Ok(()),
            Some((_, options)) => Err(Error::Conflict {
                options,
                advice: "the file has the rows, their targets and the points, and the model is the ridge on its features: leave \
                         it away",
            }),
        }
    }
}
