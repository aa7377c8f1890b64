//! The languages that are parsed, as interfaces list them.

use scent_types::FileClass;

/// A language.
#[derive(Clone, Debug)]
pub struct LanguageInfo {
    /// The name that filters and JSON use.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What its files are.
    pub class: FileClass,
    /// Other names that filters take.
    pub aliases: &'static [&'static str],
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// Files that are known by their whole name.
    pub file_names: &'static [&'static str],
    /// What is known of its files: `units`, `symbols`, `references`, `imports`;
    /// `paragraphs` where this build cannot parse it.
    pub features: Vec<&'static str>,
}

/// All languages, in order of their ids.
pub fn languages() -> Vec<LanguageInfo> {
    scent_syntax::languages().iter().map(info).collect()
}

/// The language with a name, an alias or an extension.
pub fn find_language(name: &str) -> Option<LanguageInfo> {
    scent_syntax::find(name).map(info)
}

/// The language of a file, by its path and how it begins.
pub fn detect_language(path: &str, start: &[u8]) -> Option<LanguageInfo> {
    scent_syntax::detect(path, start).map(info)
}

fn info(language: &'static scent_syntax::Language) -> LanguageInfo {
    LanguageInfo {
        id: language.id,
        name: language.name,
        class: language.class,
        aliases: language.aliases,
        extensions: language.extensions,
        file_names: language.file_names,
        features: language.features(),
    }
}
