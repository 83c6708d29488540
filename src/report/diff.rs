//! Unified diffs.

use std::fmt::Write as _;

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
    let ops = script(&old, &new);
    let mut text = String::new();
    for (first, last) in hunks(&ops) {
        if text.is_empty() {
            let name = name(path);
            let _ = writeln!(text, "--- {name}\n+++ {name}");
        }
        hunk(&mut text, &ops, (first, last), &old, &new);
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

fn hunk(text: &mut String, ops: &[Op], (first, last): (usize, usize), old: &[&[u8]], new: &[&[u8]]) {
    let count = |ops: &[Op], without: Op| ops.iter().filter(|it| **it != without).count();
    let (mut a, mut b) = (count(&ops[..first], Op::Add), count(&ops[..first], Op::Remove));
    let range = |start: usize, length: usize| {
        let from = if length == 0 { start } else { start + 1 };
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
    use super::unified;

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
}
