//! Programs to verify: which sources belong together, how they are built, what they are predicted to do.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::expectation::{Expectation, header};
use super::{Failure, record, shipped};
use crate::project::words;

/// Endings of files that are compiled; others are included by them.
const UNITS: &[&str] = &["cu", "cpp", "cc", "cxx", "c"];

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What reports call it: `rule/fixture`, or a path.
    pub name: String,
    /// All of its files.
    pub files: Vec<PathBuf>,
    /// What is compiled.
    pub units: Vec<PathBuf>,
    /// What is compiled too when something is missing without it.
    pub helpers: Vec<PathBuf>,
    /// Arguments for the compiler, from the `// build:` header.
    pub flags: Vec<String>,
    /// What it is predicted to do.
    pub expectation: Expectation,
    /// Names its code; see [`record::code_name`].
    pub code: String,
}

impl Program {
    /// A program of these files.
    pub fn new(name: String, files: &[PathBuf], expectation: Option<Expectation>) -> Result<Self, Failure> {
        let mut sources = Vec::new();
        for file in files {
            let bytes = std::fs::read(file).map_err(|reason| Failure::File {
                path: file.clone(),
                reason,
            })?;
            sources.push((file, bytes));
        }
        let texts: Vec<String> = sources
            .iter()
            .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
            .collect();
        let written = texts.iter().find_map(|text| Expectation::of_source(text));
        let expectation = match (expectation, written) {
            (Some(expectation), _) => expectation,
            (None, Some(written)) => {
                written.map_err(|problem| Failure::Input(format!("{name}: {problem}")))?
            }
            (None, None) => return Err(Failure::NoPrediction(name)),
        };
        Ok(Program {
            flags: words::split(
                texts
                    .iter()
                    .find_map(|text| header(text, "build"))
                    .unwrap_or_default(),
            ),
            units: sources
                .iter()
                .map(|(path, _)| (*path).clone())
                .filter(|path| is_unit(path))
                .collect(),
            helpers: Vec::new(),
            code: record::code_name(sources.iter().map(|(_, bytes)| bytes.as_slice())),
            files: files.to_vec(),
            name,
            expectation,
        })
    }

    /// The rule a fixture belongs to.
    pub fn rule(&self) -> &str {
        self.name.split_once('/').map_or("", |(rule, _)| rule)
    }

    /// Whether a fixture shows the mistake.
    pub fn is_bad(&self) -> bool {
        self.name
            .rsplit('/')
            .next()
            .is_some_and(|it| it.starts_with("bad"))
    }
}

/// Whether a file is compiled, and not included by others.
pub fn is_unit(path: &Path) -> bool {
    path.extension()
        .is_some_and(|it| UNITS.iter().any(|unit| it == *unit))
}

/// The fixtures below a path, in order.
pub fn fixtures_below(path: &Path) -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    collect(path, &mut programs)?;
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

fn collect(path: &Path, programs: &mut Vec<Program>) -> Result<(), Failure> {
    let failed = |reason| Failure::File {
        path: path.to_owned(),
        reason,
    };
    if path.is_file() {
        programs.push(Program::new(fixture_name(path), &[path.to_owned()], None)?);
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    let name = path
        .file_name()
        .map(|it| it.to_string_lossy().into_owned())
        .unwrap_or_default();
    if (name.starts_with("bad-") || name.starts_with("good-")) && entries.iter().any(|it| it.is_file()) {
        entries.retain(|it| it.is_file());
        programs.push(Program::new(fixture_name(path), &entries, None)?);
        return Ok(());
    }
    // Links to folders may lead back to where they are.
    for entry in entries.into_iter().filter(|it| !(it.is_symlink() && it.is_dir())) {
        let is_source = entry.extension().is_some_and(|it| it == "cu" || it == "cpp");
        if entry.is_dir() || is_source {
            collect(&entry, programs)?;
        }
    }
    Ok(())
}

/// The last two parts of a path.
fn fixture_name(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let parts: Vec<String> = path
        .components()
        .map(|it| it.as_os_str().to_string_lossy().into_owned())
        .collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// Those of the programs that are not, byte for byte, fixtures this binary was built with.
pub fn foreign(programs: &[Program]) -> Vec<&Program> {
    let files = shipped::files().unwrap_or_default();
    let known: BTreeSet<&[u8]> = files.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    let is_known = |path: &PathBuf| std::fs::read(path).is_ok_and(|bytes| known.contains(bytes.as_slice()));
    let foreign = programs
        .iter()
        .filter(|program| !program.files.iter().all(is_known));
    foreign.collect()
}
