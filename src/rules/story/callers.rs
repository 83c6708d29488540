//! The calls that lead from where a story comes together down to its steps: what stands in helpers says little by itself.

use std::collections::BTreeMap;

use crate::diagnostics::{Finding, Location, Step};

/// Calls that are added.
const MOST: usize = 4;

/// Adds the calls in which steps happen: those that stand in the innermost function a step has in common with another one.
pub(in crate::rules) fn add(finding: &mut Finding) {
    let Some(picture) = &finding.picture else { return };
    let number = |at: &Location| finding.steps.iter().position(|it| it.location == *at);
    // Of every step the places that lead there, outermost first, and its own.
    let mut ways: BTreeMap<usize, Vec<&Location>> = BTreeMap::new();
    for moment in &picture.moments {
        if let Some(step) = number(&moment.location) {
            let way = moment.calls.iter().chain([&moment.location]);
            ways.entry(step).or_insert_with(|| way.collect());
        }
    }
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
