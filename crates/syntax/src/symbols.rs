//! What a text defines by name: units, and the members that are no units, such
//! as fields and the variants of an enum.

use crate::definitions::Definition;
use crate::language::Language;
use crate::lines::LineTable;
use crate::nesting::Node;
use crate::queries::Standing;
use crate::words;
use scent_types::{Kind, Lines, Symbol, Visibility};
use std::collections::HashSet;

/// Everything that is defined under a name, however deep, in order of the lines.
pub(crate) fn symbols(
    language: &'static Language,
    text: &str,
    lines: &LineTable,
    nodes: &[Node],
    roots: &[usize],
) -> Vec<Symbol> {
    let mut gathered = Symbols {
        language,
        text,
        lines,
        nodes,
        found: Vec::new(),
        assigned: Vec::new(),
    };
    gathered.gather(roots, &Around::default());
    let Symbols {
        mut found,
        mut assigned,
        ..
    } = gathered;
    found.sort_by_key(|symbol| symbol.line);
    if !assigned.is_empty() {
        assigned.sort_by_key(|symbol| symbol.line);
        let found_names = found.iter().map(|symbol| symbol.qualified.clone());
        let mut known: HashSet<String> = found_names.collect();
        assigned.retain(|symbol| known.insert(symbol.qualified.clone()));
        found.extend(assigned);
        found.sort_by_key(|symbol| symbol.line);
    }
    found
}

/// A name with what encloses it, as the language writes it.
pub(crate) fn qualified(language: Option<&Language>, scope: &str, name: &str) -> String {
    let separator = language.map_or(".", |l| l.separator);
    match (scope, name) {
        ("", name) => name.to_owned(),
        (scope, "") => scope.to_owned(),
        (scope, name) => format!("{scope}{separator}{name}"),
    }
}

/// A function in a type is a method.
pub(crate) fn member_kind(kind: Kind, in_type: bool) -> Kind {
    if in_type && kind == Kind::Function {
        Kind::Method
    } else {
        kind
    }
}

/// What is around some definitions.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    /// The innermost unit or scope.
    enclosing: Option<&'a Definition>,
    /// Its qualified name.
    scope: &'a str,
    /// That of what encloses it.
    outer: &'a str,
    /// That of the innermost member inside of it.
    member: Option<&'a str>,
    in_type: bool,
    /// The innermost type and its qualified name.
    owner: Option<(&'a Definition, &'a str)>,
}

impl Around<'_> {
    fn kind(&self) -> Option<Kind> {
        self.enclosing.and_then(|enclosing| enclosing.kind)
    }

    /// Whether what stands here is local to a function.
    fn is_local(&self) -> bool {
        matches!(
            self.kind(),
            Some(Kind::Function | Kind::Method | Kind::Macro)
        )
    }
}

struct Symbols<'t> {
    language: &'static Language,
    text: &'t str,
    lines: &'t LineTable,
    nodes: &'t [Node],
    found: Vec<Symbol>,
    /// Members that assignments make, each as often as it is assigned.
    assigned: Vec<Symbol>,
}

impl Symbols<'_> {
    fn gather(&mut self, nodes: &[usize], around: &Around) {
        let mut section = None;
        let mut row = around
            .enclosing
            .map_or(0, |enclosing| enclosing.rows.start + 1);
        for &at in nodes {
            let node = &self.nodes[at];
            let rows = &node.definition.rows;
            if around.in_type && around.member.is_none() {
                section = self.section(row..rows.start).or(section);
                row = rows.end;
            }
            if node.definition.standing.is_member() {
                self.add_member(node, around, section);
            } else {
                self.add_unit(node, around, section);
            }
        }
    }

    /// What the last of some rows that opens a section opens.
    fn section(&self, rows: std::ops::Range<usize>) -> Option<Visibility> {
        let rules = &self.language.visibility;
        let mut rows = rows.rev();
        rows.find_map(|row| rules.section(self.lines.text(self.text, row)))
    }

    fn add_unit(&mut self, node: &Node, around: &Around, section: Option<Visibility>) {
        let definition = &node.definition;
        let qualified = qualified(Some(self.language), around.scope, &definition.name);
        let kind = definition
            .kind
            .map(|kind| member_kind(kind, around.in_type));
        if let Some(kind) = kind.filter(|kind| kind.is_symbol()) {
            let is_test = definition.standing == Standing::Test;
            let kind = if is_test { Kind::Test } else { kind };
            self.found
                .extend(self.symbol(definition, kind, &qualified, around, section));
        }
        let is_type = kind.is_some_and(Kind::is_type);
        let inside = Around {
            enclosing: Some(definition),
            scope: &qualified,
            outer: around.scope,
            member: None,
            in_type: kind.map_or(around.in_type, Kind::is_type),
            owner: if is_type {
                Some((definition, &qualified))
            } else {
                around.owner
            },
        };
        self.gather(&node.children, &inside);
    }

    fn add_member(&mut self, node: &Node, around: &Around, section: Option<Visibility>) {
        let definition = &node.definition;
        let Some(scope) = scope_of(definition, around) else {
            return self.gather(&node.children, around);
        };
        let name = definition.name.trim_matches([':', '@']);
        let qualified = qualified(Some(self.language), scope, name);
        let kind = definition.kind.unwrap_or(Kind::Field);
        let is_assigned = definition.standing == Standing::Assigned;
        let enclosing = match around.owner {
            Some((owner, _)) if is_assigned => Some(owner),
            _ => around.enclosing,
        };
        let place = Around {
            enclosing,
            ..*around
        };
        let section = section.filter(|_| !is_assigned);
        // `typedef struct queue { … } queue;` defines one name.
        let is_same = !is_assigned && qualified == around.scope;
        let symbol = self
            .symbol(definition, kind, &qualified, &place, section)
            .filter(|_| !is_same);
        if is_assigned {
            self.assigned.extend(symbol);
        } else {
            self.found.extend(symbol);
        }
        let inside = Around {
            member: Some(&qualified),
            ..*around
        };
        self.gather(&node.children, &inside);
    }

    fn symbol(
        &self,
        definition: &Definition,
        kind: Kind,
        qualified: &str,
        around: &Around,
        section: Option<Visibility>,
    ) -> Option<Symbol> {
        let sigils: &[char] = if definition.standing.is_member() {
            &[':', '@']
        } else {
            &[]
        };
        let name = definition.name.trim_matches(sigils);
        if name.is_empty() {
            return None;
        }
        let rules = &self.language.visibility;
        // A variant is there for whoever may use its enum; and of a mere name it is
        // not known which words stand before it.
        let signature = definition.signature.as_str();
        let is_bare = signature == definition.name || !signature.contains(name);
        let is_bare = is_bare && definition.standing.is_member();
        let by_words = !rules.words.is_empty() && rules.sections.is_empty();
        let is_unknown = kind == Kind::Variant || is_bare && by_words;
        Some(Symbol {
            name: words::last_part(&words::without_arguments(name)).to_owned(),
            qualified: words::without_arguments(qualified).into_owned(),
            kind,
            line: definition.name_row as u32 + 1,
            lines: Lines::new(definition.rows.start as u32 + 1, definition.rows.end as u32),
            visibility: rules
                .visibility(definition, around.enclosing, section)
                .filter(|_| !is_unknown),
            arity: definition.arity,
        })
    }
}

/// The qualified name of what a member belongs to; none where it is no member of
/// anything.
fn scope_of<'a>(definition: &Definition, around: &Around<'a>) -> Option<&'a str> {
    match definition.standing {
        Standing::Assigned => around.owner.map(|(_, owner)| owner),
        // The preprocessor knows no scopes.
        Standing::Beside if definition.kind == Some(Kind::Macro) => Some(""),
        Standing::Beside if around.is_local() => Some(around.scope),
        Standing::Beside => Some(around.outer),
        _ if around.is_local() && around.member.is_none() => None,
        _ => {
            let scope = around.member.unwrap_or(around.scope);
            let needs_owner = definition.kind.is_some_and(Kind::is_member);
            (!scope.is_empty() || !needs_owner).then_some(scope)
        }
    }
}
