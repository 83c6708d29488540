//! Ctrl-C and its like: noticed, so that what runs is ended and temporary files are removed first.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SigSet, Signal};

static SET: AtomicBool = AtomicBool::new(false);

/// From now on, what would end this process only sets a flag. Before any other thread is started.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]
            .into_iter()
            .collect();
        // Threads started later inherit the mask; the one that waits takes the signal.
        if signals.thread_block().is_ok() {
            std::thread::spawn(move || {
                while signals.wait().is_ok() {
                    SET.store(true, Ordering::Release);
                }
            });
        }
    });
}

/// Whether the user wants everything to end.
pub fn is_set() -> bool {
    SET.load(Ordering::Acquire)
}
