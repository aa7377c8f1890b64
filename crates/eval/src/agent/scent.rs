//! The agent with scent, as a program: what it prints is what is read.

use super::Task;
use super::files::Files;
use super::reader::{BUDGET, Log, Reader};
use anyhow::{Context, bail};
use scent_types::Lines;
use std::path::PathBuf;
use std::process::Command;

/// Tokens of an answer.
const PAGE: &str = "2000";

/// So many lines of a result are read.
const MOST_LINES: u32 = 200;

/// The program, and where it is asked.
#[derive(Clone, Debug)]
pub struct Scent {
    /// The program.
    pub program: PathBuf,
    /// The folder of its indexes.
    pub data: PathBuf,
    /// The folder that is searched.
    pub folder: PathBuf,
}

/// An answer, taken apart.
#[derive(Debug, Default, PartialEq)]
struct Printed<'t> {
    /// The results, in order.
    results: Vec<(&'t str, Lines)>,
    /// The lines that it shows of them.
    shown: Vec<(&'t str, Lines)>,
}

impl Scent {
    /// Makes the index.
    pub fn index(&self) -> anyhow::Result<()> {
        self.run(&["index", "--exact", "--wait"]).map(|_| ())
    }

    /// Looks for an answer with the whole question, then reads results.
    pub fn search(&self, files: &Files, task: &Task) -> anyhow::Result<Log> {
        let mut reader = Reader::new(task);
        let mut offset = 0;
        loop {
            let skipped = offset.to_string();
            let flags = [
                "search",
                "--exact",
                "-q",
                "--no-update",
                "--max-tokens",
                PAGE,
            ];
            let rest = ["--offset", &skipped, "--", &task.question, "."];
            let answer = self.run(&[&flags[..], &rest].concat())?;
            let printed = parse(&answer);
            let mut goes_on = reader.read(answer.len(), &printed.shown);
            for (path, lines) in &printed.results {
                if !goes_on {
                    break;
                }
                let end = lines.end.min(lines.start + MOST_LINES - 1);
                let lines = Lines::new(lines.start, end);
                goes_on = reader.read(files.cost(path, lines), &[(path, lines)]);
            }
            offset += printed.results.len();
            if !goes_on || printed.results.is_empty() || offset > BUDGET {
                return Ok(reader.log());
            }
        }
    }

    fn run(&self, args: &[&str]) -> anyhow::Result<String> {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(&self.folder);
        let said = command
            .env("SCENT_DATA_DIR", &self.data)
            .output()
            .with_context(|| self.program.display().to_string())?;
        if said.status.code().is_none_or(|code| code > 1) {
            let error = String::from_utf8_lossy(&said.stderr).into_owned();
            bail!("{args:?}: {error}");
        }
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    }
}

/// Reads what is printed: `PATH:FIRST-LAST  KIND NAME`, and lines with their
/// numbers below it.
fn parse(answer: &str) -> Printed<'_> {
    let mut printed = Printed::default();
    for line in answer.lines() {
        if let Some(result) = result(line) {
            printed.results.push(result);
            continue;
        }
        let number = line
            .trim_start()
            .split(' ')
            .next()
            .and_then(|n| n.parse().ok());
        if let (true, Some(number), Some((path, _))) =
            (line.starts_with(' '), number, printed.results.last())
        {
            printed.shown.push((path, Lines::new(number, number)));
        }
    }
    printed
}

fn result(line: &str) -> Option<(&str, Lines)> {
    let (place, _) = line.split_once("  ")?;
    let (path, lines) = place.rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (!line.starts_with(' ') && first > 0 && first <= last).then(|| (path, Lines::new(first, last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_taken_apart() {
        let answer = "a/b.go:15-26  method R.Delay\n  17  func (p R) Delay() {\n   …\n  20  \t2: x\n\n\
                      c.md:3  section A > B\n";
        let printed = parse(answer);
        let results = [("a/b.go", Lines::new(15, 26)), ("c.md", Lines::new(3, 3))];
        assert_eq!(printed.results, results);
        let shown = [17, 20].map(|n| ("a/b.go", Lines::new(n, n)));
        assert_eq!(printed.shown, shown);
    }
}
