//! CL402: memory is allocated and given back in every pass of a loop that launches.

use super::Place;
use std::collections::{BTreeMap, BTreeSet};

use super::story::{self, PathPhrase};
use super::{EntryCase, PathCase, setup_in_timed_region};
use crate::api::Operation;
use crate::diagnostics::{Finding, Severity};
use crate::order::EventRef;
use crate::order::separators::{self, Separator};
use crate::trace::notes::Pass;
use crate::trace::{Action, Block, Call, StreamId, Trace, WorkKind};

const RULE: &str = "allocation-in-loop";
const CODE: &str = "CL402";

/// What a loop does in each of its passes, on one path.
struct Habit<'a> {
    case: &'a PathCase<'a>,
    /// Giving memory back, and what else stands beside it: the first of each.
    release: EventRef,
    allocation: EventRef,
    launch: EventRef,
    /// The host waits for the launch before it gives the memory back.
    waited: bool,
    /// Each pass works in another stream than the one before it.
    take_turns: bool,
}

/// `allocation-in-loop` (CL402).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    let timed = setup_in_timed_region::places(entry);
    let is_told = |it: &Habit<'_>| {
        let (allocation, release) = (it.allocation.at(it.case.trace), it.release.at(it.case.trace));
        timed.contains(&allocation) || timed.contains(&release)
    };
    let mut loops: BTreeMap<Place, Vec<Option<Habit<'_>>>> = BTreeMap::new();
    for case in entry.cases {
        for (place, passes) in executions(case.trace) {
            loops.entry(place).or_default().push(habit(case, &passes));
        }
    }
    // Every path that goes round the loop twice must do it: a guard that is not known may hold the first time only.
    let reported = |habits: &Vec<Option<Habit<'_>>>| {
        let first = habits.first()?.as_ref()?;
        let always = habits.iter().all(Option::is_some);
        (always && !is_told(first)).then(|| report(first))
    };
    let (mut findings, mut told) = (BTreeMap::new(), timed.clone());
    for (place, habits) in &loops {
        if let (Some(finding), Some(Some(first))) = (reported(habits), habits.first()) {
            findings.insert(*place, finding);
            told.insert(first.release.at(first.case.trace));
        }
    }
    let mut findings: Vec<Finding> = findings.into_values().collect();
    findings.extend(between_streams(entry, &told));
    findings
}

/// Memory that is given back again and again while a kernel runs in one stream, ahead of one in another.
fn between_streams(entry: &EntryCase<'_>, told: &BTreeSet<Place>) -> Vec<Finding> {
    let mut found: BTreeMap<Place, Finding> = BTreeMap::new();
    // A path that hangs is told by the rule that says why.
    for case in entry.cases.iter().filter(|it| it.verdict.hangs.is_empty()) {
        let mut places: BTreeMap<Place, Vec<Separator>> = BTreeMap::new();
        for it in separators::frees(case.trace) {
            places.entry(it.separator.at(case.trace)).or_default().push(it);
        }
        for (place, separators) in places {
            // Once is what every change of sizes costs, and the end of every phase.
            if let [first, _, ..] = separators.as_slice()
                && !told.contains(&place)
            {
                found.entry(place).or_insert_with(|| keeps_apart(case, first));
            }
        }
    }
    found.into_values().collect()
}

fn keeps_apart(case: &PathCase<'_>, it: &Separator) -> Finding {
    let trace = case.trace;
    let name = |event: EventRef| story::name_in(case.program, trace, event);
    let stream = |event: EventRef| {
        let work = story::call(trace, event).and_then(|it| it.work.as_ref());
        work.map_or_else(
            || "its stream".to_owned(),
            |it| story::stream_name(trace, it.stream),
        )
    };
    let (release, earlier, later) = (name(it.separator), name(it.earlier), name(it.later));
    // Of what a client does by itself nobody knows whether it is to run at once.
    let severity = match [it.earlier, it.later].iter().all(|it| is_of_client(trace, *it)) {
        true => Severity::Info,
        false => Severity::Warning,
    };
    story::path_finding(
        case,
        PathPhrase {
            rule: RULE,
            code: CODE,
            severity,
            primary: it.separator.at(trace),
            message: format!(
                "{release} waits for {earlier} in {} each time, so that {later} in {} never runs beside it",
                stream(it.earlier),
                stream(it.later)
            ),
            steps: vec![
                (
                    it.earlier.at(trace),
                    format!("{earlier} is enqueued in {}", stream(it.earlier)),
                ),
                (
                    it.separator.at(trace),
                    format!("{release} waits until the device is idle"),
                ),
                (
                    it.later.at(trace),
                    format!("only then {later} is enqueued in {}", stream(it.later)),
                ),
            ],
            help: "keep the memory for the next time, or use `cudaMallocAsync` and `cudaFreeAsync` in the stream of the \
                   work"
                .to_owned(),
        },
    )
}

/// Work that a client is assumed to enqueue, beside what it calls.
fn is_of_client(trace: &Trace, event: EventRef) -> bool {
    let work = event.work(trace);
    trace.notes.client.is_some() && work.is_some_and(|it| it.kind == WorkKind::Kernel && it.kernel.is_none())
}

/// Executions of loops that go round at least twice.
fn executions(trace: &Trace) -> Vec<(Place, Vec<&Pass>)> {
    let mut executions: BTreeMap<u32, Vec<&Pass>> = BTreeMap::new();
    for pass in &trace.notes.passes {
        executions.entry(pass.execution).or_default().push(pass);
    }
    executions
        .into_values()
        .filter(|passes| passes.len() >= 2)
        .map(|passes| ((passes[0].site.file, passes[0].site.span), passes))
        .collect()
}

fn habit<'a>(case: &'a PathCase<'a>, passes: &[&Pass]) -> Option<Habit<'a>> {
    let trace = case.trace;
    let streams: Vec<Option<StreamId>> = passes.iter().map(|it| only_stream(trace, it)).collect();
    let take_turns = streams.windows(2).all(|it| it[0].is_some() && it[0] != it[1]);
    let mut works_in_loops = false;
    let mut seen: Option<Vec<BTreeSet<Place>>> = None;
    for pass in passes {
        if is_run(trace, pass) {
            return None;
        }
        works_in_loops |= loops_on_what_it_allocates(trace, pass);
        let kinds: [fn(&Call) -> bool; 3] = [is_release, is_allocation, is_launch];
        let places: Vec<BTreeSet<Place>> = kinds
            .iter()
            .map(|kind| {
                events(trace, pass)
                    .filter(|it| kind(it.1))
                    .map(|it| it.0.at(trace))
                    .collect()
            })
            .collect();
        seen = Some(match seen {
            None => places,
            Some(seen) => seen
                .iter()
                .zip(&places)
                .map(|(a, b)| a.intersection(b).copied().collect())
                .collect(),
        });
    }
    let seen = seen?;
    let last = passes.last()?;
    let mut found = seen.iter().map(|places| {
        let first = events(trace, last).find(|(event, _)| places.contains(&event.at(trace)));
        first.map(|it| it.0)
    });
    let (release, allocation, launch) = (found.next()??, found.next()??, found.next()??);
    // Nobody knows whether a pass that launches gives anything back.
    if trace.may_be_without(release.thread, release.index, launch.index) {
        return None;
    }
    let waited = events(trace, last).any(|(event, call)| {
        launch < event && event < release && call.blocks != Block::None && !is_allocation(call)
    });
    // What is paid once for many launches is paid for nothing where it keeps streams apart.
    if works_in_loops && (waited || !take_turns) {
        return None;
    }
    Some(Habit {
        case,
        release,
        allocation,
        launch,
        waited,
        take_turns,
    })
}

/// The calls of one pass.
fn events<'a>(trace: &'a Trace, pass: &Pass) -> impl Iterator<Item = (EventRef, &'a Call)> {
    let thread = pass.thread;
    let events = &trace.threads[thread.0 as usize].events;
    (pass.events.0..pass.events.1).filter_map(move |index| match &events.get(index as usize)?.action {
        Action::Call(call) => Some((EventRef { thread, index }, &**call)),
        _ => None,
    })
}

fn operation(call: &Call) -> Option<Operation> {
    call.api.map(|it| it.operation)
}

fn is_release(call: &Call) -> bool {
    matches!(
        operation(call),
        Some(Operation::Free | Operation::FreeHost | Operation::UnregisterHost)
    ) || call.api.is_some_and(|it| it.is_container_end())
}

fn is_allocation(call: &Call) -> bool {
    matches!(
        operation(call),
        Some(
            Operation::Allocate
                | Operation::AllocateHost
                | Operation::AllocateManaged
                | Operation::RegisterHost
        )
    ) || call.api.is_some_and(|it| it.is_container_begin())
}

fn is_launch(call: &Call) -> bool {
    let kinds = |kind| matches!(kind, WorkKind::Kernel | WorkKind::Graph);
    call.work.as_ref().is_some_and(|work| kinds(work.kind))
}

/// The stream that the program made in which all launches of a pass stand.
fn only_stream(trace: &Trace, pass: &Pass) -> Option<StreamId> {
    let launches = events(trace, pass).filter(|it| is_launch(it.1));
    let mut streams = launches.filter_map(|(_, call)| Some(call.work.as_ref()?.stream));
    let first = streams.next()?;
    let made = trace.streams[first.0 as usize].created;
    (made && streams.all(|it| it == first)).then_some(first)
}

/// A pass that works in loops of its own with what it allocates.
fn loops_on_what_it_allocates(trace: &Trace, pass: &Pass) -> bool {
    let inside = |position: u32| pass.holds(position);
    let inner = trace.notes.passes.iter().filter(|other| {
        other.thread == pass.thread
            && other.execution != pass.execution
            && inside(other.events.0)
            && other.events.1 <= pass.events.1
            && other.events.0 < other.events.1
    });
    // A loop that surely allocates and gives back in one of its passes does not make more of what was allocated.
    let does = |of: &Pass, kind: fn(&Call) -> bool| events(trace, of).any(|it| kind(it.1));
    let may_not = |of: &Pass| {
        let mut decisions = trace.notes.decisions.iter();
        decisions.any(|(thread, position)| *thread == of.thread && of.holds(*position))
    };
    let mut within: BTreeMap<u32, bool> = BTreeMap::new();
    for other in inner {
        let both = does(other, is_allocation) && does(other, is_release) && !may_not(other);
        *within.entry(other.execution).or_default() |= both;
    }
    within.values().any(|it| !it)
}

/// A pass that is a whole run: it is timed, prints, or sets a device or streams up.
fn is_run(trace: &Trace, pass: &Pass) -> bool {
    let inside = |position: u32| pass.holds(position);
    let timed = trace.notes.regions.iter().any(|region| {
        region.thread == pass.thread && inside(region.start.position) && region.stop.position <= pass.events.1
    });
    let prints = trace
        .notes
        .prints
        .iter()
        .any(|(thread, position)| *thread == pass.thread && inside(*position));
    let sets_up = events(trace, pass).any(|(_, call)| {
        matches!(
            operation(call),
            Some(Operation::DeviceSet | Operation::StreamCreate | Operation::LibraryHandleCreate)
        )
    });
    timed || prints || sets_up
}

/// Only device memory can be allocated in stream order.
fn help(trace: &Trace, allocation: EventRef) -> &'static str {
    let call = story::call(trace, allocation);
    match call.and_then(operation) {
        Some(Operation::Allocate) => {
            "allocate once before the loop and free behind it, or use `cudaMallocAsync` and `cudaFreeAsync` in the \
             stream of the work"
        }
        Some(Operation::RegisterHost) => {
            "register the memory once before the loop, and unregister it behind it"
        }
        _ => "allocate once before the loop and free behind it",
    }
}

fn report(habit: &Habit<'_>) -> Finding {
    let (case, trace) = (habit.case, habit.case.trace);
    let name = |event: EventRef| story::name_in(case.program, trace, event);
    let (allocation, release, launch) = (name(habit.allocation), name(habit.release), name(habit.launch));
    story::path_finding(
        case,
        PathPhrase {
            rule: RULE,
            code: CODE,
            severity: if habit.waited {
                Severity::Info
            } else {
                Severity::Warning
            },
            primary: habit.allocation.at(trace),
            message: if habit.waited {
                format!("{allocation} and {release} run in every pass of a loop that launches {launch}")
            } else {
                format!(
                    "{allocation} and {release} run in every pass of a loop that launches {launch}: {release} waits \
                     for the device each time"
                )
            },
            steps: vec![
                (habit.allocation.at(trace), format!("{allocation} in every pass")),
                (
                    habit.launch.at(trace),
                    format!("{launch} is launched in the same pass"),
                ),
                (
                    habit.release.at(trace),
                    match habit.take_turns && !habit.waited {
                        true => format!(
                            "{release} waits until the device is idle: the next pass works in another stream, and \
                             overlaps nothing"
                        ),
                        false => {
                            format!(
                                "{release} waits until the device is idle, so that no pass overlaps the next"
                            )
                        }
                    },
                ),
            ],
            help: help(trace, habit.allocation).to_owned(),
        },
    )
}
