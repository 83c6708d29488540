//! Programs compiled and run on the GPU at hand, and what that says about the predictions.
//!
//! [`process`] runs one program without leaving anything behind, [`gpu`] asks the device through a child process,
//! [`compiler`] finds and drives nvcc, [`run`] does it for many programs, [`verdict`] judges.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

pub mod compiler;
pub mod debugger;
pub mod expectation;
pub mod fixed;
pub mod gpu;
pub mod interrupt;
pub mod launcher;
pub mod outcome;
pub mod process;
pub mod program;
pub mod record;
pub mod records;
pub mod report;
pub mod run;
pub mod shipped;
pub mod user;
pub mod verdict;

pub use compiler::Compiler;
pub use expectation::{Expectation, Mode};
pub use gpu::{Gpu, GpuError};
pub use outcome::Outcome;
pub use program::Program;
pub use run::{Plan, Progress};
pub use verdict::Verdict;

/// Variables of the environment that make every program behave otherwise than its source says.
pub const DECEPTIVE: &[&str] = &["CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS"];

/// Why nothing, or not everything, could be verified.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No nvcc, or one that does not work.
    #[error("{0}")]
    NoCompiler(String),
    /// No GPU that could be used.
    #[error(transparent)]
    Gpu(GpuError),
    /// The GPU cannot run what would be compiled.
    #[error("{architecture} code does not run on {gpu}, which is {own}")]
    Architecture {
        /// As asked for.
        architecture: String,
        /// Name of the device.
        gpu: String,
        /// What it is.
        own: String,
    },
    /// The GPU stopped answering while programs ran.
    #[error("after `{program}`: {error}; what was not run yet is not verified")]
    GpuLost {
        /// The program that ran last.
        program: String,
        /// What is wrong.
        error: GpuError,
    },
    /// A process that cannot be killed.
    #[error("`{0}` does not die: it is stuck in the driver, and nothing can be verified behind it")]
    Unkillable(String),
    /// Nothing compiles here.
    #[error("{0}")]
    Build(String),
    /// What was compiled does not start here.
    #[error("what was compiled does not run here: {0}")]
    NoProgram(String),
    /// The kernels of the probe do not compile.
    #[error("{0}")]
    NoKernels(String),
    /// Not every case of the probe was seen.
    #[error("{0}")]
    Incomplete(String),
    /// A file that cannot be read or written.
    #[error("cannot use `{}`: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// What was recorded earlier would be lost.
    #[error("cannot add to `{}`: {reason}", path.display())]
    Record {
        /// Which.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// What was asked for makes no sense.
    #[error("{0}")]
    Input(String),
    /// Programs of the user, without being told to run them.
    #[error("verifying runs the program `{0}`, which is not one of cudalint's own")]
    NotAllowed(String),
    /// Programs of the user that say how they are built, likewise.
    #[error("the `// build:` line of `{0}`, which is not one of cudalint's own, says how to run nvcc")]
    NotAllowedToBuild(String),
    /// A program that does not say what it does.
    #[error("`{0}` has no `// verify:` line")]
    NoPrediction(String),
    /// The user wants everything to end.
    #[error("interrupted: everything that ran was ended")]
    Interrupted,
}

impl From<GpuError> for Failure {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Interrupted => Failure::Interrupted,
            error => Failure::Gpu(error),
        }
    }
}

impl Failure {
    /// The GPU is not well after a program.
    pub fn after(program: &str, error: GpuError) -> Self {
        match error {
            GpuError::Interrupted => Failure::Interrupted,
            error => Failure::GpuLost {
                program: program.to_owned(),
                error,
            },
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Failure::NoCompiler(_) => {
                "put nvcc on PATH, set CUDA_HOME, or give it with --nvcc; `pip install nvidia-cuda-nvcc` is enough to compile"
            }
            Failure::Gpu(GpuError::NoDriver | GpuError::NoDevice) => {
                "`cudalint check` needs no GPU; `cudalint verify --compile-only` compiles without one"
            }
            Failure::Gpu(GpuError::Busy) => {
                "end the other process, or set CUDA_VISIBLE_DEVICES to another GPU"
            }
            Failure::GpuLost { .. } | Failure::Unkillable(_) | Failure::Gpu(_) => {
                "`nvidia-smi` and the kernel log say more; a reset of the GPU may be needed"
            }
            Failure::NoKernels(_) => {
                "put the folder of `libnvrtc.so` on LD_LIBRARY_PATH; `pip install nvidia-cuda-nvrtc` is enough"
            }
            Failure::Incomplete(_) => "with --record FILE the next run goes on where this one stopped",
            Failure::NoProgram(_) => "set TMPDIR to a folder that programs may be started from",
            Failure::Record { .. } => "record to another folder with --record=DIR, or remove the file",
            Failure::NoPrediction(_) => {
                "`cudalint check --verify` runs programs of your own, which need none"
            }
            Failure::NotAllowed(_) | Failure::NotAllowedToBuild(_) => "say so with --run-user-code",
            Failure::Architecture { .. } => "leave --arch out to compile for the GPU at hand",
            Failure::File { reason, .. } if is_full(reason) => "set TMPDIR to a folder with room",
            Failure::Build(reason) if reason == compiler::DISK_FULL => "set TMPDIR to a folder with room",
            _ => return None,
        })
    }
}

/// Whether there is no room for what is written, or none for this user.
fn is_full(reason: &io::Error) -> bool {
    matches!(
        reason.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// A temporary folder, removed at the end unless it is to be kept.
#[derive(Debug)]
pub struct Workplace {
    path: PathBuf,
    keep: bool,
}

impl Workplace {
    /// Makes one that nobody else may look into; an interruption does not keep it from being removed.
    pub fn new(keep: bool) -> Result<Self, Failure> {
        interrupt::hold();
        let temporary = std::env::temp_dir();
        // Programs run elsewhere, and are started from here.
        let temporary = std::path::absolute(&temporary).unwrap_or(temporary);
        let mut number = 0;
        loop {
            let path = temporary.join(format!("cudalint-verify-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Workplace { path, keep }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(reason) => return Err(Failure::File { path, reason }),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if !self.keep {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// The GPU to run on, and the compiler set up for it. Without `with_gpu` nobody asks for one.
pub fn machine(
    nvcc: Option<&Path>,
    architecture: Option<&str>,
    with_gpu: bool,
    work: &Workplace,
) -> Result<(Option<Gpu>, Compiler), Failure> {
    let mut compiler = Compiler::find(nvcc, work.path())?;
    let gpu = if with_gpu { Some(Gpu::find()?) } else { None };
    compiler.architecture = match (architecture, &gpu) {
        (Some(architecture), _) => architecture.to_owned(),
        (None, Some(gpu)) => gpu.architecture(),
        (None, None) => "sm_90".to_owned(),
    };
    if let Some(gpu) = &gpu {
        let number = |text: &str| {
            let number = text.strip_prefix("sm_").or(text.strip_prefix("compute_"))?;
            number.trim_end_matches(char::is_alphabetic).parse::<i32>().ok()
        };
        let own = gpu.capability.0 * 10 + gpu.capability.1;
        if number(&compiler.architecture).is_some_and(|asked| asked > own) {
            let architecture = compiler.architecture;
            return Err(Failure::Architecture {
                architecture,
                gpu: gpu.name.clone(),
                own: gpu.architecture(),
            });
        }
        gpu::check_health()?;
    }
    Ok((gpu, compiler))
}
