//! Arguments of the command line. The sections below the options of a help
//! text stand in `help`.

use crate::patience::Patience;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use scent_types::{Kind, Lane, Role};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Search code by words, meaning, name, path or pattern
///
/// scent indexes the current project on the first search and keeps the index up
/// to date. A result is a whole unit (a function, a type, a section, a block of
/// configuration) with the lines that matter. Code stays on this machine unless
/// you choose a remote model.
///
/// Quote a query of several words: further arguments are files and folders to
/// search. To search for a word that is also a command, use `scent search WORD`.
#[derive(Debug, Parser)]
#[command(
    name = "scent",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "scent [OPTIONS] QUERY [PATH]...\n       scent COMMAND [OPTIONS] ...",
    after_help = "`scent --help` adds examples, the query syntax and environment variables."
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
    /// Search for code (the default command)
    Search(Box<SearchArgs>),
    /// Search, and explain the score of each result
    ///
    /// The same as `scent search --explain`.
    Explain(Box<SearchArgs>),
    /// Find code similar to the code at a line
    Similar(SimilarArgs),
    /// Find the definitions of a name
    Def(DefArgs),
    /// Find the references to a name
    Refs(RefsArgs),
    /// List the imports of a file or folder, or its importers
    Deps(DepsArgs),
    /// List the code that a change may affect
    ///
    /// Follows references from what changes to the code that uses it, to the
    /// code that uses that, and so on.
    Impact(ImpactArgs),
    /// Find the chain of calls from one symbol to another
    ///
    /// Of all chains, the one with the greatest confidence, which is the product
    /// of the confidences of its calls.
    Callpath(CallPathArgs),
    /// The former name of `callpath`
    #[command(hide = true)]
    Path(CallPathArgs),
    /// List the definitions that nothing uses
    ///
    /// Leaves out tests, where programs begin, what a language or a framework
    /// calls by itself, and what others may use of a library.
    Unused(UnusedArgs),
    /// List the cycles of imports
    ///
    /// Of each file in a cycle, the shortest one.
    Cycles(CyclesArgs),
    /// List the definitions in files
    ///
    /// Prints signatures and the first lines of documentation. Of each file in a
    /// folder, it lists the most important definitions.
    Outline(OutlineArgs),
    /// Map a project: its most important files and symbols
    ///
    /// Importance is how much of the project leads to a file or a symbol. Code of
    /// the product comes before documentation and tests.
    Map(MapArgs),
    /// Collect what code at a place will need
    ///
    /// Prints signatures of what is in scope at the line, of what the imports of
    /// the file bring, of members of the types that are used there, and similar
    /// code elsewhere: for whoever completes or writes code there. Lines around
    /// the place itself are not printed.
    Context(ContextArgs),
    /// Index a folder, or update its index
    ///
    /// Searches update the index themselves. Use this to index ahead of time.
    Index(IndexArgs),
    /// Show what an index holds and whether it is up to date
    Status(StatusArgs),
    /// List all indexes with their sizes
    ///
    /// Prints the size of each index, when it was used last, and the folder that
    /// it is of.
    Indexes(IndexesArgs),
    /// Remove an index
    Clear(ClearArgs),
    /// List the supported languages
    Languages(LanguagesArgs),
    /// Show how files are split into units
    ///
    /// Prints the units of each file and the text that is embedded of each.
    Units(UnitsArgs),
    /// Install scent for coding agents
    ///
    /// Writes an entry that starts `scent mcp` into the settings of the agents,
    /// a few lines into their instructions, a skill and a sub-agent. Everything
    /// else in their files stays as it is, byte for byte.
    Install(InstallArgs),
    /// Remove what `scent install` wrote
    ///
    /// Files that nobody changed since are the same bytes as before. Of others,
    /// only what `scent install` wrote goes. Without an AGENT, of all agents.
    Uninstall(UninstallArgs),
    /// Check what agents have of scent, and scent itself
    ///
    /// Starts each entry of the agents as it is written and speaks with it, and
    /// checks the files that `scent install` wrote, the index of the current
    /// project, the model and the data folder. Says what to do about each
    /// problem, and changes nothing.
    Doctor(DoctorArgs),
    /// Answer the hook of an agent (`scent install --hook`)
    ///
    /// Reads the call of an agent's tool as JSON from standard input. Where it is
    /// a search with grep, rg, find or the like for a name that the index knows,
    /// prints where the name is defined and used, as JSON that the agent reads
    /// beside its own result. Prints nothing otherwise, and never fails.
    Hook,
    /// Serve coding agents over the Model Context Protocol (MCP)
    ///
    /// Speaks on standard input and output with the agent that starts it. The
    /// tools are search, def, refs, impact, deps and outline; they answer as the
    /// commands of these names do.
    Mcp(McpArgs),
    /// Serve an HTTP API, and MCP beside it
    ///
    /// Keeps projects open and up to date, and answers as the commands do, at
    /// /api/v1 and, for coding agents, at /mcp. Only this machine can connect,
    /// and whoever asks needs the token that stands in a file of the user.
    Serve(ServeArgs),
    /// Serve an editor over the Language Server Protocol (LSP)
    ///
    /// Speaks on standard input and output with the editor that starts it:
    /// symbols, definitions, references, implementations, calls and hover, for
    /// every language that is parsed. It changes nothing, and runs beside the
    /// language server that an editor has already.
    Lsp(LspArgs),
    /// Embed in the background what other commands left
    #[command(hide = true)]
    Worker,
    /// Show or change the embedding model
    Model(ModelArgs),
    /// Show the settings and the origin of each
    Config(ConfigArgs),
    /// Print a completion script for a shell
    Completions {
        /// Shell to complete for
        shell: Shell,
    },
    /// Print the manual
    Man(ManArgs),
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// Folder to keep indexes in
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Embedding model to use (`scent model use --help` lists the forms)
    #[arg(long, global = true, value_name = "MODEL")]
    pub model: Option<String>,
    /// Index exactly the given folders, not the projects that contain them
    #[arg(long, global = true)]
    pub exact: bool,
    /// Index a whole disk, or install for all agents, without confirmation
    #[arg(short, long, global = true)]
    pub yes: bool,
    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN")]
    pub color: Option<When>,
    /// When to link paths to their files
    #[arg(long, global = true, value_name = "WHEN")]
    pub hyperlinks: Option<When>,
    /// Suppress notes, totals and progress
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

#[derive(Args, Debug, Default)]
pub(crate) struct SearchArgs {
    /// Words, a name, a path, or with -F a literal text; - reads standard input
    #[arg(required_unless_present_any = ["pattern", "name", "kind", "batch"])]
    pub query: Option<String>,
    /// Files and folders to search [default: the current project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Only units with a line that matches a regular expression
    #[arg(
        short = 'e',
        long = "regexp",
        value_name = "PATTERN",
        help_heading = "Patterns",
        allow_hyphen_values = true
    )]
    pub pattern: Option<String>,
    /// Match the pattern, or else the query, literally
    #[arg(short = 'F', long, help_heading = "Patterns")]
    pub fixed_strings: bool,
    /// Match whole words only
    #[arg(short, long, help_heading = "Patterns")]
    pub word_regexp: bool,
    /// Match case-sensitively
    #[arg(
        short = 's',
        long,
        conflicts_with = "ignore_case",
        help_heading = "Patterns"
    )]
    pub case_sensitive: bool,
    /// Match case-insensitively [default: unless the pattern has a capital]
    #[arg(short, long, help_heading = "Patterns")]
    pub ignore_case: bool,

    /// Let the pattern match across lines; searches the files, not the index
    #[arg(short = 'U', long, help_heading = "Patterns")]
    pub multiline: bool,
    /// Search ignored files as well; searches the files, not the index
    #[arg(long, help_heading = "Patterns")]
    pub no_ignore: bool,

    /// Use only these lanes: text, symbol, path, vector, late
    #[arg(
        long,
        value_name = "LANE",
        value_delimiter = ',',
        value_parser = Lane::RETRIEVING.map(Lane::as_str),
        hide_possible_values = true,
        help_heading = "Lanes"
    )]
    pub lanes: Vec<String>,
    /// Search by meaning only (lanes vector and late)
    #[arg(long, conflicts_with_all = ["lanes", "keyword_only"], help_heading = "Lanes")]
    pub semantic_only: bool,
    /// Search by words only (lanes text, symbol and path)
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
    /// Only files with a matching path
    #[arg(long, value_name = "GLOB", help_heading = "Filters")]
    pub path: Vec<String>,
    /// Exclude files with a matching path
    #[arg(long, value_name = "GLOB", help_heading = "Filters")]
    pub not_path: Vec<String>,
    /// Only units of these kinds: function, class, section, ...
    #[arg(
        long,
        value_name = "KIND",
        value_delimiter = ',',
        help_heading = "Filters"
    )]
    pub kind: Vec<String>,
    /// Only units with a matching name
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
    /// Exclude tests
    #[arg(long, help_heading = "Filters")]
    pub no_tests: bool,

    /// Prefer results near a file or folder
    #[arg(long, value_name = "PATH", help_heading = "Ranking")]
    pub near: Option<PathBuf>,
    /// Maximum number of results from one file
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true, help_heading = "Ranking")]
    pub per_file: Option<usize>,
    /// Explain each score, and time each step of the search
    #[arg(long, help_heading = "Ranking")]
    pub explain: bool,
    /// Write the candidates of each step to a file, one JSON object per line
    #[arg(long, value_name = "FILE", help_heading = "Ranking")]
    pub trace: Option<PathBuf>,

    #[command(flatten)]
    pub output: OutputArgs,
    /// Print how many units of each file match, and how many in all
    #[arg(short = 'c', long, conflicts_with_all = ["vimgrep", "files_with_matches"], help_heading = "Output")]
    pub count: bool,
    /// Search the index as it is, without updating it
    #[arg(long, conflicts_with = "patience", help_heading = "Output")]
    pub no_update: bool,
    /// Give up a question after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, help_heading = "Output")]
    pub timeout: Option<Duration>,
    /// Answer each line of FILE as a query; - reads standard input
    ///
    /// The index is updated once. All other arguments are paths, and the
    /// options hold for every query. JSON is an array with an answer or an
    /// error for each.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pattern", "trace"], help_heading = "Output")]
    pub batch: Option<PathBuf>,
    #[command(flatten)]
    pub patience: PatienceArgs,
}

/// How up to date an answer has to be.
#[derive(Args, Debug, Default)]
pub(crate) struct PatienceArgs {
    /// Answer after this time from what is indexed so far [default: 10]
    ///
    /// The rest is indexed in the background. 0 answers from what is there, and
    /// `none` waits until everything is indexed.
    #[arg(long, value_name = "SECONDS", value_parser = Patience::parse)]
    pub patience: Option<Patience>,
}

/// How to print results.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Maximum number of results [default: 10, or what --max-tokens allows]
    #[arg(short = 'k', long, value_name = "N", value_parser = limit, allow_negative_numbers = true)]
    pub limit: Option<usize>,
    /// Number of results to skip
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true, default_value_t = 0, hide_default_value = true)]
    pub offset: usize,
    /// Print line numbers (the default)
    #[arg(short = 'n', long, overrides_with = "no_line_number")]
    pub line_number: bool,
    /// Do not print line numbers
    #[arg(short = 'N', long)]
    pub no_line_number: bool,
    /// Lines of context after each line
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<u32>,
    /// Lines of context before each line
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<u32>,
    /// How much of each result to print
    ///
    /// `windows` prints the declaration and a few lines in a row around the best
    /// match, `lines` each line that matches, N adds N lines before and after
    /// each, `smart` prints a short result whole and the best passage of a long
    /// one, and `none` prints only the location.
    #[arg(short = 'C', long, value_name = "N|windows|lines|smart|none")]
    pub context: Option<String>,
    /// Print only the path of each file with a result
    #[arg(short = 'l', long)]
    pub files_with_matches: bool,
    /// Print each match on a line of its own, as path:line:column:text
    #[arg(long, conflicts_with_all = ["json", "format", "files_with_matches"])]
    pub vimgrep: bool,
    /// Print every line of each result
    #[arg(long)]
    pub full: bool,
    /// Print JSON (the same as --format json)
    #[arg(long)]
    pub json: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Stop after about N tokens and list the rest as locations
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub max_tokens: Option<usize>,
    /// Print the time of the update and of the search, in microseconds
    #[arg(long)]
    pub timing: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SimilarArgs {
    /// A line of a file, or a range as results print it
    #[arg(value_name = "PATH:LINE")]
    pub place: String,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How to print answers about structure.
#[derive(Args, Debug)]
pub(crate) struct AnswerArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Stop after about N tokens
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub max_tokens: Option<usize>,
}

#[derive(Args, Debug)]
pub(crate) struct DefArgs {
    /// A name, plain or qualified (Foo::bar, Foo.bar, Foo#bar, Foo\bar), a glob,
    /// or a place: PATH:LINE for the definition around a line, PATH:LINE:COLUMN
    /// for the name at a column
    #[arg(value_name = "NAME|PATH:LINE[:COLUMN]")]
    pub name: String,
    /// A file or folder of the project [default: the current project]
    pub path: Option<PathBuf>,
    /// Maximum number of definitions
    #[arg(short = 'k', long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RefsArgs {
    /// A name, plain or qualified (Foo::bar), or a place: PATH:LINE for the
    /// definition around a line, PATH:LINE:COLUMN for the name at a column
    #[arg(value_name = "NAME|PATH:LINE[:COLUMN]")]
    pub name: String,
    /// A file or folder of the project [default: the current project]
    pub path: Option<PathBuf>,
    /// Only references of this role; may be repeated
    ///
    /// Roles: call, type, inherit, import, write, read, use, bind, param.
    #[arg(long, value_name = "ROLE", value_parser = role)]
    pub role: Vec<Role>,
    /// Only references in tests
    #[arg(long, conflicts_with = "no_tests")]
    pub tests: bool,
    /// Exclude references in tests
    #[arg(long)]
    pub no_tests: bool,
    /// Exclude vendored code and build output (vendor, dist, ...)
    #[arg(long)]
    pub no_vendored: bool,
    /// Include other lines that mention the name, as in comments and strings
    #[arg(long)]
    pub include_text: bool,
    /// Include references that may as well mean another definition of the name, and documentation
    #[arg(long)]
    pub all: bool,
    /// Maximum number of references
    #[arg(short = 'k', long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 100)]
    pub limit: usize,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

fn role(text: &str) -> Result<Role, String> {
    let known = Role::ALL.into_iter().find(|role| role.as_str() == text);
    let names = Role::ALL.map(Role::as_str).join(", ");
    known.ok_or_else(|| format!("no such role; there are: {names}"))
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "give a number".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "give a number of seconds".to_owned())
}

/// A number of results. The parser of requests refuses 0.
fn limit(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "give a number from 1 on".to_owned())
}

fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "give a number from 1 on".to_owned())
}

#[derive(Args, Debug)]
pub(crate) struct DepsArgs {
    /// A file or folder
    pub path: PathBuf,
    /// List importers instead of imports
    #[arg(long)]
    pub reverse: bool,
    /// Maximum number of steps to follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: u32,
    /// Exclude importers in tests
    #[arg(long)]
    pub no_tests: bool,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// Print a graph in this format
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    pub format: Option<GraphFormat>,
}

#[derive(Args, Debug)]
pub(crate) struct ImpactArgs {
    /// Names or files that change
    #[arg(required_unless_present = "diff", value_name = "NAME|FILE")]
    pub changed: Vec<String>,
    /// What changed since a commit, including the working tree
    #[arg(long, value_name = "COMMIT")]
    pub diff: Option<String>,
    /// Maximum number of steps to follow
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub depth: u32,
    /// Exclude what has less confidence than this, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.25)]
    pub min_confidence: f32,
    /// Only tests: those to run for a change
    #[arg(long, conflicts_with = "no_tests")]
    pub tests_only: bool,
    /// Exclude tests
    #[arg(long)]
    pub no_tests: bool,
    /// Maximum number of places to list; more are counted by folder
    #[arg(short = 'k', long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 200)]
    pub limit: usize,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// Print a graph in this format
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    pub format: Option<GraphFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    Dot,
    Mermaid,
}

#[derive(Args, Debug)]
pub(crate) struct CallPathArgs {
    /// The symbol to start from
    pub from: String,
    /// The symbol to reach
    pub to: String,
    /// Refuse a chain of less confidence than this, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.5)]
    pub min_confidence: f32,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

#[derive(Args, Debug)]
pub(crate) struct UnusedArgs {
    /// A file or folder [default: the current project]
    pub path: Option<PathBuf>,
    /// Only definitions of this kind; may be repeated
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub kind: Vec<Kind>,
    /// Exclude what has less confidence than this, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.7)]
    pub min_confidence: f32,
    /// Maximum number of definitions
    #[arg(short = 'k', long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 100)]
    pub limit: usize,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

fn kind(text: &str) -> Result<Kind, String> {
    let names = || Kind::ALL.into_iter().filter(|kind| kind.is_symbol());
    let known = names().find(|kind| kind.as_str() == text);
    known.ok_or_else(|| {
        let names: Vec<&str> = names().map(Kind::as_str).collect();
        format!(
            "no such kind of definition; there are: {}",
            names.join(", ")
        )
    })
}

#[derive(Args, Debug)]
pub(crate) struct CyclesArgs {
    /// A file or folder [default: the current project]
    pub path: Option<PathBuf>,
    /// Maximum number of cycles
    #[arg(short = 'k', long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub patience: PatienceArgs,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

#[derive(Args, Debug)]
pub(crate) struct OutlineArgs {
    /// Files and folders to outline
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Maximum number of definitions of each file in a folder
    #[arg(short = 'k', long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 8)]
    pub limit: usize,
    /// Exclude definitions known not to be public
    #[arg(long)]
    pub public: bool,
    #[command(flatten)]
    pub answer: AnswerArgs,
    #[command(flatten)]
    pub patience: PatienceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct MapArgs {
    /// A folder or file to map [default: the current project]
    pub path: Option<PathBuf>,
    /// Stop after about N tokens
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 2000)]
    pub max_tokens: usize,
    /// Print JSON (the same as --format json)
    #[arg(long)]
    pub json: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    #[command(flatten)]
    pub patience: PatienceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ContextArgs {
    /// The file and the line that the cursor is on
    #[arg(value_name = "PATH:LINE")]
    pub place: String,
    /// Read the text of the file from standard input, as an editor has it
    #[arg(long)]
    pub stdin: bool,
    /// Stop after about N tokens
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true, default_value_t = 1000)]
    pub max_tokens: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub patience: PatienceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct McpArgs {
    /// Project to answer about; may be repeated [default: that of the client or
    /// the current folder]
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Further folder that calls may ask about; may be repeated
    #[arg(long, value_name = "DIR")]
    pub allow: Vec<PathBuf>,
    /// Show files that usually hold keys or passwords, such as .env
    #[arg(long)]
    pub allow_secrets: bool,
    /// Serve at http://ADDRESS:PORT/mcp, for many agents, and not on standard
    /// input and output
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub http: Option<SocketAddr>,
    /// Tools to offer: the six that answer nearly everything, or also similar,
    /// callpath and status
    #[arg(long, value_name = "TOOLS", default_value = "core")]
    pub tools: ToolSet,
    /// Answer in JSON, as data with a schema and as text
    ///
    /// Some clients show their model the data alone, with every line end
    /// escaped, so this is for programs.
    #[arg(long)]
    pub structured: bool,
    #[command(flatten)]
    pub patience: PatienceArgs,
}

#[derive(Args, Debug)]
pub(crate) struct LspArgs {
    #[command(flatten)]
    pub patience: PatienceArgs,
    /// Taken and not needed: it speaks on standard input and output anyway
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Folders to serve [default: the current project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Port to listen on; 0 for one that is free [default: 7420 or one of the
    /// next]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Address to listen on [default: this machine alone]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<IpAddr>,
    /// Open the address in a browser
    #[arg(long, conflicts_with = "detach")]
    pub open: bool,
    /// Answer only /mcp
    #[arg(long)]
    pub only_mcp: bool,

    /// File with the token; made if there is none
    #[arg(long, value_name = "FILE", help_heading = "Who may ask")]
    pub token_file: Option<PathBuf>,
    /// Let every program of this machine ask
    #[arg(long, conflicts_with = "token_file", help_heading = "Who may ask")]
    pub no_token: bool,
    /// Further name of the server, as of a proxy; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Who may ask")]
    pub allow_host: Vec<String>,
    /// Page of another server that may ask, as https://NAME; may be repeated
    #[arg(long, value_name = "ORIGIN", help_heading = "Who may ask")]
    pub allow_origin: Vec<String>,
    /// Show files that usually hold keys or passwords, such as .env
    #[arg(long, help_heading = "Who may ask")]
    pub allow_secrets: bool,

    /// Go on in the background
    #[arg(long, conflicts_with_all = ["status", "stop"], help_heading = "Background")]
    pub detach: bool,
    /// List the servers that run
    #[arg(long, conflicts_with = "stop", help_heading = "Background")]
    pub status: bool,
    /// Stop the servers that run, or the one at --port
    #[arg(long, help_heading = "Background")]
    pub stop: bool,

    /// Write a line for each answer to standard error
    #[arg(long, help_heading = "Log")]
    pub log_requests: bool,
    /// Write what is searched for, too
    #[arg(long, requires = "log_requests", help_heading = "Log")]
    pub log_queries: bool,
    /// Write the log as JSON, an object a line
    #[arg(long, help_heading = "Log")]
    pub log_json: bool,
    #[command(flatten)]
    pub patience: PatienceArgs,
}

/// Which tools an MCP server offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolSet {
    Core,
    All,
}

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    /// Folders to index [default: the current project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Rebuild the index from scratch
    #[arg(long)]
    pub rebuild: bool,
    /// Verify the checksums of the index and change nothing
    #[arg(long, conflicts_with_all = ["rebuild", "no_vectors", "wait"])]
    pub verify: bool,
    /// Index words only; embed at the next search or `scent index`
    #[arg(long)]
    pub no_vectors: bool,
    /// Wait until every unit is embedded, by this process or another
    #[arg(long, conflicts_with = "no_vectors")]
    pub wait: bool,
}

#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// A file or folder of the project [default: the current project]
    pub path: Option<PathBuf>,
    /// List skipped files, each with the reason
    #[arg(long)]
    pub skipped: bool,
    /// List files with parse errors
    #[arg(long)]
    pub unhealthy: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ClearArgs {
    /// Folders whose index to remove [default: the current project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Remove all indexes
    #[arg(long, conflicts_with = "paths")]
    pub all: bool,
    /// Remove the indexes that were not used for this long: 12h, 30d, 8w
    #[arg(long, value_name = "AGE", value_parser = age, allow_hyphen_values = true, conflicts_with_all = ["paths", "all"])]
    pub unused: Option<Duration>,
    /// Only list what --unused would remove
    #[arg(long, requires = "unused")]
    pub dry_run: bool,
}

/// A time in hours, days or weeks.
fn age(text: &str) -> Result<Duration, String> {
    for (unit, hours) in [("h", 1), ("d", 24), ("w", 7 * 24)] {
        let number: Option<u64> = text.strip_suffix(unit).and_then(|n| n.parse().ok());
        if let Some(seconds) = number.and_then(|number| number.checked_mul(hours * 3600)) {
            return Ok(Duration::from_secs(seconds));
        }
    }
    Err("give hours, days or weeks, as in 12h, 30d or 8w".to_owned())
}

#[derive(Args, Debug)]
pub(crate) struct InstallArgs {
    /// Agents, such as claude-code or codex [default: those that are found]
    #[arg(value_name = "AGENT")]
    pub agents: Vec<String>,
    /// For all projects of the user (the default)
    #[arg(long, conflicts_with = "project")]
    pub user: bool,
    /// For the current project, in files that it may share
    #[arg(long)]
    pub project: bool,
    #[command(flatten)]
    pub parts: PartArgs,
    /// Print the changes as a diff, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print what to paste by hand, and change nothing
    #[arg(long, conflicts_with = "dry_run")]
    pub print: bool,
    /// List the agents, and what is installed
    #[arg(long, conflicts_with_all = ["dry_run", "print"])]
    pub list: bool,
    /// The program that entries start [default: this one]
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct UninstallArgs {
    /// Agents, such as claude-code or codex [default: all]
    #[arg(value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Only what is for all projects of the user
    #[arg(long, conflicts_with = "project")]
    pub user: bool,
    /// Only what is in the current project
    #[arg(long)]
    pub project: bool,
    #[command(flatten)]
    pub parts: PartArgs,
    /// Print the changes as a diff, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Agents to check, such as claude-code or codex [default: those that are
    /// found]
    #[arg(value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What is installed for an agent.
#[derive(Args, Debug)]
#[command(next_help_heading = "Parts")]
pub(crate) struct PartArgs {
    /// The entry that starts the MCP server
    #[arg(long)]
    pub mcp: bool,
    /// A few lines among the agent's instructions
    #[arg(long)]
    pub instructions: bool,
    /// A skill: how to search, read when the agent needs it
    #[arg(long)]
    pub skill: bool,
    /// A sub-agent that searches with commands
    #[arg(long, alias = "agent")]
    pub subagent: bool,
    /// A hook that adds places to the agent's own greps (only if named)
    #[arg(long, alias = "hooks")]
    pub hook: bool,
    /// Leave to call the tools without a question (only if named)
    #[arg(long)]
    pub approval: bool,
    /// All of them
    #[arg(long)]
    pub all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct IndexesArgs {
    /// Order of the list
    #[arg(long, value_name = "KEY", default_value = "size")]
    pub sort: SortIndexes,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortIndexes {
    /// The largest first
    Size,
    /// The one that was used last first
    Used,
}

#[derive(Args, Debug)]
pub(crate) struct LanguagesArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct UnitsArgs {
    /// Files to show
    #[arg(required_unless_present = "files_from", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Read file names from FILE, one per line; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// Print one JSON object per line, with the text of each unit
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
    /// Change the model, for every project
    Use {
        /// `small`, `deep`, or another model in one of the forms below
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
    /// Show every setting and its origin
    Show {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Print the page of a command
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
    /// Write all pages to this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub out: Option<PathBuf>,
}

impl Cli {
    /// Whether the command is to answer in JSON.
    pub fn wants_json(&self) -> bool {
        let Some(command) = &self.command else {
            return self.search.output.wants_json();
        };
        match command {
            Command::Search(search) | Command::Explain(search) => search.output.wants_json(),
            Command::Similar(similar) => similar.output.wants_json(),
            Command::Def(def) => def.answer.json,
            Command::Refs(refs) => refs.answer.json,
            Command::Deps(deps) => deps.answer.json,
            Command::Impact(impact) => impact.answer.json,
            Command::Callpath(path) | Command::Path(path) => path.answer.json,
            Command::Unused(unused) => unused.answer.json,
            Command::Cycles(cycles) => cycles.answer.json,
            Command::Outline(outline) => outline.answer.json,
            Command::Context(context) => context.json,
            Command::Status(status) => status.json,
            Command::Install(install) => install.json,
            Command::Uninstall(uninstall) => uninstall.json,
            Command::Doctor(doctor) => doctor.json,
            Command::Languages(languages) => languages.json,
            Command::Units(units) => units.json,
            Command::Config(ConfigArgs {
                action: ConfigAction::Show { json },
            }) => *json,
            _ => false,
        }
    }
}

impl OutputArgs {
    fn wants_json(&self) -> bool {
        self.format() == Some(Format::Json)
    }

    pub fn format(&self) -> Option<Format> {
        if self.json {
            Some(Format::Json)
        } else {
            self.format
        }
    }
}
