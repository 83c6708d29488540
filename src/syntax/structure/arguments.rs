//! Repairs inside expressions: types and string macros as arguments, arrays of pointers.

use super::super::lexer::{Kind, Token};
use super::super::mask::blank;
use super::super::vocabulary::{is_keyword_with_parentheses, is_type_keyword};
use super::statements::is_macro_name;
use super::{Bracket, HEAD_LIMIT, Parenthesis, Span, Walk};

impl Walk<'_> {
    /// `new T *[n]` is no expression to the grammar: without the `*` it is.
    pub(super) fn new_array_of_pointers(&mut self, at: usize) {
        let rest = &self.tokens[at + 1..];
        let window = &rest[..rest.len().min(HEAD_LIMIT)];
        let is_type =
            |token: &Token| matches!(token.kind, Kind::Word | Kind::Punct(b':' | b'<' | b'>' | b','));
        let stars = window
            .iter()
            .position(|token| !is_type(token))
            .unwrap_or(window.len());
        let length = window[stars..].iter().take_while(|token| token.is(b'*')).count();
        if length > 0 && window.get(stars + length).is_some_and(|next| next.is(b'[')) {
            for star in stars..stars + length {
                self.blank_token(at + 1 + star);
            }
        }
    }

    /// `NAME(int, x)`, `va_arg(list, char *)`: a type as an argument becomes a name, `Int`, `Char`.
    pub(super) fn type_argument(&mut self, at: usize) -> usize {
        let opens_argument = at > 0 && matches!(self.tokens[at - 1].kind, Kind::Punct(b'(' | b','));
        if !opens_argument || !self.is_in_expression_call() {
            return at + 1;
        }
        let rest = &self.tokens[at..];
        let window = &rest[..rest.len().min(HEAD_LIMIT)];
        let is_type = |token: &Token| token.is(b'*') || is_type_keyword(token.text(self.bytes));
        let length = window
            .iter()
            .position(|token| !is_type(token))
            .unwrap_or(window.len());
        if !window
            .get(length)
            .is_some_and(|next| matches!(next.kind, Kind::Punct(b',' | b')')))
        {
            return at + 1;
        }
        let words = window[..length]
            .iter()
            .take_while(|token| token.kind == Kind::Word)
            .count();
        let (first, last) = (window[0].start as usize, window[words - 1].end as usize);
        for star in words..length {
            self.blank_token(at + star);
        }
        let name = &mut self.text[first..last];
        name[0] = name[0].to_ascii_uppercase();
        name.iter_mut()
            .filter(|byte| matches!(byte, b' ' | b'\t'))
            .for_each(|byte| *byte = b'_');
        at + length
    }

    /// Directly inside the parentheses of a call that cannot be a declarator.
    pub(super) fn is_in_expression_call(&self) -> bool {
        let [.., open] = self.open.as_slice() else {
            return false;
        };
        match open.bracket {
            Bracket::Parenthesis(Parenthesis::Candidate) => {
                let name = open.token - 1;
                self.within_block || is_macro_name(self.word_at(name)) || self.is_statement_macro(name)
            }
            Bracket::Parenthesis(Parenthesis::Plain) if self.within_block && open.token > 0 => {
                let before = self.word_at(open.token - 1);
                let named =
                    self.tokens[open.token - 1].kind == Kind::Word && !is_keyword_with_parentheses(before);
                let nested = self.open.len() >= 2
                    && matches!(
                        self.open[self.open.len() - 2].bracket,
                        Bracket::Parenthesis(_) | Bracket::Launch
                    );
                (named || before == b"typeid") && (nested || self.assigned || before == b"typeid")
            }
            _ => false,
        }
    }

    /// `PRIu64` between string literals, or at the end of them.
    pub(super) fn is_string_macro(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1);
        let ends =
            self.is_string(at + 1) || next.is_some_and(|next| matches!(next.kind, Kind::Punct(b',' | b')')));
        ends && self.follows_string(at)
    }

    /// `STR(VERSION)` next to a string literal is part of it.
    pub(super) fn join_strings(&mut self, open: usize, close: usize) {
        let Some(name) = open
            .checked_sub(1)
            .filter(|&name| self.tokens[name].kind == Kind::Word)
        else {
            return;
        };
        if is_keyword_with_parentheses(self.word_at(name))
            || !(self.is_string(close + 1) || self.follows_string(name))
        {
            return;
        }
        blank(
            self.text,
            Span {
                start: self.tokens[name].start,
                end: self.tokens[close].end,
            },
        );
    }

    /// A string literal stands before this word, and neither is part of a linkage or a literal operator.
    pub(super) fn follows_string(&self, at: usize) -> bool {
        at > 0
            && self.is_string(at - 1)
            && !self.touches(at - 1)
            && !(at > 1 && matches!(self.word_at(at - 2), b"extern" | b"operator"))
    }

    pub(super) fn is_string(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| token.kind == Kind::Text && token.text(self.bytes).ends_with(b"\""))
    }
}
