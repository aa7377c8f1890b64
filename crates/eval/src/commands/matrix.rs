//! `scent-eval matrix`

use super::Plan;
use crate::args::Matrix as Args;
use anyhow::{Context, bail};
use scent_eval::matrix::Matrix;
use scent_eval::store::Store;
use scent_eval::suite::Choice;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let matrix = Matrix::read(&args.file)?;
    let corpora = args.corpora.clone().or_else(|| matrix.corpora.clone());
    let corpora = corpora.context("give --corpora, or `corpora` in the file of variants")?;
    let suites = if args.suites.is_empty() {
        &matrix.suites
    } else {
        &args.suites
    };
    if suites.is_empty() {
        bail!("name suites after the file of variants, or in it as `suites`");
    }
    let chosen = matrix.chosen();
    let wanted = |name: &str| args.only.as_ref().is_none_or(|only| only.is_match(name));
    if !chosen.iter().any(|one| wanted(one.name())) {
        bail!("no variant of {} matches", args.file.display());
    }
    let choice = Choice {
        split: args.options.split.clone(),
        only: None,
    };
    let cache = args
        .options
        .cache
        .clone()
        .unwrap_or_else(|| args.out.join("cache"));
    let mut plan = Plan::new(suites, &corpora, &choice, &chosen, &args.options, cache)?;
    if let Some(folder) = args.report.as_ref().and_then(|report| report.parent()) {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let store = Store::new(&args.out);
    let summary = plan.carry_out(&store, &wanted, args.options.quiet)?;
    super::score::print(&summary);
    if let Some(report) = &args.report {
        copy_report(&args.out, report)?;
    }
    println!("\n{}", args.out.join("RESULTS.md").display());
    Ok(ExitCode::SUCCESS)
}

/// The report and its plots go to a folder of documentation.
fn copy_report(out: &PathBuf, report: &PathBuf) -> anyhow::Result<()> {
    fs::copy(out.join("RESULTS.md"), report).with_context(|| report.display().to_string())?;
    let folder = report.parent().map(PathBuf::from).unwrap_or_default();
    for entry in fs::read_dir(out)?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "svg") {
            fs::copy(&path, folder.join(entry.file_name()))?;
        }
    }
    Ok(())
}
