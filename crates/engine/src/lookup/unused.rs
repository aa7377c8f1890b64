//! Definitions that nothing uses.

use super::{Lookup, categories};
use crate::error::EngineError;
use crate::tree::Tree;
use scent_graph::{Definition, FileNo, Usage, usages};
use scent_index::{Snapshot, State};
use scent_search::{CodeRules, code_rules};
use scent_types::{FileClass, Fit, Kind, Lines, Role, Unused, UnusedDefinition, Visibility};
use scent_words::names;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Which unused definitions are asked for.
#[derive(Clone, Debug)]
pub struct UnusedOptions {
    /// Only these kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// How many are listed.
    pub limit: usize,
    /// What is less sure than this is left out.
    pub confidence: f32,
}

/// The kinds that are looked at where none is asked for.
const KINDS: [Kind; 10] = [
    Kind::Function,
    Kind::Method,
    Kind::Class,
    Kind::Struct,
    Kind::Enum,
    Kind::Trait,
    Kind::Interface,
    Kind::Type,
    Kind::Constant,
    Kind::Macro,
];

/// So many lines at the top of a file may speak of all of it.
const FILE_HEADING: usize = 60;

/// So many lines above a definition may hold its attributes.
const ATTRIBUTE_LINES: u32 = 20;

/// The definitions at and below a path that nothing uses, the surest first.
pub(crate) fn unused(
    tree: &dyn Tree,
    snapshot: &Snapshot,
    path: &str,
    options: &UnusedOptions,
) -> Result<Unused, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let wanted: HashSet<FileNo> = lookup.files_below(path)?.into_iter().collect();
    let usages = usages(snapshot, scent_syntax::import_rules)?;
    let search = Search {
        lookup: &lookup,
        rules: code_rules(),
        used: used_names(&lookup, &usages),
        libraries: RefCell::default(),
    };
    let mut candidates: Vec<&Usage> = usages
        .iter()
        .filter(|usage| wanted.contains(&usage.file) && search.is_candidate(usage, options))
        .collect();
    // What is inside of something unused is unused with it.
    candidates.sort_by_key(|usage| {
        let lines = usage.symbol.lines;
        (usage.file, lines.start, std::cmp::Reverse(lines.end))
    });
    let mut found: Vec<UnusedDefinition> = Vec::new();
    let mut around: Option<(FileNo, Lines)> = None;
    for usage in candidates {
        let is_inside = |(file, lines): (FileNo, Lines)| {
            file == usage.file && lines.contains(usage.symbol.line)
        };
        if around.is_some_and(is_inside) {
            continue;
        }
        let (confidence, reason) = search.confidence(usage)?;
        if confidence >= options.confidence {
            around = Some((usage.file, usage.symbol.lines));
            found.push(search.to_unused(usage, confidence, reason));
        }
    }
    leave_members(&mut found);
    found.sort_by(|a, b| {
        let order = b.confidence.total_cmp(&a.confidence);
        order.then_with(|| {
            (&a.definition.path, a.definition.line).cmp(&(&b.definition.path, b.definition.line))
        })
    });
    let total = found.len();
    found.truncate(options.limit);
    Ok(Unused {
        definitions: found,
        total,
    })
}

/// Leaves out the members of unused types that stand outside of them, as in an
/// `impl` or behind a receiver, in the same folder.
fn leave_members(found: &mut Vec<UnusedDefinition>) {
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned()
    };
    let types = found.iter().filter(|one| one.definition.kind.is_type());
    let types: HashSet<(String, String)> = types
        .map(|one| (folder(&one.definition.path), one.definition.name.clone()))
        .collect();
    found.retain(|one| {
        let parts: Vec<&str> = names::parts(&one.definition.qualified).collect();
        let owner = parts.len().checked_sub(2).map_or("", |at| parts[at]);
        !types.contains(&(folder(&one.definition.path), owner.to_owned()))
    });
}

/// Names of which a definition is used, by family of languages, and qualified
/// names of files: several definitions of one are one.
struct Used<'s> {
    names: HashSet<(&'static str, &'s str)>,
    qualified: HashSet<(FileNo, &'s str)>,
}

fn used_names<'s>(lookup: &Lookup<'s>, usages: &[Usage<'s>]) -> Used<'s> {
    let mut used = Used {
        names: HashSet::new(),
        qualified: HashSet::new(),
    };
    for usage in usages.iter().filter(|usage| usage.confidence > 0.0) {
        used.names
            .insert((lookup.graph.family(usage.file), usage.symbol.name));
        used.qualified.insert((usage.file, usage.symbol.qualified));
    }
    used
}

struct Search<'l, 's> {
    lookup: &'l Lookup<'s>,
    rules: &'static CodeRules,
    used: Used<'s>,
    /// Whether folders are libraries, once that was needed.
    libraries: RefCell<HashMap<String, bool>>,
}

impl<'s> Search<'_, 's> {
    /// Whether nothing is known to use a definition, and nobody outside of the
    /// project is known to.
    fn is_candidate(&self, usage: &Usage<'s>, options: &UnusedOptions) -> bool {
        let Usage { file, symbol, .. } = *usage;
        let kinds = if options.kinds.is_empty() {
            &KINDS[..]
        } else {
            &options.kinds
        };
        let path = self.lookup.path(file);
        let is_code = matches!(
            self.lookup.record(file).state,
            State::Indexed {
                class: FileClass::Code,
                ..
            }
        );
        let family = self.lookup.graph.family(file);
        usage.confidence == 0.0
            && is_code
            && kinds.contains(&symbol.kind)
            && !categories::is_test(path)
            && !categories::is_vendored(path)
            && !self.used.qualified.contains(&(file, symbol.qualified))
            && !self.rules.is_hook(family, symbol.name)
            && !self
                .rules
                .constructors
                .iter()
                .any(|known| known == symbol.name)
            && !is_in_tests(symbol.qualified)
            && (symbol.visibility.is_some_and(is_hidden) || !self.rules.is_entry_file(path))
    }

    /// How sure it is that nothing uses a definition, and what is said of it.
    fn confidence(&self, usage: &Usage<'s>) -> Result<(f32, &'static str), EngineError> {
        let (rules, symbol) = (&self.rules, &usage.symbol);
        let (mut sure, mut reason) = self.by_visibility(usage);
        let mut doubt = |factor: f32, why: &'static str| {
            sure *= factor;
            reason = why;
        };
        if self.is_registered(usage) || self.implements(usage) || self.is_kept(usage.file) {
            return Ok((0.0, ""));
        }
        if self.lookup.record(usage.file).has_errors() {
            doubt(rules.doubt.errors, "parse errors");
        }
        let is_member = names::parts(symbol.qualified).count() > 1;
        if is_member && self.inherits(usage)? {
            doubt(rules.doubt.inherits, "its type inherits");
        }
        let family = self.lookup.graph.family(usage.file);
        if is_member && self.used.names.contains(&(family, symbol.name)) {
            doubt(rules.doubt.namesake, "a namesake is used");
        }
        if usage.unlinked > 0 {
            doubt(rules.doubt.same_word, "the name is used, of something else");
        } else if self.is_mentioned(usage)? {
            doubt(rules.doubt.mentioned, "only mentioned");
        }
        Ok((sure, reason))
    }

    fn by_visibility(&self, usage: &Usage<'s>) -> (f32, &'static str) {
        let sure = &self.rules.unused;
        let is_member = names::parts(usage.symbol.qualified).count() > 1;
        let needs_import = self.lookup.graph.needs_import(usage.file);
        match usage.symbol.visibility {
            Some(Visibility::Private) => (sure.private, "private"),
            Some(Visibility::Internal) => (sure.internal, "internal"),
            None if needs_import && !is_member => (sure.private, "not exported"),
            None if !self.is_in_library(self.lookup.path(usage.file)) => (sure.unknown, "no use"),
            None => (sure.api, "in a library"),
            Some(_) if self.is_in_library(self.lookup.path(usage.file)) => {
                (sure.api, "public in a library")
            }
            Some(_) => (sure.public, "public"),
        }
    }

    /// Whether others may use what is public in a file.
    fn is_in_library(&self, path: &str) -> bool {
        let mut folder = path;
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(&known) = self.libraries.borrow().get(folder) {
                if known {
                    return true;
                }
                continue;
            }
            let is_one = self.rules.libraries.iter().any(|library| {
                let separator = if folder.is_empty() { "" } else { "/" };
                let file = format!("{folder}{separator}{}", library.file);
                self.lookup.graph.file_at(&file).is_some_and(|file| {
                    let text = self.lookup.text(file);
                    let has = |word: &String| text.text().contains(word.as_str());
                    library.having.is_empty() || library.having.iter().any(has)
                })
            });
            self.libraries
                .borrow_mut()
                .insert(folder.to_owned(), is_one);
            if is_one {
                return true;
            }
        }
        false
    }

    /// Whether an attribute, decorator or annotation may register a definition.
    fn is_registered(&self, usage: &Usage<'s>) -> bool {
        let text = self.lookup.text(usage.file);
        let first = usage.symbol.lines.start;
        let mut above = first;
        while above > 1 && first - above < ATTRIBUTE_LINES {
            let line = text.line(above - 1).unwrap_or_default().trim();
            let is_comment = || {
                let mut marks = self.rules.comment_marks.iter();
                marks.any(|mark| line.starts_with(mark.as_str()))
            };
            let is_attribute = line.starts_with(['@', '[']) || line.starts_with("#[");
            if !is_attribute && !is_comment() && !line.ends_with(")]") {
                break;
            }
            above -= 1;
        }
        let mut heading = (above..=usage.symbol.line).filter_map(|line| text.line(line));
        heading.any(|line| {
            let is_known = attribute(line).is_none_or(|name| self.rules.is_plain_attribute(name));
            !is_known || self.keeps(line)
        })
    }

    /// Whether a line says that something may be unused.
    fn keeps(&self, line: &str) -> bool {
        let mut kept = self.rules.kept.iter();
        kept.any(|words| line.contains(words.as_str()))
    }

    /// Whether a file says so of all that is in it.
    fn is_kept(&self, file: FileNo) -> bool {
        let text = self.lookup.text(file);
        let mut lines = text.text().lines().take(FILE_HEADING);
        lines.any(|line| line.starts_with("#!") && self.keeps(line))
    }

    /// Whether a definition stands in a block whose members are called through
    /// something else, such as an implementation of a trait.
    fn implements(&self, usage: &Usage<'s>) -> bool {
        let language = self.lookup.graph.language(usage.file);
        let mut blocks = self.rules.implementing.iter();
        let Some(block) = blocks.find(|block| block.language == language) else {
            return false;
        };
        let text = self.lookup.text(usage.file);
        let indent = |line: &str| line.len() - line.trim_start().len();
        let own = indent(text.line(usage.symbol.line).unwrap_or_default());
        for number in (1..usage.symbol.line).rev() {
            let line = text.line(number).unwrap_or_default();
            if line.trim().is_empty() || indent(line) >= own {
                continue;
            }
            let begins = |start: &String| line.trim_start().starts_with(start.as_str());
            if block.starts.iter().any(begins) {
                let heading = (number..usage.symbol.line).filter_map(|line| text.line(line));
                let heading: Vec<&str> = heading.map(str::trim).collect();
                let heading = heading.join(" ");
                let heading = heading.split('{').next().unwrap_or_default();
                return heading.contains(&block.holds);
            }
            if line.trim_start().starts_with('}') {
                return false;
            }
        }
        false
    }

    /// Whether the type around a definition inherits from something.
    fn inherits(&self, usage: &Usage<'s>) -> Result<bool, EngineError> {
        let facts = self.lookup.graph.facts(usage.file)?;
        let line = usage.symbol.line;
        let around = facts
            .symbols()
            .filter(|symbol| symbol.kind.is_type() && symbol.lines.contains(line))
            .filter(|symbol| symbol.line != line)
            .min_by_key(|symbol| symbol.lines.count());
        let Some(around) = around else {
            return Ok(false);
        };
        let mut inherited = facts.uses().filter(|used| used.role == Role::Inherit);
        let heading = Lines::new(around.lines.start, around.line + 5);
        Ok(inherited.any(|used| heading.contains(used.line)))
    }

    /// Whether the name stands somewhere that is no use that is known: in a
    /// string, a comment, a document or a setting.
    fn is_mentioned(&self, usage: &Usage<'s>) -> Result<bool, EngineError> {
        let name = usage.symbol.name;
        for file in self.lookup.graph.mentioning(name)? {
            let text = self.lookup.text(file);
            let facts = self.lookup.graph.facts(file)?;
            let known: HashSet<u32> = facts
                .uses_of(name)
                .map(|used| used.line)
                .chain(facts.symbols().filter(|s| s.name == name).map(|s| s.line))
                .collect();
            let is_own = |line: u32| {
                let own = usage.symbol.lines;
                file == usage.file && line + ATTRIBUTE_LINES >= own.start && line <= own.end
            };
            let mut lines = (1..).zip(text.text().lines());
            let is_mention = |(line, row): (u32, &str)| {
                !known.contains(&line) && !is_own(line) && names::holds_word(row, name)
            };
            if lines.any(is_mention) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn to_unused(
        &self,
        usage: &Usage<'s>,
        confidence: f32,
        reason: &'static str,
    ) -> UnusedDefinition {
        let definition = Definition {
            file: usage.file,
            symbol: usage.symbol,
        };
        UnusedDefinition {
            definition: self.lookup.defined_as(&definition, Fit::Exact),
            confidence,
            reason,
        }
    }
}

fn is_hidden(visibility: Visibility) -> bool {
    matches!(visibility, Visibility::Private | Visibility::Internal)
}

/// Whether something belongs to tests that stand beside what they test.
fn is_in_tests(qualified: &str) -> bool {
    names::parts(qualified).any(|part| matches!(part, "tests" | "test"))
}

/// The name of an attribute, decorator or annotation that a line begins with.
fn attribute(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line
        .strip_prefix("#[")
        .or_else(|| line.strip_prefix('@'))
        .or_else(|| line.strip_prefix('['))?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty())
}
