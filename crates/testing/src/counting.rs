//! Counts allocations: a measure of work that is the same on every machine.
//!
//! A test that uses this crate has the counting allocator for all of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with counters for each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // A thread that is ending has no counters any more, and nothing to tell.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|total| total.set(total.get().wrapping_add(bytes)));
}

// Only forwards to the system's allocator, whose contract is the caller's.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often this thread has allocated so far.
pub fn allocated() -> usize {
    COUNT.get()
}

/// How often this thread allocates while it does something.
pub fn allocations(action: impl FnOnce()) -> usize {
    let before = allocated();
    action();
    allocated() - before
}

/// What something gives, and how many bytes this thread has allocated for it, freed or not.
///
/// What grows too fast builds too much: this bounds work without a clock.
pub fn bytes<T>(action: impl FnOnce() -> T) -> (T, usize) {
    let before = BYTES.get();
    let result = action();
    (result, BYTES.get().wrapping_sub(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_and_bytes_are_counted() {
        assert_eq!(allocations(|| drop((vec![1_u8; 10], vec![2_u8; 10]))), 2);
        assert_eq!(allocations(|| drop(Vec::<u8>::new())), 0);
        let (list, count) = bytes(|| vec![0_u64; 100]);
        assert_eq!((list.len(), count), (100, 800));
    }
}
