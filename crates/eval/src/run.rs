//! Every question to every system, and where the answers are kept.
//!
//! A run is a folder: `run.json` says what was asked of whom and how,
//! `rows/SYSTEM/SUITE/CORPUS.jsonl` holds the raw answers of one system about
//! one repository. Such a file is written as a whole when the last question is
//! answered, so that a run that was killed goes on where it was.

use crate::metrics::tokens;
use crate::row::{Answer, Found, Outcome, Prepared, Row, Task};
use crate::suite::{Corpus, Question, Suite};
use crate::system::{Ask, Session, System};
use crate::view::{self, View};
use anyhow::{Context, bail};
use scent_engine::detect_language;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// How many results are asked for: enough for recall at large budgets.
const LIMIT: usize = 50;

/// What a page of results is, for those whose ranking depends on it.
const PAGE: usize = 10;

/// What was asked of whom, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// The command as it was typed.
    pub command: Vec<String>,
    /// When it began, as `2026-01-31T12:00:00Z`.
    pub started: String,
    /// The version of scent and the digest of the program.
    pub program: String,
    /// The folders of the suites.
    pub suites: Vec<PathBuf>,
    /// The folder of the repositories.
    pub corpora: PathBuf,
    /// Where views and indexes are.
    pub cache: PathBuf,
    /// Where the adapters of peers are.
    pub peers: PathBuf,
    /// The split that was asked for.
    pub split: Option<String>,
    /// The systems, in order; the first is what the others are held against.
    pub systems: Vec<Named>,
    /// What of the suites could not be used.
    pub left_out: Vec<String>,
    /// Answers that are not where the suite says; left out too.
    pub drift: Vec<String>,
}

/// A system by its name, with the weights that it has instead of the default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// TOML; none for a peer.
    pub weights: Option<String>,
}

/// The answers of one system about one repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What making it ready took.
    pub prepared: Prepared,
    /// A row for each question.
    pub rows: Vec<Row>,
}

/// A folder of answers.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// A folder of answers, which may not exist yet.
    pub fn new(folder: &Path) -> Store {
        Store { folder: folder.to_owned() }
    }

    fn file(&self, system: &str, suite: &str, corpus: &str) -> PathBuf {
        let rows = self.folder.join("rows");
        rows.join(system).join(suite).join(format!("{corpus}.jsonl"))
    }

    /// The answers of a system about a repository, if they are there in whole.
    pub fn cell(&self, system: &str, suite: &str, corpus: &str) -> Option<Cell> {
        read_cell(&self.file(system, suite, corpus)).ok()
    }

    /// Keeps answers, instead of older ones.
    pub fn put(&self, cell: &Cell) -> anyhow::Result<()> {
        let Prepared { system, suite, corpus, .. } = &cell.prepared;
        let file = self.file(system, suite, corpus);
        let mut text = serde_json::to_string(&cell.prepared)? + "\n";
        for row in &cell.rows {
            text += &serde_json::to_string(row)?;
            text.push('\n');
        }
        fs::create_dir_all(file.parent().unwrap_or(&self.folder))?;
        let unfinished = file.with_extension("unfinished");
        fs::write(&unfinished, text).with_context(|| unfinished.display().to_string())?;
        fs::rename(&unfinished, &file).with_context(|| file.display().to_string())
    }

    /// All answers, in order of systems as given, then suites and repositories.
    pub fn cells(&self, systems: &[Named]) -> anyhow::Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for system in systems {
            for suite in folders(&self.folder.join("rows").join(&system.name)) {
                for file in folders(&suite) {
                    if file.extension().is_some_and(|e| e == "jsonl") {
                        cells.push(read_cell(&file)?);
                    }
                }
            }
        }
        Ok(cells)
    }

    /// What the run was.
    pub fn manifest(&self) -> anyhow::Result<Manifest> {
        let file = self.folder.join("run.json");
        let text = fs::read_to_string(&file).with_context(|| {
            format!("{} is no run: there is no run.json", self.folder.display())
        })?;
        serde_json::from_str(&text).with_context(|| file.display().to_string())
    }

    /// Keeps what the run is.
    pub fn describe(&self, manifest: &Manifest) -> anyhow::Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        fs::write(self.folder.join("run.json"), text).context("run.json")
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read_cell(file: &Path) -> anyhow::Result<Cell> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut lines = text.lines();
    let shown = || file.display().to_string();
    let prepared = serde_json::from_str(lines.next().unwrap_or_default()).with_context(shown)?;
    let rows = lines.map(serde_json::from_str).collect::<Result<_, _>>().with_context(shown)?;
    Ok(Cell { prepared, rows })
}

/// Told how far a run is.
pub trait Watch {
    /// A system begins with a repository; this many questions follow.
    fn begin(&self, system: &str, corpus: &str, questions: usize);
    /// Questions were answered, or are known already.
    fn asked(&self, questions: usize);
    /// Something that a person should know.
    fn note(&self, text: &str);
}

/// Asks every system every question, repository by repository, but for what
/// the store knows already.
pub fn run(
    suites: &[Suite],
    systems: &[Box<dyn System>],
    store: &Store,
    cache: &Path,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    for suite in suites {
        for corpus in &suite.corpora {
            let view = view::lay_out(corpus, &suite.name, cache)
                .with_context(|| format!("{}/{}", suite.name, corpus.name))?;
            let texts = Texts::new(&view);
            for system in systems {
                let asked = Asking { suite, corpus, view: &view, texts: &texts, system: &**system };
                asked.ask(store, cache, watch)?;
            }
        }
    }
    Ok(())
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
        // What could not begin may have been put right since.
        if known.is_some_and(|cell| cell.prepared.key == key && cell.prepared.error.is_none()) {
            watch.asked(questions);
            return Ok(());
        }
        let scratch = cache.join("scratch").join(name).join(&self.suite.name);
        let scratch = scratch.join(&self.corpus.name);
        let cell = self.answers(key, &scratch, watch);
        if let Some(error) = &cell.prepared.error {
            watch.note(&format!("{name} cannot answer about {}: {error}", self.corpus.name));
        }
        let failed = cell.rows.iter().filter(|row| matches!(row.answer, Outcome::Failed(_)));
        let first = failed.clone().find_map(|row| match &row.answer {
            Outcome::Failed(why) => Some(why),
            _ => None,
        });
        if let (Some(why), None) = (first, &cell.prepared.error) {
            let times = failed.count();
            watch.note(&format!(
                "{name} failed at {times} questions about {}: {why}",
                self.corpus.name
            ));
        }
        store.put(&cell)
    }

    fn key(&self) -> String {
        let all = format!(
            "{} {} {} {:016x} {:016x}",
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
                let rows = self.corpus.questions.iter().map(|q| self.row(q, failed.clone()));
                prepared.error = Some(error);
                return Cell { prepared, rows: rows.collect() };
            }
        };
        let ready = session.ready();
        let mut rows = Vec::with_capacity(self.corpus.questions.len());
        for question in &self.corpus.questions {
            rows.push(self.row(question, self.outcome(&mut *session, question, ready.prefix)));
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
            crate::row::Expected::Places(targets) => {
                targets.first().and_then(|target| detect_language(&target.path, b""))
            }
            _ => None,
        };
        let known = self.corpus.language.clone();
        known
            .or_else(|| of_answer().map(|language| language.name.to_lowercase()))
            .unwrap_or_else(|| "other".to_owned())
    }

    fn outcome(&self, session: &mut dyn Session, question: &Question, prefix: bool) -> Outcome {
        let Question { task, ref text, class, .. } = *question;
        let ask = |session: &mut dyn Session, limit| session.ask(Ask { task, text, class, limit });
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
            Outcome::Answered(answer) => Outcome::Answered(self.complete(answer, task)),
            other => other,
        }
    }

    /// Paths relative to the repository, and what reading each hit costs.
    fn complete(&self, mut answer: Answer, task: Task) -> Answer {
        if task == Task::Search {
            answer.hits.truncate(LIMIT);
        }
        for hit in &mut answer.hits {
            hit.tokens = self.texts.tokens(hit);
            hit.path = self.whole(&hit.path);
        }
        if let Some(files) = &mut answer.files {
            for path in files.imports.iter_mut().chain(&mut files.importers) {
                *path = self.whole(path);
            }
        }
        answer
    }

    fn whole(&self, path: &str) -> String {
        match self.corpus.root.as_str() {
            "" => path.to_owned(),
            root => format!("{root}/{path}"),
        }
    }
}

fn page_then_rest(mut page: Answer, all: Answer) -> Answer {
    let rest: Vec<Found> = all.hits.into_iter().filter(|hit| !page.hits.contains(hit)).collect();
    page.hits.extend(rest);
    page
}

/// How long the lines of the files of a view are.
struct Texts {
    folder: PathBuf,
    /// For each file, where each line ends.
    ends: std::cell::RefCell<HashMap<String, Vec<usize>>>,
}

impl Texts {
    fn new(view: &View) -> Texts {
        Texts { folder: view.folder.clone(), ends: Default::default() }
    }

    fn tokens(&self, hit: &Found) -> u32 {
        let mut files = self.ends.borrow_mut();
        let ends = files.entry(hit.path.clone()).or_insert_with(|| {
            let bytes = fs::read(self.folder.join(&hit.path)).unwrap_or_default();
            let breaks = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
            breaks.map(|(at, _)| at + 1).chain([bytes.len()]).collect()
        });
        let end = |line: usize| match line {
            0 => 0,
            line => ends[(line - 1).min(ends.len() - 1)],
        };
        let (from, to) = match hit.lines {
            Some(lines) => (end(lines.start as usize - 1), end(lines.end as usize)),
            None => (0, end(usize::MAX)),
        };
        tokens(to - from)
    }
}

/// A name that can be that of a folder.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fine) {
        bail!("{name:?} cannot be the name of a system: use letters, digits and -_.+");
    }
    Ok(())
}

/// The time now, as `2026-01-31T12:00:00Z`.
pub fn now() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    date(since.map_or(0, |since| since.as_secs()))
}

/// The civil date of a number of seconds since 1970, in UTC.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }

    #[test]
    fn a_name_stays_inside_its_folder() {
        assert!(check_name("semble-bm25").is_ok());
        for bad in ["", "..", "a/b", ".hidden", "a b"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
