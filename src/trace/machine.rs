//! The state of one path: frames, threads, decisions, and how events are recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ahead::{Decision, Priority};
use super::calls::Argument;
use super::capture;
use super::clock::Clocks;
use super::control::Control;
use super::coverage::{Coverage, Cut};
use super::devices::{DeviceId, Devices};
use super::graph_order::Graph;
use super::host_memory::HostMemoryFacts;
use super::lookups::Lookups;
use super::meetings::Count;
use super::memory::{Memory, Origin, Value};
use super::stakes::Interests;
use super::start::Start;
use super::turns::Turns;
use super::types::Typed;
use super::{
    Action, Base, Block, Event, EventId, Location, Mode, Site, Stream, StreamId, StreamKind, Thread,
    ThreadId, Trace, ValueId, budget,
};
use crate::facts::ir::{Expr, Lambda, Role, Stmt};
use crate::program::{ClassId, FileId, FunctionId, Program, Scope};
use crate::syntax::{FastMap, Span};

/// Elements of an array that one statement has stored.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filled {
    pub(super) count: u32,
    /// The last one, where each was the one behind that before it.
    pub(super) last: Option<i64>,
}

/// One path through one entry point, while it runs.
pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) memory: Memory,
    /// What belongs to the thread that executes.
    pub(super) control: Control<'p>,
    pub(super) closures: Vec<Closure<'p>>,
    pub(super) trace: Trace,
    /// Decisions replayed from an earlier path, then new ones; `true` takes the first side.
    pub(super) decisions: Vec<Decision>,
    pub(super) next_decision: usize,
    /// Unknown conditions already decided on this path.
    pub(super) truths: FastMap<u32, bool>,
    pub(super) steps: u32,
    /// Steps this path may take.
    pub(super) limit: u32,
    /// What one call leads to gets a part of the steps that are left only.
    pub(super) fair: bool,
    /// Steps that one call may take, there.
    pub(super) most_of_call: u32,
    /// What statement lists can do.
    pub(super) interests: Interests,
    /// Names looked up on this path and earlier ones.
    pub(super) lookups: Lookups,
    /// What this path and earlier ones reached.
    pub(super) coverage: Coverage,
    pub(super) next_event: u32,
    pub(super) stream_of_unknown: BTreeMap<u32, StreamId>,
    pub(super) event_of_unknown: BTreeMap<u32, EventId>,
    /// Objects that other threads of the host were handed.
    pub(super) handed_over: BTreeSet<Base>,
    /// Static locals of templates, with what the templates were instantiated for, the first one first.
    pub(super) instances: BTreeMap<Base, Vec<BTreeMap<String, Arc<str>>>>,
    /// Those of further instances, by number.
    pub(super) further_statics: BTreeMap<(Base, usize), u32>,
    /// Static locals that are being initialised, from the outside in.
    pub(super) statics_begun: Vec<Base>,
    /// Static locals of which each thread has its own.
    pub(super) own_of_thread: BTreeSet<Base>,
    /// Variables that each thread has one of.
    pub(super) per_thread: BTreeMap<(ThreadId, Base), Base>,
    pub(super) per_thread_streams: BTreeMap<(ThreadId, DeviceId), StreamId>,
    pub(super) event_names: BTreeMap<EventId, String>,
    pub(super) devices: Devices,
    pub(super) cuda_called: bool,
    /// Memory that work of this path waits on.
    pub(super) waited: BTreeSet<Base>,
    /// Places whose values the host function that is executed waits for, and what the host finds there.
    pub(super) put_off: Vec<(Location, Option<Value>)>,
    /// Streams that capture, and the graph they record into.
    pub(super) capturing: BTreeMap<StreamId, u32>,
    /// Work recorded per graph.
    pub(super) graphs: Vec<Graph>,
    pub(super) capture: capture::State,
    /// Library handles that nobody gave a stream: they work on the default stream.
    pub(super) fresh_handles: BTreeSet<Value>,
    /// Handles of libraries that work on the host.
    pub(super) host_handles: BTreeSet<Value>,
    /// The library call being recorded is made with one of them.
    pub(super) on_default: bool,
    /// The stream of library handles.
    pub(super) handle_streams: BTreeMap<Value, StreamId>,
    /// Unknowns that have this truth only when kernels are loaded eagerly.
    pub(super) eager_checks: BTreeMap<u32, bool>,
    /// What the program has put into its environment.
    pub(super) environment: BTreeMap<String, Arc<str>>,
    /// Threads that were spawned and not executed yet.
    pub(super) pending: Vec<Pending<'p>>,
    /// What threads that take turns keep, and wait for.
    pub(super) turns: Turns<'p>,
    /// How often each place was notified, released or fulfilled.
    pub(super) arrivals: BTreeMap<Location, u32>,
    /// Depth of sides whose changes are taken back.
    pub(super) sides: u32,
    /// Threads that the end of what holds them waits for: `std::jthread`, the future of `std::async`.
    pub(super) joining: BTreeSet<ThreadId>,
    /// Threads that were joined or let go: what held them holds none.
    pub(super) joined: BTreeSet<ThreadId>,
    /// Flags of threads that can be asked to stop.
    pub(super) stops: BTreeMap<ThreadId, Location>,
    /// What runs when such a flag is set.
    pub(super) stop_callbacks: BTreeMap<Location, Vec<Value>>,
    /// How often each thread has arrived at a barrier.
    pub(super) rounds: BTreeMap<(ThreadId, Location), u32>,
    /// How often a semaphore was acquired.
    pub(super) taken: BTreeMap<Location, i64>,
    /// Places host functions in streams stored to: what they hold comes only when the stream gets there.
    pub(super) deferred_stores: BTreeSet<Location>,
    /// How long containers are, and where they begin, once host functions in streams have run; beside what the host had
    /// when it handed the last of them over.
    pub(super) deferred_lengths: (Deferred, Deferred),
    /// Numbers that host functions in streams change.
    pub(super) late_numbers: super::callbacks::LateNumbers,
    /// Places that host functions have changed since the host waited for the device.
    pub(super) left_by_callbacks: BTreeSet<Location>,
    /// Entries that host functions in streams take out of maps.
    pub(super) deferred_removals: BTreeSet<Location>,
    /// Callables made by `std::bind`, with their arguments.
    pub(super) bindings: Vec<(Value, Vec<Argument>)>,
    /// What was not followed may have changed variables that were not looked at yet.
    pub(super) globals_lost: bool,
    /// Nobody has called a function of this file before: its own variables hold what they begin with.
    pub(super) begun_file: Option<FileId>,
    /// Unknowns that hold a property of the device.
    pub(super) quantities: BTreeMap<u32, super::launches::Quantity>,
    /// Calls made by the host functions that are being executed, by their threads.
    pub(super) callback_calls: BTreeMap<ThreadId, Vec<super::CallbackCall>>,
    /// Sides of branches that left a loop, or jumped, and were not followed.
    pub(super) loose_ends: u32,
    /// The path rests on that no side of a branch left that may have left: no other path looks at what is then.
    pub(super) assumed: bool,
    /// Conditions that were decided for the whole path.
    pub(super) decided: Vec<(u32, bool)>,
    /// Elements of arrays of streams that were taken to be made as the others are.
    pub(super) further: Vec<super::elements::Further>,
    /// Stores of sides that were not followed any further.
    pub(super) dropped_stores: u32,
    /// A side of the branch that was joined last left, and was not followed.
    pub(super) left_open: bool,
    /// Branches with such a side, by their conditions.
    pub(super) open_branches: BTreeSet<(FileId, u32)>,
    /// Branches that were taken to make no events, with a side that made some, and how many calls sides of branches made.
    pub(super) busy_branches: BTreeSet<(FileId, u32)>,
    pub(super) calls_in_sides: usize,
    /// Branches whose sides are followed each on a path of its own: what goes on behind one of them ends the process.
    pub(super) told_apart: BTreeSet<(FileId, u32)>,
    /// The last decision before the object whose method is looked at could not be made.
    pub(super) unmade: Option<usize>,
    /// How the program is started.
    pub(super) start: Start,
    /// Conditions nobody knows that were met so far.
    pub(super) asked: u32,
    /// Known ones.
    pub(super) answered: u32,
    /// The object that the entry point is a method of.
    pub(super) entry_object: Option<Base>,
    /// What passes of loops that nobody followed may do.
    pub(super) left_out: super::left_out::LeftOut,
    /// Calls that are meant to fail.
    pub(super) expected: super::results::Expected,
    /// Set once the process has ended.
    pub(super) exited: bool,
    /// The function that ended it last.
    pub(super) ended_by: Option<FunctionId>,
    /// Readings of clocks, and what is computed from them.
    pub(super) clocks: Clocks,
    /// What is known of host memory: where it is allocated, what is registered.
    pub(super) host_memory: HostMemoryFacts,
    /// Memory that some work was enqueued for: host accesses of it are recorded.
    pub(super) watched: BTreeSet<Base>,
    /// Host accesses recorded since work was last enqueued.
    pub(super) touched: BTreeSet<(ThreadId, Location, Mode)>,
    /// How many host accesses were recorded.
    pub(super) touches: u32,
    /// How many events take no time by themselves, of all threads.
    brief_events: usize,
    /// Steps that such functions have taken on this path.
    pub(super) spent_on: BTreeMap<FunctionId, u32>,
    /// Streams among the arguments of the entry point, and how many streams there were by then.
    pub(super) handed_in: BTreeMap<u32, u32>,
    /// What threads have stored where others look, place by place.
    pub(super) counts: BTreeMap<Location, Vec<Count>>,
    /// Classes that objects the caller of the entry point handed in were declared with.
    pub(super) handed_classes: BTreeMap<super::Base, ClassId>,
    /// What those are called.
    pub(super) handed_names: BTreeMap<u32, String>,
    /// What calls returned that nobody sees, with the notes of them.
    pub(super) unseen_results: BTreeMap<u32, usize>,
    /// What methods returned of objects that the caller of the entry point handed in.
    pub(super) answers_of_arguments: BTreeSet<u32>,
    /// Communicators that collectives were called on.
    pub(super) communicators: Vec<Value>,
    /// Memory of thrust's containers.
    pub(super) device_vector_memory: BTreeSet<Base>,
    /// Threads of the grid and of the block of the launch that is looked at, where known.
    pub(super) shape: (Option<i64>, Option<i64>),
    /// What the host had stored where a kernel got to write, by the number that stands there since.
    pub(super) stored_before: BTreeMap<u32, i64>,
    /// Sizes of allocations, as they were asked for.
    pub(super) sizes: BTreeMap<Base, Value>,
    /// What each statement has stored of an array, element by element, since something else than a store happened.
    pub(super) filled: BTreeMap<(FileId, Span, Location), Filled>,
    /// Values that accesses depend on.
    pub(super) value_ids: BTreeMap<Value, ValueId>,
    /// Nodes of graphs: the graph, and which of its nodes.
    pub(super) graph_nodes: BTreeMap<Value, (u32, u32)>,
}

/// Numbers the host had, and those that host functions in streams leave.
pub(super) type Deferred = BTreeMap<Location, (i64, i64)>;

/// A function being executed.
pub(super) struct Frame<'p> {
    pub(super) file: FileId,
    pub(super) path: &'p [String],
    pub(super) function: Option<FunctionId>,
    pub(super) this: Option<Location>,
    pub(super) class: Option<ClassId>,
    pub(super) scopes: Vec<Names<'p>>,
    /// Where it was called from.
    pub(super) call_site: Option<(FileId, Span)>,
    pub(super) template: BTreeMap<String, Arc<str>>,
    /// Arguments behind the last named parameter: `args...`, `__VA_ARGS__`.
    pub(super) pack: Option<(String, Vec<Argument>)>,
    /// What the parameters of a macro stand for where it puts them into a lambda.
    pub(super) textual: Textual<'p>,
    /// A macro sees the names of the frame it stands in.
    pub(super) transparent: bool,
    /// It evaluates what a macro was handed, which was written in the text of that frame.
    pub(super) author: Option<usize>,
    /// It makes no events: what it returns, and where, is followed to all of its ends.
    pub(super) quiet: bool,
    /// It calls functions in one place at most: however many such functions are called in each other, there are no
    /// more calls for it.
    pub(super) link: bool,
    /// Sides of its branches that left what they stand in before its end.
    pub(super) early: Vec<super::joins::Early>,
    /// How many of them had left before what runs.
    pub(super) early_before: super::joins::LeftBefore,
    /// How many conditions nobody knows were met before it began.
    pub(super) asked: u32,
    /// How many known ones.
    pub(super) answered: u32,
    /// What it gets of the things that the caller of the entry point handed in.
    pub(super) handed: Option<String>,
    /// How many arguments it was handed.
    pub(super) given: usize,
    /// How many places that may outlive the call were read before it began.
    pub(super) outlasting: usize,
    /// Conditions that some side leaves it from.
    pub(super) guards: Vec<super::guards::Guard>,
}

impl<'p> Frame<'p> {
    /// Where its text stands.
    pub(super) fn scope(&self) -> Scope<'p> {
        Scope {
            file: self.file,
            path: self.path,
        }
    }

    /// A macro that is being expanded.
    pub(super) fn is_macro(&self) -> bool {
        self.transparent && self.function.is_some()
    }

    /// Its blocks, innermost first; without the outermost, of parameters, where only what its text declares is seen.
    pub(super) fn blocks(&self, parameters: bool) -> impl Iterator<Item = &Names<'p>> {
        self.scopes[usize::from(!parameters)..].iter().rev()
    }
}

/// Parameters of a macro that stand for text, and what was written for them where.
pub(super) type Textual<'p> = BTreeMap<String, Text<'p>>;

/// What a macro was handed.
#[derive(Clone)]
pub(super) struct Text<'p> {
    pub(super) file: FileId,
    pub(super) written: Vec<&'p Expr>,
    /// The frame in whose text it was written; of what a closure keeps, the closure's own.
    pub(super) author: Option<usize>,
}

/// Names of one block, and what its end destroys.
#[derive(Default)]
pub(super) struct Names<'p> {
    pub(super) names: BTreeMap<String, Location>,
    /// How they are declared, where that is known.
    pub(super) types: BTreeMap<String, Typed<'p>>,
    /// Those of them that are references to temporaries, or to something moved.
    pub(super) moved: BTreeSet<String>,
    pub(super) cleanups: Vec<Cleanup>,
    /// Variables whose life ends with it.
    pub(super) variables: Vec<Base>,
}

/// What happens at the end of a scope.
#[derive(Clone, Debug)]
pub(super) enum Cleanup {
    Destroy(Location, ClassId),
    /// A smart pointer: its deleter or the pointee's destructor.
    Release(Location),
    Unlock(Location),
    Join(Location),
    /// A container destroys its elements.
    Elements(Location),
    /// An optional lets go of what it holds.
    Empty(Location),
    /// A container of a CUDA library gives its memory back.
    DeviceVector(Location),
    /// What holds objects of the program, nobody knows which.
    Forget(Location),
    /// What was registered to run at the end of the process.
    Run(Value),
}

/// A spawned thread's work. It is executed where somebody waits for what it does, or at the end.
pub(super) struct Pending<'p> {
    pub(super) thread: ThreadId,
    /// Where it was spawned.
    pub(super) scope: Scope<'p>,
    pub(super) callee: Value,
    pub(super) args: Vec<Argument>,
    pub(super) span: Span,
    /// What was stored where when it was started.
    pub(super) cells: BTreeMap<Location, Value>,
}

/// A lambda with what it captured.
#[derive(Clone)]
pub(super) struct Closure<'p> {
    pub(super) lambda: &'p Lambda,
    /// The function it is written in.
    pub(super) function: Option<FunctionId>,
    pub(super) file: FileId,
    pub(super) path: &'p [String],
    pub(super) this: Option<Location>,
    pub(super) class: Option<ClassId>,
    pub(super) captured: BTreeMap<String, Location>,
    /// How what it captured is declared.
    pub(super) types: BTreeMap<String, Typed<'p>>,
    pub(super) bound: Vec<Value>,
    pub(super) textual: Textual<'p>,
    /// What the template parameters stand for where it is written.
    pub(super) template: BTreeMap<String, Arc<str>>,
    pub(super) called: bool,
}

/// How control leaves a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
    Goto(String),
    /// An exception leaves.
    Throw,
    /// The process ends, or a budget is spent.
    Stop,
}

/// How deep conditions are taken apart.
const MOST_NESTED: u32 = 6;

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, entry: FunctionId, decisions: Vec<Decision>) -> Self {
        let legacy = Stream {
            kind: StreamKind::Legacy,
            name: "the legacy default stream".to_owned(),
            device: DeviceId::FIRST,
            created: true,
            handed_in: None,
            kept: false,
            carried: false,
            element: false,
            made: None,
            own: None,
        };
        let trace = Trace {
            entry,
            threads: vec![Thread::default()],
            streams: vec![legacy],
            devices: vec![program.is_main(entry).then_some(0)],
            eager: false,
            bare: false,
            launch_blocking: false,
            budgets_hit: 0,
            stopped: false,
            assumptions: Vec::new(),
            executed: BTreeSet::new(),
            decisions: Vec::new(),
            notes: super::notes::Notes::default(),
            events: BTreeMap::new(),
        };
        Machine {
            program,
            memory: Memory::default(),
            control: Control::new(),
            closures: Vec::new(),
            trace,
            decisions,
            next_decision: 0,
            truths: FastMap::default(),
            steps: 0,
            limit: budget::STEPS,
            fair: false,
            most_of_call: u32::MAX,
            interests: Interests::default(),
            lookups: Lookups::default(),
            coverage: Coverage::default(),
            next_event: 0,
            waited: BTreeSet::new(),
            stream_of_unknown: BTreeMap::new(),
            event_of_unknown: BTreeMap::new(),
            handed_over: BTreeSet::new(),
            instances: BTreeMap::new(),
            further_statics: BTreeMap::new(),
            statics_begun: Vec::new(),
            own_of_thread: BTreeSet::new(),
            per_thread: BTreeMap::new(),
            per_thread_streams: BTreeMap::new(),
            event_names: BTreeMap::new(),
            devices: Devices::default(),
            cuda_called: false,
            put_off: Vec::new(),
            capturing: BTreeMap::new(),
            graphs: Vec::new(),
            capture: capture::State::default(),
            fresh_handles: BTreeSet::new(),
            host_handles: BTreeSet::new(),
            on_default: false,
            handle_streams: BTreeMap::new(),
            eager_checks: BTreeMap::new(),
            environment: BTreeMap::new(),
            pending: Vec::new(),
            turns: Turns::default(),
            arrivals: BTreeMap::new(),
            sides: 0,
            joining: BTreeSet::new(),
            joined: BTreeSet::new(),
            stops: BTreeMap::new(),
            stop_callbacks: BTreeMap::new(),
            quantities: BTreeMap::new(),
            callback_calls: BTreeMap::new(),
            rounds: BTreeMap::new(),
            taken: BTreeMap::new(),
            deferred_stores: BTreeSet::new(),
            deferred_lengths: Default::default(),
            late_numbers: super::callbacks::LateNumbers::default(),
            left_by_callbacks: BTreeSet::new(),
            deferred_removals: BTreeSet::new(),
            bindings: Vec::new(),
            globals_lost: false,
            begun_file: None,
            loose_ends: 0,
            assumed: false,
            decided: Vec::new(),
            dropped_stores: 0,
            further: Vec::new(),
            left_open: false,
            open_branches: BTreeSet::new(),
            busy_branches: BTreeSet::new(),
            calls_in_sides: 0,
            told_apart: BTreeSet::new(),
            unmade: None,
            start: Start::default(),
            asked: 0,
            answered: 0,
            entry_object: None,
            left_out: super::left_out::LeftOut::default(),
            expected: super::results::Expected::default(),
            exited: false,
            ended_by: None,
            clocks: Clocks::default(),
            host_memory: HostMemoryFacts::default(),
            watched: BTreeSet::new(),
            touched: BTreeSet::new(),
            touches: 0,
            brief_events: 0,
            spent_on: BTreeMap::new(),
            shape: (None, None),
            device_vector_memory: BTreeSet::new(),
            handed_in: BTreeMap::new(),
            counts: BTreeMap::new(),
            handed_classes: BTreeMap::new(),
            handed_names: BTreeMap::new(),
            unseen_results: BTreeMap::new(),
            answers_of_arguments: BTreeSet::new(),
            communicators: Vec::new(),
            stored_before: BTreeMap::new(),
            sizes: BTreeMap::new(),
            filled: BTreeMap::new(),
            value_ids: BTreeMap::new(),
            graph_nodes: BTreeMap::new(),
        }
    }

    pub(super) fn frame(&self) -> &Frame<'p> {
        self.control.frames.last().expect("a function is being executed")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame<'p> {
        self.control
            .frames
            .last_mut()
            .expect("a function is being executed")
    }

    pub(super) fn scope(&self) -> Scope<'p> {
        self.frame().scope()
    }

    /// Counts a step; `false` when the path's budget is spent.
    pub(super) fn tick(&mut self) -> bool {
        self.steps += 1;
        if self.steps == self.limit {
            self.trace.budgets_hit += 1;
            self.trace.stopped = true;
            self.coverage.cuts.insert(Cut::Steps);
        }
        self.steps < self.limit.min(self.control.patience) && !self.exited && !self.control.throwing
    }

    /// Where something happens: what a macro or a model does happens where it is used.
    pub(super) fn site(&self, span: Span) -> Site {
        let mut depth = self.control.frames.len();
        let mut at = (self.frame().file, span);
        while depth > 0 && self.is_elsewhere(&self.control.frames[depth - 1]) {
            depth -= 1;
            at = self.control.frames[depth].call_site.unwrap_or(at);
        }
        let frames = self.control.frames[..depth]
            .iter()
            .filter_map(|frame| frame.call_site)
            .collect();
        Site {
            file: at.0,
            span: at.1,
            frames,
        }
    }

    /// What runs there happens where it is called: a macro, or a model of a library.
    fn is_elsewhere(&self, frame: &Frame<'_>) -> bool {
        let is_macro = |it| self.program.function(it).role == Role::Macro;
        self.program.is_model(frame.file) || frame.function.is_some_and(is_macro)
    }

    /// How many events the current thread has.
    pub(super) fn events(&self) -> usize {
        self.trace.threads[self.control.thread.0 as usize].events.len()
    }

    /// How many the current thread may have.
    pub(super) fn most_events(&self) -> usize {
        budget::EVENTS + self.touches as usize + self.brief_events.min(budget::BRIEF_EVENTS)
    }

    fn is_brief(&self, action: &Action) -> bool {
        match action {
            Action::Lock(_) | Action::Unlock(_) => true,
            Action::Store(write) => !self.device_visible(&write.location),
            _ => false,
        }
    }

    pub(super) fn emit(&mut self, span: Span, action: Action) {
        if !matches!(action, Action::Store(_)) {
            self.filled.clear();
        }
        if self.events() >= self.most_events() {
            self.trace.budgets_hit += 1;
            self.trace.stopped = true;
            self.coverage.cuts.insert(Cut::Events);
            self.exited = true;
            return;
        }
        if self.trace.notes.first_loss.is_none() && self.memory.has_lost() {
            self.trace.notes.first_loss = Some((self.control.thread, self.position()));
        }
        self.brief_events += usize::from(self.is_brief(&action));
        match action {
            Action::Lock(_) => self.control.locked += 1,
            Action::Unlock(_) => self.control.locked = self.control.locked.saturating_sub(1),
            Action::HostWait { .. } => self.settle_late_numbers(&Block::None),
            _ => {}
        }
        let site = self.site(span);
        self.trace.threads[self.control.thread.0 as usize]
            .events
            .push(Event { site, action });
    }

    /// Which side of an unknown condition this path takes.
    pub(super) fn decide(&mut self, condition: u32) -> bool {
        self.decide_first(condition, true)
    }

    /// The same where the first path to get here takes a certain side.
    pub(super) fn decide_first(&mut self, condition: u32, first: bool) -> bool {
        self.note_decision();
        self.settle(condition, first, Priority::Usual)
    }

    /// The same, where what comes behind is no less sure for it, and when the other side is looked at.
    pub(super) fn settle(&mut self, condition: u32, first: bool, priority: Priority) -> bool {
        if let Some(known) = self.truth(&Value::Unknown(condition)) {
            return known;
        }
        let (root, inverted) = self.root_of(condition);
        if !inverted && self.memory.is_refuted(root, &self.truths) {
            self.truths.insert(root, false);
            self.memory.note_seen(root, false);
            return false;
        }
        let taken = match self.decisions.get(self.next_decision) {
            Some(decision) => decision.taken,
            None => {
                let depth = self.depth();
                let aside = self.control.aside > 0 || self.fair && depth > budget::NEAR_DEPTH;
                let priority = match priority {
                    Priority::Usual if depth <= 1 => Priority::Own,
                    it => it,
                };
                self.decisions.push(Decision {
                    at: (self.frame().file, self.control.branching),
                    taken: first,
                    priority: if aside {
                        priority.max(Priority::Aside)
                    } else {
                        priority
                    },
                });
                first
            }
        };
        let decided = super::Decided {
            taken,
            lost: self.memory.is_lost(condition),
            at: (self.control.thread, self.position()),
        };
        self.trace.decisions.push(decided);
        self.next_decision += 1;
        self.learn(root, taken != inverted);
        self.learn_one_stream(root, taken != inverted, true);
        self.decided.push((condition, taken));
        self.learn_loading(condition, taken);
        self.memory.note_seen(condition, taken);
        taken
    }

    /// Remembers that an unknown condition was assumed to hold, or not.
    pub(super) fn assume(&mut self, condition: u32, holds: bool) {
        self.learn(condition, holds);
        self.learn_one_stream(condition, holds, false);
        self.learn_loading(condition, holds);
    }

    /// A condition holds on this path, or not, and with it what it is made of: both sides of a conjunction that holds, and
    /// the other side of one that does not, where one side is known to hold.
    pub(super) fn learn(&mut self, condition: u32, holds: bool) {
        let mut implied = Vec::new();
        self.memory.implied(condition, holds, &mut implied);
        for (condition, holds) in implied {
            let (root, inverted) = self.root_of(condition);
            let holds = holds != inverted;
            self.truths.entry(root).or_insert(holds);
            let Some((is_conjunction, left, right)) = self.memory.junction(root).filter(|it| it.0 != holds)
            else {
                continue;
            };
            let other = match (self.truth(left), self.truth(right)) {
                (Some(known), None) if known == is_conjunction => right,
                (None, Some(known)) if known == is_conjunction => left,
                _ => continue,
            };
            if let Value::Unknown(other) = *other {
                self.learn(other, !is_conjunction);
            }
        }
    }

    /// What is known of the truth of a value.
    pub(super) fn truth(&self, value: &Value) -> Option<bool> {
        self.truth_within(value, MOST_NESTED)
    }

    fn truth_within(&self, value: &Value, depth: u32) -> Option<bool> {
        match value {
            Value::Int(it) => Some(*it != 0),
            Value::Unknown(id) if self.memory.least_of(*id) > Some(0) => Some(true),
            Value::Unknown(id) => {
                let (root, inverted) = self.root_of(*id);
                let known = self.memory.results.happened(root);
                let known = known.or_else(|| self.truths.get(&root).copied());
                let known = known.or_else(|| self.truth_of_parts(root, depth));
                known.map(|known| known != inverted)
            }
            _ => Some(true),
        }
    }

    /// What a conjunction or disjunction is by what is known of its sides.
    fn truth_of_parts(&self, condition: u32, depth: u32) -> Option<bool> {
        let (is_conjunction, left, right) = self.memory.junction(condition).filter(|_| depth > 0)?;
        let left = self.truth_within(left, depth - 1);
        if left == Some(!is_conjunction) {
            return left;
        }
        let right = self.truth_within(right, depth - 1);
        if right == Some(!is_conjunction) || left == right {
            return right;
        }
        None
    }

    pub(super) fn root_of(&self, condition: u32) -> (u32, bool) {
        let (mut root, mut inverted) = (condition, false);
        while let Some((inner, opposite)) = self.memory.truth_of(root) {
            root = inner;
            inverted ^= opposite;
        }
        (root, inverted)
    }

    // Names.

    pub(super) fn declare(&mut self, name: &str, location: Location) {
        let frame = self.frame_mut();
        if let Some(scope) = frame.scopes.last_mut() {
            scope.types.remove(name);
            scope.moved.remove(name);
            scope.names.insert(name.to_owned(), location);
        }
    }

    /// The name that was declared last refers to what nobody else needs any more.
    pub(super) fn mark_moved(&mut self, name: &str) {
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.moved.insert(name.to_owned());
        }
    }

    /// How the name that was declared last is declared.
    pub(super) fn declare_type(&mut self, name: &str, ty: Typed<'p>) {
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.types.insert(name.to_owned(), ty);
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Location> {
        self.visible_blocks()
            .find_map(|scope| scope.names.get(name))
            .cloned()
    }

    /// All local names that can be seen here, outermost first.
    pub(super) fn visible_names(&self) -> BTreeMap<String, Location> {
        let mut first = self.control.frames.len() - 1;
        while first > 0 && self.control.frames[first].transparent {
            first -= 1;
        }
        self.control.frames[first..]
            .iter()
            .flat_map(|frame| &frame.scopes)
            .flat_map(|scope| {
                scope
                    .names
                    .iter()
                    .map(|(name, place)| (name.clone(), place.clone()))
            })
            .collect()
    }

    // Memory.

    /// The place a pointer value points to.
    pub(super) fn pointee(&mut self, value: &Value) -> Option<Location> {
        match value {
            Value::Pointer(location) => Some(location.clone()),
            // An owner that a function gave back.
            Value::Aggregate(owner) if self.memory.smart.contains(owner) => {
                let held = self.memory.get(owner).cloned()?;
                self.pointee(&held)
            }
            Value::Aggregate(location) => Some(location.clone()),
            Value::Unknown(id) => Some(Location::object(Base::Outside(*id))),
            _ => None,
        }
    }

    /// Whether a device, or another thread by way of a device, can see stores to a place.
    pub(super) fn device_visible(&self, location: &Location) -> bool {
        match location.base {
            Base::Allocation(_) => self.memory.origin(location.base) != Some(Origin::Heap),
            Base::Outside(_) => true,
            Base::Global(id) | Base::Instance(id, _) => {
                self.program.global(id).variable.space.is_some() || self.is_pinned_variable(location)
            }
            Base::Local(_) | Base::Static(..) => self.is_pinned_variable(location),
        }
    }

    /// Whether a polled place can be changed by somebody else: what a lock guards that the thread holds is not.
    pub(super) fn is_shared(&self, location: &Location) -> bool {
        self.device_visible(location)
            || self.memory.shared.contains(location)
            || match location.base {
                Base::Global(id) => self.program.global(id).variable.ty.is_for_others(),
                _ => false,
            }
    }

    /// What is not a thread's own is guarded by the lock it holds: others look at it.
    pub(super) fn is_guarded(&self, place: &Location) -> bool {
        let declares = |frame: &Frame<'_>| frame.scopes.iter().any(|it| it.variables.contains(&place.base));
        let is_own = || !self.handed_over.contains(&place.base) && self.control.frames.iter().any(declares);
        self.control.locked > 0 && self.trace.threads.len() > 1 && !is_own()
    }

    /// Another thread of the host gets these.
    pub(super) fn hand_over_to_thread(&mut self, args: &[Argument]) {
        let is_object = |it: &&Argument| !matches!(it.value, Value::Function(..));
        let objects: Vec<Argument> = args.iter().filter(is_object).cloned().collect();
        self.handed_over
            .extend(self.reachable(&objects).into_iter().flatten());
    }

    /// Whether host memory behind a pointer is known to be pageable.
    pub(super) fn is_pageable(&self, value: &Value) -> bool {
        match value {
            Value::Pointer(location) if self.is_registered(location) => false,
            Value::Pointer(location) => match location.base {
                Base::Local(_) | Base::Static(..) => true,
                Base::Global(id) | Base::Instance(id, _) => self.program.global(id).variable.space.is_none(),
                Base::Allocation(_) => self.memory.origin(location.base) == Some(Origin::Heap),
                Base::Outside(_) => false,
            },
            _ => false,
        }
    }

    /// Runs `body` as another host thread and comes back.
    pub(super) fn as_thread<T>(&mut self, thread: ThreadId, body: impl FnOnce(&mut Self) -> T) -> T {
        let (caller, device, locked) = (self.control.thread, self.control.device, self.control.locked);
        self.control.thread = thread;
        self.control.locked = 0;
        self.control.device = DeviceId::FIRST;
        let result = body(self);
        self.control.thread = caller;
        self.control.device = device;
        self.control.locked = locked;
        result
    }

    pub(super) fn new_thread(&mut self) -> ThreadId {
        self.trace.threads.push(Thread::default());
        ThreadId(self.trace.threads.len() as u32 - 1)
    }

    /// The user's words for a piece of source, on one line.
    pub(super) fn words(&self, span: Span) -> String {
        let (file, span) = self.at(span);
        self.program.words(file, span)
    }
}

/// Whether statements hold nothing.
pub(super) fn is_empty(body: &[Stmt]) -> bool {
    body.iter()
        .all(|it| matches!(&it.kind, crate::facts::ir::StmtKind::Block(inner) if is_empty(inner)))
}
