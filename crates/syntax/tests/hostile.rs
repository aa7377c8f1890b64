//! Texts that are made to harm: beyond what a grammar's scanner can keep, beyond
//! what a parser should be let to do, and nested so deep that anything that is
//! not linear shows.

mod clock;

use clock::Clock;
use scent_syntax::{find, outline};
use scent_types::{Health, Outline};
use std::time::Duration;

fn outline_of(language: &str, text: &str) -> Outline {
    let outline = outline(find(language), text);
    let mut next = 1;
    for unit in &outline.units {
        assert_eq!(unit.cover.start, next, "{language}: {unit:?}");
        next = unit.cover.end + 1;
    }
    assert_eq!(
        next as usize,
        text.split_inclusive('\n').count() + 1,
        "{language}"
    );
    outline
}

/// Levels of indentation, a line for each.
fn indented(depth: usize, line: &str, last: &str) -> String {
    let lines = (0..depth).map(|level| format!("{}{line}\n", " ".repeat(level)));
    lines.collect::<String>() + &" ".repeat(depth) + last + "\n"
}

/// A shape of text by its depth, and the first depth that a scanner cannot keep.
type Shape = (&'static str, &'static str, fn(usize) -> String, usize);

const SHAPES: [Shape; 11] = [
    (
        "yaml",
        "sequences",
        |depth| format!("{}x\n", "- ".repeat(depth)),
        254,
    ),
    (
        "yaml",
        "in a mapping",
        |depth| format!("a:\n  {}x\n", "- ".repeat(depth)),
        253,
    ),
    (
        "yaml",
        "keys",
        |depth| format!("{}x\n", "? ".repeat(depth)),
        254,
    ),
    (
        "yaml",
        "values",
        |depth| format!("{}x\n", ": ".repeat(depth)),
        254,
    ),
    (
        "yaml",
        "mappings",
        |depth| indented(depth, "k:", "x: 1"),
        253,
    ),
    (
        "yaml",
        "a mixture",
        |depth| format!("{}x\n", "- ? ".repeat(depth)),
        127,
    ),
    (
        "python",
        "blocks",
        |depth| indented(depth, "if 1:", "'x'"),
        511,
    ),
    (
        "python",
        "strings",
        |depth| indented(384, "if 1:", &in_strings(depth)),
        255,
    ),
    (
        "python",
        "both",
        |depth| indented(depth, "if 1:", &in_strings(101)),
        461,
    ),
    ("ruby", "a long word", |depth| here_documents(&[depth]), 256),
    (
        "ruby",
        "many words",
        |depth| here_documents(&[200, 200, 200, 200, depth]),
        203,
    ),
];

fn in_strings(depth: usize) -> String {
    format!("{}1{}", "f'{".repeat(depth), "}'".repeat(depth))
}

fn here_documents(lengths: &[usize]) -> String {
    let word = |length: &usize| format!("<<{}", "A".repeat(*length));
    format!(
        "f({})\n",
        lengths.iter().map(word).collect::<Vec<_>>().join(", ")
    )
}

#[test]
fn no_depth_is_too_much_for_a_scanner() {
    for (language, shape, text, limit) in SHAPES {
        let near = limit.saturating_sub(4)..limit + 5;
        for depth in near.chain([1, 2, 50, 100, 300, 600, 1_000, 2_000]) {
            // By indentation, a text is as long as the square of its depth.
            let text = text(depth);
            if text.len() > 400_000 {
                continue;
            }
            let health = outline_of(language, &text).health;
            if depth == limit - 1 || depth == limit {
                let kept = depth < limit;
                assert_eq!(
                    health != Health::Error,
                    kept,
                    "{language}, {shape}: {depth} {health:?}"
                );
            }
        }
    }
}

/// What a language opens, has in the middle and closes.
type Nest = (&'static str, &'static str, &'static str, &'static str);

const DEEP: usize = 10_000;

const NESTS: [Nest; 23] = [
    ("ruby", "class A\n", "", "end\n"),
    ("javascript", "function a(){\n", "", "}\n"),
    ("javascript", "a=()=>{\n", "1", "}\n"),
    ("javascript", "", "a", ".b"),
    ("typescript", "namespace A{\n", "", "}\n"),
    ("typescript", "let x:T;\n", "", ""),
    ("rust", "fn a(){\n", "", "}\n"),
    ("lua", "function a()\n", "", "end\n"),
    ("lua", "a:b(", "", ")"),
    ("go", "func(){\n", "", "}\n"),
    ("cpp", "namespace a{\n", "", "}\n"),
    ("java", "class A{\n", "", "}\n"),
    ("csharp", "namespace A{\n", "", "}\n"),
    ("nix", "{a=\n", "1", ";}\n"),
    ("ocaml", "module A = struct\n", "", "end\n"),
    ("json", "[[[[[[[[[[", "", "]]]]]]]]]]"),
    ("json", "{\"a\":\n", "1", "}"),
    ("toml", "a.", "a = 1\n", ""),
    ("markdown", "# a\n## b\n", "", ""),
    ("markdown", "> - ", "a\n", ""),
    ("python", "def f(): pass\n", "", ""),
    ("rust", "// a\n", "", "fn f(){}"),
    ("html", "<script>a</script>\n", "", ""),
];

/// Where something took the square of the depth, most of these took from two to
/// twenty seconds in a build for release.
#[test]
fn nested_and_repeated_texts_take_linear_time() {
    for (language, open, middle, close) in NESTS {
        let text = open.repeat(DEEP) + middle + &close.repeat(DEEP) + "\n";
        let clock = Clock::start();
        let health = outline_of(language, &text).health;
        let took = clock.worked();
        assert!(
            took < Duration::from_secs(3),
            "{language} {open:?}: {took:?}"
        );
        assert_ne!(health, Health::Error, "{language} {open:?}");
    }
}

/// Texts that no parser should be let to finish. Before there were limits in
/// steps, each took eight seconds, or as much longer as the machine was busy. The
/// last makes a stack that is too deep for a thread of this test to be freed.
#[test]
fn what_is_too_much_work_is_split_into_paragraphs() {
    let cases = [
        ("html", "<a>", 40_000),
        ("css", "a:b ", 100_000),
        ("dart", "[", 60_000),
        ("cpp", "%w(", 600_000),
    ];
    for (language, repeated, times) in cases {
        let text = repeated.repeat(times);
        let clock = Clock::start();
        assert_eq!(
            outline_of(language, &text).health,
            Health::Error,
            "{language}"
        );
        let took = clock.worked();
        assert!(
            took < Duration::from_secs(7),
            "{language} {repeated:?}: {took:?}"
        );
    }
}
