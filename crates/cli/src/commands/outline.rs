//! `scent outline`: what files define, without their bodies.

use crate::Outcome;
use crate::args::OutlineArgs;
use crate::output::print;
use anyhow::Context;
use scent_engine::{FileUnits, file_units};
use scent_types::Unit;
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(args: OutlineArgs) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Nothing;
    for path in &args.paths {
        let file = file_units(path).with_context(|| path.display().to_string())?;
        let units: Vec<&Unit> = defining(&file).collect();
        if !units.is_empty() {
            outcome = Outcome::Found;
        }
        match args.json {
            true => print(&format!("{}\n", as_value(path, &file, &units)))?,
            false => print(&shown(path, &units))?,
        }
    }
    Ok(outcome)
}

/// The units that define something.
fn defining(file: &FileUnits) -> impl Iterator<Item = &Unit> {
    let units = file.units.iter().map(|read| &read.unit);
    units.filter(|unit| !unit.name.is_empty() && unit.passage == 0)
}

fn shown(path: &Path, units: &[&Unit]) -> String {
    let mut out = format!("{}\n", path.display());
    for unit in units {
        let depth = unit.qualified.matches(['.', ':', '#']).count().min(4);
        let signature = if unit.signature.is_empty() { &unit.name } else { &unit.signature };
        let doc = unit.doc.lines().next().map_or(String::new(), |doc| format!("  — {doc}"));
        let indent = "  ".repeat(depth);
        let lines = unit.lines.start.to_string() + "-" + &unit.extent_end.to_string();
        out += &format!("{lines:>11}  {indent}{signature}{doc}\n");
    }
    out
}

fn as_value(path: &Path, file: &FileUnits, units: &[&Unit]) -> Value {
    let unit = |unit: &&Unit| {
        json!({
            "kind": unit.kind.as_str(),
            "name": unit.name,
            "qualified": unit.qualified,
            "signature": unit.signature,
            "doc": unit.doc.lines().next().unwrap_or_default(),
            "start_line": unit.lines.start,
            "end_line": unit.extent_end,
        })
    };
    json!({
        "path": path.to_string_lossy(),
        "language": file.language,
        "symbols": units.iter().map(unit).collect::<Vec<Value>>(),
    })
}
