//! Words inside HTML and SVG: nothing of them is markup, and code is set as code.

use super::text::printable;

/// Text as it may stand in an element or an attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push('\n'),
            letter => escaped.push(printable(letter)),
        }
    }
    escaped
}

/// A sentence with what stands between backticks as code.
pub fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd one has no partner, and is a letter like any other.
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let part = |(index, part): (usize, &&str)| match index % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// A sentence for where there is no code.
pub fn plain_words(text: &str) -> String {
    text.replace('`', "")
}

/// The beginning of a text that is too long.
pub fn clipped(text: &str, letters: usize) -> String {
    let letters = letters.max(2);
    match text.chars().count() > letters {
        true => text.chars().take(letters - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Lines of at most so many letters, broken between words.
pub fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = clipped(word, letters.max(4));
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
