//! CL404: one executable graph is launched in two streams, where its launches wait for each other all the same.

use super::PathCase;
use super::story::capture::at;
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::order;

/// `one-graph-exec-in-two-streams` (CL404).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let shared = order::captures::shared_execs(case.trace);
    let created = |stream: crate::trace::StreamId| case.trace.streams[stream.0 as usize].created;
    shared
        .into_iter()
        .filter(|it| created(it.first.stream) && created(it.second.stream))
        .map(|it| {
            let stream = |launch: &crate::trace::capture::GraphLaunch| {
                story::stream_name(case.trace, launch.stream)
            };
            story::path_finding(
                case,
                PathPhrase {
                    rule: "one-graph-exec-in-two-streams",
                    code: "CL404",
                    severity: Severity::Warning,
                    primary: at(&it.second.spot.site),
                    message: format!(
                        "`{}` is launched in {} and in {}: an executable graph does not run beside itself, so the \
                         streams do not overlap",
                        it.second.name,
                        stream(it.first),
                        stream(it.second)
                    ),
                    steps: vec![
                        (at(&it.first.spot.site), format!("launched in {}", stream(it.first))),
                        (
                            at(&it.second.spot.site),
                            format!("this launch waits for that one, though it is in {}", stream(it.second)),
                        ),
                    ],
                    help: "instantiate the graph once per stream, where the launches work on memory of their own; else use one stream".to_owned(),
                },
            )
        })
        .collect()
}
