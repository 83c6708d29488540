//! A small CUDA program as a list of operations: what the generator makes, and what source, runner and checker read.

/// One of the program's streams; the legacy default stream is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// Stream 0.
    Legacy,
    /// One that the program makes.
    Made(u8),
}

/// A word that work waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// In device memory.
    Device(u8),
    /// In mapped host memory.
    Mapped(u8),
}

/// Host memory that copies use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// From `cudaMallocHost`.
    Pinned(u8),
    /// From `malloc`.
    Pageable(u8),
}

/// Which kernel: each unit of translation has several of every kind, so that first launches are real.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kernel {
    /// Number of its file; 0 is the one with `main`.
    pub unit: u8,
    /// Number among those of its kind.
    pub variant: u8,
}

/// What a kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Fills a buffer, after a pause of so many milliseconds.
    Write { buffer: u8, value: i32, pause: u8 },
    /// Keeps the first element of a buffer for the end of the program.
    Read { buffer: u8, slot: u8 },
    /// Copies a buffer.
    Copy { from: u8, to: u8 },
    /// Waits until a flag is at least a value.
    Spin { flag: Flag, value: i32 },
    /// Sets a flag.
    Set { flag: Flag, value: i32 },
    /// Waits for one flag, then sets another to the same value.
    Relay { from: Flag, value: i32, to: Flag },
    /// Only takes time: so many milliseconds.
    Pause { pause: u8 },
}

impl Work {
    /// Name of the kind, in kernel names.
    pub fn name(self) -> &'static str {
        match self {
            Work::Write { .. } => "fill",
            Work::Read { .. } => "keep",
            Work::Copy { .. } => "copy",
            Work::Spin { .. } => "spin",
            Work::Set { .. } => "raise",
            Work::Relay { .. } => "relay",
            Work::Pause { .. } => "busy",
        }
    }

    /// Number of the kind, for the runner.
    pub fn kind(self) -> u8 {
        match self {
            Work::Write { .. } => 0,
            Work::Read { .. } => 1,
            Work::Copy { .. } => 2,
            Work::Spin { .. } => 3,
            Work::Set { .. } => 4,
            Work::Relay { .. } => 5,
            Work::Pause { .. } => 6,
        }
    }
}

/// One step of a host thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A kernel launch.
    Launch {
        kernel: Kernel,
        work: Work,
        stream: Stream,
    },
    /// `cudaFuncGetAttributes` of the kernel that would do this work.
    Preload { kernel: Kernel, work: Work },
    /// `cudaEventRecord`.
    Record { event: u8, stream: Stream },
    /// `cudaStreamWaitEvent`.
    WaitEvent { stream: Stream, event: u8 },
    /// `cudaEventSynchronize`.
    SyncEvent { event: u8 },
    /// `cudaStreamSynchronize`.
    SyncStream { stream: Stream },
    /// `cudaDeviceSynchronize`.
    SyncDevice,
    /// `cuStreamWaitValue32`.
    WaitValue {
        stream: Stream,
        flag: Flag,
        value: i32,
        equal: bool,
    },
    /// `cuStreamWriteValue32`.
    WriteValue { stream: Stream, flag: Flag, value: i32 },
    /// `cudaMemcpyAsync` of a value in pinned memory to a flag in device memory.
    CopyFlag { stream: Stream, flag: Flag, value: i32 },
    /// The host stores to a mapped flag.
    Store { flag: Flag, value: i32 },
    /// The host polls a mapped flag until it has a value.
    Poll { flag: Flag, value: i32 },
    /// Copy from the host to a buffer, synchronous without a stream.
    ToDevice {
        buffer: u8,
        host: Host,
        stream: Option<Stream>,
    },
    /// Copy from a buffer to the host, synchronous without a stream.
    ToHost {
        buffer: u8,
        host: Host,
        stream: Option<Stream>,
    },
    /// Copy within the device, on the legacy stream without a stream.
    OnDevice {
        from: u8,
        to: u8,
        stream: Option<Stream>,
    },
    /// Fill with a byte, on the legacy stream without a stream.
    Memset {
        buffer: u8,
        byte: u8,
        stream: Option<Stream>,
    },
    /// The host fills its memory.
    HostWrite { host: Host, value: i32 },
    /// The host keeps the first element of its memory.
    HostRead { host: Host, slot: u8 },
    /// `cudaMalloc` of memory that nothing uses.
    Malloc { fresh: u8 },
    /// `cudaFree` of memory that nothing uses.
    Free { scratch: u8 },
    /// `cudaMallocHost` of memory that nothing uses.
    MallocHost { fresh: u8 },
    /// `cudaFreeHost` of memory that nothing uses.
    FreeHost { scratch: u8 },
    /// `cudaMallocAsync` of a buffer.
    MallocAsync { buffer: u8, stream: Stream },
    /// `cudaFreeAsync` of a buffer.
    FreeAsync { buffer: u8, stream: Stream },
    /// A host function that raises a mapped flag, or does nothing.
    HostFunction { stream: Stream, raises: Option<Flag> },
    /// Starts a host thread.
    Spawn { thread: u8 },
    /// Waits for its end.
    Join { thread: u8 },
    /// Opens a gate between host threads.
    Open { gate: u8 },
    /// Waits until it is open.
    Pass { gate: u8 },
    /// The host sleeps.
    Sleep { milliseconds: u8 },
    /// `cudaStreamBeginCapture`, thread-local.
    BeginCapture { stream: Stream },
    /// `cudaStreamEndCapture` and `cudaGraphInstantiate`.
    EndCapture { stream: Stream, graph: u8 },
    /// `cudaGraphLaunch`.
    LaunchGraph { graph: u8, stream: Stream },
}

/// How many of everything a program has, and what its host threads do.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// For each stream, whether it is a non-blocking one.
    pub streams: Vec<bool>,
    /// Events.
    pub events: u8,
    /// Flags in device memory.
    pub device_flags: u8,
    /// Flags in mapped host memory.
    pub mapped_flags: u8,
    /// Buffers from `cudaMalloc`, set to zero.
    pub buffers: u8,
    /// Buffers from `cudaMallocAsync`: they follow the others.
    pub pool_buffers: u8,
    /// Pinned host memory.
    pub pinned: u8,
    /// Pageable host memory.
    pub pageable: u8,
    /// Memory from `cudaMalloc` that is there from the start, and that the program only frees.
    pub scratch: u8,
    /// Memory that the program only allocates.
    pub fresh: u8,
    /// As `scratch`, in pinned host memory.
    pub host_scratch: u8,
    /// As `fresh`, in pinned host memory.
    pub host_fresh: u8,
    /// Values kept for the end: whether the host itself keeps them.
    pub host_slots: Vec<bool>,
    /// Gates between host threads.
    pub gates: u8,
    /// Graphs.
    pub graphs: u8,
    /// What each host thread does; the first is `main`.
    pub threads: Vec<Vec<Op>>,
}

/// Elements of every buffer.
pub const ELEMENTS: usize = 64;

impl Program {
    /// Every operation with its thread and place.
    pub fn operations(&self) -> impl Iterator<Item = (usize, usize, Op)> + '_ {
        let threads = self.threads.iter().enumerate();
        threads.flat_map(|(thread, ops)| {
            ops.iter()
                .enumerate()
                .map(move |(index, op)| (thread, index, *op))
        })
    }

    /// Every kernel that is launched or preloaded, each once, in order.
    pub fn kernels(&self) -> Vec<(Kernel, Work)> {
        let mut found: Vec<(Kernel, Work)> = Vec::new();
        for (_, _, op) in self.operations() {
            if let Op::Launch { kernel, work, .. } | Op::Preload { kernel, work } = op
                && !found
                    .iter()
                    .any(|(it, other)| *it == kernel && other.kind() == work.kind())
            {
                found.push((kernel, work));
            }
        }
        found.sort_by_key(|(kernel, work)| (kernel.unit, work.kind(), kernel.variant));
        found
    }
}
