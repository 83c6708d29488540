//! The `gitlab` format: a code quality report.

use std::io::{self, Write};

use serde::Serialize;

use super::Report;
use super::repository::named;
use crate::diagnostics::Severity;
use crate::diagnostics::fingerprint::fingerprints;
use crate::diagnostics::source::Sources;

/// Writes one array.
///
/// See <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>.
pub fn render(report: &Report<'_>, sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    let fingerprints = fingerprints(report.findings, sources);
    let issues: Vec<Issue<'_>> = report
        .findings
        .iter()
        .zip(fingerprints)
        .map(|(finding, fingerprint)| {
            let (start, end) = sources.range(&finding.primary);
            Issue {
                description: format!("{}: {}", finding.code, finding.message),
                check_name: finding.rule,
                fingerprint,
                severity: match finding.severity {
                    Severity::Error => "critical",
                    Severity::Warning => "major",
                    Severity::Info => "info",
                },
                location: Place {
                    path: named(report.run.repository, &finding.primary.path),
                    lines: Lines {
                        begin: start.line,
                        end: end.line,
                    },
                },
            }
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &issues)?;
    writeln!(out)
}

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'a str,
    location: Place,
}

#[derive(Serialize)]
struct Place {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}
