//! Small CUDA programs from the grammar in `cuda.grammar`: which alternative is taken is up to the input.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use arbitrary::{Result, Unstructured};

use super::check::{Files, files};

/// Deeper than this only first alternatives are taken.
const DEEPEST: usize = 14;

/// A program that is longer than this takes only first alternatives from here on.
const LONGEST: usize = 12_000;

/// Each symbol with its alternatives.
type Grammar = BTreeMap<&'static str, Vec<Vec<Part>>>;

/// A piece of an alternative.
enum Part {
    Text(String),
    Symbol(&'static str),
}

/// A program of a few files.
pub fn program(input: &mut Unstructured<'_>) -> Result<Files> {
    let mut text = String::new();
    expand("files", 0, input, &mut text)?;
    let mut files = files(text.as_bytes());
    // What stands before the first name is nothing.
    files.retain(|_, it| !it.is_empty());
    Ok(files)
}

fn expand(symbol: &str, depth: usize, input: &mut Unstructured<'_>, text: &mut String) -> Result<()> {
    let alternatives = &grammar()[symbol];
    let last = alternatives.len() - 1;
    let ends = depth >= DEEPEST || text.len() >= LONGEST || input.is_empty();
    let chosen = if ends { 0 } else { input.int_in_range(0..=last)? };
    for part in &alternatives[chosen] {
        match part {
            Part::Text(it) => text.push_str(it),
            Part::Symbol(it) => expand(it, depth + 1, input, text)?,
        }
    }
    Ok(())
}

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let grammar = parse(include_str!("../cuda.grammar"));
        let parts = grammar.values().flatten().flatten();
        for part in parts {
            let Part::Symbol(symbol) = part else { continue };
            assert!(grammar.contains_key(symbol), "the grammar has no `{symbol}`");
        }
        grammar
    })
}

fn parse(text: &'static str) -> Grammar {
    let mut grammar = Grammar::new();
    let mut symbol = "";
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        match line.strip_prefix("    ") {
            Some(alternative) => grammar.entry(symbol).or_default().push(parts(alternative)),
            None => symbol = line,
        }
    }
    grammar
}

fn parts(alternative: &'static str) -> Vec<Part> {
    let mut pieces = alternative.split('$');
    let first = pieces.next().unwrap_or_default();
    let mut parts = vec![Part::Text(first.replace("\\n", "\n"))];
    for piece in pieces {
        let end = piece.find(|it: char| !it.is_ascii_lowercase());
        let (symbol, rest) = piece.split_at(end.unwrap_or(piece.len()));
        parts.push(Part::Symbol(symbol));
        parts.push(Part::Text(rest.replace("\\n", "\n")));
    }
    parts
}
