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
    document.add::<wire::Context>();
    document.add::<wire::Status>();
    document.add::<wire::Indexes>();
    document.add::<wire::Unit>();
    document.add::<wire::Languages>();
    document.add::<wire::Config>();
    document.add::<wire::AgentChanges>();
    document.add::<wire::Agents>();
    document.add::<wire::Doctor>();
    document.add::<wire::Stage>();
    document.add::<wire::Failure>();
    document.written()
}

/// The JSON Schema of an answer that is one of some, by their names in the
/// document of [`json_schema`], with nothing in it that they do not use.
pub fn answer_schema(names: &[String]) -> Value {
    let document: Value = serde_json::from_str(&json_schema()).expect("it was just written");
    let all = &document["$defs"];
    let mut open: Vec<String> = names.to_vec();
    let mut used = Map::new();
    while let Some(name) = open.pop() {
        let schema = &all[&name];
        if !used.contains_key(&name) {
            references(schema, &mut open);
            used.insert(name, schema.clone());
        }
    }
    let of = |name: &String| json!({"$ref": format!("#/$defs/{name}")});
    let any: Vec<Value> = names.iter().map(of).collect();
    json!({"type": "object", "anyOf": any, "$defs": used})
}

/// The names of the schemas that one refers to.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                match value
                    .as_str()
                    .and_then(|text| text.strip_prefix("#/$defs/"))
                {
                    Some(name) if key == "$ref" => found.push(name.to_owned()),
                    _ => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
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
