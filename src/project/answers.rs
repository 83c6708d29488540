//! What entry points came to in earlier checks, as long as nothing changed of what was read on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::diagnostics::Location;
use crate::program::moves::Move;
use crate::program::reads::{self, Changes, Reads};
use crate::program::{FileId, FunctionId, Program};
use crate::rules::{Outcome, Round};
use crate::syntax::FastMap;
use crate::trace::coverage::{Coverage, Place};

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

    /// Forgets what may be another answer now, and what says something of places that are gone; says how much that is.
    pub(super) fn forget(&self, program: &Program, changes: &Changes) -> usize {
        let files = changes.files.iter();
        let paths: BTreeSet<&str> = files.map(|it| &*program.units()[it.0 as usize].path).collect();
        let mut all = self.lock();
        let before = all.len();
        let places = Moved::of(program, changes);
        all.retain(|_, known| {
            if known.reads.touch(changes) {
                return false;
            }
            let moved = |it: &FileId| changes.files.contains(it);
            let is_about =
                known.files.iter().any(moved) || known.paths.iter().any(|it| paths.contains(&**it));
            if !is_about {
                return true;
            }
            let Some(outcome) = places.outcome(&known.outcome) else {
                return false;
            };
            *known = Arc::new(Answer {
                outcome,
                reads: known.reads.clone(),
                files: known.files.clone(),
                paths: known.paths.clone(),
            });
            true
        });
        before - all.len()
    }
}

/// Where places stand after an edit.
struct Moved<'a> {
    /// In each file that was edited; `None` where nobody can say.
    files: BTreeMap<FileId, Option<Move>>,
    paths: BTreeMap<&'a str, Option<Move>>,
}

impl<'a> Moved<'a> {
    fn of(program: &'a Program, changes: &Changes) -> Self {
        let files = changes.files.iter();
        let files: BTreeMap<FileId, Option<Move>> =
            files.map(|it| (*it, changes.moves.get(it).copied())).collect();
        let path = |it: &FileId| &*program.units()[it.0 as usize].path;
        let paths = files.iter().map(|(file, moved)| (path(file), *moved)).collect();
        Moved { files, paths }
    }

    /// An answer as it is said of the places now; `None` where one of them is gone.
    fn outcome(&self, outcome: &Outcome) -> Option<Outcome> {
        let coverage = &*outcome.coverage;
        let mut moved = Coverage {
            sites: coverage
                .sites
                .iter()
                .map(|it| self.place(*it))
                .collect::<Option<_>>()?,
            ..coverage.clone()
        };
        moved.calls = self.keys(&coverage.calls)?;
        moved.loops = self.keys(&coverage.loops)?;
        let mut outcome = Outcome {
            coverage: Arc::new(moved),
            ..outcome.clone()
        };
        let launches = std::mem::take(&mut outcome.first_launches).into_iter();
        let launches = launches.map(|(mut at, name)| self.location(&mut at).map(|()| (at, name)));
        outcome.first_launches = launches.collect::<Option<_>>()?;
        let mut findings = outcome.findings.iter_mut();
        findings.try_for_each(|it| it.locations_mut().try_for_each(|it| self.location(it)))?;
        Some(outcome)
    }

    fn place(&self, (file, start): Place) -> Option<Place> {
        match self.files.get(&file) {
            None => Some((file, start)),
            Some(moved) => moved.as_ref()?.start(start).map(|it| (file, it)),
        }
    }

    fn keys<T: Copy>(&self, all: &FastMap<Place, T>) -> Option<FastMap<Place, T>> {
        all.iter()
            .map(|(place, value)| self.place(*place).map(|it| (it, *value)))
            .collect()
    }

    fn location(&self, location: &mut Location) -> Option<()> {
        if let Some(moved) = self.paths.get(&*location.path) {
            location.span = moved.as_ref()?.place(location.span)?;
        }
        Some(())
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
