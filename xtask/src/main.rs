//! The repository's own rules: `cargo run -p xtask -- tidy`; whether its
//! dependencies may be built in: `licences`; how dense its code is: `density`;
//! attacks on the program: `faults`; and the page about languages: `languages`.

mod density;
mod faults;
mod languages;
mod lexer;
mod licences;
mod tidy;

use anyhow::Context;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo run -p xtask -- tidy | licences | density | languages | faults";

fn main() -> anyhow::Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy::run(root()?),
        ["faults", "-h" | "--help"] => {
            println!("{}", faults::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        ["faults", ..] => faults::run(&words[1..]),
        ["density", "-h" | "--help"] => {
            print!("{}", density::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        ["density"] => density::run(root()?),
        ["density", folder] => density::run(Path::new(folder)),
        ["languages"] => languages::run(root()?),
        ["licences"] => licences::run(root()?),
        ["-h" | "--help"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprintln!("{USAGE}");
            Ok(ExitCode::from(2))
        }
    }
}

/// The folder of the workspace, from wherever this was called.
fn root() -> anyhow::Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("xtask lies in the workspace")
}
