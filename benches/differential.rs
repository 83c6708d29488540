//! Random programs, run by the engine and by the system's compiler: `cargo bench --bench differential -- --seconds 60`.
//!
//! `--conformance` asks about the conformance programs instead, `--update-budget` writes what is wrong today to their budget,
//! `--print` shows the program of `--seed N`, `--ask FILE` says what is wrong about a program, `--shrink FILE` makes a wrong one small,
//! `--csmith` takes csmith's programs instead of ours.
//! `--seed N` says where to begin, `--keep DIR` where to write the programs that are wrong, each as small as it gets.

#[path = "../tests/differential/mod.rs"]
mod differential;
#[path = "../tests/differential/shrink.rs"]
mod shrink;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use differential::compiler::Compiler;
use differential::conformance::{self, Answers, Budget};
use differential::{
    BATCH, CONDITIONALS, Failure, Generator, SEEDS, Tally, check_seeds, conditionals, csmith,
};

/// What was asked for.
struct Options {
    seconds: u64,
    seed: u64,
    keep: Option<PathBuf>,
    print: bool,
    generator: Generator,
    conformance: bool,
    update_budget: bool,
    shrink: Option<PathBuf>,
    ask: Option<PathBuf>,
}

fn main() -> io::Result<()> {
    let options = options();
    let mut out = io::stdout().lock();
    if options.print {
        let program = options.generator.program(options.seed);
        return out.write_all(program.map_err(io::Error::other)?.as_bytes());
    }
    if options.generator == Generator::Csmith && !csmith::is_installed() {
        return writeln!(out, "there is no csmith (Debian: `apt-get install csmith`)");
    }
    let Some(compiler) = Compiler::find() else {
        return writeln!(out, "there is no C++ compiler: neither $CXX nor g++");
    };
    if let Some(file) = &options.shrink {
        let source = std::fs::read_to_string(file)?;
        let small = differential::engine::with_room(|| shrink::shrink(&compiler, &source));
        return out.write_all(small.as_bytes());
    }
    if let Some(file) = &options.ask {
        let source = std::fs::read_to_string(file)?;
        let printed = compiler.run_one(&source).map_err(io::Error::other)?;
        let (verdict, panic) = differential::engine::with_room(|| differential::verdict(&source, &printed));
        panic.iter().try_for_each(|it| writeln!(out, "panic: {it}"))?;
        writeln!(out, "known {} of {}", verdict.known, verdict.observations)?;
        writeln!(out, "not known, or wrong: lines {:?}", verdict.unknown)?;
        return verdict.wrong.iter().try_for_each(|it| {
            let real = it.real.map_or("none".to_owned(), |it| it.to_string());
            writeln!(
                out,
                "line {}, time {}: known {}, real {real}",
                it.line, it.occurrence, it.known
            )
        });
    }
    if options.conformance {
        let answers = conformance::run(&compiler);
        report_conformance(&mut out, &answers)?;
        let budget = Budget::read();
        let differences = budget.differences(&answers, &budget.seeds);
        return differences
            .iter()
            .try_for_each(|it| writeln!(out, "budget: {it}"));
    }
    if options.update_budget {
        return update_budget(&compiler);
    }
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut next = options.seed;
    while started.elapsed() < Duration::from_secs(options.seconds) {
        let seeds = next..next + 4 * BATCH as u64;
        next = seeds.end;
        tally = tally.with(check_seeds(&compiler, options.generator, seeds).map_err(io::Error::other)?);
    }
    report(&mut out, &tally, started.elapsed())?;
    let Some(folder) = &options.keep else {
        return Ok(());
    };
    std::fs::create_dir_all(folder)?;
    let wanted = started.elapsed() + Duration::from_secs(options.seconds);
    for failure in tally.failures.iter().take_while(|_| started.elapsed() < wanted) {
        let source = options
            .generator
            .program(failure.seed)
            .map_err(io::Error::other)?;
        let small = differential::engine::with_room(|| shrink::shrink(&compiler, &source));
        std::fs::write(folder.join(format!("{}.cpp", failure.seed)), small)?;
    }
    Ok(())
}

fn report_conformance(out: &mut impl Write, answers: &Answers) -> io::Result<()> {
    let share = 100.0 * answers.known as f64 / answers.observations.max(1) as f64;
    writeln!(out, "programs      {:>9}", answers.programs)?;
    writeln!(out, "observations  {:>9}", answers.observations)?;
    writeln!(out, "known         {:>9}  {share:.1} %", answers.known)?;
    writeln!(out, "wrong         {:>9}", answers.wrong.len())?;
    for (place, about) in &answers.wrong {
        writeln!(out, "wrong {place}:{about}")?;
    }
    answers
        .broken
        .iter()
        .try_for_each(|it| writeln!(out, "broken {it}"))
}

fn update_budget(compiler: &Compiler) -> io::Result<()> {
    let answers = conformance::run(compiler);
    let tally = check_seeds(compiler, Generator::Own, 0..SEEDS).map_err(io::Error::other)?;
    let disagreements = (0..CONDITIONALS).map(|it| conditionals::check(compiler, it).map(|it| it.1.len()));
    let budget = Budget {
        known: answers.known,
        wrong: answers.wrong.into_keys().collect(),
        seeds: tally.failures.iter().map(|it| it.seed).collect(),
        conditionals: disagreements
            .sum::<Result<usize, String>>()
            .map_err(io::Error::other)?,
    };
    std::fs::write(conformance::folder().join("budget.txt"), budget.text())
}

fn report(out: &mut impl Write, tally: &Tally, elapsed: Duration) -> io::Result<()> {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let rate = tally.programs as f64 / elapsed.as_secs_f64();
    writeln!(out, "programs      {:>9}  ({rate:.0} a second)", tally.programs)?;
    writeln!(out, "left out      {:>9}  undefined or endless", tally.undefined)?;
    writeln!(out, "rejected      {:>9}  by the compiler", tally.rejected.len())?;
    writeln!(out, "observations  {:>9}", tally.observations)?;
    writeln!(
        out,
        "known         {:>9}  {:.1} %",
        tally.known,
        share(tally.known, tally.observations)
    )?;
    writeln!(
        out,
        "assumed       {:>9}  observations, with other values where a branch nobody looks at is not taken",
        tally.assumed
    )?;
    writeln!(
        out,
        "wrong         {:>9}  programs, {:.2} %",
        tally.failures.len(),
        share(tally.failures.len(), tally.programs)
    )?;
    for (seed, message) in tally.rejected.iter().take(3) {
        writeln!(
            out,
            "seed {seed} is rejected: {}",
            message.lines().take(6).collect::<Vec<_>>().join("\n    ")
        )?;
    }
    let mut failures: BTreeMap<u64, &Failure> = tally.failures.iter().map(|it| (it.seed, it)).collect();
    for _ in 0..20 {
        let Some((seed, failure)) = failures.pop_first() else {
            break;
        };
        match (&failure.panic, failure.wrong.first()) {
            (Some(panic), _) => writeln!(out, "seed {seed}: panic: {panic}")?,
            (None, Some(it)) => {
                let real = it
                    .real
                    .map_or("no such observation".to_owned(), |it| it.to_string());
                writeln!(
                    out,
                    "seed {seed}, line {}: known {}, real {real}",
                    it.line, it.known
                )?;
            }
            (None, None) => {}
        }
    }
    Ok(())
}

fn options() -> Options {
    let mut options = Options {
        seconds: 20,
        seed: 0,
        keep: None,
        print: false,
        generator: Generator::default(),
        conformance: false,
        update_budget: false,
        shrink: None,
        ask: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|it| it.parse().ok()).unwrap_or(0);
        match argument.as_str() {
            "--seconds" => options.seconds = number(),
            "--seed" => options.seed = number(),
            "--keep" => options.keep = arguments.next().map(PathBuf::from),
            "--conformance" => options.conformance = true,
            "--update-budget" => options.update_budget = true,
            "--shrink" => options.shrink = arguments.next().map(PathBuf::from),
            "--ask" => options.ask = arguments.next().map(PathBuf::from),
            "--print" => options.print = true,
            "--csmith" => options.generator = Generator::Csmith,
            _ => {}
        }
    }
    options
}
