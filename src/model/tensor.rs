//! Numbers from safetensors.

use std::path::Path;

use safetensors::Dtype;
use safetensors::tensor::TensorView;

use crate::error::{Error, Result};

/// The bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::File { action: "read", path: path.into(), reason: error.to_string() })
}

/// The numbers of a tensor, row by row; `None` unless they are in f32 or f64.
pub(super) fn numbers(tensor: &TensorView) -> Option<Vec<f64>> {
    let data = tensor.data();
    match tensor.dtype() {
        Dtype::F64 => Some(data.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()),
        Dtype::F32 => Some(data.as_chunks::<4>().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect()),
        _ => None,
    }
}
