//! What a server says of its work, one line each.

use std::io::Write;
use tracing::level_filters::LevelFilter;

/// How lines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For programs, an object a line.
    Json,
}

/// Begins to write what the server does to where `writer` leads: what goes wrong,
/// and with `requests` a line for each answer. Neither holds what was asked.
pub fn start_logging<W: Write + 'static>(
    format: LogFormat,
    requests: bool,
    writer: fn() -> W,
) -> bool {
    let level = match requests {
        true => LevelFilter::INFO,
        false => LevelFilter::WARN,
    };
    // Crates below have lines of their own, which say what they were given.
    let builder = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false)
        .with_writer(writer);
    let started = match format {
        LogFormat::Text => builder.compact().try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    started.is_ok()
}
