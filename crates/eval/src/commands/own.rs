//! `scent-eval self`: the suite over this repository's own source.

use super::Plan;
use crate::args::{AskOptions, Own};
use anyhow::{Context, bail};
use scent_eval::matrix::Chosen;
use scent_eval::ranks::{Ranks, ranks_of};
use scent_eval::store::{Named, Store};
use scent_eval::suite::{Choice, commit_of};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The ranks that are committed, beside the suite.
const RANKS: &str = "ranks.tsv";

/// The floors, beside the suite.
const FLOORS: &str = "floor.toml";

pub(crate) fn run(args: Own) -> anyhow::Result<ExitCode> {
    let commit = commit_of(&args.suite)?;
    let corpora = args.work.join("corpora");
    check_out(&commit, &args.suite, &corpora.join("scent"))?;
    let options = AskOptions {
        split: None,
        allow_drift: false,
        peers_dir: PathBuf::new(),
        patience: 60,
        cache: None,
        quiet: true,
    };
    let chosen = [Chosen::Scent(Named {
        name: "scent".into(),
        weights: Some(String::new()),
        model: None,
    })];
    let suites = [args.suite.clone()];
    let cache = args.work.join("cache");
    let mut plan = Plan::new(
        &suites,
        &corpora,
        &Choice::default(),
        &chosen,
        &options,
        cache,
    )?;
    let store = Store::new(&args.work.join("run"));
    let summary = plan.carry_out(&store, &|_| true, true)?;
    super::score::print(&summary);
    let cells = store.cells(&plan.manifest)?;
    let now = ranks_of(&cells);
    let file = args.suite.join(RANKS);
    if args.accept {
        fs::write(&file, now.to_tsv()?).with_context(|| file.display().to_string())?;
    } else {
        print_changes(&file, &now)?;
    }
    println!();
    let has_failures = summary
        .suites
        .iter()
        .any(|suite| !suite.failures.is_empty());
    if has_failures || !plan.manifest.left_out.is_empty() {
        bail!("some questions of the suite were not asked or not answered");
    }
    super::gate::judge(&args.suite.join(FLOORS), &summary, &cells)
}

fn print_changes(file: &Path, now: &Ranks) -> anyhow::Result<()> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let before = Ranks::from_tsv(&text).with_context(|| file.display().to_string())?;
    let changes = before.changes(now);
    println!(
        "\n{} ranks changed against {}, {} questions are new or removed",
        changes.len(),
        file.display(),
        before.unmatched(now)
    );
    for change in &changes {
        println!("  {change}");
    }
    if !changes.is_empty() {
        println!("`scent-eval self --accept` accepts the ranks as they are now");
    }
    Ok(())
}

/// Checks the pinned commit out as a folder of files, unless it is there.
fn check_out(commit: &str, suite: &Path, folder: &Path) -> anyhow::Result<()> {
    let done = folder.with_extension("commit");
    if fs::read_to_string(&done).is_ok_and(|known| known == commit) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let repository = repository_of(suite)?;
    let mut archive = Command::new("git")
        .arg("-C")
        .arg(&repository)
        .args(["archive", "--format=tar", &format!("{commit}^{{tree}}")])
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start git")?;
    let tar = archive.stdout.take().context("git has no output")?;
    let unpacked = Command::new("tar")
        .arg("-x")
        .arg("-C")
        .arg(folder)
        .stdin(tar)
        .status();
    let packed = archive.wait()?;
    if !packed.success() || !unpacked.context("cannot start tar")?.success() {
        bail!(
            "cannot check out commit {commit}; in a shallow clone, \
             run `git fetch --unshallow` first"
        );
    }
    fs::write(&done, commit)?;
    Ok(())
}

/// The folder of the repository that holds a suite: from inside it, git would
/// pack only what lies below.
fn repository_of(suite: &Path) -> anyhow::Result<PathBuf> {
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(suite)
        .args(["rev-parse", "--show-toplevel"]);
    let output = git.output().context("cannot start git")?;
    if !output.status.success() {
        bail!("{}: not in a git repository", suite.display());
    }
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim_end()))
}
