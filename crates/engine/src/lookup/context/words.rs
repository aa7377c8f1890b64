//! Words of the code around a cursor, which need not be what is on disk.

use std::collections::HashMap;

/// How fast a word loses weight with every line between it and the cursor.
const DECAY: f32 = 0.97;

/// Farther from the cursor, words have no weight that would matter.
const FARTHEST: usize = 200;

/// A word that weighs so much is as certain as can be.
const ENOUGH: f32 = 1.5;

/// The text around a cursor.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// What stands before it, the part of its line too.
    pub before: String,
    /// What stands behind it.
    pub after: String,
}

impl Around {
    /// The identifiers before the cursor and behind it, each with a weight from
    /// 0 to 1 that says how near and how often it stands there.
    pub fn weights(&self) -> (HashMap<&str, f32>, HashMap<&str, f32>) {
        let before = weights(self.before.lines().rev());
        let after = weights(self.after.lines());
        (before, after)
    }

    /// The identifiers within so many lines of the cursor.
    pub fn near(&self, before: usize, after: usize) -> Vec<&str> {
        let lines = self.before.lines().rev().take(before);
        let lines = lines.chain(self.after.lines().take(after));
        let mut words: Vec<&str> = lines.flat_map(identifiers).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Words of which a member is asked for within so many lines before the
    /// cursor: `client` in `client.send`.
    pub fn receivers(&self, lines: usize) -> Vec<&str> {
        let lines = self.before.lines().rev().take(lines);
        let mut found: Vec<&str> = lines.flat_map(before_dots).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn weights<'t>(lines: impl Iterator<Item = &'t str>) -> HashMap<&'t str, f32> {
    let mut sums: HashMap<&str, f32> = HashMap::new();
    let mut weight = 1.0;
    for line in lines.take(FARTHEST) {
        for word in identifiers(line) {
            *sums.entry(word).or_default() += weight;
        }
        weight *= DECAY;
    }
    for sum in sums.values_mut() {
        *sum = 1.0 - (-*sum / ENOUGH).exp();
    }
    sums
}

/// The identifiers of a line, those in comments and strings too.
pub(super) fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words = line.split(move |c: char| !is_part(c));
    words.filter(|word| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()))
}

fn before_dots(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for sign in [".", "->", "::"] {
        let pieces: Vec<&str> = line.split(sign).collect();
        for piece in &pieces[..pieces.len() - 1] {
            let trimmed = piece.trim_end_matches(['?', '!']);
            found.extend(
                identifiers(trimmed)
                    .last()
                    .filter(|word| trimmed.ends_with(word)),
            );
        }
    }
    found
}

/// How a type is called whose value has this name: `RetryPolicy` for
/// `retry_policy` and `retryPolicy`.
pub(super) fn type_name(variable: &str) -> String {
    let parts = variable
        .trim_matches('_')
        .split('_')
        .filter(|part| !part.is_empty());
    let mut name = String::new();
    for part in parts {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_weigh_more_the_nearer_they_stand() {
        let around = Around {
            before: "far()\n\n\nnear(1)\nnear(far".to_owned(),
            after: ")\nbehind".to_owned(),
        };
        let (before, after) = around.weights();
        assert!(before["near"] > before["far"]);
        assert!(before["far"] > 0.0 && before["near"] < 1.0);
        assert_eq!(after.len(), 1);
        assert_eq!(around.near(1, 2), ["behind", "far", "near"]);
    }

    #[test]
    fn a_receiver_stands_before_a_dot() {
        let around = Around {
            before: "retry_policy.next(a.b)\nx->y; f().z; Foo::bar".to_owned(),
            after: String::new(),
        };
        assert_eq!(around.receivers(9), ["Foo", "retry_policy"]);
        for (variable, want) in [
            ("retry_policy", "RetryPolicy"),
            ("retryPolicy", "RetryPolicy"),
            ("_client", "Client"),
            ("_", ""),
        ] {
            assert_eq!(type_name(variable), want);
        }
    }
}
