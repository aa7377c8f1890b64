//! Questions about structure: where a name is defined, who uses it, and what
//! depends on what.

mod categories;
mod dependencies;
mod diff;
mod impact;
mod line_diff;
mod names;
mod nearest;
mod references;

pub use dependencies::Reach;
pub(crate) use dependencies::dependencies;
pub use diff::Since;
pub(crate) use diff::changed_since;
pub use impact::{Changed, Far};
pub(crate) use impact::{impact, way};
pub use references::Wish;
pub(crate) use references::{references, references_at};

use crate::error::EngineError;
use crate::os;
use crate::small_file::read_unlinked;
use names::Wanted;
use rayon::prelude::*;
use scent_index::graph::{Definition, FileNo, Graph};
use scent_index::{FileRecord, Snapshot};
use scent_types::{Defined, Definitions, Fit, Lines, Source};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::rc::Rc;

/// How many names that are like one that does not exist are told.
const NEAREST: usize = 5;

/// A file that was smaller when it was indexed is read up to this size, in bytes.
const GROWN: u64 = 64 << 20;

/// Where a name is defined.
pub(crate) fn definitions(
    root: &Path,
    snapshot: &Snapshot,
    name: &str,
    limit: usize,
) -> Result<Definitions, EngineError> {
    let look = Look::new(root, snapshot)?;
    let wanted = Wanted::new(name);
    let mut found = look.defined(&wanted)?;
    let known = |found: &[(Fit, Definition)], one: &Definition| {
        found
            .iter()
            .any(|(_, d)| (d.file, d.symbol.line) == (one.file, one.symbol.line))
    };
    for bound in look.graph.bindings(&wanted.name)? {
        if wanted.is_inside(bound.symbol.qualified) && !known(&found, &bound) {
            found.push((Fit::Exact, bound));
        }
    }
    let total = found.len();
    let nearest = if found.is_empty() {
        nearest::nearest(snapshot, name, NEAREST)?
    } else {
        Vec::new()
    };
    let definitions = found
        .iter()
        .take(limit)
        .map(|(fit, found)| look.told(found, *fit))
        .collect();
    Ok(Definitions {
        name: name.to_owned(),
        definitions,
        total,
        nearest,
    })
}

/// A graph, and the texts of its files.
struct Look<'s> {
    root: &'s Path,
    snapshot: &'s Snapshot,
    graph: Graph<'s>,
    texts: RefCell<HashMap<FileNo, Rc<Source>>>,
}

impl<'s> Look<'s> {
    fn new(root: &'s Path, snapshot: &'s Snapshot) -> Result<Look<'s>, EngineError> {
        Ok(Look {
            root,
            snapshot,
            graph: Graph::new(snapshot)?,
            texts: RefCell::default(),
        })
    }

    fn record(&self, file: FileNo) -> &'s FileRecord {
        self.graph.record(file)
    }

    fn path(&self, file: FileNo) -> &'s str {
        &self.record(file).path
    }

    /// The definitions that fit best, in order.
    fn defined(&self, wanted: &Wanted) -> Result<Vec<(Fit, Definition<'s>)>, EngineError> {
        let mut found = Vec::new();
        for name in wanted.names(self.snapshot)? {
            let fit = wanted.fit(&name);
            let definitions = self.graph.definitions(&name)?.into_iter();
            let meant = definitions.filter(|d| wanted.is_inside(d.symbol.qualified));
            found.extend(meant.filter_map(|definition| Some((fit?, definition))));
        }
        let best = found.iter().map(|(fit, _)| *fit).min();
        // A name that is the same makes others that merely have it in them noise.
        found.retain(|(fit, _)| Some(*fit) == best || best > Some(Fit::Words));
        // Copies and tests come last among those that fit equally well, and
        // what more of the repository leads to comes first.
        let last = |d: &Definition| {
            let path = self.path(d.file);
            (categories::is_vendored(path), categories::is_test(path))
        };
        let place = |d: &Definition| (d.file, d.symbol.line);
        found.sort_by(|(fit, a), (other, b)| {
            let fits = (*fit, last(a)).cmp(&(*other, last(b)));
            let used = || self.importance(b).total_cmp(&self.importance(a));
            fits.then_with(used).then_with(|| place(a).cmp(&place(b)))
        });
        Ok(found)
    }

    fn importance(&self, found: &Definition) -> f32 {
        let line = Lines::new(found.symbol.line, found.symbol.line);
        let id = self.record(found.file).id();
        id.map_or(0.0, |id| self.snapshot.importance_of_lines(id, line))
    }

    fn told(&self, found: &Definition, fit: Fit) -> Defined {
        let Definition { file, symbol } = *found;
        Defined {
            path: self.path(file).to_owned(),
            line: symbol.line,
            lines: symbol.lines,
            kind: symbol.kind,
            name: symbol.name.to_owned(),
            qualified: symbol.qualified.to_owned(),
            text: self.line(file, symbol.line),
            visibility: symbol.visibility,
            fit,
            importance: self.importance(found),
            parse_errors: self.record(file).has_errors(),
        }
    }

    /// A line of a file as it is on disk.
    fn line(&self, file: FileNo, line: u32) -> String {
        self.text(file)
            .line(line)
            .unwrap_or_default()
            .trim()
            .to_owned()
    }

    /// The text of a file; empty where it is gone.
    fn text(&self, file: FileNo) -> Rc<Source> {
        if let Some(known) = self.texts.borrow().get(&file) {
            return Rc::clone(known);
        }
        let text = Rc::new(read(self.root, self.record(file)));
        self.texts.borrow_mut().insert(file, Rc::clone(&text));
        text
    }

    /// Reads files that will be needed, several at a time.
    fn read(&self, files: impl Iterator<Item = FileNo>) {
        let known = self.texts.borrow();
        let files: BTreeSet<FileNo> = files.filter(|file| !known.contains_key(file)).collect();
        drop(known);
        let records: Vec<(FileNo, &FileRecord)> = files
            .into_iter()
            .map(|file| (file, self.record(file)))
            .collect();
        let root = self.root;
        let texts = records
            .into_par_iter()
            .map(|(file, record)| (file, read(root, record)));
        let texts: Vec<(FileNo, Source)> = texts.collect();
        let kept = texts.into_iter().map(|(file, text)| (file, Rc::new(text)));
        self.texts.borrow_mut().extend(kept);
    }
}

/// The text of a file as it is on disk; empty where it is gone.
fn read(root: &Path, record: &FileRecord) -> Source {
    let bytes = bytes_of(root, record).unwrap_or_default();
    Source::new(scent_syntax::decode(&bytes).into_owned())
}

/// The bytes of a file as it is on disk. What came in its place since it was
/// indexed may be anything.
pub(crate) fn bytes_of(root: &Path, record: &FileRecord) -> io::Result<Vec<u8>> {
    let path = root.join(os::native(&record.path, record.raw_path.as_deref()));
    read_unlinked(&path, record.size.max(GROWN))
}
