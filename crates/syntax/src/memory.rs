//! Counts the memory that parsers ask for and hold.
//!
//! What a parser does between two reports of its progress may take any amount of
//! it: `a=>a=>…` in C makes it copy its whole stack for each of thousands of ways
//! to read the text, once the text ends. 12 kB of it take more than 6 GB. No
//! parser can be stopped there, so the process ends itself before it starves the
//! machine: an abort is known to be this file's fault, where a kill for want of
//! memory may hit anybody.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Once;
use tree_sitter::Allocator;

/// What a parser may hold, and how much more for each byte of the text. The
/// examples of all languages, repeated up to 2 MB, take 140 bytes for each at most.
const MOST: (i64, i64) = (512 << 20, 200);

/// Each piece of memory has its size before it, in as much room as keeps the
/// piece aligned.
const HEADER: usize = 16;

/// Memory that was allocated since it was last taken, what is held of it, and how
/// much that may be.
#[derive(Clone, Copy)]
struct Counts {
    allocated: u64,
    held: i64,
    most: i64,
}

thread_local! {
    static COUNTS: Cell<Counts> =
        const { Cell::new(Counts { allocated: 0, held: 0, most: i64::MAX }) };
}

/// From here on memory is that of a parser, for a text of this many bytes.
pub(crate) fn begin(bytes: usize) {
    COUNTS.set(Counts {
        allocated: 0,
        held: 0,
        most: MOST.0 + MOST.1 * bytes as i64,
    });
}

/// The parser has done.
pub(crate) fn end() {
    COUNTS.set(Counts {
        most: i64::MAX,
        ..COUNTS.get()
    });
}

/// How many bytes the parser of this thread allocated since this was last called.
pub(crate) fn take_asked() -> u64 {
    let counts = COUNTS.get();
    COUNTS.set(Counts {
        allocated: 0,
        ..counts
    });
    counts.allocated
}

fn count(more: usize, less: usize) {
    // A thread that ends may free its parser after this counter.
    let too_much = COUNTS.try_with(|counts| {
        let Counts {
            allocated,
            held,
            most,
        } = counts.get();
        let held = held + more as i64 - less as i64;
        counts.set(Counts {
            allocated: allocated + more as u64,
            held,
            most,
        });
        held > most
    });
    if too_much == Ok(true) {
        std::process::abort();
    }
}

/// From now on memory of parsers is counted. To be called before anything else
/// of tree-sitter; the first call is what counts.
#[allow(unsafe_code)] // The allocator of a C library is a set of C functions.
pub(crate) fn count_allocations() {
    static ONCE: Once = Once::new();
    let counted = Allocator {
        malloc: allocate,
        calloc: allocate_zeroed,
        realloc: resize,
        free: release,
    };
    // Sound: the four belong together, and whoever has a grammar to parse with has
    // come through here.
    ONCE.call_once(|| unsafe { tree_sitter::set_allocator(Some(counted)) });
}

#[allow(unsafe_code)] // Declarations of the C library's own functions.
unsafe extern "C" {
    fn malloc(bytes: usize) -> *mut c_void;
    fn calloc(items: usize, bytes: usize) -> *mut c_void;
    fn realloc(memory: *mut c_void, bytes: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// Writes the size before a piece of memory. tree-sitter does not look whether
/// it got one.
#[allow(unsafe_code)] // Sound: the piece has room for the header and is aligned.
unsafe fn with_size(memory: *mut c_void, bytes: usize) -> *mut c_void {
    if memory.is_null() {
        std::process::abort();
    }
    unsafe {
        memory.cast::<usize>().write(bytes);
        memory.byte_add(HEADER)
    }
}

#[allow(unsafe_code)] // Sound as `malloc` is.
unsafe extern "C" fn allocate(bytes: usize) -> *mut c_void {
    count(bytes, 0);
    unsafe { with_size(malloc(bytes + HEADER), bytes) }
}

#[allow(unsafe_code)] // Sound as `calloc` is.
unsafe extern "C" fn allocate_zeroed(items: usize, bytes: usize) -> *mut c_void {
    let bytes = items.saturating_mul(bytes).min(usize::MAX - HEADER);
    count(bytes, 0);
    unsafe { with_size(calloc(1, bytes + HEADER), bytes) }
}

#[allow(unsafe_code)] // Sound as `realloc` is, for memory of the two above.
unsafe extern "C" fn resize(memory: *mut c_void, bytes: usize) -> *mut c_void {
    if memory.is_null() {
        return unsafe { allocate(bytes) };
    }
    unsafe {
        let whole = memory.byte_sub(HEADER);
        count(bytes, whole.cast::<usize>().read());
        with_size(realloc(whole, bytes + HEADER), bytes)
    }
}

#[allow(unsafe_code)] // Sound as `free` is, for memory of the three above.
unsafe extern "C" fn release(memory: *mut c_void) {
    if memory.is_null() {
        return;
    }
    unsafe {
        let whole = memory.byte_sub(HEADER);
        count(0, whole.cast::<usize>().read());
        free(whole);
    }
}
