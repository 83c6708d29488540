//! The rules: each asks one question of the order of a trace and phrases the answer.

mod allocation_in_loop;
mod blocking_call_behind_resident;
mod callback_calls_cuda;
mod callback_waits;
mod captured_temporary_host_pointer;
mod cold_launch_timed;
mod coverage;
mod default_stream_between_streams;
mod first_launch_behind_resident;
mod fork_not_behind_caller;
mod free_as_barrier;
mod grid_barrier_without_coresidency;
mod grid_sync_without_cooperative_launch;
mod half_used_event;
mod host_buffer_dies_before_copy;
mod host_read_before_sync;
mod host_wait_before_release;
mod illegal_call_during_capture;
mod launch_blocking_with_resident;
mod launch_queue_behind_resident;
mod legacy_stream_during_capture;
mod local_memory_behind_resident;
mod null_stream_beside_nonblocking;
mod one_graph_exec_in_two_streams;
mod outside_event_in_capture;
mod pageable_async_copy;
mod pedantic;
mod preload_defeated;
mod prepared;
mod relaunch_with_unfreed_allocation;
mod release_behind_wait;
mod remedy;
mod result_returned_before_done;
mod scratch_shared_between_streams;
mod setup_in_timed_region;
mod spin_grid_fills_device;
mod spin_on_plain_load;
mod spin_order_not_guaranteed;
mod spin_without_preload;
mod story;
mod streams_take_turns;
mod timed;
mod timing_event_on_other_stream;
mod ungrouped_collective;
mod unjoined_capture_fork;
mod unjoined_fork_at_return;
mod unordered_async_alloc;
mod unordered_async_free;
mod unordered_cross_stream_access;
mod unreleasable_wait;
mod unspecified_pageable_completion;
mod unsynchronised_timing;
mod wait_before_record;
mod wait_before_write;
mod wait_for_own_record;
mod work_left_out_of_capture;
mod work_outside_given_stream;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use coverage::{Each, Round, Unreached, check, check_with, get_the_same};

use crate::diagnostics::{Confidence, Finding, Fix, Location, Severity};
use crate::facts::ir::{Role, Span};
use crate::order::{self, Gate, Hang, Race, Verdict};
use crate::program::{FileId, FunctionId, HalfUsed, Program};
use crate::trace::{self, ClientTracing, Decided, Effort, ThreadId, Trace, Tracing};

/// Bytes of a file.
type Place = (FileId, Span);

/// What the rules need to know of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Kernels are loaded at their first use (the default since CUDA 12.2 on Linux).
    pub lazy_loading: bool,
    /// Stream 0 is a stream per host thread.
    pub per_thread_default_stream: bool,
    /// Report also what documents allow and no GPU was seen to do.
    pub pedantic: bool,
    /// `CUDART_VERSION` of the toolkit, e.g. 13000.
    pub cuda_version: u32,
    /// Somebody wants to see how far the paths came.
    pub statistics: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            lazy_loading: true,
            per_thread_default_stream: false,
            pedantic: false,
            cuda_version: 13_000,
            statistics: true,
        }
    }
}

/// What a run of all rules gives.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Findings, sorted and without duplicates.
    pub findings: Vec<Finding>,
    /// Counters for `--statistics`.
    pub counters: BTreeMap<&'static str, u64>,
    /// Launches that load their kernel on a path from `main`, with its name.
    pub first_launches: BTreeMap<Location, String>,
    /// Functions that hold all of what was only found one way of a condition that is lost where execution began.
    pub doubted: BTreeSet<FunctionId>,
    /// Where execution began; `None` once they are put together.
    pub entry: Option<FunctionId>,
    /// What clients come to that nobody sees: said only where nothing else says more.
    pub of_clients: bool,
    /// Only what is written in a function and was not reached before was looked for: it is no entry point more.
    pub again: bool,
    /// Launches and CUDA calls that no path reached, in order, once they are put together and where they are counted.
    pub unreached: Vec<Unreached>,
    /// What the paths of an entry point reached; empty once they are put together.
    pub coverage: Arc<trace::coverage::Coverage>,
}

/// One deadlock on one path, as the hang rules see it.
struct HangCase<'a> {
    program: &'a Program,
    trace: &'a Trace,
    hang: &'a Hang,
    certainty: Certainty,
    /// The wait ends by itself: by a clock (`true`) or a count of iterations.
    bound: Option<bool>,
}

/// How sure a path is, before a rule adds its own doubts.
#[derive(Clone, Debug)]
struct Certainty {
    confidence: Confidence,
    assumptions: Vec<String>,
    configuration: Option<String>,
    /// More doubt than an error bears.
    doubtful: bool,
    /// Part of the path was not followed: what is told of the rest is as sure as this.
    elsewhere: Option<Confidence>,
}

impl Certainty {
    fn doubt(&mut self, assumption: String) {
        self.assumptions.push(assumption);
        self.confidence = Confidence::Low;
        self.doubtful = true;
    }

    /// What it is for a story that no call that was not followed lies in.
    fn beside_cuts(self) -> Self {
        let Some(confidence) = self.elsewhere else {
            return self;
        };
        let assumptions = self.assumptions.into_iter().filter(|it| it != CUT_SHORT);
        Certainty {
            confidence: confidence.min(Confidence::Medium),
            assumptions: assumptions.collect(),
            doubtful: false,
            elsewhere: None,
            ..self
        }
    }
}

/// What is assumed of a path that was cut short.
const CUT_SHORT: &str = "the path was too long to follow to its end";

/// One path, as the rules that need no deadlock see it.
struct PathCase<'a> {
    program: &'a Program,
    trace: &'a Trace,
    verdict: &'a Verdict,
    options: &'a Options,
    certainty: Certainty,
    /// What it breaks of what its function promises callers; worked out once, where somebody asks.
    breaches: OnceCell<Vec<order::Breach>>,
}

impl PathCase<'_> {
    fn breaches(&self) -> &[order::Breach] {
        self.breaches.get_or_init(|| order::breaches(self.trace))
    }
}

/// Whether a path begins at the `main` of a program, or in a test: whoever calls it does not care for its streams.
fn is_program(case: &PathCase<'_>) -> bool {
    let entry = case.trace.entry;
    case.program.is_main(entry) || case.program.function(entry).role == Role::Test
}

/// A rule over deadlocks. At most one of them takes a case: their gates are disjoint.
type HangRule = fn(&HangCase<'_>) -> Option<Finding>;

/// A rule over whole paths, hanging or not.
type PathRule = fn(&PathCase<'_>) -> Vec<Finding>;

/// A rule over all paths of an entry point: what is said must hold whatever conditions nobody knows.
type EntryRule = fn(&EntryCase<'_>) -> Vec<Finding>;

/// All paths of an entry point.
struct EntryCase<'a> {
    cases: &'a [PathCase<'a>],
    /// What is wrong with its timed regions, one thing each.
    timed: Vec<timed::Timed<'a>>,
    /// There are paths nobody looked at, or looked at to their end.
    cut_short: bool,
}

const ENTRY_RULES: &[EntryRule] = &[
    pageable_async_copy::check,
    allocation_in_loop::check,
    default_stream_between_streams::check,
    cold_launch_timed::check,
    unsynchronised_timing::check,
    timing_event_on_other_stream::check,
    setup_in_timed_region::check,
    wait_for_own_record::check,
    illegal_call_during_capture::left_open,
];

const PATH_RULES: &[PathRule] = &[
    wait_before_write::early,
    unordered_cross_stream_access::check,
    wait_before_record::check,
    half_used_event::lost,
    unordered_async_free::check,
    unordered_async_alloc::check,
    host_read_before_sync::check,
    host_buffer_dies_before_copy::check,
    host_buffer_dies_before_copy::refilled,
    null_stream_beside_nonblocking::check,
    free_as_barrier::check,
    unspecified_pageable_completion::check,
    unreleasable_wait::check,
    spin_on_plain_load::check,
    spin_order_not_guaranteed::check,
    illegal_call_during_capture::check,
    unjoined_capture_fork::check,
    legacy_stream_during_capture::check,
    relaunch_with_unfreed_allocation::check,
    captured_temporary_host_pointer::check,
    outside_event_in_capture::check,
    one_graph_exec_in_two_streams::check,
    callback_calls_cuda::check,
    callback_waits::stuck,
    grid_barrier_without_coresidency::check,
    grid_sync_without_cooperative_launch::check,
    spin_grid_fills_device::check,
    ungrouped_collective::check,
    work_outside_given_stream::check,
    result_returned_before_done::check,
    unjoined_fork_at_return::check,
    fork_not_behind_caller::check,
    scratch_shared_between_streams::check,
    work_left_out_of_capture::check,
    streams_take_turns::check,
];

const HANG_RULES: &[HangRule] = &[
    callback_waits::check,
    wait_before_write::check,
    spin_without_preload::check,
    first_launch_behind_resident::check,
    blocking_call_behind_resident::check,
    release_behind_wait::check,
    host_wait_before_release::check,
    preload_defeated::check,
    local_memory_behind_resident::check,
    launch_queue_behind_resident::check,
    launch_blocking_with_resident::check,
];

const ENTRIES_CUT: &str = "entry points cut short";

/// Runs every rule over paths of a function that are aimed at what is written in it.
fn check_aimed(program: &Program, entry: FunctionId, effort: Effort, options: &Options) -> Outcome {
    let mut outcome = check_entry(program, entry, effort.aimed(), options);
    outcome.again = true;
    outcome.counters.remove(ENTRIES_CUT);
    outcome
}

/// Runs the rules about promises over a function of [`Program::promises`]; a capture that it asks for is one too.
fn check_promise(program: &Program, entry: FunctionId, options: &Options) -> Outcome {
    let mut outcome = check_entry(program, entry, Effort::OF_PROMISE, options);
    let asks = program.asks_for_capture(entry);
    outcome
        .findings
        .retain(|it| is_about_promise(it) || asks && it.code == illegal_call_during_capture::CODE);
    outcome
}

/// Runs the rules over what clients do with an interface of [`Program::interfaces`].
fn check_client(program: &Program, key: FunctionId, options: &Options) -> Outcome {
    let clients = trace::trace_clients(program, key, Effort::OF_CLIENT);
    let mut outcome = Outcome {
        entry: Some(key),
        of_clients: true,
        ..Outcome::default()
    };
    for client in clients {
        let ClientTracing {
            tracing,
            records,
            is_daring,
        } = client;
        let mut part = check_tracing(program, key, tracing, options);
        if is_daring {
            for finding in &mut part.findings {
                finding.severity = finding.severity.min(Severity::Warning);
                finding.confidence = Confidence::Low;
            }
        }
        // What else there is comes without a graph too.
        part.findings.retain(|it| !records || it.code.starts_with("CL3"));
        outcome.findings.extend(part.findings);
        Arc::make_mut(&mut outcome.coverage).join(&part.coverage);
        for (name, count) in part.counters {
            *outcome.counters.entry(name).or_default() += count;
        }
    }
    // What a function promises by itself needs no client.
    outcome.findings.retain(|it| !is_about_promise(it));
    outcome
}

/// Puts the outcomes of all entry points together: sorted, one finding per rule and place.
fn collect(
    program: &Program,
    named: Option<&BTreeSet<FileId>>,
    parts: Vec<Outcome>,
    is_counted: bool,
) -> Outcome {
    let (counters, unreached) = match is_counted {
        true => coverage::count(program, named, &parts),
        false => Default::default(),
    };
    let mut outcome = Outcome {
        counters,
        unreached,
        ..Outcome::default()
    };
    let entries = parts.iter().filter(|it| !it.again).count();
    outcome.counters.insert("entry points", entries as u64);
    let mut of_clients = Vec::new();
    let called = called_in_full(program, &parts);
    for mut part in parts {
        if part.entry.is_some_and(|it| called.contains(&it)) {
            part.findings.retain(|it| !is_about_promise(it));
        }
        for (name, count) in part.counters {
            *outcome.counters.entry(name).or_default() += count;
        }
        match part.of_clients {
            true => of_clients.extend(part.findings),
            false => outcome.findings.extend(part.findings),
        }
        outcome.first_launches.extend(part.first_launches);
    }
    let events = program.events_in_vain();
    let halves = events.half_used;
    outcome.findings.extend(half_used_event::check(program, &halves));
    outcome
        .findings
        .extend(wait_for_own_record::kept(program, &events.self_waited));
    outcome.findings.extend(unordered_async_free::by_default(program));
    outcome.findings = without_assumed_callers(merge(outcome.findings));
    outcome.findings = without_assumed_work(outcome.findings, work_outside_given_stream::in_texts(program));
    let told = told_of_clients(program, &outcome.findings, &halves, of_clients);
    outcome.findings.extend(told);
    outcome.findings = without_assumed_callers(merge(outcome.findings));
    for finding in &mut outcome.findings {
        story::hip::in_own_words(program, finding);
    }
    outcome
}

/// Functions that only their own file can call, and that a program does whose paths were followed to their end: nothing is assumed
/// of callers that all are seen.
fn called_in_full(program: &Program, parts: &[Outcome]) -> BTreeSet<FunctionId> {
    let is_whole = |it: &&Outcome| {
        let starts = it.entry.is_some_and(|it| program.is_program_start(it));
        starts && !it.again && it.counters.get(ENTRIES_CUT).is_none_or(|it| *it == 0)
    };
    let programs = parts.iter().filter(is_whole);
    let executed = programs.flat_map(|it| it.coverage.executed.iter().copied());
    executed.filter(|it| program.function(*it).internal).collect()
}

/// Whether a finding is about what a function that is handed a stream promises whoever calls it: CL210 and what follows.
fn is_about_promise(finding: &Finding) -> bool {
    finding.code.starts_with("CL21")
}

/// Whether a finding assumes what callers do with memory that a function works on in a stream of its own.
fn is_about_fork(finding: &Finding) -> bool {
    matches!(finding.code, "CL212" | "CL213" | "CL215") && finding.severity < Severity::Error
}

/// What clients come to where nothing else says more: what a function promises by itself does, and so does an event that only
/// one half is done with.
fn told_of_clients(
    program: &Program,
    others: &[Finding],
    halves: &[HalfUsed],
    mut of_clients: Vec<Finding>,
) -> Vec<Finding> {
    // A client shows of what kind a stream is that somebody keeps: it says more than what may be.
    let promised = others
        .iter()
        .filter(|it| is_about_promise(it) && it.confidence > Confidence::Low);
    let promised: BTreeSet<&Location> = promised.map(|it| &it.primary).collect();
    let functions = halves
        .iter()
        .filter_map(|it| program.function_around(*it.calls.first()?));
    let causes: Vec<Location> = functions
        .map(|it| story::location(program, (it.file, program.function(it).span)))
        .collect();
    of_clients.retain(|it| {
        !promised.contains(&it.primary) && !causes.iter().any(|cause| is_inside(&it.primary, cause))
    });
    of_clients
}

fn is_inside(it: &Location, around: &Location) -> bool {
    it.path == around.path && around.span.start <= it.span.start && it.span.end <= around.span.end
}

/// What a caller that is seen shows says more than what is assumed of one: each place is reported once.
fn without_assumed_callers(mut findings: Vec<Finding>) -> Vec<Finding> {
    let shown = findings
        .iter()
        .filter(|it| !is_about_promise(it) && it.severity > Severity::Info);
    let shown: BTreeSet<_> = shown.map(|it| it.primary.clone()).collect();
    findings.retain(|it| !is_about_promise(it) || !shown.contains(&it.primary));
    findings
}

/// A call of which it is assumed what it does, or of which texts alone tell, says nothing where another finding of the rule goes
/// through that call and shows it.
fn without_assumed_work(mut findings: Vec<Finding>, mut in_texts: Vec<Finding>) -> Vec<Finding> {
    let shown = findings
        .iter()
        .filter(|it| is_about_promise(it) && it.confidence > Confidence::Low);
    let steps = shown.flat_map(|it| it.steps.iter().map(|step| (it.code, step.location.clone())));
    let shown: Vec<(&str, Location)> = steps.collect();
    let is_shown = |it: &Finding| {
        let mut around = shown.iter().filter(|(code, _)| *code == it.code);
        around.any(|(_, around)| is_inside(&it.primary, around))
    };
    in_texts.retain(|it| !is_shown(it));
    findings.retain(|it| !(is_about_promise(it) && it.confidence == Confidence::Low && is_shown(it)));
    findings.extend(in_texts);
    findings
}

/// Whether other preprocessor configurations are worth a look: a program in which nothing waits cannot hang.
pub fn wants_variants(program: &Program) -> bool {
    program.may_wait()
}

/// Runs every rule over one entry point.
fn check_entry(program: &Program, entry: FunctionId, effort: Effort, options: &Options) -> Outcome {
    check_tracing(
        program,
        entry,
        trace::trace_entry(program, entry, effort),
        options,
    )
}

/// Runs every rule over the paths of an entry point.
fn check_tracing(program: &Program, entry: FunctionId, tracing: Tracing, options: &Options) -> Outcome {
    let settings = order::Settings {
        lazy_loading: options.lazy_loading,
    };
    let mut outcome = Outcome {
        entry: Some(entry),
        ..Outcome::default()
    };
    if options.lazy_loading {
        outcome.first_launches = prepared::first_launches(program, entry, &tracing.traces);
    }
    let mut verdicts: Vec<_> = tracing
        .traces
        .iter()
        .map(|trace| order::judge(program, trace, settings))
        .collect();
    order::keep_lonely(&tracing.traces, tracing.truncated, &mut verdicts);
    let completed = completed_calls(&tracing.traces, &verdicts, |it| it.hangs.is_empty());
    let smooth = |it: &Verdict| it.hangs.is_empty() && it.stalls.is_empty();
    let smooth = completed_calls(&tracing.traces, &verdicts, smooth);
    let cases: Vec<PathCase<'_>> = tracing
        .traces
        .iter()
        .zip(&verdicts)
        .map(|(trace, verdict)| PathCase {
            program,
            trace,
            verdict,
            options,
            certainty: certainty(program, trace),
            breaches: OnceCell::new(),
        })
        .collect();
    let cut_short = tracing.truncated || tracing.traces.iter().any(|it| it.budgets_hit > 0);
    let entry_case = EntryCase {
        cases: &cases,
        timed: timed::regions(&cases, cut_short),
        cut_short,
    };
    outcome
        .findings
        .extend(ENTRY_RULES.iter().flat_map(|rule| rule(&entry_case)));
    let mut on_paths: Vec<Vec<Finding>> = Vec::with_capacity(cases.len());
    for case in &cases {
        let mut findings = Vec::new();
        let (trace, verdict, certainty) = (case.trace, case.verdict, &case.certainty);
        for hang in &verdict.hangs {
            if prepared::by_main(program, trace, hang) {
                continue;
            }
            let mut certainty = certainty.clone();
            doubt_first_use(program, trace, hang, &completed, &mut certainty);
            let case = HangCase {
                program,
                trace,
                hang,
                certainty,
                bound: None,
            };
            findings.extend(HANG_RULES.iter().find_map(|rule| rule(&case)).map(|mut found| {
                found.fix = Fix::or(found.fix, remedy::start_later(&case));
                found.fix = Fix::or(found.fix, remedy::wait_behind(&case));
                found
            }));
        }
        findings.extend(stalls(case, &smooth));
        findings.extend(pedantic::allowed_hangs(case, settings));
        findings.extend(PATH_RULES.iter().flat_map(|rule| rule(case)));
        // What an object's stream is for only its class knows.
        if trace.is_given_carried_stream() {
            for finding in findings.iter_mut().filter(|it| is_about_promise(it)) {
                finding.severity = finding.severity.min(Severity::Warning);
                finding.confidence = finding.confidence.min(Confidence::Medium);
            }
        }
        on_paths.push(findings);
        *outcome.counters.entry("paths").or_default() += 1;
        *outcome.counters.entry("events").or_default() +=
            trace.threads.iter().map(|it| it.events.len() as u64).sum::<u64>();
        *outcome.counters.entry("budgets hit").or_default() += u64::from(trace.budgets_hit);
    }
    outcome.doubted = doubt_lost(&cases, &mut on_paths);
    outcome.findings.extend(on_paths.into_iter().flatten());
    for finding in &mut outcome.findings {
        story::callers::add(finding);
        story::namesakes::resolve(program, finding);
    }
    *outcome.counters.entry(ENTRIES_CUT).or_default() += u64::from(tracing.truncated);
    let executed: BTreeSet<FunctionId> = tracing
        .traces
        .iter()
        .flat_map(|it| &it.executed)
        .copied()
        .collect();
    drop(cases);
    outcome.coverage = Arc::new(trace::coverage::Coverage {
        executed,
        ..tracing.coverage
    });
    outcome
}

/// What is only found one way of a condition that the program knows and nobody here does is no more than a hint: the
/// condition depends on what a loop or a call that was not followed to its end leaves. Says which functions hold all of one.
///
/// What is decided behind a race has no part in it where nothing was given up on before: the two accesses are in no order by then.
fn doubt_lost(cases: &[PathCase<'_>], on_paths: &mut [Vec<Finding>]) -> BTreeSet<FunctionId> {
    let mut doubted = BTreeSet::new();
    let key = |it: &Finding| (it.primary.clone(), it.code);
    let keys: Vec<BTreeSet<_>> = on_paths
        .iter()
        .map(|findings| findings.iter().map(key).collect())
        .collect();
    for (case, findings) in cases.iter().zip(on_paths) {
        let trace = case.trace;
        for finding in findings {
            let key = key(finding);
            let either_way = |at: usize| {
                cases.iter().zip(&keys).any(|(other, keys)| {
                    let other = other.trace;
                    other.decisions.len() > at
                        && other.decisions[..at] == trace.decisions[..at]
                        && other.decisions[at].taken != trace.decisions[at].taken
                        && keys.contains(&key)
                })
            };
            let race = story::race::told_by(case, finding);
            let counts = |it: &Decided| it.lost && race.is_none_or(|race| counts_for(trace, it, race));
            let lost = trace.decisions.iter().enumerate().filter(|(_, it)| counts(it));
            if lost.into_iter().any(|(at, _)| !either_way(at)) {
                // A promise is to be kept whatever a condition is.
                let most = match is_about_promise(finding) {
                    true => Severity::Warning,
                    false => Severity::Info,
                };
                finding.severity = finding.severity.min(most);
                finding.confidence = Confidence::Low;
                let assumption =
                    "what a loop or call that was not followed to its end leaves decides whether it happens";
                finding.assumptions.push(assumption.to_owned());
                doubted.extend(holder(case.program, trace, finding));
            }
        }
    }
    doubted
}

/// Whether something is decided before the later access of a race, as far as one thread tells, or anything was given up on by then.
fn counts_for(trace: &Trace, decided: &Decided, race: &Race) -> bool {
    let later = race.later;
    let is_before = |(thread, position): (ThreadId, u32)| thread != later.thread || position <= later.index;
    later.thread != race.earlier.thread
        || is_before(decided.at)
        || trace.notes.first_loss.is_some_and(is_before)
}

/// The innermost function in which the whole story of a finding happens.
fn holder(program: &Program, trace: &Trace, finding: &Finding) -> Option<FunctionId> {
    let holds = |id: &&FunctionId| {
        let function = program.function(**id);
        let inside = |it: &Location| {
            *it.path == *program.source(id.file).path
                && function.span.start <= it.span.start
                && it.span.end <= function.span.end
        };
        function.role != crate::facts::ir::Role::Macro && finding.locations().all(inside)
    };
    let all = trace.executed.iter().filter(holds);
    all.min_by_key(|id| {
        let span = program.function(**id).span;
        span.end - span.start
    })
    .copied()
}

/// What the hang rules say of waits that end by themselves; with doubts they say nothing.
fn stalls(case: &PathCase<'_>, completed: &BTreeSet<(FileId, Span)>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for stalled in &case.verdict.stalls {
        let (program, trace, hang) = (case.program, &stalled.trace, &stalled.hang);
        let mut certainty = case.certainty.clone();
        doubt_first_use(program, trace, hang, completed, &mut certainty);
        if certainty.doubtful || prepared::by_main(program, trace, hang) {
            continue;
        }
        let bounded = HangCase {
            program,
            trace,
            hang,
            certainty,
            bound: Some(stalled.clock),
        };
        findings.extend(HANG_RULES.iter().find_map(|rule| rule(&bounded)));
    }
    findings
}

/// Calls that are made on a path that completes.
fn completed_calls(
    traces: &[Trace],
    verdicts: &[Verdict],
    completes: impl Fn(&Verdict) -> bool,
) -> BTreeSet<(FileId, Span)> {
    let completing = traces
        .iter()
        .zip(verdicts)
        .filter(|(_, verdict)| completes(verdict));
    let events = completing
        .flat_map(|(trace, _)| &trace.threads)
        .flat_map(|thread| &thread.events);
    events.map(|event| (event.site.file, event.site.span)).collect()
}

/// A first use is only as sure as it is that nothing loaded the kernel before.
fn doubt_first_use(
    program: &Program,
    trace: &Trace,
    hang: &Hang,
    completed: &BTreeSet<(FileId, Span)>,
    certainty: &mut Certainty,
) {
    let (event, kernel) = match &hang.gate {
        Gate::FirstUse { event, kernel, .. } => (*event, kernel.function),
        Gate::Load { event } => (*event, None),
        _ => return,
    };
    if completed.contains(&event.at(trace)) {
        certainty.doubt("a condition that is not known decides whether it is loaded before".to_owned());
    }
    let elsewhere = |kernel: &FunctionId| program.is_mentioned_elsewhere(*kernel, &trace.executed);
    if !program.is_main(trace.entry)
        && let Some(kernel) = kernel.filter(elsewhere)
    {
        let name = program.function(kernel).path.join("::");
        certainty.doubt(format!(
            "other functions of the project mention `{name}`: it may be loaded before"
        ));
    }
}

fn certainty(program: &Program, trace: &Trace) -> Certainty {
    let mut it = Certainty {
        confidence: Confidence::High,
        assumptions: trace.assumptions.clone(),
        configuration: None,
        doubtful: false,
        elsewhere: None,
    };
    let function = program.function(trace.entry);
    if let Some(client) = &trace.notes.client {
        it.assumptions.push(client.clone());
        it.confidence = Confidence::Medium;
    } else if !program.is_program_start(trace.entry) {
        let name = function.path.join("::");
        it.assumptions.push(format!(
            "nothing was launched or loaded before `{name}` is called"
        ));
        it.confidence = Confidence::Medium;
    }
    if !trace.assumptions.is_empty() {
        it.confidence = lower(it.confidence);
    }
    if trace.budgets_hit > 0 {
        it.elsewhere = Some(it.confidence);
        it.doubt(CUT_SHORT.to_owned());
    }
    it.configuration = program.source(trace.entry.file).configuration.clone();
    it
}

fn lower(confidence: Confidence) -> Confidence {
    match confidence {
        Confidence::High => Confidence::Medium,
        Confidence::Medium | Confidence::Low => Confidence::Low,
    }
}

/// One finding per rule and place: the surest, then the gravest, then the shortest story.
fn merge(findings: Vec<Finding>) -> Vec<Finding> {
    let mut best: BTreeMap<_, Finding> = BTreeMap::new();
    for finding in findings {
        let key = (finding.primary.clone(), finding.code);
        match best.get(&key) {
            Some(kept) if rank(kept) >= rank(&finding) => {}
            _ => {
                best.insert(key, finding);
            }
        }
    }
    best.into_values().collect()
}

fn rank(
    finding: &Finding,
) -> (
    bool,
    Confidence,
    crate::diagnostics::Severity,
    std::cmp::Reverse<usize>,
) {
    (
        finding.configuration.is_none(),
        finding.confidence,
        finding.severity,
        std::cmp::Reverse(finding.steps.len()),
    )
}
