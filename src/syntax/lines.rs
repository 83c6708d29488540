//! Offsets to lines and columns.

use super::Span;
use super::lexer::BYTE_ORDER_MARK;

/// Where the lines of a file start; answers for the bytes it was made from.
///
/// A line ends with `\n`, `\r\n` or a lone `\r`.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    bytes: &'a [u8],
    starts: Vec<u32>,
}

impl<'a> LineIndex<'a> {
    /// Finds all line starts.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let first_of_two = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if !first_of_two {
                starts.push(offset(at + 1));
            }
        }
        LineIndex { bytes, starts }
    }

    /// Line and column of an offset, both from 1. Columns count characters; a byte that is no UTF-8 counts as
    /// one, and the byte order mark as none. An offset past the end is the end.
    pub fn line_column(&self, position: u32) -> (u32, u32) {
        let position = position.min(offset(self.bytes.len()));
        let line = self.line_of(position);
        let start = self.text_start(line);
        let before = self
            .bytes
            .get(start as usize..position as usize)
            .unwrap_or_default();
        (line, offset(characters(before)) + 1)
    }

    /// The line (from 1) that holds an offset.
    pub fn line_of(&self, position: u32) -> u32 {
        offset(self.starts.partition_point(|&start| start <= position))
    }

    /// Bytes of a line (from 1) without its line ending; empty for a line that does not exist.
    pub fn line_span(&self, line: u32) -> Span {
        let index = (line as usize).wrapping_sub(1);
        let Some(&start) = self.starts.get(index) else {
            return Span {
                start: offset(self.bytes.len()),
                end: offset(self.bytes.len()),
            };
        };
        let mut end = self
            .starts
            .get(index + 1)
            .map_or(self.bytes.len(), |&next| next as usize);
        for ending in *b"\n\r" {
            if end > start as usize && self.bytes[end - 1] == ending {
                end -= 1;
            }
        }
        Span {
            start,
            end: offset(end),
        }
    }

    /// Number of lines; an empty file has one.
    pub fn line_count(&self) -> u32 {
        offset(self.starts.len())
    }

    /// The offset of a line's first character, after a byte order mark.
    fn text_start(&self, line: u32) -> u32 {
        match line {
            1 if self.bytes.starts_with(BYTE_ORDER_MARK) => offset(BYTE_ORDER_MARK.len()),
            _ => self.starts[(line as usize).saturating_sub(1)],
        }
    }
}

/// Offsets past 4 GiB do not occur: such files are not read.
fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn characters(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_ending_ends_a_line() {
        let lines = LineIndex::new(b"a\nb\r\nc\rd");
        assert_eq!(lines.line_count(), 4);
        let spans: Vec<_> = (1..=5)
            .map(|line| lines.line_span(line))
            .map(|span| (span.start, span.end))
            .collect();
        assert_eq!(spans, [(0, 1), (2, 3), (5, 6), (7, 8), (8, 8)]);
        assert_eq!(lines.line_column(7), (4, 1));
        assert_eq!(lines.line_column(99), (4, 2));
    }

    #[test]
    fn columns_count_characters_and_invalid_bytes() {
        let lines = LineIndex::new("\u{feff}aé€x".as_bytes());
        assert_eq!(lines.line_column(0), (1, 1));
        assert_eq!(lines.line_column(3), (1, 1));
        assert_eq!(lines.line_column(9), (1, 4));
        assert_eq!(LineIndex::new(b"\xff\xfe\xffx").line_column(3), (1, 4));
    }
}
