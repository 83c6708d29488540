//! CL115: a host function that a stream or graph calls makes a CUDA call, which no such function may.

use super::PathCase;
use super::story::{PathPhrase, path_finding};
use crate::api::Operation;
use crate::diagnostics::{Finding, Severity};
use crate::trace::{Callback, CallbackCall, Site};

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let callbacks = &case.trace.notes.callbacks;
    callbacks.iter().filter_map(|it| of_callback(case, it)).collect()
}

/// One finding per host function: its gravest call.
fn of_callback(case: &PathCase<'_>, callback: &Callback) -> Option<Finding> {
    let calls = callback.calls.iter().filter(|it| is_cuda(it));
    let worst = calls.clone().map(severity).max()?;
    let first = calls.clone().find(|it| severity(it) == worst)?;
    let at = |site: &Site| (site.file, site.span);
    let enqueued = case.program.words(callback.site.file, callback.site.span);
    let mut steps = vec![(
        at(&callback.site),
        "the host function is handed to CUDA here".to_owned(),
    )];
    let inside = first.site.frames.iter().skip(callback.site.frames.len() + 1);
    steps.extend(inside.map(|frame| (*frame, "while it runs, this is called".to_owned())));
    steps.push((
        at(&first.site),
        format!("`{}` is called on a thread of the driver", first.name),
    ));
    let call = &first.name;
    let message = match worst {
        Severity::Info => format!(
            "`{call}` is called from a host function: it works today, and documents forbid every CUDA call"
        ),
        Severity::Warning => {
            format!("`{call}` is called from a host function, where documents forbid every CUDA call")
        }
        Severity::Error => format!(
            "`{call}` is called from the host function that `{}` enqueues: CUDA calls fail there with \
             `cudaErrorNotPermitted`, or block",
            enqueued.split('(').next().unwrap_or(&enqueued).trim()
        ),
    };
    Some(path_finding(
        case,
        PathPhrase {
            rule: "callback-calls-cuda",
            code: "CL115",
            severity: worst,
            primary: at(&first.site),
            message,
            steps,
            help: "let the host function set a flag, push to a queue or notify a condition variable, and make the call \
                   on a thread of your own"
                .to_owned(),
        },
    ))
}

/// What a GPU refuses is an error, what only documents forbid a warning, and what it answers information.
fn severity(call: &CallbackCall) -> Severity {
    match call.api {
        Some(api) if api.in_callback => Severity::Info,
        Some(api)
            if matches!(
                api.operation,
                Operation::Other | Operation::DeviceSet | Operation::DeviceGet
            ) =>
        {
            Severity::Warning
        }
        _ => Severity::Error,
    }
}

/// Calls of other libraries that do nothing to CUDA by themselves are nobody's business.
fn is_cuda(call: &CallbackCall) -> bool {
    let Some(api) = call.api else { return true };
    !matches!(
        api.operation,
        Operation::ErrorQuery
            | Operation::HostTransfer
            | Operation::RequestStart
            | Operation::RequestWait
            | Operation::Compile
            | Operation::LibrarySetStream
    ) && (api.operation != Operation::Other || api.name.starts_with("cu"))
}
