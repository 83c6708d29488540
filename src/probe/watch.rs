//! Looks after a case from another thread: notices that a call does not return, lets it go, and says what was seen.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::driver::Flag;
use super::predict;

/// How long everything may take to end once it was let go.
const GRACE: Duration = Duration::from_secs(3);

/// What a child saw: the one line it prints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// `ok`, `BLOCKS`, `late`, the name of an error, or what came of a call in a capture.
    pub outcome: String,
    /// How long the call took, in milliseconds.
    #[serde(default)]
    pub milliseconds: f64,
    /// More words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Seen {
    /// Only an outcome.
    pub fn new(outcome: impl Into<String>) -> Self {
        Seen {
            outcome: outcome.into(),
            ..Seen::default()
        }
    }

    /// The same, to be tried again.
    pub fn once(mut self) -> Self {
        let comma = if self.detail.is_empty() { "" } else { ", " };
        self.detail.push_str(comma);
        self.detail.push_str("seen once, beside other cases");
        self
    }

    /// Prints it; whoever does so ends the process.
    pub fn print(&self) {
        let line = serde_json::to_string(self).unwrap_or_default();
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

/// How far a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The operation is being called.
    Called,
    /// It returned; what is held is being released and waited for.
    Returned,
    /// What was held has ended; the rest is waited for.
    Over,
    /// Nothing is waited for.
    Finished,
}

struct State {
    stage: Stage,
    called: Instant,
    since: Instant,
    verdict: Option<&'static str>,
    milliseconds: f64,
}

/// A case that is looked after.
pub struct Watch(Arc<Mutex<State>>);

impl Watch {
    /// Looks after what begins now; every stage may take `patience`.
    pub fn start(flag: Flag, patience: Duration) -> Self {
        let state = State {
            stage: Stage::Called,
            called: Instant::now(),
            since: Instant::now(),
            verdict: None,
            milliseconds: 0.0,
        };
        let state = Arc::new(Mutex::new(state));
        let watched = Arc::clone(&state);
        std::thread::spawn(move || look_after(&watched, flag, patience));
        Watch(state)
    }

    /// The operation returned.
    pub fn returned(&self) {
        let mut state = lock(&self.0);
        state.milliseconds = (state.called.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        state.enter(Stage::Returned);
    }

    /// What was held has ended.
    pub fn over(&self) {
        lock(&self.0).enter(Stage::Over);
    }

    /// Nothing is left to wait for.
    pub fn finish(self, detail: String) -> Seen {
        let mut state = lock(&self.0);
        state.enter(Stage::Finished);
        state.seen(detail)
    }
}

impl State {
    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = Instant::now();
    }

    fn seen(&self, detail: String) -> Seen {
        Seen {
            outcome: self.verdict.unwrap_or(predict::OK).to_owned(),
            milliseconds: self.milliseconds,
            detail,
        }
    }
}

/// The other thread: passes verdicts, and ends the process when nothing helps.
fn look_after(state: &Mutex<State>, flag: Flag, patience: Duration) {
    loop {
        std::thread::sleep(Duration::from_millis(2));
        let mut state = lock(state);
        let waited = state.since.elapsed();
        match (state.stage, state.verdict) {
            (Stage::Finished, _) => return,
            (Stage::Called | Stage::Returned, None) if waited > patience => {
                let calling = state.stage == Stage::Called;
                state.verdict = Some(if calling { predict::BLOCKS } else { predict::LATE });
                state.since = Instant::now();
                flag.released.store(1, Ordering::Release);
            }
            (stage, verdict) if waited > GRACE && (verdict.is_some() || stage == Stage::Over) => {
                let left = match stage {
                    Stage::Called => "the call does not return after the release either",
                    Stage::Returned => "the release by the host does not help either",
                    Stage::Over | Stage::Finished => "work in other streams does not end",
                };
                state.seen(left.to_owned()).print();
                // The lock is kept: the thread that hangs must not print too.
                let _ = kill(Pid::this(), Signal::SIGKILL);
            }
            _ => {}
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
