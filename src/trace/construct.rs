//! Objects: how variables are initialised, classes constructed and destroyed.

use super::containers::{is_map, is_sequence, sequence_words};
use super::fits::is_handle;
use super::machine::{Cleanup, Machine};
use super::making::Made;
use super::memory::{Origin, Value};
use super::numbers::Declared;
use super::types::{Builtin, Category, Core, Static};
use super::{Action, Extent, Location, Mode, budget};
use crate::api::library;
use crate::facts::ir::{Expr, Init, Initialiser, Name, Variable, Written};
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

/// In how many frames of its own class an object is made before it is taken for one that never ends.
const SELF_NESTING: usize = 12;

impl<'p> Machine<'p> {
    /// Initialises a variable or field at a place, and registers what the end of its scope must do.
    pub(super) fn initialise(&mut self, place: &Location, variable: &'p Variable, span: Span) {
        let owned = self.initialise_object(place, variable, span);
        if !variable.is_static {
            owned.into_iter().for_each(|cleanup| self.on_scope_exit(cleanup));
        }
    }

    /// The same without a scope: returns what must be cleaned up.
    pub(super) fn initialise_object(
        &mut self,
        place: &Location,
        variable: &'p Variable,
        span: Span,
    ) -> Option<Cleanup> {
        self.initialise_with(place, variable, variable.init.as_ref(), span)
    }

    /// The same where something else says what it is initialised with: a constructor, for a member.
    pub(super) fn initialise_with(
        &mut self,
        place: &Location,
        variable: &'p Variable,
        init: Option<&'p Init>,
        span: Span,
    ) -> Option<Cleanup> {
        let ty = &variable.ty;
        self.note_type(place, ty, variable.dims.len());
        if let Some(narrow) = self.narrowed(variable) {
            self.memory.numbers.insert(place.clone(), narrow);
        }
        if ty.is_for_others() {
            self.memory.shared.insert(place.clone());
        }
        if !variable.dims.is_empty() {
            self.initialise_array(place, variable, init, span);
            return None;
        }
        if ty.pointers == 0 && !ty.reference {
            if let Some(class) = self.class_of_type(&ty.name) {
                self.note_arguments_of(place, class, &ty.name);
                return self.initialise_class(place, class, init, span);
            }
            let meant = self.substituted(&ty.name);
            let meant = meant.as_ref().unwrap_or(&ty.name);
            let alias = self.program.resolve_alias(self.scope(), meant);
            let name = alias.as_ref().map_or(meant, |it| &it.name);
            if let Some(cleanup) = self.initialise_standard(place, name, init, span) {
                return cleanup;
            }
        }
        if ty.pointers == 0
            && !ty.reference
            && let Some(Init::Value(value)) = init
            && let Some(known) = self.type_of(value)
            && let Some(class) = known.class()
            && self.copies_by_code(class)
        {
            return self.initialise_class(place, class, init, span);
        }
        if let Some(cleanup) = self.initialise_from_vector(place, ty, init) {
            return cleanup;
        }
        let value = match init {
            None => return None,
            Some(Init::Value(value)) => self.evaluate_copy(value),
            Some(Init::Parens(args)) => {
                let value = args.first().map_or(Value::Int(0), |it| self.evaluate_copy(it));
                // What is to be called when all have arrived.
                if let [_, completion] = args.as_slice()
                    && let callee @ (Value::Closure(_) | Value::Function(..)) = self.evaluate_copy(completion)
                {
                    self.memory.set(place.field("completion"), callee);
                }
                value
            }
            Some(Init::Braces(items)) if items.len() > 1 || items.iter().any(|it| it.field.is_some()) => {
                self.initialise_fields(place, None, items);
                return None;
            }
            Some(Init::Braces(items)) => items
                .first()
                .map_or(Value::Int(0), |it| self.evaluate_copy(&it.value)),
        };
        let value = if ty.reference || ty.name.last() == "auto" {
            value
        } else {
            self.converted(value, ty.name.last(), span)
        };
        let value = self.seen_as(ty, value);
        self.name_handle(&value, &variable.name);
        if ty.name.last() == "auto"
            && ty.pointers == 0
            && let Some(number) = written_value(init).and_then(|it| self.number_of(it))
        {
            self.memory.numbers.insert(place.clone(), Declared::plain(number));
        }
        self.assign(place, value.clone());
        if let Value::Aggregate(from) = &value
            && let Some(kind) = self.memory.optionals.get(from).cloned()
        {
            self.memory.optionals.insert(place.clone(), kind);
        }
        let written = written_value(init);
        let is_temporary = written
            .is_some_and(|it| matches!(self.category_of(it), Some(Category::Temporary | Category::Moved)));
        self.owned_temporary(place, &value, is_temporary)
    }

    /// What the class an object is of was made for, by how its type is written.
    pub(super) fn note_arguments_of(&mut self, place: &Location, class: ClassId, name: &Name) {
        let meant = self.substituted(name);
        let name = meant.as_ref().unwrap_or(name);
        let written = alias_arguments(self.program.resolve_alias(self.scope(), name), name);
        self.note_class_arguments(place, class, &written);
    }

    /// A container given to something of another type is not copied into it: nobody knows what that makes of it.
    pub(super) fn seen_as(&mut self, ty: &crate::facts::ir::Type, value: Value) -> Value {
        let is_container = matches!(&value, Value::Aggregate(from) if self.memory.is_sequence(from));
        if !is_container {
            return value;
        }
        let alias = self.program.resolve_alias(self.scope(), &ty.name);
        let name = alias.as_ref().map_or(&ty.name, |it| &it.name);
        let function = self.frame().function.map(|it| self.program.function(it));
        let is_parameter = function.is_some_and(|it| it.template_params.iter().any(|it| it == name.last()));
        let any = ty.reference
            || matches!(name.last(), "auto" | "")
            || is_parameter
            || self.substituted(name).is_some();
        if any || is_sequence(name.last()) || self.is_object_of(&ty.name, &value) {
            return value;
        }
        self.memory.fresh()
    }

    /// `auto x = T(…)`: the variable owns what the temporary was. A copy of a pair, a tuple or a container does not own the
    /// original's parts.
    pub(super) fn owned_temporary(
        &mut self,
        place: &Location,
        value: &Value,
        is_temporary: bool,
    ) -> Option<Cleanup> {
        if matches!(value, Value::Thread(thread) if self.joining.contains(thread)) {
            return Some(Cleanup::Join(place.clone()));
        }
        let Value::Aggregate(from) = value else {
            return self
                .memory
                .smart
                .contains(place)
                .then(|| Cleanup::Release(place.clone()));
        };
        if self.memory.smart.contains(place) {
            return Some(Cleanup::Release(place.clone()));
        }
        let Some(class) = self.memory.classes.get(from).copied() else {
            let owns = is_temporary && self.owns_parts(place);
            return owns.then(|| Cleanup::Elements(place.clone()));
        };
        self.needs_destruction(class, 0)
            .then(|| Cleanup::Destroy(place.clone(), class))
    }

    /// Streams made by a helper are called what the user calls them.
    fn name_handle(&mut self, value: &Value, name: &str) {
        if let Value::Stream(id) = value
            && let Some(stream) = self.trace.streams.get_mut(id.0 as usize)
            && stream.name.is_empty()
        {
            name.clone_into(&mut stream.name);
        }
    }

    fn initialise_array(
        &mut self,
        place: &Location,
        variable: &'p Variable,
        init: Option<&'p Init>,
        span: Span,
    ) {
        let length = self.mark_array(place, variable);
        if let Some(held) = sequence_words(&variable.ty) {
            self.memory.element_types.insert(place.clone(), held);
        }
        if let Some(Init::Value(value)) = init
            && let text @ Value::Str(_) = self.evaluate(value)
        {
            self.memory.set(place.step(super::Step::Element(0)), text);
            return;
        }
        let items: Option<&'p [Initialiser]> = match init {
            Some(Init::Braces(items)) => Some(items),
            Some(Init::Parens(args)) if args.is_empty() && self.element_class(variable).is_none() => {
                Some(&[])
            }
            _ => None,
        };
        if let Some(items) = items {
            if length.is_none() {
                self.memory.lengths.insert(place.clone(), items.len() as i64);
            }
            if self.memory.element_types.contains_key(place) {
                self.initialise_elements(place, items, span);
            } else {
                self.initialise_rows(place, variable, items, span);
            }
            return;
        }
        if let Some(class) = self.element_class(variable) {
            let is_member = !place.path.is_empty();
            let count = self
                .memory
                .lengths
                .get(place)
                .copied()
                .unwrap_or(1)
                .clamp(0, i64::from(budget::KNOWN_ITERATIONS));
            for index in 0..count {
                let element = place.step(super::Step::Element(index));
                self.construct(&element, class, Vec::new(), span);
                if !is_member && self.needs_destruction(class, 0) {
                    self.on_scope_exit(Cleanup::Destroy(element, class));
                }
            }
        }
    }

    /// The class of the objects an array holds.
    pub(super) fn element_class(&self, variable: &Variable) -> Option<ClassId> {
        let is_row = variable.ty.pointers == 0 && variable.dims.len() == 1;
        is_row.then(|| self.class_of_type(&variable.ty.name)).flatten()
    }

    fn initialise_class(
        &mut self,
        place: &Location,
        class: ClassId,
        init: Option<&'p Init>,
        span: Span,
    ) -> Option<Cleanup> {
        self.construct_with(place, class, init.map(Init::written), span);
        // What was not finished is not ended.
        (!self.control.throwing && self.needs_destruction(class, 0))
            .then(|| Cleanup::Destroy(place.clone(), class))
    }

    /// Makes an object of a class from what is written, in any form.
    pub(super) fn construct_with(
        &mut self,
        place: &Location,
        class: ClassId,
        init: Option<Written<'p>>,
        span: Span,
    ) {
        match init {
            None => self.construct(place, class, Vec::new(), span),
            Some(Written::Braces(items)) => self.initialise_braces(place, class, items, span),
            Some(Written::Args(args)) => {
                let (args, types) = self.typed_arguments(args);
                self.construct_typed(place, class, args, &types, span);
            }
        }
    }

    /// Remembers a built-in type, for kernels that are told apart by it.
    pub(super) fn note_type(&mut self, place: &Location, ty: &crate::facts::ir::Type, dims: usize) {
        if let Some(declared) = self.declared_number(ty, dims) {
            self.memory.numbers.insert(place.clone(), declared);
        }
        let written = self.template_argument(ty.name.last());
        if super::kernels::is_builtin_type(&written) {
            let pointers = usize::from(ty.pointers) + dims;
            let text = format!("{written}{}", "*".repeat(pointers));
            self.memory.declared.insert(place.clone(), text);
        }
    }

    /// Aggregate initialisation: by designator, else in declaration order.
    pub(super) fn initialise_fields(
        &mut self,
        place: &Location,
        class: Option<ClassId>,
        items: &'p [Initialiser],
    ) {
        if let Some(class) = class {
            return self.initialise_aggregate(place, class, items);
        }
        self.initialise_list(place, items);
    }

    /// `T{…}` at a place.
    pub(super) fn initialise_braces(
        &mut self,
        place: &Location,
        class: ClassId,
        items: &'p [Initialiser],
        span: Span,
    ) {
        if !items.is_empty()
            && items.iter().all(|it| it.field.is_none())
            && let Some(constructor) = self.list_constructor(class)
        {
            let items = items.iter().map(|it| &it.value);
            self.construct_of_list(place, class, constructor, items, span);
            return;
        }
        if let Some(base) = self.container_of_braces(place, class, items) {
            self.memory.classes.insert(place.clone(), class);
            self.make_container_of_braces(place, class, base, items, span);
            self.construct_unnamed(place, class, Some(base.last()), span);
        } else if self.program.resolve_constructor(class, items.len()).is_some()
            // A class with constructors is no aggregate: those of its bases are meant.
            || self.program.has_constructor(class) && self.inherits_constructor(class, items.len()).is_some()
            || self.is_made_of_another(class, items)
            // A class made of lambdas.
            || self.program.class(class).fields.is_empty() && !items.is_empty()
        {
            let (args, types) = self.typed_arguments(items.iter().map(|it| &it.value));
            self.construct_typed(place, class, args, &types, span);
        } else {
            self.memory.zero(place);
            self.construct(place, class, Vec::new(), span);
            self.initialise_fields(place, Some(class), items);
        }
    }

    /// Whether what stands in braces is an object of the class, or of one that extends it.
    fn is_made_of_another(&mut self, class: ClassId, items: &'p [Initialiser]) -> bool {
        let [Initialiser { field: None, value }] = items else {
            return false;
        };
        let known = self.type_of(value).filter(|it| it.pointers == 0);
        let of = known.and_then(|it| it.class());
        of.is_some_and(|it| self.distance_to(it, class, 0).is_some())
    }

    /// An object made by a constructor that takes what stands in braces as a list.
    pub(super) fn construct_of_list(
        &mut self,
        place: &Location,
        class: ClassId,
        constructor: crate::program::FunctionId,
        items: impl Iterator<Item = &'p Expr>,
        span: Span,
    ) {
        let list = self.memory.local();
        self.memory.arrays.insert(list.clone());
        let mut values = Vec::new();
        for item in items {
            values.extend(self.expanded(item));
        }
        self.memory.lengths.insert(list.clone(), values.len() as i64);
        for (value, index) in values.into_iter().zip(0..) {
            let element = self.memory.element(&list, index);
            self.assign(&element, value);
        }
        let argument = super::calls::Argument {
            value: Value::Aggregate(list.clone()),
            place: Some(list),
            words: String::new(),
            moved: true,
            ty: None,
        };
        self.memory.classes.insert(place.clone(), class);
        self.invoke(constructor, Some((place.clone(), class)), vec![argument], span);
    }

    /// The constructor that takes what stands in braces as a list.
    pub(super) fn list_constructor(&self, class: ClassId) -> Option<crate::program::FunctionId> {
        let first = self.program.resolve_constructor(class, 1)?;
        let takes_list = |id: &crate::program::FunctionId| {
            let params = &self.program.function(*id).params;
            params
                .first()
                .is_some_and(|it| it.ty.pointers == 0 && it.ty.name.last() == "initializer_list")
        };
        self.program.overloads(first, 1).into_iter().find(takes_list)
    }

    /// Standard types that matter; the outer `None` means the type is none of them.
    fn initialise_standard(
        &mut self,
        place: &Location,
        ty: &Name,
        init: Option<&'p Init>,
        span: Span,
    ) -> Option<Option<Cleanup>> {
        match ty.last() {
            "thread" | "jthread" => {
                let args = self.init_arguments(init);
                self.construct_thread(place, ty.last(), args, span);
                Some((ty.last() == "jthread").then(|| Cleanup::Join(place.clone())))
            }
            // A part of a text, or a character many times.
            "string" | "string_view" if init_expressions(init).len() > 1 => {
                self.init_arguments(init);
                let value = self.memory.fresh();
                self.memory.set(place.clone(), value);
                Some(None)
            }
            "lock_guard" | "unique_lock" | "scoped_lock" | "shared_lock" => {
                let args: Vec<&'p Expr> = init_expressions(init);
                let mutex = args.first().and_then(|it| self.place(it))?;
                self.memory.set(place.clone(), Value::Pointer(mutex.clone()));
                if args.len() > 1 && ty.last() == "unique_lock" {
                    return Some(None);
                }
                self.emit(span, Action::Lock(mutex.clone()));
                Some(Some(Cleanup::Unlock(mutex)))
            }
            name if is_map(name) => {
                if let Some(Init::Value(value)) = init {
                    let value = self.evaluate_copy(value);
                    self.assign(place, value);
                } else if !matches!(init, Some(Init::Parens(_))) {
                    self.memory.zero(place);
                }
                self.prepare_map(place, ty);
                if let Some(Init::Braces(items)) = init {
                    self.initialise_map(place, items);
                }
                Some(Some(Cleanup::Elements(place.clone())))
            }
            "stop_callback" => {
                let args = self.init_arguments(init);
                self.register_stop_callback(args);
                Some(None)
            }
            "counting_semaphore" | "binary_semaphore" | "promise" | "packaged_task" => {
                self.initialise_sync(place, ty.last(), &init_expressions(init));
                Some(None)
            }
            name if is_sequence(name) => {
                self.initialise_container(place, ty, init, span);
                self.construct_elements(place, span);
                Some(Some(Cleanup::Elements(place.clone())))
            }
            name if library::is_smart_pointer(name) => {
                self.initialise_smart_pointer(place, ty, init);
                Some(Some(Cleanup::Release(place.clone())))
            }
            // It owns nothing.
            "weak_ptr" => {
                self.memory.weak.insert(place.clone());
                match init_expressions(init).first() {
                    Some(owner) => self.watch_object(place, owner),
                    None => self.memory.set(place.clone(), Value::Int(0)),
                }
                Some(None)
            }
            // It is empty: called all the same it throws.
            "function" if init_expressions(init).is_empty() && init.is_none() => {
                self.memory.set(place.clone(), Value::Int(0));
                Some(None)
            }
            "device_vector" | "universal_vector" => {
                let args = self.init_arguments(init);
                self.note_library_container(place);
                self.construct_device_vector(place, ty, args, span);
                Some(Some(Cleanup::DeviceVector(place.clone())))
            }
            "pair" | "tuple" => {
                let parts = init_expressions(init);
                let types = &ty.template_args;
                if parts.is_empty() && types.len() > 1 {
                    let _ = self.make_named(place, ty, Vec::new(), span);
                    return Some(Some(Cleanup::Elements(place.clone())));
                }
                if parts.len() < 2 || parts.len() != types.len() {
                    return None;
                }
                let parts = parts.into_iter().map(|it| self.argument(it)).collect();
                self.fill_parts(place, ty.last() == "pair", types, parts);
                Some(Some(Cleanup::Elements(place.clone())))
            }
            "optional" => {
                let kind = ty.template_args.first()?.clone();
                self.initialise_optional(place, &kind, &init_expressions(init), span);
                Some(Some(Cleanup::Empty(place.clone())))
            }
            "variant" if init_expressions(init).is_empty() => {
                self.make_first_alternative(place, ty, span);
                Some(Some(Cleanup::Empty(place.clone())))
            }
            "atomic_ref" => {
                let target = init_expressions(init).first().and_then(|it| self.place(it))?;
                self.memory.references.insert(place.clone(), target);
                Some(None)
            }
            _ => {
                let ends = |it: &String| self.class_named(it).is_some_and(|it| self.ends_by_code(it));
                if place.path.is_empty() && ty.template_args.iter().any(ends) {
                    // Whatever changes it, and its end, may end one of them.
                    self.memory.holders.insert(place.clone());
                    self.on_scope_exit(Cleanup::Forget(place.clone()));
                }
                None
            }
        }
    }

    /// A container that is another one, or a copy of it.
    pub(super) fn take_container(&mut self, place: &Location, value: &'p Expr, span: Span) {
        match self.evaluate_copy(value) {
            Value::Pointer(from) if self.is_vector_of_device(&from) => {
                self.copy_of_vector(&from, Extent::Whole, Mode::Read, value.span);
            }
            container => {
                let from = match &container {
                    Value::Aggregate(from) if super::optionals::is_path(value) => Some(from.clone()),
                    _ => None,
                };
                self.assign(place, container);
                from.into_iter()
                    .for_each(|it| self.copy_elements(&it, place, span));
            }
        }
    }

    fn initialise_container(&mut self, place: &Location, ty: &Name, init: Option<&'p Init>, span: Span) {
        if let Some(Init::Value(value)) = init {
            self.take_container(place, value, span);
        }
        self.prepare_sequence(place, ty);
        self.note_allocator(place, &ty.template_args, span);
        let length = match init {
            Some(Init::Braces(items)) if self.is_no_list(ty, items) => {
                let args = items
                    .iter()
                    .map(|it| self.argument(&it.value))
                    .collect::<Vec<_>>();
                if self.memory.allocated.contains(place) {
                    self.lose_reachable(args.iter().filter_map(|it| it.place.clone()).collect());
                }
                self.fill_sequence(place, ty, &args, span)
            }
            Some(Init::Braces(items)) => Some(self.initialise_elements(place, items, span)),
            Some(Init::Parens(args)) => {
                let args = self.arguments(args);
                self.note_resource(place, ty, args.last().map(|it| &it.value));
                self.fill_sequence(place, ty, &args, span)
            }
            None if ty.last() != "array" => Some(0),
            _ => self.memory.lengths.get(place).copied(),
        };
        let length = self.array_length(ty).or(length);
        if let Some(length) = length.filter(|it| *it > 0 || ty.last() != "array") {
            self.memory.lengths.insert(place.clone(), length);
        }
    }

    /// Whether what stands in braces are no elements of a container, but another one like it, where a range begins and ends, an
    /// allocator, or how many elements there are.
    pub(super) fn is_no_list(&mut self, ty: &Name, items: &'p [Initialiser]) -> bool {
        if items.is_empty() || items.len() > 2 {
            return false;
        }
        let held = ty.template_args.first().map_or("", |it| it.trim()).to_owned();
        let types: Vec<Option<Static>> = items.iter().map(|it| self.type_of(&it.value)).collect();
        let is_like = |written: &str| Name::of_type(written).last() == ty.last();
        if let [
            Some(Static {
                core, pointers: 0, ..
            }),
        ] = types.as_slice()
        {
            match core {
                Core::Other(written) if is_like(written) => return !is_like(&held),
                Core::Number(kind) if *kind >= Builtin::Int && *kind < Builtin::Float => {
                    return self.is_made_of_no_number(&held);
                }
                _ => {}
            }
        }
        let is_object = |known: &Option<Static>| {
            let known = known.as_ref();
            known.is_some_and(|it| it.pointers > 0 || matches!(it.core, Core::Other(_) | Core::Class(_)))
        };
        super::numbers::Number::named(&held).is_some() && types.iter().all(is_object)
    }

    /// Whether an element of this type, as written, is nothing that a number is converted to.
    fn is_made_of_no_number(&self, held: &str) -> bool {
        if held.ends_with('*') || is_handle(Name::of_type(held).last()) {
            return true;
        }
        match self.made_of(held) {
            Made::Object(class, _) => self.program.resolve_constructor(class, 1).is_none(),
            Made::Smart(_) | Made::Sequence(_) | Made::Map(_) | Made::Parts(..) => true,
            _ => false,
        }
    }

    fn init_arguments(&mut self, init: Option<&'p Init>) -> Vec<super::calls::Argument> {
        init_expressions(init)
            .into_iter()
            .map(|it| self.argument(it))
            .collect()
    }

    /// Constructs an object of a class: fields, then the constructor's body.
    pub(super) fn construct(
        &mut self,
        place: &Location,
        class: ClassId,
        args: Vec<super::calls::Argument>,
        span: Span,
    ) {
        let ty = |it: &super::calls::Argument| {
            let known = self.type_of_value(&it.value).or_else(|| it.ty.clone())?;
            let moved = it.moved && matches!(it.value, Value::Aggregate(_));
            let category = if moved { Category::Moved } else { known.category };
            Some(Static { category, ..known })
        };
        let types: Vec<Option<Static>> = args.iter().map(ty).collect();
        self.construct_typed(place, class, args, &types, span);
    }

    /// The same with the types of the arguments.
    pub(super) fn construct_typed(
        &mut self,
        place: &Location,
        class: ClassId,
        args: Vec<super::calls::Argument>,
        types: &[Option<Static>],
        span: Span,
    ) {
        self.construct_as(place, class, args, types, span);
        // Where the arguments of a template are deduced it may be a specialisation that is made.
        if !self.memory.class_arguments.contains_key(place) && self.program.is_specialised(class) {
            self.memory.lose_under(place);
        }
    }

    fn construct_as(
        &mut self,
        place: &Location,
        class: ClassId,
        args: Vec<super::calls::Argument>,
        types: &[Option<Static>],
        span: Span,
    ) {
        if let ([only], [ty]) = (args.as_slice(), types)
            && let Value::Aggregate(from) = &only.value
            && let Some(own) = self.memory.classes.get(from).copied()
            && self.distance_to(own, class, 0).is_some()
        {
            let from = from.clone();
            if own == class && self.is_made_for_another(&from, place) {
                match self.converting_constructor(class) {
                    Some(constructor) => {
                        self.memory.classes.insert(place.clone(), class);
                        self.invoke(constructor, Some((place.clone(), class)), args, span);
                    }
                    None => {
                        let arguments = self.memory.class_arguments.get(place).cloned();
                        self.memory.copy_object(&from, place);
                        self.memory.lose_under(place);
                        if let Some(arguments) = arguments {
                            self.memory.class_arguments.insert(place.clone(), arguments);
                        }
                    }
                }
                return;
            }
            match ty {
                Some(ty) => self.copy_construct(place, class, &from, ty, span),
                // A copy or a move, who knows.
                None => {
                    self.memory.copy_object(&from, place);
                    self.memory.classes.insert(place.clone(), class);
                    if self.copies_by_code(class) {
                        self.memory.lose_under(place);
                        self.memory.lose_under(&from);
                    }
                }
            }
            return;
        }
        if let ([only], [ty]) = (args.as_slice(), types)
            && let Value::Unknown(_) = only.value
        {
            let of = ty.as_ref().and_then(Static::class);
            // Where nothing but a copy takes one argument, that is what it is.
            let is_copy = match of {
                Some(own) => self.distance_to(own, class, 0).is_some(),
                None => ty.is_none() && self.program.resolve_constructor(class, 1).is_none(),
            };
            if is_copy {
                return self.copy_unknown(only, place, class);
            }
        }
        if let [only] = args.as_slice()
            && let arguments = self.memory.class_arguments.get(place).cloned()
            && let arguments = arguments.filter(|it| it.0 == class).map(|it| it.1)
            && let Some((made, ty)) =
                self.converted_instance(&only.value, (class, &arguments.unwrap_or_default()), span)
        {
            let made = super::calls::Argument::unplaced(made, only.words.clone());
            return self.construct_typed(place, class, vec![made], &[ty], span);
        }
        if self.is_inside_too_many(class) {
            return;
        }
        let takes_list = self.program.resolve_constructor(class, 1).is_some();
        let args = if takes_list { args } else { self.unpacked(args) };
        self.memory.classes.insert(place.clone(), class);
        match self.program.resolve_constructor(class, args.len()) {
            Some(constructor) => {
                let unpacked = args.len() != types.len();
                let values: Vec<_> = args.iter().map(|it| self.type_of_value(&it.value)).collect();
                let types = if unpacked { &values } else { types };
                let template = self.class_template(place, class);
                let choice = self.in_template(template, |machine| {
                    machine.overload_of(constructor, types, &args, None)
                });
                let this = Some((place.clone(), class));
                self.invoke_choice(choice, this, args, std::collections::BTreeMap::new(), span);
            }
            None => {
                if let Some((written, base)) = self.inherits_constructor(class, args.len()) {
                    self.make_base(place, class, (base, Some(written)), |machine| {
                        machine.construct_typed(place, base, args, types, span);
                    });
                    self.construct_unnamed(place, class, Some(written.last()), span);
                    return;
                }
                if !args.is_empty()
                    && let Some(base) = self.containers_of(place, class).first()
                {
                    self.make_container(place, class, base, args, span);
                    self.construct_unnamed(place, class, Some(base.last()), span);
                    return;
                }
                self.construct_unnamed(place, class, None, span);
                let fields = &self.program.class(class).fields;
                if fields.is_empty() && args.iter().all(|it| matches!(it.value, Value::Closure(_))) {
                    // A class made of lambdas: what it is called with decides which of them runs.
                    for (index, argument) in args.into_iter().enumerate() {
                        self.memory.set(place.element(index as i64), argument.value);
                    }
                    return;
                }
                for (argument, field) in args.into_iter().zip(fields) {
                    let member = self.member(place, class, &field.name);
                    match argument.place {
                        Some(to) if field.ty.reference => {
                            self.memory.references.insert(member, to);
                        }
                        _ => {
                            let value = self.as_member(argument.value, (place, class), field, span);
                            self.assign(&member, value);
                        }
                    }
                }
            }
        }
    }

    /// The base whose constructor takes so many arguments, for a class that has none of its own for them and says where
    /// they come from: `using Base::Base`.
    fn inherits_constructor(&self, class: ClassId, arguments: usize) -> Option<(&'p Name, ClassId)> {
        if arguments == 0
            || !self.program.has_constructor(class) && self.program.class(class).bases.is_empty()
        {
            return None;
        }
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        definition.bases.iter().find_map(|name| {
            let base = self
                .program
                .resolve_class(scope, name)
                .filter(|it| *it != class)?;
            let takes = self.program.resolve_constructor(base, arguments).is_some();
            (takes || self.is_container_class(base)).then_some((name, base))
        })
    }

    /// The objects of `new T[n]`, as many as loops are followed for.
    pub(super) fn construct_array(&mut self, object: &Location, class: ClassId, length: &Value, span: Span) {
        let by_code = self.program.resolve_constructor(class, 0).is_some();
        let count = match length {
            Value::Int(count) => *count,
            _ => 0,
        };
        for index in 0..count.clamp(0, i64::from(budget::KNOWN_ITERATIONS)) {
            let element = self.memory.element(object, index);
            self.construct(&element, class, Vec::new(), span);
            if std::mem::take(&mut self.control.throwing) {
                // Those before it are ended again.
                self.memory.classes.remove(&element);
                self.destroy_array(object, span);
                self.control.throwing = true;
                return;
            }
        }
        if by_code && *length != Value::Int(count.clamp(0, i64::from(budget::KNOWN_ITERATIONS))) {
            self.lose_reachable(vec![object.clone()]);
        }
    }

    /// Whether an object is made inside too many others of its class. No class holds itself, but text that does not compile may say so; a class
    /// template may hold other instances of itself, and a field may be initialised with a new object.
    pub(super) fn is_inside_too_many(&self, class: ClassId) -> bool {
        let outer = self.control.frames.iter().filter(|it| it.class == Some(class));
        outer.count() >= SELF_NESTING
    }

    /// Does something with a base of the object at a place.
    pub(super) fn as_part_of<T>(&mut self, place: &Location, body: impl FnOnce(&mut Self) -> T) -> T {
        self.control.parts.push(place.clone());
        let result = body(self);
        self.control.parts.pop();
        result
    }

    /// Whether what is made or ended at a place is an object of its own, and no base of another one.
    pub(super) fn is_whole(&self, place: &Location) -> bool {
        self.control.parts.last() != Some(place)
    }

    /// `new T(args)` and `make_unique<T>(args)`.
    pub(super) fn new_object(&mut self, ty: &Name, args: Vec<super::calls::Argument>, span: Span) -> Value {
        let meant = self.substituted(ty);
        let ty = meant.as_ref().unwrap_or(ty);
        let object = self.memory.allocate(Origin::Heap);
        let Err(args) = self.make_named(&object, ty, args, span) else {
            return Value::Pointer(object);
        };
        if matches!(ty.last(), "promise" | "packaged_task") {
            self.memory.promises.insert(object.clone(), object.clone());
            if let Some(first) = args.into_iter().next() {
                self.assign(&object.field("call"), first.value);
            }
        } else {
            let plain = crate::facts::ir::Type::named(ty.clone());
            if let Some(number) = self.declared_number(&plain, 0).filter(|it| it.value().is_some()) {
                self.memory.numbers.insert(object.clone(), number);
            }
            if let Some(first) = args.into_iter().next() {
                self.assign(&object, first.value);
            }
        }
        Value::Pointer(object)
    }
}

/// Template arguments of a class as written, or those of what its alias stands for.
pub(super) fn alias_arguments(alias: Option<crate::facts::ir::Type>, name: &Name) -> Vec<String> {
    alias.map_or_else(|| name.template_args.clone(), |it| it.name.template_args)
}

/// The one expression a variable is initialised with.
pub(super) fn written_value(init: Option<&Init>) -> Option<&Expr> {
    init?.expressions().next()
}

/// The arguments of any form of initialiser.
pub(super) fn init_expressions(init: Option<&Init>) -> Vec<&Expr> {
    init.into_iter().flat_map(Init::expressions).collect()
}
