//! A whole check of a small program that the input's bytes choose from a grammar.

use std::io::{Write, stderr};

use arbitrary::Unstructured;

use super::check::{Files, check};
use super::generate::program;

/// Generates a program and analyses it; with `SHOW_PROGRAM` set, shows it first, as an input of the target `check`.
pub fn run(bytes: &[u8]) {
    // A program that is cut where the bytes end is still one.
    let Ok(files) = program(&mut Unstructured::new(bytes)) else {
        return;
    };
    if std::env::var_os("SHOW_PROGRAM").is_some() {
        show(&files);
    }
    check(&files);
}

fn show(files: &Files) {
    for (name, bytes) in files {
        let text = String::from_utf8_lossy(bytes);
        writeln!(stderr(), "//= {name}\n{text}").expect("standard error can be written");
    }
}
