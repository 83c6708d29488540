//! Names that make an ordering event on the host without being CUDA calls: threads, locks, futures, atomics, copies.

use crate::facts::ir::{Expr, ExprKind, UnaryOp};

use super::SourceUnit;

/// Functions, classes and methods that make an event wherever they are named.
const ALWAYS: [&str; 40] = [
    "thread",
    "jthread",
    "async",
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_cond_wait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_barrier_wait",
    "sem_wait",
    "sem_post",
    "thrd_create",
    "thrd_join",
    "mtx_lock",
    "mtx_unlock",
    "cnd_wait",
    "cnd_signal",
    "cnd_broadcast",
    "unsetenv",
    "clearenv",
    "_putenv",
    "SetEnvironmentVariable",
    "join",
    "lock_guard",
    "unique_lock",
    "scoped_lock",
    "lock",
    "unlock",
    "wait",
    "notify_one",
    "notify_all",
    "setenv",
    "putenv",
    "_putenv_s",
    "__atomic_store_n",
    "__atomic_store",
    "memset",
    "memcpy",
];

/// Those of them that wait for nobody's work and give the device none: what only does these is no reason to look at it
/// along every path.
const LIGHT: [&str; 26] = [
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "mtx_lock",
    "mtx_unlock",
    "cnd_signal",
    "cnd_broadcast",
    "lock_guard",
    "unique_lock",
    "scoped_lock",
    "lock",
    "unlock",
    "notify_one",
    "notify_all",
    "setenv",
    "unsetenv",
    "clearenv",
    "putenv",
    "_putenv",
    "_putenv_s",
    "SetEnvironmentVariable",
    "__atomic_store_n",
    "__atomic_store",
    "memset",
    "memcpy",
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
#[derive(Clone, Copy, Debug, Default)]
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

/// What an event is to the rest of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It takes or gives a lock, or stores something: it is over at once, but for those who hold the lock.
    Light,
    /// It waits, starts or ends something, or gives the device work.
    Heavy,
}

/// Whether naming a function or a class makes an event.
pub(super) fn in_name(name: &str) -> Option<Weight> {
    let weight = if LIGHT.contains(&name) {
        Weight::Light
    } else {
        Weight::Heavy
    };
    ALWAYS.contains(&name).then_some(weight)
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
