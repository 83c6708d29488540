//! `cudalint probe`.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::Duration;

use super::Ending;
use super::args::{ProbeArgs, VerifyFormat};
use super::output::{self, Failure, Stdout};
use crate::probe::cases::{self, Case, GROUPS};
use crate::probe::record::{Machine, Record};
use crate::probe::report::Report;
use crate::probe::run::{self, Plan, Progress, Results};
use crate::verify::{self, Gpu, Workplace, interrupt};

/// How often a line says how far it is, where a bar is of no use.
const EVERY: Duration = Duration::from_secs(5);

/// Runs the cases that are asked for, and says what they came to.
pub(super) fn run(args: &ProbeArgs) -> Result<Ending, Failure> {
    let cases = select(args)?;
    if args.list {
        let names: String = cases.iter().map(|it| format!("{}\n", it.id)).collect();
        Stdout::new().write_all(names.as_bytes())?;
        return Ok(Ending::Clean);
    }
    if let Some(path) = &args.report {
        let (machine, results) = Record::read(path)?;
        return report(args, &machine, &cases, &results);
    }
    interrupt::listen();
    let work = Workplace::new(false)?;
    let gpu = match args.no_gpu_check {
        true => None,
        false => Some(healthy()?),
    };
    let machine = Machine::here(gpu.as_ref());
    let (record, mut results) = match &args.record {
        Some(path) => {
            let (record, results) = Record::open(path, &machine)?;
            (Some(record), results)
        }
        None => (None, Results::new()),
    };
    let is_open = cases.iter().any(|case| !results.contains_key(&case.id));
    let folder = args.kernels.as_deref().unwrap_or(work.path());
    if let (true, None, Some(gpu)) = (is_open, &args.kernels, &gpu) {
        run::compile_kernels(folder, &gpu.architecture())?;
    }
    let plan = Plan {
        gpu_jobs: args.gpu_jobs,
        timeout: Duration::from_secs_f64(args.timeout),
        budget: Duration::from_secs_f64(args.budget),
        kernels: std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
        child: args.child.clone(),
        look_after_gpu: gpu.is_some(),
    };
    let teller = Teller::new(args.quiet);
    let failure = run::all(&cases, &plan, &mut results, record, &|it| teller.tell(it));
    teller.end();
    let ending = report(args, &machine, &cases, &results)?;
    match failure {
        Some(failure) => Err(failure.into()),
        None => Ok(ending),
    }
}

/// Says what the cases came to.
fn report(args: &ProbeArgs, machine: &Machine, cases: &[Case], results: &Results) -> Result<Ending, Failure> {
    let report = Report {
        machine,
        cases,
        results,
    };
    let text = match args.format {
        VerifyFormat::Table => report.to_text(),
        VerifyFormat::Json => report.to_json(),
    };
    Stdout::new().write_all(text.as_bytes())?;
    if let Some(path) = &args.json {
        std::fs::write(path, report.to_json()).map_err(|reason| Failure::Write {
            to: path.display().to_string(),
            reason,
        })?;
    }
    Ok(match report.has_differences() {
        true => Ending::Findings,
        false => Ending::Clean,
    })
}

/// The GPU, when it does what it is told.
fn healthy() -> Result<Gpu, verify::Failure> {
    let gpu = Gpu::find()?;
    verify::gpu::check_health()?;
    Ok(gpu)
}

/// The cases that are asked for: groups or beginnings of names, operations.
fn select(args: &ProbeArgs) -> Result<Vec<Case>, Failure> {
    let mut selected = cases::all();
    for (flag, words, position) in [("--only", &args.only, None), ("--ops", &args.ops, Some(1))] {
        if words.is_empty() {
            continue;
        }
        let is_named = |case: &Case, word: &str| match position {
            None => case
                .id
                .strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
            Some(index) => case.id.split('/').nth(index) == Some(word),
        };
        if let Some(word) = words
            .iter()
            .find(|word| !selected.iter().any(|case| is_named(case, word)))
        {
            return Err(Failure::Usage {
                message: format!("{flag} `{word}` selects no case"),
                hint: Some(format!(
                    "groups are {}; `cudalint probe --list` names every case",
                    GROUPS.join(", ")
                )),
            });
        }
        selected.retain(|case| words.iter().any(|word| is_named(case, word)));
    }
    Ok(selected)
}

/// Says how far it is: a bar on a terminal, a line now and then elsewhere.
struct Teller {
    quiet: bool,
    is_terminal: bool,
    last: Mutex<Duration>,
}

impl Teller {
    fn new(quiet: bool) -> Self {
        Teller {
            quiet,
            is_terminal: stderr().is_terminal(),
            last: Mutex::new(Duration::ZERO),
        }
    }

    fn tell(&self, progress: &Progress<'_>) {
        let Progress {
            done,
            total,
            id,
            outcome,
            elapsed,
        } = *progress;
        if self.quiet {
            return;
        }
        let Ok(mut last) = self.last.lock() else {
            return;
        };
        if self.is_terminal {
            let filled = done * 30 / total.max(1);
            let bar = format!("{}{}", "#".repeat(filled), ".".repeat(30 - filled.min(30)));
            let seconds = elapsed.as_secs();
            let tail: String = format!("{id}: {outcome}").chars().take(60).collect();
            output::tell(&format!("\r\x1b[2K[{bar}] {done}/{total} {seconds} s  {tail}"));
        } else if done == total || elapsed >= *last + EVERY {
            *last = elapsed;
            let seconds = elapsed.as_secs();
            output::tell(&format!("[{done}/{total}] {seconds} s, {id}: {outcome}\n"));
        }
    }

    /// Leaves the line of the bar.
    fn end(&self) {
        if self.is_terminal && !self.quiet {
            output::tell("\r\x1b[2K");
        }
    }
}
