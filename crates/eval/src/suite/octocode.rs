//! octocode's layout: CSV with a question and up to three places a row, over
//! the one repository that is called like the suite.

use super::own::{self, Rows};
use super::{Suite, SuiteFile, corpus_named, splits};

pub(super) fn read(file: &SuiteFile, suite: &mut Suite) -> anyhow::Result<()> {
    let name = suite.name.clone();
    let Rows { questions, left_out } = own::rows(&file.text, &file.stem);
    suite.left_out.extend(left_out.into_iter().map(|why| format!("{}: {why}", file.stem)));
    let corpus = corpus_named(suite, &name, splits::of(&name, "octocode", &name));
    corpus.questions.extend(questions);
    Ok(())
}
