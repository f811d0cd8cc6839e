//! Work on many items on several threads, each with a handle of its own. Entry point: [`each`].

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The stack of a thread, in bytes: lowering and type inference recurse with the code.
pub(crate) const STACK: usize = 32 << 20;

/// Does `work` for every item, on one thread per handle, and returns the results in the order of the items.
/// Threads take the items in their order, so the largest should be first.
///
/// A panic of `work` is resumed in the caller once all threads have ended.
pub(crate) fn each<S, T, R>(
    handles: Vec<S>,
    items: &[T],
    work: impl Fn(&S, &T) -> R + Sync,
) -> Vec<R>
where
    S: Send,
    T: Sync,
    R: Send,
{
    let next = AtomicUsize::new(0);
    let run = &|handle: S| {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                return done;
            };
            done.push((at, work(&handle, item)));
        }
    };
    let mut results = thread::scope(|scope| {
        let threads: Vec<_> = handles
            .into_iter()
            .map(|handle| {
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || run(handle))
                    .expect("the system has a thread to give")
            })
            .collect();
        let mut results: Vec<(usize, R)> = Vec::with_capacity(items.len());
        for thread in threads {
            match thread.join() {
                Ok(mut done) => results.append(&mut done),
                Err(panic) => resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        let doubled = each(vec![(), (), ()], &items, |(), item| item * 2);
        assert_eq!(
            doubled,
            items.iter().map(|item| item * 2).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let caught = std::panic::catch_unwind(|| {
            each(vec![(), ()], &[1, 2, 3], |(), &item| assert_ne!(item, 2))
        });
        assert!(caught.is_err());
    }
}
