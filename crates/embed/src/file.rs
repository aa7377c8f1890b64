//! The model file: a safetensors file with the config in its metadata.
//!
//! The layout is 8 bytes with the length of the header, the header as JSON,
//! and the data, into which the header points.

use crate::ModelError;
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;

/// No header of ours comes near this length.
const MOST_HEADER: u64 = 1 << 20;

/// What a tensor is made of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Bytes of text.
    U8,
    /// Weights.
    I8,
    /// Floating point numbers.
    F32,
    /// What other programs write and this one does not read.
    #[serde(other)]
    Other,
}

impl Kind {
    fn bytes(self) -> usize {
        if self == Kind::F32 { 4 } else { 1 }
    }
}

#[derive(Deserialize)]
struct Tensor {
    dtype: Kind,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "__metadata__", default)]
    metadata: HashMap<String, String>,
    #[serde(flatten)]
    tensors: HashMap<String, Tensor>,
}

/// A model file whose header was read.
pub(crate) struct File<'b> {
    bytes: &'b [u8],
    header: Header,
    /// Where the data begins.
    data: usize,
}

impl<'b> File<'b> {
    pub fn read(bytes: &'b [u8]) -> Result<File<'b>, ModelError> {
        let too_short = ModelError::NotAModel("it ends within its header");
        let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
            return Err(too_short);
        };
        let length = u64::from_le_bytes(*length);
        if length > MOST_HEADER {
            return Err(ModelError::NotAModel("its header is too long"));
        }
        let header = rest.get(..length as usize).ok_or(too_short)?;
        let header = serde_json::from_slice(header)?;
        Ok(File {
            bytes,
            header,
            data: 8 + length as usize,
        })
    }

    /// An entry of the metadata.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.header.metadata.get(key).map(String::as_str)
    }

    /// The place of a tensor, which must be of this kind and shape.
    pub fn place(
        &self,
        name: &str,
        kind: Kind,
        shape: &[usize],
    ) -> Result<Range<usize>, ModelError> {
        let tensor = self.tensor(name)?;
        if tensor.dtype != kind || tensor.shape != shape {
            return Err(ModelError::Shape {
                name: name.to_owned(),
                have: format!("{:?} {:?}", tensor.dtype, tensor.shape),
                want: format!("{kind:?} {shape:?}"),
            });
        }
        let (start, end) = tensor.data_offsets;
        let count = shape
            .iter()
            .try_fold(kind.bytes(), |all, &n| all.checked_mul(n));
        let in_file = end <= self.bytes.len() - self.data;
        if !in_file || start > end || count != Some(end - start) {
            return Err(ModelError::NotAModel("a tensor lies outside of its data"));
        }
        Ok(self.data + start..self.data + end)
    }

    fn tensor(&self, name: &str) -> Result<&Tensor, ModelError> {
        let tensor = self.header.tensors.get(name);
        tensor.ok_or_else(|| ModelError::Missing(name.to_owned()))
    }

    /// The text in a tensor of bytes, of whatever length.
    pub fn text(&self, name: &str) -> Result<&'b str, ModelError> {
        let shape = self.tensor(name)?.shape.clone();
        let place = self.place(name, Kind::U8, &shape)?;
        let text = std::str::from_utf8(&self.bytes[place]);
        text.map_err(|_| ModelError::Vocabulary("it is not UTF-8"))
    }

    /// Weights, which stay where they are.
    pub fn weights(&self, name: &str, shape: &[usize]) -> Result<&'b [u8], ModelError> {
        Ok(&self.bytes[self.place(name, Kind::I8, shape)?])
    }

    /// Numbers, copied: the file may lie at any address.
    pub fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let place = self.place(name, Kind::F32, shape)?;
        let (numbers, _) = self.bytes[place].as_chunks::<4>();
        Ok(numbers
            .iter()
            .map(|&bytes| f32::from_le_bytes(bytes))
            .collect())
    }
}
