//! The folders of a project that the system watches: those whose files are
//! indexed, and no other, so that a build or an installed package wakes nobody.

use super::Message;
use notify::{RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::mpsc::Sender;

/// What the system watches for a project.
pub(super) struct Watched {
    watcher: RecommendedWatcher,
    folders: HashSet<PathBuf>,
}

impl Watched {
    /// Nothing yet; changes are told to `messages`.
    pub fn start(messages: Sender<Message>) -> Result<Watched, String> {
        let tell = move |event| {
            // Whoever listened may have stopped.
            let _ = messages.send(Message::Event(event));
        };
        let watcher = recommended_watcher(tell).map_err(|error| error.to_string())?;
        Ok(Watched {
            watcher,
            folders: HashSet::new(),
        })
    }

    /// Watches these folders and no others. Fails where one cannot be watched
    /// that is there.
    pub fn follow(&mut self, folders: &[PathBuf]) -> Result<(), String> {
        let wanted: HashSet<PathBuf> = folders.iter().cloned().collect();
        let gone: Vec<PathBuf> = self.folders.difference(&wanted).cloned().collect();
        for folder in gone {
            // It may have gone with its watch.
            let _ = self.watcher.unwatch(&folder);
            self.folders.remove(&folder);
        }
        let mut failed = None;
        for folder in wanted {
            // A folder that was removed and made again is another one under
            // the same name, so it is asked for once more: that costs nothing
            // where it is the same.
            match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.folders.insert(folder);
                }
                Err(_) if !folder.exists() => {}
                Err(error) => failed = Some(in_words(&error)),
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

fn in_words(error: &notify::Error) -> String {
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system watches no more folders for one user; on Linux, raise \
             fs.inotify.max_user_watches"
                .to_owned()
        }
        _ => {
            let mut error = notify::Error::new(notify::ErrorKind::Generic(error.to_string()));
            error.paths.clear();
            error.to_string()
        }
    }
}
