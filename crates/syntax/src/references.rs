//! Runs the references query: which names are used where, how, and what is
//! imported.

use crate::language::Language;
use crate::queries::{Queries, Use};
use crate::query::Match;
use crate::words;
use scent_types::{FileClass, Import, Reference, Role};
use std::borrow::Cow;
use std::collections::HashSet;
use tree_sitter::{Node, Tree};

/// Names are kept up to this many characters.
const LONGEST: usize = 120;

/// What may stand between a name and what it belongs to.
const SEPARATORS: [&str; 5] = ["::", "?.", "->", ".", "\\"];

/// A qualifier that is more than names: `make().run()`.
const EXPRESSION: &str = "?";

/// What a text uses of itself and of others.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub references: Vec<Reference>,
    pub imports: Vec<Import>,
}

impl Uses {
    /// Adds what a tree uses. `named` are the first bytes of names that are
    /// defined there.
    pub fn collect(
        &mut self,
        language: &Language,
        queries: &Queries,
        tree: &Tree,
        text: &str,
        named: &HashSet<usize>,
    ) {
        let mut told = named.clone();
        let _in_time = queries.refs.matches(tree, text.as_bytes(), |found| {
            self.import(language, queries, &found, text);
            for &(capture, node) in &found.captures {
                let role = match queries.uses[capture as usize] {
                    // `Cart.prototype.pay = function …` defines it.
                    Use::As(Role::Write) if named.contains(&node.start_byte()) => None,
                    Use::As(role) => Some(role),
                    Use::Module => Some(Role::Import),
                    Use::Alias => Some(Role::Bind),
                    Use::Skipped => None,
                    Use::Ignored => continue,
                };
                role.into_iter().for_each(|role| self.refer(text, node, role));
                each_leaf(node, |leaf| {
                    told.insert(leaf.start_byte());
                });
            }
        });
        if language.class == FileClass::Code {
            // Where a query does not tell what is written, the rest may be that.
            let tells = queries.uses.contains(&Use::As(Role::Write));
            let rest = if tells { Role::Read } else { Role::Use };
            each_leaf(tree.root_node(), |leaf| {
                if is_name(leaf) && !told.contains(&leaf.start_byte()) {
                    self.refer(text, leaf, rest);
                }
            });
        }
    }

    /// What a match imports, if it is one of an import.
    fn import(&mut self, language: &Language, queries: &Queries, found: &Match, text: &str) {
        let mut import = Import::default();
        for &(capture, node) in &found.captures {
            let part = || name_of(text, node, Role::Import);
            match queries.uses[capture as usize] {
                Use::Alias => import.alias = part(),
                Use::As(Role::Import) => import.name = part(),
                Use::Module => {
                    let apart = if import.module.is_empty() { "" } else { language.separator };
                    import.module = format!("{}{apart}{}", import.module, part());
                }
                Use::As(_) | Use::Skipped | Use::Ignored => continue,
            }
            import.line = node.start_position().row as u32 + 1;
        }
        if import.module.is_empty() {
            import.module = std::mem::take(&mut import.name);
        }
        self.imports.extend((!import.module.is_empty()).then_some(import));
    }

    fn refer(&mut self, text: &str, node: Node, role: Role) {
        let name = name_of(text, node, role);
        if name.contains(char::is_alphanumeric) {
            let line = node.start_position().row as u32 + 1;
            let qualifier = qualifier(before(text, node));
            self.references.push(Reference { line, role, name, qualifier });
        }
    }

    /// Drops what has a role where the same name has another one that says more.
    fn drop_beside(&mut self, role: Role, better: Role) {
        let place = |r: &Reference| (r.line, r.name.clone());
        let known = self.references.iter().filter(|r| r.role == better);
        let known: HashSet<(u32, String)> = known.map(place).collect();
        if !known.is_empty() {
            self.references.retain(|r| r.role != role || !known.contains(&place(r)));
        }
    }

    /// In order, each once.
    pub fn sorted(mut self) -> Uses {
        self.references.sort_unstable();
        self.references.dedup();
        // What a type inherits from is a type as well, and what is given a name
        // by an assignment is written.
        self.drop_beside(Role::Type, Role::Inherit);
        self.drop_beside(Role::Write, Role::Bind);
        self.drop_beside(Role::Write, Role::Param);
        self.imports.sort_unstable();
        self.imports.dedup();
        self
    }
}

fn name_of(text: &str, node: Node, role: Role) -> String {
    let name = words::unquote(&text[node.byte_range()]);
    // C's `<stdio.h>`; elsewhere brackets are part of an operator.
    let inner = name.strip_prefix('<').and_then(|n| n.strip_suffix('>'));
    words::one_line(inner.filter(|_| role == Role::Import).unwrap_or(name), LONGEST)
}

/// The text before a name, with a plain separator at its end: Lua calls methods
/// as `cart:add()`, OCaml as `cart#add`.
fn before<'t>(text: &'t str, node: Node) -> Cow<'t, str> {
    let before = &text[..node.start_byte()];
    let is_method = |parent: Node| parent.kind().contains("method");
    match before.strip_suffix([':', '#']) {
        Some(object) if !object.ends_with(':') && node.parent().is_some_and(is_method) => {
            let line = object.rfind('\n').map_or(0, |at| at + 1);
            Cow::Owned(format!("{}.", &object[line..]))
        }
        _ => Cow::Borrowed(before),
    }
}

/// What the name after this text belongs to.
fn qualifier(before: Cow<str>) -> String {
    let before = before.as_ref();
    let Some(before) = SEPARATORS.iter().find_map(|s| before.strip_suffix(s)) else {
        return String::new();
    };
    let is_part = |c: char| c.is_alphanumeric() || "_$@.:?>-\\".contains(c);
    let start = before.char_indices().rev().take_while(|(_, c)| is_part(*c)).last();
    let path = start.map_or("", |(at, _)| &before[at..]);
    let path = path.trim_start_matches(|c: char| ".:?>-".contains(c));
    match path.chars().last() {
        Some(last) if last.is_alphanumeric() || last == '_' || last == '$' => {
            words::one_line(path, LONGEST)
        }
        _ => EXPRESSION.to_owned(),
    }
}

/// Whether a leaf of a tree is a name.
fn is_name(node: Node) -> bool {
    const OTHERS: [&str; 8] =
        ["constant", "name", "alias", "variable", "constructor", "variable_name", "atom", "word"];
    let kind = node.kind();
    node.is_named() && (kind.ends_with("identifier") || OTHERS.contains(&kind))
}

/// Every leaf of a subtree.
pub(crate) fn each_leaf<'t>(root: Node<'t>, mut each: impl FnMut(Node<'t>)) {
    // A cursor does not leave the node it began with.
    let mut cursor = root.walk();
    loop {
        if cursor.goto_first_child() {
            continue;
        }
        each(cursor.node());
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_belongs_to() {
        for (before, expected) in [
            ("x = ", ""),
            ("  pool.", "pool"),
            ("(self.pool.", "self.pool"),
            ("use crate::index::", "crate::index"),
            ("a?.b?.", "a?.b"),
            ("this->", "this"),
            ("make().", "?"),
            ("\"text\".", "?"),
            ("new \\App\\", "\\App"),
            (".", "?"),
        ] {
            assert_eq!(qualifier(before.into()), expected, "{before}");
        }
    }
}
