//! The `github` format: workflow commands that GitHub Actions turns into annotations.

use std::io::{self, Write};

use super::Report;
use super::repository::named;
use super::text::printable;
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Finding, Severity};

/// Writes one command per finding.
///
/// See <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
pub fn render(report: &Report<'_>, sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in report.findings {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let (start, end) = sources.range(&finding.primary);
        write!(
            out,
            "::{command} file={},line={}",
            property(&named(report.run.repository, &finding.primary.path)),
            start.line
        )?;
        // GitHub drops columns of an annotation over several lines.
        match end.line > start.line {
            true => write!(out, ",endLine={}", end.line)?,
            false => {
                write!(
                    out,
                    ",endLine={},col={},endColumn={}",
                    end.line, start.column, end.column
                )?;
            }
        }
        let title = format!("cudalint {} {}", finding.code, finding.rule);
        writeln!(
            out,
            ",title={}::{}",
            property(&title),
            data(&body(finding, sources))
        )?;
    }
    Ok(())
}

/// The message, then the story and the advice on lines of their own.
fn body(finding: &Finding, sources: &Sources<'_>) -> String {
    let mut body = finding.message.clone();
    for (index, step) in finding.steps.iter().enumerate() {
        let (start, _) = sources.range(&step.location);
        let place = format!("{}:{}", step.location.path, start.line);
        body.push_str(&format!("\n{}: {} ({place})", index + 1, step.told()));
    }
    if let Some(help) = &finding.help {
        body.push_str(&format!("\nhelp: {help}"));
    }
    body
}

fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    text.chars().map(printable).collect()
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
