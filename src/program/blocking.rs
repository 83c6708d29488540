//! Whether a call may wait for work of the device, or let a stream wait for some, as far as its text says.
//!
//! What is asked here is whether a caller may rely on such a wait, so that what makes or destroys the handle of a library is none: it
//! does so once, and whoever comes next finds it made.

use super::receivers::Receivers;
use super::{FunctionId, Program, Scope, events};
use crate::api::{self, Blocking, Call as ApiCall, Operation, library};
use crate::facts::ir::{Call, ExprKind, Name};

/// The namespace of what only models can ask for, and what calls what it is handed there.
pub(crate) const INTRINSICS: &str = "cudalint";
const CALLING: [&str; 2] = ["call", "call_with_parts"];

/// Whether a call of CUDA or of one of its libraries does.
pub(super) fn of_api(call: &ApiCall) -> bool {
    match call.operation {
        Operation::LibraryHandleCreate | Operation::LibraryHandleDestroy => false,
        Operation::StreamWaitEvent
        | Operation::StreamWaitValue
        | Operation::StreamBatchMemOp
        | Operation::StreamQuery
        | Operation::EventQuery
        | Operation::RequestWait => true,
        _ => call.blocks != Blocking::None,
    }
}

/// Whether a call may that leads to no function of the project: what nobody knows may do anything.
pub(super) fn of_unseen(program: &Program, scope: Scope<'_>, receivers: &Receivers<'_>, call: &Call) -> bool {
    match &call.callee.kind {
        ExprKind::Name(name) => of_name(program, scope, receivers, name),
        ExprKind::Member { object, field, arrow } => {
            let is_defined = |it: &FunctionId| program.function(*it).defined;
            let named = program.names.functions.get(field);
            let is_own = named.is_some_and(|named| match receivers.methods(object, *arrow, field) {
                Some(methods) => methods.iter().any(is_defined),
                None => named.iter().any(is_defined),
            });
            let vocabulary = &program.names.vocabularies[scope.file.0 as usize];
            let waits = vocabulary.in_member(field) == Some(events::Weight::Heavy);
            !is_own && (waits || !is_harmless(field))
        }
        ExprKind::Lambda(_) => false,
        _ => true,
    }
}

fn of_name(program: &Program, scope: Scope<'_>, receivers: &Receivers<'_>, name: &Name) -> bool {
    let last = name.last();
    let of_standard = name.path.len() > 1 && name.path[0] == "std";
    if program.is_model(scope.file) && name.path.first().is_some_and(|it| it == INTRINSICS) {
        return CALLING.contains(&last);
    }
    if api::lookup(last)
        .or_else(|| api::lookup_path(&name.path))
        .is_some()
    {
        return false;
    }
    if program.names.functions.contains_key(last)
        && let Some(callee) = program.resolve_function(scope, name, None)
    {
        return !program.function(callee).defined && !is_harmless(last);
    }
    if receivers.is_variable(last) && name.is_plain() {
        return true;
    }
    !of_standard && !is_harmless(last) && !program.declares_type(last)
}

/// Whether a name of the C or C++ library says that nothing is waited for.
fn is_harmless(name: &str) -> bool {
    let is_known = library::never_waits(name)
        || library::only_reads(name)
        || library::works_on_containers(name)
        || library::asks_text(name)
        || library::exits(name)
        || library::fails(name)
        || library::throws(name);
    is_known && events::in_name(name) != Some(events::Weight::Heavy)
}
