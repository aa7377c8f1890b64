//! The text of a file, by lines.

use crate::Lines;

/// The text of a file. A line ends at `\n`; a `\r` before it belongs to the
/// line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    text: String,
    /// Where each line begins.
    starts: Vec<u32>,
}

impl Source {
    /// A text with its lines found.
    pub fn new(text: String) -> Source {
        let after = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1);
        let mut starts: Vec<u32> = std::iter::once(0).chain(after).collect();
        if starts.len() > 1 {
            starts.pop_if(|last| *last as usize == text.len());
        }
        Source { text, starts }
    }

    /// How many lines there are, at least one.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of some lines, line ends included, as far as there are lines.
    pub fn slice(&self, lines: Lines) -> &str {
        let start = |number: u32| {
            self.starts
                .get(number as usize - 1)
                .map_or(self.text.len(), |&at| at as usize)
        };
        &self.text[start(lines.start)..start(lines.end + 1)]
    }

    /// A line without its end, counted from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        let at = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(at)? as usize;
        let end = self
            .starts
            .get(at + 1)
            .map_or(self.text.len(), |&next| next as usize);
        let line = &self.text[start..end];
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends() {
        let source = Source::new("a\r\nb\n\nc".into());
        let lines: Vec<_> = (0..=5).map(|number| source.line(number)).collect();
        assert_eq!(
            lines,
            [None, Some("a"), Some("b"), Some(""), Some("c"), None]
        );
        assert_eq!(source.count(), 4);
        assert_eq!(source.slice(Lines::new(2, 3)), "b\n\n");
        assert_eq!(source.slice(Lines::new(4, 9)), "c");
        assert_eq!(Source::new("a\n".into()).count(), 1);
        assert_eq!(Source::new(String::new()).line(1), Some(""));
    }
}
