//! CL214: a stream waits for an event that stands for nothing but its own work.

use super::Place;
use std::collections::{BTreeMap, BTreeSet};

use super::story::race::without_loading;
use super::story::{self, PathPhrase};
use super::{EntryCase, PathCase, is_program};
use crate::diagnostics::{Confidence, Finding, Severity, Step, evidence};
use crate::facts::ir::Role;
use crate::order::own_waits::{OwnWait, empty_joins, own_waits, repeated_forks};
use crate::order::vain_waits::{VainWait, vain_wait};
use crate::program::{Program, SelfWaited};

/// Calls of a kind that are shown.
const MOST_CALLS: usize = 2;

/// `wait-for-own-record` (CL214).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    let mut others: BTreeSet<Place> = BTreeSet::new();
    let mut own: BTreeMap<Place, (&PathCase<'_>, OwnWait, Place)> = BTreeMap::new();
    let mut found = Vec::new();
    for case in entry.cases {
        // Tests of waits make such ones on purpose.
        if case.program.function(case.trace.entry).role == Role::Test {
            return Vec::new();
        }
        let (waits, useful) = own_waits(case.trace);
        others.extend(useful);
        for it in waits.into_iter().filter(|it| it.has_others(case.trace)) {
            if let Some((record, wait)) = spelled_alike(case, &it) {
                own.entry(wait).or_insert((case, it, record));
            }
        }
        if case.trace.budgets_hit == 0 {
            let joins = empty_joins(case.trace);
            found.extend(joins.iter().filter_map(|it| empty_join(case, it)));
            // What the caller of a function sees of it is told by another rule.
            let is_told = |it: &OwnWait| {
                case.breaches()
                    .iter()
                    .any(|told| told.forked && told.stream == it.stream)
            };
            let forks = repeated_forks(case.trace).into_iter().filter(|it| !is_told(it));
            found.extend(forks.filter_map(|it| repeated_fork(case, &it)));
            found.extend(
                vain_wait(case.trace)
                    .filter(|_| !is_program(case))
                    .map(|it| vain(case, &it)),
            );
        }
    }
    // A wait that finds another stream's record once is no mistake.
    own.retain(|wait, _| !others.contains(wait));
    for (wait, (case, it, record)) in own {
        let stream = story::stream_name(case.trace, it.stream);
        found.push(finding(case, &stream, record, wait));
    }
    if let Some(case) = entry.cases.first() {
        found.extend(in_text(entry, case));
    }
    found
}

/// Where the text alone says it, in functions whose paths may be too long to be followed.
fn in_text(entry: &EntryCase<'_>, case: &PathCase<'_>) -> Vec<Finding> {
    let executed = entry.cases.iter().flat_map(|it| &it.trace.executed);
    let executed: BTreeSet<_> = executed.copied().collect();
    let mut found = Vec::new();
    for id in executed {
        if case.program.function(id).role != Role::Test {
            for (record, wait) in case.program.own_records(id) {
                let (record, wait) = ((id.file, record), (id.file, wait));
                found.push(finding(case, "its stream", record, wait));
            }
        }
    }
    found
}

/// Where the record and the wait stand in the function that hands both the same stream and event.
fn spelled_alike(case: &PathCase<'_>, it: &OwnWait) -> Option<(Place, Place)> {
    let (records, waits) = it.places(case.trace)?;
    let pairs = records
        .iter()
        .flat_map(|record| waits.iter().map(move |wait| (*record, *wait)));
    let mut alike = pairs.filter(|(record, wait)| {
        record.0 == wait.0 && case.program.handed_alike(record.0, record.1, wait.1).is_some()
    });
    alike.next()
}

fn finding(case: &PathCase<'_>, stream: &str, record: Place, wait: Place) -> Finding {
    let words = case.program.words(wait.0, wait.1);
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "wait-for-own-record",
            code: "CL214",
            severity: Severity::Warning,
            primary: wait,
            message: format!(
                "`{words}` waits for an event that was recorded in the very stream that waits: work of a stream runs in order \
                 anyway, so this orders nothing"
            ),
            steps: vec![
                (record, format!("the event is recorded in {stream}")),
                (wait, format!("{stream} waits for it: no other stream is waited for")),
            ],
            help: "record the event in the stream whose work is to be waited for, and wait for it in the stream that needs it"
                .to_owned(),
        },
    );
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
}

/// Events that only the stream beside them records, and waits for: whatever a call before recorded, it orders nothing.
pub(super) fn kept(program: &Program, found: &[SelfWaited]) -> Vec<Finding> {
    found.iter().filter_map(|it| kept_event(program, it)).collect()
}

fn kept_event(program: &Program, it: &SelfWaited) -> Option<Finding> {
    let SelfWaited { field, stream, .. } = it;
    let first = *it.waits.first()?;
    let step = |at, message: String| Step::new(story::location(program, at), message);
    let mut steps = vec![step(
        it.declared,
        format!("`{field}` is declared here, and handed to nobody"),
    )];
    let records = it.records.iter().take(MOST_CALLS);
    steps.extend(records.map(|at| step(*at, format!("it is recorded in `{stream}` alone"))));
    let waits = it.waits.iter().take(MOST_CALLS);
    steps.extend(waits.map(|at| {
        step(
            *at,
            format!("`{stream}` waits for it: no other stream is waited for"),
        )
    }));
    Some(Finding {
        rule: "wait-for-own-record",
        code: "CL214",
        severity: Severity::Warning,
        confidence: Confidence::Medium,
        primary: story::location(program, first),
        message: format!(
            "`{stream}` waits for `{field}`, which is only ever recorded in that very stream: work of a stream runs in order \
             anyway, so this orders nothing"
        ),
        steps,
        help: Some(
            "wait for the event of the stream whose work is to be waited for, or record it there".to_owned(),
        ),
        evidence: evidence::sentence("wait-for-own-record"),
        assumptions: Vec::new(),
        configuration: None,
        fix: None,
        picture: None,
    })
}

/// Where the parts of such a story stand in the innermost function that holds all of them, and what the work is called.
struct Places {
    begin: Place,
    work: Place,
    record: Place,
    wait: Place,
    done: String,
}

fn places(case: &PathCase<'_>, it: &OwnWait) -> Option<Places> {
    let (begin, missed) = it.fork?;
    let paths = [it.record, it.wait, missed, begin].map(|it| it.site(case.trace).path());
    let [record, wait, work, begin] = paths.each_ref().map(|it| outermost(it, &paths));
    Some(Places {
        begin: begin?,
        work: work?,
        record: record?,
        wait: wait?,
        done: story::name_in(case.program, case.trace, missed),
    })
}

/// A join of a stream that has done nothing yet where the event is recorded.
fn empty_join(case: &PathCase<'_>, it: &OwnWait) -> Option<Finding> {
    let Places {
        begin,
        work,
        record,
        wait,
        done,
    } = places(case, it)?;
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "wait-for-own-record",
            code: "CL214",
            severity: Severity::Warning,
            primary: record,
            message: format!(
                "this event is recorded before {done} is enqueued in its stream, and none is behind that: the stream that waits \
                 for it waits for nothing but its own work"
            ),
            steps: vec![
                (begin, "a side stream waits for the other one".to_owned()),
                (
                    record,
                    "the event is recorded in it: it has done nothing since".to_owned(),
                ),
                (
                    work,
                    format!("{done} is enqueued in it, and no event is recorded behind it"),
                ),
                (
                    wait,
                    format!("the other stream waits for the event, and not for {done}"),
                ),
            ],
            help: format!("record the event behind {done}"),
        },
    );
    finding.confidence = finding.confidence.min(Confidence::Medium);
    Some(finding)
}

/// A fork where a join would stand.
fn repeated_fork(case: &PathCase<'_>, it: &OwnWait) -> Option<Finding> {
    let Places {
        begin,
        work,
        record,
        wait,
        done,
    } = places(case, it)?;
    let side = story::stream_name(case.trace, it.stream);
    let (_, other) = it.record.recorded(case.trace)?;
    let other = story::stream_name(case.trace, other);
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "wait-for-own-record",
            code: "CL214",
            severity: Severity::Warning,
            primary: wait,
            message: format!(
                "{side} waits once more for {other}, which has done nothing since: this orders nothing, and nothing waits \
                 for {done} in {side}"
            ),
            steps: vec![
                (begin, format!("{side} waits for {other}")),
                (work, format!("{done} is enqueued in {side}")),
                (
                    record,
                    format!("the event is recorded in {other}, with nothing new before it"),
                ),
                (
                    wait,
                    format!("{side} waits for it, and {other} does not wait for {done}"),
                ),
            ],
            help: format!("record the event in {side} behind {done}, and let {other} wait for it"),
        },
    );
    without_loading(&mut finding);
    finding.confidence = finding.confidence.min(Confidence::Medium);
    Some(finding)
}

/// A function that ends with a wait for a stream in which it has put nothing.
fn vain(case: &PathCase<'_>, it: &VainWait) -> Finding {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let done = story::name_in(case.program, case.trace, it.work);
    let waited = story::stream_name(case.trace, it.waited);
    let used = story::stream_name(case.trace, it.used);
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "wait-for-own-record",
            code: "CL214",
            severity: Severity::Warning,
            primary: it.wait.at(case.trace),
            message: format!(
                "`{own_name}` ends with a wait for {waited}, in which it has put nothing: {done} in {used} may still run when \
                 it returns"
            ),
            steps: vec![
                (it.work.at(case.trace), format!("{done} is enqueued in {used}")),
                (
                    it.wait.at(case.trace),
                    format!("the host waits for {waited} instead"),
                ),
            ],
            help: format!("wait for {used}"),
        },
    );
    without_loading(&mut finding);
    finding.assumptions.push(format!("the wait is meant for {done}"));
    finding.confidence = Confidence::Low;
    finding
}

/// The place of a path in the innermost function that holds all of them.
fn outermost(path: &[Place], all: &[Vec<Place>]) -> Option<Place> {
    let shared = |other: &Vec<Place>| path.iter().zip(other).take_while(|(a, b)| a == b).count();
    let depth = all.iter().filter(|it| it.as_slice() != path).map(shared).min()?;
    path.get(depth).copied()
}
