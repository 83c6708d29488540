//! Many programs: compiled side by side, run one after the other, the GPU looked after in between.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::compiler::{BuildFailure, Compiler};
use super::debugger::Sighting;
use super::expectation::Mode;
use super::outcome::Outcome;
use super::process::{Command, Ended, Finished};
use super::program::Program;
use super::verdict::{Verdict, judge};
use super::{Failure, debugger, gpu, interrupt};

/// How programs are run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How often, in each mode.
    pub trials: u32,
    /// After which a run counts as a hang.
    pub timeout: Duration,
    /// How many programs are compiled at once.
    pub jobs: usize,
    /// How many programs run at once. A run beside others that is not as predicted is repeated alone.
    pub gpu_jobs: usize,
    /// How many GPUs there are.
    pub gpus: usize,
    /// Whether a debugger looks at the first hang of each program.
    pub explain: bool,
    /// Only compile.
    pub compile_only: bool,
    /// Where programs run; beside the compiled programs when nobody says.
    pub directory: Option<PathBuf>,
    /// Whether the GPU is asked how it is after a hang or a crash.
    pub look_after_gpu: bool,
    /// Arguments of the programs.
    pub args: Vec<OsString>,
    /// Variables they do not inherit.
    pub without: &'static [&'static str],
    /// Environment of the programs, besides what is inherited.
    pub env: Vec<(OsString, OsString)>,
}

/// What one program did.
#[derive(Clone, Debug)]
pub struct ProgramReport {
    /// The program.
    pub program: Program,
    /// The outcome of each trial under LAZY.
    pub lazy: Vec<String>,
    /// The same under EAGER.
    pub eager: Vec<String>,
    /// What each trial took, LAZY then EAGER.
    pub seconds: Vec<f64>,
    /// What that says about the prediction.
    pub verdict: Verdict,
    /// Why.
    pub detail: String,
    /// What a hang was seen to be stuck in.
    pub seen: Vec<Sighting>,
    /// The last lines of a run that was not as predicted.
    pub output: String,
}

/// Something happened.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// How many programs are over with.
    pub done: usize,
    /// Of how many.
    pub total: usize,
    /// The one that was over with last.
    pub report: &'a ProgramReport,
}

/// Who hears about progress.
pub type Listener<'a> = &'a (dyn Fn(&Progress<'_>) + Sync);

/// Compiles and runs programs; with what was found out before it, why not everything could be.
pub fn all(
    programs: &[Program],
    compiler: &Compiler,
    plan: &Plan,
    work: &Path,
    listener: Listener<'_>,
) -> (Vec<ProgramReport>, Option<Failure>) {
    let session = Session {
        programs,
        compiler,
        plan,
        work,
        listener,
        reports: Mutex::new(programs.iter().map(|_| None).collect()),
        failure: Mutex::new(None),
        later: Mutex::new(VecDeque::new()),
        done: AtomicUsize::new(0),
    };
    session.run();
    let reports = session
        .reports
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let failure = session
        .failure
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    (reports.into_iter().flatten().collect(), failure)
}

/// A program that is compiled, by its number.
type Built = (usize, PathBuf);

struct Session<'a> {
    programs: &'a [Program],
    compiler: &'a Compiler,
    plan: &'a Plan,
    work: &'a Path,
    listener: Listener<'a>,
    reports: Mutex<Vec<Option<ProgramReport>>>,
    failure: Mutex<Option<Failure>>,
    /// Programs to run when nothing else does.
    later: Mutex<VecDeque<Built>>,
    done: AtomicUsize,
}

impl Session<'_> {
    fn run(&self) {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = channel();
        let receiver = Mutex::new(receiver);
        std::thread::scope(|scope| {
            for _ in 0..self.plan.jobs.min(self.programs.len()).max(1) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.compile(next, &sender));
            }
            drop(sender);
            for _ in 0..self.plan.gpu_jobs.min(self.programs.len()).max(1) {
                scope.spawn(|| self.run_built(&receiver));
            }
        });
        while let Some((index, binary)) = self.take_later() {
            if self.is_over() {
                return;
            }
            self.run_program(index, &binary, true);
        }
    }

    fn compile(&self, next: &AtomicUsize, built: &Sender<Built>) {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = self.programs.get(index).filter(|_| !self.is_over()) else {
                return;
            };
            if program.expectation.gpus > self.plan.gpus {
                let needs = format!("needs {} GPUs", program.expectation.gpus);
                self.finish(index, ProgramReport::not_run(program, Verdict::Skipped, needs));
                continue;
            }
            let binary = self.work.join(format!("program-{index}"));
            match self.build(program, &binary) {
                Ok(()) if self.plan.compile_only => {
                    self.finish(
                        index,
                        ProgramReport::not_run(program, Verdict::Confirmed, "compiles".to_owned()),
                    );
                }
                Ok(()) => drop(built.send((index, binary))),
                Err(BuildFailure::Program(reason)) => {
                    self.finish(
                        index,
                        ProgramReport::not_run(program, Verdict::BuildFailure, reason),
                    );
                }
                Err(BuildFailure::Missing(what)) => {
                    self.finish(index, ProgramReport::not_run(program, Verdict::Skipped, what));
                }
                Err(BuildFailure::Everything(reason)) => self.fail(Failure::Build(reason)),
                Err(BuildFailure::Interrupted) => self.fail(Failure::Interrupted),
            }
        }
    }

    /// Compiles a program, with what may help it when it lacks something.
    fn build(&self, program: &Program, binary: &Path) -> Result<(), BuildFailure> {
        let build = |units: &[PathBuf]| {
            let link = !self.plan.compile_only;
            self.compiler.build(units, &program.flags, binary, link)
        };
        match build(&program.units) {
            Err(failure) if failure.lacks_code() && !program.helpers.is_empty() => {
                build(&[&program.units[..], &program.helpers].concat())
            }
            built => built,
        }
    }

    fn run_built(&self, built: &Mutex<Receiver<Built>>) {
        loop {
            let next = built.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((index, binary)) = next else {
                return;
            };
            if self.is_over() {
                continue;
            }
            let expectation = &self.programs[index].expectation;
            let is_delicate =
                expectation.lazy.is_delicate() || expectation.eager.is_delicate() || expectation.gpus > 1;
            if is_delicate {
                self.put_later((index, binary));
            } else {
                self.run_program(index, &binary, self.plan.gpu_jobs <= 1);
            }
        }
    }

    /// All trials of a program. What is not as predicted beside other programs is tried again without them.
    fn run_program(&self, index: usize, binary: &Path, alone: bool) {
        let program = &self.programs[index];
        let mut report = ProgramReport::not_run(program, Verdict::Inconclusive, String::new());
        let mut eager_seconds = Vec::new();
        for _ in 0..self.plan.trials.max(1) {
            for mode in Mode::ALL {
                let look = self.plan.explain && report.seen.is_empty();
                let (run, seen) = self.run_once(binary, mode, look);
                let Some(outcome) = self.outcome(&run) else {
                    return;
                };
                report.seen.extend(seen);
                if !program.expectation.under(mode).allows(&outcome) {
                    if !alone {
                        self.put_later((index, binary.to_owned()));
                        let _ = self.look_after(&run, program);
                        return;
                    }
                    report.output = last_lines(&run);
                }
                let seconds = (run.elapsed.as_secs_f64() * 1000.0).round() / 1000.0;
                match mode {
                    Mode::Lazy => (report.lazy.push(outcome), report.seconds.push(seconds)),
                    Mode::Eager => (report.eager.push(outcome), eager_seconds.push(seconds)),
                };
                if !self.look_after(&run, program) {
                    return;
                }
            }
        }
        report.seconds.append(&mut eager_seconds);
        (report.verdict, report.detail) = judge(&program.expectation, &report.lazy, &report.eager);
        let _ = std::fs::remove_file(binary);
        self.finish(index, report);
    }

    /// What a run came to; nothing when there was none, and everything ends.
    fn outcome(&self, run: &Finished) -> Option<String> {
        let outcome = match interrupt::is_set() {
            true => Err(Failure::Interrupted),
            false => Outcome::of(run).map_err(Failure::NoProgram),
        };
        outcome
            .map_err(|failure| self.fail(failure))
            .ok()
            .map(|it| it.to_string())
    }

    fn run_once(&self, binary: &Path, mode: Mode, look: bool) -> (Finished, Vec<Sighting>) {
        let mut command = Command::new(binary, self.plan.timeout)
            .args(&self.plan.args)
            .without(self.plan.without);
        for (name, value) in &self.plan.env {
            command = command.env(name, value);
        }
        let mut seen = Vec::new();
        let command = command
            .env("CUDA_MODULE_LOADING", mode.as_str())
            .directory(self.plan.directory.as_deref().unwrap_or(self.work));
        let run = command.run_and_look(|pid| {
            if look {
                seen = debugger::look(pid, &self.compiler.nvcc);
            }
        });
        (run, seen)
    }

    /// After a run that did not end by itself: whether the GPU is well enough to go on.
    fn look_after(&self, run: &Finished, program: &Program) -> bool {
        if run.survived {
            self.fail(Failure::Unkillable(program.name.clone()));
            return false;
        }
        if !self.plan.look_after_gpu || matches!(run.ended, Ended::Exit(_)) {
            return true;
        }
        match gpu::check_health() {
            Ok(()) => true,
            Err(error) => {
                self.fail(Failure::after(&program.name, error));
                false
            }
        }
    }

    fn finish(&self, index: usize, report: ProgramReport) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.listener)(&Progress {
            done,
            total: self.programs.len(),
            report: &report,
        });
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports[index] = Some(report);
    }

    fn fail(&self, failure: Failure) {
        let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(failure);
    }

    fn is_over(&self) -> bool {
        if interrupt::is_set() {
            self.fail(Failure::Interrupted);
        }
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    fn put_later(&self, built: Built) {
        self.later
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_back(built);
    }

    fn take_later(&self) -> Option<Built> {
        self.later
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    }
}

impl ProgramReport {
    /// A program that was not run, or not to its end.
    pub fn not_run(program: &Program, verdict: Verdict, detail: String) -> Self {
        ProgramReport {
            program: program.clone(),
            lazy: Vec::new(),
            eager: Vec::new(),
            seconds: Vec::new(),
            verdict,
            detail,
            seen: Vec::new(),
            output: String::new(),
        }
    }
}

/// The end of what a program said.
fn last_lines(run: &Finished) -> String {
    let said = format!("{}{}", run.stdout, run.stderr);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(5)..];
    last.iter()
        .map(|line| line.chars().take(200).collect::<String>())
        .collect::<Vec<_>>()
        .join("\n")
}
