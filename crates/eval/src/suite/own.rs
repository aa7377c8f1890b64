//! Our own layout: octocode's CSV with a header that names the corpus and the
//! commit, and with categories.
//!
//! ```text
//! # corpus: scent
//! # commit: 0123456789abcdef0123456789abcdef01234567
//! # category: hard
//! # class: code
//! query,result1,result2,result3
//! why is a long query cut,crates/search/src/analyse.rs:8-9:2,,
//! ```
//!
//! Both `category` and `class` hold for the rows below them. A class asks for
//! files of that sort only, as `--code`, `--docs` and `--config` do; peers do
//! not know it.

use super::{Question, Suite, SuiteFile, corpus_named, splits};
use crate::row::{Expected, Target, Task};
use anyhow::{Context, bail};
use scent_types::{FileClass, Lines};
use std::path::Path;

/// What the comments at the top say.
pub(super) struct Header {
    corpus: String,
    commit: Option<String>,
    split: String,
}

/// The questions of a file, and what of it could not be read.
pub(super) struct Rows {
    pub questions: Vec<Question>,
    pub left_out: Vec<String>,
}

/// None where a file does not name its corpus.
pub(super) fn header(text: &str) -> Option<Header> {
    let value = |key: &str| {
        text.lines()
            .find_map(|line| setting(line, key))
            .map(str::to_owned)
    };
    Some(Header {
        corpus: value("corpus")?,
        commit: value("commit"),
        split: value("split").unwrap_or_else(|| splits::DEV.to_owned()),
    })
}

/// `# key: value`
fn setting<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.strip_prefix('#')?
        .trim()
        .strip_prefix(key)?
        .strip_prefix(':')
        .map(str::trim)
}

/// The commit that a suite of ours is pinned to.
pub fn commit_of(folder: &Path) -> anyhow::Result<String> {
    let files = super::files_in(folder, "csv")?;
    let commits = files.iter().filter_map(|file| header(&file.text)?.commit);
    let mut commits: Vec<String> = commits.collect();
    commits.sort();
    commits.dedup();
    match commits.as_slice() {
        [commit] => Ok(commit.clone()),
        [] => bail!("{}: no CSV file in it names a commit", folder.display()),
        many => bail!(
            "{}: pinned to several commits: {}",
            folder.display(),
            many.join(", ")
        ),
    }
}

pub(super) fn read(file: &SuiteFile, header: &Header, suite: &mut Suite) -> anyhow::Result<()> {
    let Rows {
        questions,
        left_out,
    } = rows(&file.text, &file.stem);
    suite.left_out.extend(
        left_out
            .into_iter()
            .map(|why| format!("{}: {why}", file.stem)),
    );
    let corpus = corpus_named(suite, &header.corpus, &header.split);
    if corpus.revision.is_some() && corpus.revision != header.commit {
        bail!(
            "{}: another commit than the other files of the suite",
            file.path.display()
        );
    }
    corpus.revision = header.commit.clone();
    corpus.questions.extend(questions);
    Ok(())
}

/// Every row of a file. Rows are in the category that the last comment named,
/// or that the file's name gives.
pub(super) fn rows(text: &str, category: &str) -> Rows {
    let mut rows = Rows {
        questions: Vec::new(),
        left_out: Vec::new(),
    };
    let mut category = category.to_owned();
    let mut class = None;
    for (number, line) in (1..).zip(logical_lines(text)) {
        if line.starts_with('#') {
            category = setting(&line, "category").map_or(category, str::to_owned);
            match setting(&line, "class").map(|name| (name, FileClass::named(name))) {
                Some(("all", _)) => class = None,
                Some((_, Some(named))) => class = Some(named),
                Some((name, None)) => rows
                    .left_out
                    .push(format!("row {number}: no class of files is called {name}")),
                None => {}
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with("query,result1") {
            continue;
        }
        match row(&line, &category, class) {
            Ok(question) => rows.questions.push(question),
            Err(why) => rows.left_out.push(format!("row {number}: {why:#}")),
        }
    }
    rows
}

/// Lines of a CSV file; a quoted line break does not end one.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match lines.last_mut().filter(|_| open) {
            Some(last) => *last = format!("{last}\n{line}"),
            None => lines.push(line.to_owned()),
        }
        let comment = !open && line.starts_with('#');
        open ^= !comment && line.matches('"').count() % 2 == 1;
    }
    lines
}

fn row(line: &str, category: &str, class: Option<FileClass>) -> anyhow::Result<Question> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(line.as_bytes());
    let record = reader.records().next().context("empty")??;
    let query = record.get(0).unwrap_or_default().trim();
    if query.is_empty() {
        bail!("there is no question");
    }
    let places = record
        .iter()
        .skip(1)
        .map(str::trim)
        .filter(|place| !place.is_empty());
    let targets = places.map(place).collect::<anyhow::Result<Vec<Target>>>()?;
    if targets.is_empty() {
        bail!("nothing is expected");
    }
    Ok(Question {
        id: query.to_owned(),
        text: query.to_owned(),
        category: category.to_owned(),
        task: Task::Search,
        expected: Expected::Places(targets),
        class,
        on_line: None,
    })
}

/// `path:start-end:grade`
fn place(text: &str) -> anyhow::Result<Target> {
    let wrong = || format!("{text:?} is not path:start-end:grade");
    let (rest, grade) = text.rsplit_once(':').with_context(wrong)?;
    let (path, lines) = rest.rsplit_once(':').with_context(wrong)?;
    let (start, end) = lines.split_once('-').with_context(wrong)?;
    let (start, end): (u32, u32) = (
        start.parse().with_context(wrong)?,
        end.parse().with_context(wrong)?,
    );
    let grade: u8 = grade.parse().with_context(wrong)?;
    if path.is_empty() || start == 0 || start > end || grade == 0 {
        bail!(wrong());
    }
    Ok(Target {
        path: path.to_owned(),
        lines: Some(Lines::new(start, end)),
        grade,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_category_above_them() {
        let text = "# corpus: x\n# commit: abc\n# category: easy\nquery,result1,result2,result3\n\
                    a,f.rs:1-2:2,g.rs:3-3:1,\n# category: hard\n\"b, \"\"c\"\"\",f.rs:5-9:2,,\n";
        let header = header(text).unwrap();
        assert_eq!(
            (header.corpus.as_str(), header.commit.as_deref()),
            ("x", Some("abc"))
        );
        let rows = rows(text, "file");
        assert_eq!(rows.left_out, [""; 0]);
        let seen: Vec<(&str, &str)> = rows
            .questions
            .iter()
            .map(|q| (q.text.as_str(), q.category.as_str()))
            .collect();
        assert_eq!(seen, [("a", "easy"), ("b, \"c\"", "hard")]);
    }

    #[test]
    fn a_row_that_cannot_be_read_is_named() {
        let text = "query,result1\na,f.rs:1-2\nb,\n,f.rs:1-2:2\nc,f.rs:3-2:2\nd,f.rs:1-2:2\n";
        let rows = rows(text, "code");
        assert_eq!(rows.questions.len(), 1);
        assert_eq!(rows.left_out.len(), 4);
        assert!(
            rows.left_out[0].starts_with("row 2: "),
            "{:?}",
            rows.left_out
        );
    }
}
