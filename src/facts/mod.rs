//! What one file says, as data: a pure function of its bytes, its defines and the macro table it used.
//!
//! Facts are small, hold no syntax nodes and serialise: they are the unit of caching and of distribution.

pub mod ir;
pub mod lower;
pub mod places;
pub mod visit;
pub mod written;

use ir::{Alias, Class, Expr, Function, Global, Name};
use serde::{Deserialize, Serialize};

use crate::syntax::{self, Defines, Flip, MacroTable, Prepared, Span};

/// Everything later layers know about one file in one preprocessor configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Functions, methods, kernels, function-like macros and tests, in source order.
    pub functions: Vec<Function>,
    /// Classes, structs and unions.
    pub classes: Vec<Class>,
    /// Variables at namespace scope and static data members.
    pub globals: Vec<Global>,
    /// `typedef`, `using X = Y`.
    pub aliases: Vec<Alias>,
    /// Enumerators and object-like macros whose body is an expression: path, value where it is known.
    pub constants: Vec<(Vec<String>, Expr)>,
    /// `using namespace …`.
    pub using_namespaces: Vec<Name>,
    /// `#include`s of the active configuration.
    pub includes: Vec<Include>,
    /// Explicit instantiations (`template void k<int>(…)`) by name.
    pub instantiations: Vec<Name>,
    /// Comments that mention the tool (`cudalint` or `NOLINT`), for suppressions: span and text.
    pub marked_comments: Vec<(Span, String)>,
    /// `NDEBUG` is defined: `assert` is nothing.
    pub assertions_off: bool,
    /// Regions that a build with `NDEBUG` leaves out.
    pub debug_only: Vec<Span>,
    /// How well the file was understood.
    pub quality: Quality,
}

/// An `#include`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Include {
    /// Path as written.
    pub path: String,
    /// `<…>` rather than `"…"`.
    pub system: bool,
}

/// Parse quality counters: `--statistics` and the parsing script print them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quality {
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes under ERROR nodes.
    pub error_bytes: u64,
    /// Launches the lexer saw outside `#define` bodies.
    pub launches_seen: u32,
    /// Launches that became [`ir::ExprKind::Launch`] inside a function.
    pub launches_recovered: u32,
}

impl FileFacts {
    /// The facts as JSON: what a cache or another process reads back with [`FileFacts::from_json`].
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }

    /// Facts written by [`FileFacts::to_json`]. Lowering limits how deep they nest, so no limit is needed here.
    pub fn from_json(bytes: &[u8]) -> serde_json::Result<Self> {
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        reader.disable_recursion_limit();
        let facts = Self::deserialize(&mut reader)?;
        reader.end()?;
        Ok(facts)
    }
}

/// The facts of one file in one configuration; empty, with the quality counters, when it cannot be parsed.
pub fn extract(bytes: &[u8], defines: &Defines, table: &MacroTable) -> FileFacts {
    extract_with_flips(bytes, defines, table).0
}

/// The facts of one file, and the preprocessor decisions that could have gone the other way.
pub fn extract_with_flips(bytes: &[u8], defines: &Defines, table: &MacroTable) -> (FileFacts, Vec<Flip>) {
    let mut prepared = syntax::prepare(bytes, defines, table);
    let flips = std::mem::take(&mut prepared.flips);
    (read(bytes, &prepared, defines), flips)
}

fn read(bytes: &[u8], prepared: &Prepared, defines: &Defines) -> FileFacts {
    let Some(tree) = syntax::parse(&prepared.text) else {
        let launches_seen = u32::try_from(prepared.launches.len()).unwrap_or(u32::MAX);
        let bytes = bytes.len() as u64;
        let quality = Quality {
            bytes,
            error_bytes: bytes,
            launches_seen,
            launches_recovered: 0,
        };
        return FileFacts {
            quality,
            ..FileFacts::default()
        };
    };
    let mut facts = lower::lower(bytes, prepared, &tree);
    facts.assertions_off = defines.values.get("NDEBUG").is_some_and(Option::is_some)
        || prepared.macros.iter().any(|it| it.name == "NDEBUG");
    facts.debug_only.clone_from(&prepared.debug_only);
    facts
}
