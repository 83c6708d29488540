//! `cudalint check`: settings, files, analysis, reports, exit code.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::Ending;
use super::args::{CheckArgs, Colour};
use super::baseline;
use super::fix;
use super::output::{self, Failure, Format, Stdout, Table};
use super::progress;
use super::suppress;
use crate::config::{ConfigSource, FailOn, FileConfig, Layer, Store, read};
use crate::diagnostics::Finding;
use crate::diagnostics::rule::RULES;
use crate::diagnostics::source::{Position, SourceText, Sources};
use crate::project::changed::{asked_in, changed, top_of};
use crate::project::{self, Analysis, Discovered, Request};
use crate::report::repository::Repository;
use crate::report::{self, Report, RuleInfo, Statistics, Summary};
use crate::rules::Unreached;

/// Checks paths.
pub(super) fn run(args: &CheckArgs) -> Result<Ending, Failure> {
    #[cfg(all(feature = "verify", unix))]
    if args.verification.verify {
        crate::verify::interrupt::listen();
    }
    let working_directory = working_directory()?;
    let request = request(args, working_directory.clone())?;
    let source = match &args.config.config {
        Some(path) => ConfigSource::File(working_directory.join(path)),
        None if args.config.isolated => ConfigSource::Isolated,
        None => ConfigSource::Closest,
    };
    let mut store = Store::new(
        source,
        Layer {
            base: working_directory,
            config: args.layer(),
        },
    );
    let project = project::discover(&request, &mut store)?;
    if args.output.verbose {
        describe(&project, &request);
    }
    if args.config.show_settings {
        return show_settings(&project);
    }
    if args.files.show_files {
        return show_files(&project);
    }
    if args.rules.update_baseline {
        return baseline::update(args, project);
    }
    if args.rules.add_suppressions {
        return suppress::add(args, project);
    }
    let format = match &project.settings.format {
        Some(name) => name
            .parse()
            .map_err(|error: report::UnknownFormat| usage(error.to_string()))?,
        None => Format::default(),
    };
    let fail_on = project.settings.fail_on;
    if fix::is_wanted(&args.fixes) {
        return with_fixes(args, &project, format, fail_on);
    }

    #[cfg(all(feature = "verify", unix))]
    let files = match args.verification.verify {
        true => Some(project::build::files(&project)?),
        false => None,
    };
    #[cfg_attr(
        not(all(feature = "verify", unix)),
        expect(unused_mut, reason = "verification adds to findings")
    )]
    let mut analysis = match nothing_changed(&request, &project) {
        true => Analysis::default(),
        false => analysed(args, project)?,
    };
    talk(args, &analysis);
    #[cfg(all(feature = "verify", unix))]
    let verified = files.map_or(Ok(()), |files| {
        let (how, jobs) = (&args.verification, args.files.jobs);
        super::verify::check(how, jobs, &files, &mut analysis, args.output.quiet)
    });
    write_reports(args, format, &analysis)?;
    #[cfg(all(feature = "verify", unix))]
    verified?;
    Ok(ending(args, fail_on, &analysis))
}

/// Applies or shows fixes, then reports what is left.
fn with_fixes(
    args: &CheckArgs,
    project: &Discovered,
    format: Format,
    fail_on: FailOn,
) -> Result<Ending, Failure> {
    let find = || fix::find(args, project);
    let fixed = progress::shown(&args.output, &project.progress, find)?;
    talk(args, &fixed.analysis);
    if args.fixes.diff {
        return fix::show(args, &fixed);
    }
    fix::keep(args, project, &fixed)?;
    write_reports(args, format, &fixed.analysis)?;
    Ok(ending(args, fail_on, &fixed.analysis))
}

fn ending(args: &CheckArgs, fail_on: FailOn, analysis: &Analysis) -> Ending {
    let failing = analysis
        .findings
        .iter()
        .any(|finding| fail_on.fails(finding.severity));
    match failing && !args.output.exit_zero {
        _ if !(analysis.internal_errors.is_empty() && analysis.unread.is_empty()) => Ending::Trouble,
        true => Ending::Findings,
        false => Ending::Clean,
    }
}

/// The analysis, its progress shown.
pub(super) fn analysed(args: &CheckArgs, project: Discovered) -> Result<Analysis, project::Error> {
    let told = std::sync::Arc::clone(&project.progress);
    let settings = std::sync::Arc::clone(&project.settings);
    let analyse = || project::analyse(project, args.files.jobs, args.rules.no_ignores);
    let analysis = progress::shown(&args.output, &told, analyse);
    if let Err(error) = &analysis {
        say_where_named(args, error, &settings.files);
    }
    analysis
}

/// The line of the configuration that names what cannot be used.
fn say_where_named(args: &CheckArgs, error: &project::Error, files: &[PathBuf]) {
    let key = match error {
        project::Error::Baseline { .. } if args.rules.baseline.is_none() => "baseline",
        project::Error::CompileCommands { .. } if args.compilation.compile_commands.is_none() => {
            "compile-commands"
        }
        project::Error::Model { .. } | project::Error::BrokenModel { .. } => "models",
        _ => return,
    };
    for file in files.iter().rev() {
        let text = read::text(file, read::MOST_OF_CONFIGURATION).unwrap_or_default();
        let names = |line: &str| {
            line.trim_start()
                .strip_prefix(key)
                .is_some_and(|it| it.trim_start().starts_with('='))
        };
        if let Some(line) = text.lines().position(names) {
            return output::say(
                "note",
                &format!("{}:{}: `{key}` names it", file.display(), line + 1),
            );
        }
    }
}

/// Whether git was asked for what changed, and no source file did.
fn nothing_changed(request: &Request, project: &Discovered) -> bool {
    request.only.is_some() && !project.files.iter().any(|it| it.reported)
}

/// What is read, and what it is read with.
fn describe(project: &Discovered, request: &Request) {
    let say = |text: String| output::say("read", &text);
    match &project.root {
        Some(root) => say(format!("the project `{}`", root.display())),
        None => say(
            "the paths themselves, which lie in no project, and the headers they include from beside them"
                .to_owned(),
        ),
    }
    for file in &project.settings.files {
        say(format!("configuration `{}`", file.display()));
    }
    if let Some(database) = project.compile_database() {
        say(format!("compile database `{}`", database.display()));
    }
    let reported = project.files.iter().filter(|it| it.reported).count();
    let of = match &request.only {
        Some(only) => format!(" ({} changed, of any kind)", only.len()),
        None => String::new(),
    };
    let all = project.files.len();
    say(format!("{all} source files, and reported on {reported}{of}"));
}

fn usage(message: String) -> Failure {
    Failure::Usage { message, hint: None }
}

/// Where relative paths begin.
pub(super) fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .and_then(|it| it.canonicalize())
        .map_err(|error| usage(format!("cannot find the working directory: {error}")))
}

fn request(args: &CheckArgs, working_directory: PathBuf) -> Result<Request, Failure> {
    let mut paths = args.files.paths.clone();
    let mut contents = BTreeMap::new();
    if let Some(name) = &args.files.stdin_filename {
        let read = read::bounded(std::io::stdin().lock(), project::session::MAX_FILE_BYTES);
        let content = read.map_err(|error| usage(format!("cannot read standard input: {error}")))?;
        contents.insert(name.clone(), content.into());
        paths.retain(|path| path != name && path.as_os_str() != "-");
        paths.push(name.clone());
    } else if paths.is_empty() {
        paths.push(PathBuf::from("."));
    }
    Ok(Request {
        respect_gitignore: !args.files.no_gitignore,
        contents,
        only: match args.since() {
            Some(since) => Some(changed(&asked_in(&working_directory, &paths), &since)?),
            None => None,
        },
        paths,
        working_directory,
    })
}

fn show_settings(project: &Discovered) -> Result<Ending, Failure> {
    let mut table = Table::new();
    let root = project
        .root
        .as_ref()
        .map_or("none".to_owned(), |it| it.display().to_string());
    table.row(["project".to_owned(), root]);
    for (name, mut value) in project.settings.describe() {
        if name == "compile-commands"
            && let Some(found) = project.compile_database()
        {
            value = found.display().to_string();
        }
        table.row([name.to_owned(), value]);
    }
    let enabled = &project.settings.base.rules;
    let mut text = format!("{table}rules\n");
    for rule in RULES.iter().filter(|it| enabled.contains(it.name)) {
        let _ = writeln!(text, "  {} {}", rule.code, rule.name);
    }
    Stdout::new().write_text(&text)?;
    Ok(Ending::Clean)
}

fn show_files(project: &Discovered) -> Result<Ending, Failure> {
    let mut text = String::new();
    for file in project.files.iter().filter(|file| file.reported) {
        let _ = writeln!(text, "{}", file.shown);
    }
    Stdout::new().write_text(&text)?;
    Ok(Ending::Clean)
}

/// Everything on standard error that comes before the findings.
pub(super) fn talk(args: &CheckArgs, analysis: &Analysis) {
    for error in &analysis.internal_errors {
        output::say("error", error);
    }
    for reason in &analysis.unread {
        output::say("error", reason);
    }
    if args.output.quiet {
        return;
    }
    for warning in &analysis.warnings {
        output::say("warning", warning);
    }
    if analysis.gone > 0 {
        let gone = match analysis.gone {
            1 => "1 finding of the baseline is gone".to_owned(),
            many => format!("{many} findings of the baseline are gone"),
        };
        let note = format!("{gone}; `--update-baseline` takes what is gone out");
        output::say("note", &note);
    }
    if analysis.reported_files == 0 {
        let nothing = match args.since() {
            Some(_) => "no source file changed",
            None => "no source files to check here",
        };
        output::say("note", nothing);
    }
}

fn write_reports(args: &CheckArgs, format: Format, analysis: &Analysis) -> Result<(), Failure> {
    let statistics = Statistics {
        files: analysis.reported_files,
        suppressed: analysis.suppressed,
        unsure: analysis.unsure,
        known: analysis.known,
        analysis: analysis.counters.clone(),
    };
    let rules: Vec<RuleInfo<'_>> = RULES.iter().map(RuleInfo::from).collect();
    let errors: Vec<String> = [&*analysis.internal_errors, &*analysis.unread].concat();
    let repository = repository(&args.files.paths);
    let report = Report {
        findings: &analysis.findings,
        sources: &analysis.sources,
        statistics: &statistics,
        rules: &rules,
        version: env!("CARGO_PKG_VERSION"),
        run: report::RunInfo {
            warnings: &analysis.warnings,
            errors: &errors,
            repository: repository.as_ref(),
        },
    };
    for file in &args.output.report {
        let mut bytes = Vec::new();
        let failed = |reason| Failure::Write {
            to: file.path.display().to_string(),
            reason,
        };
        report::render(file.format, &report, false, 100, &mut bytes).map_err(failed)?;
        output::write_file(&file.path, &bytes)?;
    }
    let mut bytes = Vec::new();
    let failed = |reason| Failure::Write {
        to: "standard output".to_owned(),
        reason,
    };
    let to_file = args.output.output_file.is_some();
    let (colour, width) = match to_file && args.output.color == Colour::Auto {
        true => (false, 100),
        false => (output::colour(args.output.color), output::width()),
    };
    report::render(format, &report, colour, width, &mut bytes).map_err(failed)?;
    match &args.output.output_file {
        // Standard output holds the fixed file.
        None if args.fixes.fix && args.files.stdin_filename.is_some() => {
            output::tell_report(&bytes);
        }
        // These two print escapes of their own, and none of anybody else's.
        None if matches!(format, Format::Full | Format::Concise) => Stdout::new().write_all(&bytes)?,
        None => Stdout::new().write_text(&String::from_utf8_lossy(&bytes))?,
        Some(file) => output::write_file(file, &bytes)?,
    }

    if args.output.statistics {
        output::tell(&counts(analysis));
    }
    if args.output.show_unreached {
        output::tell(&unreached(analysis));
    }
    if args.output.timings {
        output::tell(&timings(analysis));
    }
    if !args.output.quiet && analysis.reported_files > 0 {
        output::tell(&format!("{}\n", Summary::new(&analysis.findings, &statistics)));
        output::tell(&fix::offer(&args.fixes, &analysis.findings));
        if format == Format::Full {
            output::tell(&read_on(args, analysis));
        }
    }
    Ok(())
}

/// What tells more of the worst finding, however they are sorted by place.
fn read_on(args: &CheckArgs, analysis: &Analysis) -> String {
    let worst = |it: &&Finding| (Reverse(it.severity), it.code);
    let Some(finding) = analysis.findings.iter().min_by_key(worst) else {
        return String::new();
    };
    let mut text = format!(
        "why, what to do and how we know: cudalint explain {}\n",
        finding.code
    );
    if finding.picture.is_some() && is_found_without_flags(args) {
        let line = Sources::new(&analysis.findings, &analysis.sources)
            .range(&finding.primary)
            .0
            .line;
        let place = output::word(&format!("{}:{line}", finding.primary.path));
        let _ = writeln!(
            text,
            "the same with the picture, in the browser: cudalint explain --open {place}"
        );
    }
    text
}

/// `cudalint explain PATH:LINE` takes what the configuration says and nothing else.
fn is_found_without_flags(args: &CheckArgs) -> bool {
    let said = FileConfig {
        fail_on: None,
        format: None,
        ..args.layer()
    };
    let chosen = args.config.config.is_some() || args.config.isolated || args.rules.no_ignores;
    said == FileConfig::default() && !chosen && args.files.stdin_filename.is_none()
}

/// The repository of what is checked: what hosts of code read names files from its top.
fn repository(paths: &[PathBuf]) -> Option<Repository> {
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    let top = top_of(&asked_in(&here, paths))?;
    let slashed = |it: &Path| {
        let text = it.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        // How Windows says that a path is whole.
        text.strip_prefix("//?/").map_or(text.clone(), str::to_owned)
    };
    Some(Repository {
        top: slashed(&top),
        here: slashed(&here),
    })
}

fn counts(analysis: &Analysis) -> String {
    let mut by_rule: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for finding in &analysis.findings {
        *by_rule.entry((finding.code, finding.rule)).or_default() += 1;
    }
    let mut table = Table::new();
    for ((code, rule), count) in by_rule {
        table.row([
            format!("{count:>8}"),
            format!("{code} {rule}").trim_start().to_owned(),
        ]);
    }
    for (name, count) in &analysis.counters {
        table.row([format!("{count:>8}"), name.clone()]);
    }
    table.to_string()
}

fn unreached(analysis: &Analysis) -> String {
    let mut text = String::new();
    // They stand in order, file after file.
    for of_file in analysis.unreached.chunk_by(|a, b| a.at.path == b.at.path) {
        let path = &of_file[0].at.path;
        let source = SourceText::new(analysis.sources.get(path).map_or(&[], |it| it));
        for Unreached { at, why } in of_file {
            let Position { line, column } = source.position(at.span.start);
            let place = output::word(&format!("{path}:{line}:{column}"));
            let _ = writeln!(text, "{place}: not executed: {why}");
        }
    }
    text
}

fn timings(analysis: &Analysis) -> String {
    let mut table = Table::new();
    for (stage, duration) in &analysis.timings {
        table.row([
            format!("{:>9.1} ms", duration.as_secs_f64() * 1000.0),
            (*stage).to_owned(),
        ]);
    }
    table.to_string()
}
