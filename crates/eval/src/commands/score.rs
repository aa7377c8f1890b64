//! `scent-eval score`

use crate::args::Score;
use scent_eval::metrics::{F1, NDCG_CHUNK, NDCG_FILE};
use scent_eval::summary::{ALL, CATEGORY, Summary, SystemSummary};
use std::process::ExitCode;

pub(crate) fn run(args: Score) -> anyhow::Result<ExitCode> {
    let (store, manifest) = super::open_run(&args.run)?;
    let summary = super::write_report(&store, &manifest)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        print(&summary);
    }
    Ok(ExitCode::SUCCESS)
}

/// The main numbers of every suite, for a terminal.
pub(crate) fn print(summary: &Summary) {
    for suite in &summary.suites {
        println!(
            "\n{} ({}): {} questions, repositories: {}",
            suite.name, suite.split, suite.questions, suite.corpora
        );
        for system in &suite.systems {
            if system.groups.contains_key(ALL) {
                print_group(&system.name, system, ALL);
            } else {
                println!("{}", system.name);
            }
            for group in system.groups.keys() {
                if let Some(category) = group.strip_prefix(CATEGORY) {
                    print_group(&format!("  {category}"), system, group);
                }
            }
        }
        for one in &suite.partial {
            println!(
                "{}: answered {}, failed at {}",
                one.name, one.answered, one.failed
            );
        }
        for failure in &suite.failures {
            println!("  ! {failure}");
        }
    }
}

fn print_group(label: &str, system: &SystemSummary, group: &str) {
    let Some(found) = system.groups.get(group) else {
        return;
    };
    let mut line = format!("{label:24}");
    let metrics = [
        (NDCG_CHUNK, "lines"),
        (NDCG_FILE, "file"),
        ("shown@1", "shown@1"),
        ("shown@10", "shown@10"),
        ("hit@1", "hit@1"),
        ("hit@5", "hit@5"),
        ("mrr", "mrr"),
        ("recall@10", "recall@10"),
        ("precision", "precision"),
        ("recall", "recall"),
        (F1, "f1"),
    ];
    for (metric, title) in metrics {
        if let Some(mean) = found.means.get(metric) {
            line += &format!("  {title} {mean:.3}");
        }
    }
    if group == ALL {
        line += &format!("  p50 {:.2} ms", system.speed.p50_ms);
    }
    println!("{line}");
}
