//! Which symbols of a file the map shows, and in which order.

use super::weights::weights;
use crate::categories::is_scope_of;
use scent_types::{FileCategory, FileOutline, Kind, Signature, Visibility};
use std::collections::{HashMap, HashSet};

/// Puts the members of a type below it, also those that are written elsewhere
/// in the file.
pub fn gather_members(file: &mut FileOutline) {
    let types = types_by_name(&file.symbols);
    let parents = parents(&file.symbols);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); file.symbols.len()];
    let mut top = Vec::new();
    for (at, symbol) in file.symbols.iter().enumerate() {
        let type_of = |name: &str| types.get(name).copied();
        if symbol.kind == Kind::Impl && type_of(&symbol.qualified).is_some() {
            // Its members are those of the type.
            continue;
        }
        let parent = match parents[at].map(|outer| (outer, &file.symbols[outer])) {
            Some((outer, block)) if block.kind == Kind::Impl => {
                type_of(&block.qualified).or(Some(outer))
            }
            Some((outer, _)) => Some(outer),
            None if symbol.kind == Kind::Method => type_of(enclosing_name(symbol)),
            None => None,
        };
        match parent {
            Some(parent) => children[parent].push(at),
            None => top.push(at),
        }
    }
    let mut gathered = Vec::new();
    let mut open: Vec<(usize, u32)> = top.into_iter().rev().map(|at| (at, 0)).collect();
    while let Some((at, depth)) = open.pop() {
        let symbol = file.symbols[at].clone();
        gathered.push(Signature { depth, ..symbol });
        let members = children[at].iter().rev();
        open.extend(members.map(|member| (*member, depth + 1)));
    }
    file.symbols = gathered;
}

/// The qualified name of what encloses a symbol.
fn enclosing_name(symbol: &Signature) -> &str {
    let outer = symbol.qualified.strip_suffix(symbol.name.as_str());
    outer
        .unwrap_or_default()
        .trim_end_matches(['.', ':', '#', '/'])
}

/// The first type of each qualified name.
fn types_by_name(symbols: &[Signature]) -> HashMap<&str, usize> {
    let mut types = HashMap::new();
    for (at, symbol) in symbols.iter().enumerate() {
        if symbol.kind.is_type() && symbol.kind != Kind::Impl {
            types.entry(symbol.qualified.as_str()).or_insert(at);
        }
    }
    types
}

/// The position of what encloses each symbol.
fn parents(symbols: &[Signature]) -> Vec<Option<usize>> {
    let mut parents = Vec::with_capacity(symbols.len());
    let mut open: Vec<usize> = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        while open
            .last()
            .is_some_and(|&outer| symbols[outer].depth >= symbol.depth)
        {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(at);
    }
    parents
}

/// The positions of the symbols that say something, those to read first before,
/// each after those that enclose it.
pub(super) fn in_order(file: &FileOutline) -> Vec<usize> {
    let parents = parents(&file.symbols);
    let mut seen = vec![false; file.symbols.len()];
    let mut order = Vec::new();
    for at in by_worth(&file.symbols, &parents) {
        let mut above = Vec::new();
        let mut next = Some(at);
        while let Some(at) = next.filter(|at| !seen[*at]) {
            seen[at] = true;
            above.push(at);
            next = parents[at];
        }
        order.extend(above.into_iter().rev());
    }
    order
}

/// Each name once. Where a file has nothing that says much, it is all that it
/// has.
fn by_worth(symbols: &[Signature], parents: &[Option<usize>]) -> Vec<usize> {
    let mut worth = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let parent = parents[at].map(|parent| &symbols[parent]);
        let share = share(symbol, parent);
        if share > 0.0 {
            let says_much = share >= weights().symbols.least;
            worth.push((says_much, share * symbol.importance.unwrap_or(1.0), at));
        }
    }
    if worth.iter().any(|(says_much, ..)| *says_much) {
        worth.retain(|(says_much, ..)| *says_much);
    }
    worth.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
    let mut seen = HashSet::new();
    worth.retain(|(.., at)| seen.insert(symbols[*at].qualified.as_str()));
    worth.into_iter().map(|(.., at)| at).collect()
}

/// The share of its importance that a symbol is worth to who reads a map.
fn share(symbol: &Signature, parent: Option<&Signature>) -> f32 {
    if is_scope_of(FileCategory::Test, &symbol.qualified) || !is_readable(symbol) {
        return 0.0;
    }
    let weights = &weights().symbols;
    let mut share = match symbol.kind {
        // A macro without arguments is a constant.
        Kind::Macro if !symbol.signature.contains('(') => weights.constant,
        Kind::Function | Kind::Method | Kind::Macro | Kind::Type | Kind::Section => 1.0,
        Kind::Class | Kind::Struct | Kind::Enum | Kind::Trait | Kind::Interface => weights.of_type,
        Kind::Constant => weights.constant,
        Kind::Table | Kind::Rule => 1.0,
        Kind::Module | Kind::Impl | Kind::Config | Kind::Text | Kind::Code => weights.other,
        Kind::Field | Kind::Variant | Kind::Test => weights.other,
    };
    if symbol.visibility == Some(Visibility::Private) {
        share *= weights.private;
    }
    if matches!(symbol.kind, Kind::Function | Kind::Method) && weights.is_usual(&symbol.name) {
        share *= weights.usual;
    }
    let Some(parent) = parent else {
        return share;
    };
    if matches!(parent.kind, Kind::Function | Kind::Method) {
        share *= weights.nested;
    }
    let lines = symbol.end_line.saturating_sub(symbol.line) + 1;
    let is_declared = matches!(parent.kind, Kind::Trait | Kind::Interface);
    if symbol.kind == Kind::Method && !is_declared {
        if lines <= weights.getter_lines && !takes_arguments(&symbol.signature) {
            share *= weights.getter;
        } else if lines <= weights.short_lines {
            share *= weights.short;
        }
    }
    share
}

/// Whether the parser understood the declaration: it has the name, and no
/// bracket is closed that was not opened.
fn is_readable(symbol: &Signature) -> bool {
    let signature = &symbol.signature;
    let closed = signature.matches(')').count() <= signature.matches('(').count();
    let is_named = symbol
        .name
        .split_whitespace()
        .any(|name| signature.contains(name));
    signature.is_empty() || (closed && is_named)
}

/// Whether a method takes more than the object that it is of.
fn takes_arguments(signature: &str) -> bool {
    // What stands before the name in Go is no argument.
    let arguments = signature.strip_prefix("func (").unwrap_or(signature);
    let arguments = match signature.len() == arguments.len() {
        true => arguments,
        false => arguments.split_once(')').map_or("", |(_, rest)| rest),
    };
    let inside = arguments.split_once('(').map_or("", |(_, rest)| rest);
    let inside = inside.split(')').next().unwrap_or(inside).trim();
    !matches!(
        inside,
        "" | "self" | "&self" | "&mut self" | "mut self" | "this" | "cls" | "void"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(kind: Kind, qualified: &str, line: u32, depth: u32) -> Signature {
        let name = qualified.rsplit(['.', ':']).next().unwrap_or(qualified);
        Signature {
            members: Vec::new(),
            kind,
            name: name.to_owned(),
            qualified: qualified.to_owned(),
            signature: format!("{name}(a, b)"),
            visibility: None,
            doc: String::new(),
            start_line: line,
            end_line: line + 9,
            line,
            depth,
            importance: Some(1.0),
        }
    }

    fn file(symbols: Vec<Signature>) -> FileOutline {
        FileOutline {
            path: "a.rs".into(),
            language: "rust".into(),
            doc: String::new(),
            importance: None,
            parse_errors: false,
            total: symbols.len(),
            symbols,
        }
    }

    #[test]
    fn members_come_below_their_type() {
        let mut file = file(vec![
            symbol(Kind::Struct, "Pool", 1, 0),
            symbol(Kind::Function, "open", 2, 0),
            symbol(Kind::Impl, "Pool", 3, 0),
            symbol(Kind::Method, "Pool::take", 4, 1),
            symbol(Kind::Impl, "Other", 5, 0),
            symbol(Kind::Method, "Other::drop", 6, 1),
            symbol(Kind::Method, "Pool.Close", 7, 0),
        ]);
        gather_members(&mut file);
        let mut found = Vec::new();
        for symbol in &file.symbols {
            found.push((symbol.qualified.as_str(), symbol.depth));
        }
        let want = [
            ("Pool", 0),
            ("Pool::take", 1),
            ("Pool.Close", 1),
            ("open", 0),
            ("Other", 0),
            ("Other::drop", 1),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn what_says_little_is_left_out() {
        let mut getter = symbol(Kind::Method, "Pool::size", 2, 1);
        getter.signature = "fn size(&self) -> usize".into();
        getter.end_line = getter.line + 2;
        let mut broken = symbol(Kind::Function, "prefix", 5, 0);
        broken.signature = "prefix, i, argv[i]);".into();
        let mut file = file(vec![
            symbol(Kind::Struct, "Pool", 1, 0),
            getter,
            symbol(Kind::Method, "Pool::take", 3, 1),
            symbol(Kind::Constant, "LIMIT", 4, 0),
            broken,
            symbol(Kind::Function, "tests::takes", 6, 0),
            symbol(Kind::Function, "open", 7, 0),
            symbol(Kind::Function, "open", 8, 0),
        ]);
        let order = in_order(&file);
        assert_eq!(order, [0, 2, 6]);
        file.symbols.retain(|symbol| symbol.kind == Kind::Constant);
        assert_eq!(in_order(&file), [0], "all that there is");
    }

    #[test]
    fn a_member_comes_after_its_type() {
        let mut file = file(vec![
            symbol(Kind::Class, "Pool", 1, 0),
            symbol(Kind::Method, "Pool.take", 3, 1),
        ]);
        file.symbols[1].importance = Some(9.0);
        assert_eq!(in_order(&file), [0, 1]);
    }

    #[test]
    fn arguments_are_seen_in_the_declaration() {
        for (signature, want) in [
            ("fn size(&self) -> usize", false),
            ("def size(self) -> int", false),
            ("func (p *Pool) Size() int", false),
            ("func (p *Pool) Take(n int) int", true),
            ("public int size()", false),
            ("fn take(&mut self, n: usize)", true),
        ] {
            assert_eq!(takes_arguments(signature), want, "{signature}");
        }
    }
}
