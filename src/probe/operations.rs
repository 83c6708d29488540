//! The operations of M1: what the host does behind something that cannot end, what the table of calls says about it, what was seen.

/// Where an operation works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// No stream.
    Nothing,
    /// The stream with what cannot end in it.
    Resident,
    /// Another stream.
    Other,
    /// The legacy default stream.
    Legacy,
}

/// What else of an operation decides, besides its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// Its kernel is not loaded yet.
    Fresh,
    /// Its host memory is pageable.
    Pageable,
    /// Too much pageable memory for the staging buffer.
    Large,
    /// Its kernel prints or allocates on the device (M4).
    Heap,
    /// Nothing later starts before everything earlier has ended, which the table of calls does not know of it.
    Barrier,
    /// Its kernel needs more local memory than any before (M5).
    Local,
    /// It sets how large the stacks of threads are.
    Stack,
    /// It enqueues more than the queue of a stream holds.
    Queue,
    /// Its memory came from a pool: freeing it waits for nothing.
    Pooled,
}

/// One thing the host does.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Its name, part of the names of cases.
    pub name: &'static str,
    /// The calls of `rules/api.toml` it consists of, and where each works.
    pub calls: &'static [(&'static str, On)],
    /// What else decides.
    pub traits: &'static [Trait],
    /// What M1 says of the forms `K P D W k w`: `ok`, `BLOCKS`, `late` or `LAZY/EAGER`; `-` is not measured.
    pub measured: &'static str,
}

impl Operation {
    /// Whether it has a trait.
    pub fn is(&self, it: Trait) -> bool {
        self.traits.contains(&it)
    }
}

const OK: &str = "ok ok ok ok ok ok";
const BLOCKS: &str = "BLOCKS BLOCKS BLOCKS BLOCKS BLOCKS BLOCKS";
const LEGACY_COPY: &str = "ok ok ok ok BLOCKS BLOCKS";
const LEGACY_WORK: &str = "ok ok ok ok ok late";
const QUERY: &str = "ok ok late/ok late/ok ok late/ok";
const HEAP: &str = "ok late late late ok late";

use On::{Legacy, Nothing, Other, Resident};
use Trait::{Barrier, Fresh, Heap, Large, Local, Pageable, Pooled, Queue, Stack};

/// An operation without traits.
const fn plain(
    name: &'static str,
    calls: &'static [(&'static str, On)],
    measured: &'static str,
) -> Operation {
    with(name, calls, &[], measured)
}

const fn with(
    name: &'static str,
    calls: &'static [(&'static str, On)],
    traits: &'static [Trait],
    measured: &'static str,
) -> Operation {
    Operation {
        name,
        calls,
        traits,
        measured,
    }
}

const CAPTURE: &[(&str, On)] = &[
    ("cuStreamBeginCapture", Other),
    ("cuLaunchKernel", Other),
    ("cuStreamEndCapture", Other),
    ("cuGraphInstantiateWithFlags", Nothing),
    ("cuGraphLaunch", Other),
];

/// All of them; in the words of the driver where M1 says it in those of the runtime library.
pub const OPERATIONS: &[Operation] = &[
    // Launches.
    plain("launch", &[("cuLaunchKernel", Other)], OK),
    with(
        "launch-fresh",
        &[("cuLaunchKernel", Other)],
        &[Fresh],
        "ok late/ok late/ok late/ok ok late/ok",
    ),
    with(
        "launch-fresh-resident",
        &[("cuLaunchKernel", Resident)],
        &[Fresh],
        "ok ok late/ok late/ok ok late/ok",
    ),
    plain("launch-legacy", &[("cuLaunchKernel", Legacy)], LEGACY_WORK),
    plain(
        "launch-legacy-synchronize",
        &[("cuLaunchKernel", Legacy), ("cuStreamSynchronize", Legacy)],
        LEGACY_COPY,
    ),
    plain("launch-cooperative", &[("cuLaunchCooperativeKernel", Other)], OK),
    with(
        "launch-local-memory",
        &[("cuLaunchKernel", Other)],
        &[Local],
        BLOCKS,
    ),
    with(
        "launch-local-memory-fresh",
        &[("cuLaunchKernel", Other)],
        &[Local, Fresh],
        BLOCKS,
    ),
    with("launch-malloc", &[("cuLaunchKernel", Other)], &[Heap], HEAP),
    with("launch-printf", &[("cuLaunchKernel", Other)], &[Heap], HEAP),
    with(
        "launch-printf-fresh",
        &[("cuLaunchKernel", Other)],
        &[Heap, Fresh],
        HEAP,
    ),
    with(
        "launch-1100-resident",
        &[("cuLaunchKernel", Resident)],
        &[Queue],
        BLOCKS,
    ),
    plain("launch-1100", &[("cuLaunchKernel", Other)], OK),
    plain("host-function", &[("cuLaunchHostFunc", Other)], OK),
    plain("callback", &[("cuStreamAddCallback", Other)], OK),
    // Loading.
    plain("module-load", &[("cuModuleLoadData", Nothing)], BLOCKS),
    plain(
        "module-load-function",
        &[("cuModuleLoadData", Nothing), ("cuModuleGetFunction", Nothing)],
        BLOCKS,
    ),
    plain("module-unload", &[("cuModuleUnload", Nothing)], BLOCKS),
    plain(
        "library-load",
        &[("cuLibraryLoadData", Nothing)],
        "ok/BLOCKS ok/BLOCKS ok/BLOCKS ok/BLOCKS ok/BLOCKS ok/BLOCKS",
    ),
    plain("library-unload", &[("cuLibraryUnload", Nothing)], BLOCKS),
    plain("get-kernel", &[("cuLibraryGetKernel", Nothing)], OK),
    with(
        "get-function-fresh",
        &[("cuKernelGetFunction", Nothing)],
        &[Fresh],
        QUERY,
    ),
    with(
        "function-attribute-fresh",
        &[("cuKernelGetFunction", Nothing), ("cuFuncGetAttribute", Nothing)],
        &[Fresh],
        QUERY,
    ),
    with(
        "function-set-attribute-fresh",
        &[("cuKernelGetFunction", Nothing), ("cuFuncSetAttribute", Nothing)],
        &[Fresh],
        QUERY,
    ),
    with(
        "occupancy-fresh",
        &[
            ("cuKernelGetFunction", Nothing),
            ("cuOccupancyMaxActiveBlocksPerMultiprocessor", Nothing),
        ],
        &[Fresh],
        QUERY,
    ),
    plain("function-cache-config", &[("cuFuncSetCacheConfig", Nothing)], OK),
    plain("symbol-address", &[("cuLibraryGetGlobal", Nothing)], OK),
    // Graphs.
    plain("graph", CAPTURE, OK),
    with(
        "graph-fresh",
        CAPTURE,
        &[Fresh],
        "ok late/ok late/ok late/ok ok late/ok",
    ),
    plain("graph-launch", &[("cuGraphLaunch", Other)], OK),
    plain("graph-upload", &[("cuGraphUpload", Other)], OK),
    plain("graph-update", &[("cuGraphExecUpdate", Nothing)], "- ok ok - - -"),
    plain("graph-destroy", &[("cuGraphExecDestroy", Nothing)], OK),
    // Waiting.
    plain("context-synchronize", &[("cuCtxSynchronize", Nothing)], BLOCKS),
    plain("stream-synchronize", &[("cuStreamSynchronize", Other)], OK),
    plain("stream-query-resident", &[("cuStreamQuery", Resident)], OK),
    plain(
        "event-synchronize-resident",
        &[("cuEventSynchronize", Resident)],
        BLOCKS,
    ),
    plain("event-query-resident", &[("cuEventQuery", Resident)], OK),
    plain(
        "wait-event-resident",
        &[("cuStreamWaitEvent", Other)],
        "ok late late late ok late",
    ),
    plain("write-value", &[("cuStreamWriteValue32", Other)], OK),
    plain("wait-value", &[("cuStreamWaitValue32", Other)], OK),
    // Streams and events.
    plain("stream-create", &[("cuStreamCreate", Nothing)], OK),
    plain("stream-create-non-blocking", &[("cuStreamCreate", Nothing)], OK),
    plain(
        "stream-create-priority",
        &[("cuStreamCreateWithPriority", Nothing)],
        OK,
    ),
    plain("stream-destroy", &[("cuStreamDestroy", Other)], OK),
    plain("stream-destroy-resident", &[("cuStreamDestroy", Resident)], OK),
    plain("event-create", &[("cuEventCreate", Nothing)], OK),
    plain("event-destroy", &[("cuEventDestroy", Nothing)], OK),
    plain(
        "event-record-query",
        &[("cuEventRecord", Other), ("cuEventQuery", Other)],
        OK,
    ),
    // Memory.
    plain("allocate-256", &[("cuMemAlloc", Nothing)], OK),
    plain("allocate-64m", &[("cuMemAlloc", Nothing)], OK),
    plain("allocate-pitch", &[("cuMemAllocPitch", Nothing)], OK),
    plain("allocate-managed", &[("cuMemAllocManaged", Nothing)], OK),
    plain("allocate-host", &[("cuMemAllocHost", Nothing)], OK),
    plain("allocate-async-1m", &[("cuMemAllocAsync", Other)], OK),
    plain("allocate-async-1g", &[("cuMemAllocAsync", Other)], OK),
    plain(
        "allocate-free-async",
        &[("cuMemAllocAsync", Other), ("cuMemFreeAsync", Other)],
        OK,
    ),
    plain("array-create", &[("cuArrayCreate", Nothing)], OK),
    plain("texture-create", &[("cuTexObjectCreate", Nothing)], OK),
    plain("free", &[("cuMemFree", Nothing)], BLOCKS),
    with("free-pooled", &[("cuMemFree", Nothing)], &[Pooled], OK),
    plain("free-host", &[("cuMemFreeHost", Nothing)], BLOCKS),
    plain("array-destroy", &[("cuArrayDestroy", Nothing)], BLOCKS),
    plain("texture-destroy", &[("cuTexObjectDestroy", Nothing)], OK),
    plain("surface-destroy", &[("cuSurfObjectDestroy", Nothing)], OK),
    plain(
        "mipmapped-array-destroy",
        &[("cuMipmappedArrayDestroy", Nothing)],
        BLOCKS,
    ),
    plain(
        "map-memory",
        &[("cuMemMap", Nothing), ("cuMemSetAccess", Nothing)],
        OK,
    ),
    plain(
        "unmap-memory",
        &[("cuMemUnmap", Nothing), ("cuMemRelease", Nothing)],
        OK,
    ),
    plain("register-host", &[("cuMemHostRegister", Nothing)], OK),
    plain("unregister-host", &[("cuMemHostUnregister", Nothing)], BLOCKS),
    plain(
        "pool-create-destroy",
        &[("cuMemPoolCreate", Nothing), ("cuMemPoolDestroy", Nothing)],
        OK,
    ),
    plain("pool-trim", &[("cuMemPoolTrimTo", Nothing)], OK),
    plain("graph-memory-trim", &[("cuDeviceGraphMemTrim", Nothing)], OK),
    // Copies and fills.
    with(
        "copy-to-device-4",
        &[("cuMemcpyHtoD", Legacy)],
        &[Pageable],
        LEGACY_COPY,
    ),
    with(
        "copy-to-device-1m",
        &[("cuMemcpyHtoD", Legacy)],
        &[Pageable],
        LEGACY_COPY,
    ),
    plain(
        "copy-to-device-1m-pinned",
        &[("cuMemcpyHtoD", Legacy)],
        LEGACY_COPY,
    ),
    with(
        "copy-to-host-4",
        &[("cuMemcpyDtoH", Legacy)],
        &[Pageable],
        LEGACY_COPY,
    ),
    plain("copy-on-device", &[("cuMemcpyDtoD", Legacy)], LEGACY_WORK),
    with(
        "copy-to-symbol",
        &[("cuLibraryGetGlobal", Nothing), ("cuMemcpyHtoD", Legacy)],
        &[Pageable],
        LEGACY_COPY,
    ),
    with(
        "copy-to-device-async",
        &[("cuMemcpyHtoDAsync", Other)],
        &[Pageable],
        OK,
    ),
    plain("copy-to-device-async-pinned", &[("cuMemcpyHtoDAsync", Other)], OK),
    with(
        "copy-to-device-async-4-resident",
        &[("cuMemcpyHtoDAsync", Resident)],
        &[Pageable],
        OK,
    ),
    with(
        "copy-to-device-async-1m-resident",
        &[("cuMemcpyHtoDAsync", Resident)],
        &[Pageable],
        OK,
    ),
    with(
        "copy-to-device-async-4m-resident",
        &[("cuMemcpyHtoDAsync", Resident)],
        &[Pageable, Large],
        BLOCKS,
    ),
    plain(
        "copy-to-device-async-pinned-resident",
        &[("cuMemcpyHtoDAsync", Resident)],
        OK,
    ),
    with(
        "copy-to-host-async",
        &[("cuMemcpyDtoHAsync", Other)],
        &[Pageable],
        OK,
    ),
    with(
        "copy-to-host-async-resident",
        &[("cuMemcpyDtoHAsync", Resident)],
        &[Pageable],
        BLOCKS,
    ),
    plain(
        "copy-to-host-async-pinned-resident",
        &[("cuMemcpyDtoHAsync", Resident)],
        OK,
    ),
    plain("copy-on-device-async", &[("cuMemcpyDtoDAsync", Other)], OK),
    with(
        "copy-to-symbol-async",
        &[("cuLibraryGetGlobal", Nothing), ("cuMemcpyHtoDAsync", Other)],
        &[Pageable],
        OK,
    ),
    plain("fill", &[("cuMemsetD8", Legacy)], LEGACY_WORK),
    plain("fill-async", &[("cuMemsetD8Async", Other)], OK),
    plain("fill-2d-async", &[("cuMemsetD2D8Async", Other)], OK),
    // Settings and questions.
    with("set-stack-limit", &[("cuCtxSetLimit", Nothing)], &[Stack], BLOCKS),
    plain("set-heap-limit", &[("cuCtxSetLimit", Nothing)], OK),
    plain("set-print-limit", &[("cuCtxSetLimit", Nothing)], OK),
    plain("get-stack-limit", &[("cuCtxGetLimit", Nothing)], OK),
    with(
        "reset-persisting-cache",
        &[("cuCtxResetPersistingL2Cache", Nothing)],
        &[Barrier],
        "ok ok late late ok late",
    ),
    plain("set-cache-config", &[("cuCtxSetCacheConfig", Nothing)], OK),
    plain("memory-info", &[("cuMemGetInfo", Nothing)], OK),
    plain("device-attribute", &[("cuDeviceGetAttribute", Nothing)], OK),
    plain("pointer-attribute", &[("cuPointerGetAttribute", Nothing)], OK),
    plain("ipc-handle", &[("cuIpcGetMemHandle", Nothing)], OK),
    plain(
        "stream-priorities",
        &[("cuCtxGetStreamPriorityRange", Nothing)],
        OK,
    ),
    plain("stream-flags", &[("cuStreamGetFlags", Other)], OK),
    plain(
        "exchange-capture-mode",
        &[("cuThreadExchangeStreamCaptureMode", Nothing)],
        OK,
    ),
];
