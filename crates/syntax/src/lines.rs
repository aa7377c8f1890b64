//! Where the lines of a text begin. A line ends at `\n`, as for grep and git;
//! a `\r` before it belongs to the line end, one elsewhere to the line.

use std::cell::OnceCell;

/// The lines of a text by row, counted from 0.
#[derive(Debug)]
pub(crate) struct LineTable {
    starts: Vec<u32>,
    len: u32,
    /// Where the white space at the start of each row ends.
    indents: OnceCell<Vec<u32>>,
}

impl LineTable {
    pub fn new(text: &str) -> LineTable {
        let bytes = text.as_bytes();
        let after_newline = memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1);
        let mut starts: Vec<u32> = std::iter::once(0).chain(after_newline).collect();
        starts.pop_if(|last| *last as usize == bytes.len());
        LineTable {
            starts,
            len: bytes.len() as u32,
            indents: OnceCell::new(),
        }
    }

    /// How many lines there are; a last line need not end in `\n`.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The byte at which a row begins; past the last row, the text's end.
    pub fn start(&self, row: usize) -> usize {
        self.starts.get(row).copied().unwrap_or(self.len) as usize
    }

    /// The text of a row without its line end.
    pub fn text<'t>(&self, text: &'t str, row: usize) -> &'t str {
        let line = &text[self.start(row)..self.start(row + 1)];
        line.strip_suffix('\n')
            .map_or(line, |l| l.strip_suffix('\r').unwrap_or(l))
    }

    /// The byte of the first character of a row that is not white space. Many
    /// nodes may ask for the same row, so it is looked for once.
    pub fn indent(&self, text: &str, row: usize) -> usize {
        let find = |row: usize| {
            let line = self.text(text, row);
            (self.start(row) + (line.len() - line.trim_start().len())) as u32
        };
        let indents = self
            .indents
            .get_or_init(|| (0..self.count()).map(find).collect());
        indents.get(row).copied().unwrap_or(self.len) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_newlines_only() {
        let text = "a\r\nb\rc\n\nd";
        let lines = LineTable::new(text);
        let rows: Vec<&str> = (0..lines.count())
            .map(|row| lines.text(text, row))
            .collect();
        assert_eq!(rows, ["a", "b\rc", "", "d"]);
        assert_eq!(LineTable::new("").count(), 0);
        assert_eq!(LineTable::new("a\n").count(), 1);
    }
}
