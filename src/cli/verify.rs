//! `cudalint verify`, and what `cudalint check --verify` shares with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Ending;
use super::args::{RunArgs, VerifyArgs, VerifyFormat};
use super::output::{self, Failure, Stdout};
use crate::diagnostics::Finding;
use crate::verify::report::Report;
use crate::verify::run::{self, ProgramReport};
use crate::verify::{
    self, Gpu, Plan, Program, Progress, Verdict, Workplace, fixed, interrupt, program, record, shipped, user,
};

/// Verifies fixtures.
pub(super) fn run(args: &VerifyArgs) -> Result<Ending, Failure> {
    interrupt::listen();
    let work = Workplace::new(args.run.keep)?;
    let mut programs = select(&args.paths, &work)?;
    if let (false, Some(name)) = (args.run.run_user_code, program::foreign(&programs).first()) {
        return Err(verify::Failure::NotAllowed((*name).to_owned()).into());
    }
    let with_gpu = !args.compile_only && !args.run.no_gpu_check;
    let (gpu, compiler) = machine(&args.run, with_gpu, &work)?;
    let plan = Plan {
        compile_only: args.compile_only,
        look_after_gpu: with_gpu,
        explain: args.explain,
        ..plan(&args.run, args.jobs, gpu.as_ref())
    };
    let originals = programs.clone();
    let mut loud = Vec::new();
    if args.fix {
        let fixes = fixed::programs(&originals, work.path())?;
        if !args.quiet {
            output::tell(&format!("{}\n", fixes.summary()));
        }
        programs = fixes.programs;
        loud = fixes.loud;
    }
    let originals = args.fix.then_some(originals.as_slice());
    if let (true, Some(folder)) = (args.resume, &args.record) {
        let nothing = Report {
            gpu: gpu.as_ref(),
            compiler: &compiler,
            plan: &plan,
            programs: &[],
            originals,
        };
        let recorded = kept(&nothing.to_record(), folder).fixtures;
        let code = |record: &record::FixtureRecord| match (args.fix, &record.fixed) {
            (true, fixed) => fixed.as_ref().map(|it| it.source.clone()),
            (false, _) => (!record.lazy.is_empty()).then(|| record.source.clone()),
        };
        programs.retain(|it| recorded.get(&it.name).and_then(code).as_ref() != Some(&it.code));
    }
    let (mut reports, failure) = run::all(&programs, &compiler, &plan, work.path(), &|it| {
        tell(it, args.quiet)
    });
    let still = |(program, why): &(Program, String)| {
        ProgramReport::not_run(program, Verdict::NotReproduced, why.clone())
    };
    reports.extend(loud.iter().map(still));
    let report = Report {
        gpu: gpu.as_ref(),
        compiler: &compiler,
        plan: &plan,
        programs: &reports,
        originals,
    };
    let text = match args.format {
        VerifyFormat::Table => report.to_text(),
        VerifyFormat::Json => report.to_json(),
    };
    Stdout::new().write_all(text.as_bytes())?;
    if let Some(folder) = &args.record {
        keep_record(report.to_record(), folder, &work)?;
    }
    if args.run.keep {
        output::say(
            "note",
            &format!("temporary files are in `{}`", work.path().display()),
        );
    }
    match failure {
        Some(failure) => Err(failure.into()),
        None if report.has_surprises() => Ok(Ending::Findings),
        None => Ok(Ending::Clean),
    }
}

/// Runs the user's programs and adds what they did to the findings; what could not be done comes back.
pub(super) fn check(
    args: &RunArgs,
    jobs: usize,
    files: &[(String, PathBuf)],
    findings: &mut [Finding],
    quiet: bool,
) -> Result<(), Failure> {
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
    let (gpu, compiler) = machine(args, !args.no_gpu_check, &work)?;
    let plan = Plan {
        explain: true,
        look_after_gpu: !args.no_gpu_check,
        ..plan(args, jobs, gpu.as_ref())
    };
    let sources: Vec<Program> = programs.iter().map(|it| it.program.clone()).collect();
    let (mut reports, failure) = run::all(&sources, &compiler, &plan, work.path(), &|it| tell(it, quiet));
    user::annotate(findings, &programs, &mut reports, gpu.as_ref(), plan.timeout);
    if !quiet {
        output::tell(&reports.iter().map(ProgramReport::to_text).collect::<String>());
    }
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
    if programs.is_empty() {
        return Err(verify::Failure::Input("nothing to verify: no programs there".to_owned()).into());
    }
    Ok(programs)
}

fn machine(
    args: &RunArgs,
    with_gpu: bool,
    work: &Workplace,
) -> Result<(Option<Gpu>, verify::Compiler), Failure> {
    let (gpu, mut compiler) = verify::machine(args.nvcc.as_deref(), args.arch.as_deref(), with_gpu, work)?;
    compiler.timeout = Duration::from_secs(args.compile_timeout);
    compiler.args = args
        .build_args
        .iter()
        .flat_map(|it| it.split_whitespace())
        .map(str::to_owned)
        .collect();
    Ok((gpu, compiler))
}

fn plan(args: &RunArgs, jobs: usize, gpu: Option<&Gpu>) -> Plan {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pair = |(name, value): &(String, String)| (OsString::from(name), OsString::from(value));
    Plan {
        trials: args.trials,
        timeout: Duration::from_secs_f64(args.timeout),
        jobs: if jobs == 0 { cores } else { jobs },
        gpu_jobs: args.gpu_jobs,
        gpus: gpu.map_or(usize::MAX, |it| it.count),
        explain: false,
        compile_only: false,
        look_after_gpu: true,
        args: args
            .args
            .iter()
            .flat_map(|it| it.split_whitespace())
            .map(OsString::from)
            .collect(),
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

/// Adds a record to what earlier runs on the same machine recorded.
fn keep_record(record: record::Record, folder: &Path, work: &Workplace) -> Result<(), Failure> {
    let path = folder.join(record.file_name());
    let failed = |reason| Failure::Write {
        to: path.display().to_string(),
        reason,
    };
    let mut kept = kept(&record, folder);
    kept.update(record);
    let mut shipped = select(&[], work)?
        .into_iter()
        .filter(|it| it.expectation.gpus == 1);
    kept.complete = shipped.all(|it| kept.fixtures.contains_key(&it.name));
    std::fs::create_dir_all(folder).map_err(failed)?;
    std::fs::write(&path, kept.to_text()).map_err(failed)?;
    output::say("note", &format!("recorded in `{}`", path.display()));
    Ok(())
}

/// What was recorded on the machine of this record.
fn kept(record: &record::Record, folder: &Path) -> record::Record {
    let text = std::fs::read_to_string(folder.join(record.file_name())).ok();
    let old: Option<record::Record> = text.and_then(|text| serde_json::from_str(&text).ok());
    let machine = |it: &record::Record| (it.gpu.clone(), it.driver.clone(), it.nvcc.clone());
    old.filter(|old| machine(old) == machine(record))
        .unwrap_or_default()
}
