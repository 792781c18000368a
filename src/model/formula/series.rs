//! Truncated power series: a slice `a` stands for a₀ + a₁t + … + a_K tᴷ.
//!
//! Every function follows from its differential equation, coefficient by coefficient.

/// out += a·b.
pub(super) fn add_product(a: &[f64], b: &[f64], out: &mut [f64]) {
    for (k, out) in out.iter_mut().enumerate() {
        *out += (0..=k).map(|j| a[j] * b[k - j]).sum::<f64>();
    }
}

/// out = a/b.
pub(super) fn divide(a: &[f64], b: &[f64], out: &mut [f64]) {
    for k in 0..out.len() {
        let known: f64 = (0..k).map(|j| out[j] * b[k - j]).sum();
        out[k] = (a[k] - known) / b[0];
    }
}

/// out = eᵃ: out′ = out·a′.
pub(super) fn exp(a: &[f64], out: &mut [f64]) {
    out[0] = a[0].exp();
    for k in 1..out.len() {
        out[k] = (1..=k).map(|j| j as f64 * a[j] * out[k - j]).sum::<f64>() / k as f64;
    }
}

/// out = ln a: a·out′ = a′.
pub(super) fn ln(a: &[f64], out: &mut [f64]) {
    out[0] = a[0].ln();
    for k in 1..out.len() {
        let known: f64 = (1..k).map(|j| j as f64 * out[j] * a[k - j]).sum();
        out[k] = (a[k] - known / k as f64) / a[0];
    }
}

/// out = √a: out² = a.
pub(super) fn sqrt(a: &[f64], out: &mut [f64]) {
    out[0] = a[0].sqrt();
    for k in 1..out.len() {
        let known: f64 = (1..k).map(|j| out[j] * out[k - j]).sum();
        out[k] = (a[k] - known) / (2.0 * out[0]);
    }
}

/// out = tanh a: out′ = (1 − out²)·a′.
pub(super) fn tanh(a: &[f64], out: &mut [f64]) {
    out[0] = a[0].tanh();
    let mut slope = vec![1.0 - out[0] * out[0]];
    for k in 1..out.len() {
        out[k] = (1..=k).map(|j| j as f64 * a[j] * slope[k - j]).sum::<f64>() / k as f64;
        slope.push(-(0..=k).map(|j| out[j] * out[k - j]).sum::<f64>());
    }
}

/// (sin a, cos a), each the other's derivative.
pub(super) fn sin_cos(a: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut sin, mut cos) = (vec![a[0].sin()], vec![a[0].cos()]);
    for k in 1..a.len() {
        let integrate = |other: &[f64]| (1..=k).map(|j| j as f64 * a[j] * other[k - j]).sum::<f64>() / k as f64;
        let (next_sin, next_cos) = (integrate(&cos), -integrate(&sin));
        sin.push(next_sin);
        cos.push(next_cos);
    }
    (sin, cos)
}

/// out = aᶜ: a·out′ = c·out·a′.
pub(super) fn powf(a: &[f64], power: f64, out: &mut [f64]) {
    out[0] = a[0].powf(power);
    for k in 1..out.len() {
        let sum: f64 = (1..=k).map(|j| ((power + 1.0) * j as f64 - k as f64) * a[j] * out[k - j]).sum();
        out[k] = sum / (k as f64 * a[0]);
    }
}
