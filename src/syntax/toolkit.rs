//! Build options that bring the toolkit in: a build without CUDA is not the one that is looked at.

use memchr::memmem;

use super::Span;
use super::condition;
use super::directives::{DirectiveKind, split_directive};
use super::lexer::{Kind, Token, lex_part};

/// Headers without which there is no CUDA.
const HEADERS: [&[u8]; 3] = [b"cuda.h", b"cuda_runtime.h", b"cuda_runtime_api.h"];

/// What the names of options say that they bring in.
const MEANT: [&str; 2] = ["CUDA", "GPU"];

/// How the name of an option says that it is one: `X_USE_CUDA`, `HAVE_CUDA`.
const ASKS: [&str; 13] = [
    "USE", "USES", "USING", "ENABLE", "ENABLES", "ENABLED", "HAVE", "HAS", "WITH", "TARGET", "BUILD",
    "BACKEND", "GPU",
];

/// The same, behind what it brings in: `X_CUDA_ENABLED`.
const TELLS: [&str; 5] = ["ENABLED", "SUPPORT", "SUPPORTED", "AVAILABLE", "BACKEND"];

/// Macros that decide whether there is CUDA at all: all that decides whether a file includes a header of the toolkit
/// (`#if defined(X)` around one), or whether anything is left of one that calls CUDA, and what says by its name that it does.
/// What belongs to the compiler is none of them.
pub fn toolkit_options(bytes: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mentions = |it: &[u8]| memmem::find(bytes, it).is_some();
    if !mentions(b"#") || ![&b"cuda"[..], b"CUDA", b"GPU"].into_iter().any(mentions) {
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
        if kind.opens() || kind.continues() {
            for name in condition::names(arguments) {
                let name = std::str::from_utf8(name).unwrap_or_default();
                if is_named_so(name) && !found.iter().any(|it| it == name) {
                    found.push(name.to_owned());
                }
            }
        }
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
    let around = around_all(bytes).filter(|it| !found.iter().any(|known| known == it));
    found.extend(around.map(str::to_owned));
    found
}

/// The option without which nothing is left of a file that calls CUDA.
fn around_all(bytes: &[u8]) -> Option<&str> {
    let is_call = |at: usize| bytes.get(at + 4).is_some_and(u8::is_ascii_uppercase);
    if !memmem::find_iter(bytes, b"cuda").any(is_call) && memmem::find(bytes, b"<<<").is_none() {
        return None;
    }
    let is_empty = |start: usize, end: usize| {
        let part = Span {
            start: start as u32,
            end: end as u32,
        };
        start >= end || lex_part(bytes, part).tokens.is_empty()
    };
    let (mut around, mut depth, mut start, mut open_text) = (None, 0u32, 0, 0);
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let line = bytes[start..end].trim_ascii_start();
        let line_start = std::mem::replace(&mut start, end + 1);
        if !line.starts_with(b"#") {
            continue;
        }
        let (kind, arguments) = directive(bytes, end - line.len(), end);
        if depth == 0 && !is_empty(open_text, line_start) {
            return None;
        }
        if kind.opens() {
            if depth == 0 {
                let name = option(kind, arguments)?;
                if around.replace(name).is_some() {
                    return None;
                }
            }
            depth += 1;
        } else if kind.continues() {
            if depth == 1 {
                return None;
            }
        } else if matches!(kind, DirectiveKind::Endif) {
            depth = depth.checked_sub(1)?;
        }
        open_text = end;
    }
    around.filter(|_| depth == 0 && is_empty(open_text, bytes.len()))
}

/// Whether the name of a macro says that it brings CUDA in, in its last two words.
fn is_named_so(name: &str) -> bool {
    let mut words = name.rsplit('_');
    let last = words.next().unwrap_or_default();
    let before = words.next().unwrap_or_default();
    let others = words.collect::<Vec<_>>();
    let denies = |it: &&str| matches!(*it, "NO" | "NOT" | "WITHOUT" | "DISABLE" | "IMPL" | "DEBUG");
    let says = ASKS.contains(&before) && MEANT.contains(&last) && before != last
        || MEANT.contains(&before) && TELLS.contains(&last);
    says && !name.starts_with('_') && !others.iter().any(denies)
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
            ("#if X_USE_CUDA && !X_USE_HIP\n#endif\n", &["X_USE_CUDA"]),
            (
                "#ifdef X_GPU_CUDA\n#elif defined(X_CUDA_ENABLED) // HAVE_GPU\n#endif\n",
                &["X_GPU_CUDA", "X_CUDA_ENABLED"],
            ),
            (
                "#if X_NO_USE_GPU || DISABLE_CUDA || X_ENABLE_CUDA_UVM || ADRENO_GPU || X_CUDA_GPU\n#endif\n",
                &[],
            ),
            (
                "// All of it.\n#include <a.h>\n#if A_CUBLAS\n#if B\n#endif\nvoid f() { cudaFree(p); }\n#endif // A_CUBLAS\n",
                &["A_CUBLAS"],
            ),
            ("#if A\ncudaFree(p);\n#else\n#endif\n", &[]),
            ("#if A\ncudaFree(p);\n#endif\nint more;\n", &[]),
            ("int before;\n#if A\ncudaFree(p);\n#endif\n", &[]),
            ("#if A\nhipFree(p); // as in cuda\n#endif\n", &[]),
            (
                "#ifdef A_WRAPPER\n#include <cuda_wrapper.h>\n#endif\n#include <cuda.h>\n",
                &[],
            ),
        ] {
            assert_eq!(toolkit_options(text.as_bytes()), options, "{text}");
        }
    }
}
