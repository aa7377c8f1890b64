//! Jupyter notebooks as text that a parser understands.
//!
//! A notebook is JSON that holds the lines of its cells as strings. Its text
//! here is Markdown with as many lines as the file has: each line of a cell
//! stands where its string stands in the file, code is fenced, and all else
//! (outputs, metadata, brackets) is blank. So a line of the text is a line of
//! the file.

use crate::language;
use crate::words::FENCE;
use jsonc_parser::ast::{Array, Object, StringLit, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::ops::Range;

/// The text of a notebook; none where the file is no notebook.
pub(crate) fn text(file: &str) -> Option<String> {
    let parsed = parse_to_ast(file, &CollectOptions::default(), &ParseOptions::default());
    let Ok(Some(Value::Object(notebook))) = parsed.map(|parsed| parsed.value) else {
        return None;
    };
    let cells = cells(&notebook)?;
    let mut page = Page::new(file);
    let kernel = kernel_language(&notebook);
    for cell in cells {
        page.add(cell, kernel);
    }
    Some(page.finish())
}

/// The cells of a notebook; before version 4 of the format they are in
/// worksheets.
fn cells<'n>(notebook: &'n Object) -> Option<Vec<&'n Object<'n>>> {
    if let Some(cells) = notebook.get_array("cells") {
        return Some(objects(cells).collect());
    }
    let mut found = Vec::new();
    for sheet in objects(notebook.get_array("worksheets")?) {
        if let Some(cells) = sheet.get_array("cells") {
            found.extend(objects(cells));
        }
    }
    Some(found)
}

fn objects<'n>(array: &'n Array<'n>) -> impl Iterator<Item = &'n Object<'n>> {
    array.elements.iter().filter_map(Value::as_object)
}

/// The language that a notebook says its code is in.
fn kernel_language<'n>(notebook: &'n Object) -> &'n str {
    let named = |table: &str, key: &str| {
        let metadata = notebook.get_object("metadata")?;
        string(metadata.get_object(table)?, key)
    };
    let known = named("kernelspec", "language").or_else(|| named("language_info", "name"));
    known.unwrap_or("python")
}

fn string<'n>(object: &'n Object, key: &str) -> Option<&'n str> {
    Some(&*object.get_string(key)?.value)
}

/// The lines of a text while cells are laid over them.
struct Page {
    /// Where each line of the file begins.
    starts: Vec<usize>,
    rows: Vec<String>,
}

impl Page {
    fn new(file: &str) -> Page {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', file.as_bytes()).map(|at| at + 1));
        Page {
            rows: vec![String::new(); starts.len()],
            starts,
        }
    }

    fn finish(self) -> String {
        self.rows.join("\n")
    }

    fn row(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte) - 1
    }

    fn add(&mut self, cell: &Object, kernel: &str) {
        // Code was called input before version 4 of the format.
        let source = cell.get("source").or_else(|| cell.get("input"));
        let Some(source) = source.map(|source| &source.value) else {
            return;
        };
        let (lines, around) = match source {
            Value::Array(array) => (strings(array), array.range.start..array.range.end),
            Value::StringLit(line) => (vec![line], line.range.start..line.range.end),
            _ => return,
        };
        let around = self.row(around.start)..self.row(around.end.saturating_sub(1));
        match string(cell, "cell_type") {
            Some("code") => {
                let language = string(cell, "language").unwrap_or(kernel);
                self.add_code(&lines, around, language);
            }
            Some("heading") => self.add_heading(cell, &lines),
            _ => self.add_prose(&lines, around),
        }
    }

    /// Code between fences, which stand in the rows of the brackets.
    fn add_code(&mut self, lines: &[&StringLit], around: Range<usize>, kernel: &str) {
        let first = lines.first().map_or("", |line| &line.value);
        let fenced = self.has_room(lines, &around);
        for line in lines {
            let row = self.row(line.range.start);
            // Commands of the notebook itself, in no language that is parsed.
            let is_command =
                line.value.starts_with('%') || line.value.trim_start().starts_with('!');
            let before = match (fenced, is_command) {
                (true, true) => "# ",
                (true, false) => "",
                // Markdown's other way to mark code.
                (false, _) => "    ",
            };
            self.put(row, before, &line.value);
        }
        if fenced {
            self.rows[around.start] = format!("{FENCE}{}", cell_language(first, kernel));
            FENCE.clone_into(&mut self.rows[around.end]);
        }
    }

    /// A heading, which was a cell of its own before version 4 of the format.
    fn add_heading(&mut self, cell: &Object, lines: &[&StringLit]) {
        let level = cell
            .get_number("level")
            .and_then(|level| level.value.parse().ok());
        let marks = "#".repeat(level.unwrap_or(1usize).clamp(1, 6));
        if let Some(line) = lines.first() {
            self.put(
                self.row(line.range.start),
                &format!("{marks} "),
                &line.value,
            );
        }
    }

    /// Markdown as it is. A code block that it leaves open ends with its cell.
    fn add_prose(&mut self, lines: &[&StringLit], around: Range<usize>) {
        let mut open: Option<&str> = None;
        for line in lines {
            self.put(self.row(line.range.start), "", &line.value);
            let fence = ["```", "~~~"]
                .into_iter()
                .find(|fence| line.value.trim_start().starts_with(fence));
            if fence.is_some() && (open.is_none() || open == fence) {
                open = if open.is_some() { None } else { fence };
            }
        }
        if let Some(fence) = open.filter(|_| self.has_room(lines, &around)) {
            self.rows[around.end] = fence.to_owned();
        }
    }

    /// Whether each line has a row of its own, and the brackets around too, which
    /// no other cell uses.
    fn has_room(&self, lines: &[&StringLit], around: &Range<usize>) -> bool {
        let is_used = |row: usize| !self.rows[row].is_empty();
        if is_used(around.start) || is_used(around.end) {
            return false;
        }
        let mut above = around.start;
        for line in lines {
            let row = self.row(line.range.start);
            if row <= above {
                return false;
            }
            above = row;
        }
        !lines.is_empty() && above < around.end
    }

    /// Writes a line into a row, behind what is there.
    fn put(&mut self, row: usize, before: &str, line: &str) {
        let line = line.trim_end_matches(['\n', '\r']).replace('\n', " ");
        let row = &mut self.rows[row];
        row.push_str(if row.is_empty() { before } else { " " });
        row.push_str(&line);
    }
}

fn strings<'n>(array: &'n Array<'n>) -> Vec<&'n StringLit<'n>> {
    array
        .elements
        .iter()
        .filter_map(Value::as_string_lit)
        .collect()
}

/// `%%bash` in its first line says that a cell is in another language.
fn cell_language<'l>(first: &'l str, kernel: &'l str) -> &'l str {
    let named = first
        .strip_prefix("%%")
        .and_then(|rest| rest.split_whitespace().next());
    let known = named.filter(|name| language::find(name).is_some());
    // Kernels of C++ say which version of it they know: C++17.
    let kernel_name = kernel.trim_end_matches(|c: char| c.is_ascii_digit());
    known.unwrap_or(match language::find(kernel) {
        Some(_) => kernel,
        None => kernel_name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_where_their_strings_are() {
        let cases = [
            ("not json", None),
            (r#"{"nbformat": 4}"#, None),
            (r#"{"cells": [1, {"cell_type": "code"}]}"#, Some("")),
            (
                "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"a = 1\\n\",\n\"b\"\n]}]}\n",
                Some("~~~~python\na = 1\nb\n~~~~\n"),
            ),
            // Two cells that share a row for their fences.
            (
                "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"a\"\n]}, {\"cell_type\": \"code\", \"source\": [\n\"b\"\n]}]}",
                Some("~~~~python\na\n~~~~\n    b\n"),
            ),
            // No rows for fences.
            (
                r##"{"cells": [{"cell_type": "code", "source": ["# a\n", "b"]}]}"##,
                Some("    # a b"),
            ),
            (
                "{\"cells\": [{\"cell_type\": \"markdown\",\n\"source\": \"# A\\nb\"}]}",
                Some("\n# A b"),
            ),
            // Version 3 of the format.
            (
                "{\"nbformat\": 3, \"worksheets\": [{\"cells\": [{\"cell_type\": \"heading\", \"level\": 2,\n\"source\": [\n\"Tides\"\n]}, {\"cell_type\": \"code\", \"language\": \"python\", \"input\": [\n\"a = 1\\n\",\n\"  !ls\"\n]}]}]}",
                Some("\n\n## Tides\n~~~~python\na = 1\n#   !ls\n~~~~"),
            ),
            (
                "{\"metadata\": {\"kernelspec\": {\"language\": \"C++17\"}}, \"cells\": [{\"cell_type\": \"code\", \"source\": [\r\n\"int a;\\n\",\r\n\"b();\"\r\n]}]}",
                Some("~~~~C++\nint a;\nb();\n~~~~"),
            ),
            (
                "{\"metadata\": {\"language_info\": {\"name\": \"R\"}}, \"cells\": [{\"cell_type\": \"code\",\n\"source\": [\n\"%%sql\\n\",\n\"select 1\"\n]}]}",
                Some("\n~~~~sql\n# %%sql\nselect 1\n~~~~"),
            ),
        ];
        for (file, expected) in cases {
            assert_eq!(text(file).as_deref(), expected, "{file}");
        }
    }
}
