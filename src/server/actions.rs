//! What can be done about a finding: its fix, a comment that keeps it quiet, all safe fixes of a document.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::documents::Documents;
use super::position::{Position, Range};
use super::published::Page;
use super::settings::Abilities;
use super::target::Answer;
use crate::diagnostics::edits::by_file;
use crate::diagnostics::source::{SourceText, Sources};
use crate::diagnostics::suppress::comment_above;
use crate::diagnostics::{Finding, Fix, Safety, fingerprint};
use crate::project::fix::Change;

/// The kind of what applies all safe fixes.
pub(super) const FIX_ALL: &str = "source.fixAll.cudalint";

/// The command that shows a picture, where the editor has one.
pub(super) const SHOW_PICTURE: &str = "cudalint.showPicture";

/// Where actions are asked for, and which.
pub(super) struct Asked<'a> {
    pub address: &'a str,
    pub range: Range,
    /// Kinds that are wanted; `None` for all.
    pub only: Option<Vec<String>>,
}

impl Asked<'_> {
    /// Whether a kind, or one that holds it, is wanted.
    pub fn wants(&self, kind: &str) -> bool {
        let holds = |wanted: &String| {
            let rest = kind.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('.'))
        };
        self.only.as_ref().is_none_or(|only| only.iter().any(holds))
    }
}

/// What can be done about the findings at a place, from an answer about the documents as they are.
pub(super) fn quick_fixes(
    answer: &Answer,
    asked: &Asked<'_>,
    documents: &Documents,
    abilities: Abilities,
) -> Vec<Value> {
    let Some(shown) = answer.shown(asked.address) else {
        return Vec::new();
    };
    let sources = Sources::new(&answer.findings, &answer.sources);
    let fingerprints = fingerprint::fingerprints(&answer.findings, &sources);
    let page = Page {
        answer,
        sources: &sources,
        abilities,
    };
    let text = sources.file(shown);
    let mut actions = Vec::new();
    for (finding, fingerprint) in answer.findings.iter().zip(&fingerprints) {
        let primary = abilities.encoding.range(text, finding.primary.span);
        let is_here =
            primary.start.line <= asked.range.end.line && asked.range.start.line <= primary.end.line;
        if finding.primary.path != *shown || !is_here {
            continue;
        }
        let of = Of {
            finding,
            page,
            documents,
            diagnostic: page.diagnostic(finding, fingerprint),
        };
        actions.extend(of.fix());
        actions.extend(of.suppression(text));
        if abilities.shows_pictures && finding.picture.is_some() {
            let title = "Show who waits for whom";
            let arguments = json!([{"uri": asked.address, "fingerprint": fingerprint}]);
            actions.push(json!({
                "title": title,
                "kind": "quickfix",
                "diagnostics": [of.diagnostic],
                "command": {"title": title, "command": SHOW_PICTURE, "arguments": arguments},
            }));
        }
    }
    // Findings of one rule on one line are kept quiet by one comment.
    actions.dedup_by(|a, b| a["title"] == b["title"] && a["edit"] == b["edit"] && !a["edit"].is_null());
    actions
}

/// Whether there is a safe fix in a document.
pub(super) fn has_safe_fix(answer: &Answer, address: &str) -> bool {
    let in_it = |it: &&Finding| {
        answer
            .addresses
            .get(&it.primary.path)
            .is_some_and(|it| it == address)
    };
    let fixes = answer
        .findings
        .iter()
        .filter(in_it)
        .filter_map(|it| it.fix.as_ref());
    let mut safe = fixes.filter(|it| it.safety == Safety::Safe && !it.edits.is_empty());
    safe.next().is_some()
}

/// One finding, and what its actions are made of.
struct Of<'a> {
    finding: &'a Finding,
    page: Page<'a>,
    documents: &'a Documents,
    diagnostic: Value,
}

impl Of<'_> {
    fn fix(&self) -> Option<Value> {
        let fix = self.finding.fix.as_ref()?;
        let (title, preferred) = match fix.safety {
            Safety::Safe => (capitalised(&fix.title), true),
            Safety::Unsafe => (format!("Unsafe fix: {}", fix.title), false),
            Safety::DisplayOnly => return None,
        };
        let mut action = json!({
            "title": title,
            "kind": "quickfix",
            "diagnostics": [self.diagnostic],
            "edit": self.edit(fix)?,
        });
        if preferred {
            action["isPreferred"] = json!(true);
        }
        Some(action)
    }

    /// `None` where a file is not as it was checked.
    fn edit(&self, fix: &Fix) -> Option<Value> {
        let mut files = BTreeMap::new();
        let answer = self.page.answer;
        for (path, edits) in by_file(&[fix]) {
            let (address, bytes) = (answer.addresses.get(path)?, answer.sources.get(path)?);
            if self.documents.get(address).is_some_and(|it| it.text != *bytes) {
                return None;
            }
            let edits: Vec<Value> = edits
                .iter()
                .map(|it| json!({"range": self.page.range(&it.location), "newText": it.replacement}))
                .collect();
            files.insert(address.clone(), edits);
        }
        (!files.is_empty()).then(|| workspace_edit(files, self.documents, self.page.abilities))
    }

    /// A comment above the line; comments about comments are taken out, not kept quiet.
    fn suppression(&self, text: &SourceText<'_>) -> Option<Value> {
        let finding = self.finding;
        if finding.code.starts_with("CL9") {
            return None;
        }
        let line = text.line_of(finding.primary.span.start);
        let (offset, comment) = comment_above(text, line, &[finding.code], "")?;
        let at = self
            .page
            .abilities
            .encoding
            .position(text, u32::try_from(offset).ok()?);
        let address = self.page.answer.addresses.get(&finding.primary.path)?;
        let edit = json!({"range": Range { start: at, end: at }, "newText": comment});
        let files = BTreeMap::from([(address.clone(), vec![edit])]);
        Some(json!({
            "title": format!("Ignore {} ({}) here", finding.code, finding.rule),
            "kind": "quickfix",
            "diagnostics": [self.diagnostic],
            "edit": workspace_edit(files, self.documents, self.page.abilities),
        }))
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The action that applies all safe fixes, without what it changes.
pub(super) fn fix_all(address: &str) -> Value {
    json!({
        "title": "Apply all safe fixes of cudalint",
        "kind": FIX_ALL,
        "data": {"fixAll": address},
    })
}

/// The edit that turns documents into what fixing made of them.
pub(super) fn changed(changes: &[(String, Change)], documents: &Documents, abilities: Abilities) -> Value {
    let edit = |(address, change): &(String, Change)| {
        let (start, end, text) = difference(&change.before, &change.after);
        let lines = SourceText::new(&change.before);
        let place = |it: usize| -> Position {
            abilities
                .encoding
                .position(&lines, u32::try_from(it).unwrap_or(u32::MAX))
        };
        let range = Range {
            start: place(start),
            end: place(end),
        };
        (address.clone(), vec![json!({"range": range, "newText": text})])
    };
    workspace_edit(changes.iter().map(edit).collect(), documents, abilities)
}

/// The bytes that differ, whole lines of them, and what takes their place.
fn difference(before: &[u8], after: &[u8]) -> (usize, usize, String) {
    let line_start = |at: usize| memchr::memrchr(b'\n', &before[..at]).map_or(0, |it| it + 1);
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let start = line_start(same);
    let rest = before[start..].iter().rev().zip(after[start..].iter().rev());
    let same = rest.take_while(|(a, b)| a == b).count();
    let tail = &before[before.len() - same..];
    // What stays begins behind the end of a line.
    let tail = memchr::memchr(b'\n', tail).map_or(0, |it| tail.len() - it - 1);
    let text = String::from_utf8_lossy(&after[start..after.len() - tail]);
    (start, before.len() - tail, text.into_owned())
}

/// Edits by address, with the versions they are for where the client wants to know.
fn workspace_edit(files: BTreeMap<String, Vec<Value>>, documents: &Documents, abilities: Abilities) -> Value {
    if !abilities.document_changes {
        let changes: Map<String, Value> = files
            .into_iter()
            .map(|(uri, edits)| (uri, json!(edits)))
            .collect();
        return json!({"changes": changes});
    }
    let change = |(uri, edits): (String, Vec<Value>)| {
        let version = documents.get(&uri).map(|it| it.version);
        json!({"textDocument": {"uri": uri, "version": version}, "edits": edits})
    };
    json!({"documentChanges": files.into_iter().map(change).collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_hold_those_below_them() {
        let asked = |only: &[&str]| Asked {
            address: "",
            range: Range::default(),
            only: Some(only.iter().map(|it| (*it).to_owned()).collect()),
        };
        assert!(asked(&["source"]).wants(FIX_ALL) && asked(&["source.fixAll"]).wants(FIX_ALL));
        assert!(asked(&[""]).wants("quickfix"));
        assert!(!asked(&["quickfix"]).wants(FIX_ALL) && !asked(&["sour"]).wants(FIX_ALL));
    }

    #[test]
    fn a_difference_is_whole_lines() {
        for (before, after) in [
            ("a\nb\nc\n", "a\nx\nc\n"),
            ("a\nb\nc\n", "a\nc\n"),
            ("a\nc\n", "a\nb\nc\n"),
            ("aaa", "aa"),
            ("", "x\n"),
            ("a\n", ""),
            ("é\nè\n", "é\nê\n"),
            ("x\nx\n", "x\nx\nx\n"),
        ] {
            let (start, end, text) = difference(before.as_bytes(), after.as_bytes());
            let made = [
                &before.as_bytes()[..start],
                text.as_bytes(),
                &before.as_bytes()[end..],
            ]
            .concat();
            assert_eq!(String::from_utf8_lossy(&made), after, "{before:?}");
        }
    }
}
