//! What is known of code beyond its grammar: `data/code.toml`.

use serde::Deserialize;
use std::sync::OnceLock;

/// The lists of `data/code.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeRules {
    /// Members that run when one of a type is made, beside those that have its
    /// name.
    pub constructors: Vec<String>,
    /// How lines begin that hold nothing but a comment.
    pub comment_marks: Vec<String>,
}

/// The lists, read once.
pub fn code_rules() -> &'static CodeRules {
    static RULES: OnceLock<CodeRules> = OnceLock::new();
    let read = || toml::from_str(include_str!("../data/code.toml")).expect("checked");
    RULES.get_or_init(read)
}
