//! The binary `scent-eval`: how good the search is, measured.

mod args;
mod commands;
mod progress;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(run) => commands::run::run(run),
        Command::Score(score) => commands::score::run(score),
        Command::Compare(compare) => commands::compare::run(compare),
        Command::Matrix(matrix) => commands::matrix::run(matrix),
        Command::Worst(worst) => commands::worst::run(worst),
        Command::Gate(gate) => commands::gate::run(gate),
        Command::Own(own) => commands::own::run(own),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("scent-eval: {error:#}");
            ExitCode::from(2)
        }
    }
}
