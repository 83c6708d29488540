//! The programs that are rewritten: fixtures, and the exam where it is part of the project.

use std::path::{Path, PathBuf};

use crate::harness;

/// A program: its name (`fixtures/<rule>/<name>`) and its files.
#[derive(Clone)]
pub struct Program {
    /// What reports and budgets call it.
    pub name: String,
    /// Names and bytes of its sources.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Endings of files that hold code.
const SOURCES: [&str; 8] = ["cu", "cuh", "cpp", "cc", "h", "hpp", "hh", "inc"];

/// All programs, fixtures first; `further` is a folder of folders that takes the place of the exam.
pub fn programs(further: Option<&Path>) -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<Program> = harness::fixtures()
        .iter()
        .filter_map(|path| {
            let name = path.strip_prefix(root).ok()?.to_string_lossy().into_owned();
            read(name, path)
        })
        .collect();
    let exam = further.map_or_else(|| root.join("tests/programs/exam"), Path::to_path_buf);
    for path in folders(&exam) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        found.extend(read(format!("exam/{name}"), &path));
    }
    found
}

fn read(name: String, path: &Path) -> Option<Program> {
    let mut files = harness::files(path);
    files.retain(|(name, _)| {
        let ending = Path::new(name).extension().and_then(|it| it.to_str());
        ending.is_some_and(|it| SOURCES.contains(&it))
    });
    (!files.is_empty()).then_some(Program { name, files })
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(of)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|it| it.path())
        .filter(|it| it.is_dir())
        .collect();
    found.sort();
    found
}
