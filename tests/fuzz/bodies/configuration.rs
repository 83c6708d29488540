//! The text of a `cudalint.toml` to settings.

use std::path::{Path, PathBuf};

use cudalint::config::{Error, FileConfig, Layer, Merged, Settings};

use super::facts::check_facts;

/// Paths whose settings are asked for.
const PATHS: [&str; 4] = [
    "/project/a.cu",
    "/project/tests/deep/er/b.cpp",
    "/elsewhere/c.h",
    "",
];

/// Reads the bytes as a configuration file, resolves it and asks what holds for some files.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let config = match FileConfig::parse(Path::new("cudalint.toml"), text) {
        Ok(config) => config,
        Err(error) => return check_error(&error, text),
    };
    let layer = Layer {
        base: PathBuf::from("/project"),
        config,
    };
    let mut once = Merged::default();
    once.push(layer.clone());
    let mut twice = once.clone();
    twice.push(layer);
    for merged in [once, twice] {
        match Settings::resolve(merged) {
            Ok(settings) => check_settings(&settings),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A mistake has one place in the file and one line of text.
fn check_error(error: &Error, text: &str) {
    let Error::Invalid {
        line,
        column,
        message,
        ..
    } = error
    else {
        panic!("{error} is no mistake in a text");
    };
    let lines: Vec<&str> = text.split('\n').collect();
    assert!((1..=lines.len()).contains(line), "line {line} of {}", lines.len());
    let length = lines[line - 1].chars().count();
    assert!((1..=length + 1).contains(column), "column {column} of {length}");
    assert!(
        !message.trim().is_empty() && !message.contains('\n'),
        "{message:?}"
    );
    assert!(error.to_string().contains(message.as_str()));
}

fn check_settings(settings: &Settings) {
    for path in PATHS {
        let for_file = settings.for_file(Path::new(path));
        assert_eq!(for_file, settings.for_file(Path::new(path)));
        for globs in &settings.exclude {
            globs.matches(Path::new(path), false);
        }
        read_with(&for_file.defines);
    }
    assert!(settings.describe().contains_key("define"));
}

/// Reads a source whose conditionals test every macro that is defined.
pub fn read_with(defines: &cudalint::syntax::Defines) {
    let mut source = String::new();
    for name in defines.values.keys() {
        source.push_str(&format!(
            "#if {name} > 1 || defined({name}) && {name}\nvoid f() {{ cudaDeviceSynchronize(); }}\n#endif\n"
        ));
    }
    let table = cudalint::syntax::MacroTable::default();
    let mut all = cudalint::syntax::Defines::for_cuda(13_000);
    all.values.extend(defines.values.clone());
    check_facts(
        &cudalint::facts::extract(source.as_bytes(), &all, &table),
        source.as_bytes(),
    );
}
