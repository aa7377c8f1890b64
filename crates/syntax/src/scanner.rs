//! Keeps the scanners of grammars within their bounds.
//!
//! A scanner writes its state into a buffer of 1,024 bytes after every token it
//! finds, and reads it from there before the next. Some write beyond it, which
//! ends the process: that of YAML from 254 open blocks on, that of Python from
//! 384 levels of indentation on, that of Ruby where the words of its
//! here-documents fill the buffer to the byte. That of Ruby also keeps the length
//! of a word in one byte, and a longer word ends the process when it reads it.
//!
//! How deep a scanner gets is hard to tell from the text: while a parser recovers
//! from an error, every token is allowed, and blocks may open where none should.
//! So no text is refused before it is parsed. Every scanner is given a roomier
//! buffer instead, and what it wrote is looked at; a state that is too long or does
//! not make sense is dropped, and the parser gives up.

use crate::language::{StateList, find_by_id};
use crate::work;
use std::cell::Cell;
use std::ffi::{c_char, c_uint, c_void};
use std::mem::{MaybeUninit, offset_of};
use std::sync::OnceLock;
use tree_sitter_language::LanguageFn;

/// What the runtime keeps of a state (`TREE_SITTER_SERIALIZATION_BUFFER_SIZE`).
const LONGEST: usize = 1_024;

/// What a scanner may write without harm.
const ROOM: usize = 8 * LONGEST;

thread_local! {
    static LOST: Cell<bool> = const { Cell::new(false) };
}

/// Whether a scanner of this thread had a state that could not be kept.
pub(crate) fn has_lost_state() -> bool {
    LOST.get()
}

/// The same, and starts over.
pub(crate) fn take_lost_state() -> bool {
    LOST.take()
}

/// Whether a state is what these lists describe, to its last byte.
fn makes_sense(lists: &[StateList], state: &[u8]) -> bool {
    fn skip<'s>(list: &StateList, state: &'s [u8]) -> Option<&'s [u8]> {
        let rest = state.get(list.item..)?;
        if !list.word {
            return Some(rest);
        }
        let (length, word) = rest.split_first()?;
        word.get(usize::from(*length)..)
    }
    fn skip_list<'s>(state: &'s [u8], list: &StateList) -> Option<&'s [u8]> {
        let (count, items) = state.split_first()?;
        (0..*count).try_fold(items, |rest, _| skip(list, rest))
    }
    let rest = lists.iter().try_fold(state, skip_list);
    lists.is_empty() || state.is_empty() || rest.is_some_and(<[u8]>::is_empty)
}

type Serialize = unsafe extern "C" fn(*mut c_void, *mut c_char) -> c_uint;

/// A grammar as its parser has it in memory: `TSLanguage` in the `parser.h` of
/// tree-sitter. The part up to the scanner is the same in all versions.
#[repr(C)]
struct Grammar {
    version: u32,
    counts: [u32; 8],
    longest_alias_sequence: u16,
    tables: [*const c_void; 13],
    lexers: [*const c_void; 2],
    keyword: u16,
    scanner: Scanner,
    /// From version 14 on.
    primary_states: *const c_void,
    /// From version 15 on.
    name: *const c_void,
    reserved_words: *const c_void,
    largest_reserved_set: u16,
    supertype_count: u32,
    supertypes: [*const c_void; 3],
    metadata: [u8; 3],
}

#[repr(C)]
struct Scanner {
    tables: [*const c_void; 2],
    create: *const c_void,
    destroy: *const c_void,
    scan: *const c_void,
    serialize: Option<Serialize>,
    deserialize: *const c_void,
}

impl Grammar {
    /// How many bytes a grammar of a version has; none for one that nobody knew
    /// when this was written.
    fn size(version: u32) -> Option<usize> {
        match version {
            13 => Some(offset_of!(Grammar, primary_states)),
            14 => Some(offset_of!(Grammar, name)),
            15 => Some(size_of::<Grammar>()),
            _ => None,
        }
    }
}

/// A grammar and the same with a scanner that is watched.
pub(crate) struct Watched {
    language: &'static str,
    grammar: LanguageFn,
    made: OnceLock<Made>,
}

struct Made {
    grammar: *const (),
    serialize: Option<Serialize>,
    /// What its states are made of, where that has to be looked at.
    lists: &'static [StateList],
}

// Sound: both are constants of the parser, or a copy that is never written again.
#[allow(unsafe_code)] // A pointer does not say so of itself.
unsafe impl Send for Made {}
#[allow(unsafe_code)] // As above.
unsafe impl Sync for Made {}

impl Watched {
    pub const fn new(language: &'static str, grammar: LanguageFn) -> Watched {
        Watched {
            language,
            grammar,
            made: OnceLock::new(),
        }
    }

    /// The grammar, with this function in place of the scanner's own.
    pub fn grammar(&self, serialize: Serialize) -> *const () {
        self.made.get_or_init(|| self.make(serialize)).grammar
    }

    #[allow(unsafe_code)] // A grammar is only known as a pointer.
    fn make(&self, serialize: Serialize) -> Made {
        // Sound: that is what a function of this type returns, for ever, and no
        // more is read of it than its version has.
        let grammar = unsafe { self.grammar.into_raw()() };
        let known = grammar.cast::<Grammar>();
        let size = unsafe { Grammar::size((*known).version) };
        let own = size.and_then(|_| unsafe { (*known).scanner.serialize });
        let (Some(size), Some(own)) = (size, own) else {
            return Made {
                grammar,
                serialize: None,
                lists: &[],
            };
        };
        let copy = Box::leak(Box::new(MaybeUninit::<Grammar>::zeroed()));
        unsafe {
            std::ptr::copy_nonoverlapping(known.cast::<u8>(), copy.as_mut_ptr().cast(), size);
            (*copy.as_mut_ptr()).scanner.serialize = Some(serialize);
        }
        let language = find_by_id(self.language);
        let lists = language.map_or(&[][..], |language| language.scanner_state);
        Made {
            grammar: copy.as_ptr().cast(),
            serialize: Some(own),
            lists,
        }
    }

    /// Lets the scanner write its state, and hands on what can be read again.
    ///
    /// # Safety
    ///
    /// To be called by the runtime only, with a scanner of this grammar and a
    /// buffer of `LONGEST` bytes.
    #[allow(unsafe_code)] // The scanner is written in C.
    pub unsafe fn serialize(&self, scanner: *mut c_void, buffer: *mut c_char) -> c_uint {
        #[repr(align(16))]
        struct Room(MaybeUninit<[u8; ROOM]>);
        let Some(made) = self.made.get() else {
            return 0;
        };
        let Some(own) = made.serialize else { return 0 };
        let mut room = Room(MaybeUninit::uninit());
        // Sound: the scanner tells how much of the room it wrote, and that much
        // fits the buffer where it is copied.
        let written = unsafe { own(scanner, room.0.as_mut_ptr().cast()) } as usize;
        let state = (written <= LONGEST)
            .then(|| unsafe { std::slice::from_raw_parts(room.0.as_ptr().cast::<u8>(), written) });
        let Some(state) = state.filter(|state| makes_sense(made.lists, state)) else {
            LOST.set(true);
            return 0;
        };
        work::kept_state(state.len());
        unsafe { std::ptr::copy_nonoverlapping(state.as_ptr(), buffer.cast(), state.len()) };
        state.len() as c_uint
    }
}

/// A grammar whose scanner is watched. One function for each grammar: the
/// runtime does not tell a function which grammar it is called for.
macro_rules! watched {
    ($language:expr, $grammar:expr) => {{
        static WATCHED: $crate::scanner::Watched =
            $crate::scanner::Watched::new($language, $grammar);

        #[allow(unsafe_code)] // Called by the runtime only, with its own buffer.
        unsafe extern "C" fn serialize(
            scanner: *mut std::ffi::c_void,
            buffer: *mut std::ffi::c_char,
        ) -> std::ffi::c_uint {
            unsafe { WATCHED.serialize(scanner, buffer) }
        }

        extern "C" fn grammar() -> *const () {
            WATCHED.grammar(serialize)
        }

        // Sound: it is the grammar that was generated, but for one function.
        #[allow(unsafe_code)] // As any grammar is made.
        let made = unsafe { tree_sitter_language::LanguageFn::from_raw(grammar) };
        tree_sitter::Language::new(made)
    }};
}

pub(crate) use watched;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_to_its_last_byte() {
        const RUBY: &[StateList] = &[
            StateList {
                item: 5,
                word: false,
            },
            StateList {
                item: 3,
                word: true,
            },
        ];
        let cases: [(&[u8], bool); 8] = [
            (&[], true),
            (&[0, 0], true),
            (&[1, 9, 9, 9, 9, 9, 0], true),
            (&[0, 1, 0, 0, 0, 2, b'a', b'b'], true),
            (&[0, 1, 0, 0, 0, 2, b'a'], false),
            (&[0, 1, 0, 0, 0, 2, b'a', b'b', b'c'], false),
            (&[0], false),
            (&[0, 1, 0, 0, 0], false),
        ];
        for (state, expected) in cases {
            assert_eq!(makes_sense(RUBY, state), expected, "{state:?}");
            assert!(makes_sense(&[], state));
        }
    }
}
