//! Host memory of copies: what is provably pageable, and where it comes from.

use std::collections::{BTreeMap, BTreeSet};

use super::access::{Access, Extent, Mode};
use super::calls::Argument;
use super::containers::is_sequence;
use super::cuda::{Invocation, handle_name};
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::notes::{HostMemory, Pageable, SourceEnd};
use super::{Base, Location, Step, ThreadId};
use crate::api::{Role, library};
use crate::facts::ir::{Name, Type};
use crate::program::{ClassId, FileId, FunctionId, Scope};
use crate::syntax::Span;

/// What is known of host memory on a path.
#[derive(Default)]
pub(super) struct HostMemoryFacts {
    /// Where heap memory is allocated.
    heap: BTreeMap<Base, (FileId, Span)>,
    /// Pinned after the fact.
    registered: BTreeSet<Base>,
    /// Where memory begins that is pinned now, after the fact.
    places: BTreeSet<Location>,
    /// Addresses that were pinned.
    variables: BTreeSet<Location>,
    /// Something was pinned, nobody knows what.
    anything_registered: bool,
    /// Containers of a CUDA library: assigning one copies, and waits.
    library: BTreeSet<Location>,
    /// Containers with an allocator of their own.
    custom: BTreeSet<Location>,
    /// Containers whose allocator is one of the heap's, as was seen when they were made.
    of_heap: BTreeSet<Location>,
    /// What the allocators of the program that were asked give; `None` where that is not known.
    allocators: BTreeMap<ClassId, Option<Origin>>,
    /// Variables that host functions are handed the addresses of, and memory of the heap, or of callers, that kernels use.
    lent: BTreeSet<Base>,
    /// Pageable memory that a batch of copies may read after the call.
    deferred: BTreeSet<Base>,
    /// Pageable memory that asynchronous copies were enqueued from: the last of them.
    sources: BTreeMap<Base, (ThreadId, u32)>,
}

impl<'p> Machine<'p> {
    pub(super) fn note_heap(&mut self, object: &Location, span: Span) {
        let at = self.at(span);
        self.host_memory.heap.insert(object.base, at);
    }

    pub(super) fn note_registered(&mut self, pointer: Option<&Argument>) {
        match pointer.map(|it| &it.value) {
            Some(Value::Pointer(place)) => {
                self.host_memory.variables.insert(place.clone());
                let place = owner(place);
                self.host_memory.registered.insert(place.base);
                self.host_memory.places.insert(place.clone());
                self.set_origin(place.base, Origin::Heap, Origin::Pinned);
            }
            _ => self.host_memory.anything_registered = true,
        }
    }

    pub(super) fn note_unregistered(&mut self, pointer: Option<&Argument>) {
        let Some(Value::Pointer(place)) = pointer.map(|it| &it.value) else {
            return;
        };
        self.host_memory.variables.remove(place);
        if self.host_memory.places.remove(&owner(place)) {
            self.set_origin(place.base, Origin::Pinned, Origin::Heap);
        }
    }

    fn set_origin(&mut self, base: Base, from: Origin, to: Origin) {
        if let Base::Allocation(index) = base
            && let Some(origin) = self.memory.allocations.get_mut(index as usize)
            && *origin == from
        {
            *origin = to;
        }
    }

    /// Whether host memory that is no allocation of CUDA's is pinned now.
    pub(super) fn is_registered(&self, place: &Location) -> bool {
        self.host_memory.places.contains(&owner(place))
    }

    /// The same of a variable, or a part of one, that was pinned by its address.
    pub(super) fn is_pinned_variable(&self, place: &Location) -> bool {
        let pinned = &self.host_memory.variables;
        let holds = |it: &Location| it.base == place.base && place.path.starts_with(&it.path);
        pinned.iter().any(holds) && !self.memory.arrays.contains(place)
    }

    pub(super) fn note_lent(&mut self, base: Base) {
        self.host_memory.lent.insert(base);
    }

    /// A kernel works on memory: where the host can free it, that is a use of it.
    pub(super) fn note_used_by_device(&mut self, accesses: &[Access]) {
        for access in accesses.iter().filter(|it| !it.declared) {
            let base = access.location.base;
            let is_outside = matches!(base, Base::Outside(_));
            if is_outside || self.memory.origin(base) == Some(Origin::Heap) {
                self.host_memory.lent.insert(base);
            }
        }
    }

    /// A batch of copies about to be recorded is told to read pageable memory when its stream gets there.
    pub(super) fn note_deferred(&mut self, base: Base) {
        self.host_memory.deferred.insert(base);
        let at = (self.control.thread, self.position(), base);
        self.trace.notes.deferred.insert(at);
    }

    /// The life of host memory ends, and nothing waits for the work that may still use it.
    pub(super) fn host_memory_dies(&mut self, base: Base, words: &str, span: Span) {
        if !self.capture.has_moved(base) {
            self.storage_dies(&Location::object(base), base, words, span);
        }
    }

    /// What stands at a place ends, and the memory it was made in.
    fn storage_dies(&mut self, place: &Location, base: Base, words: &str, span: Span) {
        let facts = &self.host_memory;
        let used_later = facts.places.iter().any(|it| it.base == base)
            || facts.lent.contains(&base)
            || facts.deferred.contains(&base)
            || self.capture.uses_host_memory(base);
        if used_later {
            self.record_touch(place, Extent::Whole, Mode::Free, span, words);
        }
        self.source_ends(base, words, span);
        self.host_memory_ends(base, span);
    }

    /// Pageable memory ends that copies were enqueued from by the same thread.
    fn source_ends(&mut self, base: Base, words: &str, span: Span) {
        let Some((thread, copy)) = self.host_memory.sources.remove(&base) else {
            return;
        };
        // What a library does with memory of its own is not the caller's to wait for.
        if thread == self.control.thread && !self.program.is_model(self.frame().file) {
            let end = self.mark_here(span);
            let buffer = handle_name(words);
            self.trace.notes.source_ends.push(SourceEnd {
                thread,
                copy,
                end,
                buffer,
            });
        }
    }

    /// A variable ends, and with it the elements that its containers were given by others.
    pub(super) fn variable_ends(&mut self, base: Base, words: &str, span: Span) {
        if !self.capture.has_moved(base) {
            for (container, storage) in self.memory.storage_in(base) {
                self.storage_dies(&container, storage, words, span);
            }
        }
        self.host_memory_dies(base, words, span);
    }

    /// A container of a CUDA library is declared.
    pub(super) fn note_library_container(&mut self, place: &Location) {
        self.host_memory.library.insert(place.clone());
    }

    /// An assignment to or from a container of a CUDA library copies between host and device, and waits.
    pub(super) fn note_assignment(&mut self, target: &Location, source: Option<&Location>, span: Span) {
        let library = &self.host_memory.library;
        if library.contains(target) || source.is_some_and(|it| library.contains(it)) {
            self.note_opaque("device_vector::operator=", &[], true, span);
        }
    }

    /// A container that is handed a memory resource holds what that allocates; a copy of it does not.
    pub(super) fn note_resource(&mut self, place: &Location, ty: &Name, last: Option<&Value>) {
        let is_resource = matches!(last, Some(Value::Pointer(_) | Value::Unknown(_)));
        if is_resource && is_polymorphic(ty) {
            self.host_memory.custom.insert(place.clone());
        }
    }

    /// A container whose allocator is a class of the program holds what that allocates; any other may hold anything.
    pub(super) fn note_allocator(&mut self, place: &Location, arguments: &[String], span: Span) {
        let Some(written) = arguments.get(1).filter(|it| it.parse::<i64>().is_err()) else {
            return;
        };
        let written = self.template_argument(written.trim());
        let Some((allocator, allocate)) = self.allocator_named(self.scope(), &written) else {
            let known = match is_of_heap(&written) {
                true => &mut self.host_memory.of_heap,
                false => &mut self.host_memory.custom,
            };
            known.insert(place.clone());
            return;
        };
        match self.allocate_with(allocator, allocate, span) {
            Some(Origin::Heap) => {
                self.host_memory.of_heap.insert(place.clone());
            }
            gives => {
                self.host_memory.custom.insert(place.clone());
                if gives == Some(Origin::Pinned) {
                    self.host_memory.places.insert(place.clone());
                }
            }
        }
        if !self.program.is_eventful(allocate) {
            // How often it is asked, and for how much, is up to the library.
            self.memory.allocated.insert(place.clone());
            self.lose_reachable(vec![place.clone()]);
        }
    }

    /// An allocator of the program, and its method that allocates.
    fn allocator_named(&self, scope: Scope<'_>, written: &str) -> Option<(ClassId, FunctionId)> {
        let allocator = self.program.resolve_class(scope, &Name::of_type(written))?;
        let allocate = self.program.resolve_method(allocator, "allocate", 1)?;
        Some((allocator, allocate))
    }

    /// What kind of memory an allocator gives.
    fn allocate_with(&mut self, allocator: ClassId, allocate: FunctionId, span: Span) -> Option<Origin> {
        let object = self.memory.local();
        self.memory.classes.insert(object.clone(), allocator);
        let count = Argument::unplaced(self.memory.fresh(), String::new());
        let made = self.invoke(allocate, Some((object, allocator)), vec![count], span);
        let gives = match made {
            Value::Pointer(made) => self.memory.origin(made.base),
            _ => None,
        };
        self.host_memory.allocators.insert(allocator, gives);
        gives
    }

    /// Whether the memory of a standard container comes from somewhere else than the heap, as far as its type tells.
    fn has_other_memory(&mut self, ty: &Type, scope: Scope<'_>, span: Span) -> bool {
        if ty.name.last() != "vector" {
            return false;
        }
        let Some(written) = ty.name.template_args.get(1) else {
            return false;
        };
        let Some((allocator, allocate)) = self.allocator_named(scope, written) else {
            return !is_of_heap(written);
        };
        let gives = match self.host_memory.allocators.get(&allocator) {
            Some(known) => *known,
            None => {
                // It is asked beside the path: what it does there has been done where the container was filled.
                self.host_memory.allocators.insert(allocator, None);
                self.taken_back(|machine| machine.allocate_with(allocator, allocate, span))
            }
        };
        gives != Some(Origin::Heap)
    }

    /// Notes an asynchronous copy about to be recorded whose host side is pageable.
    pub(super) fn note_pageable_copy(&mut self, call: &Invocation<'_>, direction: Option<i64>) {
        // A captured copy is made when the graph runs.
        if !call.name.contains("Async") || !self.capturing.is_empty() {
            return;
        }
        let sides: &[Role] = match direction {
            Some(1) => &[Role::Source],
            Some(2) => &[Role::Destination],
            Some(4) => &[Role::Source, Role::Destination],
            _ => return,
        };
        let found = sides.iter().find_map(|side| {
            let argument = call.arg(*side)?;
            let (memory, allocated) = self.pageable_memory(&argument.value, call.span)?;
            let pageable = Pageable {
                buffer: buffer_name(&argument.words),
                memory,
                allocated,
                scalar: self.is_small(call, &argument.value),
                filled: *side == Role::Destination,
                by_library: self.program.is_model(self.frame().file),
            };
            Some((*side, &argument.value, pageable))
        });
        if let Some((side, value, pageable)) = found {
            let at = (self.control.thread, self.position());
            if let (Role::Source, Value::Pointer(source)) = (side, value) {
                let base = self.memory.stored_at(source).base;
                self.host_memory.sources.insert(base, at);
            }
            self.trace.notes.pageable.insert(at, pageable);
        }
    }

    fn pageable_memory(&mut self, value: &Value, span: Span) -> Option<(HostMemory, Option<(FileId, Span)>)> {
        let Value::Pointer(place) = value else { return None };
        let facts = &self.host_memory;
        if facts.anything_registered || facts.registered.contains(&place.base) {
            return None;
        }
        let owner = owner(place);
        let is_known = facts.of_heap.contains(&owner);
        if around(place).any(|it| facts.custom.contains(&it))
            || !is_known && self.is_custom_field(&owner, span)
        {
            return None;
        }
        let inner = self.container_field(place);
        if !is_known
            && let Some((ty, scope)) = &inner
            && self.has_other_memory(ty, *scope, span)
        {
            return None;
        }
        let is_container = inner.is_some() || self.memory.element_types.contains_key(&owner);
        let memory = match place.base {
            // An object on the heap, with a container in it.
            Base::Allocation(_) if self.memory.origin(place.base) == Some(Origin::Heap) => match is_container
            {
                true => HostMemory::Container,
                false => HostMemory::Heap,
            },
            Base::Local(_) if is_container => HostMemory::Container,
            Base::Local(_) => HostMemory::Local,
            Base::Static(..) => HostMemory::Global,
            Base::Global(id) | Base::Instance(id, _) => {
                let variable = &self.program.global(id).variable;
                let scope = Scope {
                    file: id.file,
                    path: &[],
                };
                let alias = self.program.resolve_alias(scope, &variable.ty.name);
                let ty = alias.as_ref().unwrap_or(&variable.ty);
                if variable.space.is_some() || self.has_other_memory(ty, scope, span) {
                    return None;
                }
                HostMemory::Global
            }
            Base::Allocation(_) | Base::Outside(_) => return None,
        };
        let allocated = match memory {
            HostMemory::Heap => self.host_memory.heap.get(&place.base).copied(),
            _ => None,
        };
        Some((memory, allocated))
    }

    /// A field that is a container with an allocator of its own, or of a class nobody knows.
    fn is_custom_field(&mut self, owner: &Location, span: Span) -> bool {
        let Some((Step::Field(field), object)) = owner.path.split_last() else {
            return false;
        };
        let object = Location {
            base: owner.base,
            path: object.to_vec(),
        };
        let Some(class) = self.memory.classes.get(&object).copied() else {
            return true;
        };
        let program = self.program;
        let definition = program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let Some(found) = definition.fields.iter().find(|it| it.name == **field) else {
            return true;
        };
        let alias = program.resolve_alias(scope, &found.ty.name);
        self.has_other_memory(alias.as_ref().unwrap_or(&found.ty), scope, span)
    }

    /// The type of the innermost field on the way to a place that is a standard container, and where it is written.
    fn container_field(&self, place: &Location) -> Option<(Type, Scope<'p>)> {
        let program = self.program;
        let mut fields = (0..place.path.len())
            .rev()
            .filter_map(|at| match &place.path[at] {
                Step::Field(field) => Some((at, field)),
                _ => None,
            });
        fields.find_map(|(at, field)| {
            let object = prefix(place, at);
            let held = || {
                let step = object.path.last()?;
                let holder = prefix(&object, object.path.len() - 1);
                let kind = self.memory.element_types.get(&holder)?;
                (!matches!(step, Step::Field(_)))
                    .then(|| self.class_named(kind))
                    .flatten()
            };
            let class = self.memory.classes.get(&object).copied().or_else(held)?;
            let definition = program.class(class);
            let scope = Scope {
                file: class.file,
                path: &definition.path,
            };
            let found = definition.fields.iter().find(|it| it.name == **field)?;
            let alias = program.resolve_alias(scope, &found.ty.name);
            let ty = alias.unwrap_or_else(|| found.ty.clone());
            is_sequence(ty.name.last()).then_some((ty, scope))
        })
    }

    /// A plain variable, or as many bytes as one.
    fn is_small(&self, call: &Invocation<'_>, value: &Value) -> bool {
        let bytes = call.arg(Role::Bytes);
        if let Some(Value::Int(bytes)) = bytes.map(|it| &it.value) {
            return *bytes <= 64;
        }
        // `sizeof(float)` is one of them; `sizeof(buffer)` is all of it.
        let buffer =
            [Role::Source, Role::Destination].map(|role| call.arg(role).map(|it| buffer_name(&it.words)));
        bytes.is_some_and(|it| {
            let words = it.words.trim();
            let inner = words
                .strip_prefix("sizeof")
                .map(|it| it.trim_matches(['(', ')', ' ']));
            let whole = |name: &Option<String>| name.as_deref() == inner;
            inner.is_some_and(|it| !it.contains(['*', '+', '(']))
                && (!buffer.iter().any(whole) || !is_array(value))
        })
    }
}

/// The variable or allocation that holds the element at a place.
fn owner(place: &Location) -> Location {
    let container = place.path.iter().position(|step| !matches!(step, Step::Field(_)));
    Location {
        base: place.base,
        path: place.path[..container.unwrap_or(place.path.len())].to_vec(),
    }
}

/// The first steps to a place.
fn prefix(place: &Location, steps: usize) -> Location {
    Location {
        base: place.base,
        path: place.path[..steps].to_vec(),
    }
}

/// What a place is part of, itself included.
fn around(place: &Location) -> impl Iterator<Item = Location> {
    (0..=place.path.len()).map(|steps| prefix(place, steps))
}

/// Whether a pointer leads into an array rather than to a variable.
fn is_array(value: &Value) -> bool {
    match value {
        Value::Pointer(place) => place.path.iter().any(|step| !matches!(step, Step::Field(_))),
        _ => true,
    }
}

/// An allocator that gives memory of the heap, as containers have where none is named.
fn is_of_heap(written: &str) -> bool {
    library::allocates_for_containers(&Name::of_type(written).path.join("::"))
}

/// A container of `std::pmr`.
fn is_polymorphic(ty: &Name) -> bool {
    ty.path.iter().any(|it| it == "pmr")
}

/// The buffer as a person would say it.
fn buffer_name(words: &str) -> String {
    let words = handle_name(words);
    let words = words.strip_suffix(".data()").unwrap_or(&words);
    words.strip_suffix("[0]").unwrap_or(words).to_owned()
}
