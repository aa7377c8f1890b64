//! The agent with ripgrep alone.

use super::Task;
use super::files::Files;
use super::reader::{Log, Reader};
use scent_types::Lines;

/// The question's rarest words that are looked for.
const WORDS: usize = 3;

/// So many files are listed.
const LISTED: usize = 50;

/// Lines that are read before a match, and behind it.
const AROUND: u32 = 20;

/// Words that say nothing about code.
const STOP_WORDS: [&str; 64] = [
    "the", "and", "for", "are", "was", "were", "with", "that", "this", "from", "into", "when",
    "where", "what", "which", "who", "why", "how", "does", "not", "but", "its", "it's", "has",
    "have", "had", "can", "could", "will", "would", "should", "there", "their", "them", "then",
    "than", "these", "those", "one", "two", "all", "any", "each", "every", "some", "such", "other",
    "only", "also", "after", "before", "while", "until", "over", "under", "out", "off", "about",
    "being", "been", "instead", "they", "you", "your",
];

/// Looks for an answer with words of the question.
pub fn ripgrep(files: &Files, task: &Task) -> Log {
    let mut reader = Reader::new(task);
    let words = rarest(files, &task.question);
    let mut found: Vec<(&str, Vec<u32>)> = Vec::new();
    for (path, text) in files.each_lower() {
        let lines = text.lines().zip(1..);
        let matching = lines.filter(|(line, _)| words.iter().any(|word| line.contains(word)));
        let numbers: Vec<u32> = matching.map(|(_, number)| number).collect();
        if !numbers.is_empty() {
            found.push((path, numbers));
        }
    }
    found.sort_by_key(|(path, numbers)| (std::cmp::Reverse(numbers.len()), *path));
    found.truncate(LISTED);
    let listed = found
        .iter()
        .map(|(path, numbers)| path.len() + 2 + digits(numbers.len()));
    if !reader.read(listed.sum(), &[]) {
        return reader.log();
    }
    for (path, numbers) in &found {
        for window in windows(numbers, files.count(path)) {
            if !reader.read(files.cost(path, window), &[(path, window)]) {
                return reader.log();
            }
        }
    }
    reader.log()
}

/// The words of a question that the fewest files have, but at least one.
fn rarest(files: &Files, question: &str) -> Vec<String> {
    let lower = question.to_lowercase();
    let all = lower.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words: Vec<&str> = all
        .filter(|word| word.chars().count() >= 3 && !STOP_WORDS.contains(word))
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut counted = Vec::new();
    for word in words {
        let count = files
            .each_lower()
            .filter(|(_, text)| text.contains(word))
            .count();
        if count > 0 {
            counted.push((count, word.to_owned()));
        }
    }
    counted.sort();
    counted.truncate(WORDS);
    counted.into_iter().map(|(_, word)| word).collect()
}

/// The lines around matches, those that meet as one.
fn windows(numbers: &[u32], count: u32) -> Vec<Lines> {
    let mut windows: Vec<Lines> = Vec::new();
    for number in numbers {
        let start = number.saturating_sub(AROUND).max(1);
        let end = (number + AROUND).min(count);
        match windows.last_mut() {
            Some(last) if start <= last.end + 1 => last.end = end,
            _ => windows.push(Lines::new(start, end)),
        }
    }
    windows
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let mut files = Files::default();
        files.add(
            "a.rs",
            format!("{}fn Zebra() {{}}\n", "street\n".repeat(60)),
        );
        files.add("b.rs", "street\n".repeat(3));
        files
    }

    #[test]
    fn the_rarest_words_are_those_of_the_fewest_files() {
        let words = rarest(&files(), "Where does the zebra cross the street? nothing");
        assert_eq!(words, ["zebra", "street"]);
    }

    #[test]
    fn files_with_more_matches_are_read_first() {
        let task = Task {
            id: "t".to_owned(),
            question: "zebra street".to_owned(),
            right: vec![("b.rs".to_owned(), Lines::new(1, 3))],
        };
        let log = ripgrep(&files(), &task);
        // The list, all of a.rs as one window, and b.rs.
        assert_eq!((log.calls, log.success), (3, true));
        let windows = windows(&[1, 30, 100], 110);
        let want = [Lines::new(1, 50), Lines::new(80, 110)];
        assert_eq!(windows, want);
    }
}
