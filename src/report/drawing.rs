//! Draws the marked lines of a file: each mark is underlined, and what is said of it stands beside the underline where
//! there is room, else below.

use std::collections::BTreeMap;
use std::fmt;

use miette::{Diagnostic, GraphicalTheme, LabeledSpan, ReportHandler, SourceCode};
use unicode_width::UnicodeWidthChar;

use super::excerpt::Excerpt;
use super::text::wrap;

/// The marked lines of one file as miette wants them.
#[derive(Debug)]
pub struct Block {
    /// The lines.
    pub excerpt: Excerpt,
    /// The marks: offsets in the excerpt.
    pub labels: Vec<LabeledSpan>,
}

/// Draws the files of one finding in a frame.
pub fn draw(blocks: &[Block], theme: GraphicalTheme, width: usize) -> String {
    let digits = blocks.iter().map(|it| it.excerpt.digits()).max().unwrap_or(1);
    let drawer = Drawer { theme, width, digits };
    let mut drawn = String::new();
    for (index, block) in blocks.iter().enumerate() {
        let corner = match index {
            0 => drawer.theme.characters.ltop,
            _ => drawer.theme.characters.lcross,
        };
        drawn.push_str(&format!("{}{corner}", " ".repeat(digits + MARGIN)));
        drawn.push_str(&Drawn(&drawer, block).to_string());
    }
    if !blocks.is_empty() {
        let characters = &drawer.theme.characters;
        let bar = characters.hbar.to_string().repeat(4);
        drawn.push_str(&format!(
            "{}{}{bar}\n",
            " ".repeat(digits + MARGIN),
            characters.lbot
        ));
    }
    drawn
}

/// Columns around the number of a line.
const MARGIN: usize = 2;
/// Columns in front of a line of source, its number left out.
pub const GUTTER: usize = MARGIN + 2;
/// A note of several lines starts below its place where that leaves it as many columns.
const NARROWEST: usize = 60;
/// Tabs end at multiples of it.
const TAB: usize = 4;
/// Stands where lines are left out.
const LEFT_OUT: char = '⋮';
/// Underlines the place the finding is reported at.
const PRIMARY: char = '━';

struct Drawer {
    theme: GraphicalTheme,
    /// Columns of the terminal.
    width: usize,
    /// Columns of the longest number of a line.
    digits: usize,
}

struct Drawn<'a>(&'a Drawer, &'a Block);

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(self.1, f)
    }
}

/// A line with its marks in the order of their columns.
#[derive(Default)]
struct Line {
    text: String,
    marks: Vec<Mark>,
}

/// Bytes of a line, and what is said of them.
struct Mark {
    start: usize,
    end: usize,
    label: LabeledSpan,
}

impl ReportHandler for Drawer {
    fn debug(&self, block: &dyn Diagnostic, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(source), Some(labels)) = (block.source_code(), block.labels()) else {
            return Ok(());
        };
        let labels: Vec<LabeledSpan> = labels.collect();
        self.header(source, &labels, f)?;
        let (lines, mut style) = (lines(source, labels), 0);
        let mut last = None;
        for (number, line) in &lines {
            if last.is_some_and(|last: usize| last + 1 < *number) {
                writeln!(f, "{:>1$}", LEFT_OUT, self.digits + MARGIN + 1)?;
            }
            last = Some(*number);
            let linum = format!("{:>1$}", number + 1, self.digits + 1);
            let bar = self.theme.characters.vbar;
            let text = line.text.replace('\t', &" ".repeat(TAB));
            writeln!(f, "{} {bar} {text}", self.theme.styles.linum.style(linum))?;
            for mark in &line.marks {
                self.mark(&line.text, mark, style, f)?;
                style += 1;
            }
        }
        Ok(())
    }
}

impl Drawer {
    /// Where the finding is reported, else where its first mark in this file is.
    fn header(
        &self,
        source: &dyn SourceCode,
        labels: &[LabeledSpan],
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let leading = labels.iter().find(|it| it.primary()).or(labels.first());
        let place = leading.and_then(|it| source.read_span(it.inner(), 0, 0).ok());
        let Some(place) = place else {
            return writeln!(f);
        };
        let (name, line, column) = (
            place.name().unwrap_or_default(),
            place.line() + 1,
            place.column() + 1,
        );
        let at = self.theme.styles.link.style(format!("{name}:{line}:{column}"));
        writeln!(f, "{}[{at}]", self.theme.characters.hbar)
    }

    /// The underline of a mark and what is said of it.
    fn mark(&self, text: &str, mark: &Mark, style: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = &self.theme.characters;
        let styles = &self.theme.styles.highlights;
        let style = styles[style % styles.len()];
        let (before, length) = (columns(&text[..mark.start]), columns(&text[mark.start..mark.end]));
        let underline = match (length, mark.label.primary()) {
            (0, _) => characters.uarrow.to_string(),
            (_, true) => PRIMARY.to_string().repeat(length),
            (_, false) => characters.underline.to_string().repeat(length),
        };
        let gutter = format!("{}{}", " ".repeat(self.digits + MARGIN), characters.vbar_break);
        let notes: Vec<&str> = mark.label.label().unwrap_or_default().lines().collect();
        let room = self.width.saturating_sub(self.digits + GUTTER);
        let beside = before + length.max(1) + 1;
        let underlined = |f: &mut fmt::Formatter<'_>, beside: &str| {
            let blank = " ".repeat(before);
            writeln!(
                f,
                "{gutter} {blank}{}",
                style.style(format!("{underline}{beside}"))
            )
        };
        match notes.as_slice() {
            [] => underlined(f, ""),
            [only] if beside + columns(only) <= room => underlined(f, &format!(" {only}")),
            _ => {
                underlined(f, "")?;
                let longest = notes.iter().map(|it| columns(it)).max().unwrap_or(0);
                let indent = match room.checked_sub(longest) {
                    Some(free) => before.min(free),
                    None if before + NARROWEST <= room => before,
                    None => 0,
                };
                let blank = " ".repeat(indent);
                for note in notes {
                    for line in wrap_note(note, room - indent).lines() {
                        writeln!(f, "{gutter} {blank}{}", style.style(line))?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// The lines to draw, by number from 0.
fn lines(source: &dyn SourceCode, labels: Vec<LabeledSpan>) -> BTreeMap<usize, Line> {
    let mut lines: BTreeMap<usize, Line> = BTreeMap::new();
    for label in labels {
        let Ok(contents) = source.read_span(label.inner(), 1, 1) else {
            continue;
        };
        let first = contents.span().offset();
        let text = String::from_utf8_lossy(contents.data());
        let before = label.offset().saturating_sub(first);
        let number = contents.line() + text[..before].matches('\n').count();
        for (index, line) in text.split_terminator('\n').enumerate() {
            lines.entry(contents.line() + index).or_insert_with(|| Line {
                text: line.to_owned(),
                marks: Vec::new(),
            });
        }
        let start = before - text[..before].rfind('\n').map_or(0, |it| it + 1);
        let line = lines.entry(number).or_default();
        let end = (start + label.len()).min(line.text.len());
        line.marks.push(Mark { start, end, label });
        line.marks.sort_by_key(|it| it.start);
    }
    lines
}

/// A note in lines of at most `room` columns, those after the first moved in behind its number.
fn wrap_note(note: &str, room: usize) -> String {
    match note.split_once(": ") {
        Some((number, rest)) => format!("{number}: {}", wrap(rest, room, number.len() + 2)),
        None => wrap(note, room, 0),
    }
}

/// Columns that text takes.
fn columns(text: &str) -> usize {
    let column = |c: char| match c {
        '\t' => TAB,
        _ => c.width().unwrap_or(0),
    };
    text.chars().map(column).sum()
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
