//! How well a score puts the positives first: average precision and the area under the ROC curve.

use std::cmp::Ordering;

use ndarray::Array1;

use crate::error::{Error, Result};

/// How well a score ranks the positives first: the area under the precision–recall steps.
///
/// ```text
/// AP = Σₖ (recallₖ − recallₖ₋₁)·precisionₖ      over the distinct scores in falling order
/// ```
///
/// Ties are taken together, as scikit-learn does. What a random ranking has on average says
/// [`average_precision_by_chance`]: more than the share of positives, if rows are few.
///
/// # Errors
/// [`Error::Shape`] unless there is one label for each score, [`Error::Labels`] if no label is positive,
/// [`Error::NotFinite`] for a score that is not a number; infinite scores are allowed, and tie.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// // The example of scikit-learn's documentation.
/// let precision = average_precision(&[false, false, true, true], &array![0.1, 0.4, 0.35, 0.8])?;
/// assert!((precision - 5.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn average_precision(positive: &[bool], score: &Array1<f64>) -> Result<f64> {
    let ranking = Ranking::new(positive, score)?;
    ranking.check_positives()?;
    Ok(average_precision_of(&ranking.ties))
}

/// What the average precision is on average if the labels are dealt to the rows at random: chance, exactly.
///
/// ```text
/// E[AP] = Σₖ gₖ/Sₖ · ( 1/n + (Sₖ−1)(P−1)/(n(n−1)) )      gₖ rows with the k-th largest score, Sₖ = g₁ + … + gₖ
/// ```
///
/// for P positives among n rows: of two rows of the first Sₖ both are positive with probability P(P−1)/(n(n−1)). With
/// one score for all it is the share of positives, P/n; without ties and for few rows it is well above it.
///
/// # Errors
/// As [`average_precision`].
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// let (positive, tied) = ([true, false, false, false], array![1.0, 1.0, 1.0, 1.0]);
/// assert_eq!(average_precision_by_chance(&positive, &tied)?, 0.25);
/// // First, second, third or last: (1 + 1/2 + 1/3 + 1/4)/4.
/// let chance = average_precision_by_chance(&positive, &array![4.0, 3.0, 2.0, 1.0])?;
/// assert!((chance - 25.0 / 48.0).abs() < 1e-15);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn average_precision_by_chance(positive: &[bool], score: &Array1<f64>) -> Result<f64> {
    let ranking = Ranking::new(positive, score)?;
    ranking.check_positives()?;
    Ok(ranking.chance())
}

/// The probability that a positive scores higher than a negative, ties counted half: the area under the ROC curve.
///
/// ```text
/// AUROC = ( #{score₊ > score₋} + ½ #{score₊ = score₋} ) / (P·N)      over all pairs of a positive and a negative
/// ```
///
/// ½ is chance, 1 a perfect ranking, 0 the same one upside down.
///
/// # Errors
/// As [`average_precision`]; [`Error::Labels`] also if every label is positive.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// // The example of scikit-learn's documentation.
/// assert_eq!(auroc(&[false, false, true, true], &array![0.1, 0.4, 0.35, 0.8])?, 0.75);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn auroc(positive: &[bool], score: &Array1<f64>) -> Result<f64> {
    let ranking = Ranking::new(positive, score)?;
    ranking.check_positives()?;
    let (positives, negatives) = ranking.totals();
    if negatives == 0 {
        return Err(Error::Labels("every label is positive: the area under the ROC curve needs both kinds"));
    }
    let mut above = 0;
    let mut pairs = 0.0;
    for tie in &ranking.ties {
        pairs += tie.negatives as f64 * (above as f64 + 0.5 * tie.positives as f64);
        above += tie.positives;
    }
    Ok(pairs / (positives as f64 * negatives as f64))
}

/// What has one and the same score.
#[derive(Clone)]
pub(super) struct Tie {
    pub(super) score: f64,
    pub(super) positives: usize,
    pub(super) negatives: usize,
}

/// Scores in falling order, ties together: all that a ranking metric looks at.
pub(super) struct Ranking {
    pub(super) ties: Vec<Tie>,
    /// For each row, in falling order of score: the place of its tie, and its label.
    pub(super) rows: Vec<(usize, bool)>,
}

impl Ranking {
    pub(super) fn new(positive: &[bool], score: &Array1<f64>) -> Result<Self> {
        if positive.len() != score.len() {
            return Err(Error::Shape { what: "labels and scores".into(), left: positive.len(), right: score.len() });
        }
        if score.iter().any(|score| score.is_nan()) {
            return Err(Error::NotFinite { what: "a score".into(), advice: "leave such points out" });
        }
        let mut order: Vec<usize> = (0..score.len()).collect();
        // Not by `total_cmp`, which tells −0 from 0.
        order.sort_by(|&a, &b| score[b].partial_cmp(&score[a]).unwrap_or(Ordering::Equal));
        let (mut ties, mut rows) = (Vec::new(), Vec::with_capacity(order.len()));
        for tied in order.chunk_by(|&a, &b| score[a] == score[b]) {
            let positives = tied.iter().filter(|&&row| positive[row]).count();
            rows.extend(tied.iter().map(|&row| (ties.len(), positive[row])));
            ties.push(Tie { score: score[tied[0]], positives, negatives: tied.len() - positives });
        }
        Ok(Self { ties, rows })
    }

    pub(super) fn check_positives(&self) -> Result<()> {
        match self.totals().0 {
            0 => Err(Error::Labels("no label is positive: a ranking needs one at least")),
            _ => Ok(()),
        }
    }

    /// [`average_precision_by_chance`] of these ties.
    pub(super) fn chance(&self) -> f64 {
        let (positives, negatives) = self.totals();
        let n = (positives + negatives) as f64;
        // Of a single row there are no pairs.
        let pairs = if n > 1.0 { (positives as f64 - 1.0) / (n * (n - 1.0)) } else { 0.0 };
        let (mut seen, mut sum) = (0.0, 0.0);
        for tie in &self.ties {
            let size = (tie.positives + tie.negatives) as f64;
            seen += size;
            sum += size / seen * (1.0 / n + (seen - 1.0) * pairs);
        }
        sum
    }

    /// The positives and the negatives.
    pub(super) fn totals(&self) -> (usize, usize) {
        self.ties.iter().fold((0, 0), |(p, n), tie| (p + tie.positives, n + tie.negatives))
    }
}

/// The average precision of ties in falling order, of which some may be empty but not all of their positives 0.
pub(super) fn average_precision_of(ties: &[Tie]) -> f64 {
    let total: usize = ties.iter().map(|tie| tie.positives).sum();
    let (mut hits, mut seen, mut sum) = (0, 0, 0.0);
    for tie in ties {
        hits += tie.positives;
        seen += tie.positives + tie.negatives;
        if tie.positives > 0 {
            sum += tie.positives as f64 / total as f64 * hits as f64 / seen as f64;
        }
    }
    sum
}
