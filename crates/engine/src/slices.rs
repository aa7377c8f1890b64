//! The files that an update has to look into, slice by slice.
//!
//! After each slice a generation is published, so a process that is killed loses
//! one slice and not all of its work, and others can search what is there. A
//! generation that lacks files says so in its table ([`scent_index::Backlog`]);
//! files that changed and were not looked into yet stay as they were. The next
//! update finds what is left by comparing the table with the folder, as it finds
//! every other change.

use crate::change::Dirty;
use crate::error::EngineError;
use crate::in_turn::in_turn;
use crate::index_file::Job;
use crate::progress::Progress;
use scent_index::{Backlog, FileRecord, FileTable, State, Writer};
use scent_types::{Files, Health};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A slice takes at least this part of the time that all slices before it took:
/// the longer an update takes, the more rarely it publishes, and a kill never
/// costs more than this part of what was done.
const SHARE: u32 = 8;

/// When an update ends before all is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long another writer is waited for.
    pub wait: Duration,
    /// From then on no further file is begun.
    pub until: Option<Instant>,
}

impl Limits {
    /// Waits for another writer, and goes on until all is done.
    pub fn waiting(wait: Duration) -> Limits {
        Limits { wait, until: None }
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// How an update goes on.
pub(crate) struct Pace<'a> {
    pub limits: Limits,
    /// The shortest time between two generations.
    pub every: Duration,
    pub progress: &'a dyn Progress,
}

impl Pace<'_> {
    fn has_to_stop(&self) -> bool {
        self.limits.is_over() || self.progress.is_interrupted()
    }
}

/// An update on its way.
pub(crate) struct Slices<'a> {
    job: &'a Job<'a>,
    writer: Writer,
    table: FileTable,
    dirty: Vec<Dirty<'a>>,
    first_id: u32,
    /// How many of the dirty files are done.
    done: usize,
    /// How many of them have other contents than before.
    changed: usize,
    /// Those that the parser crashed on.
    crashed: Vec<String>,
}

/// What came of all slices.
pub(crate) struct Sliced {
    pub writer: Writer,
    /// The table of the next generation, or of the one that was just published.
    pub table: FileTable,
    pub changed: usize,
    pub crashed: Option<Files>,
}

impl<'a> Slices<'a> {
    /// Begins with a table that holds what is kept; its backlog counts all files.
    pub fn new(
        job: &'a Job<'a>,
        writer: Writer,
        table: FileTable,
        dirty: Vec<Dirty<'a>>,
    ) -> Slices<'a> {
        Slices {
            job,
            writer,
            first_id: table.next_id,
            table,
            dirty,
            done: 0,
            changed: 0,
            crashed: Vec::new(),
        }
    }

    /// Looks into all files, or stops with a generation that says what is left.
    pub fn all(mut self, pace: &Pace) -> Result<Sliced, EngineError> {
        let began = Instant::now();
        loop {
            let length = pace.every.max(began.elapsed() / SHARE);
            let slice = self.index_slice(pace, length)?;
            self.take_in(slice);
            if self.done == self.dirty.len() || pace.has_to_stop() {
                break;
            }
            self.writer.publish(&mut self.table)?;
        }
        if self.table.is_partial() {
            self.writer.publish(&mut self.table)?;
        }
        Ok(Sliced {
            writer: self.writer,
            table: self.table,
            changed: self.changed,
            crashed: Files::new(self.crashed.iter().map(String::as_str)),
        })
    }

    /// Looks into files for so long, into one at least.
    fn index_slice(
        &self,
        pace: &Pace,
        length: Duration,
    ) -> Result<Vec<(FileRecord, bool)>, EngineError> {
        let (began, is_first) = (Instant::now(), AtomicBool::new(true));
        let goes_on = || {
            let is_in_time = is_first.swap(false, Ordering::Relaxed) || began.elapsed() < length;
            is_in_time && !pace.has_to_stop()
        };
        let first_id = self.first_id + self.done as u32;
        in_turn(&self.dirty[self.done..], goes_on, |nth, dirty| {
            let done = self
                .job
                .index_file(&self.writer, first_id + nth as u32, dirty);
            pace.progress.file(self.job.bytes_to_read(dirty.entry));
            done
        })
    }

    /// Enters files into the table, in the place of what was known of them.
    fn take_in(&mut self, slice: Vec<(FileRecord, bool)>) {
        let Backlog {
            all_files,
            all_bytes,
            ..
        } = self.table.backlog;
        self.done += slice.len();
        let mut files = Vec::with_capacity(self.table.files.len() + slice.len());
        for (file, has_changed) in slice {
            self.changed += usize::from(has_changed && file.id().is_some());
            if has_changed && is_crashed(&file) {
                self.crashed.push(file.path.clone());
            }
            files.push(file);
        }
        // The sort keeps what is new before what was known.
        files.append(&mut self.table.files);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|later, earlier| later.path == earlier.path);
        let left = &self.dirty[self.done..];
        let bytes_left = left.iter().map(|dirty| self.job.bytes_to_read(dirty.entry));
        self.table.files = files;
        self.table.next_id = self.first_id + self.done as u32;
        self.table.backlog = Backlog {
            files: left.len() as u64,
            bytes: bytes_left.sum(),
            all_files,
            all_bytes,
        };
    }
}

fn is_crashed(file: &FileRecord) -> bool {
    let State::Indexed { health, .. } = &file.state else {
        return false;
    };
    *health == Health::Crashed
}
