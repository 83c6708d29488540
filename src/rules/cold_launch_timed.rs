//! CL501: the first launch of a kernel, which loads it, is what is timed.

use super::EntryCase;
use super::story::PathPhrase;
use super::timed::{Problem, Timed};
use crate::diagnostics::{Finding, Severity};
use crate::order::EventRef;

/// `cold-launch-timed` (CL501): one finding for a program, at the gravest of its regions.
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    let mut cold: Vec<Cold<'_>> = entry.timed.iter().filter_map(cold).collect();
    cold.sort_by_key(|it| (it.diluted, it.timed.seen(it.launch)));
    match cold.split_first() {
        Some((first, others)) => vec![report(first, others)],
        None => Vec::new(),
    }
}

/// A region with a first launch in it.
struct Cold<'a> {
    timed: &'a Timed<'a>,
    launch: EventRef,
    others: usize,
    diluted: bool,
}

fn cold<'a>(timed: &'a Timed<'a>) -> Option<Cold<'a>> {
    let Problem::Cold {
        launch,
        others,
        diluted,
    } = timed.problem
    else {
        return None;
    };
    Some(Cold {
        timed,
        launch,
        others,
        diluted,
    })
}

fn report(cold: &Cold<'_>, further: &[Cold<'_>]) -> Finding {
    let Cold { timed, launch, .. } = *cold;
    let (start, stop) = timed.region.places();
    let name = timed.name(launch);
    let more = match cold.others {
        0 => String::new(),
        1 => " (and one more kernel)".to_owned(),
        count => format!(" (and {count} more kernels)"),
    };
    let elsewhere = match further.len() {
        0 => String::new(),
        1 => "; so it is in one more region".to_owned(),
        count => format!("; so it is in {count} more regions"),
    };
    let message = if cold.diluted {
        format!(
            "the first launch of {name}{more} is one of the launches that are timed: loading it is averaged \
             in{elsewhere}"
        )
    } else {
        format!(
            "{name}{more} is launched for the first time inside the timed region: loading it is timed \
             too{elsewhere}"
        )
    };
    let mut steps = vec![
        (start, "the timing begins here".to_owned()),
        (
            timed.seen(launch),
            format!("the first launch of {name} loads its code"),
        ),
        (stop, "the timing ends here".to_owned()),
    ];
    steps.extend(further.iter().map(|it| {
        let name = it.timed.name(it.launch);
        let message = format!("another timed region holds the first launch of {name}");
        (it.timed.seen(it.launch), message)
    }));
    timed.finding_with_loading(PathPhrase {
        rule: "cold-launch-timed",
        code: "CL501",
        severity: if cold.diluted {
            Severity::Info
        } else {
            Severity::Warning
        },
        primary: timed.seen(launch),
        message,
        steps,
        help:
            "launch it once before the timing begins and wait for it, or load it with `cudaFuncGetAttributes`"
                .to_owned(),
    })
}
