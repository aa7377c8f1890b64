//! What can be typed.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Measures how good scent and its peers are at finding code.
#[derive(Parser)]
#[command(name = "scent-eval", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Ask every question of the suites, and score the answers
    Run(Run),
    /// Score the answers of a run again, and print the tables
    Score(Score),
    /// Hold one run or system against another, question by question
    Compare(Compare),
    /// Try many settings of scent over one index, beside peers
    Matrix(Matrix),
    /// Replay the questions that went worst, and say where the answer was lost
    Worst(Worst),
    /// Fail where a run misses a floor
    Gate(Gate),
    /// Write down what ranking has to choose from, to fit its weights
    Candidates(Candidates),
    /// Run the suite over this repository's own source at its pinned commit
    #[command(name = "self")]
    Own(Own),
}

/// What is asked of whom.
#[derive(Args, Clone)]
pub(crate) struct Asked {
    /// Ask only about this split of the repositories
    #[arg(long, value_parser = ["dev", "test"])]
    pub split: Option<String>,
    /// Go on where answers are no longer where a suite says, without those
    #[arg(long)]
    pub allow_drift: bool,
    /// The folder of the adapters
    #[arg(long, value_name = "DIR", default_value = "eval/peers")]
    pub peers_dir: PathBuf,
    /// How long a peer may take for one question, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub patience: u64,
    /// Where views and indexes are kept between runs [default: OUT/cache]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Print no progress
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
pub(crate) struct Run {
    /// Folders of suites
    #[arg(required = true, value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// The folder that holds the repositories, as SUITE/NAME or NAME
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// A TOML of weights that scent uses instead of its own
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What scent is called in the report [default: scent, or the name of the
    /// file of weights]
    #[arg(long)]
    pub name: Option<String>,
    /// Peers to ask the same: names from peers.toml, or `all`
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub peers: Vec<String>,
    /// Ask only about repositories whose suite/name matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// Where the folder of the run is made
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Go on with the newest run in OUT instead of beginning another
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub asked: Asked,
}

#[derive(Args)]
pub(crate) struct Score {
    /// The folder of a run
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
    /// What is compared question by question
    #[arg(long, default_value = "ndcg_file")]
    pub metric: String,
    /// How many questions that changed are shown
    #[arg(long, default_value_t = 20)]
    pub changed: usize,
}

#[derive(Args)]
pub(crate) struct Matrix {
    /// A TOML of variants
    pub file: PathBuf,
    /// Folders of suites, instead of those that the file names
    #[arg(value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// The folder that holds the repositories, instead of the file's
    #[arg(long, value_name = "DIR")]
    pub corpora: Option<PathBuf>,
    /// Only variants whose name matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
    /// The folder that results accumulate in
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Copy the report here, too
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub asked: Asked,
}

#[derive(Args)]
pub(crate) struct Worst {
    /// The folder of a run
    pub run: PathBuf,
    /// The system, where a run has several of scent
    #[arg(long)]
    pub system: Option<String>,
    /// What counts as bad
    #[arg(long, default_value = "ndcg_chunk")]
    pub metric: String,
    /// How many questions
    #[arg(long, short = 'n', default_value_t = 20)]
    pub number: usize,
    /// Only repositories whose suite/name matches
    #[arg(long, value_name = "REGEX")]
    pub only: Option<regex::Regex>,
}

#[derive(Args)]
pub(crate) struct Gate {
    /// A TOML of floors
    pub file: PathBuf,
    /// The folder of a run
    pub run: PathBuf,
}

#[derive(Args)]
pub(crate) struct Own {
    /// Keep the ranks as they are now
    #[arg(long)]
    pub accept: bool,
    /// The suite
    #[arg(long, value_name = "DIR", default_value = "eval/self")]
    pub suite: PathBuf,
    /// Where the checkout and the index are kept
    #[arg(long, value_name = "DIR", default_value = "target/eval-self")]
    pub work: PathBuf,
}

#[derive(Args)]
pub(crate) struct Candidates {
    /// Folders of suites
    #[arg(required = true, value_name = "SUITE")]
    pub suites: Vec<PathBuf>,
    /// The folder that holds the repositories, as SUITE/NAME or NAME
    #[arg(long, value_name = "DIR")]
    pub corpora: PathBuf,
    /// Where views and indexes are kept between runs
    #[arg(long, value_name = "DIR")]
    pub cache: PathBuf,
    /// The model to search with, as `scent --model` takes it
    #[arg(long)]
    pub model: Option<String>,
    /// A TOML of weights to search with, instead of what makes every part of a
    /// score plain
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How many candidates of a question are written
    #[arg(long, default_value_t = 200)]
    pub top: usize,
    /// The file to write: one line of JSON a question
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}
