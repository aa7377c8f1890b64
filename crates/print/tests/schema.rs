//! `docs/schema.json` is what the wire structs say.

use std::fs;
use std::path::Path;

/// `UPDATE=1 cargo test -p scent-print --test schema` writes the file.
#[test]
fn the_schema_in_the_docs_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema.json");
    let schema = scent_print::json_schema();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &schema).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed.replace("\r\n", "\n") == schema,
        "docs/schema.json is out of date: UPDATE=1 cargo test -p scent-print --test schema"
    );
}
