//! BM25 as it stands in textbooks, over texts of any size: what agents and
//! completion had before there was anything better.

use std::collections::HashMap;

/// How fast further occurrences of a word stop counting, and how much the length
/// of a text matters.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Texts with their words counted.
#[derive(Debug, Default)]
pub struct Bm25 {
    documents: Vec<HashMap<String, f32>>,
    lengths: Vec<f32>,
    frequencies: HashMap<String, f32>,
}

impl Bm25 {
    /// Adds a text; texts are numbered in the order in which they come.
    pub fn add(&mut self, text: &str) {
        let mut counts: HashMap<String, f32> = HashMap::new();
        let mut length = 0.0;
        for word in words(text) {
            *counts.entry(word).or_default() += 1.0;
            length += 1.0;
        }
        for word in counts.keys() {
            *self.frequencies.entry(word.clone()).or_default() += 1.0;
        }
        self.documents.push(counts);
        self.lengths.push(length);
    }

    /// In how many texts a word is.
    pub fn frequency(&self, word: &str) -> usize {
        self.frequencies.get(word).copied().unwrap_or(0.0) as usize
    }

    /// The texts that have a word of a query, best first.
    pub fn search(&self, query: &str) -> Vec<usize> {
        let mut terms: Vec<String> = words(query).collect();
        terms.sort();
        terms.dedup();
        let number = self.documents.len() as f32;
        let mean = self.lengths.iter().sum::<f32>() / number.max(1.0);
        let mut scored = Vec::new();
        for (nth, counts) in self.documents.iter().enumerate() {
            let mut score = 0.0;
            for term in &terms {
                let Some(count) = counts.get(term) else {
                    continue;
                };
                let with = self.frequencies[term];
                let idf = (1.0 + (number - with + 0.5) / (with + 0.5)).ln();
                let length = 1.0 - B + B * self.lengths[nth] / mean;
                score += idf * count * (K1 + 1.0) / (count + K1 * length);
            }
            if score > 0.0 {
                scored.push((nth, score));
            }
        }
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        scored.into_iter().map(|(nth, _)| nth).collect()
    }
}

/// The words of a text in lower case: identifiers, and their parts.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let whole = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    whole.filter(|word| word.len() > 1).flat_map(|word| {
        let mut all = parts(word);
        if all.len() > 1 {
            all.push(word.to_lowercase());
        }
        all
    })
}

fn parts(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut before_is_lower = false;
    for letter in word.chars() {
        if letter == '_' || (letter.is_uppercase() && before_is_lower) {
            parts.push(String::new());
        }
        before_is_lower = letter.is_lowercase() || letter.is_ascii_digit();
        if letter != '_' {
            parts.last_mut().expect("one").extend(letter.to_lowercase());
        }
    }
    parts.retain(|part| part.len() > 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_decide_and_parts_of_names_count() {
        let mut index = Bm25::default();
        index.add("fn parse_request(text) { text }");
        index.add("fn parseHeader(text) { text }");
        index.add("nothing of that");
        assert_eq!(index.search("header text"), [1, 0]);
        assert_eq!(index.search("request"), [0]);
        assert_eq!(index.search("PARSE"), [0, 1]);
        assert_eq!(index.frequency("text"), 2);
        let found: Vec<String> = words("parseHeader_2x a").collect();
        assert_eq!(found, ["parse", "header", "2x", "parseheader_2x"]);
    }
}
