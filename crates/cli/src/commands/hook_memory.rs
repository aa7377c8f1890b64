//! What sessions of agents were told by `scent hook`, so that none is told the
//! same twice.
//!
//! A session has a file in the data folder, with a line for every pattern. Both
//! are hashes: what an agent looked for is nobody's business later.

use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The folder of sessions, below the folder of all indexes.
const FOLDER: &str = "hook";

/// Sessions that were silent for so long are over.
const OVER_AFTER: Duration = Duration::from_secs(3 * 24 * 3600);

/// The patterns that a session was told about.
pub(super) struct Memory {
    /// None where the agent does not say which session it is.
    file: Option<PathBuf>,
}

impl Memory {
    pub fn of(data: &Path, session: Option<&str>) -> Memory {
        let folder = data.join(FOLDER);
        Memory {
            file: session.map(|session| folder.join(hash(session))),
        }
    }

    pub fn has(&self, pattern: &str) -> bool {
        let known = self
            .file
            .as_ref()
            .and_then(|file| fs::read_to_string(file).ok());
        let wanted = hash(pattern);
        known.is_some_and(|known| known.lines().any(|line| line == wanted))
    }

    /// Failing to is no harm: the session is told once more.
    pub fn keep(&self, pattern: &str) {
        let Some(file) = &self.file else {
            return;
        };
        let Some(folder) = file.parent() else {
            return;
        };
        if !file.exists() {
            let _ = fs::create_dir_all(folder);
            forget_old(folder);
        }
        let open = OpenOptions::new().create(true).append(true).open(file);
        // One write, since calls of one session run beside each other.
        let line = format!("{}\n", hash(pattern));
        let _ = open.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}

fn forget_old(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let written = entry.metadata().and_then(|about| about.modified());
        let age = written
            .ok()
            .and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age > OVER_AFTER) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The same in every run of one program. After an update, a session may be told
/// once more.
fn hash(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
