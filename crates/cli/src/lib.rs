//! The binary `scent`: arguments, commands and exit status.

mod agent_files;
mod args;
mod commands;
mod config;
mod failure;
#[doc(hidden)]
pub mod fuzzing;
mod help;
mod input;
mod keys;
mod output;
mod patience;
mod progress;
mod suggest;

use args::{Cli, Command, GlobalArgs, SearchArgs};
use clap::{CommandFactory, FromArgMatches};
use scent_print::error_json;
use std::ffi::OsString;
use std::process::ExitCode;

/// The exit status of a command that ran to its end, as grep has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Found,
    Nothing,
    /// A part of it failed, which is printed.
    Failed,
}

impl Outcome {
    pub fn found(found: bool) -> Outcome {
        if found {
            Outcome::Found
        } else {
            Outcome::Nothing
        }
    }
}

/// Runs the command line.
pub fn main() -> ExitCode {
    scent_engine::make_files_private();
    hide_caught_panics();
    let program = Cli::command();
    let is_command = |word: &str| program.find_subcommand(word).is_some();
    let args = command_first(std::env::args_os().collect(), is_command);
    let cli = parse(program, &args).unwrap_or_else(|error| misused(&args, &error));
    let wants_json = cli.wants_json();
    match run(cli) {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Ok(Outcome::Failed) => ExitCode::from(2),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let message = format!("{error:#}");
            if wants_json {
                let text = error_json(failure::code(&error), &message, output::json_layout());
                // Where nobody reads any more, standard error still says it.
                let _ = output::print(text);
            }
            output::say_error(&message);
            ExitCode::from(exit_code_of_error())
        }
    }
}

/// What a shell sees of a command that a signal ended, where one came.
fn exit_code_of_error() -> u8 {
    scent_engine::interrupted().map_or(2, |signal| 128 + signal as u8)
}

/// A panic that the engine catches becomes an error, or the engine recovers.
fn hide_caught_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !scent_engine::is_guarded() {
            print(panic);
        }
    }));
}

fn parse(program: clap::Command, args: &[OsString]) -> Result<Cli, clap::Error> {
    let mut matches = program.try_get_matches_from(args)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Cli::command()))
}

/// Prints what is wrong with the arguments, or the help.
/// clap prints colors between the arguments, so it parses them once more
/// without what a terminal obeys.
fn misused(args: &[OsString], error: &clap::Error) -> ! {
    let mut harmless = Vec::new();
    for arg in args {
        harmless.push(OsString::from(output::one_line(&arg.to_string_lossy())));
    }
    let program = help::with_sections(Cli::command());
    if let Err(error) = parse(program, &harmless) {
        error.exit();
    }
    output::say_error(&error.to_string());
    std::process::exit(error.exit_code());
}

/// Moves a command before the flags that hold for every command, so that
/// `scent --quiet index` is the same as `scent index --quiet`.
fn command_first(mut args: Vec<OsString>, is_command: impl Fn(&str) -> bool) -> Vec<OsString> {
    let mut position = 1;
    while let Some(arg) = args.get(position).and_then(|arg| arg.to_str()) {
        match arg {
            "--data-dir" | "--color" | "--hyperlinks" | "--model" => position += 2,
            "--exact" | "--yes" | "-y" | "--quiet" | "-q" | "--help" | "-h" => position += 1,
            _ if has_value(arg) => position += 1,
            _ if is_command(arg) => {
                args[1..=position].rotate_right(1);
                break;
            }
            _ => break,
        }
    }
    args
}

fn has_value(arg: &str) -> bool {
    let flags = ["--data-dir=", "--color=", "--hyperlinks=", "--model="];
    flags.iter().any(|flag| arg.starts_with(flag))
}

fn run(cli: Cli) -> anyhow::Result<Outcome> {
    let Some(command) = cli.command else {
        return search(cli.search, &cli.global);
    };
    match command {
        Command::Explain(search) => {
            let search = SearchArgs {
                explain: true,
                ..*search
            };
            answer(search, &cli.global)
        }
        Command::Search(search) => answer(*search, &cli.global),
        Command::Similar(similar) => commands::similar::run(similar, &cli.global),
        Command::Def(def) => commands::lookup::define(def, &cli.global),
        Command::Refs(refs) => commands::lookup::refer(refs, &cli.global),
        Command::Deps(deps) => commands::lookup::depend(deps, &cli.global),
        Command::Impact(impact) => commands::lookup::impact(impact, &cli.global),
        Command::Callpath(path) => commands::lookup::path(path, &cli.global),
        Command::Path(path) => {
            let renamed = "`scent path` is now `scent callpath`; the old name goes away";
            output::note(&cli.global, renamed);
            commands::lookup::path(path, &cli.global)
        }
        Command::Unused(unused) => commands::health::unused(unused, &cli.global),
        Command::Cycles(cycles) => commands::health::cycles(cycles, &cli.global),
        Command::Outline(outline) => commands::outline::run(outline, &cli.global),
        Command::Context(context) => commands::context::run(&context, &cli.global),
        Command::Map(map) => commands::map::run(map, &cli.global),
        Command::Index(index) => commands::index::run(index, &cli.global),
        Command::Status(status) => commands::status::run(status, &cli.global),
        Command::Indexes(indexes) => commands::indexes::run(&indexes, &cli.global),
        Command::Clear(clear) => commands::clear::run(clear, &cli.global),
        Command::Languages(languages) => commands::languages::run(languages),
        Command::Install(install) => commands::install::run(&install, &cli.global),
        Command::Uninstall(uninstall) => commands::uninstall::run(&uninstall),
        Command::Doctor(doctor) => commands::doctor::run(&doctor, &cli.global),
        Command::Hook => commands::hook::run(&cli.global),
        Command::Mcp(mcp) => commands::mcp::run(mcp, &cli.global),
        Command::Lsp(lsp) => commands::lsp::run(&lsp, &cli.global),
        Command::Serve(serve) => commands::serve::run(serve, &cli.global),
        Command::Worker => commands::worker::run(&cli.global),
        Command::Units(units) => commands::units::run(units, &cli.global),
        Command::Model(model) => commands::model::run(model, &cli.global),
        Command::Config(config) => commands::config::run(config, &cli.global),
        Command::Completions { shell } => commands::generate::completions(shell),
        Command::Man(man) => commands::generate::man(man, &cli.global),
    }
}

/// Answers a query, or each line of a list of queries.
fn answer(args: SearchArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    match args.batch.clone() {
        Some(list) => commands::batch::run(args, &list, flags),
        None => commands::search::run(args, flags),
    }
}

/// A search without a command, where the first word may be a mistyped one.
fn search(args: SearchArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let query = args.query.clone().unwrap_or_default();
    let paths = args.paths.clone();
    let outcome = answer(args, flags).map_err(|error| suggest::explain(error, &query, &paths))?;
    if outcome == Outcome::Nothing
        && let Some(command) = suggest::similar_command(&query)
    {
        output::note(flags, &format!("did you mean `scent {command}`?"));
    }
    Ok(outcome)
}
