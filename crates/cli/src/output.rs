//! Writing to the terminal.
//!
//! All that the program writes goes through here, and everything here writes
//! [`Text`], so nothing that a file, a setting or an argument holds reaches the
//! terminal as it is. `xtask tidy` keeps other files from writing.

use crate::args::GlobalArgs;
use crate::config::Config;
use scent_print::{Layout, Text, note_text};
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

/// Writes lines of a log to standard error, each of them a text like all
/// others.
pub(crate) struct LogLines;

impl Write for LogLines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let text: Text = text.lines().map(Text::line).collect();
        std::io::stderr()
            .lock()
            .write_all(text.as_str().as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
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

/// How to lay out JSON: indented for people, on one line for programs.
pub(crate) fn json_layout() -> Layout {
    match std::io::stdout().is_terminal() {
        true => Layout::Indented,
        false => Layout::Compact,
    }
}

/// Whether to link paths to their files: as configured, or else on a terminal
/// that is known to follow links, and on the machine where it runs.
pub(crate) fn use_hyperlinks(config: &Config) -> bool {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    match config.get("output.hyperlinks") {
        "always" => true,
        "never" => false,
        _ => std::io::stdout().is_terminal() && follows_links(variable),
    }
}

/// Terminals that follow links, by `TERM_PROGRAM`.
const FOLLOWING: [&str; 7] = [
    "ghostty",
    "iTerm.app",
    "rio",
    "Tabby",
    "vscode",
    "WarpTerminal",
    "WezTerm",
];

/// The same by `TERM`.
const FOLLOWING_TERMS: [&str; 5] = [
    "alacritty",
    "contour",
    "foot",
    "xterm-ghostty",
    "xterm-kitty",
];

/// The first release of the library behind GNOME's terminals that has links.
const FIRST_VTE: u32 = 5000;

/// Variables that terminals set which follow links.
const OF_FOLLOWING: [&str; 3] = ["WT_SESSION", "KONSOLE_VERSION", "DOMTERM"];

/// Variables that say that the terminal is on another machine, whose files are
/// others, or behind a multiplexer, which may not hand links on.
const ELSEWHERE: [&str; 4] = ["SSH_CONNECTION", "SSH_TTY", "TMUX", "STY"];

/// Whether the terminal that the environment describes follows links to files.
fn follows_links(variable: impl Fn(&str) -> String) -> bool {
    if ELSEWHERE.iter().any(|name| !variable(name).is_empty()) {
        return false;
    }
    let vte = variable("VTE_VERSION").parse().unwrap_or(0);
    vte >= FIRST_VTE
        || FOLLOWING.contains(&variable("TERM_PROGRAM").as_str())
        || FOLLOWING_TERMS.contains(&variable("TERM").as_str())
        || OF_FOLLOWING.iter().any(|name| !variable(name).is_empty())
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

#[cfg(test)]
mod tests {
    use super::follows_links;

    #[test]
    fn links_are_for_terminals_that_follow_them() {
        for (variables, want) in [
            (&[][..], false),
            (&[("TERM", "xterm-256color")], false),
            (&[("TERM", "xterm-kitty")], true),
            (&[("TERM_PROGRAM", "WezTerm")], true),
            (&[("TERM_PROGRAM", "Apple_Terminal")], false),
            (&[("VTE_VERSION", "4999")], false),
            (&[("VTE_VERSION", "7600")], true),
            (&[("VTE_VERSION", "7600"), ("TMUX", "/tmp/1")], false),
            (&[("TERM", "foot"), ("SSH_TTY", "/dev/pts/1")], false),
            (&[("WT_SESSION", "x")], true),
        ] {
            let of = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map_or_else(String::new, |(_, value)| (*value).to_owned())
            };
            assert_eq!(follows_links(of), want, "{variables:?}");
        }
    }
}
