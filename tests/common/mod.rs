//! Temporary projects, and the real binary run in them with a time limit.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Longer than any run takes, even unoptimised on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A directory that is removed at the end of the test.
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// Writes files, with their directories.
    pub fn new(files: &[(&str, &str)]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("cudalint-test-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).expect("a temporary directory");
        let project = Project {
            root: root.canonicalize().expect("the directory exists"),
        };
        for (path, text) in files {
            project.write(path, text.as_bytes());
        }
        project
    }

    /// Writes one file, with its directories.
    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it is under the root")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }

    /// Absolute path of a file in the project.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The binary, to run in the project.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cudalint"));
        command.current_dir(&self.root).args(args);
        for name in [
            "NO_COLOR",
            "FORCE_COLOR",
            "CLICOLOR_FORCE",
            "COLUMNS",
            "CUDA_MODULE_LOADING",
        ] {
            command.env_remove(name);
        }
        Command(command)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The binary with its arguments.
pub struct Command(pub std::process::Command);

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code; -1 when a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Command {
    /// Runs with empty standard input.
    pub fn run(&mut self) -> Outcome {
        self.run_with_input("")
    }

    /// Runs; fails the test when it takes too long.
    pub fn run_with_input(&mut self, input: &str) -> Outcome {
        let command = self
            .0
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let stdout = drain(child.stdout.take().expect("it is piped"));
        let stderr = drain(child.stderr.take().expect("it is piped"));
        let code = wait(&mut child);
        writer.join().expect("the writer ends");
        let (stdout, stderr) = (
            stdout.join().expect("the reader ends"),
            stderr.join().expect("the reader ends"),
        );
        Outcome { code, stdout, stderr }
    }
}

/// Runs the binary in the project.
pub fn run(project: &Project, args: &[&str]) -> Outcome {
    project.command(args).run()
}

fn drain(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child) -> i32 {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            return status.code().unwrap_or(-1);
        }
        if started.elapsed() > TIME_LIMIT {
            let _ = child.kill();
            panic!("still running after {TIME_LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
