//! CL114: a host function waits for what can come only after it has returned.

use super::story::{self, PathPhrase, Phrase, path_finding};
use super::{HangCase, PathCase, lower, remedy};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::order::{Gate, Settings, StuckCallback, StuckReason};
use crate::trace::WorkKind;

const RULE: &str = "callback-waits";
const CODE: &str = "CL114";
const HELP: &str =
    "let the host function only signal (set a flag, push to a queue), and wait on a thread of your own";

/// What makes it doubtful that the host function meets the mutex held.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    None,
    /// It may have returned before the mutex is taken.
    Time,
    /// It is enqueued by another thread than the one that holds the mutex.
    Threads,
}

/// Whether it is a host function that waits in this deadlock.
fn takes(case: &HangCase<'_>) -> bool {
    let work = story::call(case.trace, case.hang.waiting).and_then(|it| it.work.as_ref());
    work.is_some_and(|it| it.kind == WorkKind::HostFunction)
}

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    if !takes(case) {
        return None;
    }
    let flag = story::flag(case);
    let why = match &case.hang.gate {
        Gate::HostWait { event } | Gate::BlockingCall { event } => {
            format!("{} waits for the stream before that", story::name(case, *event))
        }
        Gate::DeviceOrder { .. } => {
            "the stream gets there only when the host function has returned".to_owned()
        }
        // Loading is what stands in the way: the story of another rule.
        _ => return None,
    };
    let message = format!(
        "the host function that {} enqueues waits for {flag}, and {why}",
        story::name(case, case.hang.waiting)
    );
    Some(story::finding(
        case,
        Phrase {
            rule: RULE,
            code: CODE,
            severity: Severity::Error,
            primary: case.hang.waiting,
            message,
            help: HELP.to_owned(),
            fix: None,
        },
    ))
}

/// Mutexes held across a wait for the host function, and host functions that wait for each other.
pub(super) fn stuck(case: &PathCase<'_>) -> Vec<Finding> {
    let told = |it: &StuckCallback| case.verdict.hangs.iter().any(|hang| hang.waiting == it.enqueued);
    let settings = Settings {
        lazy_loading: case.options.lazy_loading,
    };
    let stuck = crate::order::stuck_callbacks(case.trace, settings);
    stuck
        .iter()
        .filter(|it| !told(it))
        .map(|it| finding(case, it))
        .collect()
}

fn finding(case: &PathCase<'_>, stuck: &StuckCallback) -> Finding {
    let name = |event| story::name_in(case.program, case.trace, event);
    let at = |event: crate::order::EventRef| event.at(case.trace);
    let enqueued = (
        at(stuck.enqueued),
        "the host function is enqueued here".to_owned(),
    );
    let (message, steps, doubt) = match &stuck.why {
        StuckReason::Mutex {
            locked,
            call,
            other_thread,
        } => (
            format!(
                "the host function takes a mutex that a thread holds in {}, which waits for the host function to return",
                name(*call)
            ),
            vec![
                (at(*locked), "a thread takes the mutex".to_owned()),
                enqueued,
                (
                    at(*call),
                    format!("{} waits for the stream with the mutex held", name(*call)),
                ),
                (stuck.at, "the host function waits for the mutex".to_owned()),
            ],
            match (other_thread, locked.index > stuck.enqueued.index) {
                (true, _) => Doubt::Threads,
                (false, true) => Doubt::Time,
                (false, false) => Doubt::None,
            },
        ),
        StuckReason::Loading { locked, call, launch } => (
            format!(
                "the host function takes a mutex that a thread holds in {}, which waits while {} is loaded by another thread: \
                 loading waits for the host function to return",
                name(*call),
                name(*launch)
            ),
            vec![
                (at(*locked), "a thread takes the mutex".to_owned()),
                (
                    at(*call),
                    format!("{} waits for the context with the mutex held", name(*call)),
                ),
                enqueued,
                (stuck.at, "the host function waits for the mutex".to_owned()),
                (
                    at(*launch),
                    format!(
                        "{} is launched for the first time, and loaded: that keeps the context until all work is done",
                        name(*launch)
                    ),
                ),
            ],
            Doubt::Threads,
        ),
        StuckReason::Callback { other, what } => (
            format!(
                "the host function waits for `{what}`, which only the host function enqueued later ends: CUDA runs one \
                 after the other"
            ),
            vec![
                enqueued,
                (stuck.at, format!("it waits for `{what}`")),
                (
                    at(*other),
                    "only this host function ends the wait, and it comes later".to_owned(),
                ),
            ],
            Doubt::None,
        ),
    };
    let mut found = path_finding(
        case,
        PathPhrase {
            rule: RULE,
            code: CODE,
            severity: Severity::Error,
            primary: stuck.at,
            message,
            steps,
            help: HELP.to_owned(),
        },
    );
    if let StuckReason::Mutex { locked, call, .. } = &stuck.why {
        found.fix = remedy::wait_unlocked(case, *locked, *call);
    }
    if doubt != Doubt::None {
        found.confidence = match doubt {
            // What is waited for has not happened, as a rule.
            Doubt::Time => found.confidence.min(Confidence::Medium),
            _ => lower(found.confidence),
        };
        found
            .assumptions
            .push("the stream reaches the host function while the mutex is held".to_owned());
    }
    found
}
