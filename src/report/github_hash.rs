//! `primaryLocationLineHash`: how GitHub recognises an alert after lines above it moved.
//!
//! The value must be the one the upload action computes itself, which otherwise warns and keeps ours: a rolling
//! hash, to the base 37 and modulo 2^64, over the 100 UTF-16 units from the start of the line on. Blanks and tabs are left out, every line end is one
//! line feed, the file ends with 65535, and what lies behind the end is zero. A counter tells equal hashes apart.
//! See <https://github.com/github/codeql-action/blob/main/src/fingerprints.ts>.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::fmt;

/// Units a hash covers.
const WINDOW: usize = 100;
const BASE: u64 = 37;
/// What stands for the end of the file.
const END: u16 = u16::MAX;
const LINE_FEED: u16 = b'\n' as u16;

/// A hash as it is written.
pub struct LineHash {
    hash: u64,
    occurrence: u64,
}

impl fmt::Display for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}:{}", self.hash, self.occurrence)
    }
}

/// Calls back with the number from 1 and the hash of every line, in order.
pub fn line_hashes(bytes: &[u8], mut with: impl FnMut(u32, LineHash)) {
    let mut rolling = Rolling::new();
    let mut begins_line = true;
    for unit in units(bytes).chain([END]) {
        rolling.emit_due(&mut with);
        rolling.push(unit, begins_line);
        begins_line = unit == LINE_FEED;
    }
    for _ in 0..WINDOW {
        rolling.emit_due(&mut with);
        rolling.push(0, false);
    }
}

/// The UTF-16 units that count, each line end as one line feed.
///
/// A blank between a carriage return and a line feed ends the pair, as it does for GitHub.
fn units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let characters = bytes.utf8_chunks().flat_map(|chunk| {
        let invalid = (!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER);
        chunk.valid().chars().chain(invalid)
    });
    let mut after_return = false;
    characters.flat_map(move |c| {
        let joined = c == '\n' && after_return;
        after_return = c == '\r';
        let mut buffer = [0; 2];
        let units: &[u16] = match c {
            ' ' | '\t' => &[],
            '\n' if joined => &[],
            '\r' => &[LINE_FEED],
            _ => c.encode_utf16(&mut buffer),
        };
        let (first, second) = (units.first().copied(), units.get(1).copied());
        first.into_iter().chain(second)
    })
}

/// The hash of the last [`WINDOW`] units, and the lines that began in them.
struct Rolling {
    units: VecDeque<u16>,
    hash: u64,
    /// `BASE` to the power of `WINDOW`: the weight of the unit that leaves.
    leaving: u64,
    /// Units pushed so far.
    pushed: usize,
    lines: u32,
    /// When each line that has no hash yet began.
    begun: VecDeque<usize>,
    seen: BTreeMap<u64, u64>,
}

impl Rolling {
    fn new() -> Self {
        Rolling {
            units: VecDeque::from(vec![0; WINDOW]),
            hash: 0,
            leaving: (0..WINDOW).fold(1, |power: u64, _| power.wrapping_mul(BASE)),
            pushed: 0,
            lines: 0,
            begun: VecDeque::new(),
            seen: BTreeMap::new(),
        }
    }

    fn push(&mut self, unit: u16, begins_line: bool) {
        if begins_line {
            self.lines += 1;
            self.begun.push_back(self.pushed);
        }
        let left = self.units.pop_front().unwrap_or(0);
        self.units.push_back(unit);
        let gone = self.leaving.wrapping_mul(u64::from(left));
        self.hash = self
            .hash
            .wrapping_mul(BASE)
            .wrapping_add(u64::from(unit))
            .wrapping_sub(gone);
        self.pushed += 1;
    }

    /// Reports the line whose window is full.
    fn emit_due(&mut self, with: &mut impl FnMut(u32, LineHash)) {
        if self
            .begun
            .front()
            .is_some_and(|begun| begun + WINDOW == self.pushed)
        {
            self.begun.pop_front();
            let occurrence = self.seen.entry(self.hash).or_insert(0);
            *occurrence += 1;
            let line = self.lines - self.begun.len() as u32;
            with(
                line,
                LineHash {
                    hash: self.hash,
                    occurrence: *occurrence,
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::line_hashes;

    fn hashes(text: &str) -> Vec<String> {
        let mut hashes = Vec::new();
        line_hashes(text.as_bytes(), |line, hash| {
            assert_eq!(line as usize, hashes.len() + 1);
            hashes.push(hash.to_string());
        });
        hashes
    }

    #[test]
    fn agrees_with_github() {
        assert_eq!(hashes(""), ["c129715d7a2bc9a3:1"]);
        let short = [
            "271789c17abda88f:1",
            "54703d4cd895b18:1",
            "180aee12dab6264:1",
            "a23a3dc5e078b07b:1",
        ];
        assert_eq!(hashes(" a\nb\n  \t\tc\n d"), short);
        assert_eq!(hashes(" a\r\nb\r  \t\tc\n d"), short);
        let repeated = hashes(&"Lorem ipsum dolor sit amet.\n".repeat(10));
        assert_eq!(repeated[0], "a7f2ff13bc495cf2:1");
        assert_eq!(repeated[5], "a7f2ff13bc495cf2:6");
        assert_eq!(repeated[6], "a7f2ff1481e87703:1");
        assert_eq!(repeated[10], "c129715d7a2bc9a3:1");
    }
}
