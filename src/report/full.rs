//! The `full` format: the source of every file of the story, its steps marked in order.

use std::fmt;
use std::io::{self, Write};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::Report;
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
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width.max(MIN_WIDTH))
        .with_links(false)
        .with_context_lines(1)
        .with_cause_chain()
        .without_syntax_highlighting();
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
        for (path, marks) in blocks(finding) {
            let Some(source) = sources.get(path) else {
                writeln!(out, "  [{}]", one_line(path))?;
                continue;
            };
            let limit = width.clamp(MIN_WIDTH, MAX_WIDTH);
            let (excerpt, labels) = Excerpt::new(one_line(path).into_owned(), source, &marks, limit);
            out.write_all(draw(&handler, Block { excerpt, labels }).as_bytes())?;
        }
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

/// The snippet alone: miette leads every report with a line for the message, which stands in our own header.
fn draw(handler: &GraphicalReportHandler, block: Block) -> String {
    let mut drawn = String::new();
    match handler.render_report(&mut drawn, &block) {
        Ok(()) => drawn
            .split_once('\n')
            .map_or(String::new(), |(_, snippet)| snippet.to_owned()),
        Err(fmt::Error) => String::new(),
    }
}

/// The marked lines of one file as miette wants them.
#[derive(Debug)]
struct Block {
    excerpt: Excerpt,
    labels: Vec<LabeledSpan>,
}

impl fmt::Display for Block {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Block {}

impl Diagnostic for Block {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}
