//! Thrust's containers: memory that is given back, with all that this waits for.

use super::calls::Argument;
use super::construct::written_value;
use super::cuda::Invocation;
use super::machine::{Cleanup, Machine};
use super::memory::{Origin, Value};
use super::{Access, Block, Extent, Location, Mode, Work, WorkKind};
use crate::api;
use crate::facts::ir::{Expr, ExprKind, Init, Name, Type};
use crate::syntax::Span;

/// How much a container holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Nothing: it never held anything, or gave it back.
    Nothing,
    /// Memory for so many elements, where known.
    Elements(Option<i64>),
    /// Memory without elements.
    Capacity,
    /// Memory of an allocator of its own, which may do anything.
    Own,
}

impl<'p> Machine<'p> {
    /// `thrust::device_vector<T> v(n)`: an empty one holds nothing yet.
    pub(super) fn construct_device_vector(
        &mut self,
        place: &Location,
        ty: &Name,
        args: Vec<Argument>,
        span: Span,
    ) {
        if ty.template_args.len() > 1 {
            // An allocator of its own: it is memory like any other, and what else happens then is not known.
            self.memory.device_vectors.insert(place.clone(), Held::Own);
            self.give_memory(place, Origin::Device);
            self.note_opaque("device_vector", &[], true, span);
            return;
        }
        let held = match args.first().map(|it| &it.value) {
            None => Held::Nothing,
            Some(Value::Int(count)) => Held::Elements(Some(*count)),
            Some(_) => Held::Elements(None),
        };
        self.memory.device_vectors.insert(place.clone(), held);
        let origin = match ty.last() {
            "universal_vector" => Origin::Managed,
            _ => Origin::Device,
        };
        self.give_memory(place, origin);
        if held != Held::Nothing {
            self.device_vector_call(&format!("thrust::{}", ty.last()), args, span);
        }
    }

    /// The end of a container.
    pub(super) fn free_device_vector(&mut self, place: &Location, span: Span) {
        match self.memory.device_vectors.remove(place) {
            None | Some(Held::Nothing | Held::Own) => {}
            Some(_) => {
                self.device_vector_call("thrust::device_vector::~device_vector", Vec::new(), span);
            }
        }
    }

    /// A method of such a container; `None` when the place is none.
    pub(super) fn device_vector_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let held = self.memory.device_vectors.get(place).copied()?;
        let args = self.arguments(args);
        let count = match args.first().map(|it| &it.value) {
            Some(Value::Int(count)) => Some(*count),
            _ => None,
        };
        match (method, args.as_slice()) {
            ("data" | "begin" | "cbegin", _) => return self.memory.get(place).cloned(),
            ("swap", [other]) => {
                self.swap_device_vectors(place, other.place.as_ref());
                return Some(Value::Int(0));
            }
            _ => {}
        }
        if held == Held::Own {
            if matches!(
                method,
                "resize" | "reserve" | "assign" | "push_back" | "shrink_to_fit"
            ) {
                self.give_memory(place, Origin::Device);
                self.note_opaque("device_vector", &[], true, span);
            }
            return Some(self.memory.fresh());
        }
        let (after, moves) = match (method, held) {
            ("clear", Held::Nothing) => (Held::Nothing, false),
            ("clear", _) => (Held::Capacity, false),
            ("shrink_to_fit", Held::Capacity) => (Held::Nothing, true),
            ("resize" | "reserve" | "assign" | "push_back", Held::Nothing) => {
                self.device_vector_call("thrust::device_vector", args, span);
                (Held::Elements(count), false)
            }
            ("resize" | "reserve", Held::Elements(Some(old))) if count.is_some_and(|new| new > old) => {
                (Held::Elements(count), true)
            }
            _ => (held, false),
        };
        if moves || matches!(method, "resize" | "reserve" | "assign" | "push_back") {
            let origin = match self.memory.get(place) {
                Some(Value::Pointer(memory)) => self.memory.origin(memory.base),
                _ => None,
            };
            // It may be new memory.
            self.give_memory(place, origin.unwrap_or(Origin::Device));
        }
        if moves {
            let name = format!("thrust::device_vector::{method}");
            self.device_vector_call(&name, Vec::new(), span);
        }
        self.memory.device_vectors.insert(place.clone(), after);
        Some(self.memory.fresh())
    }

    /// The place of a container holds a pointer to its elements.
    fn give_memory(&mut self, place: &Location, origin: Origin) {
        let memory = self.memory.allocate(origin);
        self.device_vector_memory.insert(memory.base);
        self.memory.set(place.clone(), Value::Pointer(memory));
    }

    /// Two containers trade their memory; of one that is not known nobody knows what it held.
    pub(super) fn swap_device_vectors(&mut self, one: &Location, other: Option<&Location>) {
        let Some(other) = other.filter(|it| self.memory.device_vectors.contains_key(it)) else {
            let unknown = self.memory.fresh();
            self.memory.set(one.clone(), unknown);
            return;
        };
        let held = [one, other].map(|it| self.memory.device_vectors.get(it).copied());
        let memory = [one, other].map(|it| self.memory.load(it));
        let [first, second] = memory;
        self.memory.set(one.clone(), second);
        self.memory.set(other.clone(), first);
        if let [Some(first), Some(second)] = held {
            self.memory.device_vectors.insert(one.clone(), second);
            self.memory.device_vectors.insert(other.clone(), first);
        }
    }

    /// Whether a place is among the elements of a container of Thrust's that lie on the device.
    pub(super) fn is_vector_of_device(&self, place: &Location) -> bool {
        self.device_vector_memory.contains(&place.base)
            && self.memory.origin(place.base) == Some(Origin::Device)
    }

    /// Where a copy without a policy goes to, where that is a container of the device.
    pub(super) fn thrust_copy_target(&mut self, call: &Invocation<'_>) -> Option<Access> {
        let [_, _, target] = call.args else { return None };
        let is_copy = matches!(call.name, "thrust::copy" | "thrust::copy_n");
        let is_target = matches!(&target.value, Value::Pointer(it) if self.is_vector_of_device(it));
        let access = self
            .access_through(call, target, Mode::Write)
            .filter(|_| is_copy && is_target)?;
        Some(Access {
            extent: Extent::Some,
            ..access
        })
    }

    /// Reading or writing an element from the host copies it in the default stream, and waits for that copy.
    pub(super) fn note_element(&mut self, place: &Location, mode: Mode, span: Span) {
        if self.device_vector_memory.contains(&place.base)
            && !self.copy_of_vector(place, Extent::Element, mode, span)
        {
            self.note_opaque("device_vector::reference", &[], true, span);
        }
    }

    /// A container is copied into another one: what that holds is its own. Whether the source is one of Thrust's.
    pub(super) fn copy_device_vector(&mut self, target: &Location, source: &Location, span: Span) -> bool {
        let Some(held) = self.memory.device_vectors.get(source).copied() else {
            return false;
        };
        let memory = self.memory.get(source).cloned();
        if let Some(Value::Pointer(memory)) = &memory {
            self.copy_of_vector(memory, Extent::Whole, Mode::Read, span);
        }
        if self.memory.device_vectors.contains_key(target) {
            self.memory.device_vectors.insert(target.clone(), held);
            self.give_memory(target, Origin::Device);
        } else {
            let unknown = self.memory.fresh();
            self.memory.set(target.clone(), unknown);
        }
        true
    }

    /// A variable that begins as a copy of such a container, and what is to be cleaned up.
    pub(super) fn initialise_from_vector(
        &mut self,
        place: &Location,
        ty: &Type,
        init: Option<&'p Init>,
    ) -> Option<Option<Cleanup>> {
        if self.memory.device_vectors.is_empty() || ty.pointers > 0 || ty.reference {
            return None;
        }
        let value = written_value(init)?;
        let ExprKind::Name(name) = &value.kind else {
            return None;
        };
        let source = self.name_place(name)?;
        let is_same = ty.name.last() == "auto" && self.memory.device_vectors.contains_key(&source);
        if is_same {
            self.memory.device_vectors.insert(place.clone(), Held::Nothing);
        }
        self.copy_device_vector(place, &source, value.span)
            .then(|| is_same.then(|| Cleanup::DeviceVector(place.clone())))
    }

    /// The host copies from or to elements on the device that work in flight may use; whether it does.
    pub(super) fn copy_of_vector(
        &mut self,
        place: &Location,
        extent: Extent,
        mode: Mode,
        span: Span,
    ) -> bool {
        let is_used = self.control.quiet == 0 && self.watched.contains(&self.memory.stored_at(place).base);
        let is_copied = is_used && self.is_vector_of_device(place);
        let Some(entry) = api::lookup("thrust::copy").filter(|_| is_copied) else {
            return false;
        };
        let words = self.words(span);
        let work = Work {
            kind: WorkKind::Other,
            stream: self.default_stream(),
            kernel: None,
            waits: Vec::new(),
            writes: Vec::new(),
            accesses: vec![self.access(place.clone(), extent, mode, span, &words)],
        };
        let name = match extent {
            Extent::Element => "thrust::device_reference",
            _ => "thrust::copy",
        };
        self.finish(
            name.to_owned(),
            Some(entry),
            Some(work),
            Block::OwnWork,
            None,
            span,
        );
        true
    }

    fn device_vector_call(&mut self, name: &str, args: Vec<Argument>, span: Span) {
        if let Some(entry) = api::lookup(name) {
            self.cuda_call_values(entry, entry.name, args, span);
        }
    }
}
