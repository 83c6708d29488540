//! What runs before `main` is entered.

use std::collections::BTreeSet;

use super::{FileId, FunctionId, GlobalId, Program, SourceUnit};
use crate::facts::ir::{Function, Role};

/// Files looked at for what they make before `main`.
const MAX_FILES: usize = 64;

impl Program {
    /// Files whose variables are made before the `main` of this file is entered: those it includes, and all where there
    /// is no other `main`.
    fn start_files(&self, file: FileId) -> BTreeSet<FileId> {
        let mut files: BTreeSet<FileId> = self.names.visible[file.0 as usize].iter().copied().collect();
        if self.names.mains == 1 {
            let base = |it: &usize| self.units[*it].variant_of.is_none();
            files.extend(
                (0..self.units.len())
                    .filter(base)
                    .take(MAX_FILES)
                    .map(|it| FileId(it as u32)),
            );
        }
        files
    }

    /// Variables that may be made before the `main` of this file is entered.
    pub fn start_globals(&self, file: FileId) -> impl Iterator<Item = GlobalId> {
        self.start_files(file).into_iter().flat_map(|file| {
            let count = self.source(file).facts.globals.len() as u32;
            (0..count).map(move |index| GlobalId { file, index })
        })
    }

    /// Functions that run before `main` is entered: `__attribute__((constructor))`.
    pub fn start_functions(&self, file: FileId) -> Vec<FunctionId> {
        let files = self.start_files(file);
        let starters = self.names.starters.iter().copied();
        starters.filter(|id| files.contains(&id.file)).collect()
    }
}

/// Whether a definition carries `__attribute__((constructor))`.
pub(super) fn runs_first(unit: &SourceUnit, function: &Function) -> bool {
    function.role == Role::Function && function.params.is_empty() && carries(unit, function, "constructor")
}

/// Whether a definition carries `__attribute__((weak))`: another one of the same function takes its place.
pub(super) fn gives_way(unit: &SourceUnit, function: &Function) -> bool {
    matches!(function.role, Role::Function | Role::Method) && carries(unit, function, "weak")
}

/// Whether an attribute stands in front of the name of what is defined.
fn carries(unit: &SourceUnit, function: &Function, attribute: &str) -> bool {
    let head = function.span.start as usize..function.name_span.start as usize;
    let head = unit.bytes.get(head).unwrap_or_default();
    let says = |word: &str| memchr::memmem::find(head, word.as_bytes()).is_some();
    function.defined
        && says(attribute)
        && [
            format!("({attribute}"),
            format!("(__{attribute}__"),
            format!("gnu::{attribute}"),
        ]
        .iter()
        .any(|it| says(it))
}
