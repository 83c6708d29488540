//! The kernels of `kernels/`: compiled once with NVRTC, in a process of its own, for all cases.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use super::driver::{self, Refused};
use super::scenes::Image;
use crate::project::guard::{guarded, quiet_guarded_panics};
use crate::verify::process::{Command, Ended};
use crate::verify::{Failure, compiler, launcher};

/// How long NVRTC may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Prints the folders of NVRTC that came as Python packages.
const FIND_PACKAGES: &str = "import glob, os, site
for base in site.getsitepackages() + [site.getusersitepackages()]:
    for path in sorted(glob.glob(os.path.join(base, 'nvidia', '*', 'lib', 'libnvrtc.so*'))):
        print(os.path.dirname(path))";

const PLAIN: &str = include_str!("../../kernels/plain.cu");
const LOCAL: &str = include_str!("../../kernels/local.cu");
const HEAP: &str = include_str!("../../kernels/heap.cu");

impl Image {
    const ALL: [Image; 2] = [Image::Plain, Image::Heap];

    fn file_name(self) -> &'static str {
        match self {
            Image::Plain => "plain.cubin",
            Image::Heap => "heap.cubin",
        }
    }

    fn source(self) -> String {
        match self {
            Image::Plain => format!("{PLAIN}\n{LOCAL}"),
            Image::Heap => format!("{PLAIN}\n{LOCAL}\n{HEAP}"),
        }
    }
}

/// Compiles both images into a folder.
pub fn build(folder: &Path, architecture: &str) -> Result<(), Failure> {
    let failed = |reason: String| Failure::NoKernels(reason);
    let (binary, hidden) = launcher::probe_kernels().map_err(|error| failed(error.to_string()))?;
    let finished = Command::new(binary, PATIENCE)
        .args([OsStr::new(hidden), folder.as_os_str(), OsStr::new(architecture)])
        .env("LD_LIBRARY_PATH", library_path())
        .run();
    match finished.ended {
        Ended::Exit(0) => Ok(()),
        Ended::Interrupted => Err(Failure::Interrupted),
        Ended::Timeout => Err(failed(format!(
            "NVRTC takes longer than {} s",
            PATIENCE.as_secs()
        ))),
        Ended::Signal(signal) => Err(failed(format!("NVRTC crashed with {signal}"))),
        Ended::NotStarted(reason) => Err(failed(reason)),
        Ended::Exit(_) => Err(failed(reason(&finished.stderr))),
    }
}

/// Why NVRTC did nothing, from what its process said.
fn reason(said: &str) -> String {
    if said.contains("dynamically load") {
        return "NVRTC is not there: `libnvrtc.so` cannot be loaded".to_owned();
    }
    let said = said.trim();
    format!(
        "the kernels do not compile: {}",
        if said.is_empty() { "no reason given" } else { said }
    )
}

/// The hidden command line: a folder to write to, and what to compile for.
pub fn answer(args: &[OsString]) -> ExitCode {
    quiet_guarded_panics();
    let compiled = guarded(|| match args {
        [folder, architecture] => compile(Path::new(folder), &architecture.to_string_lossy()),
        _ => Err(Refused("a folder and an architecture are needed".to_owned())),
    });
    match compiled.unwrap_or_else(|panic| Err(Refused(panic))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Refused(reason)) => {
            let _ = writeln!(io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn compile(folder: &Path, architecture: &str) -> Result<(), Refused> {
    for image in Image::ALL {
        let cubin = driver::compile(&image.source(), architecture)?;
        let path = folder.join(image.file_name());
        std::fs::write(path, cubin).map_err(|error| Refused(error.to_string()))?;
    }
    Ok(())
}

/// A compiled image; it stays as long as the process.
pub fn read(folder: &Path, image: Image) -> io::Result<&'static [u8]> {
    std::fs::read(folder.join(image.file_name())).map(|bytes| &*bytes.leak())
}

/// Where NVRTC is looked for: as always, then in toolkits, then in Python packages.
fn library_path() -> OsString {
    let known = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let homes = ["CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from);
    let beside_nvcc = compiler::on_path(Path::new("nvcc"))
        .and_then(|nvcc| nvcc.canonicalize().ok())
        .and_then(|nvcc| Some(nvcc.parent()?.parent()?.to_owned()));
    let toolkits = homes.chain(beside_nvcc).chain([PathBuf::from("/usr/local/cuda")]);
    let mut folders: Vec<PathBuf> = std::env::split_paths(&known).collect();
    folders.extend(toolkits.flat_map(|home| ["lib64", "lib"].map(|it| home.join(it))));
    folders.extend(python_packages());
    folders.retain(|it| it.is_dir());
    std::env::join_paths(folders).unwrap_or(known)
}

fn python_packages() -> Vec<PathBuf> {
    let Some(python) = compiler::on_path(Path::new("python3")) else {
        return Vec::new();
    };
    let asked = Command::new(python, Duration::from_secs(20))
        .args(["-c", FIND_PACKAGES])
        .run();
    asked.stdout.lines().map(PathBuf::from).collect()
}
