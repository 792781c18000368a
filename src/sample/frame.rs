//! Samples from and to polars: data frames, CSV and Parquet.

use std::fs::File;
use std::path::Path;

use ndarray::{Array1, Array2, Axis};
use polars::prelude::{Column, CsvReadOptions, DataFrame, NamedFrom, ParquetReader, PolarsError, SerReader, Series};

use super::cells::{categories, is_constant, is_text, numbers, texts};
use super::{Encoding, Sample};
use crate::error::{Error, Result};
use crate::wording::listed;

impl Sample {
    /// A sample from a data frame and the name of its target.
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
        check_height(frame)?;
        let y = Array1::from_vec(numbers(find(frame, target)?, "is text, but intervals are for numeric targets")?);
        let mut features = Vec::new();
        let mut encoding = Vec::new();
        let mut notices = Vec::new();
        let mut x: Vec<Vec<f64>> = Vec::new();
        for column in frame.columns().iter().filter(|column| column.name() != target) {
            let name = column.name().to_string();
            // A single row says nothing about what varies.
            if frame.height() > 1 && is_constant(column) {
                notices.push(format!("`{name}` is the same in every row: dropped"));
            } else if is_text(column) {
                let cells = texts(column)?;
                let values = categories(column, &cells)?;
                notices.push(format!(
                    "`{name}` is text: {} for {} values, against `{}`",
                    plural(values.len() - 1, "indicator column"),
                    values.len(),
                    values[0]
                ));
                for value in &values[1..] {
                    features.push(format!("{name}={value}"));
                    x.push(indicator(&cells, value));
                }
                encoding.push(Encoding::Indicators { column: name, values });
            } else {
                let cells = numbers(column, "")?;
                if cells.iter().zip(&y).all(|(a, b)| a == b) {
                    return Err(Error::Column {
                        column: name,
                        problem: format!("repeats the target `{target}`: drop it, or every interval is an illusion"),
                    });
                }
                features.push(name.clone());
                encoding.push(Encoding::Number { column: name });
                x.push(cells);
            }
        }
        if x.is_empty() && !notices.is_empty() {
            return Err(Error::empty("the table has no feature column left", notices.join("; ")));
        }
        let x = columns_to_array(x, frame.height());
        let mut sample = Sample::named(x, y, features, target)?;
        sample.encoding = encoding;
        sample.notices = notices;
        Ok(sample)
    }

    /// A sample from a CSV or Parquet file; the target is the last column unless named.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read, and whatever [`Sample::from_frame`] refuses.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Sample::read("data/yacht.csv", None)?;
    /// assert_eq!(yacht.target(), "residuary_resistance");
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn read(path: impl AsRef<Path>, target: Option<&str>) -> Result<Self> {
        Self::read_from(path.as_ref(), target)
    }

    fn read_from(path: &Path, target: Option<&str>) -> Result<Self> {
        let frame = frame_from(path)?;
        let last = frame.columns().last().map(|column| column.name().to_string()).unwrap_or_default();
        Self::from_frame(&frame, target.unwrap_or(&last))
    }

    /// The features of another data frame, encoded as this sample's: columns are found by name, in any order;
    /// columns that this sample does not have are ignored.
    ///
    /// # Errors
    /// [`Error::Column`] for a column that is missing or a text value that this sample does not have,
    /// [`Error::Cell`] for blanks, NaN and infinities.
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
        check_height(frame)?;
        let mut x = Vec::with_capacity(self.columns());
        for encoding in &self.encoding {
            match encoding {
                Encoding::Number { column } => {
                    x.push(numbers(find(frame, column)?, "is text, but numeric in training")?)
                }
                Encoding::Indicators { column, values } => {
                    let cells = texts(find(frame, column)?)?;
                    if let Some((row, unknown)) = cells.iter().enumerate().find(|(_, text)| !values.contains(text)) {
                        return Err(Error::Cell {
                            column: column.clone(),
                            row: row + 1,
                            value: format!("`{unknown}`"),
                            advice: "the training table does not have this value; train with rows that have it".into(),
                        });
                    }
                    for value in &values[1..] {
                        x.push(indicator(&cells, value));
                    }
                }
            }
        }
        let x = columns_to_array(x, frame.height());
        super::check_cells(&x, |j| self.features[j].clone())?;
        Ok(x)
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
        let y = numbers(find(frame, &self.target)?, "is text, but numeric in training")?;
        for (row, &value) in y.iter().enumerate() {
            super::check_cell(value, row, || self.target.clone())?;
        }
        Ok(y.into())
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

/// A data frame from a file: Parquet if its name ends so, else CSV.
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
    frame_from(path.as_ref())
}

fn frame_from(path: &Path) -> Result<DataFrame> {
    let refuse = |reason: String| Error::File { action: "read", path: path.into(), reason };
    let file = File::open(path).map_err(|error| refuse(error.to_string()))?;
    if path.is_dir() {
        return Err(refuse("it is a folder: name a CSV or Parquet file in it".into()));
    }
    let parquet = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"));
    let frame = if parquet {
        ParquetReader::new(file).finish()
    } else {
        // All rows decide a column's type: a text in the last row must not be met half way through.
        CsvReadOptions::default().with_infer_schema_length(None).into_reader_with_file_handle(file).finish()
    };
    frame.map_err(|error: PolarsError| refuse(error.to_string()))
}

/// A column of numbers by its name; infinities are numbers here.
///
/// # Errors
/// [`Error::Column`] if it is not there or is text, [`Error::Cell`] for blanks.
pub(crate) fn column(frame: &DataFrame, name: &str) -> Result<Array1<f64>> {
    Ok(numbers(find(frame, name)?, "is text, and numbers are needed")?.into())
}

/// The tabular results' way into polars.
pub(crate) fn frame_of(columns: Vec<Column>, height: usize) -> Result<DataFrame> {
    DataFrame::new(height, columns).map_err(|error| Error::Frame(error.to_string()))
}

fn check_height(frame: &DataFrame) -> Result<()> {
    match frame.height() {
        0 => Err(Error::empty("the table has no rows", "give at least one")),
        _ => Ok(()),
    }
}

fn find<'a>(frame: &'a DataFrame, name: &str) -> Result<&'a Column> {
    frame.column(name).map_err(|_| {
        let names: Vec<_> = frame.columns().iter().map(|column| column.name().as_str()).collect();
        Error::Column { column: name.into(), problem: format!("is not in the table: it has {}", listed(&names, 40)) }
    })
}

/// 1 where the text is `value`, else 0.
fn indicator(cells: &[String], value: &str) -> Vec<f64> {
    cells.iter().map(|text| f64::from(u8::from(text == value))).collect()
}

fn columns_to_array(columns: Vec<Vec<f64>>, rows: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns.len()), |(i, j)| columns[j][i])
}

/// 1 row, 2 rows.
fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("{n} {what}") } else { format!("{n} {what}s") }
}
