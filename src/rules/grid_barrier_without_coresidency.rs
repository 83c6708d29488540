//! CL111: a barrier over all blocks, written by hand, in a launch that may have more blocks than fit.

use super::PathCase;
use super::story::{PathPhrase, path_finding};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::program::kernels::{Arrival, GridBarrier};
use crate::trace::{AskedForLess, Grid, Launch};

/// Blocks that fit on every GPU, whatever they need.
const ALWAYS_FIT: i64 = 32;
/// Blocks and threads in all that fit on every GPU unless registers or shared memory are short.
const USUALLY_FIT: (i64, i64) = (512, 32 * 1024);

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let launches = case.trace.notes.launches.iter();
    launches
        .filter(|it| it.cooperative == Some(false) && !it.asked_occupancy)
        .filter_map(|launch| {
            let barrier = launch
                .barriers
                .iter()
                .find(|it| it.arrival != Arrival::Cooperative)?;
            finding(case, launch, barrier)
        })
        .collect()
}

fn finding(case: &PathCase<'_>, launch: &Launch, barrier: &GridBarrier) -> Option<Finding> {
    let less = launch.asked_for_less.as_ref();
    let size = match launch.grid {
        Grid::Blocks(blocks) if !fits(blocks, launch.threads) => format!("{blocks} blocks"),
        Grid::Scales => "blocks for all of the data".to_owned(),
        Grid::Occupancy if less.is_some() => "as many as would fit with less".to_owned(),
        _ => return None,
    };
    let mut steps = Vec::new();
    if let Some(less) = less {
        let asked = format!("how many blocks fit is asked for {}", needs(less));
        steps.push(((less.site.file, less.site.span), asked));
    }
    steps.push((
        (launch.site.file, launch.site.span),
        format!("{size}, in an ordinary launch"),
    ));
    steps.push((
        (barrier.file, barrier.span),
        "a block that waits here keeps its place on the device".to_owned(),
    ));
    let name = &launch.name;
    let mut found = path_finding(
        case,
        PathPhrase {
            rule: "grid-barrier-without-coresidency",
            code: "CL111",
            severity: Severity::Warning,
            primary: (launch.site.file, launch.site.span),
            message: format!(
                "every block of `{name}` waits until all have arrived, and {size} are launched: when they do not all fit on \
                 the device at once, the first ones wait for blocks that never start"
            ),
            steps,
            help: match less {
                Some(_) => "ask for the threads and the shared memory of the launch itself".to_owned(),
                None => format!(
                    "launch `{name}` with `cudaLaunchCooperativeKernel` and `grid.sync()`, or bound the grid by \
                     `cudaOccupancyMaxActiveBlocksPerMultiprocessor` times the number of multiprocessors"
                ),
            },
        },
    );
    if less.is_some_and(|it| it.launched.shared.is_none()) {
        found.confidence = Confidence::Medium;
        let needed = format!("`{name}` is launched with some dynamic shared memory");
        found.assumptions.push(needed);
    }
    if barrier.conditional {
        found.confidence = Confidence::Low;
        found
            .assumptions
            .push("a condition on data decides whether the barrier is reached".to_owned());
    }
    Some(found)
}

/// What a question leaves out that the launch needs.
fn needs(less: &AskedForLess) -> String {
    match (less.asked.threads, less.asked.shared, less.launched.threads) {
        (Some(threads), _, Some(launched)) if threads < launched => {
            format!("{threads} threads in each, and {launched} are launched")
        }
        (_, Some(0), _) => "no dynamic shared memory, and the launch has some".to_owned(),
        (_, shared, _) => format!(
            "{} bytes of dynamic shared memory in each, and the launch has more",
            shared.unwrap_or_default()
        ),
    }
}

fn fits(blocks: i64, threads: Option<i64>) -> bool {
    let (most_blocks, most_threads) = USUALLY_FIT;
    blocks <= ALWAYS_FIT
        || blocks <= most_blocks && threads.is_some_and(|it| it.saturating_mul(blocks) <= most_threads)
}
