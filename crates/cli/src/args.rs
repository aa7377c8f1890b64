//! What can be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use scent_types::Role;
use std::path::PathBuf;

/// Find the code that answers: by words, by name, by path or by pattern.
#[derive(Debug, Parser)]
#[command(
    name = "scent",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit status: 0 if anything was found, 1 if not, 2 after an error.\n\
                  Searching for a word that is also a command: scent search WORD."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub global: GlobalArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search (the same as without a command)
    Search(Box<SearchArgs>),
    /// Search, and say what every score is made of (search --explain)
    Explain(Box<SearchArgs>),
    /// Show units that do something like the one at a line
    Similar(SimilarArgs),
    /// Show where a name is defined
    Def(DefArgs),
    /// Show who uses a name
    Refs(RefsArgs),
    /// Show what a file or folder imports, or who imports it
    Deps(DepsArgs),
    /// Show what a change may break: who uses it, who uses those, and so on
    Impact(ImpactArgs),
    /// Show how one symbol comes to use another
    Path(PathArgs),
    /// Show what files define: signatures and first lines of documentation
    Outline(OutlineArgs),
    /// Index a folder, or bring its index up to date
    Index(IndexArgs),
    /// Show what is in an index and whether it is up to date
    Status(StatusArgs),
    /// Remove an index
    Clear(ClearArgs),
    /// List the languages that are parsed
    Languages(LanguagesArgs),
    /// Show how files are cut into units, and what the model reads of each
    Units(UnitsArgs),
    /// Embed in the background what other commands left
    #[command(hide = true)]
    Worker,
    /// Show which model reads meanings, or use another
    Model(ModelArgs),
    /// Show the settings and where each comes from
    Config(ConfigArgs),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalArgs {
    /// Keep the indexes in this folder
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Read meanings with this model (`scent model use --help` names the forms)
    #[arg(long, global = true, value_name = "MODEL")]
    pub model: Option<String>,
    /// Index exactly the given folders, not the projects they are in
    #[arg(long, global = true)]
    pub exact: bool,
    /// Index a home directory or a whole disk without asking
    #[arg(short, long, global = true)]
    pub yes: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN")]
    pub color: Option<When>,
    /// Say nothing but the results
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Markdown,
    Json,
}

/// A way in which units are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LaneName {
    /// Words
    Text,
    /// Names
    Symbol,
    /// Paths
    Path,
    /// Meaning: one vector a unit
    Vector,
    /// Meaning: a vector for each word
    Late,
}

#[derive(Args, Debug, Default)]
pub(crate) struct SearchArgs {
    /// Words, a name, a path; with -F the literal text; - reads it from standard input
    #[arg(required_unless_present_any = ["pattern", "name", "kind"])]
    pub query: Option<String>,
    /// Folders or files to search [default: the project around here]
    pub paths: Vec<PathBuf>,

    /// Only units with a line that matches this regular expression
    #[arg(
        short = 'e',
        long = "regexp",
        value_name = "PATTERN",
        help_heading = "Patterns",
        allow_hyphen_values = true
    )]
    pub pattern: Option<String>,
    /// Take the pattern, or else the query, literally
    #[arg(short = 'F', long, help_heading = "Patterns")]
    pub fixed_strings: bool,
    /// The pattern matches whole words only
    #[arg(short, long, help_heading = "Patterns")]
    pub word_regexp: bool,
    /// Letter case counts
    #[arg(
        short = 's',
        long,
        conflicts_with = "ignore_case",
        help_heading = "Patterns"
    )]
    pub case_sensitive: bool,
    /// Letter case does not count [default: it does if the pattern has a capital]
    #[arg(short, long, help_heading = "Patterns")]
    pub ignore_case: bool,

    /// Find only by these: text, symbol, path, vector, late
    #[arg(
        long,
        value_name = "LANE",
        value_delimiter = ',',
        help_heading = "Lanes"
    )]
    pub lanes: Vec<LaneName>,
    /// Find by meaning only (the lanes vector and late)
    #[arg(long, conflicts_with_all = ["lanes", "keyword_only"], help_heading = "Lanes")]
    pub semantic_only: bool,
    /// Find by words only (the lanes text, symbol and path)
    #[arg(long, conflicts_with = "lanes", help_heading = "Lanes")]
    pub keyword_only: bool,

    /// Only these languages (`scent languages` lists them)
    #[arg(
        long,
        value_name = "LANG",
        value_delimiter = ',',
        help_heading = "Filters"
    )]
    pub lang: Vec<String>,
    /// Only files whose path matches
    #[arg(long, value_name = "GLOB", help_heading = "Filters")]
    pub path: Vec<String>,
    /// Only files whose path does not match
    #[arg(long, value_name = "GLOB", help_heading = "Filters")]
    pub not_path: Vec<String>,
    /// Only units of this kind: function, class, section, …
    #[arg(
        long,
        value_name = "KIND",
        value_delimiter = ',',
        help_heading = "Filters"
    )]
    pub kind: Vec<String>,
    /// Only units whose name matches
    #[arg(long, value_name = "GLOB", help_heading = "Filters")]
    pub name: Vec<String>,
    /// Only code
    #[arg(long, help_heading = "Filters")]
    pub code: bool,
    /// Only documentation
    #[arg(long, help_heading = "Filters")]
    pub docs: bool,
    /// Only configuration
    #[arg(long, help_heading = "Filters")]
    pub config: bool,
    /// Only tests
    #[arg(long, conflicts_with = "no_tests", help_heading = "Filters")]
    pub tests: bool,
    /// No tests
    #[arg(long, help_heading = "Filters")]
    pub no_tests: bool,

    /// What is near this file or folder is sooner meant
    #[arg(long, value_name = "PATH", help_heading = "Ranking")]
    pub near: Option<PathBuf>,
    /// At most this many results of one file
    #[arg(long, value_name = "N", help_heading = "Ranking")]
    pub per_file: Option<usize>,
    /// Say what every score is made of, and how long each step took
    #[arg(long, help_heading = "Ranking")]
    pub explain: bool,
    /// Write what every step had in hand to a file, one line of JSON a step
    #[arg(long, value_name = "FILE", help_heading = "Ranking")]
    pub trace: Option<PathBuf>,

    #[command(flatten)]
    pub output: OutputArgs,
    /// Answer from the index as it is
    #[arg(long, help_heading = "Output")]
    pub no_update: bool,
}

/// How results are written.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// How many results [default: 10, or what fits with --max-tokens]
    #[arg(short = 'k', long, value_name = "N")]
    pub limit: Option<usize>,
    /// Number the lines (the default)
    #[arg(short = 'n', long, overrides_with = "no_line_number")]
    pub line_number: bool,
    /// Do not number the lines
    #[arg(short = 'N', long)]
    pub no_line_number: bool,
    /// Lines to show after each line that matters
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<u32>,
    /// Lines to show before each line that matters
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<u32>,
    /// What to show of a result: the lines that matter (`lines`), with N lines
    /// around each (N), all of it where it is short and else its best passage
    /// (`smart`), or only where it is (`none`)
    #[arg(short = 'C', long, value_name = "N|smart|lines|none")]
    pub context: Option<String>,
    /// Only the paths of files, each once
    #[arg(short = 'l', long)]
    pub files_with_matches: bool,
    /// Show every line of each result
    #[arg(long)]
    pub full: bool,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    /// How to write the results
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Stop at about this many tokens and list the rest as places
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<usize>,
    /// Say how long the refresh and the search took, in microseconds
    #[arg(long)]
    pub timing: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SimilarArgs {
    /// A line of a file, as PATH:LINE
    #[arg(value_name = "PATH:LINE")]
    pub place: String,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How answers about structure are written.
#[derive(Args, Debug)]
pub(crate) struct AnswerArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Stop at about this many tokens
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<usize>,
}

#[derive(Args, Debug)]
pub(crate) struct DefArgs {
    /// A name, plain or qualified (Foo::bar, Foo.bar, Foo#bar); `*` and `?` stand for others
    pub name: String,
    /// A folder or file of the project [default: the project around here]
    pub path: Option<PathBuf>,
    /// How many definitions
    #[arg(short = 'k', long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RefsArgs {
    /// A name, plain or qualified (Foo::bar, Foo.bar, Foo#bar), or PATH:LINE of one
    #[arg(value_name = "NAME|PATH:LINE")]
    pub name: String,
    /// A folder or file of the project [default: the project around here]
    pub path: Option<PathBuf>,
    /// Only uses of this role: call, type, inherit, import, write, read, use, bind, param (may be
    /// repeated)
    #[arg(long, value_name = "ROLE", value_parser = role)]
    pub role: Vec<Role>,
    /// Only in tests
    #[arg(long, conflicts_with = "no_tests")]
    pub tests: bool,
    /// Not in tests
    #[arg(long)]
    pub no_tests: bool,
    /// Not in copies of others' code, nor in what is built (vendor, dist, …)
    #[arg(long)]
    pub no_vendored: bool,
    /// Also lines that mention the name, in comments and strings too, marked as such
    #[arg(long)]
    pub include_text: bool,
    /// How many uses
    #[arg(short = 'k', long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

fn role(text: &str) -> Result<Role, String> {
    let known = || Role::ALL.map(Role::as_str).join(", ");
    let found = Role::ALL.into_iter().find(|role| role.as_str() == text);
    found.ok_or_else(|| format!("not a role; there are {}", known()))
}

#[derive(Args, Debug)]
pub(crate) struct DepsArgs {
    /// A file or a folder
    pub path: PathBuf,
    /// Who imports it, not what it imports
    #[arg(long)]
    pub reverse: bool,
    /// How many steps to follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: u32,
    /// Not who imports it in tests
    #[arg(long)]
    pub no_tests: bool,
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// Write a graph
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    pub format: Option<GraphFormat>,
}

#[derive(Args, Debug)]
pub(crate) struct ImpactArgs {
    /// Names or files that change
    #[arg(required_unless_present = "diff")]
    pub changed: Vec<String>,
    /// What changed since this commit, the working tree included
    #[arg(long, value_name = "COMMIT")]
    pub diff: Option<String>,
    /// How many steps to follow
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub depth: u32,
    /// Leave out what is less sure than this, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    pub min_confidence: f32,
    /// How many places to list; of more, only how many each folder has
    #[arg(short = 'k', long, value_name = "N", default_value_t = 200)]
    pub limit: usize,
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// Write a graph
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    pub format: Option<GraphFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    Dot,
    Mermaid,
}

#[derive(Args, Debug)]
pub(crate) struct PathArgs {
    /// The symbol that uses
    pub from: String,
    /// The symbol that is used
    pub to: String,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

#[derive(Args, Debug)]
pub(crate) struct OutlineArgs {
    /// The files
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// Leave out what is known not to be public
    #[arg(long)]
    pub public: bool,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    /// The folder [default: the project around here]
    pub paths: Vec<PathBuf>,
    /// Remove the index and make it from nothing
    #[arg(long)]
    pub rebuild: bool,
    /// Verify the checksum of every file of the index, and change nothing
    #[arg(long, conflicts_with_all = ["rebuild", "no_vectors", "wait"])]
    pub verify: bool,
    /// Index the words only; the next search or `scent index` reads meanings
    #[arg(long)]
    pub no_vectors: bool,
    /// Wait until everything is written and embedded, whoever does it
    #[arg(long, conflicts_with = "no_vectors")]
    pub wait: bool,
}

#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// The folder [default: the project around here]
    pub path: Option<PathBuf>,
    /// List what was left out, with the reason
    #[arg(long)]
    pub skipped: bool,
    /// List the files that were not parsed cleanly
    #[arg(long)]
    pub unhealthy: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ClearArgs {
    /// The folder [default: the project around here]
    pub paths: Vec<PathBuf>,
    /// Remove the indexes of all folders
    #[arg(long, conflicts_with = "paths")]
    pub all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct LanguagesArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct UnitsArgs {
    /// The files
    #[arg(required_unless_present = "files_from")]
    pub paths: Vec<PathBuf>,
    /// Read the names of the files from here, one a line; - for standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// Write one JSON object a line, with the text of each unit
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub action: Option<ModelAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelAction {
    /// Use a model from now on, in every project
    Use {
        /// small (inside the program), deep (larger; reads in the background), a .safetensors
        /// file of a model of this kind, ollama:NAME or ollama:NAME@URL, http(s)://host/v1#NAME,
        /// a folder with an ONNX model, or OWNER/NAME in the cache of Hugging Face
        model: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub action: ConfigAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Show every value and where it comes from
    Show {
        /// Write JSON
        #[arg(long)]
        json: bool,
    },
}

impl OutputArgs {
    pub fn format(&self) -> Option<Format> {
        if self.json {
            Some(Format::Json)
        } else {
            self.format
        }
    }
}
