//! What `cudalint check` says of a program: alone, and in a project with the others of its set.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use cudalint::config::{ConfigSource, FILE_NAME, FileConfig, Layer, Store};
use cudalint::diagnostics::{Confidence, Location, Severity};
use cudalint::project::{Analysis, Request, analyse, discover};
use cudalint::syntax::LineIndex;

use super::label::{Program, Set};
use crate::common::Project;

/// What is said of a program.
#[derive(Debug, Default)]
pub struct Answer {
    /// Its findings, in the order of a report.
    pub findings: Vec<Found>,
    /// Bugs of the tool itself on the way.
    pub internal_errors: Vec<String>,
}

/// What a finding claims.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Summary {
    /// File, from the program's folder.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Code of the rule.
    pub code: &'static str,
    /// Severity.
    pub severity: Severity,
    /// Confidence.
    pub confidence: Confidence,
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it claims.
    pub summary: Summary,
    /// File and line of its main place and of its steps.
    pub places: Vec<(String, u32)>,
}

impl Answer {
    /// What is compared between two answers.
    pub fn summary(&self) -> Vec<&Summary> {
        let mut summary: Vec<_> = self.findings.iter().map(|it| &it.summary).collect();
        summary.sort();
        summary
    }

    /// The errors and warnings in words.
    pub fn hot(&self) -> String {
        let hot = self
            .findings
            .iter()
            .filter(|it| it.summary.severity >= Severity::Warning);
        let words: Vec<String> = hot.map(|it| words(&it.summary)).collect();
        match words.is_empty() {
            true => "nothing was reported".to_owned(),
            false => format!("reported: {}", words.join(", ")),
        }
    }
}

fn words(it: &Summary) -> String {
    format!(
        "{} {} ({}) at {}:{}",
        it.severity.as_str(),
        it.code,
        it.confidence.as_str(),
        it.path,
        it.line
    )
}

/// What only one of two answers says.
pub fn difference(first_name: &str, first: &Answer, second_name: &str, second: &Answer) -> String {
    let mut text = String::new();
    let (first, second) = (first.summary(), second.summary());
    for (name, these, others) in [(first_name, &first, &second), (second_name, &second, &first)] {
        let mut rest = others.clone();
        for it in these {
            match rest.iter().position(|other| other == it) {
                Some(at) => drop(rest.swap_remove(at)),
                None => drop(write!(text, "; only {name}: {}", words(it))),
            }
        }
    }
    text.trim_start_matches("; ").to_owned()
}

/// The project layer as the command uses it for the path `.`.
fn run(folder: &Path, source: ConfigSource, define: Vec<String>) -> Analysis {
    let folder = folder.canonicalize().expect("the folder exists");
    let layer = Layer {
        base: folder.clone(),
        config: FileConfig {
            define,
            ..FileConfig::default()
        },
    };
    let request = Request {
        paths: vec![PathBuf::from(".")],
        working_directory: folder,
        respect_gitignore: true,
        contents: std::collections::BTreeMap::new(),
        only: None,
    };
    let mut store = Store::new(source, layer);
    let project = discover(&request, &mut store).expect("the project can be read");
    // The programs are what runs in parallel.
    analyse(project, 1, false).expect("the project can be analysed")
}

/// `path`, from the folder in front of which `prefix` stands.
fn found(analysis: &Analysis, prefix: &str) -> Vec<Found> {
    let place = |location: &Location| {
        let source = analysis.sources.get(&location.path);
        let line = source.map_or(0, |bytes| {
            LineIndex::new(bytes).line_column(location.span.start).0
        });
        let path = location.path.strip_prefix(prefix).unwrap_or(&location.path);
        (path.to_owned(), line)
    };
    let findings = analysis
        .findings
        .iter()
        .filter(|it| it.primary.path.starts_with(prefix));
    findings
        .map(|it| {
            let (path, line) = place(&it.primary);
            Found {
                summary: Summary {
                    path,
                    line,
                    code: it.code,
                    severity: it.severity,
                    confidence: it.confidence,
                },
                places: it.locations().map(place).collect(),
            }
        })
        .collect()
}

/// A program in its own folder, which is a project.
pub fn alone(program: &Program) -> Answer {
    let analysis = run(&program.folder, ConfigSource::Isolated, program.label.defines());
    Answer {
        findings: found(&analysis, ""),
        internal_errors: analysis.internal_errors,
    }
}

/// A copy of a set that is one project: one `cudalint.toml` at its root, which holds the macros of the programs that need some.
pub struct OneProject(Project);

impl OneProject {
    /// Copies a set.
    pub fn new(set: &Set) -> Self {
        let project = Project::new(&[]);
        let mut settings = String::new();
        for program in &set.programs {
            for entry in walkdir::WalkDir::new(&program.folder) {
                let entry = entry.expect("the programs can be read");
                let name = entry.file_name();
                if entry.file_type().is_file() && name != FILE_NAME && name != "label.toml" {
                    let path = entry.path();
                    let inside = path.strip_prefix(&program.folder).expect("it was found there");
                    let to = format!("{}/{}", program.name, inside.display());
                    project.write(&to, &std::fs::read(path).expect("the programs can be read"));
                }
            }
            let defines = program.label.defines();
            if !defines.is_empty() {
                let line = format!(
                    "[[overrides]]\nfiles = [\"/{}/\"]\ndefine = {defines:?}\n",
                    program.name
                );
                settings.push_str(&line);
            }
        }
        project.write(FILE_NAME, settings.as_bytes());
        OneProject(project)
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        self.0.root()
    }

    /// What is said of each program from the root, in the order of the programs.
    pub fn at_root(&self, set: &Set) -> Vec<Answer> {
        let analysis = run(self.root(), ConfigSource::Closest, Vec::new());
        let answer = |program: &Program| Answer {
            findings: found(&analysis, &format!("{}/", program.name)),
            internal_errors: analysis.internal_errors.clone(),
        };
        set.programs.iter().map(answer).collect()
    }

    /// What is said of a program from inside its folder.
    pub fn inside(&self, program: &Program) -> Answer {
        let folder = self.root().join(&program.name);
        let analysis = run(&folder, ConfigSource::Closest, Vec::new());
        Answer {
            findings: found(&analysis, ""),
            internal_errors: analysis.internal_errors,
        }
    }
}
