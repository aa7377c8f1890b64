//! What files, settings and arguments hold is shown, and never obeyed.
//!
//! Every command runs in every form of output over a project in which all that
//! has a name, a text or a value is hostile. A new command fails here until it
//! has a line in [`COMMANDS`]; a new form of output is found in the help.

use crate::world::*;
use serde_json::Value;
use std::fs;

/// Each kind of thing that a terminal obeys or a reader does not see: the
/// title, a cleared screen, the same as one C1 character, a line that goes
/// back to its start, rubbed out letters, directions, letters of no width.
const EVIL: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}1A\u{90}\r\u{8}\u{7f}\u{b}\u{85}\
                    \u{202e}\u{202d}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}\
                    \u{200b}\u{200d}\u{2060}\u{feff}\u{ad}\u{2028}\u{fe0f}\u{e0041}";

/// The same without what is a line end somewhere.
const EVIL_WORD: &str = "\u{1b}[31m\u{9b}1A\u{202e}\u{2066}\u{200f}\u{200b}\u{feff}\u{e0041}";

/// What a name puts on a line of its own, if it can.
const FAKE: &str = "FAKE";

/// What may stand in a file name here.
fn evil_name(stem: &str) -> String {
    match cfg!(windows) {
        true => format!("{stem}\u{202e}\u{2066}\u{200f}\u{200b}\u{feff}"),
        false => format!("{stem}{EVIL}\n{FAKE}"),
    }
}

/// The project, and the names in it that answers hold.
struct Trap {
    world: World,
    source: String,
    symbol: String,
}

impl Trap {
    fn new() -> Trap {
        let world = World::new(&[(".git/HEAD", "x\n")]);
        let folder = evil_name("dir");
        let source = format!("{folder}/{}.kt", evil_name("pay"));
        let symbol = format!("pay{EVIL_WORD}");
        // Kotlin calls a function whatever stands between backticks.
        let kotlin = format!(
            "/** Payment {EVIL} in words. */\nfun `{symbol}`(a: Int): Int {{\n    \
             val text = \"{EVIL}\"\n    return a\n}}\n\n\
             fun `user{EVIL_WORD}`() {{\n    `{symbol}`(1) // payment {EVIL}\n}}\n"
        );
        world.write(&source, kotlin);
        let module = format!("mod{EVIL_WORD}");
        world.write(
            &format!("{folder}/main.js"),
            format!(
                "import {{ ad\u{200d}min }} from \"./{module}.js\";\n\
                 import {{ other }} from \"{EVIL_WORD}\";\n\
                 // payment {EVIL}\nexport function payment() {{ ad\u{200d}min(); }}\n"
            ),
        );
        world.write(
            &format!("{folder}/{module}.js"),
            format!("export function ad\u{200d}min() {{ return \"{EVIL}\"; }}\n"),
        );
        let guide = format!(
            "# Guide {EVIL}\n\npayment ``` {EVIL}\n~~~\n````\n\n## `x`\u{1b}[1m [a](b)\n\npayment\n"
        );
        world.write(&format!("{folder}/{}.md", evil_name("guide")), guide);
        let settings = format!("[\"payment{EVIL_WORD}\"]\n\"key{EVIL_WORD}\" = \"{EVIL_WORD}\"\n");
        world.write(&format!("{folder}/a.toml"), settings);
        world.write(&format!("{folder}/{}.bin", evil_name("skipped")), [0u8; 64]);
        let broken = format!("def )(:{EVIL}\n    payment(\n\nclass {EVIL}:\n def\n");
        world.write(&format!("{folder}/{}.py", evil_name("broken")), broken);
        let long = "long".repeat(20_000);
        world.write("long.py", format!("def {long}():\n    payment = 1\n"));
        // An escape is what TOML takes for a control character.
        let linked = "linked = [\"../no\\u001b]0;x\\u0007\\u009b\\u202E\\u000aFAKE\"]\n";
        world.write("scent.toml", format!("[search]\n{linked}"));
        Trap {
            world,
            source,
            symbol,
        }
    }

    /// Puts the names of this project into an argument.
    fn argument(&self, word: &str) -> String {
        let folder = self.source.split('/').next().unwrap();
        let evil = format!("{EVIL}\n{FAKE}");
        let word = word
            .replace("SOURCE", &self.source)
            .replace("FOLDER", folder);
        word.replace("SYMBOL", &self.symbol).replace("EVIL", &evil)
    }
}

/// How each command is run; SOURCE, FOLDER, SYMBOL and EVIL stand for names of
/// the project. Each line runs in every form of output that the command has.
const COMMANDS: &[&str] = &[
    "search payment",
    "search payment --full -N -k 50",
    "search payment --max-tokens 60",
    "search payment -l -k 1",
    "search payment --explain --trace trace.jsonl -k 50",
    "search payment FOLDER --per-file 1 --timing",
    "search payment --count",
    "search payment --vimgrep -k 50",
    "search -e payment --no-ignore",
    "search -e payment.*\\n -U -C 1",
    "search --batch queries",
    "search --batch EVIL",
    "search payment AND EVIL",
    "search payment --timeout EVIL",
    "search EVIL",
    "search -F EVIL",
    "search -e (EVIL",
    "search -e payment.* -C 1",
    "search payment --lang EVIL",
    "search payment --kind EVIL",
    "search payment --near EVIL",
    "search payment --path EVIL",
    "search payment --name [EVIL",
    "search payment --lanes EVIL",
    "search payment -C EVIL",
    "search payment EVIL",
    "search payment --trace EVIL/EVIL",
    "explain payment",
    "explain SYMBOL",
    "similar SOURCE:2",
    "similar SOURCE:99",
    "similar EVIL",
    "similar EVIL:1",
    "def SYMBOL",
    "def payment*",
    "def * --max-tokens 1",
    "def EVIL",
    "def payment EVIL",
    "refs SYMBOL --include-text",
    "refs SOURCE:2",
    "refs SOURCE:8",
    "refs SOURCE:99",
    "refs payment --role EVIL",
    "refs EVIL",
    "deps FOLDER",
    "deps SOURCE",
    "deps FOLDER --reverse --depth 2",
    "deps EVIL",
    "impact SYMBOL",
    "impact SYMBOL -k 1",
    "impact SOURCE",
    "impact EVIL",
    "impact --diff EVIL",
    "impact --diff=-EVIL",
    "callpath userEVIL SYMBOL",
    "callpath payment EVIL",
    "callpath EVIL EVIL",
    "path EVIL EVIL",
    "unused",
    "unused FOLDER --min-confidence 0",
    "unused --kind EVIL",
    "unused EVIL",
    "cycles",
    "cycles FOLDER -k 1",
    "cycles EVIL",
    "outline SOURCE FOLDER/main.js long.py",
    "outline SOURCE --max-tokens 1",
    "outline EVIL",
    "outline FOLDER",
    "outline FOLDER -k 1",
    "map",
    "map --max-tokens 1",
    "map FOLDER --format markdown",
    "map EVIL",
    "map --format EVIL",
    "index",
    "index --rebuild",
    "index EVIL",
    "status",
    "status --skipped",
    "status --unhealthy",
    "status EVIL",
    "indexes",
    "indexes --sort EVIL",
    "clear --unused 1h --dry-run",
    "clear --unused EVIL",
    "units SOURCE FOLDER/a.toml FOLDER/main.js",
    "units --files-from list",
    "units --files-from EVIL",
    "units EVIL",
    "model",
    "model --model EVIL",
    "model use EVIL",
    "config show",
    "config show --data-dir EVIL",
    "config EVIL",
    "languages",
    "languages EVIL",
    "completions bash",
    "completions zsh",
    "completions EVIL",
    "man",
    "man EVIL",
    "clear EVIL",
    "clear",
    "help EVIL",
    "install EVIL",
    "install codex --program EVIL",
    "install --list",
    "install codex --project --print --program scent",
    "install claude-code --project --dry-run",
    "uninstall EVIL",
    "uninstall --project --dry-run",
    "context SOURCE:3",
    "context FOLDER/main.js:4 --max-tokens 60",
    "context SOURCE:99 --stdin",
    "context EVIL:1",
    "context EVIL",
    "doctor",
    "doctor codex",
    "doctor EVIL",
    "hook",
    "hook EVIL",
    "mcp EVIL",
    "mcp --root EVIL",
    "mcp --patience EVIL",
    "lsp EVIL",
    "lsp --patience EVIL",
    "serve SOURCE/EVIL",
    "serve --port EVIL",
    "serve --listen EVIL",
    "serve --status",
    "serve --stop --port 1",
    "serve --token-file FOLDER",
    "serve --listen 0.0.0.0 --no-token",
];

/// Words that are no command, and flags of all commands.
const BARE: &[&str] = &[
    "payment",
    "EVIL",
    "--EVIL",
    "-EVIL",
    "payment --color EVIL",
    "payment --limit EVIL",
    "payment --data-dir=SOURCE/EVIL",
    "payment --model ollama:EVIL@http://127.0.0.1:1",
    "payment --model http://127.0.0.1:1/v1#EVIL",
    "payment --model EVIL/EVIL",
];

/// The forms of output that the help of a command names.
fn forms(world: &World, line: &str) -> Vec<Vec<String>> {
    let help = help(world, line);
    let values = help
        .split("--format <FORMAT>")
        .nth(1)
        .and_then(|text| text.split_once("values: "));
    let values = values.and_then(|(_, text)| text.split(']').next());
    let formats = values
        .map(|values| values.split(", "))
        .into_iter()
        .flatten();
    let mut forms = vec![vec![], vec!["--color", "always"]];
    forms.extend(help.contains("--json").then(|| vec!["--json"]));
    forms.extend(formats.map(|format| vec!["--format", format]));
    forms
        .iter()
        .map(|form| form.iter().map(|word| (*word).to_owned()).collect())
        .collect()
}

/// The help of a command. Only `config` and `model` have two words.
fn help(world: &World, line: &str) -> String {
    let words: Vec<&str> = line
        .split(' ')
        .take_while(|word| !word.starts_with('-'))
        .collect();
    let count = words.len().min(2);
    let helps = (0..=count)
        .rev()
        .map(|count| world.run(&[&words[..count], &["--help"]].concat()));
    helps
        .map(|run| run.out)
        .find(|out| out.contains("Usage:"))
        .unwrap()
}

/// The first thing that is not to reach a terminal.
fn hostile(text: &str, colors: bool) -> Option<char> {
    let mut plain = text.to_owned();
    if colors {
        for code in ["0", "1", "2", "32", "35", "31"] {
            plain = plain.replace(&format!("\x1b[{code}m"), "");
        }
    }
    let is_hostile = |c: &char| match *c {
        '\n' | '\t' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => true,
        '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    };
    plain.chars().find(is_hostile)
}

fn check(what: &str, run: &Run, form: &[String]) {
    let colors = form.iter().any(|word| word == "always");
    for text in [&run.out, &run.err] {
        assert_eq!(hostile(text, colors), None, "{what} {form:?}: {text:?}");
        // Further lines of an error are indented.
        let fakes = text.lines().any(|line| line.starts_with(FAKE));
        assert!(!fakes, "{what} {form:?}: {text}");
    }
    assert!(
        !run.err.contains("panicked"),
        "{what} {form:?}: {}",
        run.err
    );
    assert!(
        run.code.is_some_and(|code| code <= 2),
        "{what} {form:?}: {run:?}"
    );
    if form.iter().any(|word| word.ends_with("json")) && !run.out.is_empty() {
        values(&run.out);
    }
}

/// JSON, in one piece or one value a line.
fn values(text: &str) -> Vec<Value> {
    let whole = serde_json::from_str(text).map(|value| vec![value]);
    whole.unwrap_or_else(|_| {
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON a line"))
            .collect()
    })
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    let trap = Trap::new();
    trap.world
        .write("list", format!("{}\nno{EVIL_WORD}\n", "long.py"));
    let queries = format!("payment\nlang:{EVIL_WORD}\n{EVIL_WORD}\n");
    trap.world.write("queries", queries);
    let instructions = format!("{EVIL}\n<!-- scent:start v1 -->\n<!-- scent:end -->\n{EVIL}");
    trap.world.write("CLAUDE.md", instructions);
    let entry = format!("{{\"mcpServers\": {{\"scent\": {{\"command\": \"{EVIL_WORD}\"}}}}}}");
    trap.world.write(".mcp.json", entry);
    trap.world
        .write("AGENTS.md", format!("<!-- scent:start {EVIL}"));
    let mut runs = 0;
    for line in COMMANDS.iter().chain(BARE) {
        let args: Vec<String> = line.split(' ').map(|word| trap.argument(word)).collect();
        for form in forms(&trap.world, line) {
            let words: Vec<&str> = args.iter().chain(&form).map(String::as_str).collect();
            check(line, &trap.world.run(&words), &form);
            runs += 1;
        }
    }
    assert!(runs > 2 * COMMANDS.len(), "{runs} runs");
    let trace = fs::read_to_string(trap.world.root.join("trace.jsonl")).unwrap();
    assert_eq!(hostile(&trace, false), None, "{trace:?}");
    assert!(values(&trace).len() > 2, "{trace}");
}

/// Links to files whose names would end the link, or begin another.
#[test]
fn links_hold_nothing_hostile() {
    let trap = Trap::new();
    for line in [
        "search payment -k 50",
        "search payment -l",
        "search payment --count",
        "search -e payment --no-ignore",
        "def SYMBOL",
        "refs SYMBOL",
        "deps FOLDER",
        "impact SYMBOL",
        "callpath userEVIL SYMBOL",
        "outline SOURCE",
        "units SOURCE",
        "status --skipped",
    ] {
        let args = line.split(' ').map(|word| trap.argument(word));
        let mut command = trap.world.command();
        let run = ended(command.args(args).args(["--hyperlinks", "always"]));
        let (plain, links) = without_links(&run.out);
        assert!(links > 0 || line.starts_with("callpath"), "{line}: {run:?}");
        assert_eq!(hostile(&plain, false), None, "{line}: {:?}", run.out);
    }
    let auto = trap.world.run(&["search", "payment"]);
    assert!(!auto.out.contains("\u{1b}]8"), "no terminal, no links");
}

/// A text without the links in it, and how many there are.
fn without_links(text: &str) -> (String, usize) {
    let mut pieces = text.split("\u{1b}]8;;");
    let mut plain = pieces.next().unwrap_or("").to_owned();
    let mut links = 0;
    for piece in pieces {
        let (address, rest) = piece.split_once("\u{1b}\\").expect("a link ends");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/-._~:%".contains(c);
        assert!(address.chars().all(is_plain), "{address:?}");
        links += usize::from(address.starts_with("file:///"));
        plain += rest;
    }
    (plain, links)
}

#[test]
fn every_command_is_tried() {
    let help = World::sample().found(&["--help"]);
    let commands = help
        .split("Commands:\n")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    let names: Vec<&str> = commands
        .lines()
        .filter_map(|line| line.split(' ').nth(2))
        .collect();
    assert!(names.len() > 15 && names.contains(&"def"), "{names:?}");
    for name in names {
        let is_tried = COMMANDS
            .iter()
            .any(|line| line.split(' ').next() == Some(name));
        assert!(is_tried, "add lines for `scent {name}` to COMMANDS");
    }
}

/// The names are there: what is shown of them tells them apart, and JSON has
/// them as they are.
#[test]
fn hostile_names_are_shown_and_kept() {
    let trap = Trap::new();
    let shown = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| trap.argument(word)).collect();
        trap.world
            .run(&words.iter().map(String::as_str).collect::<Vec<_>>())
            .out
    };
    let (path, symbol) = (trap.source.as_str(), trap.symbol.as_str());
    let broken = path.replace("/pay", "/broken").replace(".kt", ".py");
    let skipped = path.replace("/pay", "/skipped").replace(".kt", ".bin");
    let cases: [(&[&str], &[&str]); 10] = [
        (&["search", "payment", "-k", "50"], &[path, symbol]),
        (&["explain", "SYMBOL"], &[path, symbol]),
        (&["similar", "SOURCE:2", "-k", "50"], &[path]),
        (&["def", "SYMBOL"], &[path, symbol]),
        (&["refs", "SYMBOL"], &[path, symbol]),
        (&["impact", "SYMBOL"], &[path, symbol]),
        (&["outline", "SOURCE"], &[path, symbol]),
        (&["units", "SOURCE"], &[path, symbol]),
        (&["status", "--skipped"], &[&skipped]),
        (&["status", "--unhealthy"], &[&broken]),
    ];
    for (words, names) in cases {
        let text = shown(words);
        assert_holds(&text, &["\\u{202e}"], words[0]);
        let answer = shown(&[words, &["--json"]].concat());
        let mut strings = Vec::new();
        values(&answer)
            .iter()
            .for_each(|value| gather(value, &mut strings));
        for name in names {
            let is_kept = strings.iter().any(|text| text.contains(name));
            assert!(is_kept, "{words:?}: {name:?} in {answer}");
        }
    }
    // A name of 80,000 letters is not written out for people.
    assert!(shown(&["outline", "long.py"]).len() < 1_000);
}

/// All strings of a value.
fn gather(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| gather(item, strings)),
        Value::Object(fields) => fields.values().for_each(|field| gather(field, strings)),
        _ => {}
    }
}

#[test]
fn hostile_settings_are_shown() {
    let files = [
        format!("not toml {EVIL}\n"),
        format!("[search]\n\"lim{EVIL_WORD}\" = 1\n"),
        "[search]\nlimit = \"\\u001b]0;x\\u0007\\u202E\\u000aFAKE\"\n".to_owned(),
        "[output]\ncolor = \"\\u009b\\u202E\\u000aFAKE\"\n".to_owned(),
        "[output]\ncontext = \"\\u001b\\u202E\\u000aFAKE\"\n".to_owned(),
        "model = \"\\u001b\\u202E\\u000aFAKE\"\n".to_owned(),
        "data_dir = \"data\\u001b\\u202E\\u000aFAKE\"\n".to_owned(),
        "[search]\nlinked = \"\\u001b\\u202E\\u000aFAKE\"\n".to_owned(),
    ];
    for text in files {
        let world = World::sample();
        world.write("scent.toml", &text);
        for words in [
            &["retry"][..],
            &["config", "show"],
            &["def", "retry"],
            &["index"],
        ] {
            check(&format!("{words:?} with {text:?}"), &world.run(words), &[]);
        }
    }
    let world = World::sample();
    let keys = world.found(&["config", "show", "--json"]);
    for setting in values(&keys)[0]["settings"].as_array().unwrap() {
        let name = setting["environment"].as_str().unwrap();
        let value = format!("{}\n{FAKE}", EVIL.replace('\0', ""));
        for words in [&["retry"][..], &["config", "show"], &["status"], &["model"]] {
            let run = ended(world.command().env(name, &value).args(words));
            check(&format!("{words:?} with {name}"), &run, &[]);
        }
    }
}

/// A name that is no text is shown as well as it can be.
#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::sample();
    let name = std::ffi::OsStr::from_bytes(b"a\xff\x1b.rs");
    fs::write(world.root.join(name), "fn retry() {}\nfn other() {}\n").unwrap();
    let runs: [&[&str]; 5] = [
        &["retry"],
        &["outline", "--max-tokens", "1"],
        &["units"],
        &["deps"],
        &["--unknown"],
    ];
    for words in runs {
        let run = ended(world.command().args(words).arg(name));
        check(&format!("{words:?}"), &run, &[]);
    }
}

/// What a file holds does not leave its block, and a name not its span.
#[test]
fn markdown_in_a_file_is_not_read() {
    let world = World::new(&[(".git/HEAD", "x\n")]);
    let text = "# Head `x` [a](b) <b>\n\nmark ``` ~~~\n````\n# not a heading\r# nor this\n~~~\n";
    world.write("a`b.md", text);
    let out = world.found(&["mark", "--full", "--format", "markdown"]);
    assert_holds(
        &out,
        &["### ``a`b.md:1-6`` section ``Head `x` [a](b) <b>``\n"],
        "names",
    );
    let fence = out.lines().find(|line| line.starts_with("`````")).unwrap();
    let (outside, inside): (Vec<_>, Vec<_>) = {
        let mut is_inside = false;
        out.lines().partition(|line| {
            is_inside ^= line.starts_with(fence.trim_end_matches(char::is_alphabetic));
            !is_inside
        })
    };
    assert!(
        !outside.iter().any(|line| line.contains("not a heading")),
        "{out}"
    );
    assert!(
        inside
            .iter()
            .any(|line| line.contains("not a heading\\u{d}# nor")),
        "{out}"
    );
}
