//! CL405: the host waits for each of several streams before it gives the next one work.

use super::PathCase;
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::EventRef;
use crate::order::turns::{Turn, turns};

/// `streams-take-turns` (CL405).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let turns = turns(case.program, case.trace);
    turns.iter().map(|it| report(case, it)).collect()
}

fn report(case: &PathCase<'_>, it: &Turn) -> Finding {
    let trace = case.trace;
    let name = |event: EventRef| story::name_in(case.program, trace, event);
    let stream = |event: EventRef| {
        event.work(trace).map_or_else(
            || "its stream".to_owned(),
            |it| story::stream_name(trace, it.stream),
        )
    };
    let (earlier, wait, later) = (name(it.earlier), name(it.wait), name(it.later));
    let (first, second) = (stream(it.earlier), stream(it.later));
    let by_itself = it.earlier == it.wait;
    let mut steps = Vec::new();
    if !by_itself {
        steps.push((it.earlier.at(trace), format!("{earlier} is enqueued in {first}")));
    }
    steps.push((
        it.wait.at(trace),
        match by_itself {
            true => format!("{wait} in {first} returns only when it is done"),
            false => format!("{wait} returns only when {first} is done"),
        },
    ));
    steps.push((
        it.later.at(trace),
        format!("only then is {later} enqueued in {second}, which needs nothing of that"),
    ));
    let help = match by_itself {
        true => "use `thrust::cuda::par_nosync.on(stream)`, which does not wait, and wait for the streams when all have their work".to_owned(),
        false => format!(
            "give all streams their work first, and let {wait} wait where the host uses the result or the stream's buffers again"
        ),
    };
    story::path_finding(
        case,
        PathPhrase {
            rule: "streams-take-turns",
            code: "CL405",
            severity: Severity::Warning,
            primary: it.wait.at(trace),
            message: format!(
                "the host waits for {first} before it gives {second} any work: the streams take turns, and nothing overlaps"
            ),
            steps,
            help,
        },
    )
}
