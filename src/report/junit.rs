//! The `junit` format: a test report, one test case per finding, for the many systems that show nothing else.

use std::io::{self, Write};

use super::Report;
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Finding, Severity};

/// Writes one suite per file; a run without findings is one test that passed.
///
/// See <https://github.com/testmoapp/junitxml>.
pub fn render(report: &Report<'_>, sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    let failures = failures(report.findings);
    let tests = report.findings.len().max(1);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"cudalint\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    )?;
    if report.findings.is_empty() {
        writeln!(
            out,
            "  <testsuite name=\"cudalint\" tests=\"1\" failures=\"0\" errors=\"0\">"
        )?;
        writeln!(out, "    <testcase name=\"no findings\" classname=\"cudalint\"/>")?;
        writeln!(out, "  </testsuite>")?;
    }
    for findings in report.findings.chunk_by(|a, b| a.primary.path == b.primary.path) {
        suite(findings, sources, out)?;
    }
    writeln!(out, "</testsuites>")
}

/// The findings of one file.
fn suite(findings: &[Finding], sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    let path = findings.first().map_or("", |it| &*it.primary.path);
    let path = one_line(path.strip_prefix("./").unwrap_or(path));
    let (tests, failures) = (findings.len(), failures(findings));
    writeln!(
        out,
        "  <testsuite name=\"{path}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    )?;
    for finding in findings {
        let (start, _) = sources.range(&finding.primary);
        writeln!(
            out,
            "    <testcase name=\"{} {}\" classname=\"{path}\" file=\"{path}\" line=\"{}\">",
            finding.code, finding.rule, start.line
        )?;
        let (message, body) = (one_line(&finding.message), story(finding, sources));
        // An info is worth knowing, and nothing failed.
        match finding.severity {
            Severity::Info => writeln!(out, "      <system-out>{message}\n{body}</system-out>")?,
            severity => writeln!(
                out,
                "      <failure type=\"{}\" message=\"{message}\">{body}</failure>",
                severity.as_str()
            )?,
        }
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

fn failures(findings: &[Finding]) -> usize {
    findings.iter().filter(|it| it.severity > Severity::Info).count()
}

/// Where it is, the story, and the advice, on lines of their own.
fn story(finding: &Finding, sources: &Sources<'_>) -> String {
    let (start, _) = sources.range(&finding.primary);
    let mut lines = vec![format!(
        "{}:{}:{}",
        finding.primary.path, start.line, start.column
    )];
    for (index, step) in finding.steps.iter().enumerate() {
        let (start, _) = sources.range(&step.location);
        let place = format!("{}:{}", step.location.path, start.line);
        lines.push(format!("{}: {} ({place})", index + 1, step.told()));
    }
    if let Some(help) = &finding.help {
        lines.push(format!("help: {help}"));
    }
    let lines: Vec<String> = lines.iter().map(|it| one_line(it)).collect();
    lines.join("\n")
}

/// Text as XML 1.0 can hold it, in an attribute too: there a bare end of line would be read as a space. Nobody's words begin a line, which logs may obey.
fn one_line(text: &str) -> String {
    escape(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text as XML 1.0 can hold it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ if c.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(c),
        }
    }
    escaped
}
