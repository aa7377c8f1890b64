//! The sections below the options of every help text and manual page.

use crate::keys;
use clap::Command;

/// A section: a title, and rows of a term with its description.
pub(crate) struct Section {
    pub title: &'static str,
    pub rows: Vec<(String, &'static str)>,
}

type Rows = &'static [(&'static str, &'static str)];

/// The sections of a command, which is named as it is typed after `scent`.
pub(crate) fn sections(command: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    let examples = EXAMPLES.iter().find(|(name, _)| *name == command);
    if let Some((_, rows)) = examples {
        sections.push(section("Examples", rows));
    }
    if command == "model use" {
        sections.push(section("Models", MODELS));
    }
    if matches!(command, "scent" | "search" | "explain") {
        sections.push(section("Query syntax", QUERY_SYNTAX));
    }
    sections.push(section("Exit status", EXIT_STATUS));
    let variables = environment(command);
    if !variables.is_empty() {
        let title = "Environment";
        let rows = variables;
        sections.push(Section { title, rows });
    }
    if matches!(command, "scent" | "config" | "config show" | "model use") {
        sections.push(section("Files", FILES));
    }
    sections
}

fn section(title: &'static str, rows: Rows) -> Section {
    let mut section = Section {
        title,
        rows: Vec::new(),
    };
    for (term, text) in rows {
        section.rows.push(((*term).to_owned(), text));
    }
    section
}

/// The same command line with these sections. They take longer to put together
/// than arguments take to parse, so this is done only where help is printed.
pub(crate) fn with_sections(program: Command) -> Command {
    add_sections(program, "scent", "")
}

/// Adds the sections to a command and to those below it, whose names begin with
/// `prefix`.
fn add_sections(command: Command, name: &str, prefix: &str) -> Command {
    let command = command.after_long_help(text(name));
    command.mut_subcommands(|inner| {
        let name = format!("{prefix}{}", inner.get_name());
        let below = format!("{name} ");
        add_sections(inner, &name, &below)
    })
}

/// The sections of a command as help prints them.
fn text(command: &str) -> String {
    let mut text = String::new();
    for Section { title, rows } in sections(command) {
        let width = rows.iter().map(|(term, _)| term.len()).max().unwrap_or(0);
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{title}:\n");
        for (term, about) in rows {
            text += &format!("  {term:<width$}  {about}\n");
        }
    }
    text
}

/// The variables that a command reads.
fn environment(command: &str) -> Vec<(String, &'static str)> {
    if matches!(command, "languages" | "completions" | "man") {
        return Vec::new();
    }
    let prints_results = matches!(
        command,
        "scent" | "search" | "explain" | "similar" | "config" | "config show"
    );
    let mut rows = Vec::new();
    for (key, variable, about) in keys::variables() {
        let of_results = key.starts_with("search.") || key.starts_with("output.");
        if prints_results || !of_results {
            rows.push((variable, about));
        }
    }
    rows.push(("SCENT_MODELS".to_owned(), "folder with the model `deep`"));
    if prints_results {
        rows.push(("NO_COLOR".to_owned(), "print no colors, if not empty"));
    }
    rows
}

const EXIT_STATUS: Rows = &[
    ("0", "Something was found, or the command succeeded"),
    ("1", "Nothing was found"),
    ("2", "An error occurred"),
    ("130, 143", "A signal ended it; what was indexed is kept"),
];

const FILES: Rows = &[
    ("~/.config/scent/config.toml", "Settings of the user"),
    ("scent.toml", "Settings of a project, in its top folder"),
    (".scentignore", "Files to exclude, or with ! to include"),
];

const QUERY_SYNTAX: Rows = &[
    ("WORDS", "Units with these words, or that mean the same"),
    ("NAME", "A name: parse_request, LineTable, Snapshot::open"),
    ("src/lock.rs", "A file, by its path or the end of it"),
    ("\"TEXT\"", "Units with this text first; alone, only those"),
    ("-WORD", "Only units without this word"),
    (
        "A AND B, A OR B",
        "Only units with both words, or with either",
    ),
    ("(A OR B) AND C", "The same for groups; f(x) stays a name"),
    (
        "lang:LANG",
        "Only this language (`scent languages` lists them)",
    ),
    ("path:GLOB", "Only files with a matching path"),
    ("-path:GLOB", "Exclude files with a matching path"),
    ("kind:KIND", "Only this kind: function, class, section, ..."),
    ("name:GLOB", "Only units with a matching name"),
    (
        "is:CATEGORY",
        "Only this category of file: code, config, docs, test,",
    ),
    ("", "example, benchmark, fixture, compat, generated,"),
    ("", "vendored, barrel, stub"),
    ("-CATEGORY", "Exclude a category of file, as in -test"),
];

const MODELS: Rows = &[
    ("small", "The model inside the program (the default)"),
    ("deep", "A larger model; embeds in the background"),
    ("FILE.safetensors", "A model that training/ exported"),
    ("ollama:NAME[@URL]", "A model of Ollama"),
    ("http[s]://HOST/v1#NAME", "A server with the OpenAI API"),
    ("FOLDER", "An ONNX model; needs the feature `onnx`"),
    ("OWNER/NAME", "An ONNX model in the Hugging Face cache"),
];

/// Examples by command. Every one of them is a valid command line.
const EXAMPLES: &[(&str, Rows)] = &[
    (
        "mcp",
        &[
            ("scent mcp", "What an agent starts"),
            ("scent mcp --root ~/work/shop", "Answer about one project"),
        ],
    ),
    ("lsp", &[("scent lsp", "What an editor starts")]),
    (
        "serve",
        &[
            ("scent serve", "Serve the current project"),
            ("scent serve ~/work/shop ~/work/lib", "Serve two projects"),
            ("scent serve --detach", "Go on in the background"),
            ("scent serve --status", "List the servers that run"),
            ("scent serve --stop", "Stop them"),
        ],
    ),
    (
        "scent",
        &[
            ("scent \"where are ranked lists fused\"", "Ask in words"),
            ("scent Snapshot::open", "Find a name"),
            ("scent crates/index/src/lock.rs", "Find a file"),
            ("scent -F 'sync_all()' crates", "Find literal text"),
            ("scent -e 'fn \\w+_need'", "Find a regular expression"),
            ("scent \"open an index lang:rust -test\"", "Filter results"),
            ("scent refs Snapshot::open", "Find references"),
            ("scent impact --diff main", "Review a change"),
        ],
    ),
    (
        "search",
        &[
            ("scent search status", "Search for a command's name"),
            (
                "scent search \"retry with a delay\" src",
                "Search one folder",
            ),
            ("scent search retry --lang rust -k 3", "Filter and limit"),
            ("scent search -e 'TODO|FIXME' -C 2", "Print context"),
            ("scent search --kind struct --name '*Error'", "List units"),
            ("scent search 'retry -test'", "Leave out a word or tests"),
            ("scent search 'retry AND (delay OR wait)'", "Combine words"),
            ("scent search retry --offset 10", "Print the next ten"),
            ("scent search -e TODO --count", "Count by file"),
            ("scent search -U -e 'a,\\n *b'", "Match across lines"),
            ("scent search retry --json", "Print JSON"),
            ("scent search --batch FILE --json", "Answer many queries"),
        ],
    ),
    (
        "explain",
        &[(
            "scent explain \"parse a query\" -k 3",
            "Explain three scores",
        )],
    ),
    (
        "similar",
        &[(
            "scent similar src/server.rs:120",
            "Find code like that at line 120",
        )],
    ),
    (
        "def",
        &[
            ("scent def Snapshot::open", "Find one definition"),
            ("scent def 'parse_*'", "Find all that match a glob"),
        ],
    ),
    (
        "refs",
        &[
            ("scent refs fuse", "Find all references"),
            ("scent refs Snapshot --role type --no-tests", "Filter them"),
            (
                "scent refs src/fuse.rs:59",
                "Of the definition around a line",
            ),
            ("scent refs src/fuse.rs:59:12", "Of the name at a column"),
        ],
    ),
    (
        "deps",
        &[
            ("scent deps src/lib.rs", "List imports"),
            (
                "scent deps src/fuse.rs --reverse --depth 3",
                "List importers",
            ),
            ("scent deps src --format dot", "Print a graph for Graphviz"),
        ],
    ),
    (
        "impact",
        &[
            ("scent impact fuse", "Of a name"),
            ("scent impact src/fuse.rs --depth 2", "Of a file"),
            ("scent impact --diff main", "Of everything since a commit"),
            (
                "scent impact --diff main --tests-only",
                "Which tests to run",
            ),
        ],
    ),
    (
        "callpath",
        &[(
            "scent callpath main Snapshot::open",
            "How does main get there?",
        )],
    ),
    (
        "unused",
        &[
            ("scent unused", "Of the whole project"),
            ("scent unused src --kind function", "Functions of a folder"),
            (
                "scent unused --min-confidence 0.3",
                "Public ones of a library, too",
            ),
        ],
    ),
    (
        "cycles",
        &[
            ("scent cycles", "Of the whole project"),
            ("scent cycles src/lib.rs", "Those that a file is in"),
        ],
    ),
    (
        "outline",
        &[
            (
                "scent outline src/lib.rs --public",
                "List the public API of a file",
            ),
            ("scent outline src -k 3", "List the files of a folder"),
        ],
    ),
    (
        "map",
        &[
            ("scent map", "Read this first in a project"),
            ("scent map src --max-tokens 500", "Map one folder"),
        ],
    ),
    (
        "index",
        &[
            ("scent index", "Index the current project"),
            ("scent index --wait", "Wait until all of it is embedded"),
            ("scent index --rebuild ~/src/app", "Start from scratch"),
        ],
    ),
    (
        "status",
        &[
            ("scent status", "Show the index of this project"),
            ("scent status --skipped", "List skipped files"),
        ],
    ),
    (
        "clear",
        &[
            ("scent clear", "Remove the index of this project"),
            ("scent clear --all", "Remove all indexes"),
            (
                "scent clear --unused 30d --dry-run",
                "List what nobody used for 30 days",
            ),
        ],
    ),
    (
        "indexes",
        &[
            ("scent indexes", "The largest first"),
            (
                "scent indexes --sort used",
                "The one that was used last first",
            ),
        ],
    ),
    (
        "install",
        &[
            ("scent install", "For the agents that are found"),
            ("scent install claude-code --dry-run", "Show the changes"),
            ("scent install codex --project", "In this project alone"),
            ("scent install cursor --all", "With all parts"),
            ("scent install --list", "List agents"),
        ],
    ),
    (
        "context",
        &[
            ("scent context src/server.rs:120", "At a line of a file"),
            ("scent context src/server.rs:120 --stdin", "Of unsaved text"),
        ],
    ),
    (
        "doctor",
        &[
            ("scent doctor", "Check scent and the agents that are found"),
            ("scent doctor codex --json", "Check one agent"),
        ],
    ),
    (
        "hook",
        &[("scent hook", "What an agent runs beside its searches")],
    ),
    (
        "uninstall",
        &[
            ("scent uninstall", "Remove it from all agents"),
            ("scent uninstall codex --hook", "Remove one part of it"),
        ],
    ),
    ("languages", &[("scent languages", "List all languages")]),
    (
        "units",
        &[("scent units src/lib.rs", "Show the units of a file")],
    ),
    (
        "model",
        &[
            ("scent model", "Show the model in use"),
            ("scent model use deep", "Use the larger model"),
        ],
    ),
    (
        "model use",
        &[("scent model use ollama:nomic-embed-text", "Use Ollama")],
    ),
    ("config", &[("scent config show", "Show all settings")]),
    ("config show", &[("scent config show --json", "Print JSON")]),
    (
        "completions",
        &[("scent completions fish", "Print the script for fish")],
    ),
    (
        "man",
        &[
            ("scent man | man -l -", "Read the manual"),
            ("scent man refs", "Print the page of `scent refs`"),
            (
                "scent man --out ~/.local/share/man/man1",
                "Install all pages",
            ),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::EXAMPLES;
    use crate::args::Cli;
    use clap::{Command, CommandFactory, Parser};

    /// Every command with its name as it is typed after `scent`.
    fn commands(command: &Command, name: &str, all: &mut Vec<(String, Command)>) {
        all.push((name.to_owned(), command.clone()));
        for inner in command.get_subcommands() {
            if inner.get_name() == "help" || inner.is_hide_set() {
                continue;
            }
            let prefix = if name == "scent" { "" } else { name };
            let name = format!("{prefix} {}", inner.get_name());
            commands(inner, name.trim(), all);
        }
    }

    fn all_commands() -> Vec<(String, Command)> {
        let mut all = Vec::new();
        let mut root = super::with_sections(Cli::command());
        root.build();
        commands(&root, "scent", &mut all);
        all
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        for (name, _) in all_commands() {
            let examples = EXAMPLES.iter().find(|(command, _)| *command == name);
            let (_, rows) = examples.unwrap_or_else(|| panic!("{name} has no examples"));
            for (line, _) in *rows {
                let line = line.split(" | ").next().unwrap_or(line);
                let words = shlex::split(line).expect("quotes are closed");
                if let Err(error) = Cli::try_parse_from(words) {
                    panic!("{line}: {error}");
                }
            }
        }
    }

    #[test]
    fn help_fits_into_80_columns() {
        for (name, command) in all_commands() {
            let mut command = command.term_width(80);
            let short = command.render_help().to_string();
            let long = command.render_long_help().to_string();
            for line in short.lines().chain(long.lines()) {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
            let about = command.get_about().expect("a summary").to_string();
            assert!(
                !about.contains('\n') && !about.ends_with('.'),
                "{name}: {about}"
            );
        }
    }

    #[test]
    fn the_help_of_a_search_names_every_variable() {
        for command in ["scent", "search"] {
            let text = super::text(command);
            for (_, variable, _) in crate::keys::variables() {
                assert!(text.contains(&variable), "{command}: {variable}");
            }
        }
    }
}
