//! cudalint: finds GPU hangs, races and wrong timings in CUDA host code before they happen.
//!
//! The layers, in reading order; each imports only from those above it (a test enforces that):
//!
//! - [`syntax`]: bytes to trees.
//! - [`api`]: what each CUDA call does, as data.
//! - [`facts`]: what one file says, as data.
//! - [`models`]: what libraries do, as stand-ins in C++.
//! - [`diagnostics`]: findings, locations, suppressions.
//! - [`program`]: all files linked: names, call graph, kernel summaries.
//! - [`trace`]: host entry points executed symbolically at the granularity of CUDA events.
//! - [`order`]: the dependency graph; the only place that knows ordering.
//! - [`rules`]: one file per rule; a rule asks, it never walks trees.
//! - [`report`]: findings to bytes, one file per format.
//! - [`config`], [`project`]: settings and files.
//! - [`server`], [`cli`]: the language server, and the command.
//! - `verify` (a feature): programs run on a GPU, to see whether they do what was predicted; `probe`: single calls there.
//!
//! Invariants: nothing between `syntax` and `rules` does IO, reads a clock or the environment; parsing never
//! fails; nothing that reaches output iterates an unordered map; no panic on any input.

pub mod syntax;

pub mod api;

pub mod facts;

pub mod models;

pub mod diagnostics;

pub mod program;

pub mod trace;

pub mod order;

pub mod rules;

pub mod report;

pub mod config;

pub mod project;

#[cfg(all(feature = "verify", unix))]
pub mod verify;

#[cfg(all(feature = "verify", unix))]
pub mod probe;

pub mod server;

pub mod cli;
