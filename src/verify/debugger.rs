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

/// Something a look at a hung process showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// All of it in words.
    pub text: String,
    /// What stands at its places, for who looks at one of them.
    pub here: String,
    /// Lines of source, the innermost frame first: file as the debugger names it, line from 1. Only the first of them that
    /// matters to the reader is meant, unless `all` are.
    pub places: Vec<(String, u32)>,
    /// Each place holds, none instead of another.
    pub all: bool,
}

impl Sighting {
    fn of(text: String) -> Self {
        Sighting {
            here: text.clone(),
            text,
            places: Vec::new(),
            all: false,
        }
    }
}

/// Looks at a running process: one sighting per resident kernel and per host thread that is in a CUDA call.
pub fn look(pid: u32, nvcc: &Path) -> Vec<Sighting> {
    let (seen, how) = debuggers(nvcc)
        .into_iter()
        .map(|debugger| ask(&debugger, pid))
        .find(|seen| !seen.is_empty())
        .map_or_else(
            || {
                let threads = threads_of(pid).into_iter();
                (threads.map(Sighting::of).collect(), "seen without a debugger")
            },
            |seen| (seen, "seen on the GPU"),
        );
    let left_out = seen.len().saturating_sub(MOST_LINES);
    let short = |it: String| {
        let it: String = it.chars().take(MOST_LETTERS).collect();
        format!("{how}: {it}")
    };
    let told = seen.into_iter().take(MOST_LINES).map(|it| Sighting {
        text: short(it.text),
        here: short(it.here),
        ..it
    });
    let mut told: Vec<Sighting> = told.collect();
    if left_out > 0 {
        told.push(Sighting::of(format!("{how}: {left_out} more like these")));
    }
    told
}

/// Where debuggers may be, the best one first: that of the toolkit, which need not be on `PATH`.
fn debuggers(nvcc: &Path) -> [PathBuf; 3] {
    [nvcc.with_file_name("cuda-gdb"), "cuda-gdb".into(), "gdb".into()]
}

/// What one debugger sees; nothing where it is not installed, or may not look.
fn ask(debugger: &Path, pid: u32) -> Vec<Sighting> {
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

/// What the debugger said.
fn read(said: &str) -> Vec<Sighting> {
    let mut seen: Vec<Sighting> = said.lines().filter_map(kernel).map(Sighting::of).collect();
    let places: BTreeSet<(String, u32)> = said.lines().filter_map(device_place).collect();
    if !places.is_empty() {
        let shown: BTreeSet<String> = places.iter().map(|(file, line)| shown(file, *line)).collect();
        let shown: Vec<String> = shown.into_iter().collect();
        seen.push(Sighting {
            text: format!("threads on the device are at {}", shown.join(", ")),
            here: "threads on the device are here".to_owned(),
            places: places.into_iter().collect(),
            all: true,
        });
    }
    let mut thread: Option<Thread> = None;
    for line in said.lines() {
        if let Some(rest) = line.strip_prefix("Thread ") {
            seen.extend(thread.take().and_then(Thread::sighting));
            thread = Some(Thread {
                number: rest.split_whitespace().next().unwrap_or_default().to_owned(),
                ..Thread::default()
            });
        } else if let (Some(thread), Some(function)) = (&mut thread, frame(line)) {
            thread.enter(function, line);
        }
    }
    seen.extend(thread.and_then(Thread::sighting));
    seen
}

/// The place in a row of `info cuda threads`: `* (0,0,0) (0,0,0) (1,0,0) (31,0,0) 64 0x00007f01 /x/spin.cu 12`.
fn device_place(line: &str) -> Option<(String, u32)> {
    let row = line.trim_start().trim_start_matches('*').trim_start();
    let mut words = row.starts_with('(').then(|| row.split_whitespace())?;
    words.find(|it| it.starts_with("0x"))?;
    let file = words.next().filter(|it| *it != "n/a")?;
    let line = words.next()?.parse::<u32>().ok()?;
    Some((file.to_owned(), line))
}

/// A place without its folders.
fn shown(file: &str, line: u32) -> String {
    format!("{}:{line}", file.rsplit('/').next().unwrap_or(file))
}

/// The place at the end of a frame: `… at /x/spin.cu:25`.
fn host_place(line: &str) -> Option<(String, u32)> {
    let (_, place) = line.rsplit_once(" at ")?;
    let (file, line) = place.rsplit_once(':')?;
    Some((file.to_owned(), line.trim().parse().ok()?))
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
    /// Where the caller and those who called it stand, the innermost first.
    places: Vec<(String, u32)>,
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
            self.places.clear();
        } else if is_program && self.call.is_some() {
            let place = host_place(line);
            self.caller.get_or_insert_with(|| match &place {
                Some((file, line)) => format!("`{function}` ({})", shown(file, *line)),
                None => format!("`{function}`"),
            });
            self.places.extend(place);
        }
    }

    fn sighting(self) -> Option<Sighting> {
        let by = self
            .caller
            .map(|it| format!(", called by {it}"))
            .unwrap_or_default();
        let here = format!("thread {} is in `{}`", self.number, self.call?);
        Some(Sighting {
            text: format!("{here}{by}"),
            here,
            places: self.places,
            all: false,
        })
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
        let seen = read(said);
        let texts: Vec<&str> = seen.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "kernel `spin(volatile int *)()` is resident: grid (2,1,1), block (32,1,1), on 2 SMs",
                "threads on the device are at spin.cu:12",
                "thread 3 is in `cudaLaunchKernel`, called by `release` (spin.cu:31)",
                "thread 1 is in `cudaDeviceSynchronize`, called by `main` (spin.cu:25)",
            ]
        );
        let places = |it: &super::Sighting| it.places.clone();
        let at = |line: u32| ("/tmp/x/spin.cu".to_owned(), line);
        assert_eq!(
            seen.iter().map(places).collect::<Vec<_>>(),
            [vec![], vec![at(12)], vec![at(31)], vec![at(25)]]
        );
        assert!(read("ptrace: Operation not permitted.\nNo thread selected\n").is_empty());
    }
}
