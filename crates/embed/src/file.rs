//! The model file: a safetensors file with the config in its metadata.

use crate::ModelError;
use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensors};
use std::ops::Range;

/// The bytes before the header, which say how long it is.
const LENGTH_BYTES: usize = 8;

/// The bytes of a model file.
pub(crate) type Bytes = Box<dyn AsRef<[u8]> + Send + Sync>;

/// A model file whose header was read and checked: every tensor lies in the
/// data and is as long as its shape says.
pub(crate) struct File {
    bytes: Bytes,
    header: Metadata,
    /// Where the data begins.
    data: usize,
}

impl File {
    pub fn read(bytes: Bytes) -> Result<File, ModelError> {
        let (length, header) = SafeTensors::read_metadata((*bytes).as_ref())?;
        Ok(File {
            bytes,
            header,
            data: LENGTH_BYTES + length,
        })
    }

    fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// All bytes, for what stays where it is.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The config, as JSON.
    pub fn config(&self) -> Result<&str, ModelError> {
        let metadata = self.header.metadata().as_ref();
        let config = metadata.and_then(|metadata| metadata.get("config"));
        Ok(config.ok_or(ModelError::NoConfig)?)
    }

    /// The place of a tensor, which must be of this type and shape.
    pub fn place(
        &self,
        name: &str,
        dtype: Dtype,
        shape: &[usize],
    ) -> Result<Range<usize>, ModelError> {
        let tensor = self.tensor(name)?;
        if tensor.dtype != dtype || tensor.shape != shape {
            return Err(ModelError::Shape {
                name: name.to_owned(),
                have: format!("{} {:?}", tensor.dtype, tensor.shape),
                want: format!("{dtype} {shape:?}"),
            });
        }
        let (start, end) = tensor.data_offsets;
        Ok(self.data + start..self.data + end)
    }

    fn tensor(&self, name: &str) -> Result<&TensorInfo, ModelError> {
        let tensor = self.header.info(name);
        tensor.ok_or_else(|| ModelError::Missing(name.to_owned()))
    }

    /// The text in a tensor of bytes, of whatever length.
    pub fn text(&self, name: &str) -> Result<&str, ModelError> {
        let shape = &self.tensor(name)?.shape;
        let place = self.place(name, Dtype::U8, shape)?;
        let text = std::str::from_utf8(&self.bytes()[place]);
        text.map_err(|_| ModelError::Vocabulary("it is not UTF-8"))
    }

    /// Weights, which stay where they are.
    pub fn weights(&self, name: &str, shape: &[usize]) -> Result<&[u8], ModelError> {
        Ok(&self.bytes()[self.place(name, Dtype::I8, shape)?])
    }

    /// Numbers, copied: the file may lie at any address.
    pub fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let place = self.place(name, Dtype::F32, shape)?;
        let mut floats = Vec::with_capacity(place.len() / 4);
        for bytes in self.bytes()[place].as_chunks().0 {
            floats.push(f32::from_le_bytes(*bytes));
        }
        Ok(floats)
    }
}
