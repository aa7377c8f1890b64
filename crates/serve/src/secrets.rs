//! Answers without what stands in files that agents and other machines are
//! usually kept from. Searches leave them out before they rank
//! (`RawRequest::hide_secrets`); answers about structure lose them here.

use scent_engine::is_secret;
use scent_types::{
    CallPath, CodeContext, Definitions, Dependencies, FileOutline, Impact, ProjectMap, References,
};

/// An answer that can lose what is not for everybody.
pub(crate) trait Withhold {
    /// Takes out what stands in files that hold keys and passwords.
    fn withhold(&mut self);
}

/// Keeps what is for everybody; takes the others from the total as well.
fn keep<T>(list: &mut Vec<T>, total: &mut usize, path: impl Fn(&T) -> &str) {
    let before = list.len();
    list.retain(|one| !is_secret(path(one)));
    *total = total.saturating_sub(before - list.len());
}

impl Withhold for Definitions {
    fn withhold(&mut self) {
        keep(&mut self.definitions, &mut self.total, |found| &found.path);
    }
}

impl Withhold for References {
    fn withhold(&mut self) {
        self.subject.take_if(|subject| is_secret(&subject.path));
        self.definitions.retain(|found| !is_secret(&found.path));
        keep(&mut self.uses, &mut self.total, |used| &used.path);
    }
}

impl Withhold for Dependencies {
    fn withhold(&mut self) {
        self.of.retain(|path| !is_secret(path));
        keep(&mut self.dependencies, &mut self.total, |one| &one.from);
        for dependency in &mut self.dependencies {
            dependency.to.retain(|path| !is_secret(path));
        }
    }
}

impl Withhold for Impact {
    fn withhold(&mut self) {
        self.changed.retain(|place| !is_secret(&place.path));
        keep(&mut self.affected, &mut self.total, |place| &place.path);
    }
}

impl Withhold for CallPath {
    fn withhold(&mut self) {
        // A way with a gap is none.
        if self.steps.iter().any(|step| is_secret(&step.path)) {
            *self = CallPath::default();
        }
    }
}

impl Withhold for CodeContext {
    fn withhold(&mut self) {
        keep(&mut self.snippets, &mut self.total, |piece| &piece.path);
    }
}

impl Withhold for Vec<FileOutline> {
    fn withhold(&mut self) {
        self.retain(|file| !is_secret(&file.path));
    }
}

/// A map orders symbols by the positions of their files, so a file stays and
/// loses what it says.
impl Withhold for ProjectMap {
    fn withhold(&mut self) {
        for file in self.files.iter_mut().filter(|file| is_secret(&file.path)) {
            file.doc.clear();
            for symbol in &mut file.symbols {
                symbol.name.clear();
                symbol.qualified.clear();
                symbol.signature.clear();
                symbol.doc.clear();
            }
        }
    }
}
