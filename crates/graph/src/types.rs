//! The types of expressions, worked out where somebody asks: from the facts of
//! the file of the expression and of those that define the types.

use crate::graph::Definition;
use crate::imports::Bound;
use crate::links::Links;
use crate::paths::FileNo;
use crate::resolve::{Candidate, NameResolver, OWN, Reason, container};
use crate::scope::{FileScope, Owner, Variable, is_owner};
use crate::written::{self, Chain, Start, Step};
use rustc_hash::FxHashMap;
use scent_index::{HintRef, Result, Snapshot, UseRef};
use scent_types::{Kind, Role, ToldBy, Typed};
use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// One value may be told by another so many times.
const DEEPEST: u8 = 8;

/// Functions that give a module.
const IMPORTING: [&str; 4] = ["require", "import", "dofile", "import_module"];

/// More types of one name than this tell nothing.
const MOST: usize = 4;

/// So many types above a type are looked at.
const MOST_ABOVE: usize = 60;

/// A type as it is written, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Written<'s> {
    pub text: &'s str,
    pub file: FileNo,
    pub line: u32,
}

/// What is known of the type of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known<'s> {
    /// Types of the project that it may be of, or be itself.
    pub types: Vec<Definition<'s>>,
    /// What types from outside have as their arguments.
    pub inner: Vec<Written<'s>>,
    /// Whether it may be one of those.
    pub is_inner: bool,
    /// It is one of these modules.
    pub modules: Vec<FileNo>,
    /// Whether it can be nothing else.
    pub is_certain: bool,
    /// Whether it is a type itself, not a value of it.
    pub is_type: bool,
}

/// What a type is made of, besides its own members.
#[derive(Debug, Default)]
pub(crate) struct Above<'s> {
    pub types: Vec<Definition<'s>>,
    /// Whether all of it is in the project.
    pub is_whole: bool,
}

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
}

fn kept<K: Eq + Hash, V: Clone>(cache: &Cache<K, V>, key: &K) -> Option<V> {
    let cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    cache.get(key).cloned()
}

fn keep<K: Eq + Hash, V>(cache: &Cache<K, V>, key: K, value: V) {
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    cache.insert(key, value);
}

impl<'s> Known<'s> {
    pub fn outside() -> Known<'s> {
        Known {
            is_certain: true,
            ..Known::default()
        }
    }

    pub fn one_of(types: Vec<Definition<'s>>) -> Known<'s> {
        Known {
            types,
            is_certain: true,
            ..Known::default()
        }
    }

    fn unknown() -> Known<'s> {
        Known::default()
    }

    pub fn is_unknown(&self) -> bool {
        *self == Known::default()
    }

    fn add(&mut self, other: Known<'s>) {
        for found in other.types {
            if !self.types.contains(&found) {
                self.types.push(found);
            }
        }
        self.inner.extend(other.inner);
        self.modules.extend(other.modules);
        self.is_inner |= other.is_inner;
        self.is_type &= other.is_type;
        self.is_certain &= other.is_certain;
    }

    /// What is known of one of several.
    fn any(all: impl IntoIterator<Item = Known<'s>>) -> Known<'s> {
        let mut whole: Option<Known> = None;
        for known in all {
            match &mut whole {
                Some(whole) => whole.add(known),
                None => whole = Some(known),
            }
        }
        whole.unwrap_or_default()
    }
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
        }
    }

    /// A file and what it says of types.
    pub fn scope(&self, file: FileNo) -> Result<Arc<FileScope<'s>>> {
        if let Some(known) = kept(&self.scopes, &file) {
            return Ok(known);
        }
        let facts = self.links.facts(file)?;
        let bound = Bound::all(&facts);
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
    fn resolved(
        &self,
        file: FileNo,
        used: &UseRef<'s>,
        test: fn(Kind) -> bool,
    ) -> Result<(Reason, Vec<Definition<'s>>)> {
        let scope = self.scope(file)?;
        let mut bound = scope.context.bound.iter();
        let bound = bound.find(|bound| {
            let is_renamed = !bound.import.name.is_empty() && bound.taken != "default";
            used.qualifier.is_empty() && bound.name == used.name && is_renamed
        });
        let name = bound.map_or(used.name, |bound| bound.taken);
        let mut all: Vec<Definition> = self.named(name)?.to_vec();
        all.retain(|found| test(found.symbol.kind));
        if all.is_empty() {
            return Ok((Reason::External, all));
        }
        let candidates: Vec<Candidate> = all
            .iter()
            .map(|found| Candidate::new(&self.links, found.file, found.symbol))
            .collect();
        let resolver = NameResolver::new(&self.links, &scope.context, name, &candidates);
        let (reason, chosen) = resolver.resolve(used);
        Ok((reason, chosen.into_iter().map(|nth| all[nth]).collect()))
    }

    /// The type that a name means.
    pub fn type_named(&self, file: FileNo, line: u32, path: &'s str) -> Result<Known<'s>> {
        let end = path.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
        let (before, name) = path.split_at(end);
        self.type_in(file, line, before.trim_end_matches(['.', ':', '\\']), name)
    }

    fn type_in(
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

    /// What encloses a line.
    pub fn own(&self, file: FileNo, line: u32) -> Result<Known<'s>> {
        let owners = self.scope(file)?.owners(line);
        match owners.first() {
            Some(owner) => self.of_owner(file, line, *owner),
            None => Ok(Known::unknown()),
        }
    }

    /// The types of what something belongs to.
    pub fn of_owner(&self, file: FileNo, line: u32, owner: Owner<'s>) -> Result<Known<'s>> {
        match owner {
            Owner::Type(symbol) => Ok(Known::one_of(vec![Definition { file, symbol }])),
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
    fn type_or_bound(&self, at: Written<'s>, name: &'s str, depth: u8) -> Result<Known<'s>> {
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
    fn told(&self, file: FileNo, hint: HintRef<'s>, depth: u8) -> Result<Known<'s>> {
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

    /// The type of a value, given as a chain.
    pub fn value(&self, file: FileNo, line: u32, text: &'s str, depth: u8) -> Result<Known<'s>> {
        if depth > DEEPEST {
            return Ok(Known::unknown());
        }
        let Some(Chain { start, steps }) = written::chain(text) else {
            return Ok(Known::unknown());
        };
        let mut known = match start {
            Start::Literal => Known::outside(),
            Start::Cast(text) => self.declared(Written { text, file, line }, depth + 1)?,
            Start::New(path) => self.type_named(file, line, path)?,
            Start::Name(name) => self.name(file, line, name, depth)?,
            Start::Call(name) => self.call(file, line, name, depth)?,
        };
        for step in steps {
            if known.is_unknown() {
                known = self.begun_with(file, line, step)?;
                continue;
            }
            known = match step {
                Step::Member(name) => self.member(&known, name, false, depth)?,
                Step::Call(name) => self.member(&known, name, true, depth)?,
                Step::Index => self.element(known, depth)?,
            };
        }
        Ok(known)
    }

    /// What stands behind a namespace that is not followed: a type of the project.
    fn begun_with(&self, file: FileNo, line: u32, step: Step<'s>) -> Result<Known<'s>> {
        let (Step::Member(name) | Step::Call(name)) = step else {
            return Ok(Known::unknown());
        };
        if !name.starts_with(char::is_uppercase) {
            return Ok(Known::unknown());
        }
        let known = self.type_named(file, line, name)?;
        Ok(if known.types.is_empty() {
            Known::unknown()
        } else {
            Known {
                is_type: matches!(step, Step::Member(_)),
                ..known
            }
        })
    }

    /// What a name at the beginning of a chain is.
    fn name(&self, file: FileNo, line: u32, name: &'s str, depth: u8) -> Result<Known<'s>> {
        if ["super", "parent"].contains(&name) {
            return self.above_own(file, line);
        }
        if OWN.contains(&name) {
            return self.own(file, line);
        }
        let scope = self.scope(file)?;
        let given = match scope.variable(name, line) {
            Variable::Typed(hint) => Some((hint.line, Some(hint))),
            Variable::Untyped => Some((0, None)),
            Variable::None => None,
        };
        // `local shop = require "shop"` gives what it imports a name.
        let imported = |line| {
            let mut bound = scope.context.bound.iter();
            bound.any(|bound| bound.name == name && (line == 0 || bound.import.line == line))
        };
        match given {
            Some((line, _)) if imported(line) => {}
            Some((_, Some(hint))) => return self.told(file, hint, depth),
            Some((_, None)) => return Ok(Known::unknown()),
            None => {}
        }
        if name.starts_with('$') {
            return Ok(Known::unknown());
        }
        if scope.context.rules.bare_members || name.starts_with('@') {
            for owner in scope.owners(line) {
                let own = self.of_owner(file, line, owner)?;
                for found in own.types {
                    if let Some(known) = self.member_of(&found, name, false, depth)? {
                        return Ok(known);
                    }
                }
            }
        }
        self.imported_or_global(&scope, line, name, depth)
    }

    fn imported_or_global(
        &self,
        scope: &FileScope<'s>,
        line: u32,
        name: &'s str,
        depth: u8,
    ) -> Result<Known<'s>> {
        let context = &scope.context;
        let known = self.type_named(context.file, line, name)?;
        if !known.types.is_empty() {
            return Ok(Known {
                is_type: true,
                ..known
            });
        }
        let mut is_outside = false;
        for bound in context.bound.iter().filter(|bound| bound.name == name) {
            let files = self.links.files(context, bound);
            if files.is_empty() {
                is_outside = context.rules.known_modules;
                continue;
            }
            let is_whole = bound.import.name.is_empty() || bound.taken == "default";
            let known = if is_whole {
                self.given_by(files, depth)?
            } else {
                self.in_module(files, bound.taken, false, depth)?
            };
            if let Some(known) = known {
                return Ok(known);
            }
            return Ok(Known {
                modules: files.to_vec(),
                ..Known::default()
            });
        }
        if is_outside {
            return Ok(Known::outside());
        }
        self.global(scope, line, name, depth)
    }

    /// A variable of another file.
    fn global(
        &self,
        scope: &FileScope<'s>,
        line: u32,
        name: &'s str,
        depth: u8,
    ) -> Result<Known<'s>> {
        let is_value = |kind| !matches!(kind, Kind::Function | Kind::Method);
        let (reason, found) = self.resolved(
            scope.context.file,
            &used(line, Role::Read, "", name),
            is_value,
        )?;
        if reason.confidence() < 0.5 {
            return Ok(Known::unknown());
        }
        let mut all = Vec::new();
        for Definition { file, symbol } in found {
            let scope = self.scope(file)?;
            let mut hints = scope.hints_of(name, Typed::Variable);
            let hint = hints.find(|hint| hint.line == symbol.line);
            all.push(match hint {
                Some(hint) => self.told(file, hint, depth)?,
                None => Known::unknown(),
            });
        }
        Ok(Known::any(all))
    }

    /// What modules are themselves, where that is a value of a type.
    fn given_by(&self, files: &[FileNo], depth: u8) -> Result<Option<Known<'s>>> {
        for &file in files {
            let scope = self.scope(file)?;
            for hint in scope.hints_of("", Typed::Return) {
                if scope.context.enclosing(hint.line).is_some() {
                    continue;
                }
                let known = self.told(file, hint, depth)?;
                if !known.types.is_empty() {
                    return Ok(Some(known));
                }
            }
        }
        Ok(None)
    }

    /// Something that modules define.
    fn in_module(
        &self,
        files: &[FileNo],
        name: &'s str,
        is_called: bool,
        depth: u8,
    ) -> Result<Option<Known<'s>>> {
        let mut defining: Vec<FileNo> = self.named(name)?.iter().map(|d| d.file).collect();
        defining.dedup();
        for file in self.links.passing(files, name, &defining) {
            let scope = self.scope(file)?;
            let symbols = &scope.context.symbols;
            for symbol in symbols.iter().filter(|symbol| symbol.name == name) {
                let found = Definition {
                    file,
                    symbol: *symbol,
                };
                if is_owner(symbol.kind) {
                    return Ok(Some(Known::one_of(vec![found])));
                }
                if is_called {
                    return self.returned(&found, None, depth).map(Some);
                }
            }
            let hint = scope.hints_of(name, Typed::Variable).find(|hint| {
                scope
                    .context
                    .enclosing(hint.line)
                    .is_none_or(|s| s.name == name)
            });
            if let Some(hint) = hint {
                return self.told(file, hint, depth).map(Some);
            }
        }
        Ok(None)
    }

    /// What a function at the beginning of a chain gives.
    fn call(&self, file: FileNo, line: u32, name: &'s str, depth: u8) -> Result<Known<'s>> {
        let scope = self.scope(file)?;
        if name == "super" {
            return self.above_own(file, line);
        }
        if IMPORTING.contains(&name) {
            return Ok(Known::unknown());
        }
        if scope.context.rules.bare_members {
            for owner in scope.owners(line) {
                for found in self.of_owner(file, line, owner)?.types {
                    if let Some(known) = self.member_of(&found, name, true, depth)? {
                        return Ok(known);
                    }
                }
            }
        }
        let is_any = |kind: Kind| kind.is_symbol();
        let (reason, found) = self.resolved(file, &used(line, Role::Call, "", name), is_any)?;
        if found.is_empty() {
            let is_local = !matches!(scope.variable(name, line), Variable::None);
            let is_outside = reason == Reason::External && !is_local;
            return Ok(if is_outside {
                Known::outside()
            } else {
                Known::unknown()
            });
        }
        if found.len() > MOST {
            return Ok(Known::unknown());
        }
        let mut all = Vec::new();
        for found in found {
            all.push(if is_owner(found.symbol.kind) {
                Known::one_of(vec![found])
            } else {
                self.returned(&found, None, depth)?
            });
        }
        Ok(Known::any(all))
    }

    /// What a function returns: as it is declared, or by what it returns.
    fn returned(
        &self,
        function: &Definition<'s>,
        receiver: Option<&Definition<'s>>,
        depth: u8,
    ) -> Result<Known<'s>> {
        let Definition { file, symbol } = *function;
        let scope = self.scope(file)?;
        let told = |hint: HintRef<'s>| match receiver {
            Some(receiver) if is_own_type(hint.text) => Ok(Known::one_of(vec![*receiver])),
            _ => self.told(file, hint, depth),
        };
        let mut declared = scope.hints_of(symbol.name, Typed::Return);
        if let Some(hint) = declared.find(|hint| hint.line == symbol.line) {
            return told(hint);
        }
        let mut all = Vec::new();
        for hint in scope.hints_of("", Typed::Return) {
            if scope.context.enclosing(hint.line) == Some(symbol) {
                all.push(told(hint)?);
            }
        }
        all.retain(|known| !known.is_unknown());
        Ok(Known::any(all))
    }

    /// What types above the one around a line are.
    fn above_own(&self, file: FileNo, line: u32) -> Result<Known<'s>> {
        let own = self.own(file, line)?;
        let Some(found) = own.types.first() else {
            return Ok(Known::unknown());
        };
        let above = self.above(found)?;
        Ok(Known {
            is_certain: true,
            ..Known::one_of(above.types.clone())
        })
    }

    /// The types that a type inherits from, or is another name of.
    pub fn above(&self, found: &Definition<'s>) -> Result<Arc<Above<'s>>> {
        let Definition { file, symbol } = *found;
        let key = (file, symbol.line);
        if let Some(known) = kept(&self.above, &key) {
            return Ok(known);
        }
        let scope = self.scope(file)?;
        let mut all = vec![Known::outside()];
        let mut is_whole = true;
        for used in scope.inherits() {
            let owners = scope.owners(used.line);
            if owners.first() == Some(&Owner::Type(symbol)) {
                let qualifier = if used.qualifier == "?" {
                    ""
                } else {
                    used.qualifier
                };
                let known = self.type_in(file, used.line, qualifier, used.name)?;
                is_whole &= !known.types.is_empty();
                all.push(known);
            }
        }
        for hint in scope.hints_of(symbol.name, Typed::Super) {
            let known = self.told(file, hint, DEEPEST - 2)?;
            is_whole &= !known.types.is_empty();
            all.push(known);
        }
        let mut types = Known::any(all).types;
        types.retain(|above| above != found);
        let above = Arc::new(Above { types, is_whole });
        keep(&self.above, key, Arc::clone(&above));
        Ok(above)
    }

    /// A type and all that it inherits from, the nearest first, and whether that
    /// is all there is.
    pub fn lineage(&self, found: &Definition<'s>) -> Result<(Vec<Definition<'s>>, bool)> {
        let (mut all, mut at, mut is_whole) = (vec![*found], 0, true);
        while at < all.len() && all.len() < MOST_ABOVE {
            let above = self.above(&all[at])?;
            is_whole &= above.is_whole;
            for found in &above.types {
                if !all.contains(found) {
                    all.push(*found);
                }
            }
            at += 1;
        }
        Ok((all, is_whole))
    }

    /// What is taken of a value.
    fn member(
        &self,
        known: &Known<'s>,
        name: &'s str,
        is_called: bool,
        depth: u8,
    ) -> Result<Known<'s>> {
        let mut all = Vec::new();
        for found in &known.types {
            all.extend(self.member_of(found, name, is_called, depth)?);
        }
        if all.is_empty() && !known.modules.is_empty() {
            let found = self.in_module(&known.modules, name, is_called, depth)?;
            all.extend(found);
        }
        if !all.is_empty() {
            return Ok(Known::any(all));
        }
        for inner in known.inner.iter().filter(|_| known.types.is_empty()) {
            for found in self.declared(*inner, depth + 1)?.types {
                all.extend(self.member_of(&found, name, is_called, depth)?);
            }
        }
        if !all.is_empty() && known.is_inner {
            return Ok(Known::any(all));
        }
        if known.types.is_empty() && !known.inner.is_empty() {
            return Ok(Known {
                is_inner: true,
                ..known.clone()
            });
        }
        let is_outside = known.types.is_empty() && known.modules.is_empty();
        if is_outside && known.is_certain {
            return Ok(Known::outside());
        }
        // `new` makes one where nothing else is called so.
        if name == "new" && !known.types.is_empty() {
            return Ok(Known {
                is_type: false,
                ..known.clone()
            });
        }
        Ok(Known::unknown())
    }

    /// What is taken of a value of a type; none where the type has no such thing.
    pub fn member_of(
        &self,
        found: &Definition<'s>,
        name: &'s str,
        is_called: bool,
        depth: u8,
    ) -> Result<Option<Known<'s>>> {
        if depth > DEEPEST {
            return Ok(None);
        }
        let key = (found.file, found.symbol.line, name, is_called);
        if let Some(known) = kept(&self.members, &key) {
            return Ok(known);
        }
        // What needs itself to be known is not known.
        keep(&self.members, key, None);
        let mut known = None;
        for above in self.lineage(found)?.0 {
            known = self.own_member((&above, found), name, is_called, depth)?;
            if known.is_some() {
                break;
            }
        }
        keep(&self.members, key, known.clone());
        Ok(known)
    }

    /// The same of the type itself. What returns its own type returns that of the
    /// receiver.
    fn own_member(
        &self,
        (found, receiver): (&Definition<'s>, &Definition<'s>),
        name: &'s str,
        is_called: bool,
        depth: u8,
    ) -> Result<Option<Known<'s>>> {
        let Definition { file, symbol } = *found;
        let scope = self.scope(file)?;
        let kinds = if is_called {
            [Typed::Return, Typed::Field]
        } else {
            [Typed::Field, Typed::Return]
        };
        let mut all = Vec::new();
        for of in kinds {
            for hint in scope.hints_of(name, of) {
                let owner = hint.line;
                if all.len() < MOST && scope.belongs(owner, &symbol) {
                    all.push(if is_own_type(hint.text) {
                        Known::one_of(vec![*receiver])
                    } else {
                        self.told(file, hint, depth)?
                    });
                }
            }
            all.retain(|known| !known.is_unknown());
            if !all.is_empty() {
                return Ok(Some(Known::any(all)));
            }
        }
        for method in self.named(name)?.iter() {
            if self.is_member(method, found)? {
                return self.returned(method, Some(receiver), depth).map(Some);
            }
        }
        Ok(None)
    }

    /// Whether a type has a field of this name that is no symbol.
    pub fn has_field(&self, found: &Definition<'s>, name: &str) -> Result<bool> {
        let scope = self.scope(found.file)?;
        let mut hints = scope.hints_of(name, Typed::Field);
        // A property is a method that is read as a field.
        let is_symbol = |line| {
            let mut symbols = scope.context.symbols.iter();
            symbols.any(|symbol| symbol.line == line && symbol.name == name)
        };
        Ok(hints.any(|hint| !is_symbol(hint.line) && scope.belongs(hint.line, &found.symbol)))
    }

    /// Whether a symbol is a member of a type itself.
    pub fn is_member(&self, member: &Definition<'s>, owner: &Definition<'s>) -> Result<bool> {
        if container(&member.symbol) != owner.symbol.name {
            return Ok(false);
        }
        if member.file == owner.file {
            return Ok(true);
        }
        let (own, other) = (
            self.links.package(owner.file),
            self.links.package(member.file),
        );
        let rules = self.links.paths.rules(owner.file);
        if rules.family != self.links.paths.rules(member.file).family {
            return Ok(false);
        }
        let name = owner.symbol.name;
        let mut all: Vec<Definition> = self.named(name)?.to_vec();
        all.retain(|found| is_owner(found.symbol.kind));
        // Another type of the name is nearer.
        if all.iter().any(|found| found.file == member.file) {
            return Ok(false);
        }
        let is_beside = own == other;
        Ok(is_beside || all.len() == 1)
    }

    /// The type that a symbol is a member of, where that is known.
    pub fn owner_of(&self, member: &Definition<'s>) -> Result<Option<Definition<'s>>> {
        let name = container(&member.symbol);
        if name.is_empty() {
            return Ok(None);
        }
        let owners = self.scope(member.file)?.owners(member.symbol.line);
        for owner in owners {
            let is_own = match owner {
                Owner::Type(symbol) => symbol != member.symbol && symbol.name == name,
                Owner::Named(other) => other == name,
            };
            if is_own {
                let known = self.of_owner(member.file, member.symbol.line, owner)?;
                return Ok(known.types.first().copied());
            }
        }
        Ok(None)
    }

    /// Whether one of two members may run where the other one is called.
    pub fn overrides(&self, a: &Definition<'s>, b: &Definition<'s>) -> Result<bool> {
        let (Some(one), Some(other)) = (self.owner_of(a)?, self.owner_of(b)?) else {
            return Ok(false);
        };
        Ok(self.lineage(&one)?.0.contains(&other) || self.lineage(&other)?.0.contains(&one))
    }

    /// What a value holds many of.
    fn element(&self, known: Known<'s>, depth: u8) -> Result<Known<'s>> {
        match known.inner.last() {
            Some(inner) if known.types.is_empty() => self.declared(*inner, depth + 1),
            _ => Ok(Known::unknown()),
        }
    }
}

/// Whether a type or a value is that of the receiver.
fn is_own_type(text: &str) -> bool {
    let text = text.trim_matches(['"', '\'', '*', '&', ' ']);
    let text = text.strip_prefix("new ").unwrap_or(text);
    OWN.contains(&text.trim_end_matches("()"))
}

fn used<'s>(line: u32, role: Role, qualifier: &'s str, name: &'s str) -> UseRef<'s> {
    UseRef {
        line,
        role,
        name,
        qualifier,
    }
}
