//! Turns `languages/<name>/` into one static table, so that a program that
//! starts reads no files and parses no TOML.

mod fingerprint;
mod inherit;

use fingerprint::Fnv;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    name: String,
    class: String,
    aliases: Vec<String>,
    extensions: Vec<String>,
    #[serde(default)]
    file_names: Vec<String>,
    #[serde(default)]
    file_stems: Vec<String>,
    #[serde(default)]
    shebangs: Vec<String>,
    #[serde(default = "dot")]
    separator: String,
    #[serde(default)]
    content_line_starts: Vec<String>,
    block_lines: Option<u32>,
    #[serde(default)]
    clauses: bool,
    #[serde(default)]
    structure: bool,
    #[serde(default)]
    bare_calls: bool,
    #[serde(default)]
    functions: Vec<String>,
    #[serde(default)]
    sharing_functions: Vec<String>,
    #[serde(default)]
    arity: AritySpec,
    #[serde(default)]
    blocks: Vec<BlockSpec>,
    #[serde(default)]
    hidden: Vec<String>,
    #[serde(default)]
    scanner_state: Vec<StateListSpec>,
    #[serde(default)]
    visibility: VisibilitySpec,
    imports: Option<ImportsSpec>,
}

/// See `ImportRules` in `types`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportsSpec {
    style: String,
    family: Option<String>,
    #[serde(default = "dot")]
    separator: String,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    roots: Vec<String>,
    #[serde(default)]
    standard: Vec<String>,
    index: Option<String>,
    #[serde(default)]
    every_family: bool,
    #[serde(default)]
    explicit_names: bool,
    #[serde(default = "yes")]
    known_modules: bool,
    #[serde(default)]
    shared_folder: bool,
    #[serde(default = "yes")]
    reexports: bool,
    #[serde(default)]
    all_names: bool,
    #[serde(default)]
    bare_members: bool,
    #[serde(default)]
    implicit_interfaces: bool,
    #[serde(default)]
    methods_are_called: bool,
    #[serde(default)]
    methods_are_mostly_called: bool,
    #[serde(default)]
    open_types: bool,
    #[serde(default)]
    wrappers: Vec<String>,
}

/// See `ArityRules` in `src/language.rs`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AritySpec {
    arguments: String,
    defaults: Vec<String>,
    hidden_defaults: Vec<String>,
    rest: Vec<String>,
    own: Vec<String>,
    none: Vec<String>,
    many_results: bool,
    trailing: bool,
}

/// See `Block` in `src/language.rs`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockSpec {
    kind: String,
    starts: Vec<String>,
    #[serde(default)]
    end: String,
}

/// See `StateList` in `src/language.rs`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StateListSpec {
    item: usize,
    #[serde(default)]
    word: bool,
}

/// See `VisibilityRules` in `src/language.rs`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct VisibilitySpec {
    words: BTreeMap<String, String>,
    anywhere: bool,
    names: Vec<(String, String)>,
    capital: Option<String>,
    sections: BTreeMap<String, String>,
    inside: BTreeMap<String, String>,
    member: Option<String>,
    default: Option<String>,
}

fn dot() -> String {
    ".".into()
}

fn yes() -> bool {
    true
}

fn main() {
    let crate_folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let root = crate_folder.join("languages");
    println!("cargo::rerun-if-changed=languages");
    println!("cargo::rerun-if-changed=inherit.rs");
    println!("cargo::rerun-if-changed=fingerprint.rs");
    let mut names: Vec<String> = fs::read_dir(&root)
        .expect("languages/ exists")
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        // What only lends its queries to others is no language.
        .filter(|name| !name.starts_with('_'))
        .collect();
    names.sort();

    let mut table = String::from("&[\n");
    let mut hash = Fnv::new();
    hash_sources(&mut hash, &crate_folder);
    hash_parsers(&mut hash, &crate_folder);
    for name in &names {
        let spec = fs::read(root.join(name).join("language.toml")).unwrap_or_default();
        hash.add(&spec);
        let queries = ["units.scm", "refs.scm"].map(|file| inherit::whole_query(&root, name, file));
        for query in &queries {
            hash.add(query.as_bytes());
        }
        write_entry(&mut table, name, &read_spec(&root, name), &queries);
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    fs::write(out.join("languages.rs"), table).unwrap();
    fs::write(out.join("data_hash.rs"), hash.finish().to_string()).unwrap();
}

/// What units a text has depends on this crate's own code.
fn hash_sources(hash: &mut Fnv, crate_folder: &Path) {
    println!("cargo::rerun-if-changed=src");
    let mut folders = vec![crate_folder.join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    for file in files {
        hash.add(&fs::read(file).unwrap());
    }
}

/// It also depends on which parsers there are, and on their versions.
fn hash_parsers(hash: &mut Fnv, crate_folder: &Path) {
    let rare = env::var_os("CARGO_FEATURE_RARE").is_some();
    hash.add(&[u8::from(rare)]);
    let lock = crate_folder.join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(lock).expect("Cargo.lock lies in the workspace");
    for parser in fingerprint::parsers(&lock) {
        hash.add(parser.as_bytes());
    }
}

fn read_spec(root: &Path, name: &str) -> Spec {
    let path = root.join(name).join("language.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn write_entry(table: &mut String, id: &str, spec: &Spec, [units, refs]: &[String; 2]) {
    let class = match spec.class.as_str() {
        "code" => "Code",
        "docs" => "Docs",
        "config" => "Config",
        other => panic!("{id}: class {other}: code, docs or config"),
    };
    writeln!(
        table,
        "Language {{ id: {id:?}, name: {:?}, class: FileClass::{class}, aliases: &{:?}, \
         extensions: &{:?}, file_names: &{:?}, file_stems: &{:?}, shebangs: &{:?}, separator: {:?}, \
         content_line_starts: &{:?}, block_lines: {:?}, clauses: {:?}, structure: {:?}, bare_calls: {:?}, functions: &{:?}, \
         sharing_functions: &{:?}, arity: {}, blocks: {}, hidden: &{:?}, scanner_state: {}, \
         visibility: {}, imports: {}, \
         units_query: {units:?}, refs_query: {refs:?} }},",
        spec.name,
        spec.aliases,
        spec.extensions,
        spec.file_names,
        spec.file_stems,
        spec.shebangs,
        spec.separator,
        spec.content_line_starts,
        spec.block_lines,
        spec.clauses,
        spec.structure,
        spec.bare_calls,
        spec.functions,
        spec.sharing_functions,
        arity(&spec.arity),
        blocks(&spec.blocks),
        spec.hidden,
        scanner_state(&spec.scanner_state),
        visibility(id, &spec.visibility),
        imports(id, spec.imports.as_ref()),
    )
    .unwrap();
}

/// An expression for how functions take arguments.
fn arity(spec: &AritySpec) -> String {
    format!(
        "ArityRules {{ arguments: {:?}, defaults: &{:?}, \
         hidden_defaults: &{:?}, rest: &{:?}, own: &{:?}, none: &{:?}, \
         many_results: {}, trailing: {} }}",
        spec.arguments,
        spec.defaults,
        spec.hidden_defaults,
        spec.rest,
        spec.own,
        spec.none,
        spec.many_results,
        spec.trailing,
    )
}

/// An expression for definitions beyond the grammar.
fn blocks(blocks: &[BlockSpec]) -> String {
    let mut list = String::new();
    for BlockSpec { kind, starts, end } in blocks {
        write!(
            list,
            "Block {{ kind: {kind:?}, starts: &{starts:?}, end: {end:?} }}, "
        )
        .unwrap();
    }
    format!("&[{list}]")
}

/// An expression for what a scanner's states are made of.
fn scanner_state(lists: &[StateListSpec]) -> String {
    let list =
        |list: &StateListSpec| format!("StateList {{ item: {}, word: {} }}", list.item, list.word);
    format!(
        "&[{}]",
        lists.iter().map(list).collect::<Vec<_>>().join(", ")
    )
}

/// An expression for the rules of imports.
fn imports(id: &str, spec: Option<&ImportsSpec>) -> String {
    let Some(spec) = spec else {
        return format!("ImportRules {{ family: {id:?}, ..ImportRules::UNKNOWN }}");
    };
    format!(
        "ImportRules {{ style: ImportStyle::{}, family: {:?}, separator: {:?}, \
         extensions: &{:?}, roots: &{:?}, standard: &{:?}, index: {:?}, \
         every_family: {}, explicit_names: {}, known_modules: {}, \
         shared_folder: {}, reexports: {}, all_names: {}, bare_members: {}, \
         implicit_interfaces: {}, methods_are_called: {}, methods_are_mostly_called: {}, open_types: {}, wrappers: &{:?} }}",
        import_style(id, &spec.style),
        spec.family.as_deref().unwrap_or(id),
        spec.separator,
        spec.extensions,
        spec.roots,
        spec.standard,
        spec.index,
        spec.every_family,
        spec.explicit_names,
        spec.known_modules,
        spec.shared_folder,
        spec.reexports,
        spec.all_names,
        spec.bare_members,
        spec.implicit_interfaces,
        spec.methods_are_called,
        spec.methods_are_mostly_called,
        spec.open_types,
        spec.wrappers,
    )
}

fn import_style(id: &str, name: &str) -> &'static str {
    match name {
        "names" => "Names",
        "python" => "Python",
        "node" => "Node",
        "go" => "Go",
        "rust" => "Rust",
        "package" => "Package",
        "include" => "Include",
        "ruby" => "Ruby",
        "php" => "Php",
        "suffix" => "Suffix",
        "relative" => "Relative",
        "shell" => "Shell",
        "elixir" => "Elixir",
        "folder" => "Folder",
        "namespace" => "Namespace",
        "ocaml" => "OCaml",
        "place" => "Place",
        other => panic!("{id}: imports of style {other}: see ImportStyle in crates/types"),
    }
}

/// An expression for the rules of visibility.
fn visibility(id: &str, spec: &VisibilitySpec) -> String {
    let one = |word: &str| match word {
        "public" => "Some(Visibility::Public)",
        "protected" => "Some(Visibility::Protected)",
        "internal" => "Some(Visibility::Internal)",
        "private" => "Some(Visibility::Private)",
        "unknown" => "None",
        other => {
            panic!("{id}: visibility {other}: public, protected, internal, private or unknown")
        }
    };
    let rule = |(key, word): (&String, &String)| format!("({key:?}, {})", one(word));
    let rules = |rules: Vec<String>| format!("&[{}]", rules.join(", "));
    let map = |map: &BTreeMap<String, String>| rules(map.iter().map(rule).collect());
    let maybe = |word: &Option<String>| one(word.as_deref().unwrap_or("unknown"));
    format!(
        "VisibilityRules {{ words: {}, anywhere: {:?}, names: {}, capital: {}, sections: {}, inside: {}, \
         member: {}, default: {} }}",
        map(&spec.words),
        spec.anywhere,
        rules(
            spec.names
                .iter()
                .map(|(pattern, word)| rule((pattern, word)))
                .collect()
        ),
        maybe(&spec.capital),
        map(&spec.sections),
        map(&spec.inside),
        maybe(&spec.member),
        maybe(&spec.default),
    )
}
