//! The value of a `#if` expression.

use super::Span;
use super::lexer::{Kind, Token, lex_part};

/// What a conditional knows about a macro name.
pub(crate) enum Lookup<'a> {
    /// Not defined.
    Undefined,
    /// Defined without parameters.
    Object(&'a [u8]),
    /// Defined with parameters.
    Function(&'a [String], &'a [u8]),
}

/// Where an expression finds its macros.
pub(crate) trait Environment {
    /// What is known about this name.
    fn lookup(&self, name: &[u8]) -> Lookup<'_>;
}

/// Evaluates an expression; what cannot be understood counts as 0, as undefined names do.
pub(crate) fn evaluate(expression: &[u8], environment: &dyn Environment) -> i64 {
    let mut budget = EXPANSION_BUDGET;
    expand_and_evaluate(expression, environment, 0, &mut budget)
}

/// Names an expression asks about, in order, without `defined` and the `__has_…` family.
pub(crate) fn names(expression: &[u8]) -> Vec<&[u8]> {
    let lexed = lex_part(expression, whole(expression));
    let words = lexed
        .tokens
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .map(|token| token.text(expression));
    words
        .filter(|word| !matches!(*word, b"defined" | b"and" | b"or" | b"not") && !word.starts_with(b"__has_"))
        .collect()
}

/// Integer literals of an expression.
pub(crate) fn literals(expression: &[u8]) -> Vec<i64> {
    let lexed = lex_part(expression, whole(expression));
    let numbers = lexed.tokens.iter().filter(|token| token.kind == Kind::Number);
    numbers.map(|token| number(token.text(expression))).collect()
}

const EXPANSION_BUDGET: usize = 4000;
const DEPTH_LIMIT: usize = 64;

fn whole(text: &[u8]) -> Span {
    Span {
        start: 0,
        end: text.len() as u32,
    }
}

fn expand_and_evaluate(text: &[u8], environment: &dyn Environment, depth: usize, budget: &mut usize) -> i64 {
    let tokens = lex_part(text, whole(text)).tokens;
    if depth > DEPTH_LIMIT || *budget < tokens.len() {
        *budget = 0;
        return 0;
    }
    *budget -= tokens.len();
    let mut evaluator = Evaluator {
        text,
        tokens: &tokens,
        at: 0,
        depth,
        environment,
        budget,
    };
    evaluator.conditional()
}

struct Evaluator<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    at: usize,
    /// Nesting of parentheses, unary operators and expansions together.
    depth: usize,
    environment: &'a dyn Environment,
    budget: &'a mut usize,
}

impl Evaluator<'_> {
    fn conditional(&mut self) -> i64 {
        let condition = self.binary(1);
        if !self.take(b"?") {
            return condition;
        }
        let then = self.nested(Self::conditional);
        self.take(b":");
        let otherwise = self.nested(Self::conditional);
        if condition != 0 { then } else { otherwise }
    }

    fn binary(&mut self, minimum: u8) -> i64 {
        let mut left = self.unary();
        while let Some((operator, precedence, width)) = self.operator() {
            if precedence < minimum {
                break;
            }
            self.at += width;
            let right = self.nested(|this| this.binary(precedence + 1));
            left = apply(operator, left, right);
        }
        left
    }

    fn unary(&mut self) -> i64 {
        let Some(token) = self.tokens.get(self.at).copied() else {
            return 0;
        };
        self.at += 1;
        match token.kind {
            Kind::Number => number(token.text(self.text)),
            Kind::Text => character(token.text(self.text)),
            Kind::Word => self.word(token),
            Kind::Punct(b'!') => i64::from(self.nested(Self::unary) == 0),
            Kind::Punct(b'-') => self.nested(Self::unary).wrapping_neg(),
            Kind::Punct(b'~') => !self.nested(Self::unary),
            Kind::Punct(b'+') => self.nested(Self::unary),
            Kind::Punct(b'(') => {
                let value = self.nested(Self::conditional);
                self.take(b")");
                value
            }
            Kind::Punct(_) | Kind::Directive => 0,
        }
    }

    /// Recursion with a limit: what lies deeper is 0, and the rest of the expression is given up.
    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> i64) -> i64 {
        if self.depth >= DEPTH_LIMIT {
            self.at = self.tokens.len();
            return 0;
        }
        self.depth += 1;
        let value = parse(self);
        self.depth -= 1;
        value
    }

    fn word(&mut self, token: Token) -> i64 {
        match token.text(self.text) {
            b"defined" => self.defined(),
            b"true" => 1,
            b"not" => i64::from(self.nested(Self::unary) == 0),
            b"__has_include" | b"__has_include_next" => {
                let argument = self.arguments().into_iter().next().unwrap_or_default();
                i64::from(is_toolkit_header(&argument))
            }
            name => self.expand(name),
        }
    }

    fn defined(&mut self) -> i64 {
        let parenthesised = self.take(b"(");
        let Some(token) = self.tokens.get(self.at) else {
            return 0;
        };
        self.at += 1;
        let name = token.text(self.text);
        let defined =
            name.starts_with(b"__has_") || !matches!(self.environment.lookup(name), Lookup::Undefined);
        if parenthesised {
            self.take(b")");
        }
        i64::from(defined)
    }

    fn expand(&mut self, name: &[u8]) -> i64 {
        let environment = self.environment;
        let called = self.tokens.get(self.at).is_some_and(|next| next.is(b'('));
        match environment.lookup(name) {
            Lookup::Object(body) => expand_and_evaluate(body, environment, self.depth + 1, self.budget),
            Lookup::Function(params, body) if called => {
                let arguments = self.arguments();
                let text = substitute(body, params, &arguments);
                expand_and_evaluate(&text, environment, self.depth + 1, self.budget)
            }
            Lookup::Undefined if called => {
                self.arguments();
                0
            }
            Lookup::Undefined | Lookup::Function(..) => 0,
        }
    }

    /// Reads `( … )` and gives the texts between its top-level commas.
    fn arguments(&mut self) -> Vec<Vec<u8>> {
        let mut arguments = Vec::new();
        if !self.take(b"(") {
            return arguments;
        }
        let mut depth = 0usize;
        let mut from = self.tokens.get(self.at).map_or(0, |token| token.start as usize);
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token.kind {
                Kind::Punct(b'(') => depth += 1,
                Kind::Punct(b')') if depth > 0 => depth -= 1,
                Kind::Punct(b')' | b',') if depth == 0 => {
                    arguments.push(
                        self.text
                            .get(from..token.start as usize)
                            .unwrap_or_default()
                            .to_vec(),
                    );
                    from = token.end as usize;
                    if token.is(b')') {
                        break;
                    }
                }
                _ => {}
            }
        }
        arguments
    }

    /// The binary operator that stands here, with its precedence and its number of tokens.
    fn operator(&self) -> Option<(&'static [u8], u8, usize)> {
        if let Some(token) = self.tokens.get(self.at)
            && token.kind == Kind::Word
        {
            return match token.text(self.text) {
                b"and" => Some((b"&&", 2, 1)),
                b"or" => Some((b"||", 1, 1)),
                _ => None,
            };
        }
        let found = OPERATORS.iter().find(|(operator, _)| self.is_here(operator));
        found.map(|&(operator, precedence)| (operator, precedence, operator.len()))
    }

    fn is_here(&self, operator: &[u8]) -> bool {
        let tokens = self.tokens.get(self.at..self.at + operator.len());
        tokens.is_some_and(|tokens| {
            let bytes_match = tokens.iter().zip(operator).all(|(token, &byte)| token.is(byte));
            bytes_match && tokens.windows(2).all(|pair| pair[0].end == pair[1].start)
        })
    }

    fn take(&mut self, operator: &[u8]) -> bool {
        let here = self.is_here(operator);
        if here {
            self.at += operator.len();
        }
        here
    }
}

/// Longer operators first.
const OPERATORS: &[(&[u8], u8)] = &[
    (b"||", 1),
    (b"&&", 2),
    (b"==", 6),
    (b"!=", 6),
    (b"<=", 7),
    (b">=", 7),
    (b"<<", 8),
    (b">>", 8),
    (b"|", 3),
    (b"^", 4),
    (b"&", 5),
    (b"<", 7),
    (b">", 7),
    (b"+", 9),
    (b"-", 9),
    (b"*", 10),
    (b"/", 10),
    (b"%", 10),
];

fn apply(operator: &[u8], left: i64, right: i64) -> i64 {
    let shift = u32::try_from(right).unwrap_or(63).min(63);
    match operator {
        b"||" => i64::from(left != 0 || right != 0),
        b"&&" => i64::from(left != 0 && right != 0),
        b"==" => i64::from(left == right),
        b"!=" => i64::from(left != right),
        b"<=" => i64::from(left <= right),
        b">=" => i64::from(left >= right),
        b"<<" => left.wrapping_shl(shift),
        b">>" => left.wrapping_shr(shift),
        b"|" => left | right,
        b"^" => left ^ right,
        b"&" => left & right,
        b"<" => i64::from(left < right),
        b">" => i64::from(left > right),
        b"+" => left.wrapping_add(right),
        b"-" => left.wrapping_sub(right),
        b"*" => left.wrapping_mul(right),
        b"/" => left.checked_div(right).unwrap_or(0),
        _ => left.checked_rem(right).unwrap_or(0),
    }
}

/// An integer literal of any base, with separators and suffixes.
fn number(text: &[u8]) -> i64 {
    let (base, digits) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits),
        [b'0', digits @ ..] => (8, digits),
        digits => (10, digits),
    };
    let mut value = 0i64;
    for &byte in digits {
        match char::from(byte).to_digit(base) {
            Some(digit) => value = value.wrapping_mul(i64::from(base)).wrapping_add(i64::from(digit)),
            None if byte == b'\'' => {}
            None => break,
        }
    }
    value
}

/// `'x'`; escapes other than `\0` and `\n` do not occur in conditions.
fn character(text: &[u8]) -> i64 {
    match text {
        [b'\'', b'\\', b'n', ..] => 10,
        [b'\'', b'\\', ..] => 0,
        [b'\'', byte, ..] => i64::from(*byte),
        _ => 0,
    }
}

/// Headers of the toolkit and of the platform are there; nothing is known about others.
fn is_toolkit_header(argument: &[u8]) -> bool {
    let name: Vec<u8> = argument
        .iter()
        .copied()
        .filter(|byte| !b"<>\" ".contains(byte))
        .collect();
    let prefixes: [&[u8]; 8] = [
        b"cuda",
        b"cooperative_groups",
        b"nv/",
        b"cub/",
        b"thrust/",
        b"cublas",
        b"curand",
        b"nvtx3/",
    ];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn substitute(body: &[u8], params: &[String], arguments: &[Vec<u8>]) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    for token in lex_part(body, whole(body)).tokens {
        let word = token.text(body);
        let position = params
            .iter()
            .position(|param| token.kind == Kind::Word && param.as_bytes() == word);
        let replacement = position.map_or(word, |index| {
            arguments.get(index).map_or(&b"0"[..], Vec::as_slice)
        });
        let adjacent_operator = matches!(token.kind, Kind::Punct(_));
        if !adjacent_operator {
            text.push(b' ');
        }
        text.extend_from_slice(replacement);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    struct Table(BTreeMap<&'static str, &'static str>, Vec<String>);

    impl Environment for Table {
        fn lookup(&self, name: &[u8]) -> Lookup<'_> {
            if name == b"VERSION" {
                return Lookup::Function(&self.1, b"((major)*1000+(minor) * 10)");
            }
            let name = std::str::from_utf8(name).unwrap();
            self.0
                .get(name)
                .map_or(Lookup::Undefined, |body| Lookup::Object(body.as_bytes()))
        }
    }

    fn value(expression: &str) -> i64 {
        let table = BTreeMap::from([
            ("A", "(B + 1)"),
            ("B", "2"),
            ("EMPTY", ""),
            ("LOOP", "LOOP + LOOP"),
        ]);
        evaluate(
            expression.as_bytes(),
            &Table(table, vec!["major".into(), "minor".into()]),
        )
    }

    #[test]
    fn operators_bind_as_in_c() {
        assert_eq!(value("1 + 2 * 3 == 7 && !(4 <= 3) || 0"), 1);
        assert_eq!(value("1 << 4 >> 2 & 6"), 4);
        assert_eq!(value("0 ? 5 : 1 ? 6 : 7"), 6);
        assert_eq!(value("10 - 3 - 2"), 5);
        assert_eq!(value("not 0 and 1 or 0"), 1);
    }

    #[test]
    fn macros_expand_and_unknown_names_are_zero() {
        assert_eq!(value("A"), 3);
        assert_eq!(value("defined(A) && defined B && !defined(X)"), 1);
        assert_eq!(value("X > 0 || UNKNOWN(1, (2)) + A"), 1);
        assert_eq!(value("VERSION(12, 4) >= 12'040UL"), 1);
        assert_eq!(
            value("__has_include(<cuda/barrier>) && !__has_include(\"x.h\") && !__has_builtin(__f)"),
            1
        );
    }

    #[test]
    fn hostile_expressions_end() {
        assert_eq!(value("LOOP"), 0);
        value(&"(".repeat(100_000));
        value(&"!".repeat(100_000));
        value("1 / 0 + 1 % 0 + ( ? :");
    }
}
