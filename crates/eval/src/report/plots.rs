//! Plots of a summary.

use super::columns::of_symbols;
use super::table::groups;
use crate::metrics::{BUDGETS, NDCG_FILE, recall_at_tokens};
use crate::plot::{Axes, Series, bars, lines};
use crate::summary::{ALL, LANGUAGE, PROGRAM, SuiteSummary, Summary, SystemSummary};

/// What is plotted of every suite of rankings.
pub(super) const PLOTS: [&str; 3] = ["quality", "recall", "languages"];

/// More systems than this make bars too thin to see.
const BARS: usize = 5;

/// A plot with the name of its file.
pub struct Plot {
    /// The name of the file.
    pub name: String,
    /// The SVG.
    pub svg: String,
}

/// Quality against time, recall against tokens, and bars by language, for
/// every suite of rankings.
pub fn plots(summary: &Summary) -> Vec<Plot> {
    let mut plots = Vec::new();
    for suite in &summary.suites {
        if !of_symbols(suite) {
            plots.extend([quality(suite), recall(suite), languages(suite)]);
        }
    }
    plots
}

fn quality(suite: &SuiteSummary) -> Plot {
    let point = |system: &SystemSummary| {
        let mean = mean(system, ALL, NDCG_FILE);
        let ms = system.speed.first_ms.max(0.01);
        mean.map(|mean| (ms, mean)).into_iter().collect()
    };
    let title = format!("{}: quality against time to the first answer", suite.name);
    let axes = Axes {
        title: &title,
        x: "index and first answer, ms",
        y: "NDCG@10 file",
    };
    plot(suite, "quality", lines(&axes, &series(suite, point)))
}

fn mean(system: &SystemSummary, group: &str, metric: &str) -> Option<f64> {
    system.groups.get(group)?.means.get(metric).copied()
}

fn recall(suite: &SuiteSummary) -> Plot {
    let points = |system: &SystemSummary| {
        let mut points = Vec::new();
        for budget in BUDGETS {
            let recall = mean(system, ALL, &recall_at_tokens(budget));
            points.extend(recall.map(|recall| (f64::from(budget), recall)));
        }
        points
    };
    let title = format!("{}: recall against tokens read", suite.name);
    let axes = Axes {
        title: &title,
        x: "tokens",
        y: "recall",
    };
    let mut series = series(suite, points);
    series.retain(|one| one.name != PROGRAM);
    plot(suite, "recall", lines(&axes, &series))
}

fn languages(suite: &SuiteSummary) -> Plot {
    let names = groups(suite, LANGUAGE);
    let points = |system: &SystemSummary| {
        let mut points = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let mean = mean(system, &format!("{LANGUAGE}{name}"), NDCG_FILE);
            points.extend(mean.map(|mean| (at as f64, mean)));
        }
        points
    };
    let title = format!("{}: NDCG@10 (file) by language", suite.name);
    let axes = Axes {
        title: &title,
        x: "",
        y: "NDCG@10 file",
    };
    let mut series = series(suite, points);
    series.retain(|one| one.name != PROGRAM);
    series.truncate(BARS);
    plot(suite, "languages", bars(&axes, &names, &series))
}

/// The systems that have points.
fn series(suite: &SuiteSummary, points: impl Fn(&SystemSummary) -> Vec<(f64, f64)>) -> Vec<Series> {
    let mut series = Vec::new();
    for system in &suite.systems {
        let points = points(system);
        if !points.is_empty() {
            let name = system.name.clone();
            series.push(Series { name, points });
        }
    }
    series
}

/// The development split goes by the suite's name alone.
pub(super) fn file_stem(suite: &SuiteSummary) -> String {
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
