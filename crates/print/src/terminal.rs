//! Results for a person at a terminal, and for an agent that reads along.

use crate::{Style, clean, cut, excerpt, explain, fitting};
use scent_types::{Hit, Response};
use std::fmt::Write as _;

const BOLD: &str = "\x1b[1m";
const PATH: &str = "\x1b[35m";
const NUMBER: &str = "\x1b[32m";
const MATCH: &str = "\x1b[1;31m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// A response as text.
pub fn terminal(response: &Response, style: &Style) -> String {
    if style.files_only {
        return response
            .hits
            .iter()
            .map(|hit| paint(style, PATH, &(style.name)(hit)) + "\n")
            .collect();
    }
    let pieces: Vec<String> = response.hits.iter().map(|hit| piece(hit, style)).collect();
    let places: Vec<String> = response.hits.iter().map(|hit| place(hit, style)).collect();
    let (shown, listed) = fitting(&pieces, &places, style.max_tokens);
    let mut out = pieces[..shown].join("\n");
    let total = response.total;
    if total > shown {
        let line = format!("{shown} of {total} shown");
        let _ = write!(out, "\n{}", paint(style, DIM, &line));
        out.push_str(if listed > 0 { "; also:\n" } else { "\n" });
    }
    out.extend(places[shown..shown + listed].iter().map(String::as_str));
    let steps = explain::steps(response);
    if !steps.is_empty() {
        out.push('\n');
    }
    out + &steps
}

fn piece(hit: &Hit, style: &Style) -> String {
    let place = format!("{}:{}", (style.name)(hit), hit.lines);
    let title = excerpt::title(hit);
    let mut out = format!("{}  {}\n", paint(style, PATH, &place), paint(style, BOLD, &title));
    let width = hit.lines.end.to_string().len().max(4);
    let mut before = None;
    for number in excerpt::lines(hit, style) {
        if before.is_some_and(|before| before + 1 < number) && style.line_numbers {
            let _ = writeln!(out, "{}", paint(style, DIM, &format!("{:>width$}", "…")));
        }
        before = Some(number);
        if style.line_numbers {
            let _ = write!(out, "{}  ", paint(style, NUMBER, &format!("{number:>width$}")));
        }
        let (line, is_cut) = cut(hit.line(number).unwrap_or(""), style.max_columns);
        out.push_str(stressed(line, style).trim_end());
        out.push_str(if is_cut { "…\n" } else { "\n" });
    }
    out + &explain::parts(hit)
}

/// A hit as one line.
fn place(hit: &Hit, style: &Style) -> String {
    format!("{}:{}  {}\n", clean(&(style.name)(hit)), hit.lines, clean(&excerpt::title(hit)))
}

fn paint(style: &Style, color: &str, text: &str) -> String {
    let text = clean(text);
    if style.color { format!("{color}{text}{RESET}") } else { text }
}

fn stressed(line: &str, style: &Style) -> String {
    let line = clean(line);
    if !style.color {
        return line;
    }
    let mut out = String::with_capacity(line.len() + 32);
    let mut from = 0;
    for range in (style.highlight)(&line) {
        if range.start < from || range.is_empty() {
            continue;
        }
        let _ = write!(out, "{}{MATCH}{}{RESET}", &line[from..range.start], &line[range.clone()]);
        from = range.end;
    }
    out.push_str(&line[from..]);
    out
}
