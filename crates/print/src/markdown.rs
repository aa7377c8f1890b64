//! Results as Markdown, for a chat or a report.
//!
//! Whatever comes from a file stands in code: names in a span, lines in a
//! block, each with more backticks around it than it has, so that nothing in
//! it is read as Markdown.

use crate::also;
use crate::budget::fitting;
use crate::explain;
use crate::style::{Printed, Style, shortened};
use crate::terminal::apart;
use crate::text::Text;
use scent_types::{Hit, Response};

/// A response as Markdown.
pub fn markdown(response: &Response, style: &Style) -> Printed {
    let paths = style.paths.below(&response.root);
    let (mut pieces, mut places) = (Vec::new(), Vec::new());
    for hit in &response.hits {
        let path = paths.shown(&hit.path);
        if style.files_only {
            places.push(Text::line(&format!("- {}", span(&path))));
            continue;
        }
        let heading = heading(hit, &path);
        places.push(Text::line(&format!("- {heading}")));
        let also = also::lines(hit, response, &paths);
        pieces.push(piece(hit, &heading, &also, style));
    }
    if style.files_only {
        let shown = places.len();
        let text = places.into_iter().collect();
        return Printed { text, shown };
    }
    let (shown, listed) = fitting(&pieces, &places, style.max_tokens);
    let mut out = apart(&pieces[..shown]);
    if listed > 0 {
        out += Text::from("\nAlso:\n\n");
    }
    for place in &places[shown..shown + listed] {
        out += place.clone();
    }
    Printed { text: out, shown }
}

/// Where a hit is and what it is called.
fn heading(hit: &Hit, path: &str) -> String {
    let place = span(&format!("{path}:{}", hit.lines));
    match hit.qualified.as_str() {
        "" => format!("{place} {}", hit.kind),
        name => format!("{place} {} {}", hit.kind, span(&shortened(name))),
    }
}

fn piece(hit: &Hit, heading: &str, also: &[String], style: &Style) -> Text {
    let lines: Vec<&str> = hit.excerpt.iter().map(|line| line.text.as_str()).collect();
    let fence = fence(&lines);
    let mut out = Text::line(&format!("### {heading}")) + Text::from("\n");
    out += Text::line(&format!("{fence}{}", hit.language));
    let width = hit.lines.end.to_string().len().max(4);
    let mut before = None;
    for line in &hit.excerpt {
        let number = line.number;
        if style.line_numbers {
            if before.is_some_and(|before| before + 1 < number) {
                out += Text::line(&format!("{:>width$}", "…"));
            }
            out += Text::span(&format!("{number:>width$}  "));
        }
        out += Text::line(&line.text);
        before = Some(number);
    }
    out += Text::line(&fence);
    for also in also {
        out += Text::from("\n") + Text::line(&span(also));
    }
    out + why(hit)
}

/// What the score is made of. Every line of it begins with a number.
fn why(hit: &Hit) -> Text {
    match hit.parts.is_empty() {
        true => Text::default(),
        false => Text::from("\n```text\n") + explain::parts(hit) + Text::line("```"),
    }
}

/// A text as code within a line.
pub(crate) fn span(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    // A backtick at either end would count as one of those around it.
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A fence that is longer than any in the text.
fn fence(lines: &[&str]) -> String {
    let ticks = |line: &&str| longest_run(line.trim());
    "`".repeat(lines.iter().map(ticks).max().unwrap_or(0).max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_code() {
        for (text, want) in [
            ("a_b", "`a_b`"),
            ("a`b", "``a`b``"),
            ("`a``", "``` `a`` ```"),
            ("[x](y) <b>", "`[x](y) <b>`"),
        ] {
            assert_eq!(span(text), want);
        }
        for (lines, want) in [
            (&["fn a() {}"][..], "```"),
            (&["~~~", "  ````"], "`````"),
            (&["> ```", "a `b` c"], "````"),
        ] {
            assert_eq!(fence(lines), want, "{lines:?}");
        }
    }
}
