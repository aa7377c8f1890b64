//! The vectors are those of `training/model.py`, whatever the kernel.
//!
//! `training/test_export.py` writes the model and what is expected of it.

use scent_embed::{Kernel, Model, Role, TextVectors};
use scent_words::model_words;
use serde_json::Value;
use std::path::Path;

/// Model files, each with what the weights before rounding give.
const MODELS: [(&str, &str); 3] = [
    ("tests/tiny.safetensors", "tests/golden.json"),
    ("../../models/small.safetensors", "tests/golden-small.json"),
    ("../../models/deep.safetensors", "tests/golden-deep.json"),
];

/// How near bytes as weights must come.
const NEAR: f32 = 0.99;

#[test]
fn vectors_are_those_of_training() {
    for (model, golden) in MODELS {
        let golden: Value = serde_json::from_slice(&read(golden)).expect("a golden file");
        let bytes: &'static [u8] = read(model).leak();
        for kernel in Kernel::available() {
            let model = Model::with_kernel(bytes, kernel).expect("a model");
            for text in list(&golden["texts"]) {
                check_text(&model, text);
            }
            for unit in list(&golden["units"]) {
                check_unit(&model, &golden, unit);
            }
        }
    }
}

fn read(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn check_text(model: &Model, text: &Value) {
    let (role, raw) = (role(text), text["text"].as_str().expect("a text"));
    let ids: Vec<u64> = list(&text["ids"])
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    let ours: Vec<u64> = model
        .ids(&model_words::of(raw), role)
        .into_iter()
        .map(u64::from)
        .collect();
    assert_eq!(ours, ids, "{raw}");
    let part = part(model, text);
    if ids.is_empty() {
        assert!(
            part.tokens.is_empty() && part.vector.iter().all(|n| *n == 0.0),
            "{raw}"
        );
        return;
    }
    near(&part.vector, &floats(&text["vector"]), raw);
    // A query was normalised, and the others weigh as much as they do there.
    let size = length(&part.vector) / length(&floats(&text["vector"]));
    assert!(
        role == Role::Query || (size - 1.0).abs() < 0.03,
        "{size}: {raw}"
    );
    assert_eq!(
        part.tokens.len(),
        ids.len() * model.config().tokens,
        "{raw}"
    );
    near_tokens(&part.tokens, &floats(&text["tokens"]), raw);
    if role == Role::Query {
        check_query(model, text, raw);
    }
}

fn check_query(model: &Model, text: &Value, raw: &str) {
    let query = model.encode_query(raw);
    near(&query.vector, &floats(&text["vector"]), raw);
    near_tokens(&query.tokens, &floats(&text["tokens"]), raw);
    near(&query.weights, &floats(&text["weights"]), raw);
    // Words that weigh next to nothing may be further off in proportion: it changes nothing.
    let fair = 1.0 / query.weights.len() as f32;
    let mut weights = query.weights.iter().zip(floats(&text["weights"]));
    assert!(
        weights.all(|(a, b)| (a - b).abs() < 0.1 * b.max(fair)),
        "{raw}"
    );
    assert!((length(&query.vector) - 1.0).abs() < 1e-4, "{raw}");
    assert!(
        (query.weights.iter().sum::<f32>() - 1.0).abs() < 1e-4,
        "{raw}"
    );
}

fn check_unit(model: &Model, golden: &Value, unit: &Value) {
    let text = |name: &str| {
        let of_side = list(&golden["texts"])
            .iter()
            .filter(|text| text["side"] == name);
        let at = unit[name].as_u64().expect("a number") as usize;
        part(model, of_side.clone().nth(at).expect("a text"))
    };
    let vector = Model::unit_vector(&text("body"), &text("path"));
    near(&vector, &floats(&unit["vector"]), &unit.to_string());
    assert!((length(&vector) - 1.0).abs() < 1e-4);
}

fn part(model: &Model, text: &Value) -> TextVectors {
    let words = model_words::of(text["text"].as_str().expect("a text"));
    model.encode(&[&words], role(text)).pop().expect("a part")
}

fn role(text: &Value) -> Role {
    match text["side"].as_str() {
        Some("query") => Role::Query,
        Some("body") => Role::Body,
        _ => Role::Path,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn floats(value: &Value) -> Vec<f32> {
    list(value)
        .iter()
        .map(|number| number.as_f64().expect("a number") as f32)
        .collect()
}

/// Vectors of tokens are near on average: a few tokens turn on a hair.
fn near_tokens(ours: &[f32], theirs: &[f32], about: &str) {
    near(&ours[..theirs.len()], theirs, about);
}

fn near(ours: &[f32], theirs: &[f32], about: &str) {
    assert_eq!(ours.len(), theirs.len(), "{about}");
    let dot: f32 = ours.iter().zip(theirs).map(|(a, b)| a * b).sum();
    let cosine = dot / (length(ours) * length(theirs));
    assert!(cosine >= NEAR, "{cosine}: {about}");
}

fn length(vector: &[f32]) -> f32 {
    vector
        .iter()
        .map(|number| number * number)
        .sum::<f32>()
        .sqrt()
}
