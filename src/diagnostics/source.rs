//! Turns byte offsets into lines and columns, without reading a file twice.

use std::collections::BTreeMap;

use super::{Finding, Location};
use crate::syntax::LineIndex;

/// Where reports get the bytes of a file from.
pub trait SourceLookup {
    /// Bytes of a file by the path findings name it with; `None` when it can no longer be read.
    fn bytes(&self, path: &str) -> Option<&[u8]>;
}

impl<S: AsRef<str> + Ord + std::borrow::Borrow<str>, B: AsRef<[u8]>> SourceLookup for BTreeMap<S, B> {
    fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.get(path).map(AsRef::as_ref)
    }
}

/// A place as people count: both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, ended by a line feed, a carriage return or both.
    pub line: u32,
    /// Column in Unicode characters; a byte that is no UTF-8 counts as one, a byte order mark as none.
    pub column: u32,
}

/// The files some findings name, each indexed once.
pub struct Sources<'a> {
    files: BTreeMap<&'a str, SourceText<'a>>,
    missing: SourceText<'a>,
}

impl<'a> Sources<'a> {
    /// Indexes every file that a location or an edit of the findings names.
    pub fn new(findings: &'a [Finding], lookup: &'a dyn SourceLookup) -> Self {
        let mut files = BTreeMap::new();
        for finding in findings {
            let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
            let drawn = finding.picture.iter().flat_map(|it| it.locations());
            let places = finding.locations().chain(edits.map(|edit| &edit.location));
            for location in places.chain(drawn) {
                let path = &*location.path;
                if !files.contains_key(path)
                    && let Some(bytes) = lookup.bytes(path)
                {
                    files.insert(path, SourceText::new(bytes));
                }
            }
        }
        Sources {
            files,
            missing: SourceText::new(b""),
        }
    }

    /// The file a location is in; an empty one when it could not be read.
    pub fn file(&self, path: &str) -> &SourceText<'a> {
        self.files.get(path).unwrap_or(&self.missing)
    }

    /// The file, when it could be read.
    pub fn get(&self, path: &str) -> Option<&SourceText<'a>> {
        self.files.get(path)
    }

    /// First position of a location, and the one behind its last byte.
    pub fn range(&self, location: &Location) -> (Position, Position) {
        let text = self.file(&location.path);
        let start = text.position(location.span.start);
        (start, text.position(location.span.end.max(location.span.start)))
    }
}

/// Bytes between two counts of characters.
const STRIDE: usize = 1024;

/// One file with its lines; lines are counted from 0 here.
pub struct SourceText<'a> {
    /// The bytes as they are in the file.
    pub bytes: &'a [u8],
    lines: LineIndex<'a>,
    /// Offsets about [`STRIDE`] apart and the characters before each: a column in a line of megabytes costs no
    /// more than any other.
    counts: Vec<(usize, usize)>,
}

impl<'a> SourceText<'a> {
    /// Indexes a file.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut counts = vec![(0, 0)];
        let (mut from, mut total) = (0, 0);
        while from + STRIDE < bytes.len() {
            let to = character_start(bytes, from + STRIDE);
            total += characters(&bytes[from..to]);
            counts.push((to, total));
            from = to;
        }
        SourceText {
            bytes,
            lines: LineIndex::new(bytes),
            counts,
        }
    }

    /// Number of lines; a file that ends with a line end has an empty last one.
    pub fn line_count(&self) -> usize {
        self.lines.line_count() as usize
    }

    /// The line that holds an offset; the last one for offsets behind the end.
    pub fn line_of(&self, offset: u32) -> usize {
        self.lines.line_of(offset) as usize - 1
    }

    /// Offset of the first byte of a line; the end of the file for lines behind it.
    pub fn line_start(&self, line: usize) -> usize {
        self.line_range(line).0
    }

    /// Bytes of a line without its line end: first, and one past the last.
    pub fn line_range(&self, line: usize) -> (usize, usize) {
        let span = self.lines.line_span(u32::try_from(line + 1).unwrap_or(u32::MAX));
        (span.start as usize, span.end.max(span.start) as usize)
    }

    /// Text of a line without its line end.
    pub fn line(&self, line: usize) -> &'a [u8] {
        let (start, end) = self.line_range(line);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Line and column of an offset; offsets behind the end are at the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.bytes.len());
        let line = self.line_of(offset as u32);
        let mut start = self.line_start(line);
        if line == 0 && self.bytes.starts_with(b"\xEF\xBB\xBF") {
            start = 3;
        }
        let column = self.characters_before(offset.max(start)) - self.characters_before(start) + 1;
        Position {
            line: line as u32 + 1,
            column: column as u32,
        }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let next = self.counts.partition_point(|(counted, _)| *counted <= offset);
        let (counted, before) = self.counts[next - 1];
        before + characters(&self.bytes[counted..offset])
    }
}

/// The offset, or one up to three bytes before it, at which a character begins.
pub fn character_start(bytes: &[u8], offset: usize) -> usize {
    let continues = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (offset.saturating_sub(3)..=offset)
        .rev()
        .find(|at| !continues(at))
        .unwrap_or(offset)
}

/// Characters, a byte that is no UTF-8 as one.
fn characters(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}
