//! Patterns, with the names of nodes and fields resolved for one grammar.

use super::parser::{Form, parse};
use regex::bytes::{Regex, RegexBuilder};
use std::sync::OnceLock;
use tree_sitter::Language;

/// The kind that every error node has.
const ERROR: u16 = u16::MAX;

/// A set of patterns.
#[derive(Debug)]
pub(crate) struct Query {
    pub(super) patterns: Vec<Pattern>,
    names: Vec<String>,
    /// Patterns by the kind of the node they begin with.
    by_kind: Vec<Vec<u16>>,
    /// Patterns that may begin with a node of any kind.
    anywhere: Vec<u16>,
}

/// One pattern: neighbouring nodes, mostly just one, and what must hold.
#[derive(Debug)]
pub(super) struct Pattern {
    pub steps: Vec<Step>,
    pub predicates: Vec<Predicate>,
    settings: Vec<(String, String)>,
}

/// One node, or a choice of nodes, among its siblings.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// No other named node may stand before it.
    pub anchored: bool,
    /// It may be missing.
    pub optional: bool,
    /// Any of these, at one node.
    pub tests: Vec<Test>,
    /// Or, where there are no tests, all of these at neighbouring nodes.
    pub group: Vec<Step>,
}

/// What a node must be.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub kind: KindTest,
    pub field: Option<u16>,
    /// Fields it must not have.
    pub absent: Vec<u16>,
    pub children: Vec<Step>,
    /// No other named node may stand after the last of `children`.
    pub closed: bool,
    pub captures: Vec<u16>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum KindTest {
    /// `_`
    Anything,
    /// `(_)`
    AnyNamed,
    /// One of these kinds; several where the name is that of a group.
    Kinds(Vec<u16>),
}

/// What must hold for the text of captures.
#[derive(Debug)]
pub(super) struct Predicate {
    pub capture: u16,
    pub negated: bool,
    pub check: Check,
}

#[derive(Debug)]
pub(super) enum Check {
    OneOf(Vec<String>),
    SameAs(u16),
    Matches(LazyRegex),
}

/// An expression that is compiled when first needed.
#[derive(Debug)]
pub(super) struct LazyRegex {
    source: String,
    compiled: OnceLock<Regex>,
}

impl LazyRegex {
    /// Checked now, compiled later.
    fn new(source: &str) -> Result<LazyRegex, String> {
        let mut parser = regex_syntax::ast::parse::Parser::new();
        parser.parse(source).map_err(|error| error.to_string())?;
        Ok(LazyRegex {
            source: source.to_owned(),
            compiled: OnceLock::new(),
        })
    }

    pub fn is_match(&self, text: &[u8]) -> bool {
        let compile = || self.compile().expect("checked when parsed");
        self.compiled.get_or_init(compile).is_match(text)
    }

    /// Names in code are matched by their bytes: the tables for all letters of
    /// Unicode would take longer to build than most files take to parse.
    fn compile(&self) -> Result<Regex, regex::Error> {
        RegexBuilder::new(&self.source).unicode(false).build()
    }
}

impl Query {
    /// Reads a query for a grammar.
    pub fn new(grammar: &Language, text: &str) -> Result<Query, String> {
        let mut compiler = Compiler {
            grammar,
            names: Vec::new(),
        };
        let patterns = compiler.patterns(&parse(text)?)?;
        let mut by_kind = vec![Vec::new(); grammar.node_kind_count()];
        let mut anywhere = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            for kind in pattern.first_kinds() {
                match kind.and_then(|kind| by_kind.get_mut(kind as usize)) {
                    Some(slot) => slot.push(number as u16),
                    None => anywhere.push(number as u16),
                }
            }
        }
        for slot in by_kind.iter_mut().chain([&mut anywhere]) {
            slot.dedup();
        }
        Ok(Query {
            patterns,
            names: compiler.names,
            by_kind,
            anywhere,
        })
    }

    /// The numbers of the patterns that may begin with a node of a kind.
    pub(super) fn starting_with(&self, kind: u16) -> impl Iterator<Item = usize> {
        let own = self.by_kind.get(kind as usize).into_iter().flatten();
        let numbers = own.chain(&self.anywhere);
        numbers.map(|number| *number as usize)
    }

    /// The names of the captures, by number.
    pub fn capture_names(&self) -> &[String] {
        &self.names
    }

    /// What `#set!` says in a pattern.
    pub fn setting(&self, pattern: usize, key: &str) -> Option<&str> {
        let settings = &self.patterns[pattern].settings;
        settings
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value.as_str())
    }
}

impl Pattern {
    /// The kinds that its first node may have; none stands for all.
    fn first_kinds(&self) -> Vec<Option<u16>> {
        let kinds = |test: &Test| match &test.kind {
            KindTest::Kinds(kinds) if !kinds.contains(&ERROR) => {
                kinds.iter().copied().map(Some).collect()
            }
            _ => vec![None],
        };
        self.steps[0].tests.iter().flat_map(kinds).collect()
    }
}

struct Compiler<'g> {
    grammar: &'g Language,
    names: Vec<String>,
}

impl Compiler<'_> {
    fn patterns(&mut self, forms: &[Form]) -> Result<Vec<Pattern>, String> {
        let mut patterns = Vec::new();
        let mut rest = forms;
        while !rest.is_empty() {
            // A form and the marks after it.
            let marks = rest[1..]
                .iter()
                .take_while(|f| matches!(f, Form::Capture(_) | Form::Quantifier(_)));
            let end = 1 + marks.count();
            let (own, later) = rest.split_at(end);
            patterns.push(self.pattern(own)?);
            rest = later;
        }
        Ok(patterns)
    }

    fn pattern(&mut self, forms: &[Form]) -> Result<Pattern, String> {
        let mut extra = Extra::default();
        let (steps, _) = match forms {
            [Form::List(inner)] if is_group(inner) => self.steps(inner, &mut extra)?,
            forms => self.steps(forms, &mut extra)?,
        };
        if steps.is_empty() {
            return Err("a pattern holds no node".into());
        }
        Ok(Pattern {
            steps,
            predicates: extra.predicates,
            settings: extra.settings,
        })
    }

    /// Steps among siblings, and whether an anchor ends them.
    fn steps(&mut self, forms: &[Form], extra: &mut Extra) -> Result<(Vec<Step>, bool), String> {
        let mut steps: Vec<Step> = Vec::new();
        let mut anchored = false;
        let mut field = None;
        for form in forms {
            match form {
                Form::Anchor => anchored = true,
                Form::Field(name) => field = Some(self.field(name)?),
                Form::Quantifier('?') => {
                    let last = steps.last_mut().ok_or("a quantifier follows nothing")?;
                    last.optional = true;
                }
                Form::Quantifier(mark) => {
                    return Err(format!("{mark} is not supported; ? is"));
                }
                Form::Capture(name) => {
                    let last = steps.last_mut().ok_or("a capture follows nothing")?;
                    self.add_capture(name, &mut last.tests);
                }
                Form::List(inner) if is_predicate(inner) => self.predicate(inner, extra)?,
                Form::List(inner) if is_group(inner) => {
                    let (group, _) = self.steps(inner, extra)?;
                    steps.push(Step::of_group(anchored, group));
                    anchored = false;
                }
                form => {
                    let mut tests = self.tests(form, extra)?;
                    add_field(field, &mut tests);
                    steps.push(Step::of_tests(anchored, tests));
                    (anchored, field) = (false, None);
                }
            }
        }
        Ok((steps, anchored))
    }

    fn add_capture(&mut self, name: &str, tests: &mut [Test]) {
        let capture = self.capture(name);
        for test in tests {
            test.captures.push(capture);
        }
    }

    fn tests(&mut self, form: &Form, extra: &mut Extra) -> Result<Vec<Test>, String> {
        match form {
            Form::OneOf(forms) => {
                let (steps, _) = self.steps(forms, extra)?;
                Ok(steps.into_iter().flat_map(|step| step.tests).collect())
            }
            Form::Text(text) => Ok(vec![Test::new(KindTest::Kinds(vec![
                self.kind(text, false)?,
            ]))]),
            Form::Word(word) if word == "_" => Ok(vec![Test::new(KindTest::Anything)]),
            Form::List(inner) => Ok(vec![self.node(inner, extra)?]),
            other => Err(format!("{other:?} stands where a node should")),
        }
    }

    fn node(&mut self, forms: &[Form], extra: &mut Extra) -> Result<Test, String> {
        let Some((Form::Word(name), forms)) = forms.split_first() else {
            return Err("a group of siblings has no place in a choice".into());
        };
        let kind = match name.as_str() {
            "_" => KindTest::AnyNamed,
            "ERROR" => KindTest::Kinds(vec![ERROR]),
            name => KindTest::Kinds(self.kinds(name)?),
        };
        let mut absent = Vec::new();
        let mut rest = Vec::new();
        for form in forms {
            match form {
                Form::Word(word) if word.starts_with('!') => absent.push(self.field(&word[1..])?),
                form => rest.push(form.clone()),
            }
        }
        let (children, closed) = self.steps(&rest, extra)?;
        Ok(Test {
            absent,
            children,
            closed,
            ..Test::new(kind)
        })
    }

    fn kinds(&self, name: &str) -> Result<Vec<u16>, String> {
        let kind = self.kind(name, true)?;
        if self.grammar.node_kind_is_supertype(kind) {
            return Ok(self.members(kind));
        }
        Ok(vec![kind])
    }

    /// All kinds in a group of kinds, and in the groups in it.
    fn members(&self, group: u16) -> Vec<u16> {
        let mut members = Vec::new();
        let mut open = vec![group];
        let mut seen = vec![group];
        while let Some(group) = open.pop() {
            for &kind in self.grammar.subtypes_for_supertype(group) {
                if seen.contains(&kind) {
                    continue;
                }
                seen.push(kind);
                if self.grammar.node_kind_is_supertype(kind) {
                    open.push(kind);
                } else {
                    members.push(kind);
                }
            }
        }
        members
    }

    fn kind(&self, name: &str, named: bool) -> Result<u16, String> {
        match self.grammar.id_for_node_kind(name, named) {
            0 => Err(format!("there is no node {name:?}")),
            kind => Ok(kind),
        }
    }

    fn field(&self, name: &str) -> Result<u16, String> {
        let id = self.grammar.field_id_for_name(name);
        id.map(|id| id.get())
            .ok_or_else(|| format!("there is no field {name:?}"))
    }

    fn capture(&mut self, name: &str) -> u16 {
        let known = self.names.iter().position(|known| known == name);
        if let Some(at) = known {
            return at as u16;
        }
        self.names.push(name.to_owned());
        (self.names.len() - 1) as u16
    }

    /// `(#name …)`: a condition, or a setting.
    fn predicate(&mut self, forms: &[Form], extra: &mut Extra) -> Result<(), String> {
        let [Form::Word(name), arguments @ ..] = forms else {
            return Ok(());
        };
        let name = name.trim_start_matches('#');
        match (name, arguments) {
            ("set" | "set!", [key, value]) => extra.settings.push((text(key)?, text(value)?)),
            ("set" | "set!", _) => return Err("#set! wants a key and a value".into()),
            (name, [Form::Capture(capture), wanted @ ..]) => {
                let plain = name.strip_prefix("not-");
                let predicate = Predicate {
                    capture: self.capture(capture),
                    negated: plain.is_some(),
                    check: self.check(plain.unwrap_or(name), wanted)?,
                };
                extra.predicates.push(predicate);
            }
            (name, _) => return Err(format!("#{name} wants a capture")),
        }
        Ok(())
    }

    fn check(&mut self, name: &str, wanted: &[Form]) -> Result<Check, String> {
        match (name, wanted) {
            ("eq", [Form::Capture(other)]) => Ok(Check::SameAs(self.capture(other))),
            ("eq" | "any-of", wanted) => {
                let texts: Result<Vec<String>, String> = wanted.iter().map(text).collect();
                Ok(Check::OneOf(texts?))
            }
            ("match", [Form::Text(source)]) => Ok(Check::Matches(LazyRegex::new(source)?)),
            (name, _) => Err(format!("#{name} has no meaning here")),
        }
    }
}

/// The text of a predicate's argument.
fn text(form: &Form) -> Result<String, String> {
    match form {
        Form::Text(text) | Form::Word(text) => Ok(text.clone()),
        other => Err(format!("{other:?} stands where text should")),
    }
}

impl Test {
    fn new(kind: KindTest) -> Test {
        Test {
            kind,
            field: None,
            absent: Vec::new(),
            children: Vec::new(),
            closed: false,
            captures: Vec::new(),
        }
    }
}

impl Step {
    fn of_tests(anchored: bool, tests: Vec<Test>) -> Step {
        Step {
            anchored,
            optional: false,
            tests,
            group: Vec::new(),
        }
    }

    fn of_group(anchored: bool, group: Vec<Step>) -> Step {
        Step {
            anchored,
            optional: false,
            tests: Vec::new(),
            group,
        }
    }
}

/// A field before a choice is that of each.
fn add_field(field: Option<u16>, tests: &mut [Test]) {
    if field.is_some() {
        for test in tests {
            test.field = field;
        }
    }
}

#[derive(Default)]
struct Extra {
    predicates: Vec<Predicate>,
    settings: Vec<(String, String)>,
}

fn is_predicate(forms: &[Form]) -> bool {
    matches!(forms.first(), Some(Form::Word(word)) if word.starts_with('#'))
}

/// Whether a list is a group of siblings: its first form is itself a list.
fn is_group(forms: &[Form]) -> bool {
    !matches!(forms.first(), Some(Form::Word(_)))
}
