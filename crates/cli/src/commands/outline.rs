//! `scent outline`: what files define, without their bodies.

use super::lookup::show;
use crate::Outcome;
use crate::args::{GlobalArgs, OutlineArgs};
use anyhow::Context;
use scent_engine::file_outline;
use scent_types::FileOutline;

pub(crate) fn run(args: OutlineArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let paths = super::prepare_to_parse(flags)?;
    let mut files = Vec::new();
    for path in &args.paths {
        let mut file = file_outline(path).with_context(|| path.display().to_string())?;
        if args.public {
            file.keep_public();
        }
        files.push(file);
    }
    let found = files.iter().any(|file: &FileOutline| file.total > 0);
    show(&mut files, &paths, Vec::new(), &args.answer, flags)?;
    Ok(if found {
        Outcome::Found
    } else {
        Outcome::Nothing
    })
}
