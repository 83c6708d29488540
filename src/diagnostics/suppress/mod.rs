//! Comments that keep findings quiet: `// cudalint: ignore[rule] reason` and `NOLINT(cudalint-rule)`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::source::SourceText;
use super::{Confidence, Finding, Location, Severity};
use crate::syntax::Span;

mod comment;
mod read;
mod unused;
mod write;

use comment::Directive;
pub use write::comment_above;

/// Name and code of the finding about a suppression that keeps nothing quiet.
pub const UNUSED: (&str, &str) = ("unused-suppression", "CL901");
/// Name and code of the finding about a suppression that names no rule there is.
pub const UNKNOWN: (&str, &str) = ("unknown-rule", "CL902");
/// Name and code of the finding about a comment that fails to be a suppression.
pub const MALFORMED: (&str, &str) = ("malformed-suppression", "CL903");

/// A file and those of its comments that mention `cudalint` or `NOLINT`.
pub struct CommentedFile<'a> {
    /// Path as findings name it.
    pub path: Arc<str>,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Where each comment is, and its text with the characters that make it a comment.
    pub comments: &'a [(Span, String)],
}

/// Whether a rule (its primary name) takes part in the run for the file at a path: `enabled(path, rule)`.
pub type Enabled<'a> = &'a dyn Fn(&str, &str) -> bool;

/// What is left of the findings.
#[derive(Debug, Default)]
pub struct Suppressed {
    /// Findings no comment speaks against, and those about the comments themselves; in no order.
    pub findings: Vec<Finding>,
    /// How many findings comments keep quiet.
    pub suppressed: usize,
}

/// Drops the findings that comments keep quiet, and adds findings about comments that do nothing.
///
/// A suppression holds for a finding when it covers any place the finding marks: its primary one or a step.
/// So the findings must be all there are: dropping those that nobody asked for comes later, else a suppression
/// they would have used looks unused.
pub fn apply(findings: Vec<Finding>, files: &[CommentedFile<'_>], enabled: Enabled<'_>) -> Suppressed {
    let mut comments = Comments::read(files, enabled);
    let mut kept = Suppressed::default();
    let problems = std::mem::take(&mut comments.problems);
    for finding in findings.into_iter().chain(once_each(problems)) {
        match comments.silence(&finding) {
            true => kept.suppressed += 1,
            false => kept.findings.push(finding),
        }
    }
    for finding in once_each(comments.unused(enabled)) {
        match comments.silence_by_name(&finding) {
            true => kept.suppressed += 1,
            false => kept.findings.push(finding),
        }
    }
    kept
}

/// Findings about comments without those said already: in a comment that is no UTF-8 all mistakes have one place.
fn once_each(findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    let mut said = BTreeSet::new();
    let is_new = move |it: &Finding| said.insert((it.primary.clone(), it.rule, it.message.clone()));
    findings.into_iter().filter(is_new)
}

/// All suppressions of a run.
struct Comments<'a> {
    files: Vec<(&'a CommentedFile<'a>, SourceText<'a>)>,
    by_path: BTreeMap<&'a str, usize>,
    sites: Vec<Site<'a>>,
    /// One per rule a site names.
    entries: Vec<Entry>,
    /// Entries of each file, by the rule they are about.
    by_file: Vec<BTreeMap<Option<&'static str>, Index>>,
    problems: Vec<Finding>,
}

/// A directive and where it stands.
struct Site<'a> {
    file: usize,
    comment: Span,
    /// Whether offsets in the comment's text are offsets in the file.
    exact: bool,
    directive: Directive<'a>,
    /// Whether the comment holds nothing else.
    alone: bool,
}

/// Entries of one file about one rule, so that those at a place are found without a look at all of them.
#[derive(Default)]
struct Index {
    file: Vec<usize>,
    /// By first line.
    lines: BTreeMap<usize, Vec<usize>>,
    /// Lines that the longest of them goes on for.
    longest: usize,
    /// In the order in which they begin.
    regions: Vec<usize>,
}

/// One rule kept quiet somewhere.
struct Entry {
    site: usize,
    /// Which of the names of the site; `None` when it names none.
    name: Option<usize>,
    /// `None` for every rule.
    rule: Option<&'static str>,
    scope: Scope,
    used: bool,
    /// The site that ends the region.
    end: Option<usize>,
}

/// Where.
#[derive(Clone, Copy)]
enum Scope {
    File,
    /// Lines from 0, both included.
    Lines(usize, usize),
    /// Bytes.
    Region(u32, u32),
}

impl Comments<'_> {
    /// Whether a suppression covers a place of the finding; every one that does is used.
    fn silence(&mut self, finding: &Finding) -> bool {
        let mut silenced = false;
        for entry in self.covering(finding) {
            self.entries[entry].used = true;
            silenced = true;
        }
        silenced
    }

    /// The same for findings about suppressions, which `ignore` without names does not cover: it would hide itself.
    fn silence_by_name(&self, finding: &Finding) -> bool {
        !self.covering_as(finding, Some(finding.rule)).is_empty()
    }

    fn covering(&self, finding: &Finding) -> Vec<usize> {
        let mut covering = self.covering_as(finding, None);
        covering.extend(self.covering_as(finding, Some(finding.rule)));
        covering
    }

    /// Entries about a rule, or about all of them, that cover a place of the finding.
    fn covering_as(&self, finding: &Finding, rule: Option<&str>) -> Vec<usize> {
        let mut covering = Vec::new();
        for location in finding.locations() {
            let Some(file) = self.by_path.get(&*location.path) else {
                continue;
            };
            let Some(index) = self.by_file[*file].get(&rule) else {
                continue;
            };
            let (_, text) = &self.files[*file];
            let first = text.line_of(location.span.start);
            let last = text.line_of(location.span.end.saturating_sub(1).max(location.span.start));
            let covers = |entry: &&usize| match self.entries[**entry].scope {
                Scope::File => true,
                Scope::Lines(from, to) => (from..=to).contains(&first) || (from..=to).contains(&last),
                Scope::Region(from, to) => (from..to).contains(&location.span.start),
            };
            let lines = index.lines.range(first.saturating_sub(index.longest)..=last);
            let begun = |entry: &usize| match self.entries[*entry].scope {
                Scope::Region(from, _) => from <= location.span.start,
                _ => true,
            };
            let begun = index.regions.partition_point(begun);
            let near = index.file.iter().chain(lines.flat_map(|(_, entries)| entries));
            let near = near.chain(&index.regions[..begun]);
            covering.extend(near.filter(covers).copied());
        }
        covering
    }

    /// Adds an entry of a file to what is known.
    fn add_entry(&mut self, file: usize, entry: Entry) {
        let at = self.entries.len();
        let index = self.by_file[file].entry(entry.rule).or_default();
        match entry.scope {
            Scope::File => index.file.push(at),
            Scope::Lines(from, to) => {
                index.lines.entry(from).or_default().push(at);
                index.longest = index.longest.max(to.saturating_sub(from));
            }
            Scope::Region(..) => index.regions.push(at),
        }
        self.entries.push(entry);
    }

    /// A range of a comment's text in the file; the whole comment when the text is not what the file holds.
    fn location(&self, file: usize, comment: Span, exact: bool, range: &std::ops::Range<usize>) -> Location {
        let span = match exact {
            true => Span {
                start: comment.start + range.start as u32,
                end: comment.start + range.end as u32,
            },
            false => comment,
        };
        Location {
            path: self.files[file].0.path.clone(),
            span,
        }
    }
}

fn about_comment(rule: (&'static str, &'static str), primary: Location, message: String) -> Finding {
    Finding {
        rule: rule.0,
        code: rule.1,
        severity: Severity::Warning,
        confidence: Confidence::High,
        primary,
        message,
        steps: Vec::new(),
        help: None,
        evidence: None,
        assumptions: Vec::new(),
        configuration: None,
        fix: None,
        picture: None,
    }
}

/// Whether a comment shares its lines with nothing.
fn has_own_lines(text: &SourceText<'_>, comment: Span) -> bool {
    let is_blank = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
    let length = text.bytes.len();
    let (start, end) = (
        (comment.start as usize).min(length),
        (comment.end as usize).min(length),
    );
    let before = text.line_start(text.line_of(start as u32));
    let (_, after) = text.line_range(text.line_of(end as u32));
    // The comment may have taken the end of its line with it.
    let ends_line = end > start && matches!(text.bytes[end - 1], b'\n' | b'\r');
    is_blank(&text.bytes[before..start]) && (ends_line || is_blank(&text.bytes[end..after.max(end)]))
}
