//! Races inside one graph: two of its nodes touch the same memory, and no path of the graph leads from one to the other.

use std::collections::BTreeSet;

use super::EventRef;
use super::races::{Hazard, Race, may_be_waited_for};
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
    complete.flat_map(|it| among(trace, &it.nodes)).collect()
}

fn among(trace: &Trace, nodes: &[Node]) -> Vec<Race> {
    let nodes = &nodes[..nodes.len().min(NODES_PER_GRAPH)];
    let mut before: Vec<BTreeSet<u32>> = Vec::with_capacity(nodes.len());
    let mut found = Vec::new();
    for (index, later) in nodes.iter().enumerate() {
        let mut ancestors: BTreeSet<u32> = later.after.iter().copied().collect();
        for node in &later.after {
            ancestors.extend(before.get(*node as usize).into_iter().flatten());
        }
        let apart = (0..index).rev().filter(|it| !ancestors.contains(&(*it as u32)));
        found.extend(apart.filter_map(|it| race(trace, &nodes[it], later)));
        before.push(ancestors);
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
        earlier_access: one.clone(),
        later,
        later_access: other.clone(),
        through: None,
    })
}

/// The call that makes a node.
fn event_of(trace: &Trace, node: &Node) -> Option<EventRef> {
    let (thread, index) = node.made;
    let events = &trace.threads.get(thread.0 as usize)?.events;
    (events.len() > index as usize).then_some(EventRef { thread, index })
}
