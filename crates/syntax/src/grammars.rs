//! Which parser reads which language: one line each.

use crate::memory::count_allocations;
use crate::scanner::watched;
use tree_sitter::Language;

type Table = &'static [(&'static str, fn() -> Language)];

macro_rules! grammars {
    ($($name:literal => $grammar:expr,)*) => {
        &[$(($name, || watched!($name, $grammar)),)*]
    };
}

/// The parser for a language folder, if this build has one.
pub(crate) fn grammar(language: &str) -> Option<Language> {
    count_allocations();
    let mut lines = COMMON.iter().chain(RARE);
    let (_, load) = lines.find(|(name, _)| *name == language)?;
    Some(load())
}

const COMMON: Table = grammars! {
    "astro" => tree_sitter_astro_next::LANGUAGE,
    "bash" => tree_sitter_bash::LANGUAGE,
    "c" => tree_sitter_c::LANGUAGE,
    "clojure" => tree_sitter_clojure_orchard::LANGUAGE,
    "cmake" => tree_sitter_cmake::LANGUAGE,
    "cpp" => tree_sitter_cpp::LANGUAGE,
    "csharp" => tree_sitter_c_sharp::LANGUAGE,
    "css" => tree_sitter_css::LANGUAGE,
    "dart" => tree_sitter_dart::LANGUAGE,
    "dockerfile" => tree_sitter_containerfile::LANGUAGE,
    "dtd" => tree_sitter_xml::LANGUAGE_DTD,
    "elixir" => tree_sitter_elixir::LANGUAGE,
    "erlang" => tree_sitter_erlang::LANGUAGE,
    "go" => tree_sitter_go::LANGUAGE,
    "graphql" => tree_sitter_graphql::LANGUAGE,
    "haskell" => tree_sitter_haskell::LANGUAGE,
    "hcl" => tree_sitter_hcl::LANGUAGE,
    "html" => tree_sitter_html::LANGUAGE,
    "java" => tree_sitter_java::LANGUAGE,
    "javascript" => tree_sitter_javascript::LANGUAGE,
    "json" => tree_sitter_json::LANGUAGE,
    "kotlin" => tree_sitter_kotlin_ng::LANGUAGE,
    "lua" => tree_sitter_lua::LANGUAGE,
    "make" => tree_sitter_make::LANGUAGE,
    "markdown" => tree_sitter_md::LANGUAGE,
    "nix" => tree_sitter_nix::LANGUAGE,
    "notebook" => tree_sitter_md::LANGUAGE,
    "php" => tree_sitter_php::LANGUAGE_PHP,
    "protobuf" => tree_sitter_proto::LANGUAGE,
    "python" => tree_sitter_python::LANGUAGE,
    "r" => tree_sitter_r::LANGUAGE,
    "ruby" => tree_sitter_ruby::LANGUAGE,
    "rust" => tree_sitter_rust::LANGUAGE,
    "scala" => tree_sitter_scala::LANGUAGE,
    "solidity" => tree_sitter_solidity::LANGUAGE,
    "sql" => tree_sitter_sequel::LANGUAGE,
    "svelte" => tree_sitter_svelte_ng::LANGUAGE,
    "swift" => tree_sitter_swift::LANGUAGE,
    "teal" => tree_sitter_lua::LANGUAGE,
    "toml" => tree_sitter_toml_ng::LANGUAGE,
    "tsx" => tree_sitter_typescript::LANGUAGE_TSX,
    "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    "vue" => tree_sitter_html::LANGUAGE,
    "xml" => tree_sitter_xml::LANGUAGE_XML,
    "yaml" => tree_sitter_yaml::LANGUAGE,
    "zig" => tree_sitter_zig::LANGUAGE,
};

#[cfg(feature = "rare")]
const RARE: Table = grammars! {
    "fortran" => tree_sitter_fortran::LANGUAGE,
    "julia" => tree_sitter_julia::LANGUAGE,
    "ocaml" => tree_sitter_ocaml::LANGUAGE_OCAML,
    "ocaml_interface" => tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE,
    "pascal" => tree_sitter_pascal::LANGUAGE,
    "perl" => ts_parser_perl::LANGUAGE,
    "powershell" => tree_sitter_powershell::LANGUAGE,
};

#[cfg(not(feature = "rare"))]
const RARE: Table = &[];
