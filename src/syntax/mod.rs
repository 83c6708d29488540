//! Bytes to trees: the CUDA dialect mask over tree-sitter-cpp, preprocessor configurations, line index, spans.

mod condition;
mod damage;
mod defines;
mod directives;
mod environment;
mod hash;
pub(crate) mod lexer;
mod lines;
mod macro_table;
mod mask;
mod parse;
mod preprocessor;
mod qualifiers;
mod relevance;
mod structure;
mod target;
#[cfg(test)]
mod tests;
mod toolkit;
mod vocabulary;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use hash::FastMap;
pub use lines::LineIndex;
pub use macro_table::collect_macros;
pub use mask::prepare;
pub use parse::{error_bytes, parse};
pub use relevance::{is_relevant, reads_clock, words};
pub use toolkit::toolkit_options;

/// Stack of a thread that walks trees, or executes what they say.
///
/// Walking a tree is recursive, and so is dropping one: the deepest nesting that lowering lets through must fit in an
/// unoptimised build. The kernel hands out pages as they are touched, so an ordinary run never sees this size.
pub const STACK_BYTES: usize = 256 << 20;

/// A half-open byte range in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Macros that are known to the preprocessor before a file starts, and those known to be undefined.
///
/// `None` as a value means undefined. Names not listed are unknown: treated as undefined, and candidates
/// for a flipped configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defines {
    /// Macro name to replacement text (`Some("")` for `-DNAME=`; `-DNAME` is `Some("1")`).
    pub values: BTreeMap<String, Option<String>>,
}

/// A kernel launch the mask rewrote from `k<<<…>>>(…)` to `k  (…)  (…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchMark {
    /// Offset of the `(` that stands for `<<<`.
    pub open: u32,
    /// Offset of the `)` that stands for `>>>`.
    pub close: u32,
}

/// A CUDA qualifier the mask blanked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QualifierMark {
    /// Bytes of the qualifier (with its parenthesised argument).
    pub span: Span,
    /// Which one.
    pub qualifier: Qualifier,
}

/// CUDA qualifiers that matter later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the qualifiers")]
pub enum Qualifier {
    Global,
    Device,
    Host,
    Shared,
    Constant,
    Managed,
    LaunchBounds,
    /// Anything else that was blanked.
    Other,
}

/// A `#define` whose body was set aside (blanked in the text).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroDefinition {
    /// Macro name.
    pub name: String,
    /// Bytes of the name.
    pub name_span: Span,
    /// Parameters of a function-like macro (`...` as the last one).
    pub params: Option<Vec<String>>,
    /// Bytes of the body in the original text (line continuations inside).
    pub body: Span,
}

/// What the pre-pass makes of one file in one configuration. Everything is in offsets of the original bytes.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// Same length as the original; what tree-sitter-cpp parses.
    pub text: Vec<u8>,
    /// Launches outside `#define` bodies, by offset.
    pub launches: Vec<LaunchMark>,
    /// Blanked qualifiers, by offset (also those that came out of project macros).
    pub qualifiers: Vec<QualifierMark>,
    /// `#define`s of active regions, in order.
    pub macros: Vec<MacroDefinition>,
    /// Active `#include`s: path as written, `<…>`.
    pub includes: Vec<(String, bool)>,
    /// Active `#pragma` lines.
    pub pragmas: Vec<Span>,
    /// Heads of `TEST(…) {`-style macros that were rewritten to a function head.
    pub tests: Vec<Span>,
    /// Macros that stand for heads of loops, by offset.
    pub heads: Vec<HeadMark>,
    /// Explicit instantiations (`template void k<int>(…);`), blanked: read the original bytes.
    pub instantiations: Vec<Span>,
    /// Comments that mention `cudalint` or `NOLINT`.
    pub marked_comments: Vec<Span>,
    /// Macros that conditionals of this file test and whose value is unknown, when an inactive region they
    /// control holds a launch or a CUDA call: candidates for a flipped configuration, in source order.
    pub flips: Vec<Flip>,
    /// Active regions that a build with `NDEBUG` leaves out.
    pub debug_only: Vec<Span>,
    /// Where `throw` stands for a value, in order: it is read as `!`.
    pub throws: Vec<u32>,
    /// Macros that namespaces are opened by, and the names they stand for.
    pub namespaces: BTreeMap<String, String>,
}

/// One preprocessor decision that could go the other way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flip {
    /// The macro.
    pub name: String,
    /// Value to give it (`None`: undefine).
    pub value: Option<String>,
}

/// A macro that is the head of a loop: `#define FOR(i, n) for (int i = 0; i < (n); ++i)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopHead {
    /// Its parameters.
    pub params: Vec<String>,
    /// The head as it is written.
    pub text: String,
}

/// A use of such a macro: in [`Prepared::text`] an `if` stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadMark {
    /// The name and its arguments.
    pub span: Span,
    /// The head with the arguments in it.
    pub text: String,
}

/// Project macros that change how the mask reads other files: collected from every file, merged, then used by all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MacroTable {
    /// Macros that expand only to qualifiers, attributes, namespace braces or nothing, with their words
    /// (`__device__`, `inline`, …; `()` says that the macro takes arguments).
    pub qualifiers: BTreeMap<String, Vec<String>>,
    /// The same, when other macros are among the words.
    pub aliases: BTreeMap<String, Vec<String>>,
    /// Macros whose uses stand as statements without `;`.
    pub statements: BTreeMap<String, ()>,
    /// Macros that are the head of a loop, whose body stands behind their use; `None` where two files say it differently.
    pub heads: BTreeMap<String, Option<LoopHead>>,
    /// Macros some file defines as anything else: their names are left alone.
    pub others: BTreeSet<String>,
    /// What the mask looks up; built when first needed, so change a table through [`MacroTable::merge`] only.
    pub resolved: macro_table::Resolved,
}
