//! The programs of the user: which files make one, and what the findings in them predict.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::debugger::Sighting;
use super::expectation::Expectation;
use super::program::{Program, is_unit};
use super::run::ProgramReport;
use super::verdict::{Verdict, judge};
use super::{Failure, Gpu};
use crate::diagnostics::evidence::Hang;
use crate::diagnostics::rule::rule;
use crate::diagnostics::{Confidence, Finding, Severity, Step};
use crate::facts::ir::Role;
use crate::project::analyse::facts_of;
use crate::project::build::BuildFile;
use crate::syntax::LineIndex;

/// A program, and the files findings in which are about it, as they are shown.
#[derive(Clone, Debug)]
pub struct UserProgram {
    /// The program.
    pub program: Program,
    /// Its files.
    pub files: Vec<String>,
}

/// The programs among files.
///
/// A file with a `main` makes a program, and the sources without one in its folder belong to it: always when it is the
/// only `main` there, else when it uses what is in them.
pub fn programs(files: &[BuildFile], findings: &[Finding]) -> Result<Vec<UserProgram>, Failure> {
    let mut folders: BTreeMap<&Path, Vec<&BuildFile>> = BTreeMap::new();
    for file in files {
        let folder = file.path.parent().unwrap_or(Path::new(""));
        folders.entry(folder).or_default().push(file);
    }
    let mut groups = Vec::new();
    let mut mains = Vec::new();
    for files in folders.into_values() {
        let (starts, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|it| has_main(&it.path));
        mains.extend(starts.iter().map(|it| it.shown.clone()));
        groups.push((starts, others));
    }
    let mut programs = Vec::new();
    for (starts, others) in &groups {
        for start in starts {
            programs.push(user_program(start, others, starts.len() == 1, findings, &mains)?);
        }
    }
    Ok(programs)
}

/// The program that starts in a file.
fn user_program(
    start: &BuildFile,
    others: &[&BuildFile],
    is_only_one: bool,
    findings: &[Finding],
    mains: &[String],
) -> Result<UserProgram, Failure> {
    let members: Vec<&BuildFile> = std::iter::once(start).chain(others.iter().copied()).collect();
    let shown: Vec<String> = members.iter().map(|it| it.shown.clone()).collect();
    let paths: Vec<_> = members.iter().map(|it| it.path.clone()).collect();
    let expectation = strongest(findings.iter().filter(|it| concerns(it, &shown, mains)));
    let mut program = Program::new(start.shown.clone(), &paths, Some(expectation))?;
    for argument in members
        .iter()
        .filter(|it| is_unit(&it.path))
        .flat_map(|it| &it.arguments)
    {
        if !program.flags.contains(argument) {
            program.flags.push(argument.clone());
        }
    }
    if !is_only_one {
        (program.units, program.helpers) = program.units.into_iter().partition(|it| *it == start.path);
    }
    Ok(UserProgram {
        program,
        files: shown,
    })
}

/// A report that says what an unknown program can say: it may end, or hang, before it comes to what is predicted.
pub fn weighed(report: &ProgramReport, timeout: Duration) -> ProgramReport {
    let (verdict, detail) = weigh(&report.program.expectation, report, timeout);
    ProgramReport {
        verdict,
        detail,
        ..report.clone()
    }
}

/// Bytes of files, by the path they are shown under.
pub type Sources = BTreeMap<Arc<str>, Arc<[u8]>>;

/// Adds to each finding what its programs did, and what that says about what it predicts.
pub fn annotate(
    findings: &mut [Finding],
    programs: &[UserProgram],
    reports: &[ProgramReport],
    sources: &Sources,
    gpu: Option<&Gpu>,
    timeout: Duration,
) {
    let machine = gpu.map_or("this machine".to_owned(), Gpu::to_string);
    let mains: Vec<String> = programs
        .iter()
        .filter_map(|it| it.files.first().cloned())
        .collect();
    let predictions: Vec<Option<Expectation>> = findings.iter().map(prediction).collect();
    for (report, program) in reports
        .iter()
        .filter_map(|it| Some((it, program_of(it, programs)?)))
    {
        let is_about = |finding: &Finding| concerns(finding, &program.files, &mains);
        let about: Vec<usize> = (0..findings.len())
            .filter(|it| is_about(&findings[*it]))
            .collect();
        for index in &about {
            let Some(expected) = &predictions[*index] else {
                continue;
            };
            let (verdict, mut detail) = weigh(expected, report, timeout);
            let alike = about
                .iter()
                .filter(|it| predictions[**it].as_ref() == Some(expected));
            let alike = alike.count();
            if verdict == Verdict::Confirmed && alike > 1 {
                detail.push_str(&format!("; {alike} findings predict that"));
            }
            let finding = &mut findings[*index];
            let is_shared = programs
                .iter()
                .filter(|it| concerns(finding, &it.files, &mains))
                .count()
                > 1;
            let name = match is_shared {
                true => format!(" in `{}`", program.program.name),
                false => String::new(),
            };
            show_beside(&mut finding.steps, &report.seen, sources);
            let seen: String = report.seen.iter().map(|it| format!("; {}", it.text)).collect();
            let line = format!(
                "verified on {machine}{name}: {} ({detail}){seen}",
                verdict.as_str()
            );
            finding.evidence = Some(match finding.evidence.take() {
                Some(before) => format!("{before}; {line}"),
                None => line,
            });
        }
    }
}

/// Puts what a debugger saw beside the steps that it proves: those at the lines where the program stood.
fn show_beside(steps: &mut [Step], seen: &[Sighting], sources: &Sources) {
    let lines = |step: &Step| {
        let index = LineIndex::new(sources.get(&step.location.path)?);
        let last = step.location.span.end.max(step.location.span.start + 1) - 1;
        Some((index.line_of(step.location.span.start), index.line_of(last)))
    };
    let lines: Vec<Option<(u32, u32)>> = steps.iter().map(lines).collect();
    for sighting in seen {
        for (file, line) in &sighting.places {
            let is_there = |(step, lines): (&Step, &Option<(u32, u32)>)| {
                lines.is_some_and(|(first, last)| (first..=last).contains(line))
                    && is_same_file(&step.location.path, file)
            };
            // Where several steps share a line, it came to the last of them.
            let Some(at) = steps.iter().zip(&lines).rposition(is_there) else {
                continue;
            };
            if !steps[at].seen.contains(&sighting.here) {
                steps[at].seen.push(sighting.here.clone());
            }
            // A thread stands where its innermost frame does: those around it only matter where nothing is said of that.
            if !sighting.all {
                break;
            }
        }
    }
}

/// Whether two names mean one file: the shorter one is how the longer one ends.
fn is_same_file(shown: &str, named: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.split('/').filter(|it| !matches!(*it, "" | "." | ".."));
        parts.rev().map(str::to_owned).collect()
    };
    let (shown, named) = (parts(shown), parts(named));
    !shown.is_empty() && !named.is_empty() && shown.iter().zip(&named).all(|(one, other)| one == other)
}

fn program_of<'a>(report: &ProgramReport, programs: &'a [UserProgram]) -> Option<&'a UserProgram> {
    programs.iter().find(|it| it.program.name == report.program.name)
}

/// Whether a finding is about the program of some files. One that goes through a file with a `main` is about that program, whatever else it
/// shares with others.
fn concerns(finding: &Finding, files: &[String], mains: &[String]) -> bool {
    let goes_through = |file: &String| finding.locations().any(|it| **file == *it.path);
    match mains.iter().any(goes_through) {
        true => files.iter().filter(|it| mains.contains(it)).any(goes_through),
        false => files.iter().any(goes_through),
    }
}

/// What the outcomes of a program say about a prediction.
fn weigh(expected: &Expectation, report: &ProgramReport, timeout: Duration) -> (Verdict, String) {
    if report.lazy.is_empty() && report.eager.is_empty() {
        return (report.verdict, report.detail.clone());
    }
    let (mut verdict, mut detail) = judge(expected, &report.lazy, &report.eager);
    if let (Verdict::NotReproduced, Some(reason)) = (verdict, doubt(expected, report)) {
        (verdict, detail) = (Verdict::Inconclusive, reason);
    }
    if report.eager.iter().any(|it| it == "hang") {
        // No difference between the modes tells a hang from a program that takes long.
        let seconds = timeout.as_secs_f64();
        detail.push_str(&format!(
            "; a run counts as a hang after {seconds} s, see --timeout"
        ));
    }
    (verdict, detail)
}

/// Why a run that was not as predicted says nothing about the prediction.
fn doubt(expected: &Expectation, report: &ProgramReport) -> Option<String> {
    let mut outcomes = report.lazy.iter().chain(&report.eager);
    let ends_early = |it: &&String| ["exit", "crash", "ERROR"].iter().any(|word| it.starts_with(word));
    if let Some(early) = outcomes.clone().find(ends_early) {
        return Some(format!(
            "it ends with `{early}`, perhaps before it came to what was predicted"
        ));
    }
    if !expected.lazy.is_delicate() {
        return None;
    }
    if outcomes.clone().any(|it| it == "hang") {
        return Some("it hangs, perhaps before it came to what was predicted".to_owned());
    }
    outcomes.all(|it| it == "done").then(|| {
        format!(
            "it ends by itself; `{}` is for the program to say, and it does not",
            expected.lazy
        )
    })
}

/// What a program with a finding is predicted to do; `None` when no run can tell.
fn prediction(finding: &Finding) -> Option<Expectation> {
    if finding.severity == Severity::Info {
        return None;
    }
    let words = match (Hang::of(finding), rule(finding.rule)?.group) {
        (Some(Hang { under_eager: true }), _) => "LAZY hang, EAGER hang",
        (Some(_), _) => "LAZY hang, EAGER done",
        (None, "hang") => "ERROR or hang",
        (None, "race") => "WRONG",
        (None, "capture") => "ERROR or WRONG",
        (None, "serialise" | "timing") => "SLOW",
        // Suppressions are about words.
        (None, _) => return None,
    };
    Expectation::parse(words)
}

/// What a program with these findings is predicted to do: the most telling of it.
fn strongest<'a>(findings: impl Iterator<Item = &'a Finding>) -> Expectation {
    let firm = findings.filter(|it| it.confidence > Confidence::Low);
    let weight = |it: &Expectation| match (it.eager.is("hang"), it.lazy.is("hang")) {
        (true, _) => 5,
        (_, true) => 4,
        _ if it.lazy.allows("hang") => 3,
        _ if it.lazy.allows("ERROR") => 2,
        _ if it.lazy.allows("WRONG") => 1,
        _ => 0,
    };
    firm.filter_map(prediction)
        .max_by_key(weight)
        .or_else(|| Expectation::parse("done"))
        .unwrap_or_else(|| unreachable!("`done` can be read"))
}

/// Whether a file defines `main`.
fn has_main(path: &Path) -> bool {
    let bytes = std::fs::read(path).unwrap_or_default();
    if memchr::memmem::find(&bytes, b"main").is_none() {
        return false;
    }
    facts_of(&bytes).is_some_and(|facts| {
        let mut functions = facts.functions.iter();
        functions.any(|it| it.role == Role::Function && it.defined && it.path == ["main"])
    })
}
