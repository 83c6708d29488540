//! Ctrl-C and its like: noticed, so that what runs is ended and temporary files are removed first.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SigSet, Signal, raise};

/// Whether an interruption is only noted.
static HELD: AtomicBool = AtomicBool::new(false);

static SET: AtomicBool = AtomicBool::new(false);

/// What asks a process to end.
const SIGNALS: [Signal; 4] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];

/// From now on one thread takes what would end this process. Before any other is started: those would not know.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let is_heard = |it: &Signal| *it != Signal::SIGHUP || !outlives_terminal();
        let signals: SigSet = SIGNALS.into_iter().filter(is_heard).collect();
        // Threads started later inherit the mask; the one that waits takes the signal.
        if signals.thread_block().is_ok() {
            std::thread::spawn(move || {
                while let Ok(signal) = signals.wait() {
                    if HELD.load(Ordering::Acquire) {
                        SET.store(true, Ordering::Release);
                    } else if signals.thread_unblock().is_ok() {
                        // As if nobody had listened.
                        let _ = raise(signal);
                    }
                }
            });
        }
    });
}

/// From now on there is something to clean up: an interruption does not end this process, but is to be asked for.
pub fn hold() {
    HELD.store(true, Ordering::Release);
}

/// Whether the user wants everything to end.
pub fn is_set() -> bool {
    SET.load(Ordering::Acquire)
}

/// Whether `nohup` told this process to ignore the end of its terminal; who waits for a signal gets it even then.
fn outlives_terminal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
    mask.is_some_and(|it| it & (1 << (Signal::SIGHUP as u32 - 1)) != 0)
}
