//! Work that threads share, each taking the next piece of it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Does a piece of work for each item, in order, and asks before each whether to
/// go on. What is done is always the beginning of the list. The first error ends
/// it. The threads are not those of rayon, which are left to searches.
pub(crate) fn in_turn<T: Sync, R: Send, E: Send>(
    items: &[T],
    goes_on: impl Fn() -> bool + Sync,
    work: impl Fn(usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let of_thread = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) && goes_on() {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(nth) else { break };
            let result = work(nth, item);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((nth, result?));
        }
        Ok(done)
    };
    let threads = rayon::current_num_threads().min(items.len());
    let mut all = Vec::new();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(of_thread)).collect();
        let own = of_thread();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        all.extend(own?);
        Ok(())
    })?;
    all.sort_unstable_by_key(|(nth, _)| *nth);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_done_in_order() {
        let items: Vec<usize> = (0..1000).collect();
        let left = AtomicUsize::new(300);
        let goes_on = || {
            let before =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
            before.is_ok()
        };
        let done = in_turn(&items, goes_on, |nth, item| Ok::<_, ()>((nth, *item)));
        let want: Vec<(usize, usize)> = (0..300).map(|n| (n, n)).collect();
        assert_eq!(done, Ok(want));
        let none: [usize; 0] = [];
        assert_eq!(in_turn(&none, || true, |_, _| Ok::<_, ()>(())), Ok(vec![]));
    }

    #[test]
    fn an_error_ends_it() {
        let items: Vec<usize> = (0..1000).collect();
        let tried = AtomicUsize::new(0);
        let done = in_turn(
            &items,
            || true,
            |nth, _| {
                tried.fetch_add(1, Ordering::Relaxed);
                if nth == 5 { Err("five") } else { Ok(nth) }
            },
        );
        assert_eq!(done, Err("five"));
        assert!(tried.into_inner() < 1000);
    }
}
