//! Intervals of a binomial share: the exact one, and Wilson's for shares that are no counts.

/// The exact interval of Clopper and Pearson (1934) for a share of which `successes` among `trials` were seen.
///
/// ```text
/// low:  P(X ≥ k | p) = α/2        high:  P(X ≤ k | p) = α/2        X ~ Binomial(n, p)
/// ```
///
/// with k = `successes`, n = `trials` ≥ 1 and α = `outside`, the probability left outside. It contains the true share
/// with probability at least 1 − α, whatever that share is.
pub(super) fn exact_interval(successes: usize, trials: usize, outside: f64) -> (f64, f64) {
    // X ≤ k successes are n − X ≥ n − k failures: one end serves both.
    let high = 1.0 - lower_end(trials - successes, trials, outside / 2.0);
    (lower_end(successes, trials, outside / 2.0), high)
}

/// Wilson's interval (1927) for a mean of shares that knows as much as so many rows.
///
/// ```text
/// ( s + z²/2n ± z √( s(1−s)/n + z²/4n² ) ) / (1 + z²/n)        z = 1.96, for 95 %
/// ```
///
/// It contains the true share about as often as it says, where the exact one does so at least as often.
pub(super) fn wilson_interval(share: f64, rows: f64) -> (f64, f64) {
    let z = 1.959_963_984_540_054_f64;
    let slack = z * z / rows;
    let half = z * (share * (1.0 - share) / rows + slack / (4.0 * rows)).sqrt();
    let end = |sign: f64| ((share + 0.5 * slack + sign * half) / (1.0 + slack)).clamp(0.0, 1.0);
    (end(-1.0), end(1.0))
}

/// The p at which P(X ≥ k | p) is `tail`, by bisection to the last digit; 0 for k = 0.
fn lower_end(k: usize, n: usize, tail: f64) -> f64 {
    if k == 0 {
        return 0.0;
    }
    let ways = log_binomial(n, k);
    // At p = k/n the median of X is k, so the tail there is at least ½: the end lies below.
    let (mut low, mut high) = (0.0, k as f64 / n as f64);
    loop {
        let p = 0.5 * (low + high);
        if p <= low || p >= high {
            return p;
        }
        if upper_tail(k, n, p, ways) < tail { low = p } else { high = p }
    }
}

/// P(X ≥ k | p) for p < k/n, given ln C(n, k).
///
/// ```text
/// P(X = k)·( 1 + t₁ + t₁t₂ + … ),    tⱼ = (n−k−j+1)/(k+j) · p/(1−p) < 1
/// ```
///
/// Every term is positive and smaller than the one before, so nothing cancels and the sum may stop early.
fn upper_tail(k: usize, n: usize, p: f64, ways: f64) -> f64 {
    let odds = p / (1.0 - p);
    let (mut term, mut sum) = (1.0, 1.0);
    for j in 1..=n - k {
        term *= (n - k - j + 1) as f64 / (k + j) as f64 * odds;
        sum += term;
        if term < f64::EPSILON * sum {
            break;
        }
    }
    (ways + k as f64 * p.ln() + (n - k) as f64 * (-p).ln_1p()).exp() * sum
}

/// ln C(n, k).
fn log_binomial(n: usize, k: usize) -> f64 {
    let fewer = k.min(n - k);
    (1..=fewer).map(|j| ((n - fewer + j) as f64 / j as f64).ln()).sum()
}
