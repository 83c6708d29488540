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
/// What comes of it in global, thread-local and relaxed mode.
const PROHIBITED: [&str; 3] = [REFUSED; 3];
const UNSAFE: [&str; 3] = [REFUSED, REFUSED, NOT_IN_GRAPH];
const ALLOWED: [&str; 3] = [NOT_IN_GRAPH; 3];
const CAPTURED: [&str; 3] = [IN_GRAPH; 3];
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
    call("stream-synchronize", "cuStreamSynchronize", Resident, PROHIBITED),
    call("stream-query", "cuStreamQuery", Resident, PROHIBITED),
    call("context-synchronize", "cuCtxSynchronize", Nothing, PROHIBITED),
    call("event-query", "cuEventQuery", Nothing, UNSAFE),
    call("event-synchronize", "cuEventSynchronize", Nothing, UNSAFE),
    call("allocate", "cuMemAlloc", Nothing, UNSAFE),
    Call {
        other_thread: true,
        ..call(
            "allocate-elsewhere",
            "cuMemAlloc",
            Nothing,
            [REFUSED, NOT_IN_GRAPH, NOT_IN_GRAPH],
        )
    },
    call("free", "cuMemFree", Nothing, UNSAFE),
    call("allocate-host", "cuMemAllocHost", Nothing, UNSAFE),
    call("function-attribute", "cuFuncGetAttribute", Nothing, ALLOWED),
    call("launch-fresh", "cuLaunchKernel", Resident, CAPTURED),
    call("stream-create", "cuStreamCreate", Nothing, ALLOWED),
    call("stream-destroy", "cuStreamDestroy", Nothing, ALLOWED),
    call("event-create", "cuEventCreate", Nothing, ALLOWED),
    call("event-destroy", "cuEventDestroy", Nothing, ALLOWED),
    call("allocate-pitch", "cuMemAllocPitch", Nothing, UNSAFE),
    call("allocate-managed", "cuMemAllocManaged", Nothing, UNSAFE),
    call("free-host", "cuMemFreeHost", Nothing, UNSAFE),
    call("register-host", "cuMemHostRegister", Nothing, UNSAFE),
    call("unregister-host", "cuMemHostUnregister", Nothing, UNSAFE),
    call("array-create", "cuArrayCreate", Nothing, UNSAFE),
    call("array-destroy", "cuArrayDestroy", Nothing, UNSAFE),
    call("texture-create", "cuTexObjectCreate", Nothing, UNSAFE),
    call("texture-destroy", "cuTexObjectDestroy", Nothing, UNSAFE),
    call("pool-create", "cuMemPoolCreate", Nothing, UNSAFE),
    call("pool-trim", "cuMemPoolTrimTo", Nothing, UNSAFE),
    call("module-load", "cuModuleLoadData", Nothing, ALLOWED),
    call("module-unload", "cuModuleUnload", Nothing, UNSAFE),
    call("library-load", "cuLibraryLoadData", Nothing, ALLOWED),
    call("library-unload", "cuLibraryUnload", Nothing, UNSAFE),
    call("set-stack-limit", "cuCtxSetLimit", Nothing, UNSAFE),
    call("memory-info", "cuMemGetInfo", Nothing, ALLOWED),
    call("ipc-handle", "cuIpcGetMemHandle", Nothing, ALLOWED),
    call(
        "launch-cooperative",
        "cuLaunchCooperativeKernel",
        Resident,
        CAPTURED,
    ),
    call("host-function", "cuLaunchHostFunc", Resident, CAPTURED),
    call("callback", "cuStreamAddCallback", Resident, PROHIBITED),
    call("wait-value", "cuStreamWaitValue32", Resident, CAPTURED),
    call("write-value", "cuStreamWriteValue32", Resident, CAPTURED),
    call("allocate-async", "cuMemAllocAsync", Resident, CAPTURED),
    call("graph-launch", "cuGraphLaunch", Resident, PROHIBITED),
    call("graph-upload", "cuGraphUpload", Resident, PROHIBITED),
    call("graph-launch-elsewhere", "cuGraphLaunch", Other, ALLOWED),
    call("launch-elsewhere", "cuLaunchKernel", Other, ALLOWED),
    call("copy-on-device", "cuMemcpyDtoD", Legacy, ALLOWED),
    call("copy-on-device-async", "cuMemcpyDtoDAsync", Resident, CAPTURED),
    call("fill-async", "cuMemsetD8Async", Resident, CAPTURED),
    call("copy-to-host-async", "cuMemcpyDtoHAsync", Resident, CAPTURED),
    call("copy-to-device-async", "cuMemcpyHtoDAsync", Resident, CAPTURED),
    call("copy-to-host", "cuMemcpyDtoH", Legacy, ALLOWED),
    call("copy-to-device", "cuMemcpyHtoD", Legacy, ALLOWED),
    call("fill", "cuMemsetD8", Legacy, ALLOWED),
    call("launch-legacy", "cuLaunchKernel", Legacy, ALLOWED),
    special("fork", UNJOINED),
    special("outside-event", "STREAM_CAPTURE_ISOLATION"),
    special("captured-event-synchronize", "CAPTURED_EVENT"),
    special("free-captured-allocation", "STREAM_CAPTURE_UNSUPPORTED"),
    special("allocate-free-async", "ok / 3 nodes"),
    special("free-async-of-allocation", "INVALID_VALUE / 1 node"),
    special("relaunch-unfreed", "INVALID_VALUE"),
    special("relaunch-unfreed-auto-free", "ok"),
];
