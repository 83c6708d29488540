//! The `full` format: the source of every file of the story, its steps marked in order.

use std::io::{self, Write};

use miette::GraphicalTheme;

use super::Report;
use super::drawing::{Block, GUTTER, draw};
use super::excerpt::{Excerpt, Mark};
use super::text::{Paint, one_line, wrap};
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Confidence, Finding, Location, Safety};

/// Writes the findings, an empty line after each.
pub fn render(
    report: &Report<'_>,
    sources: &Sources<'_>,
    colour: bool,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let theme = if colour {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let paint = Paint { colour };
    for finding in report.findings {
        let kind = format!("{}[{}]", finding.severity.as_str(), finding.code);
        let headline = format!("{kind} {}: {}", finding.rule, one_line(&finding.message));
        let headline = wrap(&headline, width.max(MIN_WIDTH), HANGING).split_off(kind.len() + 1);
        writeln!(
            out,
            "{} {}",
            paint.severity(finding.severity, &kind),
            paint.bold(&headline)
        )?;
        let mut drawn: Vec<Block> = Vec::new();
        for (path, marks) in blocks(finding) {
            let Some(source) = sources.get(path) else {
                writeln!(out, "  [{}]", one_line(path))?;
                continue;
            };
            let limit = width.clamp(MIN_WIDTH, MAX_WIDTH) - GUTTER - NUMBER;
            let (excerpt, labels) = Excerpt::new(one_line(path).into_owned(), source, &marks, limit);
            drawn.push(Block { excerpt, labels });
        }
        out.write_all(draw(&drawn, theme.clone(), width.max(MIN_WIDTH)).as_bytes())?;
        for (lead, text) in notes(finding) {
            let rest = wrap(&one_line(&text), width.max(MIN_WIDTH), lead.len() + 4);
            writeln!(out, "  {} {rest}", paint.advice(&format!("{lead}:")))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Terminals are taken to have at least as many columns.
const MIN_WIDTH: usize = 60;
/// Columns by which the lines of a headline after the first are moved in.
const HANGING: usize = 4;
/// Columns of most numbers of lines.
const NUMBER: usize = 4;
/// Longer lines of source are clipped on every terminal.
const MAX_WIDTH: usize = 240;

/// The places to mark, by file, files in the order of the story.
fn blocks(finding: &Finding) -> Vec<(&str, Vec<Mark>)> {
    let mut blocks: Vec<(&str, Vec<Mark>)> = Vec::new();
    for (index, step) in finding.steps.iter().enumerate() {
        let note = format!("{}: {}", index + 1, one_line(&step.told()));
        mark(
            &mut blocks,
            &step.location,
            Some(note),
            step.location == finding.primary,
        );
    }
    if !finding.steps.iter().any(|step| step.location == finding.primary) {
        mark(&mut blocks, &finding.primary, None, true);
    }
    blocks
}

/// Steps at one place share a mark.
fn mark<'a>(blocks: &mut Vec<(&'a str, Vec<Mark>)>, at: &'a Location, note: Option<String>, primary: bool) {
    let position = blocks
        .iter()
        .position(|(path, _)| *path == &*at.path)
        .unwrap_or_else(|| {
            blocks.push((&at.path, Vec::new()));
            blocks.len() - 1
        });
    let marks = &mut blocks[position].1;
    match marks.iter_mut().find(|mark| mark.span == at.span) {
        Some(mark) => {
            mark.notes.extend(note);
            mark.primary |= primary;
        }
        None => marks.push(Mark {
            span: at.span,
            notes: note.into_iter().collect(),
            primary,
        }),
    }
}

/// Lines below the source: what to do, then what the claim rests on.
fn notes(finding: &Finding) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    notes.extend(finding.help.iter().map(|help| ("help", help.clone())));
    notes.extend(finding.fix.iter().map(|fix| {
        let lead = match fix.safety {
            Safety::Safe => "fix",
            Safety::Unsafe => "unsafe fix",
            Safety::DisplayOnly => "suggestion",
        };
        (lead, fix.title.clone())
    }));
    notes.extend(
        finding
            .configuration
            .iter()
            .map(|configuration| ("note", configuration.clone())),
    );
    notes.extend(finding.evidence.iter().map(|evidence| ("note", evidence.clone())));
    if finding.confidence != Confidence::High {
        notes.push(("note", format!("{} confidence", finding.confidence.as_str())));
    }
    notes.extend(
        finding
            .assumptions
            .iter()
            .map(|assumption| ("note", format!("assumed: {assumption}"))),
    );
    notes
}
