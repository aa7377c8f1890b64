//! What the reader of an answer should know.

/// Something that the reader of an answer should know. Its text is made in
/// `print`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The index could not be read and was rebuilt.
    IndexRebuilt {
        /// What was wrong with it.
        why: String,
    },
    /// The index was of other settings or another version, and was rebuilt.
    IndexOutdated,
    /// Another process updates the index; an older generation answered.
    IndexBusy {
        /// The process.
        holder: String,
        /// The generation that answered.
        generation: u64,
    },
    /// The index could not be updated; an older generation answered.
    IndexNotUpdated {
        /// What went wrong.
        why: String,
        /// The generation that answered.
        generation: u64,
    },
    /// Not all files are indexed yet, or not as they are now.
    PartlyIndexed {
        /// How many files are indexed as they are.
        files: u64,
        /// How many files there are.
        all_files: u64,
        /// The bytes of those that are indexed.
        bytes: u64,
        /// The bytes of all.
        all_bytes: u64,
        /// Whether the others are indexed in the background.
        goes_on: bool,
    },
    /// Parsers crashed on files, which are indexed by paragraphs.
    ParserCrashed {
        /// The files.
        files: Files,
    },
    /// Indexes were removed, so that all together are not larger than the user
    /// allows.
    IndexesRemoved {
        /// How many.
        count: usize,
        /// How many bytes they had.
        bytes: u64,
    },
    /// One of several projects was not searched.
    NotSearched {
        /// What went wrong.
        why: String,
    },
    /// Nothing is indexed.
    NothingIndexed,
    /// Files changed since they were indexed.
    FilesChanged {
        /// How many.
        count: usize,
    },
    /// Some units are not embedded yet.
    NotEmbedded {
        /// How many.
        waiting: u64,
        /// How many units there are.
        total: u64,
    },
    /// The refined model does not answer yet.
    RefinedNotReady {
        /// The refined model.
        model: String,
        /// How many units it has embedded.
        units: u64,
        /// How many units there are.
        total: u64,
        /// The model that answers alone.
        primary: String,
    },
    /// The model failed, so only words were searched for.
    WordsOnly {
        /// What went wrong.
        why: String,
    },
    /// Some units could not be embedded.
    EmbeddingFailed {
        /// What went wrong.
        why: String,
    },
    /// The answer is that of an earlier query that is nearly the same.
    AnsweredBefore {
        /// The earlier query.
        query: String,
    },
    /// The query has a quote that is not closed.
    OpenQuote,
    /// No unit that may answer holds a text that the query has in quotes.
    QuoteNotFound {
        /// The text.
        text: String,
    },
    /// No unit contains words of the query.
    MissingWords {
        /// The words as they were typed.
        words: Vec<String>,
        /// Names that are like them, nearest first.
        nearest: Vec<String>,
        /// Whether no unit contains any word of the query.
        all: bool,
    },
    /// The first result may well be in a wrong file.
    Unsure {
        /// How sure it is that the file is right, from 0 to 1, in percent.
        percent: u8,
    },
    /// Nothing was found.
    NothingFound {
        /// How many units were searched.
        units: u64,
        /// How many files they are in.
        files: usize,
        /// A filter without which something is found, as it is written in a
        /// query or as an option.
        without: Option<String>,
        /// The words of the query, where no unit contains any of them.
        missing: Vec<String>,
        /// Whether embeddings were compared, and nothing was near.
        by_meaning: bool,
    },
    /// A word of the query looks like a filter and is none.
    UnknownFilter {
        /// The word.
        word: String,
    },
    /// The query is a long text, in which these words are no filters.
    NoFilters {
        /// The first words that would be filters in a short query.
        words: Vec<String>,
    },
    /// Further notes about the query are left out.
    MoreUnknownFilters {
        /// How many.
        count: usize,
    },
    /// The folder cannot be watched, so each answer looks for changes first.
    NotWatched {
        /// Why not.
        why: String,
    },
    /// The files themselves were searched, not the index.
    FilesScanned {
        /// How many.
        count: usize,
    },
    /// What files held at a commit could not be compared with what they hold.
    NotCompared {
        /// The files.
        files: Files,
        /// The commit.
        commit: String,
        /// Why not.
        reason: NotCompared,
    },
}

/// Why a file could not be compared with a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCompared {
    /// git-lfs keeps its contents.
    InLfs,
    /// A partial clone lacks its contents.
    Missing,
    /// It is a submodule.
    Submodule,
}

impl Note {
    /// What kind of note it is: a word for programs that never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Note::IndexRebuilt { .. } => "index-rebuilt",
            Note::IndexOutdated => "index-outdated",
            Note::IndexBusy { .. } => "index-busy",
            Note::IndexNotUpdated { .. } => "index-not-updated",
            Note::PartlyIndexed { .. } => "partly-indexed",
            Note::ParserCrashed { .. } => "parser-crashed",
            Note::IndexesRemoved { .. } => "indexes-removed",
            Note::NotSearched { .. } => "not-searched",
            Note::NothingIndexed => "nothing-indexed",
            Note::FilesChanged { .. } => "files-changed",
            Note::NotEmbedded { .. } => "not-embedded",
            Note::RefinedNotReady { .. } => "refined-not-ready",
            Note::WordsOnly { .. } => "words-only",
            Note::EmbeddingFailed { .. } => "embedding-failed",
            Note::AnsweredBefore { .. } => "answered-before",
            Note::OpenQuote => "open-quote",
            Note::QuoteNotFound { .. } => "quote-not-found",
            Note::MissingWords { .. } => "missing-words",
            Note::Unsure { .. } => "unsure",
            Note::NothingFound { .. } => "nothing-found",
            Note::UnknownFilter { .. } => "unknown-filter",
            Note::NoFilters { .. } => "no-filters",
            Note::MoreUnknownFilters { .. } => "more-unknown-filters",
            Note::NotWatched { .. } => "not-watched",
            Note::FilesScanned { .. } => "files-scanned",
            Note::NotCompared { .. } => "not-compared",
        }
    }
}

/// Some files, of which the first is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The first, relative to the root.
    pub first: String,
    /// How many more there are.
    pub others: usize,
}

impl Files {
    /// None where there are no files.
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p str>) -> Option<Files> {
        let mut paths = paths.into_iter();
        let first = paths.next()?.to_owned();
        let others = paths.count();
        Some(Files { first, others })
    }
}
