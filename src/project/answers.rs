//! What entry points came to in earlier checks, as long as nothing changed of what was read on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::program::reads::{self, Changes, Reads};
use crate::program::{FileId, FunctionId, Program};
use crate::rules::{Outcome, Round};

/// An entry point, and what it is followed for.
pub(super) type Asked = (Round, FunctionId);

/// What one came to.
struct Answer {
    outcome: Outcome,
    reads: Reads,
    /// Files in which it names a place, in order: by unit, and by path.
    files: Box<[FileId]>,
    paths: Box<[Arc<str>]>,
}

/// All of them.
#[derive(Default)]
pub(super) struct Answers(Mutex<BTreeMap<Asked, Arc<Answer>>>);

impl Answers {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Asked, Arc<Answer>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known, or what a check says now.
    pub(super) fn get(&self, asked: Asked, check: impl FnOnce() -> Outcome) -> Outcome {
        let known = self.lock().get(&asked).cloned();
        if let Some(known) = known {
            return known.outcome.clone();
        }
        let (outcome, reads) = reads::of(check);
        let answer = Answer {
            files: files_of(&outcome),
            paths: paths_of(&outcome),
            outcome: outcome.clone(),
            reads,
        };
        self.lock().insert(asked, Arc::new(answer));
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
            let moved = |it: &FileId| changes.files.contains(it);
            let is_about =
                known.files.iter().any(moved) || known.paths.iter().any(|it| paths.contains(&**it));
            !is_about && !known.reads.touch(changes)
        });
        before - all.len()
    }
}

/// Units an answer names places in.
fn files_of(outcome: &Outcome) -> Box<[FileId]> {
    let coverage = &outcome.coverage;
    let places = coverage.sites.iter().chain(coverage.calls.keys());
    let places = places.chain(coverage.loops.keys()).map(|it| it.0);
    let executed = coverage.executed.iter().map(|it| it.file);
    let files: BTreeSet<FileId> = places.chain(executed).collect();
    files.into_iter().collect()
}

/// Files an answer names places in.
fn paths_of(outcome: &Outcome) -> Box<[Arc<str>]> {
    let locations = outcome.findings.iter().flat_map(|it| it.locations());
    let locations = locations.chain(outcome.first_launches.keys());
    let paths: BTreeSet<Arc<str>> = locations.map(|it| Arc::clone(&it.path)).collect();
    paths.into_iter().collect()
}
