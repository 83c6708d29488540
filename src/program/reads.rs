//! What was asked of a program on the way to an answer: an edit that changes none of it leaves the answer what it is.
//!
//! Names, declarations and the call graph are not noted: who edits those asks again for everything.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::moves::Move;
use super::{FileId, FunctionId};
use crate::syntax::FastMap;

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Functions whose bodies, or what is known of them, may have been looked at, in order.
    functions: Box<[FunctionId]>,
    /// Files that were looked at by place.
    files: Box<[FileId]>,
    /// Names that all functions were searched for.
    names: Box<[String]>,
}

/// What an edit changed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Functions with another body, and kernels that do something else by it.
    pub functions: BTreeSet<FunctionId>,
    /// Files in which places moved.
    pub files: BTreeSet<FileId>,
    /// Names that are mentioned and were not, or were and are not.
    pub names: BTreeSet<String>,
    /// How places moved in some of the files.
    pub moves: BTreeMap<FileId, Move>,
}

/// What is being noted.
#[derive(Default)]
struct Notes {
    functions: FastMap<FunctionId, ()>,
    files: BTreeSet<FileId>,
    names: BTreeSet<String>,
    last: Option<FunctionId>,
    /// What threads have read that work for the same computation.
    others: Arc<Mutex<Vec<Notes>>>,
}

impl Notes {
    fn add(&mut self, other: Notes) {
        self.functions.extend(other.functions);
        self.files.extend(other.files);
        self.names.extend(other.names);
    }
}

thread_local! {
    /// Computations that have begun and not ended, innermost last.
    static OPEN: RefCell<Vec<Notes>> = const { RefCell::new(Vec::new()) };
}

/// Ends the innermost computation, also when it panics.
struct Ending;

impl Ending {
    fn take(self) -> Notes {
        std::mem::forget(self);
        OPEN.with_borrow_mut(Vec::pop).unwrap_or_default()
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(Vec::pop);
    }
}

/// Computes something, and says what was read for it; what a computation inside of it reads is that one's.
pub fn of<T>(compute: impl FnOnce() -> T) -> (T, Reads) {
    OPEN.with_borrow_mut(|open| open.push(Notes::default()));
    let ending = Ending;
    let computed = compute();
    let mut notes = ending.take();
    let others = std::mem::take(&mut *notes.others.lock().unwrap_or_else(PoisonError::into_inner));
    others.into_iter().for_each(|it| notes.add(it));
    let mut functions: Vec<FunctionId> = notes.functions.into_keys().collect();
    functions.sort_unstable();
    let reads = Reads {
        functions: functions.into(),
        files: notes.files.into_iter().collect(),
        names: notes.names.into_iter().collect(),
    };
    (computed, reads)
}

/// The same work, for another thread: what it reads there is read for the computation that runs here, and is over before that ends.
pub fn shared<'a>(work: impl FnOnce() + Send + 'a) -> impl FnOnce() + Send + 'a {
    let others = OPEN.with_borrow(|open| open.last().map(|it| Arc::clone(&it.others)));
    move || {
        let Some(others) = others else {
            return work();
        };
        OPEN.with_borrow_mut(|open| {
            open.push(Notes {
                others,
                ..Notes::default()
            });
        });
        let _ending = Sharing;
        work();
    }
}

/// Ends the work of another thread, also when it panics.
struct Sharing;

impl Drop for Sharing {
    fn drop(&mut self) {
        if let Some(mut notes) = OPEN.with_borrow_mut(Vec::pop) {
            let others = std::mem::take(&mut notes.others);
            others.lock().unwrap_or_else(PoisonError::into_inner).push(notes);
        }
    }
}

fn note(what: impl FnOnce(&mut Notes)) {
    OPEN.with_borrow_mut(|open| {
        if let Some(notes) = open.last_mut() {
            what(notes);
        }
    });
}

pub(super) fn note_function(id: FunctionId) {
    note(|it| {
        if it.last != Some(id) {
            it.last = Some(id);
            it.functions.insert(id, ());
        }
    });
}

pub(super) fn note_file(file: FileId) {
    note(|it| {
        it.files.insert(file);
    });
}

pub(super) fn note_name(name: &str) {
    note(|it| {
        it.names.insert(name.to_owned());
    });
}

impl Reads {
    /// Whether an edit may change what was read.
    pub fn touch(&self, changes: &Changes) -> bool {
        self.touch_inside(changes) || self.look_at(changes)
    }

    /// The same but for where it stands.
    pub fn touch_inside(&self, changes: &Changes) -> bool {
        let changed = |it: &FunctionId| self.functions.binary_search(it).is_ok();
        changes.functions.iter().any(changed) || self.names.iter().any(|it| changes.names.contains(it))
    }

    /// Whether a file was looked at by place in which places moved.
    pub fn look_at(&self, changes: &Changes) -> bool {
        self.files.iter().any(|it| changes.files.contains(it))
    }

    /// Whether anything in some files was read.
    pub(super) fn lie_in(&self, files: &BTreeSet<FileId>) -> bool {
        self.functions.iter().any(|it| files.contains(&it.file))
            || self.files.iter().any(|it| files.contains(it))
    }
}
