//! What `--json` writes for every command: the same as in the snapshots, and
//! what `docs/schema.json` says.

use crate::world::*;
use serde_json::{Value, json};

/// Each command with the schema of its answer.
const COMMANDS: [(&str, &[&str], &str); 16] = [
    ("search", &["search", "retry delay", "-k", "2"], "Search"),
    (
        "pattern",
        &["search", "-e", "base|max", "-k", "2"],
        "Search",
    ),
    (
        "explain",
        &["search", "retry", "-k", "1", "--explain", "--timing"],
        "Search",
    ),
    (
        "budget",
        &["search", "retry", "--max-tokens", "200"],
        "Search",
    ),
    (
        "similar",
        &["similar", "src/retry.rs:4", "-k", "1"],
        "Search",
    ),
    ("def", &["def", "retry_delay"], "Definitions"),
    ("refs", &["refs", "retry_delay"], "References"),
    ("deps", &["deps", "src"], "Dependencies"),
    ("impact", &["impact", "retry_delay"], "Impact"),
    ("callpath", &["callpath", "next", "retry_delay"], "CallPath"),
    (
        "unused",
        &["unused", "--min-confidence", "0.1", "-k", "2"],
        "Unused",
    ),
    ("outline", &["outline", "src/client.py"], "Outline"),
    ("map", &["map", "--max-tokens", "600"], "ProjectMap"),
    ("status", &["status"], "Status"),
    ("indexes", &["indexes"], "Indexes"),
    ("units", &["units", "src/client.py"], "Unit"),
];

#[test]
fn every_command_keeps_its_contract() {
    let world = World::sample();
    world.write(
        "src/main.py",
        "from client import Client\n\nClient().send(1)\n",
    );
    let schema = schema();
    for (name, words, of) in COMMANDS {
        let answers = answers(&world, words);
        for answer in &answers {
            check(&schema, of, answer);
        }
        insta::assert_snapshot!(name, written(&world, answers));
    }
}

#[test]
fn counts_errors_and_several_questions_keep_their_contract() {
    let world = World::sample();
    let schema = schema();
    let counts = answers(&world, &["search", "retry", "--count"]);
    check(&schema, "Search", &counts[0]);
    insta::assert_snapshot!("count", written(&world, counts));
    let error = world.json(&["retry lang:rst"]);
    check(&schema, "Failure", &error);
    insta::assert_snapshot!("error", written(&world, vec![error]));
    let args = ["--batch", "-", "--json", "-k", "1", "--keyword-only"];
    let run = ended(world.command().args(args).write_stdin("retry\nlang:rst\n"));
    let batch: Value = serde_json::from_str(&run.out).unwrap();
    check(&schema, "Search", &batch[0]);
    check(&schema, "Failure", &batch[1]);
    insta::assert_snapshot!("batch", written(&world, vec![batch]));
}

#[test]
fn cycles_keep_their_contract() {
    let world = World::sample();
    world.write("web/ring.ts", "import { b } from \"./back\";\nb();\n");
    world.write(
        "web/back.ts",
        "import \"./ring\";\nexport function b() {}\n",
    );
    let found = answers(&world, &["cycles"]);
    check(&schema(), "Cycles", &found[0]);
    insta::assert_snapshot!("cycles", written(&world, found));
}

/// Lists that are long and change often: only the first entry is looked at.
#[test]
fn lists_keep_their_contract() {
    let world = World::sample();
    let schema = schema();
    for (words, of, list) in [
        (&["languages"][..], "Languages", "languages"),
        (&["config", "show"], "Config", "settings"),
    ] {
        let mut answers = answers(&world, words);
        check(&schema, of, &answers[0]);
        answers[0][list].as_array_mut().unwrap().truncate(1);
        insta::assert_snapshot!(list, written(&world, answers));
    }
}

fn answers(world: &World, words: &[&str]) -> Vec<Value> {
    let out = world.found(&[words, &["--json"]].concat());
    let values = serde_json::Deserializer::from_str(&out).into_iter();
    values.map(Result::unwrap).collect()
}

/// Answers as they are kept: without what differs between machines and runs.
fn written(world: &World, mut answers: Vec<Value>) -> String {
    let mut out = String::new();
    for answer in &mut answers {
        blank(answer);
        out += &serde_json::to_string_pretty(answer).unwrap();
        out += "\n";
    }
    for (folder, name) in [(&world.root, "ROOT"), (&world.data, "DATA")] {
        let folder = folder.to_str().unwrap().replace('\\', "/");
        out = out.replace(&folder, name);
    }
    out
}

/// Numbers that depend on the machine, the model or the moment.
const VARYING: [&str; 15] = [
    "score",
    "lanes",
    "parts",
    "certainty",
    "importance",
    "steps",
    "timing",
    "written",
    "generation",
    "index",
    "index_bytes",
    "bytes",
    "total_bytes",
    "last_used",
    "model",
];

fn blank(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(blank),
        Value::Object(fields) => {
            for (name, value) in fields {
                match VARYING.contains(&name.as_str()) {
                    true => *value = json!("…"),
                    false => blank(value),
                }
            }
        }
        _ => {}
    }
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../docs/schema.json")).unwrap()
}

/// Whether a value has the fields that its schema has: all that are required,
/// and none besides, each of the right type.
fn check(schema: &Value, name: &str, value: &Value) {
    let object = value
        .as_object()
        .unwrap_or_else(|| panic!("{name}: {value}"));
    let definition = &schema["$defs"][name];
    let properties = definition["properties"].as_object();
    let properties = properties.unwrap_or_else(|| panic!("{name} is not in the schema"));
    for field in definition["required"].as_array().unwrap() {
        let field = field.as_str().unwrap();
        assert!(object.contains_key(field), "{name} lacks {field}: {value}");
    }
    for (field, value) in object {
        let property = properties.get(field);
        let property = property.unwrap_or_else(|| panic!("{name}.{field} is not in the schema"));
        check_property(schema, property, value, &format!("{name}.{field}"));
    }
}

fn check_property(schema: &Value, property: &Value, value: &Value, at: &str) {
    if let Some(reference) = reference(property) {
        return check(schema, reference, value);
    }
    let is_right = match property["type"].as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        other => panic!("{at}: unexpected type {other:?} in the schema: {property}"),
    };
    assert!(is_right, "{at}: {value} is no {}", property["type"]);
    for item in value.as_array().into_iter().flatten() {
        check_property(schema, &property["items"], item, at);
    }
    for item in value.as_object().into_iter().flat_map(|map| map.values()) {
        check_property(schema, &property["additionalProperties"], item, at);
    }
}

/// The definition that a property refers to, with or without words about it.
fn reference(property: &Value) -> Option<&str> {
    let direct = property["$ref"].as_str();
    let among = property["allOf"][0]["$ref"].as_str();
    let one = property["oneOf"][0]["$ref"].as_str();
    let found = direct.or(among).or(one)?;
    found.strip_prefix("#/$defs/")
}
