//! Examples that were worked by hand.

use super::*;

const HEAD: &str = r#"{"suite":"s","language":"go","repository":"a/b","commit":"c","made_by":"hand","read":["a.go","b.go","p/x.go","p/y.go","q/z.go"]}"#;

/// A task's fields as JSON, what was found as `PATH:LINE:CONFIDENCE`, and the
/// right, wrong, missed and not judged, of all and of what is sure.
type Case<'a> = (&'a str, &'a [&'a str], [usize; 4], [usize; 4]);

fn check(cases: &[Case]) {
    for (fields, found, all, sure) in cases {
        let text = format!("{HEAD}\n{{\"id\":\"1\",{fields}}}");
        let suite = Suite::parse(&text).unwrap();
        let places = found.iter().map(|place| {
            let parts: Vec<&str> = place.split(':').collect();
            Place {
                path: parts[0].to_owned(),
                line: parts[1].parse().unwrap(),
                confidence: parts[2].parse().unwrap(),
                reason: "",
                by: parts.get(3).map(|line| line.parse().unwrap()),
            }
        });
        let answer = Answer {
            places: places.collect(),
            error: None,
        };
        let judged = judge(&suite, &suite.tasks[0], &answer);
        for (counts, want) in [(judged.all, all), (judged.sure, sure)] {
            let Counts {
                right,
                wrong,
                missed,
                not_judged,
            } = counts;
            assert_eq!(
                [right, wrong, missed, not_judged],
                *want,
                "{fields} {found:?}"
            );
        }
    }
}

#[test]
fn places_are_right_wrong_missed_or_not_judged() {
    let uses = r#""task":"references","name":"f","at":"a.go:1:6","expected":["a.go:3 call","b.go:4 read+call"],"either":["b.go:9"]"#;
    check(&[
        (uses, &[], [0, 0, 2, 0], [0, 0, 2, 0]),
        (
            uses,
            &["a.go:3:1", "b.go:4:0.3"],
            [2, 0, 0, 0],
            [1, 0, 1, 0],
        ),
        // Twice the same place is one.
        (uses, &["a.go:3:1", "a.go:3:1"], [1, 0, 1, 0], [1, 0, 1, 0]),
        (uses, &["a.go:5:0.3"], [0, 1, 2, 0], [0, 0, 2, 0]),
        // Another file than those that were read, and a place that is left open.
        (uses, &["c.go:3:1", "b.go:9:1"], [0, 0, 2, 2], [0, 0, 2, 2]),
    ]);
}

#[test]
fn definitions_are_lines() {
    let one = r#""task":"member","name":"T.f","expected":["a.go:3"]"#;
    check(&[
        (one, &["a.go:3:1"], [1, 0, 0, 0], [1, 0, 0, 0]),
        (one, &["a.go:4:1"], [0, 1, 1, 0], [0, 1, 1, 0]),
    ]);
}

#[test]
fn one_file_of_a_folder_is_enough() {
    let go = r#""task":"imports","name":"a.go","expected":["3 p/","4 p/"]"#;
    let file = r#""task":"imports","name":"a.go","expected":["3 b.go","5 p/"],"either":["a.go:7"]"#;
    check(&[
        (
            go,
            &["p/x.go:0:1:3", "p/y.go:0:1:3"],
            [1, 0, 0, 0],
            [1, 0, 0, 0],
        ),
        (go, &["q/z.go:0:1:3"], [0, 1, 1, 0], [0, 1, 1, 0]),
        (
            file,
            &["b.go:0:1:3", "p/y.go:0:1:5"],
            [2, 0, 0, 0],
            [2, 0, 0, 0],
        ),
        (file, &["q/z.go:0:1:6"], [0, 1, 2, 0], [0, 1, 2, 0]),
        (file, &["q/z.go:0:1:7"], [0, 0, 2, 1], [0, 0, 2, 1]),
    ]);
}

#[test]
fn importers_are_files() {
    let one = r#""task":"importers","name":"a.go","expected":["b.go"],"either":["q/z.go"]"#;
    check(&[
        (
            one,
            &["b.go:0:1:2", "b.go:0:1:9"],
            [1, 0, 0, 0],
            [1, 0, 0, 0],
        ),
        (
            one,
            &["p/x.go:0:1:2", "q/z.go:0:1:2"],
            [0, 1, 1, 1],
            [0, 1, 1, 1],
        ),
    ]);
}

#[test]
fn every_hop_of_a_call_path_is_real() {
    let way =
        r#""task":"callpath","name":"f","to":"h","expected":["a.go:3 b.go:1","b.go:2 p/x.go:5"]"#;
    let none = r#""task":"callpath","name":"f","to":"h","expected":[]"#;
    let real: &[&str] = &["a.go:3:0.9", "b.go:2:0.9", "p/x.go:5:0.9"];
    let unsure: &[&str] = &["a.go:3:0.1", "b.go:2:0.1", "p/x.go:5:0.1"];
    let invented: &[&str] = &["a.go:3:0.9", "b.go:8:0.9", "p/x.go:5:0.9"];
    check(&[
        (way, real, [1, 0, 0, 0], [1, 0, 0, 0]),
        (way, unsure, [1, 0, 0, 0], [0, 0, 1, 0]),
        (way, invented, [0, 1, 1, 0], [0, 1, 1, 0]),
        (way, &[], [0, 0, 1, 0], [0, 0, 1, 0]),
        (none, real, [0, 1, 0, 0], [0, 1, 0, 0]),
        (none, unsure, [0, 1, 0, 0], [0, 0, 0, 0]),
        (none, &[], [0; 4], [0; 4]),
    ]);
}
