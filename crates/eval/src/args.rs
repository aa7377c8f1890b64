//! Arguments of the command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Measure how well scent and its peers find code
#[derive(Parser)]
#[command(name = "scent-eval", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Ask every question of the suites and score the answers
    Run(Run),
    /// Score the answers of a run again and print the tables
    Score(Score),
    /// Compare two runs or systems, question by question
    Compare(Compare),
    /// Compare many settings of scent over one index with peers
    Matrix(Matrix),
    /// Replay the worst questions and show where the answer was lost
    Worst(Worst),
    /// Fail if a run misses a floor
    Gate(Gate),
    /// Write the candidates of each question, to fit the weights of ranking
    Candidates(Candidates),
    /// Search for names that repositories define and count the results that
    /// hold them
    Names(Sample),
    /// Ask questions that quote a message which no file holds
    Quoted(Sample),
    /// Ask where symbols are defined and used, and compare with what compilers
    /// know
    Symbols(Symbols),
    /// Hide lines of repositories and count the names in them whose definitions
    /// are in the context of the place
    Context(ContextArgs),
    /// Let a scripted agent look for the answers of suites with ripgrep, BM25
    /// and scent, and count the tokens that it reads
    Agent(AgentArgs),
    /// Ask for the places that fixes of issues changed, by the titles and by the
    /// whole texts of the issues
    Issues(IssuesArgs),
    /// Run the suite over this repository's own source at a pinned commit
    #[command(name = "self")]
    Own(Own),
}

/// Options of every command that asks questions.
#[derive(Args, Clone)]
pub(crate) struct AskOptions {
    /// Only this split of the repositories
    #[arg(long, value_parser = ["dev", "test"])]
    pub split: Option<String>,
    /// Skip answers that are no longer where the suite says
    #[arg(long)]
    pub allow_drift: bool,
    /// Folder of the adapters
    #[arg(long, value_name = "DIR", default_value = "eval/peers")]
    pub peers_dir: PathBuf,
    /// Timeout of a peer for one question, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub patience: u64,
    /// Folder that keeps views and indexes between runs [default: OUT/cache]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Suppress progress
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
pub(crate) struct Run {
    /// Folders of suites
    #[arg(required = true, value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// Folder with the repositories, as SUITE/NAME or NAME
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// TOML file of weights to use instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Name of scent in the report [default: scent, or the name of the weights
    /// file]
    #[arg(long)]
    pub name: Option<String>,
    /// Peers to ask as well: names from peers.toml, or `all`
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub peers: Vec<String>,
    /// Only repositories whose suite/name matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// Folder in which to create the folder of the run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Continue the newest run in OUT instead of starting another
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub options: AskOptions,
}

#[derive(Args)]
pub(crate) struct Score {
    /// Folder of a run
    pub run: PathBuf,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(crate) struct Compare {
    /// A run, or RUN:SYSTEM
    pub a: String,
    /// A run, or RUN:SYSTEM
    pub b: String,
    /// Metric to compare
    #[arg(long, default_value = "ndcg_file")]
    pub metric: String,
    /// Number of changed questions to print
    #[arg(long, default_value_t = 20)]
    pub changed: usize,
}

#[derive(Args)]
pub(crate) struct Matrix {
    /// TOML file of variants
    pub file: PathBuf,
    /// Folders of suites, instead of those in the file
    #[arg(value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// Folder with the repositories, instead of the one in the file
    #[arg(long, value_name = "DIR")]
    pub corpora: Option<PathBuf>,
    /// Only variants whose name matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// Folder that collects the results
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Copy the report to this file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub options: AskOptions,
}

#[derive(Args)]
pub(crate) struct Worst {
    /// Folder of a run
    pub run: PathBuf,
    /// System to replay, if the run has several of scent
    #[arg(long)]
    pub system: Option<String>,
    /// Metric to sort by
    #[arg(long, default_value = "ndcg_chunk")]
    pub metric: String,
    /// Number of questions
    #[arg(long, short = 'n', default_value_t = 20)]
    pub number: usize,
    /// Only repositories whose suite/name matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
}

#[derive(Args)]
pub(crate) struct Gate {
    /// TOML file of floors
    pub file: PathBuf,
    /// Folder of a run
    pub run: PathBuf,
}

#[derive(Args)]
pub(crate) struct Own {
    /// Accept the ranks as they are now
    #[arg(long)]
    pub accept: bool,
    /// Folder of the suite
    #[arg(long, value_name = "DIR", default_value = "eval/self")]
    pub suite: PathBuf,
    /// Folder of the checkout and the index
    #[arg(long, value_name = "DIR", default_value = "target/eval-self")]
    pub work: PathBuf,
}

#[derive(Args)]
pub(crate) struct Symbols {
    /// Folder of suites, or one of them
    #[arg(default_value = "eval/symbols")]
    pub suite: PathBuf,
    /// Folder with the repositories, as NAME
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// Only suites whose language matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// Folder of the table, the answers and the indexes
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Fail where precision or recall over all suites is less than is wanted
    #[arg(long)]
    pub wanted: bool,
}

/// What is drawn by chance from repositories.
#[derive(Args)]
pub(crate) struct Sample {
    /// Folders of suites
    #[arg(required = true, value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// Folder with the repositories, as SUITE/NAME or NAME
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// Folder that keeps views and indexes between runs
    #[arg(long, value_name = "DIR")]
    pub cache: PathBuf,
    /// The same seed draws the same
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of names or questions
    #[arg(long, default_value_t = 200)]
    pub number: usize,
    /// Number of repositories
    #[arg(long, default_value_t = 10)]
    pub repositories: usize,
}

#[derive(Args)]
pub(crate) struct Candidates {
    /// Folders of suites
    #[arg(required = true, value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// Folder with the repositories, as SUITE/NAME or NAME
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// Folder that keeps views and indexes between runs
    #[arg(long, value_name = "DIR")]
    pub cache: PathBuf,
    /// Embedding model to use, as in `scent --model`
    #[arg(long)]
    pub model: Option<String>,
    /// TOML file of weights to search with, instead of those that show every
    /// part of a score
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Number of candidates to write per question
    #[arg(long, default_value_t = 200)]
    pub top: usize,
    /// File to write, one JSON object per question
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Args)]
pub(crate) struct ContextArgs {
    /// Folder with the repositories, one a folder
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// Folder for copies, indexes and results
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Only repositories whose name matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// Number of places in all repositories together
    #[arg(long, default_value_t = 500)]
    pub places: usize,
    /// The same seed draws the same
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Tokens of a context
    #[arg(long, default_value_t = 1000)]
    pub tokens: usize,
}

#[derive(Args)]
pub(crate) struct AgentArgs {
    /// Folders of suites
    #[arg(required = true, value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// Folder with the repositories, as SUITE/NAME or NAME; of issues
    /// SUITE/NAME/COMMIT
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// Folder for indexes and results
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Only repositories whose `suite/name` matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// The program scent
    #[arg(long, value_name = "FILE", default_value = "scent")]
    pub scent: PathBuf,
}

#[derive(Args)]
pub(crate) struct IssuesArgs {
    /// Folder of the issues, one repository a file
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    /// Folder with the repositories, as NAME/COMMIT
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// Folder for the tables and rows
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Folder of the indexes, kept between runs [default: OUT/index]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// TOML file of weights to use instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Only issues whose id matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// Only forms whose name matches
    #[arg(long, value_name = "REGEX")]
    pub forms: Option<regex::Regex>,
    /// Folder of an earlier run to compare with
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
    /// File to write with what the scores of all results are made of, one JSON
    /// object a line, to fit weights
    #[arg(long, value_name = "FILE")]
    pub parts: Option<PathBuf>,
    /// Do not print the table
    #[arg(long, short)]
    pub quiet: bool,
}
