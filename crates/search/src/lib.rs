//! Request and snapshot in, ranked hits out.
//!
//! [`search`] is the whole pipeline. Each step is a call into one module:
//! analyse what is asked, narrow what may answer, retrieve one ranked list a
//! lane, fuse the lists, order the result.

mod analyse;
mod certainty;
mod corpus;
mod filter;
mod fuse;
#[doc(hidden)]
pub mod fuzzing;
mod highlight;
mod order;
mod pattern;
mod retrieve;
mod signals;
mod sorts;
mod trace;
mod units;
mod weights;

pub use corpus::{Corpus, UnitRef};
pub use highlight::best_lines;
pub use pattern::LineMatcher;
pub use sorts::is_of_sort;
pub use trace::{Stage, Trace};
pub use weights::Weights;

use scent_embed::Asked;
use scent_index::{FileRecord, IndexError, VectorModel};
use scent_types::{Lanes, Part, Request, Stopped};
use trace::timed;

/// Reads a file of a snapshot, given by its position in the corpus; none where
/// it cannot be read or is no longer what was indexed.
pub type ReadFile<'a> = &'a (dyn Fn(usize, &FileRecord) -> Option<String> + Sync);

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is nothing to search for.
    #[error("the query is empty: give words, a name, or a pattern with -e or -F")]
    EmptyQuery,
    /// The pattern is not one.
    #[error("{0}")]
    BadPattern(String),
    /// A glob is not one.
    #[error("{glob}: not a glob: {why}")]
    BadGlob {
        /// The glob as it was given.
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// The request's time was over before it was answered.
    #[error("the deadline passed before the search was done")]
    DeadlineExceeded,
    /// Somebody cancelled the request.
    #[error("the search was cancelled")]
    Cancelled,
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
}

impl From<Stopped> for SearchError {
    fn from(stopped: Stopped) -> SearchError {
        match stopped {
            Stopped::DeadlineExceeded => SearchError::DeadlineExceeded,
            Stopped::Cancelled => SearchError::Cancelled,
        }
    }
}

/// The answer to a request: units in order.
#[derive(Debug, Default)]
pub struct Ranking {
    /// How many units matched.
    pub total: usize,
    /// The best of them.
    pub hits: Vec<RankedUnit>,
    /// The terms of the query, each with how rare it is.
    pub terms: Vec<(String, f32)>,
    /// How sure it is that the first is in the right file, from 0 to 1.
    pub certainty: Option<f32>,
}

/// A unit with its score.
#[derive(Clone, Debug)]
pub struct RankedUnit {
    /// The unit.
    pub unit: UnitRef,
    /// What it is ordered by.
    pub score: f32,
    /// The raw scores behind it.
    pub lanes: Lanes,
    /// What the score is made of, where that was asked for.
    pub parts: Vec<Part>,
    /// The lines that match the request's pattern.
    pub matched: Vec<u32>,
}

/// A question as vectors of one model.
pub struct Question {
    /// The model that made them, and those of units to hold them against.
    pub model: VectorModel,
    /// The vectors.
    pub asked: Asked,
}

/// Answers a request from one corpus. `meaning` is the question as vectors of
/// each model that answers, the fast one first; without any, words alone decide.
pub fn search(
    corpus: &Corpus,
    request: &Request,
    meaning: &[Question],
    weights: &Weights,
    read: ReadFile,
    trace: &mut Trace,
) -> Result<Ranking, SearchError> {
    let mut weights = weights.only(&request.lanes);
    // A lane that is asked alone answers in its own order.
    let alone = weights.counting_lanes() == 1;
    let intent = analyse::analyse(request, !meaning.is_empty())?;
    request.deadline.check()?;
    let allowed = filter::allowed(corpus, &request.filters)?;
    let matches = match intent.lists {
        true => Some(allowed.as_matches()),
        false => pattern::matches(corpus, request, &allowed, read)?,
    };
    let allowed = allowed.narrowed_to(&matches);

    request.deadline.check()?;
    let (path, took) = timed(|| retrieve::path(corpus, &intent, &allowed, &weights));
    let path = path?;
    trace.lane(corpus, &path, took);
    match () {
        () if alone => {}
        () if intent.docs_only => weights.for_docs(),
        () if intent.names_only && path.units.is_empty() => weights.for_names(),
        () => {}
    }
    request.deadline.check()?;
    let ((text, took_text), (vector, took_vector)) = rayon::join(
        || timed(|| retrieve::text(corpus, &intent, &allowed, &weights)),
        || timed(|| retrieve::vector(corpus, meaning, &allowed, &weights)),
    );
    let text = text?;
    trace.lane(corpus, &text.list, took_text);
    request.deadline.check()?;
    let (symbol, took) = timed(|| retrieve::symbol(corpus, &intent, &allowed, &weights));
    let symbol = symbol?;
    trace.lane(corpus, &symbol, took);
    trace.lane(corpus, &vector, took_vector);

    let found = matches
        .as_ref()
        .map_or(text.total.max(symbol.units.len()), |m| m.len());
    let terms = text.terms;
    let mut lists = vec![text.list, symbol, path, vector];
    if alone || certainty::unsure(corpus, &lists, &weights) {
        request.deadline.check()?;
        let (late, took) = timed(|| retrieve::late(corpus, meaning, &lists, &weights));
        trace.lane(corpus, &late, took);
        weights.leave_to(&late);
        lists.push(late);
    }

    request.deadline.check()?;
    let measure = fuse::Measure::new(&lists, &weights.fusion);
    let mut fused = fuse::fuse(&lists, &measure, &weights.fusion, request.explain);
    order::sort(corpus, &mut fused);
    trace.fused(corpus, &fused);
    if !alone {
        let asked = signals::Asked::new(request, &terms);
        let depth = weights.signals.depth.min(fused.len());
        let first = &mut fused[..depth];
        signals::add(corpus, &asked, first, &weights.signals, request.explain)?;
        order::spread(corpus, first, weights.signals.further, request.explain);
    }
    let certainty = match alone || request.pattern.is_some() {
        true => None,
        false => certainty::certainty(corpus, &fused, &measure, &weights.certainty),
    };
    let ranked = order::order(corpus, fused, matches, &weights.pattern);
    trace.ordered(corpus, &ranked);
    let (total, hits) = order::cut(corpus, ranked, found, request);
    Ok(Ranking {
        total,
        terms,
        hits,
        certainty,
    })
}
