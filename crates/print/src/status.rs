//! What is in an index.

use crate::note::share;
use crate::paths::Paths;
use crate::quantity::{count, size};
use crate::text::{Layout, Text};
use crate::wire::{self, SCHEMA_VERSION};
use scent_types::{Backlog, EmbeddingCounts, Freshness, Health, HealthCounts, Status};
use std::collections::BTreeMap;

/// A status as a table for people.
pub fn status_text(status: &Status) -> Text {
    let mut out = row("root", &status.root) + row("index", &status.folder);
    let (freshness, generation) = (freshness(status.freshness), status.generation);
    out += row(
        "freshness",
        &format!("{freshness} (generation {generation})"),
    );
    if let Some(backlog) = &status.backlog {
        out += row("progress", &progress(backlog));
    }
    out += row("files", &files(status));
    out += row("units", &status.units.to_string());
    for (nth, counts) in status.embeddings.iter().enumerate() {
        let name = if nth == 0 { "embeddings" } else { "" };
        out += row(name, &embeddings(counts));
    }
    out += row("index size", &size(status.index_bytes));
    out += row("parsed", &parsed(status.health));
    out += row("languages", &list(&status.languages));
    out += row("kinds", &list(&status.kinds));
    out + row("skipped", &skipped(status))
}

/// A status as JSON, with a line end.
pub fn status_json(status: &Status, layout: Layout) -> Text {
    let answer = wire::Status {
        schema: SCHEMA_VERSION,
        root: status.root.clone(),
        index: status.folder.clone(),
        generation: status.generation,
        written: status.written,
        freshness: status.freshness.into(),
        backlog: status.backlog.as_ref().map(Into::into),
        files: status.files,
        lines: status.lines,
        units: status.units,
        embeddings: status.embeddings.iter().map(Into::into).collect(),
        source_bytes: status.source_bytes,
        index_bytes: status.index_bytes,
        health: status.health.into(),
        languages: status.languages.iter().cloned().collect(),
        kinds: status.kinds.iter().cloned().collect(),
        unhealthy: unhealthy_files(status),
        skipped: skipped_files(status),
    };
    Text::json_in(layout, &answer)
}

/// The files that are not indexed, one a line.
pub fn skipped_text(status: &Status, paths: &Paths) -> Text {
    let mut out = Text::default();
    for (path, reason) in &status.skipped {
        out += file_row(paths, path, reason);
    }
    out
}

/// The files that were not parsed cleanly, one a line.
pub fn unhealthy_text(status: &Status, paths: &Paths) -> Text {
    let mut out = Text::default();
    for (path, health) in &status.unhealthy {
        out += file_row(paths, path, &in_words(*health));
    }
    out
}

fn file_row(paths: &Paths, path: &str, about: &str) -> Text {
    let file = Text::span(&paths.shown(path));
    paths.linked(path, file) + Text::line(&format!(": {about}"))
}

fn row(name: &str, value: &str) -> Text {
    Text::line(&format!("{name:<12}{value}"))
}

fn freshness(freshness: Freshness) -> String {
    match freshness {
        Freshness::Fresh => "up to date".to_owned(),
        Freshness::Stale { changed, removed } => {
            let changed = count(changed, "file");
            format!("{changed} changed, {removed} removed since; the next search updates it")
        }
        Freshness::Outdated => {
            "made with other settings or another version; the next search rebuilds it".to_owned()
        }
    }
}

fn progress(backlog: &Backlog) -> String {
    let done = |all: u64, left: u64| [all.saturating_sub(left), all];
    let share = share(
        done(backlog.all_files, backlog.files),
        done(backlog.all_bytes, backlog.bytes),
    );
    let rest = if backlog.running {
        "the rest is being indexed"
    } else {
        "the next search goes on"
    };
    format!("{share}; {rest}")
}

fn files(status: &Status) -> String {
    let size = size(status.source_bytes);
    format!("{} ({} lines, {size})", status.files, status.lines)
}

fn embeddings(counts: &EmbeddingCounts) -> String {
    let EmbeddingCounts {
        model,
        units,
        waiting,
        running,
    } = counts;
    match (waiting, running) {
        (0, _) => format!("all units (model {model})"),
        (_, true) => format!("{units} units, {waiting} in progress (model {model})"),
        (_, false) => format!(
            "{units} units (model {model}); a search or `scent index` embeds {waiting} more"
        ),
    }
}

fn parsed(health: HealthCounts) -> String {
    let HealthCounts {
        ok,
        partial,
        error,
        no_grammar,
    } = health;
    format!("{ok} ok, {partial} partly, {error} not, {no_grammar} without a grammar")
}

fn list(counts: &[(String, usize)]) -> String {
    let mut entries = Vec::new();
    for (name, count) in counts {
        entries.push(format!("{name} {count}"));
    }
    entries.join(", ")
}

fn skipped(status: &Status) -> String {
    if status.skipped.is_empty() {
        return "nothing".into();
    }
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, reason) in &status.skipped {
        let short = reason.split(':').next().unwrap_or(reason);
        *by_reason.entry(short).or_default() += 1;
    }
    let mut reasons = Vec::new();
    for (reason, count) in by_reason {
        reasons.push((reason.to_owned(), count));
    }
    let total = status.skipped.len();
    format!("{total} (--skipped lists them): {}", list(&reasons))
}

fn in_words(health: Health) -> String {
    match health {
        Health::Ok => "ok".into(),
        Health::Partial(share) => format!("partly parsed, {:.1}% in errors", share * 100.0),
        Health::Error => "not parsed".into(),
        Health::NoGrammar => "no grammar".into(),
        Health::Crashed => "the parser crashed; indexed by paragraphs".into(),
    }
}

fn unhealthy_files(status: &Status) -> Vec<wire::UnhealthyFile> {
    let mut files = Vec::new();
    for (path, health) in &status.unhealthy {
        files.push(wire::UnhealthyFile {
            path: path.clone(),
            health: in_words(*health),
        });
    }
    files
}

fn skipped_files(status: &Status) -> Vec<wire::SkippedFile> {
    let mut files = Vec::new();
    for (path, reason) in &status.skipped {
        files.push(wire::SkippedFile {
            path: path.clone(),
            reason: reason.clone(),
        });
    }
    files
}
