//! `scent worker`: indexes and embeds in the background what other commands left.

use super::Session;
use crate::Outcome;
use crate::args::GlobalArgs;
use crate::config::Config;
use crate::progress::Bar;
use scent_engine::{Background, Job, OnBusy, Project, Queue, interrupted, start_detached};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Leaves the work to a process of its own, which outlives the command.
pub(super) struct Detached {
    pub data: PathBuf,
    pub model: String,
}

impl Background for Detached {
    fn complete_later(&self, project: &Project) -> io::Result<()> {
        let queue = Queue::of(&self.data);
        queue.push(project, &self.model)?;
        if queue.has_worker() {
            return Ok(());
        }
        let args = ["worker", "--quiet", "--data-dir"].map(OsString::from);
        let args = [&args[..], &[self.data.clone().into()]].concat();
        start_detached(&std::env::current_exe()?, &args)
    }
}

pub(crate) fn run(flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let data = Config::load(None, flags)?.data_dir()?;
    Queue::of(&data).work(|job| {
        // Nobody reads what goes wrong here; the next search reports it.
        let _ = complete(job, flags);
        // What is left in the queue is for the next worker.
        if let Some(signal) = interrupted() {
            std::process::exit(128 + signal);
        }
    })?;
    Ok(Outcome::Found)
}

fn complete(job: &Job, flags: &GlobalArgs) -> anyhow::Result<()> {
    let flags = GlobalArgs {
        exact: true,
        model: Some(job.model.clone()),
        ..flags.clone()
    };
    let session = Session::new(std::slice::from_ref(&job.root), &flags)?;
    let project = session.project();
    // A folder that lost its index lost it for a reason.
    if project.is_indexed() {
        let bar = Bar::new(true, false);
        project.update(&bar)?;
        project.embed(OnBusy::Wait, &bar)?;
        bar.finish()?;
    }
    Ok(())
}
