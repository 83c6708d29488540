//! One pass over a file's bytes: code tokens, whole directives, comments.
//!
//! The lexer never fails and every token it makes is a byte range of the input: an unterminated literal ends
//! at its line's end, an unterminated comment or raw string at the end of the file.

use memchr::{memchr, memchr2, memmem};

use super::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Identifier or keyword.
    Word,
    /// Preprocessing number (`1'000u`, `0x1p-3`).
    Number,
    /// String or character literal with its prefix; raw strings too.
    Text,
    /// One byte of punctuation.
    Punct(u8),
    /// A whole directive: from `#` to the end of its logical line.
    Directive,
}

/// A token of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
    /// What it is.
    pub(crate) kind: Kind,
}

impl Token {
    /// The bytes of the token in `bytes`.
    pub(crate) fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize..self.end as usize]
    }

    /// `true` for this punctuation byte.
    pub(crate) fn is(&self, byte: u8) -> bool {
        self.kind == Kind::Punct(byte)
    }
}

/// What the lexer makes of a byte range.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// Tokens in order.
    pub(crate) tokens: Vec<Token>,
    /// Comments in order, also those inside directives.
    pub(crate) comments: Vec<Span>,
}

/// Lexes a whole file; a byte order mark is skipped.
pub(crate) fn lex_file(bytes: &[u8]) -> Lexed {
    let start = if bytes.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let mut lexer = Lexer {
        bytes,
        at: start,
        line_start: true,
        out: Lexed::default(),
    };
    lexer.out.tokens.reserve((bytes.len() - start) / 5);
    lexer.run(bytes.len(), true);
    lexer.out
}

/// Lexes part of a file in which `#` is an ordinary byte (a directive's arguments, a macro's body).
pub(crate) fn lex_part(bytes: &[u8], span: Span) -> Lexed {
    let mut lexer = Lexer {
        bytes,
        at: span.start as usize,
        line_start: false,
        out: Lexed::default(),
    };
    lexer.run((span.end as usize).min(bytes.len()), false);
    lexer.out
}

/// The end of the logical line that `from` stands on, as a directive's end is found.
pub(crate) fn logical_line_end(bytes: &[u8], from: usize) -> usize {
    let mut lexer = Lexer {
        bytes,
        at: from,
        line_start: false,
        out: Lexed::default(),
    };
    lexer.directive_end(bytes.len())
}

/// The UTF-8 byte order mark.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// `true` for bytes of identifiers, digits included; every byte outside ASCII counts.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    CLASSES[byte as usize] >= WORD
}

const SPACE: u8 = 0;
const NEWLINE: u8 = 1;
const PUNCT: u8 = 2;
const QUOTE: u8 = 3;
const SLASH: u8 = 4;
const HASH: u8 = 5;
const DOT: u8 = 6;
const WORD: u8 = 7;
const DIGIT: u8 = 8;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [PUNCT; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        table[index] = match byte {
            b'\n' | b'\r' => NEWLINE,
            0..=b' ' | b'\\' | 0x7f => SPACE,
            b'"' | b'\'' => QUOTE,
            b'/' => SLASH,
            b'#' => HASH,
            b'.' => DOT,
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => WORD,
            _ => PUNCT,
        };
        index += 1;
    }
    table
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line_start: bool,
    out: Lexed,
}

impl Lexer<'_> {
    fn run(&mut self, end: usize, directives: bool) {
        while self.at < end {
            let start = self.at;
            let byte = self.bytes[start];
            match CLASSES[byte as usize] {
                SPACE => {
                    self.at += 1;
                    continue;
                }
                NEWLINE => {
                    self.at += 1;
                    self.line_start = true;
                    continue;
                }
                SLASH if self.comment(end) => continue,
                WORD => self.word(end),
                DIGIT => self.number(end),
                QUOTE => {
                    self.at = literal_end(self.bytes, start, end);
                    self.push(start, Kind::Text);
                }
                HASH if directives && self.line_start => {
                    self.at = self.directive_end(end);
                    self.push(start, Kind::Directive);
                }
                DOT if self.bytes.get(start + 1).is_some_and(u8::is_ascii_digit) => self.number(end),
                _ => {
                    self.at += 1;
                    self.push(start, Kind::Punct(byte));
                }
            }
            self.line_start = false;
        }
        self.at = self.at.min(end);
    }

    fn push(&mut self, start: usize, kind: Kind) {
        self.out.tokens.push(Token {
            start: start as u32,
            end: self.at as u32,
            kind,
        });
    }

    fn word(&mut self, end: usize) {
        let start = self.at;
        let rest = &self.bytes[start..end];
        let length = rest
            .iter()
            .position(|&byte| CLASSES[byte as usize] < WORD)
            .unwrap_or(rest.len());
        self.at += length;
        let kind = match self.bytes[..end].get(self.at) {
            Some(b'"' | b'\'') => self.literal_after_prefix(start, end),
            _ => Kind::Word,
        };
        self.push(start, kind);
    }

    /// `R"(…)"`, `u8"…"`, `L'x'`: moves past the literal when the word just read is its prefix.
    fn literal_after_prefix(&mut self, start: usize, end: usize) -> Kind {
        let quote = self.at;
        match &self.bytes[start..quote] {
            b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if self.bytes[quote] == b'"' => {
                self.at = raw_string_end(self.bytes, quote, end);
                Kind::Text
            }
            b"L" | b"u" | b"U" | b"u8" => {
                self.at = literal_end(self.bytes, quote, end);
                Kind::Text
            }
            _ => Kind::Word,
        }
    }

    fn number(&mut self, end: usize) {
        let start = self.at;
        self.at += 1;
        while self.at < end {
            let byte = self.bytes[self.at];
            let previous = self.bytes[self.at - 1];
            let next_is_word = self.bytes[..end]
                .get(self.at + 1)
                .is_some_and(|&next| is_word_byte(next));
            let continues = match byte {
                b'.' => true,
                b'+' | b'-' => {
                    matches!(previous, b'e' | b'E' | b'p' | b'P') && self.exponent_may_follow(start)
                }
                b'\'' => next_is_word,
                _ => is_word_byte(byte),
            };
            if !continues {
                break;
            }
            self.at += 1;
        }
        self.push(start, Kind::Number);
    }

    /// `0xE+1` is a sum to a reader and to tree-sitter; only `p` starts an exponent there.
    fn exponent_may_follow(&self, start: usize) -> bool {
        let hexadecimal = self.bytes[start] == b'0' && matches!(self.bytes.get(start + 1), Some(b'x' | b'X'));
        !hexadecimal || matches!(self.bytes[self.at - 1], b'p' | b'P')
    }

    /// Moves past a comment that starts here.
    fn comment(&mut self, end: usize) -> bool {
        let start = self.at;
        match comment_end(self.bytes, start, end) {
            Some(comment_end) => {
                self.at = comment_end;
                self.out.comments.push(Span {
                    start: start as u32,
                    end: comment_end as u32,
                });
                true
            }
            None => false,
        }
    }

    /// The end of the logical line, without its newline; comments and continuations are part of it.
    fn directive_end(&mut self, end: usize) -> usize {
        let mut at = self.at;
        while at < end {
            match self.bytes[at] {
                b'\n' | b'\r' if !is_continued(self.bytes, at) => break,
                b'"' | b'\'' => at = literal_end(self.bytes, at, end),
                b'/' => {
                    self.at = at;
                    at = if self.comment(end) { self.at } else { at + 1 };
                }
                _ => at += 1,
            }
        }
        at
    }
}

/// The end of a comment that starts at `start`, or `None` when none does.
fn comment_end(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    match bytes[..end].get(start + 1) {
        Some(b'*') => {
            let close = memmem::find(&bytes[start + 2..end], b"*/");
            Some(close.map_or(end, |close| start + 2 + close + 2))
        }
        Some(b'/') => {
            let mut at = start + 2;
            while let Some(found) = memchr2(b'\n', b'\r', &bytes[at..end]) {
                at += found;
                if !is_continued(bytes, at) {
                    return Some(at);
                }
                at += 1;
            }
            Some(end)
        }
        _ => None,
    }
}

/// `true` when the newline byte at `at` follows a backslash (`\r\n` counts as one newline).
fn is_continued(bytes: &[u8], at: usize) -> bool {
    let before = if bytes[at] == b'\n' && at > 0 && bytes[at - 1] == b'\r' {
        at.checked_sub(2)
    } else {
        at.checked_sub(1)
    };
    before.is_some_and(|before| bytes[before] == b'\\')
}

/// One past the closing quote of the literal that opens at `open`, or its line's end.
fn literal_end(bytes: &[u8], open: usize, end: usize) -> usize {
    let quote = bytes[open];
    let mut at = open + 1;
    while at < end {
        match bytes[at] {
            b'\\' if bytes[..end].get(at + 1) == Some(&b'\r') && bytes[..end].get(at + 2) == Some(&b'\n') => {
                at += 3
            }
            b'\\' => at += 2,
            b'\n' | b'\r' => return at,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    end
}

/// One past a raw string whose opening quote is at `quote`; an impossible delimiter makes it an ordinary string.
fn raw_string_end(bytes: &[u8], quote: usize, end: usize) -> usize {
    let window = &bytes[quote + 1..end.min(quote + 18)];
    let Some(length) = memchr(b'(', window) else {
        return literal_end(bytes, quote, end);
    };
    if window[..length]
        .iter()
        .any(|&byte| matches!(byte, b' ' | b')' | b'\\' | b'"' | b'\n' | b'\r'))
    {
        return literal_end(bytes, quote, end);
    }
    let mut closing = Vec::with_capacity(length + 2);
    closing.push(b')');
    closing.extend_from_slice(&window[..length]);
    closing.push(b'"');
    let body = quote + 2 + length;
    memmem::find(&bytes[body..end], &closing).map_or(end, |found| body + found + closing.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let lexed = lex_file(source.as_bytes());
        lexed
            .tokens
            .iter()
            .map(|token| String::from_utf8_lossy(token.text(source.as_bytes())).into_owned())
            .collect()
    }

    #[test]
    fn raw_strings_hide_their_quotes_and_newlines() {
        assert_eq!(words("a R\"x(b \" )\n)x\" c"), ["a", "R\"x(b \" )\n)x\"", "c"]);
    }

    #[test]
    fn digit_separators_are_no_character_literals() {
        assert_eq!(
            words("1'000'000 + 0x1p-3+'a'"),
            ["1'000'000", "+", "0x1p-3", "+", "'a'"]
        );
    }

    #[test]
    fn directives_reach_over_continuations_and_comments() {
        assert_eq!(
            words("#define A \\\n b /* c\n d */ e\nf # g"),
            ["#define A \\\n b /* c\n d */ e", "f", "#", "g"]
        );
    }

    #[test]
    fn unterminated_literals_end_with_their_line() {
        assert_eq!(words("don't\nx \"abc\ny"), ["don", "'t", "x", "\"abc", "y"]);
    }

    #[test]
    fn comments_follow_continuations_and_lone_carriage_returns() {
        assert_eq!(words("// a \\\n b\nc // d\re /* f"), ["c", "e"]);
    }
}
