//! The contracts of functions that work in a stream of their caller's, by name and place: what `cudalint contracts` prints.

use std::collections::BTreeSet;

use super::story::location;
use crate::diagnostics::Location;
use crate::facts::ir::{Role, Target};
use crate::order::contracts::{Contract, Forbidden};
use crate::program::{FileId, FunctionId, Program};
use crate::trace::{self, Effort};

/// What a function promises.
#[derive(Clone, Debug)]
pub struct Promised {
    /// Its qualified name.
    pub name: String,
    /// The names of its parameters; empty ones where they have none.
    pub parameters: Vec<String>,
    /// Where it is declared, in a file that was asked for if possible.
    pub at: Location,
    /// What it does.
    pub contract: Contract,
    /// Calls that a capture refuses, with their places.
    pub refused: Vec<(Forbidden, Location)>,
    /// Every path was followed to its end, and every function that is handed the stream is seen.
    pub complete: bool,
}

/// Functions that anybody may call and that work in a stream of his, declared or defined in these files (all of the project for
/// `None`), in the order of their places.
pub fn promising(program: &Program, named: Option<&BTreeSet<FileId>>) -> Vec<FunctionId> {
    let is_named = |file: FileId| named.is_none_or(|it| it.contains(&file));
    let is_offered = |id: &FunctionId| {
        let function = program.function(*id);
        let is_for_clients = matches!(function.role, Role::Function | Role::Method)
            && matches!(function.target, Target::Host | Target::HostDevice)
            && function.defined
            && !function.internal
            && !program.is_main(*id);
        is_for_clients && program.is_public(*id)
    };
    let stands_there =
        |id: &FunctionId| is_named(id.file) || program.declarations_of(*id).any(|it| is_named(it.file));
    let all = program
        .own_functions()
        .filter(|it| program.works_for_stream(*it) && is_offered(it));
    let mut found: Vec<FunctionId> = all.filter(stands_there).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What a function promises; nothing where no path of it knows a stream of the caller's.
pub fn promised(program: &Program, id: FunctionId, named: Option<&BTreeSet<FileId>>) -> Option<Promised> {
    let tracing = trace::trace_entry(program, id, Effort::OF_PROMISE);
    let contract = Contract::of(&tracing.traces)?;
    let function = program.function(id);
    let is_named = |file: FileId| named.is_none_or(|it| it.contains(&file));
    let mut declared = program.declarations_of(id);
    let shown = declared.find(|it| is_named(it.file)).unwrap_or(id);
    let refused = contract.forbidden.iter();
    let refused = refused.map(|it| (it.clone(), location(program, it.at)));
    Some(Promised {
        name: function.path.join("::"),
        parameters: function.params.iter().map(|it| it.name.clone()).collect(),
        at: location(program, (shown.file, program.function(shown).name_span)),
        refused: refused.collect(),
        complete: !tracing.truncated && contract.unseen.is_empty(),
        contract,
    })
}
