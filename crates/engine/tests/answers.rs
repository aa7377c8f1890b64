//! What is one answer, and which lines of it are shown.

mod project;

use project::{Project, pattern, words};
use scent_engine::Refresh;
use scent_types::{Context, Excerpt, Hit, Kind, Lines, Request, Syntax};

/// A function of 150 lines, which says `retry` in every tenth.
fn long_function() -> String {
    let mut text = String::from(
        "/// Sends again what failed.\npub fn resend(\n    queue: &Queue,\n) -> Sent {\n",
    );
    for line in 0..144 {
        text += &match line % 10 {
            0 => format!("    retry(queue, {line});\n"),
            _ => format!("    step_{line}(queue);\n"),
        };
    }
    text + "    done()\n}\n"
}

fn ask(project: &Project, request: Request) -> Vec<Hit> {
    project.search(&request, Refresh::Never).hits
}

fn numbers(hit: &Hit) -> Vec<u32> {
    hit.excerpt.iter().map(|line| line.number).collect()
}

#[test]
fn a_long_function_is_one_answer() {
    let project = Project::new(&[("src/send.rs", long_function())]);
    project.update();
    for request in [
        words("retry the queue"),
        words("resend"),
        pattern("retry", Syntax::Literal),
    ] {
        let request = Request {
            limit: 10,
            ..request
        };
        let hits = ask(&project, request.clone());
        assert_eq!(hits.len(), 1, "{request:?}");
        let hit = &hits[0];
        assert_eq!(
            (hit.lines, hit.name.as_str()),
            (Lines::new(1, 150), "resend")
        );
        assert!(hit.passages.len() > 1, "{:?}", hit.passages);
        let scores: Vec<f32> = hit.passages.iter().map(|passage| passage.score).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        assert!(
            numbers(hit).starts_with(&[2]),
            "its declaration first: {:?}",
            numbers(hit)
        );
        assert_eq!(project.search(&request, Refresh::Never).total, 1);
    }
}

#[test]
fn all_of_a_unit_is_printed() {
    let project = Project::new(&[("src/send.rs", long_function())]);
    project.update();
    let request = Request {
        excerpt: Excerpt {
            context: Context::Full,
            ..Excerpt::default()
        },
        ..words("retry the queue")
    };
    let hits = ask(&project, request);
    assert_eq!(numbers(&hits[0]), (1..=150).collect::<Vec<u32>>());
}

#[test]
fn windows_are_few_rows_in_a_row() {
    let mut text = long_function();
    text = text.replace("step_77(queue)", "shuffle_deck(queue)");
    let project = Project::new(&[("src/send.rs", text)]);
    project.update();
    let hits = ask(&project, words("shuffle deck"));
    let numbers = numbers(&hits[0]);
    let (declaration, window) = numbers.split_at(3);
    assert_eq!(declaration, [2, 3, 4], "the whole declaration");
    assert!(window.contains(&82), "{numbers:?}");
    assert!((3..=8).contains(&window.len()), "{numbers:?}");
    assert!(
        window.windows(2).all(|two| two[0] + 1 == two[1]),
        "{numbers:?}"
    );
}

#[test]
fn a_type_has_the_lines_of_all_of_it() {
    let mut text = String::from("class Parcel:\n    \"\"\"What is sent.\"\"\"\n");
    for name in ["weigh", "label", "stamp"] {
        text += &format!("\n    def {name}(self):\n        return self.{name}_of\n");
    }
    text += "\n\ndef other():\n    pass\n";
    let project = Project::new(&[("parcel.py", text)]);
    project.update();
    let hits = ask(&project, words("Parcel"));
    let parcel = hits.iter().find(|hit| hit.kind == Kind::Class).unwrap();
    assert_eq!(parcel.lines, Lines::new(1, 11));
    assert_eq!(
        numbers(parcel),
        [1, 2, 3, 4, 7, 10],
        "header and members, and the one line between them"
    );
}

#[test]
fn equal_texts_are_one_answer() {
    let text = "def ferry_timetable(day):\n    return PORTS[day].timetable\n";
    let near = "def ferry_timetable(day):\n    return PORTS[day]\n";
    let project = Project::new(&[
        ("v1/ports.py", text),
        ("v2/ports.py", text),
        ("v3/ports.py", &format!("class Old:\n    x = 1\n\n{text}")),
        ("v4/ports.py", near),
    ]);
    project.update();
    let hits = ask(&project, words("ferry timetable"));
    let found: Vec<(&str, usize)> = hits
        .iter()
        .filter(|hit| hit.name == "ferry_timetable")
        .map(|hit| (hit.path.as_str(), hit.also_in.len()))
        .collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().any(|(_, copies)| *copies == 2), "{found:?}");
    // Whoever looks for a text wants every place.
    let hits = ask(&project, pattern("ferry_timetable", Syntax::Literal));
    assert_eq!(hits.len(), 4);
    assert!(hits.iter().all(|hit| hit.also_in.is_empty()));
}

#[test]
fn neighbours_stand_with_the_first_of_their_file() {
    let mut text = String::new();
    for name in ["term", "hup", "kill"] {
        text += &format!("def on_{name}(signal):\n    stop_worker(signal)\n\n\n");
    }
    let project = Project::new(&[("signals.py", text)]);
    project.update();
    let hits = ask(&project, words("stop worker on signal"));
    let names: Vec<&str> = hits[0]
        .also_here
        .iter()
        .map(|other| other.name.as_str())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(!names.contains(&hits[0].name.as_str()));
    assert!(hits[1..].iter().all(|hit| hit.also_here.is_empty()));
}
