//! This binary started again, to become another program in a session of its own or to touch the GPU in its stead.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::setsid;

use super::gpu;
use super::process::MARK;
use crate::probe;

/// The first argument that makes the binary become another program.
const LAUNCH: &str = "__launch";

/// The first argument that makes the binary talk to the GPU.
const GPU: &str = "__gpu";

/// The exit code when the other program cannot be started.
pub const CANNOT_START: i32 = 127;

/// The first argument that makes the binary do one case of the probe.
const PROBE: &str = "__probe";

/// The first argument that makes the binary compile the kernels of the probe.
const KERNELS: &str = "__probe-kernels";

/// A command that will be the leader of a new session, with the default signal mask, and die with this process.
pub fn command(program: &Path) -> io::Result<Command> {
    let mut command = Command::new(this_binary()?);
    command.arg(LAUNCH).arg(program);
    Ok(command)
}

/// This binary, to be asked about the GPU.
pub fn gpu_query(question: &str) -> io::Result<(PathBuf, [&str; 2])> {
    Ok((this_binary()?, [GPU, question]))
}

/// This binary, to do one case of the probe: name, folder and time follow.
pub fn probe_case() -> io::Result<(PathBuf, &'static str)> {
    Ok((this_binary()?, PROBE))
}

/// This binary, to compile the kernels of the probe: folder and architecture follow.
pub fn probe_kernels() -> io::Result<(PathBuf, &'static str)> {
    Ok((this_binary()?, KERNELS))
}

/// Why a command could not be started, when that is what standard error says of this run.
pub fn failure(stderr: &str, mark: &str) -> Option<String> {
    let begin = begin(mark);
    let reason = stderr.lines().find_map(|line| line.strip_prefix(&begin))?;
    Some(format!("cannot start {reason}"))
}

/// How the reason begins: no program says the same by chance.
fn begin(mark: &str) -> String {
    format!("cudalint {mark}: cannot start ")
}

/// Does what the hidden arguments ask for; `None` when this is an ordinary run.
pub fn intercept() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let first = args.next()?;
    if first == OsStr::new(GPU) {
        return Some(gpu::answer(&args.next()?.to_string_lossy()));
    }
    if first == OsStr::new(PROBE) {
        return Some(probe::child::answer(&args.collect::<Vec<_>>()));
    }
    if first == OsStr::new(KERNELS) {
        return Some(probe::kernels::answer(&args.collect::<Vec<_>>()));
    }
    if first != OsStr::new(LAUNCH) {
        return None;
    }
    let program = args.next()?;
    // Neither can fail for a process that was just forked; a program that runs anyway is still found by its mark.
    let _ = setsid();
    let _ = SigSet::empty().thread_set_mask();
    // The address space of a CUDA program is larger than most disks.
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    die_with_parent();
    let error = Command::new(&program).args(args).exec();
    let begin = begin(&std::env::var(MARK).unwrap_or_default());
    let _ = writeln!(io::stderr(), "{begin}`{}`: {error}", program.to_string_lossy());
    Some(ExitCode::from(CANNOT_START as u8))
}

fn this_binary() -> io::Result<PathBuf> {
    std::env::current_exe()
}

#[cfg(target_os = "linux")]
fn die_with_parent() {
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent() {
    let _ = Signal::SIGKILL;
}
