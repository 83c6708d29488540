//! Bad fixtures with their fixes applied: programs that are predicted to complete.

use std::path::{Path, PathBuf};

use super::Failure;
use super::expectation::Expectation;
use super::program::Program;
use crate::config::{ConfigSource, FileConfig, Layer, MinConfidence, Store};
use crate::diagnostics::Severity;
use crate::project::fix::{Fixed, Permission, fix};
use crate::project::{Request, discover};

/// What became of some bad fixtures.
#[derive(Clone, Debug, Default)]
pub struct Fixes {
    /// Programs in which nothing is found any more, under the names of the fixtures they were made of.
    pub programs: Vec<Program>,
    /// Fixtures in which something is still found after a fix, and what.
    pub loud: Vec<(Program, String)>,
    /// Fixtures no fix applies to.
    pub untouched: Vec<String>,
}

impl Fixes {
    /// How many fixtures have a fix.
    pub fn summary(&self) -> String {
        let fixed = self.programs.len() + self.loud.len();
        let of = fixed + self.untouched.len();
        format!(
            "{fixed} of {of} bad fixtures have a fix, and nothing is found in {} of them then",
            self.programs.len()
        )
    }
}

/// Applies every fix, unsafe ones too, to copies of the bad ones among these programs.
pub fn programs(originals: &[Program], work: &Path) -> Result<Fixes, Failure> {
    let mut fixes = Fixes::default();
    for (index, original) in originals.iter().filter(|it| it.is_bad()).enumerate() {
        let folder = work.join(format!("fixed-{index}"));
        let files = copies(original, &folder)?;
        let fixed = fixed(&folder)?;
        if fixed.files.is_empty() {
            fixes.untouched.push(original.name.clone());
            continue;
        }
        for change in fixed.files.values() {
            std::fs::write(&change.path, &change.after).map_err(failed(&change.path))?;
        }
        let program = Program::new(original.name.clone(), &files, Expectation::parse("done"))?;
        let mut findings = fixed.analysis.findings.iter();
        match findings.find(|it| it.severity > Severity::Info) {
            Some(left) => fixes.loud.push((
                program,
                format!("after the fix: {} ({})", left.message, left.rule),
            )),
            None => fixes.programs.push(program),
        }
    }
    Ok(fixes)
}

/// The files of a program in a folder of their own.
fn copies(program: &Program, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let copy = |file: &PathBuf| {
        let to = folder.join(file.file_name().unwrap_or_default());
        // Not a copy of its permissions: what is read-only here is to be fixed there.
        let bytes = std::fs::read(file).map_err(failed(file))?;
        std::fs::write(&to, bytes).map_err(failed(&to))?;
        Ok(to)
    };
    program.files.iter().map(copy).collect()
}

/// The project in a folder, fixed.
fn fixed(folder: &Path) -> Result<Fixed, Failure> {
    let wrong = |problem: &dyn std::fmt::Display| Failure::Input(format!("{}: {problem}", folder.display()));
    let folder = folder.canonicalize().map_err(failed(folder))?;
    let layer = Layer {
        base: folder.clone(),
        config: FileConfig {
            min_confidence: Some(MinConfidence::Low),
            ..FileConfig::default()
        },
    };
    let request = Request {
        paths: vec![folder.clone()],
        working_directory: folder.clone(),
        respect_gitignore: false,
        contents: std::collections::BTreeMap::new(),
        only: None,
    };
    let mut store = Store::new(ConfigSource::Isolated, layer);
    let project = discover(&request, &mut store).map_err(|error| wrong(&error))?;
    fix(&project, 0, false, Permission::Unsafe).map_err(|error| wrong(&error))
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    let path = path.to_owned();
    move |reason| Failure::File {
        path: path.clone(),
        reason,
    }
}
