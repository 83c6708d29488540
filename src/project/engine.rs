//! The layers below, as the run calls them; stands in for those that are still being built.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostics::Finding;
use crate::facts::FileFacts;
use crate::syntax::{Defines, Flip, MacroTable};

pub fn is_relevant(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"cuda").is_some()
}

pub fn known_macros(version: u32) -> Defines {
    let mut defines = Defines::default();
    for (name, value) in [
        ("CUDART_VERSION", Some(version.to_string())),
        ("__CUDACC__", Some("1".to_owned())),
        ("_WIN32", None),
    ] {
        defines.values.insert(name.to_owned(), value);
    }
    defines
}

pub fn collect_macros(_bytes: &[u8]) -> MacroTable {
    MacroTable::default()
}

pub fn merge(into: &mut MacroTable, other: MacroTable) {
    into.qualifiers.extend(other.qualifiers);
    into.statements.extend(other.statements);
}

pub fn extract(_bytes: &[u8], _defines: &Defines, _macros: &MacroTable) -> (FileFacts, Vec<Flip>) {
    (FileFacts::default(), Vec::new())
}

pub fn wants_variants(_facts: &FileFacts) -> bool {
    true
}

#[derive(Clone, Debug, Default)]
#[expect(dead_code, reason = "read by linking")]
pub struct SourceUnit {
    pub path: Arc<str>,
    pub bytes: Arc<[u8]>,
    pub facts: FileFacts,
    pub variant_of: Option<usize>,
    pub configuration: Option<String>,
    pub per_thread_default_stream: bool,
}

pub struct Program;

impl Program {
    pub fn link(_units: Vec<SourceUnit>) -> Program {
        Program
    }
}

pub mod rules {
    #[expect(dead_code, reason = "read by rules")]
    pub struct Options {
        pub lazy_loading: bool,
        pub per_thread_default_stream: bool,
        pub pedantic: bool,
        pub cuda_version: u32,
    }

    #[derive(Default)]
    pub struct Outcome {
        pub findings: Vec<super::Finding>,
        pub counters: super::BTreeMap<&'static str, u64>,
    }

    pub fn check(_program: &super::Program, _options: &Options) -> Outcome {
        Outcome::default()
    }
}
