//! Two events that are recorded one right behind the other, in front of the work they are to time.

use super::{PathCase, Problem, call, is_kernel_work, is_part, text};
use crate::api::Operation;
use crate::order::EventRef;
use crate::order::finished;
use crate::trace::notes::{ClockKind, Region};
use crate::trace::{Action, Block, WorkKind};

/// Work that follows the second record in its stream, before anything waits, where nothing happens between the records.
pub(super) fn behind(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    if region.clock != ClockKind::Events {
        return None;
    }
    // How long nothing takes, or what the host computes, was what somebody wanted to know.
    const NOTHING: [&str; 6] = [
        "overhead",
        "empty",
        "nothing",
        "baseline",
        "resolution",
        "granularity",
    ];
    if text::is_said(trace, region, &NOTHING) || !are_neighbours(case, region) {
        return None;
    }
    let sure = match between(case, region) {
        Between::Nothing => true,
        Between::Values => false,
        Between::Work => return None,
    };
    let stream = finished::stream_at(trace, region.thread, region.stop.position)?;
    if finished::stream_at(trace, region.thread, region.start.position) != Some(stream) {
        return None;
    }
    let work = next_work(case, region)?;
    if finished::stream_at(trace, work.thread, work.index) != Some(stream) {
        return None;
    }
    // Another pair times it; a clock around everything does not.
    let timed_otherwise = trace.notes.regions.iter().any(|other| {
        let around = other.clock == ClockKind::Host && is_part(region, other);
        other.thread == work.thread && other.holds(work.index) && !around
    });
    (!timed_otherwise).then_some(Problem::Behind { work, sure })
}

/// What stands between two records.
enum Between {
    Nothing,
    /// Calls nobody sees, whose values are used.
    Values,
    /// Something that takes time, or may do so for all one knows.
    Work,
}

fn between(case: &PathCase<'_>, region: &Region) -> Between {
    let trace = case.trace;
    let (start, stop) = (region.start.position, region.stop.position);
    let known = |index: u32| {
        let events = &trace.threads[region.thread.0 as usize].events;
        match events.get(index as usize).map(|it| &it.action) {
            Some(Action::Touch(_)) => true,
            Some(Action::Call(call)) => match &call.work {
                Some(work) => matches!(work.kind, WorkKind::Record(_)),
                None => call.api.is_some_and(|it| it.operation == Operation::ErrorQuery),
            },
            _ => false,
        }
    };
    if trace.budgets_hit > 0 || !(start + 1..stop).all(known) || trace.is_decided_inside(region) {
        return Between::Work;
    }
    let unseen = trace.notes.opaque.iter().filter(|it| {
        let inside = it.thread == region.thread && start < it.position && it.position <= stop;
        inside && !it.never_waits
    });
    unseen.fold(Between::Nothing, |so_far, it| match so_far {
        Between::Work => Between::Work,
        _ if case.program.is_for_itself((it.site.file, it.site.span)) => Between::Work,
        _ => Between::Values,
    })
}

/// Whether nothing but calls that the path shows stands between the two records in the text: what the host computes
/// there makes no events.
fn are_neighbours(case: &PathCase<'_>, region: &Region) -> bool {
    let (first, second) = (region.start.site.path(), region.stop.site.path());
    let Some(((file, before), (other, behind))) = first.iter().zip(&second).find(|(a, b)| a != b) else {
        return true;
    };
    let text = case
        .program
        .unit(*file)
        .bytes
        .get(before.end as usize..behind.start as usize);
    let (Some(text), true) = (text, file == other) else {
        return true;
    };
    let code: String = String::from_utf8_lossy(text)
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ");
    let mut words = code.split(|it: char| !it.is_alphanumeric() && it != '_');
    !words.any(|it| matches!(it, "for" | "while" | "do"))
}

/// The first kernel behind the second record, if nothing waits or records before it.
fn next_work(case: &PathCase<'_>, region: &Region) -> Option<EventRef> {
    let trace = case.trace;
    let events = trace.threads[region.thread.0 as usize].events.len() as u32;
    for index in region.stop.position + 1..events {
        let event = EventRef {
            thread: region.thread,
            index,
        };
        match &event.of(trace).action {
            Action::Call(_) => {
                let call = call(trace, event)?;
                if is_kernel_work(call) {
                    return Some(event);
                }
                if call.blocks != Block::None || call.work.is_some() {
                    return None;
                }
            }
            Action::Touch(_) => {}
            _ => return None,
        }
    }
    None
}
