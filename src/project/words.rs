//! Command lines in one piece, taken apart.

/// Splits a command as a POSIX shell would, without expanding anything.
pub fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(letters.next()),
            (Some('"'), '\\') => {
                let word = word.get_or_insert_default();
                match letters.next() {
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                    other => word.extend(std::iter::once('\\').chain(other)),
                }
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_are_taken_off() {
        assert_eq!(
            split(r#"nvcc '-DS="a b"' -D"T=\"x\"" a\ b.cu"#),
            ["nvcc", r#"-DS="a b""#, r#"-DT="x""#, "a b.cu"]
        );
        assert_eq!(split("a ''  b"), ["a", "", "b"]);
        assert_eq!(
            split(r#""a\nb" a\nb 'a\nb' "\$x""#),
            [r"a\nb", "anb", r"a\nb", "$x"]
        );
    }
}
