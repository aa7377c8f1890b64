//! Results as Markdown, for a chat or a report.
//!
//! Whatever comes from a file stands in code: names in a span, lines in a
//! block, each with more backticks around it than it has, so that nothing in
//! it is read as Markdown.

use crate::terminal::apart;
use crate::{Style, Text, cut, excerpt, explain, fitting, shortened};
use scent_types::{Hit, Response};

/// A response as Markdown.
pub fn markdown(response: &Response, style: &Style) -> Text {
    if style.files_only {
        let file = |hit: &Hit| Text::line(&format!("- {}", span(&(style.name)(hit))));
        return response.hits.iter().map(file).collect();
    }
    let pieces: Vec<Text> = response.hits.iter().map(|hit| piece(hit, style)).collect();
    let place = |hit: &Hit| Text::line(&format!("- {}", heading(hit, style)));
    let places: Vec<Text> = response.hits.iter().map(place).collect();
    let (shown, listed) = fitting(&pieces, &places, style.max_tokens);
    let mut out = apart(pieces.into_iter().take(shown));
    let total = response.total;
    if total > shown {
        out += Text::from("\n") + Text::line(&format!("{shown} of {total} shown."));
    }
    out + places.into_iter().skip(shown).take(listed).collect()
}

/// Where a hit is and what it is called.
fn heading(hit: &Hit, style: &Style) -> String {
    let place = span(&format!("{}:{}", (style.name)(hit), hit.lines));
    match hit.qualified.as_str() {
        "" => format!("{place} {}", hit.kind),
        name => format!("{place} {} {}", hit.kind, span(&shortened(name))),
    }
}

fn piece(hit: &Hit, style: &Style) -> Text {
    let line = |number: u32| cut(hit.line(number).unwrap_or(""), style.max_columns).0;
    let lines: Vec<&str> = excerpt::lines(hit, style).into_iter().map(line).collect();
    let fence = fence(&lines);
    let heading = Text::line(&format!("### {}", heading(hit, style)));
    let begin = Text::from("\n") + Text::line(&format!("{fence}{}", hit.language));
    let lines: Text = lines.into_iter().map(Text::line).collect();
    heading + begin + lines + Text::line(&fence) + why(hit)
}

/// What the score is made of. Every line of it begins with a number.
fn why(hit: &Hit) -> Text {
    match hit.parts.is_empty() {
        true => Text::default(),
        false => Text::from("\n```text\n") + explain::parts(hit) + Text::line("```"),
    }
}

/// A text as code within a line.
fn span(text: &str) -> String {
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
