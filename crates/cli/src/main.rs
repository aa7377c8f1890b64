//! The binary `scent`: what was typed, what it means, and how it ended.

mod args;
mod commands;
mod config;
mod output;
mod progress;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// How a run ended, in grep's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Found,
    Nothing,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scent: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Outcome> {
    let Some(command) = cli.command else {
        return commands::search::run(cli.search, &cli.global);
    };
    match command {
        Command::Search(search) => commands::search::run(*search, &cli.global),
        Command::Index(index) => commands::index::run(index, &cli.global),
        Command::Status(status) => commands::status::run(status, &cli.global),
        Command::Clear(clear) => commands::clear::run(clear, &cli.global),
        Command::Languages(languages) => commands::languages::run(languages),
        Command::Config(config) => commands::config::run(config, &cli.global),
        Command::Completions { shell } => commands::generate::completions(shell),
        Command::Man => commands::generate::man_page(),
    }
}
