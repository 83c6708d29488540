//! The order inside a graph: what one of its nodes waits for, another may only write once that one has ended.

use std::collections::BTreeSet;

use super::{Access, Wait, Work, WorkKind, Write};

/// What a graph does when it is launched.
#[derive(Clone, Default)]
pub(super) struct Graph {
    /// Its operations, in the order in which they are added.
    pub(super) nodes: Vec<GraphNode>,
    /// It has dependencies nobody here knows.
    pub(super) open: bool,
}

/// One operation of a graph.
#[derive(Clone)]
pub(super) struct GraphNode {
    /// What it does.
    pub(super) work: Work,
    /// Which node of the graph it is, or belongs to.
    pub(super) number: Option<u32>,
    /// Nodes it directly comes after.
    pub(super) after: Vec<u32>,
}

impl Graph {
    /// Everything its operations access.
    pub(super) fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.nodes.iter().flat_map(|it| &it.work.accesses)
    }

    /// Adds the operations of one node; a node nobody knows still orders others.
    pub(super) fn add(&mut self, number: u32, after: &[u32], work: Vec<Work>) {
        let work = if work.is_empty() { vec![nothing()] } else { work };
        self.nodes.extend(work.into_iter().map(|work| GraphNode {
            work,
            number: Some(number),
            after: after.to_vec(),
        }));
    }

    /// One node comes after another.
    pub(super) fn add_edge(&mut self, from: u32, to: u32) {
        let later = self.nodes.iter_mut().filter(|it| it.number == Some(to));
        later.for_each(|it| it.after.push(from));
    }

    /// What a launch of the graph waits for and writes. A wait that another node ends is left out, unless all of those
    /// come only after it; what comes after a wait is written after it.
    pub(super) fn effects(&self) -> (Vec<Wait>, Vec<Write>) {
        let mut waits = Vec::new();
        let mut late: BTreeSet<usize> = BTreeSet::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let later = self.later_than(index);
            for wait in &node.work.waits {
                let ends = |it: &usize| self.nodes[*it].work.writes.iter().any(|it| wait.ended_by(it));
                let mut others = (0..self.nodes.len()).filter(|it| *it != index).filter(ends);
                if others.all(|it| !self.open && later.contains(&it)) {
                    waits.push(wait.clone());
                    late.extend(&later);
                }
            }
        }
        let writes = self.nodes.iter().enumerate().flat_map(|(index, node)| {
            let after_wait = late.contains(&index);
            let writes = node.work.writes.iter().cloned();
            writes.map(move |it| Write { after_wait, ..it })
        });
        (waits, writes.collect())
    }

    /// The operations that begin only when this one has ended.
    fn later_than(&self, index: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open: Vec<u32> = self.nodes[index].number.into_iter().collect();
        while let Some(number) = open.pop() {
            for (other, node) in self.nodes.iter().enumerate() {
                if node.after.contains(&number) && found.insert(other) {
                    open.extend(node.number);
                }
            }
        }
        found
    }
}

fn nothing() -> Work {
    Work {
        kind: WorkKind::Other,
        stream: super::LEGACY,
        kernel: None,
        waits: Vec::new(),
        writes: Vec::new(),
        accesses: Vec::new(),
    }
}
