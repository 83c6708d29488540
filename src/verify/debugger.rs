//! What a hung process is stuck in: a debugger's batch attach where there is one, else what `/proc` says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process::Command;

/// How long the debugger may take; it stops the process, and the process is killed anyway.
const PATIENCE: Duration = Duration::from_secs(60);

/// So much of it is told.
const MOST_LINES: usize = 24;
const MOST_LETTERS: usize = 300;

/// Looks at a running process: one line per resident kernel and per host thread that is in a CUDA call.
pub fn look(pid: u32, nvcc: &Path) -> Vec<String> {
    let (seen, how) = debuggers(nvcc)
        .into_iter()
        .map(|debugger| ask(&debugger, pid))
        .find(|seen| !seen.is_empty())
        .map_or_else(
            || (threads_of(pid), "seen without a debugger"),
            |seen| (seen, "seen on the GPU"),
        );
    let left_out = seen.len().saturating_sub(MOST_LINES);
    let told = seen.into_iter().take(MOST_LINES);
    let mut told: Vec<String> = told
        .map(|it| it.chars().take(MOST_LETTERS).collect::<String>())
        .map(|it| format!("{how}: {it}"))
        .collect();
    if left_out > 0 {
        told.push(format!("{how}: {left_out} more like these"));
    }
    told
}

/// Where debuggers may be, the best one first: that of the toolkit, which need not be on `PATH`.
fn debuggers(nvcc: &Path) -> [PathBuf; 3] {
    [nvcc.with_file_name("cuda-gdb"), "cuda-gdb".into(), "gdb".into()]
}

/// What one debugger sees; nothing where it is not installed, or may not look.
fn ask(debugger: &Path, pid: u32) -> Vec<String> {
    // Neither the settings of the user nor servers with debug information have a say in it.
    let attach = ["--batch", "-nx", "-iex", "set debuginfod enabled off", "-p"];
    let device: &[&str] = match debugger.ends_with("cuda-gdb") {
        true => &["-ex", "info cuda kernels", "-ex", "info cuda threads"],
        false => &[],
    };
    let said = Command::new(debugger, PATIENCE)
        .args(attach)
        .args([pid.to_string()])
        .args(device)
        .args(["-ex", "thread apply all bt 16"])
        .run()
        .stdout;
    read(&said)
}

/// What the debugger said, as sentences.
fn read(said: &str) -> Vec<String> {
    let mut seen: Vec<String> = said.lines().filter_map(kernel).collect();
    let places: BTreeSet<String> = said.lines().filter_map(device_place).collect();
    if !places.is_empty() {
        let places: Vec<String> = places.into_iter().collect();
        seen.push(format!("threads on the device are at {}", places.join(", ")));
    }
    let mut thread: Option<Thread> = None;
    for line in said.lines() {
        if let Some(rest) = line.strip_prefix("Thread ") {
            seen.extend(thread.take().and_then(Thread::sentence));
            thread = Some(Thread {
                number: rest.split_whitespace().next().unwrap_or_default().to_owned(),
                ..Thread::default()
            });
        } else if let (Some(thread), Some(function)) = (&mut thread, frame(line)) {
            thread.enter(function, line);
        }
    }
    seen.extend(thread.and_then(Thread::sentence));
    seen
}

/// The place in a row of `info cuda threads`: `* (0,0,0) (0,0,0) (1,0,0) (31,0,0) 64 0x00007f01 /x/spin.cu 12`.
fn device_place(line: &str) -> Option<String> {
    let row = line.trim_start().trim_start_matches('*').trim_start();
    let mut words = row.starts_with('(').then(|| row.split_whitespace())?;
    words.find(|it| it.starts_with("0x"))?;
    let file = words.next().filter(|it| *it != "n/a")?;
    let line = words.next()?.parse::<u32>().ok()?;
    Some(format!("{}:{line}", file.rsplit('/').next().unwrap_or(file)))
}

/// A row of `info cuda kernels`: `* 0 - 0 1 Active 0x1 (1,1,1) (1,1,1) k1()`.
fn kernel(line: &str) -> Option<String> {
    let mut words = line.trim_start().trim_start_matches('*').split_whitespace();
    words.next()?.parse::<u32>().ok()?;
    let mut words = words.skip_while(|it| *it != "Active");
    words.next()?;
    let mask = words.next()?.strip_prefix("0x")?;
    let multiprocessors: u32 = mask
        .chars()
        .filter_map(|it| it.to_digit(16))
        .map(u32::count_ones)
        .sum();
    let (grid, block) = (words.next()?, words.next()?);
    let invocation: Vec<&str> = words.collect();
    let plural = if multiprocessors == 1 { "" } else { "s" };
    Some(format!(
        "kernel `{}` is resident: grid {grid}, block {block}, on {multiprocessors} SM{plural}",
        invocation.join(" ")
    ))
}

/// A host thread, from its innermost frame outwards.
#[derive(Default)]
struct Thread {
    number: String,
    /// The outermost CUDA function it is in: the one the program called.
    call: Option<String>,
    /// Who called that, with the place where it is known.
    caller: Option<String>,
    /// Whether the next frame is the function a kernel is launched by, which is called like the kernel.
    is_in_launch: bool,
}

impl Thread {
    fn enter(&mut self, function: &str, line: &str) {
        let is_cuda = ["cuda", "cu"].iter().any(|prefix| {
            function
                .strip_prefix(prefix)
                .is_some_and(|it| it.starts_with(char::is_uppercase))
        });
        let is_stub = function.starts_with("__device_stub");
        let is_launcher = std::mem::replace(&mut self.is_in_launch, is_stub);
        let is_program = function != "??" && !function.starts_with("__") && !is_launcher;
        if is_cuda {
            (self.call, self.caller) = (Some(function.to_owned()), None);
        } else if is_program && self.call.is_some() && self.caller.is_none() {
            let place = line
                .rsplit_once(" at ")
                .map(|(_, place)| place.rsplit('/').next().unwrap_or(place));
            self.caller = Some(match place {
                Some(place) => format!("`{function}` ({place})"),
                None => format!("`{function}`"),
            });
        }
    }

    fn sentence(self) -> Option<String> {
        let by = self
            .caller
            .map(|it| format!(", called by {it}"))
            .unwrap_or_default();
        Some(format!("thread {} is in `{}`{by}", self.number, self.call?))
    }
}

/// The function of a frame: `#3  0x00007f12 in cuLaunchKernel () from …` or `#0  main () at a.cu:3`.
fn frame(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix('#')?
        .trim_start_matches(|it: char| it.is_ascii_digit())
        .trim_start();
    let rest = match rest.strip_prefix("0x") {
        Some(_) => rest.split_once(" in ")?.1,
        None => rest,
    };
    let end = rest.find([' ', '(', '<', '@']).unwrap_or(rest.len());
    let name = rest[..end].split("::{lambda").next()?;
    (!name.is_empty()).then_some(name)
}

/// State of each thread, and what it waits for in the operating system.
fn threads_of(pid: u32) -> Vec<String> {
    let tasks = Path::new("/proc").join(pid.to_string()).join("task");
    let mut seen: Vec<String> = std::fs::read_dir(tasks)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let read = |name: &str| std::fs::read_to_string(entry.path().join(name)).ok();
            let stat = read("stat")?;
            let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
            let wait = read("wchan").filter(|it| !it.trim().is_empty() && it.trim() != "0");
            Some(match (rest.trim_start().chars().next()?, wait) {
                ('R', _) => format!("thread `{name}` is running"),
                (_, Some(wait)) => format!("thread `{name}` sleeps in `{}`", wait.trim()),
                (_, None) => format!("thread `{name}` sleeps"),
            })
        })
        .collect();
    seen.sort();
    seen.dedup();
    seen
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn resident_kernels_and_stuck_calls_are_read() {
        let said = "\
  Kernel Parent Dev Grid Status   SMs Mask    GridDim  BlockDim Invocation
*      0      -   0    3 Active 0x00000003 (2,1,1)  (32,1,1)  spin(volatile int *)()
  BlockIdx ThreadIdx To BlockIdx To ThreadIdx Count         PC      Filename  Line
Kernel 0
* (0,0,0)   (0,0,0)     (1,0,0)    (31,0,0)    64 0x00007fffd4f1 /tmp/x/spin.cu    12
  (0,0,0)   (0,0,0)     (1,0,0)    (31,0,0)    64 0x00007fffd4f1            n/a     0

Thread 3 (Thread 0x7f1 (LWP 13) \"prog\"):
#0  0x00007f01 in cuLaunchKernel () from /lib/libcuda.so.1
#1  0x00005502 in cudaLaunchKernel ()
#2  0x00005503 in cudaLaunchKernel<char> (func=0x5555) at /opt/cuda/include/cuda_runtime.h:215
#3  0x00005504 in __device_stub__Z4openi (__par0=1) at /tmp/x/tmpxft.cudafe1.stub.c:12
#4  0x00005505 in open (value=1) at /tmp/x/spin.cu:8
#5  0x00005506 in release (stream=0x1) at /tmp/x/spin.cu:31

Thread 2 (Thread 0x7f1 (LWP 12) \"cuda00001400006\"):
#0  0x00007f01 in poll () from /lib/libc.so.6
#1  0x00007f02 in ?? () from /lib/libcuda.so.1

Thread 1 (Thread 0x7f2 (LWP 11) \"prog\"):
#0  0x00007f03 in ?? () from /lib/libcuda.so.1
#1  0x00007f04 in cuCtxSynchronize () from /lib/libcuda.so.1
#2  0x00005501 in ?? ()
#3  0x00005502 in cudaDeviceSynchronize ()
#4  0x00005503 in main () at /tmp/x/spin.cu:25
";
        assert_eq!(
            read(said),
            [
                "kernel `spin(volatile int *)()` is resident: grid (2,1,1), block (32,1,1), on 2 SMs",
                "threads on the device are at spin.cu:12",
                "thread 3 is in `cudaLaunchKernel`, called by `release` (spin.cu:31)",
                "thread 1 is in `cudaDeviceSynchronize`, called by `main` (spin.cu:25)",
            ]
        );
        assert!(read("ptrace: Operation not permitted.\nNo thread selected\n").is_empty());
    }
}
