//! A summary as Markdown and plots.

use crate::compare::Difference;
use crate::metrics::{
    BUDGETS, F1, NDCG_CHUNK, NDCG_FILE, Scores, TOKENS_TO_HIT, recall_at_tokens, score,
};
use crate::plot::{Axes, Series, bars, lines};
use crate::row::{Outcome, Row};
use crate::run::{Cell, Manifest};
use crate::summary::{
    ALL, CATEGORY, CORPUS, GroupSummary, LANGUAGE, SPLIT, SuiteSummary, Summary, SystemSummary,
};
use crate::system::Published;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The columns of the first table, with their names for people.
const HEADLINE: [(&str, &str); 9] = [
    (NDCG_CHUNK, "NDCG@10 lines"),
    (NDCG_FILE, "NDCG@10 file"),
    ("ndcg_graded", "NDCG@10 graded"),
    ("hit@1", "Hit@1"),
    ("hit@5", "Hit@5"),
    ("hit@10", "Hit@10"),
    ("mrr", "MRR"),
    ("recall@10", "Recall@10"),
    (TOKENS_TO_HIT, "tokens to hit"),
];

/// The same for suites of symbol tasks.
const SYMBOLS: [(&str, &str); 3] = [("precision", "precision"), ("recall", "recall"), (F1, "F1")];

/// What is plotted of every suite of rankings.
const PLOTS: [&str; 3] = ["quality", "recall", "languages"];

/// A plot with the name of its file.
pub struct Plot {
    /// The name of the file.
    pub name: String,
    /// The SVG.
    pub svg: String,
}

/// The whole report.
pub fn markdown(summary: &Summary, manifest: &Manifest, published: &[Published]) -> String {
    let mut text = String::from("# Results\n\n");
    let _ = writeln!(
        text,
        "Written by `scent-eval`; [docs/evaluation.md](../evaluation.md) says how each number is \
         made and what is unfair in each comparison. {}, {}.\n",
        manifest.program, manifest.started
    );
    let _ = writeln!(text, "```\n{}\n```\n", manifest.command.join(" "));
    text.push_str(
        "Means are over repositories of the mean over their questions. A difference in brackets \
         is against the first row, with its 95% interval (paired bootstrap, 10,000 resamples). \
         Questions that a system failed at are left out for all.\n",
    );
    for suite in &summary.suites {
        suite_section(&mut text, suite, published);
    }
    left_out(&mut text, manifest);
    text
}

fn suite_section(text: &mut String, suite: &SuiteSummary, published: &[Published]) {
    let _ = writeln!(
        text,
        "\n## {} ({})\n\n{} questions over {} {}.\n",
        suite.name,
        suite.splits.join(" and "),
        suite.questions,
        suite.corpora,
        if suite.corpora == 1 { "repository" } else { "repositories" }
    );
    if suite.systems.is_empty() {
        text.push_str("No system answered.\n");
    }
    if let Some((same, all)) = suite.same_as_program {
        let _ = writeln!(
            text,
            "The program `scent`, started anew for every question, gave the same list as the \
             engine inside the harness at {same} of {all}.\n"
        );
    }
    let columns = columns(suite);
    overall(text, suite, columns);
    partial_table(text, suite, columns);
    let main = main_columns(columns);
    for (metric, title) in main {
        by_group(text, suite, CATEGORY, metric, &format!("{title} by category"));
    }
    for (sort, name) in [(LANGUAGE, "language"), (SPLIT, "split")] {
        for (metric, title) in main.iter().filter(|_| groups(suite, sort).len() > 1) {
            by_group(text, suite, sort, metric, &format!("{title} by {name}"));
        }
    }
    if columns.len() != SYMBOLS.len() {
        recall_table(text, suite);
    }
    speed_table(text, suite);
    if columns.len() != SYMBOLS.len() {
        for name in PLOTS {
            let _ = writeln!(text, "\n![{name}]({}-{name}.svg)", suite.name);
        }
    }
    if suite.corpora > 1 {
        repositories(text, suite, main);
    }
    published_table(text, suite, published);
    if !suite.failures.is_empty() {
        text.push_str("\n### What failed\n\n");
        suite.failures.iter().for_each(|why| {
            let _ = writeln!(text, "- {why}");
        });
    }
}

fn columns(suite: &SuiteSummary) -> &'static [(&'static str, &'static str)] {
    let mut groups = suite.systems.iter().flat_map(|s| s.groups.values());
    if groups.any(|g| g.means.contains_key(F1)) { &SYMBOLS } else { &HEADLINE }
}

fn overall(text: &mut String, suite: &SuiteSummary, columns: &[(&str, &str)]) {
    let names: Vec<String> = columns.iter().map(|(_, name)| (*name).to_owned()).collect();
    let rows = suite.systems.iter().map(|system| {
        let group = system.groups.get(ALL);
        let cells = columns.iter().map(|(metric, _)| cell(group, metric));
        [vec![system.name.clone()], cells.collect()].concat()
    });
    table(text, &[vec!["system".to_owned()], names].concat(), rows.collect());
}

/// What is broken down by category and language.
fn main_columns(columns: &[(&str, &str)]) -> &'static [(&'static str, &'static str)] {
    if columns.len() == SYMBOLS.len() { &SYMBOLS[2..] } else { &HEADLINE[..2] }
}

/// Who failed at many questions is held against the first system alone.
fn partial_table(text: &mut String, suite: &SuiteSummary, columns: &[(&str, &str)]) {
    let Some(first) = suite.systems.first().filter(|_| !suite.partial.is_empty()) else { return };
    let _ = writeln!(
        text,
        "\nThese failed at some questions. They are held against {} on what both answered:\n",
        first.name
    );
    let main = main_columns(columns);
    let mut header: Vec<String> =
        ["system", "answered", "failed"].iter().map(|name| (*name).to_owned()).collect();
    for (_, title) in main {
        header.extend([(*title).to_owned(), format!("{title} of {}", first.name)]);
    }
    header.extend(["query p50".to_owned(), "query p95".to_owned()]);
    let rows = suite.partial.iter().map(|one| {
        let mut cells = vec![one.name.clone(), one.answered.to_string(), one.failed.to_string()];
        for (metric, _) in main {
            let shown = one.against.get(*metric);
            cells.push(shown.map_or("–".into(), |d| format!("{:.3} ({})", d.b, difference(d))));
            cells.push(shown.map_or("–".into(), |d| format!("{:.3}", d.a)));
        }
        cells.push(format!("{:.2} ms", one.speed.p50_ms));
        cells.push(format!("{:.2} ms", one.speed.p95_ms));
        cells
    });
    table(text, &header, rows.collect());
}

/// A mean, and how far from the first system it is.
fn cell(group: Option<&GroupSummary>, metric: &str) -> String {
    let Some(mean) = group.and_then(|group| group.means.get(metric)) else { return "–".into() };
    let shown = if metric == TOKENS_TO_HIT { format!("{mean:.0}") } else { format!("{mean:.3}") };
    let gain = group.and_then(|group| group.gains.get(metric));
    gain.map_or(shown.clone(), |gain| format!("{shown} ({})", difference(gain)))
}

/// `+0.012, 0.003 to 0.021`
pub fn difference(difference: &Difference) -> String {
    let gain = difference.gain;
    format!("{:+.3}, {:+.3} to {:+.3}", gain.mean, gain.low, gain.high)
}

fn groups(suite: &SuiteSummary, sort: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for group in suite.systems.iter().flat_map(|system| system.groups.keys()) {
        let name = group.strip_prefix(sort).map(str::to_owned);
        names.extend(name.filter(|name| !names.contains(name)));
    }
    names.sort();
    names
}

fn by_group(text: &mut String, suite: &SuiteSummary, sort: &str, metric: &str, title: &str) {
    let _ = writeln!(text, "\n### {title}\n");
    let names = groups(suite, sort);
    let counted = names.iter().map(|name| {
        let key = format!("{sort}{name}");
        let questions =
            suite.systems.iter().filter_map(|s| s.groups.get(&key)).map(|g| g.questions);
        format!("{name} ({})", questions.max().unwrap_or(0))
    });
    let header = [vec!["system".to_owned()], counted.collect()].concat();
    let rows = suite.systems.iter().map(|system| {
        let cells = names.iter().map(|n| cell(system.groups.get(&format!("{sort}{n}")), metric));
        [vec![system.name.clone()], cells.collect()].concat()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    // Many groups read better downwards.
    if names.len() > 5 {
        table(text, &turned(&header, &rows).0, turned(&header, &rows).1)
    } else {
        table(text, &header, rows)
    }
}

fn turned(header: &[String], rows: &[Vec<String>]) -> (Vec<String>, Vec<Vec<String>>) {
    let across = [vec![String::new()], rows.iter().map(|row| row[0].clone()).collect()].concat();
    let down = (1..header.len()).map(|at| {
        [vec![header[at].clone()], rows.iter().map(|row| row[at].clone()).collect()].concat()
    });
    (across, down.collect())
}

fn recall_table(text: &mut String, suite: &SuiteSummary) {
    text.push_str("\n### Recall within a budget of tokens\n\n");
    let names = BUDGETS.iter().map(|budget| budget.to_string());
    let header = [vec!["system".to_owned()], names.collect()].concat();
    let rows = suite.systems.iter().map(|system| {
        let group = system.groups.get(ALL);
        let cells = BUDGETS.iter().map(|budget| cell(group, &recall_at_tokens(*budget)));
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
        "first answer from nothing",
    ];
    let rows = suite.systems.iter().map(|system| {
        let speed = &system.speed;
        let indexed = speed.index_ms > 0.0;
        let or_none = |yes: bool, shown: String| if yes { shown } else { "–".to_owned() };
        vec![
            system.name.clone(),
            system.version.clone(),
            or_none(indexed, format!("{:.2} s", speed.index_ms / 1e3)),
            or_none(indexed, format!("{:.1}", speed.given_bytes as f64 / 1e3 / speed.index_ms)),
            or_none(
                speed.index_bytes > 0,
                format!("{:.2}", speed.index_bytes as f64 / speed.given_bytes.max(1) as f64),
            ),
            speed.peak_bytes.map_or("–".into(), |peak| format!("{:.0} MB", peak as f64 / 1e6)),
            format!("{:.2} ms", speed.p50_ms),
            format!("{:.2} ms", speed.p95_ms),
            format!("{:.0} ms", speed.first_ms),
        ]
    });
    table(text, &header.map(str::to_owned), rows.collect());
}

fn repositories(text: &mut String, suite: &SuiteSummary, metrics: &[(&str, &str)]) {
    for (metric, title) in metrics {
        let _ = writeln!(text, "\n<details><summary>{title} by repository</summary>\n");
        let names = groups(suite, CORPUS);
        let header = [
            vec!["repository".to_owned()],
            suite.systems.iter().map(|system| system.name.clone()).collect(),
        ];
        let rows = names.iter().map(|name| {
            let key = format!("{CORPUS}{name}");
            let cells = suite.systems.iter().map(|system| cell(system.groups.get(&key), metric));
            [vec![name.clone()], cells.collect()].concat()
        });
        table(text, &header.concat(), rows.collect());
        text.push_str("\n</details>\n");
    }
}

fn published_table(text: &mut String, suite: &SuiteSummary, published: &[Published]) {
    let of: Vec<&Published> = published.iter().filter(|p| p.suite == suite.name).collect();
    if of.is_empty() {
        return;
    }
    text.push_str("\n### Published by others, not run here\n\n");
    text.push_str("Not measured in this run, and not on the same questions: for orientation.\n\n");
    let header = ["system", "metric", "score", "repositories", "source", "why not run"];
    let rows = of.into_iter().map(|p| {
        vec![
            p.name.clone(),
            format!("{} {}", p.metric, p.mode),
            format!("{:.3}", p.score),
            p.repositories.to_string(),
            p.source.clone(),
            p.why.clone(),
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
    let rule: Vec<String> =
        (0..header.len()).map(|at| if at == 0 { "---".into() } else { "---:".into() }).collect();
    text.push_str(&line(&rule));
    rows.iter().for_each(|row| text.push_str(&line(row)));
}

/// The scores of every question, as CSV.
pub fn per_question(cells: &[Cell]) -> anyhow::Result<String> {
    let scored: Vec<(&Row, Scores)> = cells
        .iter()
        .flat_map(|cell| &cell.rows)
        .map(|row| (row, score(row).unwrap_or_default()))
        .collect();
    let metrics: BTreeSet<&String> = scored.iter().flat_map(|(_, scores)| scores.keys()).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let about = ["system", "suite", "corpus", "split", "language", "category", "id", "outcome"];
    writer.write_record(about.into_iter().chain(metrics.iter().map(|m| m.as_str())))?;
    for (row, scores) in &scored {
        let outcome = match &row.answer {
            Outcome::Answered(_) => "answered",
            Outcome::Unsupported => "unsupported",
            Outcome::Failed(_) => "failed",
        };
        let Row { system, suite, corpus, split, language, category, id, .. } = row;
        let about = [system, suite, corpus, split, language, category, id].map(String::as_str);
        let shown = |metric: &&String| scores.get(*metric).map(|v| format!("{v:.5}"));
        let values: Vec<String> = metrics.iter().map(|m| shown(m).unwrap_or_default()).collect();
        let values = values.iter().map(String::as_str);
        writer.write_record(about.into_iter().chain([outcome]).chain(values))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Quality against time, recall against tokens, and bars by language, for
/// every suite of rankings.
pub fn plots(summary: &Summary) -> Vec<Plot> {
    let rankings = summary.suites.iter().filter(|suite| columns(suite).len() > SYMBOLS.len());
    rankings.flat_map(|suite| [quality(suite), recall(suite), languages(suite)]).collect()
}

fn quality(suite: &SuiteSummary) -> Plot {
    let point = |system: &SystemSummary| {
        let mean = *system.groups.get(ALL)?.means.get(NDCG_FILE)?;
        Some((system.speed.first_ms.max(0.01), mean))
    };
    let title = format!("{}: quality against time to the first answer", suite.name);
    let axes = Axes { title: &title, x: "index and first answer, ms", y: "NDCG@10 file" };
    plot(suite, "quality", lines(&axes, &series(suite, |s| point(s).into_iter().collect())))
}

fn recall(suite: &SuiteSummary) -> Plot {
    let points = |system: &SystemSummary| {
        let means = system.groups.get(ALL).map(|group| &group.means);
        let at = |budget: u32| Some((f64::from(budget), *means?.get(&recall_at_tokens(budget))?));
        BUDGETS.iter().filter_map(|budget| at(*budget)).collect()
    };
    let title = format!("{}: recall against tokens read", suite.name);
    let axes = Axes { title: &title, x: "tokens", y: "recall" };
    plot(suite, "recall", lines(&axes, &series(suite, points)))
}

fn languages(suite: &SuiteSummary) -> Plot {
    let names = groups(suite, LANGUAGE);
    let points = |system: &SystemSummary| {
        let mean = |name: &String| {
            system.groups.get(&format!("{LANGUAGE}{name}"))?.means.get(NDCG_FILE).copied()
        };
        let at = |(at, name)| Some((at as f64, mean(name)?));
        names.iter().enumerate().filter_map(at).collect()
    };
    let title = format!("{}: NDCG@10 (file) by language", suite.name);
    let axes = Axes { title: &title, x: "", y: "NDCG@10 file" };
    plot(suite, "languages", bars(&axes, &names, &series(suite, points)))
}

fn series(suite: &SuiteSummary, points: impl Fn(&SystemSummary) -> Vec<(f64, f64)>) -> Vec<Series> {
    let one = |system| Series { name: SystemSummary::clone(system).name, points: points(system) };
    suite.systems.iter().map(one).collect()
}

fn plot(suite: &SuiteSummary, name: &str, svg: String) -> Plot {
    Plot { name: format!("{}-{name}.svg", suite.name), svg }
}
