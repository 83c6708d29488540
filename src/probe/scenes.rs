//! The cases of M3, M4, M5 and M7: a kernel launched behind what cannot end, after some preparation.

use super::cases::Held;

/// The kernels a case has at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    /// `plain.cu` and `local.cu`.
    Plain,
    /// Those and `heap.cu`: kernels that print and allocate.
    Heap,
}

/// What is done before anything is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// Nothing.
    Nothing,
    /// The context is synchronised.
    Synchronise,
    /// The kernel is looked up in its library.
    GetKernel,
    /// The same, and its function is taken.
    GetFunction,
    /// The function is asked for an attribute.
    GetAttribute,
    /// An attribute of the function is set.
    SetAttribute,
    /// Its cache configuration is set.
    SetCache,
    /// Its occupancy is asked for.
    Occupancy,
    /// A launch of it is captured, and the graph thrown away.
    Capture,
    /// The same, and the graph is instantiated.
    Instantiate,
    /// Its module is loaded.
    LoadModule,
    /// The same, and its function is taken.
    ModuleFunction,
    /// It is launched once.
    Launch,
    /// It is launched once, and the context synchronised.
    LaunchAndSynchronise,
    /// Its function is taken; another kernel is launched, and the context synchronised.
    LaunchAnother,
    /// Its function is taken; memory is set and the context synchronised.
    Fill,
    /// Its function is taken; the sizes of print buffer and heap are set.
    Limits,
}

/// How much spins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// One thread.
    One,
    /// So many blocks, plus so many for each multiprocessor, of so many threads.
    Blocks(i32, i32, u32),
}

/// One scene.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The measurement it repeats.
    pub group: &'static str,
    /// Its name in it.
    pub name: &'static str,
    /// Which kernels there are.
    pub image: Image,
    /// What is done first.
    pub preparation: Preparation,
    /// What is held: of a kernel, the one called `spin`.
    pub held: Held,
    /// The kernel that spins.
    pub spin: &'static str,
    /// How much of it.
    pub grid: Grid,
    /// The kernel launched behind it in the other stream, before the release; none when it is the release itself.
    pub behind: Option<&'static str>,
    /// The call whose preloading is tested.
    pub call: &'static str,
    /// `LAZY/EAGER`, or both.
    pub measured: &'static str,
}

const fn preload(
    name: &'static str,
    call: &'static str,
    preparation: Preparation,
    measured: &'static str,
) -> Scene {
    Scene {
        group: "M3",
        name,
        image: Image::Plain,
        preparation,
        held: Held::Kernel,
        spin: "spin",
        grid: Grid::One,
        behind: None,
        call,
        measured,
    }
}

const fn heap(name: &'static str, image: Image, preparation: Preparation, measured: &'static str) -> Scene {
    Scene {
        group: "M4",
        name,
        image,
        preparation,
        held: Held::Wait,
        behind: Some("touch"),
        call: "",
        ..preload(name, "", preparation, measured)
    }
}

const fn local(
    name: &'static str,
    kernel: &'static str,
    preparation: Preparation,
    measured: &'static str,
) -> Scene {
    Scene {
        group: "M5",
        behind: Some(kernel),
        ..preload(name, "", preparation, measured)
    }
}

const fn full(
    name: &'static str,
    spin: &'static str,
    blocks: (i32, i32, u32),
    measured: &'static str,
) -> Scene {
    Scene {
        group: "M7",
        spin,
        grid: Grid::Blocks(blocks.0, blocks.1, blocks.2),
        ..preload(name, "", Preparation::GetFunction, measured)
    }
}

use Preparation as P;

/// All of them.
pub const SCENES: &[Scene] = &[
    preload("nothing", "cuLibraryGetKernel", P::Nothing, "late/ok"),
    preload(
        "cuLibraryGetKernel",
        "cuLibraryGetKernel",
        P::GetKernel,
        "late/ok",
    ),
    preload("cuCtxSynchronize", "cuCtxSynchronize", P::Synchronise, "late/ok"),
    preload("cuModuleLoadData", "cuModuleLoadData", P::LoadModule, "late/ok"),
    preload(
        "cuModuleGetFunction",
        "cuModuleGetFunction",
        P::ModuleFunction,
        "ok",
    ),
    preload("cuKernelGetFunction", "cuKernelGetFunction", P::GetFunction, "ok"),
    preload("cuFuncGetAttribute", "cuFuncGetAttribute", P::GetAttribute, "ok"),
    preload("cuFuncSetAttribute", "cuFuncSetAttribute", P::SetAttribute, "ok"),
    preload("cuFuncSetCacheConfig", "cuFuncSetCacheConfig", P::SetCache, "ok"),
    preload(
        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
        P::Occupancy,
        "ok",
    ),
    preload("capture", "cuLaunchKernel", P::Capture, "ok"),
    preload(
        "cuGraphInstantiateWithFlags",
        "cuGraphInstantiateWithFlags",
        P::Instantiate,
        "ok",
    ),
    preload("launch", "cuLaunchKernel", P::Launch, "ok"),
    // M4 saw the barrier under EAGER too, in programs of the runtime library. Through the driver alone an H100 shows
    // it there only for the kernels that print or allocate themselves (M1/launch-printf), not for others beside them.
    heap("plain", Image::Plain, P::GetFunction, "ok"),
    heap("heap", Image::Heap, P::GetFunction, "late/ok"),
    heap("heap-fill", Image::Heap, P::Fill, "late/ok"),
    heap("heap-limits", Image::Heap, P::Limits, "late/ok"),
    heap("heap-launch", Image::Heap, P::Launch, "ok"),
    heap(
        "heap-launch-synchronize",
        Image::Heap,
        P::LaunchAndSynchronise,
        "ok",
    ),
    heap("heap-launch-another", Image::Heap, P::LaunchAnother, "ok"),
    local("512", "local_512", P::GetFunction, "ok"),
    local("1024", "local_1024", P::GetFunction, "ok"),
    local("2048", "local_2048", P::GetFunction, "hang"),
    local("8192", "local_8192", P::GetFunction, "hang"),
    local("32768", "local_32768", P::GetFunction, "hang"),
    local("512-warm", "local_512", P::LaunchAndSynchronise, "ok"),
    local("32768-warm", "local_32768", P::LaunchAndSynchronise, "ok"),
    full("all-but-one-of-1024", "spin", (-1, 1, 1024), "ok"),
    full("all-of-1024", "spin", (0, 1, 1024), "hang"),
    full("all-of-512", "spin", (0, 1, 512), "hang"),
    full("all-of-256", "spin", (0, 1, 256), "ok"),
    full("all-of-32", "spin", (0, 1, 32), "ok"),
    full("twice-all-of-512", "spin", (0, 2, 512), "hang"),
    full("32-times-all-of-32", "spin", (0, 32, 32), "hang"),
    full("all-of-1024-sleeping", "spin_sleeping", (0, 1, 1024), "hang"),
    full("all-of-1024-one-thread", "spin_one_thread", (0, 1, 1024), "hang"),
];
