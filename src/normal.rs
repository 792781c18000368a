//! The standard normal distribution: what the other baselines take from tables.

use std::f64::consts::PI;

/// φ(x).
pub(crate) fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

/// Φ(x), to twelve digits even far out in the lower tail.
///
/// ```text
/// |x| ≤ 3:  ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …)
/// x < −3:   φ(x)/(|x| + 1/(|x| + 2/(|x| + 3/(…))))        Laplace's continued fraction
/// ```
pub(crate) fn cumulative(x: f64) -> f64 {
    if x > 3.0 {
        return 1.0 - cumulative(-x);
    }
    if x < -3.0 {
        return density(x) / (1..=60).rev().fold(-x, |tail, k| f64::from(k) / tail - x);
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + density(x) * sum
}

/// Φ⁻¹(p), to sixteen digits (Wichura 1988, algorithm AS 241).
pub(crate) fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&CENTRE, 0.180_625 - q * q);
    }
    let r = (-p.min(1.0 - p).ln()).sqrt();
    let tail = if r <= 5.0 { ratio(&MIDDLE, r - 1.6) } else { ratio(&FAR, r - 5.0) };
    tail.copysign(q)
}

/// A quotient of two polynomials, their coefficients from the constant up.
fn ratio([above, below]: &[[f64; 8]; 2], x: f64) -> f64 {
    let polynomial = |coefficients: &[f64; 8]| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    polynomial(above) / polynomial(below)
}

const CENTRE: [[f64; 8]; 2] = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];

const MIDDLE: [[f64; 8]; 2] = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        0.000_774_545_014_278_341_4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        0.000_547_593_808_499_534_5,
        1.050_750_071_644_416_9e-9,
    ],
];

const FAR: [[f64; 8]; 2] = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        0.000_786_869_131_145_613_3,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_7e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantiles_are_those_of_the_tables() {
        // Known to sixteen digits.
        let known = [
            (0.975, 1.959_963_984_540_054),
            (0.95, 1.644_853_626_951_472_7),
            (0.5, 0.0),
            (0.1, -1.281_551_565_544_600_4),
            (1e-10, -6.361_340_902_404_056),
        ];
        for (p, z) in known {
            assert!((quantile(p) - z).abs() < 1e-14 * f64::max(1.0, z.abs()), "{p}: {} against {z}", quantile(p));
        }
    }

    #[test]
    fn the_distribution_undoes_the_quantile() {
        for p in [1e-300, 1e-30, 1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.2, 0.4, 0.5, 0.7, 0.92, 0.99, 0.9999] {
            // A relative error δ in z is one of z²·δ in a tail: 1e-12 allows for z = −37.
            assert!((cumulative(quantile(p)) / p - 1.0).abs() < 1e-12, "{p}: {}", cumulative(quantile(p)));
        }
    }

    #[test]
    fn the_distribution_is_continuous_where_its_formula_changes() {
        for x in [-3.0_f64, 3.0] {
            let (below, above) = (cumulative(x - 1e-9), cumulative(x + 1e-9));
            assert!((above - below - 2e-9 * density(x)).abs() < 1e-15);
        }
    }
}
