//! Model files, what servers answer, and what names a model.

use crate::headed;
use scent_embed::{Model, ModelSpec, Role};
use scent_words::model_words;
use std::path::Path;

/// A text to read with a model that could be read.
const TEXT: &str = "retry delay of the request, ab abc ##b gr\u{f6}\u{df}e";

/// The first line says what the rest is: `file`, `answer`, `name`.
pub fn model(bytes: &[u8]) -> bool {
    let Some((sort, rest)) = headed(bytes) else {
        return false;
    };
    match sort {
        "file" => file(rest),
        "answer" => scent_embed::fuzzing::answers(rest),
        "name" => name(&String::from_utf8_lossy(rest)),
        _ => return false,
    }
    true
}

fn file(bytes: &[u8]) {
    let Ok(model) = Model::from_bytes(bytes.to_vec()) else {
        return;
    };
    let text = model_words::of(TEXT);
    let [body, path] = [Role::Body, Role::Path].map(|role| model.encode(&[&text, ""], role));
    Model::unit_vector(&body[0], &path[0]);
    let query = model.encode_query(TEXT);
    assert_eq!(query.vector.len(), model.config().vector);
    assert_eq!(
        query.tokens.len(),
        query.weights.len() * model.config().tokens
    );
}

fn name(text: &str) {
    // A path would be looked for on the disk of whoever runs this.
    if text.contains(':') {
        let _ = ModelSpec::parse_with_cache(text, Path::new(""));
    }
}
