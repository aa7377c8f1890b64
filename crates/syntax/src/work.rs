//! How much work one text may be. Limits are counted in steps and not in time,
//! so that a busy machine finds the same units as an idle one.
//!
//! A parser does not work the same for every byte. Where a text is ambiguous or
//! broken, one operation may copy all that was read so far, and one token may be
//! looked for up to the end of the text. So four things are counted: operations
//! of the parser, bytes it reads, memory it asks for, and the states that a
//! grammar's scanner keeps (`scanner.rs`).
//!
//! Calibration, on one core of 2025: a step of a parser takes 50 to 160
//! nanoseconds, be it an operation, 16 bytes read or 48 bytes of memory, and a
//! step of the matcher 10 to 20. The examples of all languages, repeated up to
//! 2 MB, take 1 to 5 steps a byte to parse (22 where one is broken at every turn)
//! and 1 to 14 to match. The limits leave a text of 2 MB two to eight seconds for
//! each, and a small one about one.

use crate::memory;
use std::cell::Cell;

/// To parse a text of any size may take this many steps, and so many more for
/// each of its bytes.
const PARSING: (u64, u64) = (8_000_000, 24);

/// The same for finding what its queries match.
const MATCHING: (u64, u64) = (80_000_000, 240);

/// How much of a text a parser is handed at a time.
pub(crate) const CHUNK: usize = 2_048;

/// Bytes that are read in a step.
const BYTES_READ: u64 = 16;

/// Memory that is allocated and written in one step.
const BYTES_ALLOCATED: u64 = 48;

/// How often the parser says that it works, in its operations.
const OPERATIONS: u64 = 100;

/// A state of a scanner is read again for every token, this much in a step.
const BYTES_OF_STATE: u64 = 32;

/// A state that fills its buffer may stand for far more than it holds: that of
/// HTML for 65,535 open tags, each made again when it is read.
const FULL_STATE: usize = 1_000;
const STEPS_OF_FULL_STATE: u64 = 2_000;

thread_local! {
    static STATES: Cell<u64> = const { Cell::new(0) };
}

/// Counts a state that a scanner of this thread keeps.
pub(crate) fn kept_state(bytes: usize) {
    let full = if bytes >= FULL_STATE {
        STEPS_OF_FULL_STATE
    } else {
        0
    };
    STATES.set(STATES.get() + full + bytes as u64 / BYTES_OF_STATE);
}

/// What a text may still cost.
#[derive(Debug)]
pub(crate) struct Work {
    limit: u64,
    done: Cell<u64>,
}

impl Work {
    pub fn to_parse(text: &str) -> Work {
        Work::up_to(PARSING.0 + PARSING.1 * text.len() as u64)
    }

    pub fn to_match(text: &str) -> Work {
        Work::up_to(MATCHING.0 + MATCHING.1 * text.len() as u64)
    }

    pub fn up_to(limit: u64) -> Work {
        Work {
            limit,
            done: Cell::new(0),
        }
    }

    /// Counts steps; false once there were too many.
    pub fn goes_on(&self, steps: u64) -> bool {
        let done = self.done.get() + steps;
        self.done.set(done);
        done <= self.limit
    }

    /// Forgets what parsers of this thread did before.
    pub fn begin(&self, text: &str) {
        memory::begin(text.len());
        STATES.take();
    }

    /// Counts what the parser did since its last progress call.
    pub fn operated(&self) -> bool {
        let memory = memory::take_asked() / BYTES_ALLOCATED;
        self.goes_on(OPERATIONS + memory + STATES.take())
    }

    /// Counts bytes that the parser is given to read.
    pub fn read(&self, bytes: usize) -> bool {
        self.goes_on(bytes as u64 / BYTES_READ)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_where_the_limit_is() {
        let work = Work::up_to(3);
        let went_on: Vec<bool> = [1, 2, 0, 1, 0].map(|steps| work.goes_on(steps)).into();
        assert_eq!(went_on, [true, true, true, false, false]);
    }

    #[test]
    fn a_longer_text_may_take_more() {
        let (short, long) = (Work::to_parse(""), Work::to_parse(&" ".repeat(1_000)));
        assert_eq!(long.limit - short.limit, 1_000 * PARSING.1);
    }

    #[test]
    fn whatever_a_parser_does_is_counted() {
        let work = Work::up_to(u64::MAX);
        work.begin("");
        kept_state(FULL_STATE);
        work.operated();
        assert_eq!(
            work.done.get(),
            OPERATIONS + STEPS_OF_FULL_STATE + 1_000 / BYTES_OF_STATE
        );
        work.read(CHUNK);
        work.operated();
        let later = CHUNK as u64 / BYTES_READ + OPERATIONS;
        assert_eq!(
            work.done.get(),
            OPERATIONS + STEPS_OF_FULL_STATE + 31 + later
        );
    }
}
