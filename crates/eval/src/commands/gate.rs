//! `scent-eval gate`

use crate::args::Gate as Args;
use anyhow::Context;
use scent_eval::gate::{Gate, Verdict};
use scent_eval::store::Cell;
use scent_eval::summary::{Summary, summarise};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (store, manifest) = super::open_run(&args.run)?;
    let cells = store.cells(&manifest)?;
    let summary = summarise(&cells, &manifest.systems);
    judge(&args.file, &summary, &cells)
}

/// Prints every floor; fails where one is missed.
pub(crate) fn judge(file: &Path, summary: &Summary, cells: &[Cell]) -> anyhow::Result<ExitCode> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let gate = Gate::parse(&text).map_err(anyhow::Error::msg);
    let gate = gate.with_context(|| file.display().to_string())?;
    let mut code = ExitCode::SUCCESS;
    for Verdict { holds, says } in gate.judge(summary, cells) {
        let word = if holds { "ok    " } else { "MISSED" };
        println!("{word}  {says}");
        if !holds {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}
