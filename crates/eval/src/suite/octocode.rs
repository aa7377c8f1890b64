//! octocode's layout: CSV with a question and up to three places a row, over
//! the one repository that is called like the suite.
//!
//! Its authors search code for the questions in `code.csv`, and documentation
//! for those in `docs.csv`. Each question is asked both ways: of all files, and,
//! in a category of its own, of files of that sort only.

use super::own::{self, Rows};
use super::{Question, Suite, SuiteFile, corpus_named, splits};
use scent_types::FileClass;

pub(super) fn read(file: &SuiteFile, suite: &mut Suite) -> anyhow::Result<()> {
    let name = suite.name.clone();
    let Rows {
        questions,
        left_out,
    } = own::rows(&file.text, &file.stem);
    suite.left_out.extend(
        left_out
            .into_iter()
            .map(|why| format!("{}: {why}", file.stem)),
    );
    let corpus = corpus_named(suite, &name, splits::of(&name, "octocode", &name));
    let only = |question: &Question| {
        let class = Some(FileClass::named(&file.stem)?);
        Some(Question {
            category: format!("{} only", file.stem),
            class,
            ..question.clone()
        })
    };
    let only: Vec<Question> = questions.iter().filter_map(only).collect();
    corpus.questions.extend(questions.into_iter().chain(only));
    Ok(())
}
