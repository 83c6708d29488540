//! Where places stand after an edit that leaves what they are about as it was.

use crate::facts::ir::Function;
use crate::syntax::Span;
use crate::syntax::lexer::{self, Kind};

/// One region of a text that was replaced; what stands before it stays, what stands behind it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    start: u32,
    old_end: u32,
    new_end: u32,
}

impl Move {
    /// What became of a text, where the region lies between declarations or inside of a function that `has_changed`.
    pub(super) fn of(
        old: &[u8],
        new: &[u8],
        functions: &[Function],
        has_changed: impl Fn(usize) -> bool,
    ) -> Option<Move> {
        let same = |it: &(&u8, &u8)| it.0 == it.1;
        let start = old.iter().zip(new).take_while(same).count();
        let (rest, rest_now) = (old[start..].iter().rev(), new[start..].iter().rev());
        let behind = rest.zip(rest_now).take_while(same).count();
        let moved = Move {
            start: u32::try_from(start).ok()?,
            old_end: u32::try_from(old.len() - behind).ok()?,
            new_end: u32::try_from(new.len() - behind).ok()?,
        };
        let around = |it: &Function| it.span.start < moved.start && moved.old_end < it.span.end;
        let mut functions = functions.iter().enumerate();
        let is_inside = functions.any(|(index, it)| has_changed(index) && around(it));
        (is_inside || moved.is_between(old, new)).then_some(moved)
    }

    /// Whether the region holds nothing but comments and white space, before and after, and no declaration has begun.
    fn is_between(self, old: &[u8], new: &[u8]) -> bool {
        let quiet = |bytes: &[u8], end: u32| {
            let mut before = true;
            for token in lexer::lex_file(bytes).tokens {
                if token.end <= self.start {
                    before = matches!(token.kind, Kind::Directive) || token.is(b';') || token.is(b'}');
                } else {
                    return before && token.start >= end;
                }
            }
            before
        };
        quiet(old, self.old_end) && quiet(new, self.new_end)
    }

    /// Where a place stands now; `None` where the region has taken a part of it.
    pub fn place(self, span: Span) -> Option<Span> {
        let shifted = |it: u32| it - self.old_end + self.new_end;
        let (start, end) = (span.start, span.end);
        // What has no length at the seam may belong to either side.
        if start == end && start == self.start && start == self.old_end {
            return None;
        }
        Some(Span {
            start: match start {
                _ if start < self.start => start,
                _ if start >= self.old_end => shifted(start),
                _ => return None,
            },
            end: match end {
                _ if end <= self.start => end,
                _ if end >= self.old_end => shifted(end),
                _ => return None,
            },
        })
    }

    /// The same for where something begins.
    pub fn start(self, start: u32) -> Option<u32> {
        let span = Span {
            start,
            end: start + 1,
        };
        self.place(span).map(|it| it.start)
    }
}
