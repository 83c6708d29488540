//! Brackets that nothing closes: a statement somebody is typing. What they spoil is left out, and the rest is read as it stands.
//!
//! A parenthesis ends with the braces around it at the latest, since no statement goes on beyond its block. Which brace lacks
//! its partner is asked only where a file ends with one open: there, one that begins a line closes what begins as far to the left.

use super::Span;
use super::lexer::{Kind, Token};
use super::mask::blank;

/// Blanks what brackets without a partner spoil, and takes its tokens out: a parenthesis up to where its statement ends or a
/// block begins, of a brace only itself.
pub(crate) fn leave_out(bytes: &[u8], tokens: &mut Vec<Token>, text: &mut [u8]) {
    let mut found = Search::new(bytes, tokens, false).run();
    if found.braces_left {
        let again = Search::new(bytes, tokens, true).run();
        if !again.braces_left && !again.stray {
            found = again;
        }
    }
    if found.unclosed.is_empty() {
        return;
    }
    found.unclosed.sort_unstable();
    let ends = |token: &Token| matches!(token.kind, Kind::Punct(b';' | b'{' | b'}'));
    let mut is_out = vec![false; tokens.len()];
    let mut end = 0;
    for open in found.unclosed {
        if tokens[open].is(b'{') {
            is_out[open] = true;
            continue;
        }
        let first = match open.checked_sub(1) {
            Some(before) if is_control(tokens[before].text(bytes)) => before,
            _ => open,
        };
        if open >= end {
            end = (open..tokens.len())
                .find(|it| ends(&tokens[*it]))
                .unwrap_or(tokens.len());
            is_out[first..end].fill(true);
        }
    }
    for (token, _) in tokens.iter().zip(&is_out).filter(|(_, is_out)| **is_out) {
        let span = Span {
            start: token.start,
            end: token.end,
        };
        blank(text, span);
    }
    let mut at = 0;
    tokens.retain(|_| {
        at += 1;
        !is_out[at - 1]
    });
}

/// Words that are nothing without their parentheses.
fn is_control(word: &[u8]) -> bool {
    matches!(word, b"if" | b"for" | b"while" | b"switch" | b"catch")
}

/// How many braces a closing one is compared with: the limit keeps hostile input linear.
const NEAREST: usize = 64;

struct Search<'a> {
    bytes: &'a [u8],
    tokens: &'a [Token],
    /// A brace that begins a line closes one of a line that is indented as much.
    by_indentation: bool,
    /// Indices of open brackets.
    open: Vec<usize>,
    /// Where the braces among them stand.
    braces: Vec<usize>,
    found: Found,
}

#[derive(Default)]
struct Found {
    unclosed: Vec<usize>,
    /// Some braces were open in the end.
    braces_left: bool,
    /// Some brace closes nothing.
    stray: bool,
}

impl<'a> Search<'a> {
    fn new(bytes: &'a [u8], tokens: &'a [Token], by_indentation: bool) -> Self {
        Search {
            bytes,
            tokens,
            by_indentation,
            open: Vec::new(),
            braces: Vec::new(),
            found: Found::default(),
        }
    }

    fn run(mut self) -> Found {
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Kind::Punct(b'(' | b'[') => self.open.push(at),
                Kind::Punct(b'{') => {
                    self.braces.push(self.open.len());
                    self.open.push(at);
                }
                Kind::Punct(b')') => self.close(b'('),
                Kind::Punct(b']') => self.close(b'['),
                Kind::Punct(b'}') => self.close_brace(at),
                _ => {}
            }
        }
        self.found.braces_left = !self.braces.is_empty();
        let left = self.open.into_iter().filter(|it| !self.tokens[*it].is(b'{'));
        self.found.unclosed.extend(left);
        self.found
    }

    /// Closes the innermost bracket, or the one around it where that is what is meant.
    fn close(&mut self, kind: u8) {
        let is_kind = |it: &usize| self.tokens[*it].is(kind);
        match self.open.as_slice() {
            [.., last] if is_kind(last) => {
                self.open.pop();
            }
            [.., around, last] if is_kind(around) && !self.tokens[*last].is(b'{') => {
                self.found.unclosed.extend(self.open.pop());
                self.open.pop();
            }
            _ => {}
        }
    }

    fn close_brace(&mut self, at: usize) {
        let same = self.by_indentation.then(|| self.as_far_left(at)).flatten();
        let Some(place) = same.or(self.braces.len().checked_sub(1)) else {
            self.found.stray = true;
            return;
        };
        let partner = self.braces[place];
        self.braces.truncate(place);
        self.found.unclosed.extend(self.open.drain(partner + 1..));
        self.open.pop();
    }

    /// The innermost open brace whose line is indented as much as this one's, which begins it.
    fn as_far_left(&self, at: usize) -> Option<usize> {
        let start = self.tokens[at].start as usize;
        let indentation = self.indentation(start);
        if !indentation.iter().eq(self.line(start)) {
            return None;
        }
        let places = self.braces.iter().enumerate().rev().take(NEAREST);
        let mut same = places
            .filter(|(_, it)| self.indentation(self.tokens[self.open[**it]].start as usize) == indentation);
        same.next().map(|(place, _)| place)
    }

    /// What stands in a line before a place.
    fn line(&self, place: usize) -> &'a [u8] {
        let before = &self.bytes[..place];
        &before[memchr::memrchr(b'\n', before).map_or(0, |it| it + 1)..]
    }

    fn indentation(&self, place: usize) -> &'a [u8] {
        let line = self.line(place);
        let blanks = line.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
        &line[..blanks]
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::{Defines, MacroTable, prepare};

    /// What is left to read, line by line without what is blank.
    fn left(text: &str) -> Vec<String> {
        let prepared = prepare(text.as_bytes(), &Defines::default(), &MacroTable::default());
        assert_eq!(prepared.text.len(), text.len());
        let text = String::from_utf8(prepared.text).expect("it was text");
        let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().map(words).collect()
    }

    #[test]
    fn an_open_parenthesis_spoils_its_statement() {
        assert_eq!(
            left("void f() {\n  a();\n  copy(\n  b(1);\n  c(2);\n}\nvoid g() { d(); }"),
            [
                "void f() {",
                "a();",
                "copy",
                ";",
                "c(2);",
                "}",
                "void g() { d(); }"
            ]
        );
        assert_eq!(
            left("void f() {\n  if (a\n  for (int i = 0; i < 3; ++i) b(i);\n  h[1;\n  c(); }"),
            ["void f() {", "", "; i < 3; ++i) b(i);", "h ;", "c(); }"]
        );
        assert_eq!(
            left("void f() {\n  if (a {\n    b();\n  }\n  k<<<1, 2>>>(p, g(q);\n}\nint x;"),
            ["void f() {", "{", "b();", "}", "k (1, 2) ;", "}", "int x;"]
        );
    }

    #[test]
    fn an_open_brace_is_none() {
        assert_eq!(
            left("namespace n {\nvoid f() {\n  if (a) {\n  b();\n}\nvoid g() {\n  c();\n}\n}"),
            [
                "namespace n {",
                "void f() {",
                "if (a)",
                "b();",
                "}",
                "void g() {",
                "c();",
                "}",
                "}"
            ]
        );
    }

    #[test]
    fn what_is_closed_stays() {
        for text in [
            "void f() { TIMED(a(); b()); for (;;) { g([&] { h(1, {2, 3}); }); } }",
            "int a[] = {1, 2}; void f(int (*g)(int[3])) { g((a)); }",
            // Nobody can say which one is meant.
            "namespace n { void f() { }",
            "void f() { } }",
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(
                left(text).join(" ").replace(',', ";"),
                words.join(" ").replace(',', ";")
            );
        }
    }

    #[test]
    fn many_open_brackets_are_read_at_once() {
        for text in [
            "(".repeat(200_000),
            "{".repeat(200_000),
            "f(g[{\n}".repeat(50_000),
        ] {
            assert_eq!(
                prepare(text.as_bytes(), &Defines::default(), &MacroTable::default())
                    .text
                    .len(),
                text.len()
            );
        }
    }
}
