//! What a use means by the type of what stands before it.

use crate::graph::Definition;
use crate::resolve::{Found, NameResolver, Reason, container};
use crate::scope::FileScope;
use crate::types::{Known, Types};
use scent_index::{Result, UseRef};
use scent_types::{Kind, Role};

/// Words of a receiver that are shorter than this tell no type.
const SHORTEST: usize = 4;

/// Resolves the uses of one name in one file, with what is known of types.
pub(crate) struct Receivers<'a, 's> {
    pub types: &'a Types<'s>,
    pub scope: &'a FileScope<'s>,
    pub resolver: &'a NameResolver<'a, 's>,
    /// The definitions of the name.
    pub definitions: &'a [Definition<'s>],
}

impl<'s> Receivers<'_, 's> {
    /// Which definitions a use means, and how that is known.
    pub fn resolve(&self, used: &UseRef<'s>) -> Result<Found> {
        if used.role == Role::Import || used.role.gives() || self.definitions.is_empty() {
            return Ok(self.resolver.resolve(used));
        }
        let (reason, chosen) = if used.qualifier.is_empty() {
            self.bare(used)?
        } else {
            self.member(used)?
        };
        Ok((reason, self.resolver.preferring(used, chosen)))
    }

    /// A name that stands alone.
    fn bare(&self, used: &UseRef<'s>) -> Result<Found> {
        let rules = self.scope.context.rules;
        let is_called = used.role == Role::Call;
        let needs_call = rules.bare_methods_are_called || rules.methods_are_called;
        let may_be_variable = !(is_called && needs_call);
        if may_be_variable && self.scope.is_variable(used.name, used.line) {
            return Ok((Reason::Unlinked, Vec::new()));
        }
        if rules.bare_members && !matches!(used.role, Role::Type | Role::Inherit) {
            let own = self.own(used)?;
            if !own.is_empty() {
                return Ok((Reason::SameScope, self.callable(own, used)));
            }
        }
        let (reason, mut chosen) = self.resolver.resolve(used);
        let is_far = !matches!(reason, Reason::SameScope | Reason::Import);
        // A method of something else needs that before it.
        if rules.bare_members && !rules.all_names && is_far {
            chosen.retain(|&nth| !self.is_method(nth));
        }
        chosen = self.callable(chosen, used);
        let reason = if chosen.is_empty() {
            Reason::Unlinked.min(reason).max(Reason::OtherType)
        } else {
            reason
        };
        Ok((reason, chosen))
    }

    /// Members of what encloses a use, or of what that inherits from.
    fn own(&self, used: &UseRef<'s>) -> Result<Vec<usize>> {
        let file = self.scope.context.file;
        for owner in self.scope.owners(used.line) {
            let known = self.types.of_owner(file, used.line, owner)?;
            let own = self.members_of(&known.types)?;
            if !own.is_empty() {
                return Ok(own);
            }
        }
        Ok(Vec::new())
    }

    /// What is left where methods are only called.
    fn callable(&self, mut found: Vec<usize>, used: &UseRef<'s>) -> Vec<usize> {
        let rules = self.scope.context.rules;
        let needs_call = rules.methods_are_called
            || (rules.bare_methods_are_called && used.qualifier.is_empty());
        if needs_call && matches!(used.role, Role::Read | Role::Write | Role::Use) {
            found.retain(|&nth| !self.is_method(nth));
        }
        found
    }

    fn is_method(&self, nth: usize) -> bool {
        self.definitions[nth].symbol.kind == Kind::Method
    }

    /// A name that belongs to something.
    fn member(&self, used: &UseRef<'s>) -> Result<Found> {
        let file = self.scope.context.file;
        let known = self.types.value(file, used.line, used.qualifier, 0)?;
        if !known.types.is_empty() {
            let found = self.members_of(&known.types)?;
            if !found.is_empty() {
                return Ok((Reason::Receiver, self.callable(found, used)));
            }
            if known.is_certain {
                return Ok((Reason::OtherType, Vec::new()));
            }
        }
        if !known.inner.is_empty() && known.types.is_empty() {
            return self.inner(&known);
        }
        if known.types.is_empty() && known.is_certain {
            return Ok((Reason::External, Vec::new()));
        }
        let (reason, chosen) = self.resolver.resolve(used);
        let chosen = self.callable(chosen, used);
        if reason == Reason::Ambiguous {
            let named = self.named_like(used.qualifier, &chosen);
            if !named.is_empty() {
                return Ok((Reason::ReceiverName, named));
            }
        }
        Ok((reason, chosen))
    }

    /// A member of what a type from outside holds, once something was taken of it.
    fn inner(&self, known: &Known<'s>) -> Result<Found> {
        let mut found = Vec::new();
        for inner in known.inner.iter().filter(|_| known.is_inner) {
            found.extend(self.members_of(&self.types.declared(*inner, 0)?.types)?);
        }
        let reason = if found.is_empty() {
            Reason::External
        } else {
            Reason::Receiver
        };
        Ok((reason, found))
    }

    /// The definitions of the name that types have, or inherit.
    fn members_of(&self, types: &[Definition<'s>]) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        for one in types {
            for above in self.types.lineage(one)?.0 {
                let mut own = Vec::new();
                for (nth, _) in self.resolver.candidates() {
                    if self.types.is_member(&self.definitions[nth], &above)? {
                        own.push(nth);
                    }
                }
                if !own.is_empty() {
                    found.extend(own);
                    break;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Of some candidates, those whose type is called as what stands before the
    /// use: `session.flush()` of `Session`, or of `OrmSession`.
    fn named_like(&self, qualifier: &str, among: &[usize]) -> Vec<usize> {
        let last = qualifier.rsplit(['.', ':', '>', '\\']).next().unwrap_or("");
        let receiver = letters(last);
        let named = |test: &dyn Fn(&str) -> bool| {
            let mut found = among.to_vec();
            found.retain(|&nth| test(&letters(container(&self.definitions[nth].symbol))));
            found
        };
        let same = named(&|of| !of.is_empty() && of == receiver);
        if !same.is_empty() || receiver.len() < SHORTEST {
            return same;
        }
        let ends = named(&|of| {
            of.ends_with(&receiver) || (of.len() >= SHORTEST && receiver.ends_with(of))
        });
        let mut owners: Vec<&str> = ends
            .iter()
            .map(|&nth| container(&self.definitions[nth].symbol))
            .collect();
        owners.dedup();
        if owners.len() == 1 { ends } else { Vec::new() }
    }
}

/// A name in small letters without what parts its words.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
