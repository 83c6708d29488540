//! Build options that bring the toolkit in: a build without CUDA is not the one that is looked at.

use memchr::memmem;

use super::Span;
use super::directives::{DirectiveKind, split_directive};
use super::lexer::{Kind, Token, lex_part};

/// Headers without which there is no CUDA.
const HEADERS: [&[u8]; 3] = [b"cuda.h", b"cuda_runtime.h", b"cuda_runtime_api.h"];

/// Macros that are all that decides whether a file includes a header of the toolkit: `#if defined(X)` around one. What belongs
/// to the compiler is none of them.
pub fn toolkit_options(bytes: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if memmem::find(bytes, b"cuda").is_none() || memmem::find(bytes, b"#").is_none() {
        return found;
    }
    let mut lines = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let line = bytes[start..end].trim_ascii_start();
        if line.starts_with(b"#") {
            lines.push(directive(bytes, end - line.len(), end));
        }
        start = end + 1;
    }
    let mut open: Vec<Option<&str>> = Vec::new();
    for (kind, arguments) in &lines {
        let asked = || option(*kind, arguments);
        match kind {
            kind if kind.opens() => open.push(asked()),
            kind if kind.continues() => {
                open.pop();
                open.push(asked());
            }
            DirectiveKind::Endif => {
                open.pop();
            }
            DirectiveKind::Include => {
                let header = arguments.trim_ascii_start();
                let header = header.strip_prefix(b"<").or(header.strip_prefix(b"\""));
                let is_toolkit = |it: &[u8]| {
                    HEADERS.iter().any(|name| {
                        it.strip_prefix(*name)
                            .is_some_and(|rest| matches!(rest.first(), Some(b'>' | b'"')))
                    })
                };
                if header.is_some_and(is_toolkit)
                    && let Some(Some(name)) = open.last()
                    && !found.iter().any(|it| it == name)
                {
                    found.push((*name).to_owned());
                }
            }
            _ => {}
        }
    }
    found
}

/// The directive on a line, and its arguments.
fn directive(bytes: &[u8], start: usize, end: usize) -> (DirectiveKind, &[u8]) {
    let token = Token {
        kind: Kind::Directive,
        start: start as u32,
        end: end as u32,
    };
    let (kind, arguments) = split_directive(bytes, &token);
    (kind, &bytes[arguments.start as usize..arguments.end as usize])
}

/// The one macro a condition asks for: `X`, `defined(X)`, `defined X`.
fn option(kind: DirectiveKind, arguments: &[u8]) -> Option<&str> {
    let whole = Span {
        start: 0,
        end: arguments.len() as u32,
    };
    let tokens = lex_part(arguments, whole).tokens;
    let words = tokens.iter().filter(|it| it.kind == Kind::Word);
    let words: Vec<&[u8]> = words.map(|it| it.text(arguments)).collect();
    let plain = tokens
        .iter()
        .all(|it| it.kind == Kind::Word || matches!(it.kind, Kind::Punct(b'(' | b')')));
    let name = match (kind, words.as_slice()) {
        (DirectiveKind::Ifdef | DirectiveKind::Elifdef, [name]) => *name,
        (DirectiveKind::If | DirectiveKind::Elif, [name] | [b"defined", name]) => *name,
        _ => return None,
    };
    let reserved = name.starts_with(b"_");
    let is_name = name.first().is_some_and(|it| it.is_ascii_alphabetic());
    (plain && is_name && !reserved)
        .then(|| std::str::from_utf8(name).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::toolkit_options;

    #[test]
    fn what_alone_decides_about_the_toolkit_is_an_option_of_the_build() {
        for (text, options) in [
            (
                "#ifdef USE_CUDA\n#include <cuda_runtime.h>\n#endif\n",
                &["USE_CUDA"][..],
            ),
            (
                "#if defined(A_GPU) // with a GPU\n#  include <cuda.h>\n#endif\n",
                &["A_GPU"],
            ),
            (
                "#ifndef GUARD_H\n#define GUARD_H\n#if HAS_HIP\n#include <hip/hip_runtime.h>\n#elif HAS_CUDA\n\
                 #include \"cuda_runtime_api.h\"\n#endif\n#endif\n",
                &["HAS_CUDA"],
            ),
            ("#ifndef NO_GPU\n#include <cuda.h>\n#endif\n", &[]),
            ("#ifdef NO_GPU\n#else\n#include <cuda.h>\n#endif\n", &[]),
            ("#if A && B\n#include <cuda.h>\n#endif\n", &[]),
            ("#if VERSION(12)\n#include <cuda.h>\n#endif\n", &[]),
            ("#if A > 2\n#include <cuda.h>\n#endif\n", &[]),
            ("#ifdef __CUDACC__\n#include <cuda.h>\n#endif\n", &[]),
            (
                "#ifdef USE_CUDA\n#include <cuda_wrapper.h>\n#endif\n#include <cuda.h>\n",
                &[],
            ),
        ] {
            assert_eq!(toolkit_options(text.as_bytes()), options, "{text}");
        }
    }
}
