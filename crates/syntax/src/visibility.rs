//! Who may use a definition, by what the language says (`[visibility]` in
//! `language.toml`).

use crate::definitions::Definition;
use crate::language::{VisibilityRule, VisibilityRules};
use crate::words;
use scent_types::{Kind, Visibility};

impl VisibilityRules {
    /// Who may use a definition inside of another one, in a section that the
    /// type opened.
    pub(crate) fn visibility(
        &self,
        definition: &Definition,
        enclosing: Option<&Definition>,
        section: Option<Visibility>,
    ) -> Option<Visibility> {
        let kind = enclosing.and_then(|enclosing| enclosing.kind);
        if matches!(kind, Some(Kind::Function | Kind::Method)) {
            return None; // Nobody outside can name it.
        }
        let name = words::last_part(&definition.name);
        if let Some(found) = self
            .by_word(&definition.signature, name)
            .or(self.by_name(name))
        {
            return found;
        }
        if name != definition.name {
            return None; // It is declared elsewhere: `void Cart::add() {}`.
        }
        let Some(enclosing) = enclosing.filter(|_| kind.is_some_and(Kind::is_type)) else {
            return self.default;
        };
        let inside = || find(self.inside, enclosing.signature.split_whitespace());
        let own = section.map(Some).or_else(inside).or(self.member.map(Some));
        own.unwrap_or(self.default)
    }

    fn by_word(&self, signature: &str, name: &str) -> Option<Option<Visibility>> {
        let is_before = |word: &&str| self.anywhere || !word.contains(name);
        let before = signature.split_whitespace().take_while(is_before);
        before
            .flat_map(forms_of)
            .find_map(|word| find(self.words, [word].into_iter()))
    }

    fn by_name(&self, name: &str) -> Option<Option<Visibility>> {
        let fits = |pattern: &str| match pattern.split_once('*') {
            Some((start, end)) => {
                name.len() > start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end)
            }
            None => name == pattern,
        };
        let rule = self.names.iter().find(|(pattern, _)| fits(pattern));
        let capital = self
            .capital
            .filter(|_| name.starts_with(char::is_uppercase));
        rule.map(|(_, found)| *found).or(capital.map(Some))
    }

    /// What a line of a type opens for the members after it.
    pub(crate) fn section(&self, line: &str) -> Option<Visibility> {
        let word = line.trim().trim_end_matches(':').trim_end();
        find(self.sections, [word].into_iter()).flatten()
    }
}

/// `pub(crate)` as it is, as `pub(` and as `pub`; `(defn-` as `defn-`.
fn forms_of(word: &str) -> [&str; 3] {
    let word = word.trim_start_matches('(');
    let bracket = word.find(['(', '[']).unwrap_or(word.len());
    [word, &word[..word.len().min(bracket + 1)], &word[..bracket]]
}

fn find<'w>(
    rules: &[VisibilityRule],
    mut words: impl Iterator<Item = &'w str>,
) -> Option<Option<Visibility>> {
    words.find_map(|word| {
        rules
            .iter()
            .find(|(key, _)| *key == word)
            .map(|(_, found)| *found)
    })
}
