//! What edits inside of functions change of a linked program.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::instances::Summaries;
use super::reads::Changes;
use super::skeleton::{self, plain};
use super::{FileId, FunctionId, Program, SourceUnit, worth};
use crate::api::library::{ATOMICS, FUTURES};
use crate::facts::FileFacts;
use crate::facts::ir::{ExprKind, Function, Role, Target};
use crate::facts::visit::{self, Node};
use crate::models;

/// One unit as it is now.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Which one.
    pub file: FileId,
    /// What it says.
    pub facts: Arc<FileFacts>,
    /// Its text.
    pub bytes: Arc<[u8]>,
}

/// What else stands in a text and makes more of a program count.
const SIGNS: [&str; 6] = [
    "WaitValue",
    "BatchMemOp",
    "StreamBeginCapture",
    "volatile",
    "__managed__",
    "cudalint",
];

impl Program {
    /// What edits of some units change, or `None` where they declare something else than before.
    pub fn changes_by(&self, edits: &[Edit]) -> Option<Changes> {
        let mut changes = Changes::default();
        for edit in edits {
            let before = self.source(edit.file);
            if declarations(&before.facts, &before.bytes) != declarations(&edit.facts, &edit.bytes) {
                return None;
            }
            changes.files.insert(edit.file);
            let pairs = before.facts.functions.iter().zip(&edit.facts.functions);
            for (index, (old, new)) in pairs.enumerate() {
                if text(old, &before.bytes) == text(new, &edit.bytes) && inside(old) == inside(new) {
                    continue;
                }
                let (old, new) = (mentions(old), mentions(new));
                let names = old.symmetric_difference(&new);
                changes.names.extend(names.map(|it| (*it).to_owned()));
                changes.functions.insert(FunctionId {
                    file: edit.file,
                    index: index as u32,
                });
            }
        }
        self.add_kernels(&mut changes);
        Some(changes)
    }

    /// Kernels that do something else by the changes.
    fn add_kernels(&self, changes: &mut Changes) {
        loop {
            let before = changes.functions.len();
            let touched = |it: &&FunctionId| self.summaries[*it].reads().any(|it| it.touch_inside(changes));
            let kernels: Vec<FunctionId> = self.summaries.keys().filter(touched).copied().collect();
            changes.functions.extend(kernels);
            if changes.functions.len() == before {
                return;
            }
        }
    }

    /// Whether edits leave everything that was worked out for the program as a whole what it is.
    pub fn is_whole_after(&self, edits: &[Edit], changes: &Changes) -> bool {
        let is_kernel = |it: &FunctionId| self.summaries.contains_key(it);
        if changes.functions.iter().any(is_kernel) {
            return false;
        }
        edits.iter().all(|edit| {
            let (before, unit) = (self.source(edit.file), edit.file.0 as usize);
            let after = SourceUnit {
                facts: Arc::clone(&edit.facts),
                bytes: Arc::clone(&edit.bytes),
                ..before.clone()
            };
            let changed = changes.functions.iter().filter(|it| it.file == edit.file);
            models::asked_for(&before.bytes) == models::asked_for(&after.bytes)
                && signs(&before.bytes) == signs(&after.bytes)
                && worth::of_unit(before, unit) == worth::of_unit(&after, unit)
                && worth::capturing_in(before, unit).eq(worth::capturing_in(&after, unit))
                && changed.into_iter().all(|id| {
                    let (old, new) = (self.definition(*id), &after.facts.functions[id.index as usize]);
                    old.target == Target::Host && old.role != Role::Macro && skeleton::is_same(self, old, new)
                })
        })
    }

    /// Puts edits in that leave everything else what it is.
    pub fn put_in(&mut self, edits: &[Edit]) {
        for edit in edits {
            let unit = &mut self.units[edit.file.0 as usize];
            unit.facts = Arc::clone(&edit.facts);
            unit.bytes = Arc::clone(&edit.bytes);
        }
        let files: BTreeSet<FileId> = edits.iter().map(|it| it.file).collect();
        for (id, summaries) in &mut self.summaries {
            // They say where they found what they say.
            if files.contains(&id.file) || summaries.reads().any(|it| it.lie_in(&files)) {
                *summaries = Summaries::default();
            }
            summaries.forget_instances();
        }
        self.renew_sites(&files);
    }

    /// What changed from an earlier program to this one, or `None` where they differ in more than what stands in functions.
    pub fn changes_since(&self, earlier: &Program) -> Option<Changes> {
        let same = |(old, new): (&SourceUnit, &SourceUnit)| {
            old.path == new.path
                && old.variant_of == new.variant_of
                && old.configuration == new.configuration
                && old.per_thread_default_stream == new.per_thread_default_stream
                && old.model == new.model
                && old.include_paths == new.include_paths
                && (!old.model || old.bytes == new.bytes)
        };
        if self.units.len() != earlier.units.len() || !earlier.units.iter().zip(&self.units).all(same) {
            return None;
        }
        let units = self.units.iter().enumerate().filter(|(at, new)| {
            let old = &earlier.units[*at];
            !(new.model || Arc::ptr_eq(&old.facts, &new.facts) && Arc::ptr_eq(&old.bytes, &new.bytes))
        });
        let edits = units.map(|(at, new)| Edit {
            file: FileId(at as u32),
            facts: Arc::clone(&new.facts),
            bytes: Arc::clone(&new.bytes),
        });
        let mut changes = earlier.changes_by(&edits.collect::<Vec<_>>())?;
        let (old, new) = (&earlier.reach, &self.reach);
        let own = |it: &Program| it.own_streams.get().is_some();
        let outside = |it: &Program| it.set_from_outside.get().is_some();
        let whole = old.any_wait == new.any_wait
            && self.names.vocabulary == earlier.names.vocabulary
            && (!own(earlier) || earlier.own_streams() == self.own_streams())
            && (!outside(earlier) || earlier.set_from_outside() == self.set_from_outside());
        if !whole {
            return None;
        }
        let differ = [
            (&old.waits, &new.waits),
            (&old.eventful, &new.eventful),
            (&old.demanding, &new.demanding),
            (&old.capturing, &new.capturing),
        ];
        for (old, new) in differ {
            changes.functions.extend(old.symmetric_difference(new));
        }
        let (before, after) = (old.promises.iter(), new.promises.iter());
        let (before, after): (BTreeSet<_>, BTreeSet<_>) = (before.collect(), after.collect());
        changes
            .functions
            .extend(before.symmetric_difference(&after).copied());
        let called = old.callers.keys().chain(new.callers.keys());
        let differ = called.filter(|it| old.callers.get(it) != new.callers.get(it));
        changes.functions.extend(differ);
        let carrying = old.carried.keys().chain(new.carried.keys());
        let differ = carrying.filter(|it| old.carried.get(it) != new.carried.get(it));
        changes.functions.extend(differ);
        earlier.add_kernels(&mut changes);
        Some(changes)
    }
}

fn signs(bytes: &[u8]) -> Vec<bool> {
    let stands = |it: &&str| memchr::memmem::find(bytes, it.as_bytes()).is_some();
    let signs = [&SIGNS[..], FUTURES.signs, ATOMICS.signs].into_iter().flatten();
    signs.map(stands).collect()
}

/// The text of a function.
fn text<'a>(function: &Function, bytes: &'a [u8]) -> Option<&'a [u8]> {
    bytes.get(function.span.start as usize..function.span.end as usize)
}

/// What a function does, wherever it stands.
fn inside(function: &Function) -> String {
    plain(format_args!("{:?}{:?}", function.initialisers, function.body))
}

/// What a file declares, wherever that stands.
fn declarations(facts: &FileFacts, bytes: &[u8]) -> String {
    let mut all = String::new();
    for function in &facts.functions {
        let Function {
            path,
            namespaces,
            role,
            target,
            template_params,
            template_defaults,
            specialisation,
            result,
            params,
            initialisers: _,
            body: _,
            defined,
            internal,
            is_static,
            constant,
            object,
            is_virtual,
            public,
            span,
            name_span,
        } = function;
        let names = (
            path,
            namespaces,
            template_params,
            template_defaults,
            specialisation,
        );
        let kind = (role, target, defined, internal, is_static, constant, object);
        let types = (result, params, is_virtual, public);
        // Attributes are nowhere but in the text.
        let head = bytes.get(span.start as usize..name_span.end as usize);
        let _ = write!(all, "{names:?}{kind:?}{types:?}{head:?}");
    }
    let FileFacts {
        functions: _,
        classes,
        globals,
        aliases,
        constants,
        using_namespaces,
        includes,
        instantiations,
        marked_comments: _,
        assertions_off,
        debug_only,
        quality: _,
    } = facts;
    let types = (classes, globals, aliases, constants);
    let others = (using_namespaces, includes, instantiations);
    let _ = write!(all, "{types:?}{others:?}{assertions_off}{}", debug_only.len());
    plain(format_args!("{all}"))
}

/// Names a function mentions.
fn mentions(function: &Function) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    visit::function(function, &mut |node| {
        if let Node::Expr(expression) = node {
            match &expression.kind {
                ExprKind::Name(it) => names.insert(it.last()),
                ExprKind::Member { field, .. } => names.insert(field),
                _ => false,
            };
        }
    });
    names
}
