//! The words the race rules share: who accesses what, and where.

use super::picture;
use super::{PathPhrase, PathStep, call, location, name_in, path_finding, stream_name};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::order::{Attempt, Doubt, EventRef, Hazard, Race, attempt, legacy_devices};
use crate::rules::{PathCase, lower, remedy};
use crate::trace::{Access, LEGACY, Mode, StreamId, Work, WorkKind};

/// What a race rule adds to a race to make a finding.
pub(in crate::rules) struct RacePhrase {
    pub(in crate::rules) rule: &'static str,
    pub(in crate::rules) code: &'static str,
    pub(in crate::rules) severity: Severity,
    pub(in crate::rules) message: String,
    pub(in crate::rules) help: String,
}

/// A finding for every race of one kind.
pub(in crate::rules) fn findings(
    case: &PathCase<'_>,
    hazard: Hazard,
    phrase: impl Fn(&Race) -> RacePhrase,
) -> Vec<Finding> {
    findings_where(case, |it| it.hazard == hazard, phrase)
}

/// A finding for every race that is meant.
pub(in crate::rules) fn findings_where(
    case: &PathCase<'_>,
    is_meant: impl Fn(&Race) -> bool,
    phrase: impl Fn(&Race) -> RacePhrase,
) -> Vec<Finding> {
    let meant = case.verdict.races.iter().filter(|it| is_meant(it));
    meant.map(|race| finding(case, race, phrase(race))).collect()
}

fn finding(case: &PathCase<'_>, race: &Race, phrase: RacePhrase) -> Finding {
    let mut steps = Vec::new();
    for (event, access) in [
        (race.earlier, &race.earlier_access),
        (race.later, &race.later_access),
    ] {
        steps.push((event.at(case.trace), sentence(case, event, access)));
        if access.at != event.at(case.trace) && access.mode != Mode::Allocate {
            steps.push((access.at, format!("`{}` is {} here", access.what, done(access))));
        }
        if let (true, Some(barrier)) = (event == race.earlier, race.through) {
            steps.push((
                barrier.at(case.trace),
                format!("{} may wait, and need not", name(case, barrier)),
            ));
        }
        if event == race.earlier
            && let Some(wait) = debug_wait(case, race)
        {
            steps.push((
                wait.at(case.trace),
                format!(
                    "{} waits where `NDEBUG` is not defined, and not in release builds",
                    name(case, wait)
                ),
            ));
        }
        if event == race.earlier {
            steps.extend(attempted(
                case,
                attempt(case.trace, Some(race.earlier), race.later),
                race.later,
            ));
        }
    }
    if let Some(Doubt::Pageable(wait)) = race.doubt {
        steps.push((
            wait.at(case.trace),
            format!("{} waits for the copy only here", name(case, wait)),
        ));
    }
    let primary = match race.through {
        Some(barrier) => barrier.at(case.trace),
        None => race.later.at(case.trace),
    };
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: phrase.rule,
            code: phrase.code,
            severity: phrase.severity,
            primary,
            message: phrase.message,
            steps,
            help: phrase.help,
        },
    );
    finding.picture = picture::of_race(
        case,
        race,
        [
            sentence(case, race.earlier, &race.earlier_access),
            sentence(case, race.later, &race.later_access),
        ],
    );
    // What a client does nobody can edit.
    finding.fix = remedy::between(case, race).filter(|_| !is_of_client(case, race.later));
    doubted(&mut finding, race.doubt);
    without_loading(&mut finding);
    finding
}

/// What is done for the order of two operations and is not enough.
pub(in crate::rules) fn attempted(
    case: &PathCase<'_>,
    attempt: Option<Attempt>,
    later: EventRef,
) -> Vec<PathStep> {
    let Some(it) = attempt else {
        return Vec::new();
    };
    let event = case.trace.events.get(&it.event).map_or("", String::as_str);
    if event.is_empty() {
        return Vec::new();
    }
    let waiter = |it: EventRef| match it.work(case.trace) {
        Some(work) => stream_name(case.trace, work.stream),
        None => "the host".to_owned(),
    };
    let recorded = match (it.early, it.wait) {
        (true, _) => format!("`{event}` is recorded ahead of that{}", place(case, it.record)),
        (false, Some(_)) => format!("`{event}` is recorded{}", place(case, it.record)),
        (false, None) => format!(
            "`{event}` is recorded behind it, and {} does not wait for that",
            waiter(later)
        ),
    };
    let waits = it.wait.map(|wait| {
        let told = format!("{} waits for `{event}`, which is not enough", waiter(wait));
        (wait.at(case.trace), told)
    });
    let recorded = (it.record.at(case.trace), recorded);
    std::iter::once(recorded).chain(waits).collect()
}

/// The race of a path that a finding is about, where its accesses happen where they stand: what is captured happens later.
pub(in crate::rules) fn told_by<'a>(case: &'a PathCase<'_>, finding: &Finding) -> Option<&'a Race> {
    let is_meant = |race: &&Race| {
        let stands = |event: EventRef| location(case.program, event.at(case.trace));
        let told = [race.earlier, race.later].map(stands);
        let mut steps = finding.steps.iter().map(|it| &it.location);
        let is_captured = |event: EventRef| captured_on(case, event).is_some();
        !is_captured(race.earlier)
            && !is_captured(race.later)
            && finding.primary == stands(race.through.unwrap_or(race.later))
            && steps.next() == Some(&told[0])
            && steps.any(|it| *it == told[1])
    };
    case.verdict.races.iter().find(is_meant)
}

/// Whether a client that nobody sees does some work.
fn is_of_client(case: &PathCase<'_>, event: EventRef) -> bool {
    case.trace.notes.client.is_some()
        && call(case.trace, event).is_some_and(|it| {
            let unknown = |work: &Work| work.kind == WorkKind::Kernel && work.kernel.is_none();
            it.api.is_none() && it.work.as_ref().is_some_and(unknown)
        })
}

/// A wait between the two accesses that stands in debug builds only.
pub(in crate::rules) fn debug_wait(case: &PathCase<'_>, race: &Race) -> Option<EventRef> {
    let (earlier, later) = (race.earlier, race.later);
    let mut between = (earlier.index + 1..later.index).map(|index| EventRef { index, ..earlier });
    let waits = |it: &EventRef| call(case.trace, *it).is_some_and(|it| it.debug_only);
    between.find(|it| earlier.thread == later.thread && waits(it))
}

/// What was loaded before has no part in a race.
pub(in crate::rules) fn without_loading(finding: &mut Finding) {
    finding
        .assumptions
        .retain(|it| !it.starts_with("nothing was launched or loaded before"));
}

/// Says why two accesses may be in order all the same.
pub(in crate::rules) fn doubted(finding: &mut Finding, doubt: Option<Doubt>) {
    match doubt {
        Some(Doubt::Threads) => {
            let assumption = "the two host threads do not wait for each other in a way that is not seen";
            finding.assumptions.push(assumption.to_owned());
            finding.confidence = lower(finding.confidence);
        }
        Some(Doubt::Declaration) => {
            let assumption =
                "a kernel whose body is not known may write what it takes a pointer to non-const of";
            finding.assumptions.push(assumption.to_owned());
            finding.confidence = Confidence::Low;
            finding.severity = finding.severity.min(Severity::Warning);
        }
        Some(Doubt::Handed) => {
            let assumption = "what is not seen works on the memory it is handed, in the stream it is handed";
            finding.assumptions.push(assumption.to_owned());
            finding.confidence = lower(finding.confidence);
            finding.severity = finding.severity.min(Severity::Warning);
        }
        Some(Doubt::Filled) => {
            let assumption = "what is not seen fills the memory it is handed, which is copied from next";
            finding.assumptions.push(assumption.to_owned());
            finding.confidence = finding.confidence.min(Confidence::Medium);
            finding.severity = finding.severity.min(Severity::Warning);
        }
        Some(Doubt::Streams) => {
            let assumption = "the two streams are two, as the wait of one for the other takes them to be";
            finding.assumptions.push(assumption.to_owned());
            finding.confidence = lower(finding.confidence);
            finding.severity = finding.severity.min(Severity::Warning);
        }
        Some(Doubt::Pageable(_)) => {
            let assumption = "the host memory is pinned, as the wait behind takes it to be";
            finding.assumptions.push(assumption.to_owned());
            finding.confidence = lower(finding.confidence);
            finding.severity = finding.severity.min(Severity::Warning);
        }
        None => {}
    }
}

/// "`k` writes `d` in stream `a`".
fn sentence(case: &PathCase<'_>, event: EventRef, access: &Access) -> String {
    let place = place(case, event);
    format!(
        "{} {} `{}`{place}",
        subject(case, event),
        verb(access),
        access.what
    )
}

/// What an event is called as a subject; the host itself where it is no call.
pub(in crate::rules) fn subject(case: &PathCase<'_>, event: EventRef) -> String {
    match call(case.trace, event) {
        Some(_) => name(case, event),
        None => "the host".to_owned(),
    }
}

pub(in crate::rules) fn name(case: &PathCase<'_>, event: EventRef) -> String {
    name_in(case.program, case.trace, event)
}

/// " in stream `a`" for device work, nothing for the host.
pub(in crate::rules) fn place(case: &PathCase<'_>, event: EventRef) -> String {
    let work = call(case.trace, event).and_then(|it| it.work.as_ref());
    match work.map(|it| it.stream).or_else(|| captured_on(case, event)) {
        Some(stream) => {
            let name = stream_name(case.trace, stream);
            let several_devices = !legacy_devices(case.trace).is_empty();
            match call(case.trace, event).filter(|_| stream == LEGACY && several_devices) {
                Some(call) => match case.trace.number_of(call.device) {
                    Some(number) => format!(" in {name} of device {number}"),
                    None => format!(" in {name}"),
                },
                None => format!(" in {name}"),
            }
        }
        None => String::new(),
    }
}

/// The stream whose capture takes in the work of a call.
fn captured_on(case: &PathCase<'_>, event: EventRef) -> Option<StreamId> {
    let captures = case.trace.notes.captures.all.iter();
    let node = captures
        .flat_map(|it| &it.nodes)
        .find(|it| it.made == (event.thread, event.index));
    node.map(|it| it.stream)
}

/// "reads", "writes", …
pub(in crate::rules) fn verb(access: &Access) -> &'static str {
    match access.mode {
        Mode::Read => "reads",
        Mode::Write if access.declared => "uses",
        Mode::Write => "writes",
        Mode::Allocate => "allocates",
        Mode::Free => "frees",
    }
}

/// "read", "write", … as in "may still read".
pub(in crate::rules) fn bare_verb(access: &Access) -> &'static str {
    match access.mode {
        Mode::Read => "read",
        Mode::Write if access.declared => "use",
        Mode::Write => "write",
        Mode::Allocate => "allocate",
        Mode::Free => "free",
    }
}

fn done(access: &Access) -> &'static str {
    match access.mode {
        Mode::Read => "read",
        Mode::Write if access.declared => "used",
        Mode::Write => "written",
        Mode::Allocate => "allocated",
        Mode::Free => "freed",
    }
}
