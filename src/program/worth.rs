//! Functions whose order is worth a look, by what their text mentions.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{FileId, FunctionId, Program, SourceUnit};
use crate::facts::ir::{Function, Stmt, StmtKind, Target};

/// What is in the text of every function whose order is worth a look: streams, events, work that does not wait for its
/// end, memory the host or another device shares with it, and clocks around it.
const ASYNCHRONOUS: [&str; 29] = [
    "Async(",
    "StreamCreate",
    "StreamWaitEvent",
    "StreamQuery",
    "EventRecord",
    "EventQuery",
    "BeginCapture",
    "EndCapture",
    "GraphLaunch",
    "LaunchHostFunc",
    "StreamPerThread",
    "StreamAddCallback",
    "MallocManaged",
    "MallocHost",
    "HostAlloc",
    "HostRegister",
    "EnablePeerAccess",
    "AddHostNode",
    "nccl",
    "MPI_",
    "chrono::",
    "lock::now(",
    "clock()",
    "QueryPerformanceCounter",
    "__rdtsc",
    "clock_gettime",
    "gettimeofday",
    "omp_get_wtime",
    "Timer(",
];

/// Give memory back, and wait.
const RELEASES: [&str; 5] = [
    "cudaFree(",
    "cudaFreeHost(",
    "cuMemFree",
    "HostUnregister(",
    "gpuFree(",
];

/// Where the words of one file stand, in order.
struct Places(Vec<u32>);

impl Places {
    fn of(bytes: &[u8], words: &[&str]) -> Self {
        let mut places: Vec<u32> = words
            .iter()
            .flat_map(|it| memchr::memmem::find_iter(bytes, it).collect::<Vec<_>>())
            .map(|it| it as u32)
            .collect();
        places.sort_unstable();
        Places(places)
    }

    fn any_in(&self, start: u32, end: u32) -> bool {
        let first = self.0.partition_point(|it| *it < start);
        self.0.get(first).is_some_and(|it| *it < end)
    }
}

/// Host functions that stream work, share memory with the device, take times, or give memory back in a loop.
pub(super) fn functions(program: &Program) -> Vec<FunctionId> {
    let units: Vec<usize> = (0..program.written).collect();
    units
        .par_iter()
        .map(|unit| of_unit(&program.units[*unit], *unit))
        .flatten_iter()
        .collect()
}

/// Those of one unit.
pub(super) fn of_unit(source: &SourceUnit, unit: usize) -> Vec<FunctionId> {
    let (facts, bytes) = (&source.facts, &source.bytes);
    let asynchronous = Places::of(bytes, &ASYNCHRONOUS);
    let releases = Places::of(bytes, &RELEASES);
    let launches = Places::of(bytes, &["<<<", "LaunchKernel"]);
    let allocations = Places::of(bytes, &["Malloc", "HostRegister"]);
    // Kernels and the host share variables, or every thread has a default stream of its own.
    let shares = source.per_thread_default_stream || memchr::memmem::find(bytes, b"__managed__").is_some();
    let worth = |function: &Function| {
        let within = |places: &Places| places.any_in(function.span.start, function.span.end);
        let helper = || {
            !super::reach::is_main(function) && within(&releases) && within(&launches) && within(&allocations)
        };
        within(&asynchronous)
            || shares && within(&launches)
            || helper()
            || within(&releases) && in_loop(&function.body, &releases)
    };
    let host = |it: &Function| it.defined && matches!(it.target, Target::Host | Target::HostDevice);
    facts
        .functions
        .iter()
        .enumerate()
        .filter(|(_, it)| host(it) && worth(it))
        .map(|(index, _)| FunctionId {
            file: FileId(unit as u32),
            index: index as u32,
        })
        .collect()
}

/// Host functions that begin or end a capture.
pub(super) fn capturing(program: &Program) -> BTreeSet<FunctionId> {
    let units = program.units.iter().enumerate();
    units
        .flat_map(|(unit, source)| capturing_in(source, unit))
        .collect()
}

/// Those of one unit.
pub(super) fn capturing_in(source: &SourceUnit, unit: usize) -> impl Iterator<Item = FunctionId> {
    let places = Places::of(&source.bytes, &["StreamBeginCapture", "StreamEndCapture"]);
    let captures = move |it: &Function| {
        let host = it.defined && matches!(it.target, Target::Host | Target::HostDevice);
        host && places.any_in(it.span.start, it.span.end)
    };
    let functions = source.facts.functions.iter().enumerate();
    functions
        .filter(move |(_, it)| captures(it))
        .map(move |(index, _)| FunctionId {
            file: FileId(unit as u32),
            index: index as u32,
        })
}

/// Whether one of the words stands in a loop.
fn in_loop(body: &[Stmt], places: &Places) -> bool {
    body.iter().any(|statement| {
        let inside = places.any_in(statement.span.start, statement.span.end);
        inside
            && match &statement.kind {
                StmtKind::Loop { .. } | StmtKind::RangeFor { .. } => true,
                StmtKind::If { then, otherwise, .. } => in_loop(then, places) || in_loop(otherwise, places),
                StmtKind::Block(inner) => in_loop(inner, places),
                _ => false,
            }
    })
}
