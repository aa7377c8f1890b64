//! Calls of agents' tools, and what the agents are given.

use scent_agents::hook::{Call, Finding, MAX_CHARACTERS, Place, read, reply, start_reply};
use serde_json::{Value, json};

fn names(tool: &str, input: Value) -> Vec<String> {
    let input = json!({"tool_name": tool, "tool_input": input});
    match read(&input.to_string()) {
        Some((_, Call::Search(question))) => question.names,
        _ => Vec::new(),
    }
}

#[test]
fn shell_commands_that_search_are_understood() {
    let cases: &[(&str, &[&str])] = &[
        ("grep -rn solve_dependencies .", &["solve_dependencies"]),
        ("grep -rn --include='*.py' \"def solve\" src", &["solve"]),
        ("grep -rnE 'Retry|Backoff' src/", &["Retry", "Backoff"]),
        ("egrep -r 'class Reader' .", &["Reader"]),
        ("fgrep -r 'a.b(Reader' .", &["Reader"]),
        ("grep Reader src/*.rs", &["Reader"]),
        ("rg Reader", &["Reader"]),
        ("rg -n --type rust 'fn parse_query' -A 5", &["parse_query"]),
        ("rg -A5 -e Reader -e Writer src", &["Reader", "Writer"]),
        ("rg -F 'open(' crates | head -20", &["open"]),
        ("ugrep -R Reader .", &["Reader"]),
        ("ag --python Reader", &["Reader"]),
        ("git grep -n Reader -- '*.c'", &["Reader"]),
        ("git -C sub grep Reader", &["Reader"]),
        ("cd src && rg Reader 2>/dev/null || true", &["Reader"]),
        ("find . -name '*.py' -exec grep -l Reader {} +", &["Reader"]),
        ("find . -name '*.py' | xargs grep -n Reader", &["Reader"]),
        ("find . -type f -name 'mod_access*'", &["mod_access"]),
        ("/usr/bin/grep -R Reader .", &["Reader"]),
        // Nothing is looked for, or not in a folder, or it is not certain what.
        ("git status", &[]),
        ("cat x | grep Reader", &[]),
        ("ls | rg Reader", &[]),
        ("grep Reader src/main.rs", &[]),
        ("rg Reader src/main.rs", &[]),
        ("grep -rv Reader .", &[]),
        ("grep -rf patterns.txt .", &[]),
        ("rg $NAME", &[]),
        ("rg \"$(cat name)\"", &[]),
        ("rg 'Reader", &[]),
        ("rg", &[]),
        ("echo 'rg Reader'", &[]),
        ("make grep Reader", &[]),
        ("find . -name '*.tmp' -delete", &[]),
        ("rg --files", &[]),
    ];
    for (command, want) in cases {
        assert_eq!(
            names("Bash", json!({"command": command})),
            *want,
            "{command}"
        );
    }
}

#[test]
fn tools_of_every_agent_are_understood() {
    let cases = [
        (
            "Grep",
            json!({"pattern": "parseRequest", "path": "src"}),
            vec!["parseRequest"],
        ),
        (
            "grep",
            json!({"pattern": "Reader::open"}),
            vec!["Reader::open"],
        ),
        (
            "search_file_content",
            json!({"pattern": "Reader"}),
            vec!["Reader"],
        ),
        ("Glob", json!({"pattern": "**/*access*.c"}), vec!["access"]),
        (
            "run_shell_command",
            json!({"command": "rg Reader"}),
            vec!["Reader"],
        ),
        (
            "shell",
            json!({"command": ["bash", "-lc", "rg Reader"]}),
            vec!["Reader"],
        ),
        (
            "shell",
            json!({"command": ["rg", "Reader"]}),
            vec!["Reader"],
        ),
        ("Read", json!({"file_path": "Reader.java"}), vec![]),
        ("Grep", json!({"pattern": 5}), vec![]),
        ("Bash", json!("rg Reader"), vec![]),
    ];
    for (tool, input, want) in cases {
        assert_eq!(names(tool, input.clone()), want, "{tool} {input}");
    }
}

#[test]
fn input_that_is_not_understood_gives_nothing() {
    let inputs = [
        "",
        "{",
        "[]",
        "5",
        r#"{"tool_name": "Bash"}"#,
        r#"{"tool_input": {"command": "rg Reader"}}"#,
        r#"{"hook_event_name": "Stop", "tool_name": "Grep", "tool_input": {"pattern": "Reader"}}"#,
        r#"{"hook_event_name": "BeforeTool", "tool_name": "grep", "tool_input": {"pattern": "Reader"}}"#,
    ];
    for input in inputs {
        assert_eq!(read(input), None, "{input}");
    }
}

fn place(path: &str, line: usize) -> Place {
    Place {
        path: path.to_owned(),
        line,
    }
}

#[test]
fn the_reply_has_the_form_that_the_caller_reads() {
    let call = r#"{"session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse", "tool_name": "Grep", "tool_input": {"pattern": "Reader"}}"#;
    let (caller, _) = read(call).unwrap();
    assert_eq!(caller.session.as_deref(), Some("s"));
    let finding = Finding {
        name: "Reader".to_owned(),
        definitions: vec![place("src/reader.rs", 12)],
        uses: vec![place("src/main.rs", 3), place("src/a.rs", 4)],
        total_uses: 17,
    };
    let text = "From scent, a code index that the user installed (`scent uninstall` removes it):\n\
        `Reader` is defined at src/reader.rs:12; is used at src/main.rs:3, src/a.rs:4 (17 in all)";
    let want =
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": text}});
    let got = reply(&caller, std::slice::from_ref(&finding));
    assert_eq!(got, Some(want));
    // Crush names the event otherwise and reads another form.
    let (caller, _) = read(&call.replace("hook_event_name", "event")).unwrap();
    let got = reply(&caller, &[finding]);
    assert_eq!(got, Some(json!({"version": 1, "context": text})));
    assert_eq!(reply(&caller, &[]), None);
    assert_eq!(
        reply(
            &caller,
            &[Finding {
                name: "x".to_owned(),
                ..Finding::default()
            }]
        ),
        None
    );
}

#[test]
fn a_session_gets_one_paragraph() {
    for event in ["SessionStart", "SubagentStart"] {
        let (caller, call) = read(&json!({"hook_event_name": event}).to_string()).unwrap();
        assert_eq!(call, Call::Start);
        let reply = start_reply(&caller);
        let text = reply["hookSpecificOutput"]["additionalContext"]
            .as_str()
            .unwrap();
        assert!(text.chars().count() <= MAX_CHARACTERS);
        assert_eq!(reply["hookSpecificOutput"]["hookEventName"], event);
    }
}

#[test]
fn the_reply_is_short_and_holds_nothing_hidden() {
    let (caller, _) =
        read(r#"{"tool_name": "Grep", "tool_input": {"pattern": "Reader"}}"#).unwrap();
    let many: Vec<Place> = (1..100)
        .map(|line| place(&"d/".repeat(100), line))
        .collect();
    let findings: Vec<Finding> = (0..9)
        .map(|i| Finding {
            name: format!("Reader{i}\u{202e}\u{1b}[31m\n"),
            definitions: vec![place("a\u{7}.rs", 1)],
            uses: many.clone(),
            total_uses: 99,
        })
        .collect();
    let reply = reply(&caller, &findings).unwrap();
    let text = reply["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(
        text.chars().count() <= MAX_CHARACTERS,
        "{}",
        text.chars().count()
    );
    assert!(text.contains("`Reader0[31m` is defined at a.rs:1"));
    assert!(
        text.lines()
            .all(|line| !line.contains(|c: char| c.is_control() || c == '\u{202e}'))
    );
}
