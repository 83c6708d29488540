//! Settings: what `cudalint.toml` and the command line may say, how they merge, and what the code uses.
//!
//! Three types, in this order: [`FileConfig`] is one file (or the command line) as written, [`Merged`] is a stack of
//! them, [`Settings`] is resolved: selectors became rule names, globs became matchers, versions became numbers.
//! Nothing below this layer sees the first two.

mod file;
mod merge;
pub mod read;
mod select;
mod settings;
mod store;

use std::path::PathBuf;

pub use file::{DefaultStream, FailOn, FileConfig, FileOverride, MinConfidence, ModuleLoading, SeverityWord};
pub use merge::{Layer, Merged};
pub use select::Selector;
pub use settings::{CudaVersion, FileSettings, Globs, Settings};
pub use store::{ConfigSource, Store};

/// Name of the configuration file.
pub const FILE_NAME: &str = "cudalint.toml";

/// JSON Schema of the configuration file, for editors.
pub const SCHEMA: &str = include_str!("cudalint.schema.json");

/// What can be wrong with a configuration.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A configuration file that cannot be read.
    #[error("cannot read `{}`: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// A configuration file with a mistake in it.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong.
        message: String,
        /// What was probably meant.
        hint: Option<String>,
    },
    /// `extend` leads back to a file that is being read.
    #[error("`{}` extends itself", path.display())]
    ExtendCycle {
        /// The file.
        path: PathBuf,
    },
    /// A value on the command line that no flag parser could judge.
    #[error("{message}")]
    Value {
        /// What is wrong.
        message: String,
        /// What was probably meant.
        hint: Option<String>,
    },
}

impl Error {
    /// What to do about it, when the message alone does not say.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Error::Invalid { hint, .. } | Error::Value { hint, .. } => hint.as_deref(),
            Error::Read { .. } | Error::ExtendCycle { .. } => None,
        }
    }
}
