//! Reads what a comment asks cudalint to keep quiet about.

use std::ops::Range;

use crate::diagnostics::rule::{meant, rule};
use crate::diagnostics::similar::closest;

/// One request in a comment; ranges are bytes of the comment's text.
pub struct Directive<'a> {
    /// What is asked for.
    pub kind: Kind,
    /// From its first letter to the bracket that closes its names.
    pub range: Range<usize>,
    /// What stands between the brackets; without brackets every rule is meant.
    pub list: Option<List<'a>>,
    /// Whether the comment says nothing before it, so that what follows is its reason.
    pub leads: bool,
}

/// Names between brackets.
pub struct List<'a> {
    /// Bytes between the brackets.
    pub range: Range<usize>,
    /// The names, in order.
    pub names: Vec<Name<'a>>,
}

/// One name between brackets.
pub struct Name<'a> {
    /// As it is written.
    pub written: &'a str,
    /// The rule's name or code, `*` for all of them; `None` when the name is another tool's.
    pub rule: Option<&'a str>,
    /// Where it is.
    pub range: Range<usize>,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Quiet on the comment's line, or on the next when the comment has a line of its own.
    Ignore,
    /// Quiet on the comment's line.
    IgnoreLine,
    /// Quiet on the next line.
    IgnoreNext,
    /// Quiet in the file.
    IgnoreFile,
    /// Quiet from here on.
    Begin(Family),
    /// No longer quiet.
    End(Family),
}

/// Spelling of a region; each ends only its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `disable` and `enable`.
    Cudalint,
    /// `NOLINTBEGIN` and `NOLINTEND`.
    NoLint,
}

/// Something that looks like a request and is none.
pub struct Malformed {
    /// Where.
    pub range: Range<usize>,
    /// What is wrong with it.
    pub problem: String,
}

const VERBS: [(&str, Kind); 4] = [
    ("ignore", Kind::Ignore),
    ("ignore-file", Kind::IgnoreFile),
    ("disable", Kind::Begin(Family::Cudalint)),
    ("enable", Kind::End(Family::Cudalint)),
];

/// Verbs as they follow the names of other tools.
const HYPHENED: [&str; 4] = ["-ignore", "-disable", "-disable-line", "-disable-next-line"];

const NOLINT: &str = "NOLINT";
const NOLINT_SUFFIXES: [(&str, Kind); 4] = [
    ("NEXTLINE", Kind::IgnoreNext),
    ("BEGIN", Kind::Begin(Family::NoLint)),
    ("END", Kind::End(Family::NoLint)),
    ("", Kind::IgnoreLine),
];

/// Reads a comment, with or without the characters that make it one.
pub fn parse(text: &str) -> Vec<Result<Directive<'_>, Malformed>> {
    let content = content_start(text);
    let mut found: Vec<_> = text
        .match_indices("cudalint")
        .filter(|(at, _)| !continues_word(text, *at))
        .filter_map(|(at, _)| parse_own(text, at, at == content))
        .collect();
    found.extend(misspelt(text, content).map(Err));
    let nolints = text
        .match_indices(NOLINT)
        .filter(|(at, _)| !continues_word(text, *at));
    found.extend(nolints.filter_map(|(at, _)| parse_nolint(text, at, at == content)));
    found
}

/// A comment that begins like a request, in letters that make it none.
fn misspelt(text: &str, content: usize) -> Option<Malformed> {
    let behind = text[content..].strip_prefix("Cudalint:")?;
    let verb = behind.trim_start_matches([' ', '\t']);
    let is_request = VERBS.iter().any(|(name, _)| verb.starts_with(name));
    (is_request && !behind.starts_with(':')).then(|| Malformed {
        range: content..content + "Cudalint:".len(),
        problem: "`Cudalint:` keeps nothing quiet; write `cudalint:`".to_owned(),
    })
}

/// Offset of the first letter behind `//`, `/*` and their decorations.
fn content_start(text: &str) -> usize {
    text.len()
        - text
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*' | '!' | '<'))
            .len()
}

fn continues_word(text: &str, at: usize) -> bool {
    text[..at]
        .chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// `cudalint: verb[names]`; prose that only mentions cudalint is none of our business.
fn parse_own(text: &str, at: usize, leads: bool) -> Option<Result<Directive<'_>, Malformed>> {
    let behind = &text[at + "cudalint".len()..];
    let colon = behind.starts_with(':') && !behind.starts_with("::");
    let verb_text = behind[usize::from(colon)..].trim_start_matches([' ', '\t']);
    let verb_start = text.len() - verb_text.len();
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let verb_end = verb_start + verb_text.find(is_end).unwrap_or(verb_text.len());
    let verb = &text[verb_start..verb_end];
    let known = VERBS
        .iter()
        .find(|(name, _)| *name == verb)
        .map(|(_, kind)| *kind);
    let opens = text[verb_end..].trim_start_matches([' ', '\t']).starts_with('[');
    if !leads {
        // Amid prose only the full form counts.
        return known
            .filter(|_| colon && opens)
            .map(|kind| listed(text, at, verb_end, ']', kind, leads));
    }
    let malformed = |problem: String| {
        Some(Err(Malformed {
            range: at..verb_end,
            problem,
        }))
    };
    match known {
        _ if HYPHENED.contains(&verb) => malformed(format!(
            "`cudalint{verb}` keeps nothing quiet; write `cudalint: ignore[…]`"
        )),
        Some(_) if !colon && behind.starts_with([' ', '\t']) => malformed(format!(
            "`cudalint {verb}` lacks a colon; write `cudalint: {verb}`"
        )),
        _ if !colon => None,
        None => malformed(unknown_verb(verb)),
        Some(_) if text[verb_end..].starts_with('(') => malformed(format!(
            "rules stand in square brackets; write `cudalint: {verb}[…]`"
        )),
        Some(kind) if opens => Some(listed(text, at, verb_end, ']', kind, leads)),
        Some(_) if names_rule(&text[verb_end..]).is_some() => malformed(format!(
            "rules stand in square brackets; write `cudalint: {verb}[{}]`",
            names_rule(&text[verb_end..]).unwrap_or_default()
        )),
        Some(kind) => Some(Ok(Directive {
            kind,
            range: at..verb_end,
            list: None,
            leads,
        })),
    }
}

/// The rule that comes first in a text, behind a blank or what other tools put before it.
fn names_rule(text: &str) -> Option<&str> {
    const BEFORE: [char; 4] = [' ', '\t', '=', ':'];
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
    let text = text.strip_prefix(BEFORE)?.trim_start_matches(BEFORE);
    let name = &text[..text.find(is_end).unwrap_or(text.len())];
    rule(name).map(|_| name)
}

fn unknown_verb(verb: &str) -> String {
    let known = "known are `ignore`, `ignore-file`, `disable` and `enable`";
    match closest(verb, VERBS.iter().map(|(name, _)| *name)) {
        _ if verb.is_empty() => format!("`cudalint:` asks for nothing; {known}"),
        Some(meant) => format!("`cudalint: {verb}` is no suppression; did you mean `{meant}`?"),
        None => format!("`cudalint: {verb}` is no suppression; {known}"),
    }
}

/// `NOLINT(cudalint-rule)`; one that names no rule of ours is for clang-tidy.
fn parse_nolint(text: &str, at: usize, leads: bool) -> Option<Result<Directive<'_>, Malformed>> {
    let behind = &text[at + NOLINT.len()..];
    let (suffix, kind) = NOLINT_SUFFIXES
        .iter()
        .find(|(suffix, _)| behind.starts_with(suffix))?;
    let end = at + NOLINT.len() + suffix.len();
    if !text[end..].starts_with('(') {
        return None;
    }
    let names = &text[end + 1..];
    let names = &names[..names.find([')', '\n']).unwrap_or(names.len())];
    if names.split(',').any(|it| is_ours(it.trim())) {
        return Some(listed(text, at, end, ')', *kind, leads));
    }
    let bare = names.split(',').map(str::trim).find(|it| !meant(it).is_empty())?;
    Some(Err(Malformed {
        range: at..end,
        problem: format!(
            "`{0}({bare})` keeps nothing quiet; write `{0}(cudalint-{bare})`",
            &text[at..end]
        ),
    }))
}

fn is_ours(name: &str) -> bool {
    name == "cudalint" || name.starts_with("cudalint-")
}

/// The names from the bracket on that stands behind `from` up to `close`.
fn listed(
    text: &str,
    at: usize,
    from: usize,
    close: char,
    kind: Kind,
    leads: bool,
) -> Result<Directive<'_>, Malformed> {
    let open = text.len() - text[from..].trim_start_matches([' ', '\t']).len() + 1;
    // No further than needed: a comment may hold many lists.
    let end = text[open..].find([close, '\n']);
    let Some(length) = end.filter(|it| text[open + it..].starts_with(close)) else {
        return Err(Malformed {
            range: at..open,
            problem: format!("the list of rules lacks its `{close}`"),
        });
    };
    let range = open..open + length;
    let directive = at..range.end + 1;
    let mut names = Vec::new();
    let mut start = open;
    for part in text[range.clone()].split(',') {
        let written = part.trim();
        let first = start + (part.len() - part.trim_start().len());
        start += part.len() + 1;
        if written.is_empty() {
            return Err(Malformed {
                range: directive,
                problem: "the list of rules lacks a name".to_owned(),
            });
        }
        let rule = match close {
            ')' => written.strip_prefix("cudalint-"),
            _ => Some(written),
        };
        if close == ')' && written == "cudalint" {
            let problem = "`cudalint` is no rule; write `cudalint-*` for all of them".to_owned();
            return Err(Malformed {
                range: directive,
                problem,
            });
        }
        names.push(Name {
            written,
            rule,
            range: first..first + written.len(),
        });
    }
    Ok(Directive {
        kind,
        range: directive,
        list: Some(List { range, names }),
        leads,
    })
}
