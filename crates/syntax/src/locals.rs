//! What stands at a column of a text, and where a variable of a function is
//! used: inside of the innermost function that gives it its name.

use crate::language::Language;
use crate::lines::LineTable;
use crate::references::{Function, Place, Places};
use crate::{definitions, with_last_newline};
use scent_types::{Lines, Role};
use tree_sitter::{Node, Tree};

/// Parts of the names of fields and nodes by which an argument or an entry has
/// its name, which is no use of a variable.
const LABEL_FIELDS: [&str; 3] = ["name", "key", "label"];
const LABELLED: [&str; 4] = ["argument", "pair", "entry", "invocation"];

/// The names of a text, where they stand.
#[derive(Debug)]
pub struct TextNames {
    text: String,
    lines: LineTable,
    trees: Vec<Tree>,
    places: Places,
}

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameAt {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in bytes, counted from 1.
    pub column: u32,
    /// The name.
    pub name: String,
    /// How it is used; none where it is that of a definition.
    pub role: Option<Role>,
    /// What stands before it.
    pub qualifier: String,
}

/// A variable or a parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The lines of the function.
    pub function: Lines,
    /// Where it is given its name first.
    pub given: NameAt,
    /// Where it is used or given another value, in order.
    pub uses: Vec<NameAt>,
}

impl TextNames {
    /// The names of a text; none where it cannot be parsed.
    pub fn new(language: &'static Language, text: &str) -> Option<TextNames> {
        let queries = language.queries()?;
        let text = with_last_newline(text).into_owned();
        let lines = LineTable::new(&text);
        let found = definitions::find_places(language, queries, &text, &lines)?;
        let mut places = found.uses.places.unwrap_or_default();
        places.names.sort_by_key(|place| {
            let role = place.role.map_or(0, |role| role as u8 + 1);
            (place.bytes.start, !place.gives, role)
        });
        places.names.dedup_by(|b, a| a.bytes == b.bytes);
        Some(TextNames {
            text,
            lines,
            trees: found.trees,
            places,
        })
    }

    /// The names in a line, in order.
    pub fn in_line(&self, line: u32) -> Vec<NameAt> {
        let row = line.saturating_sub(1) as usize;
        let bytes = self.lines.start(row)..self.lines.start(row + 1);
        let places = self.places.names.iter();
        let there = places.filter(|place| bytes.contains(&place.bytes.start));
        there.map(|place| self.name_at(place)).collect()
    }

    /// The name at a column, in which or right after which it is.
    pub fn at(&self, line: u32, column: u32) -> Option<NameAt> {
        self.place(line, column).map(|place| self.name_at(place))
    }

    /// The variable of a function that a name at a column stands for.
    pub fn local(&self, line: u32, column: u32) -> Option<Local> {
        let asked = self.place(line, column)?;
        if !self.may_be_local(asked) {
            return None;
        }
        let same: Vec<&Place> = self.same(asked).collect();
        let binders = self.binders(&same);
        let function = self.binder(asked, &binders)?;
        let inside = |place: &&&Place| self.binder(place, &binders) == Some(function);
        let mut names = same.iter().filter(inside).map(|place| {
            let is_assigned = place.gives && !self.is_parameter(place, function);
            let name = self.name_at(place);
            (is_assigned, place.gives, name)
        });
        let all: Vec<_> = names.by_ref().collect();
        let first = all.iter().position(|(_, gives, _)| *gives)?;
        let mut uses = Vec::new();
        for (at, (is_assigned, _, mut name)) in all.iter().cloned().enumerate() {
            if at != first {
                if is_assigned {
                    name.role = Some(Role::Write);
                }
                uses.push(name);
            }
        }
        let bytes = &self.places.functions[function].bytes;
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        Some(Local {
            function: Lines::new(self.line_of(bytes.start), self.line_of(last)),
            given: all[first].2.clone(),
            uses,
        })
    }

    fn place(&self, line: u32, column: u32) -> Option<&Place> {
        let row = (line as usize).checked_sub(1)?;
        let start = self.lines.start(row);
        let at = start + (column as usize).checked_sub(1)?;
        if row >= self.lines.count() || at >= self.lines.start(row + 1) {
            return None;
        }
        let holding = |at: usize| {
            let places = self.places.names.iter();
            let there = places.filter(move |place| place.bytes.contains(&at));
            there.min_by_key(|place| place.bytes.len())
        };
        // A cursor stands behind the last letter as often as on it.
        holding(at).or_else(|| holding(at.checked_sub(1)?))
    }

    fn name_at(&self, place: &Place) -> NameAt {
        let line = self.line_of(place.bytes.start);
        let row = line as usize - 1;
        NameAt {
            line,
            column: (place.bytes.start - self.lines.start(row)) as u32 + 1,
            name: place.name.clone(),
            role: place.role,
            qualifier: place.qualifier.clone(),
        }
    }

    fn line_of(&self, at: usize) -> u32 {
        let (mut low, mut high) = (0, self.lines.count());
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if self.lines.start(middle) <= at {
                low = middle;
            } else {
                high = middle;
            }
        }
        low as u32 + 1
    }

    /// The names that may stand for the same variable as one does.
    fn same<'p>(&'p self, asked: &'p Place) -> impl Iterator<Item = &'p Place> {
        let has_sigil = |place: &Place| self.text[..place.bytes.start].ends_with('$');
        let places = self.places.names.iter();
        places.filter(move |place| {
            place.name == asked.name
                && has_sigil(place) == has_sigil(asked)
                && self.may_be_local(place)
        })
    }

    /// Whether a name may be that of a variable, by how it stands there.
    fn may_be_local(&self, place: &Place) -> bool {
        let may_be = place.qualifier.is_empty()
            && !matches!(
                place.role,
                None | Some(Role::Type | Role::Inherit | Role::Import)
            );
        may_be && (place.gives || !self.is_label(place))
    }

    /// Whether a name is that of a field, of an argument or of an entry.
    fn is_label(&self, place: &Place) -> bool {
        let Some(node) = self.node(place) else {
            return false;
        };
        let kind = node.kind();
        let is_field = kind.contains("field") || kind.contains("property");
        if is_field && !kind.contains("shorthand") {
            return true;
        }
        let Some(parent) = node.parent() else {
            return false;
        };
        let labels = LABELLED.iter().any(|part| parent.kind().contains(part));
        let mut fields = LABEL_FIELDS.iter();
        labels && fields.any(|field| parent.child_by_field_name(field) == Some(node))
    }

    /// Whether a name is that of a parameter of a function.
    fn is_parameter(&self, place: &Place, function: usize) -> bool {
        let bytes = &self.places.functions[function].bytes;
        let mut node = self.node(place);
        while let Some(here) = node {
            if here.byte_range() == *bytes {
                return false;
            }
            if here.kind().contains("parameter") {
                return true;
            }
            node = here.parent();
        }
        false
    }

    /// The leaf of a name, in the innermost of the trees that have it.
    fn node(&self, place: &Place) -> Option<Node<'_>> {
        let start = place.bytes.start;
        let mut trees = self.trees.iter().rev();
        let tree = trees.find(|tree| tree.root_node().byte_range().contains(&start))?;
        let root = tree.root_node();
        root.descendant_for_byte_range(start, place.bytes.end)
    }

    /// The functions that give the name to a variable of their own.
    fn binders(&self, same: &[&Place]) -> Vec<usize> {
        let mut giving = Vec::new();
        for place in same.iter().filter(|place| place.gives) {
            if let Some(&function) = self.around(place).first() {
                giving.push((function, self.is_parameter(place, function)));
            }
        }
        let binds = |function: usize| giving.iter().any(|(known, _)| *known == function);
        let takes = |function: usize| giving.contains(&(function, true));
        let mut binders = Vec::new();
        for place in same.iter().filter(|place| place.gives) {
            let mut binder = None;
            for function in self.around(place) {
                if binds(function) {
                    binder = Some(function);
                }
                if takes(function) || !self.places.functions[function].shares {
                    break;
                }
            }
            binders.extend(binder);
        }
        binders
    }

    /// The innermost function around a name that gives it to a variable.
    fn binder(&self, place: &Place, binders: &[usize]) -> Option<usize> {
        let around = self.around(place).into_iter();
        { around }.find(|function| binders.contains(function))
    }

    /// The functions around a name, the innermost first.
    fn around(&self, place: &Place) -> Vec<usize> {
        let functions = &self.places.functions;
        let holds = |function: &Function| {
            function.bytes.start <= place.bytes.start && place.bytes.end <= function.bytes.end
        };
        let mut around: Vec<usize> = (0..functions.len())
            .filter(|&nth| holds(&functions[nth]))
            .collect();
        around.sort_by_key(|&nth| functions[nth].bytes.len());
        around
    }
}
