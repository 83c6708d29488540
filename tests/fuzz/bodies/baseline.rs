//! The text of a baseline to what it lists, and back.

use std::collections::BTreeMap;
use std::sync::Arc;

use cudalint::diagnostics::baseline::Baseline;
use cudalint::diagnostics::rule::RULES;
use cudalint::diagnostics::{Confidence, Finding, Location, Severity};
use cudalint::syntax::Span;

/// Reads the bytes as a baseline, writes it, reads it back, and covers findings in the bytes themselves with it.
pub fn run(bytes: &[u8]) {
    let findings = findings(bytes);
    let sources: BTreeMap<String, &[u8]> = [("a.cu".to_owned(), bytes)].into();
    let relative = |path: &str| path.to_owned();
    let own = Baseline::of(&findings, &sources, &relative);
    assert_eq!(own.len(), findings.len());
    check(&own, &findings, bytes);
    let covered = own.cover(findings.clone(), &sources, &relative, &|_, _| true, &|_| true);
    assert_eq!(
        (covered.new.len(), covered.known, covered.gone),
        (0, findings.len(), 0)
    );

    let Some(read) = std::str::from_utf8(bytes)
        .ok()
        .and_then(|it| Baseline::parse(it).ok())
    else {
        return;
    };
    check(&read, &findings, bytes);
    let mut updated = read.clone();
    updated.update(own.clone(), &|_, _| true);
    assert_eq!(updated, own);
}

/// It is read back as it was written, and covers no finding twice.
fn check(baseline: &Baseline, findings: &[Finding], bytes: &[u8]) {
    let written = baseline.to_text();
    assert_eq!(Baseline::parse(&written).as_ref(), Ok(baseline));
    let listed = baseline.len();
    assert_eq!(baseline.is_empty(), listed == 0);
    let sources: BTreeMap<String, &[u8]> = [("a.cu".to_owned(), bytes)].into();
    let relative = |it: &str| it.to_owned();
    let covered = baseline.cover(findings.to_vec(), &sources, &relative, &|_, _| true, &|_| true);
    assert_eq!(covered.new.len() + covered.known, findings.len());
    // Counts stop at the largest there is.
    if baseline.len() < usize::MAX {
        assert_eq!(covered.gone + covered.known, baseline.len());
    }
}

/// A finding in each of the first lines.
fn findings(bytes: &[u8]) -> Vec<Finding> {
    let lines = memchr::memchr_iter(b'\n', bytes).take(16).enumerate();
    let finding = |(index, at): (usize, usize)| {
        let rule = &RULES[index % 3];
        Finding {
            rule: rule.name,
            code: rule.code,
            severity: Severity::Warning,
            confidence: Confidence::High,
            primary: Location {
                path: Arc::from("a.cu"),
                span: Span {
                    start: at as u32,
                    end: at as u32,
                },
            },
            message: String::new(),
            steps: Vec::new(),
            help: None,
            evidence: None,
            assumptions: Vec::new(),
            configuration: None,
            fix: None,
            picture: None,
        }
    };
    lines.map(finding).collect()
}
