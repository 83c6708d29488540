//! Fixes put into bytes: which of them go together, and what a file is after them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Edit, Fix};

/// Every edit of some fixes by file, in order.
pub type ByFile<'a> = BTreeMap<&'a str, Vec<&'a Edit>>;

/// Which of these fixes can be applied together: each one unless it touches what one before it touches.
///
/// Two fixes with an edit in common need it once.
pub fn compatible<'a>(fixes: impl IntoIterator<Item = &'a Fix>) -> Vec<&'a Fix> {
    let mut taken: BTreeMap<&str, Taken<'_>> = BTreeMap::new();
    let mut chosen = Vec::new();
    for fix in fixes {
        let clashes = fix.edits.iter().any(|edit| {
            let others = taken.get(&*edit.location.path);
            others.is_some_and(|it| it.near(edit).any(|other| clash(other, edit)))
        });
        if clashes || fix.edits.is_empty() {
            continue;
        }
        for edit in &fix.edits {
            taken.entry(&edit.location.path).or_default().add(edit);
        }
        chosen.push(fix);
    }
    chosen
}

/// Edits of one file, by where they start.
#[derive(Default)]
struct Taken<'a> {
    edits: BTreeMap<u32, Vec<&'a Edit>>,
    /// Bytes of the longest of them.
    longest: u32,
}

impl<'a> Taken<'a> {
    fn add(&mut self, edit: &'a Edit) {
        let span = edit.location.span;
        self.longest = self.longest.max(span.end.saturating_sub(span.start));
        self.edits.entry(span.start).or_default().push(edit);
    }

    /// All of them that could touch an edit, and perhaps others.
    fn near(&self, edit: &Edit) -> impl Iterator<Item = &'a Edit> {
        let span = edit.location.span;
        let from = span.start.saturating_sub(self.longest);
        let near = self.edits.range(from..=span.end.max(from));
        near.flat_map(|(_, it)| it).copied()
    }
}

/// The edits of compatible fixes by file; what several have in common is there once.
pub fn by_file<'a>(fixes: &[&'a Fix]) -> ByFile<'a> {
    let mut files: ByFile<'a> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for edit in fixes.iter().flat_map(|it| &it.edits) {
        if known.insert((&edit.location, &edit.replacement)) {
            files.entry(&edit.location.path).or_default().push(edit);
        }
    }
    for edits in files.values_mut() {
        edits.sort_by_key(|it| (it.location.span.start, it.location.span.end));
    }
    files
}

/// A file after edits that are in order; `None` where they overlap or lie outside of it.
pub fn apply(bytes: &[u8], edits: &[&Edit]) -> Option<Arc<[u8]>> {
    let mut fixed = Vec::with_capacity(bytes.len() + 256);
    let mut done = 0;
    for edit in edits {
        let (start, end) = (edit.location.span.start as usize, edit.location.span.end as usize);
        fixed.extend_from_slice(bytes.get(done..start)?);
        fixed.extend_from_slice(edit.replacement.as_bytes());
        bytes.get(start..end)?;
        done = end;
    }
    fixed.extend_from_slice(bytes.get(done..)?);
    Some(fixed.into())
}

/// Two edits that cannot both be made, or whose order nobody knows.
fn clash(one: &Edit, other: &Edit) -> bool {
    if one == other {
        return false;
    }
    let (a, b) = (one.location.span, other.location.span);
    a.start <= b.end && b.start <= a.end
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{apply, by_file, compatible};
    use crate::diagnostics::{Edit, Fix, Location, Safety};
    use crate::syntax::Span;

    fn fix(edits: &[(u32, u32, &str)]) -> Fix {
        let edit = |(start, end, text): &(u32, u32, &str)| Edit {
            location: Location {
                path: Arc::from("a.cu"),
                span: Span {
                    start: *start,
                    end: *end,
                },
            },
            replacement: (*text).to_owned(),
        };
        Fix {
            title: String::new(),
            safety: Safety::Unsafe,
            edits: edits.iter().map(edit).collect(),
            otherwise: None,
        }
    }

    fn fixed(text: &str, fixes: &[Fix]) -> Option<String> {
        let chosen = compatible(fixes);
        let files = by_file(&chosen);
        let bytes = apply(text.as_bytes(), files.get("a.cu")?)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn edits_are_made_from_left_to_right() {
        let fixes = [fix(&[(4, 5, "E"), (0, 0, ">")]), fix(&[(2, 3, "")])];
        assert_eq!(fixed("abcde", &fixes).as_deref(), Some(">abdE"));
    }

    #[test]
    fn the_first_of_two_that_clash_is_made() {
        let fixes = [fix(&[(1, 3, "X")]), fix(&[(2, 4, "Y")]), fix(&[(3, 3, "Z")])];
        assert_eq!(fixed("abcde", &fixes).as_deref(), Some("aXde"));
    }

    #[test]
    fn an_edit_in_common_is_made_once() {
        let fixes = [fix(&[(1, 2, "X")]), fix(&[(1, 2, "X"), (4, 5, "E")])];
        assert_eq!(fixed("abcde", &fixes).as_deref(), Some("aXcdE"));
    }

    #[test]
    fn edits_outside_of_the_file_are_refused() {
        assert_eq!(fixed("abc", &[fix(&[(2, 9, "X")])]), None);
    }
}
