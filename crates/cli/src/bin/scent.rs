//! The binary `scent`.

use std::process::ExitCode;

fn main() -> ExitCode {
    scent_cli::main()
}
