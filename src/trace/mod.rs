//! Host entry points executed symbolically: what each host thread does, at the granularity of CUDA events.
//!
//! A [`Trace`] is one path through one entry point. It knows nothing of ordering: [`crate::order`] does.

mod access;
mod aggregates;
mod ahead;
mod aims;
mod algorithms;
mod answers;
mod arguments;
mod bytes;
mod callbacks;
mod calls;
pub mod capture;
mod capturing;
mod clients;
mod clock;
mod construct;
mod containers;
mod control;
mod conversions;
mod copies;
pub mod coverage;
mod cuda;
mod declared;
mod demands;
mod described;
mod device_places;
mod device_vectors;
mod devices;
mod elements;
mod environment;
mod exchange;
mod executables;
mod expressions;
mod extended;
mod fits;
mod forbidden;
mod functors;
mod getters;
mod globals;
mod graph_edits;
mod graph_order;
mod graphs;
mod guards;
mod handles;
mod held;
mod host;
mod host_memory;
mod initialisers;
mod invoke;
mod iterators;
mod joins;
mod kernels;
mod keys;
mod lambdas;
mod launches;
mod layout;
mod left_out;
mod linked;
mod lists;
mod lookups;
mod loops;
mod losses;
mod machine;
mod making;
mod making_new;
mod meetings;
mod memory;
mod mixins;
mod models;
mod moves;
mod named_calls;
pub mod notes;
mod numbers;
mod observe;
mod openmp;
mod operators;
mod optionals;
mod overlays;
mod overloads;
mod ownership;
mod parts;
mod paths;
mod patience;
mod places;
mod polled;
mod posix;
mod protocol;
mod ranges;
mod reads;
mod reals;
mod receivers;
mod results;
mod sections;
mod sequences;
mod shapes;
mod shared;
mod stakes;
mod stalls;
mod start;
mod statements;
mod stopping;
mod switches;
mod templates;
mod texts;
mod textual;
mod threads;
mod touch;
mod traits;
mod transfers;
mod turns;
mod types;
mod unseen_calls;
mod unseen_joins;
mod variants;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::api;
use crate::facts::ir::BinaryOp;
use crate::program::kernels::LoadKind;
use crate::program::{Field, FileId, FunctionId, GlobalId};
use crate::syntax::Span;

pub use access::{Access, Extent, Mode, ValueId};
pub use callbacks::{Callback, CallbackCall};
pub use clients::ClientTracing;
pub use devices::DeviceId;
pub use launches::{AskedForLess, Grid, Launch};
pub use observe::Observation;
pub use paths::{Effort, Tracing, trace_clients, trace_entry, trace_two_calls};

/// Limits of the symbolic execution; hitting one lowers confidence and is counted, never an error.
pub mod budget {
    /// Functions inlined into each other.
    pub const INLINE_DEPTH: usize = 8;
    /// One in so many of the steps that are left is kept for what stands behind calls that each get their part.
    pub const FAIR_REST: u32 = 8;
    /// Of what stands behind a call, so many others get as much as it does.
    pub const FAIR_CALLS: u32 = 8;
    /// At least so many paths are looked at there, if there are as many.
    pub const FAIR_PATHS: u32 = 2;
    /// One in so many of a path's steps is what a call gets at most where a function's own launches and CUDA calls are aimed at.
    pub const AIMED_CALLS: u32 = 64;
    /// At least so many paths are looked at there, if there are as many.
    pub const AIMED_PATHS: u32 = 4;
    /// Paths there that reach nothing new of them, one after the other, after which it is given up.
    pub const AIMED_IDLE: usize = 5;
    /// So many times what others get there are steps for all paths.
    pub const AIMED_STEPS: u32 = 4;
    /// Functions inlined into each other whose other sides are looked at before those of what they call, there.
    pub const NEAR_DEPTH: usize = 3;
    /// The same with functions of models, which are short and call little but what they are handed.
    pub const MOST_FRAMES: usize = 128;
    /// Calls of one function in each other, where everything that decides how many there are is known.
    pub const RECURSION: usize = 32;
    /// Paths explored per entry point.
    pub const PATHS: usize = 48;
    /// Statements and expressions executed per path.
    pub const STEPS: u32 = 60_000;
    /// The same over all paths of an entry point.
    pub const ENTRY_STEPS: u32 = 120_000;
    /// The same over all entry points of a program: shared out, so that time grows with its size and not faster.
    pub const PROGRAM_STEPS: u32 = 4_000_000;
    /// What every entry point gets at least.
    pub const LEAST_STEPS: u32 = 8_000;
    /// The same for entry points that lead to asynchronous work, and to no wait: over the program, and for each.
    pub const OTHER_PROGRAM_STEPS: u32 = 2_000_000;
    /// The same for functions that no path from an entry point went through, over all that make CUDA calls.
    pub const UNREACHED_PROGRAM_STEPS: u32 = 6_000_000;
    /// What each of them gets at least.
    pub const OTHER_LEAST_STEPS: u32 = 4_000;
    /// What each of them gets at most.
    pub const OTHER_ENTRY_STEPS: u32 = 40_000;
    /// Paths explored in each of them.
    pub const OTHER_PATHS: usize = 12;
    /// Steps for what a client does with an interface.
    pub const CLIENT_STEPS: u32 = 16_000;
    /// Paths explored of it.
    pub const CLIENT_PATHS: usize = 12;
    /// Steps for a function that is looked at for what it promises to whoever hands it a stream.
    pub const PROMISE_STEPS: u32 = 8_000;
    /// Paths explored in it.
    pub const PROMISE_PATHS: usize = 8;
    /// Paths without a single wait after which an entry point is given up.
    pub const IDLE_PATHS: usize = 4;
    /// How often an object that could not be made is made another way.
    pub const MAKINGS: u32 = 3;
    /// Bytes of a function that makes no events above which it is not followed.
    pub const QUIET_BYTES: u32 = 2_000;
    /// The same of its expressions alone.
    pub const QUIET_BYTES_OF_CODE: u32 = 1_000;
    /// Steps a call or loop that makes no events may take at least, and at most where many are left.
    pub const QUIET_STEPS: u32 = 600;
    /// The most of them.
    pub const MOST_QUIET_STEPS: u32 = 4_000;
    /// Steps a call of a function gets that has taken its share of a path already, and does no more than take locks and store.
    pub const REPEATED_STEPS: u32 = 60;
    /// Events recorded per thread.
    pub const EVENTS: usize = 600;
    /// The same for what takes no time by itself, on top of that and over all threads: mutexes taken and given back, stores
    /// that no device sees.
    pub const BRIEF_EVENTS: usize = 1_200;
    /// Elements of one array that a statement stores one after the other and that are told apart: what follows is one
    /// store of all that is behind.
    pub const ELEMENTS: u32 = 32;
    /// Host threads per path: their order takes memory with the square of their number.
    pub const THREADS: usize = 128;
    /// Host accesses recorded per path, on top of that.
    pub const TOUCHES: u32 = 400;
    /// Iterations of a loop whose trip count is not known.
    pub const ITERATIONS: u32 = 2;
    /// Iterations of a loop with a known trip count.
    pub const KNOWN_ITERATIONS: u32 = 9;
    /// The same where the body gives the device nothing to do: streams that are made, events that are waited for.
    pub const LIGHT_ITERATIONS: u32 = 64;
    /// One in so many of the steps that are left is what such a loop may take for them.
    pub const LIGHT_PART: u32 = 4;
    /// The same where every pass takes what another thread has handed over: events are what limits it.
    pub const SERVED_ITERATIONS: u32 = 256;
}

/// One path through one entry point.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Where execution started.
    pub entry: FunctionId,
    /// Host threads; the first is the entry's own.
    pub threads: Vec<Thread>,
    /// Streams by [`StreamId`].
    pub streams: Vec<Stream>,
    /// Devices by [`DeviceId`]: their numbers, where they are known.
    pub devices: Vec<Option<i64>>,
    /// The program is started with nothing but its name.
    pub bare: bool,
    /// `true` once the program itself chose `CUDA_MODULE_LOADING=EAGER` before its first CUDA call.
    pub eager: bool,
    /// `true` when the program set `CUDA_LAUNCH_BLOCKING` to 1.
    pub launch_blocking: bool,
    /// Budgets hit on this path.
    pub budgets_hit: u32,
    /// It ends before the entry point does.
    pub stopped: bool,
    /// Assumptions that concern the whole path.
    pub assumptions: Vec<String>,
    /// Functions that were executed.
    pub executed: BTreeSet<FunctionId>,
    /// Which way it went where nobody knows the condition, in order.
    pub decisions: Vec<Decided>,
    /// What the path shows beside its events.
    pub notes: notes::Notes,
    /// Events created on this path, with the user's name for them.
    pub events: BTreeMap<EventId, String>,
}

/// A way taken where nobody knows the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The condition was taken to hold.
    pub taken: bool,
    /// The program knows it: it depends on what a loop or a call that was not followed to its end leaves.
    pub lost: bool,
    /// The host thread that asks, and how many events it has by then.
    pub at: (ThreadId, u32),
}

/// A host thread.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// What it does, in program order.
    pub events: Vec<Event>,
}

/// Index into [`Trace::threads`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// Index into [`Trace::streams`]; the first is always the legacy default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StreamId(pub u32);

/// The legacy default stream.
pub const LEGACY: StreamId = StreamId(0);

/// A CUDA event object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventId(pub u32);

/// A stream.
#[derive(Clone, Debug)]
pub struct Stream {
    /// How it orders against the legacy default stream.
    pub kind: StreamKind,
    /// The user's name for it.
    pub name: String,
    /// Device it belongs to (the current one when it was made).
    pub device: DeviceId,
    /// Made by this path, rather than handed in.
    pub created: bool,
    /// For an argument of the entry point, how many streams there were when it was handed in: it is none of those made
    /// later.
    pub handed_in: Option<u32>,
    /// What somebody else keeps: a call that nobody sees returned it, or it is part of what was handed in.
    pub kept: bool,
    /// It is kept by what the function was handed.
    pub carried: bool,
    /// It was found as an element of a list or table.
    pub element: bool,
    /// The call that made it, or those it may be one of.
    pub made: Option<Site>,
    /// The field of an object nobody saw being made that it was found in, where only calls that make streams fill it.
    pub own: Option<OwnField>,
}

/// A field that is a stream of its object's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnField {
    /// The field, as its class declares it.
    pub field: Field,
    /// Where it is.
    pub place: Location,
}

impl OwnField {
    /// Whether the streams in two fields are two for sure: different fields, or parts of one object.
    pub fn is_apart(&self, other: &OwnField) -> bool {
        let known = |it: &Location| {
            it.path
                .iter()
                .all(|it| matches!(it, Step::Field(_) | Step::Element(_)))
        };
        let (mine, theirs) = (&self.place, &other.place);
        self.field != other.field
            || mine.base == theirs.base && mine.path != theirs.path && known(mine) && known(theirs)
    }
}

/// How a stream orders against the legacy default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// The legacy default stream itself.
    Legacy,
    /// A per-thread default stream: orders with legacy, not with others.
    PerThread,
    /// `cudaStreamCreate`: orders with legacy.
    Blocking,
    /// `cudaStreamNonBlocking`.
    NonBlocking,
    /// Handed in from outside: unknown.
    Unknown,
}

/// Where an event happens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// File.
    pub file: FileId,
    /// Bytes.
    pub span: Span,
    /// Call sites that lead here, outermost first.
    pub frames: Arc<[(FileId, Span)]>,
}

impl Site {
    /// The calls that lead here, outermost first, and the place itself.
    pub fn path(&self) -> Vec<(FileId, Span)> {
        let own = (self.file, self.span);
        self.frames.iter().copied().chain([own]).collect()
    }
}

/// Something a host thread does.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where.
    pub site: Site,
    /// What.
    pub action: Action,
}

/// What a host thread can do.
#[derive(Clone, Debug)]
pub enum Action {
    /// A CUDA or library call, launches included.
    Call(Box<Call>),
    /// A store to memory a device or another thread can see.
    Store(Write),
    /// The thread waits until one of these places is written by somebody else (a polling loop, a condition variable, a future).
    HostWait {
        /// Places polled.
        locations: Vec<Location>,
        /// The loop ends when the place has this relation to this value, where known.
        until: Option<(BinaryOp, i64)>,
        /// What is waited on, in the user's words.
        what: String,
        /// Where the threads took turns, the last stores to these places before it ended, one of each thread: their places
        /// among its events.
        ended_by: Vec<(ThreadId, u32)>,
    },
    /// Starts another host thread.
    Spawn(ThreadId),
    /// Waits for another host thread to end.
    Join(ThreadId),
    /// Takes a mutex.
    Lock(Location),
    /// Gives a mutex back.
    Unlock(Location),
    /// The host reads or writes memory that work enqueued before may still use.
    Touch(Box<Access>),
}

/// A CUDA or library call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Name as written (`cudaFree`, or the kernel for a launch).
    pub name: String,
    /// What is known about it; `None` for a launch with launch syntax.
    pub api: Option<&'static api::Call>,
    /// Device work it enqueues.
    pub work: Option<Work>,
    /// What the host waits for before the call returns.
    pub blocks: Block,
    /// What it loads if that is not loaded yet.
    pub load: Option<Load>,
    /// Current device of the calling thread.
    pub device: DeviceId,
    /// It stands where only builds without `NDEBUG` come.
    pub debug_only: bool,
}

impl Call {
    /// What the host waits for in any build: one with `NDEBUG` does not wait where only others come.
    pub fn waits_for(&self) -> Block {
        if self.debug_only { Block::None } else { self.blocks }
    }

    /// How it takes the context lock; launch syntax does as `cudaLaunchKernel` (M14).
    pub fn lock(&self) -> api::Lock {
        let written = self.work.as_ref().map_or(api::Lock::None, |_| api::Lock::Read);
        self.api.map_or(written, |it| it.lock)
    }
}

/// What the host waits for before a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Nothing.
    None,
    /// Everything enqueued so far in a stream.
    Stream(StreamId),
    /// The latest record of an event.
    Event(EventId),
    /// The work this call enqueues.
    OwnWork,
    /// The same, unless this call is one of those that return at once: it is not known which.
    PerhapsOwnWork,
    /// Everything on the current device.
    Device,
    /// Nothing, but the path goes on as if a query of this stream had been answered with success.
    StreamAnswered(StreamId),
    /// The same for an event.
    EventAnswered(EventId),
}

/// Something that can be loaded into a context.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// A kernel.
    Kernel(KernelUse),
    /// A module: `cuModuleLoad*` always waits, a library leaves its modules to their first use when loading is lazy.
    Module {
        /// Whether lazy loading leaves it for later.
        lazily: bool,
    },
    /// A library's kernels (`cublasCreate`, its first call): waits the first time per library.
    Library(String),
    /// The data of a translation unit (`cudaMemcpyToSymbol`, `cudaGetSymbolAddress`): touches it.
    Unit(FileId),
}

/// Which kernel: an instantiation is a kernel of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KernelUse {
    /// Definition, when it is in the program.
    pub function: Option<FunctionId>,
    /// Name with template arguments, as the user wrote it.
    pub name: String,
    /// Template arguments in a form that can be compared; `None` for one that is not known.
    pub arguments: Vec<Option<String>>,
}

/// Device work.
#[derive(Clone, Debug)]
pub struct Work {
    /// What kind.
    pub kind: WorkKind,
    /// Stream it is enqueued in.
    pub stream: StreamId,
    /// Kernel of a launch.
    pub kernel: Option<KernelUse>,
    /// What must be written by somebody else before it can end; all of them.
    pub waits: Vec<Wait>,
    /// What it writes.
    pub writes: Vec<Write>,
    /// All memory it reads, writes, allocates or frees.
    pub accesses: Vec<Access>,
}

/// Kinds of device work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkKind {
    /// A kernel launch.
    Kernel,
    /// A copy.
    Copy,
    /// A memset.
    Memset,
    /// A stream wait value.
    WaitValue,
    /// A stream write value.
    WriteValue,
    /// An event record.
    Record(EventId),
    /// A stream wait on an event.
    WaitEvent(EventId),
    /// A host function.
    HostFunction,
    /// A graph launch.
    Graph,
    /// Anything else a call enqueues.
    Other,
}

impl WorkKind {
    /// Whether nothing is done: a record and a wait for one only order what stands around them.
    pub fn is_marker(self) -> bool {
        matches!(self, WorkKind::Record(_) | WorkKind::WaitEvent(_))
    }
}

/// A place that is waited on.
#[derive(Clone, Debug, PartialEq)]
pub struct Awaited {
    /// The place.
    pub location: Location,
    /// `place op value` that ends the wait, where known.
    pub until: Option<(BinaryOp, i64)>,
}

/// One wait of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Places that can end it: any of them.
    pub awaited: Vec<Awaited>,
    /// How it is read.
    pub load: LoadKind,
    /// Bytes of the place; 0 when that is not known.
    pub width: u64,
    /// How many writes it takes to get past it: a kernel may wait in each of its rounds.
    pub times: u64,
    /// The last of such rounds.
    pub last: bool,
    /// It comes behind those before it in the list: it looks at its places only when they have let go.
    pub behind: bool,
    /// Those of the kernel's writes that come only after it.
    pub holds: Vec<u32>,
    /// Those that it makes right before, to the place: what was written earlier no longer counts.
    pub resets: Vec<u32>,
    /// Where the waiting stands: the loop in the kernel, or the call itself.
    pub at: (FileId, Span),
    /// Nothing that is not known decides whether it is reached.
    pub sure: bool,
    /// The place in the user's words.
    pub what: String,
}

/// One write.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Place written.
    pub location: Location,
    /// The whole range behind the place, rather than the element.
    pub range: bool,
    /// Value, where known.
    pub value: Option<i64>,
    /// What it is at least, where only that is known.
    pub least: Option<i64>,
    /// Where it is written: inside the kernel, or the host statement.
    pub at: (FileId, Span),
    /// A guess: an unknown function was handed the place.
    pub guess: bool,
    /// Comes after a wait of the same operation.
    pub after_wait: bool,
    /// What it adds to a counter at most, where it does nothing else.
    pub added: Option<i64>,
}

/// A place in host or device memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Object.
    pub base: Base,
    /// Steps into it.
    pub path: Vec<Step>,
}

/// An object in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// A local variable or temporary of this path.
    Local(u32),
    /// A static local: file and offset.
    Static(FileId, u32),
    /// A global variable.
    Global(GlobalId),
    /// The same variable on another device than the first.
    Instance(GlobalId, DeviceId),
    /// Memory from an allocation call.
    Allocation(u32),
    /// What an unknown value points to.
    Outside(u32),
}

/// One step into an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A field.
    Field(Arc<str>),
    /// An element at a known index.
    Element(i64),
    /// An element at an unknown index with an identity: the same expression is the same element.
    At(u32),
    /// Some element.
    Any,
}

impl KernelUse {
    /// Whether two uses can be of one instantiation. Only arguments that are plainly different tell them apart:
    /// deduced and default arguments, aliases and constants do not.
    pub fn may_be(&self, other: &KernelUse) -> bool {
        if self.function.is_none() || self.function != other.function {
            return self == other;
        }
        let differ = |(a, b): (&Option<String>, &Option<String>)| a.is_some() && b.is_some() && a != b;
        !self.arguments.iter().zip(&other.arguments).any(differ)
    }
}

impl Trace {
    /// Whether the stream that the entry point is given is that of an object it is handed.
    pub fn is_given_carried_stream(&self) -> bool {
        self.streams.iter().any(|it| it.carried && it.handed_in.is_some())
    }

    /// What was taken for a stream of its own is another one.
    fn replace_stream(&mut self, from: StreamId, to: StreamId) {
        let replace = |stream: &mut StreamId| {
            if *stream == from {
                *stream = to;
            }
        };
        let events = self.threads.iter_mut().flat_map(|it| &mut it.events);
        for event in events {
            let Action::Call(call) = &mut event.action else {
                continue;
            };
            if let Some(work) = &mut call.work {
                replace(&mut work.stream);
            }
            if let Block::Stream(stream) | Block::StreamAnswered(stream) = &mut call.blocks {
                replace(stream);
            }
        }
        for unseen in &mut self.notes.opaque {
            if unseen.streams.remove(&from) {
                unseen.streams.insert(to);
            }
        }
    }

    /// Whether a stream waits for an event on this path.
    pub fn lets_stream_wait(&self) -> bool {
        let mut events = self.threads.iter().flat_map(|it| &it.events);
        events.any(|it| match &it.action {
            Action::Call(call) => {
                let kind = call.work.as_ref().map(|it| it.kind);
                matches!(kind, Some(WorkKind::WaitEvent(_)))
            }
            _ => false,
        })
    }

    /// Whether anything on the device waits for somebody else on this path.
    pub fn has_waits(&self) -> bool {
        let waits = |event: &Event| match &event.action {
            Action::Call(call) => call.work.as_ref().is_some_and(|work| !work.waits.is_empty()),
            _ => false,
        };
        self.threads.iter().any(|thread| thread.events.iter().any(waits))
    }
}

impl Step {
    /// Whether it leads from a pointer to what that points to, which nobody knows.
    fn is_pointee(&self) -> bool {
        matches!(self, Step::Field(name) if **name == *access::POINTEE)
    }
}

impl Location {
    /// The object itself.
    pub fn object(base: Base) -> Self {
        Location {
            base,
            path: Vec::new(),
        }
    }

    /// Whether it lies behind a pointer in the object, where nobody knows what that points to.
    pub fn is_behind_pointer(&self) -> bool {
        self.path.iter().any(Step::is_pointee)
    }

    /// A step deeper.
    pub fn step(&self, step: Step) -> Self {
        let mut path = Vec::with_capacity(self.path.len() + 1);
        path.extend_from_slice(&self.path);
        path.push(step);
        Location {
            base: self.base,
            path,
        }
    }

    /// A field of it.
    pub fn field(&self, name: &str) -> Self {
        self.step(Step::Field(Arc::from(name)))
    }

    /// The element `index` places further on.
    pub fn element(&self, index: i64) -> Self {
        if let Some(Step::Element(last)) = self.path.last() {
            let mut moved = self.clone();
            let sum = last.saturating_add(index);
            moved.path.pop();
            moved.path.push(Step::Element(sum));
            return moved;
        }
        if index == 0 {
            self.clone()
        } else {
            self.step(Step::Element(index))
        }
    }

    /// Whether a write to `self` can change what a reader of `other` sees. `range`: the write covers everything behind `self`.
    pub fn overlaps(&self, other: &Location, range: bool) -> bool {
        if self.base != other.base {
            return false;
        }
        // The first element of an object and the object itself are one place.
        let steps = |location: &Location| -> Vec<Step> {
            location
                .path
                .iter()
                .filter(|step| **step != Step::Element(0))
                .cloned()
                .collect()
        };
        let (mine, theirs) = (steps(self), steps(other));
        let (mut mine, mut theirs) = (mine.as_slice(), theirs.as_slice());
        let open_ended = |rest: &[Step]| rest.iter().all(|step| !matches!(step, Step::Element(_)));
        loop {
            match (mine, theirs) {
                ([], rest) => return range || open_ended(rest),
                (rest, []) => return open_ended(rest),
                ([a, more_mine @ ..], [b, more_theirs @ ..]) => match (a, b) {
                    (Step::Field(x), Step::Field(y)) if x != y => return false,
                    (Step::Element(x), Step::Element(y)) if x != y => return range && x < y,
                    (Step::Field(_), Step::Element(_)) => return false,
                    (Step::Element(_), Step::Field(_)) => return range,
                    // One side has an index where the other names a field of its first element.
                    (Step::Field(_), Step::At(_) | Step::Any) => theirs = more_theirs,
                    (Step::At(_) | Step::Any, Step::Field(_)) => mine = more_mine,
                    _ => (mine, theirs) = (more_mine, more_theirs),
                },
            }
        }
    }
}

impl Awaited {
    /// These places, each of which ends the wait when it comes to the same.
    pub(crate) fn any_of(locations: &[Location], until: Option<(BinaryOp, i64)>) -> Vec<Self> {
        let awaited = |location: &Location| Awaited {
            location: location.clone(),
            until,
        };
        locations.iter().map(awaited).collect()
    }

    /// Whether a value in a place of so many bytes ends the wait; unknown values may, unless they are too great for that.
    fn ends_with(&self, width: u64, value: Option<i64>, least: Option<i64>) -> bool {
        let Some((op, wanted)) = self.until else {
            return true;
        };
        let Some(value) = value else {
            return match (op, least) {
                (BinaryOp::Equal | BinaryOp::LessEqual, Some(least)) => least <= wanted,
                (BinaryOp::Less, Some(least)) => least < wanted,
                _ => true,
            };
        };
        // What a memset leaves depends on how much of it is read.
        let byte = value & 0xff;
        let value = match width {
            1 => byte,
            2 if value == byte.wrapping_mul(0x0101_0101) => byte.wrapping_mul(0x0101),
            8 if value == byte.wrapping_mul(0x0101_0101) && byte != 0 => return true,
            _ => value,
        };
        let wanted = if width == 1 { wanted & 0xff } else { wanted };
        if op == BinaryOp::BitAnd {
            return value & wanted != 0;
        }
        crate::facts::ir::fold(op, value, wanted).is_none_or(|result| result != 0)
    }
}

impl Wait {
    /// A wait for any of these places that is certainly reached, once, and always reads them anew.
    pub(crate) fn plain(awaited: Vec<Awaited>, at: (FileId, Span), what: String) -> Self {
        Wait {
            awaited,
            load: LoadKind::Fresh,
            width: 0,
            times: 1,
            last: false,
            behind: false,
            holds: Vec::new(),
            resets: Vec::new(),
            at,
            sure: true,
            what,
        }
    }

    /// The places that can end it.
    pub fn locations(&self) -> impl Iterator<Item = &Location> {
        self.awaited.iter().map(|it| &it.location)
    }

    /// What ends it at whichever of its places, where that is known and one thing.
    pub fn until(&self) -> Option<(BinaryOp, i64)> {
        let (first, others) = self.awaited.split_first()?;
        first
            .until
            .filter(|_| others.iter().all(|it| it.until == first.until))
    }

    /// Whether it is known for each of its places what ends it.
    pub fn is_known(&self) -> bool {
        self.awaited.iter().all(|it| it.until.is_some())
    }

    /// Whether this write can end the wait.
    pub fn ended_by(&self, write: &Write) -> bool {
        let mut written = self.written(write);
        written.any(|it| it.ends_with(self.width, write.value, write.least))
    }

    /// Whether this write leaves one of the places with a value that does not end the wait.
    pub fn kept_by(&self, write: &Write) -> bool {
        write.value.is_some() && self.written(write).next().is_some() && !self.ended_by(write)
    }

    /// Whether a value in one of the places ends the wait.
    pub fn satisfied_by(&self, value: i64) -> bool {
        let mut awaited = self.awaited.iter();
        awaited.any(|it| it.ends_with(self.width, Some(value), None))
    }

    /// Whether this write goes to one of the places.
    pub fn touched_by(&self, write: &Write) -> bool {
        self.written(write).next().is_some()
    }

    fn written(&self, write: &Write) -> impl Iterator<Item = &Awaited> {
        let (location, range) = (write.location.clone(), write.range);
        self.awaited
            .iter()
            .filter(move |it| location.overlaps(&it.location, range))
    }
}
