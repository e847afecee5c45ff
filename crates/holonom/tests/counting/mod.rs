//! Counts allocations: a test that includes this file uses the counting allocator throughout.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with a counter for each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more, and nothing to tell.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// Only forwards to the system's allocator, whose contract is the caller's.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often this thread has allocated so far.
pub fn allocated() -> usize {
    COUNT.get()
}

/// How often it allocates while it does something.
#[allow(dead_code, reason = "not every test needs it")]
pub fn allocations(action: impl FnOnce()) -> usize {
    let before = allocated();
    action();
    allocated() - before
}
