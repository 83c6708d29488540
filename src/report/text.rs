//! Words on a terminal: no character that moves the cursor, lines broken between words, colours.

use std::borrow::Cow;

use crate::diagnostics::Severity;

/// Text on one line, with nothing in it that a terminal would obey.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if text.chars().any(|c| is_unprintable(c) || c == '\t') {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let joined = lines.join(" ").replace('\t', " ");
        Cow::Owned(joined.chars().map(printable).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The character, or a replacement when a terminal would obey it or reorder the line by it.
pub fn printable(c: char) -> char {
    if is_unprintable(c) {
        char::REPLACEMENT_CHARACTER
    } else {
        c
    }
}

fn is_unprintable(c: char) -> bool {
    let reorders = matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}');
    (c.is_control() && c != '\t') || reorders || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Breaks text between words so that lines end before `width`; the first begins in column `indent`, and so do
/// the others.
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    let mut column = indent;
    for word in text.split(' ') {
        let letters = word.chars().count();
        if column > indent && column + 1 + letters > width {
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if column > indent {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += letters;
    }
    wrapped
}

/// The escape sequences to put around words.
#[derive(Clone, Copy)]
pub struct Paint {
    /// Whether there are any.
    pub colour: bool,
}

impl Paint {
    /// Something like `error[CL102]`.
    pub fn severity(self, severity: Severity, text: &str) -> String {
        let code = match severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Info => "1;36",
        };
        self.paint(code, text)
    }

    /// What stands out.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What leads a line of advice.
    pub fn advice(self, text: &str) -> String {
        self.paint("36", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
