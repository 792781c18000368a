//! A sample's names and decisions as JSON, for fits that are kept.

use ndarray::{Array1, Array2};
use serde_json::{Value, json};

use super::Sample;
use super::encoding::{Encoding, Hole};
#[cfg(feature = "polars")]
use super::reader::date::{Form, Part};

impl Sample {
    /// Everything but the numbers, which rows belong together, and what was told when the table was read.
    pub(crate) fn record(&self) -> Value {
        let encoding: Vec<Value> = self.encoding.iter().map(Encoding::record).collect();
        let hole = |hole: &Hole| {
            let rows: Vec<usize> = (0..hole.missing.len()).filter(|&row| hole.missing[row]).collect();
            json!({"feature": hole.feature, "rows": rows})
        };
        let holes: Vec<Value> = self.holes.iter().map(hole).collect();
        json!({"target": self.target, "features": self.features, "encoding": encoding, "holes": holes})
    }

    /// The sample of a record and its numbers; `None` if they do not belong together.
    pub(crate) fn of_record(record: &Value, x: Array2<f64>, y: Array1<f64>) -> Option<Self> {
        let features = texts(record.get("features")?)?;
        let mut sample = Self::named(x, y, features, record.get("target")?.as_str()?).ok()?;
        let encoding: Option<Vec<Encoding>> =
            record.get("encoding")?.as_array()?.iter().map(Encoding::of_record).collect();
        sample.encoding = encoding?;
        let names: Vec<String> = sample.encoding.iter().flat_map(Encoding::features).collect();
        let hole = |hole: &Value| {
            let feature = usize::try_from(hole.get("feature")?.as_u64()?).ok().filter(|j| *j < sample.columns())?;
            let mut missing = vec![false; sample.len()];
            for row in hole.get("rows")?.as_array()? {
                *missing.get_mut(usize::try_from(row.as_u64()?).ok()?)? = true;
            }
            Some(Hole { feature, missing })
        };
        let holes: Option<Vec<Hole>> = record.get("holes")?.as_array()?.iter().map(hole).collect();
        sample.holes = holes?;
        (names == sample.features).then_some(sample)
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(String::from)).collect()
}

impl Encoding {
    fn record(&self) -> Value {
        match self {
            Self::Number { column, marked } => json!({"kind": "number", "column": column, "marked": marked}),
            #[cfg(feature = "polars")]
            Self::Indicators { column, values, other } => {
                json!({"kind": "text", "column": column, "values": values, "other": other})
            }
            #[cfg(feature = "polars")]
            Self::Date { column, form, parts, marked } => {
                let parts: Vec<&str> = parts.iter().map(|part| part.name()).collect();
                json!({"kind": "date", "column": column, "form": form.name(), "parts": parts, "marked": marked})
            }
        }
    }

    fn of_record(record: &Value) -> Option<Self> {
        let column = record.get("column")?.as_str()?.to_string();
        match record.get("kind")?.as_str()? {
            "number" => Some(Self::Number { column, marked: record.get("marked")?.as_bool()? }),
            #[cfg(feature = "polars")]
            "text" => {
                let values = texts(record.get("values")?).filter(|values| !values.is_empty())?;
                Some(Self::Indicators { column, values, other: record.get("other")?.as_bool()? })
            }
            #[cfg(feature = "polars")]
            "date" => {
                let form = record.get("form")?.as_str()?;
                let form = Form::ALL.into_iter().find(|known| known.name() == form)?;
                let part = |name: &String| Part::ALL.into_iter().find(|part| part.name() == name);
                let parts: Option<Vec<Part>> = texts(record.get("parts")?)?.iter().map(part).collect();
                Some(Self::Date { column, form, parts: parts?, marked: record.get("marked")?.as_bool()? })
            }
            _ => None,
        }
    }
}
