//! Many cases: a few children at a time, each with a time limit; what they saw is kept as it comes.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::cases::Case;
use super::kernels;
use super::predict::agrees;
use super::record::Record;
use super::watch::Seen;
use crate::verify::gpu;
use crate::verify::process::{Command, Ended, Finished};
use crate::verify::{DECEPTIVE, Failure, interrupt, launcher};

/// How long a call may take before it counts as blocked: beside many cases, and beside few.
const PATIENCE: Duration = Duration::from_millis(500);
const PATIENCE_LATER: Duration = Duration::from_millis(1500);

/// The outcome of a case that could not be done, which says nothing about the GPU.
pub const FAILED: &str = "failed";

/// How a probe goes about it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many cases run at once. What is not as expected is repeated with a quarter as many.
    pub gpu_jobs: usize,
    /// After which a child is killed.
    pub timeout: Duration,
    /// When no more cases are begun.
    pub budget: Duration,
    /// Where the compiled kernels are.
    pub kernels: PathBuf,
    /// What to run in place of this binary.
    pub child: Option<PathBuf>,
    /// Whether the GPU is asked how it is when a child was killed.
    pub look_after_gpu: bool,
}

/// What was seen in each case, by its name.
pub type Results = BTreeMap<String, Seen>;

/// Something happened.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// How many cases are over with.
    pub done: usize,
    /// Of how many.
    pub total: usize,
    /// The one that was over with last.
    pub id: &'a str,
    /// What was seen.
    pub outcome: &'a str,
    /// How long it has all taken.
    pub elapsed: Duration,
}

/// Who hears about progress.
pub type Listener<'a> = &'a (dyn Fn(&Progress<'_>) + Sync);

/// Runs the cases that have no result yet; why not all could be, when so.
pub fn all(
    cases: &[Case],
    plan: &Plan,
    results: &mut Results,
    record: Option<Record>,
    listener: Listener<'_>,
) -> Option<Failure> {
    let waiting: VecDeque<&Case> = cases
        .iter()
        .filter(|case| !results.contains_key(&case.id))
        .collect();
    let session = Session {
        plan,
        listener,
        total: cases.len(),
        started: Instant::now(),
        shared: Mutex::new(Shared {
            waiting,
            again: VecDeque::new(),
            done: cases.len(),
            results: std::mem::take(results),
            record,
            failure: None,
        }),
    };
    let left = session.lock().waiting.len();
    session.lock().done -= left;
    std::thread::scope(|scope| {
        for _ in 0..plan.gpu_jobs.max(1) {
            scope.spawn(|| while session.step(plan.gpu_jobs <= 1) {});
        }
    });
    // What surprised is tried again with little beside it; until then its first result counts.
    std::thread::scope(|scope| {
        for _ in 0..(plan.gpu_jobs / 4).max(1) {
            scope.spawn(|| while session.repeat() {});
        }
    });
    let shared = session
        .shared
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    *results = shared.results;
    shared
        .failure
        .or_else(|| incomplete(cases, results, plan.budget).map(Failure::Incomplete))
}

/// What is missing at the end.
fn incomplete(cases: &[Case], results: &Results, budget: Duration) -> Option<String> {
    let missing = cases
        .iter()
        .filter(|case| !results.contains_key(&case.id))
        .count();
    if missing > 0 {
        let (done, total, seconds) = (cases.len() - missing, cases.len(), budget.as_secs_f64());
        return Some(format!(
            "{done} of {total} cases were seen when the {seconds} s of --budget were over"
        ));
    }
    let seen = cases
        .iter()
        .filter_map(|case| Some((case, results.get(&case.id)?)));
    let mut failed = seen.filter(|(_, seen)| seen.outcome == FAILED);
    let (first, seen) = failed.next()?;
    let (id, reason) = (&first.id, &seen.detail);
    Some(match failed.count() {
        0 => format!("`{id}` could not be done: {reason}"),
        more => format!(
            "{} cases could not be done, the first of them `{id}`: {reason}",
            more + 1
        ),
    })
}

struct Session<'a> {
    plan: &'a Plan,
    listener: Listener<'a>,
    total: usize,
    started: Instant,
    shared: Mutex<Shared<'a>>,
}

struct Shared<'a> {
    waiting: VecDeque<&'a Case>,
    again: VecDeque<&'a Case>,
    done: usize,
    results: Results,
    record: Option<Record>,
    failure: Option<Failure>,
}

impl<'a> Session<'a> {
    fn lock(&self) -> MutexGuard<'_, Shared<'a>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One case; `false` when there is nothing more to do.
    fn step(&self, alone: bool) -> bool {
        let Some(case) = self.next(|shared| shared.waiting.pop_front()) else {
            return false;
        };
        let Some(seen) = self.run(case, if alone { PATIENCE_LATER } else { PATIENCE }) else {
            return false;
        };
        let surprising = !alone && is_surprising(case, &seen);
        let seen = if surprising { seen.once() } else { seen };
        let mut shared = self.lock();
        if surprising {
            shared.again.push_back(case);
        }
        shared.keep(case, seen, !surprising);
        shared.done += 1;
        self.tell(shared, case);
        true
    }

    /// One case that surprised, again.
    fn repeat(&self) -> bool {
        let Some(case) = self.next(|shared| shared.again.pop_front()) else {
            return false;
        };
        if let Some(seen) = self.run(case, PATIENCE_LATER) {
            let mut shared = self.lock();
            shared.keep(case, seen, true);
            self.tell(shared, case);
        }
        true
    }

    /// The next case, unless everything is over.
    fn next(&self, take: impl FnOnce(&mut Shared<'a>) -> Option<&'a Case>) -> Option<&'a Case> {
        let mut shared = self.lock();
        if interrupt::is_set() {
            shared.failure.get_or_insert(Failure::Interrupted);
        }
        if shared.failure.is_some() || self.started.elapsed() >= self.plan.budget {
            return None;
        }
        take(&mut shared)
    }

    /// Runs a case; `None` when that says nothing because everything is over.
    fn run(&self, case: &Case, patience: Duration) -> Option<Seen> {
        let finished = match self.command(case, patience) {
            Ok(command) => command.run(),
            Err(error) => {
                self.lock()
                    .failure
                    .get_or_insert(Failure::NoKernels(error.to_string()));
                return None;
            }
        };
        if finished.ended == Ended::Interrupted {
            self.lock().failure.get_or_insert(Failure::Interrupted);
            return None;
        }
        if finished.survived {
            self.lock()
                .failure
                .get_or_insert(Failure::Unkillable(case.id.clone()));
            return None;
        }
        let seen = read(&finished);
        let was_killed = !matches!(finished.ended, Ended::Exit(_) | Ended::Signal(_));
        if self.plan.look_after_gpu
            && was_killed
            && let Err(error) = gpu::check_health()
        {
            self.lock().failure.get_or_insert(Failure::after(&case.id, error));
        }
        Some(seen)
    }

    fn command(&self, case: &Case, patience: Duration) -> io::Result<Command> {
        let (binary, hidden) = match &self.plan.child {
            Some(child) => (child.clone(), None),
            None => {
                let (binary, hidden) = launcher::probe_case()?;
                (binary, Some(hidden))
            }
        };
        let args = [
            OsString::from(&case.id),
            self.plan.kernels.clone().into(),
            patience.as_millis().to_string().into(),
        ];
        Ok(Command::new(binary, self.plan.timeout)
            .without(DECEPTIVE)
            .args(hidden)
            .args(args)
            .env("CUDA_MODULE_LOADING", case.mode.as_str()))
    }

    fn tell(&self, shared: MutexGuard<'_, Shared<'a>>, case: &Case) {
        let outcome = shared
            .results
            .get(&case.id)
            .map_or_else(String::new, |it| it.outcome.clone());
        let done = shared.done;
        drop(shared);
        (self.listener)(&Progress {
            done,
            total: self.total,
            id: &case.id,
            outcome: &outcome,
            elapsed: self.started.elapsed(),
        });
    }
}

impl Shared<'_> {
    fn keep(&mut self, case: &Case, seen: Seen, for_good: bool) {
        let for_good = for_good && seen.outcome != FAILED;
        if let (true, Some(record)) = (for_good, &mut self.record)
            && let Err(reason) = record.add(&case.id, &seen)
        {
            let path = record.path().to_owned();
            self.failure.get_or_insert(Failure::File { path, reason });
        }
        self.results.insert(case.id.clone(), seen);
    }
}

fn is_surprising(case: &Case, seen: &Seen) -> bool {
    let expected = case.measured.iter().chain(&case.predicted);
    let mut wrong = expected.filter(|it| !agrees(&seen.outcome, it));
    wrong.next().is_some()
}

/// What a child saw: the last line that says so, else how it ended.
fn read(finished: &Finished) -> Seen {
    let said = finished
        .stdout
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str::<Seen>(line).ok());
    let last = || finished.stderr.lines().last().unwrap_or_default().to_owned();
    let ended = |outcome: String| Seen {
        outcome,
        milliseconds: 0.0,
        detail: last(),
    };
    let failed = |detail: String| Seen {
        detail,
        ..Seen::new(FAILED)
    };
    match (&finished.ended, said) {
        (Ended::Exit(0) | Ended::Signal(_), Some(seen)) => seen,
        (Ended::Exit(0), None) => failed("it says nothing".to_owned()),
        (Ended::Exit(code), _) => match last() {
            reason if reason.is_empty() => failed(format!("it ends with exit code {code}")),
            reason => failed(reason),
        },
        (Ended::Signal(signal), None) => ended(format!("crash {signal}")),
        (Ended::Timeout, _) => ended("no answer".to_owned()),
        (Ended::NotStarted(reason), _) => failed(reason.clone()),
        (Ended::Interrupted, _) => failed("interrupted".to_owned()),
    }
}

/// Compiles the kernels for a GPU.
pub fn compile_kernels(folder: &Path, architecture: &str) -> Result<(), Failure> {
    kernels::build(folder, architecture)
}
