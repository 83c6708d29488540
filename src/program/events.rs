//! Names that make an ordering event on the host without being CUDA calls: threads, locks, futures, atomics, copies.

use crate::api::library::{self, ATOMICS, FUTURES};
use crate::facts::ir::{Expr, ExprKind, UnaryOp};

use super::{FileId, SourceUnit};

/// What an event is to the rest of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It takes or gives a lock, or stores something: what only does these is no reason to look at it along every path.
    Light,
    /// It waits, starts or ends something, or gives the device work.
    Heavy,
}

/// Which of those names mean something in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Vocabulary {
    futures: bool,
    atomics: bool,
}

impl Vocabulary {
    /// That of each file: what stands in it, in what it sees, and in what sees it.
    pub(super) fn of_files(
        units: &[SourceUnit],
        visible: &[Vec<FileId>],
        seen_by: &[Vec<FileId>],
    ) -> Vec<Self> {
        use rayon::prelude::*;
        let own: Vec<Self> = units.par_iter().map(Vocabulary::of_unit).collect();
        let of_file = |file: usize| {
            let others = visible[file].iter().chain(&seen_by[file]);
            others.fold(own[file], |all, it| all.with(own[it.0 as usize]))
        };
        (0..units.len()).map(of_file).collect()
    }

    fn of_unit(unit: &SourceUnit) -> Self {
        let mentions = |words: &[&str]| {
            let stands = |it: &&str| memchr::memmem::find(&unit.bytes, it.as_bytes()).is_some();
            !unit.model && words.iter().any(stands)
        };
        Vocabulary {
            futures: mentions(FUTURES.signs),
            atomics: mentions(ATOMICS.signs),
        }
    }

    fn with(self, other: Self) -> Self {
        Vocabulary {
            futures: self.futures || other.futures,
            atomics: self.atomics || other.atomics,
        }
    }

    /// Whether calling a method, or naming a field, makes an event.
    pub(super) fn in_member(&self, field: &str) -> Option<Weight> {
        let of_atomics = self.atomics && ATOMICS.methods.contains(&field);
        let of_futures = self.futures && FUTURES.methods.contains(&field);
        let light = of_atomics.then_some(Weight::Light);
        in_name(field).or(of_futures.then_some(Weight::Heavy)).or(light)
    }
}

/// Whether naming a function or a class makes an event: the names say it wherever they stand.
pub(super) fn in_name(name: &str) -> Option<Weight> {
    let light = || library::tells(name).then_some(Weight::Light);
    library::orders(name).then_some(Weight::Heavy).or_else(light)
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
