//! The binary `scent-eval`: how good the search is, measured.

mod args;
mod commands;
mod progress;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    quiet_when_nobody_reads();
    let done = match Cli::parse().command {
        Command::Run(run) => commands::run::run(run),
        Command::Score(score) => commands::score::run(score),
        Command::Compare(compare) => commands::compare::run(compare),
        Command::Matrix(matrix) => commands::matrix::run(matrix),
        Command::Worst(worst) => commands::worst::run(worst),
        Command::Gate(gate) => commands::gate::run(gate),
        Command::Candidates(candidates) => commands::candidates::run(candidates),
        Command::Names(names) => commands::names::run(names),
        Command::Quoted(quoted) => commands::quoted::run(quoted),
        Command::Symbols(symbols) => commands::symbols::run(symbols),
        Command::Context(context) => commands::context::run(context),
        Command::Agent(agent) => commands::agent::run(agent),
        Command::Issues(issues) => commands::issues::run(issues),
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

/// Whoever pipes into `head` has seen enough: that is no failure to report.
fn quiet_when_nobody_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let says = info
            .payload()
            .downcast_ref::<String>()
            .map(String::as_str)
            .unwrap_or_default();
        if says.starts_with("failed printing to stdout") {
            std::process::exit(0);
        }
        usual(info);
    }));
}
