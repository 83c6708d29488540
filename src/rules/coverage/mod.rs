//! Where a check begins, and how much of a program the paths from there reached: for `--statistics`.

mod entries;
mod unreached;

use std::collections::{BTreeMap, BTreeSet};

pub use entries::{Each, Round, check, check_with, get_the_same};

use self::unreached::Reached;
use super::{Outcome, story};
use crate::api::Operation;
use crate::diagnostics::Location;
use crate::program::{CudaSite, FileId, FunctionId, Program};
use crate::syntax::{FastMap, Span};
use crate::trace::coverage::{Coverage, Cut, Followed, Place};

/// A launch or a CUDA call that no path reached.
#[derive(Clone, Debug)]
pub struct Unreached {
    /// Where it begins.
    pub at: Location,
    /// In words.
    pub why: &'static str,
}

/// Counters by name.
type Counters = BTreeMap<&'static str, u64>;

const SITES: &str = "launches and CUDA calls";
const SITES_EXECUTED: &str = "launches and CUDA calls executed";
const CALLS: &str = "calls of own functions";
const CALLS_FOLLOWED: &str = "calls of own functions followed";

/// How the counters of calls that were not executed are named; why not stands behind it.
const NOT_EXECUTED: &str = "CUDA calls not executed: ";

/// Counts what the entry points of a program came to, taken together: what it says of CUDA calls, of those in `named` files.
/// Says which of them no path reached, and why.
pub(super) fn count(
    program: &Program,
    named: Option<&BTreeSet<FileId>>,
    parts: &[Outcome],
) -> (Counters, Vec<Unreached>) {
    let together = Together::of(program, parts);
    let mut counters = entries(parts);
    let mut add = |name, amount| *counters.entry(name).or_default() += amount;
    for name in [SITES, SITES_EXECUTED, CALLS, CALLS_FOLLOWED] {
        add(name, 0);
    }
    for followed in together.calls.values() {
        add(CALLS, 1);
        add(call_name(*followed), 1);
    }
    for cut in together.loops.values() {
        add("loops executed", 1);
        add("loops cut", u64::from(*cut));
    }
    let is_asked_about = |it: &&CudaSite| named.is_none_or(|named| named.contains(&it.function.file));
    let mut unreached = Vec::new();
    for site in program.cuda_sites().iter().filter(is_asked_about) {
        add(SITES, 1);
        if together.reached.executes(site) {
            add(SITES_EXECUTED, 1);
            continue;
        }
        let reason = together.reason(program, site);
        add(reason, 1);
        let start = Span {
            start: site.start,
            end: site.start,
        };
        unreached.push(Unreached {
            at: story::location(program, (site.function.file, start)),
            why: reason.strip_prefix(NOT_EXECUTED).unwrap_or(reason),
        });
    }
    unreached.sort_by(|a, b| a.at.cmp(&b.at));
    (counters, unreached)
}

fn entries(parts: &[Outcome]) -> Counters {
    let mut counters = Counters::from([("entry points completed", 0)]);
    let mut add = |name, amount| *counters.entry(name).or_default() += amount;
    for Coverage {
        cuts,
        impatience,
        accesses_dropped,
        ..
    } in parts.iter().filter(|it| !it.again).map(|it| &*it.coverage)
    {
        add("entry points completed", u64::from(cuts.is_empty()));
        cuts.iter().for_each(|it| add(cut_name(*it), 1));
        add("code without events left before its end", *impatience);
        add(
            "entry points with accesses not recorded",
            u64::from(*accesses_dropped),
        );
    }
    counters
}

fn cut_name(cut: Cut) -> &'static str {
    match cut {
        Cut::Paths => "entry points cut by the number of paths",
        Cut::IdlePaths => "entry points cut after paths without waits",
        Cut::EntrySteps => "entry points cut by their steps",
        Cut::Steps => "entry points cut by the steps of a path",
        Cut::Events => "entry points cut by the events of a path",
        Cut::Depth => "entry points cut by the depth of calls",
        Cut::Part => "entry points cut where a call has had its part of the steps",
        Cut::Recursion => "entry points cut in a recursion",
    }
}

fn call_name(followed: Followed) -> &'static str {
    match followed {
        Followed::Entered => CALLS_FOLLOWED,
        Followed::LeftOut => "calls of own functions left out: long and without events",
        Followed::TooDeep => "calls of own functions not followed: too deep",
        Followed::Ambiguous => "calls of own functions not followed: ambiguous name",
        Followed::UnknownObject => "calls of own functions not followed: method of an unknown class",
        Followed::UnknownValue => "calls of own functions not followed: unknown value",
    }
}

/// What all entry points came to.
#[derive(Default)]
struct Together<'a> {
    reached: Reached,
    calls: FastMap<Place, Followed>,
    loops: FastMap<Place, bool>,
    missed: BTreeMap<&'a str, Followed>,
}

impl<'a> Together<'a> {
    fn of(program: &Program, parts: &'a [Outcome]) -> Self {
        let mut all = Together::default();
        all.reached.add(program, parts);
        // What another configuration of a file executes is executed there.
        let base = |(file, start): &Place| (program.base_of(*file), *start);
        for part in parts.iter().map(|it| &*it.coverage) {
            for (place, followed) in &part.calls {
                let known = all.calls.entry(base(place)).or_insert(*followed);
                *known = (*known).max(*followed);
            }
            for (place, cut) in &part.loops {
                *all.loops.entry(base(place)).or_default() |= cut;
            }
            for (name, followed) in &part.missed {
                let known = all.missed.entry(name).or_insert(*followed);
                *known = (*known).max(*followed);
            }
        }
        all
    }

    fn executes_any(&self, functions: &[FunctionId]) -> bool {
        functions.iter().any(|it| self.reached.executed.contains_key(it))
    }

    /// Why nothing executed a site, as far as that is plain.
    fn reason(&self, program: &Program, site: &CudaSite) -> &'static str {
        let function = &site.function;
        if !self.reached.executed.contains_key(function) {
            let name = program.function(*function).path.last().map_or("", String::as_str);
            return match self.missed.get(name) {
                _ if program.callers(*function).is_empty() => {
                    "CUDA calls not executed: no entry point leads there"
                }
                Some(Followed::TooDeep) => "CUDA calls not executed: behind a call that is too deep",
                Some(Followed::Ambiguous) => "CUDA calls not executed: behind an ambiguous name",
                Some(Followed::UnknownObject) => {
                    "CUDA calls not executed: behind a method of an unknown class"
                }
                Some(Followed::LeftOut) => "CUDA calls not executed: in a function left out",
                _ if self.executes_any(program.callers(*function)) => {
                    "CUDA calls not executed: in a function that no path of its callers enters"
                }
                _ => "CUDA calls not executed: in a function whose callers are never entered",
            };
        }
        let asks = |it: &crate::api::Call| it.operation == Operation::ErrorQuery;
        if site.in_lambda {
            "CUDA calls not executed: in a lambda"
        } else if site.api.is_some_and(asks) {
            "CUDA calls not executed: error query on a side not taken"
        } else if !self.reached.uncut.contains_key(function) {
            "CUDA calls not executed: in a function whose paths are cut"
        } else {
            "CUDA calls not executed: on a side not taken"
        }
    }
}
