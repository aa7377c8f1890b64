//! What the tools of agents, and the programs that search, look for.

use super::Question;
use super::pattern;
use super::shell::{Simple, simple_commands};
use serde::Deserialize;
use serde_json::Value;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    agent_tools: AgentTools,
    programs: Vec<Program>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentTools {
    shell: Vec<String>,
    content: Vec<String>,
    files: Vec<String>,
    shell_keys: Vec<String>,
    content_keys: Vec<String>,
    files_keys: Vec<String>,
    path_keys: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    names: Vec<String>,
    /// Whether it goes through folders without being asked to.
    recursive: bool,
    short_values: String,
    long_values: Vec<String>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let tables = toml::from_str(include_str!("tools.toml"));
    tables.unwrap_or_else(|e| panic!("hook/tools.toml: {e}"))
});

/// What a call of an agent's tool looks for.
pub(super) fn question(tool: &str, input: &Value) -> Option<Question> {
    let tools = &TABLES.agent_tools;
    let tool = tool.to_ascii_lowercase();
    let path = || {
        let path = first(input, &tools.path_keys).and_then(Value::as_str);
        path.map(str::to_owned).into_iter().collect()
    };
    if tools.content.contains(&tool) {
        let asked = pattern::question(first(input, &tools.content_keys)?.as_str()?, false)?;
        return Some(in_paths(asked, path()));
    }
    if tools.files.contains(&tool) {
        let asked = pattern::question_of_files(first(input, &tools.files_keys)?.as_str()?)?;
        return Some(in_paths(asked, path()));
    }
    if !tools.shell.contains(&tool) {
        return None;
    }
    match first(input, &tools.shell_keys)? {
        Value::String(line) => in_line(line),
        Value::Array(words) => in_words(words),
        _ => None,
    }
}

fn in_paths(question: Question, paths: Vec<String>) -> Question {
    Question { paths, ..question }
}

fn first<'v>(input: &'v Value, keys: &[String]) -> Option<&'v Value> {
    keys.iter().find_map(|key| input.get(key))
}

/// A command as a list of words, which may be a shell with a line.
fn in_words(words: &[Value]) -> Option<Question> {
    let words: Option<Vec<String>> = words.iter().map(|w| Some(w.as_str()?.to_owned())).collect();
    let words = words?;
    if let [shell, flag, line] = words.as_slice()
        && shell.ends_with("sh")
        && matches!(flag.as_str(), "-c" | "-lc")
    {
        return in_line(line);
    }
    of_command(&words, Input::Folder)
}

fn in_line(line: &str) -> Option<Question> {
    let found = simple_commands(line)?;
    found
        .iter()
        .filter(|command| !command.has_variables)
        .find_map(of_simple)
}

fn of_simple(command: &Simple) -> Option<Question> {
    let input = if command.is_piped {
        Input::Pipe
    } else {
        Input::Folder
    };
    of_command(&command.words, input)
}

/// What a program searches where it is given no path.
#[derive(Clone, Copy, PartialEq)]
enum Input {
    Folder,
    /// What another program writes.
    Pipe,
    /// The files that another program lists.
    Files,
}

fn of_command(words: &[String], input: Input) -> Option<Question> {
    let (program, arguments) = words.split_first()?;
    match program.rsplit('/').next()? {
        "find" => of_find(arguments),
        "xargs" if input == Input::Pipe => of_command(after_xargs(arguments)?, Input::Files),
        "git" => {
            let mut rest = arguments;
            while let [flag, _, more @ ..] = rest
                && matches!(flag.as_str(), "-C" | "-c")
            {
                rest = more;
            }
            let (command, arguments) = rest.split_first()?;
            of_program(&format!("git {command}"), arguments, Input::Folder)
        }
        name => of_program(name, arguments, input),
    }
}

/// What stands behind the options of `xargs`.
fn after_xargs(arguments: &[String]) -> Option<&[String]> {
    let mut rest = arguments;
    while let [flag, more @ ..] = rest {
        match flag.as_str() {
            "-I" | "-n" | "-P" | "-L" | "-d" | "-s" => rest = more.get(1..)?,
            flag if flag.starts_with('-') => rest = more,
            _ => break,
        }
    }
    Some(rest)
}

/// `find` looks for names, or hands the files that it finds to a program.
fn of_find(arguments: &[String]) -> Option<Question> {
    let position = |names: &[&str]| arguments.iter().position(|a| names.contains(&a.as_str()));
    if let Some(at) = position(&["-exec", "-execdir"]) {
        let words = &arguments[at + 1..];
        let end = words
            .iter()
            .position(|w| w == ";" || w == "+")
            .unwrap_or(words.len());
        return of_command(&words[..end], Input::Files);
    }
    if position(&["-delete", "-not", "!"]).is_some() {
        return None;
    }
    let at = position(&["-name", "-iname", "-path", "-ipath"])?;
    let folders = arguments.iter().take_while(|word| !word.starts_with('-'));
    let folders = folders.cloned().collect();
    let asked = pattern::question_of_files(arguments.get(at + 1)?)?;
    Some(in_paths(asked, folders))
}

/// What the options and arguments of a program say.
#[derive(Default)]
struct Parsed<'w> {
    patterns: Vec<&'w str>,
    others: Vec<&'w str>,
    is_literal: bool,
    is_recursive: bool,
}

fn of_program(name: &str, arguments: &[String], input: Input) -> Option<Question> {
    let program = TABLES
        .programs
        .iter()
        .find(|p| p.names.iter().any(|n| n == name))?;
    let mut parsed = parse(program, arguments)?;
    parsed.is_literal |= name == "fgrep";
    if parsed.patterns.is_empty() {
        if parsed.others.is_empty() {
            return None;
        }
        parsed.patterns.push(parsed.others.remove(0));
    }
    let reads_files = match input {
        Input::Files => true,
        Input::Pipe => !parsed.others.is_empty(),
        Input::Folder => parsed.is_recursive || !parsed.others.is_empty(),
    };
    let goes_wide = input == Input::Files || is_wide(&parsed);
    if !reads_files || !goes_wide {
        return None;
    }
    let is_literal = parsed.is_literal && parsed.patterns.len() == 1;
    let asked = pattern::question(&parsed.patterns.join("|"), is_literal)?;
    let paths = parsed.others.iter().map(|path| (*path).to_owned());
    Some(in_paths(asked, paths.collect()))
}

/// Whether more is searched than a file that the agent knows already.
fn is_wide(parsed: &Parsed) -> bool {
    let is_glob = |path: &&str| path.contains(['*', '?', '[']);
    if !parsed.is_recursive {
        return parsed.others.iter().any(is_glob);
    }
    let is_file = |path: &&str| {
        let last = path
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default();
        let has_ending = last.trim_start_matches('.').contains('.');
        has_ending && !path.ends_with('/') && !is_glob(path)
    };
    parsed.others.is_empty() || !parsed.others.iter().all(is_file)
}

/// Reads arguments by the table of the program. Nothing where they say that
/// what is looked for stands elsewhere, or is what shall not be there.
fn parse<'w>(program: &Program, arguments: &'w [String]) -> Option<Parsed<'w>> {
    let mut parsed = Parsed {
        is_recursive: program.recursive,
        ..Parsed::default()
    };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if word == "--" {
            parsed.others.extend(words.by_ref());
        } else if let Some(long) = word.strip_prefix("--") {
            long_option(program, &mut parsed, long, &mut words)?;
        } else if word.len() > 1 && word.starts_with('-') {
            short_options(program, &mut parsed, &word[1..], &mut words)?;
        } else {
            parsed.others.push(word);
        }
    }
    Some(parsed)
}

fn long_option<'w>(
    program: &Program,
    parsed: &mut Parsed<'w>,
    option: &'w str,
    words: &mut impl Iterator<Item = &'w str>,
) -> Option<()> {
    let (name, given) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    let takes_value = program.long_values.iter().any(|known| known == name);
    let value = if takes_value && given.is_none() {
        words.next()
    } else {
        given
    };
    match name {
        "regexp" => parsed.patterns.push(value?),
        "fixed-strings" | "literal" => parsed.is_literal = true,
        "recursive" | "dereference-recursive" => parsed.is_recursive = true,
        "file" | "files" | "invert-match" | "type-list" | "version" | "help" => return None,
        _ => {}
    }
    Some(())
}

fn short_options<'w>(
    program: &Program,
    parsed: &mut Parsed<'w>,
    cluster: &'w str,
    words: &mut impl Iterator<Item = &'w str>,
) -> Option<()> {
    for (at, option) in cluster.char_indices() {
        if program.short_values.contains(option) {
            let rest = &cluster[at + option.len_utf8()..];
            let value = if rest.is_empty() { words.next()? } else { rest };
            match option {
                'e' => parsed.patterns.push(value),
                'f' => return None,
                _ => {}
            }
            return Some(());
        }
        match option {
            'r' | 'R' => parsed.is_recursive = true,
            'F' | 'Q' => parsed.is_literal = true,
            'v' => return None,
            _ => {}
        }
    }
    Some(())
}
