//! Interfaces that a type implements by having their methods, in languages where
//! that is enough.

use super::{Types, keep, kept};
use crate::definition::Definition;
use crate::resolve::container;
use scent_index::Result;
use scent_types::Kind;

/// More types than this that have one method are not held against an interface.
const MOST_TYPES: usize = 400;

impl<'s> Types<'s> {
    /// Whether a type has all methods of an interface, by name and number of
    /// arguments.
    pub fn implements(&self, one: &Definition<'s>, interface: &Definition<'s>) -> Result<bool> {
        if one.symbol.kind == Kind::Interface || !self.is_implicit(one, interface) {
            return Ok(false);
        }
        let place = |found: &Definition| (found.file, found.symbol.line);
        let key = (place(one), place(interface));
        if let Some(known) = kept(&self.implementing, &key) {
            return Ok(known);
        }
        let methods = self.methods_of(interface)?;
        let mut has_all = !methods.is_empty();
        for method in &methods {
            has_all = has_all && self.has_method(one, method)?;
        }
        keep(&self.implementing, key, has_all);
        Ok(has_all)
    }

    /// The types that implement an interface so.
    pub fn implementing(&self, interface: &Definition<'s>) -> Result<Vec<Definition<'s>>> {
        let mut found: Vec<Definition> = Vec::new();
        if !self.is_implicit(interface, interface) {
            return Ok(found);
        }
        let mut rarest: Option<Vec<Definition>> = None;
        for method in self.methods_of(interface)? {
            let same = self.named(method.symbol.name)?;
            if rarest
                .as_ref()
                .is_none_or(|rarest| same.len() < rarest.len())
            {
                rarest = Some(same.to_vec());
            }
        }
        for method in rarest.unwrap_or_default().iter().take(MOST_TYPES) {
            if let Some(owner) = self.owner_of(method)?
                && !found.contains(&owner)
                && self.implements(&owner, interface)?
            {
                found.push(owner);
            }
        }
        Ok(found)
    }

    fn is_implicit(&self, one: &Definition<'s>, interface: &Definition<'s>) -> bool {
        let rules = self.links.paths.rules(interface.file);
        rules.implicit_interfaces
            && interface.symbol.kind == Kind::Interface
            && self.links.paths.rules(one.file).family == rules.family
    }

    /// The methods of an interface and of those that it embeds; none where some
    /// of those are not known.
    fn methods_of(&self, interface: &Definition<'s>) -> Result<Vec<Definition<'s>>> {
        let (all, is_whole) = self.lineage(interface)?;
        let mut methods = Vec::new();
        for above in all.iter().filter(|_| is_whole) {
            let scope = self.scope(above.file)?;
            let inside = scope.context.symbols.iter().filter(|symbol| {
                symbol.kind == Kind::Method
                    && container(symbol) == above.symbol.name
                    && above.symbol.lines.contains(symbol.line)
            });
            methods.extend(inside.map(|&symbol| Definition {
                file: above.file,
                symbol,
            }));
        }
        Ok(methods)
    }

    /// Whether a type, or what it embeds, has a method like one of an interface.
    fn has_method(&self, one: &Definition<'s>, method: &Definition<'s>) -> Result<bool> {
        let all = self.lineage(one)?.0;
        for other in self.named(method.symbol.name)?.iter() {
            let agrees = match (other.symbol.arity, method.symbol.arity) {
                (Some(own), Some(wanted)) => own == wanted,
                _ => true,
            };
            if other.symbol.kind != Kind::Method || !agrees {
                continue;
            }
            for above in &all {
                if self.is_member(other, above)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
