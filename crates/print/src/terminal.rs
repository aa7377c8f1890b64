//! Results for a person at a terminal, and for an agent that reads along.

use crate::text::Color;
use crate::{Style, Text, cut, excerpt, explain, fitting};
use scent_types::{Hit, Response};

/// A response as text.
pub fn terminal(response: &Response, style: &Style) -> Text {
    if style.files_only {
        let file = |hit: &Hit| paint(style, Color::Path, &(style.name)(hit)).ended();
        return response.hits.iter().map(file).collect();
    }
    let pieces: Vec<Text> = response.hits.iter().map(|hit| piece(hit, style)).collect();
    let places: Vec<Text> = response.hits.iter().map(|hit| place(hit, style)).collect();
    let (shown, listed) = fitting(&pieces, &places, style.max_tokens);
    let mut out = apart(pieces.into_iter().take(shown));
    let total = response.total;
    if total > shown {
        out += Text::from("\n") + paint(style, Color::Dim, &format!("{shown} of {total} shown"));
        out += Text::line(if listed > 0 { "; also:" } else { "" });
    }
    out += places.into_iter().skip(shown).take(listed).collect();
    let steps = explain::steps(response);
    if !steps.is_empty() {
        out += Text::from("\n");
    }
    out + steps
}

/// Pieces with an empty line between them.
pub(crate) fn apart(pieces: impl Iterator<Item = Text>) -> Text {
    let space = |nth| Text::from(if nth == 0 { "" } else { "\n" });
    pieces
        .enumerate()
        .map(|(nth, piece)| space(nth) + piece)
        .collect()
}

fn piece(hit: &Hit, style: &Style) -> Text {
    let place = format!("{}:{}", (style.name)(hit), hit.lines);
    let title = paint(style, Color::Bold, &excerpt::title(hit)).ended();
    let mut out = paint(style, Color::Path, &place) + Text::span("  ") + title;
    let width = hit.lines.end.to_string().len().max(4);
    let mut before = None;
    for number in excerpt::lines(hit, style) {
        if before.is_some_and(|before| before + 1 < number) && style.line_numbers {
            out += paint(style, Color::Dim, &format!("{:>width$}", "…")).ended();
        }
        before = Some(number);
        if style.line_numbers {
            out += paint(style, Color::Number, &format!("{number:>width$}")) + Text::span("  ");
        }
        let (line, is_cut) = cut(hit.line(number).unwrap_or(""), style.max_columns);
        out += stressed(line.trim_end(), style) + Text::line(if is_cut { "…" } else { "" });
    }
    out + explain::parts(hit)
}

/// A hit as one line.
fn place(hit: &Hit, style: &Style) -> Text {
    Text::line(&format!(
        "{}:{}  {}",
        (style.name)(hit),
        hit.lines,
        excerpt::title(hit)
    ))
}

fn paint(style: &Style, color: Color, text: &str) -> Text {
    Text::painted(text, style.color.then_some(color))
}

fn stressed(line: &str, style: &Style) -> Text {
    if !style.color {
        return Text::span(line);
    }
    let mut out = Text::default();
    let mut from = 0;
    for range in (style.highlight)(line) {
        if range.start < from || range.is_empty() {
            continue;
        }
        out += Text::span(&line[from..range.start]);
        out += paint(style, Color::Match, &line[range.clone()]);
        from = range.end;
    }
    out + Text::span(&line[from..])
}
