//! What an agent has read, and whether the right lines were in it.

use super::Task;
use scent_types::Lines;
use std::collections::HashSet;

/// An agent gives up after so many tokens.
pub const BUDGET: usize = 20_000;

/// So many lines of a right place are to be shown, or all of them.
const ENOUGH: usize = 5;

/// How a search went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Tokens that were read.
    pub tokens: usize,
    /// Calls of a tool.
    pub calls: usize,
    /// Whether the right lines were shown.
    pub success: bool,
}

/// An agent at work on a question.
pub struct Reader<'t> {
    task: &'t Task,
    shown: Vec<HashSet<u32>>,
    log: Log,
}

impl<'t> Reader<'t> {
    /// An agent that has read nothing yet.
    pub fn new(task: &'t Task) -> Reader<'t> {
        Reader {
            task,
            shown: vec![HashSet::new(); task.right.len()],
            log: Log::default(),
        }
    }

    /// Reads the answer to a call, with the lines of files that it shows. Returns
    /// whether to go on.
    pub fn read(&mut self, bytes: usize, lines: &[(&str, Lines)]) -> bool {
        self.log.calls += 1;
        self.log.tokens += bytes.div_ceil(4);
        for ((right, wanted), shown) in self.task.right.iter().zip(&mut self.shown) {
            for (_, lines) in lines.iter().filter(|(path, _)| is_same(path, right)) {
                let first = lines.start.max(wanted.start);
                shown.extend(first..=lines.end.min(wanted.end));
            }
            let length = (wanted.end + 1 - wanted.start) as usize;
            self.log.success |= shown.len() >= ENOUGH.min(length);
        }
        // What is shown only beyond the budget is shown too late.
        self.log.success &= self.log.tokens <= BUDGET;
        !self.log.success && self.log.tokens < BUDGET
    }

    /// How it went; a failure has taken the whole budget.
    pub fn log(&self) -> Log {
        Log {
            tokens: match self.log.success {
                true => self.log.tokens,
                false => BUDGET,
            },
            ..self.log
        }
    }
}

/// Whether two paths are of one file: one of them may have folders before it.
fn is_same(a: &str, b: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    ends(a, b) || ends(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(right: &[(&str, u32, u32)]) -> Task {
        let place = |(path, first, last): &(&str, u32, u32)| {
            ((*path).to_owned(), Lines::new(*first, *last))
        };
        Task {
            id: "t".to_owned(),
            question: "q".to_owned(),
            right: right.iter().map(place).collect(),
        }
    }

    #[test]
    fn five_lines_of_one_place_are_enough() {
        let task = task(&[("src/a.rs", 10, 20), ("b.rs", 3, 4)]);
        let mut reader = Reader::new(&task);
        assert!(reader.read(400, &[("a.rs", Lines::new(1, 13))]));
        assert!(reader.read(
            400,
            &[("b.rs", Lines::new(4, 9)), ("xa.rs", Lines::new(9, 99))]
        ));
        assert!(!reader.read(401, &[("a.rs", Lines::new(14, 14))]));
        let want = Log {
            tokens: 301,
            calls: 3,
            success: true,
        };
        assert_eq!(reader.log(), want);
    }

    #[test]
    fn a_budget_ends_the_search() {
        let task = task(&[("a.rs", 1, 1)]);
        let mut reader = Reader::new(&task);
        assert!(!reader.read(BUDGET * 4 + 4, &[("a.rs", Lines::new(1, 1))]));
        assert_eq!(reader.log().tokens, BUDGET);
        assert!(!reader.log().success);
    }
}
