//! Where a check begins: at every entry point, or at those that can concern the files somebody named.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::super::{Options, Outcome, check_entry, check_promise, collect, is_about_fork};
use super::unreached::{Reached, may_begin};
use crate::diagnostics::{Finding, Location};
use crate::program::{FileId, FunctionId, Program};
use crate::trace::Effort;

/// Runs every rule over every entry point.
pub fn check(program: &Program, options: &Options) -> Outcome {
    check_with(program, options, None, &|_, entries, check| {
        entries.par_iter().map(|it| check(*it)).collect()
    })
}

/// The same where `each` runs a check over all of some functions; for `named` files, only what can show a finding with a step in
/// one of them is looked at.
pub fn check_with(
    program: &Program,
    options: &Options,
    named: Option<&BTreeSet<FileId>>,
    each: Each<'_>,
) -> Outcome {
    let Some(named) = named else {
        let parts = follow(program, options, &|_| true, each);
        return collect(program, None, parts, options.statistics);
    };
    let paths: BTreeMap<&str, FileId> = (0..program.units().len())
        .map(|it| FileId(it as u32))
        .filter(|it| program.base_of(*it) == *it)
        .map(|it| (&*program.unit(it).path, it))
        .collect();
    let file = |it: &Location| paths.get(&*it.path).copied();
    let known = RefCell::new(BTreeMap::new());
    let once = |round: Round, entries: &[FunctionId], check: &(dyn Fn(FunctionId) -> Outcome + Sync)| {
        let mut known = known.borrow_mut();
        let new: Vec<FunctionId> = entries
            .iter()
            .filter(|it| !known.contains_key(*it))
            .copied()
            .collect();
        for part in each(round, &new, check) {
            known.extend(part.entry.map(|entry| (entry, part)));
        }
        entries.iter().filter_map(|it| known.get(it).cloned()).collect()
    };
    let mut files = named.clone();
    loop {
        let leading = program.leading_to(&files);
        let parts = follow(program, options, &|it| program.leads(&leading, it), &once);
        let outcome = collect(program, Some(named), parts, options.statistics);
        // Of what is said of one place by several the best is kept, and that may be said without a step in a named file.
        let in_named = |it: &&Finding| it.locations().filter_map(file).any(|it| named.contains(&it));
        let places = outcome.findings.iter().filter(in_named);
        let further: Vec<FileId> = places.filter_map(|it| file(&it.primary)).collect();
        let before = files.len();
        files.extend(further);
        if files.len() == before {
            return outcome;
        }
    }
}

/// Checks entry points that `leads` holds of.
///
/// What no path went through is an entry point then: first those of it that nothing else of it calls, then whatever
/// still makes CUDA calls that nothing executed. So is what holds a defect that a condition decides over which is lost on
/// the way there: whoever else calls it may decide the other way.
fn follow(
    program: &Program,
    options: &Options,
    leads: &dyn Fn(FunctionId) -> bool,
    each: Each<'_>,
) -> Vec<Outcome> {
    let mut entries = program.entry_points();
    entries.retain(|it| leads(*it));
    let one = |entry: FunctionId| check_entry(program, entry, Effort::of_entry(program, entry), options);
    let mut parts = each(Round::Entries, &entries, &one);
    let effort = Effort::of_unreached(program);
    let mut reached = Reached::default();
    reached.add(program, &parts);
    let mut further = reached.roots_of_unreached(program);
    further.retain(|it| leads(*it));
    let add = |reached: &mut Reached, parts: &mut Vec<Outcome>, found: Vec<Outcome>| {
        reached.add(program, &found);
        parts.extend(found);
    };
    let check = |entry| check_entry(program, entry, effort, options);
    add(&mut reached, &mut parts, each(Round::Unreached, &further, &check));
    let done = entries.iter().chain(&further).copied().collect();
    let mut begun: BTreeSet<FunctionId> = further.into_iter().collect();
    let mut further = reached.holders_of_unreached(program, &done);
    further.retain(|it| leads(*it));
    let check = |entry| check_entry(program, entry, effort.shallow(), options);
    add(&mut reached, &mut parts, each(Round::Holders, &further, &check));
    begun.extend(further);
    let folders = program.folders_of_mains();
    let doubted: BTreeSet<FunctionId> = parts.iter().flat_map(|it| it.doubted.iter().copied()).collect();
    let is_open = |it: &FunctionId| {
        leads(*it)
            && !entries.contains(it)
            && !begun.contains(it)
            && may_begin(program, *it)
            && !reached.callers_are_seen(program, &folders, *it)
    };
    let doubted: Vec<FunctionId> = doubted.into_iter().filter(is_open).collect();
    add(&mut reached, &mut parts, each(Round::Doubted, &doubted, &check));
    begun.extend(doubted);
    let promises = program.promises().iter().copied().filter(|it| leads(*it));
    let promises = promises.filter(|it| !begun.contains(it) && !reached.callers_are_known(program, *it));
    let promises: Vec<FunctionId> = promises.collect();
    let promise = |entry| {
        let mut outcome = check_promise(program, entry, options);
        if reached.callers_are_seen(program, &folders, entry) {
            outcome.findings.retain(|it| !is_about_fork(it));
        }
        outcome
    };
    parts.extend(each(Round::Promises, &promises, &promise));
    parts
}

/// Whether what begins with a function gets the same in two programs.
pub fn get_the_same(one: &Program, other: &Program) -> bool {
    Effort::all(one) == Effort::all(other)
}

/// What functions are followed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Round {
    /// Execution begins there.
    Entries,
    /// No path went through them, and nothing else of that kind calls them.
    Unreached,
    /// They make CUDA calls that nothing executed.
    Holders,
    /// A condition that is lost on the way there decides over what was found in them.
    Doubted,
    /// They were handed a stream.
    Promises,
}

/// Runs a check over some functions, all at the same time where that is possible.
pub type Each<'a> = &'a dyn Fn(Round, &[FunctionId], &(dyn Fn(FunctionId) -> Outcome + Sync)) -> Vec<Outcome>;
