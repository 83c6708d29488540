//! The words `rules/api.toml` is written in: operations, argument roles, blocking, loading, capture legality.
//!
//! `build.rs` includes this file, so that a word the table uses and this file lacks does not compile.

use serde::Deserialize;

/// One CUDA (or library) call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Name as called.
    pub name: &'static str,
    /// What the call is.
    pub operation: Operation,
    /// Roles of the positional arguments; missing trailing ones are `rest`.
    pub args: &'static [Role],
    /// The role of every argument after `args` (`KernelArgument` for variadic launches, else `Other`).
    pub rest: Role,
    /// Other argument lists of the same name, told apart by their length; see [`Call::roles`].
    pub overloads: &'static [&'static [Role]],
    /// Where a copy goes when no argument of role `Direction` is given.
    pub direction: Direction,
    /// What must have ended before the call returns to the host.
    pub blocks: Blocking,
    /// What documents allow it to wait for beyond `blocks`, though a GPU was not seen to.
    pub may_block: Blocking,
    /// How it takes the context lock, which it keeps while it blocks (M13, M14).
    pub lock: Lock,
    /// It makes, grows or ends a container that owns device memory.
    pub container: bool,
    /// What the call loads into the context, and therefore waits for or puts a barrier behind.
    pub loads: Loading,
    /// Whether it leaves its kernel argument (role `Kernel`) loaded (M3).
    pub preloads: Preload,
    /// Whether it may be called while a stream captures (M8).
    pub capture: Capture,
    /// Whether it may be called from a host function (M9).
    pub in_callback: bool,
    /// How we know.
    pub certainty: Certainty,
    /// Document section or measurement id.
    pub reference: &'static str,
}

impl Call {
    /// The roles of a call made with `arguments` arguments: the overload of that length, else the main list.
    pub fn roles(&self, arguments: usize) -> &'static [Role] {
        let exact = self
            .overloads
            .iter()
            .find(|roles| roles.len() == arguments && self.args.len() != arguments);
        exact.copied().unwrap_or(self.args)
    }

    /// Where `role` stands in the main argument list.
    pub fn role_index(&self, role: Role) -> Option<usize> {
        self.args.iter().position(|it| *it == role)
    }

    /// Where `role` stands among the arguments actually given; `None` when it was left to its default.
    pub fn argument(&self, role: Role, arguments: usize) -> Option<usize> {
        self.roles(arguments)
            .iter()
            .position(|it| *it == role)
            .filter(|index| *index < arguments)
    }

    /// Whether a call with so many arguments leaves the one of this role to its default.
    pub fn leaves_out(&self, role: Role, arguments: usize) -> bool {
        let place = self.roles(arguments).iter().position(|it| *it == role);
        place.is_some_and(|it| it >= arguments)
    }

    /// The role of the argument at `index` of a call with `arguments` arguments.
    pub fn role(&self, index: usize, arguments: usize) -> Role {
        self.roles(arguments).get(index).copied().unwrap_or(self.rest)
    }

    /// Where the arguments of a variadic launch begin (`hipLaunchKernelGGL`, `cudaLaunchKernelEx`).
    pub fn first_kernel_argument(&self) -> Option<usize> {
        (self.rest == Role::KernelArgument).then_some(self.args.len())
    }

    /// `true` when the call places work on a stream.
    pub fn is_enqueue(&self) -> bool {
        use Operation as O;
        matches!(
            self.operation,
            O::Launch
                | O::CooperativeLaunch
                | O::GraphLaunch
                | O::GraphUpload
                | O::Copy
                | O::Memset
                | O::HostFunction
                | O::Prefetch
                | O::AllocateAsync
                | O::FreeAsync
                | O::StreamWaitEvent
                | O::StreamWaitValue
                | O::StreamWriteValue
                | O::StreamBatchMemOp
                | O::EventRecord
                | O::ExternalSemaphoreWait
                | O::ExternalSemaphoreSignal
                | O::LibraryCall
                | O::CollectiveCall
                | O::ThrustAlgorithm
                | O::CubAlgorithm
        )
    }

    /// `true` when the call makes a container that allocates device memory.
    pub fn is_container_begin(&self) -> bool {
        self.container && self.blocks == Blocking::Legacy
    }

    /// `true` when the call ends such a container, which gives its memory back.
    pub fn is_container_end(&self) -> bool {
        self.container && self.blocks == Blocking::Device && self.loads == Loading::None
    }

    /// `true` when the stream argument was left out and therefore is stream 0.
    pub fn default_argument_is_stream_zero(&self, arguments: usize) -> bool {
        let roles = self.roles(arguments);
        roles
            .iter()
            .position(|it| *it == Role::Stream)
            .is_some_and(|index| index >= arguments)
    }

    /// `true` when the call works on the default stream because it has no stream argument at all (`cudaMemcpy`).
    pub fn has_no_stream_argument(&self) -> bool {
        matches!(self.operation, Operation::Copy | Operation::Memset)
            && self.role_index(Role::Stream).is_none()
    }

    /// `true` when the call blocks the host in some situation, by itself or because of what it loads.
    pub fn can_block(&self) -> bool {
        self.blocks != Blocking::None
            || matches!(
                self.loads,
                Loading::Module | Loading::EagerModule | Loading::Library
            )
    }
}

/// What a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    Launch,
    CooperativeLaunch,
    GraphLaunch,
    Copy,
    Memset,
    HostFunction,
    Prefetch,
    Allocate,
    AllocateAsync,
    AllocateHost,
    AllocateManaged,
    RegisterHost,
    UnregisterHost,
    Free,
    FreeAsync,
    FreeHost,
    /// Device pointer of mapped host memory (`cudaHostGetDevicePointer`).
    HostDevicePointer,
    /// Address of a `__device__` variable (`cudaGetSymbolAddress`).
    SymbolAddress,
    StreamCreate,
    StreamDestroy,
    StreamQuery,
    StreamSynchronize,
    StreamWaitEvent,
    StreamWaitValue,
    StreamWriteValue,
    StreamBatchMemOp,
    EventCreate,
    EventDestroy,
    EventRecord,
    EventQuery,
    EventSynchronize,
    EventElapsedTime,
    DeviceSynchronize,
    DeviceSet,
    /// Asks which device is current.
    DeviceGet,
    DeviceReset,
    DeviceLimit,
    /// Attribute, occupancy and similar queries that take a kernel.
    FunctionQuery,
    /// A handle of a library whose calls then work on the host, and are done when they return.
    HostHandleCreate,
    ModuleLoad,
    ModuleUnload,
    /// A function handle out of a module or library (`cuModuleGetFunction`, `cuLibraryGetKernel`, `cudaGetKernel`).
    ModuleGetFunction,
    CaptureBegin,
    CaptureEnd,
    CaptureQuery,
    /// `cudaThreadExchangeStreamCaptureMode`.
    CaptureModeExchange,
    GraphCreate,
    GraphAddNode,
    GraphAddEdges,
    /// Takes dependencies out of a graph.
    GraphRemoveEdges,
    /// Takes a node, and all its dependencies, out of a graph.
    GraphDestroyNode,
    /// Gives a node of a graph, or of an executable graph, other parameters.
    GraphNodeUpdate,
    /// The node of a clone that another graph's node became.
    GraphFindNode,
    /// The graph inside a child graph node.
    GraphChild,
    GraphInstantiate,
    GraphUpload,
    GraphUpdate,
    GraphDestroy,
    /// `cublasCreate`, `cufftPlan1d`, …
    LibraryHandleCreate,
    LibraryHandleDestroy,
    /// `cublasSetStream`, …
    LibrarySetStream,
    /// Work a library enqueues on its handle's stream or its stream argument.
    LibraryCall,
    CollectiveCall,
    CollectiveInit,
    CollectiveGroupStart,
    CollectiveGroupEnd,
    /// A thrust algorithm or container operation.
    ThrustAlgorithm,
    /// A thrust policy is made: it stands for its stream.
    ExecutionPolicy,
    /// A cub device-wide algorithm with caller storage.
    CubAlgorithm,
    PoolCreate,
    PoolDestroy,
    VirtualMemoryMap,
    VirtualMemoryUnmap,
    TextureCreate,
    TextureDestroy,
    ContextCreate,
    ContextDestroy,
    ErrorQuery,
    /// Waits for a semaphore something outside CUDA signals.
    ExternalSemaphoreWait,
    ExternalSemaphoreSignal,
    /// Maps memory of another process.
    IpcOpen,
    IpcClose,
    /// The host reads or writes memory itself, device memory included, and is done when it returns (`MPI_Send`).
    HostTransfer,
    /// The same, but it goes on until the request is waited for (`MPI_Isend`).
    RequestStart,
    /// Waits for such requests (`MPI_Wait`).
    RequestWait,
    /// Access between devices is switched on or off.
    PeerAccess,
    /// Loads nothing yet, compiles text (`nvrtcCompileProgram`, `cuLinkComplete`).
    Compile,
    /// Anything that neither enqueues nor waits.
    Other,
}

/// The role of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Other,
    /// `T**`-like place that receives a new allocation, stream, event, graph, module, … (what: from the operation).
    Out,
    Destination,
    Source,
    Bytes,
    /// Number of elements.
    Count,
    /// Width, height or depth: the amount is their product.
    Extent,
    Value,
    /// `cudaMemcpyKind`.
    Direction,
    /// `cudaLimit`.
    Limit,
    /// Stream; when the argument is missing, the default stream.
    Stream,
    Event,
    /// Kernel symbol or handle.
    Kernel,
    /// `void**` of kernel arguments.
    KernelArguments,
    /// One kernel argument of a variadic launch.
    KernelArgument,
    /// `cudaLaunchConfig_t*`, `cudaLaunchParams*`, `CUlaunchConfig*`.
    LaunchConfig,
    /// The address a stream wait/write value or batch mem-op works on.
    Address,
    Flags,
    Pointer,
    Symbol,
    /// Bytes from the beginning of a symbol.
    Offset,
    Graph,
    GraphExec,
    GraphNode,
    /// The graph that becomes part of another one.
    ChildGraph,
    Module,
    Handle,
    /// The function a host-function call enqueues.
    HostFunction,
    UserData,
    Mode,
    Device,
    /// Name string of a kernel or variable.
    NameString,
    Grid,
    Block,
    /// Bytes of dynamic shared memory.
    SharedBytes,
    /// A struct, or array of structs, that describes the operation (3D copy, graph node, batch of memory operations).
    Parameters,
    /// A thrust execution policy, when the first argument is one.
    Policy,
    /// Temporary storage of a cub algorithm: a null pointer makes the call a size query that enqueues nothing.
    Storage,
}

/// Where a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// An argument says so, or the call is no copy.
    Argument,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    /// The pointers decide.
    Pointers,
}

/// What must have ended before the call returns to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blocking {
    /// Returns at once.
    None,
    /// The stream argument.
    Stream,
    /// The event argument.
    Event,
    /// The legacy default stream (and through it, every blocking stream).
    Legacy,
    /// Legacy stream only when host memory is involved (synchronous copies; device to device does not wait).
    LegacyCopy,
    /// The stream, when host memory of the copy is pageable and the direction is device to host.
    PageableToHost,
    /// Everything in the device's context.
    Device,
    /// The same, when the limit that is set is the stack's.
    StackLimit,
}

/// How a call takes the lock of its context: many may read at once, who writes is alone (M13, M14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lock {
    /// Not at all: it goes on whatever other threads are blocked in.
    None,
    /// Beside others that read.
    Read,
    /// Alone.
    Write,
    /// Alone, and before every other call of CUDA: what loads code does (M13).
    All,
}

impl Lock {
    /// How calls of a kind take it: as measured (M14), and for libraries, cooperative launches and managed memory as their like were.
    /// What else was not measured is taken not to.
    pub fn of(operation: Operation, blocks: Blocking) -> Lock {
        use Operation as O;
        match operation {
            O::Copy if blocks == Blocking::LegacyCopy => Lock::Write,
            O::HostFunction
            | O::Allocate
            | O::AllocateHost
            | O::AllocateManaged
            | O::RegisterHost
            | O::StreamCreate
            | O::StreamDestroy
            | O::EventCreate
            | O::EventDestroy
            | O::CaptureBegin
            | O::CaptureEnd
            | O::GraphInstantiate => Lock::Write,
            O::Launch
            | O::CooperativeLaunch
            | O::GraphLaunch
            | O::Copy
            | O::Memset
            | O::EventRecord
            | O::LibraryCall
            | O::CollectiveCall
            | O::ThrustAlgorithm
            | O::CubAlgorithm => Lock::Read,
            _ => Lock::None,
        }
    }
}

/// What a call loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loading {
    /// Nothing.
    None,
    /// The kernel argument, when it is not loaded yet: a context barrier.
    Function,
    /// The module of its symbol argument, when nothing of it was touched yet: may block the host.
    Symbol,
    /// A module: blocks the host behind everything that runs.
    Module,
    /// A module that lazy loading leaves to its first use: blocks the host when loading is eager.
    EagerModule,
    /// A library's own kernels, at the first call for a handle: blocks the host.
    Library,
}

/// Whether a call leaves its kernel loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preload {
    No,
    Yes,
    /// Measured to, not documented to.
    Measured,
}

/// Whether a call may be made while a stream captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Capture {
    /// Always.
    Legal,
    /// Not in global or thread-local mode; allowed in relaxed mode.
    Unsafe,
    /// Never.
    Prohibited,
    /// Works on the legacy stream: `cudaErrorStreamCaptureImplicit` while a blocking stream captures, silently not
    /// captured otherwise.
    Legacy,
    /// Recorded into the graph when its stream captures.
    Captured,
}

/// How we know what a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// A document promises it.
    Documented,
    /// A GPU did it; documents say "may" or nothing.
    Measured,
    /// Documents allow it; not seen.
    May,
}
