//! Bytes to findings: the input is a whole project as text, in which a line `//= NAME` begins the next file.
//!
//! A file called `cudalint.toml` configures the project when it is valid. What stands before the first such line is `main.cu`,
//! so that any source file is an input.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cudalint::config::{FileConfig, Layer, Merged, Settings};
use cudalint::project::{Analysis, Discovered, SourceFile, analyse};

use super::promises::check_findings;

/// Files of a project.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Analyses the project twice, on one thread and on two.
pub fn run(bytes: &[u8]) {
    check(&files(bytes));
}

/// The files of a project that is written as one text.
pub fn files(bytes: &[u8]) -> Files {
    let mut files = Files::new();
    let mut name = "main.cu".to_owned();
    let mut text = Vec::new();
    for line in bytes.split_inclusive(|it| *it == b'\n') {
        match line.strip_prefix(b"//= ") {
            Some(next) => {
                let text = std::mem::take(&mut text);
                files.entry(name).or_insert(text);
                name = String::from_utf8_lossy(next.trim_ascii()).into_owned();
            }
            None => text.extend_from_slice(line),
        }
    }
    files.entry(name).or_insert(text);
    files
}

/// Analyses a project and checks everything that is promised about the answer.
pub fn check(files: &Files) -> Analysis {
    let one = analysis(files, 1);
    let two = analysis(files, 2);
    assert_eq!(one.findings, two.findings, "findings differ between two runs");
    assert_eq!(one.counters, two.counters, "counts differ between two runs");
    assert_eq!(one.suppressed, two.suppressed);
    assert_eq!(one.warnings, two.warnings);
    assert!(one.internal_errors.is_empty(), "{:?}", one.internal_errors);
    check_findings(&one.findings, &one.sources);
    one
}

fn analysis(files: &Files, jobs: usize) -> Analysis {
    let settings = Arc::new(settings(files));
    let sources = files.iter().filter(|(name, _)| *name != FILE_NAME);
    let file = |(name, bytes): (&String, &Vec<u8>)| {
        let path = PathBuf::from("/project").join(name.trim_start_matches('/'));
        SourceFile {
            shown: Arc::from(name.as_str()),
            reported: true,
            named: true,
            settings: settings.for_file(&path),
            content: Some(Arc::from(bytes.as_slice())),
            path,
        }
    };
    let project = Discovered {
        root: None,
        files: sources.map(file).collect(),
        settings: Arc::clone(&settings),
        warnings: Vec::new(),
        progress: Arc::default(),
    };
    analyse(project, jobs, false).expect("nothing that could fail was asked for")
}

const FILE_NAME: &str = cudalint::config::FILE_NAME;

/// Everything is looked for, unless the project says otherwise.
fn settings(files: &Files) -> Settings {
    let mut merged = Merged {
        preview: true,
        pedantic: true,
        ..Merged::default()
    };
    let text = files.get(FILE_NAME).and_then(|it| std::str::from_utf8(it).ok());
    let written = text.and_then(|text| FileConfig::parse(Path::new(FILE_NAME), text).ok());
    let base = PathBuf::from("/project");
    // What would be read from disk stays out.
    let config = written.map(|it| FileConfig {
        extend: None,
        compile_commands: None,
        baseline: None,
        ..it
    });
    let plain = Settings::resolve(merged.clone()).expect("the settings hold nothing wrong");
    let Some(config) = config else {
        return plain;
    };
    merged.push(Layer { base, config });
    Settings::resolve(merged).unwrap_or(plain)
}
