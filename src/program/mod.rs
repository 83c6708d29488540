//! All files linked: names, kernels, methods, globals, call graph, kernel summaries. Immutable.

pub mod kernels;

use serde::{Deserialize, Serialize};

/// One file in one preprocessor configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A function: file and index into its `FileFacts::functions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FunctionId {
    /// File.
    pub file: FileId,
    /// Index into `FileFacts::functions`.
    pub index: u32,
}

/// A global variable: file and index into its `FileFacts::globals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GlobalId {
    /// File.
    pub file: FileId,
    /// Index into `FileFacts::globals`.
    pub index: u32,
}
