//! What is defined at one point of a file.

use super::condition::{Environment, Lookup};
use super::{Defines, FastMap, Span};

/// The macro whose value depends on where code runs.
pub(crate) const ARCH: &[u8] = b"__CUDA_ARCH__";

/// The last `#define` or `#undef` of a name.
#[derive(Debug)]
pub(crate) struct Known {
    /// Parameters of a function-like macro.
    pub(crate) params: Option<Vec<String>>,
    /// Its body.
    pub(crate) body: Span,
    /// `false` after `#undef`.
    pub(crate) defined: bool,
}

/// A name the file defines or undefines.
#[derive(Debug)]
pub(crate) struct FileMacro {
    /// What the file said last.
    pub(crate) known: Known,
    /// Defined under a `#ifndef` of itself: `-D` can give another value.
    pub(crate) guarded: bool,
}

/// Macros known at one point of a file.
pub(crate) struct FileEnvironment<'a> {
    /// The file.
    pub(crate) bytes: &'a [u8],
    /// What was known before the file.
    pub(crate) defines: &'a Defines,
    /// What the file said so far.
    pub(crate) file: FastMap<&'a [u8], FileMacro>,
    /// Value of `__CUDA_ARCH__` here.
    pub(crate) arch: Option<&'static [u8]>,
    /// A name tried with another value.
    pub(crate) flipped: Option<(Vec<u8>, Vec<u8>)>,
}

impl FileEnvironment<'_> {
    /// `true` for a name that only `-D` decides.
    pub(crate) fn is_flippable(&self, name: &[u8]) -> bool {
        if name == ARCH || name.is_empty() {
            return false;
        }
        match self.file.get(name) {
            Some(known) => known.guarded,
            None => std::str::from_utf8(name).is_ok_and(|name| !self.defines.values.contains_key(name)),
        }
    }
}

impl Environment for FileEnvironment<'_> {
    fn lookup(&self, name: &[u8]) -> Lookup<'_> {
        if let Some((flipped, value)) = &self.flipped
            && flipped == name
        {
            return Lookup::Object(value);
        }
        if name == ARCH {
            return self.arch.map_or(Lookup::Undefined, Lookup::Object);
        }
        if let Some(FileMacro { known, .. }) = self.file.get(name) {
            let body = &self.bytes[known.body.start as usize..known.body.end as usize];
            return match &known.params {
                _ if !known.defined => Lookup::Undefined,
                Some(params) => Lookup::Function(params, body),
                None => Lookup::Object(body),
            };
        }
        let value = std::str::from_utf8(name)
            .ok()
            .and_then(|name| self.defines.values.get(name));
        value
            .and_then(Option::as_ref)
            .map_or(Lookup::Undefined, |value| Lookup::Object(value.as_bytes()))
    }
}
