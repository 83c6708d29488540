//! Findings in HIP code: its own names of calls and errors, and no evidence from GPUs it was not measured on.

use memchr::memmem;

use super::namesakes::each_text;
use crate::api;
use crate::diagnostics::Finding;
use crate::program::Program;

/// Calls whose names differ in more than how they begin.
const RENAMED: [(&str, &str); 2] = [
    ("cudaMallocHost", "hipHostMalloc"),
    ("cudaFreeHost", "hipHostFree"),
];

/// Says a finding in the words of HIP where its file is written in them.
pub(in crate::rules) fn in_own_words(program: &Program, finding: &mut Finding) {
    let mut units = program.units().iter();
    let unit = units.find(|it| it.path == finding.primary.path);
    if !unit.is_some_and(|it| is_hip(&it.bytes)) {
        return;
    }
    finding.evidence = None;
    each_text(finding, &mut |text| {
        if text.contains("cuda") {
            *text = translated(text);
        }
    });
}

/// Whether a file makes more calls of HIP than of CUDA.
pub(in crate::rules) fn is_hip(bytes: &[u8]) -> bool {
    let calls = |prefix: &str| {
        memmem::find_iter(bytes, prefix)
            .filter(|at| {
                let before = at.checked_sub(1).and_then(|it| bytes.get(it));
                let behind = bytes.get(at + prefix.len());
                let is_part = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
                !before.is_some_and(is_part) && behind.is_some_and(u8::is_ascii_uppercase)
            })
            .count()
    };
    let hip = calls("hip");
    hip > 0 && hip > calls("cuda")
}

/// A text with the names of the CUDA runtime in it replaced where HIP has them.
fn translated(text: &str) -> String {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut words = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|it| !is_part(it)).unwrap_or(from.len());
        let (word, behind) = from.split_at(end);
        words.push_str(before);
        words.push_str(&hip_name(word).unwrap_or_else(|| word.to_owned()));
        rest = behind;
    }
    words + rest
}

fn hip_name(word: &str) -> Option<String> {
    if let Some((_, renamed)) = RENAMED.iter().find(|it| it.0 == word) {
        return Some((*renamed).to_owned());
    }
    let rest = word.strip_prefix("cuda")?;
    let name = format!("hip{rest}");
    let is_known = rest.starts_with("Error") || rest.starts_with("Stream") || api::lookup(&name).is_some();
    is_known.then_some(name)
}
