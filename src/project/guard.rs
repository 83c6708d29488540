//! Turns a panic in one piece of work into a message, so that a bug costs one file and not the run.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};

thread_local! {
    static GUARDED: Cell<u32> = const { Cell::new(0) };
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics inside [`guarded`] off standard error; others print as ever. Called once, by the command.
pub fn quiet_guarded_panics() {
    let otherwise = take_hook();
    set_hook(Box::new(move |panic| match GUARDED.get() {
        0 => otherwise(panic),
        _ => LAST.set(Some(describe(panic))),
    }));
}

/// Runs `work`; `Err` says how and where it panicked.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    GUARDED.set(GUARDED.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(GUARDED.get() - 1);
    outcome.map_err(|_| LAST.take().unwrap_or_else(|| "panic".to_owned()))
}

fn describe(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("panic");
    match panic.location() {
        Some(location) => format!("{message} at {}:{}", location.file(), location.line()),
        None => message.to_owned(),
    }
}
