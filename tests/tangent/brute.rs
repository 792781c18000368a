//! The tangent by really leaving rows out: normal equations, elimination, and no closed form of anything.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayView1, Axis};

/// Solves A·X = B by elimination with row exchanges; the logarithm of |det A| comes with it.
pub fn solve(mut a: Array2<f64>, mut b: Array2<f64>) -> (Array2<f64>, f64) {
    let (n, mut log) = (a.nrows(), 0.0);
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[[i, k]].abs().total_cmp(&a[[j, k]].abs())).unwrap();
        for j in 0..n {
            a.swap([k, j], [pivot, j]);
        }
        for j in 0..b.ncols() {
            b.swap([k, j], [pivot, j]);
        }
        log += a[[k, k]].abs().ln();
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            (k..n).for_each(|j| a[[i, j]] -= factor * a[[k, j]]);
            (0..b.ncols()).for_each(|j| b[[i, j]] -= factor * b[[k, j]]);
        }
    }
    for k in (0..n).rev() {
        for j in 0..b.ncols() {
            let rest: f64 = (k + 1..n).map(|i| a[[k, i]] * b[[i, j]]).sum();
            b[[k, j]] = (b[[k, j]] - rest) / a[[k, k]];
        }
    }
    (b, log)
}

/// Where near is measured.
pub enum Near {
    /// Places that are given.
    Places(Array2<f64>),
    /// Columns in units of the power of two nearest to their deviation without the row that is left out.
    Columns(Array2<f64>),
}

/// A ridge problem: features and target of each row.
pub struct Problem {
    pub features: Array2<f64>,
    pub u: Array1<f64>,
    pub free: bool,
    /// λ, if it is not chosen.
    pub penalty: Option<f64>,
    pub near: Near,
}

/// A ridge fitted to some of the rows.
pub struct Fit {
    /// (JᵀJ + κ)⁻¹ of the features, and of the intercept if it is free.
    inverse: Array2<f64>,
    theta: Array1<f64>,
    free: bool,
}

impl Fit {
    fn row(&self, features: ArrayView1<f64>) -> Array1<f64> {
        features.iter().copied().chain(self.free.then_some(1.0)).collect()
    }

    pub fn predict(&self, features: ArrayView1<f64>) -> f64 {
        self.row(features).dot(&self.theta)
    }

    /// J(x)(JᵀJ + κ)⁻¹J(x).
    pub fn variance(&self, features: ArrayView1<f64>) -> f64 {
        let row = self.row(features);
        row.dot(&self.inverse.dot(&row))
    }
}

/// What a row says when it is left out.
pub struct LeftOut {
    pub kappa: f64,
    pub fit: Fit,
    pub variance: f64,
    /// z²_{j,−i} of every other row j.
    pub squares: BTreeMap<usize, f64>,
    pub score: f64,
}

impl Problem {
    pub fn len(&self) -> usize {
        self.u.len()
    }

    pub fn without(&self, left_out: &[usize]) -> Vec<usize> {
        (0..self.len()).filter(|i| !left_out.contains(i)).collect()
    }

    /// The ridge of some rows.
    pub fn fit(&self, rows: &[usize], kappa: f64) -> Fit {
        let (p, free) = (self.features.ncols(), self.free);
        let size = p + usize::from(free);
        let design =
            Array2::from_shape_fn((rows.len(), size), |(k, j)| if j < p { self.features[[rows[k], j]] } else { 1.0 });
        let mut normal = design.t().dot(&design);
        (0..p).for_each(|j| normal[[j, j]] += kappa);
        let (inverse, _) = solve(normal, Array2::eye(size));
        let moments = design.t().dot(&self.u.select(Axis(0), rows));
        Fit { theta: inverse.dot(&moments), inverse, free }
    }

    /// uᵀPu and minus twice the logarithm of the marginal likelihood of some rows, σ² at its best:
    /// u ~ N(0, σ²V), V = I + JJᵀ/κ; with a free intercept that of the contrasts.
    pub fn likelihood(&self, rows: &[usize], kappa: f64) -> (f64, f64) {
        let (j, u) = (self.features.select(Axis(0), rows), self.u.select(Axis(0), rows));
        let m = rows.len();
        let v = j.dot(&j.t()) / kappa + Array2::<f64>::eye(m);
        let right = Array2::from_shape_fn((m, 2), |(i, k)| if k == 0 { u[i] } else { 1.0 });
        let (solved, log) = solve(v, right);
        let (vu, vones) = (solved.column(0), solved.column(1));
        let sum = u.dot(&vu);
        if !self.free {
            return (sum, m as f64 * sum.ln() + log);
        }
        let sum = sum - vu.sum().powi(2) / vones.sum();
        (sum, (m - 1) as f64 * sum.ln() + log + vones.sum().ln())
    }

    /// κ of some rows: the best of the grid, which grows where that is at its end, and the largest of those equally good.
    pub fn kappa(&self, rows: &[usize]) -> f64 {
        if let Some(lambda) = self.penalty {
            return rows.len() as f64 * lambda;
        }
        let value = |power: i32| self.likelihood(rows, 2f64.powi(power)).1;
        let best = |low: i32, high: i32| {
            let values: Vec<(f64, i32)> = (low..=high).map(|power| (value(power), power)).collect();
            let least = values.iter().fold(f64::INFINITY, |least, value| least.min(value.0));
            values.into_iter().rev().find(|value| value.0 <= least + 1e-9).unwrap().1
        };
        // Far above the largest eigenvalue the features explain nothing; far below it rounding decides.
        let largest = self.largest_eigenvalue();
        let (mut low, mut high) = (-20, 10);
        while best(low, high) == high && 2f64.powi(high) < 2f64.powi(20) * largest {
            high += 10;
        }
        while best(low, high) == low && 2f64.powi(low - 10) >= 1e-11 * largest {
            low -= 10;
        }
        2f64.powi(best(low, high))
    }

    /// What is left of the digits at κ: normal equations square the condition.
    pub fn digits(&self, kappa: f64) -> f64 {
        (1e-14 * self.largest_eigenvalue() / kappa).max(1e-8)
    }

    /// λ₁ of all rows, by powers.
    fn largest_eigenvalue(&self) -> f64 {
        let mean =
            if self.free { self.features.mean_axis(Axis(0)).unwrap() } else { Array1::zeros(self.features.ncols()) };
        let rows = &self.features - &mean;
        let (mut axis, mut value) = (Array1::ones(rows.ncols()), 0.0);
        for _ in 0..200 {
            axis = rows.t().dot(&rows.dot(&axis));
            value = axis.dot(&axis).sqrt();
            axis /= value;
        }
        value
    }

    /// The rows other than `left_out` by their distance from a place, with what measures it made without that row.
    pub fn nearest(&self, left_out: Option<usize>, point: ArrayView1<f64>) -> Vec<usize> {
        let others = self.without(left_out.as_slice());
        let (places, scale) = match &self.near {
            Near::Places(places) => (places, Array1::ones(places.ncols())),
            Near::Columns(x) => {
                let part = x.select(Axis(0), &others);
                let deviation = part.std_axis(Axis(0), 0.0);
                (x, deviation.mapv(|deviation| if deviation > 0.0 { deviation.log2().round().exp2() } else { 1.0 }))
            }
        };
        let distance = |i: usize| -> f64 {
            let cells = places.row(i).to_owned() - point;
            cells.iter().zip(&scale).map(|(cell, scale)| (cell / scale).powi(2)).sum()
        };
        let mut order: Vec<(f64, usize)> = others.into_iter().map(|i| (distance(i), i)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.into_iter().take(20).map(|(_, i)| i).collect()
    }

    fn places(&self) -> &Array2<f64> {
        match &self.near {
            Near::Places(places) | Near::Columns(places) => places,
        }
    }

    /// s₋ᵢ(x) of what a row says.
    pub fn scale(&self, i: usize, said: &LeftOut, features: ArrayView1<f64>, place: ArrayView1<f64>) -> f64 {
        let near = self.nearest(Some(i), place);
        let local = near.iter().map(|j| said.squares[j]).sum::<f64>() / near.len() as f64;
        ((1.0 + said.fit.variance(features)) * (0.1 * said.variance + local)).sqrt()
    }

    /// What row i says when it is left out.
    pub fn left_out(&self, i: usize) -> LeftOut {
        let others = self.without(&[i]);
        let kappa = self.kappa(&others);
        let variance = self.likelihood(&others, kappa).0 / others.len() as f64;
        let square = |&j: &usize| {
            let fit = self.fit(&self.without(&[i, j]), kappa);
            let row = self.features.row(j);
            (j, (self.u[j] - fit.predict(row)).powi(2) / (1.0 + fit.variance(row)))
        };
        let squares = others.iter().map(square).collect();
        let mut said = LeftOut { kappa, fit: self.fit(&others, kappa), variance, squares, score: 0.0 };
        let row = self.features.row(i);
        said.score = (self.u[i] - said.fit.predict(row)) / self.scale(i, &said, row, self.places().row(i));
        said
    }

    /// s(x) of all rows.
    pub fn scale_of_all(&self, features: ArrayView1<f64>, place: ArrayView1<f64>) -> f64 {
        let all = self.without(&[]);
        let kappa = self.kappa(&all);
        let square = |&j: &usize| {
            let fit = self.fit(&self.without(&[j]), kappa);
            let row = self.features.row(j);
            (self.u[j] - fit.predict(row)).powi(2) / (1.0 + fit.variance(row))
        };
        let near = self.nearest(None, place);
        let local = near.iter().map(square).sum::<f64>() / near.len() as f64;
        let variance = self.likelihood(&all, kappa).0 / all.len() as f64;
        ((1.0 + self.fit(&all, kappa).variance(features)) * (0.1 * variance + local)).sqrt()
    }
}
