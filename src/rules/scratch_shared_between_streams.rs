//! CL215: work in a stream that was handed in writes memory that the next call uses as well.

use super::story::race::{name, place, verb, without_loading};
use super::story::{PathPhrase, path_finding};
use super::{PathCase, is_program};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::facts::ir::Role;
use crate::order::lasting::{Shared, shared};
use crate::order::{self, Settings};
use crate::trace::{self, Base, Trace};

/// `scratch-shared-between-streams` (CL215).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    if is_program(case) {
        return Vec::new();
    }
    let mut shared = shared(case.trace);
    // The program beside it says which streams it is called with.
    if shared.is_empty() || case.program.lies_beside_main(case.trace.entry.file) {
        return Vec::new();
    }
    if shared.iter().any(is_allocated) && !next_call_uses_it(case) {
        shared.retain(|it| !is_allocated(it));
    }
    shared.iter().map(|it| finding(case, it)).collect()
}

/// Whether the path itself allocates the memory.
fn is_allocated(shared: &Shared) -> bool {
    matches!(shared.access.location.base, Base::Allocation(_))
}

/// Whether a second call uses what a first one does, which is asked of the calls. A method's object may be another one.
fn next_call_uses_it(case: &PathCase<'_>) -> bool {
    let entry = case.trace.entry;
    if case.program.function(entry).role != Role::Function {
        return true;
    }
    let two = trace::trace_two_calls(case.program, entry, false);
    let settings = Settings { lazy_loading: false };
    let races = |it: &Trace| !order::judge(case.program, it, settings).races.is_empty();
    two.truncated || two.traces.iter().any(races)
}

fn finding(case: &PathCase<'_>, it: &Shared) -> Finding {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let Shared {
        write,
        access,
        last,
        once,
        outrun,
        given,
    } = it;
    let handed = (case.trace.entry.file, function.name_span);
    let what = &access.what;
    let mut steps = vec![
        (
            handed,
            format!("`{own_name}` is given `{given}`, and is called with other streams too"),
        ),
        (
            write.at(case.trace),
            format!(
                "{} {} `{what}`{}{}: static or global variables lead there, at every call to the same memory",
                name(case, *write),
                verb(access),
                place(case, *write),
                if *once { " at the first call alone" } else { "" }
            ),
        ),
    ];
    if last != write {
        steps.push((
            last.at(case.trace),
            format!(
                "{} uses it in `{given}`, and nothing waits for that",
                name(case, *last)
            ),
        ));
    }
    if let Some((wait, record)) = outrun {
        steps.push((
            record.at(case.trace),
            "what the next call waits for is recorded here, ahead of that".to_owned(),
        ));
        steps.push((
            wait.at(case.trace),
            format!("{} waits for that alone", name(case, *wait)),
        ));
    }
    let assumed = match once {
        true => format!(
            "assumed: the next call comes with another stream, which does not wait until `{what}` is filled"
        ),
        false => format!(
            "assumed: the next call comes with another stream, and its work on `{what}` is not ordered with this one's"
        ),
    };
    steps.push((handed, assumed));
    let (harm, help) = match once {
        true => (
            "the first call alone does that: a call with another stream uses it, and may do so before it is filled",
            "wait for the stream where it is filled, or record an event there and let the stream of every call wait for it".to_owned(),
        ),
        false => (
            "every call uses the same memory: two calls with different streams overwrite each other's data",
            format!(
                "keep such memory per stream (or allocate it in `{given}` for the call), or record an event behind the last use \
                 and let the stream of the next call wait for it"
            ),
        ),
    };
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "scratch-shared-between-streams",
            code: "CL215",
            severity: Severity::Warning,
            primary: write.at(case.trace),
            message: format!(
                "{} {} `{what}` in the stream that `{own_name}` is given, and {harm}",
                name(case, *write),
                verb(access)
            ),
            steps,
            help,
        },
    );
    without_loading(&mut finding);
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
        .assumptions
        .push(format!("callers of `{own_name}` use more than one stream"));
    finding
}
