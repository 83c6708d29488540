//! Runs one program in a session of its own, with bounded time and output, and leaves nothing of it running.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

use super::{interrupt, launcher};

/// What is kept of an output stream: so much of its beginning, and so much of its end.
const HEAD_BYTES: usize = 256 << 10;
const TAIL_BYTES: usize = 64 << 10;

/// How long processes may take to die once they are killed: a driver may have to tear a context down.
const DYING: Duration = Duration::from_secs(30);

/// How long the rest of the output may take once everything has ended.
const DRAINING: Duration = Duration::from_secs(2);

/// The environment variable every process of a run inherits; it finds those that left the session.
pub const MARK: &str = "CUDALINT_RUN";

/// A program to run.
#[derive(Clone, Debug)]
pub struct Command {
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    without: &'static [&'static str],
    directory: Option<PathBuf>,
    timeout: Duration,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Exit(i32),
    /// By a signal, e.g. `SIGSEGV`.
    Signal(String),
    /// It was killed when its time was over.
    Timeout,
    /// It never ran.
    NotStarted(String),
    /// The user wants everything to end.
    Interrupted,
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// What it wrote to standard output: the beginning and the end of it.
    pub stdout: String,
    /// The same of standard error.
    pub stderr: String,
    /// How long it ran.
    pub elapsed: Duration,
    /// Whether some process of it survived being killed: it is stuck in the driver.
    pub survived: bool,
}

impl Command {
    /// A program, to run for at most `timeout`.
    pub fn new(program: impl Into<PathBuf>, timeout: Duration) -> Self {
        Command {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            without: &[],
            directory: None,
            timeout,
        }
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args
            .extend(args.into_iter().map(|it| it.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env
            .push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Leaves environment variables out that would be inherited.
    pub fn without(mut self, names: &'static [&'static str]) -> Self {
        self.without = names;
        self
    }

    /// Runs it somewhere else.
    pub fn directory(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self
    }

    /// Runs it to its end.
    pub fn run(&self) -> Finished {
        self.run_and_look(|_| ())
    }

    /// Runs it to its end; when its time is over, `look` may look at the process before it is killed.
    pub fn run_and_look(&self, look: impl FnOnce(u32)) -> Finished {
        let started = Instant::now();
        let (mark, spawned) = self.spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(reason) => {
                return Finished::not_started(format!("cannot start `{}`: {reason}", self.program.display()));
            }
        };
        let running = Arc::new(AtomicUsize::new(2));
        let stdout = drain(child.stdout.take(), &running);
        let stderr = drain(child.stderr.take(), &running);
        let ended = wait(&mut child, started + self.timeout);
        let elapsed = started.elapsed();
        if ended == Ended::Timeout {
            look(child.id());
        }
        let survived = !end_all(&mut child, &mark);
        let patience = Instant::now() + DRAINING;
        while running.load(Ordering::Acquire) > 0 && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(2));
        }
        let (stdout, stderr) = (text(&stdout), text(&stderr));
        match (&ended, launcher::failure(&stderr, &mark)) {
            (Ended::Exit(launcher::CANNOT_START), Some(reason)) => Finished::not_started(reason),
            _ => Finished {
                ended,
                stdout,
                stderr,
                elapsed,
                survived,
            },
        }
    }

    fn spawn(&self) -> (String, std::io::Result<Child>) {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut command = match launcher::command(&self.program) {
            Ok(command) => command,
            Err(error) => return (mark, Err(error)),
        };
        for name in self.without {
            command.env_remove(name);
        }
        command
            .args(&self.args)
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command.env(MARK, &mark);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        adopt_orphans();
        // Held until the child is known, so that nobody takes it for an orphan.
        let mut children = children();
        let spawned = command.spawn();
        children.extend(spawned.as_ref().ok().and_then(|it| i32::try_from(it.id()).ok()));
        (mark, spawned)
    }
}

impl Finished {
    fn not_started(reason: String) -> Self {
        Finished {
            ended: Ended::NotStarted(reason),
            stdout: String::new(),
            stderr: String::new(),
            elapsed: Duration::ZERO,
            survived: false,
        }
    }

    /// Whether it ended with exit code 0.
    pub fn succeeded(&self) -> bool {
        self.ended == Ended::Exit(0)
    }
}

/// Waits for the process itself.
fn wait(child: &mut Child, deadline: Instant) -> Ended {
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return ended(status),
            Ok(None) => {}
            Err(error) => return Ended::NotStarted(error.to_string()),
        }
        if interrupt::is_set() {
            return Ended::Interrupted;
        }
        if Instant::now() >= deadline {
            return Ended::Timeout;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exit(code),
        (None, Some(number)) => Ended::Signal(
            Signal::try_from(number).map_or_else(|_| format!("signal {number}"), |it| it.to_string()),
        ),
        (None, None) => Ended::Exit(-1),
    }
}

/// The processes this one started itself and still looks after.
fn children() -> MutexGuard<'static, BTreeSet<i32>> {
    static CHILDREN: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, processes whose parent ends become children of this one: nothing escapes by changing its session.
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        // Without it, what cleared its environment and left its session goes unseen.
        ONCE.call_once(|| {
            let _ = nix::sys::prctl::set_child_subreaper(true);
        });
    }
}

/// Kills what is left of a run; `false` when something of it does not die.
fn end_all(child: &mut Child, mark: &str) -> bool {
    // The launcher made the process the leader of a session and of a process group.
    let Ok(session) = i32::try_from(child.id()) else {
        return false;
    };
    let deadline = Instant::now() + DYING;
    let mut pause = Duration::from_millis(1);
    let dead = loop {
        let _ = killpg(Pid::from_raw(session), Signal::SIGKILL);
        let family = family(session, mark);
        for pid in &family {
            let _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
        }
        let is_dead = matches!(child.try_wait(), Ok(Some(_)) | Err(_));
        if !is_dead {
            let _ = child.kill();
        } else if family.is_empty() {
            break true;
        }
        if Instant::now() >= deadline {
            break false;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    children().remove(&session);
    dead
}

/// The living processes of a run: those in its session, those that carry its mark, and those that left both and their
/// parent. Empty where there is no `/proc`.
fn family(session: i32, mark: &str) -> BTreeSet<i32> {
    let children = children();
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        let Some(process) = Process::read(*pid) else {
            return false;
        };
        let is_orphan = process.parent == own && !children.contains(pid);
        if process.is_dead() {
            if is_orphan {
                let _ = waitpid(Pid::from_raw(*pid), Some(WaitPidFlag::WNOHANG));
            }
            return false;
        }
        process.session == session
            || match run_of(*pid) {
                Some(run) => run == mark,
                None => is_orphan,
            }
    })
    .collect()
}

/// The mark a process carries.
fn run_of(pid: i32) -> Option<String> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut variables = environment.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    variables.find_map(|it| Some(it.strip_prefix(MARK)?.strip_prefix('=')?.to_owned()))
}

/// What `/proc` says about a process.
struct Process {
    state: char,
    parent: i32,
    session: i32,
}

impl Process {
    /// The name comes before the rest and may hold anything, so the last bracket ends it.
    fn read(pid: i32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        Some(Process {
            state: fields.next()?.chars().next()?,
            parent: fields.next()?.parse().ok()?,
            // The group comes before it.
            session: fields.nth(1)?.parse().ok()?,
        })
    }

    fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

/// The beginning and the end of a stream.
#[derive(Default)]
struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
        let room = HEAD_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let excess = self.tail.len().saturating_sub(TAIL_BYTES);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }
}

/// Reads a stream to its end on a thread of its own: a process that lives on may hold it open, and nobody waits for that.
fn drain(stream: Option<impl Read + Send + 'static>, running: &Arc<AtomicUsize>) -> Arc<Mutex<Kept>> {
    let kept = Arc::new(Mutex::new(Kept::default()));
    let (into, running) = (Arc::clone(&kept), Arc::clone(running));
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        if let Some(mut stream) = stream {
            while let Ok(read @ 1..) = stream.read(&mut buffer) {
                into.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(&buffer[..read]);
            }
        }
        running.fetch_sub(1, Ordering::Release);
    });
    kept
}

fn text(kept: &Mutex<Kept>) -> String {
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = String::from_utf8_lossy(&kept.head).into_owned();
    if kept.dropped > 0 {
        text.push_str(&format!("\n[{} bytes left out]\n", kept.dropped));
    }
    let tail: Vec<u8> = kept.tail.iter().copied().collect();
    text.push_str(&String::from_utf8_lossy(&tail));
    plain(&text)
}

/// Without what would move the cursor of a terminal, or worse.
fn plain(text: &str) -> String {
    let plain = |it: char| match it {
        '\n' | '\t' => it,
        '\r' => '\n',
        it if it.is_control() => char::REPLACEMENT_CHARACTER,
        it => it,
    };
    text.chars().map(plain).collect()
}
