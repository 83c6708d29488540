//! What makes the project read a file in which no word of CUDA stands.

use std::collections::BTreeSet;

use super::companions::{self, MAX_BYTES, declares, defines};
use crate::program::Program;
use crate::syntax::{self, FastMap};

/// Names a program asks other files for.
#[derive(Default)]
pub(super) struct Wanted {
    /// Who calls them leads to a wait or to asynchronous work; numbered.
    followed: FastMap<Box<[u8]>, usize>,
    /// They are declared and not defined.
    missing: BTreeSet<Box<[u8]>>,
    /// They are called with fewer arguments than they are known to take.
    short: BTreeSet<Box<[u8]>>,
}

/// What a file without CUDA has of what a program asks for.
#[derive(PartialEq, Eq)]
pub(super) struct Answered {
    /// Names it calls, by number.
    pub(super) called: BTreeSet<usize>,
    /// It defines what is only declared elsewhere, or says what arguments are where calls leave them out.
    pub(super) defines: bool,
}

impl Wanted {
    /// What a program asks for.
    pub(super) fn of(program: &Program) -> Self {
        let followed = program.names_followed().into_iter();
        let names = |names: BTreeSet<&str>| names.into_iter().map(|it| it.as_bytes().into()).collect();
        Wanted {
            followed: followed.map(|it| it.as_bytes().into()).zip(0..).collect(),
            missing: names(program.names_missing()),
            short: names(program.names_left_short()),
        }
    }

    /// How many names there are to call.
    pub(super) fn count(&self) -> usize {
        self.followed.len()
    }

    /// What a file has of them, if anything.
    pub(super) fn answered_by(&self, bytes: &[u8]) -> Option<Answered> {
        let called = syntax::words(bytes).filter_map(|it| self.followed.get(it).copied());
        let answered = Answered {
            called: called.collect(),
            defines: defines(bytes, |it| self.missing.contains(it))
                || declares(bytes, |it| self.short.contains(it), |it| it.contains(&b'=')),
        };
        (!answered.called.is_empty() || answered.defines).then_some(answered)
    }

    /// Whether two texts of a file without CUDA, with the same directives, are read or left out alike, with what they include.
    pub(super) fn are_alike(&self, one: &[u8], other: &[u8]) -> bool {
        self.answered_by(one) == self.answered_by(other)
            && syntax::reads_clock(one) == syntax::reads_clock(other)
            && (one.len() <= MAX_BYTES) == (other.len() <= MAX_BYTES)
            && companions::includes(one).eq(companions::includes(other))
    }
}
