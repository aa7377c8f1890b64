//! Whether the answers of a suite are still where it says.

use super::{Corpus, Question, Suite};
use crate::row::{Expected, Target, Task};
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::Path;

/// How far from the expected line its name may be: as far as an answer may.
const NEAR: u32 = 3;

/// An answer that is not where the suite says.
#[derive(Debug, PartialEq, Eq)]
pub struct Drift {
    /// The repository.
    pub corpus: String,
    /// The question.
    pub question: String,
    /// What is not as it should be.
    pub what: String,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}: {}", self.corpus, self.question, self.what)
    }
}

impl Suite {
    /// Looks every answer up in its repository. Paths become relative to the
    /// repository, as all results are. Answers that are not there are taken
    /// out, and questions without any answer left. So are answers outside the
    /// folder that is searched, which nobody can find, but they are no drift.
    pub fn verify(&mut self) -> Vec<Drift> {
        let mut drifts = Vec::new();
        for corpus in &mut self.corpora {
            drifts.extend(commit_drift(corpus));
            let mut files = Files {
                texts: HashMap::new(),
            };
            for mut question in std::mem::take(&mut corpus.questions) {
                let problems = check(corpus, &mut question, &mut files);
                let gone = question.task == Task::Depend && !problems.is_empty();
                for problem in problems {
                    let (corpus, question) = (corpus.name.clone(), question.id.clone());
                    match problem {
                        Problem::Drift(what) => drifts.push(Drift {
                            corpus,
                            question,
                            what,
                        }),
                        Problem::Outside(path) => self.left_out.push(format!(
                            "{corpus}: {question:?}: {path} is outside the folder that is searched"
                        )),
                    }
                }
                if still_asks(&question) && !gone {
                    corpus.questions.push(question);
                }
            }
        }
        self.corpora.retain(|corpus| !corpus.questions.is_empty());
        drifts
    }
}

impl Corpus {
    /// What a path of the suite may be in the repository, as far as it is
    /// searched. Some suites give paths relative to the repository, some
    /// relative to the folder that is searched.
    fn candidates(&self, path: &str) -> impl Iterator<Item = String> {
        let inside = format!("{}/{path}", self.root);
        let candidates = [path.to_owned(), inside.trim_start_matches('/').to_owned()];
        candidates.into_iter().filter(|path| {
            let rest = path.strip_prefix(&self.root);
            self.root.is_empty() || rest.is_some_and(|r| r.is_empty() || r.starts_with('/'))
        })
    }
}

/// Why an answer is taken out.
enum Problem {
    Drift(String),
    Outside(String),
}

/// A checkout with its history is to be at the commit that the suite names.
fn commit_drift(corpus: &Corpus) -> Option<Drift> {
    let wanted = corpus
        .revision
        .as_deref()
        .filter(|revision| is_hash(revision))?;
    let head = fs::read_to_string(corpus.folder.join(".git/HEAD")).ok()?;
    let head = head.trim();
    (is_hash(head) && head != wanted).then(|| Drift {
        corpus: corpus.name.clone(),
        question: String::new(),
        what: format!("is at commit {head}, not {wanted}"),
    })
}

fn is_hash(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn still_asks(question: &Question) -> bool {
    match &question.expected {
        Expected::Places(targets) => !targets.is_empty(),
        Expected::Files(_) | Expected::Names(_) => true,
    }
}

fn check(corpus: &Corpus, question: &mut Question, files: &mut Files) -> Vec<Problem> {
    let mut problems = Vec::new();
    match &mut question.expected {
        Expected::Places(targets) => {
            let on_line = question.on_line.as_deref();
            targets.retain_mut(|target| match resolve(corpus, target, on_line, files) {
                Ok(()) => true,
                Err(what) => {
                    problems.push(what);
                    false
                }
            });
        }
        Expected::Files(_) if question.task == Task::Depend => {
            if !corpus.folder.join(&question.text).is_file() {
                problems.push(Problem::Drift(format!("{}: no such file", question.text)));
            }
        }
        Expected::Files(_) | Expected::Names(_) => {}
    }
    problems
}

fn resolve(
    corpus: &Corpus,
    target: &mut Target,
    on_line: Option<&str>,
    files: &mut Files,
) -> Result<(), Problem> {
    let there = |path: &String| corpus.folder.join(path).exists();
    let Some(path) = corpus.candidates(&target.path).find(there) else {
        if there(&target.path) {
            return Err(Problem::Outside(target.path.clone()));
        }
        let drift = format!("{}: no such file", target.path);
        return Err(Problem::Drift(drift));
    };
    target.path = path.trim_end_matches('/').to_owned();
    let Some(lines) = target.lines else {
        return Ok(());
    };
    let text = files.lines(&corpus.folder.join(&target.path));
    let drift = |what: String| Err(Problem::Drift(format!("{}:{lines}: {what}", target.path)));
    if lines.end as usize > text.len() {
        return drift(format!("the file ends at {}", text.len()));
    }
    let near = lines.start.saturating_sub(NEAR + 1) as usize
        ..(lines.end + NEAR).min(text.len() as u32) as usize;
    match on_line.filter(|name| !text[near].iter().any(|line| line.contains(name))) {
        Some(name) => drift(format!("{name} is not there")),
        None => Ok(()),
    }
}

/// Files read so far, as lines.
struct Files {
    texts: HashMap<std::path::PathBuf, Vec<String>>,
}

impl Files {
    fn lines(&mut self, path: &Path) -> &[String] {
        self.texts.entry(path.to_owned()).or_insert_with(|| {
            let bytes = fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&bytes)
                .lines()
                .map(str::to_owned)
                .collect()
        })
    }
}
