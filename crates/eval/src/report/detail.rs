//! Every system and every group of a suite.

use super::columns::{by_category, columns, main_columns, of_symbols};
use super::published::agreement_table;
use super::table::{NOTHING, cell, difference, groups, overall, table};
use crate::compare::Difference;
use crate::metrics::{BUDGETS, recall_at_tokens};
use crate::summary::{ALL, CATEGORY, CORPUS, LANGUAGE, Speed, SuiteSummary, SystemSummary};
use crate::system::PeerList;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Every system and every group of a suite.
pub(super) fn detail_section(text: &mut String, suite: &SuiteSummary, peers: &PeerList) {
    let _ = writeln!(text, "\n## {} ({}) in detail\n", suite.name, suite.split);
    overall(text, suite, &columns(suite), |_| true);
    partial_tables(text, suite);
    for (metric, title) in by_category(suite) {
        let _ = writeln!(text, "\n### {title} by category\n");
        group_table(text, suite, CATEGORY, metric);
    }
    if groups(suite, LANGUAGE).len() > 1 {
        for (metric, title) in main_columns(suite) {
            let _ = writeln!(text, "\n### {title} by language\n");
            group_table(text, suite, LANGUAGE, metric);
        }
    }
    if !of_symbols(suite) {
        recall_table(text, suite);
    }
    speed_table(text, suite);
    repositories_tables(text, suite);
    agreement_table(text, suite, &peers.agreement);
    failures(text, suite);
}

fn failures(text: &mut String, suite: &SuiteSummary) {
    if suite.failures.is_empty() {
        return;
    }
    text.push_str("\n### What failed\n\n");
    for failure in &suite.failures {
        let _ = writeln!(text, "- {failure}");
    }
}

/// Who failed at many questions is held against the first system alone.
fn partial_tables(text: &mut String, suite: &SuiteSummary) {
    if suite.partial.is_empty() {
        return;
    }
    let first = suite.systems.first();
    let first = first.map_or("nobody", |system| system.name.as_str());
    let _ = writeln!(
        text,
        "\nThese failed at some questions, and are held against {first} on what both answered:\n"
    );
    let mut header = vec!["system".to_owned(), "on".to_owned(), "questions".to_owned()];
    for (_, title) in main_columns(suite) {
        header.push((*title).to_owned());
        header.push(format!("{title} of {first}"));
    }
    let mut rows = Vec::new();
    for one in &suite.partial {
        for (group, gains) in &one.groups {
            rows.push(partial_row(suite, &one.name, group, gains));
        }
    }
    table(text, &header, rows);
    for one in &suite.partial {
        let Speed { p50_ms, p95_ms, .. } = one.speed;
        let _ = writeln!(
            text,
            "\n{}: answered {}, failed at {}; query p50 {p50_ms:.0} ms, p95 {p95_ms:.0} ms.",
            one.name, one.answered, one.failed
        );
    }
}

fn partial_row(
    suite: &SuiteSummary,
    name: &str,
    group: &str,
    gains: &BTreeMap<String, Difference>,
) -> Vec<String> {
    let questions = gains.values().map(|gain| gain.questions).max();
    let questions = questions.unwrap_or(0).to_string();
    let mut cells = vec![name.to_owned(), group.to_owned(), questions];
    for (metric, _) in main_columns(suite) {
        if let Some(gain) = gains.get(*metric) {
            cells.push(format!("{:.3} ({})", gain.b, difference(gain)));
            cells.push(format!("{:.3}", gain.a));
        } else {
            cells.extend([NOTHING.to_owned(), NOTHING.to_owned()]);
        }
    }
    cells
}

/// Groups go downwards, systems across: there are more groups.
fn group_table(text: &mut String, suite: &SuiteSummary, sort: &str, metric: &str) {
    let mut header = vec![String::new()];
    header.extend(suite.systems.iter().map(|system| system.name.clone()));
    let mut rows = Vec::new();
    for name in groups(suite, sort) {
        let full = format!("{sort}{name}");
        let mut cells = Vec::new();
        let mut questions = 0;
        for system in &suite.systems {
            let group = system.groups.get(&full);
            questions = questions.max(group.map_or(0, |group| group.questions));
            cells.push(cell(group, metric));
        }
        cells.insert(0, format!("{name} ({questions})"));
        rows.push(cells);
    }
    table(text, &header, rows);
}

fn recall_table(text: &mut String, suite: &SuiteSummary) {
    text.push_str("\n### Recall within a budget of tokens\n\n");
    let mut header = vec!["system".to_owned()];
    header.extend(BUDGETS.iter().map(u32::to_string));
    let mut rows = Vec::new();
    for system in &suite.systems {
        let group = system.groups.get(ALL);
        let mut row = vec![system.name.clone()];
        for budget in BUDGETS {
            row.push(cell(group, &recall_at_tokens(budget)));
        }
        rows.push(row);
    }
    table(text, &header, rows);
}

fn speed_table(text: &mut String, suite: &SuiteSummary) {
    text.push_str("\n### What it took\n\n");
    let header = [
        "system",
        "version",
        "index",
        "MB/s",
        "index size / source",
        "peak memory",
        "query p50",
        "query p95",
        "index and first answer",
    ];
    let rows = suite.systems.iter().map(speed_row).collect();
    table(text, &header.map(str::to_owned), rows);
}

fn speed_row(system: &SystemSummary) -> Vec<String> {
    let speed = &system.speed;
    let given = speed.given_bytes.max(1) as f64;
    let mut row = vec![system.name.clone(), system.version.clone()];
    if speed.index_ms > 0.0 {
        row.push(format!("{:.2} s", speed.index_ms / 1e3));
        row.push(format!("{:.1}", given / 1e3 / speed.index_ms));
    } else {
        row.extend([NOTHING.to_owned(), NOTHING.to_owned()]);
    }
    row.push(match speed.index_bytes {
        0 => NOTHING.to_owned(),
        bytes => format!("{:.2}", bytes as f64 / given),
    });
    row.push(match speed.peak_bytes {
        None => NOTHING.to_owned(),
        Some(peak) => format!("{:.0} MB", peak as f64 / 1e6),
    });
    row.push(format!("{:.2} ms", speed.p50_ms));
    row.push(format!("{:.2} ms", speed.p95_ms));
    row.push(format!("{:.0} ms", speed.first_ms));
    row
}

fn repositories_tables(text: &mut String, suite: &SuiteSummary) {
    if suite.corpora <= 1 {
        return;
    }
    for (metric, title) in main_columns(suite) {
        let _ = writeln!(
            text,
            "\n<details><summary>{title} by repository</summary>\n"
        );
        group_table(text, suite, CORPUS, metric);
        text.push_str("\n</details>\n");
    }
}
