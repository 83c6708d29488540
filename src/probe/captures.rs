//! The cases of M8 done: a capture, a call in it, and what came of both.

use std::path::Path;

use super::bench::{BYTES, Bench, Spare, pageable};
use super::capture::{Call, Strictness};
use super::driver::{self, CUarray, CUevent, CUfunction, CUlibrary, CUmodule, CUtexObject};
use super::driver::{CaptureMode, Device, Done, HostMemory, LEGACY, Refused};
use super::scenes::Image;
use super::watch::Seen;

/// What the calls work with.
struct Tools {
    bench: Bench,
    touch: CUfunction,
    fresh: CUfunction,
    /// Recorded before the capture begins.
    event: CUevent,
    spare: Spare,
    registered: HostMemory,
    module: CUmodule,
    library: CUlibrary,
    array: CUarray,
    texture: CUtexObject,
}

impl Tools {
    fn new(folder: &Path, blocking: bool) -> Done<Self> {
        let bench = Bench::new(folder, Image::Plain, blocking)?;
        let touch = bench.function("touch")?;
        let (registered, array) = (pageable(), driver::array()?);
        driver::register_host(registered, BYTES)?;
        let tools = Tools {
            touch,
            fresh: driver::unloaded(bench.kernel("fresh")?),
            event: driver::event()?,
            spare: Spare::new(&bench, touch)?,
            registered,
            module: driver::load_module(bench.image)?,
            library: driver::load_library(bench.image)?,
            array: driver::array()?,
            texture: driver::texture(array)?,
            bench,
        };
        driver::record(tools.event, tools.bench.b)?;
        driver::synchronize()?;
        Ok(tools)
    }
}

/// Captures a launch, calls, ends the capture.
pub fn run(call: &Call, strictness: Strictness, folder: &Path) -> Done<Seen> {
    let tools = Tools::new(folder, strictness == Strictness::GlobalBlocking)?;
    let mode = match strictness {
        Strictness::Global | Strictness::GlobalBlocking => CaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL,
        Strictness::ThreadLocal => CaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
        Strictness::Relaxed => CaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
    };
    if let Some(flags) = relaunch_flags(call.name) {
        return Ok(Seen::new(word(&relaunch(&tools, flags)?)));
    }
    let (_, act) = ACTS
        .iter()
        .find(|(name, _)| *name == call.name)
        .ok_or_else(|| Refused(format!("nobody knows how to do `{}`", call.name)))?;
    let stream = tools.bench.a;
    driver::begin_capture(stream, mode)?;
    tools.bench.launch(tools.touch, stream)?;
    let called = act(&tools);
    let ended = driver::end_capture(stream).and_then(driver::graph_nodes);
    let end = match ended {
        Ok(1) => "1 node".to_owned(),
        Ok(nodes) => format!("{nodes} nodes"),
        Err(Refused(error)) => short(&error),
    };
    Ok(Seen::new(format!("{} / {end}", word(&called))))
}

type Act = fn(&Tools) -> Done;

const ACTS: &[(&str, Act)] = &[
    ("stream-synchronize", |it| driver::synchronize_stream(it.bench.a)),
    ("stream-query", |it| driver::query_stream(it.bench.a)),
    ("context-synchronize", |_| driver::synchronize()),
    ("event-query", |it| driver::query_event(it.event)),
    ("event-synchronize", |it| driver::synchronize_event(it.event)),
    ("allocate", |_| driver::allocate(1024).map(|_| ())),
    ("allocate-elsewhere", |it| elsewhere(it.bench.device)),
    ("free", |it| driver::free(it.bench.memory)),
    ("allocate-host", |_| driver::allocate_host(1024).map(|_| ())),
    ("function-attribute", |it| {
        let function = driver::kernel_function(it.bench.kernel("local_32768")?)?;
        driver::function_registers(function).map(|_| ())
    }),
    ("launch-fresh", |it| it.bench.launch(it.fresh, it.bench.a)),
    ("stream-create", |_| driver::stream(0).map(|_| ())),
    ("stream-destroy", |it| driver::destroy_stream(it.spare.stream)),
    ("event-create", |_| driver::event().map(|_| ())),
    ("event-destroy", |it| driver::destroy_event(it.spare.event)),
    ("allocate-pitch", |_| driver::allocate_pitched().map(|_| ())),
    ("allocate-managed", |_| {
        driver::allocate_managed(1 << 20).map(|_| ())
    }),
    ("free-host", |it| driver::free_host(it.spare.host)),
    ("register-host", |_| driver::register_host(pageable(), BYTES)),
    ("unregister-host", |it| driver::unregister_host(it.registered)),
    ("array-create", |_| driver::array().map(|_| ())),
    ("array-destroy", |it| driver::destroy_array(it.array)),
    ("texture-create", |it| driver::texture(it.array).map(|_| ())),
    ("texture-destroy", |it| driver::destroy_texture(it.texture)),
    ("pool-create", |it| {
        driver::pool(it.bench.device.ordinal).map(|_| ())
    }),
    ("pool-trim", |it| {
        driver::trim_pool(driver::default_pool(it.bench.device.ordinal)?)
    }),
    ("module-load", |it| {
        driver::load_module(it.bench.image).map(|_| ())
    }),
    ("module-unload", |it| driver::unload_module(it.module)),
    ("library-load", |it| {
        driver::load_library(it.bench.image).map(|_| ())
    }),
    ("library-unload", |it| driver::unload_library(it.library)),
    ("set-stack-limit", |_| driver::set_stack_limit(16 << 10)),
    ("memory-info", |_| driver::free_memory().map(|_| ())),
    ("ipc-handle", |it| driver::ipc_handle(it.bench.memory).map(|_| ())),
    ("launch-cooperative", |it| {
        driver::launch_cooperative(it.touch, it.bench.a, it.bench.arguments)
    }),
    ("host-function", |it| driver::host_function(it.bench.a)),
    ("callback", |it| driver::callback(it.bench.a)),
    ("wait-value", |it| {
        driver::wait_value(it.bench.a, it.bench.memory, 0)
    }),
    ("write-value", |it| {
        driver::write_value(it.bench.a, it.bench.memory, 7)
    }),
    ("allocate-async", |it| {
        driver::allocate_async(1 << 20, it.bench.a).map(|_| ())
    }),
    ("allocate-free-async", |it| {
        driver::free_async(driver::allocate_async(1 << 20, it.bench.a)?, it.bench.a)
    }),
    ("free-async-of-allocation", |it| {
        driver::free_async(it.spare.memory, it.bench.a)
    }),
    ("graph-launch", |it| {
        driver::launch_graph(it.spare.instance, it.bench.a)
    }),
    ("graph-upload", |it| {
        driver::upload_graph(it.spare.instance, it.bench.a)
    }),
    ("graph-launch-elsewhere", |it| {
        driver::launch_graph(it.spare.instance, it.bench.b)
    }),
    ("launch-elsewhere", |it| it.bench.launch(it.touch, it.bench.b)),
    ("copy-on-device", |it| {
        driver::copy_on_device(it.bench.memory, it.bench.memory + 4096, 4096)
    }),
    ("copy-on-device-async", |it| {
        driver::copy_on_device_async(it.bench.memory, it.bench.memory + 4096, 4096, it.bench.a)
    }),
    ("fill-async", |it| {
        driver::clear_async(it.bench.memory, 4096, it.bench.a)
    }),
    ("copy-to-host-async", |it| {
        driver::copy_to_host_async(it.bench.pageable, it.bench.memory, 4, it.bench.a)
    }),
    ("copy-to-device-async", |it| {
        driver::copy_to_device_async(it.bench.memory, it.bench.pageable, 1 << 20, it.bench.a)
    }),
    ("copy-to-host", |it| {
        driver::copy_to_host(it.bench.pageable, it.bench.memory, 4)
    }),
    ("copy-to-device", |it| {
        driver::copy_to_device(it.bench.memory, it.bench.pageable, 4)
    }),
    ("fill", |it| driver::clear(it.bench.memory, 16)),
    ("launch-legacy", |it| it.bench.launch(it.touch, LEGACY)),
    ("fork", |it| {
        let event = driver::event()?;
        driver::record(event, it.bench.a)?;
        driver::stream_wait_event(it.bench.b, event)?;
        it.bench.launch(it.touch, it.bench.b)
    }),
    ("outside-event", |it| {
        driver::stream_wait_event(it.bench.a, it.event)
    }),
    ("captured-event-synchronize", |it| {
        let event = driver::event()?;
        driver::record(event, it.bench.a)?;
        driver::synchronize_event(event)
    }),
    ("free-captured-allocation", |it| {
        driver::free(driver::allocate_async(1024, it.bench.a)?)
    }),
];

/// Flags of the graphs that allocate, do not free, and are launched twice.
fn relaunch_flags(name: &str) -> Option<u64> {
    match name {
        "relaunch-unfreed" => Some(0),
        "relaunch-unfreed-auto-free" => Some(driver::AUTO_FREE),
        _ => None,
    }
}

/// What came of the second launch.
fn relaunch(tools: &Tools, flags: u64) -> Done<Done> {
    let stream = tools.bench.a;
    driver::begin_capture(stream, CaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL)?;
    driver::allocate_async(1 << 20, stream)?;
    tools.bench.launch(tools.touch, stream)?;
    let graph = driver::instantiate(driver::end_capture(stream)?, flags)?;
    driver::launch_graph(graph, stream)?;
    Ok(driver::launch_graph(graph, stream))
}

fn elsewhere(device: Device) -> Done {
    let allocate = move || device.bind().and_then(|()| driver::allocate(64)).map(|_| ());
    let panicked = |_| Err(Refused("the other thread panicked".to_owned()));
    std::thread::spawn(allocate).join().unwrap_or_else(panicked)
}

fn word(done: &Done) -> String {
    match done {
        Ok(()) => "ok".to_owned(),
        Err(Refused(error)) => short(error),
    }
}

fn short(error: &str) -> String {
    error.strip_prefix("CUDA_ERROR_").unwrap_or(error).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::capture::CALLS;
    use super::{ACTS, relaunch_flags};

    #[test]
    fn every_call_can_be_made() {
        for call in CALLS {
            let is_known = ACTS.iter().any(|(name, _)| *name == call.name);
            assert!(is_known || relaunch_flags(call.name).is_some(), "{}", call.name);
        }
        assert_eq!(ACTS.len() + 2, CALLS.len());
    }
}
