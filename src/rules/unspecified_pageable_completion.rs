//! CL209: the host reads after an asynchronous copy to pageable memory, or gives up what one copies from, without
//! waiting; documents only say that the copy might be complete.

use super::PathCase;
use super::result_returned_before_done::is_own_result;
use super::story::race::{RacePhrase, findings_where, name, place, subject, without_loading};
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::{EventRef, Hazard, Race, finished};
use crate::trace::notes::SourceEnd;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    // What a function does in a stream that it is handed is another rule's.
    let own = |it: &Race| it.hazard == Hazard::PageableCopy && !is_own_result(case, it);
    let mut found = findings_where(case, own, |race| RacePhrase {
        rule: "unspecified-pageable-completion",
        code: "CL209",
        severity: Severity::Warning,
        message: format!(
            "{} reads `{}` after {}{} and nothing waits: a copy to pageable memory might be complete, and is not \
             promised to be",
            subject(case, race.later),
            race.later_access.what,
            name(case, race.earlier),
            place(case, race.earlier),
        ),
        help: "add `cudaStreamSynchronize` of that stream before the memory is read".to_owned(),
    });
    found.extend(sources(case));
    found
}

/// `--pedantic`: sources given up while nothing has waited for the copy. All that were seen had been read when the call
/// returned.
fn sources(case: &PathCase<'_>) -> Vec<Finding> {
    let mut ends: Vec<&SourceEnd> = Vec::new();
    if case.options.pedantic {
        ends.extend(&case.trace.notes.source_ends);
    }
    ends.retain(|it| finished::is_open_at(case.trace, copy(it), &it.end));
    ends.into_iter().map(|it| given_up(case, it)).collect()
}

fn copy(of: &SourceEnd) -> EventRef {
    EventRef {
        thread: of.thread,
        index: of.copy,
    }
}

fn given_up(case: &PathCase<'_>, source: &SourceEnd) -> Finding {
    let copy = copy(source);
    let SourceEnd { end, buffer, .. } = source;
    let name = name(case, copy);
    // As the function sees it whose memory ends.
    let calls = copy.site(case.trace).path();
    let seen = calls.get(end.site.frames.len()).copied();
    let seen = seen.unwrap_or_else(|| copy.at(case.trace));
    let mut steps = vec![(
        copy.at(case.trace),
        format!("{name} is to read `{buffer}`, which is pageable memory"),
    )];
    let end = end.site.path().pop();
    steps.extend(end.map(|at| {
        (
            at,
            format!("`{buffer}` ends here, and nothing has waited for the copy"),
        )
    }));
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "unspecified-pageable-completion",
            code: "CL209",
            severity: Severity::Info,
            primary: seen,
            message: format!(
                "the host gives up `{buffer}` and nothing has waited for {name}: a copy from pageable memory might have \
                 read it by then, and is not promised to have"
            ),
            steps,
            help: "wait for the stream before the memory is given up".to_owned(),
        },
    );
    without_loading(&mut finding);
    finding.evidence = None;
    finding
}
