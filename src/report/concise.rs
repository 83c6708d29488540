//! The `concise` format: `path:line:column: severity[code] message`, one line per finding.

use std::io::{self, Write};

use super::Report;
use super::text::{Paint, one_line};
use crate::diagnostics::source::Sources;

/// Writes one line per finding.
pub fn render(
    report: &Report<'_>,
    sources: &Sources<'_>,
    colour: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paint = Paint { colour };
    for finding in report.findings {
        let (start, _) = sources.range(&finding.primary);
        let path = one_line(&finding.primary.path);
        let place = paint.bold(&format!("{path}:{}:{}:", start.line, start.column));
        let kind = format!("{}[{}]", finding.severity.as_str(), finding.code);
        writeln!(
            out,
            "{place} {} {}",
            paint.severity(finding.severity, &kind),
            one_line(&finding.message)
        )?;
    }
    Ok(())
}
