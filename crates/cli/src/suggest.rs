//! Suggestions after a mistake on the command line.

use crate::args::Cli;
use clap::CommandFactory;
use scent_engine::EngineError;
use std::path::{Path, PathBuf};

/// A word is a typo of another if they are at least this similar.
const SIMILAR: f64 = 0.85;

/// An error with what the user may have wanted to type.
#[derive(Debug)]
pub(crate) struct Advice {
    pub error: EngineError,
    advice: String,
}

impl std::fmt::Display for Advice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.error, self.advice)
    }
}

impl std::error::Error for Advice {}

/// The same error; where an argument after the query is no path, with what the
/// user may have wanted to type.
pub(crate) fn explain(error: anyhow::Error, query: &str, paths: &[PathBuf]) -> anyhow::Error {
    let error = match error.downcast::<EngineError>() {
        Ok(error) => error,
        Err(error) => return error,
    };
    let EngineError::NoSuchPath(missing) = &error else {
        return error.into();
    };
    if !paths.contains(missing) || looks_like_path(missing) {
        return error.into();
    }
    let mut words = vec![query.to_owned()];
    for path in paths {
        words.push(path.display().to_string());
    }
    if let Some(command) = similar_command(query) {
        words[0] = command;
        let line = quoted(words.iter().map(String::as_str));
        let advice = format!("did you mean `scent {line}`?");
        return Advice { error, advice }.into();
    }
    let line = quoted([words.join(" ").as_str()]);
    let advice = format!("quote a query of several words: `scent {line}`");
    Advice { error, advice }.into()
}

/// A query with the words after it, where they cannot be anything else: there
/// are several, and none of them is a path or looks like one.
pub(crate) fn joined_words(query: &str, paths: &[PathBuf]) -> Option<String> {
    let is_word = |path: &&PathBuf| !path.exists() && !looks_like_path(path);
    let are_words = paths.len() > 1 && paths.iter().all(|path| is_word(&path));
    if !are_words || query == "-" || similar_command(query).is_some() {
        return None;
    }
    let mut joined = query.to_owned();
    for path in paths {
        joined.push(' ');
        joined.push_str(path.to_str()?);
    }
    Some(joined)
}

fn looks_like_path(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.contains(['/', '\\', '.'])
}

/// Words as a shell reads them.
pub(crate) fn quoted<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    shlex::try_join(words).unwrap_or_default()
}

/// The command that a word is a typo of.
pub(crate) fn similar_command(word: &str) -> Option<String> {
    let cli = Cli::command();
    let commands = cli
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let mut nearest = None;
    let mut most = SIMILAR;
    for command in commands {
        let similarity = strsim::jaro_winkler(word, command.get_name());
        if similarity > most && similarity < 1.0 {
            most = similarity;
            nearest = Some(command.get_name().to_owned());
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_paths_are_explained() {
        for (query, paths, want) in [
            ("where", &["is", "it"][..], "`scent 'where is it'`"),
            ("serch", &["retry"], "did you mean `scent search retry`"),
            ("stats", &["a b"], "did you mean `scent status 'a b'`"),
            (
                "retry",
                &["src/lib.rs"],
                "src/lib.rs: no such file or folder",
            ),
        ] {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let error = EngineError::NoSuchPath(paths[0].clone());
            let message = explain(error.into(), query, &paths).to_string();
            assert!(
                message.ends_with(want) || message.contains(want),
                "{message}"
            );
        }
    }

    #[test]
    fn words_are_joined_where_none_can_be_a_path() {
        for (query, paths, want) in [
            (
                "how",
                &["are", "workers", "restarted"][..],
                "how are workers restarted",
            ),
            ("how", &["are", "src", "restarted"], ""),
            ("retry", &["delay"], ""),
            ("retry", &["a/b", "c"], ""),
            ("serch", &["retry", "delay"], ""),
            ("-", &["retry", "delay"], ""),
        ] {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let joined = joined_words(query, &paths).unwrap_or_default();
            assert_eq!(joined, want, "{query} {paths:?}");
        }
    }

    #[test]
    fn typos_of_commands_are_recognised() {
        for (word, want) in [
            ("idnex", Some("index")),
            ("outlines", Some("outline")),
            ("status", None),
            ("retry", None),
        ] {
            assert_eq!(similar_command(word).as_deref(), want, "{word}");
        }
    }
}
