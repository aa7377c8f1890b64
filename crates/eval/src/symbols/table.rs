//! The table of a run, in Markdown.

use super::counts::Counts;
use super::judge::Judged;
use super::suite::{Suite, Task, TaskKind};

/// A column: its title, whose tasks it counts, and whether only what is sure.
struct Column {
    title: &'static str,
    counts: fn(&Task) -> bool,
    sure: bool,
}

const COLUMNS: [Column; 9] = [
    column("definitions", |t| t.kind == TaskKind::Definition, false),
    column("members", |t| t.kind == TaskKind::Member, false),
    column("unique", |t| is_reference(t) && !t.shared, false),
    column("unique, sure", |t| is_reference(t) && !t.shared, true),
    column("shared", |t| is_reference(t) && t.shared, false),
    column("shared, sure", |t| is_reference(t) && t.shared, true),
    column("imports", |t| t.kind == TaskKind::Imports, false),
    column("importers", |t| t.kind == TaskKind::Importers, false),
    column("call paths, sure", |t| t.kind == TaskKind::Callpath, true),
];

const fn column(title: &'static str, counts: fn(&Task) -> bool, sure: bool) -> Column {
    Column {
        title,
        counts,
        sure,
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
}
