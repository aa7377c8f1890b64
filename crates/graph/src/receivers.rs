//! What a use means by the type of what stands before it.

use crate::definition::Definition;
use crate::resolve::{Found, NameResolver, Reason, container};
use crate::scope::{FileScope, is_owner};
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
        let chosen = self.resolver.preferring(used, chosen);
        Ok(self.by_arguments(used, (reason, chosen)))
    }

    /// Of several definitions, those that take as many arguments as are passed,
    /// where there are any.
    fn by_arguments(&self, used: &UseRef<'s>, (reason, chosen): Found) -> Found {
        let Some(passed) = used.arguments.filter(|_| chosen.len() > 1) else {
            return (reason, chosen);
        };
        let symbol = |nth: usize| &self.definitions[nth].symbol;
        let takes = |nth: usize| symbol(nth).arity.is_none_or(|arity| arity.takes(passed));
        let taking: Vec<usize> = chosen.iter().copied().filter(|&nth| takes(nth)).collect();
        if taking.is_empty() || taking.len() == chosen.len() {
            return (reason, chosen);
        }
        match (reason, taking.len()) {
            (Reason::Ambiguous, 1) => (Reason::Arguments, taking),
            _ => (reason, taking),
        }
    }

    /// A name that stands alone.
    fn bare(&self, used: &UseRef<'s>) -> Result<Found> {
        let rules = self.scope.context.rules;
        let needs_call = rules.methods_are_mostly_called || rules.methods_are_called;
        let is_type = matches!(used.role, Role::Type | Role::Inherit);
        let may_be_variable = !is_type && (used.role != Role::Call || !needs_call);
        if may_be_variable && self.scope.is_variable(used.name, used.line) {
            return Ok((Reason::Unlinked, Vec::new()));
        }
        if rules.bare_members && !is_type && !self.resolver.is_local(used) {
            let own = self.own(used)?;
            if let Some(own) = own {
                return Ok(or_none(
                    Reason::SameScope,
                    self.callable(own, used, needs_call),
                ));
            }
        }
        let (reason, mut chosen) = self.resolver.resolve(used);
        let is_near =
            reason == Reason::SameScope || (reason == Reason::Import && rules.bare_members);
        // A method of something else needs that before it.
        // What is said of types tells that the language has objects.
        let has_objects = rules.explicit_names && self.scope.has_hints();
        let needs_object = has_objects || (rules.bare_members && !rules.all_names);
        if needs_object && !is_near {
            chosen.retain(|&nth| !self.is_method(nth));
        }
        Ok(or_none(reason, self.callable(chosen, used, needs_call)))
    }

    /// Members of what encloses a use, or of what that inherits from; none where
    /// nothing there has the name.
    fn own(&self, used: &UseRef<'s>) -> Result<Option<Vec<usize>>> {
        let file = self.scope.context.file;
        for owner in self.scope.owners(used.line) {
            let known = self.types.of_owner(file, used.line, owner)?;
            if let Some(own) = self.members_of(&known.types, used)? {
                return Ok(Some(own));
            }
        }
        Ok(None)
    }

    /// What a use may mean by its role: what is called is rather a method, what is
    /// not rather a field. `needs_call` is whether methods are only called.
    fn callable(&self, mut found: Vec<usize>, used: &UseRef<'s>, needs_call: bool) -> Vec<usize> {
        let is_called = used.role == Role::Call;
        let mut fitting = found.clone();
        fitting.retain(|&nth| is_callable(self.definitions[nth].symbol.kind) == is_called);
        if !fitting.is_empty() {
            return fitting;
        }
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
        let context = &self.scope.context;
        let (rules, file) = (context.rules, context.file);
        let named = self.of_table(used.qualifier);
        if !named.is_empty() {
            return Ok((Reason::Receiver, named));
        }
        let known = self.types.value(file, used.line, used.qualifier, 0)?;
        if let Some(found) = self.members_of(&known.types, used)? {
            let found = self.callable(found, used, rules.methods_are_called);
            let reason = if known.is_type {
                Reason::Receiver
            } else {
                Reason::Value
            };
            return Ok(or_none(reason, found));
        }
        if !known.inner.is_empty() && known.types.is_empty() {
            let found = self.inner(&known, used)?;
            if !found.is_empty() {
                return Ok((Reason::Value, found));
            }
        }
        if known.is_certain && !rules.open_types {
            let reason = if known.types.is_empty() {
                Reason::External
            } else {
                Reason::OtherType
            };
            // Members may be added to types from outside.
            return Ok(match self.added()? {
                added if added.is_empty() => (reason, added),
                added if added.len() == 1 => (Reason::Unique, added),
                added => (Reason::Ambiguous, added),
            });
        }
        self.by_name(used)
    }

    /// By the name of what stands before a use, whose type is not known.
    fn by_name(&self, used: &UseRef<'s>) -> Result<Found> {
        let rules = self.scope.context.rules;
        let (reason, chosen) = self.resolver.resolve(used);
        let needs_call = rules.methods_are_called || rules.methods_are_mostly_called;
        let chosen = self.callable(chosen, used, needs_call);
        if reason != Reason::Ambiguous {
            return Ok(or_none(reason, chosen));
        }
        let named = self.named_like(used.qualifier, &chosen);
        if !named.is_empty() {
            return Ok((Reason::ReceiverName, named));
        }
        let mentioned = self.mentioned(&chosen);
        if !mentioned.is_empty() {
            return Ok((Reason::Mentioned, mentioned));
        }
        Ok(or_none(reason, chosen))
    }

    /// Definitions of the same file that belong to a variable of this name, such
    /// as a table of Lua.
    fn of_table(&self, qualifier: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for (nth, candidate) in self.resolver.candidates() {
            let is_here = candidate.file == self.scope.context.file;
            if is_here && container(&candidate.symbol) == qualifier && !qualifier.is_empty() {
                found.push(nth);
            }
        }
        found
    }

    /// Definitions that belong to what the project does not define.
    fn added(&self) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        for (nth, candidate) in self.resolver.candidates() {
            let owner = container(&candidate.symbol);
            let is_ours = || -> Result<bool> {
                let named = self.types.named(owner)?;
                Ok(named.iter().any(|found| is_owner(found.symbol.kind)))
            };
            if self.is_method(nth) && !owner.is_empty() && !is_ours()? {
                found.push(nth);
            }
        }
        Ok(found)
    }

    /// Of some candidates, those whose type is mentioned in the file, if that is
    /// true of one type alone.
    fn mentioned(&self, among: &[usize]) -> Vec<usize> {
        let context = &self.scope.context;
        let mut found = among.to_vec();
        found.retain(|&nth| {
            let owner = container(&self.definitions[nth].symbol);
            let mut uses = context.facts.uses_of(owner);
            let is_here = context.symbols.iter().any(|symbol| symbol.name == owner);
            is_here || uses.any(|used| !used.role.gives())
        });
        let mut owners = found
            .iter()
            .map(|&nth| container(&self.definitions[nth].symbol));
        let first = owners.next();
        if first.is_some() && owners.all(|owner| Some(owner) == first) {
            found
        } else {
            Vec::new()
        }
    }

    /// A member of what a type from outside holds, once something was taken of it.
    fn inner(&self, known: &Known<'s>, used: &UseRef<'s>) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        for inner in known.inner.iter().filter(|_| known.is_inner) {
            let known = self.types.declared(*inner, 0)?;
            found.extend(self.members_of(&known.types, used)?.unwrap_or_default());
        }
        Ok(found)
    }

    /// The definitions of the name that types have, or inherit; none where they
    /// have nothing of the name. A field that is no definition hides others.
    fn members_of(
        &self,
        types: &[Definition<'s>],
        used: &UseRef<'s>,
    ) -> Result<Option<Vec<usize>>> {
        let (mut found, mut is_there) = (Vec::new(), false);
        for one in types {
            for above in self.types.lineage(one)?.0 {
                let mut own = Vec::new();
                for (nth, _) in self.resolver.candidates() {
                    if self.types.is_member(&self.definitions[nth], &above)? {
                        own.push(nth);
                    }
                }
                let has_field = self.types.has_field(&above, used.name)?;
                if has_field && used.role != Role::Call {
                    own.retain(|&nth| !is_callable(self.definitions[nth].symbol.kind));
                }
                if has_field || !own.is_empty() {
                    found.extend(own);
                    is_there = true;
                    break;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(is_there.then_some(found))
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

/// Nothing is not known for the reason that something would be.
fn or_none(reason: Reason, found: Vec<usize>) -> Found {
    let is_nothing = found.is_empty() && reason.confidence() > 0.0;
    (
        if is_nothing {
            Reason::OtherType
        } else {
            reason
        },
        found,
    )
}

fn is_callable(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Macro)
}

/// A name in small letters without what parts its words.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
