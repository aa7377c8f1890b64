//! The binary `scent`: what was typed, what it means, and how it ended.

mod args;
mod commands;
mod config;
#[doc(hidden)]
pub mod fuzzing;
mod input;
mod output;
mod progress;

use args::{Cli, Command, SearchArgs};
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;

/// How a run ended, in grep's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Found,
    Nothing,
}

/// Does what was typed.
pub fn main() -> ExitCode {
    scent_engine::make_files_private();
    hide_caught_panics();
    let is_command = |word: &str| Cli::command().find_subcommand(word).is_some();
    let args = command_first(std::env::args_os().collect(), is_command);
    let cli = Cli::try_parse_from(&args).unwrap_or_else(|error| misused(&args, &error));
    match run(cli) {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::say_error(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// A panic that the engine catches is an error that it tells, or heals.
fn hide_caught_panics() {
    let show = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !scent_engine::is_guarded() {
            show(panic);
        }
    }));
}

/// Says what is wrong with the arguments, or gives the help that was asked for.
/// clap writes colours between what was typed, so it is asked again about what
/// was typed without what a terminal obeys.
fn misused(args: &[OsString], error: &clap::Error) -> ! {
    let shown = args
        .iter()
        .map(|arg| output::one_line(&arg.to_string_lossy()));
    if let Err(error) = Cli::try_parse_from(shown) {
        error.exit();
    }
    output::say_error(&error.to_string());
    std::process::exit(error.exit_code());
}

/// Puts a command before the flags that hold for every command, so that
/// `scent --quiet index` is the same as `scent index --quiet`.
fn command_first(mut args: Vec<OsString>, is_command: impl Fn(&str) -> bool) -> Vec<OsString> {
    let mut at = 1;
    while let Some(flag) = args.get(at).and_then(|arg| arg.to_str()) {
        at += match flag {
            "--data-dir" | "--color" | "--model" => 2,
            "--exact" | "--yes" | "-y" | "--quiet" | "-q" => 1,
            _ if ["--data-dir=", "--color=", "--model="]
                .iter()
                .any(|f| flag.starts_with(f)) =>
            {
                1
            }
            _ => break,
        };
    }
    if args
        .get(at)
        .and_then(|arg| arg.to_str())
        .is_some_and(is_command)
    {
        args[1..=at].rotate_right(1);
    }
    args
}

fn run(cli: Cli) -> anyhow::Result<Outcome> {
    let Some(command) = cli.command else {
        return commands::search::run(cli.search, &cli.global);
    };
    match command {
        Command::Explain(search) => {
            let search = SearchArgs {
                explain: true,
                ..*search
            };
            commands::search::run(search, &cli.global)
        }
        Command::Search(search) => commands::search::run(*search, &cli.global),
        Command::Similar(similar) => commands::similar::run(similar, &cli.global),
        Command::Def(def) => commands::lookup::define(def, &cli.global),
        Command::Refs(refs) => commands::lookup::refer(refs, &cli.global),
        Command::Deps(deps) => commands::lookup::depend(deps, &cli.global),
        Command::Impact(impact) => commands::lookup::impact(impact, &cli.global),
        Command::Path(path) => commands::lookup::path(path, &cli.global),
        Command::Outline(outline) => commands::outline::run(outline, &cli.global),
        Command::Index(index) => commands::index::run(index, &cli.global),
        Command::Status(status) => commands::status::run(status, &cli.global),
        Command::Clear(clear) => commands::clear::run(clear, &cli.global),
        Command::Languages(languages) => commands::languages::run(languages),
        Command::Worker => commands::worker::run(&cli.global),
        Command::Units(units) => commands::units::run(units, &cli.global),
        Command::Model(model) => commands::model::run(model, &cli.global),
        Command::Config(config) => commands::config::run(config, &cli.global),
        Command::Completions { shell } => commands::generate::completions(shell),
        Command::Man => commands::generate::man_page(),
    }
}
