//! CL403: an operation in the legacy default stream between independent work in blocking streams.

use std::collections::BTreeMap;

use super::remedy;
use super::story::{self, PathPhrase};
use super::{EntryCase, PathCase};
use crate::diagnostics::{Finding, Severity};
use crate::facts::ir::Span;
use crate::order::EventRef;
use crate::order::separators::{Separator, separators};
use crate::program::FileId;
use crate::trace::{Action, StreamId};

/// `default-stream-between-streams` (CL403).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    let mut places: BTreeMap<(FileId, Span), (&PathCase<'_>, Separator)> = BTreeMap::new();
    // A path that hangs is told by the rule that says why.
    for case in entry.cases.iter().filter(|case| case.verdict.hangs.is_empty()) {
        for it in separators(case.program, case.trace) {
            places.entry(it.separator.at(case.trace)).or_insert((case, it));
        }
    }
    places.values().map(|(case, it)| report(case, it)).collect()
}

fn report(case: &PathCase<'_>, it: &Separator) -> Finding {
    let trace = case.trace;
    let name = |event: EventRef| story::name_in(case.program, trace, event);
    let stream = |event: EventRef| match &event.of(trace).action {
        Action::Call(call) => call.work.as_ref().map_or_else(
            || "its stream".to_owned(),
            |work| story::stream_name(trace, work.stream),
        ),
        _ => "its stream".to_owned(),
    };
    let (separator, earlier, later) = (name(it.separator), name(it.earlier), name(it.later));
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "default-stream-between-streams",
            code: "CL403",
            severity: Severity::Warning,
            primary: it.separator.at(trace),
            message: format!(
                "{separator} is in the legacy default stream: {later} in {} waits for it, and it waits for {earlier} in {}",
                stream(it.later),
                stream(it.earlier),
            ),
            steps: vec![
                (
                    it.earlier.at(trace),
                    format!(
                        "{earlier} is enqueued in {}, a blocking stream",
                        stream(it.earlier)
                    ),
                ),
                (
                    it.separator.at(trace),
                    format!(
                        "{separator} goes to the legacy default stream, which waits for every blocking stream"
                    ),
                ),
                (
                    it.later.at(trace),
                    format!("{later} in {} starts only when that has ended", stream(it.later)),
                ),
            ],
            help: format!(
                "give {separator} a stream of its own, or make the streams with `cudaStreamNonBlocking` and order \
                 what needs an order with events"
            ),
        },
    );
    let streams: Vec<StreamId> = [it.earlier, it.later]
        .into_iter()
        .filter_map(|event| Some(story::call(trace, event)?.work.as_ref()?.stream))
        .collect();
    finding.fix = remedy::created_non_blocking(case.program, trace, &streams);
    finding
}
