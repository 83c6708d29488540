//! The lines of one file that a finding marks, as a source that miette can draw.
//!
//! An excerpt holds only the marked lines, and what stands around the place the finding is reported at, already clipped and
//! printable, and knows their numbers.

use std::collections::BTreeMap;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::text::printable;
use crate::diagnostics::source::{SourceText, character_start};
use crate::syntax::Span;

/// A place to mark and what to say there.
pub struct Mark {
    /// Bytes in the file; only the first line of them is marked.
    pub span: Span,
    /// What to say, one line each; nothing to underline only.
    pub notes: Vec<String>,
    /// Whether the finding is reported here.
    pub primary: bool,
}

/// Marked lines of one file.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    rows: Vec<Row>,
    /// Columns from 0 in the file, by offset in the excerpt, of the places marked.
    columns: BTreeMap<usize, usize>,
}

/// One line of the excerpt.
#[derive(Debug)]
struct Row {
    /// Offset in the excerpt.
    start: usize,
    /// Line from 0 in the file.
    line: usize,
}

/// A mark on its line: bytes of the line.
struct Placed<'a> {
    start: usize,
    end: usize,
    notes: Vec<&'a str>,
    primary: bool,
}

impl Excerpt {
    /// Takes the marked lines out of a file, and what a line around the primary one says; the labels are offsets in the
    /// excerpt.
    pub fn new(
        name: String,
        source: &SourceText<'_>,
        marks: &[Mark],
        limit: usize,
    ) -> (Self, Vec<LabeledSpan>) {
        let mut lines: BTreeMap<usize, Vec<Placed<'_>>> = BTreeMap::new();
        for mark in marks {
            let line = source.line_of(mark.span.start.min(source.bytes.len() as u32));
            let around = [line.checked_sub(1), Some(line + 1)].into_iter().flatten();
            for near in around.filter(|near| mark.primary && says_something(source, *near)) {
                lines.entry(near).or_default();
            }
            let (first, last) = source.line_range(line);
            let start = (mark.span.start as usize).clamp(first, last);
            let end = (mark.span.end as usize).clamp(start, last);
            let notes = mark.notes.iter().map(String::as_str).collect();
            let (start, end) = (start - first, end - first);
            lines.entry(line).or_default().push(Placed {
                start,
                end,
                notes,
                primary: mark.primary,
            });
        }
        let mut excerpt = Excerpt {
            name,
            text: String::new(),
            rows: Vec::new(),
            columns: BTreeMap::new(),
        };
        let mut labels = Vec::new();
        for (line, mut placed) in lines {
            separate(&mut placed);
            excerpt.push_row(source, line, &placed, limit, &mut labels);
        }
        (excerpt, labels)
    }

    fn push_row(
        &mut self,
        source: &SourceText<'_>,
        line: usize,
        placed: &[Placed<'_>],
        limit: usize,
        labels: &mut Vec<LabeledSpan>,
    ) {
        self.rows.push(Row {
            start: self.text.len(),
            line,
        });
        let bytes = source.line(line);
        for (from, to) in windows(bytes, placed, limit) {
            if from > 0 && !self.text.ends_with('…') {
                self.text.push('…');
            }
            let offsets = self.push_printable(&bytes[from..to], line == 0 && from == 0);
            for it in placed.iter().filter(|it| from <= it.start && it.start <= to) {
                let start = offsets[it.start - from];
                let end = offsets[it.end.min(to) - from];
                let first = source.line_range(line).0 + it.start;
                self.columns
                    .insert(start, source.position(first as u32).column as usize - 1);
                labels.push(label(it, start, end - start));
            }
            if to < bytes.len() {
                self.text.push('…');
            }
        }
        self.text.push('\n');
    }

    /// Appends bytes as printable characters; returns where each byte, and the end, came to stand.
    fn push_printable(&mut self, bytes: &[u8], begins_file: bool) -> Vec<usize> {
        let mut offsets = Vec::with_capacity(bytes.len() + 1);
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                offsets.extend(std::iter::repeat_n(self.text.len(), c.len_utf8()));
                let is_mark = begins_file && offsets.len() == c.len_utf8() && c == '\u{FEFF}';
                if !is_mark {
                    self.text.push(printable(c));
                }
            }
            if !chunk.invalid().is_empty() {
                offsets.extend(std::iter::repeat_n(self.text.len(), chunk.invalid().len()));
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        offsets.push(self.text.len());
        offsets
    }

    /// Columns of the longest number of a line.
    pub fn digits(&self) -> usize {
        let last = self.rows.last().map_or(0, |row| row.line);
        (last + 1).to_string().len()
    }

    fn row_of(&self, offset: usize) -> usize {
        self.rows
            .partition_point(|row| row.start <= offset)
            .saturating_sub(1)
    }
}

/// Keeps marks from overlapping: what encloses ends where the inner one begins, and what begins together is one mark.
fn separate(placed: &mut Vec<Placed<'_>>) {
    placed.sort_by_key(|it| it.start);
    let mut apart: Vec<Placed<'_>> = Vec::with_capacity(placed.len());
    for it in placed.drain(..) {
        match apart.last_mut() {
            Some(last) if last.start == it.start => {
                last.end = last.end.min(it.end);
                last.notes.extend(it.notes);
                last.primary |= it.primary;
            }
            Some(last) => {
                last.end = last.end.min(it.start);
                apart.push(it);
            }
            None => apart.push(it),
        }
    }
    *placed = apart;
}

/// A mark with what is said there, a note on each line.
fn label(it: &Placed<'_>, start: usize, length: usize) -> LabeledSpan {
    let notes = (!it.notes.is_empty()).then(|| it.notes.join("\n"));
    let span = SourceSpan::new(start.into(), length);
    match it.primary {
        true => LabeledSpan::new_primary_with_span(notes, span),
        false => LabeledSpan::new_with_span(notes, span),
    }
}

/// Whether a line holds more than brackets.
fn says_something(source: &SourceText<'_>, line: usize) -> bool {
    line < source.line_count() && source.line(line).iter().any(u8::is_ascii_alphanumeric)
}

/// Bytes of a long line that surround its marks, at most `limit` for each; all of a short line.
fn windows(bytes: &[u8], placed: &[Placed<'_>], limit: usize) -> Vec<(usize, usize)> {
    if bytes.len() <= limit {
        return vec![(0, bytes.len())];
    }
    let around = limit / 4;
    let mut wanted: Vec<(usize, usize)> = placed
        .iter()
        .map(|it| {
            let start = it.start.saturating_sub(around);
            (start, (it.end + around).min(start + limit).min(bytes.len()))
        })
        .collect();
    wanted.sort_unstable();
    if wanted.is_empty() {
        wanted.push((0, limit));
    }
    let mut windows: Vec<(usize, usize)> = Vec::new();
    for (start, end) in wanted {
        let (start, end) = (character_start(bytes, start), character_start(bytes, end));
        match windows.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => windows.push((start, end)),
        }
    }
    windows
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (offset, end) = (span.offset(), span.offset() + span.len());
        if end > self.text.len() || self.rows.is_empty() {
            return Err(MietteError::OutOfBounds);
        }
        let marked = self.row_of(offset);
        let (mut first, mut last) = (marked, self.row_of(end));
        let next_to = |a: usize, b: usize| self.rows[a].line + 1 == self.rows[b].line;
        for _ in 0..before {
            first -= usize::from(first > 0 && next_to(first - 1, first));
        }
        for _ in 0..after {
            last += usize::from(last + 1 < self.rows.len() && next_to(last, last + 1));
        }
        // Without lines around it the place itself is asked for: its column stands in the header.
        let alone = before == 0 && after == 0;
        let start = if alone { offset } else { self.rows[first].start };
        let column = if alone {
            self.columns.get(&offset).copied().unwrap_or(0)
        } else {
            0
        };
        let stop = self.rows.get(last + 1).map_or(self.text.len(), |row| row.start);
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[start..stop],
            SourceSpan::new(start.into(), stop - start),
            self.rows[first].line,
            column,
            last - first + 1,
        )))
    }
}
