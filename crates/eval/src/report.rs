//! A summary as Markdown and plots.

use crate::bootstrap::Interval;
use crate::compare::Difference;
use crate::metrics::{
    BUDGETS, F1, NDCG_CHUNK, NDCG_FILE, NDCG_FILE_OLD, NDCG_GRADED, NDCG_SHOWN, Scores,
    TOKENS_TO_HIT, TOKENS_TO_SHOWN, is_blind, recall_at_tokens, score_if_blind,
};
use crate::plot::{Axes, Series, bars, lines};
use crate::row::{Outcome, Row};
use crate::store::{Cell, Manifest, Named};
use crate::summary::{
    ALL, CATEGORY, CORPUS, GroupSummary, LANGUAGE, PROGRAM, Partial, Speed, SuiteSummary, Summary,
    SystemSummary,
};
use crate::system::{Agreement, PeerList, Published};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The columns of the first table, with their names for people.
const HEADLINE: [(&str, &str); 10] = [
    (NDCG_CHUNK, "NDCG@10 lines"),
    (NDCG_FILE, "NDCG@10 file"),
    (NDCG_FILE_OLD, "NDCG@10 file (old)"),
    (NDCG_GRADED, "NDCG@10 graded"),
    ("hit@1", "Hit@1"),
    ("hit@5", "Hit@5"),
    ("hit@10", "Hit@10"),
    ("mrr", "MRR"),
    ("recall@10", "Recall@10"),
    (TOKENS_TO_HIT, "tokens to hit"),
];

/// Where right lines are: among those that results show, and in their ranges.
const RIGHT_LINES: [(&str, &str); 10] = [
    ("shown@1", "shown first"),
    ("shown@5", "shown in 5"),
    ("shown@10", "shown in 10"),
    ("shown@100", "shown in 100"),
    (NDCG_SHOWN, "NDCG@10 shown"),
    (TOKENS_TO_SHOWN, "tokens to shown"),
    ("hit@1", "range first"),
    ("hit@5", "range in 5"),
    ("hit@10", "range in 10"),
    ("hit@100", "range in 100"),
];

/// The same for suites of symbol tasks.
const SYMBOLS: [(&str, &str); 3] = [("precision", "precision"), ("recall", "recall"), (F1, "F1")];

/// What is plotted of every suite of rankings.
const PLOTS: [&str; 3] = ["quality", "recall", "languages"];

/// More systems than this make bars too thin to see.
const BARS: usize = 5;

/// A plot with the name of its file.
pub struct Plot {
    /// The name of the file.
    pub name: String,
    /// The SVG.
    pub svg: String,
}

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

/// One row a system and one column a suite, and what the largest took.
fn overview(text: &mut String, summary: &Summary, variants: &BTreeSet<&str>) {
    let rankings = summary.suites.iter().filter(|suite| !of_symbols(suite));
    let Some(largest) = rankings.max_by_key(|suite| suite.questions) else {
        return;
    };
    let mut header = vec!["system".to_owned()];
    for suite in &summary.suites {
        let (_, title) = overview_column(suite);
        header.push(format!("{}: {title}", file_stem(suite)));
    }
    let of_largest = ["tokens to hit", "query p50", "index and first answer"];
    header.extend(of_largest.map(|title| format!("{}: {title}", file_stem(largest))));
    let mut rows = Vec::new();
    for system in &largest.systems {
        if !variants.contains(system.name.as_str()) {
            rows.push(overview_row(summary, largest, system));
        }
    }
    table(text, &header, rows);
    text.push('\n');
}

/// What a suite is judged by in one number.
fn overview_column(suite: &SuiteSummary) -> (&'static str, &'static str) {
    if of_symbols(suite) {
        SYMBOLS[2]
    } else {
        HEADLINE[1]
    }
}

fn overview_row(summary: &Summary, largest: &SuiteSummary, system: &SystemSummary) -> Vec<String> {
    let mut row = vec![system.name.clone()];
    for suite in &summary.suites {
        let (metric, _) = overview_column(suite);
        row.push(mean_of(suite, &system.name, metric, 3));
    }
    row.push(mean_of(largest, &system.name, TOKENS_TO_HIT, 0));
    row.push(format!("{:.2} ms", system.speed.p50_ms));
    // Where an index was there before the run, the time to the first answer says nothing.
    let speed = &system.speed;
    let was_indexed = speed.index_ms == 0.0 && speed.index_bytes > 0;
    row.push(if was_indexed {
        "–".to_owned()
    } else {
        format!("{:.0} ms", speed.first_ms)
    });
    row
}

/// The mean of a system over all questions of a suite.
fn mean_of(suite: &SuiteSummary, system: &str, metric: &str, digits: usize) -> String {
    let system = suite.systems.iter().find(|other| other.name == system);
    let all = system.and_then(|system| system.groups.get(ALL));
    match all.and_then(|group| group.means.get(metric)) {
        Some(mean) => format!("{mean:.digits$}"),
        None => "–".to_owned(),
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
    overall(text, suite, &columns(suite), |system| {
        !variants.contains(system)
    });
    if suite.with_lines {
        text.push_str("\nRight lines, among those shown and in the whole range:\n\n");
        overall(text, suite, &RIGHT_LINES, |system| {
            !variants.contains(system)
        });
    }
    if !of_symbols(suite) {
        for name in PLOTS {
            let _ = writeln!(text, "\n![{name}]({}-{name}.svg)", file_stem(suite));
        }
    }
    published_table(text, suite, &peers.published);
}

/// Every system and every group of a suite.
fn detail_section(text: &mut String, suite: &SuiteSummary, peers: &PeerList) {
    let _ = writeln!(text, "\n## {} ({}) in detail\n", suite.name, suite.split);
    overall(text, suite, &columns(suite), |_| true);
    partial_tables(text, suite);
    for (metric, title) in by_category(suite) {
        let title = format!("{title} by category");
        by_group(text, suite, CATEGORY, metric, &title);
    }
    if groups(suite, LANGUAGE).len() > 1 {
        for (metric, title) in main_columns(suite) {
            let title = format!("{title} by language");
            by_group(text, suite, LANGUAGE, metric, &title);
        }
    }
    if !of_symbols(suite) {
        recall_table(text, suite);
    }
    speed_table(text, suite);
    repositories_tables(text, suite);
    agreement_table(text, suite, &peers.agreement);
    if !suite.failures.is_empty() {
        text.push_str("\n### What failed\n\n");
        for failure in &suite.failures {
            let _ = writeln!(text, "- {failure}");
        }
    }
}

/// Whether a suite asks for symbols and not for rankings.
fn of_symbols(suite: &SuiteSummary) -> bool {
    suite
        .systems
        .iter()
        .flat_map(|s| s.groups.values())
        .any(|g| g.means.contains_key(F1))
}

fn columns(suite: &SuiteSummary) -> Vec<(&'static str, &'static str)> {
    let all: &[(&str, &str)] = if of_symbols(suite) {
        &SYMBOLS
    } else {
        &HEADLINE
    };
    all.iter()
        .copied()
        .filter(|(metric, _)| suite.with_lines || ![NDCG_GRADED, NDCG_FILE_OLD].contains(metric))
        .collect()
}

/// What is broken down by language and repository.
fn main_columns(suite: &SuiteSummary) -> &'static [(&'static str, &'static str)] {
    if of_symbols(suite) {
        &SYMBOLS[2..]
    } else {
        &HEADLINE[..2]
    }
}

/// By category, also what octocode publishes where the suite is of its kind.
fn by_category(suite: &SuiteSummary) -> Vec<(&'static str, &'static str)> {
    let further: &[(&str, &str)] = &[("hit@5", "Hit@5"), ("mrr", "MRR")];
    let further = if suite.with_lines && !of_symbols(suite) {
        further
    } else {
        &[]
    };
    [main_columns(suite), further].concat()
}

fn overall(
    text: &mut String,
    suite: &SuiteSummary,
    columns: &[(&str, &str)],
    wanted: impl Fn(&str) -> bool,
) {
    let mut rows = Vec::new();
    for system in suite.systems.iter().filter(|system| wanted(&system.name)) {
        let Some(group) = system.groups.get(ALL) else {
            continue;
        };
        let mut row = vec![system.name.clone()];
        row.extend(columns.iter().map(|(metric, _)| cell(Some(group), metric)));
        rows.push(row);
    }
    if rows.is_empty() {
        text.push_str("No system answers every sort of question of this suite.\n");
        return;
    }
    let mut header = vec!["system".to_owned()];
    header.extend(columns.iter().map(|(_, name)| (*name).to_owned()));
    table(text, &header, rows);
}

/// Who failed at many questions is held against the first system alone.
fn partial_tables(text: &mut String, suite: &SuiteSummary) {
    if suite.partial.is_empty() {
        return;
    }
    let first = suite
        .systems
        .first()
        .map_or("nobody", |system| system.name.as_str());
    let _ = writeln!(
        text,
        "\nThese failed at some questions, and are held against {first} on what both answered:\n"
    );
    let mut header = vec!["system".to_owned(), "on".to_owned(), "questions".to_owned()];
    for (_, title) in main_columns(suite) {
        header.extend([(*title).to_owned(), format!("{title} of {first}")]);
    }
    let rows = suite
        .partial
        .iter()
        .flat_map(|one| partial_rows(suite, one));
    table(text, &header, rows.collect());
    for one in &suite.partial {
        let Speed { p50_ms, p95_ms, .. } = one.speed;
        let _ = writeln!(
            text,
            "\n{}: answered {}, failed at {}; query p50 {p50_ms:.0} ms, p95 {p95_ms:.0} ms.",
            one.name, one.answered, one.failed
        );
    }
}

fn partial_rows(suite: &SuiteSummary, one: &Partial) -> Vec<Vec<String>> {
    let row = |(group, gains): (&String, &BTreeMap<String, Difference>)| {
        let questions = gains.values().map(|gain| gain.questions).max().unwrap_or(0);
        let mut cells = vec![one.name.clone(), group.clone(), questions.to_string()];
        for (metric, _) in main_columns(suite) {
            let gain = gains.get(*metric);
            cells.push(gain.map_or("–".into(), |g| format!("{:.3} ({})", g.b, difference(g))));
            cells.push(gain.map_or("–".into(), |g| format!("{:.3}", g.a)));
        }
        cells
    };
    one.groups.iter().map(row).collect()
}

/// A mean, and how far from the first system it is.
fn cell(group: Option<&GroupSummary>, metric: &str) -> String {
    let Some(mean) = group.and_then(|group| group.means.get(metric)) else {
        return "–".into();
    };
    let digits = if metric.starts_with("tokens") { 0 } else { 3 };
    let gain = group
        .and_then(|group| group.gains.get(metric))
        .map(|gain| gain.gain);
    match gain {
        None => format!("{mean:.digits$}"),
        Some(Interval {
            mean: gain,
            low,
            high,
        }) => {
            format!("{mean:.digits$} ({gain:+.digits$}, {low:+.digits$} to {high:+.digits$})")
        }
    }
}

/// `+0.012, +0.003 to +0.021`
pub fn difference(difference: &Difference) -> String {
    let gain = difference.gain;
    format!("{:+.3}, {:+.3} to {:+.3}", gain.mean, gain.low, gain.high)
}

fn groups(suite: &SuiteSummary, sort: &str) -> Vec<String> {
    let all = suite.systems.iter().flat_map(|system| system.groups.keys());
    let names: BTreeSet<&str> = all.filter_map(|group| group.strip_prefix(sort)).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Groups go downwards, systems across: there are more groups.
fn by_group(text: &mut String, suite: &SuiteSummary, sort: &str, metric: &str, title: &str) {
    let _ = writeln!(text, "\n### {title}\n");
    group_table(text, suite, sort, metric);
}

fn group_table(text: &mut String, suite: &SuiteSummary, sort: &str, metric: &str) {
    let systems = suite.systems.iter().map(|system| system.name.clone());
    let header = [vec![String::new()], systems.collect()].concat();
    let rows = groups(suite, sort).into_iter().map(|name| {
        let of: Vec<Option<&GroupSummary>> = suite
            .systems
            .iter()
            .map(|s| s.groups.get(&format!("{sort}{name}")))
            .collect();
        let questions = of
            .iter()
            .flatten()
            .map(|group| group.questions)
            .max()
            .unwrap_or(0);
        let cells = of.iter().map(|group| cell(*group, metric));
        [vec![format!("{name} ({questions})")], cells.collect()].concat()
    });
    table(text, &header, rows.collect());
}

fn recall_table(text: &mut String, suite: &SuiteSummary) {
    text.push_str("\n### Recall within a budget of tokens\n\n");
    let names = BUDGETS.iter().map(|budget| budget.to_string());
    let header = [vec!["system".to_owned()], names.collect()].concat();
    let rows = suite.systems.iter().map(|system| {
        let group = system.groups.get(ALL);
        let cells = BUDGETS
            .iter()
            .map(|budget| cell(group, &recall_at_tokens(*budget)));
        [vec![system.name.clone()], cells.collect()].concat()
    });
    table(text, &header, rows.collect());
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
    let rows = suite
        .systems
        .iter()
        .map(|system| speed_row(system, &system.speed));
    table(text, &header.map(str::to_owned), rows.collect());
}

fn speed_row(system: &SystemSummary, speed: &Speed) -> Vec<String> {
    let given = speed.given_bytes.max(1) as f64;
    let if_any = |any: bool, shown: String| if any { shown } else { "–".to_owned() };
    let indexed = speed.index_ms > 0.0;
    vec![
        system.name.clone(),
        system.version.clone(),
        if_any(indexed, format!("{:.2} s", speed.index_ms / 1e3)),
        if_any(indexed, format!("{:.1}", given / 1e3 / speed.index_ms)),
        if_any(
            speed.index_bytes > 0,
            format!("{:.2}", speed.index_bytes as f64 / given),
        ),
        speed
            .peak_bytes
            .map_or("–".into(), |peak| format!("{:.0} MB", peak as f64 / 1e6)),
        format!("{:.2} ms", speed.p50_ms),
        format!("{:.2} ms", speed.p95_ms),
        format!("{:.0} ms", speed.first_ms),
    ]
}

fn repositories_tables(text: &mut String, suite: &SuiteSummary) {
    for (metric, title) in main_columns(suite).iter().filter(|_| suite.corpora > 1) {
        let _ = writeln!(
            text,
            "\n<details><summary>{title} by repository</summary>\n"
        );
        group_table(text, suite, CORPUS, metric);
        text.push_str("\n</details>\n");
    }
}

/// Whether a system scores here, by repository, what others published of it.
fn agreement_table(text: &mut String, suite: &SuiteSummary, published: &[Agreement]) {
    for one in published.iter().filter(|one| one.suite == suite.name) {
        let Some(system) = suite
            .systems
            .iter()
            .find(|system| system.name == one.system)
        else {
            continue;
        };
        let here = |name: &str| {
            system
                .groups
                .get(&format!("{CORPUS}{name}"))?
                .means
                .get(&one.metric)
        };
        let both: Vec<(&String, f64, f64)> = one
            .scores
            .iter()
            .filter_map(|(name, p)| Some((name, *p, *here(name)?)))
            .collect();
        let near = |(_, published, here): &&(&String, f64, f64)| (published - here).abs() <= 0.01;
        let _ = writeln!(
            text,
            "\n### {}, here and as published\n\n{} ({}): within 0.01 at {} of {} repositories.\n",
            one.system,
            one.source,
            one.metric,
            both.iter().filter(near).count(),
            both.len()
        );
        let far = both.iter().filter(|one| !near(one));
        let rows = far.map(|(name, published, here)| {
            vec![
                (*name).clone(),
                format!("{published:.3}"),
                format!("{here:.3}"),
            ]
        });
        let header = ["further off", "published", "here"].map(str::to_owned);
        table(text, &header, rows.collect());
    }
}

fn published_table(text: &mut String, suite: &SuiteSummary, published: &[Published]) {
    let of: Vec<&Published> = published.iter().filter(|p| p.suite == suite.name).collect();
    if of.is_empty() {
        return;
    }
    text.push_str("\n### Published by others\n\n");
    text.push_str("Not measured in this run, and not on the same questions: for orientation.\n\n");
    let header = [
        "system",
        "metric",
        "score",
        "repositories",
        "source",
        "here",
    ];
    let rows = of.into_iter().map(|p| {
        let mode = p
            .mode
            .as_ref()
            .map(|mode| format!(" {mode}"))
            .unwrap_or_default();
        vec![
            p.name.clone(),
            format!("{}{mode}", p.metric),
            format!("{:.3}", p.score),
            p.repositories.to_string(),
            p.source.clone(),
            p.note.clone(),
        ]
    });
    table(text, &header.map(str::to_owned), rows.collect());
}

fn left_out(text: &mut String, manifest: &Manifest) {
    for (title, list) in [
        ("Left out of the suites", &manifest.left_out),
        ("Answers that are not where the suite says", &manifest.drift),
    ] {
        if !list.is_empty() {
            let _ = writeln!(text, "\n## {title} ({})\n", list.len());
            list.iter().for_each(|why| {
                let _ = writeln!(text, "- {why}");
            });
        }
    }
}

fn table(text: &mut String, header: &[String], rows: Vec<Vec<String>>) {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    text.push_str(&line(header));
    let rule: Vec<String> = (0..header.len())
        .map(|at| if at == 0 { "---".into() } else { "---:".into() })
        .collect();
    text.push_str(&line(&rule));
    rows.iter().for_each(|row| text.push_str(&line(row)));
}

/// The scores of every question, as CSV.
pub fn per_question(cells: &[Cell]) -> anyhow::Result<String> {
    let scored = scored_rows(cells);
    let metrics: BTreeSet<&String> = scored
        .iter()
        .flat_map(|(_, scores)| scores.keys())
        .collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut header = vec![
        "system", "suite", "corpus", "split", "language", "category", "id", "outcome",
    ];
    header.extend(metrics.iter().map(|metric| metric.as_str()));
    writer.write_record(header)?;
    for (row, scores) in &scored {
        let mut record = csv_fields(row).to_vec();
        for metric in &metrics {
            let value = scores.get(*metric);
            record.push(value.map(|value| format!("{value:.5}")).unwrap_or_default());
        }
        writer.write_record(record)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Every row with its scores, by system and suite.
fn scored_rows(cells: &[Cell]) -> Vec<(&Row, Scores)> {
    let mut systems: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in cells.iter().flat_map(|cell| &cell.rows) {
        let key = (row.system.as_str(), row.suite.as_str());
        systems.entry(key).or_default().push(row);
    }
    let mut scored = Vec::new();
    for rows in systems.into_values() {
        let blind = is_blind(rows.iter().copied());
        for row in rows {
            let scores = score_if_blind(row, blind);
            scored.push((row, scores.unwrap_or_default()));
        }
    }
    scored
}

/// What a row says before its scores.
fn csv_fields(row: &Row) -> [String; 8] {
    let outcome = match &row.answer {
        Outcome::Answered(_) => "answered",
        Outcome::Unsupported => "unsupported",
        Outcome::Failed(_) => "failed",
    };
    [
        row.system.clone(),
        row.suite.clone(),
        row.corpus.clone(),
        row.split.clone(),
        row.language.clone(),
        row.category.clone(),
        row.id.clone(),
        outcome.to_owned(),
    ]
}

/// Quality against time, recall against tokens, and bars by language, for
/// every suite of rankings.
pub fn plots(summary: &Summary) -> Vec<Plot> {
    let rankings = summary.suites.iter().filter(|suite| !of_symbols(suite));
    rankings
        .flat_map(|suite| [quality(suite), recall(suite), languages(suite)])
        .collect()
}

fn quality(suite: &SuiteSummary) -> Plot {
    let point = |system: &SystemSummary| {
        let mean = *system.groups.get(ALL)?.means.get(NDCG_FILE)?;
        Some((system.speed.first_ms.max(0.01), mean))
    };
    let title = format!("{}: quality against time to the first answer", suite.name);
    let axes = Axes {
        title: &title,
        x: "index and first answer, ms",
        y: "NDCG@10 file",
    };
    plot(
        suite,
        "quality",
        lines(&axes, &series(suite, |s| point(s).into_iter().collect())),
    )
}

fn recall(suite: &SuiteSummary) -> Plot {
    let points = |system: &SystemSummary| {
        if system.name == PROGRAM {
            return Vec::new();
        }
        let means = system.groups.get(ALL).map(|group| &group.means);
        let at = |budget: u32| Some((f64::from(budget), *means?.get(&recall_at_tokens(budget))?));
        BUDGETS.iter().filter_map(|budget| at(*budget)).collect()
    };
    let title = format!("{}: recall against tokens read", suite.name);
    let axes = Axes {
        title: &title,
        x: "tokens",
        y: "recall",
    };
    plot(suite, "recall", lines(&axes, &series(suite, points)))
}

fn languages(suite: &SuiteSummary) -> Plot {
    let names = groups(suite, LANGUAGE);
    let points = |system: &SystemSummary| {
        if system.name == PROGRAM {
            return Vec::new();
        }
        let mean = |name: &String| {
            system
                .groups
                .get(&format!("{LANGUAGE}{name}"))?
                .means
                .get(NDCG_FILE)
                .copied()
        };
        let at = |(at, name)| Some((at as f64, mean(name)?));
        names.iter().enumerate().filter_map(at).collect()
    };
    let title = format!("{}: NDCG@10 (file) by language", suite.name);
    let axes = Axes {
        title: &title,
        x: "",
        y: "NDCG@10 file",
    };
    let mut series = series(suite, points);
    series.truncate(BARS);
    plot(suite, "languages", bars(&axes, &names, &series))
}

fn series(suite: &SuiteSummary, points: impl Fn(&SystemSummary) -> Vec<(f64, f64)>) -> Vec<Series> {
    let one = |system: &SystemSummary| Series {
        name: system.name.clone(),
        points: points(system),
    };
    suite
        .systems
        .iter()
        .map(one)
        .filter(|series| !series.points.is_empty())
        .collect()
}

/// The development split goes by the suite's name alone.
fn file_stem(suite: &SuiteSummary) -> String {
    match suite.split.as_str() {
        "dev" => suite.name.clone(),
        split => format!("{}-{split}", suite.name),
    }
}

fn plot(suite: &SuiteSummary, name: &str, svg: String) -> Plot {
    Plot {
        name: format!("{}-{name}.svg", file_stem(suite)),
        svg,
    }
}
