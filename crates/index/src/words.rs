//! Words of a query, looked up in the dictionaries of all fields.
//!
//! A word is looked up with all its inflections, most of which do not occur. They
//! share their beginnings, so one walk through a dictionary finds all that are
//! there in a fraction of the time that looking up each would take.

use crate::error::{IndexError, Result};
use crate::schema::TextField;
use crate::stored::UnitNo;
use crate::text::{Segment, TextReader};
use rayon::prelude::*;
use tantivy::postings::TermInfo;
use tantivy::schema::IndexRecordOption;
use tantivy_fst::Automaton;

/// Where the words of a query stand.
pub struct Words<'s> {
    text: &'s TextReader,
    /// For each word, the fields of segments that have it.
    found: Vec<Vec<Found>>,
}

#[derive(Clone)]
struct Found {
    segment: usize,
    field: TextField,
    info: TermInfo,
}

impl TextReader {
    /// Finds words, which are sorted and each there once.
    pub fn words(&self, words: &[&str]) -> Result<Words<'_>> {
        let find = |(nth, segment): (usize, &Segment)| find(segment, self, nth, words);
        let by_segment = self.segments().par_iter().enumerate().map(find);
        let by_segment: Vec<Vec<(usize, Found)>> = by_segment.collect::<Result<_>>()?;
        let mut found = vec![Vec::new(); words.len()];
        for (word, place) in by_segment.into_iter().flatten() {
            found[word].push(place);
        }
        Ok(Words { text: self, found })
    }
}

fn find(
    segment: &Segment,
    text: &TextReader,
    nth: usize,
    words: &[&str],
) -> Result<Vec<(usize, Found)>> {
    let mut found = Vec::new();
    for field in TextField::ALL {
        let inverted = segment.reader.inverted_index(text.fields().text(field))?;
        let stream = inverted.terms().search(OneOf(words)).into_stream();
        let mut stream = stream.map_err(IndexError::io(text.folder()))?;
        while stream.advance() {
            let word = words.binary_search_by(|word| word.as_bytes().cmp(stream.key()));
            let place = Found {
                segment: nth,
                field,
                info: stream.value().clone(),
            };
            found.extend(word.ok().map(|word| (word, place)));
        }
    }
    Ok(found)
}

impl Words<'_> {
    /// How many units hold a word in the field in which most do.
    pub fn count(&self, word: usize) -> Result<u64> {
        let mut of_field = [0_u64; TextField::ALL.len()];
        for found in &self.found[word] {
            of_field[found.field as usize] += self.count_in(found)?;
        }
        Ok(of_field.into_iter().max().unwrap_or(0))
    }

    /// Without the units that are deleted: an edited index counts as a fresh
    /// one.
    fn count_in(&self, found: &Found) -> Result<u64> {
        let segment = &self.text.segments()[found.segment];
        if !segment.reader.has_deletes() {
            return Ok(u64::from(found.info.doc_freq));
        }
        let id = self.text.fields().text(found.field);
        let inverted = segment.reader.inverted_index(id)?;
        let postings = inverted.read_postings_from_terminfo(&found.info, IndexRecordOption::Basic);
        let mut count = 0;
        let postings = postings.map_err(IndexError::io(self.text.folder()))?;
        segment.each_alive(postings, |_, _| count += 1);
        Ok(count)
    }

    /// Calls `each` with every field that holds a word, its unit, how often it
    /// does, and how long the field is. The fields of a unit come in order.
    pub fn postings(
        &self,
        word: usize,
        mut each: impl FnMut(TextField, UnitNo, u32, u32),
    ) -> Result<()> {
        for Found {
            segment,
            field,
            info,
        } in &self.found[word]
        {
            let segment = &self.text.segments()[*segment];
            let id = self.text.fields().text(*field);
            let inverted = segment.reader.inverted_index(id)?;
            let found = inverted.read_postings_from_terminfo(info, IndexRecordOption::WithFreqs);
            let postings = found.map_err(IndexError::io(self.text.folder()))?;
            let lengths = segment.reader.get_fieldnorms_reader(id)?;
            segment.each_alive(postings, |doc, count| {
                each(*field, segment.base + doc, count, lengths.fieldnorm(doc));
            });
        }
        Ok(())
    }
}

/// Accepts what is one of these words, which are sorted.
struct OneOf<'w>(&'w [&'w str]);

/// The words that begin with what was read so far, and how long that is.
#[derive(Clone, Copy)]
struct Begun {
    first: usize,
    end: usize,
    length: usize,
}

impl Automaton for OneOf<'_> {
    type State = Begun;

    fn start(&self) -> Begun {
        Begun {
            first: 0,
            end: self.0.len(),
            length: 0,
        }
    }

    fn is_match(&self, state: &Begun) -> bool {
        // The shortest of those that begin alike is the first of them.
        self.can_match(state) && self.0[state.first].len() == state.length
    }

    fn can_match(&self, state: &Begun) -> bool {
        state.first < state.end
    }

    fn accept(&self, state: &Begun, byte: u8) -> Begun {
        let Begun { first, end, length } = *state;
        let next = |word: &&str| word.as_bytes().get(length).copied();
        let words = &self.0[first..end];
        let from = words.partition_point(|word| next(word) < Some(byte));
        let to = words.partition_point(|word| next(word) <= Some(byte));
        Begun {
            first: first + from,
            end: first + to,
            length: length + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_accepted() {
        let words = ["handle", "handled", "handler", "retry"];
        let accepts = |text: &str| {
            let one_of = OneOf(&words);
            let step = |state, byte: &u8| one_of.accept(&state, *byte);
            let state = text.as_bytes().iter().fold(one_of.start(), step);
            (one_of.can_match(&state), one_of.is_match(&state))
        };
        for (text, may, is) in [
            ("", true, false),
            ("hand", true, false),
            ("handle", true, true),
            ("handler", true, true),
            ("handlers", false, false),
            ("retry", true, true),
            ("z", false, false),
        ] {
            assert_eq!(accepts(text), (may, is), "{text}");
        }
    }
}
