//! The large model, where the program is built with it.

use super::ProviderError;
use crate::Model;
use std::path::Path;

static FILE: &[u8] = include_bytes!("../../../../models/deep.safetensors");

/// The large model; no folder is looked into.
pub(super) fn open(_: Option<&Path>) -> Result<Model, ProviderError> {
    Ok(Model::from_bytes(FILE).expect("the model inside the program can be read"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoder;

    #[test]
    fn it_opens() {
        assert!(
            open(None)
                .expect("a model")
                .about()
                .name
                .starts_with("deep")
        );
    }
}
