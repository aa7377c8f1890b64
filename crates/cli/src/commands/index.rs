//! `scent index`: index a folder, or update its index.

use super::Session;
use crate::Outcome;
use crate::args::{GlobalArgs, IndexArgs};
use crate::output::{note, print, print_notes};
use crate::progress::Bar;
use scent_engine::{OnBusy, Project, Refresh, Silent, Update};
use scent_print::{Text, count, size};
use scent_types::Status;
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
        let update = if args.rebuild {
            project.rebuild(&bar)?
        } else {
            project.update(&bar)?
        };
        print_notes(flags, &update.notes);
        if !args.no_vectors {
            embed(project, args.wait, &bar, flags)?;
        }
        bar.finish()?;
        let status = match project.contents() {
            Ok(status) => status,
            // Another process may have removed it meanwhile.
            Err(_) => {
                project.refresh(Refresh::Always, &Silent)?;
                project.contents()?
            }
        };
        if status.files == 0 {
            let text = "no text files here, or ignore files exclude them all";
            note(flags, text);
        }
        if !args.no_vectors {
            embed_in_background(&session, project, &status, flags);
        }
        let seconds = started.elapsed().as_secs_f64();
        let summary = summary(&update, &status);
        print(Text::line(&format!("{summary}, {seconds:.2} s")))?;
    }
    Ok(Outcome::Found)
}

/// Verifies every checksum. Damage is an error; the next search repairs it.
fn verify(session: &Session) -> anyhow::Result<Outcome> {
    for project in &session.projects {
        let files = project.verify()?;
        let root = project.root().display();
        let files = count(files, "file");
        print(Text::line(&format!("{root}: {files} verified")))?;
    }
    Ok(Outcome::Found)
}

fn embed(project: &Project, wait: bool, bar: &Bar, flags: &GlobalArgs) -> anyhow::Result<()> {
    if !wait {
        project.embed_primary(OnBusy::Wait, bar)?;
        return Ok(());
    }
    if project.is_embedding() {
        note(flags, "waiting for another process that embeds");
    }
    project.embed(OnBusy::Wait, bar)?;
    Ok(())
}

/// Lets a background process embed what a larger model has not embedded yet.
fn embed_in_background(session: &Session, project: &Project, status: &Status, flags: &GlobalArgs) {
    for set in status.embeddings.iter().filter(|set| set.waiting > 0) {
        let model = &set.model;
        let units = count(set.waiting as usize, "unit");
        let text = format!("{model} embeds {units} in the background; --wait waits for it");
        note(flags, &text);
        session.complete_later(project, flags);
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
        status.root,
        count(status.files, "file"),
        count(status.units as usize, "unit"),
        size(status.source_bytes),
        size(status.index_bytes),
    )
}
