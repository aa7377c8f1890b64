//! Results as Markdown, for a chat or a report.

use crate::{Style, clean, cut, excerpt, explain, fitting};
use scent_types::{Hit, Response};
use std::fmt::Write as _;

/// A response as Markdown.
pub fn markdown(response: &Response, style: &Style) -> String {
    if style.files_only {
        return response
            .hits
            .iter()
            .map(|hit| format!("- `{}`\n", clean(&(style.name)(hit))))
            .collect();
    }
    let pieces: Vec<String> = response.hits.iter().map(|hit| piece(hit, style)).collect();
    let places: Vec<String> = response.hits.iter().map(|hit| place(hit, style)).collect();
    let (shown, listed) = fitting(&pieces, &places, style.max_tokens);
    let mut out = pieces[..shown].join("\n");
    let total = response.total;
    if total > shown {
        let _ = writeln!(out, "\n{shown} of {total} shown.");
    }
    out.extend(places[shown..shown + listed].iter().map(String::as_str));
    out
}

fn place(hit: &Hit, style: &Style) -> String {
    clean(&format!("- `{}:{}` {}", (style.name)(hit), hit.lines, excerpt::title(hit))) + "\n"
}

fn piece(hit: &Hit, style: &Style) -> String {
    let numbers = excerpt::lines(hit, style);
    let line = |number: u32| clean(cut(hit.line(number).unwrap_or(""), style.max_columns).0);
    let lines: Vec<String> = numbers.into_iter().map(line).collect();
    let fence = fence(&lines);
    let heading = format!("### `{}:{}` {}", (style.name)(hit), hit.lines, excerpt::title(hit));
    let why = explain::parts(hit);
    let why = if why.is_empty() { why } else { format!("\n```text\n{why}```\n") };
    let (heading, language, lines) = (clean(&heading), &hit.language, lines.join("\n"));
    format!("{heading}\n\n{fence}{language}\n{lines}\n{fence}\n{why}")
}

/// A fence that is longer than any in the text.
fn fence(lines: &[String]) -> String {
    let ticks = |line: &String| line.trim_start().chars().take_while(|&c| c == '`').count();
    "`".repeat(lines.iter().map(ticks).max().unwrap_or(0).max(2) + 1)
}
