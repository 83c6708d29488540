//! Unified diffs.

use std::fmt::Write as _;

use crate::diagnostics::Edit;
use crate::diagnostics::edits::apply;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// More edits than this are shown as one piece that takes the place of another.
const MAX_EDITS: usize = 1000;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Keep,
    Remove,
    Add,
}

/// The change of a file as `diff -u` shows it; empty when there is none.
pub fn unified(path: &str, before: &[u8], after: &[u8]) -> String {
    let (old, new) = (lines(before), lines(after));
    shown(path, &script(&old, &new), &old, &new, 0)
}

/// A file that is edited many times, each time as it was: what an edit costs is what is around it, not the file.
pub struct Edited<'a> {
    bytes: &'a [u8],
    /// Where lines start.
    starts: Vec<usize>,
}

impl<'a> Edited<'a> {
    /// Finds its lines.
    pub fn new(bytes: &'a [u8]) -> Self {
        let ends = memchr::memchr_iter(b'\n', bytes).map(|it| it + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Edited { bytes, starts }
    }

    /// What edits in order change, as `diff -u` shows it; empty where they change nothing, overlap or lie outside of the file.
    pub fn by(&self, path: &str, edits: &[&Edit]) -> String {
        let line_of = |offset: u32| self.starts.partition_point(|it| *it <= offset as usize) - 1;
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else {
            return String::new();
        };
        let (from, to) = (
            line_of(first.location.span.start),
            line_of(last.location.span.end),
        );
        let start_of = |line: usize| self.starts.get(line).copied().unwrap_or(self.bytes.len());
        let (begin, end) = (start_of(from), start_of(to + 1));
        // As if there was nothing else, each edit where it is then.
        let moved = |edit: &&Edit| {
            let mut edit = Edit::clone(edit);
            let base = u32::try_from(begin).ok()?;
            edit.location.span.start = edit.location.span.start.checked_sub(base)?;
            edit.location.span.end = edit.location.span.end.checked_sub(base)?;
            Some(edit)
        };
        let moved: Option<Vec<Edit>> = edits.iter().map(moved).collect();
        let touched = self.bytes.get(begin..end);
        let after = moved
            .zip(touched)
            .and_then(|(moved, touched)| apply(touched, &moved.iter().collect::<Vec<_>>()));
        let (Some(after), Some(touched)) = (after, touched) else {
            return String::new();
        };
        let (old, new) = (lines(touched), lines(&after));
        let changed = script(&old, &new);
        let head = lines(&self.bytes[start_of(from.saturating_sub(CONTEXT))..begin]);
        let tail = lines(&self.bytes[end..start_of(to + 1 + CONTEXT)]);
        let keep = |lines: &[&[u8]]| vec![Op::Keep; lines.len()];
        let ops = [keep(&head), changed, keep(&tail)].concat();
        let (old, new) = (
            [&head[..], &old, &tail].concat(),
            [&head[..], &new, &tail].concat(),
        );
        shown(path, &ops, &old, &new, from - head.len())
    }
}

/// The changed lines with those around them; `skipped` lines come before the first one.
fn shown(path: &str, ops: &[Op], old: &[&[u8]], new: &[&[u8]], skipped: usize) -> String {
    let mut text = String::new();
    for range in hunks(ops) {
        if text.is_empty() {
            let name = name(path);
            let _ = writeln!(text, "--- {name}\n+++ {name}");
        }
        hunk(&mut text, ops, range, (old, new), skipped);
    }
    text
}

/// A path as `patch` and `git apply` read it: a tab ends one with spaces, quotes hold one with worse.
fn name(path: &str) -> String {
    let is_special = |it: char| it.is_control() || it == '"' || it == '\\';
    if path.contains(is_special) {
        let escaped = |it: char| match is_special(it) {
            true => it.escape_default().to_string(),
            false => it.to_string(),
        };
        return format!("\"{}\"", path.chars().map(escaped).collect::<String>());
    }
    match path.contains(' ') {
        true => format!("{path}\t"),
        false => path.to_owned(),
    }
}

/// Lines with their endings.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|it| *it == b'\n').collect()
}

/// Ranges of operations that are shown together.
fn hunks(ops: &[Op]) -> Vec<(usize, usize)> {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for (index, _) in ops.iter().enumerate().filter(|(_, op)| **op != Op::Keep) {
        let (first, last) = (
            index.saturating_sub(CONTEXT),
            (index + CONTEXT + 1).min(ops.len()),
        );
        match hunks.last_mut() {
            Some(hunk) if hunk.1 >= first => hunk.1 = last,
            _ => hunks.push((first, last)),
        }
    }
    hunks
}

fn hunk(
    text: &mut String,
    ops: &[Op],
    (first, last): (usize, usize),
    (old, new): (&[&[u8]], &[&[u8]]),
    skipped: usize,
) {
    let count = |ops: &[Op], without: Op| ops.iter().filter(|it| **it != without).count();
    let (mut a, mut b) = (count(&ops[..first], Op::Add), count(&ops[..first], Op::Remove));
    let range = |start: usize, length: usize| {
        let from = skipped + if length == 0 { start } else { start + 1 };
        match length {
            1 => from.to_string(),
            _ => format!("{from},{length}"),
        }
    };
    let shown = &ops[first..last];
    let (of_old, of_new) = (
        range(a, count(shown, Op::Add)),
        range(b, count(shown, Op::Remove)),
    );
    let _ = writeln!(text, "@@ -{of_old} +{of_new} @@");
    for op in shown {
        let (sign, line) = match op {
            Op::Keep => (' ', old[a]),
            Op::Remove => ('-', old[a]),
            Op::Add => ('+', new[b]),
        };
        a += usize::from(*op != Op::Add);
        b += usize::from(*op != Op::Remove);
        text.push(sign);
        text.push_str(&String::from_utf8_lossy(line));
        if !line.ends_with(b"\n") {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The shortest way from one list of lines to another, by Myers.
fn script(old: &[&[u8]], new: &[&[u8]]) -> Vec<Op> {
    let common = |(a, b): &(&&[u8], &&[u8])| a == b;
    let head = old.iter().zip(new).take_while(common).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(common).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut ops = vec![Op::Keep; head];
    ops.extend(shortest(old, new).unwrap_or_else(|| {
        let removed = old.iter().map(|_| Op::Remove);
        removed.chain(new.iter().map(|_| Op::Add)).collect()
    }));
    ops.extend(std::iter::repeat_n(Op::Keep, tail));
    ops
}

fn shortest(old: &[&[u8]], new: &[&[u8]]) -> Option<Vec<Op>> {
    let limit = (old.len() + new.len()).min(MAX_EDITS);
    let middle = limit + 1;
    // How far into the old lines each diagonal gets, for each number of edits.
    let mut reach = vec![0_usize; 2 * middle + 1];
    let mut history = Vec::new();
    for edits in 0..=limit {
        history.push(reach.clone());
        for diagonal in (middle - edits..=middle + edits).step_by(2) {
            let down = diagonal == middle - edits
                || (diagonal != middle + edits && reach[diagonal - 1] < reach[diagonal + 1]);
            let mut x = if down {
                reach[diagonal + 1]
            } else {
                reach[diagonal - 1] + 1
            };
            // `y = x - (diagonal - middle)`; diagonals that lie outside of the new lines go nowhere.
            let Some(mut y) = (x + middle).checked_sub(diagonal) else {
                continue;
            };
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            reach[diagonal] = x;
            if x >= old.len() && y >= new.len() {
                return Some(back(&history, (old.len(), new.len()), middle));
            }
        }
    }
    None
}

/// The way back through the history of a search.
fn back(history: &[Vec<usize>], (mut x, mut y): (usize, usize), middle: usize) -> Vec<Op> {
    let mut ops = Vec::new();
    for (edits, reach) in history.iter().enumerate().rev() {
        let diagonal = x + middle - y;
        let down = diagonal == middle - edits
            || (diagonal != middle + edits && reach[diagonal - 1] < reach[diagonal + 1]);
        let from = if down { diagonal + 1 } else { diagonal - 1 };
        let (from_x, from_y) = match edits {
            0 => (0, 0),
            _ => (reach[from], (reach[from] + middle).saturating_sub(from)),
        };
        while x > from_x && y > from_y {
            ops.push(Op::Keep);
            (x, y) = (x - 1, y - 1);
        }
        if edits > 0 {
            ops.push(if down { Op::Add } else { Op::Remove });
            (x, y) = (from_x, from_y);
        }
    }
    ops.reverse();
    ops
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Edited, unified};
    use crate::diagnostics::edits::apply;
    use crate::diagnostics::{Edit, Location};
    use crate::syntax::Span;

    /// The new lines, put together from the old ones and a diff.
    fn patched(before: &str, diff: &str) -> String {
        let old: Vec<&str> = before.split_inclusive('\n').collect();
        let (mut at, mut new) = (0, String::new());
        for line in diff.split_inclusive('\n').skip(2) {
            if let Some(rest) = line.strip_prefix("@@ -") {
                let range = rest.split(' ').next().unwrap_or_default();
                let (start, length) = range.split_once(',').unwrap_or((range, "1"));
                let start: usize = start.parse().expect("a number");
                let start = start - usize::from(length != "0");
                old[at..start].iter().for_each(|it| new.push_str(it));
                at = start;
            } else if let Some(added) = line.strip_prefix('+') {
                new.push_str(added);
            } else if line.starts_with('\\') {
                new.pop();
            } else {
                if line.starts_with(' ') {
                    new.push_str(old[at]);
                    // The marker that may follow takes this away again.
                    if !old[at].ends_with('\n') {
                        new.push('\n');
                    }
                }
                at += 1;
                if line.starts_with('-') && !old[at - 1].ends_with('\n') {
                    new.push('\n');
                }
            }
        }
        old[at..].iter().for_each(|it| new.push_str(it));
        new
    }

    #[test]
    fn a_change_is_shown_with_its_surroundings() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let after = "a\nb\nc\nd\nE\nf\ng\nh\n";
        let diff = "--- x.cu\n+++ x.cu\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n";
        assert_eq!(unified("x.cu", before.as_bytes(), after.as_bytes()), diff);
        assert_eq!(unified("x.cu", before.as_bytes(), before.as_bytes()), "");
    }

    #[test]
    fn a_name_is_written_so_that_patch_reads_it() {
        let head = |path: &str| unified(path, b"a\n", b"b\n").lines().next().map(str::to_owned);
        assert_eq!(head("a/b.cu").as_deref(), Some("--- a/b.cu"));
        assert_eq!(head("a b.cu").as_deref(), Some("--- a b.cu\t"));
        assert_eq!(head("a\n\"b\".cu").as_deref(), Some(r#"--- "a\n\"b\".cu""#));
    }

    #[test]
    fn a_missing_line_ending_is_said() {
        let diff = unified("x.cu", b"a\nb", b"a\nc");
        assert!(
            diff.ends_with("-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"),
            "{diff}"
        );
    }

    #[test]
    fn diffs_lead_from_the_old_to_the_new_lines() {
        let texts = [
            "",
            "a\n",
            "a\nb\n",
            "b\na\n",
            "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n",
            "x\na\nb\nd\ne\nf\ng\nh\ni\nj\nk\ny\nl\nm\nz\n",
            "m\nl\nk\nj\n",
        ];
        for before in texts {
            for after in texts {
                let diff = unified("x", before.as_bytes(), after.as_bytes());
                assert_eq!(patched(before, &diff), after, "{before:?} {after:?}\n{diff}");
            }
        }
    }

    #[test]
    fn edits_show_what_the_whole_file_would() {
        let text = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl";
        let edit = |start: usize, end: usize, replacement: &str| Edit {
            location: Location {
                path: Arc::from("x"),
                span: Span {
                    start: start as u32,
                    end: end as u32,
                },
            },
            replacement: replacement.to_owned(),
        };
        let file = Edited::new(text.as_bytes());
        for start in 0..=text.len() {
            for end in start..=text.len() {
                for replacement in ["", "x", "\n", "x\ny\n"] {
                    let (one, last) = (edit(start, end, replacement), edit(text.len(), text.len(), "!\n"));
                    for edits in [vec![&one], vec![&one, &last]] {
                        let after = apply(text.as_bytes(), &edits).expect("they are in order");
                        let diff = file.by("x", &edits);
                        assert_eq!(
                            diff,
                            unified("x", text.as_bytes(), &after),
                            "{start}..{end} {replacement:?}"
                        );
                    }
                }
            }
        }
        assert_eq!(file.by("x", &[&edit(3, 99, "")]), "");
        // Where lines are alike, it is the edited one that changes.
        let alike = "a\n".repeat(20);
        let diff = Edited::new(alike.as_bytes()).by("x", &[&edit(20, 22, "")]);
        assert!(
            diff.contains("@@ -9,7 +9,6 @@") && diff.ends_with("-a\n a\n a\n a\n"),
            "{diff}"
        );
    }
}
