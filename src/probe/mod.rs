//! Single operations behind something that cannot end, on the GPU at hand: what M1, M3, M4, M5, M7 and M8 measured, measured again.
//!
//! [`cases`] says what there is, [`child`] does one case in a process of its own, [`run`] does many and keeps what
//! they saw, [`report`] compares that with `rules/api.toml` and with what an H100 did. [`driver`] is the only file
//! with `unsafe` in it.

pub(crate) mod acts;
pub(crate) mod bench;
pub(crate) mod capture;
pub(crate) mod captures;
pub mod cases;
pub(crate) mod child;
pub(crate) mod driver;
pub(crate) mod kernels;
pub mod operations;
pub(crate) mod predict;
pub mod record;
pub mod report;
pub mod run;
pub mod scenes;
pub mod watch;
