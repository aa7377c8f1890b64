//! `scent status`: what is in an index, and whether it is up to date.

use super::Session;
use crate::Outcome;
use crate::args::{GlobalArgs, StatusArgs};
use crate::output::{count, print, size};
use scent_engine::{Freshness, Status, VectorCounts, display_path};
use scent_print::Text;
use scent_types::Health;
use serde_json::json;
use std::collections::BTreeMap;

pub(crate) fn run(args: StatusArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let paths: Vec<_> = args.path.iter().cloned().collect();
    let session = Session::new(&paths, flags)?;
    let status = session.project().status()?;
    let text = match (args.json, args.skipped, args.unhealthy) {
        (true, ..) => as_json(&status),
        (_, true, _) => status
            .skipped
            .iter()
            .map(|(path, why)| Text::line(&format!("{path}: {why}")))
            .collect(),
        (_, _, true) => status
            .unhealthy
            .iter()
            .map(|(path, health)| Text::line(&format!("{path}: {}", describe(*health))))
            .collect(),
        _ => as_text(&status),
    };
    print(text)?;
    Ok(Outcome::Found)
}

fn as_text(status: &Status) -> Text {
    let freshness = match status.freshness {
        Freshness::Fresh => "up to date".to_owned(),
        Freshness::Stale { changed, removed } => {
            format!(
                "{} changed, {removed} removed since; the next search updates it",
                count(changed, "file")
            )
        }
        Freshness::Outdated => {
            "made with other settings or another version; the next search rebuilds it".to_owned()
        }
    };
    let [ok, partial, error, none] = status.health;
    let mut out = Text::default();
    let mut row = |name: &str, value: String| out += Text::line(&format!("{name:<12}{value}"));
    row("root", status.root.display().to_string());
    row("index", status.folder.display().to_string());
    row(
        "freshness",
        format!("{freshness} (generation {})", status.generation),
    );
    row(
        "files",
        format!(
            "{} ({} lines, {})",
            status.files,
            status.lines,
            size(status.source_bytes)
        ),
    );
    row("units", status.units.to_string());
    for (nth, set) in status.vectors.iter().enumerate() {
        row(if nth == 0 { "meaning" } else { "" }, meaning(set));
    }
    row("index size", size(status.index_bytes));
    row(
        "parsed",
        format!("{ok} ok, {partial} partly, {error} not, {none} without a grammar"),
    );
    row("languages", list(&status.languages));
    row("kinds", list(&status.kinds));
    row("skipped", skipped(status));
    out
}

fn meaning(set: &VectorCounts) -> String {
    let VectorCounts {
        model,
        units,
        waiting,
        reading,
    } = set;
    match (waiting, reading) {
        (0, _) => format!("of all units (model {model})"),
        (_, true) => format!("of {units} units, {waiting} being read (model {model})"),
        (_, false) => format!(
            "of {units} units (model {model}); a search or `scent index` sees to {waiting} more"
        ),
    }
}

fn list(counts: &[(String, usize)]) -> String {
    counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn skipped(status: &Status) -> String {
    if status.skipped.is_empty() {
        return "nothing".into();
    }
    let reasons: Vec<(String, usize)> = by_reason(status).into_iter().collect();
    format!(
        "{} (--skipped lists them): {}",
        status.skipped.len(),
        list(&reasons)
    )
}

fn by_reason(status: &Status) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for (_, why) in &status.skipped {
        let short = why.split(':').next().unwrap_or(why);
        *reasons.entry(short.to_owned()).or_default() += 1;
    }
    reasons
}

fn describe(health: Health) -> String {
    match health {
        Health::Ok => "ok".into(),
        Health::Partial(share) => format!("partly parsed, {:.1}% in errors", share * 100.0),
        Health::Error => "not parsed".into(),
        Health::NoGrammar => "no grammar".into(),
        Health::Crashed => "the parser crashed; indexed by paragraphs".into(),
    }
}

fn as_json(status: &Status) -> Text {
    let counts = |list: &[(String, usize)]| list.iter().cloned().collect::<BTreeMap<_, _>>();
    let freshness = match status.freshness {
        Freshness::Fresh => json!({"fresh": true}),
        Freshness::Stale { changed, removed } => {
            json!({"fresh": false, "changed": changed, "removed": removed})
        }
        Freshness::Outdated => json!({"fresh": false, "outdated": true}),
    };
    let [ok, partial, error, no_grammar] = status.health;
    let skipped: Vec<_> = status
        .skipped
        .iter()
        .map(|(path, why)| json!({"path": path, "reason": why}))
        .collect();
    let unhealthy: Vec<_> = status
        .unhealthy
        .iter()
        .map(|(path, health)| json!({"path": path, "health": describe(*health)}))
        .collect();
    let vectors: Vec<_> = status
        .vectors
        .iter()
        .map(|set| json!({"model": set.model, "units": set.units, "waiting": set.waiting, "reading": set.reading}))
        .collect();
    let value = json!({
        "root": display_path(&status.root),
        "index": display_path(&status.folder),
        "generation": status.generation,
        "written": status.written,
        "freshness": freshness,
        "files": status.files,
        "lines": status.lines,
        "units": status.units,
        "vectors": vectors,
        "source_bytes": status.source_bytes,
        "index_bytes": status.index_bytes,
        "health": {"ok": ok, "partial": partial, "error": error, "no_grammar": no_grammar},
        "languages": counts(&status.languages),
        "kinds": counts(&status.kinds),
        "unhealthy": unhealthy,
        "skipped": skipped,
    });
    Text::json_pretty(&value)
}
