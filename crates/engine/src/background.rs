//! Work that goes on after an answer: indexing files that there was no time for,
//! embedding what has no vectors yet, and catching up with importance.
//!
//! Jobs wait in a queue on disk, one file each, and one worker at a time takes
//! them: a script that searches ten repositories leaves one process running and
//! not ten. A job is removed when it is done, so what a killed worker leaves is
//! done by the next one. [`Background`] says who works: a process of its own
//! for a command that is about to end, a thread for a server.

use crate::folders::is_index_name;
use crate::os;
use crate::project::Project;
use crate::small_file::read_regular;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the queue, below the folder of all indexes.
const FOLDER: &str = "queue";

/// The worker's lock. Jobs are called as indexes are, which this is not.
const WORKER: &str = "worker";

/// No path is longer, in bytes.
const LONGEST_JOB: u64 = 64 << 10;

/// Takes care of a project after an answer was given.
pub trait Background: Send + Sync {
    /// Indexes and embeds what a project lacks, later. Returns at once.
    fn complete_later(&self, project: &Project) -> io::Result<()>;
}

/// A project to complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The folder that is indexed.
    pub root: PathBuf,
    /// The model, as the settings name it.
    pub model: String,
}

/// The jobs of one folder of indexes.
#[derive(Clone, Debug)]
pub struct Queue {
    folder: PathBuf,
}

impl Queue {
    /// The queue of a folder of indexes.
    pub fn of(data: &Path) -> Queue {
        Queue {
            folder: data.join(FOLDER),
        }
    }

    /// Adds a project, unless it waits already.
    pub fn push(&self, project: &Project, model: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let name = project.index_folder().file_name().unwrap_or_default();
        let mut job = format!("{model}\n").into_bytes();
        job.extend(os::raw_bytes(project.root()));
        // Whole or not at all: the worker may read it at any time.
        let half = self.folder.join(format!("{WORKER}-{}", std::process::id()));
        fs::write(&half, job)?;
        fs::rename(&half, self.folder.join(name))
    }

    /// Whether a worker takes care of the jobs.
    pub fn has_worker(&self) -> bool {
        let lock = File::open(self.folder.join(WORKER));
        lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Does all jobs, the oldest first, unless another worker does.
    pub fn work(&self, mut each: impl FnMut(&Job)) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let lock = File::create(self.folder.join(WORKER))?;
        // Whoever adds a job while the lock is about to be released finds a
        // worker and starts none: so look once more after the release.
        while self.oldest().is_some() {
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            while let Some(file) = self.oldest() {
                let job = read_job(&file);
                // Removed first: what is added meanwhile is to be done again.
                fs::remove_file(&file)?;
                if let Some(job) = job {
                    each(&job);
                }
            }
            lock.unlock()?;
        }
        Ok(())
    }

    fn oldest(&self) -> Option<PathBuf> {
        let mut oldest = None;
        for entry in fs::read_dir(&self.folder).ok()?.flatten() {
            let is_job = is_index_name(&entry.file_name().to_string_lossy());
            let added = entry.metadata().and_then(|data| data.modified());
            if let (true, Ok(added)) = (is_job, added) {
                let candidate = (added, entry.path());
                if oldest.as_ref().is_none_or(|oldest| candidate < *oldest) {
                    oldest = Some(candidate);
                }
            }
        }
        oldest.map(|(_, path)| path)
    }
}

/// A job, or nothing where a file is none.
fn read_job(file: &Path) -> Option<Job> {
    let bytes = read_regular(file, LONGEST_JOB).ok()?;
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let model = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let root = os::from_raw_bytes(&bytes[end + 1..])?;
    Some(Job { root, model })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Settings};

    #[test]
    fn every_job_is_done_once_by_one_worker() {
        let data = tempfile::tempdir().unwrap();
        let engine = Engine::new(data.path(), Settings::default());
        let queue = Queue::of(data.path());
        let [a, b, c] = ["/a", "/b", "/c"].map(|root| engine.open(Path::new(root)));
        for project in [&a, &b, &a] {
            queue.push(project, "small").unwrap();
        }
        assert!(!queue.has_worker());
        let mut done = Vec::new();
        queue
            .work(|job| {
                assert!(queue.has_worker());
                // A second worker leaves everything to the first.
                queue.work(|job| panic!("{job:?}")).unwrap();
                if done.is_empty() {
                    queue.push(&c, "deep").unwrap();
                }
                done.push((job.root.clone(), job.model.clone()));
            })
            .unwrap();
        done.sort();
        let want = [("/a", "small"), ("/b", "small"), ("/c", "deep")];
        assert_eq!(done, want.map(|(root, model)| (root.into(), model.into())));
        assert!(!queue.has_worker());
        queue.work(|job| panic!("{job:?}")).unwrap();
    }

    #[test]
    fn what_is_no_job_is_removed() {
        let data = tempfile::tempdir().unwrap();
        let queue = Queue::of(data.path());
        fs::create_dir_all(data.path().join(FOLDER)).unwrap();
        for (name, text) in [("a", ""), ("b", "no line end"), ("c", "\u{fe}")] {
            let name = format!("{name}-0123456789abcdef-v1");
            fs::write(data.path().join(FOLDER).join(name), text).unwrap();
        }
        queue.work(|job| panic!("{job:?}")).unwrap();
        assert_eq!(queue.oldest(), None);
    }
}
