//! What libraries do, as small stand-ins written in C++ under `rules/models/`: read by the same front end as the project,
//! and only those that a project asks for.

mod used;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::facts::{self, FileFacts};
use crate::syntax::{self, Defines, MacroTable};
pub use used::Used;

include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// A stand-in that a project asks for.
#[derive(Debug)]
pub struct Model {
    /// Path below `rules/models/`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
    /// What it says.
    pub facts: FileFacts,
}

/// The models that some files ask for, by what they name and include, and those that these include, in order of their paths.
pub fn wanted<'a>(files: impl ParallelIterator<Item = &'a [u8]>) -> Vec<Model> {
    let used = files.map(Used::of).reduce(Used::default, Used::with);
    let mut wanted = used.models;
    let mut open: Vec<usize> = wanted.iter().copied().collect();
    while let Some(model) = open.pop() {
        let more = Used::of(MODELS[model].1.as_bytes()).included;
        open.extend(more.into_iter().filter(|it| wanted.insert(*it)));
    }
    let wanted: Vec<usize> = wanted.into_iter().collect();
    wanted.into_par_iter().map(read).collect()
}

/// The models that one file asks for.
pub fn asked_for(file: &[u8]) -> Used {
    Used::of(file)
}

/// Whether a file names something of a library on top of CUDA that there is a model of.
pub fn names_library(file: &[u8]) -> bool {
    let of_library = |model: &usize| {
        MODELS[*model]
            .0
            .split_once('/')
            .is_some_and(|(folder, _)| folder != "std")
    };
    Used::of(file).models.iter().any(of_library)
}

/// Where a text stops being C++, if it does.
pub fn first_mistake(text: &[u8]) -> Option<u32> {
    let prepared = syntax::prepare(text, &Defines::for_cuda(13_000), &own_macros(text));
    let tree = syntax::parse(&prepared.text)?;
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            return u32::try_from(node.start_byte()).ok();
        }
        if node.has_error() {
            let mut cursor = node.walk();
            let children: Vec<_> = node.children(&mut cursor).collect();
            open.extend(children.into_iter().rev());
        }
    }
    None
}

/// What the text of a model says: only its own macros mean something in it.
pub fn facts_of(text: &[u8]) -> FileFacts {
    facts::extract(text, &Defines::for_cuda(13_000), &own_macros(text))
}

fn own_macros(text: &[u8]) -> MacroTable {
    let mut table = MacroTable::default();
    table.merge(syntax::collect_macros(text));
    table
}

fn read(model: usize) -> Model {
    let (path, text) = MODELS[model];
    let facts = facts_of(text.as_bytes());
    Model { path, text, facts }
}

/// What every model defines, by qualified name, to its index.
static NAMES: LazyLock<BTreeMap<String, usize>> = LazyLock::new(|| {
    let all = MODELS.iter().enumerate();
    all.flat_map(|(index, (_, text))| used::defined(text).map(move |name| (name, index)))
        .collect()
});
