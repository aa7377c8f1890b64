//! Small generated projects in several languages, and their states.
//!
//! A state is a number, and the same number gives the same files. Between two
//! states some files differ, some are gone and some are new, so that going from
//! one to another is an edit of every sort.

use std::collections::BTreeMap;

/// Files that every state may have.
const FILES: usize = 84;
/// So many of them are the same in all states.
const PINNED: usize = 12;
/// How many states there are.
pub(super) const STATES: usize = 10;

const LANGUAGES: usize = 6;

const NOUNS: [&str; 14] = [
    "cache", "socket", "parser", "ledger", "invoice", "session", "matrix", "token", "queue",
    "sensor", "route", "archive", "shader", "voucher",
];

const VERBS: [&str; 12] = [
    "refresh", "encode", "merge", "validate", "schedule", "rotate", "compress", "resolve",
    "measure", "retry", "flush", "lookup",
];

/// Every file of a state by its path.
pub(super) fn files(seed: u64, state: usize) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for nth in 0..FILES {
        let mut random = random_of(seed, state, nth);
        let version = match random.u32(0..100) {
            _ if nth < PINNED => 0,
            0..6 => continue,
            6..20 => state + 1,
            _ => 0,
        };
        let (path, text) = file(nth, version);
        files.insert(path, text);
    }
    for nth in 0..4 {
        let (path, text) = file(FILES + state * LANGUAGES + nth, state);
        files.insert(path, text);
    }
    files
}

fn random_of(seed: u64, state: usize, nth: usize) -> fastrand::Rng {
    fastrand::Rng::with_seed(seed ^ ((state as u64) << 32) ^ ((nth as u64) << 16))
}

/// A name that is defined in every state.
pub(super) fn pinned_name(language: usize) -> String {
    name_of(language)
}

/// A file that is the same in every state.
pub(super) fn pinned_path(language: usize) -> String {
    file(language, 0).0
}

fn noun(nth: usize) -> &'static str {
    NOUNS[nth % NOUNS.len()]
}

fn name_of(nth: usize) -> String {
    format!("open_{}_{nth}", noun(nth))
}

/// Path and text of a file.
fn file(nth: usize, version: usize) -> (String, String) {
    let noun = noun(nth);
    // Another file of the same language.
    let other = (nth + LANGUAGES * (1 + version % 5)) % FILES;
    let mut functions = vec![(name_of(nth), name_of(other))];
    for further in 0..2 + nth % 4 {
        let verb = VERBS[(nth + further * 5 + version * 3) % VERBS.len()];
        functions.push((
            format!("{verb}_{noun}_{nth}_{further}"),
            functions[further].0.clone(),
        ));
    }
    let file = File {
        nth,
        version,
        noun,
        other,
        functions,
    };
    match nth % LANGUAGES {
        0 => (format!("src/{noun}_{nth}.rs"), file.rust()),
        1 => (format!("tools/{noun}_{nth}.py"), file.python()),
        2 => (format!("web/{noun}_{nth}.ts"), file.typescript()),
        3 => (format!("service/{noun}_{nth}.go"), file.go()),
        4 => (format!("native/{noun}_{nth}.c"), file.c()),
        _ => (format!("docs/{noun}_{nth}.md"), file.markdown()),
    }
}

struct File {
    nth: usize,
    version: usize,
    noun: &'static str,
    /// The file that this one uses.
    other: usize,
    /// The name of each function, and what it calls.
    functions: Vec<(String, String)>,
}

impl File {
    /// Some lines for each function.
    fn each(&self, write: impl Fn(&str, &str, usize) -> String) -> String {
        let number = |nth: usize| self.version * 100 + self.nth + nth;
        let functions = self.functions.iter().enumerate();
        functions
            .map(|(nth, (name, callee))| write(name, callee, number(nth)))
            .collect()
    }

    fn rust(&self) -> String {
        let (noun, other) = (self.noun, noun(self.other));
        let head = format!(
            "//! Keeps the {noun}.\n\nuse crate::{other}_{}::{};\n\n",
            self.other,
            name_of(self.other)
        );
        head + &self.each(|name, callee, number| {
            format!(
                "/// Does {number} of the {noun}.\npub fn {name}(input: u32) -> u32 {{\n    \
                 let total = {callee}(input);\n    total + {number}\n}}\n\n"
            )
        })
    }

    fn python(&self) -> String {
        let (noun, other) = (self.noun, noun(self.other));
        let head = format!(
            "from tools.{other}_{} import {}\n\n\n",
            self.other,
            name_of(self.other)
        );
        head + &self.each(|name, callee, number| {
            format!(
                "def {name}(value):\n    \"\"\"Step {number} of the {noun}.\"\"\"\n    \
                 result = {callee}(value)\n    return result + {number}\n\n\n"
            )
        })
    }

    fn typescript(&self) -> String {
        let other = noun(self.other);
        let head = format!(
            "import {{ {} }} from \"./{other}_{}\";\n\n",
            name_of(self.other),
            self.other
        );
        head + &self.each(|name, callee, number| {
            format!(
                "export function {name}(value: number): number {{\n  \
                 const answer = {callee}(value);\n  return answer * {number};\n}}\n\n"
            )
        })
    }

    fn go(&self) -> String {
        "package service\n\n".to_owned()
            + &self.each(|name, callee, number| {
                format!(
                    "// {name} waits {number} times.\nfunc {name}(value int) int {{\n\
                     \treturn {callee}(value) - {number}\n}}\n\n"
                )
            })
    }

    fn c(&self) -> String {
        let head = format!("#include \"{}_{}.h\"\n\n", noun(self.other), self.other);
        head + &self.each(|name, callee, number| {
            format!(
                "/* Turns the {} by {number}. */\nint {name}(int value)\n{{\n    \
                 return {callee}(value) ^ {number};\n}}\n\n",
                self.noun
            )
        })
    }

    fn markdown(&self) -> String {
        let head = format!(
            "# The {} in chapter {}\n\nWhat it is for.\n\n",
            self.noun, self.nth
        );
        head + &self.each(|name, callee, number| {
            format!("## {name}\n\nCall `{callee}` first, then wait {number} seconds.\n\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_differ_in_every_way_and_come_again() {
        for state in 1..STATES {
            let (before, after) = (files(7, state - 1), files(7, state));
            assert_eq!(after, files(7, state));
            assert!(
                before.keys().any(|path| !after.contains_key(path)),
                "nothing is removed"
            );
            assert!(
                after.keys().any(|path| !before.contains_key(path)),
                "nothing is new"
            );
            let changed = |path| after.get(path).is_some_and(|text| *text != before[path]);
            assert!(before.keys().any(changed), "nothing is changed");
            for language in 0..LANGUAGES {
                let text = &after[&pinned_path(language)];
                assert!(text.contains(&pinned_name(language)));
                assert_eq!(*text, before[&pinned_path(language)]);
            }
        }
    }
}
