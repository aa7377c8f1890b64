//! Every question to every system, but for what is known already.

use crate::metrics::tokens;
use crate::row::{Answer, Expected, Found, Outcome, Prepared, Row, Target, Task};
use crate::store::{Cell, Store};
use crate::suite::{Corpus, Question, Suite, inside};
use crate::system::{Ask, Session, System};
use crate::view::{self, View};
use anyhow::Context;
use scent_engine::detect_language;
use scent_types::Lines;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// How many results are asked for: as deep as right lines are looked for.
const LIMIT: usize = 100;

/// What a page of results is, for those whose ranking depends on it.
pub(crate) const PAGE: usize = 10;

/// Told how far a run is.
pub trait Watch {
    /// A system begins with a repository; this many questions follow.
    fn begin(&self, system: &str, corpus: &str, questions: usize);
    /// Questions were answered, or are known already.
    fn asked(&self, questions: usize);
    /// Something that a person should know.
    fn note(&self, text: &str);
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Done {
    /// The keys of the answers that hold: of these systems as they are now, to
    /// these questions, about these files.
    pub keys: Vec<String>,
    /// Expected places that are in no file that was given.
    pub not_given: Vec<String>,
}

/// Asks every system that is wanted every question, repository by repository,
/// but for what the store knows already. Of the others it says which answers
/// in the store still hold.
pub fn run(
    suites: &[Suite],
    systems: &[Box<dyn System>],
    wanted: &dyn Fn(&str) -> bool,
    store: &Store,
    cache: &Path,
    watch: &dyn Watch,
) -> anyhow::Result<Done> {
    let mut done = Done::default();
    for suite in suites {
        for corpus in &suite.corpora {
            let view = view::lay_out(corpus, &suite.name, cache)
                .with_context(|| format!("{}/{}", suite.name, corpus.name))?;
            done.not_given.extend(not_given(suite, corpus, &view));
            let texts = Texts::new(&view);
            for system in systems {
                let asked = Asking {
                    suite,
                    corpus,
                    view: &view,
                    texts: &texts,
                    system: &**system,
                };
                if wanted(system.name()) {
                    asked.ask(store, cache, watch)?;
                }
                done.keys.push(asked.key());
            }
        }
    }
    Ok(done)
}

/// Nobody can find what nobody was given: binary, ignored or too large.
fn not_given(suite: &Suite, corpus: &Corpus, view: &View) -> Vec<String> {
    let targets = corpus
        .questions
        .iter()
        .filter_map(|question| match &question.expected {
            Expected::Places(targets) => Some((question, targets)),
            Expected::Files(_) | Expected::Names(_) => None,
        });
    let places = targets.flat_map(|(question, all)| all.iter().map(move |t| (question, t)));
    let lost = places.filter(|(_, t)| !view.folder.join(inside(&corpus.root, &t.path)).exists());
    let says = |(question, target): (&Question, &Target)| {
        let (id, path) = (&question.id, &target.path);
        format!(
            "{}/{}: {id:?}: {path} is not among the files given",
            suite.name, corpus.name
        )
    };
    lost.map(says).collect()
}

/// One system and one repository.
struct Asking<'a> {
    suite: &'a Suite,
    corpus: &'a Corpus,
    view: &'a View,
    texts: &'a Texts,
    system: &'a dyn System,
}

impl Asking<'_> {
    fn ask(&self, store: &Store, cache: &Path, watch: &dyn Watch) -> anyhow::Result<()> {
        let (name, questions) = (self.system.name(), self.corpus.questions.len());
        watch.begin(name, &self.corpus.name, questions);
        let key = self.key();
        let known = store.cell(name, &self.suite.name, &self.corpus.name);
        // What failed may have been put right since.
        if known.is_some_and(|cell| cell.prepared.key == key && cell.failures().count() == 0) {
            watch.asked(questions);
            return Ok(());
        }
        let scratch = cache.join("scratch").join(name).join(&self.suite.name);
        let scratch = scratch.join(&self.corpus.name);
        let cell = self.answers(key, &scratch, watch);
        let corpus = &self.corpus.name;
        if let Some(error) = &cell.prepared.error {
            watch.note(&format!("{name} cannot answer about {corpus}: {error}"));
        } else if let Some(why) = cell.failures().next() {
            let times = cell.failures().count();
            watch.note(&format!(
                "{name} failed at {times} questions about {corpus}: {why}"
            ));
        }
        store.put(&cell)
    }

    fn key(&self) -> String {
        let all = format!(
            "{} {LIMIT} {} {} {:016x} {:016x}",
            self.system.name(),
            self.system.key(),
            self.corpus.split,
            self.view.digest,
            self.corpus.digest()
        );
        format!("{:016x}", xxh3_64(all.as_bytes()))
    }

    fn answers(&self, key: String, scratch: &Path, watch: &dyn Watch) -> Cell {
        let mut prepared = Prepared {
            system: self.system.name().to_owned(),
            suite: self.suite.name.clone(),
            corpus: self.corpus.name.clone(),
            key,
            given_files: self.view.files,
            given_bytes: self.view.bytes,
            ..Prepared::default()
        };
        let mut session = match self.system.prepare(self.view, scratch) {
            Ok(session) => session,
            Err(error) => {
                watch.asked(self.corpus.questions.len());
                let failed = Outcome::Failed(error.clone());
                let rows = self
                    .corpus
                    .questions
                    .iter()
                    .map(|q| self.row(q, failed.clone()));
                prepared.error = Some(error);
                return Cell {
                    prepared,
                    rows: rows.collect(),
                };
            }
        };
        let ready = session.ready();
        let mut rows = Vec::with_capacity(self.corpus.questions.len());
        for question in &self.corpus.questions {
            rows.push(self.row(
                question,
                self.outcome(&mut *session, question, ready.prefix),
            ));
            watch.asked(1);
        }
        prepared.peak_bytes = session.end();
        prepared.version = ready.version;
        prepared.index_ms = ready.index_ms;
        prepared.index_bytes = ready.index_bytes;
        prepared.files = ready.files;
        Cell { prepared, rows }
    }

    fn row(&self, question: &Question, answer: Outcome) -> Row {
        Row {
            system: self.system.name().to_owned(),
            suite: self.suite.name.clone(),
            corpus: self.corpus.name.clone(),
            split: self.corpus.split.clone(),
            language: self.language(question),
            category: question.category.clone(),
            class: question.class.map(|class| class.as_str().to_owned()),
            id: question.id.clone(),
            query: question.text.clone(),
            task: question.task,
            expected: question.expected.clone(),
            answer,
        }
    }

    /// The repository's language, or that of the first answer.
    fn language(&self, question: &Question) -> String {
        let of_answer = || match &question.expected {
            Expected::Places(targets) => targets
                .first()
                .and_then(|target| detect_language(&target.path, b"")),
            _ => None,
        };
        let known = self.corpus.language.clone();
        known
            .or_else(|| of_answer().map(|language| language.name.to_lowercase()))
            .unwrap_or_else(|| "other".to_owned())
    }

    fn outcome(&self, session: &mut dyn Session, question: &Question, prefix: bool) -> Outcome {
        let Question {
            task,
            ref text,
            class,
            ..
        } = *question;
        let ask = |session: &mut dyn Session, limit| {
            session.ask(Ask {
                task,
                text,
                class,
                limit,
            })
        };
        // Where the ranking depends on how much is asked for, the first page
        // is what a user sees, and the rest only says what would follow.
        let outcome = match (question.task, prefix) {
            (Task::Search, false) => match (ask(session, PAGE), ask(session, LIMIT)) {
                (Outcome::Answered(page), Outcome::Answered(all)) => {
                    Outcome::Answered(page_then_rest(page, all))
                }
                (Outcome::Answered(_), other) | (other, _) => other,
            },
            _ => ask(session, LIMIT),
        };
        match outcome {
            Outcome::Answered(answer) => match self.complete(answer, task) {
                Ok(answer) => Outcome::Answered(answer),
                Err(path) => Outcome::Failed(format!("found {path:?}, which it was not given")),
            },
            other => other,
        }
    }

    /// Paths relative to the repository, and what reading each hit costs.
    fn complete(&self, mut answer: Answer, task: Task) -> Result<Answer, String> {
        if task == Task::Search {
            answer.hits.truncate(LIMIT);
        }
        for hit in &mut answer.hits {
            self.weigh(hit).ok_or(&hit.path)?;
            hit.path = self.whole(&hit.path);
        }
        if let Some(files) = &mut answer.files {
            for path in files.imports.iter_mut().chain(&mut files.importers) {
                *path = self.whole(path);
            }
        }
        Ok(answer)
    }

    /// What reading a hit costs, and what it shows; none where it is in no file
    /// of the view.
    fn weigh(&self, hit: &mut Found) -> Option<()> {
        hit.tokens = self.texts.tokens(&hit.path, hit.lines)?;
        // Whoever does not say what is shown shows all of it.
        if hit.shown.is_none() {
            hit.shown = hit.lines.map(|lines| vec![lines]);
        }
        for lines in hit.shown.iter().flatten() {
            hit.shown_tokens += self.texts.tokens(&hit.path, Some(*lines))?;
        }
        Some(())
    }

    fn whole(&self, path: &str) -> String {
        match self.corpus.root.as_str() {
            "" => path.to_owned(),
            root => format!("{root}/{path}"),
        }
    }
}

fn page_then_rest(mut page: Answer, all: Answer) -> Answer {
    let rest: Vec<Found> = all
        .hits
        .into_iter()
        .filter(|hit| !page.hits.contains(hit))
        .collect();
    page.hits.extend(rest);
    page
}

/// How long the lines of the files of a view are.
struct Texts {
    folder: PathBuf,
    /// For each file, where each line ends; none where there is no such file.
    ends: RefCell<HashMap<String, Option<Vec<usize>>>>,
}

impl Texts {
    fn new(view: &View) -> Texts {
        Texts {
            folder: view.folder.clone(),
            ends: RefCell::default(),
        }
    }

    /// What reading lines of a file, or all of it, costs; none where there is
    /// no such file.
    fn tokens(&self, path: &str, lines: Option<Lines>) -> Option<u32> {
        let mut files = self.ends.borrow_mut();
        let ends = files.entry(path.to_owned()).or_insert_with(|| {
            let bytes = fs::read(self.folder.join(path)).ok()?;
            let breaks = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
            Some(breaks.map(|(at, _)| at + 1).chain([bytes.len()]).collect())
        });
        let ends = ends.as_ref()?;
        let end = |line: usize| match line {
            0 => 0,
            line => ends[(line - 1).min(ends.len() - 1)],
        };
        let (from, to) = match lines {
            Some(lines) => (end(lines.start as usize - 1), end(lines.end as usize)),
            None => (0, end(usize::MAX)),
        };
        Some(tokens(to - from))
    }
}
