//! The `json` and `json-lines` formats: findings with the source around them, and with their pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::diff::Edited;
use super::document::{
    CallObject, Document, EdgeObject, EditObject, EventObject, ExcerptObject, FindingObject, FixObject,
    LaneObject, PictureObject, Place, StatisticsObject, StepObject, Tool,
};
use super::{Report, Summary};
use crate::diagnostics::edits::by_file;
use crate::diagnostics::fingerprint::fingerprints;
use crate::diagnostics::picture::{Moment, Picture};
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Edit, Finding, Fix, Location, Step};

/// Writes one object with all findings.
pub fn render(report: &Report<'_>, sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(report, sources))?;
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

/// The report as the other formats that are drawn from it read it.
pub fn document(report: &Report<'_>, sources: &Sources<'_>) -> Document {
    let summary = Summary::new(report.findings, report.statistics);
    Document {
        version: 1,
        tool: Tool {
            name: "cudalint".to_owned(),
            version: report.version.to_owned(),
        },
        findings: findings(report, sources),
        statistics: StatisticsObject {
            files: summary.files,
            errors: summary.errors,
            warnings: summary.warnings,
            infos: summary.infos,
            suppressed: summary.suppressed,
            unsure: summary.unsure,
            baseline: summary.known,
            analysis: report.statistics.analysis.clone(),
        },
    }
}

fn findings(report: &Report<'_>, sources: &Sources<'_>) -> Vec<FindingObject> {
    let fingerprints = fingerprints(report.findings, sources);
    let edits = report.findings.iter().filter_map(|it| it.fix.as_ref());
    let paths = edits
        .flat_map(|it| &it.edits)
        .map(|it| &*it.location.path)
        .collect::<BTreeSet<&str>>();
    let edited = |path: &str| Some(Edited::new(sources.get(path)?.bytes));
    let edited: AllEdited<'_> = paths
        .into_iter()
        .filter_map(|it| Some((it, edited(it)?)))
        .collect();
    let pairs = report.findings.iter().zip(fingerprints);
    pairs
        .map(|(finding, fingerprint)| finding_object(finding, fingerprint, sources, &edited))
        .collect()
}

/// The files that fixes change, by path.
type AllEdited<'a> = BTreeMap<&'a str, Edited<'a>>;

fn finding_object(
    finding: &Finding,
    fingerprint: String,
    sources: &Sources<'_>,
    edited: &AllEdited<'_>,
) -> FindingObject {
    FindingObject {
        rule: finding.rule.to_owned(),
        code: finding.code.to_owned(),
        severity: finding.severity.as_str().to_owned(),
        confidence: finding.confidence.as_str().to_owned(),
        place: place(&finding.primary, sources),
        message: finding.message.clone(),
        steps: finding
            .steps
            .iter()
            .map(|step| step_object(step, sources))
            .collect(),
        help: finding.help.clone(),
        evidence: finding.evidence.clone(),
        assumptions: finding.assumptions.clone(),
        configuration: finding.configuration.clone(),
        fingerprint,
        fix: finding.fix.as_ref().map(|fix| fix_object(fix, sources, edited)),
        picture: finding
            .picture
            .as_ref()
            .map(|picture| picture_object(picture, &finding.steps, sources)),
        excerpts: excerpts(finding, sources),
    }
}

fn step_object(step: &Step, sources: &Sources<'_>) -> StepObject {
    StepObject {
        place: place(&step.location, sources),
        message: step.message.clone(),
        seen: step.seen.clone(),
    }
}

fn fix_object(fix: &Fix, sources: &Sources<'_>, edited: &AllEdited<'_>) -> FixObject {
    let edit = |edit: &Edit| EditObject {
        place: place(&edit.location, sources),
        offset: edit.location.span.start,
        length: edit.location.span.end.saturating_sub(edit.location.span.start),
        replacement: edit.replacement.clone(),
    };
    FixObject {
        title: fix.title.clone(),
        safety: fix.safety.as_str().to_owned(),
        edits: fix.edits.iter().map(edit).collect(),
        diff: fix_diff(fix, edited),
    }
}

/// What the edits change, file by file.
fn fix_diff(fix: &Fix, edited: &AllEdited<'_>) -> String {
    let mut text = String::new();
    for (path, edits) in by_file(&[fix]) {
        if let Some(source) = edited.get(path) {
            text.push_str(&source.by(path, &edits));
        }
    }
    text
}

fn picture_object(picture: &Picture, steps: &[Step], sources: &Sources<'_>) -> PictureObject {
    let event = |moment: &Moment| EventObject {
        lane: moment.lane,
        start: moment.start,
        end: moment.end,
        state: moment.state.as_str().to_owned(),
        name: moment.name.clone(),
        text: moment.text.clone(),
        place: place(&moment.location, sources),
        step: steps
            .iter()
            .position(|step| step.location == moment.location)
            .map(|it| it + 1),
        calls: moment
            .calls
            .iter()
            .map(|it| CallObject {
                place: place(it, sources),
                text: words(it, sources),
            })
            .collect(),
    };
    PictureObject {
        entry: picture.entry.clone(),
        lanes: picture
            .lanes
            .iter()
            .map(|lane| LaneObject {
                kind: lane.kind.as_str().to_owned(),
                name: lane.name.clone(),
            })
            .collect(),
        events: picture.moments.iter().map(event).collect(),
        edges: picture
            .arrows
            .iter()
            .map(|arrow| EdgeObject {
                from: arrow.from,
                to: arrow.to,
                kind: arrow.kind.as_str().to_owned(),
                text: arrow.text.clone(),
            })
            .collect(),
    }
}

/// Characters of a line or a call that are kept.
const LONGEST: usize = 240;

/// The source of a place, on one line.
fn words(location: &Location, sources: &Sources<'_>) -> String {
    let bytes = sources.file(&location.path).bytes;
    let end = (location.span.end as usize).min(bytes.len());
    let start = (location.span.start as usize).min(end);
    let text = String::from_utf8_lossy(&bytes[start..end.min(start + 4 * LONGEST)]);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST).collect()
}

/// Lines shown above and below a place.
const AROUND: usize = 3;

/// The source around the places of a finding, files in the order of the story.
fn excerpts(finding: &Finding, sources: &Sources<'_>) -> Vec<ExcerptObject> {
    let mut wanted: Vec<(&str, Vec<(usize, usize)>)> = Vec::new();
    for location in finding
        .steps
        .iter()
        .map(|it| &it.location)
        .chain([&finding.primary])
    {
        let Some(source) = sources.get(&location.path) else {
            continue;
        };
        let first = source.line_of(location.span.start);
        // Of a place that goes on for long, the beginning.
        let last = source.line_of(location.span.end).clamp(first, first + 2 * AROUND);
        let range = (
            first.saturating_sub(AROUND),
            (last + AROUND + 1).min(source.line_count()),
        );
        match wanted.iter_mut().find(|(path, _)| *path == &*location.path) {
            Some((_, ranges)) => ranges.push(range),
            None => wanted.push((&location.path, vec![range])),
        }
    }
    let mut excerpts = Vec::new();
    for (path, ranges) in wanted {
        let source = sources.file(path);
        for (first, last) in merged(ranges) {
            let line = |number: usize| {
                let bytes = source.line(number);
                let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
                text.chars().take(LONGEST).collect::<String>()
            };
            let mut lines: Vec<String> = (first..last).map(line).collect();
            // What follows the last line end is no line.
            if last == source.line_count() && lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
            excerpts.push(ExcerptObject {
                path: path.to_owned(),
                line: u32::try_from(first + 1).unwrap_or(u32::MAX),
                lines,
            });
        }
    }
    excerpts
}

/// Ranges in order, those that touch or nearly do as one.
fn merged(mut ranges: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (first, last) in ranges {
        match merged.last_mut() {
            Some(before) if first <= before.1 + 2 => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

fn place(location: &Location, sources: &Sources<'_>) -> Place {
    let (start, end) = sources.range(location);
    Place {
        path: location.path.to_string(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}
