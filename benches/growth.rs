//! How the time of a run grows with one file: `cargo bench --bench growth`.
//!
//! For each long stack of one thing, at its length and four times that: the best of some runs of the command, which
//! take turns. Four times the input is to take about four times as long; what grows with the square takes sixteen
//! times as long, and is the reason for exit code 1.

#[path = "../tests/common/stacks.rs"]
mod stacks;

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Runs of each text, of which the best counts.
const ROUNDS: usize = 5;

/// How much longer the second text is.
const TIMES: usize = 4;

/// What the second text may take of the first one's time, behind what a run takes for nothing.
const LIMIT: f64 = 8.0;

fn main() -> io::Result<ExitCode> {
    let root = std::env::temp_dir().join(format!("cudalint-growth-{}", std::process::id()));
    // A project for each text: the others of a folder are read with it.
    let text = |name: &str, text: String| {
        let directory = root.join(name);
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join("cudalint.toml"), "")?;
        let path = directory.join("a.cu");
        std::fs::write(&path, text).map(|()| path)
    };
    let nothing = text("nothing", (stacks::ALL[0].text)(0))?;
    let mut out = io::stdout().lock();
    let mut grows = false;
    for stack in &stacks::ALL {
        let once = text("once", (stack.text)(stack.count))?;
        let more = text("more", (stack.text)(TIMES * stack.count))?;
        let mut best = [Duration::MAX; 3];
        for _ in 0..ROUNDS {
            for (best, path) in best.iter_mut().zip([&nothing, &once, &more]) {
                *best = (*best).min(time(path)?);
            }
        }
        let [nothing, once, more] = best.map(|it| it.as_secs_f64());
        let ratio = (more - nothing) / (once - nothing).max(1e-3);
        grows |= ratio > LIMIT;
        writeln!(
            out,
            "{:<24} {:>6} in {:>6.0} ms, {:>6} in {:>6.0} ms: {ratio:.1} times",
            stack.name,
            stack.count,
            once * 1e3,
            TIMES * stack.count,
            more * 1e3
        )?;
    }
    std::fs::remove_dir_all(&root)?;
    Ok(if grows {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn time(path: &Path) -> io::Result<Duration> {
    let started = Instant::now();
    Command::new(env!("CARGO_BIN_EXE_cudalint"))
        .args(["check", "--isolated", "--exit-zero"])
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(started.elapsed())
}
