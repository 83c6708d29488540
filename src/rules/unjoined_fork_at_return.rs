//! CL212: a function that is handed a stream returns while its work in another one, on the caller's memory, is not over.

use std::collections::BTreeMap;

use super::PathCase;
use super::fork_not_behind_caller::{doubt, forks};
use super::story::race::{attempted, name, place, verb};
use super::story::{PathPhrase, path_finding, stream_name};
use crate::diagnostics::{Finding, Severity};
use crate::order::{Breach, How, outrun};
use crate::trace::{Mode, StreamId};

/// `unjoined-fork-at-return` (CL212).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut last: BTreeMap<StreamId, Breach> = BTreeMap::new();
    // What was not followed to its return may still join.
    let returns = |breach: &Breach| {
        let behind = |(_, position): &(_, u32)| *position > breach.work.index;
        !case.trace.stopped && !case.trace.notes.lost.iter().any(behind)
    };
    for breach in forks(case) {
        let is_left = match breach.how {
            How::After => returns(&breach),
            How::Inside(_) => true,
            _ => false,
        };
        if is_left {
            let known = last.get(&breach.stream);
            // The first access of a piece of work says most.
            if known.is_none_or(|it| it.work != breach.work) {
                last.insert(breach.stream, breach);
            }
        }
    }
    last.values().map(|it| finding(case, it)).collect()
}

fn finding(case: &PathCase<'_>, breach: &Breach) -> Finding {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let (work, what, given) = (breach.work, &breach.access.what, &breach.given);
    let fork = stream_name(case.trace, breach.stream);
    let may = match breach.access.mode {
        Mode::Read => "read",
        _ if breach.access.declared => "use",
        _ => "write",
    };
    let who = name(case, work);
    let done = format!("{who} {} `{what}`{}", verb(&breach.access), place(case, work));
    let end = (case.trace.entry.file, function.name_span);
    let (severity, told, behind) = match &breach.how {
        How::Inside(race) => {
            let (other, access) = match race.earlier == work {
                true => (race.later, &race.later_access),
                false => (race.earlier, &race.earlier_access),
            };
            let other_does = format!("{} {} it in `{given}`", name(case, other), verb(access));
            let told =
                format!("`{own_name}` is given `{given}`, but {done}: nothing orders that with {other_does}");
            (Severity::Error, told, (other.at(case.trace), other_does))
        }
        _ => {
            let told = format!(
                "`{own_name}` is given `{given}`, and returns while {who} may still {may} `{what}`{}: a caller's next work \
                 in `{given}` does not wait for it",
                place(case, work)
            );
            let assumed =
                format!("assumed: the caller enqueues more work on `{what}` in `{given}` afterwards");
            (Severity::Warning, told, (end, assumed))
        }
    };
    let mut steps = vec![(work.at(case.trace), done)];
    steps.extend(attempted(case, outrun(case.trace, work), work));
    steps.push(behind);
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "unjoined-fork-at-return",
            code: "CL212",
            severity,
            primary: work.at(case.trace),
            message: told,
            steps,
            help: format!(
                "record an event in {fork} behind its last work, and let `{given}` wait for it (`cudaStreamWaitEvent`)"
            ),
        },
    );
    if severity == Severity::Warning {
        doubt(case, breach, &mut finding);
    }
    finding
}
