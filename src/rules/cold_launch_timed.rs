//! CL501: the first launch of a kernel, which loads it, is what is timed.

use super::EntryCase;
use super::story::{self, PathPhrase};
use super::timed::{Problem, Timed};
use crate::diagnostics::{Finding, Severity};

/// `cold-launch-timed` (CL501).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    entry.timed.iter().filter_map(report).collect()
}

fn report(timed: &Timed<'_>) -> Option<Finding> {
    let Problem::Cold {
        launch,
        others,
        diluted,
    } = timed.problem
    else {
        return None;
    };
    let (start, stop) = timed.region.places();
    let name = timed.name(launch);
    let more = match others {
        0 => String::new(),
        1 => " (and one more kernel)".to_owned(),
        count => format!(" (and {count} more kernels)"),
    };
    let message = if diluted {
        format!(
            "the first launch of {name}{more} is one of the launches that are timed: loading it is averaged in"
        )
    } else {
        format!(
            "{name}{more} is launched for the first time inside the timed region: loading it is timed too"
        )
    };
    Some(story::path_finding(
        timed.case,
        PathPhrase {
            rule: "cold-launch-timed",
            code: "CL501",
            severity: if diluted { Severity::Info } else { Severity::Warning },
            primary: timed.seen(launch),
            message,
            steps: vec![
                (start, "the timing begins here".to_owned()),
                (timed.seen(launch), format!("the first launch of {name} loads its code")),
                (stop, "the timing ends here".to_owned()),
            ],
            help: "launch it once before the timing begins and wait for it, or load it with `cudaFuncGetAttributes`"
                .to_owned(),
        },
    ))
}
