//! `scent-eval names`

use super::sample::{Drawn, Repository};
use crate::args::Sample;
use scent_eval::names::is_compound;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// A page of results.
const PAGE: usize = 10;

/// How many of the worst names are printed.
const WORST: usize = 15;

/// What a search for a name gave.
struct Searched {
    repository: String,
    name: String,
    /// Results that hold it.
    holding: usize,
    /// How many there could be on the page.
    possible: usize,
    /// Whether the first result is called so.
    is_first: bool,
}

pub(crate) fn run(args: Sample) -> anyhow::Result<ExitCode> {
    let mut drawn = Drawn::new(&args)?;
    let mut random = drawn.random.fork();
    let repositories: usize = drawn.suites.iter().map(|suite| suite.corpora.len()).sum();
    let many = args.number.div_ceil(repositories.max(1));
    let mut all = Vec::new();
    for suite in &drawn.suites {
        for corpus in &suite.corpora {
            let repository = drawn.open(&suite.name, corpus)?;
            for name in repository.files.draw_names(many, &mut random) {
                all.push(search(&repository, name)?);
            }
            eprintln!("{}", repository.name);
        }
    }
    println!(
        "seed {}: {} names over {repositories} repositories",
        args.seed,
        all.len()
    );
    print(&all);
    Ok(ExitCode::SUCCESS)
}

fn search(repository: &Repository, name: String) -> anyhow::Result<Searched> {
    let hits = repository.search(&name, PAGE)?;
    let files = &repository.files;
    let holding = hits
        .iter()
        .filter(|hit| files.holds(&hit.path, hit.lines, &name));
    let holding = holding.count();
    let possible = files.units_with(&name).min(PAGE);
    Ok(Searched {
        repository: repository.name.clone(),
        // Passages of one unit are several results so far.
        holding: holding.min(possible),
        possible,
        is_first: hits.first().is_some_and(|hit| hit.name == name),
        name,
    })
}

fn print(all: &[Searched]) {
    println!(
        "{:32} {:>5} {:>10} {:>6}  {:>10}",
        "", "names", "hold it", "share", "named first"
    );
    let mut groups: BTreeMap<&str, Vec<&Searched>> = BTreeMap::new();
    for one in all {
        let shape = if is_compound(&one.name) {
            "several words"
        } else {
            "one word"
        };
        for group in ["all", shape, &one.repository] {
            groups.entry(group).or_default().push(one);
        }
    }
    for (label, group) in &groups {
        print_group(label, group);
    }
    let mut worst: Vec<&Searched> = all.iter().collect();
    worst.sort_by_key(|one| one.holding as isize - one.possible as isize);
    println!("\nthe worst");
    for one in worst.into_iter().take(WORST) {
        println!(
            "  {} of {}  {} ({})",
            one.holding, one.possible, one.name, one.repository
        );
    }
}

fn print_group(label: &str, group: &[&Searched]) {
    let holding: usize = group.iter().map(|one| one.holding).sum();
    let possible: usize = group.iter().map(|one| one.possible).sum();
    let first = group.iter().filter(|one| one.is_first).count();
    println!(
        "{label:32} {:5} {:>10} {:6.3}  {:10.3}",
        group.len(),
        format!("{holding}/{possible}"),
        holding as f64 / possible.max(1) as f64,
        first as f64 / group.len() as f64
    );
}
