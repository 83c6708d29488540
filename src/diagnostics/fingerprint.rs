//! Names a finding so that it is recognised after lines above it moved.

use std::collections::BTreeMap;

use super::Finding;
use super::source::Sources;

/// One fingerprint per finding, in their order: 16 hexadecimal digits.
///
/// It covers the rule, the path, the line of the primary location with runs of white space as one space, and
/// the messages of the steps. Findings that agree in all of that are told apart by counting them, so equal
/// ones swap names only among themselves.
pub fn fingerprints(findings: &[Finding], sources: &Sources<'_>) -> Vec<String> {
    let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
    findings
        .iter()
        .map(|finding| {
            let base = base(finding, sources);
            let occurrence = seen.entry(base).or_insert(0);
            let name = if *occurrence == 0 {
                base
            } else {
                fnv1a(base, &occurrence.to_le_bytes())
            };
            *occurrence += 1;
            format!("{name:016x}")
        })
        .collect()
}

fn base(finding: &Finding, sources: &Sources<'_>) -> u64 {
    let text = sources.file(&finding.primary.path);
    let line = text.line(text.line_of(finding.primary.span.start));
    let mut hash = fnv1a(OFFSET_BASIS, finding.rule.as_bytes());
    hash = field(hash, finding.primary.path.as_bytes());
    hash = fnv1a(hash, &[0]);
    for word in line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
    {
        hash = fnv1a(fnv1a(hash, word), b" ");
    }
    finding.steps.iter().fold(hash, |hash, step| {
        field(hash, without_lines(&step.message).as_bytes())
    })
}

/// A message without the numbers of lines in it, which change when lines above are added.
pub fn without_lines(message: &str) -> String {
    let mut parts = message.split(" line ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + " line " + part.trim_start_matches(|it: char| it.is_ascii_digit())
    })
}

fn field(hash: u64, bytes: &[u8]) -> u64 {
    fnv1a(fnv1a(hash, &[0]), bytes)
}

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a with 64 bits, started from an earlier hash.
fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}
