//! Races inside one graph: two of its nodes touch the same memory, and no path of the graph leads from one to the other.

use std::collections::BTreeSet;

use super::EventRef;
use super::races::{Doubt, Hazard, Race, may_be_waited_for};
use crate::trace::capture::{MadeGraph, Node};
use crate::trace::notes::Opaque;
use crate::trace::{Access, Mode, ThreadId, Trace};

/// Nodes of one graph that are compared with each other.
const NODES_PER_GRAPH: usize = 160;

/// Races between the nodes of each graph.
pub(super) fn races(trace: &Trace) -> Vec<Race> {
    let complete = trace
        .notes
        .captures
        .all
        .iter()
        .filter(|it| it.end.is_some() && !it.open && !it.replaced);
    let made = trace.notes.captures.made.iter();
    let made = made.filter(|it| !is_handed_out(trace, it));
    let graphs = complete.map(|it| &it.nodes).chain(made.map(|it| &it.nodes));
    graphs.flat_map(|it| among(trace, it)).collect()
}

/// Whether something nobody knows may have added dependencies before nobody can any more.
fn is_handed_out(trace: &Trace, graph: &MadeGraph) -> bool {
    let Some((thread, position)) = graph.nodes.iter().map(|it| it.made).min() else {
        return false;
    };
    let ended = |it: &Opaque| it.thread == graph.fixed.0 && it.position >= graph.fixed.1;
    let begun = |it: &Opaque| it.thread != thread || it.position > position;
    let mut calls = trace.notes.opaque.iter();
    calls.any(|it| it.hands_out && begun(it) && !ended(it))
}

fn among(trace: &Trace, nodes: &[Node]) -> Vec<Race> {
    let compared = nodes.len().min(NODES_PER_GRAPH);
    let before: Vec<BTreeSet<u32>> = (0..compared as u32).map(|it| ancestors(nodes, it)).collect();
    let ordered = |one: usize, other: usize| {
        before[one].contains(&(other as u32)) || before[other].contains(&(one as u32))
    };
    let mut found = Vec::new();
    for (index, later) in nodes[..compared].iter().enumerate() {
        let apart = (0..index).rev().filter(|it| !ordered(*it, index));
        found.extend(apart.filter_map(|it| race(trace, &nodes[it], later)));
    }
    found
}

/// All nodes a node comes after.
fn ancestors(nodes: &[Node], of: u32) -> BTreeSet<u32> {
    let (mut found, mut open) = (BTreeSet::new(), vec![of]);
    while let Some(node) = open.pop() {
        let after = nodes.get(node as usize).into_iter().flat_map(|it| &it.after);
        open.extend(after.filter(|it| found.insert(**it)));
    }
    found
}

/// The race of two nodes nothing orders, if they touch the same memory.
fn race(trace: &Trace, first: &Node, second: &Node) -> Option<Race> {
    // A node that was given other parameters is made by the call that gave them.
    let (first, second) = if first.made <= second.made {
        (first, second)
    } else {
        (second, first)
    };
    // Two copies of one graph differ only in the calls that put them there.
    let (first_at, second_at) = if first.made == second.made {
        (first.placed, second.placed)
    } else {
        (first.made, second.made)
    };
    let (earlier, later) = (event_of(trace, first_at)?, event_of(trace, second_at)?);
    let of = (Some(first.stream), None);
    if earlier == later || earlier.thread != later.thread || may_be_waited_for(trace, earlier, later, of) {
        return None;
    }
    let usable = |it: &&Access| it.sure;
    let mut pairs = first.accesses.iter().filter(usable).flat_map(|one| {
        let others = second.accesses.iter().filter(usable);
        others.map(move |other| (one, other))
    });
    let (one, other) = pairs.find(|(one, other)| one.conflicts(other))?;
    let modes = [one.mode, other.mode];
    let hazard = if modes.contains(&Mode::Free) {
        Hazard::AsyncFree
    } else if modes.contains(&Mode::Allocate) {
        Hazard::AsyncAllocation
    } else {
        Hazard::CrossStream
    };
    Some(Race {
        hazard,
        earlier,
        earlier_access: named_like(one, other),
        later,
        later_access: named_like(other, one),
        through: None,
        doubt: (one.declared || other.declared).then_some(Doubt::Declaration),
    })
}

/// An access, called like another of the same memory where it has no name of its own.
fn named_like(access: &Access, other: &Access) -> Access {
    let mut access = access.clone();
    if access.what.is_empty() {
        access.what.clone_from(&other.what);
    }
    access
}

/// The event at a position.
fn event_of(trace: &Trace, (thread, index): (ThreadId, u32)) -> Option<EventRef> {
    let events = &trace.threads.get(thread.0 as usize)?.events;
    (events.len() > index as usize).then_some(EventRef { thread, index })
}
