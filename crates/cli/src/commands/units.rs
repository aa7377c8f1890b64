//! `scent units`: the units of files, and what the model reads of each.

use crate::Outcome;
use crate::args::{GlobalArgs, UnitsArgs};
use crate::output::{print, say};
use anyhow::Context;
use scent_engine::{FileUnits, ReadUnit, file_units, keep_input};
use scent_print::Text;
use serde_json::{Value, json};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: UnitsArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    super::prepare_to_parse(flags)?;
    // A command that is started again prints nothing twice: what was named is
    // shown at once. Lists are too long for that.
    if args.files_from.is_none() {
        return show_all(&args);
    }
    let mut outcome = Outcome::Nothing;
    let listed = args.files_from.as_deref().map(lines_of).transpose()?;
    let given = args.paths.into_iter().map(Ok);
    for path in given.chain(
        listed
            .into_iter()
            .flatten()
            .map(|line| line.map(PathBuf::from)),
    ) {
        let path = path?;
        match file_units(&path) {
            Ok(file) => {
                print(shown(&path, &file, args.json))?;
                outcome = Outcome::Found;
            }
            // Of a long list, one unreadable file is no reason to stop.
            Err(error) if args.files_from.is_some() => {
                say(&format!("{}: {error}", path.display()));
            }
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        }
    }
    Ok(outcome)
}

fn show_all(args: &UnitsArgs) -> anyhow::Result<Outcome> {
    let mut text = Text::default();
    for path in &args.paths {
        let file = file_units(path).with_context(|| path.display().to_string())?;
        text += shown(path, &file, args.json);
    }
    print(text)?;
    Ok(Outcome::Found)
}

/// The lines of a file, or of standard input for `-`.
fn lines_of(file: &Path) -> anyhow::Result<std::io::Lines<Box<dyn BufRead>>> {
    let reader: Box<dyn BufRead> = match file.to_str() {
        Some("-") => {
            let mut all = Vec::new();
            std::io::stdin().lock().read_to_end(&mut all)?;
            keep_input(&all);
            Box::new(std::io::Cursor::new(all))
        }
        _ => {
            let file = std::fs::File::open(file).with_context(|| file.display().to_string())?;
            Box::new(std::io::BufReader::new(file))
        }
    };
    Ok(reader.lines())
}

fn shown(path: &Path, file: &FileUnits, as_json: bool) -> Text {
    let one = |unit: &ReadUnit| match as_json {
        true => Text::json(&as_value(path, file, unit)),
        false => as_text(path, unit),
    };
    file.units.iter().map(one).collect()
}

fn as_text(path: &Path, ReadUnit { unit, words }: &ReadUnit) -> Text {
    let place = format!("{}:{}", path.display(), unit.lines);
    Text::line(&format!(
        "{place}  {} {}",
        unit.kind.as_str(),
        unit.qualified
    )) + Text::line(&format!("    {words}"))
}

fn as_value(path: &Path, file: &FileUnits, ReadUnit { unit, words }: &ReadUnit) -> Value {
    json!({
        "path": path.to_string_lossy(),
        "language": file.language,
        "kind": unit.kind.as_str(),
        "name": unit.name,
        "qualified": unit.qualified,
        "signature": unit.signature,
        "doc": unit.doc,
        "members": unit.members,
        "start": unit.lines.start,
        "end": unit.lines.end,
        "passage": unit.passage,
        "body": file.source.slice(unit.cover),
        "words": words,
    })
}
