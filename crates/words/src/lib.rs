//! Identifiers and names taken apart.
//!
//! Text becomes words by two rules. The index splits identifiers and keeps them
//! whole beside their parts ([`terms`]); a model reads the parts alone
//! ([`model_words`]). [`names`] splits qualified names, and [`inflections`]
//! makes the other forms of a word.

mod inflections;
pub mod model_words;
pub mod names;
pub mod terms;

pub use inflections::inflections;

/// The words of a list; a line that begins with `#` is a comment.
pub fn word_list(list: &str) -> Vec<&str> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
}
