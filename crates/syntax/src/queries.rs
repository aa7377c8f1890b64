//! The queries of a language, compiled, with what each capture means.

use crate::grammars::grammar;
use crate::language::{Language, languages};
use crate::query::Query;
use regex::Regex;
use scent_types::{Kind, Role, ToldBy, Typed};
use std::sync::OnceLock;
use tree_sitter::Language as Grammar;

/// A query that the grammar does not accept.
#[derive(Debug)]
pub struct QueryError(pub String);

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for QueryError {}

/// What a capture of the units query stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Capture {
    /// A definition of this kind, and what becomes of it (`@unit.function`,
    /// `@member.field`).
    Define(Standing, Kind),
    /// It lends its name to what is inside and is no unit itself (`@scope`).
    Scope,
    /// The name, or one of its parts (`@name`).
    Name,
    /// Where the signature begins, if not with the definition (`@head`).
    Head,
    /// Where the signature ends (`@body`).
    Body,
    /// Documentation inside the definition (`@doc`).
    Doc,
    /// Documentation before a definition (`@comment`).
    Comment,
    /// Attributes and decorators before a definition (`@attribute`).
    Attribute,
    /// Text in another language (`@inject`), named by `#set! language`
    /// or by `@inject.language`.
    Inject,
    /// The word that names the language of the injected text.
    InjectLanguage,
    /// Only for predicates (a name that begins with `_`).
    Ignored,
}

/// What becomes of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// It is a unit and a symbol (`@unit.function`), or a scope.
    Unit,
    /// It is a unit that goes by a title, which nothing refers to
    /// (`@test.function`).
    Test,
    /// It is a symbol of what encloses it (`@member.field`).
    Member,
    /// It is a symbol beside the unit that encloses it (`@beside.variant`).
    Beside,
    /// It is a symbol of the type around it, where it is assigned first
    /// (`@assigned.field`).
    Assigned,
}

impl Standing {
    fn named(word: &str) -> Option<Standing> {
        Some(match word {
            "unit" => Standing::Unit,
            "test" => Standing::Test,
            "member" => Standing::Member,
            "beside" => Standing::Beside,
            "assigned" => Standing::Assigned,
            _ => return None,
        })
    }

    /// Whether it is a symbol without being a unit.
    pub fn is_member(self) -> bool {
        !matches!(self, Standing::Unit | Standing::Test)
    }
}

/// What a capture of the references query stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Use {
    /// A name that is used so (`@call`).
    As(Role),
    /// Where what is imported comes from (`@module`); several are parts of one
    /// path.
    Module,
    /// What an import is called here (`@alias`).
    Alias,
    /// A name whose type the match tells (`@var`, `@field`, `@fn`, `@sub`).
    Named(Typed),
    /// What tells it (`@is`, `@from`, `@each`).
    Told(ToldBy),
    /// A type without a name (`@own`): its fields are those of the type around it.
    Own,
    /// A name that is no use (`@skip`): that of a signature apart
    /// from its definition.
    Skipped,
    /// Only for predicates (a name that begins with `_`).
    Ignored,
}

/// The two queries of a language for its grammar.
#[derive(Debug)]
pub struct Queries {
    pub(crate) grammar: Grammar,
    /// What its parser is not given to read.
    pub(crate) hidden: Vec<Regex>,
    pub(crate) units: Query,
    pub(crate) captures: Vec<Capture>,
    pub(crate) refs: Query,
    pub(crate) uses: Vec<Use>,
    /// Whether a node of each kind, by its number, is a name.
    pub(crate) names: Vec<bool>,
    /// Whether it has to do with methods.
    pub(crate) methods: Vec<bool>,
    /// Kinds of nodes that hold the arguments of a call.
    pub(crate) arguments: Vec<u16>,
    /// Kinds of nodes with variables of their own, and whether an assignment to
    /// a variable of what is around one gives nothing a name.
    pub(crate) functions: Vec<(u16, bool)>,
}

impl Queries {
    /// Compiles a language's own queries. They are tested, so a failure is a
    /// defect of this build.
    pub(crate) fn built_in(grammar: Grammar, language: &Language) -> Queries {
        let queries = [language.units_query, language.refs_query];
        let made = Queries::new(grammar, queries, language.hidden);
        let mut made = made.unwrap_or_else(|e| panic!("languages/{}: {e}", language.id));
        if !language.arity.arguments.is_empty() {
            made.arguments = numbers_of(&made.grammar, language.arity.arguments);
            assert!(
                !made.arguments.is_empty(),
                "languages/{}: [arity]",
                language.id
            );
        }
        for (kinds, shares) in [
            (language.functions, false),
            (language.sharing_functions, true),
        ] {
            for kind in kinds {
                let of = numbers_of(&made.grammar, kind);
                assert!(
                    !of.is_empty(),
                    "languages/{}: no node is a {kind}",
                    language.id
                );
                made.functions
                    .extend(of.into_iter().map(|number| (number, shares)));
            }
        }
        made
    }

    pub(crate) fn new(
        grammar: Grammar,
        [units, refs]: [&str; 2],
        hidden: &[&str],
    ) -> Result<Queries, QueryError> {
        let units = compile(&grammar, units, "units.scm")?;
        let refs = compile(&grammar, refs, "refs.scm")?;
        let captures = meanings(&units, "units.scm", capture)?;
        let uses = meanings(&refs, "refs.scm", use_of)?;
        let kinds = 0..grammar.node_kind_count() as u16;
        let names = kinds.clone().map(|kind| is_name(&grammar, kind)).collect();
        let is_method = |kind| {
            grammar
                .node_kind_for_id(kind)
                .is_some_and(|k| k.contains("method"))
        };
        let methods = kinds.map(is_method).collect();
        let hidden: Result<Vec<Regex>, _> = hidden.iter().map(|text| Regex::new(text)).collect();
        Ok(Queries {
            grammar,
            hidden: hidden.map_err(|e| QueryError(format!("language.toml: {e}")))?,
            units,
            captures,
            refs,
            uses,
            names,
            methods,
            arguments: Vec::new(),
            functions: Vec::new(),
        })
    }
}

impl Language {
    /// How its files are read: by their grammar, by their structure, or by
    /// paragraphs where this build cannot parse them.
    pub fn parsed_by(&'static self) -> &'static str {
        match (self.queries().is_some(), self.structure) {
            (false, _) => "paragraphs",
            (true, true) => "structure",
            (true, false) => "grammar",
        }
    }

    /// What is known of a text in this language.
    pub fn features(&'static self) -> Vec<&'static str> {
        if self.queries().is_none() {
            return vec!["units"];
        }
        let injects = self.units_query.contains("@inject");
        let defines = |kind: &Kind| {
            let capture = format!("@unit.{kind}");
            kind.is_symbol() && self.units_query.contains(&capture)
        };
        let refers = |capture: &&str| self.refs_query.contains(*capture);
        let has_symbols = injects || Kind::ALL.iter().any(defines);
        let has_references = injects || ["@call", "@type", "@use"].iter().any(refers);
        let has_imports = injects || refers(&"@import");
        let known = [
            ("units", true),
            ("symbols", has_symbols),
            ("references", has_references),
            ("imports", has_imports),
        ];
        let known = known.into_iter().filter(|(_, is_known)| *is_known);
        known.map(|(feature, _)| feature).collect()
    }

    /// The compiled queries; none where this build has no grammar.
    pub fn queries(&'static self) -> Option<&'static Queries> {
        static COMPILED: OnceLock<Vec<OnceLock<Option<Queries>>>> = OnceLock::new();
        let slots = COMPILED.get_or_init(|| languages().iter().map(|_| OnceLock::new()).collect());
        let at = languages().iter().position(|other| other.id == self.id)?;
        let compiled = slots[at].get_or_init(|| {
            let grammar = grammar(self.id)?;
            Some(Queries::built_in(grammar, self))
        });
        compiled.as_ref()
    }

    /// Compiles other queries for this language.
    pub fn try_queries(
        &'static self,
        units: &str,
        refs: &str,
    ) -> Option<Result<Queries, QueryError>> {
        let grammar = grammar(self.id)?;
        Some(Queries::new(grammar, [units, refs], self.hidden))
    }
}

/// The numbers of a kind of nodes, which may have several.
fn numbers_of(grammar: &Grammar, kind: &str) -> Vec<u16> {
    let numbers = 0..grammar.node_kind_count() as u16;
    let is_of = |number: &u16| {
        grammar.node_kind_is_named(*number) && grammar.node_kind_for_id(*number) == Some(kind)
    };
    numbers.filter(is_of).collect()
}

/// Whether nodes of a kind are names.
fn is_name(grammar: &Grammar, kind: u16) -> bool {
    const OTHERS: [&str; 8] = [
        "constant",
        "name",
        "alias",
        "variable",
        "constructor",
        "variable_name",
        "atom",
        "word",
    ];
    let name = grammar.node_kind_for_id(kind).unwrap_or_default();
    grammar.node_kind_is_named(kind) && (name.ends_with("identifier") || OTHERS.contains(&name))
}

fn compile(grammar: &Grammar, text: &str, file: &str) -> Result<Query, QueryError> {
    Query::new(grammar, text).map_err(|e| QueryError(format!("{file}: {e}")))
}

fn meanings<T>(
    query: &Query,
    file: &str,
    meaning: fn(&str) -> Option<T>,
) -> Result<Vec<T>, QueryError> {
    let unknown = |name: &str| QueryError(format!("{file}: @{name} has no meaning here"));
    query
        .capture_names()
        .iter()
        .map(|name| meaning(name).ok_or_else(|| unknown(name)))
        .collect()
}

fn capture(name: &str) -> Option<Capture> {
    if let Some((standing, kind)) = name.split_once('.')
        && let Some(standing) = Standing::named(standing)
    {
        return kind
            .parse()
            .ok()
            .map(|kind| Capture::Define(standing, kind));
    }
    Some(match name {
        "scope" => Capture::Scope,
        "name" => Capture::Name,
        "head" => Capture::Head,
        "body" => Capture::Body,
        "doc" => Capture::Doc,
        "comment" => Capture::Comment,
        "attribute" => Capture::Attribute,
        "inject" => Capture::Inject,
        "inject.language" => Capture::InjectLanguage,
        _ if name.starts_with('_') => Capture::Ignored,
        _ => return None,
    })
}

fn use_of(name: &str) -> Option<Use> {
    let role = Role::ALL.into_iter().find(|role| role.as_str() == name);
    match (role, name) {
        (Some(role), _) => Some(Use::As(role)),
        (None, "module") => Some(Use::Module),
        (None, "alias") => Some(Use::Alias),
        (None, "var") => Some(Use::Named(Typed::Variable)),
        (None, "field") => Some(Use::Named(Typed::Field)),
        (None, "fn") => Some(Use::Named(Typed::Return)),
        (None, "sub") => Some(Use::Named(Typed::Super)),
        (None, "is") => Some(Use::Told(ToldBy::Type)),
        (None, "from") => Some(Use::Told(ToldBy::Value)),
        (None, "each") => Some(Use::Told(ToldBy::Element)),
        (None, "own") => Some(Use::Own),
        (None, "skip") => Some(Use::Skipped),
        (None, _) => name.starts_with('_').then_some(Use::Ignored),
    }
}

#[cfg(test)]
mod tests {
    use crate::language::find;

    #[test]
    fn features_follow_from_the_queries() {
        let cases = [
            ("rust", &["units", "symbols", "references", "imports"][..]),
            ("notebook", &["units", "symbols", "references", "imports"]),
            ("json", &["units"]),
            ("xml", &["units", "imports"]),
        ];
        for (id, expected) in cases {
            assert_eq!(find(id).unwrap().features(), expected, "{id}");
        }
        for (id, expected) in [
            ("lua", "grammar"),
            ("teal", "structure"),
            ("vue", "structure"),
        ] {
            assert_eq!(find(id).unwrap().parsed_by(), expected, "{id}");
        }
    }
}
