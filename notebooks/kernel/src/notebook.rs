//! A notebook file: reading, and writing as Jupyter does, so that a run changes nothing but outputs.

use crate::Result;
use serde_json::{Map, Value, json};
use std::path::Path;

/// A notebook of format 4.
#[derive(Clone, Debug)]
pub struct Notebook {
    json: Value,
}

/// What the runner needs to know of a code cell.
#[derive(Clone, Debug)]
pub struct CodeCell {
    /// Its place among all cells, from 0.
    pub index: usize,
    /// Its text.
    pub source: String,
    /// The tags that an author gave it.
    pub tags: Vec<String>,
    /// The outputs stored in the file.
    pub outputs: Vec<Value>,
}

impl CodeCell {
    /// Tagged `raises-exception`, Jupyter's own word: the cell shows an error on purpose.
    pub fn raises(&self) -> bool {
        self.tags.iter().any(|tag| tag == "raises-exception")
    }

    /// How far numbers may differ from the stored ones, from a tag `tolerance=0.05`; else only by rounding.
    pub fn tolerance(&self) -> f64 {
        self.tags.iter().find_map(|tag| tag.strip_prefix("tolerance=")?.parse().ok()).unwrap_or(1e-6)
    }
}

impl Notebook {
    /// Reads a notebook file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let json: Value =
            serde_json::from_str(&text).map_err(|e| format!("{}: this is not a notebook: {e}", path.display()))?;
        if !json["cells"].is_array() {
            return Err(format!("{}: this is not a notebook of format 4, it has no cells", path.display()));
        }
        Ok(Self { json })
    }

    /// The code cells in their order.
    pub fn code_cells(&self) -> impl Iterator<Item = CodeCell> + '_ {
        self.json["cells"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .filter(|(_, cell)| cell["cell_type"] == "code")
            .map(|(index, cell)| CodeCell {
                index,
                source: text(&cell["source"]),
                tags: strings(&cell["metadata"]["tags"]),
                outputs: cell["outputs"].as_array().cloned().unwrap_or_default(),
            })
    }

    /// The text of every Markdown cell.
    pub fn prose(&self) -> Vec<String> {
        let cells = self.json["cells"].as_array().into_iter().flatten();
        cells.filter(|cell| cell["cell_type"] == "markdown").map(|cell| text(&cell["source"])).collect()
    }

    /// The name of the kernel that the notebook asks for.
    pub fn kernel(&self) -> &str {
        self.json["metadata"]["kernelspec"]["name"].as_str().unwrap_or_default()
    }

    /// The number a code cell was executed as.
    pub fn execution_count(&self, index: usize) -> Option<u64> {
        self.json["cells"][index]["execution_count"].as_u64()
    }

    /// Puts the outputs of an executed cell in place.
    pub fn set_outputs(&mut self, index: usize, count: usize, outputs: Vec<Value>) {
        let cell = &mut self.json["cells"][index];
        cell["execution_count"] = json!(count);
        cell["outputs"] = Value::Array(outputs);
    }

    /// The file's text, with the indentation of Jupyter.
    pub fn to_text(&self) -> String {
        let mut text = Vec::new();
        let format = serde_json::ser::PrettyFormatter::with_indent(b" ");
        let mut serializer = serde_json::Serializer::with_formatter(&mut text, format);
        serde::Serialize::serialize(&self.json, &mut serializer).expect("JSON values can always be written");
        text.push(b'\n');
        String::from_utf8(text).expect("serde_json writes UTF-8")
    }

    /// Writes the whole file or leaves the old one.
    pub fn write(&self, path: &Path) -> Result<()> {
        let new = path.with_extension("ipynb.new");
        std::fs::write(&new, self.to_text()).and_then(|()| std::fs::rename(&new, path)).map_err(|e| {
            let _ = std::fs::remove_file(&new);
            format!("{}: {e}; the notebook is as it was", path.display())
        })
    }
}

/// A result with several representations, as Jupyter stores it.
pub fn execute_result(count: usize, data: impl Iterator<Item = (String, String)>) -> Value {
    let data: Map<String, Value> = data
        .map(|(mime, content)| {
            let value = match mime.contains("json") {
                true => serde_json::from_str(&content).unwrap_or(Value::String(content)),
                false => lines(&content),
            };
            (mime, value)
        })
        .collect();
    json!({"output_type": "execute_result", "execution_count": count, "data": data, "metadata": {}})
}

/// What a cell printed.
pub fn stream(name: &str, content: &str) -> Value {
    json!({"output_type": "stream", "name": name, "text": lines(content)})
}

/// What the compiler said of a cell.
pub fn error(message: &str) -> Value {
    let traceback: Vec<&str> = message.lines().collect();
    json!({"output_type": "error", "ename": "Error", "evalue": traceback.first(), "traceback": traceback})
}

/// Text as Jupyter stores it: one string, or a list of lines.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(_) => strings(value).concat(),
        _ => String::new(),
    }
}

fn lines(text: &str) -> Value {
    Value::Array(text.split_inclusive('\n').map(Value::from).collect())
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|line| Some(line.as_str()?.to_owned())).collect()
}
