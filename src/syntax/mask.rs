//! The same-length pre-pass: CUDA C++ in, text that tree-sitter-cpp understands out.

use std::collections::BTreeMap;

use memchr::memmem;

use super::damage::leave_out;
use super::lexer::{BYTE_ORDER_MARK, Kind, Token, lex_file};
use super::preprocessor::preprocess;
use super::qualifiers::QualifierWords;
use super::structure::repair;
use super::{Defines, MacroTable, Prepared, Span};

/// Punctuation that an operator is made of, at most.
const MOST_SYMBOLS: usize = 3;

/// Tokens that the name of a class is looked for in.
const MOST_TOKENS: usize = 48;

/// Prepares one file in one configuration.
///
/// The text has the length of `bytes` and keeps its newlines, except that a newline may become the `;` that a
/// macro statement lacks: lines are counted in the original, never in the text.
pub fn prepare(bytes: &[u8], defines: &Defines, table: &MacroTable) -> Prepared {
    let mut text = bytes.to_vec();
    if u32::try_from(bytes.len()).is_err() {
        text.fill(b' ');
        return Prepared {
            text,
            ..Prepared::default()
        };
    }
    let lexed = lex_file(bytes);
    let mut marked_comments = Vec::new();
    for &comment in &lexed.comments {
        if is_marked(&bytes[comment.start as usize..comment.end as usize]) {
            marked_comments.push(comment);
        }
        blank(&mut text, comment);
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        text[..BYTE_ORDER_MARK.len()].fill(b' ');
    }

    let mut words = QualifierWords::of_project(table);
    let mut file = preprocess(bytes, lexed, defines, &|word| words.target(word));
    for &span in &file.blanks {
        blank(&mut text, span);
    }
    words.add_file(bytes, &file.macros);
    let mut qualifiers = words.blank(bytes, &mut file.tokens, &mut text);
    leave_out(bytes, &mut file.tokens, &mut text);
    let repaired = repair(bytes, &file.tokens, &mut text, table.resolved());
    // They belong to what was blanked with them, not to what comes next.
    let blanked = &repaired.instantiations;
    name_members(&file.tokens, &mut text);
    let throws = mark_throws(&file.tokens, &mut text);
    name_operators(&file.tokens, &mut text);
    qualifiers.retain(|mark| {
        let begun = blanked.partition_point(|it| it.start <= mark.span.start);
        begun == 0 || mark.span.start >= blanked[begun - 1].end
    });
    Prepared {
        text,
        launches: repaired.launches,
        qualifiers,
        macros: file.macros,
        includes: file.includes,
        pragmas: file.pragmas,
        tests: repaired.tests,
        heads: repaired.heads,
        instantiations: repaired.instantiations,
        marked_comments,
        flips: file.flips,
        debug_only: file.debug_only,
        throws,
        namespaces: namespaces_by_macro(bytes, &file.tokens, table),
    }
}

/// `namespace LIB_NAMESPACE {`: the macro holds the name, and attributes maybe.
fn namespaces_by_macro(bytes: &[u8], tokens: &[Token], table: &MacroTable) -> BTreeMap<String, String> {
    let opened = tokens.windows(3).filter_map(|it| match it {
        [keyword, name, brace] if brace.is(b'{') && keyword.text(bytes) == b"namespace" => Some(name),
        _ => None,
    });
    let names = opened.filter_map(|it| {
        let name = std::str::from_utf8(it.text(bytes)).ok()?;
        Some((name.to_owned(), table.name_behind(name)?.to_owned()))
    });
    names.collect()
}

/// `ok ? x : throw e` is read as `ok ? x : ! e`: the grammar has `throw` for a statement alone. Says where that is.
fn mark_throws(tokens: &[Token], text: &mut [u8]) -> Vec<u32> {
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        if tokens[at].kind != Kind::Word || tokens[at].text(text) != b"throw" {
            continue;
        }
        let is_side = match tokens[at - 1].kind {
            Kind::Punct(b'?') => true,
            Kind::Punct(b':') => is_behind_question(&tokens[..at - 1]),
            _ => false,
        };
        let next = tokens.get(at + 1).map(|it| it.kind);
        let has_operand = !matches!(next, None | Some(Kind::Punct(b';' | b')' | b':')));
        if is_side && has_operand {
            text[tokens[at].start as usize..tokens[at].end as usize].copy_from_slice(b"!    ");
            found.push(tokens[at].start);
        }
    }
    found
}

/// Whether a `:` behind these tokens is that of `a ? b : c`.
fn is_behind_question(before: &[Token]) -> bool {
    let mut depth = 0_usize;
    for token in before.iter().rev().take(MOST_TOKENS) {
        match token.kind {
            Kind::Punct(b')' | b']' | b'}') => depth += 1,
            Kind::Punct(b'(' | b'[' | b'{') if depth == 0 => return false,
            Kind::Punct(b'(' | b'[' | b'{') => depth -= 1,
            Kind::Punct(b'?') if depth == 0 => return true,
            Kind::Punct(b';') if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// `p->*m` is read as `p .*m`: the grammar has only one of the two.
fn name_members(tokens: &[Token], text: &mut [u8]) {
    for at in 0..tokens.len().saturating_sub(2) {
        let touch = |one: usize| one == 0 || tokens[one - 1].end == tokens[one].start;
        let is_arrow = tokens[at].is(b'-') && tokens[at + 1].is(b'>') && tokens[at + 2].is(b'*');
        // Of `-->*` the first two are one.
        let is_step = at > 0 && touch(at) && tokens[at - 1].is(b'-');
        let is_operator = at > 0 && tokens[at - 1].text(text) == b"operator";
        if is_arrow && touch(at + 1) && touch(at + 2) && !is_step && !is_operator {
            text[tokens[at].start as usize..tokens[at + 1].end as usize].copy_from_slice(b" .");
        }
    }
}

/// `x.operator[](i)` is read as `x.operator__(i)`, `C::operator()<T>(i)` as `C::operator__<T>(i)`: behind an object, and with arguments
/// of a template, the grammar has no operator's name. What is written there the original says.
fn name_operators(tokens: &[Token], text: &mut [u8]) {
    for at in 1..tokens.len() {
        if tokens[at].text(text) != b"operator" {
            continue;
        }
        let symbol = |it: &Token| matches!(it.kind, Kind::Punct(_));
        let name = &tokens[at + 1..];
        let count = match name {
            [open, close, ..] if open.is(b'(') && close.is(b')') => 2,
            [less, ..] if less.is(b'<') => name.iter().take_while(|it| symbol(it) && !it.is(b'(')).count(),
            _ => {
                let ends = |it: &Token| it.is(b'(') || it.is(b'<');
                name.iter().take_while(|it| symbol(it) && !ends(it)).count()
            }
        };
        let touches = (at..at + count).all(|it| tokens[it].end == tokens[it + 1].start);
        let is_unread = name.get(count).is_some_and(|it| match it.kind {
            Kind::Punct(b'<') => true,
            Kind::Punct(b'(') => is_behind_object(&tokens[..at], text),
            _ => false,
        });
        if (1..=MOST_SYMBOLS).contains(&count) && touches && is_unread {
            text[name[0].start as usize..name[count - 1].end as usize].fill(b'_');
        }
    }
}

/// Whether what comes next is a member of an object: behind `.` or `->`, and perhaps the name of a class.
fn is_behind_object(before: &[Token], text: &[u8]) -> bool {
    let mut depth = 0_usize;
    for (at, token) in before.iter().enumerate().rev().take(MOST_TOKENS) {
        match token.kind {
            Kind::Punct(b'>') if at > 0 && before[at - 1].is(b'-') => return depth == 0,
            Kind::Punct(b'>') => depth += 1,
            Kind::Punct(b'<') if depth > 0 => depth -= 1,
            Kind::Punct(b'.') => return depth == 0,
            Kind::Punct(b':') => {}
            Kind::Punct(b',' | b'*' | b'&') | Kind::Number if depth > 0 => {}
            // Two words in a row are no name of a class.
            Kind::Word if depth > 0 || !before.get(at + 1).is_some_and(|it| it.kind == Kind::Word) => {
                if token.text(text) == b"return" {
                    return false;
                }
            }
            _ => return false,
        }
    }
    false
}

/// Overwrites a span with spaces; newlines stay.
pub(crate) fn blank(text: &mut [u8], span: Span) {
    for byte in &mut text[span.start as usize..span.end as usize] {
        *byte = if matches!(*byte, b'\n' | b'\r') {
            *byte
        } else {
            b' '
        };
    }
}

/// Writes words into a blanked span when they fit; without that room nothing changes.
pub(crate) fn write(text: &mut [u8], span: Span, words: &[u8]) {
    let room = &mut text[span.start as usize..span.end as usize];
    if words.len() <= room.len() && room[..words.len()].iter().all(|&byte| byte == b' ') {
        room[..words.len()].copy_from_slice(words);
    }
}

fn is_marked(comment: &[u8]) -> bool {
    memmem::find(comment, b"udalint").is_some() || memmem::find(comment, b"NOLINT").is_some()
}
