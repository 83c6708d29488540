//! CL112: a kernel that synchronises its whole grid is launched like any other.

use super::PathCase;
use super::story::{PathPhrase, path_finding};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::program::kernels::{Arrival, GridBarrier};
use crate::trace::Launch;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let launches = case.trace.notes.launches.iter();
    launches
        .filter(|it| it.cooperative == Some(false))
        .filter_map(|launch| {
            let mut syncs = launch
                .barriers
                .iter()
                .filter(|it| it.arrival == Arrival::Cooperative);
            let first = syncs
                .clone()
                .find(|it| !it.conditional)
                .or_else(|| syncs.next())?;
            Some(finding(case, launch, first))
        })
        .collect()
}

fn finding(case: &PathCase<'_>, launch: &Launch, sync: &GridBarrier) -> Finding {
    let words = case.program.words(sync.file, sync.span);
    let name = &launch.name;
    let mut found = path_finding(
        case,
        PathPhrase {
            rule: "grid-sync-without-cooperative-launch",
            code: "CL112",
            severity: Severity::Error,
            primary: (launch.site.file, launch.site.span),
            message: format!(
                "`{name}` synchronises its whole grid (`{words}`), but this launch is not cooperative: the kernel ends with \
                 `cudaErrorLaunchFailure`"
            ),
            steps: vec![
                (
                    (launch.site.file, launch.site.span),
                    format!("`{name}` is launched like any other kernel"),
                ),
                (
                    (sync.file, sync.span),
                    "every block waits for every other block of the grid here".to_owned(),
                ),
            ],
            help: format!(
                "launch `{name}` with `cudaLaunchCooperativeKernel`, or with `cudaLaunchKernelEx` and \
                 `cudaLaunchAttributeCooperative`"
            ),
        },
    );
    if sync.conditional {
        found.severity = Severity::Warning;
        found.confidence = Confidence::Low;
        found
            .assumptions
            .push("a condition on data decides whether the grid is synchronised".to_owned());
    }
    found
}
