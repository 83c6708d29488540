//! The GPU, asked through cudarc in a child process: nothing it does can hang, crash or hold this one.

use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{CudaContext, DriverError};
use serde::{Deserialize, Serialize};

use super::launcher;
use super::process::{Command, Ended, Finished};
use crate::probe::driver;
use crate::project::guard::guarded;

/// How long the GPU may take to answer: the first context on a machine with many of them takes seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often it is asked again after it did not answer.
const ATTEMPTS: u32 = 3;

/// A GPU and its driver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gpu {
    /// Name of device 0.
    pub name: String,
    /// Its compute capability.
    pub capability: (i32, i32),
    /// How many streaming multiprocessors it has.
    pub multiprocessors: i32,
    /// How many devices there are.
    pub count: usize,
    /// Version of the driver, e.g. `580.159.04`; empty when nobody says.
    #[serde(default)]
    pub driver: String,
}

/// Why the GPU cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// `libcuda` is not there.
    #[error("no NVIDIA driver: `libcuda.so.1` cannot be loaded")]
    NoDriver,
    /// The driver finds nothing to drive.
    #[error("no NVIDIA GPU is visible here")]
    NoDevice,
    /// Someone else has it.
    #[error("the GPU is busy: another process holds it exclusively")]
    Busy,
    /// It does not answer.
    #[error("the GPU does not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The user wants everything to end.
    #[error("interrupted")]
    Interrupted,
    /// It answers with an error.
    #[error("the GPU cannot be used: {0}")]
    Broken(String),
}

impl Gpu {
    /// Finds out what there is.
    pub fn find() -> Result<Self, GpuError> {
        let finished = ask("info")?;
        let mut gpu: Gpu = serde_json::from_str(finished.stdout.trim())
            .map_err(|_| GpuError::Broken(format!("no answer: `{}`", finished.stdout.trim())))?;
        gpu.driver = driver_version();
        Ok(gpu)
    }

    /// What nvcc calls its architecture.
    pub fn architecture(&self) -> String {
        format!("sm_{}{}", self.capability.0, self.capability.1)
    }
}

impl fmt::Display for Gpu {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let driver = if self.driver.is_empty() {
            "unknown"
        } else {
            &self.driver
        };
        match self.count {
            0 | 1 => write!(formatter, "{}, driver {driver}", self.name),
            count => write!(formatter, "{count} × {}, driver {driver}", self.name),
        }
    }
}

/// Checks that the GPU still does what it is told; asks again when it does not.
pub fn check_health() -> Result<(), GpuError> {
    let mut last = Ok(());
    for attempt in 0..ATTEMPTS {
        std::thread::sleep(Duration::from_secs(1) * attempt);
        last = ask("health").map(drop);
        if matches!(last, Ok(()) | Err(GpuError::Interrupted)) {
            break;
        }
    }
    last
}

/// Asks one question in a child process.
fn ask(question: &str) -> Result<Finished, GpuError> {
    let (binary, args) =
        launcher::gpu_query(question).map_err(|error| GpuError::Broken(error.to_string()))?;
    let finished = Command::new(binary, PATIENCE).args(args).run();
    match &finished.ended {
        Ended::Exit(0) => Ok(finished),
        Ended::Timeout => Err(GpuError::TimedOut(PATIENCE)),
        Ended::Exit(_) => Err(error_of(finished.stderr.trim())),
        Ended::Signal(signal) => Err(GpuError::Broken(format!("the driver crashed with {signal}"))),
        Ended::NotStarted(reason) => Err(GpuError::Broken(reason.clone())),
        Ended::Interrupted => Err(GpuError::Interrupted),
    }
}

fn error_of(said: &str) -> GpuError {
    let has = |word: &str| said.contains(word);
    if has("dynamically load") || has("CUDA_ERROR_STUB_LIBRARY") {
        GpuError::NoDriver
    } else if has("CUDA_ERROR_NO_DEVICE") || has("CUDA_ERROR_INVALID_DEVICE") {
        GpuError::NoDevice
    } else if has("CUDA_ERROR_DEVICE_UNAVAILABLE") {
        GpuError::Busy
    } else {
        GpuError::Broken(reason(said.lines().last().unwrap_or("no reason given")))
    }
}

/// What a child complains about; a driver without some function makes it panic.
fn reason(said: &str) -> String {
    let symbol = said
        .strip_prefix("Missing symbol ")
        .and_then(|it| it.split(':').next());
    match symbol {
        Some(symbol) => format!("its driver is too old, or is none: it has no `{symbol}`"),
        None => said.to_owned(),
    }
}

/// Name of an error, and what it means.
fn say(error: DriverError) -> String {
    let described = error.error_string().map(|it| it.to_string_lossy());
    match described {
        Ok(text) => format!("{:?}, {text}", error.0),
        Err(_) => format!("{:?}", error.0),
    }
}

/// The child's side: answers on standard output, complains on standard error.
pub(super) fn answer(question: &str) -> ExitCode {
    use std::io::Write;
    crate::project::guard::quiet_guarded_panics();
    // cudarc panics where there is no driver.
    let answered = guarded(|| match question {
        "info" => info(),
        "health" => health(),
        other => Err(format!("unknown question `{other}`")),
    });
    match answered.unwrap_or_else(Err) {
        Ok(text) => {
            let _ = writeln!(std::io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn info() -> Result<String, String> {
    let context = context()?;
    let gpu = Gpu {
        name: context.name().map_err(say)?,
        capability: context.compute_capability().map_err(say)?,
        multiprocessors: context
            .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
            .map_err(say)?,
        count: CudaContext::device_count().map_err(say)?.try_into().unwrap_or(1),
        driver: String::new(),
    };
    serde_json::to_string(&gpu).map_err(|error| error.to_string())
}

/// Sets memory on the device to zero, copies it there and back, and looks at it; then lets a kernel write to it.
fn health() -> Result<String, String> {
    const WORDS: usize = 1 << 18;
    let stream = context()?.default_stream();
    let mut zeroed = stream.alloc_zeros::<u32>(WORDS).map_err(say)?;
    let pattern: Vec<u32> = (0..WORDS as u32).collect();
    let copied = stream.clone_htod(&pattern).map_err(say)?;
    stream.memset_zeros(&mut zeroed).map_err(say)?;
    let zeroes = stream.clone_dtoh(&zeroed).map_err(say)?;
    let back = stream.clone_dtoh(&copied).map_err(say)?;
    stream.synchronize().map_err(say)?;
    if back != pattern || zeroes.iter().any(|it| *it != 0) {
        return Err("memory does not hold what is written to it".to_owned());
    }
    match tiny_kernel() {
        Ok(42) => Ok("healthy".to_owned()),
        Ok(_) => Err("a kernel does not do what it should".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// What a kernel writes that needs nothing but the driver to be compiled.
fn tiny_kernel() -> driver::Done<u32> {
    const TINY: &str = concat!(include_str!("../../kernels/tiny.ptx"), "\0");
    let module = driver::load_module(TINY.as_bytes())?;
    let function = driver::module_function(module, c"tiny")?;
    let memory = driver::allocate(4)?;
    let arguments = driver::Arguments {
        flag: memory,
        out: memory,
    };
    driver::launch(function, 1, 1, driver::LEGACY, arguments)?;
    driver::synchronize()?;
    let mut written: u32 = 0;
    driver::copy_to_host((&raw mut written).cast(), memory, 4)?;
    Ok(written)
}

fn context() -> Result<Arc<CudaContext>, String> {
    CudaContext::new(0).map_err(say)
}

/// What the kernel module says, else what `nvidia-smi` says.
fn driver_version() -> String {
    let is_version = |word: &&str| {
        word.contains('.')
            && word
                .split('.')
                .all(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let module = std::fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
    let first = module.lines().next().unwrap_or_default();
    if let Some(version) = first.split_whitespace().find(is_version) {
        return version.to_owned();
    }
    let query = ["--query-gpu=driver_version", "--format=csv,noheader"];
    let said = Command::new("nvidia-smi", Duration::from_secs(20))
        .args(query)
        .run()
        .stdout;
    said.split_whitespace()
        .find(is_version)
        .unwrap_or_default()
        .to_owned()
}
