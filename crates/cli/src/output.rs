//! Writing to the terminal.
//!
//! All that the program writes goes through here, and everything here writes
//! [`Text`], so nothing that a file, a setting or an argument holds reaches the
//! terminal as it is. `xtask tidy` keeps other files from writing.

use crate::args::GlobalArgs;
use crate::config::Config;
use scent_print::{Text, note_text};
use scent_types::Note;
use std::io::{IsTerminal, Write};

/// Writes to standard output all at once. A string may have several lines; put
/// what could hold a line end of its own into a [`Text::line`].
pub(crate) fn print(text: impl Into<Text>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.into().as_str().as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a note beside the results, unless notes are suppressed.
pub(crate) fn note(flags: &GlobalArgs, text: &str) {
    if !flags.quiet {
        say(text);
    }
}

/// Prints the notes of an answer, unless notes are suppressed.
pub(crate) fn print_notes(flags: &GlobalArgs, notes: &[Note]) {
    for about in notes {
        note(flags, &note_text(about));
    }
}

/// Prints a line beside the results, quiet or not.
pub(crate) fn say(text: &str) {
    write_beside(&Text::line(&format!("scent: {text}")));
}

/// Prints an error. Further lines are indented, so that none of them looks like
/// a message of its own.
pub(crate) fn say_error(text: &str) {
    let mut lines = text.trim_end().lines();
    say(lines.next().unwrap_or(""));
    for line in lines {
        write_beside(&Text::line(&format!("    {line}")));
    }
}

/// A text for a place that has room for one line, such as a progress bar.
pub(crate) fn one_line(text: &str) -> String {
    Text::line(text).as_str().trim_end_matches('\n').to_owned()
}

/// Failing is ignored: there is nowhere left to report it.
fn write_beside(text: &Text) {
    let _ = std::io::stderr().lock().write_all(text.as_str().as_bytes());
}

/// Whether standard error is a terminal.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether the reader went away, as `scent … | head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Whether to print colors: as configured, or else on a terminal unless
/// `NO_COLOR` is set.
pub(crate) fn use_color(config: &Config) -> bool {
    match config.get("output.color") {
        "always" => true,
        "never" => false,
        _ => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            std::io::stdout().is_terminal() && !no_color
        }
    }
}
