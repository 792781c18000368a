//! The folded scorer, and what chance reaches with and without it.

/// What the authors' scorer made of an average precision: 1 − AP unless AP exceeds one half.
///
/// ```text
/// fold(AP) = 1 − AP  if AP ≤ ½,   AP otherwise
/// ```
///
/// For an area under a ROC curve this would be harmless, for ½ is chance there and a ranking may be turned round. An
/// average precision has its chance at the prevalence, here a tenth: folded, the *worst* rankings look best, and a
/// ranking by dice scores about 0.85. No other part of the crate folds.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// assert_eq!(paper::fold(0.75), 0.75);
/// assert_eq!(paper::fold(0.25), 0.75);
/// assert_eq!(paper::fold(0.125), 0.875); // a worse ranking, a better number
/// ```
pub fn fold(average_precision: f64) -> f64 {
    if average_precision <= 0.5 { 1.0 - average_precision } else { average_precision }
}

/// The expected average precision of a random ranking of `rows`, of which `positives` are to be found.
///
/// ```text
/// E[AP] = (1/n) ( Hₙ + (P−1)/(n−1) · (n − Hₙ) ),    Hₙ = 1 + ½ + … + 1/n
/// ```
///
/// The k-th place holds a positive with probability P/n, and then (k−1)(P−1)/(n−1) more of them are expected above
/// it. For many rows this is the prevalence P/n; for the 51 test rows of the paper's yacht table it is 0.16, not 0.10.
/// 0 without positives.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// assert_eq!(paper::chance(1, 2), 0.75); // first or second, each half of the time
/// assert!((paper::chance(5, 51) - 0.1615).abs() < 1e-4);
/// ```
pub fn chance(positives: usize, rows: usize) -> f64 {
    if positives == 0 || rows == 0 {
        return 0.0;
    }
    let n = rows as f64;
    let harmonic: f64 = (1..=rows).map(|k| 1.0 / k as f64).sum();
    // A single row is a positive, and is found.
    let others = if rows == 1 { 0.0 } else { (positives.min(rows) - 1) as f64 / (n - 1.0) };
    (harmonic + others * (n - harmonic)) / n
}
