//! Collectives of several devices that one thread calls one after the other, with no group around them.

use super::EventRef;
use crate::api::{Operation, Role};
use crate::trace::{Action, Block, Call, DeviceId, StreamKind, ThreadId, Trace};

/// Two calls for two devices that each wait for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ungrouped {
    /// The first call.
    pub first: EventRef,
    /// The same for another device.
    pub second: EventRef,
    /// A call between them that waits for the first device.
    pub sync: Option<EventRef>,
}

/// Pairs of collectives (or initialisations) of different devices that one thread calls outside a group: the first of
/// each kind.
pub fn ungrouped_collectives(trace: &Trace) -> Vec<Ungrouped> {
    let threads = 0..trace.threads.len() as u32;
    threads.flat_map(|it| in_thread(trace, ThreadId(it))).collect()
}

fn in_thread(trace: &Trace, thread: ThreadId) -> Vec<Ungrouped> {
    let mut found: Vec<Ungrouped> = Vec::new();
    let (mut groups, mut start) = (0_u32, 0);
    let mut grouped: Vec<EventRef> = Vec::new();
    let mut open: Vec<(EventRef, DeviceId, Option<EventRef>)> = Vec::new();
    for event in super::event_refs(trace).filter(|it| it.thread == thread) {
        let Action::Call(call) = &event.of(trace).action else {
            continue;
        };
        let Some(api) = call.api else { continue };
        match api.operation {
            Operation::CollectiveGroupStart => {
                if groups == 0 {
                    start = event.index;
                }
                groups += 1;
            }
            Operation::CollectiveGroupEnd => {
                groups = groups.saturating_sub(1);
                // A group with the calls of one device puts nothing together.
                let calls = if groups == 0 {
                    std::mem::take(&mut grouped)
                } else {
                    Vec::new()
                };
                let of = |it: &EventRef| device_at(trace, *it);
                let all_seen = !calls.iter().any(|it| is_repeated_since(trace, start, *it));
                if all_seen
                    && calls
                        .first()
                        .is_some_and(|first| calls.iter().all(|it| of(it) == of(first)))
                {
                    for call in calls {
                        follow(trace, call, &mut open, &mut found);
                    }
                }
            }
            Operation::CollectiveCall | Operation::CollectiveInit if is_of_one_rank(call) => {
                if groups == 0 {
                    follow(trace, event, &mut open, &mut found);
                } else {
                    grouped.push(event);
                }
            }
            Operation::StreamSynchronize | Operation::DeviceSynchronize | Operation::EventSynchronize => {
                for (_, _, sync) in &mut open {
                    sync.get_or_insert(event);
                }
            }
            _ => {
                let waited = waits_for(trace, call);
                for (_, device, sync) in &mut open {
                    if waited == Some(*device) {
                        sync.get_or_insert(event);
                    }
                }
            }
        }
    }
    found
}

/// Whether a call stands in a loop that began behind an event and runs nobody knows how often: for other devices as well.
fn is_repeated_since(trace: &Trace, start: u32, call: EventRef) -> bool {
    trace.notes.passes.iter().any(|pass| {
        pass.thread == call.thread && !pass.known_trips && pass.events.0 > start && pass.holds(call.index)
    })
}

/// One collective call, compared with the one of its name before it.
fn follow(
    trace: &Trace,
    event: EventRef,
    open: &mut Vec<(EventRef, DeviceId, Option<EventRef>)>,
    found: &mut Vec<Ungrouped>,
) {
    let Some(device) = device_at(trace, event) else {
        return;
    };
    let before = open
        .iter()
        .find(|(first, ..)| name(trace, *first) == name(trace, event));
    let joins = matches!(&event.of(trace).action, Action::Call(call) if is_init(call));
    let communicator = |it: EventRef| trace.notes.communicators.get(&(it.thread, it.index));
    if let Some((first, other, sync)) = before
        && *other != device
        // One communicator is one rank; what several ranks join is one.
        && (communicator(*first).is_none() || (communicator(*first) == communicator(event)) == joins)
        && !found.iter().any(|it| it.first == *first)
    {
        found.push(Ungrouped {
            first: *first,
            second: event,
            sync: *sync,
        });
    }
    open.retain(|(first, ..)| name(trace, *first) != name(trace, event));
    open.push((event, device, None));
}

fn device_at(trace: &Trace, event: EventRef) -> Option<DeviceId> {
    match &event.of(trace).action {
        Action::Call(call) => Some(trace.device_of(call)),
        _ => None,
    }
}

/// The device a call waits for although that is not what it is for: a blocking copy, a free.
fn waits_for(trace: &Trace, call: &Call) -> Option<DeviceId> {
    match call.blocks {
        Block::None
        | Block::PerhapsOwnWork
        | Block::StreamAnswered(_)
        | Block::EventAnswered(_)
        | Block::Event(_) => None,
        Block::Device | Block::OwnWork => Some(trace.device_of(call)),
        Block::Stream(stream) => {
            let stream = &trace.streams[stream.0 as usize];
            Some(if stream.created && stream.kind != StreamKind::Legacy {
                stream.device
            } else {
                call.device
            })
        }
    }
}

/// Whether a call is made for one rank: on its communicator, or with what that joins by. A split starts from communicators that
/// exist, and what knows none is about the whole process.
fn is_of_one_rank(call: &Call) -> bool {
    let rank = match is_init(call) {
        true => Role::Value,
        false => Role::Handle,
    };
    call.api.is_some_and(|it| it.role_index(rank).is_some())
}

fn is_init(call: &Call) -> bool {
    call.api
        .is_some_and(|it| it.operation == Operation::CollectiveInit)
}

fn name(trace: &Trace, event: EventRef) -> &str {
    match &event.of(trace).action {
        Action::Call(call) => &call.name,
        _ => "",
    }
}
