//! Names that make an ordering event on the host without being CUDA calls: threads, locks, futures, atomics, copies.

use crate::facts::ir::{Expr, ExprKind, UnaryOp};

use super::SourceUnit;

/// What an event is to the rest of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It takes or gives a lock, or stores something: what only does these is no reason to look at it along every path.
    Light,
    /// It waits, starts or ends something, or gives the device work.
    Heavy,
}

/// Functions, classes and methods that make an event wherever they are named.
const ALWAYS: [(&str, Weight); 40] = [
    ("thread", Weight::Heavy),
    ("jthread", Weight::Heavy),
    ("async", Weight::Heavy),
    ("pthread_create", Weight::Heavy),
    ("pthread_join", Weight::Heavy),
    ("pthread_mutex_lock", Weight::Light),
    ("pthread_mutex_unlock", Weight::Light),
    ("pthread_cond_wait", Weight::Heavy),
    ("pthread_cond_signal", Weight::Light),
    ("pthread_cond_broadcast", Weight::Light),
    ("pthread_barrier_wait", Weight::Heavy),
    ("sem_wait", Weight::Heavy),
    ("sem_post", Weight::Heavy),
    ("thrd_create", Weight::Heavy),
    ("thrd_join", Weight::Heavy),
    ("mtx_lock", Weight::Light),
    ("mtx_unlock", Weight::Light),
    ("cnd_wait", Weight::Heavy),
    ("cnd_signal", Weight::Light),
    ("cnd_broadcast", Weight::Light),
    ("unsetenv", Weight::Light),
    ("clearenv", Weight::Light),
    ("_putenv", Weight::Light),
    ("SetEnvironmentVariable", Weight::Light),
    ("join", Weight::Heavy),
    ("lock_guard", Weight::Light),
    ("unique_lock", Weight::Light),
    ("scoped_lock", Weight::Light),
    ("lock", Weight::Light),
    ("unlock", Weight::Light),
    ("wait", Weight::Heavy),
    ("notify_one", Weight::Light),
    ("notify_all", Weight::Light),
    ("setenv", Weight::Light),
    ("putenv", Weight::Light),
    ("_putenv_s", Weight::Light),
    ("__atomic_store_n", Weight::Light),
    ("__atomic_store", Weight::Light),
    ("memset", Weight::Light),
    ("memcpy", Weight::Light),
];

/// Methods of futures and promises; a free function of such a name, `std::get`, is another one.
const OF_FUTURES: [&str; 2] = ["get", "set_value"];

/// What shows that a program has futures.
const FUTURES: [&str; 4] = ["future", "promise", "packaged_task", "async("];

/// Methods of atomics.
const OF_ATOMICS: [&str; 3] = ["store", "exchange", "fetch_add"];

/// What shows that a program has atomics on the host.
const ATOMICS: [&str; 8] = [
    "<atomic>",
    "<stdatomic.h>",
    "atomic<",
    "atomic_ref",
    "atomic_int",
    "atomic_bool",
    "atomic_flag",
    "_Atomic",
];

/// Which of those names mean something in a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Vocabulary {
    futures: bool,
    atomics: bool,
}

impl Vocabulary {
    pub(super) fn of(units: &[SourceUnit]) -> Self {
        use rayon::prelude::*;
        let mention = |words: &[&str]| {
            units.par_iter().filter(|it| !it.model).any(|unit| {
                let stands = |it: &&str| memchr::memmem::find(&unit.bytes, it.as_bytes()).is_some();
                words.iter().any(stands)
            })
        };
        Vocabulary {
            futures: mention(&FUTURES),
            atomics: mention(&ATOMICS),
        }
    }

    /// Whether calling a method, or naming a field, makes an event.
    pub(super) fn in_member(self, field: &str) -> Option<Weight> {
        let of_atomics = self.atomics && OF_ATOMICS.contains(&field);
        let of_futures = self.futures && OF_FUTURES.contains(&field);
        let light = of_atomics.then_some(Weight::Light);
        in_name(field).or(of_futures.then_some(Weight::Heavy)).or(light)
    }
}

/// Whether naming a function or a class makes an event.
pub(super) fn in_name(name: &str) -> Option<Weight> {
    let row = ALWAYS.iter().find(|(it, _)| *it == name)?;
    Some(row.1)
}

/// The variable that `memcpy(&x, …)` or `memset(&x, …)` fills: what others see of memory stays as it is.
pub(super) fn filled_variable(expression: &Expr) -> Option<&str> {
    let ExprKind::Call(call) = &expression.kind else {
        return None;
    };
    let (ExprKind::Name(callee), Some(first)) = (&call.callee.kind, call.args.first()) else {
        return None;
    };
    let ExprKind::Unary {
        op: UnaryOp::AddressOf,
        operand,
    } = &first.kind
    else {
        return None;
    };
    match &operand.kind {
        ExprKind::Name(name) if name.is_plain() && matches!(callee.last(), "memcpy" | "memset") => {
            Some(name.last())
        }
        _ => None,
    }
}
