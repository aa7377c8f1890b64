//! How the searches of an agent went, in numbers.

use super::reader::Log;
use super::{Corpus, TOOLS};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One question with each of the tools.
#[derive(Clone, Debug)]
pub struct Row {
    /// The suite.
    pub suite: String,
    /// The repository.
    pub corpus: String,
    /// How it went with each tool.
    pub logs: [Log; 3],
}

impl Row {
    /// A question of a repository.
    pub fn new(corpus: &Corpus, logs: [Log; 3]) -> Row {
        Row {
            suite: corpus.suite.clone(),
            corpus: corpus.name.clone(),
            logs,
        }
    }
}

/// The results of each suite and of each repository in it.
pub fn table(rows: &[Row]) -> String {
    let mut groups: BTreeMap<(String, String), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let all = (row.suite.clone(), " all".to_owned());
        let own = (row.suite.clone(), row.corpus.clone());
        groups.entry(all).or_default().push(row);
        groups.entry(own).or_default().push(row);
    }
    let mut out = String::from(
        "| suite | repository | tool | questions | answered | tokens, mean | tokens, median of answered | calls, mean |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for ((suite, corpus), rows) in &groups {
        for (nth, tool) in TOOLS.iter().enumerate() {
            let logs: Vec<Log> = rows.iter().map(|row| row.logs[nth]).collect();
            let number = logs.len() as f64;
            let mut answered: Vec<usize> = logs
                .iter()
                .filter(|log| log.success)
                .map(|log| log.tokens)
                .collect();
            answered.sort_unstable();
            let median = answered.get(answered.len() / 2).copied().unwrap_or(0);
            let tokens: usize = logs.iter().map(|log| log.tokens).sum();
            let calls: usize = logs.iter().map(|log| log.calls).sum();
            let _ = writeln!(
                out,
                "| {suite} | {} | {tool} | {number} | {:.3} | {:.0} | {median} | {:.1} |",
                corpus.trim(),
                answered.len() as f64 / number,
                tokens as f64 / number,
                calls as f64 / number,
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_counts_its_whole_budget() {
        let log = |tokens, success| Log {
            tokens,
            calls: 2,
            success,
        };
        let row = |tokens| Row {
            suite: "s".to_owned(),
            corpus: "c".to_owned(),
            logs: [log(20_000, false), log(tokens, true), log(100, true)],
        };
        let table = table(&[row(300), row(500)]);
        assert!(
            table.contains("| s | all | ripgrep | 2 | 0.000 | 20000 | 0 | 2.0 |"),
            "{table}"
        );
        assert!(
            table.contains("| s | c | bm25 | 2 | 1.000 | 400 | 500 | 2.0 |"),
            "{table}"
        );
    }
}
