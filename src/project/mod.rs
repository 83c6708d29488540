//! Files: which ones to read, with which macros, and the run from their bytes to findings.

mod again;
pub mod analyse;
mod answers;
pub mod baseline;
mod beside;
pub mod build;
pub mod changed;
mod companions;
pub mod compile_commands;
mod contracts;
pub mod discover;
pub mod fix;
pub mod guard;
mod headers;
mod macros;
mod models;
pub mod progress;
pub mod session;
mod wanted;
pub mod words;
pub mod write;

use std::path::PathBuf;

pub use analyse::{Analysis, analyse};
pub use compile_commands::CompileCommands;
pub use contracts::contracts;
pub use discover::{Discovered, Request, SourceFile, discover};
pub use session::{First, Session, Stop};

/// What keeps a project from being analysed at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A path on the command line that does not exist.
    #[error("cannot find `{}`: {reason}", path.display())]
    MissingPath {
        /// As given.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// The compile database that was asked for cannot be used.
    #[error("cannot use the compile database `{}`: {reason}", path.display())]
    CompileCommands {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The baseline that was asked for cannot be used.
    #[error("cannot use the baseline `{}`: {reason}", path.display())]
    Baseline {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A model that was asked for cannot be read.
    #[error("cannot read the model `{}`: {reason}", path.display())]
    Model {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A model that is not C++.
    #[error("{}:{line}:{column}: the model is no C++ from here on", path.display())]
    BrokenModel {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    },
    /// Git cannot say which files changed.
    #[error("{message}")]
    Git {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A configuration that governs a reported file is wrong.
    #[error(transparent)]
    Config(#[from] crate::config::Error),
    /// Somebody asked it to stop.
    #[error("the check was stopped")]
    Stopped,
    /// The worker threads could not be started.
    #[error("cannot start worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Error {
    /// What to do about it, when the message alone does not say.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Error::Config(error) => error.hint(),
            Error::Git { hint, .. } => hint.as_deref(),
            Error::Baseline { path, .. } if !path.exists() => Some("`--update-baseline` writes it"),
            Error::MissingPath { path, .. } if path.as_os_str() == "-" => {
                Some("`--stdin-filename NAME` checks standard input")
            }
            _ => None,
        }
    }
}
