//! `--pedantic`: what would hang if the calls that wait only by what documents allow did wait.

use std::collections::BTreeSet;

use super::{HANG_RULES, HangCase, PathCase, prepared};
use crate::api::Blocking;
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::facts::ir::Span;
use crate::order::{self, Gate, Hang};
use crate::program::FileId;
use crate::trace::{Action, Block, Trace};

/// Infos about calls no GPU was seen to wait in; none without `--pedantic`, and none on a path that hangs anyway.
pub(super) fn allowed_hangs(case: &PathCase<'_>, settings: order::Settings) -> Vec<Finding> {
    if !case.options.pedantic || !case.verdict.hangs.is_empty() || !case.trace.has_waits() {
        return Vec::new();
    }
    let mut trace = case.trace.clone();
    let waiting = let_wait(&mut trace);
    if waiting.is_empty() {
        return Vec::new();
    }
    let hangs = order::judge(case.program, &trace, settings).hangs;
    let hangs = hangs.iter().filter(|it| {
        let at_such_a_call = gate_place(it, &trace).is_some_and(|place| waiting.contains(&place));
        at_such_a_call && !prepared::by_main(case.program, &trace, it)
    });
    hangs
        .filter_map(|hang| {
            let case = HangCase {
                program: case.program,
                trace: &trace,
                hang,
                certainty: case.certainty.clone(),
                bound: None,
            };
            HANG_RULES.iter().find_map(|rule| rule(&case)).map(allowed)
        })
        .collect()
}

/// Lets every call wait that may; their places.
fn let_wait(trace: &mut Trace) -> BTreeSet<(FileId, Span)> {
    let mut waiting = BTreeSet::new();
    for event in trace.threads.iter_mut().flat_map(|it| &mut it.events) {
        let Action::Call(call) = &mut event.action else {
            continue;
        };
        let blocks = match call.api.map(|it| it.may_block) {
            Some(Blocking::Device) => Block::Device,
            Some(Blocking::Stream) if call.work.is_some() => Block::OwnWork,
            _ => continue,
        };
        if call.blocks == Block::None {
            call.blocks = blocks;
            waiting.insert((event.site.file, event.site.span));
        }
    }
    waiting
}

/// Where the host is stuck.
fn gate_place(hang: &Hang, trace: &Trace) -> Option<(FileId, Span)> {
    match &hang.gate {
        Gate::BlockingCall { event } | Gate::HostWait { event } => Some(event.at(trace)),
        _ => None,
    }
}

/// Says that it was not seen.
fn allowed(finding: Finding) -> Finding {
    let mut assumptions = finding.assumptions;
    assumptions.push("documents let this call wait; no GPU was seen to".to_owned());
    Finding {
        severity: Severity::Info,
        confidence: Confidence::Low,
        evidence: None,
        fix: None,
        message: format!("documents allow a hang here: {}", finding.message),
        assumptions,
        ..finding
    }
}
