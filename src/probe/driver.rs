//! The driver and NVRTC behind safe functions: the only file of the project with `unsafe` in it.
#![expect(
    unsafe_code,
    reason = "kernels can be launched, and most of what is probed called, only through the C interface"
)]

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::atomic::AtomicU32;

use cudarc::driver::sys;
use cudarc::nvrtc::sys as nvrtc;

pub use cudarc::driver::sys::{
    CUarray, CUdevice, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphExec, CUkernel, CUlibrary,
    CUmipmappedArray, CUmodule, CUstream, CUsurfObject, CUtexObject,
};

/// The name of the error the driver returned, e.g. `CUDA_ERROR_INVALID_VALUE`, or what else went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// Whether the driver did what it was asked to.
pub type Done<T = ()> = Result<T, Refused>;

/// Memory of the host that the driver knows, never given back except by [`free_host`].
pub type HostMemory = *mut c_void;

/// Memory of the device that no address leads to yet.
pub type Physical = sys::CUmemGenericAllocationHandle;

/// The legacy default stream.
pub const LEGACY: CUstream = null_mut();

/// The flag of streams that do not wait for the legacy one.
pub const NON_BLOCKING: c_uint = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;

/// The flag of graphs that free at their launch what they allocated at the last one.
pub const AUTO_FREE: u64 =
    sys::CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH.0 as u64;

/// How strict a capture is.
pub use cudarc::driver::sys::CUstreamCaptureMode as CaptureMode;

fn checked(result: sys::CUresult) -> Done {
    match result {
        sys::CUresult::CUDA_SUCCESS => Ok(()),
        error => Err(Refused(format!("{error:?}"))),
    }
}

/// Functions that pass their arguments on, and those (with `|out|`) that return what the driver writes to `out`.
macro_rules! driver {
    () => {};
    ($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) = $call:ident($($value:expr),*); $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name($($argument: $kind),*) -> Done {
            // SAFETY: pointers are null where the driver allows it or point to memory that lives as long as the process;
            // handles come from the driver, which refuses those it does not know.
            checked(unsafe { sys::$call($($value),*) })
        }
        driver! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $made:ty = |$out:ident| $call:ident($($value:expr),*); $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name($($argument: $kind),*) -> Done<$made> {
            // SAFETY: all that is made here is a number or a pointer, for which zero is a value; the rest as above.
            unsafe {
                let mut $out: $made = std::mem::zeroed();
                checked(sys::$call($($value),*))?;
                Ok($out)
            }
        }
        driver! { $($rest)* }
    };
}

// Modules and kernels.
driver! {
    /// A kernel of a library, which nothing has loaded yet.
    kernel(library: CUlibrary, name: &CStr) -> CUkernel = |out| cuLibraryGetKernel(&mut out, library, name.as_ptr());
    /// Loads a kernel of a library into the context.
    kernel_function(kernel: CUkernel) -> CUfunction = |out| cuKernelGetFunction(&mut out, kernel);
    /// Address of a variable of a library.
    global(library: CUlibrary, name: &CStr) -> CUdeviceptr = |out| cuLibraryGetGlobal(&mut out, null_mut(), library, name.as_ptr());
    unload_library(library: CUlibrary) = cuLibraryUnload(library);
    /// A kernel of a module.
    module_function(module: CUmodule, name: &CStr) -> CUfunction = |out| cuModuleGetFunction(&mut out, module, name.as_ptr());
    unload_module(module: CUmodule) = cuModuleUnload(module);
    function_registers(function: CUfunction) -> i32 = |out| cuFuncGetAttribute(&mut out, sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS, function);
    /// Says how much of the cache is to be shared memory.
    set_carveout(function: CUfunction, percent: i32) = cuFuncSetAttribute(function, sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent);
    function_cache(function: CUfunction) = cuFuncSetCacheConfig(function, sys::CUfunc_cache::CU_FUNC_CACHE_PREFER_L1);
    occupancy(function: CUfunction) -> i32 = |out| cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut out, function, 128, 0);
}

// Context and device.
driver! {
    synchronize() = cuCtxSynchronize();
    forget_persisting_cache() = cuCtxResetPersistingL2Cache();
    context_cache() = cuCtxSetCacheConfig(sys::CUfunc_cache::CU_FUNC_CACHE_PREFER_L1);
    stack_limit() -> usize = |out| cuCtxGetLimit(&mut out, sys::CUlimit::CU_LIMIT_STACK_SIZE);
    set_stack_limit(bytes: usize) = cuCtxSetLimit(sys::CUlimit::CU_LIMIT_STACK_SIZE, bytes);
    set_print_limit(bytes: usize) = cuCtxSetLimit(sys::CUlimit::CU_LIMIT_PRINTF_FIFO_SIZE, bytes);
    set_heap_limit(bytes: usize) = cuCtxSetLimit(sys::CUlimit::CU_LIMIT_MALLOC_HEAP_SIZE, bytes);
    multiprocessors(device: CUdevice) -> i32 = |out| cuDeviceGetAttribute(&mut out, sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    default_pool(device: CUdevice) -> sys::CUmemoryPool = |out| cuDeviceGetDefaultMemPool(&mut out, device);
    trim_pool(pool: sys::CUmemoryPool) = cuMemPoolTrimTo(pool, 0);
    destroy_pool(pool: sys::CUmemoryPool) = cuMemPoolDestroy(pool);
    /// Gives back what graphs that allocate keep.
    trim_graph_memory(device: CUdevice) = cuDeviceGraphMemTrim(device);
}

// Streams, events and what is enqueued to them.
driver! {
    stream(flags: c_uint) -> CUstream = |out| cuStreamCreate(&mut out, flags);
    stream_with_priority(flags: c_uint, priority: i32) -> CUstream = |out| cuStreamCreateWithPriority(&mut out, flags, priority);
    stream_flags(stream: CUstream) -> c_uint = |out| cuStreamGetFlags(stream, &mut out);
    destroy_stream(stream: CUstream) = cuStreamDestroy_v2(stream);
    synchronize_stream(stream: CUstream) = cuStreamSynchronize(stream);
    query_stream(stream: CUstream) = cuStreamQuery(stream);
    stream_wait_event(stream: CUstream, event: CUevent) = cuStreamWaitEvent(stream, event, 0);
    /// Waits, in the stream, until the word at `address` is `value`.
    wait_value(stream: CUstream, address: CUdeviceptr, value: u32) = cuStreamWaitValue32_v2(stream, address, value, sys::CUstreamWaitValue_flags::CU_STREAM_WAIT_VALUE_EQ as c_uint);
    write_value(stream: CUstream, address: CUdeviceptr, value: u32) = cuStreamWriteValue32_v2(stream, address, value, 0);
    event() -> CUevent = |out| cuEventCreate(&mut out, sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint);
    destroy_event(event: CUevent) = cuEventDestroy_v2(event);
    record(event: CUevent, stream: CUstream) = cuEventRecord(event, stream);
    query_event(event: CUevent) = cuEventQuery(event);
    synchronize_event(event: CUevent) = cuEventSynchronize(event);
    /// Enqueues a host function that does nothing.
    host_function(stream: CUstream) = cuLaunchHostFunc(stream, Some(nothing), null_mut());
    /// Enqueues a callback that does nothing.
    callback(stream: CUstream) = cuStreamAddCallback(stream, Some(called_back), null_mut(), 0);
}

// Memory.
driver! {
    allocate(bytes: usize) -> CUdeviceptr = |out| cuMemAlloc_v2(&mut out, bytes);
    free(memory: CUdeviceptr) = cuMemFree_v2(memory);
    allocate_async(bytes: usize, stream: CUstream) -> CUdeviceptr = |out| cuMemAllocAsync(&mut out, bytes, stream);
    free_async(memory: CUdeviceptr, stream: CUstream) = cuMemFreeAsync(memory, stream);
    allocate_managed(bytes: usize) -> CUdeviceptr = |out| cuMemAllocManaged(&mut out, bytes, sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL as c_uint);
    allocate_host(bytes: usize) -> HostMemory = |out| cuMemAllocHost_v2(&mut out, bytes);
    allocate_mapped(bytes: usize) -> HostMemory = |out| cuMemHostAlloc(&mut out, bytes, sys::CU_MEMHOSTALLOC_DEVICEMAP);
    device_address(memory: HostMemory) -> CUdeviceptr = |out| cuMemHostGetDevicePointer_v2(&mut out, memory, 0);
    free_host(memory: HostMemory) = cuMemFreeHost(memory);
    register_host(memory: HostMemory, bytes: usize) = cuMemHostRegister_v2(memory, bytes, 0);
    unregister_host(memory: HostMemory) = cuMemHostUnregister(memory);
    ipc_handle(memory: CUdeviceptr) -> sys::CUipcMemHandle = |out| cuIpcGetMemHandle(&mut out, memory);
    copy_to_device(to: CUdeviceptr, from: HostMemory, bytes: usize) = cuMemcpyHtoD_v2(to, from, bytes);
    copy_to_host(to: HostMemory, from: CUdeviceptr, bytes: usize) = cuMemcpyDtoH_v2(to, from, bytes);
    copy_on_device(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) = cuMemcpyDtoD_v2(to, from, bytes);
    copy_to_device_async(to: CUdeviceptr, from: HostMemory, bytes: usize, stream: CUstream) = cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
    copy_to_host_async(to: HostMemory, from: CUdeviceptr, bytes: usize, stream: CUstream) = cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
    copy_on_device_async(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) = cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
    clear(memory: CUdeviceptr, bytes: usize) = cuMemsetD8_v2(memory, 0, bytes);
    clear_async(memory: CUdeviceptr, bytes: usize, stream: CUstream) = cuMemsetD8Async(memory, 0, bytes, stream);
    clear_2d_async(memory: CUdeviceptr, stream: CUstream) = cuMemsetD2D8Async(memory, 1024, 3, 100, 100, stream);
    release_memory(memory: Physical) = cuMemRelease(memory);
    /// Maps physical memory, to which nothing has access then.
    map_memory(address: CUdeviceptr, bytes: usize, memory: Physical) = cuMemMap(address, bytes, 0, memory, 0);
    unmap_memory(address: CUdeviceptr, bytes: usize) = cuMemUnmap(address, bytes);
    reserve_addresses(bytes: usize) -> CUdeviceptr = |out| cuMemAddressReserve(&mut out, bytes, 0, 0, 0);
    destroy_array(array: CUarray) = cuArrayDestroy(array);
    destroy_mipmapped_array(array: CUmipmappedArray) = cuMipmappedArrayDestroy(array);
    destroy_surface(surface: CUsurfObject) = cuSurfObjectDestroy(surface);
    destroy_texture(texture: CUtexObject) = cuTexObjectDestroy(texture);
}

// Graphs.
driver! {
    begin_capture(stream: CUstream, mode: CaptureMode) = cuStreamBeginCapture_v2(stream, mode);
    end_capture(stream: CUstream) -> CUgraph = |out| cuStreamEndCapture(stream, &mut out);
    graph_nodes(graph: CUgraph) -> usize = |out| cuGraphGetNodes(graph, null_mut(), &mut out);
    instantiate(graph: CUgraph, flags: u64) -> CUgraphExec = |out| cuGraphInstantiateWithFlags(&mut out, graph, flags);
    launch_graph(graph: CUgraphExec, stream: CUstream) = cuGraphLaunch(graph, stream);
    upload_graph(graph: CUgraphExec, stream: CUstream) = cuGraphUpload(graph, stream);
    update_graph(graph: CUgraphExec, from: CUgraph) -> sys::CUgraphExecUpdateResultInfo = |out| cuGraphExecUpdate_v2(graph, from, &mut out);
    destroy_graph(graph: CUgraphExec) = cuGraphExecDestroy(graph);
}

/// The device the probe works on, with its primary context.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// Its number.
    pub ordinal: CUdevice,
    context: sys::CUcontext,
}

// SAFETY: a context may be made current in any number of threads.
unsafe impl Send for Device {}

impl Device {
    /// Opens the first device and makes its context current.
    pub fn open() -> Done<Self> {
        let mut ordinal = 0;
        let mut context = null_mut();
        // SAFETY: both places outlive the calls that write to them.
        unsafe {
            checked(sys::cuInit(0))?;
            checked(sys::cuDeviceGet(&mut ordinal, 0))?;
            checked(sys::cuDevicePrimaryCtxRetain(&mut context, ordinal))?;
        }
        let device = Device { ordinal, context };
        device.bind()?;
        Ok(device)
    }

    /// Makes the context current in this thread.
    pub fn bind(self) -> Done {
        // SAFETY: the primary context is retained as long as the process lives.
        checked(unsafe { sys::cuCtxSetCurrent(self.context) })
    }
}

/// Two words of host memory the device sees too: one that releases what waits, one that says something waits.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// What ends a spin and satisfies a wait.
    pub released: &'static AtomicU32,
    /// What a spinning kernel sets first.
    pub started: &'static AtomicU32,
    /// Where both are for the device.
    pub address: CUdeviceptr,
}

impl Flag {
    /// A flag that nobody has set.
    pub fn new() -> Done<Self> {
        let memory = allocate_mapped(4096)?;
        let address = device_address(memory)?;
        let words = memory.cast::<u32>();
        // SAFETY: a page was allocated, aligned as such; it is never freed, and the host touches it only through atomics.
        let (released, started) = unsafe {
            words.write_bytes(0, 2);
            (AtomicU32::from_ptr(words), AtomicU32::from_ptr(words.add(1)))
        };
        Ok(Flag {
            released,
            started,
            address,
        })
    }
}

/// Loads an image (PTX with a null byte at its end, or a CUBIN) as a library.
pub fn load_library(image: &[u8]) -> Done<CUlibrary> {
    let mut library = null_mut();
    let code = image.as_ptr().cast::<c_void>();
    // SAFETY: the image holds its own length; without options the pointers to them may be null.
    checked(unsafe {
        sys::cuLibraryLoadData(
            &mut library,
            code,
            null_mut(),
            null_mut(),
            0,
            null_mut(),
            null_mut(),
            0,
        )
    })?;
    Ok(library)
}

/// Loads an image as a module.
pub fn load_module(image: &[u8]) -> Done<CUmodule> {
    let mut module = null_mut();
    // SAFETY: the image holds its own length.
    checked(unsafe { sys::cuModuleLoadData(&mut module, image.as_ptr().cast::<c_void>()) })?;
    Ok(module)
}

/// A kernel as a function the runtime library would launch: loaded by its first launch.
pub fn unloaded(kernel: CUkernel) -> CUfunction {
    kernel.cast()
}

/// What every kernel of `kernels/` takes.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    /// Address of a flag.
    pub flag: CUdeviceptr,
    /// Somewhere to write to.
    pub out: CUdeviceptr,
}

/// Launches a kernel of `kernels/`.
pub fn launch(function: CUfunction, grid: u32, block: u32, stream: CUstream, arguments: Arguments) -> Done {
    let mut pointers = pointers(&arguments);
    let parameters = pointers.as_mut_ptr();
    // SAFETY: every kernel takes two pointers; the driver copies them before it returns.
    checked(unsafe {
        sys::cuLaunchKernel(
            function,
            grid,
            1,
            1,
            block,
            1,
            1,
            0,
            stream,
            parameters,
            null_mut(),
        )
    })
}

/// The same, as a cooperative launch.
pub fn launch_cooperative(function: CUfunction, stream: CUstream, arguments: Arguments) -> Done {
    let mut pointers = pointers(&arguments);
    // SAFETY: as above.
    checked(unsafe {
        sys::cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, pointers.as_mut_ptr())
    })
}

fn pointers(arguments: &Arguments) -> [*mut c_void; 2] {
    [&arguments.flag, &arguments.out].map(|it| std::ptr::from_ref(it).cast_mut().cast::<c_void>())
}

/// How much device memory is free.
pub fn free_memory() -> Done<usize> {
    let (mut free, mut total) = (0, 0);
    // SAFETY: both places outlive the call.
    checked(unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) })?;
    Ok(free)
}

/// Allocates rows.
pub fn allocate_pitched() -> Done<CUdeviceptr> {
    let (mut memory, mut pitch) = (0, 0);
    // SAFETY: both places outlive the call.
    checked(unsafe { sys::cuMemAllocPitch_v2(&mut memory, &mut pitch, 1000, 100, 4) })?;
    Ok(memory)
}

/// Which kind of memory an address belongs to.
pub fn memory_type(memory: CUdeviceptr) -> Done<u32> {
    let mut kind: u32 = 0;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    // SAFETY: this attribute is a word.
    checked(unsafe { sys::cuPointerGetAttribute((&raw mut kind).cast(), attribute, memory) })?;
    Ok(kind)
}

/// The range of stream priorities.
pub fn priorities() -> Done<(i32, i32)> {
    let (mut least, mut greatest) = (0, 0);
    // SAFETY: both places outlive the call.
    checked(unsafe { sys::cuCtxGetStreamPriorityRange(&mut least, &mut greatest) })?;
    Ok((least, greatest))
}

/// Changes how strict captures are for this thread, and back.
pub fn exchange_capture_mode() -> Done {
    let mut mode = CaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
    // SAFETY: the place outlives the calls.
    checked(unsafe { sys::cuThreadExchangeStreamCaptureMode(&mut mode) })?;
    // SAFETY: likewise.
    checked(unsafe { sys::cuThreadExchangeStreamCaptureMode(&mut mode) })
}

/// A pool of device memory.
pub fn pool(device: CUdevice) -> Done<sys::CUmemoryPool> {
    let mut pool = null_mut();
    // SAFETY: zero is a value of every field, and what the driver wants of those that are reserved.
    checked(unsafe {
        let mut properties: sys::CUmemPoolProps = std::mem::zeroed();
        properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location = location(device);
        sys::cuMemPoolCreate(&mut pool, &properties)
    })?;
    Ok(pool)
}

/// Physical memory of the device, to be mapped.
pub fn physical_memory(device: CUdevice, bytes: usize) -> Done<Physical> {
    let mut memory = 0;
    // SAFETY: zero is a value of every field; the place outlives the call.
    checked(unsafe {
        let mut properties: sys::CUmemAllocationProp = std::mem::zeroed();
        properties.type_ = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location = location(device);
        sys::cuMemCreate(&mut memory, bytes, &properties, 0)
    })?;
    Ok(memory)
}

/// Lets the device read and write mapped memory.
pub fn allow_access(address: CUdeviceptr, bytes: usize, device: CUdevice) -> Done {
    let access = sys::CUmemAccessDesc {
        location: location(device),
        flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    // SAFETY: one description, which outlives the call.
    checked(unsafe { sys::cuMemSetAccess(address, bytes, &access, 1) })
}

/// Where memory of a device lies.
fn location(device: CUdevice) -> sys::CUmemLocation {
    // SAFETY: zero is a value of every field.
    let mut location: sys::CUmemLocation = unsafe { std::mem::zeroed() };
    location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device;
    location
}

/// An array of numbers that surfaces can write to, with as many mipmap levels as its size allows.
pub fn mipmapped_array() -> Done<CUmipmappedArray> {
    let mut array = null_mut();
    // SAFETY: both places outlive the call.
    checked(unsafe { sys::cuMipmappedArrayCreate(&mut array, &surface_array_description(), 3) })?;
    Ok(array)
}

/// A surface over an array of its own.
pub fn surface() -> Done<CUsurfObject> {
    let mut array = null_mut();
    let mut surface = 0;
    // SAFETY: zero is a value of every field of the description; all places outlive the calls.
    unsafe {
        checked(sys::cuArray3DCreate_v2(&mut array, &surface_array_description()))?;
        let mut resource: sys::CUDA_RESOURCE_DESC = std::mem::zeroed();
        resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        checked(sys::cuSurfObjectCreate(&mut surface, &resource))?;
    }
    Ok(surface)
}

fn surface_array_description() -> sys::CUDA_ARRAY3D_DESCRIPTOR {
    sys::CUDA_ARRAY3D_DESCRIPTOR {
        Width: 64,
        Height: 64,
        Depth: 0,
        Format: sys::CUarray_format::CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
        Flags: sys::CUDA_ARRAY3D_SURFACE_LDST,
    }
}

/// An array of numbers.
pub fn array() -> Done<CUarray> {
    let mut array = null_mut();
    let description = sys::CUDA_ARRAY_DESCRIPTOR {
        Width: 64,
        Height: 64,
        Format: sys::CUarray_format::CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
    };
    // SAFETY: both places outlive the call.
    checked(unsafe { sys::cuArrayCreate_v2(&mut array, &description) })?;
    Ok(array)
}

/// A texture over an array.
pub fn texture(array: CUarray) -> Done<CUtexObject> {
    let mut texture = 0;
    // SAFETY: zero is a value of every field of both descriptions.
    checked(unsafe {
        let mut resource: sys::CUDA_RESOURCE_DESC = std::mem::zeroed();
        resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        let how: sys::CUDA_TEXTURE_DESC = std::mem::zeroed();
        sys::cuTexObjectCreate(&mut texture, &resource, &how, std::ptr::null())
    })?;
    Ok(texture)
}

/// Compiles kernels to a CUBIN.
pub fn compile(source: &str, architecture: &str) -> Done<Vec<u8>> {
    let say = |result: nvrtc::nvrtcResult| match result {
        nvrtc::nvrtcResult::NVRTC_SUCCESS => Ok(()),
        error => Err(Refused(format!("{error:?}"))),
    };
    let text = |text: &str| CString::new(text).map_err(|error| Refused(error.to_string()));
    let source = text(source)?;
    let options = [
        text(&format!("--gpu-architecture={architecture}"))?,
        text("--std=c++17")?,
    ];
    let options = options.each_ref().map(|it| it.as_ptr());
    let count = i32::try_from(options.len()).unwrap_or(0);
    let mut program = null_mut();
    // SAFETY: source and options live until the program is compiled; buffers are as large as NVRTC says.
    unsafe {
        say(nvrtc::nvrtcCreateProgram(
            &mut program,
            source.as_ptr(),
            c"kernels.cu".as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null(),
        ))?;
        if let Err(Refused(error)) = say(nvrtc::nvrtcCompileProgram(program, count, options.as_ptr())) {
            let mut size = 0;
            say(nvrtc::nvrtcGetProgramLogSize(program, &mut size))?;
            let mut log = vec![0_u8; size];
            say(nvrtc::nvrtcGetProgramLog(
                program,
                log.as_mut_ptr().cast::<c_char>(),
            ))?;
            return Err(Refused(format!("{error}: {}", String::from_utf8_lossy(&log))));
        }
        let mut size = 0;
        say(nvrtc::nvrtcGetCUBINSize(program, &mut size))?;
        let mut cubin = vec![0_u8; size];
        say(nvrtc::nvrtcGetCUBIN(program, cubin.as_mut_ptr().cast::<c_char>()))?;
        Ok(cubin)
    }
}

unsafe extern "C" fn nothing(_: *mut c_void) {}

unsafe extern "C" fn called_back(_: CUstream, _: sys::CUresult, _: *mut c_void) {}
