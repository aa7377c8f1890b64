//! Tree queries: patterns over syntax trees, in the notation of tree-sitter.
//!
//! tree-sitter has a query engine of its own. When it compiles a query it
//! analyses every pattern against the parse table, which takes a tenth of a
//! second to half a second for large grammars (Swift 470 ms, C++ 240 ms), each
//! time the program starts; and it runs a state machine for every pattern at
//! every node. Here compiling is reading the text, and a pattern is tried only
//! at nodes of the kind it begins with. A test holds the two against each
//! other over every example of every language.

mod matcher;
mod parser;
mod pattern;

pub(crate) use matcher::{Match, Visited, visit};
pub(crate) use pattern::Query;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, languages};
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;
    use tree_sitter::{Parser, QueryCursor, StreamingIterator, Tree};

    /// A match as text: the pattern and what each capture holds.
    type Seen = BTreeSet<String>;

    fn describe<'t>(
        pattern: usize,
        captures: impl Iterator<Item = (String, tree_sitter::Node<'t>)>,
    ) -> String {
        let mut parts: Vec<String> = captures
            .map(|(name, node)| format!("{name}={:?}", node.byte_range()))
            .collect();
        parts.sort();
        format!("{pattern}: {}", parts.join(" "))
    }

    fn ours(query: &Query, tree: &Tree, text: &str) -> Seen {
        let mut seen = Seen::new();
        let done = query.matches(tree, text.as_bytes(), |found| {
            let captures = found
                .captures
                .iter()
                .map(|(c, n)| (query.capture_names()[*c as usize].clone(), *n));
            seen.insert(describe(found.pattern, captures));
        });
        assert!(done);
        seen
    }

    fn theirs(query: &tree_sitter::Query, tree: &Tree, text: &str) -> Seen {
        let mut seen = Seen::new();
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
        while let Some(found) = matches.next() {
            let captures = found
                .captures()
                .iter()
                .map(|c| (query.capture_names()[c.index as usize].to_string(), c.node));
            seen.insert(describe(found.pattern_index, captures));
        }
        seen
    }

    fn examples(language: &Language) -> Vec<(String, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("languages")
            .join(language.id)
            .join("examples");
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let source = files.filter(|p| {
            !p.extension()
                .is_some_and(|e| e == "units" || e == "members" || e == "refs")
        });
        source
            .map(|p| (p.display().to_string(), fs::read_to_string(&p).unwrap()))
            .collect()
    }

    #[test]
    fn every_example_matches_as_in_tree_sitter() {
        let mut differences = Vec::new();
        for language in languages() {
            let Some(grammar) = crate::grammars::grammar(language.id) else {
                continue;
            };
            let mut parser = Parser::new();
            parser.set_language(&grammar).unwrap();
            for source in [language.units_query, language.refs_query] {
                let (our_query, their_query) = (
                    Query::new(&grammar, source).unwrap(),
                    tree_sitter::Query::new(&grammar, source).unwrap(),
                );
                for (path, text) in examples(language) {
                    let tree = parser.parse(&text, None).unwrap();
                    let (a, b) = (
                        ours(&our_query, &tree, &text),
                        theirs(&their_query, &tree, &text),
                    );
                    differences.extend(a.difference(&b).map(|d| format!("{path}: only ours: {d}")));
                    differences.extend(
                        b.difference(&a)
                            .map(|d| format!("{path}: only theirs: {d}")),
                    );
                }
            }
        }
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }

    #[test]
    fn a_repetition_is_refused() {
        let grammar = crate::grammars::grammar("rust").unwrap();
        for (source, mark) in [
            ("(block (line_comment)* @c)", '*'),
            ("(block (line_comment)+ @c)", '+'),
            ("(block [(line_comment) (block_comment)]* @c)", '*'),
            ("((line_comment)+ . (function_item))", '+'),
            ("(line_comment)+ @c", '+'),
        ] {
            let error = Query::new(&grammar, source).unwrap_err();
            let start = format!("{mark} is not supported");
            assert!(error.starts_with(&start), "{source}: {error}");
        }
        Query::new(&grammar, "(block (line_comment)? @c)").unwrap();
    }
}
