//! Races inside one graph: two of its nodes touch the same memory, and no path of the graph leads from one to the other.

use std::collections::BTreeSet;

use super::EventRef;
use super::races::{Doubt, Hazard, Race, may_be_waited_for};
use crate::trace::capture::Node;
use crate::trace::{Access, Mode, Trace};

/// Nodes of one graph that are compared with each other.
const NODES_PER_GRAPH: usize = 160;

/// Races between the nodes of each graph.
pub(super) fn races(trace: &Trace) -> Vec<Race> {
    let complete = trace
        .notes
        .captures
        .all
        .iter()
        .filter(|it| it.end.is_some() && !it.open);
    let made = trace.notes.captures.made.values().filter(|it| !it.open);
    let made = made.filter(|it| !is_handed_out(trace, &it.nodes));
    let graphs = complete.map(|it| &it.nodes).chain(made.map(|it| &it.nodes));
    graphs.flat_map(|it| among(trace, it)).collect()
}

/// Whether something nobody knows may have added dependencies.
fn is_handed_out(trace: &Trace, nodes: &[Node]) -> bool {
    let Some((thread, position)) = nodes.first().map(|it| it.made) else {
        return false;
    };
    let mut calls = trace.notes.opaque.iter();
    calls.any(|it| it.hands_out && (it.thread != thread || it.position > position))
}

fn among(trace: &Trace, nodes: &[Node]) -> Vec<Race> {
    let nodes = &nodes[..nodes.len().min(NODES_PER_GRAPH)];
    let before: Vec<BTreeSet<u32>> = (0..nodes.len() as u32).map(|it| ancestors(nodes, it)).collect();
    let ordered = |one: usize, other: usize| {
        before[one].contains(&(other as u32)) || before[other].contains(&(one as u32))
    };
    let mut found = Vec::new();
    for (index, later) in nodes.iter().enumerate() {
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
    let (earlier, later) = (event_of(trace, first)?, event_of(trace, second)?);
    if earlier.thread != later.thread || may_be_waited_for(trace, earlier, later) {
        return None;
    }
    let usable = |it: &&Access| it.sure && matches!(it.mode, Mode::Read | Mode::Write);
    let mut pairs = first.accesses.iter().filter(usable).flat_map(|one| {
        let others = second.accesses.iter().filter(usable);
        others.map(move |other| (one, other))
    });
    let (one, other) = pairs.find(|(one, other)| one.conflicts(other))?;
    Some(Race {
        hazard: Hazard::CrossStream,
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

/// The call that makes a node.
fn event_of(trace: &Trace, node: &Node) -> Option<EventRef> {
    let (thread, index) = node.made;
    let events = &trace.threads.get(thread.0 as usize)?.events;
    (events.len() > index as usize).then_some(EventRef { thread, index })
}
