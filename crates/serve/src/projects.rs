//! The projects that a server holds open, and which of them is meant.
//!
//! An agent's server starts in whatever folder the agent has it start in, often
//! not the project. In this order decides what there is: what a call names, the
//! folders that the server was given, those of the environment, those that the
//! client declares, the folder that it was started in.

use crate::host::{Host, Opened};
use scent_engine::{canonical, is_in_project, is_risky};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A project that nobody asked about for so long is closed.
const IDLE: Duration = Duration::from_secs(600);

/// What a server was started with.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Folders that it was given, the first one for calls that name none.
    pub roots: Vec<PathBuf>,
    /// Folders of the environment, in order.
    pub environment: Vec<PathBuf>,
    /// The folder that it was started in.
    pub folder: Option<PathBuf>,
    /// Further folders that calls may name.
    pub allowed: Vec<PathBuf>,
    /// Files that usually hold keys or passwords may be shown.
    pub show_secrets: bool,
}

/// The projects of a server.
pub(crate) struct Projects {
    host: Arc<dyn Host>,
    launch: Launch,
    open: Mutex<HashMap<PathBuf, Kept>>,
}

struct Kept {
    opened: Opened,
    used: Instant,
}

/// What a call says of where to look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// The folder that it names.
    pub root: Option<String>,
    /// A whole path that it names otherwise.
    pub path: Option<PathBuf>,
    /// The folders that its client declares.
    pub client: Vec<PathBuf>,
}

/// The project that a call means.
#[derive(Clone)]
pub(crate) struct Meant {
    pub opened: Opened,
    /// The folder that relative paths start from.
    pub base: PathBuf,
}

impl Projects {
    pub fn new(host: Arc<dyn Host>, launch: Launch) -> Projects {
        Projects {
            host,
            launch,
            open: Mutex::default(),
        }
    }

    pub fn host(&self) -> &dyn Host {
        self.host.as_ref()
    }

    /// Whether files that usually hold keys or passwords may be shown.
    pub fn shows_secrets(&self) -> bool {
        self.launch.show_secrets
    }

    /// Whether it depends on the folders of the client which project is meant.
    pub fn needs_client(&self) -> bool {
        self.given().next().is_none()
    }

    /// The project that a call means; else why there is none, in words for the
    /// model.
    pub fn meant(&self, wanted: &Wanted) -> Result<Meant, String> {
        let own = self.given().next().or_else(|| {
            let declared = wanted.client.iter().find(|folder| folder.exists());
            declared.cloned().or_else(|| self.start_folder())
        });
        let named = match &wanted.root {
            Some(root) => Some(self.named(root, own.as_deref())?),
            None => wanted.path.clone(),
        };
        let Some(folder) = named.clone().or_else(|| own.clone()) else {
            return Err(NO_PROJECT.to_owned());
        };
        let whole = canonical(&folder)
            .map_err(|_| format!("{}: no such file or folder", folder.display()))?;
        let base = match whole.is_dir() {
            true => whole.clone(),
            false => whole.parent().unwrap_or(&whole).to_owned(),
        };
        if named.is_some() {
            self.check_allowed(&whole, own.as_deref(), &wanted.client)?;
        }
        let opened = self.opened(&base)?;
        // A path of the project does not move the place where the reader stands.
        let base = match (&wanted.root, own) {
            (None, Some(own)) => canonical(&own)
                .ok()
                .filter(|own| own.starts_with(opened.project.root()))
                .unwrap_or(base),
            _ => base,
        };
        Ok(Meant { opened, base })
    }

    /// The folders that were given before any client spoke.
    fn given(&self) -> impl Iterator<Item = PathBuf> {
        let all = self.launch.roots.iter().chain(&self.launch.environment);
        // An editor that does not know a variable hands it on as it is.
        let real = all.filter(|path| !path.to_string_lossy().contains("${"));
        real.filter(|path| path.exists()).cloned()
    }

    /// The folder that the server was started in, if it says anything.
    fn start_folder(&self) -> Option<PathBuf> {
        let folder = canonical(self.launch.folder.as_ref()?).ok()?;
        let says_something = !is_risky(&folder) && is_in_project(&folder);
        says_something.then_some(folder)
    }

    /// A folder as a model writes it.
    fn named(&self, root: &str, own: Option<&Path>) -> Result<PathBuf, String> {
        let path = as_path(root);
        if path.is_absolute() {
            return Ok(path);
        }
        let below = own.map(|own| own.join(&path)).filter(|path| path.exists());
        below.ok_or_else(|| format!("root: give an absolute folder, not {root:?}"))
    }

    /// A call runs without anybody being asked, so it reads only what belongs to
    /// the project that the agent works on, or what the user allowed.
    fn check_allowed(
        &self,
        path: &Path,
        own: Option<&Path>,
        client: &[PathBuf],
    ) -> Result<(), String> {
        let mut allowed: Vec<PathBuf> = self.given().collect();
        allowed.extend(self.launch.allowed.iter().cloned());
        allowed.extend(client.iter().cloned());
        allowed.extend(own.map(Path::to_owned));
        let is_below = |folder: &PathBuf| canonical(folder).is_ok_and(|f| path.starts_with(f));
        if allowed.iter().any(is_below) {
            return Ok(());
        }
        let refused = format!(
            "{}: outside the project; the user can allow it: `scent mcp --allow {}`",
            path.display(),
            path.display()
        );
        match own.and_then(|own| canonical(own).ok()) {
            Some(own) => {
                let opened = self.opened(&own)?;
                let mut roots = vec![opened.project.root()];
                roots.extend(opened.linked.iter().map(|project| project.root()));
                match roots.iter().any(|root| path.starts_with(root)) {
                    true => Ok(()),
                    false => Err(refused),
                }
            }
            // Nothing says what the agent works on: what looks like a project is
            // one.
            None if is_in_project(path) && !is_risky(path) => Ok(()),
            None => Err(refused),
        }
    }

    /// The project around a folder, open.
    fn opened(&self, folder: &Path) -> Result<Opened, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        open.retain(|_, kept| now.duration_since(kept.used) < IDLE);
        if let Some(kept) = open.get_mut(folder) {
            kept.used = now;
            return Ok(kept.opened.clone());
        }
        let mut opened = self.host.open(folder).map_err(|error| error.to_string())?;
        // Two folders of one project share what it holds.
        for kept in open.values() {
            if kept.opened.project.root() == opened.project.root() {
                opened = kept.opened.clone();
            }
        }
        let kept = Kept {
            opened: opened.clone(),
            used: now,
        };
        open.insert(folder.to_owned(), kept);
        Ok(opened)
    }

    /// Closes what nobody asked about for long.
    pub fn close_idle(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, kept| kept.used.elapsed() < IDLE);
    }
}

const NO_PROJECT: &str = "no project: this server was started outside of one; \
    pass root=/absolute/path/of/the/project";

/// A path as a model or a client writes it: `file://` addresses, too.
pub(crate) fn as_path(text: &str) -> PathBuf {
    let text = text.trim();
    let Some(address) = text.strip_prefix("file://") else {
        return PathBuf::from(text);
    };
    let path = decoded(address.strip_prefix("localhost").unwrap_or(address));
    // file:///C:/x names C:/x.
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    PathBuf::from(path.strip_prefix('/').filter(|_| is_drive).unwrap_or(&path))
}

/// An address with its `%20` read.
pub(crate) fn decoded(address: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_be_an_address() {
        for (text, want) in [
            ("/a/b c", "/a/b c"),
            (" /a ", "/a"),
            ("file:///a/b%20c", "/a/b c"),
            ("file://localhost/a%2", "/a%2"),
            ("file:///C:/x%C3%A9", "C:/x\u{e9}"),
            ("src/a.rs", "src/a.rs"),
        ] {
            assert_eq!(as_path(text), PathBuf::from(want), "{text}");
        }
    }
}
