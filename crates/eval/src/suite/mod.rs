//! Suites: folders of questions with known answers, in the layouts that their
//! authors publish.
//!
//! | what the folder holds | layout |
//! | --- | --- |
//! | `repos.json` and one JSON of questions a repository | semble |
//! | `*.jsonl` | sverklo |
//! | `*.csv` that name their corpus in a comment | our own |
//! | other `*.csv` | octocode |

mod octocode;
mod own;
mod semble;
mod splits;
mod sverklo;
mod verify;

pub use own::commit_of;
pub use verify::Drift;

use crate::row::{Expected, Task};
use anyhow::{Context, bail};
use scent_types::FileClass;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Questions over one or several repositories.
#[derive(Debug)]
pub struct Suite {
    /// The name of its folder.
    pub name: String,
    /// The repositories.
    pub corpora: Vec<Corpus>,
    /// Rows and questions that could not be used, each with the reason.
    pub left_out: Vec<String>,
}

/// A repository with the questions that are asked of it.
#[derive(Debug)]
pub struct Corpus {
    /// The repository's name.
    pub name: String,
    /// Where it lies.
    pub folder: PathBuf,
    /// The only folder in it that is searched; empty for all of it.
    pub root: String,
    /// The language that most of it is in, where the suite says so.
    pub language: Option<String>,
    /// The commit that the answers were written for, where the suite says so.
    pub revision: Option<String>,
    /// `dev` or `test`.
    pub split: String,
    /// What is asked.
    pub questions: Vec<Question>,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Tells it from all others of the same repository.
    pub id: String,
    /// The words, the name or the path.
    pub text: String,
    /// The suite's own sort of question.
    pub category: String,
    /// What kind of answer is asked for.
    pub task: Task,
    /// What is right.
    pub expected: Expected,
    /// Only files of this sort are asked for, as with `--docs`.
    pub class: Option<FileClass>,
    /// Text that an expected line is to hold: the name that is looked for.
    pub on_line: Option<String>,
}

/// What of a suite is wanted.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Only `dev` or only `test`.
    pub split: Option<String>,
    /// Only repositories whose `suite/name` matches.
    pub only: Option<regex::Regex>,
}

/// A file of a suite, read.
struct SuiteFile {
    /// Its name without the extension.
    stem: String,
    path: PathBuf,
    text: String,
}

impl Suite {
    /// Reads a suite and finds its repositories below a folder: either at
    /// `corpora/SUITE/NAME` or at `corpora/NAME`.
    pub fn read(folder: &Path, corpora: &Path, choice: &Choice) -> anyhow::Result<Suite> {
        let shown = folder.display();
        let full = folder
            .canonicalize()
            .with_context(|| format!("{shown}: no such suite"))?;
        let name = full
            .file_name()
            .map_or("suite".into(), |n| n.to_string_lossy().into_owned());
        let mut suite = Suite {
            name,
            corpora: Vec::new(),
            left_out: Vec::new(),
        };
        let places = [corpora.join(&suite.name), corpora.to_owned()];
        if full.join("repos.json").exists() {
            semble::read(&full, &mut suite)?;
        } else {
            let tasks = files_in(&full, "jsonl")?;
            let tables = files_in(&full, "csv")?;
            match (tasks.is_empty(), tables.is_empty()) {
                (false, _) => sverklo::read(tasks, &mut suite)?,
                (true, false) => read_tables(tables, &mut suite)?,
                (true, true) => bail!(
                    "{shown}: no suite: there is no repos.json, no *.jsonl and no *.csv in it"
                ),
            }
        }
        suite.choose(choice);
        suite.locate(&places);
        suite.number_questions();
        Ok(suite)
    }

    /// Only the split and the repositories that were asked for.
    fn choose(&mut self, choice: &Choice) {
        let name = &self.name;
        self.corpora.retain(|corpus| {
            let split = choice
                .split
                .as_ref()
                .is_none_or(|split| *split == corpus.split);
            let full = format!("{name}/{}", corpus.name);
            split && choice.only.as_ref().is_none_or(|only| only.is_match(&full))
        });
    }

    /// A repository that is not there is left out, and said to be.
    fn locate(&mut self, places: &[PathBuf]) {
        for mut corpus in std::mem::take(&mut self.corpora) {
            let found = places
                .iter()
                .map(|place| place.join(&corpus.name))
                .find(|p| p.is_dir());
            let Some(folder) = found else {
                self.left_out.push(format!(
                    "{name}: missing corpus, {} questions left out; \
                     looked for {}/{name} and {name} in the folder of corpora",
                    corpus.questions.len(),
                    self.name,
                    name = corpus.name,
                ));
                continue;
            };
            corpus.folder = folder;
            self.corpora.push(corpus);
        }
    }

    /// The same question may be asked twice; a number says which.
    fn number_questions(&mut self) {
        for corpus in &mut self.corpora {
            let mut seen = std::collections::HashMap::new();
            for question in &mut corpus.questions {
                let times: &mut usize = seen.entry(question.id.clone()).or_default();
                *times += 1;
                if *times > 1 {
                    question.id = format!("{}#{times}", question.id);
                }
            }
        }
    }

    /// How many questions there are.
    pub fn questions(&self) -> usize {
        self.corpora
            .iter()
            .map(|corpus| corpus.questions.len())
            .sum()
    }
}

impl Corpus {
    fn new(name: &str, split: &str) -> Corpus {
        Corpus {
            name: name.to_owned(),
            folder: PathBuf::new(),
            root: String::new(),
            language: None,
            revision: None,
            split: split.to_owned(),
            questions: Vec::new(),
        }
    }

    /// The folder that is searched.
    pub fn searched(&self) -> PathBuf {
        self.folder.join(&self.root)
    }

    /// Changes with the questions and their answers.
    pub fn digest(&self) -> u64 {
        xxh3_64(format!("{} {:?}", self.root, self.questions).as_bytes())
    }
}

/// A path of a repository as seen from the folder in it that is searched.
pub fn inside<'p>(root: &str, path: &'p str) -> &'p str {
    path.strip_prefix(root)
        .unwrap_or(path)
        .trim_start_matches('/')
}

/// CSV files are ours where they name their corpus, octocode's otherwise.
fn read_tables(files: Vec<SuiteFile>, suite: &mut Suite) -> anyhow::Result<()> {
    for file in files {
        match own::header(&file.text) {
            Some(header) => own::read(&file, &header, suite)?,
            None => octocode::read(&file, suite)?,
        }
    }
    Ok(())
}

fn files_in(folder: &Path, extension: &str) -> anyhow::Result<Vec<SuiteFile>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths.into_iter().map(read_file).collect()
}

fn read_file(path: PathBuf) -> anyhow::Result<SuiteFile> {
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let stem = path
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    Ok(SuiteFile { stem, path, text })
}

/// Adds questions to the repository of this name, which may be there already.
fn corpus_named<'s>(suite: &'s mut Suite, name: &str, split: &str) -> &'s mut Corpus {
    let at = suite.corpora.iter().position(|corpus| corpus.name == name);
    let at = at.unwrap_or_else(|| {
        suite.corpora.push(Corpus::new(name, split));
        suite.corpora.len() - 1
    });
    &mut suite.corpora[at]
}
