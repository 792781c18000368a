//! The two ends that rules of the jackknife+'s kind take, by the shortest way that the models have.

use ndarray::Array2;

use super::LeaveOneOut;
use crate::error::Result;
use crate::hat::Asked;
use crate::quantile::Ranks;
use crate::sample::check_points;

impl LeaveOneOut {
    /// Q⁻{f₋ᵢ(x) − mᵢs(x)} and Q⁺{f₋ᵢ(x) + mᵢs(x)} at each point; s is 1 without `scales`.
    pub(crate) fn ends(
        &self,
        x: &Array2<f64>,
        multiples: &[f64],
        scales: Option<&[f64]>,
        ranks: Ranks,
    ) -> Result<Vec<(f64, f64)>> {
        check_points(x, self.x.ncols())?;
        if let Some(models) = self.models.hybrid() {
            return models.ends(x.view(), multiples, scales, ranks);
        }
        if let (Some(models), None) = (self.models.ordered(), scales) {
            let below: Vec<f64> = multiples.iter().map(|m| -m).collect();
            let asked = [
                Asked { multiples: &below, scaled: false, rank: ranks.lower },
                Asked { multiples, scaled: false, rank: ranks.upper },
            ];
            let ends = models.order_statistics(x.view(), &asked)?;
            return Ok(ends.rows().into_iter().map(|ends| (ends[0], ends[1])).collect());
        }
        let scale = |t: usize| scales.map_or(1.0, |scales| scales[t]);
        self.at_points(x, |t, _, without| ranks.ends(without, multiples, scale(t)))
    }
}
