//! The files of an answer, as they are on disk now.

use crate::os;
use crate::searched::Searched;
use crate::tree::{Tree, read_record};
use rayon::prelude::*;
use scent_index::FileRecord;
use scent_search::{Corpus, RankedUnit};
use scent_types::Source;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// The text of a file, if it still is what was indexed.
pub(crate) fn read_indexed(tree: &dyn Tree, file: &FileRecord) -> Option<String> {
    let bytes = read_record(tree, file).ok()?;
    (xxh3_128(&bytes) == file.hash).then(|| scent_syntax::text_of(&file.path, bytes))
}

/// The files of the answers as they are on disk now.
pub(crate) struct Sources {
    texts: HashMap<PathBuf, Arc<Source>>,
    /// How many are no longer what was indexed.
    pub stale: usize,
}

impl Sources {
    /// None where only the names of files are asked for.
    pub fn read(corpus: &Corpus, searched: &Searched, hits: &[RankedUnit], names: bool) -> Sources {
        let hits = if names { &[] } else { hits };
        let mut files: HashMap<PathBuf, (&dyn Tree, Option<&FileRecord>)> = HashMap::new();
        for hit in hits {
            let project = searched.projects[hit.unit.snapshot];
            let record = corpus.record(hit.unit);
            files.insert(file_of(project.root(), record), (project.tree(), record));
        }
        let read: Vec<(PathBuf, Text)> = files
            .into_par_iter()
            .map(|(file, (tree, record))| (file, Text::read(tree, record)))
            .collect();
        let mut sources = Sources {
            texts: HashMap::new(),
            stale: 0,
        };
        for (file, text) in read {
            sources.stale += usize::from(text.is_stale);
            sources.texts.insert(file, Arc::new(text.source));
        }
        sources
    }

    pub fn get(&self, file: &Path) -> Arc<Source> {
        self.texts.get(file).cloned().unwrap_or_default()
    }
}

/// A file as it is on disk now.
struct Text {
    source: Source,
    /// Whether it is no longer what was indexed.
    is_stale: bool,
}

impl Text {
    fn read(tree: &dyn Tree, record: Option<&FileRecord>) -> Text {
        let Some(record) = record else {
            return Text {
                source: Source::default(),
                is_stale: true,
            };
        };
        let bytes = read_record(tree, record).unwrap_or_default();
        let is_stale = record.hash != xxh3_128(&bytes);
        let source = Source::new(scent_syntax::text_of(&record.path, bytes));
        Text { source, is_stale }
    }
}

/// Where the file of a unit is.
pub(crate) fn file_of(root: &Path, record: Option<&FileRecord>) -> PathBuf {
    root.join(
        record
            .map(|r| os::native(&r.path, r.raw_path.as_deref()))
            .unwrap_or_default(),
    )
}
