//! How well the words of a name answer those of a question.

use scent_words::{inflections, terms};

/// What a word is worth that is an inflection of the term.
const INFLECTION: f32 = 0.8;
/// What a word is worth that begins like the term: `config` for
/// `configuration`.
const SAME_BEGINNING: f32 = 0.5;
/// The shortest beginning that says something.
const BEGINNING: usize = 4;

/// The terms of a question.
#[derive(Debug)]
pub(super) struct QueryTerms {
    terms: Vec<Term>,
    /// The idf of all of them.
    idf: f32,
}

#[derive(Debug)]
struct Term {
    text: String,
    idf: f32,
    inflections: Vec<String>,
}

impl QueryTerms {
    /// The terms as the text lane weighs them. The parts of a compound say what
    /// it says: it is left out.
    pub fn new(terms: &[(String, f32)]) -> QueryTerms {
        let texts: Vec<String> = terms.iter().map(|(text, _)| text.clone()).collect();
        let mut parts = Vec::with_capacity(terms.len());
        for (text, idf) in terms {
            if !is_compound(text, &texts) {
                parts.push(Term {
                    text: text.clone(),
                    idf: *idf,
                    inflections: inflections(text),
                });
            }
        }
        let idf: f32 = parts.iter().map(|term| term.idf).sum();
        QueryTerms {
            terms: parts,
            idf: idf.max(f32::MIN_POSITIVE),
        }
    }

    /// How much of the question is among these words, from 0 to 1; rare terms
    /// count most.
    pub fn recall_in(&self, words: &[String]) -> f32 {
        let mut sum = 0.0;
        for term in &self.terms {
            let fits = words.iter().map(|word| term.fits(word));
            sum += term.idf * fits.fold(0.0, f32::max);
        }
        sum / self.idf
    }

    /// How many of these words are in the question, from 0 to 1.
    pub fn precision_of(&self, words: &[String]) -> f32 {
        let fits = words.iter().map(|word| self.fits(word));
        fits.sum::<f32>() / words.len().max(1) as f32
    }

    /// The words that are in the question, as a list to print.
    pub fn matching(&self, words: &[String]) -> String {
        let found = words.iter().filter(|word| self.fits(word) > 0.0);
        found.map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// How well a word fits the term that it fits best.
    fn fits(&self, word: &str) -> f32 {
        let fits = self.terms.iter().map(|term| term.fits(word));
        fits.fold(0.0, f32::max)
    }
}

impl Term {
    fn fits(&self, word: &str) -> f32 {
        if self.text == word {
            return 1.0;
        }
        if self.inflections.iter().any(|other| other == word) {
            return INFLECTION;
        }
        let shorter = self.text.len().min(word.len());
        let begins = self.text.starts_with(word) || word.starts_with(&self.text);
        if begins && shorter >= BEGINNING {
            return SAME_BEGINNING;
        }
        0.0
    }
}

/// Whether a word is others of a list in a row.
fn is_compound(word: &str, list: &[String]) -> bool {
    let mut rest = word;
    while let Some(part) = first_part(rest, word, list) {
        rest = &rest[part.len()..];
    }
    rest.is_empty()
}

/// The word of a list, other than this one, that a text begins with.
fn first_part<'l>(text: &str, word: &str, list: &'l [String]) -> Option<&'l String> {
    let mut others = list.iter().filter(|part| *part != word);
    others.find(|part| text.starts_with(*part))
}

/// The words of a name, without the compound.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let all = terms::unique(name);
    let parts = all.iter().filter(|word| !is_compound(word, &all));
    parts.cloned().collect()
}
