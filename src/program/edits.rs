//! What edits inside of functions change of a linked program.

use std::collections::BTreeSet;
use std::fmt::{Arguments, Write};
use std::sync::Arc;

use super::instances::Summaries;
use super::moves::Move;
use super::part::Part;
use super::reads::Changes;
use super::{FileId, FunctionId, Program, SourceUnit, worth};
use crate::api::library::{ATOMICS, FUTURES};
use crate::facts::FileFacts;
use crate::facts::ir::{ExprKind, Function, Role};
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
const SIGNS: [&str; 7] = [
    "WaitValue",
    "BatchMemOp",
    "StreamBeginCapture",
    "volatile",
    "atomic",
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
            let has_changed = |index: usize| {
                let (file, index) = (edit.file, index as u32);
                changes.functions.contains(&FunctionId { file, index })
            };
            let moved = Move::of(&before.bytes, &edit.bytes, &before.facts.functions, has_changed);
            changes.moves.extend(moved.map(|it| (edit.file, it)));
        }
        self.add_kernels(&mut changes);
        Some(changes)
    }

    /// Kernels that do something else by the changes.
    fn add_kernels(&self, changes: &mut Changes) {
        loop {
            let before = changes.functions.len();
            let touched = |it: &Summaries| it.reads().any(|it| it.touch_inside(changes));
            let all = self.summaries.iter().chain(&self.callables);
            let kernels: Vec<FunctionId> = all.filter(|it| touched(it.1)).map(|it| *it.0).collect();
            changes.functions.extend(kernels);
            if changes.functions.len() == before {
                return;
            }
        }
    }

    /// Puts edits in where they leave everything that was worked out for the program as a whole what it is; otherwise the program stays as it was.
    pub fn take_in(&mut self, edits: Vec<Edit>, changes: &Changes) -> bool {
        if !edits.iter().all(|it| self.is_text_alike(it, changes)) {
            return false;
        }
        let ids: Vec<FunctionId> = changes.functions.iter().copied().collect();
        let files: BTreeSet<FileId> = edits.iter().map(|it| it.file).collect();
        let parts: Vec<Part> = ids.iter().map(|it| self.part_of(*it, None)).collect();
        let acts = self.acts_in(&files);
        let before = self.put_in(edits);
        let mut pairs = ids.iter().zip(&parts);
        if pairs.all(|(id, part)| self.part_of(*id, Some(part)) == *part) && self.acts_in(&files) == acts {
            self.renew_sites(&files);
            return true;
        }
        self.put_in(before);
        false
    }

    /// Whether what is looked for in the text of a file stays the same, and no macro has another body.
    fn is_text_alike(&self, edit: &Edit, changes: &Changes) -> bool {
        let (before, unit) = (self.source(edit.file), edit.file.0 as usize);
        let after = SourceUnit {
            facts: Arc::clone(&edit.facts),
            bytes: Arc::clone(&edit.bytes),
            ..before.clone()
        };
        let mut changed = changes.functions.iter().filter(|it| it.file == edit.file);
        models::asked_for(&before.bytes) == models::asked_for(&after.bytes)
            && signs(&before.bytes) == signs(&after.bytes)
            && worth::of_unit(before, unit) == worth::of_unit(&after, unit)
            && worth::capturing_in(before, unit).eq(worth::capturing_in(&after, unit))
            && changed.all(|it| self.definition(*it).role != Role::Macro)
    }

    /// Puts edits in, and hands out what was there.
    fn put_in(&mut self, edits: Vec<Edit>) -> Vec<Edit> {
        let files: BTreeSet<FileId> = edits.iter().map(|it| it.file).collect();
        let swap = |edit: Edit| {
            let unit = &mut self.units[edit.file.0 as usize];
            Edit {
                file: edit.file,
                facts: std::mem::replace(&mut unit.facts, edit.facts),
                bytes: std::mem::replace(&mut unit.bytes, edit.bytes),
            }
        };
        let before = edits.into_iter().map(swap).collect();
        for (id, summaries) in self.summaries.iter_mut().chain(&mut self.callables) {
            // They say where they found what they say.
            if files.contains(&id.file) || summaries.reads().any(|it| it.lie_in(&files)) {
                *summaries = Summaries::default();
            }
            summaries.forget_instances();
        }
        self.forget_texts(&files);
        before
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
        // What was linked anew is said anew of places that moved.
        changes.moves.clear();
        let (old, new) = (&earlier.reach, &self.reach);
        let own = |it: &Program| it.own_streams.get().is_some();
        let outside = |it: &Program| it.set_from_outside.get().is_some();
        let by_callers = |it: &Program| it.set_by_callers.get().is_some();
        let whole = old.any_wait == new.any_wait
            && self.names.vocabularies == earlier.names.vocabularies
            && (!own(earlier) || earlier.own_streams() == self.own_streams())
            && (!outside(earlier) || earlier.set_from_outside() == self.set_from_outside())
            && (!by_callers(earlier) || earlier.set_by_callers() == self.set_by_callers());
        if !whole {
            return None;
        }
        let differ = [
            (&old.waits, &new.waits),
            (&old.eventful, &new.eventful),
            (&old.demanding, &new.demanding),
            (&old.prompt, &new.prompt),
            (&old.blocking, &new.blocking),
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
            demands,
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
            is_explicit,
            public,
            span,
            name_span,
        } = function;
        let names = (
            path,
            namespaces,
            template_params,
            template_defaults,
            demands,
            specialisation,
        );
        let kind = (role, target, defined, internal, is_static, constant, object);
        let types = (result, params, is_virtual, is_explicit, public);
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

/// Facts in words, without the places they stand at; where unions begin is counted from the first of them.
fn plain(facts: Arguments<'_>) -> String {
    const PLACE: &str = "Span { start: ";
    const OVERLAYS: &str = "overlays: [(";
    let all = facts.to_string();
    let mut kept = String::with_capacity(all.len() / 2);
    let mut rest = all.as_str();
    let mut places = rest.split(PLACE);
    kept.push_str(places.next().unwrap_or_default());
    for place in places {
        kept.push_str(place.split_once('}').map_or("", |it| it.1));
    }
    if !kept.contains(OVERLAYS) {
        return kept;
    }
    let all = std::mem::take(&mut kept);
    let mut first = None;
    rest = &all;
    while let Some(at) = rest.find(OVERLAYS) {
        let (before, behind) = rest.split_at(at);
        let (pairs, behind) = behind.split_once(']').unwrap_or((behind, ""));
        kept.push_str(before);
        for pair in pairs.split(')').filter_map(|it| it.split_once('(')) {
            let (start, part) = pair.1.split_once(", ").unwrap_or((pair.1, ""));
            let start: i64 = start.parse().unwrap_or_default();
            let _ = write!(kept, "({}, {part})", start - *first.get_or_insert(start));
        }
        rest = behind;
    }
    kept.push_str(rest);
    kept
}
