//! Literals: the text of numbers, characters and strings to values.

use crate::facts::ir::{Expr, ExprKind, UnaryOp, fold};

/// The value of a numeric literal; integers beyond `i64` keep their bits.
pub(super) fn number(text: &str) -> Option<ExprKind> {
    // The grammar takes a sign into the literal where it can.
    if let Some(magnitude) = text.strip_prefix('-') {
        return match number(magnitude.trim_start())? {
            ExprKind::Int(value) => Some(ExprKind::Int(value.wrapping_neg())),
            ExprKind::Float(value) => Some(ExprKind::Float(-value)),
            _ => None,
        };
    }
    let text = text.strip_prefix('+').unwrap_or(text).trim_start();
    let digits: String = text
        .chars()
        .filter(|&c| c != '\'')
        .collect::<String>()
        .to_ascii_lowercase();
    let hexadecimal = digits.strip_prefix("0x");
    let floating = match hexadecimal {
        Some(rest) => rest.contains(['.', 'p']),
        None => !digits.starts_with("0b") && digits.contains(['.', 'e', 'f']),
    };
    if floating {
        // What is too large for a number has no value, and could not be written as JSON either.
        let value = float(&digits, hexadecimal).filter(|it| it.is_finite());
        return value.map(ExprKind::Float);
    }
    let integer = digits.trim_end_matches(['u', 'l', 'z']);
    let (body, radix) = if let Some(rest) = integer.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = integer.strip_prefix("0b") {
        (rest, 2)
    } else if integer.len() > 1 && integer.starts_with('0') {
        (&integer[1..], 8)
    } else {
        (integer, 10)
    };
    u64::from_str_radix(body, radix)
        .ok()
        .map(|value| ExprKind::Int(value.cast_signed()))
}

/// The type a suffix, or the size of a hexadecimal number, gives an integer literal; `None` where it is an `int` or a `long` by its value alone.
pub(super) fn type_of_number(text: &str) -> Option<&'static str> {
    let digits = text.trim_start_matches(['-', '+', ' ']).to_ascii_lowercase();
    let ExprKind::Int(value) = number(&digits)? else {
        return None;
    };
    let is_based = digits.starts_with('0');
    let body = digits.trim_end_matches(['u', 'l', 'z']);
    let suffix = &digits[body.len()..];
    let unsigned = suffix.contains('u');
    let long = suffix.contains(['l', 'z']);
    let fits = |most: u64| value.cast_unsigned() <= most;
    match (unsigned, long) {
        (true, false) if fits(u32::MAX.into()) => Some("unsigned int"),
        (true, _) => Some("unsigned long"),
        (false, true) => Some("long"),
        (false, false) if !is_based || fits(i32::MAX.cast_unsigned().into()) => None,
        (false, false) if fits(u32::MAX.into()) => Some("unsigned int"),
        (false, false) if fits(i64::MAX.cast_unsigned()) => None,
        (false, false) => Some("unsigned long"),
    }
}

fn float(digits: &str, hexadecimal: Option<&str>) -> Option<f64> {
    let Some(rest) = hexadecimal else {
        return digits.trim_end_matches(['f', 'l', 'h']).parse().ok();
    };
    let (mantissa, exponent) = rest
        .trim_end_matches(['f', 'l'])
        .split_once('p')
        .unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digit = |c: char| c.to_digit(16).map(f64::from);
    let mut value = 0.0;
    for c in whole.chars() {
        value = value * 16.0 + digit(c)?;
    }
    let mut scale = 1.0 / 16.0;
    for c in fraction.chars() {
        value += digit(c)? * scale;
        scale /= 16.0;
    }
    Some(value * 2f64.powi(exponent.parse().ok()?))
}

/// The value of a character literal with its quotes and prefix.
pub(super) fn character(text: &str) -> Option<i64> {
    let inner = text.split_once('\'')?.1;
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    unescape(inner).chars().next().map(|c| i64::from(u32::from(c)))
}

/// The text of a string literal with its escapes resolved; unknown escapes keep their character.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            result.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => result.push('\n'),
            Some('t') => result.push('\t'),
            Some('r') => result.push('\r'),
            Some('a') => result.push('\u{7}'),
            Some('b') => result.push('\u{8}'),
            Some('f') => result.push('\u{c}'),
            Some('v') => result.push('\u{b}'),
            Some('x') => result.push(coded(&mut chars, 0, 16, 8)),
            Some('u') => result.push(coded(&mut chars, 0, 16, 4)),
            Some('U') => result.push(coded(&mut chars, 0, 16, 8)),
            Some(first @ '0'..='7') => {
                let start = first.to_digit(8).unwrap_or(0);
                result.push(coded(&mut chars, start, 8, 2));
            }
            Some('\r' | '\n') | None => {}
            Some(other) => result.push(other),
        }
    }
    result
}

fn coded(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    start: u32,
    radix: u32,
    most_digits: u32,
) -> char {
    let mut value = start;
    for _ in 0..most_digits {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else {
            break;
        };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        chars.next();
    }
    char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The value of an integer expression made of literals only.
pub(super) fn evaluate(expression: &Expr) -> Option<i64> {
    match &expression.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Cast { operand, .. } => evaluate(operand),
        ExprKind::Unary { op, operand } => {
            let value = evaluate(operand)?;
            match op {
                UnaryOp::Negate => Some(value.wrapping_neg()),
                UnaryOp::Plus => Some(value),
                UnaryOp::BitNot => Some(!value),
                UnaryOp::Not => Some(i64::from(value == 0)),
                _ => None,
            }
        }
        ExprKind::Binary { op, left, right } => fold(*op, evaluate(left)?, evaluate(right)?),
        _ => None,
    }
}
