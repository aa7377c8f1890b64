//! `scent units`: the units of files, and what the model reads of each.

use crate::Outcome;
use crate::args::{GlobalArgs, UnitsArgs};
use crate::output::{print, say};
use anyhow::Context;
use scent_engine::{file_units, keep_input};
use scent_print::{Paths, Text, units_json, units_text};
use scent_types::FileUnits;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: UnitsArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let names = super::prepare_to_parse(flags)?;
    // A command that is started again prints nothing twice: what was named is
    // shown at once. Lists are too long for that.
    if args.files_from.is_none() {
        return show_all(&args, &names);
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
                print(written(&file, &names, args.json))?;
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

fn show_all(args: &UnitsArgs, names: &Paths) -> anyhow::Result<Outcome> {
    let mut text = Text::default();
    for path in &args.paths {
        let file = file_units(path).with_context(|| path.display().to_string())?;
        text += written(&file, names, args.json);
    }
    print(text)?;
    Ok(Outcome::Found)
}

/// The lines of a file, or of standard input for `-`.
pub(super) fn lines_of(file: &Path) -> anyhow::Result<std::io::Lines<Box<dyn BufRead>>> {
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

/// The units of a file as they are to be printed.
fn written(file: &FileUnits, names: &Paths, json: bool) -> Text {
    match json {
        true => units_json(&names.root, file),
        false => units_text(file, names),
    }
}
