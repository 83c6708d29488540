//! Which models a file asks for, by a look at its text: names it qualifies, and headers it includes where it opens a namespace.

use std::collections::BTreeSet;

use memchr::memmem::{Finder, find, find_iter};

use super::{MODELS, NAMES};

/// Models, by their index.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Those a file names something of.
    pub(super) models: BTreeSet<usize>,
    /// Those whose headers it includes.
    pub(super) included: BTreeSet<usize>,
}

impl Used {
    /// What a file asks for.
    pub fn of(bytes: &[u8]) -> Self {
        let mut it = Used::default();
        for namespace in namespaces() {
            let qualifier = format!("{namespace}::");
            let finder = Finder::new(&qualifier);
            for start in finder.find_iter(bytes) {
                it.models.extend(model_of(qualified(&bytes[start..])));
            }
        }
        it.included = find_iter(bytes, b"#include")
            .filter_map(|at| header(&bytes[at..]))
            .collect();
        if find(bytes, b"using namespace").is_some() {
            it.models.extend(&it.included);
        }
        it
    }

    /// What two files ask for.
    pub fn with(mut self, other: Self) -> Self {
        self.models.extend(other.models);
        self.included.extend(other.included);
        self
    }
}

/// Namespaces that models define something in, without what is inside others.
fn namespaces() -> BTreeSet<&'static str> {
    NAMES.keys().filter_map(|it| it.split("::").next()).collect()
}

/// The qualified name a text begins with.
fn qualified(text: &[u8]) -> &str {
    let is_name = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':');
    let end = text.iter().position(|it| !is_name(it)).unwrap_or(text.len());
    std::str::from_utf8(&text[..end]).unwrap_or_default()
}

/// The model that defines a name, or what the name is a part of.
fn model_of(name: &str) -> Option<usize> {
    let mut name = name;
    loop {
        if let Some(model) = NAMES.get(name) {
            return Some(*model);
        }
        name = name.rsplit_once("::")?.0;
    }
}

/// The model that stands for a header: `#include <algorithm>`, and `#include "utility.h"` among models.
fn header(text: &[u8]) -> Option<usize> {
    let line = text.split(|it| *it == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?.strip_prefix("#include")?.trim();
    let name = line.get(1..)?.split(['>', '"']).next()?;
    let name = name.strip_suffix(".h").unwrap_or(name);
    MODELS.iter().position(|(path, _)| {
        let stem = path.strip_suffix(".h").unwrap_or(path);
        stem == name || stem.split_once('/').is_some_and(|(_, it)| it == name)
    })
}

/// Qualified names that a model defines: what its lines say at their very beginning, where nothing is indented for a namespace.
pub(super) fn defined(text: &str) -> impl Iterator<Item = String> {
    let mut path: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(names) = line.strip_prefix("// for: ") {
            found.extend(names.split_whitespace().map(str::to_owned));
        } else if let Some(name) = line.strip_prefix("namespace ") {
            path.push(name.trim_end_matches(['{', ' ']));
        } else if line.starts_with("}  // namespace") {
            path.pop();
        } else if let Some(name) = introduced(line) {
            found.push(format!("{}::{name}", path.join("::")));
        }
    }
    found.into_iter()
}

/// The class, alias or function whose definition begins in a line.
fn introduced(line: &str) -> Option<&str> {
    if !line.starts_with(|it: char| it.is_ascii_alphabetic()) || line.starts_with("template") {
        return None;
    }
    for keyword in ["struct ", "class ", "using "] {
        if let Some(rest) = line.strip_prefix(keyword) {
            let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
            return Some(&rest[..end.unwrap_or(rest.len())]);
        }
    }
    let before = line.split('(').next()?.trim_end();
    let start = before.rfind(|it: char| !it.is_ascii_alphanumeric() && it != '_')? + 1;
    Some(&before[start..]).filter(|it| !it.is_empty())
}
