//! What each CUDA call does, as data: argument roles, blocking, loading, capture and callback legality.
//!
//! The data is `rules/api.toml`; `build.rs` turns it into a sorted static table, so a typo does not compile.

/// One CUDA (or library) call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Name as called.
    pub name: &'static str,
    /// What the call is.
    pub operation: Operation,
    /// Roles of the positional arguments; missing trailing ones are `Other`.
    pub args: &'static [Role],
    /// What must have ended before the call returns to the host.
    pub blocks: Blocking,
    /// While it blocks it holds the context lock: every other host thread stops at its next CUDA call (M13).
    pub lock: bool,
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

/// What a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the operations")]
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
    DeviceReset,
    DeviceLimit,
    /// Attribute, occupancy and similar queries that take a kernel.
    FunctionQuery,
    ModuleLoad,
    ModuleUnload,
    /// A function handle out of a module or library (`cuModuleGetFunction`, `cuLibraryGetKernel`, `cudaGetKernel`).
    ModuleGetFunction,
    CaptureBegin,
    CaptureEnd,
    CaptureQuery,
    GraphCreate,
    GraphAddNode,
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
    /// Anything that neither enqueues nor waits.
    Other,
}

/// The role of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the roles")]
pub enum Role {
    Other,
    /// `T**`-like place that receives a new allocation, stream, event, graph, module, … (what: from the operation).
    Out,
    Destination,
    Source,
    Bytes,
    Value,
    /// `cudaMemcpyKind`.
    Direction,
    /// Stream; when the argument is missing, the default stream.
    Stream,
    Event,
    /// Kernel symbol or handle.
    Kernel,
    /// `void**` of kernel arguments.
    KernelArguments,
    /// `cudaLaunchConfig_t*`, `cudaLaunchParams*`, `CUlaunchConfig*`.
    LaunchConfig,
    /// The address a stream wait/write value or batch mem-op works on.
    Address,
    Flags,
    Pointer,
    Symbol,
    Graph,
    GraphExec,
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
}

/// What must have ended before the call returns to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

/// What a call loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loading {
    /// Nothing.
    None,
    /// The kernel argument, when it is not loaded yet: a context barrier.
    Function,
    /// A module: blocks the host behind everything that runs.
    Module,
    /// A library's own kernels, at the first call for a handle: blocks the host.
    Library,
}

/// Whether a call leaves its kernel loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "yes and no")]
pub enum Preload {
    No,
    Yes,
    /// Measured to, not documented to.
    Measured,
}

/// Whether a call may be made while a stream captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capture {
    /// Always.
    Legal,
    /// Not in global or thread-local mode; allowed in relaxed mode.
    Unsafe,
    /// Never.
    Prohibited,
    /// Works on the legacy stream: `cudaErrorStreamCaptureImplicit` with a blocking capturing stream, silently not captured otherwise.
    Legacy,
    /// Recorded into the graph when its stream captures.
    Captured,
}

/// How we know what a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// A document promises it.
    Documented,
    /// A GPU did it; documents say "may" or nothing.
    Measured,
    /// Documents allow it; not seen.
    May,
}
