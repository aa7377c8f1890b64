//! In place of models in folders, where the program is built without them.

use super::ProviderError;
use crate::{Embedder, ModelError};
use std::path::Path;
use std::sync::Arc;

/// Says how to get a program that can.
pub(super) fn open(path: &Path, _: Option<&Path>) -> Result<Arc<dyn Embedder>, ModelError> {
    Err(ProviderError::NotBuilt(path.to_owned()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_answered_with_how_to_build() {
        let error = open(Path::new("/some/model"), None)
            .err()
            .expect("it is not built in");
        let message = error.to_string();
        assert!(
            message.contains("/some/model") && message.contains("--features onnx"),
            "{message}"
        );
    }
}
