//! CL113: a kernel that waits for another kernel takes every multiprocessor, so that the other one never starts.

use super::PathCase;
use super::story::{self, PathPhrase, path_finding};
use crate::diagnostics::{Finding, Severity};
use crate::order::UnpromisedWait;
use crate::trace::{Grid, Launch};

/// Multiprocessors of the GPU the measurements were made on, and of most others at most.
const MULTIPROCESSORS: i64 = 132;
/// Threads per multiprocessor beyond which nothing else started (M7).
const THREADS: i64 = 512;
/// Blocks a multiprocessor holds at most.
const BLOCKS: i64 = 32;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    case.verdict
        .unpromised_waits
        .iter()
        .filter_map(|it| finding(case, it))
        .collect()
}

/// Whether this rule tells the story of a wait.
pub(super) fn takes(case: &PathCase<'_>, unpromised: &UnpromisedWait) -> bool {
    filling(case, unpromised).is_some()
}

/// The launch that waits, when it fills the device before its releaser is launched.
fn filling<'a>(case: &PathCase<'a>, unpromised: &UnpromisedWait) -> Option<(&'a Launch, String)> {
    let (waiting, releaser) = (unpromised.waiting, unpromised.releaser);
    let later = releaser.thread == waiting.thread && releaser.index > waiting.index;
    let hangs_anyway = case.verdict.hangs.iter().any(|it| it.waiting == waiting);
    let mut launches = case.trace.notes.launches.iter();
    let launch = launches.find(|it| it.thread == waiting.thread && it.position == waiting.index)?;
    (later && !hangs_anyway).then_some(())?;
    Some((launch, extent(launch)?))
}

/// How a grid that covers every multiprocessor came about.
fn extent(launch: &Launch) -> Option<String> {
    let fills = |each: i64| {
        each >= BLOCKS
            || launch
                .threads
                .is_some_and(|it| each.saturating_mul(it) >= THREADS)
    };
    match launch.grid {
        Grid::Occupancy => Some("as many blocks as fit".to_owned()),
        Grid::PerMultiprocessor(1) if fills(1) => Some("a block for every multiprocessor".to_owned()),
        Grid::PerMultiprocessor(each) if fills(each) => {
            Some(format!("{each} blocks for every multiprocessor"))
        }
        Grid::Blocks(blocks) if blocks >= MULTIPROCESSORS && fills(blocks / MULTIPROCESSORS) => {
            Some(format!("{blocks} blocks"))
        }
        _ => None,
    }
}

fn finding(case: &PathCase<'_>, unpromised: &UnpromisedWait) -> Option<Finding> {
    let (launch, extent) = filling(case, unpromised)?;
    let wait = story::wait(case.trace, unpromised.waiting, unpromised.wait)?;
    let releaser = story::name_in(case.program, case.trace, unpromised.releaser);
    let (name, flag) = (&launch.name, story::place(wait));
    Some(path_finding(
        case,
        PathPhrase {
            rule: "spin-grid-fills-device",
            code: "CL113",
            severity: Severity::Warning,
            primary: unpromised.waiting.at(case.trace),
            message: format!(
                "`{name}` takes {extent} and spins until {releaser} writes {flag}: no multiprocessor is left on which \
                 {releaser} could start"
            ),
            steps: vec![
                (unpromised.waiting.at(case.trace), format!("{extent}: every multiprocessor is taken from here on")),
                (wait.at, "no block ends before the flag is written".to_owned()),
                (
                    unpromised.releaser.at(case.trace),
                    format!("{releaser} waits for a multiprocessor to be free"),
                ),
            ],
            help: "leave multiprocessors free (a smaller grid), release by a host store, a copy or a stream write value, or \
                   launch the releasing kernel first"
                .to_owned(),
        },
    ))
}
