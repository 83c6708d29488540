//! What one run of a program came to, from how its process ended and what it printed.

use std::fmt;

use super::process::{Ended, Finished};

/// What one run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was still running when its time was over.
    Hang,
    /// It ended, and found nothing wrong.
    Done,
    /// It counted wrong results.
    Wrong(u64),
    /// It reported a CUDA error.
    Error(String),
    /// It measured that something took longer than it should, by this ratio.
    Slow(String),
    /// A signal ended it.
    Crash(String),
    /// It ended with an exit code other than 0 and said nothing.
    Exit(i32),
}

/// From here on a ratio that a program prints is slow.
const SLOW_RATIO: f64 = 1.5;

impl Outcome {
    /// Reads the outcome of a run; `Err` when there was none.
    ///
    /// A program says what it saw in lines of its own on standard output: `WRONG n`, `ERROR name`, `SLOW ratio`.
    pub fn of(run: &Finished) -> Result<Self, String> {
        match &run.ended {
            Ended::Timeout => Ok(Outcome::Hang),
            Ended::Signal(signal) => Ok(Outcome::Crash(signal.clone())),
            Ended::Exit(code) => Ok(said(&run.stdout).unwrap_or(match code {
                0 => Outcome::Done,
                code => Outcome::Exit(*code),
            })),
            Ended::NotStarted(reason) => Err(reason.clone()),
            Ended::Interrupted => Err("interrupted".to_owned()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Hang => write!(formatter, "hang"),
            Outcome::Done => write!(formatter, "done"),
            Outcome::Wrong(count) => write!(formatter, "WRONG {count}"),
            Outcome::Error(name) => write!(formatter, "ERROR {name}"),
            Outcome::Slow(ratio) => write!(formatter, "SLOW {ratio}"),
            Outcome::Crash(signal) => write!(formatter, "crash {signal}"),
            Outcome::Exit(code) => write!(formatter, "exit {code}"),
        }
    }
}

/// The first line that says something went wrong.
fn said(output: &str) -> Option<Outcome> {
    output.lines().find_map(|line| {
        let (word, rest) = line.trim().split_once(' ')?;
        let value = rest.split_whitespace().next()?;
        match word {
            "WRONG" => value.parse().ok().filter(|it| *it > 0).map(Outcome::Wrong),
            "ERROR" if value != "cudaSuccess" && is_name(value) => Some(Outcome::Error(value.to_owned())),
            "SLOW" => {
                let ratio = value.trim_end_matches('x').parse::<f64>().ok()?;
                (ratio >= SLOW_RATIO).then(|| Outcome::Slow(format!("{ratio:.1}")))
            }
            _ => None,
        }
    })
}

fn is_name(text: &str) -> bool {
    text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}
