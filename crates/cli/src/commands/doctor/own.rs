//! Checks of scent itself: the program, its settings, where it keeps indexes,
//! its model, and the index of the current project.

use super::{ok, problem, warning};
use crate::args::GlobalArgs;
use crate::commands::engine_for;
use crate::config::Config;
use scent_engine::{Engine, canonical, display_path, is_in_project, is_risky, targets};
use scent_print::wire::Check;
use scent_print::{count, size};
use scent_types::{Freshness, Status};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

pub(super) fn checks(program: &str, flags: &GlobalArgs) -> Vec<Check> {
    let mut checks = vec![of_program(program)];
    let here = targets(&[PathBuf::from(".")], flags.exact).unwrap_or_default();
    let root = here.first().map(|target| target.root.clone());
    let config = match Config::load(root.as_deref(), flags) {
        Ok(config) => config,
        Err(error) => {
            let advice = "`scent config show` lists the settings";
            checks.push(problem("settings", format!("{error:#}"), advice));
            return checks;
        }
    };
    for text in &config.notes {
        let advice = "`scent config show` lists what counts";
        checks.push(warning("settings", text, advice));
    }
    checks.push(of_data(&config));
    match engine_for(&config) {
        Ok(engine) => {
            checks.push(of_model(&engine));
            checks.push(of_index(&engine, &config, root));
        }
        Err(error) => {
            let advice = "`scent model use small` chooses the model inside the program";
            checks.push(problem("model", format!("{error:#}"), advice));
        }
    }
    checks
}

/// Whether the program that a shell finds is this one.
fn of_program(program: &str) -> Check {
    let own = Path::new(program);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("scent{}", std::env::consts::EXE_SUFFIX);
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(&name));
    let first = found.find(|path| path.is_file());
    match first {
        Some(first) if canonical(&first).ok() != canonical(own).ok() => warning(
            "program",
            format!("a shell finds {} instead", first.display()),
            "remove one of them, or change their order in PATH",
        ),
        Some(_) => ok("program", "is the one that a shell finds"),
        None => warning(
            "program",
            "is in no folder of PATH, so instructions that name commands do not work",
            "put it into one",
        ),
    }
}

fn of_data(config: &Config) -> Check {
    let part = "data";
    let folder = match config.data_dir() {
        Ok(folder) => folder,
        Err(error) => return problem(part, format!("{error:#}"), "set SCENT_DATA_DIR"),
    };
    let check = match written_to(&folder) {
        Ok(()) => {
            let indexes = Engine::new(&folder, scent_engine::Settings::default()).indexes();
            let bytes = indexes.iter().map(|index| index.bytes).sum();
            let number = count(indexes.len(), "index");
            ok(part, format!("can be written; {number}, {}", size(bytes)))
        }
        Err(error) => problem(
            part,
            format!("cannot be written: {error}"),
            "make it writable, or name another with data_dir or SCENT_DATA_DIR",
        ),
    };
    Check {
        path: Some(display_path(&folder)),
        ..check
    }
}

/// Tries to write to a folder, or where it would be made.
fn written_to(folder: &Path) -> std::io::Result<()> {
    let there = folder.ancestors().find(|above| above.exists());
    let file = there
        .unwrap_or(folder)
        .join(format!(".scent-{}.tmp", std::process::id()));
    File::create_new(&file)?;
    fs::remove_file(file)
}

fn of_model(engine: &Engine) -> Check {
    match engine.models() {
        Ok(models) => {
            let names: Vec<String> = models.iter().map(|model| model.name.clone()).collect();
            let kernel = engine.kernel();
            ok(
                "model",
                format!("{}, computed by {kernel}", names.join(" and ")),
            )
        }
        Err(error) => problem(
            "model",
            error.to_string(),
            "`scent model` explains the setting; `scent model use small` needs nothing",
        ),
    }
}

fn of_index(engine: &Engine, config: &Config, root: Option<PathBuf>) -> Check {
    let part = "index";
    let Some(root) = root.filter(|root| is_in_project(root) && !is_risky(root)) else {
        return ok(part, "the current folder is in no project");
    };
    let found = match config.settings() {
        Ok(settings) => {
            let project = engine.open_with(&root, settings);
            match project.is_indexed() {
                true => project.status().map(|status| of_status(&status)),
                false => Ok(ok(part, "not made yet; the first question makes it")),
            }
        }
        Err(error) => return problem(part, format!("{error:#}"), "correct the settings"),
    };
    let check = found.unwrap_or_else(|error| {
        let advice = "`scent index --rebuild` makes it from scratch";
        problem(part, error.to_string(), advice)
    });
    Check {
        path: Some(display_path(&root)),
        ..check
    }
}

fn of_status(status: &Status) -> Check {
    let part = "index";
    let units = count(status.units as usize, "unit");
    let has = format!("{}, {units}", count(status.files, "file"));
    let waiting: u64 = status.embeddings.iter().map(|e| e.waiting).sum();
    if status.backlog.is_some() || waiting > 0 {
        let what = format!("{has}; not complete yet, which the background worker is for");
        return warning(part, what, "`scent index --wait` completes it");
    }
    match status.freshness {
        Freshness::Fresh => ok(part, format!("{has}; up to date")),
        Freshness::Stale { changed, removed } => {
            let changed = count(changed, "file");
            let what = format!("{has}; the next question sees that {changed} changed");
            ok(part, format!("{what} and {removed} went"))
        }
        Freshness::Outdated => warning(
            part,
            format!("{has}; made by another version or with other settings"),
            "the next question makes it again, or `scent index` does now",
        ),
    }
}
