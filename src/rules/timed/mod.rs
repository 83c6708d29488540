//! Timed regions as the timing rules see them: the same stretch of code on every path, and the one thing that is wrong with it.

mod behind;
mod gap;
mod handed;
mod held;
mod setup;
mod text;
mod warmth;

pub(super) use crate::rules::Place;
use std::collections::{BTreeMap, BTreeSet};

use super::PathCase;
use super::story::race::without_loading;
use super::story::{self, PathPhrase};
use crate::api::Operation;
use crate::diagnostics::{Finding, Severity};
use crate::order::EventRef;
use crate::order::finished::{self, Given, Leftover};
use crate::order::joined::{branches_off, late_join};
use crate::program::FunctionId;
use crate::trace::notes::{ClockKind, Mark, Region};
use crate::trace::{Action, Block, Call, KernelUse, LEGACY, Site, StreamId, StreamKind, Trace, WorkKind};

/// One time a region is run through.
type Instance<'a> = (&'a PathCase<'a>, &'a Region);

/// What is wrong with a timed region; the gravest, since the others follow from it or matter less.
pub(super) enum Problem {
    /// The host clock is read while this work still runs.
    Unsynchronised { work: EventRef, share: Share },
    /// The time between two events is asked for before anything has waited for the second one.
    NotReady,
    /// The host clock is started while work from before still runs.
    Pending { work: EventRef },
    /// The events are recorded in another stream than the work.
    OtherStream {
        work: EventRef,
        recorded: StreamId,
        used: StreamId,
        /// Other work is timed: launches of the same kernel, or what the work branches off from.
        partly: bool,
        /// Where the one stream waits for the other behind the region.
        joined: Option<EventRef>,
        /// One of the two streams was handed in: what it is not is assumed.
        assumed: bool,
    },
    /// The second event is recorded in a stream that does not wait for the one in which the first one is, and what is timed
    /// between them is the callers' work.
    Astray { recorded: StreamId, used: StreamId },
    /// The second event is recorded in a stream that does not wait for the one a call that nobody sees is handed, and nothing
    /// but such calls is timed: the call, among those of the path.
    Handed {
        call: usize,
        recorded: StreamId,
        used: StreamId,
    },
    /// Both events are recorded before the work; `sure` where nothing nobody sees is called between them.
    Behind { work: EventRef, sure: bool },
    /// The stream is held up by a kernel that waits for the host, and that time is measured too.
    Held { launch: EventRef, release: EventRef },
    /// The host waits between the first event and the work; `few` where few launches are timed.
    Gap { wait: EventRef, few: bool },
    /// Something that happens once is timed with the work.
    Setup { call: EventRef, end_to_end: bool },
    /// A kernel is launched for the first time.
    Cold {
        launch: EventRef,
        others: usize,
        diluted: bool,
    },
}

/// How much of what is timed is not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    All,
    Some,
    Little,
}

/// A region on one path.
pub(super) struct Timed<'a> {
    pub(super) case: &'a PathCase<'a>,
    pub(super) region: &'a Region,
    pub(super) problem: Problem,
    /// A path nobody looked at may do it right.
    doubtful: bool,
}

/// The regions of an entry point with something wrong on every path that runs through them.
///
/// With paths nobody looked at (`cut_short`), a condition inside a region may decide whether it is wrong.
pub(super) fn regions<'a>(cases: &'a [PathCase<'a>], cut_short: bool) -> Vec<Timed<'a>> {
    let mut groups: BTreeMap<_, Vec<Instance<'a>>> = BTreeMap::new();
    for case in cases {
        for region in case.trace.notes.regions.iter().filter(|it| is_reached(case, it)) {
            let (start, stop) = region.places();
            groups
                .entry((region.clock, start, stop))
                .or_default()
                .push((case, region));
        }
    }
    let ambiguous = ambiguous_stops(cases);
    let diagnosed = |((clock, _, stop), group): (&(ClockKind, Place, Place), &Vec<Instance<'a>>)| {
        // Where it begins makes no difference to what holds the stream up behind that.
        match ambiguous.contains(&(*clock, *stop)) {
            true => claimed_always(group, held::held),
            false => diagnose(group).or_else(|| diagnose(&started_bare(group))),
        }
    };
    let mut timed: Vec<Timed<'_>> = groups.iter().filter_map(diagnosed).collect();
    for it in &mut timed {
        it.doubtful = cut_short && it.case.trace.is_decided_inside(it.region);
    }
    timed
}

/// Those of the program as it is most often started: what is wrong there is wrong whatever other options do.
fn started_bare<'a>(group: &[Instance<'a>]) -> Vec<Instance<'a>> {
    let bare = group.iter().filter(|(case, _)| case.trace.bare);
    bare.copied().collect()
}

/// Whether the end of a region is come to: where something waits for ever, nothing is measured.
fn is_reached(case: &PathCase<'_>, region: &Region) -> bool {
    let stuck = |event: EventRef| event.thread == region.thread && event.index < region.stop.position;
    let mut hangs = case.verdict.hangs.iter().filter(|it| it.host_stuck);
    !hangs.any(|it| stuck(it.waiting))
}

/// Ends of regions that begin in different places on different paths: a clock that is started under a condition.
fn ambiguous_stops(cases: &[PathCase<'_>]) -> BTreeSet<(ClockKind, Place)> {
    let mut starts: BTreeMap<(ClockKind, Place), BTreeSet<BTreeSet<Place>>> = BTreeMap::new();
    for case in cases {
        let mut here: BTreeMap<(ClockKind, Place), BTreeSet<Place>> = BTreeMap::new();
        for region in &case.trace.notes.regions {
            let (start, stop) = region.places();
            here.entry((region.clock, stop)).or_default().insert(start);
        }
        for (stop, places) in here {
            starts.entry(stop).or_default().insert(places);
        }
    }
    let several = starts.into_iter().filter(|(_, sets)| sets.len() > 1);
    several.map(|(stop, _)| stop).collect()
}

/// The first problem that every instance of a region has.
fn diagnose<'a>(group: &[Instance<'a>]) -> Option<Timed<'a>> {
    const QUESTIONS: [Question; 9] = [
        not_ready,
        unsynchronised,
        other_stream,
        pending,
        behind::behind,
        held::held,
        gap::gap,
        setup::setup,
        warmth::cold,
    ];
    let [_, never_waited, elsewhere, begun_early, ..] = QUESTIONS;
    let always = QUESTIONS
        .iter()
        .find_map(|question| claimed_always(group, *question));
    let of_shown = || {
        let mut of_any = [never_waited, elsewhere, begun_early].into_iter();
        let found = of_any.find_map(|question| claimed(group, question, true));
        found.or_else(|| claimed(group, setup::in_first_pass, false))
    };
    // What is done once in the first pass costs more than loading does.
    let always = match &always {
        Some(Timed {
            problem: Problem::Cold { diluted: true, .. },
            ..
        }) => claimed(group, setup::in_first_pass, false).or(always),
        _ => always,
    };
    let of_called = || claimed_of_called(group, elsewhere);
    let always = always.or_else(|| claimed_of_decided(group, never_waited));
    always.or_else(of_shown).or_else(of_called).or_else(|| {
        // The first time on each path.
        let mut found: Vec<(Instance<'a>, Problem)> = Vec::new();
        for &(case, region) in group {
            if found.iter().all(|((known, _), _)| !std::ptr::eq(*known, case)) {
                found.push(((case, region), warmth::cold_first(case, region)?));
            }
        }
        let (first, problem) = found.into_iter().next()?;
        Some(timed(first, problem))
    })
}

/// A problem that every instance has.
fn claimed_always<'a>(group: &[Instance<'a>], question: Question) -> Option<Timed<'a>> {
    let mut problems = group.iter().map(|(case, region)| question(case, region));
    let first = problems.next()??;
    problems.all(|it| it.is_some()).then(|| timed(group[0], first))
}

/// A wait that every instance lacks of which anybody knows what is waited for.
fn claimed_of_decided<'a>(group: &[Instance<'a>], question: Question) -> Option<Timed<'a>> {
    let decided = group
        .iter()
        .filter(|(case, region)| !is_undecided(case.trace, region));
    let decided: Vec<Instance<'a>> = decided.copied().collect();
    claimed_always(&decided, question)
}

/// Whether somebody nobody knows is called in a region who may wait for whatever that is about.
fn is_undecided(trace: &Trace, region: &Region) -> bool {
    let mut unseen = trace.notes.opaque.iter();
    unseen.any(|it| {
        let inside = it.thread == region.thread && region.holds(it.position);
        inside && !it.never_waits && !it.asks() && (it.unbound || !it.streams.is_empty())
    })
}

/// What can be wrong with one region on one path.
type Question = fn(&PathCase<'_>, &Region) -> Option<Problem>;

fn timed<'a>((case, region): Instance<'a>, problem: Problem) -> Timed<'a> {
    Timed {
        case,
        region,
        problem,
        doubtful: false,
    }
}

/// The first problem of a time that is shown by itself, where every path shows one that has it: what the same stretch
/// of code times is another thing wherever it is handed something else to do.
///
/// Where every time has the problem (`of_any`), it does not matter which of several is shown.
fn claimed<'a>(group: &[Instance<'a>], question: Question, of_any: bool) -> Option<Timed<'a>> {
    let mut found: Vec<Timed<'a>> = Vec::new();
    for &(case, region) in group {
        let is_shown = || {
            let mut shown = case.trace.shown_or_chosen(region);
            shown.any(|it| it.regions.len() == 1 && (of_any || !it.chosen))
        };
        if let Some(problem) = question(case, region).filter(|_| is_shown()) {
            found.push(timed((case, region), problem));
        }
    }
    let has_it = |case: &PathCase<'_>| found.iter().any(|it| std::ptr::eq(it.case, case));
    let always = group.iter().all(|(case, _)| has_it(case));
    found.into_iter().next().filter(|_| always)
}

/// A problem of every instance in which a call of the region comes to the same function, where it comes to others in
/// other instances: each of them is timed for itself.
fn claimed_of_called<'a>(group: &[Instance<'a>], question: Question) -> Option<Timed<'a>> {
    let called: Vec<BTreeSet<Called>> = group.iter().map(|it| called_functions(*it)).collect();
    let all: BTreeSet<Called> = called.iter().flatten().copied().collect();
    let is_dispatched = |(place, function): &Called| all.iter().any(|it| it.0 == *place && it.1 != *function);
    all.iter().filter(|it| is_dispatched(it)).find_map(|function| {
        let same = group.iter().zip(&called).filter(|(_, it)| it.contains(function));
        let same: Vec<Instance<'a>> = same.map(|it| *it.0).collect();
        claimed_always(&same, question)
    })
}

/// A call on the way from the function that times something to a kernel, and the function it comes to.
type Called = (Place, FunctionId);

/// The calls of a region that lead to kernels, in the function that times it and in those that this calls.
fn called_functions((case, region): Instance<'_>) -> BTreeSet<Called> {
    let around = shared_path(region);
    let works = calls(case.trace, region).filter(|(_, call)| is_kernel_work(call));
    let called = works.flat_map(|(event, _)| {
        let path = event.site(case.trace).path();
        let inside = path.strip_prefix(around.as_slice()).unwrap_or_default();
        let steps = inside.windows(2).filter_map(|it| match it {
            [place, inside] => Some((*place, case.program.function_around(*inside)?)),
            _ => None,
        });
        steps.collect::<Vec<Called>>()
    });
    called.collect()
}

/// The way to the function that times something.
fn shared_path(region: &Region) -> Vec<Place> {
    let (start, stop) = (region.start.site.path(), region.stop.site.path());
    let both = start.into_iter().zip(stop).take_while(|(a, b)| a == b);
    both.map(|it| it.0).collect()
}

fn unsynchronised(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    if region.clock != ClockKind::Host || trace.launch_blocking || timed_otherwise(trace, region) {
        return None;
    }
    // How long the call takes was what somebody wanted to know.
    const CALLS: [&str; 10] = [
        "submission",
        "submit",
        "enqueue",
        "enqueued",
        "launch",
        "launching",
        "overhead",
        "async",
        "issue",
        "returned",
    ];
    if text::is_said(trace, region, &CALLS) || text::is_named(case.program, region, &CALLS) {
        return None;
    }
    let Leftover { unfinished, finished } = finished::at_host_stop(trace, region);
    let is_work = |event: &EventRef| call(trace, *event).is_some_and(|it| runs_on(trace, *event, it));
    let is_kernel = |it: &EventRef| call(trace, *it).is_some_and(is_kernel_work);
    let is_long = |it: &EventRef| may_take_long(case, *it);
    let among_long = finished.iter().any(|it| is_kernel(it) && is_long(it));
    // Brief kernels beside long ones take no time of their own.
    let takes_time = |it: &EventRef| is_work(it) && (!among_long || !is_kernel(it) || is_long(it));
    let left: Vec<EventRef> = unfinished.into_iter().filter(takes_time).collect();
    let kernels = left.iter().filter(|it| is_kernel(it)).count() as f64;
    // Few launches out of many hardly count.
    let counts =
        || kernels > 0.0 && warmth::launches_measured(trace, region).is_some_and(|all| kernels * MANY >= all);
    let waited = finished.iter().any(is_work);
    Some(Problem::Unsynchronised {
        work: *left.first()?,
        share: match waited {
            false => Share::All,
            true if counts() => Share::Some,
            true => Share::Little,
        },
    })
}

/// Whether the threads of a kernel do more than a few steps each.
fn may_take_long(case: &PathCase<'_>, event: EventRef) -> bool {
    let function = kernel(case.trace, event).and_then(|it| it.function);
    function.is_none_or(|it| case.program.may_repeat(it))
}

/// `cudaEventElapsedTime` fails for an event that is not over.
fn not_ready(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    let is_open =
        region.clock == ClockKind::Events && !trace.launch_blocking && !finished::may_be_over(trace, region);
    is_open.then_some(Problem::NotReady)
}

/// Launches of a region beyond which one from before no longer decides the result.
const MANY: f64 = 20.0;

/// Kernels that were launched before the clock is started, and that are waited for before it is stopped.
fn pending(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    if region.clock != ClockKind::Host || trace.launch_blocking || timed_otherwise(trace, region) {
        return None;
    }
    // What is launched in another timed region is judged there.
    let is_timed = |event: EventRef| {
        let mut others = trace.notes.regions.iter();
        others.any(|it| it.thread == event.thread && it.holds(event.index))
    };
    let is_kernel = |event: &EventRef| call(trace, *event).is_some_and(is_kernel_work);
    let pending: Vec<EventRef> = finished::at_host_start(trace, region)
        .into_iter()
        .filter(|it| is_kernel(it) && !is_timed(*it))
        .collect();
    let work = *pending.last()?;
    let all = warmth::launches_measured(trace, region)?;
    (all > 0.0 && pending.len() as f64 * MANY >= all).then_some(Problem::Pending { work })
}

/// Whether a call surely returns before its work is done.
fn runs_on(trace: &Trace, event: EventRef, call: &Call) -> bool {
    let Some(work) = &call.work else { return false };
    match work.kind {
        WorkKind::Kernel | WorkKind::Graph => true,
        WorkKind::Copy => {
            call.blocks == Block::None && !trace.notes.pageable.contains_key(&(event.thread, event.index))
        }
        WorkKind::Other => call
            .api
            .is_some_and(|api| api.operation == Operation::LibraryCall && is_asynchronous_library(api.name)),
        _ => false,
    }
}

fn is_asynchronous_library(name: &str) -> bool {
    const RESULTS: [&str; 6] = ["dot", "nrm2", "asum", "amax", "amin", "Vector"];
    let results = || {
        RESULTS
            .iter()
            .any(|it| name.to_lowercase().contains(&it.to_lowercase()))
    };
    name.starts_with("cufftExec") || name.starts_with("cublas") && !results()
}

/// The program also times the same work to its end: this region is the time of the calls, on purpose.
fn timed_otherwise(trace: &Trace, region: &Region) -> bool {
    let others = trace
        .notes
        .regions
        .iter()
        .filter(|other| other.thread == region.thread);
    let longer = |other: &Region| {
        other.start.position == region.start.position && other.stop.position > region.stop.position
    };
    let goes_on = |other: &Region| {
        let same = other.start.position == region.stop.position && other.start.site == region.stop.site;
        same && other.stop.position > region.stop.position
    };
    let events = |other: &Region| {
        other.clock == ClockKind::Events
            && region.start.position <= other.stop.position
            && other.start.position < region.stop.position
    };
    // What is shown by itself is what is claimed, whatever it is compared with.
    let is_claimed = |it: &Region| trace.shown(it).any(|it| it.regions.len() == 1 && !it.compared);
    others
        .into_iter()
        .filter(|other| is_claimed(other) || !is_claimed(region))
        .any(|other| longer(other) || goes_on(other) || events(other))
}

fn other_stream(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    if region.clock != ClockKind::Events {
        return None;
    }
    work_elsewhere(case, region, Given::Any)
        .or_else(|| work_elsewhere(case, region, Given::NonBlocking))
        .or_else(|| work_elsewhere(case, region, Given::Foreign))
        .or_else(|| astray(case, region))
        .or_else(|| handed::handed(case, region))
}

/// Events around the work of others, in a stream that was handed in and in the default stream.
fn astray(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    let used = finished::stream_at(trace, region.thread, region.start.position)?;
    let recorded = finished::stream_at(trace, region.thread, region.stop.position)?;
    let works = calls(trace, region).any(|(_, call)| is_kernel_work(call));
    let stray = !works
        && recorded == LEGACY
        && is_given(trace, used)
        && !finished::is_in_order(trace, region, Given::NonBlocking);
    stray.then_some(Problem::Astray { recorded, used })
}

/// A stream that was handed in, whatever it is.
fn is_given(trace: &Trace, stream: StreamId) -> bool {
    let stream = &trace.streams[stream.0 as usize];
    stream.handed_in.is_some() && stream.kind == StreamKind::Unknown
}

fn work_elsewhere(case: &PathCase<'_>, region: &Region, given: Given) -> Option<Problem> {
    let trace = case.trace;
    let Leftover {
        unfinished, finished, ..
    } = finished::at_record(trace, region, given);
    let is_work = |event: &EventRef| call(trace, *event).is_some_and(|it| runs_on(trace, *event, it));
    // What was waited for and what was not are launches of one kernel, or the one branches off from the other and is joined too
    // late: both are the work that is timed.
    let waited: Vec<&KernelUse> = finished
        .iter()
        .filter(|it| is_work(it))
        .filter_map(|it| kernel(trace, *it))
        .collect();
    let partly = finished.iter().any(is_work);
    let is_alike = |it: EventRef| kernel(trace, it).is_some_and(|it| waited.contains(&it));
    let late = |it: EventRef| late_join(trace, region, it);
    // A kernel that branches off is a part of what is timed, whoever waits for it later.
    let branches = |it: EventRef| kernel(trace, it).is_some() && branches_off(trace, region, it);
    let is_left =
        |it: &EventRef| is_work(it) && (!partly || is_alike(*it) || late(*it).is_some() || branches(*it));
    let work = unfinished.into_iter().find(is_left)?;
    // Each stream has events of its own.
    let timed_itself = |other: &Region| {
        let others = other.clock == ClockKind::Events && other.start.position != region.start.position;
        others && finished::at_record(trace, other, given).finished.contains(&work)
    };
    if partly && trace.notes.regions.iter().any(timed_itself) {
        return None;
    }
    let recorded = finished::stream_at(trace, region.thread, region.stop.position)?;
    let used = finished::stream_at(trace, region.thread, work.index)?;
    let known = |id: StreamId| {
        let stream = &trace.streams[id.0 as usize];
        stream.created && stream.kind != StreamKind::Unknown
    };
    let is_own = |id| known(id) && trace.streams[id.0 as usize].kind == StreamKind::NonBlocking;
    let foreign = is_given(trace, recorded) && is_own(used) || is_own(recorded) && is_given(trace, used);
    let assumed = given == Given::NonBlocking && recorded == LEGACY && is_given(trace, used) || foreign;
    (known(recorded) && known(used) || assumed).then_some(Problem::OtherStream {
        work,
        recorded,
        used,
        partly,
        joined: late(work),
        assumed,
    })
}

/// The kernel a call launches.
fn kernel(trace: &Trace, event: EventRef) -> Option<&KernelUse> {
    call(trace, event)?.work.as_ref()?.kernel.as_ref()
}

/// Whether a region is one of those that a longer one is made of.
fn is_part(part: &Region, whole: &Region) -> bool {
    let (start, stop) = (part.start.position, part.stop.position);
    let shorter = stop - start < whole.stop.position - whole.start.position;
    part.thread == whole.thread && shorter && whole.start.position <= start && stop <= whole.stop.position
}

/// Kernels of a region are timed for themselves as well: it is the time of everything, on purpose. What is also launched
/// in the region by itself, there or elsewhere, as it is where somebody looks for the best configuration first, says nothing of
/// that.
fn is_whole(trace: &Trace, region: &Region) -> bool {
    let kernels = |of| {
        calls(trace, of)
            .filter(|(_, call)| is_kernel_work(call))
            .map(|it| it.0)
    };
    let others = trace.notes.regions.iter();
    let parts: Vec<&Region> = others.filter(|other| is_part(other, region)).collect();
    let in_part = |event: &EventRef| parts.iter().any(|it| it.holds(event.index));
    let (timed, plain): (Vec<EventRef>, Vec<EventRef>) = kernels(region).partition(in_part);
    let kernel = |it: EventRef| {
        let work = call(trace, it)?.work.as_ref()?;
        work.kernel.as_ref()?.function
    };
    let is_same = |a: EventRef, b: EventRef| {
        a.at(trace) == b.at(trace) || kernel(a).is_some() && kernel(a) == kernel(b)
    };
    timed
        .iter()
        .any(|it| plain.iter().all(|other| !is_same(*it, *other)))
}

/// The calls a region holds, in order.
fn calls<'a>(trace: &'a Trace, region: &Region) -> impl Iterator<Item = (EventRef, &'a Call)> {
    let thread = region.thread;
    (region.start.position..region.stop.position).filter_map(move |index| {
        let event = EventRef { thread, index };
        Some((event, call(trace, event)?))
    })
}

fn call(trace: &Trace, event: EventRef) -> Option<&Call> {
    let events = &trace.threads.get(event.thread.0 as usize)?.events;
    match &events.get(event.index as usize)?.action {
        Action::Call(call) => Some(call),
        _ => None,
    }
}

/// Kernels, graphs and what libraries launch.
fn is_kernel_work(call: &Call) -> bool {
    call.work.as_ref().is_some_and(|work| match work.kind {
        WorkKind::Kernel | WorkKind::Graph => true,
        // Containers of a library fill their memory: no work of the program.
        WorkKind::Other => call.api.is_some_and(|api| {
            !api.container
                && matches!(
                    api.operation,
                    Operation::LibraryCall
                        | Operation::CubAlgorithm
                        | Operation::ThrustAlgorithm
                        | Operation::CollectiveCall
                )
        }),
        _ => false,
    })
}

impl Timed<'_> {
    /// No more than a warning where it is not sure.
    pub(super) fn severity(&self, severity: Severity) -> Severity {
        if self.doubtful {
            severity.min(Severity::Warning)
        } else {
            severity
        }
    }

    /// Where something in the region stands for a reader of the function that times it.
    pub(super) fn seen(&self, event: EventRef) -> Place {
        seen(self.region, event.site(self.case.trace))
    }

    /// A finding about what is timed; which kernels were loaded before does not matter to it.
    pub(super) fn finding(&self, phrase: PathPhrase) -> Finding {
        let mut finding = self.finding_with_loading(phrase);
        without_loading(&mut finding);
        finding
    }

    /// A finding about what is timed. Where a clock of the host is read is no event, and part of its picture.
    pub(super) fn finding_with_loading(&self, phrase: PathPhrase) -> Finding {
        let (start, stop) = self.region.places();
        let before = |mark: &Mark| EventRef {
            thread: self.region.thread,
            index: mark.position,
        };
        let marks = [
            (start, before(&self.region.start)),
            (stop, before(&self.region.stop)),
        ];
        match self.region.clock {
            ClockKind::Host => story::marked_finding(self.case, phrase, &marks),
            ClockKind::Events => story::path_finding(self.case, phrase),
        }
    }

    /// What an operation is called.
    pub(super) fn name(&self, event: EventRef) -> String {
        call(self.case.trace, event).map_or_else(|| "work".to_owned(), |it| format!("`{}`", it.name))
    }
}

/// The part of the way to a site that the function with the region's marks shows.
fn seen(region: &Region, site: &Site) -> Place {
    let path = site.path();
    let seen = path.strip_prefix(shared_path(region).as_slice());
    let seen = seen.and_then(<[Place]>::first).copied();
    seen.unwrap_or((site.file, site.span))
}
