//! `cudalint verify` without a GPU: the real binary, with shell scripts in the place of compiler and programs.
#![cfg(all(feature = "verify", unix))]

#[path = "../common/mod.rs"]
mod common;
mod device;
mod fixed;
mod leftovers;
mod outcomes;
mod programs;
mod records;
mod trouble;
mod user;
