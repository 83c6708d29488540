//! The dependency graph and its queries: the only place that knows ordering.
//!
//! A trace is run to completion under a few schedules of its host threads. A node completes when everything it
//! needs has completed and, for a waiting operation, one of its releasers has happened. What never completes is
//! the deadlock; its explanation is the shortest cycle.

mod apart;
mod attempts;
mod belated;
mod callbacks;
pub mod captures;
#[cfg(test)]
mod captures_tests;
mod collectives;
pub mod contracts;
mod explain;
pub mod finished;
mod happens;
#[cfg(test)]
mod happens_tests;
pub mod joined;
pub mod lasting;
pub mod left_out;
mod meant;
mod mutual;
mod nodes;
pub mod overwritten;
pub mod own_waits;
mod positions;
mod promises;
mod queue;
mod races;
pub mod separators;
mod siblings;
mod simulate;
mod stalls;
#[cfg(test)]
mod tests;
pub mod turns;
pub mod vain_waits;
mod waits;
#[cfg(test)]
mod waits_tests;

use crate::facts::ir::Span;
use crate::program::{FileId, Program};
pub use attempts::{Attempt, attempt, outrun};
pub use callbacks::{StuckCallback, StuckReason, stuck_callbacks};
pub use collectives::{Ungrouped, ungrouped_collectives};
pub use happens::{Happens, Moment, Trust, beside, legacy_devices};
pub use meant::{is_held_back, is_turned_round};
pub use promises::{Aside, Breach, How, MarkedElsewhere, asides, breaches, forgotten, marked_elsewhere};
pub use races::{Doubt, Hazard, IdleWait, Race};
pub use waits::{LonelyWait, StaleWait, UnpromisedWait, keep_lonely};

use crate::trace::{
    Action, Call, EventId, KernelUse, Site, StreamId, ThreadId, Trace, Work, WorkKind, Write,
};

/// How CUDA is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Kernels are loaded at their first use (`CUDA_MODULE_LOADING=LAZY`, the default since 12.2).
    pub lazy_loading: bool,
}

/// Which event of which thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventRef {
    /// Thread.
    pub thread: ThreadId,
    /// Index into its events.
    pub index: u32,
}

/// A deadlock: something waits, and what would release it can never happen.
#[derive(Clone, Debug)]
pub struct Hang {
    /// The operation that waits.
    pub waiting: EventRef,
    /// Which of its waits.
    pub wait: u32,
    /// The event that would release it.
    pub releaser: EventRef,
    /// The write of that event.
    pub write: Write,
    /// Everything that has started and waits.
    pub resident: Vec<EventRef>,
    /// What closes the cycle.
    pub gate: Gate,
    /// The cycle, starting at the waiting operation.
    pub cycle: Vec<Link>,
    /// The same path also hangs with everything loaded at start.
    pub hangs_eager: bool,
    /// A host thread is stuck, not only the device.
    pub host_stuck: bool,
}

/// What closes a cycle.
#[derive(Clone, Debug, PartialEq)]
pub enum Gate {
    /// A first launch or query of a kernel that is not loaded.
    FirstUse {
        /// The call.
        event: EventRef,
        /// The kernel.
        kernel: KernelUse,
        /// Nothing of its translation unit was loaded: the call itself blocks (M13).
        blocks_host: bool,
    },
    /// A module load, or a library loading its own kernels.
    Load {
        /// The call.
        event: EventRef,
    },
    /// The device heap or `printf` buffer is set up at this launch (M4).
    HeapSetup {
        /// The launch.
        event: EventRef,
        /// The kernel of the same module that needs it.
        user: String,
        /// What it uses.
        uses: String,
    },
    /// Local memory is resized at this launch (M5).
    LocalMemory {
        /// The launch.
        event: EventRef,
        /// Bytes per thread.
        bytes: u64,
    },
    /// More launches and copies are queued behind the waiting operation than a stream takes (M1).
    LaunchQueue {
        /// The call that finds no room.
        event: EventRef,
        /// How many would be queued; `u64::MAX` for a loop without end.
        calls: u64,
    },
    /// A call that frees or otherwise waits for the whole device as a side effect.
    BlockingCall {
        /// The call.
        event: EventRef,
    },
    /// The host waits on purpose.
    HostWait {
        /// The call.
        event: EventRef,
    },
    /// The release is enqueued behind its own wait.
    DeviceOrder {
        /// The release.
        event: EventRef,
        /// Why it comes after.
        order: DeviceOrder,
    },
}

/// Why one device operation comes after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceOrder {
    /// Same stream.
    Stream(StreamId),
    /// The legacy default stream.
    Legacy,
    /// An event.
    Event,
    /// Edges of the graph both are nodes of.
    Graph,
    /// Both launch one executable graph, which does not run beside itself.
    Executable,
    /// It writes only behind a wait of its own, for what the other one writes only behind this wait.
    Wait,
}

/// One step of a cycle: why `from` cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Link {
    /// A device operation waits for a release.
    Waits {
        /// The operation.
        operation: EventRef,
        /// Its release.
        releaser: EventRef,
        /// Which of its waits.
        wait: u32,
    },
    /// A device operation comes after another one.
    After {
        /// The later operation.
        operation: EventRef,
        /// The earlier one.
        earlier: EventRef,
        /// Why.
        order: DeviceOrder,
    },
    /// A device operation comes after a context barrier.
    Behind {
        /// The operation.
        operation: EventRef,
        /// The call that put the barrier.
        barrier: EventRef,
        /// What the barrier waits for.
        earlier: EventRef,
    },
    /// A host thread is blocked in a call until an operation ends.
    Blocked {
        /// The call.
        call: EventRef,
        /// The operation.
        operation: EventRef,
    },
    /// A host thread waits for another host thread: join, lock, context lock, host flag.
    HostWaits {
        /// The event it is stuck at.
        event: EventRef,
        /// Who it waits for.
        other: ThreadId,
        /// Why.
        why: HostReason,
    },
}

/// Why a host thread waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostReason {
    /// It joins it.
    Join,
    /// The other holds a mutex.
    Mutex,
    /// The other holds the context lock.
    ContextLock,
    /// The other has not stored what is polled.
    Flag,
}

/// A wait enqueued before its write with nothing in between that closes a cycle: it works, and nothing promises it.
#[derive(Clone, Debug)]
pub struct EarlyWait {
    /// The wait.
    pub waiting: EventRef,
    /// The write.
    pub releaser: EventRef,
    /// How many streams there are, where that is known: more than there are hardware queues share them.
    pub streams: Option<u64>,
}

/// Everything the hang rules ask of one trace.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Deadlocks, one per schedule that finds one.
    pub hangs: Vec<Hang>,
    /// What would be a deadlock if a kernel did not give up its wait.
    pub stalls: Vec<Stalled>,
    /// Stream waits enqueued before their writes.
    pub early_waits: Vec<EarlyWait>,
    /// Waiting loops that read their place once, before it is written.
    pub stale_waits: Vec<StaleWait>,
    /// Waits that nothing on the path can end.
    pub lonely_waits: Vec<LonelyWait>,
    /// Kernels that wait for kernels nothing orders them with.
    pub unpromised_waits: Vec<UnpromisedWait>,
    /// Conflicting accesses that nothing orders.
    pub races: Vec<Race>,
    /// Waits for events that are only recorded later.
    pub idle_waits: Vec<IdleWait>,
}

/// A kernel's wait that only its own bound ends.
#[derive(Clone, Debug)]
pub struct Stalled {
    /// The path with that wait taken for one without a bound.
    pub trace: Trace,
    /// The deadlock that would be.
    pub hang: Hang,
    /// A clock ends the wait, rather than a count of iterations.
    pub clock: bool,
}

/// Runs a trace.
pub fn judge(program: &Program, trace: &Trace, settings: Settings) -> Verdict {
    let mut verdict = judge_waits(program, trace, settings);
    if verdict.hangs.is_empty() {
        verdict.stalls = stalls::find(program, trace, settings);
    }
    verdict
}

fn judge_waits(program: &Program, trace: &Trace, settings: Settings) -> Verdict {
    let lazy = settings.lazy_loading && !trace.eager;
    let mut verdict = Verdict::default();
    if !trace.has_waits() {
        (verdict.races, verdict.idle_waits) = races::find(trace);
        return verdict;
    }
    for policy in simulate::Policy::ALL {
        let mut simulation = simulate::Simulation::new(program, trace, lazy, policy);
        simulation.run();
        if let Some(mut hang) = explain::hang(&simulation) {
            let eager = if lazy {
                loaded(program, trace, policy)
            } else {
                None
            };
            hang.hangs_eager = !lazy || eager.is_some();
            // What hangs without a load does not hang by it.
            if let Some(eager) = eager.filter(|it| hang.is_by_loading() && it.waiting == hang.waiting) {
                hang = Hang {
                    hangs_eager: true,
                    ..eager
                };
            }
            if !verdict
                .hangs
                .iter()
                .any(|it| it.gate == hang.gate && it.waiting == hang.waiting)
            {
                verdict.hangs.push(hang);
            }
        } else {
            for early in simulation.early_waits() {
                if !verdict.early_waits.iter().any(|it| it.waiting == early.waiting) {
                    verdict.early_waits.push(early);
                }
            }
        }
    }
    verdict.stale_waits = waits::stale(trace);
    if verdict.hangs.is_empty() {
        verdict.lonely_waits = waits::lonely(program, trace, lazy);
        verdict.unpromised_waits = waits::unpromised(trace);
        // Whoever ends a wait from outside may know what has ended before.
        if verdict.lonely_waits.is_empty() && waits::all_ended_from_inside(trace) {
            (verdict.races, verdict.idle_waits) = races::find(trace);
        }
    }
    verdict
}

/// The hang of a path where everything is loaded at start.
fn loaded(program: &Program, trace: &Trace, policy: simulate::Policy) -> Option<Hang> {
    let mut simulation = simulate::Simulation::new(program, trace, false, policy);
    simulation.run();
    explain::hang(&simulation)
}

impl Hang {
    /// Whether it is the first use of device code that closes the cycle.
    fn is_by_loading(&self) -> bool {
        matches!(self.gate, Gate::FirstUse { .. } | Gate::Load { .. })
    }
}

impl EventRef {
    /// The event in its trace.
    pub fn of(self, trace: &Trace) -> &crate::trace::Event {
        &trace.threads[self.thread.0 as usize].events[self.index as usize]
    }

    /// The call it is.
    pub fn call(self, trace: &Trace) -> Option<&Call> {
        match &self.of(trace).action {
            Action::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The work that it enqueues.
    pub fn work(self, trace: &Trace) -> Option<&Work> {
        self.call(trace)?.work.as_ref()
    }

    /// The event that it records, and in which stream.
    pub fn recorded(self, trace: &Trace) -> Option<(EventId, StreamId)> {
        let work = self.work(trace)?;
        match work.kind {
            WorkKind::Record(event) => Some((event, work.stream)),
            _ => None,
        }
    }

    /// Where it happens.
    pub fn site(self, trace: &Trace) -> &Site {
        &self.of(trace).site
    }

    /// File and bytes of it.
    pub fn at(self, trace: &Trace) -> (FileId, Span) {
        let site = self.site(trace);
        (site.file, site.span)
    }
}

/// All events of a path, thread by thread.
pub fn event_refs(trace: &Trace) -> impl Iterator<Item = EventRef> {
    let threads = trace.threads.iter().enumerate();
    threads.flat_map(|(thread, it)| {
        (0..it.events.len()).map(move |index| EventRef {
            thread: ThreadId(thread as u32),
            index: index as u32,
        })
    })
}
