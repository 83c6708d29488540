//! Comments that keep findings quiet, and the fixes for those that do nothing.

use std::sync::Arc;

use cudalint::diagnostics::rule::RULES;
use cudalint::diagnostics::suppress::{CommentedFile, Suppressed, UNUSED, apply};
use cudalint::diagnostics::{Confidence, Edit, Finding, Location, Severity, edits, sort};
use cudalint::facts::extract;
use cudalint::syntax::{Defines, MacroTable, Span, collect_macros};

use super::promises::{Sources, check_findings};

/// Reads the bytes as a source file with a finding at every `@`, and as the text of one comment.
pub fn run(bytes: &[u8]) {
    let mut table = MacroTable::default();
    table.merge(collect_macros(bytes));
    let comments = extract(bytes, &Defines::for_cuda(13_000), &table).marked_comments;
    check(bytes, &comments);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let whole = Span {
            start: 0,
            end: text.len() as u32,
        };
        check(bytes, &[(whole, text.to_owned())]);
    }
}

fn check(bytes: &[u8], comments: &[(Span, String)]) {
    let findings = findings(bytes);
    let all = findings.len();
    let left = suppressed(bytes, comments, findings.clone());
    let about_code = |it: &Finding| findings.contains(it);
    let kept = left.findings.iter().filter(|it| about_code(it)).count();
    assert!(kept + left.suppressed >= all, "findings are lost");
    let sources: Sources = [(path(), Arc::from(bytes))].into();
    check_findings(&left.findings, &sources);
    // A suppression that is said to do nothing can go without anything coming back.
    let unused = left.findings.iter().filter(|it| it.rule == UNUSED.0);
    let fixes: Vec<_> = unused.filter_map(|it| it.fix.as_ref()).collect();
    let edits = fixes.iter().flat_map(|it| &it.edits);
    if let Some((blanked, remaining)) = without(bytes, comments, edits) {
        let without = suppressed(&blanked, &remaining, findings.clone());
        let still = without.findings.iter().filter(|it| about_code(it)).count();
        assert_eq!(still, kept, "an unused suppression kept something quiet");
    }
    for chosen in [edits::compatible(fixes.iter().copied())] {
        for (_, edits) in edits::by_file(&chosen) {
            assert!(edits::apply(bytes, &edits).is_some(), "{edits:?}");
        }
    }
}

/// Where comments are, and their texts.
type Comments = Vec<(Span, String)>;

/// The source and its comments after the edits, filled up with blanks so that all else stays where it is; `None` where that cannot be, or a
/// comment's text is not what the source holds there.
fn without<'a>(
    bytes: &[u8],
    comments: &[(Span, String)],
    edits: impl Iterator<Item = &'a Edit>,
) -> Option<(Vec<u8>, Comments)> {
    let mut blanked = bytes.to_vec();
    for edit in edits {
        let span = edit.location.span;
        let place = blanked.get_mut(span.start as usize..span.end as usize)?;
        let (written, rest) = place.split_at_mut_checked(edit.replacement.len())?;
        written.copy_from_slice(edit.replacement.as_bytes());
        for byte in rest {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    let left = |(span, text): &(Span, String)| {
        let range = span.start as usize..span.end as usize;
        (bytes[range.clone()] == *text.as_bytes()).then_some(())?;
        Some((*span, String::from_utf8(blanked[range].to_vec()).ok()?))
    };
    let remaining = comments.iter().map(left).collect::<Option<_>>()?;
    Some((blanked, remaining))
}

fn path() -> Arc<str> {
    Arc::from("a.cu")
}

fn suppressed(bytes: &[u8], comments: &[(Span, String)], findings: Vec<Finding>) -> Suppressed {
    let file = CommentedFile {
        path: path(),
        bytes,
        comments,
    };
    let mut left = apply(findings, &[file], &|_, _| true);
    sort(&mut left.findings);
    left
}

/// A finding at every `@`, of each rule in turn.
fn findings(bytes: &[u8]) -> Vec<Finding> {
    let places = memchr::memchr_iter(b'@', bytes).take(64).enumerate();
    let finding = |(index, at): (usize, usize)| {
        let rule = &RULES[index % RULES.len()];
        Finding {
            rule: rule.name,
            code: rule.code,
            severity: Severity::Warning,
            confidence: Confidence::High,
            primary: Location {
                path: path(),
                span: Span {
                    start: at as u32,
                    end: at as u32 + 1,
                },
            },
            message: format!("finding {index}"),
            steps: Vec::new(),
            help: None,
            evidence: None,
            assumptions: Vec::new(),
            configuration: None,
            fix: None,
            picture: None,
        }
    };
    places.map(finding).collect()
}
