//! `cudalint check --add-suppressions`: a comment above everything that is found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Ending;
use super::args::CheckArgs;
use super::check::analysed;
use super::output::{self, Failure};
use crate::diagnostics::Finding;
use crate::diagnostics::source::SourceText;
use crate::diagnostics::suppress::comment_above;
use crate::project::fix::Change;
use crate::project::{Discovered, write};

/// The codes to keep quiet at each offset of each file.
type Wanted<'a> = BTreeMap<&'a str, BTreeMap<usize, BTreeSet<&'static str>>>;

/// Writes the comments, and reports nothing but what could not get one.
pub(super) fn add(args: &CheckArgs, project: Discovered) -> Result<Ending, Failure> {
    let reason = reason(args.rules.reason.as_deref())?;
    let files = project.files.clone();
    let analysis = analysed(args, project)?;
    super::check::talk(args, &analysis);
    if !analysis.internal_errors.is_empty() {
        return Ok(Ending::Trouble);
    }
    let mut changes: Vec<(Arc<str>, Change)> = Vec::new();
    let (mut added, mut left) = (0, 0);
    let reported = |path: &str| files.iter().any(|it| it.reported && *it.shown == *path);
    for (path, lines) in wanted(&analysis.findings, &reported) {
        let (Some(bytes), Some(file)) = (
            analysis.sources.get(path),
            files.iter().find(|it| *it.shown == *path),
        ) else {
            continue;
        };
        let text = SourceText::new(bytes);
        let (after, here, skipped) = commented(&text, &lines, &reason);
        for line in &skipped {
            let problem = "a comment would become part of what stands above";
            output::say(
                "warning",
                &format!("{path}:{}: left as it is: {problem}", line + 1),
            );
        }
        added += here;
        left += skipped.len();
        if after != **bytes {
            let change = Change {
                path: file.path.clone(),
                before: Arc::clone(bytes),
                after: after.into(),
            };
            changes.push((Arc::clone(&file.shown), change));
        }
    }
    write::write(changes.iter().map(|(name, change)| (name, change))).map_err(|(path, reason)| {
        Failure::Fix {
            to: path.to_string(),
            reason,
        }
    })?;
    if !args.output.quiet {
        let noun = if added == 1 { "comment" } else { "comments" };
        let in_files = if changes.len() == 1 { "file" } else { "files" };
        output::tell(&format!("added {added} {noun} in {} {in_files}\n", changes.len()));
    }
    Ok(match left > 0 {
        true => Ending::Findings,
        false => Ending::Clean,
    })
}

/// What stands behind the brackets.
fn reason(given: Option<&str>) -> Result<String, Failure> {
    let text = given.unwrap_or_default().trim();
    // A backslash at the end would take the next line into the comment.
    if text.chars().any(char::is_control) || text.ends_with('\\') {
        return Err(Failure::Usage {
            message: "a reason is one line that ends with no backslash".to_owned(),
            hint: None,
        });
    }
    Ok(match text {
        "" => String::new(),
        text => format!(" {text}"),
    })
}

/// Of each finding the first of its places in a file that may be written.
fn wanted<'a>(findings: &'a [Finding], reported: &dyn Fn(&str) -> bool) -> Wanted<'a> {
    let mut wanted = Wanted::new();
    // Comments about comments are taken out, not kept quiet.
    for finding in findings.iter().filter(|it| !it.code.starts_with("CL9")) {
        let Some(place) = finding.locations().find(|it| reported(&it.path)) else {
            continue;
        };
        let lines = wanted.entry(&*place.path).or_default();
        lines
            .entry(place.span.start as usize)
            .or_default()
            .insert(finding.code);
    }
    wanted
}

/// The text with its comments, how many those are, and the lines that got none.
fn commented(
    text: &SourceText<'_>,
    places: &BTreeMap<usize, BTreeSet<&'static str>>,
    reason: &str,
) -> (Vec<u8>, usize, Vec<usize>) {
    let mut lines: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (offset, codes) in places {
        let line = text.line_of(u32::try_from(*offset).unwrap_or(u32::MAX));
        lines.entry(line).or_default().extend(codes);
    }
    let mut after = Vec::with_capacity(text.bytes.len() + 80 * lines.len());
    let (mut from, mut added, mut skipped) = (0, 0, Vec::new());
    for (line, codes) in lines {
        let codes: Vec<&str> = codes.into_iter().collect();
        let Some((start, comment)) = comment_above(text, line, &codes, reason) else {
            skipped.push(line);
            continue;
        };
        after.extend_from_slice(&text.bytes[from..start]);
        after.extend_from_slice(comment.as_bytes());
        from = start;
        added += 1;
    }
    after.extend_from_slice(&text.bytes[from..]);
    (after, added, skipped)
}
