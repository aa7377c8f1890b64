//! `scent-eval worst`

use crate::args::Worst;
use anyhow::{Context, bail};
use scent_eval::metrics::{less_is_better, score};
use scent_eval::row::{Row, Task};
use scent_eval::store::{Manifest, Named};
use scent_eval::suite::{Choice, Corpus, Suite};
use scent_eval::view;
use scent_eval::worst::{Fate, Lost, Replay};
use scent_types::Lines;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::process::ExitCode;

pub(crate) fn run(args: Worst) -> anyhow::Result<ExitCode> {
    let (store, manifest) = super::open_run(&args.run)?;
    let system = chosen(&manifest, args.system.as_deref())?;
    let only = Manifest {
        systems: vec![system.clone()],
        ..manifest.clone()
    };
    let cells = store.cells(&only)?;
    let wanted = |row: &&Row| {
        let name = format!("{}/{}", row.suite, row.corpus);
        row.task == Task::Search && args.only.as_ref().is_none_or(|only| only.is_match(&name))
    };
    let rows = cells.iter().flat_map(|cell| &cell.rows).filter(wanted);
    let mut scored: Vec<(f64, &Row)> = rows
        .filter_map(|row| Some((*score(row)?.get(&args.metric)?, row)))
        .collect();
    let sign = if less_is_better(&args.metric) {
        -1.0
    } else {
        1.0
    };
    scored.sort_by(|a, b| (sign * a.0).total_cmp(&(sign * b.0)));
    scored.truncate(args.number);
    if scored.is_empty() {
        bail!(
            "no question about words that --only chooses has the metric {}: \
             questions.csv of the run lists what there is",
            args.metric
        );
    }
    replay(&manifest, system, &scored)
}

fn chosen<'m>(manifest: &'m Manifest, name: Option<&str>) -> anyhow::Result<&'m Named> {
    let mut ours = manifest
        .systems
        .iter()
        .filter(|system| system.weights.is_some());
    match name {
        Some(name) => ours.find(|system| system.name == name),
        None => ours.next(),
    }
    .context("no such system of ours in this run: only scent can be replayed")
}

fn replay(manifest: &Manifest, system: &Named, scored: &[(f64, &Row)]) -> anyhow::Result<ExitCode> {
    let corpora = corpora(manifest)?;
    let mut replays: HashMap<(&str, &str), Replay> = HashMap::new();
    let mut causes: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (value, row) in scored {
        let replay = match replays.entry((row.suite.as_str(), row.corpus.as_str())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(replay_of(manifest, system, &corpora, row)?),
        };
        let fates = replay.fates(row)?;
        print(*value, row, &fates);
        for fate in &fates {
            *causes.entry(cause(&fate.lost)).or_default() += 1;
        }
    }
    println!("\ntargets of these {} questions:", scored.len());
    for (cause, times) in causes {
        println!("{times:6}  {cause}");
    }
    Ok(ExitCode::SUCCESS)
}

fn replay_of(
    manifest: &Manifest,
    system: &Named,
    corpora: &HashMap<(String, String), Corpus>,
    row: &Row,
) -> anyhow::Result<Replay> {
    let corpus = corpora.get(&(row.suite.clone(), row.corpus.clone()));
    let corpus = corpus.with_context(|| format!("{}: missing corpus", row.corpus))?;
    let view = view::lay_out(corpus, &row.suite, &manifest.cache)?;
    Replay::new(system, &view, &corpus.root, &manifest.cache)
}

fn corpora(manifest: &Manifest) -> anyhow::Result<HashMap<(String, String), Corpus>> {
    let mut found = HashMap::new();
    for folder in &manifest.suites {
        let suite = Suite::read(folder, &manifest.corpora, &Choice::default())?;
        for corpus in suite.corpora {
            let key = (suite.name.clone(), corpus.name.clone());
            found.insert(key, corpus);
        }
    }
    Ok(found)
}

fn print(value: f64, row: &Row, fates: &[Fate]) {
    println!(
        "\n{value:.3}  {}/{}  {:?}  ({})",
        row.suite, row.corpus, row.query, row.category
    );
    for fate in fates {
        let target = &fate.target;
        let place = place(&target.path, target.lines);
        let mut ranks = Vec::new();
        for (stage, rank) in &fate.ranks {
            ranks.push(format!("{stage} #{rank}"));
        }
        println!("    {place}: {} [{}]", fate.lost, ranks.join(", "));
    }
    let hits = row
        .answered()
        .map(|answer| answer.hits.as_slice())
        .unwrap_or_default();
    let right = |path: &str| fates.iter().any(|fate| fate.target.path == path);
    for hit in hits.iter().filter(|hit| !right(&hit.path)).take(3) {
        println!("      instead: {}", place(&hit.path, hit.lines));
    }
}

fn place(path: &str, lines: Option<Lines>) -> String {
    match lines {
        Some(lines) => format!("{path}:{lines}"),
        None => path.to_owned(),
    }
}

fn cause(lost: &Lost) -> &'static str {
    match lost {
        Lost::No => "on the first page",
        Lost::NotIndexed(_) => "not indexed",
        Lost::NotRetrieved => "not retrieved by any lane",
        Lost::RankedLow { .. } => "ranked low by every lane",
        Lost::At { stage, .. } => stage,
    }
}
