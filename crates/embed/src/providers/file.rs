//! Models of ours in files of their own.

use super::ProviderError;
use crate::{Model, ModelError};
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// Whether a path looks like one of a model file.
pub(super) fn is_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "safetensors")
}

/// The model in a file.
pub(super) fn open(path: &Path) -> Result<Model, ProviderError> {
    let wrong = |reason| ProviderError::File {
        path: path.to_owned(),
        reason,
    };
    let bytes = map(path).map_err(|error| wrong(error.to_string()))?;
    Model::from_bytes(bytes).map_err(|error: ModelError| wrong(error.to_string()))
}

/// Most of a model is the table of its tokens, of which a text needs a few
/// rows: the rest need not be read.
#[allow(unsafe_code)]
fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: model files are replaced, not written to.
    unsafe { Mmap::map(&file) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Embedder;
    use std::fs;

    #[test]
    fn a_file_is_a_model() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tiny.safetensors");
        assert_eq!(open(&path).unwrap().info().name, "tiny");
    }

    #[test]
    fn what_is_no_model_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.safetensors");
        let message = |path: &Path| open(path).err().expect("no model").to_string();
        assert!(message(&path).contains("own.safetensors"));
        fs::write(&path, "").unwrap();
        assert!(
            message(&path).contains("no model file"),
            "{}",
            message(&path)
        );
        // What other programs write in the same layout.
        let header = br#"{"weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
        let length = (header.len() as u64).to_le_bytes();
        fs::write(&path, [&length, &header[..], &[0; 4]].concat()).unwrap();
        assert!(message(&path).contains("no config"), "{}", message(&path));
        assert!(message(folder.path()).contains("cannot be used"));
    }
}
