//! Samples from and to polars: data frames, CSV and Parquet.

use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;

use ndarray::{Array1, Array2, Axis};
use polars::prelude::{Column, DataFrame, DataType, NamedFrom, ParquetReader, SerReader, Series};

use super::Sample;
use super::reader::{NewRows, Reader, Source, is_missing};
use crate::error::{Error, Result};
use crate::wording::listed;

impl Sample {
    /// A sample from a data frame and the name of its target.
    ///
    /// Nothing is guessed: what is missing or looks like an identifier is refused, and [`Reader::frame`] decides such things.
    ///
    /// Every other column is a feature: numbers and booleans as they are, a text column as one 0/1 column
    /// `name=value` for each of its values but the alphabetically first. Columns that are the same in every row
    /// are dropped. Both are told by [`Sample::notices`].
    ///
    /// # Errors
    /// [`Error::Column`] if the target is not there, is text, stands a second time among the features, or if a
    /// column has a type that is neither number, boolean nor text or too many different texts;
    /// [`Error::Cell`] for blanks, NaN, infinities, and single texts among numbers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use polars::df;
    /// let frame = df!("size" => [1.0, 2.0, 3.0], "town" => ["Oslo", "Bern", "Oslo"], "price" => [3, 5, 7])?;
    /// let sample = Sample::from_frame(&frame, "price")?;
    /// assert_eq!(sample.features(), ["size", "town=Oslo"]);
    /// assert_eq!(sample.notices(), ["`town` is text: 1 indicator column for 2 values, against `Bern`"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_frame(frame: &DataFrame, target: &str) -> Result<Self> {
        Reader::default().strict(true).target(target).frame(frame)
    }

    /// A sample from a CSV, TSV or Parquet file, read as a careful colleague would; the target is the last column unless named.
    ///
    /// What was decided on the way is told by [`Sample::notices`]. [`Reader`] has the options, and the table of decisions.
    ///
    /// # Errors
    /// As [`Reader::read`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Sample::read("data/yacht.csv", None)?;
    /// assert_eq!(yacht.target(), "residuary_resistance");
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn read(path: impl AsRef<Path>, target: Option<&str>) -> Result<Self> {
        let reader = Reader::default();
        target.map_or(reader.clone(), |name| reader.target(name)).read(path)
    }

    /// The features of another data frame, encoded as this sample's: columns are found by name, in any order;
    /// columns that this sample does not have are ignored.
    ///
    /// What this sample's notices do not announce is refused; [`Reader::frame_new`] goes on and tells what it did.
    ///
    /// # Errors
    /// [`Error::Column`] for a column that is missing, [`Error::Cell`] for infinities, for a text that this sample neither has
    /// nor puts under `other`, and for a missing number in a column that this sample has in every row.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use polars::df;
    /// let train = Sample::from_frame(&df!("a" => [1.0, 2.0], "b" => [0.5, 0.1], "y" => [1.0, 3.0])?, "y")?;
    /// let x = train.encode(&df!("b" => [7.0], "a" => [3.0])?)?;
    /// assert_eq!(x, ndarray::array![[3.0, 7.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode(&self, frame: &DataFrame) -> Result<Array2<f64>> {
        let NewRows { x, surprise, .. } = Reader::default().frame_new(frame, self)?;
        surprise.map_or(Ok(x), Err)
    }

    /// The target of another data frame, which goes with [`Sample::encode`].
    ///
    /// # Errors
    /// [`Error::Column`] if the target is not there or is text, [`Error::Cell`] for blanks, NaN and infinities.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use polars::df;
    /// let train = Sample::from_frame(&df!("a" => [1.0, 2.0], "y" => [1.0, 3.0])?, "y")?;
    /// assert_eq!(train.encode_target(&df!("y" => [7, 8])?)?, ndarray::array![7.0, 8.0]);
    /// assert!(train.encode_target(&df!("y" => [Some(7), None])?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode_target(&self, frame: &DataFrame) -> Result<Array1<f64>> {
        let reader = Reader::default().strict(true);
        reader.target_of(&Source::of_frame(frame)?, &self.target).map(Into::into)
    }

    /// The features and the target as a data frame.
    ///
    /// # Errors
    /// [`Error::Frame`] if two columns have the same name.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// assert_eq!(Table::Yacht.load().to_frame()?.shape(), (308, 7));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn to_frame(&self) -> Result<DataFrame> {
        let column = |name: &str, cells: Vec<f64>| Column::from(Series::new(name.into(), cells));
        let features = self.features.iter().zip(self.x.axis_iter(Axis(1)));
        let mut columns: Vec<Column> = features.map(|(name, cells)| column(name, cells.to_vec())).collect();
        columns.push(column(&self.target, self.y.to_vec()));
        frame_of(columns, self.len())
    }
}

/// A data frame from a file: CSV, TSV, gzip of these, or Parquet.
///
/// Separator, decimal sign and names are found as by a [`Reader`]; cells stay what they are: whole numbers, numbers, truth values
/// or texts, and null where nothing stands.
///
/// # Errors
/// [`Error::File`] if it cannot be read.
///
/// # Example
/// ```
/// let frame = jackknife::sample::read_frame("data/yacht.csv")?;
/// assert_eq!(frame.shape(), (308, 7));
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn read_frame(path: impl AsRef<Path>) -> Result<DataFrame> {
    Reader::default().typed(path.as_ref())
}

/// A Parquet file that has been read.
pub(super) fn parquet(bytes: Vec<u8>, path: &Path) -> Result<DataFrame> {
    ParquetReader::new(Cursor::new(bytes)).finish().map_err(|_| Error::File {
        action: "read",
        path: path.into(),
        reason: "it is not a whole Parquet file, or has a type that is not read here: save the table as CSV".into(),
    })
}

/// The columns of a file of text with the narrowest type that holds every cell.
pub(super) fn typed(source: &Source) -> Result<DataFrame> {
    let columns = source.columns.iter().map(|found| {
        let name = found.name.as_str().into();
        let cells: Vec<Cow<str>> = (0..source.rows).map(|row| found.text(row)).collect();
        fn all<T>(cells: &[Cow<str>], read: impl Fn(&str) -> Option<T>) -> Option<Vec<Option<T>>> {
            let cell = |cell: &Cow<str>| if is_missing(cell) { Some(None) } else { read(cell).map(Some) };
            cells.iter().map(cell).collect()
        }
        let series = if let Some(whole) = all(&cells, |cell| cell.parse::<i64>().ok()) {
            Series::new(name, whole)
        } else if let Some(numbers) = all(&cells, |cell| source.number(cell)) {
            Series::new(name, numbers)
        } else if let Some(truths) = all(&cells, |cell| cell.to_ascii_lowercase().parse::<bool>().ok()) {
            Series::new(name, truths)
        } else {
            let texts: Vec<Option<&str>> =
                cells.iter().map(|cell| Some(&**cell).filter(|cell| !cell.is_empty())).collect();
            Series::new(name, texts)
        };
        Column::from(series)
    });
    frame_of(columns.collect(), source.rows)
}

/// A column of numbers by its name; infinities are numbers here.
///
/// # Errors
/// [`Error::Column`] if it is not there or is no number, [`Error::Cell`] for blanks.
pub(crate) fn column(frame: &DataFrame, name: &str) -> Result<Array1<f64>> {
    let refuse = |problem: String| Error::Column { column: name.into(), problem };
    let column = frame.column(name).map_err(|_| {
        let names: Vec<_> = frame.columns().iter().map(|column| column.name().as_str()).collect();
        refuse(format!("is not in the table: it has {}", listed(&names, 40)))
    })?;
    if !column.dtype().is_primitive_numeric() {
        return Err(refuse("is not a column of numbers: choose another".into()));
    }
    let cells = column.cast(&DataType::Float64).map_err(|error| refuse(error.to_string()))?;
    let cells = cells.f64().map_err(|error| refuse(error.to_string()))?;
    let number = |(row, cell): (usize, Option<f64>)| {
        cell.filter(|cell| !cell.is_nan()).ok_or_else(|| Error::Cell {
            column: name.into(),
            row: row + 1,
            value: "blank".into(),
            advice: "fill or drop missing cells first".into(),
        })
    };
    cells.iter().enumerate().map(number).collect()
}

/// The tabular results' way into polars.
pub(crate) fn frame_of(columns: Vec<Column>, height: usize) -> Result<DataFrame> {
    DataFrame::new(height, columns).map_err(|error| Error::Frame(error.to_string()))
}
