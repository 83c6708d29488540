//! The cases of M8: what happens to a capture when something is called in it.

use super::operations::On;

/// How strict the capture is, and whether its stream waits for the legacy stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// In a non-blocking stream, like the next two.
    Global,
    /// Only calls of this thread count.
    ThreadLocal,
    /// No call is refused for being unsafe.
    Relaxed,
    /// Global, in a blocking stream.
    GlobalBlocking,
}

impl Strictness {
    /// All of them.
    pub const ALL: [Strictness; 4] = [
        Strictness::Global,
        Strictness::ThreadLocal,
        Strictness::Relaxed,
        Strictness::GlobalBlocking,
    ];

    /// What it is called in the names of cases.
    pub fn as_str(self) -> &'static str {
        match self {
            Strictness::Global => "global",
            Strictness::ThreadLocal => "thread-local",
            Strictness::Relaxed => "relaxed",
            Strictness::GlobalBlocking => "global-blocking",
        }
    }
}

/// Something that is called while a stream captures.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its name.
    pub name: &'static str,
    /// Its name in `rules/api.toml`.
    pub api: &'static str,
    /// Where it works.
    pub on: On,
    /// Whether another thread calls it.
    pub other_thread: bool,
    /// Whether more than the one call decides; tried in global mode only.
    pub is_special: bool,
    /// What came of the call and of the end of the capture, in global, thread-local and relaxed mode.
    pub measured: [&'static str; 3],
}

const REFUSED: &str = "STREAM_CAPTURE_UNSUPPORTED / STREAM_CAPTURE_INVALIDATED";
const IMPLICIT: &str = "STREAM_CAPTURE_IMPLICIT / STREAM_CAPTURE_INVALIDATED";
const NOT_IN_GRAPH: &str = "ok / 1 node";
const IN_GRAPH: &str = "ok / 2 nodes";
const UNJOINED: &str = "ok / STREAM_CAPTURE_UNJOINED";

impl Call {
    /// Whether it is tried under this strictness: a blocking stream matters to the legacy stream only.
    pub fn is_under(&self, strictness: Strictness) -> bool {
        match strictness {
            Strictness::Global => true,
            Strictness::ThreadLocal | Strictness::Relaxed => !self.is_special,
            Strictness::GlobalBlocking => self.on == On::Legacy,
        }
    }

    /// What an H100 did.
    pub fn measured(&self, strictness: Strictness) -> Option<&'static str> {
        Some(match strictness {
            Strictness::Global => self.measured[0],
            Strictness::ThreadLocal => self.measured[1],
            Strictness::Relaxed => self.measured[2],
            Strictness::GlobalBlocking => IMPLICIT,
        })
    }
}

const fn call(name: &'static str, api: &'static str, on: On, measured: [&'static str; 3]) -> Call {
    Call {
        name,
        api,
        on,
        other_thread: false,
        is_special: false,
        measured,
    }
}

const fn special(name: &'static str, measured: &'static str) -> Call {
    Call {
        is_special: true,
        ..call(name, "cuStreamBeginCapture", On::Resident, [measured; 3])
    }
}

use On::{Legacy, Nothing, Other, Resident};

/// All of them.
pub const CALLS: &[Call] = &[
    call(
        "stream-synchronize",
        "cuStreamSynchronize",
        Resident,
        [REFUSED; 3],
    ),
    call("stream-query", "cuStreamQuery", Resident, [REFUSED; 3]),
    call("context-synchronize", "cuCtxSynchronize", Nothing, [REFUSED; 3]),
    call(
        "event-query",
        "cuEventQuery",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "event-synchronize",
        "cuEventSynchronize",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "allocate",
        "cuMemAlloc",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    Call {
        other_thread: true,
        ..call(
            "allocate-elsewhere",
            "cuMemAlloc",
            Nothing,
            [REFUSED, NOT_IN_GRAPH, NOT_IN_GRAPH],
        )
    },
    call("free", "cuMemFree", Nothing, [REFUSED, REFUSED, NOT_IN_GRAPH]),
    call(
        "allocate-host",
        "cuMemAllocHost",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "function-attribute",
        "cuFuncGetAttribute",
        Nothing,
        [NOT_IN_GRAPH; 3],
    ),
    call("launch-fresh", "cuLaunchKernel", Resident, [IN_GRAPH; 3]),
    call("stream-create", "cuStreamCreate", Nothing, [NOT_IN_GRAPH; 3]),
    call("stream-destroy", "cuStreamDestroy", Nothing, [NOT_IN_GRAPH; 3]),
    call("event-create", "cuEventCreate", Nothing, [NOT_IN_GRAPH; 3]),
    call("event-destroy", "cuEventDestroy", Nothing, [NOT_IN_GRAPH; 3]),
    call(
        "allocate-pitch",
        "cuMemAllocPitch",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "allocate-managed",
        "cuMemAllocManaged",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "free-host",
        "cuMemFreeHost",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "register-host",
        "cuMemHostRegister",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "unregister-host",
        "cuMemHostUnregister",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "array-create",
        "cuArrayCreate",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "array-destroy",
        "cuArrayDestroy",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "texture-create",
        "cuTexObjectCreate",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "texture-destroy",
        "cuTexObjectDestroy",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "pool-create",
        "cuMemPoolCreate",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "pool-trim",
        "cuMemPoolTrimTo",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call("module-load", "cuModuleLoadData", Nothing, [NOT_IN_GRAPH; 3]),
    call(
        "module-unload",
        "cuModuleUnload",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call("library-load", "cuLibraryLoadData", Nothing, [NOT_IN_GRAPH; 3]),
    call(
        "library-unload",
        "cuLibraryUnload",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call(
        "set-stack-limit",
        "cuCtxSetLimit",
        Nothing,
        [REFUSED, REFUSED, NOT_IN_GRAPH],
    ),
    call("memory-info", "cuMemGetInfo", Nothing, [NOT_IN_GRAPH; 3]),
    call("ipc-handle", "cuIpcGetMemHandle", Nothing, [NOT_IN_GRAPH; 3]),
    call(
        "launch-cooperative",
        "cuLaunchCooperativeKernel",
        Resident,
        [IN_GRAPH; 3],
    ),
    call("host-function", "cuLaunchHostFunc", Resident, [IN_GRAPH; 3]),
    call("callback", "cuStreamAddCallback", Resident, [REFUSED; 3]),
    call("wait-value", "cuStreamWaitValue32", Resident, [IN_GRAPH; 3]),
    call("write-value", "cuStreamWriteValue32", Resident, [IN_GRAPH; 3]),
    call("allocate-async", "cuMemAllocAsync", Resident, [IN_GRAPH; 3]),
    call("graph-launch", "cuGraphLaunch", Resident, [REFUSED; 3]),
    call("graph-upload", "cuGraphUpload", Resident, [REFUSED; 3]),
    call(
        "graph-launch-elsewhere",
        "cuGraphLaunch",
        Other,
        [NOT_IN_GRAPH; 3],
    ),
    call("launch-elsewhere", "cuLaunchKernel", Other, [NOT_IN_GRAPH; 3]),
    call("copy-on-device", "cuMemcpyDtoD", Legacy, [NOT_IN_GRAPH; 3]),
    call(
        "copy-on-device-async",
        "cuMemcpyDtoDAsync",
        Resident,
        [IN_GRAPH; 3],
    ),
    call("fill-async", "cuMemsetD8Async", Resident, [IN_GRAPH; 3]),
    call("copy-to-host-async", "cuMemcpyDtoHAsync", Resident, [IN_GRAPH; 3]),
    call(
        "copy-to-device-async",
        "cuMemcpyHtoDAsync",
        Resident,
        [IN_GRAPH; 3],
    ),
    call("copy-to-host", "cuMemcpyDtoH", Legacy, [NOT_IN_GRAPH; 3]),
    call("copy-to-device", "cuMemcpyHtoD", Legacy, [NOT_IN_GRAPH; 3]),
    call("fill", "cuMemsetD8", Legacy, [NOT_IN_GRAPH; 3]),
    call("launch-legacy", "cuLaunchKernel", Legacy, [NOT_IN_GRAPH; 3]),
    special("fork", UNJOINED),
    special("outside-event", "STREAM_CAPTURE_ISOLATION"),
    special("captured-event-synchronize", "CAPTURED_EVENT"),
    special("free-captured-allocation", "STREAM_CAPTURE_UNSUPPORTED"),
    special("allocate-free-async", "ok / 3 nodes"),
    special("free-async-of-allocation", "INVALID_VALUE / 1 node"),
    special("relaunch-unfreed", "INVALID_VALUE"),
    special("relaunch-unfreed-auto-free", "ok"),
];
