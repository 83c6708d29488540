//! Findings of a check that names some files: those of the whole project that have a step in one of them, and no others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cudalint::diagnostics::Finding;
use cudalint::facts;
use cudalint::program::{FileId, FunctionId, Program, SourceUnit};
use cudalint::rules::{self, Options, Outcome};
use cudalint::syntax::{self, Defines, MacroTable};
use rayon::prelude::*;

/// Every fourth of some programs of several files each.
fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/fresh-6");
    let entries = std::fs::read_dir(root).expect("the set is there");
    let mut found: Vec<PathBuf> = entries.map(|it| it.expect("it can be read").path()).collect();
    found.retain(|it| it.is_dir());
    found.sort();
    found.into_iter().step_by(4).collect()
}

fn sources(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let is_source = |it: &Path| {
        let extension = it.extension().and_then(|it| it.to_str()).unwrap_or_default();
        cudalint::project::discover::EXTENSIONS.contains(&extension)
    };
    let all = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    all.map(|it| it.expect("it can be read").into_path())
        .filter(|it| it.is_file() && is_source(it))
        .map(|it| {
            let bytes = std::fs::read(&it).expect("it can be read");
            (it.display().to_string(), bytes)
        })
        .collect()
}

fn link(files: &[(String, Vec<u8>)]) -> Program {
    let mut table = MacroTable::default();
    for (_, bytes) in files {
        table.merge(syntax::collect_macros(bytes));
    }
    let unit = |(path, bytes): &(String, Vec<u8>)| SourceUnit {
        path: Arc::from(path.as_str()),
        bytes: Arc::from(bytes.as_slice()),
        facts: facts::extract(bytes, &Defines::for_cuda(13_000), &table).into(),
        ..SourceUnit::default()
    };
    Program::link(files.par_iter().map(unit).collect())
}

fn check(program: &Program, named: Option<&BTreeSet<FileId>>) -> Outcome {
    let each = |_, entries: &[FunctionId], check: &(dyn Fn(FunctionId) -> Outcome + Sync)| {
        entries.par_iter().map(|it| check(*it)).collect()
    };
    rules::check_with(program, &Options::default(), named, &each)
}

/// Findings with a step in a file.
fn touching(outcome: &Outcome, path: &str) -> Vec<Finding> {
    let touches = |it: &&Finding| it.locations().any(|it| &*it.path == path);
    outcome.findings.iter().filter(touches).cloned().collect()
}

fn entry_points(outcome: &Outcome) -> u64 {
    outcome.counters.get("entry points").copied().unwrap_or_default()
}

/// Compares every `step`-th file; how many entry points were followed for them, and for all of the program each time.
fn compare(files: &[(String, Vec<u8>)], step: usize) -> (u64, u64) {
    let program = link(files);
    let whole = check(&program, None);
    let (mut followed, mut all) = (0, 0);
    for (index, (path, _)) in files.iter().enumerate().step_by(step) {
        let named = check(&program, Some(&BTreeSet::from([FileId(index as u32)])));
        assert_eq!(touching(&named, path), touching(&whole, path), "{path}");
        followed += entry_points(&named);
        all += entry_points(&whole);
    }
    (followed, all)
}

#[test]
fn a_named_file_of_a_program_shows_what_the_program_shows_there() {
    for program in programs() {
        compare(&sources(&program), 1);
    }
}

#[test]
fn a_named_file_of_a_project_shows_what_the_project_shows_there_and_is_looked_at_alone() {
    let files: Vec<_> = programs().iter().flat_map(|it| sources(it)).collect();
    let (followed, all) = compare(&files, 5);
    assert!(
        followed * 3 < all * 2,
        "{followed} of {all} entry points were followed"
    );
}
