//! `scent outline`: what files define, without their bodies.

use super::lookup::{Place, show};
use super::{inside, prepare_to_parse};
use crate::Outcome;
use crate::args::{GlobalArgs, OutlineArgs};
use crate::output::note;
use anyhow::Context;
use scent_engine::{display_path, file_outline};
use scent_types::{FileOutline, Note};
use std::path::Path;

pub(crate) fn run(args: OutlineArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let paths = prepare_to_parse(flags)?;
    let (mut files, mut notes) = (Vec::new(), Vec::new());
    for path in &args.paths {
        if path.is_dir() {
            let (found, more) = folder_outline(path, &args, flags)?;
            files.extend(found);
            notes.extend(more);
        } else {
            files.push(file_outline(path).with_context(|| path.display().to_string())?);
        }
    }
    if args.public {
        files.iter_mut().for_each(FileOutline::keep_public);
    }
    let found = files.iter().any(|file| file.total > 0);
    if !found {
        note(flags, &nothing_in(&args));
    }
    show(&mut files, &paths, notes, &args.answer, flags)?;
    Ok(Outcome::found(found))
}

/// What is said where none of the files defines anything.
fn nothing_in(args: &OutlineArgs) -> String {
    let paths: Vec<String> = args.paths.iter().map(|path| display_path(path)).collect();
    let what = if args.public { "public " } else { "" };
    format!("nothing {what}is defined in {}", paths.join(", "))
}

/// The files of a folder, as they are called from here.
fn folder_outline(
    folder: &Path,
    args: &OutlineArgs,
    flags: &GlobalArgs,
) -> anyhow::Result<(Vec<FileOutline>, Vec<Note>)> {
    let place = Place::new(Some(folder), &args.patience, flags)?;
    let root = inside(folder, place.root())?;
    let (mut files, notes) =
        place.ask(flags, |project| project.folder_outline(&root, args.limit))?;
    for file in &mut files {
        let below = file.path.strip_prefix(&root).unwrap_or(&file.path);
        let path = folder.join(below.trim_start_matches('/'));
        file.path = display_path(&path);
    }
    Ok((files, notes))
}
