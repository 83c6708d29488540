//! The `json` and `json-lines` formats; `findings.schema.json` describes them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{Report, Summary};
use crate::diagnostics::fingerprint::fingerprints;
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Edit, Finding, Fix, Location, Step};

/// Writes one object with all findings.
pub fn render(report: &Report<'_>, sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    let summary = Summary::new(report.findings, report.statistics);
    let document = Document {
        version: 1,
        tool: Tool {
            name: "cudalint",
            version: report.version,
        },
        findings: findings(report, sources),
        statistics: StatisticsObject {
            files: summary.files,
            errors: summary.errors,
            warnings: summary.warnings,
            infos: summary.infos,
            suppressed: summary.suppressed,
            baseline: summary.known,
            analysis: &report.statistics.analysis,
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// Writes one object per finding, each on its line.
pub fn render_lines(report: &Report<'_>, sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in findings(report, sources) {
        serde_json::to_writer(&mut *out, &finding)?;
        writeln!(out)?;
    }
    Ok(())
}

fn findings<'a>(report: &Report<'a>, sources: &Sources<'_>) -> Vec<FindingObject<'a>> {
    let fingerprints = fingerprints(report.findings, sources);
    let pairs = report.findings.iter().zip(fingerprints);
    pairs
        .map(|(finding, fingerprint)| finding_object(finding, fingerprint, sources))
        .collect()
}

fn finding_object<'a>(finding: &'a Finding, fingerprint: String, sources: &Sources<'_>) -> FindingObject<'a> {
    FindingObject {
        rule: finding.rule,
        code: finding.code,
        severity: finding.severity.as_str(),
        confidence: finding.confidence.as_str(),
        place: place(&finding.primary, sources),
        message: &finding.message,
        steps: finding
            .steps
            .iter()
            .map(|step| step_object(step, sources))
            .collect(),
        help: finding.help.as_deref(),
        evidence: finding.evidence.as_deref(),
        assumptions: &finding.assumptions,
        configuration: finding.configuration.as_deref(),
        fingerprint,
        fix: finding.fix.as_ref().map(|fix| fix_object(fix, sources)),
    }
}

fn step_object<'a>(step: &'a Step, sources: &Sources<'_>) -> StepObject<'a> {
    StepObject {
        place: place(&step.location, sources),
        message: &step.message,
    }
}

fn fix_object<'a>(fix: &'a Fix, sources: &Sources<'_>) -> FixObject<'a> {
    let edit = |edit: &'a Edit| EditObject {
        place: place(&edit.location, sources),
        offset: edit.location.span.start,
        length: edit.location.span.end.saturating_sub(edit.location.span.start),
        replacement: &edit.replacement,
    };
    FixObject {
        title: &fix.title,
        safety: fix.safety.as_str(),
        edits: fix.edits.iter().map(edit).collect(),
    }
}

fn place<'a>(location: &'a Location, sources: &Sources<'_>) -> Place<'a> {
    let (start, end) = sources.range(location);
    Place {
        path: &location.path,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: Tool<'a>,
    findings: Vec<FindingObject<'a>>,
    statistics: StatisticsObject<'a>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct FindingObject<'a> {
    rule: &'a str,
    code: &'a str,
    severity: &'a str,
    confidence: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
    steps: Vec<StepObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    assumptions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<&'a str>,
    fingerprint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixObject<'a>>,
}

#[derive(Serialize)]
struct StepObject<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct FixObject<'a> {
    title: &'a str,
    safety: &'a str,
    edits: Vec<EditObject<'a>>,
}

#[derive(Serialize)]
struct EditObject<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    offset: u32,
    length: u32,
    replacement: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct StatisticsObject<'a> {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    suppressed: usize,
    baseline: usize,
    analysis: &'a BTreeMap<String, u64>,
}
