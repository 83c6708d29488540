//! What rules offer as fixes: edits worked out from facts and from where things happen.

mod behind;
mod captures;
mod clocks;
mod dialect;
mod free;
mod later;
mod locks;
mod named;
mod preload;
mod records;
mod release;
mod streams;
mod waits;

use super::HangCase;
use super::story;
use crate::diagnostics::{Edit, Fix, Safety};
use crate::facts::ir::Span;
use crate::facts::places::Change;
use crate::order::EventRef;
use crate::program::{FileId, Program};
use crate::trace::Site;

pub(super) use behind::wait_behind;
pub(super) use captures::{copy_at_once, join_fork, outside, relaxed, thread_local, wait_at_launch};
pub(super) use clocks::{record_with_work, wait_before_clock};
pub(super) use free::free_in_stream;
pub(super) use later::start_later;
pub(super) use locks::wait_unlocked;
pub(super) use preload::preload;
pub(super) use release::{at_least, load_first, release_first};
pub(super) use streams::{created_non_blocking, non_blocking};
pub(super) use waits::between;

/// An edit of a file.
fn edit(program: &Program, file: FileId, (span, replacement): Change) -> Edit {
    Edit {
        location: story::location(program, (file, span)),
        replacement,
    }
}

/// A fix that is probably what was meant.
fn unsafe_fix(title: String, edits: Vec<Edit>) -> Fix {
    Fix {
        title,
        safety: Safety::Unsafe,
        edits,
        otherwise: None,
    }
}

/// Where something happens and the calls that lead there, innermost first.
fn chain(site: &Site) -> impl Iterator<Item = (FileId, Span)> {
    let inner = std::iter::once((site.file, site.span));
    inner.chain(site.frames.iter().rev().copied())
}

/// The operation that was started first among those that wait, in the thread of the one the finding is about.
fn first_resident(case: &HangCase<'_>) -> EventRef {
    let own = |it: &&EventRef| it.thread == case.hang.waiting.thread;
    let first = case.hang.resident.iter().filter(own).min();
    first.copied().unwrap_or(case.hang.waiting)
}

/// The first of some names that a file does not hold, else the last one with a number.
fn fresh_name(bytes: &[u8], names: &[&str]) -> String {
    let last = names.last().copied().unwrap_or_default();
    let numbered = (2..).map(|number| format!("{last}_{number}"));
    let mut all = names.iter().map(|it| (*it).to_owned()).chain(numbered);
    all.find(|it| !has_word(bytes, it)).unwrap_or_default()
}

/// Whether a file holds a word.
fn has_word(bytes: &[u8], word: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    memchr::memmem::find_iter(bytes, word.as_bytes()).any(|at| {
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        !is_part(before) && !is_part(bytes.get(at + word.len()))
    })
}
