//! What a file defines, uses and imports, as it is kept.
//!
//! A blob of facts is one value in postcard: a table of all strings in order,
//! then symbols, uses by name, and imports, which refer to the table by
//! position. Reading one borrows the strings from the mapped store, so that
//! looking for one name in a thousand files copies next to nothing.

use crate::blobs::{self, BlobReader};
use crate::error::{IndexError, Result};
use crate::files::{FileRecord, FileTable};
use crate::storage::SharedStorage;
use rustc_hash::{FxHashMap, FxHashSet};
use scent_types::{
    Arity, Import, Kind, Lines, Reference, Role, Root, Symbol, ToldBy, TypeHint, Typed, Visibility,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a file defines, uses and imports.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// What it defines, in order of the lines.
    pub symbols: &'a [Symbol],
    /// The names it uses.
    pub references: &'a [Reference],
    /// What it takes from other files.
    pub imports: &'a [Import],
    /// What it says of the types of its names, in order of the lines.
    pub hints: &'a [TypeHint],
    /// What imports call parts of the project, where it is a manifest.
    pub roots: &'a [Root],
}

/// The same as it is read.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredFacts<'a> {
    #[serde(borrow)]
    strings: Vec<&'a str>,
    symbols: Vec<StoredSymbol>,
    /// By name, in order.
    uses: Vec<(u32, Vec<StoredUse>)>,
    imports: Vec<[u32; 5]>,
    hints: Vec<StoredHint>,
    roots: Vec<[u32; 2]>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StoredSymbol {
    name: u32,
    qualified: u32,
    kind: Kind,
    line: u32,
    start: u32,
    count: u32,
    visibility: Option<Visibility>,
    arity: Option<Arity>,
}

impl StoredSymbol {
    /// Its lines, whatever numbers stand there.
    fn lines(&self) -> Lines {
        let start = self.start.max(1);
        Lines::new(start, start.saturating_add(self.count.saturating_sub(1)))
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StoredUse {
    /// Lines after the use before it.
    after: u32,
    role: Role,
    qualifier: u32,
    arguments: Option<u8>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StoredHint {
    /// Lines after the hint before it.
    after: u32,
    of: Typed,
    by: ToldBy,
    name: u32,
    text: u32,
}

/// A symbol in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SymbolRef<'a> {
    pub name: &'a str,
    pub qualified: &'a str,
    pub kind: Kind,
    pub line: u32,
    pub lines: Lines,
    pub visibility: Option<Visibility>,
    pub arity: Option<Arity>,
}

/// A use of a name in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct UseRef<'a> {
    pub line: u32,
    pub role: Role,
    pub name: &'a str,
    pub qualifier: &'a str,
    pub arguments: Option<u8>,
}

/// An import in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ImportRef<'a> {
    pub line: u32,
    pub statement: u32,
    pub module: &'a str,
    pub name: &'a str,
    pub alias: &'a str,
}

/// What a text says of the type of a name, in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct HintRef<'a> {
    pub line: u32,
    pub of: Typed,
    pub by: ToldBy,
    pub name: &'a str,
    pub text: &'a str,
}

impl Facts<'_> {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let strings: FxHashSet<&str> = self.strings().collect();
        let mut strings: Vec<&str> = strings.into_iter().collect();
        strings.sort_unstable();
        let places: FxHashMap<&str, u32> = strings.iter().copied().zip(0..).collect();
        let at = |text: &str| places[text];
        let symbol = |s: &Symbol| StoredSymbol {
            name: at(&s.name),
            qualified: at(&s.qualified),
            kind: s.kind,
            line: s.line,
            start: s.lines.start,
            count: s.lines.count(),
            visibility: s.visibility,
            arity: s.arity,
        };
        let mut by_name: BTreeMap<u32, Vec<&Reference>> = BTreeMap::new();
        for reference in self.references {
            by_name
                .entry(at(&reference.name))
                .or_default()
                .push(reference);
        }
        let uses = by_name
            .into_iter()
            .map(|(name, uses)| (name, stored_uses(&uses, at)));
        let import = |i: &Import| {
            let names = [at(&i.module), at(&i.name), at(&i.alias)];
            [i.line, i.statement, names[0], names[1], names[2]]
        };
        let stored = StoredFacts {
            symbols: self.symbols.iter().map(symbol).collect(),
            uses: uses.collect(),
            imports: self.imports.iter().map(import).collect(),
            hints: stored_hints(self.hints, at),
            roots: self
                .roots
                .iter()
                .map(|root| [at(&root.name), at(&root.path)])
                .collect(),
            strings: strings.clone(),
        };
        postcard::to_stdvec(&stored).expect("facts of plain values can be written")
    }

    fn strings(&self) -> impl Iterator<Item = &str> {
        let symbols = self.symbols.iter().flat_map(|s| [&s.name, &s.qualified]);
        let references = self.references.iter().flat_map(|r| [&r.name, &r.qualifier]);
        let imports = self
            .imports
            .iter()
            .flat_map(|i| [&i.module, &i.name, &i.alias]);
        let roots = self.roots.iter().flat_map(|r| [&r.name, &r.path]);
        let hints = self.hints.iter().flat_map(|h| [&h.name, &h.text]);
        symbols
            .chain(references)
            .chain(imports)
            .chain(hints)
            .chain(roots)
            .map(String::as_str)
    }
}

fn unreadable() -> IndexError {
    IndexError::Damaged("facts of a file cannot be read".into())
}

fn stored_uses(uses: &[&Reference], at: impl Fn(&str) -> u32) -> Vec<StoredUse> {
    let mut last = 0;
    let mut stored = |reference: &&Reference| {
        let after = reference.line - last;
        last = reference.line;
        StoredUse {
            after,
            role: reference.role,
            qualifier: at(&reference.qualifier),
            arguments: reference.arguments,
        }
    };
    uses.iter().map(&mut stored).collect()
}

fn stored_hints(hints: &[TypeHint], at: impl Fn(&str) -> u32) -> Vec<StoredHint> {
    let mut last = 0;
    let mut stored = |hint: &TypeHint| {
        let after = hint.line - last;
        last = hint.line;
        StoredHint {
            after,
            of: hint.of,
            by: hint.by,
            name: at(&hint.name),
            text: at(&hint.text),
        }
    };
    hints.iter().map(&mut stored).collect()
}

/// The facts of the files of one generation, mapped.
#[derive(Debug)]
pub struct FactsReader {
    blobs: BlobReader,
}

impl FactsReader {
    pub(crate) fn open(storage: &SharedStorage, table: &FileTable) -> Result<FactsReader> {
        let places = table.files.iter().filter_map(FileRecord::facts);
        let blobs = BlobReader::open(storage, blobs::FACTS, places)?;
        Ok(FactsReader { blobs })
    }

    /// What a file defines, uses and imports.
    pub fn of(&self, file: &FileRecord) -> Result<StoredFacts<'_>> {
        StoredFacts::read(self.bytes(file)?)
    }

    /// What a file defines, without reading what it uses.
    pub fn symbols(&self, file: &FileRecord) -> Result<Vec<SymbolRef<'_>>> {
        let begun = StoredFacts::begin(self.bytes(file)?, |_| true)?;
        Ok(begun.symbols().collect())
    }

    /// What a file defines under a name. Most files that are asked do not hold
    /// it at all.
    pub fn symbols_named(&self, file: &FileRecord, name: &str) -> Result<Vec<SymbolRef<'_>>> {
        let holds = |strings: &[&str]| strings.binary_search(&name).is_ok();
        let begun = StoredFacts::begin(self.bytes(file)?, holds)?;
        let named = begun.symbols().filter(|symbol| symbol.name == name);
        Ok(named.collect())
    }

    /// Calls `each` with the name of every symbol of a file, and looks at no other
    /// string.
    pub(crate) fn each_name<'a>(
        &'a self,
        file: &FileRecord,
        mut each: impl FnMut(&'a str),
    ) -> Result<()> {
        let (strings, rest) = take::<Vec<&[u8]>>(self.bytes(file)?)?;
        let (symbols, _) = take::<Vec<StoredSymbol>>(rest)?;
        for symbol in symbols {
            let name = strings.get(symbol.name as usize);
            if let Some(Ok(name)) = name.map(|name| std::str::from_utf8(name)) {
                each(name);
            }
        }
        Ok(())
    }

    /// The facts of a file as they are written. Every name that is in them
    /// stands there as it is.
    pub fn bytes(&self, file: &FileRecord) -> Result<&[u8]> {
        let bytes = file.facts().and_then(|place| self.blobs.get(place));
        bytes.ok_or_else(unreadable)
    }
}

/// A value at the beginning, and what follows it.
fn take<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<(T, &'a [u8])> {
    postcard::take_from_bytes(bytes).map_err(|_| unreadable())
}

impl<'a> StoredFacts<'a> {
    /// The strings, and the symbols if the strings are worth it; nothing else.
    fn begin(bytes: &'a [u8], go_on: impl Fn(&[&str]) -> bool) -> Result<StoredFacts<'a>> {
        let (strings, rest) = take::<Vec<&str>>(bytes)?;
        let mut symbols = Vec::new();
        if go_on(&strings) {
            (symbols, _) = take(rest)?;
        }
        Ok(StoredFacts {
            strings,
            symbols,
            uses: Vec::new(),
            imports: Vec::new(),
            hints: Vec::new(),
            roots: Vec::new(),
        })
    }

    fn read(bytes: &'a [u8]) -> Result<StoredFacts<'a>> {
        postcard::from_bytes(bytes).map_err(|_| unreadable())
    }

    /// What the file defines, in order of the lines.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolRef<'a>> {
        self.symbols.iter().map(|symbol| SymbolRef {
            name: self.string(symbol.name),
            qualified: self.string(symbol.qualified),
            kind: symbol.kind,
            line: symbol.line,
            lines: symbol.lines(),
            visibility: symbol.visibility,
            arity: symbol.arity,
        })
    }

    /// The innermost symbol around a line, if any.
    pub fn enclosing(&self, line: u32) -> Option<SymbolRef<'a>> {
        self.symbols()
            .filter(|s| s.lines.contains(line))
            .min_by_key(|s| s.lines.count())
    }

    /// Where a name is used.
    pub fn uses_of(&self, name: &str) -> impl Iterator<Item = UseRef<'a>> {
        let found = self.strings.binary_search(&name).ok();
        let found = found.and_then(|at| self.uses.binary_search_by_key(&(at as u32), |u| u.0).ok());
        found.into_iter().flat_map(|at| self.expand(at))
    }

    /// Every use of every name, name by name.
    pub fn uses(&self) -> impl Iterator<Item = UseRef<'a>> {
        (0..self.uses.len()).flat_map(|at| self.expand(at))
    }

    /// Every name that is used, in order.
    pub fn used_names(&self) -> impl Iterator<Item = &'a str> {
        self.uses.iter().map(|(name, _)| self.string(*name))
    }

    fn expand(&self, at: usize) -> impl Iterator<Item = UseRef<'a>> {
        let (name, uses) = &self.uses[at];
        let name = self.string(*name);
        let mut line = 0;
        uses.iter().map(move |stored| {
            line = u32::saturating_add(line, stored.after);
            UseRef {
                line,
                role: stored.role,
                name,
                qualifier: self.string(stored.qualifier),
                arguments: stored.arguments,
            }
        })
    }

    /// What the file takes from others.
    pub fn imports(&self) -> impl Iterator<Item = ImportRef<'a>> {
        self.imports
            .iter()
            .map(|&[line, statement, module, name, alias]| ImportRef {
                line,
                statement,
                module: self.string(module),
                name: self.string(name),
                alias: self.string(alias),
            })
    }

    /// What the file says of the types of its names, in order of the lines.
    pub fn hints(&self) -> impl Iterator<Item = HintRef<'a>> {
        let mut line = 0;
        self.hints.iter().map(move |stored| {
            line = u32::saturating_add(line, stored.after);
            HintRef {
                line,
                of: stored.of,
                by: stored.by,
                name: self.string(stored.name),
                text: self.string(stored.text),
            }
        })
    }

    /// What imports call parts of the project: a name and a path each.
    pub fn roots(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.roots
            .iter()
            .map(|&[name, path]| (self.string(name), self.string(path)))
    }

    fn string(&self, at: u32) -> &'a str {
        self.strings.get(at as usize).copied().unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let symbol = |name: &str, line, end| Symbol {
            name: name.into(),
            qualified: format!("Pool.{name}"),
            kind: Kind::Method,
            line,
            lines: Lines::new(line, end),
            visibility: Some(Visibility::Internal),
            arity: Some(Arity { least: 1, most: 2 }),
        };
        let reference = |line, role, name: &str, qualifier: &str| Reference {
            line,
            role,
            name: name.into(),
            qualifier: qualifier.into(),
            arguments: Some(3),
        };
        let symbols = [symbol("take", 3, 9), symbol("inner", 5, 6)];
        let references = [
            reference(4, Role::Call, "wait", "self.clock"),
            reference(5, Role::Use, "limit", ""),
            reference(8, Role::Call, "wait", ""),
        ];
        let imports = [Import {
            line: 1,
            module: "a.b".into(),
            ..Import::default()
        }];
        let roots = [Root {
            name: "a/*".into(),
            path: "src/*".into(),
        }];
        let hints = [TypeHint {
            line: 4,
            of: Typed::Variable,
            by: ToldBy::Value,
            name: "clock".into(),
            text: "Clock()".into(),
        }];
        let facts = Facts {
            symbols: &symbols,
            references: &references,
            imports: &imports,
            hints: &hints,
            roots: &roots,
        };
        let bytes = facts.to_bytes();
        let read = StoredFacts::read(&bytes).unwrap();
        let named: Vec<_> = read
            .symbols()
            .map(|s| (s.name, s.qualified, s.lines))
            .collect();
        assert_eq!(named[0], ("take", "Pool.take", Lines::new(3, 9)));
        assert!(
            read.symbols()
                .all(|s| s.visibility == Some(Visibility::Internal)
                    && s.arity == Some(Arity { least: 1, most: 2 }))
        );
        assert_eq!(read.enclosing(6).map(|s| s.name), Some("inner"));
        assert_eq!(read.enclosing(7).map(|s| s.name), Some("take"));
        assert_eq!(read.enclosing(2), None);
        let waits: Vec<_> = read
            .uses_of("wait")
            .map(|u| (u.line, u.qualifier))
            .collect();
        assert_eq!(waits, [(4, "self.clock"), (8, "")]);
        assert_eq!(read.uses_of("nobody").count(), 0);
        assert_eq!(read.uses().count(), 3);
        assert!(read.uses().all(|used| used.arguments == Some(3)));
        assert_eq!(
            read.imports().map(|i| i.module).collect::<Vec<_>>(),
            ["a.b"]
        );
        assert_eq!(read.roots().collect::<Vec<_>>(), [("a/*", "src/*")]);
        let hint = read.hints().next().unwrap();
        assert_eq!((hint.line, hint.name, hint.text), (4, "clock", "Clock()"));
        assert!(StoredFacts::read(&bytes[..bytes.len() - 1]).is_err());
    }
}
