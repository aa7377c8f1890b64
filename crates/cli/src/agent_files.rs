//! The files that coding agents read, on disk: where links lead, what may be
//! written, and how it is written so that no file is ever half of itself.

use anyhow::{Context, bail};
use scent_agents::{FileChange, Files, Level, Places, System};
use scent_engine::{canonical, display_path, targets, with_usual_modes};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read; one agent keeps its history beside its settings.
const LARGEST: u64 = 64 << 20;

/// The places of agents' files for this user and the current folder.
pub(crate) fn places() -> anyhow::Result<Places> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let home = home.context("there is no home directory; set HOME")?;
    let here = targets(&[PathBuf::from(".")], false)?;
    let project = here.first().map(|target| target.root.clone());
    Ok(Places {
        system: System::named(std::env::consts::OS),
        home,
        project: project.context("there is no current folder")?,
        environment: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect(),
    })
}

/// Files on disk, for the settings of one level.
pub(crate) struct Disk<'p> {
    places: &'p Places,
    level: Level,
}

impl Files for Disk<'_> {
    fn read(&self, path: &Path) -> Result<Option<String>, String> {
        read_text(&self.target(path)?)
    }

    fn exists(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }
}

impl<'p> Disk<'p> {
    pub fn new(places: &'p Places, level: Level) -> Disk<'p> {
        Disk { places, level }
    }

    /// The file that a path leads to. A project, which others wrote, may not lead
    /// out of its folder.
    fn target(&self, path: &Path) -> Result<PathBuf, String> {
        let target = target_of(path)?;
        let root = &self.places.project;
        if self.level == Level::Project {
            let inside = target.strip_prefix(root).ok();
            let is_git = |inside: &Path| inside.iter().any(|part| part == ".git");
            if inside.is_none_or(is_git) {
                let target = display_path(&target);
                return Err(format!("a link leads out of the project, to {target}"));
            }
        }
        Ok(target)
    }

    /// Where a path leads, if that is another file.
    pub fn link_target(&self, path: &Path) -> Option<PathBuf> {
        let target = self.target(path).ok()?;
        let folders = [&self.places.home, &self.places.project];
        let is_plain = |folder: &&PathBuf| {
            let inside = path.strip_prefix(folder).ok();
            let base = canonical(folder).ok();
            inside
                .zip(base)
                .is_some_and(|(inside, base)| base.join(inside) == target)
        };
        let is_plain = target == path || folders.iter().any(is_plain);
        (!is_plain).then_some(target)
    }

    /// Carries a change out.
    pub fn apply(&self, change: &FileChange) -> anyhow::Result<()> {
        let current = self.read(&change.path).map_err(anyhow::Error::msg)?;
        if current != change.before {
            bail!("it changed meanwhile; run the command again");
        }
        let target = self.target(&change.path).map_err(anyhow::Error::msg)?;
        match &change.after {
            Some(text) => replace(&target, text),
            None => self.remove(&target),
        }
    }

    /// Removes a file, and the folders that are empty without it.
    fn remove(&self, target: &Path) -> anyhow::Result<()> {
        fs::remove_file(target)?;
        let bases = [&self.places.home, &self.places.project].map(|base| canonical(base).ok());
        let is_inside = |folder: &Path| {
            let is_below = |base: &PathBuf| folder != base && folder.starts_with(base);
            bases.iter().flatten().any(is_below)
                && !bases.iter().flatten().any(|base| base == folder)
        };
        let folders = target.ancestors().skip(1);
        for folder in folders.take_while(|folder| is_inside(folder)) {
            // One that holds something else is not removed.
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// The file that a path leads to, whether it is there or not.
fn target_of(path: &Path) -> Result<PathBuf, String> {
    let mut missing = Vec::new();
    let mut at = path;
    loop {
        match at.symlink_metadata() {
            Ok(_) => break,
            Err(error) if is_missing(error.kind()) => {}
            Err(error) => return Err(error.to_string()),
        }
        match (at.parent(), at.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name);
                at = parent;
            }
            _ => break,
        }
    }
    let found = canonical(at).map_err(|_| {
        let link = display_path(at);
        format!("{link} is a link that leads nowhere")
    })?;
    Ok(missing
        .iter()
        .rev()
        .fold(found, |path, name| path.join(name)))
}

fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn read_text(path: &Path) -> Result<Option<String>, String> {
    let about = match path.metadata() {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !about.is_file() {
        return Err("it is not a file".to_owned());
    }
    if about.len() > LARGEST {
        return Err("it is larger than 64 MB".to_owned());
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    Ok(Some(text))
}

/// Gives a file another text at once, with the mode that it had.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().context("it is in no folder")?;
    let mode = path.metadata().ok().map(|about| about.permissions());
    if mode.as_ref().is_some_and(|mode| mode.readonly()) {
        bail!("it is read-only");
    }
    let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let temporary = folder.join(format!(".scent-{}.tmp", std::process::id()));
    let made = match mode {
        // Private until it has the mode of the file, which may hold secrets.
        Some(mode) => create(&temporary).and_then(|file| {
            file.set_permissions(mode)?;
            Ok(file)
        }),
        None => with_usual_modes(|| {
            fs::create_dir_all(folder)?;
            create(&temporary)
        }),
    };
    let written = made.and_then(|file| fill(file, text));
    let moved = written.and_then(|()| fs::rename(&temporary, path));
    if moved.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    Ok(moved?)
}

fn fill(mut file: File, text: &str) -> std::io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
