//! Literals and expressions.

use crate::world::*;
use serde_json::Value;

const LINES: &str = "\
Retry the retry
retrying
RETRY now
a.b(c)[d]{e}^f$g|h*i+j?k\\l
tab\there
ünïcode Straße
C:\\new\\table
--flag=value -e
100% \"quoted\" 'single' `tick`
re try
";

/// The numbers of the lines of `lines.txt` that a search shows.
fn lines_shown(world: &World, args: &[&str]) -> Vec<u64> {
    let answer = world.json(&[&["-k", "1000"], args].concat());
    let numbers = |result: &Value| result["snippet_lines"].as_array().unwrap().clone();
    let all = results(&answer).iter().flat_map(numbers);
    all.map(|number| number.as_u64().unwrap()).collect()
}

#[test]
fn patterns_find_every_line_that_matches() {
    let world = World::new(&[(".git/HEAD", "x\n"), ("lines.txt", LINES)]);
    let cases: [(&[&str], &[u64]); 22] = [
        (&["-e", "retry"], &[1, 2, 3]),
        (&["-e", "Retry"], &[1]),
        (&["-e", "retry", "-s"], &[1, 2]),
        (&["-e", "RETRY", "-s"], &[3]),
        (&["-e", "RETRY", "-i"], &[1, 2, 3]),
        (&["-e", "retry", "-w"], &[1, 3]),
        (&["-e", "retry", "-w", "-s"], &[1]),
        (&["-F", "retry", "-w"], &[1, 3]),
        (&["-e", "^re"], &[1, 2, 3, 10]),
        (&["-e", "y$"], &[1, 10]),
        (&["-e", "re.?try"], &[1, 2, 3, 10]),
        (&["-e", "retry (the|now)"], &[1, 3]),
        (&["-e", "now|tick"], &[3, 9]),
        (&["-e", "(?-i:retry)"], &[1, 2]),
        (&["-e", r"\d{3}%"], &[9]),
        (&["-e", "straße"], &[6]),
        (&["-e", "STRASSE"], &[]),
        (&["-F", "-e", "a.b("], &[4]),
        (&["-e", "--flag"], &[8]),
        (&["-e", r"C:\\new"], &[7]),
        (&["-F", r"\new\t"], &[7]),
        (&["-F", "a.c"], &[]),
    ];
    for (args, want) in cases {
        assert_eq!(lines_shown(&world, args), want, "{args:?}");
    }
}

#[test]
fn literals_that_exist_are_found() {
    let world = World::new(&[(".git/HEAD", "x\n"), ("lines.txt", LINES)]);
    for (nth, line) in (1..).zip(LINES.lines()) {
        let chars: Vec<char> = line.chars().collect();
        let half: String = chars[chars.len() / 2..].iter().collect();
        let first_three: String = chars[..3].iter().collect();
        for literal in [line.to_owned(), half, first_three] {
            let shown = lines_shown(&world, &["-F", "-s", "-e", &literal]);
            assert!(shown.contains(&nth), "{literal:?}: {shown:?}");
        }
    }
    // Without -e the query is the literal.
    assert_eq!(lines_shown(&world, &["-F", "^f$g|h*"]), [4]);
    assert_eq!(lines_shown(&world, &["-F", "--", "--flag=value -e"]), [8]);
}

/// A pattern narrows, and the words of the query order what is left.
#[test]
fn words_and_a_pattern_work_together() {
    let world = World::sample();
    assert_eq!(
        world.names(&["delay", "-e", "self"])[0],
        "RetryPolicy::next"
    );
    assert_eq!(world.names(&["send", "-e", "self"])[0], "Client.send");
    assert!(world.names(&["policy", "-e", "xylophone"]).is_empty());
    // Every word after a pattern may be a path, as for grep.
    assert_eq!(
        sorted(world.paths(&["-e", "retry", "src", "docs"])).len(),
        3
    );
    for flag in ["-w", "-s", "-i"] {
        assert_holds(&world.refused(&[flag, "retry"]), &["-e PATTERN"], flag);
    }
}
