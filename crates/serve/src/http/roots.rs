//! The folders that are served, and in which state of its index each answers.
//!
//! A folder has an id, which is all that answers say of where it lies. A thread
//! keeps its index up to date (`crate::updater`), so a request looks at no file
//! before it searches, unless it asks for that; where changes cannot be watched,
//! every request looks for them.

use super::problem::Problem;
use crate::host::Opened;
use crate::updater::{Activity, Updater};
use axum::http::StatusCode;
use scent_engine::{Progress, Project, Refresh, Version, display_path};
use scent_print::wire;
use scent_types::{Note, RawRequest, Response};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many generations are held: one change makes up to three, of its words, its
/// vectors and the importance.
const HELD: usize = 4;

/// A folder that is served.
pub(crate) struct Root {
    pub id: String,
    pub opened: Opened,
    pub updater: Updater,
    held: Mutex<VecDeque<(Version, Project)>>,
    /// When it was last asked.
    asked: Mutex<Instant>,
}

/// In which state of the index a request wants to be answered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct When {
    /// This generation and no other.
    pub generation: Option<u64>,
    /// Look for changes first.
    pub fresh: bool,
    /// How long looking for changes may index.
    pub patience: Option<Duration>,
}

/// What answers a request.
pub(crate) struct View {
    pub project: Project,
    /// How the engine is to refresh it.
    pub refresh: Refresh<'static>,
    pub notes: Vec<Note>,
}

impl Root {
    pub fn new(id: String, opened: Opened, updater: Updater) -> Root {
        Root {
            id,
            opened,
            updater,
            held: Mutex::default(),
            asked: Mutex::new(Instant::now()),
        }
    }

    /// Closes the index where nobody asked for so long: what is mapped and
    /// worked out of it is memory that others need. Whatever needs it next opens
    /// it again.
    pub fn rest_after(&self, idle: Duration) {
        let is_idle = self.asked().elapsed() >= idle;
        if is_idle && self.updater.activity() == Activity::Idle {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.clear();
            self.opened.project.rest();
        }
    }

    fn asked(&self) -> MutexGuard<'_, Instant> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn path(&self) -> &Path {
        self.opened.project.root()
    }

    /// The state of the index that answers now.
    pub fn version(&self) -> Result<Version, Problem> {
        self.current().map(|(version, _)| version)
    }

    /// The current generation, which stays the same for who holds it.
    fn current(&self) -> Result<(Version, Project), Problem> {
        let failed = |error| Problem::of_engine(&error);
        let live = &self.opened.project;
        let now = live.version().map_err(failed)?;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((version, project)) = held.back()
            && *version == now
        {
            return Ok((*version, project.clone()));
        }
        let pinned = live.pinned().map_err(failed)?;
        let version = pinned.version().map_err(failed)?;
        held.push_back((version, pinned.clone()));
        while held.len() > HELD {
            held.pop_front();
        }
        Ok((version, pinned))
    }

    /// What answers a request.
    pub fn view(&self, when: When) -> Result<View, Problem> {
        *self.asked() = Instant::now();
        if when.generation.is_none() && (when.fresh || self.updater.lost().is_some()) {
            return Ok(View {
                project: self.opened.project.clone(),
                refresh: when.patience.map_or(Refresh::Always, Refresh::Within),
                notes: self.notes(),
            });
        }
        let (version, project) = self.current()?;
        let project = match when.generation {
            Some(wanted) if wanted != version.generation => self.held_at(wanted, version)?,
            _ => project,
        };
        Ok(View {
            project,
            refresh: Refresh::Never,
            notes: self.notes(),
        })
    }

    fn held_at(&self, wanted: u64, now: Version) -> Result<Project, Problem> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let found = held
            .iter()
            .find(|(version, _)| version.generation == wanted);
        found.map(|(_, project)| project.clone()).ok_or_else(|| {
            let detail = format!("generation {wanted} is gone; begin again without `generation`");
            let problem = Problem::new(StatusCode::CONFLICT, "generation-gone", detail);
            Problem {
                generation: Some(now.generation),
                ..problem
            }
        })
    }

    /// What whoever asks should know of this folder.
    pub fn notes(&self) -> Vec<Note> {
        let lost = self.updater.lost();
        lost.map(|why| Note::NotWatched { why })
            .into_iter()
            .collect()
    }

    /// This folder, for who asks which there are.
    pub fn about(&self) -> wire::Root {
        let version = self.version().ok();
        wire::Root {
            id: self.id.clone(),
            generation: version.map(|version| version.generation),
            ready: version.is_some(),
            changes: match self.updater.lost() {
                None => "watching",
                Some(_) => "walking",
            },
            activity: match self.updater.activity() {
                Activity::Idle => "idle",
                Activity::Updating => "updating",
                Activity::Embedding => "embedding",
            },
            notes: self.notes().iter().map(Into::into).collect(),
        }
    }
}

impl View {
    /// Brings the index up to date for a question about structure; searches do
    /// so themselves.
    pub fn refreshed(&mut self, progress: &dyn Progress) -> Result<(), Problem> {
        if self.refresh != Refresh::Never {
            let notes = self.project.refresh(self.refresh, progress);
            self.notes
                .extend(notes.map_err(|error| Problem::of_engine(&error))?);
        }
        Ok(())
    }
}

/// All folders that are served.
pub(crate) struct Roots {
    all: Vec<Root>,
    /// What stands for what where a text might name a whole path: the longest
    /// first.
    names: Vec<(String, String)>,
}

impl Roots {
    /// `private` are further folders that no answer names.
    pub fn new(all: Vec<Root>, private: &[PathBuf]) -> Roots {
        let mut names = Vec::new();
        for root in &all {
            names.push((display_path(root.path()), root.id.clone()));
        }
        for path in private {
            names.push((display_path(path), "…".to_owned()));
        }
        names.retain(|(path, _)| path.len() > 1);
        names.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Roots { all, names }
    }

    pub fn all(&self) -> &[Root] {
        &self.all
    }

    /// The folder of an id; the only one where none is named.
    pub fn one(&self, id: Option<&str>) -> Result<&Root, Problem> {
        match (id, self.all.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => {
                let detail = "several folders are served; name one with `root`";
                Err(Problem::bad("which-root", detail).with_known(self.ids()))
            }
            (Some(id), _) => self.named(id),
        }
    }

    /// The folder of an id; all where none is named.
    pub fn some(&self, id: Option<&str>) -> Result<Vec<&Root>, Problem> {
        match id {
            None => Ok(self.all.iter().collect()),
            Some(id) => Ok(vec![self.named(id)?]),
        }
    }

    fn named(&self, id: &str) -> Result<&Root, Problem> {
        let found = self.all.iter().find(|root| root.id == id);
        found.ok_or_else(|| {
            let problem = Problem::new(
                StatusCode::NOT_FOUND,
                "no-such-root",
                "no folder has this id",
            );
            problem.with_known(self.ids())
        })
    }

    fn ids(&self) -> impl Iterator<Item = String> {
        self.all.iter().map(|root| root.id.clone())
    }

    /// A text without whole paths of this machine.
    pub fn without_paths(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (path, id) in &self.names {
            if text.contains(path.as_str()) {
                text = text.replace(path.as_str(), id);
            }
        }
        text
    }

    /// The same of a note.
    pub fn clean(&self, note: Note) -> Note {
        let clean = |text: &str| self.without_paths(text);
        match note {
            Note::IndexRebuilt { why } => Note::IndexRebuilt { why: clean(&why) },
            Note::NotSearched { why } => Note::NotSearched { why: clean(&why) },
            Note::WordsOnly { why } => Note::WordsOnly { why: clean(&why) },
            Note::EmbeddingFailed { why } => Note::EmbeddingFailed { why: clean(&why) },
            Note::NotWatched { why } => Note::NotWatched { why: clean(&why) },
            Note::IndexNotUpdated { why, generation } => Note::IndexNotUpdated {
                why: clean(&why),
                generation,
            },
            other => other,
        }
    }

    /// An answer to a search as it leaves the machine. With several folders,
    /// each path begins with the id of its own.
    pub fn hide_place(&self, response: &mut Response, asked: &[&Root]) {
        let notes = std::mem::take(&mut response.notes);
        response.notes = notes.into_iter().map(|note| self.clean(note)).collect();
        if let [only] = asked {
            response.root = only.id.clone();
            return;
        }
        let common = PathBuf::from(std::mem::take(&mut response.root));
        let rename = |path: &mut String| {
            let whole = common.join(&*path);
            let of = asked.iter().filter(|root| whole.starts_with(root.path()));
            let of = of.max_by_key(|root| root.path().as_os_str().len());
            if let Some((root, inside)) = of.and_then(|root| {
                let inside = whole.strip_prefix(root.path()).ok()?;
                Some((root, display_path(inside)))
            }) {
                *path = format!("{}/{inside}", root.id);
            }
        };
        for hit in &mut response.hits {
            rename(&mut hit.path);
            hit.also_in
                .iter_mut()
                .for_each(|copy| rename(&mut copy.path));
        }
        response
            .counts
            .iter_mut()
            .for_each(|count| rename(&mut count.path));
    }
}

/// Ids after the names of the folders, each another one.
pub(crate) fn ids(paths: &[PathBuf]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for path in paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let mut slug: String = name
            .chars()
            .map(|c| if is_plain(c) { c } else { '-' })
            .collect();
        if slug.trim_matches(['.', '-']).is_empty() {
            slug = "root".to_owned();
        }
        let mut id = slug.clone();
        let mut nth = 1;
        while ids.contains(&id) {
            nth += 1;
            id = format!("{slug}-{nth}");
        }
        ids.push(id);
    }
    ids
}

/// The request that the settings of a folder begin with.
pub(crate) fn blank(root: &Root) -> RawRequest {
    root.opened.blank.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_has_an_id_of_its_own() {
        let paths = ["/a/Web App", "/b/web-app", "/", "/c/ü", "/d/..."].map(PathBuf::from);
        let want = ["web-app", "web-app-2", "root", "root-2", "root-3"];
        assert_eq!(ids(&paths), want);
    }
}
