//! The calls that lead from where a story comes together down to its steps: what stands in helpers says little by itself.

use std::collections::BTreeMap;

use crate::diagnostics::{Finding, Location, Step};

/// Calls that are added.
const MOST: usize = 4;

/// The calls that lead to a place, outermost first, and the place.
type Way<'a> = Vec<&'a Location>;

/// Adds the calls in which steps happen: those that stand in the innermost function a step has in common with another one.
pub(in crate::rules) fn add(finding: &mut Finding) {
    let Some(picture) = &finding.picture else { return };
    let number = |at: &Location| finding.steps.iter().position(|it| it.location == *at);
    // Of every step the places that lead there, outermost first, and its own.
    let mut all: BTreeMap<usize, Vec<Way<'_>>> = BTreeMap::new();
    for moment in &picture.moments {
        if let Some(step) = number(&moment.location) {
            let way = moment.calls.iter().chain([&moment.location]);
            all.entry(step).or_default().push(way.collect());
        }
    }
    let ways = nearest(&all);
    let mut calls: Vec<(&Location, Vec<usize>)> = Vec::new();
    for (step, way) in &ways {
        let others = ways.iter().filter(|it| it.0 != step);
        let Some(shared) = others.map(|it| in_common(way, it.1)).max() else {
            continue;
        };
        match calls.iter_mut().find(|it| it.0 == way[shared]) {
            Some((_, steps)) => steps.push(*step),
            None => calls.push((way[shared], vec![*step])),
        }
    }
    let told = |call: &Location| finding.steps.iter().any(|it| overlap(&it.location, call));
    calls.retain(|(call, _)| !told(call) && **call != finding.primary);
    let added: Vec<Step> = calls
        .into_iter()
        .take(MOST)
        .map(|(call, steps)| Step::new(call.clone(), words(&steps)))
        .collect();
    finding.steps.extend(added);
}

/// A place happens more than once: of each step the way that has most in common with one of another step, the first of those.
fn nearest<'a, 'b>(all: &'b BTreeMap<usize, Vec<Way<'a>>>) -> BTreeMap<usize, &'b Way<'a>> {
    let shared = |step: usize, way: &Way<'_>| {
        let others = all.iter().filter(|it| *it.0 != step).flat_map(|it| it.1);
        others.map(|it| in_common(way, it)).max()
    };
    let chosen = |step: usize, ways: &'b [Way<'a>]| ways.iter().rev().max_by_key(|it| shared(step, it));
    let found = all.iter();
    found
        .filter_map(|(step, ways)| Some((*step, chosen(*step, ways)?)))
        .collect()
}

/// How many calls two ways have in common.
fn in_common(one: &[&Location], other: &[&Location]) -> usize {
    let most = one.len().min(other.len()).saturating_sub(1);
    (0..most).take_while(|it| one[*it] == other[*it]).count()
}

fn overlap(one: &Location, other: &Location) -> bool {
    one.path == other.path && one.span.start < other.span.end && other.span.start < one.span.end
}

fn words(steps: &[usize]) -> String {
    let numbers: Vec<String> = steps.iter().map(|it| (it + 1).to_string()).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("{last} happens in this call"),
        Some((last, others)) => format!("{} and {last} happen in this call", others.join(", ")),
        None => String::new(),
    }
}
