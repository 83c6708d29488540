//! What an opening brace opens, and which colons end a label.

use super::super::lexer::{Kind, Token};
use super::{Bracket, HEAD_LIMIT, Walk};

impl Walk<'_> {
    pub(super) fn classify_brace(&self, at: usize) -> Bracket {
        let Some(before) = at.checked_sub(1) else {
            return Bracket::Block;
        };
        let head = &self.tokens[self.statement.min(at)..at];
        if self.is_statement_level() && self.statement < at {
            let has = |word: &[u8]| {
                head.iter()
                    .take(HEAD_LIMIT)
                    .any(|token| token.text(self.bytes) == word)
            };
            let last_is_text = self.tokens[before].kind == Kind::Text;
            if has(b"namespace") || (last_is_text && has(b"extern")) {
                return Bracket::Namespace;
            }
            let initialised = head.iter().take(HEAD_LIMIT).any(|token| token.is(b'='));
            let parenthesised = self.tokens[before].is(b')');
            if has(b"enum") {
                return Bracket::List;
            }
            if !initialised
                && !parenthesised
                && (has(b"class") || has(b"struct") || has(b"union"))
                && !is_function_head(head)
            {
                return Bracket::Class;
            }
        }
        match self.tokens[before].kind {
            Kind::Punct(b';' | b'{' | b'}' | b')' | b':') => Bracket::Block,
            Kind::Punct(b'>') if self.has_arrow(head) => Bracket::Block,
            Kind::Punct(b']') if !self.is_statement_level() || head.iter().any(|token| token.is(b'=')) => {
                Bracket::Block
            }
            Kind::Word => self.classify_brace_after_word(before, head),
            _ => Bracket::List,
        }
    }

    pub(super) fn classify_brace_after_word(&self, before: usize, head: &[Token]) -> Bracket {
        match self.word_at(before) {
            b"else" | b"do" | b"try" | b"const" | b"noexcept" | b"override" | b"final" | b"mutable"
            | b"volatile" => Bracket::Block,
            // `-> Type {` of a lambda or a function.
            _ if self.has_arrow(head) && !self.word_is_initialised(before, head) => Bracket::Block,
            _ => Bracket::List,
        }
    }

    pub(super) fn word_is_initialised(&self, before: usize, head: &[Token]) -> bool {
        let arrow = head
            .windows(2)
            .rposition(|pair| pair[0].is(b'-') && pair[1].is(b'>'));
        let first = before + 1 - head.len().min(before + 1);
        let from = arrow.map_or(first, |offset| first + offset + 2);
        self.tokens[from..=before]
            .iter()
            .any(|token| matches!(token.kind, Kind::Punct(b'(' | b'=' | b'.' | b',')))
    }

    pub(super) fn has_arrow(&self, head: &[Token]) -> bool {
        let tail = &head[head.len().saturating_sub(HEAD_LIMIT)..];
        tail.windows(3)
            .any(|run| run[0].is(b')') && run[1].is(b'-') && run[2].is(b'>'))
    }

    /// `case x:`, `default:`, `public:`, `label:` are followed by a statement.
    pub(super) fn is_label(&self, at: usize) -> bool {
        if !self.is_statement_level() || at == 0 || self.next_is(at, b':') || self.tokens[at - 1].is(b':') {
            return false;
        }
        let first = self.word_at(self.statement);
        let alone = at == self.statement + 1 && self.tokens[self.statement].kind == Kind::Word;
        matches!(
            first,
            b"case" | b"default" | b"public" | b"private" | b"protected"
        ) || alone
    }
}

/// A name followed by a parenthesis: a function head, also when it mentions `struct`.
fn is_function_head(head: &[Token]) -> bool {
    head.iter().take(HEAD_LIMIT).any(|token| token.is(b'('))
}
