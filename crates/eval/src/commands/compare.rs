//! `scent-eval compare`

use crate::args::Compare;
use anyhow::{Context, bail};
use scent_eval::compare::{Pair, Verdict, difference, most_changed, pairs};
use scent_eval::report;
use scent_eval::row::{Expected, Row};
use scent_eval::store::{Cell, Manifest};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

/// How much of each list of results is shown.
const SHOWN: usize = 10;

pub(crate) fn run(args: Compare) -> anyhow::Result<ExitCode> {
    let (a, b) = (cells(&args.a)?, cells(&args.b)?);
    let pairs = pairs(rows(&a), rows(&b));
    if pairs.both.is_empty() {
        bail!("no question was answered by both");
    }
    let metrics: BTreeSet<&String> = pairs.both.iter().flat_map(|p| p.scores_a.keys()).collect();
    if !metrics.contains(&args.metric) {
        let names = metrics
            .into_iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ");
        bail!(
            "no question has the metric {}; there are {names}",
            args.metric
        );
    }
    println!("A  {}\nB  {}", args.a, args.b);
    print_suites(&pairs.both, &metrics);
    println!("\n{} by suite and category", args.metric);
    let groups: BTreeSet<(&str, &str)> = pairs
        .both
        .iter()
        .map(|p| (p.a.suite.as_str(), p.a.category.as_str()))
        .collect();
    for (suite, category) in groups {
        let inside = pairs
            .both
            .iter()
            .filter(|p| p.a.suite == suite && p.a.category == category);
        print_difference(&format!("{suite} {category}"), inside, &args.metric);
    }
    if pairs.left_out > 0 {
        println!(
            "\n{} questions are left out: one of the two did not answer",
            pairs.left_out
        );
    }
    for pair in most_changed(&pairs.both, &args.metric, args.changed) {
        print_pair(pair, &args.metric);
    }
    Ok(ExitCode::SUCCESS)
}

/// Every metric of each suite and, where there are several, of all together,
/// with the differences that are beyond noise.
fn print_suites(pairs: &[Pair], metrics: &BTreeSet<&String>) {
    let suites: BTreeSet<&str> = pairs.iter().map(|pair| pair.a.suite.as_str()).collect();
    let mut tables: Vec<Option<&str>> = suites.iter().copied().map(Some).collect();
    if suites.len() > 1 {
        tables.push(None);
    }
    for suite in tables {
        let mut beyond_noise = Vec::new();
        let name = suite.unwrap_or("all suites");
        println!("\n{name}");
        for metric in metrics {
            let inside = pairs
                .iter()
                .filter(|pair| suite.is_none_or(|suite| pair.a.suite == suite));
            let verdict = print_difference(metric, inside, metric);
            if let Some(verdict @ (Verdict::Better | Verdict::Worse)) = verdict {
                beyond_noise.push(format!("{metric} {verdict}"));
            }
        }
        match beyond_noise.as_slice() {
            [] => println!("no difference is beyond noise"),
            some => println!("beyond noise: {}", some.join(", ")),
        }
    }
}

/// `RUN` or `RUN:SYSTEM`; the first system where none is named.
fn cells(run: &str) -> anyhow::Result<Vec<Cell>> {
    let (folder, system) = match run.rsplit_once(':') {
        Some((folder, system)) if !Path::new(run).exists() => (folder, Some(system)),
        _ => (run, None),
    };
    let (store, manifest) = super::open_run(Path::new(folder))?;
    let names = || {
        manifest
            .systems
            .iter()
            .map(|s| s.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let named = match system {
        Some(name) => manifest.systems.iter().find(|system| system.name == name),
        None => manifest.systems.first(),
    };
    let named =
        named.with_context(|| format!("{folder} has no such system; it has {}", names()))?;
    let only = Manifest {
        systems: vec![named.clone()],
        ..manifest.clone()
    };
    store.cells(&only)
}

fn rows(cells: &[Cell]) -> impl Iterator<Item = &Row> {
    cells.iter().flat_map(|cell| &cell.rows)
}

/// Prints one difference. None where no pair has the metric.
fn print_difference<'p>(
    label: &str,
    pairs: impl Iterator<Item = &'p Pair<'p>>,
    metric: &str,
) -> Option<Verdict> {
    let seen = difference(pairs, metric)?;
    let verdict = seen.verdict(metric);
    println!(
        "{label:28} A {:9.4}  B {:9.4}  B-A {}  wins {} losses {} of {}  {verdict}",
        seen.a,
        seen.b,
        report::difference(&seen),
        seen.wins,
        seen.losses,
        seen.questions
    );
    Some(verdict)
}

fn print_pair(pair: &Pair, metric: &str) {
    let gain = pair.gain(metric).unwrap_or(0.0);
    println!(
        "\n{gain:+.3}  {}/{}  {:?}",
        pair.a.suite, pair.a.corpus, pair.a.query
    );
    if let Expected::Places(targets) = &pair.a.expected {
        let places = targets
            .iter()
            .map(|t| place(&t.path, t.lines))
            .collect::<Vec<_>>();
        println!("    expected  {}", places.join("  "));
    }
    for (name, row) in [("A", pair.a), ("B", pair.b)] {
        println!("    {name}  {}", first_hits(row));
    }
}

fn first_hits(row: &Row) -> String {
    let hits = row
        .answered()
        .map(|answer| answer.hits.as_slice())
        .unwrap_or_default();
    let shown: Vec<String> = hits
        .iter()
        .take(SHOWN)
        .map(|hit| place(&hit.path, hit.lines))
        .collect();
    if shown.is_empty() {
        "nothing".to_owned()
    } else {
        shown.join("  ")
    }
}

fn place(path: &str, lines: Option<scent_types::Lines>) -> String {
    lines.map_or_else(|| path.to_owned(), |lines| format!("{path}:{lines}"))
}
