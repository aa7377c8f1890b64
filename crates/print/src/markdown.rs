//! Results as Markdown, for a chat or a report.

use crate::{Style, excerpt, fitting, shortened};
use scent_types::{Hit, Response};
use std::fmt::Write as _;

/// A response as Markdown.
pub fn markdown(response: &Response, style: &Style) -> String {
    if style.files_only {
        return response.hits.iter().map(|hit| format!("- `{}`\n", (style.name)(hit))).collect();
    }
    let pieces: Vec<String> = response.hits.iter().map(|hit| piece(hit, style)).collect();
    let places: Vec<String> = response.hits.iter().map(|hit| place(hit, style)).collect();
    let (shown, listed) = fitting(&pieces, &places, style.max_tokens);
    let mut out = pieces[..shown].join("\n");
    let total = response.total.max(pieces.len());
    if total > shown {
        let _ = writeln!(out, "\n{shown} of {total} shown.");
    }
    out.extend(places[shown..shown + listed].iter().map(String::as_str));
    out
}

fn place(hit: &Hit, style: &Style) -> String {
    format!("- `{}:{}` {}\n", (style.name)(hit), hit.lines, excerpt::title(hit))
}

fn piece(hit: &Hit, style: &Style) -> String {
    let lines: Vec<&str> = excerpt::lines(hit, style)
        .into_iter()
        .filter_map(|n| hit.line(n))
        .map(|line| shortened(line).0)
        .collect();
    let fence = fence(&lines);
    let (place, title) = (format!("{}:{}", (style.name)(hit), hit.lines), excerpt::title(hit));
    format!("### `{place}` {title}\n\n{fence}{}\n{}\n{fence}\n", hit.language, lines.join("\n"))
}

/// A fence that is longer than any in the text.
fn fence(lines: &[&str]) -> String {
    let ticks = |line: &&str| line.trim_start().chars().take_while(|&c| c == '`').count();
    "`".repeat(lines.iter().map(ticks).max().unwrap_or(0).max(2) + 1)
}
