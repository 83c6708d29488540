//! The programs of the user: which files make one, and what the findings in them predict.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::expectation::Expectation;
use super::program::Program;
use super::run::ProgramReport;
use super::verdict::Verdict;
use super::{Failure, Gpu};
use crate::diagnostics::evidence::Hang;
use crate::diagnostics::rule::rule;
use crate::diagnostics::{Confidence, Finding, Severity};

/// A program, and the files findings in which are about it, as they are shown.
#[derive(Clone, Debug)]
pub struct UserProgram {
    /// The program.
    pub program: Program,
    /// Its files.
    pub files: Vec<String>,
}

/// The programs among files (as shown, and where they are).
///
/// A file with a `main` makes a program; when it is the only one in its folder, all sources there belong to it.
pub fn programs(files: &[(String, PathBuf)], findings: &[Finding]) -> Result<Vec<UserProgram>, Failure> {
    let mut folders: BTreeMap<&Path, Vec<&(String, PathBuf)>> = BTreeMap::new();
    for file in files {
        folders
            .entry(file.1.parent().unwrap_or(Path::new("")))
            .or_default()
            .push(file);
    }
    let mut programs = Vec::new();
    for files in folders.into_values() {
        let starts: Vec<_> = files.iter().filter(|(_, path)| has_main(path)).copied().collect();
        for start in &starts {
            let members: Vec<&(String, PathBuf)> = match starts.len() {
                1 => files.clone(),
                _ => vec![start],
            };
            let shown: Vec<String> = members.iter().map(|(shown, _)| shown.clone()).collect();
            let paths: Vec<PathBuf> = members.iter().map(|(_, path)| path.clone()).collect();
            let expectation = prediction(findings.iter().filter(|it| concerns(it, &shown)));
            let program = Program::new(start.0.clone(), &paths, Some(expectation))?;
            programs.push(UserProgram {
                program,
                files: shown,
            });
        }
    }
    Ok(programs)
}

/// Adds to each finding what its program did.
pub fn annotate(
    findings: &mut [Finding],
    programs: &[UserProgram],
    reports: &mut [ProgramReport],
    gpu: Option<&Gpu>,
    timeout: Duration,
) {
    let machine = gpu.map_or("this machine".to_owned(), Gpu::to_string);
    for report in reports {
        let Some(program) = programs.iter().find(|it| it.program.name == report.program.name) else {
            continue;
        };
        if let (Verdict::NotReproduced, Some(reason)) = (report.verdict, doubt(report)) {
            (report.verdict, report.detail) = (Verdict::Inconclusive, reason);
        }
        if report.eager.iter().any(|it| it == "hang") {
            // No difference between the modes tells a hang from a program that takes long.
            let seconds = timeout.as_secs_f64();
            report.detail.push_str(&format!(
                "; a run counts as a hang after {seconds} s, see --timeout"
            ));
        }
        let (verdict, detail) = (report.verdict.as_str(), &report.detail);
        let seen: String = report.seen.iter().map(|it| format!("; {it}")).collect();
        let line = format!("verified on {machine}: {verdict} ({detail}){seen}");
        for finding in findings.iter_mut().filter(|it| concerns(it, &program.files)) {
            let before = finding
                .evidence
                .take()
                .map_or_else(String::new, |it| format!("{it}; "));
            finding.evidence = Some(format!("{before}{line}"));
        }
    }
}

fn concerns(finding: &Finding, files: &[String]) -> bool {
    finding
        .locations()
        .any(|location| files.iter().any(|file| **file == *location.path))
}

/// Why a run that was not as predicted says nothing about the prediction.
fn doubt(report: &ProgramReport) -> Option<String> {
    let mut outcomes = report.lazy.iter().chain(&report.eager);
    if let Some(early) =
        outcomes.find(|it| it.starts_with("exit") || it.starts_with("crash") || it.starts_with("ERROR"))
    {
        return Some(format!(
            "it ends with `{early}`, perhaps before it came to what was predicted"
        ));
    }
    let expectation = &report.program.expectation;
    let is_silent =
        expectation.lazy.is_delicate() && report.lazy.iter().chain(&report.eager).all(|it| it == "done");
    is_silent.then(|| {
        format!(
            "it ends by itself; `{}` is for the program to say, and it does not",
            expectation.lazy
        )
    })
}

/// What a program with these findings is predicted to do: the most telling of it.
fn prediction<'a>(findings: impl Iterator<Item = &'a Finding>) -> Expectation {
    let firm = findings.filter(|it| it.severity > Severity::Info && it.confidence > Confidence::Low);
    let predictions = firm.map(
        |it| match (Hang::of(it), rule(it.rule).map_or("", |rule| rule.group)) {
            (Some(Hang { under_eager: true }), _) => "LAZY hang, EAGER hang",
            (Some(_), _) => "LAZY hang, EAGER done",
            (None, "race") => "WRONG",
            (None, "serialise" | "timing") => "SLOW",
            (None, _) => "ERROR or hang",
        },
    );
    let order = [
        "SLOW",
        "WRONG",
        "ERROR or hang",
        "LAZY hang, EAGER done",
        "LAZY hang, EAGER hang",
    ];
    let strongest = predictions
        .max_by_key(|it| order.iter().position(|other| other == it))
        .unwrap_or("done");
    Expectation::parse(strongest).unwrap_or_else(|| unreachable!("the predictions above can be read"))
}

/// Whether a file defines `main`.
fn has_main(path: &Path) -> bool {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().any(|line| {
        let line = line.trim_start();
        let after = line
            .strip_prefix("int")
            .or(line.strip_prefix("auto"))
            .map(str::trim_start);
        after
            .and_then(|it| it.strip_prefix("main"))
            .is_some_and(|it| it.trim_start().starts_with('('))
    })
}
