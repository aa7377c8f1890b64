//! Files that a text names, with lines where it has them: paths, `path:line`,
//! links to files of a repository, and the files of patches.

use regex::Regex;
use scent_types::NamedPlace;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Nobody names more files than this.
const MOST: usize = 200;

/// Each with `path` and, where it has one, `number`.
const FORMS: [&str; 3] = [
    // A link to a file at a commit.
    r"/(?:blob|tree|blame|src/branch)/[^/\s]+/(?<path>[^\s#?)\]>]+)(?:#L(?<number>\d+))?",
    // The new file of a patch.
    r"^\+\+\+ (?:b/)?(?<path>\S+)",
    // A word with an extension, or with folders before it.
    r#"(?<path>(?:[\w.@~+-]*[/\\])*[\w@+.-]*\w\.[a-zA-Z]\w{0,5})(?:(?::|", line |, line |#L)(?<number>\d+))?"#,
];

/// Where the lines of a patch begin, which are those of the file above.
const HUNK: &str = r"^@@ -(\d+)";

/// What leads elsewhere.
const LINK: &str = r"\b[a-z]+://\S+";

/// The places that a text names, in order.
pub(super) fn places(text: &str) -> Vec<NamedPlace> {
    static COMPILED: OnceLock<(Vec<Regex>, [Regex; 2])> = OnceLock::new();
    let compile = |text: &str| Regex::new(text).expect("checked");
    let (forms, [hunk, link]) = COMPILED.get_or_init(|| {
        let forms = FORMS.into_iter().map(compile).collect();
        (forms, [HUNK, LINK].map(compile))
    });
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    let mut patched: Option<String> = None;
    for line in text.lines().filter(|line| line.contains(['.', '@'])) {
        if let (Some(path), Some(found)) = (&patched, hunk.captures(line)) {
            places.push(NamedPlace {
                path: path.clone(),
                line: found[1].parse().ok(),
            });
        }
        let mut rest = line.to_owned();
        for (nth, form) in forms.iter().enumerate() {
            for found in form.captures_iter(&rest) {
                let place = NamedPlace {
                    path: cleaned(&found["path"]),
                    line: found.name("number").and_then(|n| n.as_str().parse().ok()),
                };
                if nth == 1 {
                    patched = Some(place.path.clone());
                }
                if is_path(&place.path) && seen.insert(place.clone()) {
                    places.push(place);
                }
            }
            // What is a link is no word with folders as well.
            rest = form.replace_all(&rest, " ").into_owned();
            if nth == 0 {
                rest = link.replace_all(&rest, " ").into_owned();
            }
        }
        if places.len() >= MOST {
            break;
        }
    }
    places.truncate(MOST);
    places
}

fn cleaned(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.trim_start_matches("./")
        .trim_end_matches(['.', '/'])
        .to_owned()
}

/// Whether it has letters in its name: `1.2.3` has none.
fn is_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.chars().filter(|c| c.is_alphabetic()).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_with_their_lines() {
        for (text, want) in [
            (
                "see src/a/pool.rs:12 and main.rs",
                "src/a/pool.rs:12 main.rs",
            ),
            ("src\\a\\pool.cs:3:1: error", "src/a/pool.cs:3"),
            (
                "https://github.com/a/b/blob/main/src/pool.go#L12-L14",
                "src/pool.go:12",
            ),
            (
                "--- a/src/pool.c\n+++ b/src/pool.c\n@@ -7,3 +7,4 @@ take",
                "src/pool.c src/pool.c:7",
            ),
            ("since 1.2.3 it fails.", ""),
            ("in `lib/pool.rb`, line 9", "lib/pool.rb"),
            ("in lib/pool.rb, line 9", "lib/pool.rb:9"),
        ] {
            let mut found = Vec::new();
            for place in places(text) {
                let line = place
                    .line
                    .map_or_else(String::new, |line| format!(":{line}"));
                let place = format!("{}{line}", place.path);
                if !place.starts_with("a/src") {
                    found.push(place);
                }
            }
            assert_eq!(found.join(" "), want, "{text}");
        }
    }
}
