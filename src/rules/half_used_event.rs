//! CL220: an event that a class keeps is recorded and nothing waits for it, or waited for and nothing records it.

use super::story::location;
use crate::diagnostics::{Confidence, Finding, Severity, Step, evidence};
use crate::program::{FileId, HalfUsed, Program};
use crate::syntax::Span;

/// Calls that are shown.
const MOST_CALLS: usize = 4;

/// `half-used-event` (CL220).
pub(super) fn check(program: &Program) -> Vec<Finding> {
    let found = program.half_used_events();
    found.iter().filter_map(|it| finding(program, it)).collect()
}

fn finding(program: &Program, half: &HalfUsed) -> Option<Finding> {
    let name = &half.field;
    let (first, _) = half.calls.split_first()?;
    let step = |at: (FileId, Span), message: String| Step::new(location(program, at), message);
    let declared = step(
        half.declared,
        format!("`{name}` is declared here, and handed to nobody"),
    );
    let calls = half.calls.iter().take(MOST_CALLS);
    let calls = calls.map(|at| match half.recorded {
        true => step(*at, "it is recorded here".to_owned()),
        false => step(
            *at,
            "here somebody asks whether it was reached: it was, at once".to_owned(),
        ),
    });
    let (message, help) = match half.recorded {
        true => (
            format!(
                "`{name}` is recorded, but nothing waits for it or asks after it: what is used again behind it may still be in use"
            ),
            format!("wait for `{name}` before what it stands for is used again, or take it out"),
        ),
        false => (
            format!(
                "`{name}` is waited for, but nothing records it: an event that was never recorded is complete, so nothing waits"
            ),
            format!("record `{name}` behind the work it is to stand for"),
        ),
    };
    Some(Finding {
        rule: "half-used-event",
        code: "CL220",
        severity: match half.recorded {
            true => Severity::Warning,
            false => Severity::Error,
        },
        confidence: Confidence::Medium,
        primary: location(program, *first),
        message,
        steps: std::iter::once(declared).chain(calls).collect(),
        help: Some(help),
        evidence: evidence::sentence("half-used-event"),
        assumptions: vec![format!("nothing outside of the project uses `{name}`")],
        configuration: None,
        fix: None,
        picture: None,
    })
}
