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

/// P(X ≤ k | p) of n trials.
pub(super) fn binomial_tail(k: usize, n: usize, p: f64) -> f64 {
    let end = k.min(n);
    let log_odds = p.ln() - (-p).ln_1p();
    let terms = (0..end).scan(n as f64 * (-p).ln_1p(), |log, x| {
        *log += ((n - x) as f64 / (x + 1) as f64).ln() + log_odds;
        Some(*log)
    });
    summed(std::iter::once(n as f64 * (-p).ln_1p()).chain(terms))
}

/// P(X ≤ k) of n trials whose common probability is itself drawn: that of split conformal on so many calibration rows.
///
/// ```text
/// X ~ Binomial(n, V),  V ~ Beta(a, b),   a = ⌈level·(rows + 1)⌉,  b = rows + 1 − a
/// P(X = 0) = Πⱼ (b + j)/(a + b + j),  j < n      P(X = x+1)/P(X = x) = (n−x)/(x+1) · (a+x)/(n−x−1+b)
/// ```
pub(super) fn share_tail(k: usize, n: usize, level: f64, rows: usize) -> f64 {
    let all = (rows + 1) as f64;
    // 0.9·(n + 1) may be a whole number but for its last digit.
    let a = (level * all - 1e-9).ceil().max(1.0);
    let b = all - a;
    if b < 1.0 {
        // The quantile is infinite: every row is covered.
        return if k < n { 0.0 } else { 1.0 };
    }
    let none: f64 = (0..n).map(|j| ((b + j as f64) / (all + j as f64)).ln()).sum();
    let terms = (0..k.min(n)).scan(none, |log, x| {
        let left = (n - x) as f64;
        *log += (left / (x + 1) as f64 * (a + x as f64) / (left - 1.0 + b)).ln();
        Some(*log)
    });
    summed(std::iter::once(none).chain(terms))
}

/// Σ of what has these logarithms, which rounding may bring above 1.
fn summed(logs: impl Iterator<Item = f64>) -> f64 {
    logs.map(f64::exp).sum::<f64>().min(1.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binomial_tail_is_the_one_that_its_interval_inverts() {
        for (k, n) in [(0, 5), (3, 10), (80, 100), (700, 1000)] {
            let (_, high) = exact_interval(k, n, 0.05);
            // Bisection to the last digit of p moves the tail by n times as much at most.
            assert!((binomial_tail(k, n, high) - 0.025).abs() < 1e-10, "{k} of {n}");
        }
    }

    #[test]
    fn the_tail_of_a_drawn_share_is_a_probability_and_comes_to_the_binomial_one() {
        // By hand: Beta(1, 1) makes every count from 0 to n equally likely.
        assert!((share_tail(2, 9, 0.5, 1) - 0.3).abs() < 1e-12);
        assert!((share_tail(10, 10, 0.9, 50) - 1.0).abs() < 1e-12);
        // The deviation of V, 0.3/√n, is a thirtieth of that of ten trials' share at this n.
        assert!((share_tail(6, 10, 0.9, 999_999) - binomial_tail(6, 10, 0.9)).abs() < 1e-4);
    }

    #[test]
    fn tails_of_many_trials_are_numbers() {
        for k in [0, 10, 5_000, 19_999, 20_000] {
            let (fixed, drawn) = (binomial_tail(k, 20_000, 0.9), share_tail(k, 20_000, 0.9, 300));
            assert!((0.0..=1.0).contains(&fixed) && (0.0..=1.0).contains(&drawn), "{k}: {fixed}, {drawn}");
        }
    }
}
