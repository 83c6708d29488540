//! Functions whose CUDA calls no path reached: where execution begins when all entry points are done.

use std::collections::BTreeSet;

use super::{Outcome, Together};
use crate::api::Operation;
use crate::facts::ir::{Role, Target};
use crate::program::{CudaSite, FunctionId, Program};

/// Functions that nothing executed and that lead to CUDA calls, those that no other of them calls.
pub(in crate::rules) fn roots_of_unreached(program: &Program, parts: &[Outcome]) -> Vec<FunctionId> {
    let reached = Together::of(program, parts);
    let is_new = |it: &FunctionId| !reached.executed.contains(it) && may_begin(program, *it);
    let holders = unexecuted(program, &reached).map(|it| it.function);
    let captures = program.capturing_functions().iter().copied();
    let mut leading: BTreeSet<FunctionId> = holders.chain(captures).filter(is_new).collect();
    let mut open: Vec<FunctionId> = leading.iter().copied().collect();
    while let Some(id) = open.pop() {
        let callers = program.callers(id).iter().copied();
        open.extend(callers.filter(|it| is_new(it) && leading.insert(*it)));
    }
    let is_root = |id: &FunctionId| {
        let mut callers = program.callers(*id).iter();
        !callers.any(|it| it != id && leading.contains(it))
    };
    leading.iter().copied().filter(is_root).collect()
}

/// Functions that make CUDA calls nothing executed, where another beginning can change that.
pub(in crate::rules) fn holders_of_unreached(program: &Program, parts: &[Outcome]) -> Vec<FunctionId> {
    let reached = Together::of(program, parts);
    let done: BTreeSet<FunctionId> = parts.iter().filter_map(|it| it.entry).collect();
    let is_lost = |site: &&CudaSite| {
        let asks = site.api.is_some_and(|it| it.operation == Operation::ErrorQuery);
        let cut = !reached.uncut.contains(&site.function) && !site.in_lambda && !asks;
        cut || !reached.executed.contains(&site.function)
    };
    let lost = unexecuted(program, &reached).filter(is_lost);
    let holders: BTreeSet<FunctionId> = lost.map(|it| it.function).collect();
    let holders = &holders - &done;
    holders.into_iter().filter(|it| may_begin(program, *it)).collect()
}

fn unexecuted<'a>(program: &'a Program, reached: &'a Together<'_>) -> impl Iterator<Item = &'a CudaSite> {
    let sites = program.cuda_sites().iter();
    sites.filter(|it| !reached.sites.contains(&(it.function.file, it.start)))
}

fn may_begin(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    let on_host = matches!(function.target, Target::Host | Target::HostDevice);
    on_host && function.defined && function.role != Role::Macro && !program.is_model(id.file)
}

/// Whether all callers of a function are seen, and hand it streams that are ordered with the default stream: it belongs to
/// the main file of a program.
pub(in crate::rules) fn callers_are_known(program: &Program, parts: &[Outcome], id: FunctionId) -> bool {
    let executed = |id: &FunctionId| parts.iter().any(|it| it.coverage.executed.contains(id));
    let mut callers = program.callers(id).iter();
    program.is_main_file(id.file)
        && executed(&id)
        && callers.all(executed)
        && !parts.iter().any(|it| it.coverage.handed_unordered.contains(&id))
}
