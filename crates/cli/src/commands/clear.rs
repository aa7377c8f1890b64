//! `scent clear`: remove an index.

use super::indexes::now;
use super::{Session, engine};
use crate::Outcome;
use crate::args::{ClearArgs, GlobalArgs};
use crate::output::print;
use scent_print::{Text, count, indexes_text, size};
use std::time::Duration;

pub(crate) fn run(args: ClearArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    if let Some(age) = args.unused {
        return clear_unused(age, args.dry_run, flags);
    }
    let session = Session::new(&args.paths, flags)?;
    if args.all {
        let removed = session.engine.clear_all()?;
        print(Text::line(&format!("removed {}", count(removed, "index"))))?;
        return Ok(Outcome::found(removed > 0));
    }
    let mut found = false;
    for project in &session.projects {
        let removed = project.clear()?;
        found |= removed;
        let did = if removed { "index removed" } else { "no index" };
        print(Text::line(&format!("{}: {did}", project.root().display())))?;
    }
    Ok(Outcome::found(found))
}

/// Removes what nobody used for a while, and says what.
fn clear_unused(age: Duration, dry_run: bool, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let removed = engine(flags)?.clear_unused(age, dry_run)?;
    let bytes = removed.iter().map(|index| index.bytes).sum();
    let did = if dry_run { "would remove" } else { "removed" };
    let total = format!("{did} {} ({})", count(removed.len(), "index"), size(bytes));
    print(indexes_text(&removed, now()) + Text::line(&total))?;
    Ok(Outcome::found(!removed.is_empty()))
}
