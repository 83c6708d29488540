//! The words the hang rules share: names of operations, and the cycle told as steps.

pub(super) mod callers;
pub(super) mod capture;
pub(super) mod hip;
pub(super) mod namesakes;
mod picture;
pub(super) mod race;

use super::{Certainty, HangCase, PathCase, lower};
use crate::diagnostics::evidence::{self, Hang};
use crate::diagnostics::{Confidence, Finding, Fix, Location, Severity, Step};
use crate::facts::ir::Span;
use crate::order::{DeviceOrder, EventRef, Gate, HostReason, Link};
use crate::program::{FileId, Program};
use crate::trace::{Action, Call, Site, StreamId, Trace, Wait, WorkKind};

/// What a rule adds to a case to make a finding.
pub(super) struct Phrase {
    pub(super) rule: &'static str,
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    pub(super) primary: EventRef,
    pub(super) message: String,
    pub(super) help: String,
    pub(super) fix: Option<Fix>,
}

/// Where something happens, and what.
pub(super) type PathStep = ((FileId, Span), String);

/// What a rule over a whole path makes a finding of. Places are files and bytes.
pub(super) struct PathPhrase {
    pub(super) rule: &'static str,
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    pub(super) primary: (FileId, Span),
    pub(super) message: String,
    pub(super) steps: Vec<PathStep>,
    pub(super) help: String,
}

/// A finding on a path, as sure as the path is.
pub(super) fn path_finding(case: &PathCase<'_>, phrase: PathPhrase) -> Finding {
    marked_finding(case, phrase, &[])
}

/// The same, with places at which the host does what is no event of the path, each with the event before which it does.
pub(super) fn marked_finding(
    case: &PathCase<'_>,
    phrase: PathPhrase,
    marks: &[((FileId, Span), EventRef)],
) -> Finding {
    let certainty = match picture::is_followed(case.trace, &phrase.steps) {
        true => case.certainty.clone().beside_cuts(),
        false => case.certainty.clone(),
    };
    let Certainty {
        confidence,
        assumptions,
        configuration,
        doubtful,
        ..
    } = certainty;
    let picture = picture::of_story(case.program, case.trace, &phrase.steps, marks);
    let step = |(at, message): ((FileId, Span), String)| Step::new(location(case.program, at), message);
    Finding {
        rule: phrase.rule,
        code: phrase.code,
        severity: if doubtful {
            phrase.severity.min(Severity::Warning)
        } else {
            phrase.severity
        },
        confidence,
        primary: location(case.program, phrase.primary),
        message: phrase.message,
        steps: phrase.steps.into_iter().map(step).collect(),
        help: Some(phrase.help),
        evidence: evidence::sentence(phrase.rule),
        assumptions,
        configuration,
        fix: None,
        picture,
    }
}

pub(super) fn location(program: &Program, (file, span): (FileId, Span)) -> Location {
    Location {
        path: program.source(file).path.clone(),
        span,
    }
}

/// A finding out of a case: the cycle as steps, the doubts as confidence.
pub(super) fn finding(case: &HangCase<'_>, phrase: Phrase) -> Finding {
    let Certainty {
        mut confidence,
        mut assumptions,
        configuration,
        doubtful,
        ..
    } = case.certainty.clone();
    if !case.hang.host_stuck && case.program.is_program_start(case.trace.entry) {
        assumptions.push("no host call waits for it on this path: the process may end first".to_owned());
        confidence = lower(confidence);
    }
    if case.hang.write.guess {
        assumptions.push("a function that is not in the project is handed the flag".to_owned());
        confidence = Confidence::Low;
    }
    let hang = Hang {
        under_eager: case.hang.hangs_eager,
    };
    let steps = steps(case);
    let picture = picture::of_hang(case).or_else(|| picture::of_story(case.program, case.trace, &steps, &[]));
    let step = |(at, message): ((FileId, Span), String)| Step::new(location(case.program, at), message);
    Finding {
        rule: phrase.rule,
        code: phrase.code,
        severity: match case.bound {
            Some(_) => Severity::Info,
            None if doubtful => phrase.severity.min(Severity::Warning),
            None => phrase.severity,
        },
        confidence,
        primary: location(case.program, phrase.primary.at(case.trace)),
        message: match case.bound {
            Some(clock) => stall(case, clock),
            None => phrase.message,
        },
        steps: steps.into_iter().map(step).collect(),
        help: Some(phrase.help),
        // What was measured is a hang.
        evidence: case.bound.is_none().then(|| hang.evidence(phrase.rule)),
        assumptions,
        configuration,
        // A wait that ends by itself may be meant to.
        fix: phrase.fix.filter(|_| case.bound.is_none()),
        picture,
    }
}

/// A wait that ends by itself before its release can happen.
fn stall(case: &HangCase<'_>, clock: bool) -> String {
    let waiter = waiter(case);
    let held = match &case.hang.gate {
        Gate::FirstUse { kernel, .. } => {
            format!("loading `{}` for its first use waits for {waiter}", kernel.name)
        }
        Gate::HeapSetup { event, .. }
        | Gate::Load { event }
        | Gate::LocalMemory { event, .. }
        | Gate::LaunchQueue { event, .. }
        | Gate::BlockingCall { event }
        | Gate::HostWait { event } => format!("{} waits for {waiter}", name(case, *event)),
        Gate::DeviceOrder { event, .. } => format!("{} runs behind {waiter}", name(case, *event)),
    };
    let bound = if clock { "a clock" } else { "a count of iterations" };
    format!(
        "{held}, which looks for {} in vain until {bound} ends its wait: it is written only later (a stall, not a hang)",
        flag(case)
    )
}

pub(super) fn call(trace: &Trace, event: EventRef) -> Option<&Call> {
    event.call(trace)
}

/// What an event is called: the kernel for a launch, else the call as written.
pub(super) fn name(case: &HangCase<'_>, event: EventRef) -> String {
    name_in(case.program, case.trace, event)
}

pub(super) fn name_in(program: &Program, trace: &Trace, event: EventRef) -> String {
    let site = event.site(trace);
    match &event.of(trace).action {
        Action::Call(call) => {
            let order = u64::from(event.thread.0) << 32 | u64::from(event.index);
            let name = format!("`{}`", call.name);
            namesakes::mark(&name, namesakes::Kind::Event, &site.path(), order)
        }
        Action::Store(_) | Action::Touch(_) => format!("`{}`", program.words(site.file, site.span)),
        Action::HostWait { what, .. } => format!("the wait for `{what}`"),
        Action::Join(_) => "the join".to_owned(),
        Action::Lock(_) => "the lock".to_owned(),
        Action::Spawn(_) | Action::Unlock(_) => "the host".to_owned(),
    }
}

pub(super) fn stream_name(trace: &Trace, stream: StreamId) -> String {
    let it = &trace.streams[stream.0 as usize];
    if it.name.starts_with("the ") {
        it.name.clone()
    } else if it.name.is_empty() {
        "its stream".to_owned()
    } else {
        let path = it.made.as_ref().map_or_else(Vec::new, Site::path);
        let name = format!("stream `{}`", it.name);
        namesakes::mark(&name, namesakes::Kind::Stream, &path, u64::from(stream.0))
    }
}

/// The waiting operation as the subject of a sentence: "`k1` spins until `s` is written".
pub(super) fn waits(case: &HangCase<'_>) -> String {
    waits_in(case, case.hang.waiting, case.hang.wait)
}

fn waits_in(case: &HangCase<'_>, waiting: EventRef, number: u32) -> String {
    let what = wait(case.trace, waiting, number).map_or_else(|| "its flag".to_owned(), place);
    match call(case.trace, waiting).and_then(|it| it.work.as_ref()) {
        Some(work) if work.kind == WorkKind::Kernel => {
            format!("{} spins until {what} is written", name(case, waiting))
        }
        Some(work) if work.kind == WorkKind::HostFunction => {
            format!(
                "the host function that {} enqueues waits for {what}",
                name(case, waiting)
            )
        }
        Some(work) => format!(
            "{} waits until {what} is written",
            stream_name(case.trace, work.stream)
        ),
        None => format!("{} waits for {what}", name(case, waiting)),
    }
}

/// The operation that waits, as a noun.
pub(super) fn waiter(case: &HangCase<'_>) -> String {
    operation_name(case, case.hang.waiting)
}

/// What keeps others waiting: for a host function not the call that enqueues it.
fn operation_name(case: &HangCase<'_>, event: EventRef) -> String {
    match call(case.trace, event).and_then(|it| it.work.as_ref()) {
        Some(work) if work.kind == WorkKind::HostFunction => "the host function".to_owned(),
        _ => name(case, event),
    }
}

/// What is waited on, in the user's words.
pub(super) fn flag(case: &HangCase<'_>) -> String {
    wait(case.trace, case.hang.waiting, case.hang.wait).map_or_else(|| "its flag".to_owned(), place)
}

/// One wait of an operation.
pub(in crate::rules) fn wait(trace: &Trace, event: EventRef, number: u32) -> Option<&Wait> {
    call(trace, event)?.work.as_ref()?.waits.get(number as usize)
}

/// The place of a wait, in the user's words.
pub(super) fn place(wait: &Wait) -> String {
    match wait.what.as_str() {
        "" => "its flag".to_owned(),
        // A wait with a lambda is known by what it calls.
        what if what.contains('{') => format!("`{}`", what.split('(').next().unwrap_or(what)),
        what => format!("`{what}`"),
    }
}

/// Whether the waiting operation is a stream wait value.
pub(super) fn is_stream_wait(case: &HangCase<'_>) -> bool {
    call(case.trace, case.hang.waiting)
        .and_then(|it| it.work.as_ref())
        .is_some_and(|it| it.kind == WorkKind::WaitValue)
}

/// Whether an event launches a kernel.
pub(super) fn is_kernel(trace: &Trace, event: EventRef) -> bool {
    call(trace, event)
        .and_then(|it| it.work.as_ref())
        .is_some_and(|it| it.kind == WorkKind::Kernel)
}

/// The release as a noun: the kernel, the call, or the store.
pub(super) fn releaser(case: &HangCase<'_>) -> String {
    name(case, case.hang.releaser)
}

fn steps(case: &HangCase<'_>) -> Vec<((FileId, Span), String)> {
    let mut steps = Vec::new();
    for link in &case.hang.cycle {
        link_steps(case, link, &mut steps);
    }
    steps.dedup();
    steps
}

fn link_steps(case: &HangCase<'_>, link: &Link, steps: &mut Vec<((FileId, Span), String)>) {
    let mut push = |at: (FileId, Span), message: String| steps.push((at, message));
    let trace = case.trace;
    match link {
        Link::Waits {
            operation,
            releaser,
            wait,
        } => {
            for (at, message) in wait_steps(case, (*operation, *wait), *releaser) {
                push(at, message);
            }
        }
        Link::After {
            operation,
            earlier,
            order,
        } => {
            let why = match order {
                DeviceOrder::Stream(stream) => format!("both are in {}", stream_name(trace, *stream)),
                DeviceOrder::Legacy => {
                    "the legacy default stream and blocking streams wait for each other".to_owned()
                }
                DeviceOrder::Event => "it waits for an event recorded behind it".to_owned(),
                DeviceOrder::Graph => "an edge of the graph says so".to_owned(),
                DeviceOrder::Executable => "an executable graph does not run beside itself".to_owned(),
                DeviceOrder::Wait => "it waits itself".to_owned(),
            };
            push(
                operation.at(trace),
                format!(
                    "{} runs after {}: {why}",
                    name(case, *operation),
                    name(case, *earlier)
                ),
            );
        }
        Link::Behind {
            operation,
            barrier,
            earlier,
        } => {
            push(barrier.at(trace), barrier_words(case, *barrier, *earlier));
            if operation != barrier {
                push(
                    operation.at(trace),
                    format!("{} is enqueued behind that barrier", name(case, *operation)),
                );
            }
        }
        Link::Blocked {
            call: blocked,
            operation,
        } => push(blocked.at(trace), blocked_words(case, *blocked, *operation)),
        Link::HostWaits { event, why, .. } => {
            let message = match why {
                HostReason::Join => "this thread waits here for the other one to end",
                HostReason::Mutex => "this thread waits here for a mutex the other one holds",
                HostReason::ContextLock => {
                    "this CUDA call waits for the context lock that the blocked call holds"
                }
                HostReason::Flag => "the host waits here",
            };
            if (event.index as usize) < trace.threads[event.thread.0 as usize].events.len() {
                push(event.at(trace), message.to_owned());
            }
        }
    }
}

/// An operation that waits, and what would release it.
fn wait_steps(
    case: &HangCase<'_>,
    (operation, number): (EventRef, u32),
    releaser: EventRef,
) -> Vec<((FileId, Span), String)> {
    let trace = case.trace;
    let waited = wait(trace, operation, number);
    let flag = waited.map_or_else(|| "its flag".to_owned(), place);
    if operation == releaser {
        let mut steps = vec![(operation.at(trace), "the graph is launched here".to_owned())];
        steps.extend(waited.map(|it| (it.at, "a node of it stays in this loop".to_owned())));
        let written = format!("{flag} is written only here, by a node behind that one");
        steps.push((case.hang.write.at, written));
        return steps;
    }
    let mut steps = vec![(operation.at(trace), waits_in(case, operation, number))];
    if let Some(wait) = waited.filter(|it| it.at != operation.at(trace)) {
        let what = match call(trace, operation).and_then(|it| it.work.as_ref()) {
            Some(work) if work.kind == WorkKind::HostFunction => "the host function waits here".to_owned(),
            _ => format!("{} stays in this loop", name(case, operation)),
        };
        steps.push((wait.at, what));
    }
    let is_behind = |it: &Link| {
        matches!(it,
            Link::After { operation, .. } | Link::Behind { operation, .. } if *operation == releaser)
    };
    let itself_waits = |it: &Link| matches!(it, Link::Waits { operation, .. } if *operation == releaser);
    let writer = name(case, releaser);
    let message = if case.hang.cycle.iter().any(is_behind) {
        match is_kernel(trace, releaser) {
            true => format!("{writer} writes {flag}, and is enqueued here"),
            false => format!("{writer} writes {flag}"),
        }
    } else if case.hang.cycle.iter().any(itself_waits) {
        format!("{writer} writes {flag} only behind its own wait")
    } else {
        format!(
            "{} is released only here, which is never reached",
            operation_name(case, operation)
        )
    };
    steps.push((releaser.at(trace), message));
    steps
}

fn barrier_words(case: &HangCase<'_>, barrier: EventRef, earlier: EventRef) -> String {
    let earlier = operation_name(case, earlier);
    match &case.hang.gate {
        Gate::FirstUse { kernel, .. } => {
            format!(
                "first use of `{}`: CUDA loads it, and nothing enqueued from here on starts until {earlier} has ended",
                kernel.name
            )
        }
        Gate::HeapSetup { user, uses, .. } => format!(
            "`{user}` uses device `{uses}`: this launch sets up its buffer, and nothing enqueued from here on starts until {earlier} has ended"
        ),
        _ => format!(
            "{} lets nothing start until {earlier} has ended",
            name(case, barrier)
        ),
    }
}

fn blocked_words(case: &HangCase<'_>, blocked: EventRef, operation: EventRef) -> String {
    if blocked == operation {
        return format!("{} returns only when its work is done", name(case, blocked));
    }
    let operation = operation_name(case, operation);
    match &case.hang.gate {
        Gate::FirstUse { kernel, event, .. } if *event == blocked => {
            format!(
                "first use of anything in the file of `{}`: CUDA loads it, and the call waits until {operation} has ended",
                kernel.name
            )
        }
        Gate::Load { event } if *event == blocked => format!(
            "{} loads device code and waits until {operation} has ended",
            name(case, blocked)
        ),
        Gate::LocalMemory { event, bytes } if *event == blocked => {
            format!(
                "{} needs {bytes} bytes of local memory per thread: CUDA resizes it and waits until {operation} has ended",
                name(case, blocked)
            )
        }
        _ => format!("{} waits here until {operation} has ended", name(case, blocked)),
    }
}
