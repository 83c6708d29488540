//! CL307: while a stream captures, work is enqueued in a stream that does not: it runs once, and no launch of the graph does it again.

use super::PathCase;
use super::story::capture::{self, at, begins};
use super::story::{self, PathPhrase};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::order::left_out::{self, LeftOut, Stale};

/// `work-left-out-of-capture` (CL307).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let all = left_out::left_out(case.trace);
    all.iter().map(|it| finding(case, it)).collect()
}

fn finding(case: &PathCase<'_>, left: &LeftOut<'_>) -> Finding {
    let work = story::name_in(case.program, case.trace, left.work);
    let what = &left.about.what;
    let stream = story::call(case.trace, left.work)
        .and_then(|it| it.work.as_ref())
        .map_or_else(String::new, |it| story::stream_name(case.trace, it.stream));
    let captured = story::stream_name(case.trace, left.capture.stream);
    let why = match left.stale {
        Stale::Spent => (
            left.reader
                .map_or_else(|| left.work.at(case.trace), |it| at(&it.site)),
            format!("every launch of the graph changes `{what}` here"),
        ),
        Stale::Ahead(node) => (
            at(&node.site),
            format!(
                "the graph writes `{what}` here, when it is launched: {work} reads what was there before"
            ),
        ),
        Stale::ByGraph(node) => (
            at(&node.site),
            format!("every launch of the graph changes here what {work} works from"),
        ),
        Stale::Later(event) => (
            event.at(case.trace),
            format!("what {work} works from is changed here, behind the capture"),
        ),
    };
    let mut steps = vec![
        begins(case, left.capture),
        (
            left.work.at(case.trace),
            format!("{stream} does not capture: {work} runs now, once"),
        ),
    ];
    if let Some(reader) = left.reader.filter(|_| !matches!(left.stale, Stale::Spent)) {
        steps.push((
            at(&reader.site),
            format!("the graph reads `{what}` at each launch"),
        ));
    }
    steps.push(why);
    let mut finding = capture::finding(
        case,
        PathPhrase {
            rule: "work-left-out-of-capture",
            code: "CL307",
            severity: Severity::Error,
            primary: left.work.at(case.trace),
            message: format!(
                "{work} is enqueued in {stream} while {captured} captures: it is no part of the graph, and no launch does it again"
            ),
            steps,
            help: format!(
                "let {stream} wait for an event of {captured} before {work}, and {captured} for one of {stream} behind it; or enqueue {work} in {captured}"
            ),
        },
    );
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
}
