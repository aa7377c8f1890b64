//! In place of models behind servers, where the program is built without them.

use super::ProviderError;
use crate::{Embedder, ModelError};
use std::sync::Arc;

/// Says how to get a program that can.
pub(super) fn open_ai(
    base: &str,
    _: &str,
    _: Option<&str>,
) -> Result<Arc<dyn Embedder>, ModelError> {
    Err(ProviderError::NoRemote(base.to_owned()).into())
}

/// The same for Ollama.
pub(super) fn ollama(base: &str, _: &str) -> Result<Arc<dyn Embedder>, ModelError> {
    Err(ProviderError::NoRemote(base.to_owned()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_answered_with_how_to_build() {
        for opened in [
            open_ai("http://host/v1", "m", None),
            ollama("http://host/v1", "m"),
        ] {
            let message = opened.err().expect("it is not built in").to_string();
            assert!(message.contains("http://host/v1"), "{message}");
            assert!(message.contains("--features remote"), "{message}");
        }
    }
}
