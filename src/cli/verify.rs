//! `cudalint verify`, and what `cudalint check --verify` shares with it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::Ending;
use super::args::{RunArgs, VerificationArgs, VerifyArgs, VerifyFormat};
use super::output::{self, Failure, Stdout};
use crate::project::Analysis;
use crate::project::build::BuildFile;
use crate::project::words;
use crate::verify::record::Record;
use crate::verify::records::Records;
use crate::verify::report::Report;
use crate::verify::run::{self, ProgramReport};
use crate::verify::{
    self, Compiler, Gpu, Plan, Program, Progress, Verdict, Workplace, fixed, interrupt, program, shipped,
    user,
};

/// Verifies fixtures.
pub(super) fn run(args: &VerifyArgs) -> Result<Ending, Failure> {
    interrupt::listen();
    let work = Workplace::new(args.run.keep)?;
    let originals = select(&args.paths, &work)?;
    if !args.run.run_user_code {
        permit(&originals, args.compile_only)?;
    }
    let with_gpu = !args.compile_only && !args.run.no_gpu_check;
    let plan = Plan {
        compile_only: args.compile_only,
        look_after_gpu: with_gpu,
        explain: args.explain,
        ..plan(&args.run, args.jobs)
    };
    let (gpu, compiler, plan) = machine(&args.run, with_gpu, plan, &work)?;
    let report = |programs| Report {
        gpu: gpu.as_ref(),
        compiler: &compiler,
        plan: &plan,
        programs,
        originals: args.fix.then_some(originals.as_slice()),
    };
    let records = match &args.record {
        Some(folder) => Some(Records::open(folder, &report(&[]).to_record())?),
        None => None,
    };
    let (mut programs, loud) = match args.fix {
        true => fixed(args, &originals, &work)?,
        false => (originals.clone(), Vec::new()),
    };
    if let (true, Some(records)) = (args.resume, &records) {
        programs.retain(|it| !is_recorded(it, records.kept(), &plan, args.fix));
    }
    let (mut reports, failure) = run::all(&programs, &compiler, &plan, work.path(), &|it| {
        tell(it, args.quiet)
    });
    reports.extend(loud);
    let report = report(&reports);
    if let Some(records) = records {
        keep(records, &report, &work)?;
    }
    let text = match args.format {
        VerifyFormat::Table if reports.is_empty() && failure.is_some() => String::new(),
        VerifyFormat::Table => report.to_text(),
        VerifyFormat::Json => report.to_json(),
    };
    Stdout::new().write_all(text.as_bytes())?;
    say_where(&work, args.run.keep);
    match failure {
        Some(failure) => Err(failure.into()),
        None if report.has_surprises() => Ok(Ending::Findings),
        None => Ok(Ending::Clean),
    }
}

/// The bad ones among some programs with their fixes, and reports about those a fix does not silence.
fn fixed(
    args: &VerifyArgs,
    originals: &[Program],
    work: &Workplace,
) -> Result<(Vec<Program>, Vec<ProgramReport>), Failure> {
    let fixes = fixed::programs(originals, work.path())?;
    if !args.quiet {
        output::tell(&format!("{}\n", fixes.summary()));
    }
    let loud = fixes
        .loud
        .iter()
        .map(|(program, why)| ProgramReport::not_run(program, Verdict::NotReproduced, why.clone()));
    Ok((fixes.programs, loud.collect()))
}

/// Whether a program was recorded as it is now, as often as is planned: by itself, or as the fix of the one of that name.
fn is_recorded(program: &Program, kept: &Record, plan: &Plan, is_fix: bool) -> bool {
    let Some(record) = kept.fixtures.get(&program.name) else {
        return false;
    };
    let is_enough = |lazy: &[String], eager: &[String]| lazy.len().min(eager.len()) >= plan.trials as usize;
    match (is_fix, &record.fixed) {
        (true, Some(it)) => it.source == program.code && is_enough(&it.lazy, &it.eager),
        (true, None) => false,
        (false, _) => {
            record.source == program.code
                && record.expected == program.expectation.to_string()
                && is_enough(&record.lazy, &record.eager)
        }
    }
}

/// Refuses programs that are not cudalint's own, unless they are only compiled and have no say in how.
fn permit(programs: &[Program], compile_only: bool) -> Result<(), verify::Failure> {
    let foreign = program::foreign(programs);
    let refused = foreign.iter().find(|it| !compile_only || !it.flags.is_empty());
    match refused.map(|it| it.name.clone()) {
        Some(name) if compile_only => Err(verify::Failure::NotAllowedToBuild(name)),
        Some(name) => Err(verify::Failure::NotAllowed(name)),
        None => Ok(()),
    }
}

/// Adds what came out to what earlier runs on the same machine recorded.
fn keep(records: Records, report: &Report<'_>, work: &Workplace) -> Result<(), Failure> {
    let shipped = select(&[], work)?;
    let shipped = shipped.iter().filter(|it| it.expectation.gpus == 1);
    let path = records.add(report.to_record(), shipped.map(|it| it.name.as_str()))?;
    output::say("note", &format!("recorded in `{}`", path.display()));
    Ok(())
}

fn say_where(work: &Workplace, is_kept: bool) {
    if is_kept {
        output::say(
            "note",
            &format!("temporary files are in `{}`", work.path().display()),
        );
    }
}

/// Runs the user's programs and adds what they did to the findings; what could not be done comes back.
pub(super) fn check(
    args: &VerificationArgs,
    jobs: usize,
    files: &[BuildFile],
    analysis: &mut Analysis,
    quiet: bool,
) -> Result<(), Failure> {
    let VerificationArgs {
        explain, run: args, ..
    } = args;
    let Analysis {
        findings,
        sources: texts,
        ..
    } = analysis;
    let programs = user::programs(files, findings)?;
    let Some(first) = programs.first() else {
        return Err(verify::Failure::Input(
            "nothing to verify: no file with a `main` was checked".to_owned(),
        )
        .into());
    };
    if !args.run_user_code {
        return Err(verify::Failure::NotAllowed(first.program.name.clone()).into());
    }
    let work = Workplace::new(args.keep)?;
    let plan = Plan {
        explain: *explain,
        look_after_gpu: !args.no_gpu_check,
        // Where its arguments mean what they say, and with everything the user set.
        directory: std::env::current_dir().ok(),
        without: &[],
        ..plan(args, jobs)
    };
    let (gpu, compiler, plan) = machine(args, !args.no_gpu_check, plan, &work)?;
    let sources: Vec<Program> = programs.iter().map(|it| it.program.clone()).collect();
    let weighed = |report: &ProgramReport| user::weighed(report, plan.timeout);
    let (reports, failure) = run::all(&sources, &compiler, &plan, work.path(), &|it| {
        let report = &weighed(it.report);
        tell(&Progress { report, ..it.clone() }, quiet);
    });
    user::annotate(findings, &programs, &reports, texts, gpu.as_ref(), plan.timeout);
    if !quiet {
        let has_more = |it: &&ProgramReport| !it.seen.is_empty() || !it.output.is_empty();
        let more = reports.iter().filter(has_more).map(|it| weighed(it).to_text());
        output::tell(&more.collect::<String>());
    }
    say_where(&work, args.keep);
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// The programs at paths, and the shipped ones with these names; all shipped ones without either.
fn select(paths: &[PathBuf], work: &Workplace) -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    let names: Vec<String> = paths
        .iter()
        .filter(|it| !it.exists())
        .map(|it| it.to_string_lossy().into_owned())
        .collect();
    let is_wanted = |file: &str, name: &str| {
        file.strip_prefix(name)
            .is_some_and(|it| it.is_empty() || it.starts_with('/'))
    };
    if paths.is_empty() || !names.is_empty() {
        let folder = work.path().join("fixtures");
        let failed = |reason| verify::Failure::File {
            path: folder.clone(),
            reason,
        };
        let wanted = |file: &str| paths.is_empty() || names.iter().any(|name| is_wanted(file, name));
        let files = shipped::files().map_err(failed)?;
        if let Some(name) = names
            .iter()
            .find(|name| !files.iter().any(|(file, _)| is_wanted(file, name)))
        {
            let message = format!("`{name}` is neither a path nor a rule or fixture");
            return Err(Failure::Usage {
                message,
                hint: Some("`cudalint rules` lists the rules".to_owned()),
            });
        }
        std::fs::create_dir_all(&folder).map_err(failed)?;
        shipped::unpack(&folder, wanted).map_err(failed)?;
        programs.extend(program::fixtures_below(&folder)?);
    }
    for path in paths.iter().filter(|it| it.exists()) {
        programs.extend(program::fixtures_below(path)?);
    }
    let mut known = BTreeSet::new();
    programs.retain(|it| known.insert(it.files.clone()));
    if programs.is_empty() {
        return Err(verify::Failure::Input("nothing to verify: no programs there".to_owned()).into());
    }
    Ok(programs)
}

/// The GPU, the compiler, and a plan that fits them.
fn machine(
    args: &RunArgs,
    with_gpu: bool,
    plan: Plan,
    work: &Workplace,
) -> Result<(Option<Gpu>, Compiler, Plan), Failure> {
    let (gpu, mut compiler) = verify::machine(args.nvcc.as_deref(), args.arch.as_deref(), with_gpu, work)?;
    compiler.timeout = Duration::from_secs(args.compile_timeout);
    compiler.args = args.build_args.iter().flat_map(|it| words::split(it)).collect();
    if plan.explain {
        // So that calls of the host have source lines too.
        compiler.args.push("-g".to_owned());
    }
    let gpus = gpu.as_ref().map_or(usize::MAX, |it| it.count);
    Ok((gpu, compiler, Plan { gpus, ..plan }))
}

/// How to run programs, as far as arguments say.
fn plan(args: &RunArgs, jobs: usize) -> Plan {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pair = |(name, value): &(String, String)| (OsString::from(name), OsString::from(value));
    let words = args.args.iter().flat_map(|it| words::split(it));
    Plan {
        trials: args.trials,
        timeout: Duration::from_secs_f64(args.timeout),
        jobs: if jobs == 0 { cores } else { jobs },
        gpu_jobs: args.gpu_jobs,
        gpus: usize::MAX,
        explain: false,
        compile_only: false,
        directory: None,
        without: verify::DECEPTIVE,
        look_after_gpu: true,
        args: words.map(OsString::from).collect(),
        env: args.env.iter().map(pair).collect(),
    }
}

fn tell(progress: &Progress<'_>, quiet: bool) {
    if !quiet {
        let Progress { done, total, report } = progress;
        let (name, verdict, detail) = (&report.program.name, report.verdict.as_str(), &report.detail);
        output::tell(&format!("[{done}/{total}] {name}: {verdict}: {detail}\n"));
    }
}
