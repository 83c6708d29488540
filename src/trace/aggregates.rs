//! Arrays and aggregates: what a list of initialisers leaves in them. What the list does not reach is zero; braces inside may be left out.

use super::Location;
use super::fits::is_handle;
use super::machine::Machine;
use super::making::Made;
use super::memory::Value;
use crate::facts::ir::{Expr, ExprKind, Initialiser, Role, Type, Variable};
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

/// Items of a list that are looked at.
const MOST_ITEMS: usize = 256;

/// What is left of a list of initialisers.
struct Items<'p> {
    all: &'p [Initialiser],
    next: usize,
}

impl<'p> Items<'p> {
    fn of(all: &'p [Initialiser]) -> Self {
        Items { all, next: 0 }
    }

    fn peek(&self) -> Option<&'p Initialiser> {
        self.all.get(self.next).filter(|_| self.next < MOST_ITEMS)
    }

    fn skip(&mut self) {
        self.next += 1;
    }
}

/// What the elements of an array are, under all of its dimensions.
#[derive(Clone, Copy)]
struct Elements<'p> {
    ty: &'p Type,
    class: Option<ClassId>,
    span: Span,
}

impl<'p> Machine<'p> {
    /// Makes the place of a variable the array it was declared as; says how many elements it has, where known.
    pub(super) fn mark_array(&mut self, place: &Location, variable: &'p Variable) -> Option<i64> {
        let lengths = self.dimensions(variable);
        self.memory.mark_array(place, &lengths);
        lengths.first().copied().flatten()
    }

    fn dimensions(&mut self, variable: &'p Variable) -> Vec<Option<i64>> {
        let mut length = |it: &'p Option<Expr>| match self.evaluate(it.as_ref()?) {
            Value::Int(length) => Some(length),
            _ => None,
        };
        variable.dims.iter().map(&mut length).collect()
    }

    /// The elements of an array that is initialised with a list.
    pub(super) fn initialise_rows(
        &mut self,
        place: &Location,
        variable: &'p Variable,
        items: &'p [Initialiser],
        span: Span,
    ) {
        let plain = variable.ty.pointers == 0;
        let elements = Elements {
            ty: &variable.ty,
            class: plain.then(|| self.class_of_type(&variable.ty.name)).flatten(),
            span,
        };
        let lengths = self.dimensions(variable);
        let is_plain = match elements.class {
            Some(class) => !self.program.has_constructor(class),
            None => self.is_scalar(elements.ty),
        };
        if is_plain && items.len() <= MOST_ITEMS && !items.iter().any(|it| self.is_macro(&it.value)) {
            self.memory.zero(place);
        }
        let count = self.fill_row(place, elements, &lengths, &mut Items::of(items));
        if lengths.first() == Some(&None)
            && let Some(count) = count
        {
            self.memory.lengths.insert(place.clone(), count);
        }
    }

    /// What the elements of an array are, where that is something of the standard library with more to it than a value.
    fn made_of_elements(&self, ty: &Type) -> Option<Made> {
        let made = (ty.pointers == 0).then(|| self.made_of_name(ty.name.clone()));
        made.filter(|it| !matches!(it, Made::Plain | Made::Object(..)))
    }

    /// A number, a pointer or a handle.
    fn is_scalar(&self, ty: &Type) -> bool {
        ty.pointers > 0 || is_handle(ty.name.last()) || self.declared_number(ty, 0).is_some()
    }

    /// What a macro leaves in a list may be several items.
    fn is_macro(&mut self, item: &'p Expr) -> bool {
        let is_macro = |machine: &Self, name| {
            let meant = machine.function_meant(name, None);
            meant.is_some_and(|it| machine.program.function(it).role == Role::Macro)
        };
        match &item.kind {
            ExprKind::Call(call) => matches!(&call.callee.kind, ExprKind::Name(name) if is_macro(self, name)),
            ExprKind::Name(name) => self.program.object_macro(self.scope(), name).is_some(),
            _ => false,
        }
    }

    /// Items for the elements of an array, as many as it has; says how many elements got one.
    fn fill_row(
        &mut self,
        place: &Location,
        elements: Elements<'p>,
        lengths: &[Option<i64>],
        items: &mut Items<'p>,
    ) -> Option<i64> {
        let (length, inner) = match lengths.split_first() {
            Some((length, inner)) => (*length, inner),
            None => (None, lengths),
        };
        let mut index = 0;
        while let Some(item) = items.peek()
            && length.is_none_or(|it| index < it)
        {
            if self.is_macro(&item.value) {
                items.next = items.all.len();
                return None;
            }
            let element = self.memory.element(place, index);
            let before = items.next;
            index += 1;
            if !inner.is_empty() {
                self.memory.mark_row(&element);
                self.fill_array(&element, elements, inner, items);
            } else if let Some(class) = elements.class {
                self.fill_object(&element, class, items, elements.span);
            } else if let Some(made) = self.made_of_elements(elements.ty) {
                items.skip();
                self.make_item(&element, made, &item.value, elements.span);
            } else if let ExprKind::InitList(parts) = &item.value.kind {
                items.skip();
                self.fill_number(&element, elements.ty, parts, &item.value);
            } else {
                items.skip();
                let values = self.expanded(&item.value);
                index += i64::try_from(values.len()).unwrap_or(1).max(1) - 1;
                for (value, offset) in values.into_iter().zip(0..) {
                    let element = self.memory.element(&element, offset);
                    self.assign(&element, value);
                }
            }
            // What has no members takes its item all the same.
            if items.next == before {
                items.skip();
            }
        }
        (items.all.len() <= MOST_ITEMS).then_some(index)
    }

    /// An array inside a list: a list of its own, a text, or as many items as it has elements.
    fn fill_array(
        &mut self,
        place: &Location,
        elements: Elements<'p>,
        lengths: &[Option<i64>],
        items: &mut Items<'p>,
    ) {
        let Some(item) = items.peek() else { return };
        match &item.value.kind {
            ExprKind::InitList(inner) => {
                items.skip();
                self.fill_row(place, elements, lengths, &mut Items::of(inner));
            }
            ExprKind::Str(text) if lengths.len() == 1 && elements.ty.pointers == 0 => {
                items.skip();
                let text = Value::Str(std::sync::Arc::from(text.as_str()));
                self.memory.set(place.step(super::Step::Element(0)), text);
            }
            _ => {
                self.fill_row(place, elements, lengths, items);
            }
        }
    }

    /// An object inside a list: a list of its own, an object, or as many items as it has members.
    fn fill_object(&mut self, place: &Location, class: ClassId, items: &mut Items<'p>, span: Span) {
        let Some(item) = items.peek() else { return };
        match &item.value.kind {
            ExprKind::InitList(parts) => {
                items.skip();
                self.initialise_braces(place, class, parts, span);
            }
            _ if self.is_elided(&item.value, class) => {
                self.construct(place, class, Vec::new(), span);
                self.fill_fields(place, class, items);
            }
            _ => {
                items.skip();
                let (argument, ty) = self.typed_argument(&item.value);
                let is_object = matches!(&argument.value, Value::Aggregate(from)
                    if self.object_at(from).is_some_and(|it| self.distance_to(it, class, 0).is_some()));
                if is_object {
                    self.construct_typed(place, class, vec![argument], &[ty], span);
                    return;
                }
                let value = self.as_object_of(argument.value, Some(class), span);
                self.assign(place, value);
            }
        }
    }

    /// Whether an item is one for the first member of an object, rather than for the object.
    fn is_elided(&mut self, item: &'p Expr, class: ClassId) -> bool {
        let is_aggregate = !self.program.has_constructor(class) && self.program.class(class).bases.is_empty();
        let is_scalar = |machine: &mut Self| {
            let known = machine.type_of(item);
            known.is_some_and(|it| it.pointers > 0 || it.builtin().is_some())
        };
        is_aggregate && is_scalar(self)
    }

    /// A number, handle or other thing without parts in braces.
    fn fill_number(&mut self, place: &Location, ty: &'p Type, parts: &'p [Initialiser], item: &'p Expr) {
        let is_simple = self.is_scalar(ty);
        if let (false, "pair", [first, second]) = (is_simple, ty.name.last(), parts) {
            for (name, part) in [("first", first), ("second", second)] {
                let value = self.evaluate_copy(&part.value);
                self.assign(&place.field(name), value);
            }
            return;
        }
        let value = match parts {
            [] if is_simple => Value::Int(0),
            [only] if is_simple && only.field.is_none() => self.evaluate_copy(&only.value),
            _ => self.evaluate_copy(item),
        };
        self.assign(place, value);
    }

    /// Items for the members of an object, in the order of their declaration or by name.
    fn fill_fields(&mut self, place: &Location, class: ClassId, items: &mut Items<'p>) {
        let definition = self.program.class(class);
        let mut fields = definition.fields.iter().filter(|it| !it.is_static);
        let mut unions: Vec<u32> = Vec::new();
        while let Some(item) = items.peek() {
            let field = match &item.field {
                Some(name) => definition.fields.iter().find(|it| it.name == *name),
                // Of the members of a union only the first one is initialised.
                None => fields.find(|it| !it.overlays.iter().any(|it| unions.contains(&it.0) && it.1 > 0)),
            };
            let Some(field) = field else { return };
            unions.extend(field.overlays.iter().map(|it| it.0));
            let before = items.next;
            let target = self.member(place, class, &field.name);
            self.fill_field(&target, (place, class), field, items);
            if items.next == before {
                items.skip();
            }
        }
    }

    fn fill_field(
        &mut self,
        target: &Location,
        (object, class): (&Location, ClassId),
        field: &'p Variable,
        items: &mut Items<'p>,
    ) {
        let Some(item) = items.peek() else { return };
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        if field.ty.reference
            && let Some(to) = self.place(&item.value)
        {
            items.skip();
            self.memory.references.insert(target.clone(), to);
            return;
        }
        let inner = (field.ty.pointers == 0)
            .then(|| self.program.resolve_class(scope, &field.ty.name))
            .flatten();
        if !field.dims.is_empty() {
            let lengths = self.in_class(object, class, |machine| machine.dimensions(field));
            self.memory.mark_array(target, &lengths);
            let elements = Elements {
                ty: &field.ty,
                class: inner,
                span: item.value.span,
            };
            self.fill_array(target, elements, &lengths, items);
            return;
        }
        if let Some(inner) = inner {
            self.fill_object(target, inner, items, item.value.span);
            return;
        }
        items.skip();
        let made = self.in_class(object, class, |machine| machine.made_of_elements(&field.ty));
        match (made, &item.value.kind) {
            (Some(made), _) => {
                self.make_item(target, made, &item.value, item.value.span);
            }
            (_, ExprKind::InitList(parts)) => self.fill_number(target, &field.ty, parts, &item.value),
            _ => {
                let value = self.evaluate_copy(&item.value);
                self.assign(target, value);
            }
        }
    }

    /// Aggregate initialisation of an object: by designator, else in the order of declaration.
    pub(super) fn initialise_aggregate(&mut self, place: &Location, class: ClassId, list: &'p [Initialiser]) {
        self.fill_fields(place, class, &mut Items::of(list));
    }
}
