//! What a child works with: context, kernels, two streams, a flag, memory; and how something is held and released.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::cases::{Held, Release};
use super::driver::{self, Arguments, CUdeviceptr, CUevent, CUfunction, CUkernel, CUlibrary, CUstream};
use super::driver::{Device, Done, Flag, HostMemory, Refused};
use super::kernels;
use super::scenes::{Grid, Image};

/// Bytes of every buffer.
pub const BYTES: usize = 4 << 20;

/// How long a launched kernel may take to start, beside other processes on the same GPU.
const STARTING: Duration = Duration::from_secs(5);

/// How long after a wait is enqueued it is taken to be what the stream stands at.
const SETTLING: Duration = Duration::from_millis(30);

/// Everything set up, and the device idle.
pub struct Bench {
    /// The device.
    pub device: Device,
    /// The image the kernels come from.
    pub image: &'static [u8],
    /// The same, loaded.
    pub library: CUlibrary,
    /// The stream that is held.
    pub a: CUstream,
    /// Another one.
    pub b: CUstream,
    /// What is waited for.
    pub flag: Flag,
    /// Device memory.
    pub memory: CUdeviceptr,
    /// Pinned host memory.
    pub pinned: HostMemory,
    /// Pageable host memory.
    pub pageable: HostMemory,
    /// What the kernels take.
    pub arguments: Arguments,
}

impl Bench {
    /// Sets everything up with the kernels of an image that [`kernels::build`] left in a folder.
    pub fn new(folder: &Path, image: Image, blocking: bool) -> Done<Self> {
        let image = kernels::read(folder, image).map_err(|error| Refused(error.to_string()))?;
        let device = Device::open()?;
        let library = driver::load_library(image)?;
        let flags = if blocking { 0 } else { driver::NON_BLOCKING };
        let (a, b) = (driver::stream(flags)?, driver::stream(flags)?);
        let flag = Flag::new()?;
        let memory = driver::allocate(BYTES)?;
        let bench = Bench {
            device,
            image,
            library,
            a,
            b,
            flag,
            memory,
            pinned: driver::allocate_host(BYTES)?,
            pageable: pageable(),
            arguments: Arguments {
                flag: flag.address,
                out: memory,
            },
        };
        driver::clear(memory, BYTES)?;
        driver::synchronize()?;
        Ok(bench)
    }

    /// A kernel, not loaded.
    pub fn kernel(&self, name: &str) -> Done<CUkernel> {
        let name = std::ffi::CString::new(name).map_err(|error| Refused(error.to_string()))?;
        driver::kernel(self.library, &name)
    }

    /// A kernel, loaded.
    pub fn function(&self, name: &str) -> Done<CUfunction> {
        let function = driver::kernel_function(self.kernel(name)?)?;
        driver::function_registers(function)?;
        Ok(function)
    }

    /// Launches one thread of a function.
    pub fn launch(&self, function: CUfunction, stream: CUstream) -> Done {
        driver::launch(function, 1, 1, stream, self.arguments)
    }

    /// Holds stream A until the flag is set.
    pub fn hold(&self, held: Held, spin: CUfunction, grid: Grid) -> Done {
        if held == Held::Wait {
            driver::wait_value(self.a, self.flag.address, 1)?;
            std::thread::sleep(SETTLING);
            return Ok(());
        }
        let (blocks, threads) = match grid {
            Grid::One => (1, 1),
            Grid::Blocks(more, each, threads) => {
                let count = each * driver::multiprocessors(self.device.ordinal)? + more;
                (u32::try_from(count).unwrap_or(1), threads)
            }
        };
        driver::launch(spin, blocks, threads, self.a, self.arguments)?;
        self.wait_for(self.flag.started, "the spinning kernel does not start")?;
        if grid != Grid::One {
            // The first block says that it runs; the others need a moment.
            std::thread::sleep(SETTLING * 5);
        }
        Ok(())
    }

    /// Releases stream A.
    pub fn release(&self, held: Held, release: Release, set: CUfunction) -> Done {
        match (release, held) {
            (Release::Host | Release::HostAfterSync, _) => {
                self.let_go();
                Ok(())
            }
            (Release::Device, Held::Kernel) => self.launch(set, self.b),
            (Release::Device, Held::Wait) => driver::write_value(self.b, self.flag.address, 1),
        }
    }

    /// Unsets the flag, once a kernel that was launched to set it did.
    pub fn take_back(&self, is_being_set: bool) -> Done {
        if is_being_set {
            self.wait_for(self.flag.released, "the kernel that sets the flag does not run")?;
        }
        self.flag.released.store(0, Ordering::Release);
        Ok(())
    }

    /// Waits, without asking the driver, until the device wrote a word.
    fn wait_for(&self, word: &AtomicU32, otherwise: &str) -> Done {
        let deadline = Instant::now() + STARTING;
        while word.load(Ordering::Acquire) == 0 {
            if Instant::now() > deadline {
                self.let_go();
                return Err(Refused(otherwise.to_owned()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Releases stream A from the host, whatever was to do so.
    pub fn let_go(&self) {
        self.flag.released.store(1, Ordering::Release);
    }
}

/// Things that an operation uses up.
pub struct Spare {
    /// Device memory.
    pub memory: CUdeviceptr,
    /// Host memory.
    pub host: HostMemory,
    /// A stream.
    pub stream: CUstream,
    /// An event.
    pub event: CUevent,
    /// A graph that launches a loaded kernel.
    pub instance: driver::CUgraphExec,
    /// An event recorded behind what is held, where an operation needs one.
    pub behind: CUevent,
}

impl Spare {
    /// Makes them.
    pub fn new(bench: &Bench, touch: CUfunction) -> Done<Self> {
        let pooled = driver::allocate_async(1 << 20, bench.b)?;
        driver::free_async(pooled, bench.b)?;
        let graph = captured(bench, touch, bench.b)?;
        let spare = Spare {
            memory: driver::allocate(1 << 20)?,
            host: driver::allocate_host(1 << 20)?,
            stream: driver::stream(0)?,
            event: driver::event()?,
            instance: driver::instantiate(graph, 0)?,
            behind: driver::event()?,
        };
        driver::synchronize()?;
        Ok(spare)
    }
}

/// A graph of one launch.
pub fn captured(bench: &Bench, function: CUfunction, stream: CUstream) -> Done<driver::CUgraph> {
    driver::begin_capture(stream, driver::CaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL)?;
    bench.launch(function, stream)?;
    driver::end_capture(stream)
}

/// Host memory the driver does not know; as long-lived as the process.
pub fn pageable() -> HostMemory {
    Vec::leak(vec![0_u8; BYTES]).as_mut_ptr().cast()
}
