//! Collectives of several devices that one thread calls one after the other, with no group around them.

use super::EventRef;
use crate::api::Operation;
use crate::trace::{Action, Block, Call, StreamKind, ThreadId, Trace};

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
    let mut groups = 0_u32;
    let mut open: Vec<(EventRef, i64, Option<EventRef>)> = Vec::new();
    for event in super::event_refs(trace).filter(|it| it.thread == thread) {
        let Action::Call(call) = &event.of(trace).action else {
            continue;
        };
        let Some(api) = call.api else { continue };
        match api.operation {
            Operation::CollectiveGroupStart => groups += 1,
            Operation::CollectiveGroupEnd => groups = groups.saturating_sub(1),
            Operation::CollectiveCall | Operation::CollectiveInit if groups == 0 && is_of_one_rank(call) => {
                let device = device(trace, call);
                let before = open.iter().find(|(first, ..)| name(trace, *first) == call.name);
                if let Some((first, other, sync)) = before
                    && *other != device
                {
                    let pair = Ungrouped {
                        first: *first,
                        second: event,
                        sync: *sync,
                    };
                    if !found.iter().any(|it| it.first == pair.first) {
                        found.push(pair);
                    }
                }
                open.retain(|(first, ..)| name(trace, *first) != call.name);
                open.push((event, device, None));
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

/// The device a call waits for although that is not what it is for: a blocking copy, a free.
fn waits_for(trace: &Trace, call: &Call) -> Option<i64> {
    match call.blocks {
        Block::None | Block::StreamAnswered(_) | Block::EventAnswered(_) | Block::Event(_) => None,
        Block::Device | Block::OwnWork => Some(device(trace, call)),
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

/// `ncclCommInitAll` does all ranks at once, and a split starts from communicators that exist.
fn is_of_one_rank(call: &Call) -> bool {
    call.name.starts_with("nccl") && !call.name.contains("InitAll") && !call.name.contains("Split")
}

fn name(trace: &Trace, event: EventRef) -> &str {
    match &event.of(trace).action {
        Action::Call(call) => &call.name,
        _ => "",
    }
}

/// The device of a call: its stream's, where this path made the stream.
fn device(trace: &Trace, call: &Call) -> i64 {
    let stream = call.work.as_ref().map(|it| &trace.streams[it.stream.0 as usize]);
    stream.filter(|it| it.created).map_or(call.device, |it| it.device)
}
