//! What the execution of an entry point reached, and where it stopped short: counted, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::Machine;
use crate::facts::ir::Role;
use crate::program::{FileId, FunctionId};
use crate::syntax::{FastMap, Span};

/// Where something begins: file and offset.
pub type Place = (FileId, u32);

/// What all paths of an entry point came to.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Launches and CUDA calls that were executed.
    pub sites: BTreeSet<Place>,
    /// Functions that were executed.
    pub executed: BTreeSet<FunctionId>,
    /// Functions of [`Program::promises`](crate::program::Program::promises) that were handed another stream than one that
    /// is ordered with the default stream.
    pub handed_unordered: BTreeSet<FunctionId>,
    /// Calls of the project's functions that were met, and the best that became of each.
    pub calls: FastMap<Place, Followed>,
    /// Names of functions that were called and not entered, and the best that became of any such call.
    pub missed: BTreeMap<String, Followed>,
    /// Loops that were executed; `true` where one was left before its condition said so.
    pub loops: FastMap<Place, bool>,
    /// Budgets that cut paths.
    pub cuts: BTreeSet<Cut>,
    /// How often code that makes no events was left before its end.
    pub impatience: u64,
    /// Not every access of the host to shared memory was recorded.
    pub accesses_dropped: bool,
}

/// What became of a call; what comes later is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Followed {
    /// What is called is a value nobody knows: a function pointer, a `std::function`, a callable handed in.
    UnknownValue,
    /// A method that makes CUDA calls has this name, and nobody knows the class of the object.
    UnknownObject,
    /// Functions that make CUDA calls have this name, and none of them was chosen.
    Ambiguous,
    /// Too many calls in each other.
    TooDeep,
    /// Long and without events: it was left out.
    LeftOut,
    /// It was executed.
    Entered,
}

/// A budget that cuts paths, or keeps them from being looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// [`PATHS`](super::budget::PATHS) and [`OTHER_PATHS`](super::budget::OTHER_PATHS).
    Paths,
    /// [`IDLE_PATHS`](super::budget::IDLE_PATHS).
    IdlePaths,
    /// Steps over all paths.
    EntrySteps,
    /// Steps on one path.
    Steps,
    /// [`EVENTS`](super::budget::EVENTS).
    Events,
    /// [`INLINE_DEPTH`](super::budget::INLINE_DEPTH).
    Depth,
    /// A call has used its part of the steps.
    Part,
    /// A function that calls itself was entered twice and not again.
    Recursion,
}

impl Coverage {
    /// What came of further paths.
    pub fn join(&mut self, other: &Coverage) {
        self.sites.extend(&other.sites);
        self.executed.extend(&other.executed);
        self.handed_unordered.extend(&other.handed_unordered);
        for (place, followed) in &other.calls {
            let known = self.calls.entry(*place).or_insert(*followed);
            *known = (*known).max(*followed);
        }
        for (name, followed) in &other.missed {
            let known = self.missed.entry(name.clone()).or_insert(*followed);
            *known = (*known).max(*followed);
        }
        for (place, cut) in &other.loops {
            *self.loops.entry(*place).or_default() |= cut;
        }
        self.cuts.extend(&other.cuts);
        self.impatience += other.impatience;
        self.accesses_dropped |= other.accesses_dropped;
    }

    /// Every path was followed to its end.
    pub fn is_complete(&self) -> bool {
        self.cuts.is_empty()
    }
}

impl Machine<'_> {
    fn place_of(&self, span: Span) -> Place {
        let (file, span) = self.at(span);
        (file, span.start)
    }

    /// A launch or CUDA call is executed.
    pub(super) fn note_site(&mut self, span: Span) {
        let place = self.place_of(span);
        self.coverage.sites.insert(place);
    }

    /// A call of a function of the project, or of one of its lambdas. That an entry point is entered is no call.
    pub(super) fn note_call(&mut self, span: Span, followed: Followed) {
        if self.control.frames.len() <= 1 {
            return;
        }
        let place = self.place_of(span);
        let known = self.coverage.calls.entry(place).or_insert(followed);
        *known = (*known).max(followed);
    }

    /// A function is not entered because of a budget; what is only computed for its value may go.
    pub(super) fn note_refusal(&mut self, function: FunctionId, too_deep: bool, span: Span) {
        let spent = !too_deep && self.steps >= self.limit || self.exited || self.control.throwing;
        if spent || self.is_tired() {
            return;
        }
        self.coverage
            .cuts
            .insert(if too_deep { Cut::Depth } else { Cut::Recursion });
        self.note_missed(function, Followed::TooDeep, span);
    }

    /// A function is called and not entered.
    pub(super) fn note_missed(&mut self, function: FunctionId, followed: Followed, span: Span) {
        let definition = self.program.function(function);
        if definition.role == Role::Macro {
            return;
        }
        self.note_call(span, followed);
        if let Some(name) = definition.path.last() {
            self.note_missed_name(name, followed);
        }
    }

    fn note_missed_name(&mut self, name: &str, followed: Followed) {
        match self.coverage.missed.get_mut(name) {
            Some(known) => *known = (*known).max(followed),
            None => {
                self.coverage.missed.insert(name.to_owned(), followed);
            }
        }
    }

    /// A call that led to no function: it counts where the project has one of that name that makes CUDA calls. A name
    /// that only functions without them have is as likely a library's.
    pub(super) fn note_unresolved(&mut self, name: &str, span: Span) {
        if self.coverage.calls.contains_key(&self.place_of(span)) {
            return;
        }
        let followed = match self.program.eventful_role(name) {
            Some(Role::Method) => Followed::UnknownObject,
            Some(_) => Followed::Ambiguous,
            None => return,
        };
        self.note_call(span, followed);
        self.note_missed_name(name, followed);
    }

    /// A loop is executed; `cut` when it is left before its condition says so.
    pub(super) fn note_loop(&mut self, span: Span, cut: bool) {
        if self.in_model() {
            return;
        }
        let place = self.place_of(span);
        *self.coverage.loops.entry(place).or_default() |= cut;
    }
}
