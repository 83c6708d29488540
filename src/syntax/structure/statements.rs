//! Macros that stand as statements, declarations or function heads.

use super::super::lexer::{Kind, Token};
use super::super::mask::blank;
use super::super::vocabulary::may_follow_parameters;
use super::{Bracket, Span, Walk};

impl Walk<'_> {
    /// `CUERR` of `f(); CUERR` on a line: a macro without arguments that is a statement.
    pub(super) fn is_object_statement(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1);
        let follows = next.is_some_and(|next| next.is(b'}') || next.kind == Kind::Word);
        follows && self.is_statement_macro(at)
    }

    /// `NAME( … )` at the start of a statement has closed: is something missing before what follows?
    pub(super) fn close_candidate(&mut self, open: usize, close: usize) {
        let name = open - 1;
        let Some(&next) = self.tokens.get(close + 1) else {
            return;
        };
        let context = self.context();
        if context == Bracket::Class && self.is_constructor(name) {
            return;
        }
        if next.is(b'{') {
            match context {
                Bracket::Block => self.terminate(name, open, close),
                _ if is_macro_name(self.word_at(name)) => self.test_head(name, open, close),
                _ => {}
            }
            return;
        }
        if context != Bracket::Block
            && is_macro_name(self.word_at(name))
            && self.holds_declarations(open, close)
        {
            blank(self.text, self.inside(open, close));
        }
        if self.lacks_semicolon(name, close, next) {
            self.terminate(name, open, close);
        }
    }

    /// The class around is called so, whatever its letters.
    fn is_constructor(&self, name: usize) -> bool {
        let class = self.open.last().filter(|it| it.bracket == Bracket::Class);
        class.is_some_and(|it| {
            let head = &self.tokens[it.statement.min(it.token)..it.token];
            head.iter()
                .any(|token| token.text(self.bytes) == self.word_at(name))
        })
    }

    /// `NAME( … )` cannot go on with what follows.
    pub(super) fn lacks_semicolon(&self, name: usize, close: usize, next: Token) -> bool {
        let statement = self.is_statement_macro(name);
        let known = statement || is_macro_name(self.word_at(name));
        let new_line = self.has_newline(close);
        match next.kind {
            Kind::Word if may_follow_parameters(next.text(self.bytes)) => false,
            Kind::Word if self.context() == Bracket::Block => new_line || known,
            Kind::Word => statement || (known && new_line),
            Kind::Punct(b'}') => known || self.context() == Bracket::Block,
            Kind::Punct(b'(' | b'*' | b'&' | b'+' | b'-' | b':' | b'~') => {
                statement && new_line && self.context() == Bracket::Block
            }
            _ => false,
        }
    }

    /// Two names next to each other: `API(int, f, const void *p);` has no expression inside.
    pub(super) fn holds_declarations(&self, open: usize, close: usize) -> bool {
        let window = &self.tokens[open + 1..close];
        let window = &window[..window.len().min(ARGUMENT_LIMIT)];
        window.windows(2).any(|pair| {
            let declares = |token: &Token| token.kind == Kind::Word || token.is(b'*');
            pair[0].kind == Kind::Word && declares(&pair[1])
        })
    }

    pub(super) fn inside(&self, open: usize, close: usize) -> Span {
        Span {
            start: self.tokens[open].end,
            end: self.tokens[close].start,
        }
    }

    pub(super) fn is_statement_macro(&self, name: usize) -> bool {
        self.project.is_statement(self.word_at(name))
    }

    /// Puts a `;` behind a macro statement: into the first blank byte after it, or over its `)`.
    pub(super) fn terminate(&mut self, name: usize, open: usize, close: usize) {
        self.at_start = true;
        let gap = self.tokens[close].end as usize..self.tokens[close + 1].start as usize;
        let blanks = &self.text[gap.clone()];
        let space = blanks.iter().position(|&byte| byte == b' ' || byte == b'\t');
        let newline = blanks.iter().position(|&byte| byte == b'\r' || byte == b'\n');
        if let Some(offset) = space.or(newline) {
            self.text[gap.start + offset] = b';';
            return;
        }
        if name == close {
            return;
        }
        // `CHECK(f(x))}`: the argument alone becomes the statement.
        blank(
            self.text,
            Span {
                start: self.tokens[name].start,
                end: self.tokens[open].end,
            },
        );
        self.text[self.tokens[close].start as usize] = b';';
    }

    /// `TEST("…", …) {` becomes `TEST() {`, the head of a function without a type.
    pub(super) fn test_head(&mut self, name: usize, open: usize, close: usize) {
        blank(self.text, self.inside(open, close));
        self.out.tests.push(Span {
            start: self.tokens[name].start,
            end: self.tokens[close].end,
        });
    }
}

/// How many tokens of a macro's arguments are looked at.
const ARGUMENT_LIMIT: usize = 256;

/// `CUDA_CHECK`, `TEST_F`: no lower-case letter.
pub(super) fn is_macro_name(word: &[u8]) -> bool {
    word.len() > 1 && !word.iter().any(u8::is_ascii_lowercase)
}
