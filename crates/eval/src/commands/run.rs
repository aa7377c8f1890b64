//! `scent-eval run`

use super::{Plan, now};
use crate::args::Run;
use anyhow::{Context, bail};
use scent_eval::matrix::Chosen;
use scent_eval::store::{Manifest, Named, Store, check_name};
use scent_eval::suite::Choice;
use scent_eval::system::PeerList;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) fn run(args: Run) -> anyhow::Result<ExitCode> {
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| name_of(args.config.as_deref()));
    check_name(&name)?;
    let weights = match &args.config {
        Some(file) => fs::read_to_string(file).with_context(|| file.display().to_string())?,
        None => String::new(),
    };
    let mut chosen = vec![Chosen::Scent(Named {
        name,
        weights: Some(weights),
        model: None,
    })];
    let mut peers = args.peers.clone();
    if peers.iter().any(|peer| peer == "all") {
        peers = PeerList::read(&args.options.peers_dir)?.names();
    }
    for name in peers {
        chosen.push(Chosen::Peer(name.trim().to_owned()));
    }
    let choice = Choice {
        split: args.options.split.clone(),
        only: args.only.clone(),
    };
    let cache = args
        .options
        .cache
        .clone()
        .unwrap_or_else(|| args.out.join("cache"));
    let mut plan = Plan::new(
        &args.suites,
        &args.corpora,
        &choice,
        &chosen,
        &args.options,
        cache,
    )?;
    let folder = if args.resume {
        newest(&args.out)?
    } else {
        fresh(&args.out)
    };
    let store = Store::new(&folder);
    if args.resume {
        check_same(&store.manifest()?, &plan.manifest)?;
    }
    let summary = plan.carry_out(&store, &|_| true, args.options.quiet)?;
    super::score::print(&summary);
    println!("\n{}", folder.join("RESULTS.md").display());
    Ok(ExitCode::SUCCESS)
}

/// scent with other weights than users have goes by the name of their file.
fn name_of(config: Option<&Path>) -> String {
    let stem = config
        .and_then(Path::file_stem)
        .map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| "scent".to_owned())
}

/// A run that goes on is the same run: another one would lose its answers.
fn check_same(before: &Manifest, now: &Manifest) -> anyhow::Result<()> {
    let asked = |m: &Manifest| {
        (
            m.suites.clone(),
            m.corpora.clone(),
            m.split.clone(),
            m.only.clone(),
            m.systems.clone(),
        )
    };
    if asked(before) != asked(now) {
        bail!(
            "the newest run asked something else: `{}`; leave --resume out to begin another",
            before.command.join(" ")
        );
    }
    Ok(())
}

/// A folder that is called after the time.
fn fresh(out: &Path) -> PathBuf {
    let time = now().replace(':', "-");
    let mut folder = out.join(&time);
    let mut number = 0;
    while folder.exists() {
        number += 1;
        folder = out.join(format!("{time}.{number}"));
    }
    folder
}

fn newest(out: &Path) -> anyhow::Result<PathBuf> {
    let runs = fs::read_dir(out)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|path| path.join("run.json").exists());
    match runs.max() {
        Some(run) => Ok(run),
        None => bail!("{}: there is no run to go on with", out.display()),
    }
}
