//! What the engine knows where a program asks for it: every path of `main`, by the code that rules rest on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cudalint::facts;
use cudalint::program::{Program, SourceUnit};
use cudalint::syntax::{self, Defines, LineIndex, MacroTable};
use cudalint::trace::{Effort, trace_entry};

/// The function that is asked about.
pub const OBSERVE: &str = "observe";

/// Room for walks over deep trees.
const STACK_BYTES: usize = 256 << 20;

/// One observation on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Line of the call.
    pub line: u32,
    /// The argument, where the path holds it as known.
    pub value: Option<i64>,
    /// Decisions at unknown conditions taken before it.
    pub decisions: usize,
    /// It stands in a pass of a loop that may not be.
    pub unsure: bool,
    /// The path rests on that some side of a branch is not taken, and no path takes it.
    pub assumed: bool,
}

/// What the engine says of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Every path it looked at.
    pub paths: Vec<Vec<Seen>>,
    /// When there are paths it did not look at: how many decisions they share with the last one, at least.
    pub shared: Option<usize>,
}

/// What the engine says of a program that is one file; the message of a panic where there was one.
pub fn claim(source: &str) -> Result<Claim, String> {
    catch_unwind(AssertUnwindSafe(|| observe(source))).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned()))
            .unwrap_or_default()
    })
}

/// Runs something on a thread that has room for it.
pub fn with_room<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, body).expect("a thread can be made");
        thread.join().expect("panics of the engine are caught")
    })
}

/// Does something for each item, on a thread for every core: the engine has its own pool, which must not wait for itself.
pub fn for_each_of<I: Sync, T: Send>(items: &[I], body: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        while let Some((index, item)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            items.get(index).map(|it| (index, it))
        } {
            let result = body(item);
            results
                .lock()
                .expect("panics of the engine are caught")
                .push((index, result));
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(items.len()) {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).expect("a thread can be made");
        }
    });
    let mut results = results.into_inner().expect("panics of the engine are caught");
    results.sort_by_key(|it| it.0);
    results.into_iter().map(|it| it.1).collect()
}

fn observe(source: &str) -> Claim {
    let bytes = source.as_bytes();
    let mut table = MacroTable::default();
    table.merge(syntax::collect_macros(bytes));
    let unit = SourceUnit {
        path: Arc::from("program.cpp"),
        bytes: Arc::from(bytes),
        facts: facts::extract(bytes, &Defines::for_cuda(13_000), &table).into(),
        ..SourceUnit::default()
    };
    let program = Program::link_observing(vec![unit], OBSERVE);
    let Some((main, _)) = program.functions().find(|(id, _)| program.is_main(*id)) else {
        return Claim::default();
    };
    let tracing = trace_entry(&program, main, Effort::of_entry(&program, main));
    let lines = LineIndex::new(bytes);
    let paths = tracing.traces.iter().map(|trace| {
        let observations = trace.notes.observations.iter();
        let seen = observations.map(|it| Seen {
            line: lines.line_of(it.site.span.start),
            value: it.value,
            decisions: it.decisions,
            unsure: it.unsure,
            assumed: it.assumed,
        });
        seen.collect()
    });
    Claim {
        paths: paths.collect(),
        shared: tracing.shared,
    }
}
