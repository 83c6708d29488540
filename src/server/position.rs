//! Offsets in bytes to places as editors count them, and back.

use serde::{Deserialize, Serialize};

use crate::diagnostics::source::SourceText;
use crate::syntax::Span;

/// A place in a document: both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Position {
    pub line: u32,
    /// In units of the [`Encoding`].
    pub character: u32,
}

/// From one place to another one, which is not part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Range {
    pub start: Position,
    pub end: Position,
}

/// What one character of a position is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    /// What every client knows.
    #[default]
    Utf16,
    Utf32,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Encoding {
    /// The first one that both sides know, the cheapest first.
    pub fn negotiate(offered: &[String]) -> Self {
        let known = [Encoding::Utf8, Encoding::Utf32];
        let offered = |it: &Encoding| offered.iter().any(|name| name == it.name());
        known.into_iter().find(offered).unwrap_or_default()
    }

    /// As the protocol spells it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    fn width(self, letter: char) -> usize {
        match self {
            Encoding::Utf8 => letter.len_utf8(),
            Encoding::Utf16 => letter.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// The place of an offset; editors show no byte order mark, and a byte that is no UTF-8 as one character.
    pub fn position(self, text: &SourceText<'_>, offset: u32) -> Position {
        let offset = (offset as usize).min(text.bytes.len());
        let line = text.line_of(u32::try_from(offset).unwrap_or(u32::MAX));
        let (start, end) = self.line_range(text, line);
        let before = text.bytes.get(start..offset.min(end)).unwrap_or_default();
        let width = before
            .utf8_chunks()
            .map(|it| it.valid().chars().map(|letter| self.width(letter)).sum::<usize>() + it.invalid().len())
            .sum::<usize>();
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character: u32::try_from(width).unwrap_or(u32::MAX),
        }
    }

    pub fn range(self, text: &SourceText<'_>, span: Span) -> Range {
        Range {
            start: self.position(text, span.start),
            end: self.position(text, span.end.max(span.start)),
        }
    }

    /// The offset of a place; what lies behind the end of a line or of the document is that end.
    pub fn offset(self, text: &SourceText<'_>, position: Position) -> usize {
        let line = position.line as usize;
        if line >= text.line_count() {
            return text.bytes.len();
        }
        let (start, end) = self.line_range(text, line);
        let (mut at, mut left) = (start, position.character as usize);
        for chunk in text.bytes.get(start..end).unwrap_or_default().utf8_chunks() {
            for letter in chunk.valid().chars() {
                let width = self.width(letter);
                if left < width {
                    return at;
                }
                left -= width;
                at += letter.len_utf8();
            }
            for _ in chunk.invalid() {
                if left == 0 {
                    return at;
                }
                left -= 1;
                at += 1;
            }
        }
        at
    }

    fn line_range(self, text: &SourceText<'_>, line: usize) -> (usize, usize) {
        let (start, end) = text.line_range(line);
        match line == 0 && text.bytes.starts_with(BYTE_ORDER_MARK) {
            true => (
                start + BYTE_ORDER_MARK.len(),
                end.max(start + BYTE_ORDER_MARK.len()),
            ),
            false => (start, end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_finds_its_way_back() {
        let source = "aé😀b\r\nx\n\u{feff}😀y";
        let text = SourceText::new(source.as_bytes());
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (offset, _) in source.char_indices().filter(|(_, it)| !matches!(it, '\n')) {
                let position = encoding.position(&text, offset as u32);
                assert_eq!(
                    encoding.offset(&text, position),
                    offset,
                    "{encoding:?} {position:?}"
                );
            }
        }
    }

    #[test]
    fn characters_are_counted_as_the_encoding_says() {
        let text = SourceText::new("😀é|".as_bytes());
        let columns =
            [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(|it| it.position(&text, 6).character);
        assert_eq!(columns, [6, 3, 2]);
    }

    #[test]
    fn a_byte_order_mark_takes_no_place_and_places_behind_the_end_are_the_end() {
        let text = SourceText::new(b"\xEF\xBB\xBFab\ncd");
        let at = |line, character| Encoding::Utf16.offset(&text, Position { line, character });
        assert_eq!(Encoding::Utf16.position(&text, 4).character, 1);
        assert_eq!((at(0, 1), at(0, 99), at(1, 99), at(7, 0)), (4, 5, 8, 8));
    }

    #[test]
    fn a_place_inside_a_pair_of_halves_is_before_it() {
        let text = SourceText::new("😀".as_bytes());
        let middle = Position {
            line: 0,
            character: 1,
        };
        assert_eq!(Encoding::Utf16.offset(&text, middle), 0);
    }
}
