//! Writing to the terminal.

use crate::args::GlobalArgs;
use crate::config::Config;
use std::io::{IsTerminal, Write};

/// Writes to standard output all at once.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// A word to the user beside the results.
pub(crate) fn note(flags: &GlobalArgs, text: &str) {
    if !flags.quiet {
        eprintln!("scent: {text}");
    }
}

/// Whether the reader went away, as `scent … | head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

pub(crate) fn use_color(config: &Config) -> bool {
    match config.get("output.color") {
        "always" => true,
        "never" => false,
        _ => {
            std::io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        }
    }
}

/// A number with its noun: `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let ending = match (number, noun.ends_with('x')) {
        (1, _) => "",
        (_, true) => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}

/// A size for people.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}
