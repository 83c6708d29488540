//! Words of the CUDA dialect: qualifiers, calls worth reading a file for.

use super::Qualifier;

/// How a qualifier word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Alone.
    Bare,
    /// With a parenthesised argument when one follows.
    Argument,
}

/// The qualifier a word of CUDA, GNU or MSVC stands for, when it is one that tree-sitter-cpp does not know.
pub(crate) fn builtin_qualifier(word: &[u8]) -> Option<(Qualifier, Shape)> {
    if word.len() < 6 || !matches!(word[0], b'_' | b'A' | b'C' | b'E' | b'G' | b'N' | b'W') {
        return None;
    }
    let found = match word {
        b"__global__" => (Qualifier::Global, Shape::Bare),
        b"__device__" => (Qualifier::Device, Shape::Bare),
        b"__host__" => (Qualifier::Host, Shape::Bare),
        b"__shared__" => (Qualifier::Shared, Shape::Bare),
        b"__constant__" => (Qualifier::Constant, Shape::Bare),
        b"__managed__" => (Qualifier::Managed, Shape::Bare),
        b"__launch_bounds__" => (Qualifier::LaunchBounds, Shape::Argument),
        b"__forceinline__"
        | b"__noinline__"
        | b"__grid_constant__"
        | b"__restrict__"
        | b"__restrict"
        | b"__nv_pure__"
        | b"__inline_hint__"
        | b"__device_builtin__"
        | b"__cudart_builtin__"
        | b"__extension__"
        | b"__cdecl"
        | b"__stdcall"
        | b"__noreturn__"
        | b"__weak__"
        | b"__local_maxnreg__"
        | b"CUDARTAPI"
        | b"CUDART_CB"
        | b"CUDAAPI"
        | b"CUDA_CB"
        | b"NVTX_DECLSPEC"
        | b"__tile_global__"
        | b"__unused"
        | b"__always_inline"
        | b"WINAPI"
        | b"CALLBACK"
        | b"APIENTRY"
        | b"GLAPIENTRY"
        | b"EGLAPIENTRY" => (Qualifier::Other, Shape::Bare),
        b"__cluster_dims__" | b"__maxnreg__" | b"__block_size__" | b"__align__" | b"__builtin_align__"
        | b"__attribute__" | b"__attribute" | b"__declspec" | b"_Pragma" | b"__pragma" => {
            (Qualifier::Other, Shape::Argument)
        }
        _ => return None,
    };
    Some(found)
}

/// `cudaMalloc`, `cuInit`, `ncclSend`, `cublasSgemm`, `hipFree`, `gpuMemcpy`: a known prefix, then an upper-case letter.
pub(crate) fn is_api_name(word: &[u8]) -> bool {
    if !matches!(word.first(), Some(b'c' | b'n' | b'h' | b'g')) {
        return false;
    }
    API_PREFIXES.iter().any(|prefix| {
        word.strip_prefix(*prefix)
            .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_uppercase))
    })
}

const API_PREFIXES: &[&[u8]] = &[
    b"cuda",
    b"cu",
    b"nccl",
    b"nvrtc",
    b"nvshmem",
    b"hip",
    b"gpu",
    b"cublas",
    b"cublasLt",
    b"cufft",
    b"cusparse",
    b"cusolver",
    b"cudnn",
    b"curand",
    b"cutensor",
    b"nppi",
    b"npps",
    b"nvjpeg",
    b"cufile",
];

/// Words that take `( … )` and are neither calls nor macros.
pub(crate) fn is_keyword_with_parentheses(word: &[u8]) -> bool {
    matches!(
        word,
        b"if"
            | b"for"
            | b"while"
            | b"switch"
            | b"catch"
            | b"return"
            | b"sizeof"
            | b"alignof"
            | b"alignas"
            | b"_Alignof"
            | b"decltype"
            | b"typeof"
            | b"__typeof__"
            | b"typeid"
            | b"noexcept"
            | b"new"
            | b"delete"
            | b"throw"
            | b"static_assert"
            | b"_Static_assert"
            | b"asm"
            | b"__asm__"
            | b"__asm"
            | b"operator"
            | b"constexpr"
            | b"explicit"
            | b"requires"
            | b"co_return"
            | b"co_await"
            | b"co_yield"
            | b"else"
            | b"do"
            | b"case"
            | b"goto"
            | b"not"
            | b"and"
            | b"or"
            | b"void"
            | b"int"
            | b"float"
            | b"double"
            | b"char"
            | b"bool"
            | b"unsigned"
            | b"signed"
            | b"long"
            | b"short"
            | b"auto"
            | b"defined"
            | b"this"
    )
}

/// Words that the grammar takes for a built-in type or a part of one.
pub(crate) fn is_type_keyword(word: &[u8]) -> bool {
    if !matches!(
        word.first(),
        Some(b'i' | b'f' | b'd' | b'c' | b'b' | b'u' | b's' | b'l' | b'v' | b'p')
    ) {
        return false;
    }
    if word.ends_with(b"_t") {
        let fixed = word.strip_prefix(b"u").unwrap_or(word).strip_prefix(b"int");
        let width = fixed.and_then(|rest| rest.strip_suffix(b"_t"));
        return width.is_some_and(|width| matches!(width, b"8" | b"16" | b"32" | b"64" | b"ptr" | b"max"))
            || matches!(
                word,
                b"size_t" | b"ssize_t" | b"ptrdiff_t" | b"char8_t" | b"char16_t" | b"char32_t"
            );
    }
    word.len() <= 8
        && matches!(
            word,
            b"int"
                | b"float"
                | b"double"
                | b"char"
                | b"bool"
                | b"unsigned"
                | b"signed"
                | b"long"
                | b"short"
                | b"void"
                | b"const"
                | b"volatile"
        )
}

/// Words that may follow the parameter list of a function head.
pub(crate) fn may_follow_parameters(word: &[u8]) -> bool {
    matches!(
        word,
        b"const"
            | b"volatile"
            | b"noexcept"
            | b"override"
            | b"final"
            | b"try"
            | b"requires"
            | b"and"
            | b"or"
            | b"xor"
            | b"bitand"
            | b"bitor"
            | b"not_eq"
            | b"and_eq"
            | b"or_eq"
            | b"mutable"
            | b"throw"
            | b"asm"
            | b"__asm__"
    )
}

/// A keyword of C++, sorted.
const KEYWORDS: [&str; 84] = [
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "nullptr",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
];

/// Whether a word is a keyword of C++.
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    KEYWORDS.binary_search_by(|it| it.as_bytes().cmp(word)).is_ok()
}
