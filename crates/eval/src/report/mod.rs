//! A summary as Markdown and plots.

mod columns;
mod detail;
mod overview;
mod plots;
mod published;
mod questions;
mod table;

pub use plots::{Plot, plots};
pub use questions::per_question;
pub use table::difference;

use crate::store::{Manifest, Named};
use crate::summary::{SuiteSummary, Summary};
use crate::system::PeerList;
use columns::{RIGHT_LINES, columns, of_symbols};
use detail::detail_section;
use overview::overview;
use plots::{PLOTS, file_stem};
use published::published_table;
use std::collections::BTreeSet;
use std::fmt::Write;
use table::overall;

/// How to read the tables, below the first one.
const HOW_TO_READ: &str = "\
Means are over repositories of the mean over their questions. A difference in brackets is against \
the first row, with its 95% interval (paired bootstrap, 10,000 resamples). A table holds the \
questions that all its systems answered. `–` stands where a system cannot be judged: it does not do \
that, or names whole files where lines are expected.\n";

/// The whole report: what a reader wants first, wide tables and settings last.
pub fn markdown(summary: &Summary, manifest: &Manifest, peers: &PeerList) -> String {
    let mut text = String::from("# Results\n\n");
    let _ = writeln!(
        text,
        "Written by `scent-eval`; docs/evaluation.md says how each number is made and what is \
         unfair in each comparison. {}, {}, {}.\n",
        manifest.program, manifest.started, manifest.machine
    );
    let variants = variants(manifest);
    overview(&mut text, summary, &variants);
    text.push_str(HOW_TO_READ);
    for suite in &summary.suites {
        suite_section(&mut text, suite, &variants, peers);
    }
    for suite in &summary.suites {
        detail_section(&mut text, suite, peers);
    }
    left_out(&mut text, manifest);
    settings(&mut text, manifest);
    text
}

/// What most readers want of a suite.
fn suite_section(
    text: &mut String,
    suite: &SuiteSummary,
    variants: &BTreeSet<&str>,
    peers: &PeerList,
) {
    let repositories = if suite.corpora == 1 {
        "repository"
    } else {
        "repositories"
    };
    let _ = writeln!(
        text,
        "\n## {} ({})\n\n{} questions over {} {repositories}.\n",
        suite.name, suite.split, suite.questions, suite.corpora
    );
    if let Some((same, all)) = suite.same_as_program {
        let _ = writeln!(
            text,
            "The program `scent`, started for every question, gave the same list as the engine \
             inside the harness at {same} of {all}.\n"
        );
    }
    let is_wanted = |system: &str| !variants.contains(system);
    overall(text, suite, &columns(suite), is_wanted);
    if suite.with_lines && !of_symbols(suite) {
        text.push_str("\nRight lines, among those shown and in the whole range:\n\n");
        overall(text, suite, &RIGHT_LINES, is_wanted);
    }
    if !of_symbols(suite) {
        for name in PLOTS {
            let _ = writeln!(text, "\n![{name}]({}-{name}.svg)", file_stem(suite));
        }
    }
    published_table(text, suite, &peers.published);
}

/// The systems that are scent with weights of their own.
fn variants(manifest: &Manifest) -> BTreeSet<&str> {
    let mut variants = BTreeSet::new();
    for named in &manifest.systems {
        if own_weights(named).is_some() {
            variants.insert(named.name.as_str());
        }
    }
    variants
}

fn own_weights(named: &Named) -> Option<&str> {
    let weights = named.weights.as_deref()?.trim();
    (!weights.is_empty()).then_some(weights)
}

fn left_out(text: &mut String, manifest: &Manifest) {
    let lists = [
        ("Left out of the suites", &manifest.left_out),
        ("Answers that are not where the suite says", &manifest.drift),
    ];
    for (title, list) in lists {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n## {title} ({})\n", list.len());
        for why in list {
            let _ = writeln!(text, "- {why}");
        }
    }
}

/// The command, and the weights that are not those that users have.
fn settings(text: &mut String, manifest: &Manifest) {
    text.push_str("\n## Settings\n");
    let _ = writeln!(text, "\n```sh\n{}\n```", quoted(&manifest.command));
    for named in &manifest.systems {
        if let Some(weights) = own_weights(named) {
            let _ = writeln!(text, "\n{} has weights of its own:\n", named.name);
            let _ = writeln!(text, "```toml\n{weights}\n```");
        }
    }
}

/// The command as a shell takes it.
fn quoted(words: &[String]) -> String {
    let mut quoted = Vec::new();
    for word in words {
        let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:".contains(c);
        if word.chars().all(is_plain) && !word.is_empty() {
            quoted.push(word.clone());
        } else {
            quoted.push(format!("'{}'", word.replace('\'', r"'\''")));
        }
    }
    quoted.join(" ")
}
