//! How well the words of a name answer those of a question.

use crate::sorts::is_asked_for;
use scent_types::{Request, Sort};
use scent_words::{inflections, terms};

/// What a word is worth that is another form of the one asked for.
const OTHER_FORM: f32 = 0.8;
/// What a word is worth that begins like it: `config` for `configuration`.
const SAME_BEGINNING: f32 = 0.5;
/// The shortest beginning that says something.
const BEGINNING: usize = 4;

/// The words of a question, each with how rare it is.
#[derive(Debug)]
pub(crate) struct Asked {
    terms: Vec<Term>,
    words: Vec<String>,
    rarity: f32,
    /// The file to stay near to.
    pub near: Option<String>,
    /// It is asked where a program begins.
    pub entry: bool,
}

#[derive(Debug)]
struct Term {
    text: String,
    rarity: f32,
    forms: Vec<String>,
}

impl Asked {
    /// The words of a query as the text lane weighs them. The parts of a
    /// compound say what it says: it is left out.
    pub fn new(request: &Request, terms: &[(String, f32)]) -> Asked {
        let words = terms::unique(&request.query);
        let texts: Vec<String> = terms.iter().map(|(text, _)| text.clone()).collect();
        let is_part = |(text, _): &&(String, f32)| !is_compound(text, &texts);
        let term = |(text, rarity): &(String, f32)| Term {
            text: text.clone(),
            rarity: *rarity,
            forms: inflections(text),
        };
        let terms: Vec<Term> = terms.iter().filter(is_part).map(term).collect();
        let rarity = terms
            .iter()
            .map(|term| term.rarity)
            .sum::<f32>()
            .max(f32::MIN_POSITIVE);
        let entry = super::entry::is_asked_for(&words);
        Asked {
            terms,
            words,
            rarity,
            near: request.near.clone(),
            entry,
        }
    }

    /// Whether files of a sort are meant.
    pub fn wants(&self, sort: Sort) -> bool {
        is_asked_for(sort, &self.words)
    }

    /// How much of what is asked for is among these words, from 0 to 1; rare
    /// words count most.
    pub fn share_in(&self, words: &[String]) -> f32 {
        let found = |term: &Term| {
            let best = words.iter().map(|word| term.fits(word)).fold(0.0, f32::max);
            term.rarity * best
        };
        self.terms.iter().map(found).sum::<f32>() / self.rarity
    }

    /// How many of these words were asked for, from 0 to 1.
    pub fn share_of(&self, words: &[String]) -> f32 {
        let asked = |word: &String| self.terms.iter().map(|t| t.fits(word)).fold(0.0, f32::max);
        words.iter().map(asked).sum::<f32>() / words.len().max(1) as f32
    }

    /// The words that were asked for, as somebody may read them.
    pub fn among(&self, words: &[String]) -> String {
        let asked = |word: &&String| self.terms.iter().any(|term| term.fits(word) > 0.0);
        let found: Vec<&str> = words.iter().filter(asked).map(String::as_str).collect();
        found.join(", ")
    }
}

impl Term {
    fn fits(&self, word: &str) -> f32 {
        let shorter = self.text.len().min(word.len());
        match () {
            () if self.text == word => 1.0,
            () if self.forms.iter().any(|form| form == word) => OTHER_FORM,
            () if shorter < BEGINNING => 0.0,
            () if self.text.starts_with(word) || word.starts_with(&self.text) => SAME_BEGINNING,
            () => 0.0,
        }
    }
}

/// Whether a word is others of a list in a row.
fn is_compound(word: &str, list: &[String]) -> bool {
    let mut rest = word;
    while let Some(part) = list
        .iter()
        .find(|part| *part != word && rest.starts_with(*part))
    {
        rest = &rest[part.len()..];
    }
    rest.is_empty()
}

/// The words of a name, without the compound.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let all = terms::unique(name);
    all.iter()
        .filter(|word| !is_compound(word, &all))
        .cloned()
        .collect()
}
