//! Answers about structure: definitions, references and dependencies.

use crate::{SCHEMA_VERSION, shortened};
use scent_types::{Defined, Definitions, Dependencies, Dependency, References, Used};
use serde::Serialize;
use std::fmt::Write as _;

/// Any answer about structure as JSON, on one line.
pub fn lookup_json<T: Serialize>(answer: &T) -> String {
    #[derive(Serialize)]
    struct Versioned<'a, T> {
        schema: u32,
        #[serde(flatten)]
        answer: &'a T,
    }
    let versioned = Versioned { schema: SCHEMA_VERSION, answer };
    serde_json::to_string(&versioned).expect("plain values can be written") + "\n"
}

/// Where a name is defined, one line each.
pub fn definitions(found: &Definitions) -> String {
    found.definitions.iter().map(defined).collect()
}

fn defined(found: &Defined) -> String {
    let Defined { path, line, kind, qualified, text, .. } = found;
    format!("{path}:{line}  {kind} {qualified}\n    {}\n", shortened(text).0)
}

/// Who uses a name, file by file.
pub fn references(found: &References) -> String {
    let mut out = String::new();
    for Defined { path, line, kind, qualified, .. } in &found.definitions {
        let _ = writeln!(out, "{path}:{line}  {kind} {qualified} (defined here)");
    }
    for uses in found.uses.chunk_by(|a, b| a.path == b.path) {
        let test = if uses[0].test { "  (test)" } else { "" };
        let _ = writeln!(out, "{}{test}", uses[0].path);
        uses.iter().for_each(|used| out += &use_line(used));
    }
    out
}

fn use_line(used: &Used) -> String {
    let role = used.role.map_or("mention", |role| role.as_str());
    let within = if used.within.is_empty() { "" } else { "  in " };
    let doubt = match (used.role, used.candidates) {
        (None, _) | (_, 0) => String::new(),
        (_, 1) => format!("  [{}]", used.reason),
        (_, many) => format!("  [{}: {many}]", used.reason),
    };
    format!(
        "{:>7}  {role:<8} {}{within}{}{doubt}\n",
        used.line,
        shortened(&used.text).0,
        used.within
    )
}

/// What files depend on or what depends on them, one line each.
pub fn dependencies(found: &Dependencies, reverse: bool) -> String {
    found.dependencies.iter().map(|dependency| depends(dependency, reverse)).collect()
}

fn depends(dependency: &Dependency, reverse: bool) -> String {
    let Dependency { from, line, module, to, depth } = dependency;
    let indent = "  ".repeat(*depth as usize - 1);
    match (reverse, to.is_empty()) {
        (true, _) => format!("{indent}{from}:{line}  {module}\n"),
        (false, true) => format!("{indent}{from}:{line}  {module}  (from outside)\n"),
        (false, false) => format!("{indent}{from}:{line}  {module} -> {}\n", to.join(", ")),
    }
}
