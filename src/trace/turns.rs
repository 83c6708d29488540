//! Host threads take turns: one that waits for what another one does lets that one go on first.
//!
//! Every thread that was spawned is executed on a stack of its own. Exactly one of them executes at any time: whoever hands the machine over
//! waits until it comes back, so that the same path always takes the same turns. The first thread gives turns to the others; they
//! give them back. Invariant: nothing that is on a stack refers to the machine but by the exclusive reference that reaches all of it.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use super::control::Control;
use super::machine::{Machine, Pending};
use super::memory::Value;
use super::{Action, Block, Location, ThreadId, Wait, Work};
use crate::facts::ir::{Expr, ExprKind, Stmt};
use crate::program::reads;
use crate::syntax::STACK_BYTES;

/// Executes something on a stack of its own; `false` where there is none.
pub(super) type Stacks<'p> = Arc<dyn Fn(Box<dyn FnOnce() + Send + 'p>) -> bool + Send + Sync + 'p>;

/// The machine on its way to a thread that goes on.
struct Go<'p> {
    machine: Machine<'p>,
    /// Nobody else can go on: what the thread waits for is taken to have come.
    must: bool,
}

/// The machine on its way back.
enum Back<'p> {
    Waits(Machine<'p>),
    Ended(Machine<'p>, Value),
    Panicked(Box<dyn Any + Send>),
}

/// A thread that has a stack and does not execute.
pub(super) struct Suspended<'p> {
    go: Sender<Go<'p>>,
    back: Receiver<Back<'p>>,
}

/// The other ends, in the thread.
pub(super) struct Turn<'p> {
    thread: ThreadId,
    go: Receiver<Go<'p>>,
    back: Sender<Back<'p>>,
}

/// What taking turns needs.
#[derive(Default)]
pub(super) struct Turns<'p> {
    /// Where threads get a stack of their own.
    pub(super) stacks: Option<Stacks<'p>>,
    /// Threads that were executed in part, and wait.
    pub(super) suspended: BTreeMap<ThreadId, Suspended<'p>>,
    /// What threads returned that have ended, until somebody asks.
    ended: BTreeMap<ThreadId, Value>,
    /// The thread that was given a turn last came further.
    progress: bool,
    /// What the first thread waits for.
    awaited: Vec<Location>,
}

/// The path has ended: what a thread still has on its stack is left.
struct Abandoned;

/// Stacks for the threads of a path; they are gone where the scope ends.
pub(super) fn stacks<'s>(scope: &'s Scope<'s, '_>) -> Stacks<'s> {
    Arc::new(move |life| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, reads::shared(life)).is_ok()
    })
}

impl<'p> Machine<'p> {
    /// Takes the machine out of the stack that executes.
    fn hand_over(&mut self) -> (Control<'p>, Machine<'p>) {
        let own = std::mem::replace(&mut self.control, Control::new());
        let nothing = Machine::new(self.program, self.trace.entry, Vec::new());
        (own, std::mem::replace(self, nothing))
    }

    fn take_back(&mut self, machine: Machine<'p>, own: Control<'p>) {
        *self = machine;
        self.control = own;
    }

    /// Others go on before a thread that waits for these places does; `false` when none of them can.
    pub(super) fn others_go_on(&mut self, awaited: &[Location]) -> bool {
        if self.sides > 0 || self.exited || self.control.throwing {
            return false;
        }
        if self.has_turn() {
            return self.give_turn_back();
        }
        if self.control.thread != ThreadId(0) || self.control.turn.is_some() {
            return false;
        }
        let outer = std::mem::replace(&mut self.turns.awaited, awaited.to_vec());
        let went_on = self.give_turns(None);
        self.turns.awaited = outer;
        went_on
    }

    /// Whether this thread, and no host function or member of a team, was given the turn.
    fn has_turn(&self) -> bool {
        self.control
            .turn
            .as_ref()
            .is_some_and(|it| it.thread == self.control.thread)
    }

    /// What the first thread waits for may be there: it asks before this one goes on.
    pub(super) fn let_awaiting_go_on(&mut self, stored: &Location) {
        if self.has_turn() && self.sides == 0 && !self.exited && self.turns.awaited.contains(stored) {
            self.turns.progress = true;
            self.give_turn_back();
        }
    }

    /// A thread goes on behind a wait: what it waited for has come, or nobody is there to bring it.
    pub(super) fn end_wait(&mut self, awaited: &[Location], came: bool) {
        self.turns.progress = true;
        self.control.woken_by.clear();
        if !came {
            return;
        }
        let threads = self.trace.threads.iter().enumerate();
        let others = threads.filter(|(index, _)| *index != self.control.thread.0 as usize);
        let last = |(index, thread): (usize, &super::Thread)| {
            let stores = |event: &super::Event| match &event.action {
                Action::Store(write) => awaited.contains(&write.location),
                _ => false,
            };
            let last = thread.events.iter().rposition(stores)?;
            Some((ThreadId(index as u32), last as u32))
        };
        self.control.woken_by = others.filter_map(last).collect();
    }

    /// A loop that goes on until another thread does something lets that one go on, behind each of its passes; what its
    /// condition comes to then.
    pub(super) fn let_others_end(
        &mut self,
        value: Value,
        condition: Option<&'p Expr>,
        body: &'p [Stmt],
        (passes, idle): (u32, bool),
    ) -> Value {
        /// Passes that are followed before another thread ends them.
        const FOLLOWED: u32 = 2;
        let polls = condition.is_some() && self.polls(body);
        let (mut value, mut waited) = (value, false);
        if !polls && !self.is_ended_by_others(condition, passes, idle) {
            return value;
        }
        while self.truth(&value) == Some(true) {
            self.turns.progress |= !polls && !idle && passes <= FOLLOWED;
            let awaited = self.control.reads.clone();
            if !self.others_go_on(&awaited) {
                return value;
            }
            waited = true;
            value = self.poll(condition);
            if !polls && passes <= FOLLOWED {
                return value;
            }
        }
        if waited {
            let awaited = self.control.reads.clone();
            self.end_wait(&awaited, true);
        }
        value
    }

    /// Whether a loop whose passes do something may go on until another thread ends it: one that counts ends by itself.
    fn is_ended_by_others(&self, condition: Option<&Expr>, passes: u32, idle: bool) -> bool {
        let asks = || match condition {
            Some(condition) => {
                !matches!(condition.kind, ExprKind::Int(_))
                    && !self.control.reads.is_empty()
                    && self.control.reads.iter().all(|it| self.is_shared(it))
            }
            None => false,
        };
        let endless = condition.is_none_or(|it| matches!(it.kind, ExprKind::Int(_)));
        self.control.turn.is_some() && passes > 0 && (endless && idle || asks())
    }

    /// Before a thread waits for the device, other threads do what work in its way waits for.
    pub(super) fn let_work_end(&mut self, blocks: &Block) {
        if self.pending.is_empty() && self.turns.suspended.is_empty() && self.control.turn.is_none() {
            return;
        }
        loop {
            let awaited = self.awaited_by_work(blocks);
            if awaited.is_empty() || !self.others_go_on(&awaited) {
                break;
            }
        }
        self.turns.progress = true;
    }

    /// What the work waits for that a call waits for, and no thread has stored.
    fn awaited_by_work(&self, blocks: &Block) -> Vec<Location> {
        let in_way = |work: &Work| match blocks {
            Block::Stream(stream) => work.stream == *stream,
            Block::Device => true,
            _ => false,
        };
        let events = || self.trace.threads.iter().flat_map(|it| &it.events);
        let work = events().filter_map(|it| match &it.action {
            Action::Call(call) => call.work.as_ref(),
            _ => None,
        });
        let waits = work.filter(|it| in_way(it)).flat_map(|it| &it.waits);
        let is_stored = |wait: &Wait| {
            events().any(|it| match &it.action {
                Action::Store(write) => wait
                    .locations()
                    .any(|it| write.location.overlaps(it, write.range)),
                _ => false,
            })
        };
        let open = waits.filter(|it| !is_stored(it));
        open.flat_map(Wait::locations).cloned().collect()
    }

    /// Whether a thread that was given turns got all that it waited for since, from threads that are known, or from the device.
    pub(super) fn was_served_since(&self, start: usize) -> bool {
        let events = &self.trace.threads[self.control.thread.0 as usize].events;
        let since = events.get(start..).unwrap_or_default();
        let waits = || {
            since.iter().filter_map(|it| match &it.action {
                Action::HostWait {
                    locations, ended_by, ..
                } => Some((locations, !ended_by.is_empty())),
                _ => None,
            })
        };
        self.has_turn()
            && waits().any(|(_, by_thread)| by_thread)
            && waits().all(|(places, by_thread)| by_thread || self.is_written_by_device(places))
    }

    /// Whether work of this path stores to one of these places while it runs.
    fn is_written_by_device(&self, places: &[Location]) -> bool {
        let events = self.trace.threads.iter().flat_map(|it| &it.events);
        let mut work = events.filter_map(|it| match &it.action {
            Action::Call(call) => call.work.as_ref(),
            _ => None,
        });
        work.any(|it| {
            let mut writes = it.writes.iter();
            writes.any(|write| places.iter().any(|it| write.location.overlaps(it, write.range)))
        })
    }

    fn give_turn_back(&mut self) -> bool {
        let Some(turn) = self.control.turn.take() else {
            return false;
        };
        let (own, machine) = self.hand_over();
        // Who waits for it is there as long as this stack is.
        let _ = turn.back.send(Back::Waits(machine));
        let Ok(Go { machine, must }) = turn.go.recv() else {
            resume_unwind(Box::new(Abandoned));
        };
        self.take_back(machine, own);
        self.control.turn = Some(turn);
        !must
    }

    /// The threads but one get turns until one of them goes on; whether any did.
    fn give_turns(&mut self, but: Option<ThreadId>) -> bool {
        let waiting: Vec<ThreadId> = self.turns.suspended.keys().copied().collect();
        let begins = self.pending.iter().map(|it| it.thread);
        let all: Vec<ThreadId> = waiting.into_iter().chain(begins).collect();
        let mut others = all.into_iter().filter(|it| Some(*it) != but);
        others.any(|it| self.give_turn(it, false))
    }

    /// Lets a thread go on until it waits or ends; `false` where it still waits for the same.
    fn give_turn(&mut self, thread: ThreadId, must: bool) -> bool {
        let begins = self.pending.iter().position(|it| it.thread == thread);
        if let Some(index) = begins {
            if self.turns.stacks.is_none() {
                return false;
            }
            let pending = self.pending.remove(index);
            if !self.give_stack(pending) {
                return false;
            }
        }
        let Some(suspended) = self.turns.suspended.remove(&thread) else {
            return false;
        };
        self.turns.progress = begins.is_some() || must;
        let (own, machine) = self.hand_over();
        let gone = suspended.go.send(Go { machine, must }).is_err();
        match suspended.back.recv() {
            Ok(Back::Waits(machine)) => {
                self.take_back(machine, own);
                self.turns.suspended.insert(thread, suspended);
            }
            Ok(Back::Ended(machine, value)) => {
                self.take_back(machine, own);
                self.turns.progress = true;
                self.turns.ended.insert(thread, value);
            }
            Ok(Back::Panicked(payload)) => resume_unwind(payload),
            Err(_) => unreachable!("a thread gives the machine back (gone: {gone})"),
        }
        self.turns.progress
    }

    fn give_stack(&mut self, pending: Pending<'p>) -> bool {
        let (go, started) = channel();
        let (ended, back) = channel();
        let thread = pending.thread;
        let turn = Turn {
            thread,
            go: started,
            back: ended,
        };
        let Some(stacks) = self.turns.stacks.clone() else {
            return false;
        };
        let begun = stacks(Box::new(move || execute(pending, turn)));
        if begun {
            self.turns.suspended.insert(thread, Suspended { go, back });
        }
        begun
    }

    /// Executes a thread to its end, and others as far as it waits for them; what it returned.
    pub(super) fn run_to_end(&mut self, thread: ThreadId) -> Option<Value> {
        while !self.turns.ended.contains_key(&thread) && self.brings_on(thread) {}
        if let Some(index) = self.pending.iter().position(|it| it.thread == thread) {
            let pending = self.pending.remove(index);
            return Some(self.run_pending(pending));
        }
        self.turns.ended.remove(&thread)
    }

    /// One more turn for a thread that this one waits for; `false` where it does not get to its end like that.
    fn brings_on(&mut self, thread: ThreadId) -> bool {
        let first = self.control.thread == ThreadId(0) && self.control.turn.is_none() && self.sides == 0;
        match first {
            true => {
                self.give_turn(thread, false)
                    || self.turns.ended.contains_key(&thread)
                    || self.give_turns(Some(thread))
                    || self.give_turn(thread, true)
            }
            false => self.others_go_on(&[]),
        }
    }
}

/// The life of a thread on its own stack.
fn execute<'p>(pending: Pending<'p>, turn: Turn<'p>) {
    let back = turn.back.clone();
    let result = catch_unwind(AssertUnwindSafe(move || {
        let Ok(Go { mut machine, .. }) = turn.go.recv() else {
            return;
        };
        machine.control.turn = Some(turn);
        machine.enter_outermost(pending.scope);
        let value = machine.run_pending(pending);
        let left = std::mem::replace(&mut machine.control, Control::new());
        if let Some(turn) = left.turn {
            let _ = turn.back.send(Back::Ended(machine, value));
        }
    }));
    if let Err(payload) = result
        && !payload.is::<Abandoned>()
    {
        let _ = back.send(Back::Panicked(payload));
    }
}
