//! A request made ready, and everything that its answer is found with.

use crate::analyse::Intent;
use crate::corpus::Corpus;
use crate::error::SearchError;
use crate::matcher::Matcher;
use crate::names::QueryName;
use crate::units::Allowed;
use scent_embed::QueryEmbedding;
use scent_index::{FileRecord, VectorModel};
use scent_types::Request;

/// A request ready to be answered: its pattern compiled, its words embedded.
#[derive(Clone, Copy)]
pub struct Query<'q> {
    /// The request, whose query is words alone.
    pub request: &'q Request,
    /// Its pattern, where it has one.
    pub matcher: Option<&'q Matcher>,
    /// Its quoted texts in order, each as a pattern.
    pub quoted: &'q [Matcher],
    /// Its words as vectors of each model that answers, the primary one first;
    /// without any, words alone decide.
    pub questions: &'q [Question],
    /// Of a report, all of its text as vectors; its questions are its title.
    pub body: &'q [Question],
}

/// Reads a file of a snapshot, given by its position in the corpus; none where
/// it cannot be read or is no longer what was indexed.
pub type ReadFile<'a> = &'a (dyn Fn(usize, &FileRecord) -> Option<String> + Sync);

/// A question as vectors of one model.
pub struct Question {
    /// The model that made them, and those of units to compare them with.
    pub model: VectorModel,
    /// The vectors.
    pub embedding: QueryEmbedding,
}

/// What the lanes and signals work with.
pub(crate) struct Context<'s> {
    pub corpus: &'s Corpus,
    pub request: &'s Request,
    pub questions: &'s [Question],
    pub intent: Intent,
    /// The names of the query, looked up.
    pub names: Vec<QueryName>,
    pub allowed: Allowed,
    pub read: ReadFile<'s>,
}

impl<'s> Context<'s> {
    pub fn new(
        corpus: &'s Corpus,
        query: Query<'s>,
        intent: Intent,
        names: Vec<QueryName>,
        allowed: Allowed,
        read: ReadFile<'s>,
    ) -> Context<'s> {
        Context {
            corpus,
            request: query.request,
            questions: query.questions,
            intent,
            names,
            allowed,
            read,
        }
    }

    pub fn check_deadline(&self) -> Result<(), SearchError> {
        Ok(self.request.deadline.check()?)
    }
}
