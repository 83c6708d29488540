//! CL109: nothing in the program can end a wait: no write at all, or only values that do not satisfy it.

use super::story::{self, PathPhrase};
use super::{PathCase, remedy};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::facts::ir::BinaryOp;
use crate::order::LonelyWait;
use crate::trace::Wait;

/// `unreleasable-wait` (CL109).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    case.verdict
        .lonely_waits
        .iter()
        .filter_map(|it| finding(case, it))
        .collect()
}

fn finding(case: &PathCase<'_>, lonely: &LonelyWait) -> Option<Finding> {
    let name = |event| story::name_in(case.program, case.trace, event);
    let wait = story::wait(case.trace, lonely.waiting, lonely.wait)?;
    let (waiter, flag) = (name(lonely.waiting), story::place(wait));
    let waits = match condition(wait) {
        Some(condition) => format!("{waiter} waits until {flag} {condition}"),
        None => format!("{waiter} waits for {flag}"),
    };
    let later = lonely.writes.iter().find(|(_, value)| *value != 0);
    let why = match (later, lonely.overwritten) {
        (_, Some((releaser, overwriting))) => format!(
            "what {} writes is overwritten by {} before",
            name(releaser),
            name(overwriting)
        ),
        (Some((_, value)), None) => format!("the program writes {value}, which does not end it"),
        (None, None) => "nothing in the program writes that".to_owned(),
    };
    let mut steps = vec![(lonely.waiting.at(case.trace), waits.clone())];
    if wait.at != lonely.waiting.at(case.trace) {
        steps.push((wait.at, format!("{waiter} stays in this loop")));
    }
    if let Some((releaser, _)) = lonely.overwritten {
        steps.push((
            releaser.at(case.trace),
            "this would end it, had it not been overwritten".to_owned(),
        ));
    }
    for (event, value) in lonely.writes.iter().take(2) {
        steps.push((event.at(case.trace), format!("{flag} becomes {value}")));
    }
    let help = match (wait.until(), later) {
        _ if lonely.overwritten.is_some() => "clear the place before it is handed to whoever writes it",
        (Some((BinaryOp::Equal, _)), Some(_)) => {
            "write the value that is waited for, or wait with greater-or-equal, which a later value ends too"
        }
        (Some((BinaryOp::BitAnd, _)), Some(_)) => "set one of the bits that are waited for",
        _ => {
            "write the place before the host waits for this work; if another process or device writes it, suppress this"
        }
    };
    let phrase = PathPhrase {
        rule: "unreleasable-wait",
        code: "CL109",
        severity: Severity::Warning,
        primary: lonely.waiting.at(case.trace),
        message: format!("{waits}, and {why}"),
        steps,
        help: help.to_owned(),
    };
    let mut finding = story::path_finding(case, phrase);
    if let Some((BinaryOp::Equal, value)) = wait.until()
        && lonely.overwritten.is_none()
        && lonely.writes.iter().any(|it| it.1 > value)
    {
        finding.fix = remedy::at_least(case.program, case.trace, lonely.waiting);
    }
    if later.is_none() {
        finding.confidence = finding.confidence.min(Confidence::Medium);
    }
    Some(finding)
}

/// What ends the wait, in words: "is 2", "is at least 3".
fn condition(wait: &Wait) -> Option<String> {
    let (op, value) = wait.until()?;
    Some(match op {
        BinaryOp::Equal => format!("is {value}"),
        BinaryOp::NotEqual => format!("is no longer {value}"),
        BinaryOp::GreaterEqual => format!("is at least {value}"),
        BinaryOp::Greater => format!("is more than {value}"),
        BinaryOp::LessEqual => format!("is at most {value}"),
        BinaryOp::Less => format!("is less than {value}"),
        BinaryOp::BitAnd => format!("has a bit of {value:#x}"),
        _ => return None,
    })
}
