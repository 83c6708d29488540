//! What a kernel does to memory others can see: the places it waits on, writes and reads, and what bounds its waits.

mod arrivals;
mod assembly;
mod atomics;
mod barriers;
mod calls;
mod conditions;
mod declare;
mod evaluate;
mod loops;
mod memory;
mod part;
mod predicates;
mod recursion;
mod release;
mod rounds;
mod scan;
mod session;
mod store;
mod summarise;
mod symbols;
mod tables;
mod templates;
#[cfg(test)]
mod tests;
mod waiting;
mod walk;

pub use arrivals::Arrivals;
pub use barriers::{Arrival, GridBarrier};
pub use predicates::Predicate;
pub use tables::type_size;

use super::{FileId, FunctionId, GlobalId};
use crate::facts::ir::{BinaryOp, Class, Expr, Function, Lambda, Name, Span, Type};

/// What a kernel does to memory others can see; everything it calls is folded in. `arguments` are what its template
/// parameters stand for, where they are classes or functions; `handed` are the lambdas it is given.
pub fn summarise<'a>(
    scope: &'a dyn DeviceScope,
    kernel: FunctionId,
    arguments: &[Option<Name>],
    handed: &[Handed<'a>],
) -> KernelSummary {
    summarise::summarise(scope, kernel, arguments, handed)
}

/// What an object does that the device calls by this `operator()`. The object stands behind the parameters, as one more.
pub fn summarise_callable(scope: &dyn DeviceScope, method: FunctionId) -> KernelSummary {
    summarise::summarise_callable(scope, method)
}

/// A device lambda among the arguments of a launch. What it captured are fields of that argument.
#[derive(Clone, Debug)]
pub struct Handed<'a> {
    /// Position among the parameters.
    pub parameter: u32,
    /// The lambda.
    pub lambda: &'a Lambda,
    /// The host function it is written in.
    pub function: FunctionId,
    /// What it captured, with the types those were declared with.
    pub captures: Vec<(&'a str, Option<&'a Type>)>,
}

/// A type or function name as written in template arguments; `None` for pointers, references and numbers.
pub fn written_name(text: &str) -> Option<Name> {
    Name::written(text).filter(|name| !name.last().starts_with(|it: char| it.is_ascii_digit()))
}

/// Whether a function has a loop that could wait, and the names it calls, which may have one.
pub fn loops_and_calls(function: &Function) -> (bool, Vec<&str>) {
    scan::loops_and_calls(function)
}

/// Whether a function mentions a grid group, so that it could wait for the whole grid.
pub fn mentions_grid(function: &Function) -> bool {
    scan::mentions_grid(function)
}

/// The summary of one kernel (device functions it calls are folded in, their arguments bound).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelSummary {
    /// Unbounded waiting loops.
    pub waits: Vec<WaitLoop>,
    /// Loops that wait but end by themselves (clock, trip count, time-out flag).
    pub bounded_waits: Vec<WaitLoop>,
    /// Waiting loops that other threads of the same launch release: locks, barriers, block chains.
    pub internal_waits: Vec<WaitLoop>,
    /// Stores and atomic updates to memory that is visible outside the kernel.
    pub writes: Vec<Access>,
    /// Loads of such memory.
    pub reads: Vec<Access>,
    /// Device `printf`, `assert` or `malloc`/`new` is reachable: where, and the name used.
    pub heap_uses: Vec<(FileId, Span, String)>,
    /// Bytes of local arrays per thread, when every size is known.
    pub local_bytes: u64,
    /// `grid.sync()` of a cooperative grid group is reachable.
    pub grid_sync: Option<(FileId, Span)>,
    /// Points at which every block waits for every other one.
    pub barriers: Vec<GridBarrier>,
    /// A loop goes on until a function nobody knows, which is handed memory others can see, lets it end.
    pub unseen_waits: bool,
    /// It calls through a template parameter: what it does depends on the classes a launch puts there.
    pub dependent: bool,
    /// A callee had no visible body, or a budget was hit: waits and writes may be missing.
    pub incomplete: bool,
}

impl KernelSummary {
    /// `true` when the kernel may stay resident until somebody outside it changes memory.
    pub fn may_wait(&self) -> bool {
        !self.waits.is_empty()
    }
}

/// A loop that only ends when somebody else changes a place.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitLoop {
    /// Bytes of the loop.
    pub file: FileId,
    /// Bytes of the loop statement's head.
    pub span: Span,
    /// Where the loop statement ends.
    pub end: u32,
    /// Places its exit conditions read (any of them can end it; most loops have one).
    pub awaited: Vec<AwaitedPlace>,
    /// How the place is read.
    pub load: LoadKind,
    /// Conditions on kernel parameters under which it is reached: expression over parameters, and the side taken.
    pub guards: Vec<(Expr, bool)>,
    /// Nothing but the guards and the position of a thread decides whether it is reached.
    pub certain: bool,
    /// Bytes of what is read; 0 when that is not known.
    pub width: u64,
    /// How many writes it takes to get past it, over kernel parameters: one for each round, or for each such wait.
    pub times: Option<Expr>,
    /// It ends a loop that waits in each of its rounds: its places are looked at behind those waits.
    pub session: bool,
    /// The same wait in its last round; what the kernel does in earlier ones does not wait for it.
    pub last: bool,
    /// Those of [`KernelSummary::writes`] that come only after it.
    pub holds: Vec<u32>,
    /// Those that each thread that waits has made before, to what it waits for.
    pub resets: Vec<u32>,
    /// Among [`KernelSummary::internal_waits`]: the arrivals at a counter that end it, which a small launch does not bring.
    pub arrivals: Option<Arrivals>,
    /// What ends it when nobody else does; only for a loop that does nothing but look at one place.
    pub bound: Option<Bound>,
}

/// A place that can end a waiting loop.
#[derive(Clone, Debug, PartialEq)]
pub struct AwaitedPlace {
    /// The place.
    pub place: Place,
    /// When it does: `place op value`, where that is plain to see. `BitAnd` with a mask means "any bit of it set".
    pub until: Option<(BinaryOp, Expr)>,
}

/// What ends a waiting loop that nobody releases.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// A clock, rather than a count of iterations.
    pub clock: bool,
    /// How far it goes, over kernel parameters, where plain to see.
    pub limit: Option<Expr>,
}

/// How a waiting loop reads its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// `volatile`, atomic, `cuda::atomic_ref`, `__ldcv`, `ld.acquire`/`ld.volatile`/`ld.relaxed` asm.
    Fresh,
    /// A plain load that is repeated: the GPU may go on with its copy of device memory.
    Cached,
    /// A plain load: the compiler may hoist it out of the loop.
    Plain,
}

/// One access of memory visible outside the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// File of the access.
    pub file: FileId,
    /// Bytes of the access.
    pub span: Span,
    /// What is accessed.
    pub place: Place,
    /// Atomic read-modify-write.
    pub atomic: bool,
    /// Value stored, over kernel parameters, where plain to see.
    pub value: Option<Expr>,
    /// Conditions on kernel parameters under which it is reached.
    pub guards: Vec<(Expr, bool)>,
    /// Which part of the place one launch covers.
    pub part: Part,
    /// What it adds to a counter, where it is such an update.
    pub added: Option<Added>,
}

/// What an update adds to a counter at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    /// In each block.
    pub per_block: i64,
    /// In each thread.
    pub per_thread: i64,
}

/// Which part of its place an access of one launch covers, as far as arguments decide: two launches with equal arguments
/// here touch the same elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The element the first thread begins with, over kernel parameters, where it is not the first one.
    pub start: Option<Expr>,
    /// The lowest element any thread accesses, or one below it, and the highest, or one above it, where that is known: over kernel
    /// parameters and the extents of the launch.
    pub within: Option<(Expr, Option<Expr>)>,
    /// Parameters that are added to the index for all threads alike where that is not known, or bound it from below.
    pub offsets: Vec<u32>,
    /// Parameters that choose the elements in another way: arrays of indices.
    pub selectors: Vec<u32>,
    /// The index was not followed to its end: any parameter may have part in it.
    pub opaque: bool,
    /// How many elements from the first one on are accessed, where that is plain to see.
    pub reach: Option<Reach>,
    /// An atomic operation hands the index out: whoever asks next gets another one.
    pub claimed: bool,
    /// Whether the content of memory says which elements are accessed: `out[map[i]]`, `if (valid[i]) out[i]`.
    pub chosen: Chosen,
    /// Parameters behind which a number stands that is added to the index: `ring[state->next]`.
    pub counted_by: Vec<u32>,
    /// Parameters behind which a number stands that something is kept below: `if (i < state->next) ring[i]`.
    pub kept_below: Vec<u32>,
    /// Parameters that are more than a number wherever a thread gets there: what they keep an index below begins with it.
    pub more_than: Vec<(u32, i64)>,
    /// What holds of the index of every element.
    pub predicates: Vec<Predicate>,
}

/// Whether what memory holds chooses the elements of an access.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Chosen {
    /// It does not.
    #[default]
    No,
    /// The memory behind these parameters.
    By(Vec<u32>),
    /// Nobody knows which memory: any parameter may have part in it.
    Unknown,
}

/// How far an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// As far as a parameter says, and the threads of the launch get.
    Parameter(u32),
    /// As far as a parameter says: the threads go on until all of it is done.
    All(u32),
    /// One element per thread of a block.
    Block,
    /// One element per thread of the grid.
    Grid,
}

/// A place in memory, relative to what a launch binds.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where the path starts.
    pub base: PlaceBase,
    /// Steps from the base's value: `p[i].flag` with parameter `p` is `[Index(i), Field("flag")]`; `*p` is `[Index(0)]`;
    /// a by-value struct parameter `q.flag[0]` is `[Field("flag"), Index(0)]`.
    pub path: Vec<PlaceStep>,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceBase {
    /// Kernel parameter by position.
    Parameter(u32),
    /// A `__device__`, `__managed__` or `__constant__` variable.
    Global(GlobalId),
    /// A member of the functor or class a device lambda/method belongs to, or anything else not followed.
    Unknown,
}

/// One step of a place's path.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceStep {
    /// `.field` or, through a pointer, `->field`.
    Field(String),
    /// An element at a constant index (`*p` is index 0).
    Element(i64),
    /// An element at an index that is the same for all threads: an expression over parameters.
    Uniform(Expr),
    /// An element whose index depends on thread or block, a loop or loaded data.
    Varying,
}

/// What summarising needs to know of the linked program.
pub trait DeviceScope {
    /// The facts of a function.
    fn function(&self, id: FunctionId) -> &Function;
    /// Whether it is no method of an object: `static`.
    fn is_static(&self, id: FunctionId) -> bool {
        self.function(id).is_static
    }
    /// The device function (or functor/method) a call in `from` names, when exactly one fits.
    fn resolve_device(&self, from: FunctionId, name: &Name, arguments: usize) -> Option<FunctionId>;
    /// A device method by class-independent name (`obj.wait(…)`), when exactly one in the program fits.
    fn resolve_device_method(&self, from: FunctionId, method: &str, arguments: usize) -> Option<FunctionId>;
    /// The device method of a class or of its bases.
    fn class_method(
        &self,
        _from: FunctionId,
        _class: &Name,
        _method: &str,
        _arguments: usize,
    ) -> Option<FunctionId> {
        None
    }
    /// The device-visible global variable a name in `from` means.
    fn resolve_device_global(&self, from: FunctionId, name: &Name) -> Option<GlobalId>;
    /// The declared type of such a global: whether it is volatile or an atomic, and its dimensions.
    fn global(&self, id: GlobalId) -> &crate::facts::ir::Global;
    /// The value of an enumerator or constant macro visible in `from`.
    fn constant(&self, from: FunctionId, name: &Name) -> Option<i64>;
    /// The class, struct or union a type name in `from` means: its fields may be volatile, atomic or arrays.
    fn class(&self, _from: FunctionId, _name: &Name) -> Option<&Class> {
        None
    }
    /// What a `typedef` or `using` name in `from` stands for.
    fn alias(&self, _from: FunctionId, _name: &Name) -> Option<&Type> {
        None
    }
}
