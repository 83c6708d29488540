//! Explicit instantiations, which the mask blanks: their names, from the original text.

use crate::facts::ir::Name;
use crate::syntax::Span;

/// The names that `template void k<int>(…);` and `template class C<int>;` instantiate.
pub(super) fn written(original: &[u8], spans: &[Span]) -> Vec<Name> {
    let text = |span: &Span| {
        original
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    };
    spans
        .iter()
        .filter_map(|span| instantiated_name(&String::from_utf8_lossy(text(span))))
        .collect()
}

/// The last name in front of the parameters.
fn instantiated_name(text: &str) -> Option<Name> {
    let head = &text[..parameters_start(text)];
    let head = head.trim_end_matches([';', ' ', '\t', '\r', '\n']);
    let (name, arguments) = match head.strip_suffix('>') {
        Some(inner) => {
            let open = opening_bracket(inner)?;
            (head[..open].trim_end(), split_arguments(&inner[open + 1..]))
        }
        None => (head, Vec::new()),
    };
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let start = name
        .rfind(|c: char| !is_name(c))
        .map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
    let path: Vec<String> = name[start..].split("::").map(str::to_owned).collect();
    let has_name = path.last().is_some_and(|last| !last.is_empty());
    has_name.then_some(Name {
        path,
        template_args: arguments,
        owner_args: Vec::new(),
    })
}

/// The first `(` outside template arguments, attributes' arguments left out; the end when there is none.
fn parameters_start(text: &str) -> usize {
    let mut depth = 0i32;
    let mut previous_word = String::new();
    let mut word = String::new();
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            previous_word = std::mem::take(&mut word);
        }
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 && previous_word.starts_with("__") => depth += 1,
            ')' if depth > 0 && previous_word.chars().all(|c| c.is_ascii_digit()) => depth -= 1,
            '(' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// The `<` that the end of the text closes.
fn opening_bracket(inner: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in inner.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' if depth == 0 => return Some(at),
            '<' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn split_arguments(text: &str) -> Vec<String> {
    let mut depth = 0;
    let mut arguments = vec![String::new()];
    for c in text.chars() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = arguments.last_mut() {
            last.push(c);
        }
    }
    let normalise = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    arguments
        .iter()
        .map(normalise)
        .filter(|text| !text.is_empty())
        .collect()
}
