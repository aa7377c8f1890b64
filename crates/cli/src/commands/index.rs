//! `scent index`: make an index, or bring it up to date.

use super::Session;
use crate::Outcome;
use crate::args::{GlobalArgs, IndexArgs};
use crate::output::{count, note, print, size};
use crate::progress::Bar;
use scent_engine::{Others, Project, Refresh, Status, Update};
use scent_print::Text;
use std::time::Instant;

pub(crate) fn run(args: IndexArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let session = Session::new(&args.paths, flags)?;
    if args.verify {
        return verify(&session);
    }
    session.confirm(flags)?;
    for project in &session.projects {
        let started = Instant::now();
        let bar = Bar::new(flags.quiet, true);
        let update = match args.rebuild {
            true => project.rebuild(&bar)?,
            false => project.update(&bar)?,
        };
        update.note.iter().for_each(|text| note(flags, text));
        if !args.no_vectors {
            read_meanings(project, args.wait, &bar, flags)?;
        }
        let status = match project.contents() {
            Ok(status) => status,
            // Somebody may have removed it meanwhile.
            Err(_) => {
                project.refresh(Refresh::Always, &bar)?;
                project.contents()?
            }
        };
        if status.files == 0 {
            note(
                flags,
                "no text files here, or ignore files exclude them all",
            );
        }
        if !args.no_vectors {
            leave_the_rest(&session, project, &status, flags);
        }
        let seconds = started.elapsed().as_secs_f64();
        print(Text::line(&format!(
            "{}, {seconds:.2} s",
            summary(&update, &status)
        )))?;
    }
    Ok(Outcome::Found)
}

/// Verifies every checksum. What is damaged is an error; the next search mends
/// it.
fn verify(session: &Session) -> anyhow::Result<Outcome> {
    for project in &session.projects {
        let files = project.verify()?;
        let (root, files) = (project.root().display(), count(files, "file"));
        print(Text::line(&format!("{root}: {files} verified")))?;
    }
    Ok(Outcome::Found)
}

fn read_meanings(
    project: &Project,
    wait: bool,
    bar: &Bar,
    flags: &GlobalArgs,
) -> anyhow::Result<()> {
    if !wait {
        project.embed_primary(Others::WaitFor, bar)?;
        return Ok(());
    }
    if project.is_embedding() {
        note(
            flags,
            "another process reads meanings already; waiting for it",
        );
    }
    project.embed(Others::WaitFor, bar)?;
    Ok(())
}

/// Lets a process of its own read what a better model has not read yet.
fn leave_the_rest(session: &Session, project: &Project, status: &Status, flags: &GlobalArgs) {
    for set in status.vectors.iter().filter(|set| set.waiting > 0) {
        let (model, units) = (&set.model, count(set.waiting as usize, "unit"));
        note(
            flags,
            &format!("{model} reads {units} in the background; --wait waits for it"),
        );
        session.embed_later(project, flags);
    }
}

fn summary(update: &Update, status: &Status) -> String {
    let did = match (update.changed, update.removed) {
        (0, 0) => "up to date".to_owned(),
        (changed, 0) => format!("{changed} changed"),
        (changed, removed) => format!("{changed} changed, {removed} removed"),
    };
    let skipped = match status.skipped.len() {
        0 => String::new(),
        many => format!(", {many} skipped (scent status --skipped)"),
    };
    format!(
        "{}: {did}; {}, {}, {} of source, index {}{skipped}",
        status.root.display(),
        count(status.files, "file"),
        count(status.units as usize, "unit"),
        size(status.source_bytes),
        size(status.index_bytes),
    )
}
