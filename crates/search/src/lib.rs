//! Request and snapshot in, ranked hits out.
//!
//! [`search`] is the whole pipeline. Each step is a call into one module:
//! analyse what is asked, narrow what may answer, retrieve one ranked list a
//! lane, fuse the lists, rank the result.

mod ahead;
mod allowed;
mod analyse;
mod categories;
mod certainty;
mod code_rules;
mod corpus;
mod count;
mod error;
mod filter;
mod fold;
mod fuse;
#[doc(hidden)]
pub mod fuzzing;
mod highlight;
mod letters;
pub mod map;
mod matcher;
mod missing;
mod names;
mod nearest;
mod own_names;
mod pattern;
mod plan;
mod query;
mod rank;
mod report;
mod retrieve;
mod secrets;
mod signals;
mod trace;
mod units;
mod weights;
mod windows;

pub use categories::is_of_category;
pub use code_rules::{CodeRules, code_rules};
pub use corpus::{Corpus, UnitRef};
pub use count::{Count, count};
pub use error::SearchError;
pub use filter::{FileFilter, is_inside, is_of_unit};
pub use highlight::{best_lines, marks};
pub use matcher::Matcher;
pub use missing::Missing;
pub use nearest::nearest_names;
pub use query::{Query, Question, ReadFile};
pub use rank::{RankedPassage, RankedUnit, Ranking};
pub use report::{is_report, read_report};
pub use retrieve::token_matches;
pub use secrets::is_secret;
pub use trace::{Stage, Trace};
pub use weights::Weights;
pub use windows::{Evidence, TermWeights};

use fuse::ScoreNorm;
use own_names::OwnNames;
use pattern::Matches;
use plan::Plan;
use query::Context;
use retrieve::{RankedList, Terms};

/// Answers a request from one corpus.
pub fn search(
    corpus: &Corpus,
    query: Query,
    weights: &Weights,
    read: ReadFile,
    trace: &mut Trace,
) -> Result<Ranking, SearchError> {
    if let Some(report) = &query.request.report {
        return report::search(corpus, (query, report), weights, read, trace);
    }
    let own_names = OwnNames::of(corpus)?;
    let intent = analyse::analyse(query.request, &own_names, !query.questions.is_empty())?;
    let allowed = allowed::allowed(corpus, query.request)?;
    let matches = pattern::matches(corpus, query, &intent, &allowed, read)?;
    let allowed = pattern::narrowed(allowed, matches.as_ref());
    let quoted = pattern::quoted(corpus, query, &allowed, read)?;
    let names = names::look_up(corpus, &intent, &allowed)?;
    let cx = Context::new(corpus, query, intent, names, allowed, read);

    // Whether the query names a file decides what counts, so paths come first.
    let path = trace.lane(|| retrieve::path(&cx, weights))?;
    let asks_for_names = path.units.is_empty() && names::are_known(&cx.names);
    let plan = Plan::new(weights, query.request, &cx.intent, asks_for_names);
    let Lanes {
        lists,
        terms,
        total: by_words,
    } = retrieve(&cx, &plan, path, trace)?;
    let total = matches.as_ref().map_or(by_words, |matches| matches.len());

    let norm = ScoreNorm::new(&lists, weights.fusion.floor);
    let fused = trace.step("fused", || rank::fused(&cx, &lists, &quoted, &norm, &plan))?;
    let ranked = trace.step("ordered", || {
        rank::rank(&cx, &plan, &norm, &terms, fused, matches)
    })?;
    let unquoted = quoted.iter().map(Matches::is_empty).collect();
    Ok(Ranking {
        unquoted,
        ..rank::top_k(&cx, ranked, total, terms.idf)
    })
}

/// What the lanes found.
struct Lanes {
    lists: Vec<RankedList>,
    /// The terms of the query.
    terms: Terms,
    /// How many units words found.
    total: usize,
}

/// Asks the lanes, but for that of paths, which was asked before.
fn retrieve(
    cx: &Context,
    plan: &Plan,
    path: RankedList,
    trace: &mut Trace,
) -> Result<Lanes, SearchError> {
    let (text, vector) = trace.lanes(|| retrieve::text(cx, plan), || retrieve::vector(cx, plan))?;
    let symbol = trace.lane(|| retrieve::symbol(cx, plan))?;
    let total = text.total.max(symbol.units.len());
    let mut lists = vec![text.list, symbol, path, vector];
    if plan.alone || certainty::is_unsure(cx.corpus, &lists, plan) {
        let late = trace.lane(|| retrieve::late(cx, &lists, plan))?;
        lists.push(late);
    }
    Ok(Lanes {
        lists,
        terms: text.terms,
        total,
    })
}
