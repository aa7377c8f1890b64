//! Members of types: what a type has itself, what it inherits, and what overrides
//! what.

use super::known::{Above, Known};
use super::value::is_own_type;
use super::{DEEPEST, MOST, Types, keep, kept};
use crate::definition::Definition;
use crate::resolve::{Reason, container};
use crate::scope::{Owner, is_owner};
use scent_index::Result;
use scent_types::Typed;
use std::sync::Arc;

/// So many types above a type are looked at.
const MOST_ABOVE: usize = 60;

impl<'s> Types<'s> {
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
    pub(super) fn member(
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
    pub(super) fn own_member(
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

    /// How it is known that one of two members may run where the other one is
    /// called, if it may.
    pub fn overrides(&self, a: &Definition<'s>, b: &Definition<'s>) -> Result<Option<Reason>> {
        let key = ((a.file, a.symbol.line), (b.file, b.symbol.line));
        if let Some(known) = kept(&self.overriding, &key) {
            return Ok(known);
        }
        let reason = self.find_override(a, b)?;
        keep(&self.overriding, key, reason);
        Ok(reason)
    }

    /// How it is known that a member may run where another one is called: its
    /// type inherits from that one's, or implements it.
    pub fn runs_for(
        &self,
        member: &Definition<'s>,
        called: &Definition<'s>,
    ) -> Result<Option<Reason>> {
        let (Some(own), Some(above)) = (self.owner_of(member)?, self.owner_of(called)?) else {
            return Ok(None);
        };
        if own == above {
            return Ok(None);
        }
        if self.lineage(&own)?.0.contains(&above) {
            return Ok(Some(Reason::Override));
        }
        let implements = self.implements(&own, &above)?;
        Ok(implements.then_some(Reason::Implements))
    }

    fn find_override(&self, a: &Definition<'s>, b: &Definition<'s>) -> Result<Option<Reason>> {
        let (Some(one), Some(other)) = (self.owner_of(a)?, self.owner_of(b)?) else {
            return Ok(None);
        };
        // Two members of one type, such as a field and a method, are two things.
        if one == other {
            return Ok(None);
        }
        let inherits =
            self.lineage(&one)?.0.contains(&other) || self.lineage(&other)?.0.contains(&one);
        if inherits {
            return Ok(Some(Reason::Override));
        }
        let implements = self.implements(&one, &other)? || self.implements(&other, &one)?;
        Ok(implements.then_some(Reason::Implements))
    }
}
