//! Repairs that need the structure of the code: launches, macro statements, test heads, instantiations.
//!
//! One walk over the tokens with a stack of open brackets; every decision looks at most one token ahead of the
//! bracket that closes, so the walk is linear on any input.

mod arguments;
mod braces;
mod statements;

use super::lexer::{Kind, Token};
use super::mask::blank;
use super::qualifiers::ProjectWords;
use super::vocabulary::{is_keyword_with_parentheses, is_type_keyword};
use super::{HeadMark, LaunchMark, Span};

/// What the walk found.
#[derive(Debug, Default)]
pub(crate) struct Repaired {
    /// Launches by offset.
    pub(crate) launches: Vec<LaunchMark>,
    /// Rewritten test heads.
    pub(crate) tests: Vec<Span>,
    /// Macros rewritten to the head of an `if`.
    pub(crate) heads: Vec<HeadMark>,
    /// Blanked explicit instantiations.
    pub(crate) instantiations: Vec<Span>,
}

/// Rewrites what tree-sitter-cpp would stumble over.
pub(crate) fn repair(bytes: &[u8], tokens: &[Token], text: &mut [u8], project: &ProjectWords) -> Repaired {
    let mut walk = Walk {
        bytes,
        tokens,
        text,
        project,
        open: Vec::new(),
        braces: 0,
        statement: 0,
        at_start: true,
        assigned: false,
        within_block: false,
        out: Repaired::default(),
    };
    let mut at = 0;
    while at < tokens.len() {
        at = walk.step(at);
    }
    // What lies in text that was blanked later on is no launch.
    let text = &*walk.text;
    let stands = |at: u32, byte: u8| text.get(at as usize) == Some(&byte);
    walk.out
        .launches
        .retain(|launch| stands(launch.open, b'(') && stands(launch.close, b')'));
    walk.out.launches.sort_unstable_by_key(|launch| launch.open);
    walk.out
}

/// What an open bracket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    /// `(`.
    Parenthesis(Parenthesis),
    /// `[`.
    Square,
    /// `<<<`.
    Launch,
    /// `{` of a function body, a block or a lambda.
    Block,
    /// `{` of a namespace or of `extern "C"`.
    Namespace,
    /// `{` of a class, struct or union.
    Class,
    /// `{` of an initialiser or an enumeration.
    List,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parenthesis {
    /// Of `if`, `for`, `while`, `switch`, `catch`: a statement follows.
    Control,
    /// After a name at the start of a statement: perhaps a macro statement.
    Candidate,
    /// Any other.
    Plain,
}

struct Open {
    bracket: Bracket,
    /// Index of its token.
    token: usize,
    /// Statement around it, restored when it closes.
    statement: usize,
    /// `assigned` and `within_block` around it, restored when it closes.
    around: (bool, bool),
}

struct Walk<'a> {
    bytes: &'a [u8],
    tokens: &'a [Token],
    text: &'a mut [u8],
    project: &'a ProjectWords,
    open: Vec<Open>,
    /// How many of `open` are braces.
    braces: usize,
    /// Index of the first token of the present statement.
    statement: usize,
    /// The next token starts a statement.
    at_start: bool,
    /// The present statement has an `=` or is a `return`: what follows is an expression.
    assigned: bool,
    /// The innermost brace is a block.
    within_block: bool,
    out: Repaired,
}

impl Walk<'_> {
    /// Handles the token at `at`; returns the next one to handle.
    fn step(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        let starts = std::mem::replace(&mut self.at_start, false);
        if starts {
            self.statement = at;
            self.assigned = self.word_at(at) == b"return";
        }
        match token.kind {
            Kind::Word => return self.word(at, starts),
            Kind::Punct(b'<') if self.is_run(at, b'<') => return self.open_launch(at),
            Kind::Punct(b'>') if self.top() == Some(Bracket::Launch) && self.is_run(at, b'>') => {
                return self.close_launch(at);
            }
            Kind::Punct(b'(') => self.push(Bracket::Parenthesis(self.parenthesis(at)), at),
            Kind::Punct(b'[') => self.push(Bracket::Square, at),
            Kind::Punct(b'{') => self.open_brace(at),
            Kind::Punct(b')') => self.close_parenthesis(at),
            Kind::Punct(b']') => {
                self.drop_launches();
                if self.top() == Some(Bracket::Square) {
                    self.open.pop();
                }
            }
            Kind::Punct(b'}') => self.close_brace(),
            Kind::Punct(b';') => self.semicolon(at),
            Kind::Punct(b'=') => self.assigned |= self.is_statement_level(),
            Kind::Punct(b':') => self.at_start = self.is_label(at),
            _ => {}
        }
        at + 1
    }

    fn word(&mut self, at: usize, starts: bool) -> usize {
        match self.word_at(at) {
            b"else" | b"do" => self.at_start = true,
            b"template" if starts && !self.next_is(at, b'<') => return self.instantiation(at, at),
            b"template" if at == self.statement + 1 && self.word_at(self.statement) == b"extern" => {
                return self.instantiation(at - 1, at);
            }
            b"new" => self.new_array_of_pointers(at),
            _ if starts && self.is_object_statement(at) => self.terminate(at, at, at),
            word if is_type_keyword(word) => return self.type_argument(at),
            _ if self.is_string_macro(at) => self.blank_token(at),
            _ => {}
        }
        at + 1
    }

    fn blank_token(&mut self, at: usize) {
        let token = self.tokens[at];
        blank(
            self.text,
            Span {
                start: token.start,
                end: token.end,
            },
        );
    }

    /// Blanks `template … ;`.
    fn instantiation(&mut self, first: usize, at: usize) -> usize {
        let rest = &self.tokens[at..];
        let Some(length) = rest
            .iter()
            .position(|token| token.is(b';') || token.is(b'{') || token.is(b'}'))
        else {
            return at + 1;
        };
        if !rest[length].is(b';') {
            return at + 1;
        }
        let span = Span {
            start: self.tokens[first].start,
            end: rest[length].end,
        };
        blank(self.text, span);
        self.out.instantiations.push(span);
        self.at_start = true;
        at + length + 1
    }

    fn open_launch(&mut self, at: usize) -> usize {
        let fourth = self
            .tokens
            .get(at + 3)
            .is_some_and(|next| next.is(b'<') && self.touches(at + 2));
        let callable = at > 0
            && match self.tokens[at - 1].kind {
                Kind::Word => self.word_at(at - 1) != b"operator",
                kind => matches!(kind, Kind::Punct(b'>' | b')' | b']')),
            };
        if fourth || !callable {
            let run = self.tokens[at..]
                .iter()
                .take_while(|token| token.is(b'<'))
                .count();
            return at + run;
        }
        self.push(Bracket::Launch, at);
        at + 3
    }

    fn close_launch(&mut self, at: usize) -> usize {
        let Some(open) = self.open.pop() else {
            return at + 1;
        };
        let opening = Span {
            start: self.tokens[open.token].start,
            end: self.tokens[open.token + 2].end,
        };
        let closing = Span {
            start: self.tokens[at].start,
            end: self.tokens[at + 2].end,
        };
        blank(self.text, opening);
        blank(self.text, closing);
        self.text[opening.end as usize - 1] = b'(';
        self.text[closing.start as usize] = b')';
        self.out.launches.push(LaunchMark {
            open: opening.end - 1,
            close: closing.start,
        });
        at + 3
    }

    fn open_brace(&mut self, at: usize) {
        let bracket = self.classify_brace(at);
        self.push(bracket, at);
        self.braces += 1;
        self.within_block = bracket == Bracket::Block;
        self.at_start = bracket != Bracket::List;
    }

    fn close_brace(&mut self) {
        if self.braces == 0 {
            self.at_start = true;
            return;
        }
        while let Some(open) = self.open.pop() {
            if matches!(
                open.bracket,
                Bracket::Block | Bracket::Namespace | Bracket::Class | Bracket::List
            ) {
                self.braces -= 1;
                self.statement = open.statement;
                (self.assigned, self.within_block) = open.around;
                let inside_statement = !self.is_statement_level();
                self.at_start =
                    matches!(open.bracket, Bracket::Block | Bracket::Namespace) && !inside_statement;
                return;
            }
        }
    }

    fn close_parenthesis(&mut self, at: usize) {
        self.drop_launches();
        let Some(Open {
            bracket: Bracket::Parenthesis(kind),
            token,
            ..
        }) = self.open.last()
        else {
            return;
        };
        let (kind, token) = (*kind, *token);
        self.open.pop();
        if at > 0 && self.tokens[at - 1].is(b';') && kind != Parenthesis::Control {
            let semicolon = self.tokens[at - 1];
            blank(
                self.text,
                Span {
                    start: semicolon.start,
                    end: semicolon.end,
                },
            );
        }
        self.join_strings(token, at);
        match kind {
            Parenthesis::Control => self.at_start = true,
            Parenthesis::Candidate => self.close_candidate(token, at),
            Parenthesis::Plain => {}
        }
    }

    fn semicolon(&mut self, at: usize) {
        self.drop_launches();
        match self.top() {
            Some(Bracket::Parenthesis(Parenthesis::Plain | Parenthesis::Candidate)) => {
                // `TIMED(a(); b())`: statements as an argument read as a comma expression.
                self.text[self.tokens[at].start as usize] = b',';
            }
            Some(Bracket::Parenthesis(Parenthesis::Control) | Bracket::Square) => {}
            _ => self.at_start = true,
        }
    }

    fn parenthesis(&self, at: usize) -> Parenthesis {
        let Some(before) = at.checked_sub(1) else {
            return Parenthesis::Plain;
        };
        if self.tokens[before].kind != Kind::Word {
            return Parenthesis::Plain;
        }
        let word = self.word_at(before);
        let constexpr_if = || word == b"constexpr" && before > 0 && self.word_at(before - 1) == b"if";
        match word {
            b"if" | b"for" | b"while" | b"switch" | b"catch" => Parenthesis::Control,
            _ if constexpr_if() => Parenthesis::Control,
            _ if before == self.statement
                && self.is_statement_level()
                && !is_keyword_with_parentheses(word) =>
            {
                Parenthesis::Candidate
            }
            _ => Parenthesis::Plain,
        }
    }

    /// Not inside parentheses, brackets or a braced list.
    fn is_statement_level(&self) -> bool {
        matches!(
            self.top(),
            None | Some(Bracket::Block | Bracket::Namespace | Bracket::Class)
        )
    }

    fn context(&self) -> Bracket {
        self.top().unwrap_or(Bracket::Namespace)
    }

    fn top(&self) -> Option<Bracket> {
        self.open.last().map(|open| open.bracket)
    }

    fn push(&mut self, bracket: Bracket, token: usize) {
        let around = (self.assigned, self.within_block);
        self.open.push(Open {
            bracket,
            token,
            statement: self.statement,
            around,
        });
    }

    /// A `<<<` whose `>>>` did not come is none.
    fn drop_launches(&mut self) {
        while self.top() == Some(Bracket::Launch) {
            self.open.pop();
        }
    }

    /// Three of these bytes, with blanks at most after the second (`<< <`).
    fn is_run(&self, at: usize, byte: u8) -> bool {
        let three = self.tokens.get(at..at + 3);
        three.is_some_and(|three| three.iter().all(|token| token.is(byte)) && three[0].end == three[1].start)
    }

    fn touches(&self, at: usize) -> bool {
        self.tokens
            .get(at + 1)
            .is_some_and(|next| self.tokens[at].end == next.start)
    }

    fn next_is(&self, at: usize, byte: u8) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| next.is(byte))
    }

    fn word_at(&self, at: usize) -> &[u8] {
        self.tokens[at].text(self.bytes)
    }

    fn has_newline(&self, at: usize) -> bool {
        let gap = self.tokens[at].end as usize..self.tokens[at + 1].start as usize;
        self.bytes[gap].iter().any(|byte| matches!(byte, b'\n' | b'\r'))
    }
}

/// Heads of declarations are short; the limit keeps hostile input linear.
const HEAD_LIMIT: usize = 64;
