//! What is decided at unknown conditions, and which path is looked at next.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::aims::Aims;
use crate::program::FileId;

/// A decision at an unknown condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Decision {
    /// The statement, of whichever file.
    pub(super) at: (FileId, u32),
    pub(super) taken: bool,
    pub(super) priority: Priority,
}

/// When the other side of a decision is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Priority {
    /// It changes what every call behind it does, as a capture by the caller: before all others.
    First,
    /// Written in the function that is looked at itself: before what the functions it calls decide.
    Own,
    Usual,
    /// Made where nothing is done but taking locks and storing, or far from what is looked at: behind the others.
    Aside,
    /// Whether a loop has more passes than were followed, of which nothing is known: the last that is looked at, and only for
    /// what is reached that way.
    Passes,
}

impl Decision {
    /// The other side of the same branch.
    pub(super) fn other(self) -> Self {
        Decision {
            taken: !self.taken,
            ..self
        }
    }
}

/// Paths nobody looked at yet.
#[derive(Default)]
pub(super) struct Ahead {
    /// What was decided on a path, up to where another one leaves it; the last one stands highest.
    open: Vec<(Arc<[Decision]>, usize)>,
    /// Where the path that is being looked at left another one.
    from: usize,
    /// Sides of branches that were taken on some path.
    taken: BTreeSet<Decision>,
}

impl Ahead {
    /// A path was looked at.
    pub(super) fn note(&mut self, decisions: Vec<Decision>) {
        self.taken.extend(&decisions);
        let decisions: Arc<[Decision]> = decisions.into();
        let further = (self.from..decisions.len()).map(|at| (Arc::clone(&decisions), at));
        self.open.extend(further);
    }

    /// Where the earliest of them leaves another one, the one that was to come next among them.
    pub(super) fn first_open(&self) -> Option<usize> {
        let open = self.open.iter().map(|(_, at)| *at);
        open.chain(self.from.checked_sub(1)).min()
    }

    /// Nothing is left but loops with more passes than were followed.
    pub(super) fn has_only_passes(&self) -> bool {
        !self.open.is_empty()
            && self
                .open
                .iter()
                .all(|(decisions, at)| decisions[*at].priority == Priority::Passes)
    }

    /// The next one: the deepest that takes a side of a branch no path has taken, else the deepest; what stands where only
    /// locks are taken and things stored comes behind all others. Where paths are aimed, branches of the function itself come
    /// first, those before others that lead to what is left.
    pub(super) fn next(&mut self, aims: Option<&Aims>) -> Option<Vec<Decision>> {
        let is_new =
            |(decisions, at): &(Arc<[Decision]>, usize)| !self.taken.contains(&decisions[*at].other());
        let priority = |(decisions, at): &(Arc<[Decision]>, usize)| decisions[*at].priority;
        let at = |(decisions, at): &(Arc<[Decision]>, usize)| decisions[*at].at;
        let aimed = aims.and_then(|aims| {
            let is_last = |(decisions, at): &(Arc<[Decision]>, usize)| {
                !decisions[*at + 1..].iter().any(|it| aims.is_own(it.at))
            };
            let leads = |it: &_| aims.leads(at(it), is_last(it));
            let of_new = self.open.iter().rposition(|it| is_new(it) && leads(it));
            let of_new = of_new.or_else(|| self.open.iter().rposition(leads));
            of_new.or_else(|| self.open.iter().rposition(|it| is_new(it) && aims.is_own(at(it))))
        });
        let of_priority = |wanted| {
            self.open
                .iter()
                .rposition(|it| is_new(it) && priority(it) == wanted)
        };
        let best = of_priority(Priority::First).or(aimed);
        let best = best.or_else(|| of_priority(Priority::Own));
        let best = best.or_else(|| of_priority(Priority::Usual));
        let best = best.or_else(|| self.open.iter().rposition(|it| priority(it) <= Priority::Usual));
        let best = best.or_else(|| self.open.iter().rposition(is_new));
        let (decisions, at) = match best {
            Some(index) => self.open.remove(index),
            None => self.open.pop()?,
        };
        self.from = at + 1;
        let mut next = decisions[..at].to_vec();
        next.push(decisions[at].other());
        Some(next)
    }
}
