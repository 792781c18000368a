//! The nine bundled tables, by name.
//!
//! They are compiled in, so that a notebook or an installed binary needs no folder beside it. Sources and
//! licences stand in `data/README.md`.

use std::fmt;
use std::str::FromStr;

use ndarray::{Array1, Array2};

use super::Sample;
use crate::error::Error;
use crate::wording::listed;

/// A bundled benchmark table.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let concrete = Table::Concrete.load();
/// assert_eq!((concrete.len(), concrete.columns()), (1030, 8));
/// assert_eq!("yacht".parse::<Table>()?, Table::Yacht);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// Sound of an airfoil in a wind tunnel, in dB: 1503 rows, 5 features.
    AirfoilSelfNoise,
    /// Median value of homes around Boston in 1978, in 1000 $: 506 rows, 13 features. The column `b` encodes
    /// the share of Black residents: the table is kept for comparison with published results only.
    BostonHousing,
    /// Compressive strength of concrete, in MPa: 1030 rows, 8 features.
    Concrete,
    /// Heating load of simulated buildings, in kWh/m²: 768 rows, 8 features. The file's second target,
    /// `cooling_load`, is not among the features; [`Table::load_for`] has it.
    EnergyEfficiency,
    /// Forward kinematics of an 8-link robot arm: 8192 rows, 8 features.
    Kin8nm,
    /// Decay coefficient of a naval gas turbine: 11934 rows, 14 features.
    NavalPropulsion,
    /// Electrical output of a power plant, in MW: 9568 rows, 4 features.
    PowerPlant,
    /// Quality score of red wines, 3 to 8: 1599 rows, 11 features.
    WineQualityRed,
    /// Resistance of sailing yachts per unit of displacement: 308 rows, 6 features.
    Yacht,
}

impl Table {
    /// Every bundled table, in alphabetical order.
    pub const ALL: [Self; 9] = [
        Self::AirfoilSelfNoise,
        Self::BostonHousing,
        Self::Concrete,
        Self::EnergyEfficiency,
        Self::Kin8nm,
        Self::NavalPropulsion,
        Self::PowerPlant,
        Self::WineQualityRed,
        Self::Yacht,
    ];

    /// The table's name: the file in `data/` without its ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::AirfoilSelfNoise => "airfoil_self_noise",
            Self::BostonHousing => "boston_housing",
            Self::Concrete => "concrete",
            Self::EnergyEfficiency => "energy_efficiency",
            Self::Kin8nm => "kin8nm",
            Self::NavalPropulsion => "naval_propulsion",
            Self::PowerPlant => "power_plant",
            Self::WineQualityRed => "wine_quality_red",
            Self::Yacht => "yacht",
        }
    }

    /// The table itself; the target is the last column of the file.
    pub fn load(self) -> Sample {
        let last = self.names().len() - 1;
        self.with_target(last)
    }

    /// The table with another of its columns as the target.
    ///
    /// # Errors
    /// [`Error::Column`] if there is no such column.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let cooling = Table::EnergyEfficiency.load_for("cooling_load")?;
    /// assert_eq!((cooling.target(), cooling.columns()), ("cooling_load", 8));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn load_for(self, target: &str) -> Result<Sample, Error> {
        let names = self.names();
        let column = names.iter().position(|name| *name == target).ok_or_else(|| Error::Column {
            column: target.into(),
            problem: format!("is not in the table: it has {}", listed(&names, 40)),
        })?;
        Ok(self.with_target(column))
    }

    fn names(self) -> Vec<&'static str> {
        self.text().lines().next().unwrap_or_default().split(',').collect()
    }

    fn with_target(self, target: usize) -> Sample {
        let names = self.names();
        let cells = self.text().lines().skip(1).flat_map(|line| line.split(','));
        let cells: Vec<f64> = cells.filter_map(|cell| cell.parse().ok()).collect();
        let (rows, columns) = (cells.len() / names.len(), names.len());
        let cells = Array2::from_shape_vec((rows, columns), cells).expect("bundled tables are complete");

        let constant = |j: usize| cells.column(j).iter().all(|&value| value == cells[[0, j]]);
        // Simulated buildings have two loads, and neither is known before the other.
        let second = |j: usize| self == Self::EnergyEfficiency && names[j].ends_with("_load");
        let mut notices = Vec::new();
        let mut kept = Vec::new();
        for (j, &name) in names.iter().enumerate().filter(|(j, _)| *j != target) {
            if second(j) && second(target) {
                notices.push(format!("`{name}` is a second target: not a feature"));
            } else if constant(j) {
                notices.push(format!("`{name}` is the same in every row: dropped"));
            } else {
                kept.push(j);
            }
        }
        let x = cells.select(ndarray::Axis(1), &kept);
        let y: Array1<f64> = cells.column(target).to_owned();
        let features = kept.iter().map(|&j| names[j].to_string()).collect();
        let sample = Sample::named(x, y, features, names[target]).expect("bundled tables are clean");
        notices.into_iter().fold(sample, Sample::with_notice)
    }

    fn text(self) -> &'static str {
        macro_rules! table {
            ($name:literal) => {
                include_str!(concat!("../../data/", $name, ".csv"))
            };
        }
        match self {
            Self::AirfoilSelfNoise => table!("airfoil_self_noise"),
            Self::BostonHousing => table!("boston_housing"),
            Self::Concrete => table!("concrete"),
            Self::EnergyEfficiency => table!("energy_efficiency"),
            Self::Kin8nm => table!("kin8nm"),
            Self::NavalPropulsion => table!("naval_propulsion"),
            Self::PowerPlant => table!("power_plant"),
            Self::WineQualityRed => table!("wine_quality_red"),
            Self::Yacht => table!("yacht"),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Table {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|table| table.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|table| table.name()).collect();
            Error::NoSuchTable { name: name.into(), known: names.join(", ") }
        })
    }
}
