//! The table of a run, in Markdown.

use super::counts::Counts;
use super::judge::Judged;
use super::suite::{Suite, Task, TaskKind};

/// A column: its title, whose tasks it counts, whether only what is sure, and
/// the precision and recall that are wanted.
struct Column {
    title: &'static str,
    counts: fn(&Task) -> bool,
    sure: bool,
    wanted: (f64, f64),
}

const COLUMNS: [Column; 9] = [
    column("definitions", |t| t.kind == TaskKind::Definition).wanted(0.95, 0.95),
    column("members", |t| t.kind == TaskKind::Member).wanted(0.95, 0.95),
    column("unique", |t| is_reference(t) && !t.shared).wanted(0.95, 0.95),
    column("unique, sure", |t| is_reference(t) && !t.shared).sure(),
    column("shared", |t| is_reference(t) && t.shared).wanted(0.85, 0.85),
    column("shared, sure", |t| is_reference(t) && t.shared).sure(),
    column("imports", |t| t.kind == TaskKind::Imports).wanted(0.97, 0.97),
    column("importers", |t| t.kind == TaskKind::Importers).wanted(0.97, 0.97),
    // One way is enough, so that most hops are on none.
    column("call paths, sure", |t| t.kind == TaskKind::Callpath)
        .sure()
        .wanted(0.95, 0.0),
];

const fn column(title: &'static str, counts: fn(&Task) -> bool) -> Column {
    Column {
        title,
        counts,
        sure: false,
        wanted: (0.0, 0.0),
    }
}

impl Column {
    const fn sure(mut self) -> Column {
        self.sure = true;
        self
    }

    const fn wanted(mut self, precision: f64, recall: f64) -> Column {
        self.wanted = (precision, recall);
        self
    }
}

fn is_reference(task: &Task) -> bool {
    task.kind == TaskKind::References
}

/// Precision and recall of each language and sort of task. All places of a sort
/// count alike, so that a task with many counts more than one with few.
pub fn table(judged: &[(Suite, Vec<Judged>)]) -> String {
    let mut text = String::from("| language | repository |");
    for column in &COLUMNS {
        text += &format!(" {} |", column.title);
    }
    text += "\n| --- | --- |";
    text += &" ---: |".repeat(COLUMNS.len());
    text.push('\n');
    let mut all = [Counts::default(); COLUMNS.len()];
    for (suite, answers) in judged {
        text += &format!("| {} | {} |", suite.language, suite.repository);
        for (column, all) in COLUMNS.iter().zip(&mut all) {
            let counts = total(column, suite, answers);
            *all = *all + counts;
            text += &format!(" {} |", cell(&counts));
        }
        text.push('\n');
    }
    text += "| all | |";
    for counts in &all {
        text += &format!(" {} |", cell(counts));
    }
    text.push('\n');
    text
}

/// What is less than wanted, over all languages together.
pub fn short(judged: &[(Suite, Vec<Judged>)]) -> Vec<String> {
    let mut short = Vec::new();
    for column in &COLUMNS {
        let counts: Counts = judged
            .iter()
            .map(|(suite, answers)| total(column, suite, answers))
            .sum();
        let (precision, recall) = column.wanted;
        let is_less = |is: Option<f64>, wanted| is.is_some_and(|is| is < wanted);
        if is_less(counts.precision(), precision) || is_less(counts.recall(), recall) {
            let title = column.title;
            let is = cell(&counts);
            short.push(format!("{title}: {is}, not {precision:.2} / {recall:.2}"));
        }
    }
    short
}

fn total(column: &Column, suite: &Suite, answers: &[Judged]) -> Counts {
    let counted = suite.tasks.iter().zip(answers);
    let counted = counted.filter(|(task, _)| (column.counts)(task));
    counted
        .map(|(_, judged)| if column.sure { judged.sure } else { judged.all })
        .sum()
}

/// Precision / recall.
fn cell(counts: &Counts) -> String {
    let told = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.2}"));
    format!("{} / {}", told(counts.precision()), told(counts.recall()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_all_languages_are_added() {
        let text = |language: &str| {
            format!(
                r#"{{"suite":"s","language":"{language}","repository":"a/b","commit":"c","made_by":"hand","read":[]}}
{{"id":"1","task":"member","name":"f","expected":["a:1"]}}"#
            )
        };
        let judged = |right, wrong, missed| {
            let all = Counts {
                right,
                wrong,
                missed,
                not_judged: 0,
            };
            vec![Judged { all, sure: all }]
        };
        let table = table(&[
            (Suite::parse(&text("go")).unwrap(), judged(1, 3, 0)),
            (Suite::parse(&text("c")).unwrap(), judged(1, 0, 1)),
        ]);
        let rows: Vec<&str> = table.lines().collect();
        assert!(rows[2].starts_with("| go | a/b | – / – | 0.25 / 1.00 |"));
        assert!(rows[3].starts_with("| c | a/b | – / – | 1.00 / 0.50 |"));
        assert!(rows[4].starts_with("| all | | – / – | 0.40 / 0.67 |"));
    }

    #[test]
    fn what_is_less_than_wanted_is_told() {
        let text = r#"{"suite":"s","language":"c","repository":"a/b","commit":"c","made_by":"hand","read":[]}
{"id":"1","task":"imports","name":"f","expected":["1 a"]}"#;
        let suite = Suite::parse(text).unwrap();
        let judged = |right, missed| {
            let all = Counts {
                right,
                wrong: 0,
                missed,
                not_judged: 9,
            };
            vec![(suite.clone(), vec![Judged { all, sure: all }])]
        };
        assert_eq!(short(&judged(97, 3)), Vec::<String>::new());
        assert_eq!(
            short(&judged(96, 4)),
            ["imports: 1.00 / 0.96, not 0.97 / 0.97"]
        );
    }
}
