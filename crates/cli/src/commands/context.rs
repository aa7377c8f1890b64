//! `scent context PATH:LINE`: what code at a place will need.

use super::{Session, inside, leaves_files, place};
use crate::Outcome;
use crate::args::{ContextArgs, GlobalArgs};
use crate::output::{json_layout, print, print_notes};
use crate::progress::Bar;
use anyhow::{Context, bail};
use scent_engine::{Cursor, canonical, display_path, enclosing, keep_input};
use scent_print::{Answer, Envelope};
use std::io::Read;
use std::path::Path;

/// An editor's buffer that is larger is no code.
const LARGEST: u64 = 16 << 20;

pub(crate) fn run(args: &ContextArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let (path, line) = place(&args.place)?;
    let around = args.stdin.then(|| standard_input(line)).transpose()?;
    if around.is_none() && !path.exists() {
        bail!(
            "{}: no such file; --stdin gives the text of a new one",
            path.display()
        );
    }
    let near = match path.exists() {
        true => enclosing(&path),
        // A new file belongs to the project of its folder.
        false => folder_of(&path).to_owned(),
    };
    let session = Session::new(&[near], flags)?;
    session.confirm(flags)?;
    let project = session.project();
    let bar = Bar::new(flags.quiet, false);
    let refresh = session.refresh(&args.patience)?;
    let notes = project.refresh(refresh, &bar)?;
    bar.finish()?;
    let cursor = Cursor {
        path: in_project(&path, project.root())?,
        line,
        around,
    };
    let found = project.context(&cursor, args.max_tokens)?;
    print_notes(flags, &notes);
    let paths = session.paths();
    print(match args.json {
        true => found.json(Envelope {
            root: paths.root.clone(),
            rest: None,
            notes: notes.clone(),
            layout: json_layout(),
        }),
        false => found.text(&paths),
    })?;
    if project.is_importance_stale() || leaves_files(&notes, refresh) {
        session.complete_later(project, flags);
    }
    Ok(Outcome::found(!found.snippets.is_empty()))
}

/// The text before the end of a line, and the rest of it.
fn standard_input(line: u32) -> anyhow::Result<(String, String)> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(LARGEST)
        .read_to_end(&mut bytes)?;
    keep_input(&bytes);
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.split_inclusive('\n');
    let before = lines.by_ref().take(line as usize).collect();
    Ok((before, lines.collect()))
}

fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A path relative to the root of its project, of a file that need not be there
/// yet.
fn in_project(path: &Path, root: &Path) -> anyhow::Result<String> {
    if path.exists() {
        return inside(path, root);
    }
    let folder = folder_of(path);
    let folder = canonical(folder).with_context(|| folder.display().to_string())?;
    let whole = folder.join(path.file_name().unwrap_or_default());
    Ok(display_path(whole.strip_prefix(root).unwrap_or(&whole)))
}
