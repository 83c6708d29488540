//! Directives as data: kinds, arguments, which belong together.

use super::lexer::{Kind, Token, is_word_byte, lex_part};
use super::{MacroDefinition, Span};

/// What a directive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirectiveKind {
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
    Define,
    Undef,
    Include,
    Pragma,
    Other,
}

impl DirectiveKind {
    fn of(word: &[u8]) -> Self {
        match word {
            b"if" => DirectiveKind::If,
            b"ifdef" => DirectiveKind::Ifdef,
            b"ifndef" => DirectiveKind::Ifndef,
            b"elif" => DirectiveKind::Elif,
            b"elifdef" => DirectiveKind::Elifdef,
            b"elifndef" => DirectiveKind::Elifndef,
            b"else" => DirectiveKind::Else,
            b"endif" => DirectiveKind::Endif,
            b"define" => DirectiveKind::Define,
            b"undef" => DirectiveKind::Undef,
            b"include" | b"include_next" | b"import" => DirectiveKind::Include,
            b"pragma" => DirectiveKind::Pragma,
            _ => DirectiveKind::Other,
        }
    }

    /// `#if` and its kin.
    pub(crate) fn opens(self) -> bool {
        matches!(
            self,
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef
        )
    }

    /// `#elif`, `#else` and their kin.
    pub(crate) fn continues(self) -> bool {
        use DirectiveKind::{Elif, Elifdef, Elifndef, Else};
        matches!(self, Elif | Elifdef | Elifndef | Else)
    }
}

/// One directive of a file.
#[derive(Debug)]
pub(crate) struct Directive {
    /// What it is.
    pub(crate) kind: DirectiveKind,
    /// Index of its token.
    pub(crate) token: usize,
    /// What follows the keyword.
    pub(crate) arguments: Span,
    /// Index of the next directive of the same conditional.
    pub(crate) next: Option<usize>,
    /// Index of the conditional's `#endif`.
    pub(crate) end: Option<usize>,
}

/// All directives of a file, conditionals linked.
pub(crate) fn read_directives(bytes: &[u8], tokens: &[Token]) -> Vec<Directive> {
    let mut directives: Vec<Directive> = Vec::new();
    let mut open: Vec<Vec<usize>> = Vec::new();
    for (token_index, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == Kind::Directive)
    {
        let index = directives.len();
        let (kind, arguments) = split_directive(bytes, token);
        directives.push(Directive {
            kind,
            token: token_index,
            arguments,
            next: None,
            end: None,
        });
        if kind.opens() {
            open.push(vec![index]);
        } else if kind.continues() || kind == DirectiveKind::Endif {
            let Some(group) = open.last_mut() else { continue };
            directives[group[group.len() - 1]].next = Some(index);
            group.push(index);
            if kind == DirectiveKind::Endif {
                for member in open.pop().unwrap_or_default() {
                    directives[member].end = Some(index);
                }
            }
        }
    }
    directives
}

pub(super) fn split_directive(bytes: &[u8], token: &Token) -> (DirectiveKind, Span) {
    let text = token.text(bytes);
    let blank = |byte: u8| byte.is_ascii_whitespace() || byte == b'\\';
    let lead = 1 + text[1..]
        .iter()
        .position(|&byte| !blank(byte))
        .unwrap_or(text.len() - 1);
    let length = text[lead..]
        .iter()
        .position(|byte| !byte.is_ascii_alphabetic() && *byte != b'_');
    let length = length.unwrap_or(text.len() - lead);
    let arguments = Span {
        start: token.start + (lead + length) as u32,
        end: token.end,
    };
    (DirectiveKind::of(&text[lead..lead + length]), arguments)
}

/// Parts of a `#define` directive's text.
pub(crate) fn read_define(bytes: &[u8], arguments: Span) -> Option<MacroDefinition> {
    let text = &bytes[arguments.start as usize..arguments.end as usize];
    let lead = text
        .iter()
        .position(|&byte| !byte.is_ascii_whitespace() && byte != b'\\')?;
    let rest = &text[lead..];
    let length = rest
        .iter()
        .position(|&byte| !is_word_byte(byte))
        .unwrap_or(rest.len());
    if length == 0 {
        return None;
    }
    let start = arguments.start + lead as u32;
    let name_span = Span {
        start,
        end: start + length as u32,
    };
    let name = String::from_utf8_lossy(&rest[..length]).into_owned();
    let (params, body_start) = match rest.get(length) {
        Some(b'(') => {
            let close = memchr::memchr(b')', rest).unwrap_or(rest.len() - 1);
            let list = String::from_utf8_lossy(&rest[length + 1..close.max(length + 1)]).into_owned();
            (Some(parameter_names(&list)), start + close as u32 + 1)
        }
        _ => (None, name_span.end),
    };
    Some(MacroDefinition {
        name,
        name_span,
        params,
        body: body_span(bytes, body_start, arguments.end),
    })
}

/// The name at the start of a directive's arguments.
pub(crate) fn first_word(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let length = text
        .iter()
        .position(|&byte| !is_word_byte(byte))
        .unwrap_or(text.len());
    &text[..length]
}

fn parameter_names(list: &str) -> Vec<String> {
    let names = list
        .split(',')
        .map(|name| name.trim_matches(|c: char| c.is_whitespace() || c == '\\'));
    let names = names.filter(|name| !name.is_empty());
    names
        .flat_map(|name| match name.strip_suffix("...") {
            Some("") | None => vec![name.to_owned()],
            Some(named) => vec![named.trim_end().to_owned(), "...".to_owned()],
        })
        .collect()
}

/// The body without the white space and comments around it.
fn body_span(bytes: &[u8], start: u32, end: u32) -> Span {
    let start = start.min(end);
    let tokens = lex_part(bytes, Span { start, end }).tokens;
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => Span {
            start: first.start,
            end: last.end,
        },
        _ => Span { start, end: start },
    }
}
