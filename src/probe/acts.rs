//! The operations of M1 done: one entry for each of [`OPERATIONS`](super::operations::OPERATIONS), by name.

use super::bench::{BYTES, Bench, Spare, captured, pageable};
use super::driver::{self, CUarray, CUdeviceptr, CUfunction, CUgraph, CUlibrary, CUmodule, CUtexObject};
use super::driver::{Done, HostMemory, LEGACY, NON_BLOCKING, Refused};

/// What the operations work with.
pub struct Tools<'a> {
    bench: &'a Bench,
    spare: &'a Spare,
    /// A loaded kernel.
    touch: CUfunction,
    /// One that nothing has loaded.
    fresh: CUfunction,
    special: Special,
}

/// What only some operations need, made beforehand for those.
#[derive(Default)]
struct Special {
    function: Option<CUfunction>,
    module: Option<CUmodule>,
    library: Option<CUlibrary>,
    array: Option<CUarray>,
    texture: Option<CUtexObject>,
    surface: Option<driver::CUsurfObject>,
    mipmapped: Option<driver::CUmipmappedArray>,
    /// Addresses, and memory to map there.
    mapping: Option<(CUdeviceptr, driver::Physical)>,
    pooled: Option<CUdeviceptr>,
    registered: Option<HostMemory>,
    graph: Option<CUgraph>,
}

const MEGABYTE: usize = 1 << 20;

/// Bytes of what is mapped: as much as the device maps at once.
const MAPPED: usize = 2 << 20;

/// What the launches of kernels with much local memory fill the device with.
const MANY: (u32, u32) = (1056, 256);

/// More launches than the queue of a stream holds.
const TOO_MANY: usize = 1100;

type Act = fn(&Tools<'_>) -> Done;

/// Makes what an operation needs; what comes back does it.
pub fn prepare<'a>(
    name: &str,
    bench: &'a Bench,
    spare: &'a Spare,
    touch: CUfunction,
) -> Done<impl FnOnce() -> Done + 'a> {
    let missing = || Refused(format!("nobody knows how to do `{name}`"));
    let (_, act) = ACTS.iter().find(|(it, _)| *it == name).ok_or_else(missing)?;
    let tools = Tools {
        bench,
        spare,
        touch,
        fresh: driver::unloaded(bench.kernel("fresh")?),
        special: special(name, bench, touch)?,
    };
    Ok(move || act(&tools))
}

fn special(name: &str, bench: &Bench, touch: CUfunction) -> Done<Special> {
    let mut special = Special::default();
    match name {
        "launch-local-memory" => special.function = Some(bench.function("local_32768")?),
        "launch-local-memory-fresh" => {
            special.function = Some(driver::unloaded(bench.kernel("local_32768")?));
        }
        "launch-malloc" => special.function = Some(bench.function("allocate")?),
        "launch-printf" => special.function = Some(bench.function("print")?),
        "launch-printf-fresh" => special.function = Some(driver::unloaded(bench.kernel("print")?)),
        "module-unload" => {
            let module = driver::load_module(bench.image)?;
            driver::module_function(module, c"touch")?;
            special.module = Some(module);
        }
        "library-unload" => {
            let library = driver::load_library(bench.image)?;
            driver::kernel_function(driver::kernel(library, c"touch")?)?;
            special.library = Some(library);
        }
        "texture-create" | "array-destroy" => special.array = Some(driver::array()?),
        "texture-destroy" => {
            let array = driver::array()?;
            special.array = Some(array);
            special.texture = Some(driver::texture(array)?);
        }
        "surface-destroy" => special.surface = Some(driver::surface()?),
        "mipmapped-array-destroy" => special.mipmapped = Some(driver::mipmapped_array()?),
        "map-memory" | "unmap-memory" => {
            let device = bench.device.ordinal;
            let (address, memory) = (
                driver::reserve_addresses(MAPPED)?,
                driver::physical_memory(device, MAPPED)?,
            );
            if name == "unmap-memory" {
                driver::map_memory(address, MAPPED, memory)?;
                driver::allow_access(address, MAPPED, device)?;
            }
            special.mapping = Some((address, memory));
        }
        "free-pooled" => {
            special.pooled = Some(driver::allocate_async(MEGABYTE, bench.b)?);
            driver::synchronize_stream(bench.b)?;
        }
        "unregister-host" => {
            let memory = pageable();
            driver::register_host(memory, BYTES)?;
            special.registered = Some(memory);
        }
        "graph-update" => special.graph = Some(captured(bench, touch, bench.b)?),
        _ => {}
    }
    Ok(special)
}

impl Tools<'_> {
    fn launch(&self, function: CUfunction, stream: driver::CUstream) -> Done {
        self.bench.launch(function, stream)
    }

    fn launch_special(&self, (blocks, threads): (u32, u32)) -> Done {
        let function = made(self.special.function)?;
        driver::launch(function, blocks, threads, self.bench.b, self.bench.arguments)
    }

    fn launch_often(&self, stream: driver::CUstream) -> Done {
        (0..TOO_MANY).try_for_each(|_| self.launch(self.touch, stream))
    }

    /// Loads the kernel that was not loaded.
    fn load_fresh(&self) -> Done<CUfunction> {
        driver::kernel_function(self.bench.kernel("fresh")?)
    }

    fn graph(&self, function: CUfunction) -> Done {
        let graph = captured(self.bench, function, self.bench.b)?;
        driver::launch_graph(driver::instantiate(graph, 0)?, self.bench.b)
    }

    fn symbol(&self) -> Done<CUdeviceptr> {
        driver::global(self.bench.library, c"symbol")
    }
}

fn made<T>(it: Option<T>) -> Done<T> {
    it.ok_or_else(|| Refused("it was not prepared".to_owned()))
}

/// A question whose answer does not matter.
fn asked<T>(answer: Done<T>) -> Done {
    answer.map(|_| ())
}

/// A query: that something is not ready is no failure.
fn queried(answer: Done) -> Done {
    match answer {
        Err(Refused(error)) if error == "CUDA_ERROR_NOT_READY" => Ok(()),
        other => other,
    }
}

const ACTS: &[(&str, Act)] = &[
    ("launch", |it| it.launch(it.touch, it.bench.b)),
    ("launch-fresh", |it| it.launch(it.fresh, it.bench.b)),
    ("launch-fresh-resident", |it| it.launch(it.fresh, it.bench.a)),
    ("launch-legacy", |it| it.launch(it.touch, LEGACY)),
    ("launch-legacy-synchronize", |it| {
        it.launch(it.touch, LEGACY)?;
        driver::synchronize_stream(LEGACY)
    }),
    ("launch-cooperative", |it| {
        driver::launch_cooperative(it.touch, it.bench.b, it.bench.arguments)
    }),
    ("launch-local-memory", |it| it.launch_special(MANY)),
    ("launch-local-memory-fresh", |it| it.launch_special(MANY)),
    ("launch-malloc", |it| it.launch_special((1, 1))),
    ("launch-printf", |it| it.launch_special((1, 1))),
    ("launch-printf-fresh", |it| it.launch_special((1, 1))),
    ("launch-1100-resident", |it| it.launch_often(it.bench.a)),
    ("launch-1100", |it| it.launch_often(it.bench.b)),
    ("host-function", |it| driver::host_function(it.bench.b)),
    ("callback", |it| driver::callback(it.bench.b)),
    ("module-load", |it| asked(driver::load_module(it.bench.image))),
    ("module-load-function", |it| {
        let module = driver::load_module(it.bench.image)?;
        asked(driver::module_function(module, c"touch"))
    }),
    ("module-unload", |it| {
        driver::unload_module(made(it.special.module)?)
    }),
    ("library-load", |it| asked(driver::load_library(it.bench.image))),
    ("library-unload", |it| {
        driver::unload_library(made(it.special.library)?)
    }),
    ("get-kernel", |it| asked(it.bench.kernel("local_512"))),
    ("get-function-fresh", |it| asked(it.load_fresh())),
    ("function-attribute-fresh", |it| {
        asked(driver::function_registers(it.load_fresh()?))
    }),
    ("function-set-attribute-fresh", |it| {
        driver::set_carveout(it.load_fresh()?, 50)
    }),
    ("occupancy-fresh", |it| asked(driver::occupancy(it.load_fresh()?))),
    ("function-cache-config", |it| driver::function_cache(it.touch)),
    ("symbol-address", |it| asked(it.symbol())),
    ("graph", |it| it.graph(it.touch)),
    ("graph-fresh", |it| it.graph(it.fresh)),
    ("graph-launch", |it| {
        driver::launch_graph(it.spare.instance, it.bench.b)
    }),
    ("graph-upload", |it| {
        driver::upload_graph(it.spare.instance, it.bench.b)
    }),
    ("graph-update", |it| {
        asked(driver::update_graph(it.spare.instance, made(it.special.graph)?))
    }),
    ("graph-destroy", |it| driver::destroy_graph(it.spare.instance)),
    ("context-synchronize", |_| driver::synchronize()),
    ("stream-synchronize", |it| driver::synchronize_stream(it.bench.b)),
    ("stream-query-resident", |it| {
        queried(driver::query_stream(it.bench.a))
    }),
    ("event-synchronize-resident", |it| {
        driver::synchronize_event(it.spare.behind)
    }),
    ("event-query-resident", |it| {
        queried(driver::query_event(it.spare.behind))
    }),
    ("wait-event-resident", |it| {
        driver::stream_wait_event(it.bench.b, it.spare.behind)
    }),
    ("write-value", |it| {
        driver::write_value(it.bench.b, it.spare.memory, 7)
    }),
    ("wait-value", |it| {
        driver::wait_value(it.bench.b, it.bench.memory + 4096, 0)
    }),
    ("stream-create", |_| asked(driver::stream(0))),
    ("stream-create-non-blocking", |_| {
        asked(driver::stream(NON_BLOCKING))
    }),
    ("stream-create-priority", |_| {
        asked(driver::stream_with_priority(NON_BLOCKING, -1))
    }),
    ("stream-destroy", |it| driver::destroy_stream(it.spare.stream)),
    ("stream-destroy-resident", |it| driver::destroy_stream(it.bench.a)),
    ("event-create", |_| asked(driver::event())),
    ("event-destroy", |it| driver::destroy_event(it.spare.event)),
    ("event-record-query", |it| {
        driver::record(it.spare.event, it.bench.b)?;
        queried(driver::query_event(it.spare.event))
    }),
    ("allocate-256", |_| asked(driver::allocate(256))),
    ("allocate-64m", |_| asked(driver::allocate(64 * MEGABYTE))),
    ("allocate-pitch", |_| asked(driver::allocate_pitched())),
    ("allocate-managed", |_| asked(driver::allocate_managed(MEGABYTE))),
    ("allocate-host", |_| asked(driver::allocate_host(MEGABYTE))),
    ("allocate-async-1m", |it| {
        asked(driver::allocate_async(MEGABYTE, it.bench.b))
    }),
    ("allocate-async-1g", |it| {
        asked(driver::allocate_async(1024 * MEGABYTE, it.bench.b))
    }),
    ("allocate-free-async", |it| {
        let memory = driver::allocate_async(MEGABYTE, it.bench.b)?;
        driver::free_async(memory, it.bench.b)
    }),
    ("array-create", |_| asked(driver::array())),
    ("texture-create", |it| {
        asked(driver::texture(made(it.special.array)?))
    }),
    ("free", |it| driver::free(it.spare.memory)),
    ("free-pooled", |it| driver::free(made(it.special.pooled)?)),
    ("free-host", |it| driver::free_host(it.spare.host)),
    ("array-destroy", |it| {
        driver::destroy_array(made(it.special.array)?)
    }),
    ("texture-destroy", |it| {
        driver::destroy_texture(made(it.special.texture)?)
    }),
    ("surface-destroy", |it| {
        driver::destroy_surface(made(it.special.surface)?)
    }),
    ("mipmapped-array-destroy", |it| {
        driver::destroy_mipmapped_array(made(it.special.mipmapped)?)
    }),
    ("map-memory", |it| {
        let (address, memory) = made(it.special.mapping)?;
        driver::map_memory(address, MAPPED, memory)?;
        driver::allow_access(address, MAPPED, it.bench.device.ordinal)
    }),
    ("unmap-memory", |it| {
        let (address, memory) = made(it.special.mapping)?;
        driver::unmap_memory(address, MAPPED)?;
        driver::release_memory(memory)
    }),
    ("register-host", |_| driver::register_host(pageable(), BYTES)),
    ("unregister-host", |it| {
        driver::unregister_host(made(it.special.registered)?)
    }),
    ("pool-create-destroy", |it| {
        driver::destroy_pool(driver::pool(it.bench.device.ordinal)?)
    }),
    ("pool-trim", |it| {
        driver::trim_pool(driver::default_pool(it.bench.device.ordinal)?)
    }),
    ("graph-memory-trim", |it| {
        driver::trim_graph_memory(it.bench.device.ordinal)
    }),
    ("copy-to-device-4", |it| {
        driver::copy_to_device(it.bench.memory, it.bench.pageable, 4)
    }),
    ("copy-to-device-1m", |it| {
        driver::copy_to_device(it.bench.memory, it.bench.pageable, MEGABYTE)
    }),
    ("copy-to-device-1m-pinned", |it| {
        driver::copy_to_device(it.bench.memory, it.bench.pinned, MEGABYTE)
    }),
    ("copy-to-host-4", |it| {
        driver::copy_to_host(it.bench.pageable, it.bench.memory, 4)
    }),
    ("copy-on-device", |it| {
        driver::copy_on_device(it.bench.memory, it.bench.memory + 4096, 4096)
    }),
    ("copy-to-symbol", |it| {
        driver::copy_to_device(it.symbol()?, it.bench.pageable, 4)
    }),
    ("copy-to-device-async", |it| {
        driver::copy_to_device_async(it.bench.memory, it.bench.pageable, MEGABYTE, it.bench.b)
    }),
    ("copy-to-device-async-pinned", |it| {
        driver::copy_to_device_async(it.bench.memory, it.bench.pinned, MEGABYTE, it.bench.b)
    }),
    ("copy-to-device-async-4-resident", |it| {
        driver::copy_to_device_async(it.bench.memory, it.bench.pageable, 4, it.bench.a)
    }),
    ("copy-to-device-async-1m-resident", |it| {
        driver::copy_to_device_async(it.bench.memory, it.bench.pageable, MEGABYTE, it.bench.a)
    }),
    ("copy-to-device-async-4m-resident", |it| {
        driver::copy_to_device_async(it.bench.memory, it.bench.pageable, BYTES, it.bench.a)
    }),
    ("copy-to-device-async-pinned-resident", |it| {
        driver::copy_to_device_async(it.bench.memory, it.bench.pinned, MEGABYTE, it.bench.a)
    }),
    ("copy-to-host-async", |it| {
        driver::copy_to_host_async(it.bench.pageable, it.bench.memory, MEGABYTE, it.bench.b)
    }),
    ("copy-to-host-async-resident", |it| {
        driver::copy_to_host_async(it.bench.pageable, it.bench.memory, MEGABYTE, it.bench.a)
    }),
    ("copy-to-host-async-pinned-resident", |it| {
        driver::copy_to_host_async(it.bench.pinned, it.bench.memory, MEGABYTE, it.bench.a)
    }),
    ("copy-on-device-async", |it| {
        driver::copy_on_device_async(it.bench.memory, it.bench.memory + 4096, 4096, it.bench.b)
    }),
    ("copy-to-symbol-async", |it| {
        driver::copy_to_device_async(it.symbol()?, it.bench.pageable, 4, it.bench.b)
    }),
    ("fill", |it| driver::clear(it.bench.memory, 4096)),
    ("fill-async", |it| {
        driver::clear_async(it.bench.memory, MEGABYTE, it.bench.b)
    }),
    ("fill-2d-async", |it| {
        driver::clear_2d_async(it.bench.memory, it.bench.b)
    }),
    ("set-stack-limit", |_| driver::set_stack_limit(16 << 10)),
    ("set-heap-limit", |_| driver::set_heap_limit(16 << 20)),
    ("set-print-limit", |_| driver::set_print_limit(8 << 20)),
    ("get-stack-limit", |_| asked(driver::stack_limit())),
    ("reset-persisting-cache", |_| driver::forget_persisting_cache()),
    ("set-cache-config", |_| driver::context_cache()),
    ("memory-info", |_| asked(driver::free_memory())),
    ("device-attribute", |it| {
        asked(driver::multiprocessors(it.bench.device.ordinal))
    }),
    ("pointer-attribute", |it| {
        asked(driver::memory_type(it.bench.memory))
    }),
    ("ipc-handle", |it| asked(driver::ipc_handle(it.bench.memory))),
    ("stream-priorities", |_| asked(driver::priorities())),
    ("stream-flags", |it| asked(driver::stream_flags(it.bench.b))),
    ("exchange-capture-mode", |_| driver::exchange_capture_mode()),
];

#[cfg(test)]
mod tests {
    use super::super::operations::OPERATIONS;
    use super::ACTS;

    #[test]
    fn every_operation_can_be_done() {
        let operations: Vec<&str> = OPERATIONS.iter().map(|it| it.name).collect();
        let mut acts: Vec<&str> = ACTS.iter().map(|(name, _)| *name).collect();
        acts.sort_by_key(|name| operations.iter().position(|it| it == name));
        assert_eq!(acts, operations);
    }
}
