//! What entry points came to in earlier checks, as long as nothing changed of what was read on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::program::reads::{self, Changes, Reads};
use crate::program::{FunctionId, Program};
use crate::rules::{Outcome, Round};

/// An entry point, and what it is followed for.
pub(super) type Asked = (Round, FunctionId);

/// All of them.
#[derive(Default)]
pub(super) struct Answers(Mutex<BTreeMap<Asked, Arc<(Outcome, Reads)>>>);

impl Answers {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Asked, Arc<(Outcome, Reads)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known, or what a check says now.
    pub(super) fn get(&self, asked: Asked, check: impl FnOnce() -> Outcome) -> Outcome {
        let known = self.lock().get(&asked).cloned();
        if let Some(known) = known {
            return known.0.clone();
        }
        let (outcome, reads) = reads::of(check);
        self.lock().insert(asked, Arc::new((outcome.clone(), reads)));
        outcome
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    /// Forgets what may be another answer now, and what says something of places that moved; says how much that is.
    pub(super) fn forget(&self, program: &Program, changes: &Changes) -> usize {
        let files = changes.files.iter();
        let paths: BTreeSet<&str> = files.map(|it| &*program.units()[it.0 as usize].path).collect();
        let mut all = self.lock();
        let before = all.len();
        all.retain(|_, known| {
            let (outcome, reads) = &**known;
            !reads.touch(changes) && !is_about(outcome, changes, &paths)
        });
        before - all.len()
    }
}

/// Whether an answer names a place in one of these files.
fn is_about(outcome: &Outcome, changes: &Changes, paths: &BTreeSet<&str>) -> bool {
    let coverage = &outcome.coverage;
    let places = coverage.sites.iter().map(|it| &it.0);
    let places = places.chain(coverage.calls.keys().map(|it| &it.0));
    let mut places = places.chain(coverage.loops.keys().map(|it| &it.0));
    let locations = outcome.findings.iter().flat_map(|it| it.locations());
    let mut locations = locations.chain(outcome.first_launches.keys());
    places.any(|it| changes.files.contains(it))
        || coverage
            .executed
            .iter()
            .any(|it| changes.files.contains(&it.file))
        || locations.any(|it| paths.contains(&*it.path))
}
