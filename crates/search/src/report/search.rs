//! A report is answered.

use super::body;
use super::combine::{Aside, Part, combine};
use super::evidence::Evidence;
use crate::allowed::allowed;
use crate::analyse::{Intent, analyse};
use crate::corpus::Corpus;
use crate::error::SearchError;
use crate::fuse::{Fused, ScoreNorm};
use crate::own_names::OwnNames;
use crate::pattern;
use crate::plan::Plan;
use crate::query::{Context, Query, ReadFile};
use crate::rank::{self, Ranking};
use crate::retrieve::{self, FileKey, Terms};
use crate::trace::Trace;
use crate::units::Allowed;
use crate::weights::Weights;
use crate::{Lanes, names, signals};
use scent_types::{Lane, Report, Request};
use std::collections::HashMap;

/// Answers a report from one corpus.
pub(crate) fn search(
    corpus: &Corpus,
    (query, report): (Query, &Report),
    weights: &Weights,
    read: ReadFile,
    trace: &mut Trace,
) -> Result<Ranking, SearchError> {
    let allowed = allowed(corpus, query.request)?;
    let matches = pattern::matches(corpus, query, &Intent::default(), &allowed, read)?;
    let allowed = pattern::narrowed(allowed, matches.as_ref());
    let title = Request {
        query: report.title.clone(),
        quoted: Vec::new(),
        pattern: None,
        ..query.request.clone()
    };
    let asker = Asker {
        corpus,
        query,
        allowed: &allowed,
        weights,
        read,
    };
    let intent = asker.title_intent(&title)?;
    let of_title = asker.title(&title, &intent, trace)?;
    let of_body = asker.body(&title, report, &intent, trace)?;
    let cx = asker.context(&title, &[], intent, Vec::new());
    let plan = Plan::new(weights, query.request, &cx.intent, false);
    let mut evidence = Evidence::gather(&cx, report, &weights.report_parts)?;
    evidence.add_files(of_body.files, weights.report_parts.words);
    let total = of_title.total.max(of_body.total);
    let mut idf = of_title.terms.idf.clone();
    idf.extend(of_body.terms.idf.clone());
    let parts = [
        Part {
            name: "title",
            weight: weights.report_parts.title,
            list: of_title.list,
        },
        Part {
            name: "body",
            weight: weights.report_parts.body,
            list: of_body.list,
        },
    ];
    let aside = Aside {
        weight: weights.report_parts.aside,
        signals: plan.signals,
    };
    let combined = trace.step("combined", || Ok(combine(&cx, parts, &evidence, &aside)))?;
    let ranked = trace.step("ordered", || {
        Ok(rank::finished(&cx, &plan, combined, matches))
    })?;
    Ok(rank::top_k(&cx, ranked, total, idf))
}

/// What a part of a report found.
#[derive(Default)]
struct Found {
    list: Vec<Fused>,
    terms: Terms,
    total: usize,
    /// What files have of the words, in all of their units.
    files: HashMap<FileKey, f32>,
}

/// What all parts have in common.
struct Asker<'a> {
    corpus: &'a Corpus,
    query: Query<'a>,
    allowed: &'a Allowed,
    weights: &'a Weights,
    read: ReadFile<'a>,
}

impl<'a> Asker<'a> {
    /// What the title asks; nothing where it has no words.
    fn title_intent(&self, title: &Request) -> Result<Intent, SearchError> {
        let own_names = OwnNames::of(self.corpus)?;
        let intent = match analyse(title, &own_names, false) {
            Err(SearchError::EmptyQuery) => Intent::default(),
            other => other?,
        };
        Ok(Intent {
            in_report: true,
            names_only: false,
            ..intent
        })
    }

    /// What the title finds, as a question of its own.
    fn title(
        &self,
        title: &'a Request,
        intent: &Intent,
        trace: &mut Trace,
    ) -> Result<Found, SearchError> {
        if intent.terms.is_empty() && intent.symbols.is_empty() {
            return Ok(Found::default());
        }
        let names = names::look_up(self.corpus, intent, self.allowed)?;
        let cx = self.context(title, self.query.questions, intent.clone(), names);
        let plan = Plan::new(self.weights, title, &cx.intent, false);
        self.ask(&cx, &plan, trace)
    }

    /// What the rarest words of the whole text find, and its vector.
    fn body(
        &self,
        title: &'a Request,
        report: &Report,
        intent: &Intent,
        trace: &mut Trace,
    ) -> Result<Found, SearchError> {
        let most = self.weights.report_parts.terms;
        let terms = body::rarest_terms(self.corpus, report, most)?;
        if terms.is_empty() {
            return Ok(Found::default());
        }
        let intent = Intent {
            // What the report is about, its title says.
            words: intent.words.clone(),
            docs_only: intent.docs_only,
            in_report: true,
            terms,
            ..Intent::default()
        };
        let cx = self.context(title, self.query.body, intent, Vec::new());
        let mut plan = Plan::new(self.weights, title, &cx.intent, false);
        plan.leave_out(Lane::Late);
        let parts = &self.weights.report_parts;
        Ok(Found {
            files: retrieve::by_file(&cx, &plan, (parts.words_k1, parts.words_b))?,
            ..self.ask(&cx, &plan, trace)?
        })
    }

    fn context(
        &self,
        request: &'a Request,
        questions: &'a [crate::Question],
        intent: Intent,
        names: Vec<names::QueryName>,
    ) -> Context<'a> {
        let query = Query {
            request,
            matcher: None,
            quoted: &[],
            questions,
            body: &[],
        };
        Context::new(
            self.corpus,
            query,
            intent,
            names,
            self.allowed.clone(),
            self.read,
        )
    }

    /// The best of all lanes, with their signals.
    fn ask(&self, cx: &Context, plan: &Plan, trace: &mut Trace) -> Result<Found, SearchError> {
        let path = trace.lane(|| retrieve::path(cx, self.weights))?;
        let Lanes {
            lists,
            terms,
            total,
        } = crate::retrieve(cx, plan, path, trace)?;
        let norm = ScoreNorm::new(&lists, self.weights.fusion.floor);
        let mut list = rank::fused(cx, &lists, &[], &norm, plan)?;
        list.truncate(plan.signals.depth);
        signals::add(cx, &terms.idf, &mut list, plan.signals)?;
        rank::sort(cx.corpus, &mut list);
        Ok(Found {
            list,
            terms,
            total,
            files: HashMap::new(),
        })
    }
}
