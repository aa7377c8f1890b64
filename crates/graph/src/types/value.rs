//! The types of values: what a chain of names and calls gives.

use super::known::{Known, Written};
use super::{DEEPEST, MOST, Types, used};
use crate::definition::Definition;
use crate::paths::FileNo;
use crate::resolve::{OWN, Reason};
use crate::scope::{FileScope, Variable, is_owner};
use crate::written::{self, Chain, Start, Step};
use scent_index::{HintRef, Result};
use scent_types::{Kind, Role, Typed};

/// Functions that give a module.
const IMPORTING: [&str; 4] = ["require", "import", "dofile", "import_module"];

impl<'s> Types<'s> {
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
    pub(super) fn begun_with(&self, file: FileNo, line: u32, step: Step<'s>) -> Result<Known<'s>> {
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
    pub(super) fn name(
        &self,
        file: FileNo,
        line: u32,
        name: &'s str,
        depth: u8,
    ) -> Result<Known<'s>> {
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

    pub(super) fn imported_or_global(
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
            let is_whole = bound.import.name.is_empty() || bound.import.name == "default";
            let given = if is_whole {
                self.given_by(files, depth)?
            } else {
                None
            };
            let known = match given {
                None if !is_whole || bound.is_given => {
                    self.in_module(files, bound.taken, false, depth)?
                }
                given => given,
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
    pub(super) fn global(
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
    pub(super) fn given_by(&self, files: &[FileNo], depth: u8) -> Result<Option<Known<'s>>> {
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
    pub(super) fn in_module(
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
    pub(super) fn call(
        &self,
        file: FileNo,
        line: u32,
        name: &'s str,
        depth: u8,
    ) -> Result<Known<'s>> {
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
    pub(super) fn returned(
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
    pub(super) fn above_own(&self, file: FileNo, line: u32) -> Result<Known<'s>> {
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
}

/// Whether a type or a value is that of the receiver.
pub(super) fn is_own_type(text: &str) -> bool {
    let text = text.trim_matches(['"', '\'', '*', '&', ' ']);
    let text = text.strip_prefix("new ").unwrap_or(text);
    OWN.contains(&text.trim_end_matches("()"))
}
