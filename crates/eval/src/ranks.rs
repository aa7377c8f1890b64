//! The rank of the first right answer to each question, as a file that is
//! committed: what a change did to the ranking is a diff.

use crate::metrics::first_match;
use crate::store::Cell;
use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt;

/// The rank of the first right answer, by category and question; none where
/// it is not among the results.
#[derive(Debug, Default, PartialEq)]
pub struct Ranks(BTreeMap<(String, String), Option<usize>>);

/// A rank that changed.
#[derive(Debug, PartialEq)]
pub struct Change {
    question: String,
    before: Option<usize>,
    after: Option<usize>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = usize::MAX;
        let is_better = self.after.unwrap_or(worst) < self.before.unwrap_or(worst);
        let sign = if is_better { "better" } else { "worse " };
        let before = display_rank(self.before);
        let after = display_rank(self.after);
        write!(f, "{sign}  {before:>3} -> {after:>3}  {}", self.question)
    }
}

fn display_rank(rank: Option<usize>) -> String {
    rank.map_or("–".to_owned(), |rank| rank.to_string())
}

/// The ranks of one system.
pub fn ranks_of(cells: &[Cell]) -> Ranks {
    let mut ranks = BTreeMap::new();
    for row in cells.iter().flat_map(|cell| &cell.rows) {
        let key = (row.category.clone(), row.id.clone());
        ranks.insert(key, first_match(row));
    }
    Ranks(ranks)
}

impl Ranks {
    /// As it is committed.
    pub fn to_tsv(&self) -> anyhow::Result<String> {
        let mut writer = csv::WriterBuilder::new()
            .delimiter(b'\t')
            .from_writer(Vec::new());
        writer.write_record(["category", "rank", "query"])?;
        for ((category, question), rank) in &self.0 {
            let rank = rank.map(|rank| rank.to_string()).unwrap_or_default();
            writer.write_record([category, &rank, question])?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }

    /// Reads what was committed.
    pub fn from_tsv(text: &str) -> anyhow::Result<Ranks> {
        let mut ranks = BTreeMap::new();
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(b'\t')
            .from_reader(text.as_bytes());
        for (at, record) in reader.records().enumerate() {
            let record = record?;
            let field = |nth| record.get(nth).unwrap_or_default();
            let rank = match field(1) {
                "" => None,
                rank => {
                    let rank = rank.parse();
                    Some(rank.with_context(|| format!("row {}: no rank", at + 2))?)
                }
            };
            ranks.insert((field(0).to_owned(), field(2).to_owned()), rank);
        }
        Ok(Ranks(ranks))
    }

    /// How many questions are only in one of the two.
    pub fn unmatched(&self, now: &Ranks) -> usize {
        let only = |a: &Ranks, b: &Ranks| a.0.keys().filter(|key| !b.0.contains_key(*key)).count();
        only(self, now) + only(now, self)
    }

    /// The ranks that changed; a question that is new or removed is no change.
    pub fn changes(&self, now: &Ranks) -> Vec<Change> {
        let mut changes = Vec::new();
        for (key, &before) in &self.0 {
            let Some(&after) = now.0.get(key) else {
                continue;
            };
            if before != after {
                let question = key.1.clone();
                changes.push(Change {
                    question,
                    before,
                    after,
                });
            }
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_survive_the_file_and_changes_are_seen() {
        let key = |q: &str| ("hard".to_owned(), q.to_owned());
        let before = Ranks(
            [
                (key("a, \"b\""), Some(3)),
                (key("c"), None),
                (key("d"), Some(1)),
            ]
            .into(),
        );
        assert_eq!(Ranks::from_tsv(&before.to_tsv().unwrap()).unwrap(), before);
        let now = Ranks(
            [
                (key("a, \"b\""), Some(1)),
                (key("c"), None),
                (key("new"), Some(1)),
            ]
            .into(),
        );
        let changes = before.changes(&now);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].to_string(), "better    3 ->   1  a, \"b\"");
    }
}
