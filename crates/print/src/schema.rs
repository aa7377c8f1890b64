//! The JSON Schema of everything that `--json` writes.

use crate::wire;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// The JSON Schema of the answers of all commands.
pub fn json_schema() -> String {
    let mut document = Document::default();
    document.add::<wire::Search>();
    document.add::<wire::Definitions>();
    document.add::<wire::References>();
    document.add::<wire::Dependencies>();
    document.add::<wire::Impact>();
    document.add::<wire::CallPath>();
    document.add::<wire::Unused>();
    document.add::<wire::Cycles>();
    document.add::<wire::Outline>();
    document.add::<wire::ProjectMap>();
    document.add::<wire::Status>();
    document.add::<wire::Indexes>();
    document.add::<wire::Unit>();
    document.add::<wire::Languages>();
    document.add::<wire::Config>();
    document.add::<wire::AgentChanges>();
    document.add::<wire::Agents>();
    document.add::<wire::Stage>();
    document.add::<wire::Failure>();
    document.written()
}

#[derive(Default)]
struct Document {
    answers: Vec<Value>,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl Document {
    /// Adds the answer of a command, and everything in it.
    fn add<T: ToSchema>(&mut self) {
        let name = T::name().into_owned();
        self.answers
            .push(json!({"$ref": format!("#/$defs/{name}")}));
        self.schemas.push((name, T::schema()));
        T::schemas(&mut self.schemas);
    }

    fn written(self) -> String {
        let mut definitions = Map::new();
        for (name, schema) in self.schemas {
            let schema = serde_json::to_value(schema).expect("a schema is plain JSON");
            definitions.insert(name, schema);
        }
        let document = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": format!("scent --json, schema {}", wire::SCHEMA_VERSION),
            "oneOf": self.answers,
            "$defs": definitions,
        });
        let text = serde_json::to_string_pretty(&document).expect("a schema is plain JSON");
        // utoipa refers to schemas where OpenAPI keeps them, and keeps the line
        // ends of comments.
        text.replace("#/components/schemas/", "#/$defs/")
            .replace("\\n", " ")
            + "\n"
    }
}
