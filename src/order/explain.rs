//! The shortest cycle of what never completes.

use std::collections::{BTreeMap, VecDeque};

use super::mutual;
use super::simulate::{Cause, Need, OperationId, Releaser, Simulation, State, Stuck, writes_of};
use super::{DeviceOrder, EventRef, Gate, Hang, HostReason, Link};
use crate::trace::{Action, ThreadId, WorkKind};

/// A node of the wait-for graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Operation(OperationId),
    Host(ThreadId),
}

/// Why one node needs another.
#[derive(Clone, Debug)]
struct Edge {
    to: Node,
    why: Why,
}

#[derive(Clone, Debug)]
enum Why {
    Release(Releaser, u32),
    Need(Need),
    Call,
    Host(HostReason),
}

/// The deadlock a finished simulation is in, if any.
pub(super) fn hang(simulation: &Simulation<'_>) -> Option<Hang> {
    let waiting = || {
        (0..simulation.operations.len()).filter(|it| {
            simulation.operations[*it].state == State::Running && simulation.operations[*it].work.is_some()
        })
    };
    let shortest = |releases: Releases| {
        let cycles = waiting().filter_map(|it| shortest_cycle(simulation, Node::Operation(it), releases));
        cycles.min_by_key(Vec::len)
    };
    let cycle = shortest(Releases::Issued).or_else(|| shortest(Releases::All))?;
    describe(simulation, &cycle)
}

/// Which releases of a wait a cycle goes through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Releases {
    /// Those that are issued already, where there are any: the wait was meant for them.
    Issued,
    /// Those the host has yet to issue too.
    All,
}

fn shortest_cycle(simulation: &Simulation<'_>, start: Node, releases: Releases) -> Option<Vec<(Node, Edge)>> {
    let mut came_from: BTreeMap<Node, (Node, Edge)> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for edge in edges(simulation, node, releases) {
            if edge.to == start {
                return Some(path_to(&came_from, start, node, edge));
            }
            if !came_from.contains_key(&edge.to) {
                let to = edge.to;
                came_from.insert(to, (node, edge));
                open.push_back(to);
            }
        }
    }
    None
}

fn path_to(
    came_from: &BTreeMap<Node, (Node, Edge)>,
    start: Node,
    last: Node,
    closing: Edge,
) -> Vec<(Node, Edge)> {
    let mut path = vec![(last, closing)];
    let mut node = last;
    while node != start {
        let Some((from, edge)) = came_from.get(&node) else {
            break;
        };
        path.push((*from, edge.clone()));
        node = *from;
    }
    path.reverse();
    path
}

fn edges(simulation: &Simulation<'_>, node: Node, releases: Releases) -> Vec<Edge> {
    match node {
        Node::Operation(id) => operation_edges(simulation, id, releases),
        Node::Host(thread) => host_edges(simulation, thread),
    }
}

fn operation_edges(simulation: &Simulation<'_>, id: OperationId, releases: Releases) -> Vec<Edge> {
    let operation = &simulation.operations[id];
    match operation.state {
        State::Done => Vec::new(),
        State::Pending => operation
            .needs
            .iter()
            .filter(|(it, _)| !simulation.is_done(*it))
            .map(|(it, need)| Edge {
                to: Node::Operation(*it),
                why: Why::Need(*need),
            })
            .collect(),
        State::Running => {
            let waits = operation.releasers.iter().enumerate();
            let unmet = waits.filter(|(wait, _)| !simulation.is_over(operation, *wait));
            let mut edges: Vec<Edge> = unmet
                .flat_map(|(wait, releasers)| releasers.iter().map(move |it| (wait as u32, *it)))
                .filter(|(_, it)| !simulation.has_happened(*it))
                .map(|(wait, it)| Edge {
                    to: releaser_node(simulation, it),
                    why: Why::Release(it, wait),
                })
                .collect();
            let issued = |edge: &Edge| matches!(edge.to, Node::Operation(_));
            if releases == Releases::Issued && edges.iter().any(issued) {
                edges.retain(issued);
            }
            edges.sort_by_key(|edge| matches!(edge.why, Why::Release(it, _) if it.guess));
            edges
        }
    }
}

fn releaser_node(simulation: &Simulation<'_>, releaser: Releaser) -> Node {
    simulation
        .operation_of(releaser.event)
        .map_or(Node::Host(releaser.event.thread), Node::Operation)
}

fn host_edges(simulation: &Simulation<'_>, thread: ThreadId) -> Vec<Edge> {
    let host = |other: ThreadId, why: HostReason| {
        vec![Edge {
            to: Node::Host(other),
            why: Why::Host(why),
        }]
    };
    match simulation.why_stuck(thread) {
        Some(Stuck::Blocked) => {
            let until = simulation.threads[thread.0 as usize]
                .blocked
                .as_ref()
                .map_or(&[][..], |it| &it.until);
            until
                .iter()
                .filter(|it| !simulation.is_done(**it))
                .map(|it| Edge {
                    to: Node::Operation(*it),
                    why: Why::Call,
                })
                .collect()
        }
        Some(Stuck::ContextLock(other)) => host(other, HostReason::ContextLock),
        Some(Stuck::Join(other)) => host(other, HostReason::Join),
        Some(Stuck::Mutex(other)) => host(other, HostReason::Mutex),
        Some(Stuck::Flag) => {
            let event = current(simulation, thread);
            let writers = simulation.writers(event);
            writers
                .iter()
                .map(|it| Edge {
                    to: releaser_node(simulation, *it),
                    why: Why::Host(HostReason::Flag),
                })
                .collect()
        }
        Some(Stuck::NotStarted) => {
            spawner(simulation, thread).map_or_else(Vec::new, |it| host(it, HostReason::Flag))
        }
        Some(Stuck::Finished) | None => Vec::new(),
    }
}

/// The thread that would start this one.
fn spawner(simulation: &Simulation<'_>, thread: ThreadId) -> Option<ThreadId> {
    let starts = |events: &crate::trace::Thread| {
        events
            .events
            .iter()
            .any(|it| matches!(it.action, Action::Spawn(child) if child == thread))
    };
    simulation
        .trace
        .threads
        .iter()
        .position(starts)
        .map(|index| ThreadId(index as u32))
}

fn current(simulation: &Simulation<'_>, thread: ThreadId) -> EventRef {
    EventRef {
        thread,
        index: simulation.threads[thread.0 as usize].next as u32,
    }
}

fn describe(simulation: &Simulation<'_>, cycle: &[(Node, Edge)]) -> Option<Hang> {
    let (start, first) = cycle.first()?;
    let (Node::Operation(waiting), Why::Release(releaser, wait)) = (start, &first.why) else {
        return None;
    };
    let waiting = simulation.operations[*waiting].event;
    let write = writes_of(&releaser.event.of(simulation.trace).action)
        .get(releaser.write)?
        .clone();
    let links = links(simulation, cycle);
    let gate = gate(simulation, cycle, releaser.event)?;
    let host_stuck = (0..simulation.threads.len()).any(|it| {
        !matches!(
            simulation.why_stuck(ThreadId(it as u32)),
            None | Some(Stuck::Finished | Stuck::NotStarted)
        )
    });
    let running = simulation
        .operations
        .iter()
        .filter(|it| it.state == State::Running && it.work.is_some());
    Some(Hang {
        waiting,
        resident: running.map(|it| it.event).collect(),
        wait: *wait,
        releaser: releaser.event,
        write,
        gate,
        cycle: links,
        hangs_eager: false,
        host_stuck,
    })
}

fn links(simulation: &Simulation<'_>, cycle: &[(Node, Edge)]) -> Vec<Link> {
    let event_of = |node: Node| match node {
        Node::Operation(id) => simulation.operations[id].event,
        Node::Host(thread) => current(simulation, thread),
    };
    let mut links = Vec::new();
    let mut behind = None;
    for (node, edge) in cycle {
        let (from, to) = (event_of(*node), event_of(edge.to));
        match (&edge.why, node) {
            (Why::Release(releaser, wait), _) => links.push(Link::Waits {
                operation: from,
                releaser: releaser.event,
                wait: *wait,
            }),
            (Why::Need(Need::Order(order)), _) => links.push(Link::After {
                operation: from,
                earlier: to,
                order: *order,
            }),
            (Why::Need(Need::Barrier), _) => behind = Some((from, to)),
            (Why::Need(Need::Drain), _) => {
                let (operation, barrier) = behind.take().unwrap_or((from, from));
                links.push(Link::Behind {
                    operation,
                    barrier,
                    earlier: to,
                });
            }
            (Why::Call, _) => links.push(Link::Blocked {
                call: from,
                operation: to,
            }),
            (Why::Host(why), Node::Host(_)) => {
                let other = match edge.to {
                    Node::Host(thread) => thread,
                    Node::Operation(_) => to.thread,
                };
                links.push(Link::HostWaits {
                    event: from,
                    other,
                    why: *why,
                });
            }
            (Why::Host(_), Node::Operation(_)) => {}
        }
    }
    links
}

/// What closes the cycle: a load rather than a wait, a wait rather than plain order.
fn gate(simulation: &Simulation<'_>, cycle: &[(Node, Edge)], releaser: EventRef) -> Option<Gate> {
    let barrier = cycle.iter().find_map(|(node, _)| match node {
        Node::Operation(id) => simulation.operations[*id]
            .barrier
            .as_ref()
            .map(|cause| (simulation.operations[*id].event, cause)),
        Node::Host(_) => None,
    });
    let host = cycle.iter().find_map(|(node, edge)| match (node, &edge.why) {
        (Node::Host(thread), Why::Call) => {
            let cause = simulation.threads[thread.0 as usize]
                .blocked
                .as_ref()
                .map(|it| &it.cause)?;
            Some((current(simulation, *thread), cause))
        }
        _ => None,
    });
    let loading = host.filter(|(_, cause)| !matches!(cause, Cause::Call));
    if let Some((event, cause)) = barrier.or(loading) {
        return Some(match cause.clone() {
            Cause::FirstUse { kernel, blocks_host } => Gate::FirstUse {
                event,
                kernel,
                blocks_host,
            },
            Cause::Heap { user, uses } => Gate::HeapSetup { event, user, uses },
            Cause::LocalMemory(bytes) => Gate::LocalMemory { event, bytes },
            Cause::Queue(calls) => Gate::LaunchQueue { event, calls },
            Cause::Load | Cause::Call => Gate::Load { event },
        });
    }
    if let Some((event, _)) = host {
        return Some(if frees(simulation, event) {
            Gate::BlockingCall { event }
        } else {
            Gate::HostWait { event }
        });
    }
    let host_wait = cycle.iter().find_map(|(node, edge)| match (node, &edge.why) {
        (Node::Host(thread), Why::Host(_)) => Some(current(simulation, *thread)),
        _ => None,
    });
    if let Some(event) = host_wait {
        return Some(Gate::HostWait { event });
    }
    let own = |node: &Node, edge: &Edge| matches!(edge.why, Why::Release(..)) && edge.to == *node;
    let order = cycle.iter().filter_map(|(node, edge)| match edge.why {
        Why::Need(Need::Order(order)) => Some(order),
        _ if own(node, edge) => Some(DeviceOrder::Graph),
        _ => None,
    });
    // The most surprising order names the finding.
    let order = order.max_by_key(|order| match order {
        DeviceOrder::Executable => 4,
        DeviceOrder::Legacy => 3,
        DeviceOrder::Event => 2,
        DeviceOrder::Graph => 1,
        DeviceOrder::Stream(_) | DeviceOrder::Wait => 0,
    });
    let order = order.or_else(|| is_mutual(simulation, cycle).then_some(DeviceOrder::Wait))?;
    Some(Gate::DeviceOrder {
        event: releaser,
        order,
    })
}

/// Nothing but kernels that wait for each other's writes.
fn is_mutual(simulation: &Simulation<'_>, cycle: &[(Node, Edge)]) -> bool {
    let waiting: Option<Vec<_>> = cycle
        .iter()
        .map(|(node, edge)| match (node, &edge.why) {
            (Node::Operation(id), Why::Release(_, wait)) => Some((*id, *wait)),
            _ => None,
        })
        .collect();
    waiting.is_some_and(|it| mutual::is_certain(simulation, &it))
}

/// A call that waits for the device although waiting is not what it is for.
fn frees(simulation: &Simulation<'_>, event: EventRef) -> bool {
    use crate::api::Operation;
    match &event.of(simulation.trace).action {
        Action::Call(call) => match call.api {
            Some(entry) => !matches!(
                entry.operation,
                Operation::StreamSynchronize
                    | Operation::EventSynchronize
                    | Operation::DeviceSynchronize
                    | Operation::StreamQuery
                    | Operation::EventQuery
                    | Operation::Copy
                    | Operation::Memset
            ),
            // Only `CUDA_LAUNCH_BLOCKING` makes a launch wait.
            None => call.work.as_ref().is_none_or(|it| it.kind != WorkKind::Kernel),
        },
        _ => false,
    }
}
