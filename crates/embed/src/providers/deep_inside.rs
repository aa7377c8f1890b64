//! The large model, where the program is built with it.

use super::ProviderError;
use crate::Model;
use std::path::Path;

/// The large model; no folder is looked into.
pub(super) fn open(_: Option<&Path>) -> Result<Model, ProviderError> {
    Ok(Model::from_bytes(scent_model::DEEP).expect("the model inside the program can be read"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Embedder;

    #[test]
    fn it_opens() {
        assert!(open(None).expect("a model").info().name.starts_with("deep"));
    }
}
