//! CL213: a function that is handed a stream begins work on the caller's memory in a stream of its own, which waits for nothing.

use super::PathCase;
use super::story::race::{attempted, name, place, verb, without_loading};
use super::story::{PathPhrase, path_finding, stream_name};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::order::{Breach, How, attempt};
use crate::trace::{Mode, StreamId};

/// `fork-not-behind-caller` (CL213).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut found: Vec<(StreamId, Finding)> = Vec::new();
    for breach in forks(case) {
        if matches!(breach.how, How::Before) && !found.iter().any(|(stream, _)| *stream == breach.stream) {
            found.push((breach.stream, finding(case, &breach)));
        }
    }
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Work in streams that a function made, and that nothing orders with the stream it is handed.
pub(super) fn forks(case: &PathCase<'_>) -> Vec<Breach> {
    let is_handed = !case.trace.notes.promise.streams.is_empty();
    let makes = case
        .trace
        .streams
        .iter()
        .any(|it| it.created && it.made.is_some() || it.own.is_some());
    if !is_handed || !makes && !case.trace.lets_stream_wait() {
        return Vec::new();
    }
    let forked = case.breaches().iter().filter(|it| it.forked);
    forked.cloned().collect()
}

fn finding(case: &PathCase<'_>, breach: &Breach) -> Finding {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let (work, what, given) = (breach.work, &breach.access.what, &breach.given);
    let fork = stream_name(case.trace, breach.stream);
    let done = format!(
        "{} {} `{what}`{}",
        name(case, work),
        verb(&breach.access),
        place(case, work)
    );
    let may = match breach.access.mode {
        Mode::Read if !breach.access.declared => "write",
        _ => "use",
    };
    let begin = (case.trace.entry.file, function.name_span);
    let mut steps = vec![(
        begin,
        format!("assumed: the caller enqueued work on `{what}` in `{given}` before"),
    )];
    steps.extend(attempted(case, attempt(case.trace, None, work), work));
    steps.push((work.at(case.trace), done.clone()));
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "fork-not-behind-caller",
            code: "CL213",
            severity: Severity::Warning,
            primary: work.at(case.trace),
            message: format!(
                "`{own_name}` is given `{given}`, but {done}, which does not wait for `{given}`: a caller's work in \
                 `{given}` may still {may} it then"
            ),
            steps,
            help: format!(
                "record an event in `{given}` first, and let {fork} wait for it (`cudaStreamWaitEvent`)"
            ),
        },
    );
    doubt(case, breach, &mut finding);
    finding
}

/// What is assumed of a caller nobody sees.
pub(super) fn doubt(case: &PathCase<'_>, breach: &Breach, finding: &mut Finding) {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    without_loading(finding);
    finding.assumptions.push(format!(
        "callers of `{own_name}` work on `{}` in `{}`",
        breach.access.what, breach.given
    ));
    if breach.lent {
        let fork = stream_name(case.trace, breach.stream);
        finding.assumptions.push(match breach.how {
            How::Before => format!("{fork} does not wait for `{}` elsewhere", breach.given),
            _ => format!("nobody but `{own_name}` joins {fork}"),
        });
    }
    finding.confidence = finding
        .confidence
        .min(match breach.access.declared || breach.lent {
            true => Confidence::Low,
            false => Confidence::Medium,
        });
}
