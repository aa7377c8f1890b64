//! Lines of stack traces, in the forms of `data/frames.toml`.

use regex::Regex;
use scent_types::Frame;
use serde::Deserialize;
use std::sync::OnceLock;

/// Frames with at most so many other lines between them belong to one trace:
/// many forms print the code of each.
const GAP: usize = 8;

/// So many frames of a trace are kept, and so many of all.
const MOST_OF_TRACE: usize = 40;
const MOST: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    form: Vec<WrittenForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenForm {
    name: String,
    innermost: Innermost,
    line: String,
    before: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Innermost {
    First,
    Last,
}

struct Form {
    name: String,
    innermost: Innermost,
    line: Regex,
    before: Option<Regex>,
}

fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let written: Written =
            toml::from_str(include_str!("../../data/frames.toml")).expect("checked");
        let compile = |text: &str| Regex::new(text).expect("checked");
        let forms = written.form.into_iter().map(|form| Form {
            name: form.name,
            innermost: form.innermost,
            line: compile(&form.line),
            before: form.before.as_deref().map(compile),
        });
        forms.collect()
    })
}

/// Frames in a row.
struct TraceLines {
    form: &'static Form,
    last: usize,
    frames: Vec<Frame>,
}

/// The frames of a text, trace by trace, the innermost of each first.
pub(super) fn frames(text: &str) -> Vec<Frame> {
    let mut traces: Vec<TraceLines> = Vec::new();
    let mut before = "";
    for (at, line) in text.lines().enumerate() {
        if let Some((form, frame)) = frame(line, before) {
            let current = traces
                .last_mut()
                .filter(|trace| trace.form.name == form.name && at - trace.last <= GAP);
            match current {
                Some(trace) => {
                    trace.frames.push(frame);
                    trace.last = at;
                }
                None => traces.push(TraceLines {
                    form,
                    last: at,
                    frames: vec![frame],
                }),
            }
        }
        before = line;
    }
    let mut all = Vec::new();
    for trace in traces {
        all.extend(trace.in_order());
    }
    all.truncate(MOST);
    all
}

/// The text without the lines that are frames.
pub(super) fn is_frame(line: &str) -> bool {
    frame(line, "").is_some()
}

fn frame(line: &str, before: &str) -> Option<(&'static Form, Frame)> {
    let may_be = line.contains('.') && line.len() < 1_000;
    if !may_be {
        return None;
    }
    let mut forms = forms().iter();
    forms.find_map(|form| Some((form, form.read(line, before)?)))
}

impl TraceLines {
    /// The innermost first, with their places in the trace.
    fn in_order(mut self) -> Vec<Frame> {
        for (nth, frame) in (1..).zip(&mut self.frames) {
            frame.nth = nth;
        }
        if matches!(self.form.innermost, Innermost::Last) {
            self.frames.reverse();
        }
        self.frames.truncate(MOST_OF_TRACE);
        for (depth, frame) in self.frames.iter_mut().enumerate() {
            frame.depth = depth;
        }
        self.frames
    }
}

impl Form {
    fn read(&self, line: &str, before: &str) -> Option<Frame> {
        let found = self.line.captures(line)?;
        let group = |name: &str| found.name(name).map(|found| found.as_str());
        let above = || self.before.as_ref()?.captures(before);
        let mut path = group("path")?.replace('\\', "/");
        if let Some(folder) = group("class").and_then(folder_of) {
            path = format!("{folder}/{path}");
        }
        let function = match group("function") {
            Some(function) => Some(last_name(function)),
            None => above().map(|found| last_name(&found["function"])),
        };
        Some(Frame {
            path,
            line: group("number").and_then(|number| number.parse().ok()),
            function: function.filter(|name| !name.is_empty()),
            nth: 0,
            depth: 0,
        })
    }
}

/// The folder of a class: `com.example.Pool$Worker` is in `com/example`.
fn folder_of(class: &str) -> Option<String> {
    let (package, _) = class.rsplit_once('.')?;
    Some(package.replace('.', "/"))
}

/// The last name of a qualified one, without marks that are no part of it.
fn last_name(name: &str) -> String {
    let is_mark = |c: char| !c.is_alphanumeric() && !"_?!$".contains(c);
    let mut parts = name.rsplit(['.', ':', '#', '/', '>']);
    let last = parts.find(|part| part.chars().any(char::is_alphanumeric));
    last.unwrap_or_default().trim_matches(is_mark).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let all = frames(text).into_iter().map(|frame| {
            let line = frame
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            format!(
                "{}{line} {}",
                frame.path,
                frame.function.unwrap_or_default()
            )
        });
        all.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn every_form_is_read_innermost_first() {
        for (text, want) in [
            (
                "Traceback (most recent call last):\n  File \"/x/a/b.py\", line 3, in outer\n    inner()\n  \
                 File \"/x/a/c.py\", line 7, in inner\n    fail()",
                "/x/a/c.py:7 inner; /x/a/b.py:3 outer",
            ),
            (
                "~/lib/a/b.py in fit(self, X)\n---> 4 f()\nFile ~/lib/a/c.py:9, in g(x)",
                "~/lib/a/c.py:9 g; ~/lib/a/b.py fit",
            ),
            (
                "\tat org.example.Pool$Worker.run(Pool.java:12)\n\tat app//org.example.Main.main(Main.java:3)",
                "org/example/Pool.java:12 run; org/example/Main.java:3 main",
            ),
            (
                "    at Object.close (/srv/lib/pool.js:10:5)\n    at /srv/lib/main.js:3:1",
                "/srv/lib/pool.js:10 close; /srv/lib/main.js:3 ",
            ),
            (
                "close@http://localhost:80/lib/pool.js:10:5",
                "lib/pool.js:10 close",
            ),
            (
                "main.(*Pool).Take(0xc0, 0x1)\n\t/srv/pool.go:12 +0x1d\nmain.main()\n\t/srv/main.go:4 +0x2",
                "/srv/pool.go:12 Take; /srv/main.go:4 main",
            ),
            (
                "   3: pool::Pool::take\n             at ./src/pool.rs:12:5",
                "./src/pool.rs:12 take",
            ),
            (
                "thread 'main' panicked at 'no such', src/pool.rs:12:5",
                "src/pool.rs:12 ",
            ),
            (
                "thread 'main' panicked at src/pool.rs:12:5:",
                "src/pool.rs:12 ",
            ),
            (
                "lib/a/pool.rb:12:in `block (2 levels) in take'\n\tfrom lib/a/main.rb:3:in `run'",
                "lib/a/pool.rb:12 take; lib/a/main.rb:3 run",
            ),
            ("lib/a/pool.rb:12:in 'Pool#take'", "lib/a/pool.rb:12 take"),
            (
                "#0 /srv/src/Pool.php(12): Pool->take()",
                "/srv/src/Pool.php:12 ",
            ),
            (
                "PHP Fatal error: no such in /srv/src/Pool.php on line 12",
                "/srv/src/Pool.php:12 ",
            ),
            (
                "#1  0x00007f in pool_take (p=0x0) at src/pool.c:12\n#2 0x4f in main /srv/src/main.c:3",
                "src/pool.c:12 pool_take; /srv/src/main.c:3 main",
            ),
            (
                "   at Example.Pool.Take(Int32 n) in C:\\src\\Pool.cs:line 12",
                "C:/src/Pool.cs:12 Take",
            ),
            (
                "    (app 0.1.0) lib/app/pool.ex:12: App.Pool.take/2",
                "lib/app/pool.ex:12 take",
            ),
            ("see the file a.py, line 3", ""),
            ("meet me at noon (at 12:30)", ""),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn a_frame_knows_its_place_in_the_trace() {
        let text = "  File \"a.py\", line 1, in f\n  File \"b.py\", line 2, in g";
        let places: Vec<_> = frames(text).iter().map(|f| (f.nth, f.depth)).collect();
        assert_eq!(places, [(2, 0), (1, 1)]);
    }
}
