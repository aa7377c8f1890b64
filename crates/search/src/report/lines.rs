//! The lines of a report, told apart: what people wrote, code and output, and
//! what says nothing.

use super::forms::{Heading, heading, is_left_out, kind_of};

/// A longer line is no sentence and no code, but data.
const LONGEST: usize = 1_000;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// What people wrote.
    Prose,
    /// Code, or what a program printed.
    Code,
    /// It says nothing of the fault.
    LeftOut,
}

/// The lines of a text with what they are.
pub(super) fn sorted(text: &str) -> Vec<(Sort, &str)> {
    let mut reader = Reader::default();
    let mut lines = Vec::new();
    for line in text.lines() {
        let sort = if line.len() > LONGEST && !line.contains(' ') {
            Sort::LeftOut
        } else {
            reader.sort(line)
        };
        lines.push((sort, line));
    }
    lines
}

/// Where in a text a line stands.
#[derive(Default)]
struct Reader<'t> {
    /// The mark that ends the code around it.
    fence: Option<&'t str>,
    /// It is inside a comment of HTML.
    in_comment: bool,
    /// It is below a heading that says nothing.
    left_out: bool,
    /// A line before it was blank.
    after_blank: bool,
}

impl<'t> Reader<'t> {
    fn sort(&mut self, line: &'t str) -> Sort {
        let start = line.trim_start();
        if let Some(fence) = self.fence {
            if start.starts_with(fence) && start.trim_matches(['`', '~']).trim().is_empty() {
                self.fence = None;
                return Sort::LeftOut;
            }
            return self.unless_left_out(line, Sort::Code);
        }
        if self.in_comment || start.starts_with("<!--") {
            self.in_comment = !line.contains("-->");
            return Sort::LeftOut;
        }
        for mark in ["```", "~~~"] {
            if start.starts_with(mark) && !start[3..].contains(mark) {
                self.fence = Some(mark);
                return Sort::LeftOut;
            }
        }
        let was_blank = std::mem::replace(&mut self.after_blank, start.is_empty());
        if let Some(heading) = heading(line) {
            let kind = kind_of(heading);
            self.left_out = kind == Heading::LeftOut;
            return match kind {
                Heading::Own => Sort::Prose,
                Heading::OfForm | Heading::LeftOut => Sort::LeftOut,
            };
        }
        if start.starts_with("</details") {
            self.left_out = false;
        }
        if start.to_lowercase().starts_with("installed versions") {
            self.left_out = true;
        }
        let is_tag =
            start.starts_with('<') && start.trim_end().ends_with('>') && !start.contains(' ');
        if is_tag {
            return Sort::LeftOut;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if is_indented && (was_blank || looks_printed(start)) {
            self.after_blank = true;
            return self.unless_left_out(line, Sort::Code);
        }
        let sort = if looks_printed(start) {
            Sort::Code
        } else {
            Sort::Prose
        };
        self.unless_left_out(line, sort)
    }

    fn unless_left_out(&self, line: &str, sort: Sort) -> Sort {
        if self.left_out || is_left_out(line) {
            Sort::LeftOut
        } else {
            sort
        }
    }
}

/// Whether a line outside of any fence looks as if a program had printed it, or
/// as a part of a patch.
fn looks_printed(line: &str) -> bool {
    let starts = [
        ">>> ",
        "$ ",
        "Traceback (",
        "at ",
        "File \"",
        "diff --git ",
        "@@ ",
        "+++ ",
        "--- ",
    ];
    let has_digit = || line.bytes().any(|byte| byte.is_ascii_digit());
    starts.iter().any(|start| line.starts_with(start)) && (!line.starts_with("at ") || has_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let text = "It fails\n<!-- please\nfill in -->\n### Version\n1.2.3 of it\n### Steps to reproduce\nrun it\n\
                    ```py\n### not a heading\nx = f()\n```\n- [x] searched\n\n    indented()\n  File \"a.py\", line 3";
        let prose_and_code: Vec<(char, &str)> = sorted(text)
            .into_iter()
            .filter_map(|(sort, line)| match sort {
                Sort::Prose => Some(('p', line.trim())),
                Sort::Code => Some(('c', line.trim())),
                Sort::LeftOut => None,
            })
            .filter(|(_, line)| !line.is_empty())
            .collect();
        let want = [
            ('p', "It fails"),
            ('p', "run it"),
            ('c', "### not a heading"),
            ('c', "x = f()"),
            ('c', "indented()"),
            ('c', "File \"a.py\", line 3"),
        ];
        assert_eq!(prose_and_code, want);
    }
}
