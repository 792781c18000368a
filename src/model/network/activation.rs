//! Activation functions, their derivatives and their power series.

use std::fmt;
use std::str::FromStr;

use ndarray::{Array2, CowArray, Ix2, Zip};

use crate::check::refusal;
use crate::error::Error;

/// The non-linearity after every hidden layer.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// assert_eq!("softplus".parse::<Activation>()?, Activation::Softplus);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Activation {
    /// tanh z, the paper's text.
    #[default]
    Tanh,
    /// max(z, 0), the paper's code. It has no second derivative at 0: orders above 1 see only its linear pieces.
    Relu,
    /// ln(1 + eᶻ).
    Softplus,
    /// 1/(1 + e⁻ᶻ).
    Sigmoid,
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tanh => "tanh",
            Self::Relu => "relu",
            Self::Softplus => "softplus",
            Self::Sigmoid => "sigmoid",
        })
    }
}

impl FromStr for Activation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        [Self::Tanh, Self::Relu, Self::Softplus, Self::Sigmoid]
            .into_iter()
            .find(|activation| activation.to_string() == name)
            .ok_or_else(|| {
                refusal("the activation", format!("`{name}`"), "be one of tanh, relu, softplus, sigmoid", "tanh")
            })
    }
}

/// A power series of matrices, Σₖ Aₖtᵏ; `None` is a coefficient of zeros.
pub(super) type Series<'a> = Vec<Option<CowArray<'a, f64, Ix2>>>;

impl Activation {
    /// φ(z), in place.
    pub(crate) fn apply(self, z: &mut [f64]) {
        match self {
            Self::Tanh => tanh(z),
            Self::Relu => z.iter_mut().for_each(|z| *z = z.max(0.0)),
            Self::Softplus => z.iter_mut().for_each(|z| *z = z.max(0.0) + (-z.abs()).exp().ln_1p()),
            Self::Sigmoid => z.iter_mut().for_each(|z| *z = sigmoid(*z)),
        }
    }

    /// φ′(z), from a = φ(z).
    #[inline]
    pub(super) fn slope(self, a: f64) -> f64 {
        match self {
            Self::Tanh => 1.0 - a * a,
            Self::Relu => f64::from(u8::from(a > 0.0)),
            Self::Softplus => -(-a).exp_m1(),
            Self::Sigmoid => a * (1.0 - a),
        }
    }

    /// back ∘ φ′(z), in place, from a = φ(z).
    pub(crate) fn multiply_slope(self, a: &[f64], back: &mut [f64]) {
        // The choice is made once, outside the loop, so that the loop becomes vectors.
        let each = |slope: fn(f64) -> f64, back: &mut [f64]| back.iter_mut().zip(a).for_each(|(b, &a)| *b *= slope(a));
        match self {
            Self::Tanh => back.iter_mut().zip(a).for_each(|(b, &a)| *b *= 1.0 - a * a),
            Self::Relu => each(|a| Self::Relu.slope(a), back),
            Self::Softplus => each(|a| Self::Softplus.slope(a), back),
            Self::Sigmoid => each(|a| Self::Sigmoid.slope(a), back),
        }
    }

    /// φ″(z), from a = φ(z) and p = φ′(z).
    pub(super) fn bend(self, a: f64, p: f64) -> f64 {
        match self {
            Self::Tanh => -2.0 * a * p,
            Self::Relu => 0.0,
            Self::Softplus => p * (1.0 - p),
            Self::Sigmoid => p * (1.0 - 2.0 * a),
        }
    }

    /// The series of φ(z(t)) and φ′(z(t)), given their constant terms and the coefficients z₁ … z_K of z(t).
    ///
    /// With p = φ′, the chain rule da/dt = p·dz/dt gives each coefficient from the earlier ones,
    ///
    /// ```text
    /// k aₖ = Σⱼ j zⱼ pₖ₋ⱼ,      tanh: p = 1 − a²     sigmoid: p = a − a²
    ///                         softplus: k pₖ = Σⱼ j zⱼ qₖ₋ⱼ, q = p − p²     relu: p stays
    /// ```
    pub(super) fn series<'a>(
        self,
        z: &[Option<Array2<f64>>],
        a0: CowArray<'a, f64, Ix2>,
        p0: CowArray<'a, f64, Ix2>,
    ) -> (Series<'a>, Series<'a>) {
        let order = z.len();
        let (mut a, mut p): (Series<'a>, Series<'a>) = (vec![Some(a0)], vec![Some(p0)]);
        if self == Self::Softplus {
            let slope = p[0].as_ref().expect("constant term");
            let mut q: Series = vec![Some(CowArray::from(slope.mapv(|p| p * (1.0 - p))))];
            for k in 1..=order {
                p.push(integrate(z, &q, k));
                q.push(minus_square(&p, k, true));
            }
            for k in 1..=order {
                a.push(integrate(z, &p, k));
            }
            return (a, p);
        }
        for k in 1..=order {
            a.push(integrate(z, &p, k));
            p.push(match self {
                Self::Relu => None,
                _ => minus_square(&a, k, self == Self::Sigmoid),
            });
        }
        (a, p)
    }
}

/// (1/k) Σⱼ j zⱼ pₖ₋ⱼ, where `z[j − 1]` holds zⱼ.
fn integrate<'a>(z: &[Option<Array2<f64>>], p: &Series, k: usize) -> Option<CowArray<'a, f64, Ix2>> {
    let mut sum: Option<Array2<f64>> = None;
    for j in 1..=k {
        if let (Some(z), Some(p)) = (&z[j - 1], &p[k - j]) {
            add_product(&mut sum, j as f64 / k as f64, z, p);
        }
    }
    sum.map(CowArray::from)
}

/// The k-th coefficient of −a², or of a − a² if `plus_self`.
fn minus_square<'a>(a: &Series, k: usize, plus_self: bool) -> Option<CowArray<'a, f64, Ix2>> {
    let mut sum: Option<Array2<f64>> = a[k].as_ref().filter(|_| plus_self).map(|a| a.to_owned());
    for j in 0..=k / 2 {
        if let (Some(left), Some(right)) = (&a[j], &a[k - j]) {
            let twice = if 2 * j == k { -1.0 } else { -2.0 };
            add_product(&mut sum, twice, left, right);
        }
    }
    sum.map(CowArray::from)
}

/// sum += factor · left ∘ right.
pub(super) fn add_product<S, T>(
    sum: &mut Option<Array2<f64>>,
    factor: f64,
    left: &ndarray::ArrayBase<S, Ix2>,
    right: &ndarray::ArrayBase<T, Ix2>,
) where
    S: ndarray::Data<Elem = f64>,
    T: ndarray::Data<Elem = f64>,
{
    match sum {
        None => *sum = Some(Zip::from(left).and(right).map_collect(|&l, &r| factor * l * r)),
        Some(sum) => Zip::from(sum).and(left).and(right).for_each(|s, &l, &r| *s += factor * l * r),
    }
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// tanh of every value, to 3 units in the last place and at a tenth of the standard library's time: it rules the
/// cost of training and of evaluating n perturbed networks.
#[allow(unsafe_code, reason = "the processor has been asked for the instructions")]
pub(super) fn tanh(values: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the processor has the instructions that the function is compiled for.
        return unsafe { tanh_avx2(values) };
    }
    values.iter_mut().for_each(|x| *x = tanh_of::<false>(*x));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn tanh_avx2(values: &mut [f64]) {
    values.iter_mut().for_each(|x| *x = tanh_of::<true>(*x));
}

/// tanh|x| = E/(E + 2) with E = e^{2|x|} − 1 = 2ᵏ(eʳ − 1) + (2ᵏ − 1), |r| ≤ ½ ln 2; without branches, so that
/// the compiler makes vectors of it.
#[inline(always)]
fn tanh_of<const FMA: bool>(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // Adding and subtracting it rounds to an integer, which then stands in the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let fused = |a: f64, b: f64, c: f64| if FMA { a.mul_add(b, c) } else { a * b + c };

    let u = 2.0 * x.abs().min(20.0);
    let shifted = fused(u, std::f64::consts::LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = fused(-k, LN2_LOW, fused(-k, LN2_HIGH, u));
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    // eʳ − 1 − r = r²·(1/2! + r/3! + … + r¹¹/13!), in pairs so that the processor can work on several at once.
    let pair = |low: f64, high: f64| fused(r, 1.0 / high, 1.0 / low);
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let low = fused(r2, pair(24.0, 120.0), pair(2.0, 6.0));
    let middle = fused(r2, pair(40_320.0, 362_880.0), pair(720.0, 5_040.0));
    let high = fused(r2, pair(479_001_600.0, 6_227_020_800.0), pair(3_628_800.0, 39_916_800.0));
    let tail = fused(r4 * r4, high, fused(r4, middle, low));
    let e = fused(power, fused(r2, tail, r), power - 1.0);
    let result = (e / (e + 2.0)).copysign(x);
    if x.is_nan() { x } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_tanh_agrees_with_the_standard_one_to_four_units_in_the_last_place() {
        let points = (-400_000..=400_000).map(|k| f64::from(k) * 6.1e-5).chain([1e-300, -1e-17, 1e-9, 700.0, -1e300]);
        for x in points {
            let (mut fast, mut portable) = ([x; 5], x);
            tanh(&mut fast);
            portable = tanh_of::<false>(portable);
            let ulp = x.tanh().abs().max(f64::MIN_POSITIVE) * f64::EPSILON;
            for value in fast.into_iter().chain([portable]) {
                assert!((value - x.tanh()).abs() <= 4.0 * ulp, "tanh({x}) = {} but {value}", x.tanh());
            }
        }
        let mut edges = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
        tanh(&mut edges);
        assert!(edges[0].is_nan());
        assert_eq!(&edges[1..], &[1.0, -1.0, 0.0, -0.0]);
        assert!(edges[4].is_sign_negative());
    }
}
