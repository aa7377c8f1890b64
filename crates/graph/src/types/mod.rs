//! The types of expressions, worked out where somebody asks: from the facts of
//! the file of the expression and of those that define the types.

mod interfaces;
mod known;
mod members;
mod value;

pub(crate) use known::Known;

use crate::definition::Definition;
use crate::imports::Bound;
use crate::links::Links;
use crate::paths::FileNo;
use crate::resolve::{Candidate, NameResolver, OWN, Reason, container};
use crate::scope::{FileScope, Owner, Variable, is_owner};
use crate::written;
use known::{Above, Written};
use rustc_hash::FxHashMap;
use scent_index::{HintRef, Result, Snapshot, UseRef};
use scent_types::{Kind, Role, ToldBy};
use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// One value may be told by another so many times.
const DEEPEST: u8 = 8;

/// More types of one name than this tell nothing.
const MOST: usize = 4;

type Cache<K, V> = Mutex<FxHashMap<K, V>>;

/// Works out types. What was found once is kept; threads may share it.
pub(crate) struct Types<'s> {
    pub links: Links<'s>,
    snapshot: &'s Snapshot,
    scopes: Cache<FileNo, Arc<FileScope<'s>>>,
    named: Cache<String, Arc<Vec<Definition<'s>>>>,
    found: Cache<(FileNo, &'s str, &'s str), Known<'s>>,
    above: Cache<(FileNo, u32), Arc<Above<'s>>>,
    members: Cache<(FileNo, u32, &'s str, bool), Option<Known<'s>>>,
    implementing: Cache<(Place, Place), bool>,
    overriding: Cache<(Place, Place), Option<Reason>>,
}

/// The file and the line of a definition.
type Place = (FileNo, u32);

fn kept<K: Eq + Hash, V: Clone>(cache: &Cache<K, V>, key: &K) -> Option<V> {
    let cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    cache.get(key).cloned()
}

fn keep<K: Eq + Hash, V>(cache: &Cache<K, V>, key: K, value: V) {
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    cache.insert(key, value);
}

impl<'s> Types<'s> {
    pub fn new(links: Links<'s>, snapshot: &'s Snapshot) -> Types<'s> {
        Types {
            links,
            snapshot,
            scopes: Cache::default(),
            named: Cache::default(),
            found: Cache::default(),
            above: Cache::default(),
            members: Cache::default(),
            implementing: Cache::default(),
            overriding: Cache::default(),
        }
    }

    /// A file and what it says of types.
    pub fn scope(&self, file: FileNo) -> Result<Arc<FileScope<'s>>> {
        if let Some(known) = kept(&self.scopes, &file) {
            return Ok(known);
        }
        let facts = self.links.facts(file)?;
        let bound = self.links.bound(file, &facts);
        let scope = Arc::new(FileScope::new(self.links.context(file, facts, bound)));
        keep(&self.scopes, file, Arc::clone(&scope));
        Ok(scope)
    }

    /// Every symbol of a name that has a unit, or is in the file of one.
    pub fn named(&self, name: &str) -> Result<Arc<Vec<Definition<'s>>>> {
        if let Some(known) = kept(&self.named, &name.to_owned()) {
            return Ok(known);
        }
        let text = self.snapshot.text();
        let mut files = BTreeSet::new();
        text.named(&name.to_lowercase(), |unit| {
            files.extend(self.snapshot.file_no(text.place(unit).0));
        })?;
        let mut found = Vec::new();
        for file in files {
            let symbols = self.links.symbols_named(file, name)?.into_iter();
            found.extend(symbols.map(|symbol| Definition { file, symbol }));
        }
        let found = Arc::new(found);
        keep(&self.named, name.to_owned(), Arc::clone(&found));
        Ok(found)
    }

    /// What a name that is used in a file means, of all its definitions that pass
    /// a test.
    pub(super) fn resolved(
        &self,
        file: FileNo,
        used: &UseRef<'s>,
        test: fn(Kind) -> bool,
    ) -> Result<(Reason, Vec<Definition<'s>>)> {
        let scope = self.scope(file)?;
        let mut bound = scope.context.bound.iter();
        let bound = bound.find(|bound| used.qualifier.is_empty() && bound.name == used.name);
        let is_named = |bound: &&Bound| match bound.import.name {
            "" | "default" => bound.is_given,
            _ => true,
        };
        let renamed = bound.filter(is_named);
        let name = renamed.map_or(used.name, |bound| bound.taken);
        let mut all: Vec<Definition> = self.named(name)?.to_vec();
        if all.is_empty() {
            // The tag of a C struct with a typedef has no unit.
            let here = self.links.symbols_named(file, name)?.into_iter();
            all.extend(here.map(|symbol| Definition { file, symbol }));
        }
        all.retain(|found| test(found.symbol.kind));
        if all.is_empty() {
            return Ok((Reason::External, all));
        }
        let candidates: Vec<Candidate> = all
            .iter()
            .map(|found| Candidate::new(&self.links, found.file, found.symbol))
            .collect();
        let resolver = NameResolver::new(&self.links, &scope.context, name, &candidates);
        let (reason, mut chosen) = resolver.resolve(used);
        // Where nothing is passed on, what is imported is in what is named.
        if let Some(bound) = bound.filter(|_| !scope.context.rules.reexports) {
            let files = self.links.files(&scope.context, bound);
            chosen.retain(|&nth| files.is_empty() || files.contains(&all[nth].file));
        }
        Ok((reason, chosen.into_iter().map(|nth| all[nth]).collect()))
    }

    /// The type that a name means.
    pub fn type_named(&self, file: FileNo, line: u32, path: &'s str) -> Result<Known<'s>> {
        let end = path.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
        let (before, name) = path.split_at(end);
        self.type_in(file, line, before.trim_end_matches(['.', ':', '\\']), name)
    }

    pub(super) fn type_in(
        &self,
        file: FileNo,
        line: u32,
        qualifier: &'s str,
        name: &'s str,
    ) -> Result<Known<'s>> {
        if OWN.contains(&name) && qualifier.is_empty() {
            return self.own(file, line);
        }
        let key = (file, qualifier, name);
        if let Some(known) = kept(&self.found, &key) {
            return Ok(known);
        }
        let (reason, found) =
            self.resolved(file, &used(line, Role::Type, qualifier, name), is_owner)?;
        let found = self.in_reach(file, line, qualifier, found)?;
        let known = match found.len() {
            0 => Known::outside(),
            1..=MOST => Known {
                is_certain: reason != Reason::Ambiguous,
                ..Known::one_of(found)
            },
            _ => Known::unknown(),
        };
        keep(&self.found, key, known.clone());
        Ok(known)
    }

    /// Of several types of a name, those that need nothing more before them than
    /// there is: what is inside of a type needs that.
    fn in_reach(
        &self,
        file: FileNo,
        line: u32,
        qualifier: &str,
        mut found: Vec<Definition<'s>>,
    ) -> Result<Vec<Definition<'s>>> {
        if found.len() < 2 {
            return Ok(found);
        }
        let all = found.clone();
        let owners = self.scope(file)?.owners(line);
        let is_around = |name: &str| {
            owners.iter().any(|owner| match owner {
                Owner::Type(symbol) => symbol.name == name,
                Owner::Named(other) => *other == name,
            })
        };
        let mut is_apart = Vec::new();
        for one in &found {
            let outer = container(&one.symbol);
            let around = self.scope(one.file)?;
            let mut symbols = around.context.symbols.iter();
            let is_in_type = symbols.any(|s| s.name == outer && s.kind.is_type());
            is_apart.push(is_in_type && !is_around(outer) && !qualifier.ends_with(outer));
        }
        let mut is_apart = is_apart.into_iter();
        found.retain(|_| !is_apart.next().unwrap_or(false));
        Ok(if found.is_empty() { all } else { found })
    }

    /// What encloses a line.
    pub fn own(&self, file: FileNo, line: u32) -> Result<Known<'s>> {
        let owners = self.scope(file)?.owners(line);
        // Ruby's `class << self` is in what is around it.
        let is_other = |owner: &&Owner| !matches!(owner, Owner::Named(name) if OWN.contains(name));
        match owners.iter().find(is_other) {
            Some(owner) => self.of_owner(file, line, *owner),
            None => Ok(Known::unknown()),
        }
    }

    /// The types of what something belongs to.
    pub fn of_owner(&self, file: FileNo, line: u32, owner: Owner<'s>) -> Result<Known<'s>> {
        match owner {
            Owner::Type(symbol) => Ok(Known::one_of(vec![Definition { file, symbol }])),
            // What is said to belong to itself would be asked for again.
            Owner::Named(name) if OWN.contains(&name) => Ok(Known::unknown()),
            Owner::Named(name) => {
                let known = self.type_named(file, line, name)?;
                let is_outside = known.types.is_empty();
                Ok(if is_outside { Known::unknown() } else { known })
            }
        }
    }

    /// The type of a value that is declared.
    pub fn declared(&self, written: Written<'s>, depth: u8) -> Result<Known<'s>> {
        if depth > DEEPEST {
            return Ok(Known::unknown());
        }
        let rules = self.scope(written.file)?.context.rules;
        let mut all = Vec::new();
        for shape in written::shapes(written.text) {
            let inner = |text| Written { text, ..written };
            let last = shape.name.rsplit(['.', ':', '\\']).next().unwrap_or("");
            if rules.wrappers.contains(&last) && !shape.args.is_empty() {
                all.push(self.declared(inner(shape.args[0]), depth + 1)?);
                continue;
            }
            let known = if shape.name.is_empty() {
                Known::outside()
            } else {
                self.type_or_bound(written, shape.name, depth)?
            };
            let is_outside = known.types.is_empty() && known.is_certain;
            all.push(if is_outside {
                Known {
                    inner: shape.args.into_iter().map(inner).collect(),
                    ..known
                }
            } else {
                known
            });
        }
        Ok(Known::any(all))
    }

    /// A type, or what the parameter of a generic is bound to.
    pub(super) fn type_or_bound(
        &self,
        at: Written<'s>,
        name: &'s str,
        depth: u8,
    ) -> Result<Known<'s>> {
        let known = self.type_named(at.file, at.line, name)?;
        if !known.types.is_empty() || !known.is_certain {
            return Ok(known);
        }
        let scope = self.scope(at.file)?;
        // `T` is any type where nothing says more.
        let is_parameter = name.len() <= 2 && !name.contains(char::is_lowercase);
        match scope.variable(name, at.line) {
            Variable::Typed(hint) if hint.by == ToldBy::Type => self.told(at.file, hint, depth),
            Variable::None if !is_parameter => Ok(known),
            _ => Ok(Known::unknown()),
        }
    }

    /// The type that a hint tells.
    pub(super) fn told(&self, file: FileNo, hint: HintRef<'s>, depth: u8) -> Result<Known<'s>> {
        let HintRef { line, text, .. } = hint;
        match hint.by {
            ToldBy::Type => self.declared(Written { text, file, line }, depth + 1),
            ToldBy::Value => self.value(file, line, text, depth + 1),
            ToldBy::Element => {
                let known = self.value(file, line, text, depth + 1)?;
                self.element(known, depth)
            }
        }
    }

    /// What a value holds many of.
    pub(super) fn element(&self, known: Known<'s>, depth: u8) -> Result<Known<'s>> {
        match known.inner.last() {
            Some(inner) if known.types.is_empty() => self.declared(*inner, depth + 1),
            _ => Ok(Known::unknown()),
        }
    }
}

fn used<'s>(line: u32, role: Role, qualifier: &'s str, name: &'s str) -> UseRef<'s> {
    UseRef {
        line,
        role,
        name,
        qualifier,
        arguments: None,
    }
}
