//! Macros that stand as statements, declarations or function heads.

use super::super::lexer::{Kind, Token};
use super::super::mask::blank;
use super::super::vocabulary::may_follow_parameters;
use super::super::{HeadMark, LoopHead};
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
        if context == Bracket::Block && !next.is(b';') && self.loop_head(name, open, close) {
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

    /// `FOR(i, n) {` becomes `if (1) {`, and what stands for it is the head of a loop.
    fn loop_head(&mut self, name: usize, open: usize, close: usize) -> bool {
        let Some(head) = self.project.loop_head(self.word_at(name)) else {
            return false;
        };
        let (word, inside) = (self.tokens[name], self.inside(open, close));
        let written = &self.bytes[inside.start as usize..inside.end as usize];
        let args = arguments_of(written);
        if word.end - word.start < 2 || written.is_empty() || args.len() != head.params.len() {
            return false;
        }
        self.out.heads.push(HeadMark {
            span: Span {
                start: word.start,
                end: self.tokens[close].end,
            },
            text: with_arguments(head, &args),
        });
        blank(
            self.text,
            Span {
                start: word.start,
                end: word.end,
            },
        );
        blank(self.text, inside);
        let start = word.start as usize;
        self.text[start..start + 2].copy_from_slice(b"if");
        self.text[inside.start as usize] = b'1';
        self.at_start = true;
        true
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

/// The arguments of a macro, as they are written.
fn arguments_of(written: &[u8]) -> Vec<&[u8]> {
    let mut depth = 0_usize;
    let separates = |byte: &u8| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *byte == b',' && depth == 0
    };
    written.split(separates).map(<[u8]>::trim_ascii).collect()
}

/// A head with arguments for its parameters.
fn with_arguments(head: &LoopHead, args: &[&[u8]]) -> String {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut text = String::new();
    let mut rest = head.text.as_str();
    while !rest.is_empty() {
        let length = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        if length == 0 {
            let next = rest.chars().next().map_or(1, char::len_utf8);
            text.push_str(&rest[..next]);
            rest = &rest[next..];
            continue;
        }
        let (word, behind) = rest.split_at(length);
        match head.params.iter().position(|it| it == word) {
            Some(index) => text.push_str(&String::from_utf8_lossy(args[index])),
            None => text.push_str(word),
        }
        rest = behind;
    }
    text
}
