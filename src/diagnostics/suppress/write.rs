//! Writes the comment that keeps something quiet.

use crate::diagnostics::source::SourceText;

/// Where a comment goes that keeps these codes quiet on a line (from 0), and its text with its indent and line end.
///
/// `None` where it would become part of what stands above. The reason stands behind the brackets as it is.
pub fn comment_above(
    text: &SourceText<'_>,
    line: usize,
    codes: &[&str],
    reason: &str,
) -> Option<(usize, String)> {
    if line > 0 && text.line(line - 1).trim_ascii_end().ends_with(b"\\") {
        return None;
    }
    let has_mark = line == 0 && text.bytes.starts_with(b"\xEF\xBB\xBF");
    let start = text.line_start(line) + if has_mark { 3 } else { 0 };
    let blank = |it: &&u8| matches!(it, b' ' | b'\t');
    let indent: String = text.bytes[start..]
        .iter()
        .take_while(blank)
        .map(|it| char::from(*it))
        .collect();
    let end = match text.bytes.windows(2).any(|it| it == b"\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let codes = codes.join(", ");
    Some((
        start,
        format!("{indent}// cudalint: ignore[{codes}]{reason}{end}"),
    ))
}
