//! Turns byte offsets into lines and columns, without reading a file twice.

use std::collections::BTreeMap;

use memchr::memchr_iter;

use super::{Finding, Location};

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
    /// Line, ended by a line feed.
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
            for location in finding.locations().chain(edits.map(|edit| &edit.location)) {
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

/// One file with its lines.
pub struct SourceText<'a> {
    /// The bytes as they are in the file.
    pub bytes: &'a [u8],
    /// Offset of the first byte of each line.
    starts: Vec<u32>,
    /// Characters before each multiple of [`STRIDE`]: a column in a line of megabytes costs no more than any other.
    counts: Vec<u32>,
}

impl<'a> SourceText<'a> {
    /// Indexes a file.
    pub fn new(bytes: &'a [u8]) -> Self {
        // Offsets are `u32`: what lies behind 4 GiB cannot be named by a span.
        let bytes = &bytes[..bytes.len().min(u32::MAX as usize - 1)];
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', bytes).map(|at| at as u32 + 1));
        let mut total = 0;
        let counts = bytes
            .chunks(STRIDE)
            .map(|chunk| {
                let before = total;
                total += characters(chunk);
                before
            })
            .collect();
        SourceText {
            bytes,
            starts,
            counts,
        }
    }

    /// Number of lines; a file that ends with a line feed has an empty last one.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Index from 0 of the line that holds an offset; the last one for offsets behind the end.
    pub fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// Bytes of a line (index from 0) without its line end: first, and one past the last.
    pub fn line_range(&self, line: usize) -> (usize, usize) {
        let end_of_file = self.bytes.len();
        let start = self.starts.get(line).map_or(end_of_file, |start| *start as usize);
        let mut end = self
            .starts
            .get(line + 1)
            .map_or(end_of_file, |next| *next as usize - 1);
        if end > start && self.bytes[end - 1] == b'\r' {
            end -= 1;
        }
        (start, end)
    }

    /// Text of a line (index from 0) without its line end.
    pub fn line(&self, line: usize) -> &'a [u8] {
        let (start, end) = self.line_range(line);
        &self.bytes[start..end]
    }

    /// Line and column of an offset; offsets behind the end are at the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.bytes.len());
        let line = self.line_of(offset as u32);
        let mut start = self.starts[line] as usize;
        if line == 0 && self.bytes.starts_with(b"\xEF\xBB\xBF") {
            start = 3;
        }
        let column = self.characters_before(offset.max(start)) - self.characters_before(start) + 1;
        Position {
            line: line as u32 + 1,
            column,
        }
    }

    fn characters_before(&self, offset: usize) -> u32 {
        let block = offset / STRIDE;
        let Some(before) = self.counts.get(block) else {
            return self.counts.last().map_or(0, |before| {
                before + characters(&self.bytes[(self.counts.len() - 1) * STRIDE..offset])
            });
        };
        before + characters(&self.bytes[block * STRIDE..offset])
    }
}

/// Counts every byte that does not continue a UTF-8 sequence.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32
}
