//! The smallest program that is still wrong: lines and blocks are taken out as long as it compiles, ends and stays wrong.

use crate::differential::compiler::{Compiler, Outcome};
use crate::differential::verdict;

/// Lines that are never taken out.
fn is_fixed(line: &str) -> bool {
    line.starts_with("void observe") || line.starts_with("int main")
}

/// Shrinks a program about which the engine is wrong.
pub fn shrink(compiler: &Compiler, source: &str) -> String {
    shrink_while(source, |it| is_wrong(compiler, it))
}

/// Shrinks a text as long as the question is answered with yes; what the answer is for the text itself is not asked.
pub fn shrink_while(source: &str, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = source
        .lines()
        .filter(|it| !it.trim().is_empty())
        .map(str::to_owned)
        .collect();
    loop {
        let before = lines.len();
        let mut at = 0;
        while at < lines.len() {
            let pieces = pieces(&lines, at);
            let smaller = pieces.into_iter().find_map(|piece| {
                let mut candidate = lines.clone();
                piece.into_iter().rev().for_each(|it| {
                    candidate.remove(it);
                });
                is_wanted(&candidate.join("\n")).then_some(candidate)
            });
            match smaller {
                Some(smaller) => lines = smaller,
                None => at += 1,
            }
        }
        if lines.len() == before {
            return lines.join("\n") + "\n";
        }
    }
}

/// What can be taken out at a line: the block that begins there, its head and tail alone, or the line.
fn pieces(lines: &[String], at: usize) -> Vec<Vec<usize>> {
    if is_fixed(&lines[at]) || lines[at].trim_start().starts_with('}') {
        return Vec::new();
    }
    if !lines[at].ends_with('{') {
        return vec![vec![at]];
    }
    let indent = |it: &String| it.len() - it.trim_start().len();
    let end = (at + 1..lines.len()).find(|it| indent(&lines[*it]) <= indent(&lines[at]));
    match end {
        Some(end) if lines[end].ends_with('{') => vec![vec![at, end]],
        Some(end) => vec![(at..=end).collect(), vec![at, end]],
        None => Vec::new(),
    }
}

fn is_wrong(compiler: &Compiler, source: &str) -> bool {
    // The engine is quick to ask: a program of which it knows nothing cannot be wrong.
    let (nothing, panic) = verdict(source, &[]);
    if nothing.wrong.is_empty() && panic.is_none() {
        return false;
    }
    match compiler.run_alone(source) {
        Outcome::Printed(printed) => {
            let (verdict, panic) = verdict(source, &printed);
            panic.is_some() || !verdict.wrong.is_empty()
        }
        Outcome::Undefined | Outcome::Rejected(_) => false,
    }
}
