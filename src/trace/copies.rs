//! Copies and moves of objects: what a class says of them runs; what it leaves to the compiler is done member by member.
//! And temporaries: what ends with the expression they stand in.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::calls::Argument;
use super::lookups::OfClass;
use super::machine::{Cleanup, Machine};
use super::memory::Value;
use super::types::{Category, Core, Static};
use super::{Extent, Location, Mode, Step};
use crate::api::library;
use crate::facts::ir::{Expr, ExprKind, Parameter, Role, Type};
use crate::program::{ClassId, FunctionId, Scope};
use crate::syntax::Span;

/// How deep classes are looked into.
const MOST_DEPTH: u32 = 6;

impl<'p> Machine<'p> {
    /// The object at a place becomes a copy of another one, or takes over what a temporary or moved one has.
    pub(super) fn copy_construct(
        &mut self,
        place: &Location,
        class: ClassId,
        from: &Location,
        given: &Static,
        span: Span,
    ) {
        if place == from {
            return;
        }
        let is_itself = self.memory.classes.get(from) == Some(&class);
        if given.category == Category::Temporary && is_itself {
            self.memory.copy_object(from, place);
            // It is the same object: nothing of the temporary ends by itself.
            self.memory.give_away(from);
            self.keep_temporary(from);
            return;
        }
        match self.copy_constructor(class, given) {
            Some(Some(constructor)) => {
                self.memory.classes.insert(place.clone(), class);
                self.invoke(
                    constructor,
                    Some((place.clone(), class)),
                    vec![Argument::object(from)],
                    span,
                );
                self.memory.classes.insert(place.clone(), class);
            }
            Some(None) => {
                self.memory.copy_object(from, place);
                self.memory.classes.insert(place.clone(), class);
                self.memory.lose_under(place);
            }
            None => self.copy_members(place, class, from, given, span),
        }
    }

    /// What the compiler writes: bases, then members.
    fn copy_members(
        &mut self,
        place: &Location,
        class: ClassId,
        from: &Location,
        given: &Static,
        span: Span,
    ) {
        self.touch(from, Extent::Element, Mode::Read, span);
        if self.memory.classes.get(from) == Some(&class) {
            self.memory.copy_object(from, place);
            if given.category == Category::Named && self.is_container_class(class) {
                self.copy_elements(from, place, span);
            }
        } else {
            self.copy_fields(place, class, from, 0);
        }
        if self.copies_by_code(class) {
            let definition = self.program.class(class);
            let scope = Scope {
                file: class.file,
                path: &definition.path,
            };
            let bases = definition.bases.iter();
            let bases: Vec<ClassId> = bases
                .filter_map(|it| self.program.resolve_class(scope, it))
                .filter(|it| *it != class && self.copies_by_code(*it))
                .collect();
            for base in bases {
                self.copy_construct(place, base, from, &as_class(given, base), span);
            }
            for field in definition
                .fields
                .iter()
                .filter(|it| !it.is_static && it.ty.pointers == 0)
            {
                let Some(inner) = self.program.resolve_class(scope, &field.ty.name) else {
                    continue;
                };
                if field.ty.reference || inner == class || !self.copies_by_code(inner) {
                    continue;
                }
                let step = self.program.field_step(class, &field.name);
                let (source, target) = (from.field(&step), place.field(&step));
                let given = as_class(given, inner);
                if field.dims.is_empty() {
                    self.copy_construct(&target, inner, &source, &given, span);
                    continue;
                }
                for element in self.objects_in(&source) {
                    let mut copy = target.clone();
                    copy.path.extend_from_slice(&element.path[source.path.len()..]);
                    self.copy_construct(&copy, inner, &element, &given, span);
                }
            }
        } else if given.category == Category::Moved {
            self.memory.give_away(from);
        }
        self.memory.classes.insert(place.clone(), class);
    }

    /// A copy of an object as the class it is looked at as; other values are themselves.
    pub(super) fn copy_seen(&mut self, value: Value, seen: Option<&Static>, span: Span) -> Value {
        let (Value::Aggregate(from), Some(given)) = (&value, seen) else {
            return value;
        };
        let Some(class) = given.class() else { return value };
        let given = Static {
            category: match given.category {
                Category::Temporary => Category::Named,
                it => it,
            },
            ..given.clone()
        };
        let place = self.memory.local();
        self.copy_construct(&place, class, from, &given, span);
        Value::Aggregate(place)
    }

    /// The fields of a class and its bases, of an object that has more.
    pub(super) fn copy_fields(&mut self, place: &Location, class: ClassId, from: &Location, depth: u32) {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        for field in definition.fields.iter().filter(|it| !it.is_static) {
            let step = self.program.field_step(class, &field.name);
            let (source, target) = (from.field(&step), place.field(&step));
            self.memory.forget(&target);
            self.memory.copy_object(&source, &target);
        }
        for base in &definition.bases {
            if let Some(base) = self.program.resolve_class(scope, base)
                && base != class
                && depth < MOST_DEPTH
            {
                self.copy_fields(place, base, from, depth + 1);
            }
        }
    }

    /// The objects that are elements of an array.
    pub(super) fn objects_in(&self, array: &Location) -> Vec<Location> {
        let from = (std::ops::Bound::Included(array), std::ops::Bound::Unbounded);
        let inside = self.memory.classes.range::<Location, _>(from).map(|(it, _)| it);
        inside
            .take_while(|it| it.base == array.base && it.path.starts_with(&array.path))
            .filter(|it| it.path.len() == array.path.len() + 1)
            .filter(|it| matches!(it.path.last(), Some(Step::Element(_))))
            .cloned()
            .collect()
    }

    /// `a = b` of a class that says nothing of it, while one of its bases or members does: what the compiler writes. `None` where
    /// no code of anybody is part of it.
    pub(super) fn assign_members(
        &mut self,
        place: &Location,
        class: ClassId,
        value: &'p Expr,
        span: Span,
    ) -> Option<Value> {
        let of_same = self.type_of(value).and_then(|it| it.class()) == Some(class);
        if !of_same || !self.assigns_by_code(class) {
            return None;
        }
        let (argument, given) = self.typed_argument(value);
        match (argument.value, given) {
            (Value::Aggregate(from), Some(given)) if from != *place => {
                self.touch(&from, Extent::Element, Mode::Read, span);
                self.assign_parts(place, class, &from, &given, span);
            }
            (Value::Aggregate(from), _) if from == *place => {}
            _ => self.memory.lose_under(place),
        }
        Some(Value::Aggregate(place.clone()))
    }

    /// Bases, then members.
    fn assign_parts(
        &mut self,
        place: &Location,
        class: ClassId,
        from: &Location,
        given: &Static,
        span: Span,
    ) {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        for base in &definition.bases {
            if let Some(base) = self.program.resolve_class(scope, base)
                && base != class
            {
                self.assign_part(place, base, from, given, span);
            }
        }
        let fields = definition.fields.iter();
        for field in fields.filter(|it| !it.is_static && !it.ty.reference) {
            let step = self.program.field_step(class, &field.name);
            let (source, target) = (from.field(&step), place.field(&step));
            let inner = match field.ty.pointers == 0 && field.dims.is_empty() {
                true => self.class_of_member(place, class, &field.ty.name),
                false => None,
            };
            match inner.filter(|it| *it != class && self.assigns_by_code(*it)) {
                Some(inner) => self.assign_part(&target, inner, &source, given, span),
                None => self.replace_member(&source, &target, given, span),
            }
        }
    }

    fn assign_part(&mut self, place: &Location, class: ClassId, from: &Location, given: &Static, span: Span) {
        match self.copier(class, Role::Method, given) {
            Some(Some(assignment)) => {
                self.invoke(
                    assignment,
                    Some((place.clone(), class)),
                    vec![Argument::object(from)],
                    span,
                );
                self.memory.classes.insert(place.clone(), class);
            }
            Some(None) => self.memory.lose_under(place),
            None => self.assign_parts(place, class, from, given, span),
        }
    }

    /// A member that no code of anybody copies: what it held before is let go of.
    fn replace_member(&mut self, source: &Location, target: &Location, given: &Static, span: Span) {
        let held = self.owned_by(target);
        if self.memory.is_sequence(target) {
            self.destroy_elements(target, span);
        }
        self.memory.forget(target);
        self.memory.copy_object(source, target);
        if given.category != Category::Named {
            self.memory.give_away(source);
        }
        for (held, deleter) in held {
            self.let_go(held, deleter, span);
        }
    }

    /// The constructor somebody wrote for this copy or move; the inner `None` where it is not known which.
    fn copy_constructor(&self, class: ClassId, given: &Static) -> Option<Option<FunctionId>> {
        self.copier(class, Role::Constructor, given)
    }

    /// The same of assignments, which are methods.
    fn copier(&self, class: ClassId, role: Role, given: &Static) -> Option<Option<FunctionId>> {
        let all = self.copying(class, role);
        let fits = [Some(as_class(given, class))];
        match all.as_slice() {
            [] => None,
            [only] if self.moves_only(*only) && given.category == Category::Named => Some(None),
            [only] => Some(Some(*only)),
            all => Some(self.best_of(all, &fits, None)),
        }
    }

    /// Whether two objects of one class template are known to be made for different types.
    pub(super) fn is_made_for_another(&self, one: &Location, other: &Location) -> bool {
        let arguments = |it: &Location| self.memory.class_arguments.get(it);
        match (arguments(one), arguments(other)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        }
    }

    /// The one constructor that makes an object of one that the class template makes of other types.
    pub(super) fn converting_constructor(&self, class: ClassId) -> Option<FunctionId> {
        let definition = self.program.class(class);
        let is_own = |it: &String| definition.template_params.contains(it);
        let mut found = self.program.written_in(class).filter(|(id, it)| {
            let scope = Scope {
                file: id.file,
                path: &it.path,
            };
            it.defined
                && it.role == Role::Constructor
                && it.params.first().is_some_and(|first| {
                    let of_another = |name: &String| it.template_params.contains(name) && !is_own(name);
                    first.ty.name.template_args.iter().any(of_another)
                        && self.program.resolve_class(scope, &first.ty.name) == Some(class)
                })
                && it.params[1..].iter().all(|it| it.default.is_some())
        });
        let (first, _) = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Whether a function takes what it copies by `&&`.
    fn moves_only(&self, function: FunctionId) -> bool {
        let params = &self.program.function(function).params;
        params.first().is_some_and(|it| it.ty.rvalue)
    }

    /// Constructors or assignments of a class that take an object of it.
    pub(super) fn copying(&self, class: ClassId, role: Role) -> Vec<FunctionId> {
        let definition = self.program.class(class);
        let is_own = |it: &Parameter, function: FunctionId| {
            let scope = Scope {
                file: function.file,
                path: &self.program.function(function).path,
            };
            let ty = &it.ty;
            ty.pointers == 0
                && (ty.reference || role == Role::Method)
                && (self.program.resolve_class(scope, &ty.name) == Some(class))
        };
        // A template that takes objects the class template makes of other types neither copies nor moves.
        let is_of_another = |first: &Parameter, it: &crate::facts::ir::Function| {
            let own = |name: &String| {
                it.template_params.contains(name) && !definition.template_params.contains(name)
            };
            first.ty.name.template_args.iter().any(own)
        };
        let is_assignment = |path: &[String]| path.last().is_some_and(|it| it == "operator=");
        self.program
            .written_in(class)
            .filter(|(id, it)| {
                it.defined
                    && it.role == role
                    && id.file == class.file
                    && (role == Role::Constructor || is_assignment(&it.path))
                    && it.params.first().is_some_and(|first| is_own(first, *id))
                    && !it.params.first().is_some_and(|first| is_of_another(first, it))
                    && it.params[1..].iter().all(|it| it.default.is_some())
                    && it.path.len() == definition.path.len() + 1
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// Makes an object that is the same as one nobody knows: where that stands somewhere, its fields are the same.
    pub(super) fn copy_unknown(&mut self, from: &Argument, to: &Location, class: ClassId) {
        self.memory.clear_object(to);
        self.memory.set(to.clone(), from.value.clone());
        self.memory.classes.insert(to.clone(), class);
        let Some(from) = from.place.clone() else { return };
        for field in &self.program.class(class).fields {
            if field.is_static || field.ty.reference || !field.dims.is_empty() {
                continue;
            }
            let at = self.member(&from, class, &field.name);
            let value = self.memory.load(&at);
            if !matches!(value, Value::Aggregate(_)) {
                let own = self.member(to, class, &field.name);
                self.memory.set(own, value);
            }
        }
    }

    /// Whether copying an object of a class, or moving it, runs code that somebody wrote.
    pub(super) fn copies_by_code(&self, class: ClassId) -> bool {
        self.asked_once(class, OfClass::CopiesByCode, || self.has_copies(class, 0))
    }

    fn has_copies(&self, class: ClassId, depth: u32) -> bool {
        !self.copying(class, Role::Constructor).is_empty()
            || depth < MOST_DEPTH && self.any_part(class, |it| self.has_copies(it, depth + 1))
    }

    /// The same of assigning to one.
    fn assigns_by_code(&self, class: ClassId) -> bool {
        self.asked_once(class, OfClass::AssignsByCode, || self.has_assignments(class, 0))
    }

    fn has_assignments(&self, class: ClassId, depth: u32) -> bool {
        !self.copying(class, Role::Method).is_empty()
            || depth < MOST_DEPTH && self.any_part(class, |it| self.has_assignments(it, depth + 1))
    }

    /// Whether something holds for the class of a base or of a member.
    fn any_part(&self, class: ClassId, holds: impl Fn(ClassId) -> bool) -> bool {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let of = |name| self.program.resolve_class(scope, name).filter(|it| *it != class);
        let fields = definition
            .fields
            .iter()
            .filter(|it| !it.is_static && it.ty.pointers == 0 && !it.ty.reference);
        definition.bases.iter().filter_map(of).any(&holds)
            || fields.filter_map(|it| of(&it.ty.name)).any(holds)
    }

    /// Whether the end of an object is to be followed wherever it comes: its class has a destructor, or its members have, and
    /// none of them belongs to a type of a library.
    pub(super) fn ends_by_code(&self, class: ClassId) -> bool {
        self.asked_once(class, OfClass::EndsByCode, || {
            self.program.resolve_destructor(class).is_some()
                || self.needs_destruction(class, 0) && !self.holds_library_types(class, 0)
        })
    }

    fn holds_library_types(&self, class: ClassId, depth: u32) -> bool {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let fields = definition
            .fields
            .iter()
            .filter(|it| !it.is_static && it.ty.pointers == 0 && !it.ty.reference);
        let owns = |ty: &Type| library::is_owner(self.standard_name(scope, &ty.name).last());
        fields.map(|it| &it.ty).any(owns)
            || depth >= MOST_DEPTH
            || self.is_container_class(class)
            || self.any_part(class, |it| self.holds_library_types(it, depth + 1))
    }

    /// The value category of an expression that gives an object.
    pub(super) fn category_of(&mut self, expression: &'p Expr) -> Option<Category> {
        match &expression.kind {
            ExprKind::Construct { .. } | ExprKind::InitList(_) => Some(Category::Temporary),
            _ => match self.type_of(expression) {
                Some(known) => Some(known.category),
                None => self.shape_of(expression),
            },
        }
    }

    /// The category of an expression whose type is not known.
    fn shape_of(&self, expression: &Expr) -> Option<Category> {
        Some(match &expression.kind {
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Assign { .. }
            | ExprKind::This => Category::Named,
            ExprKind::Call(call) => match &call.callee.kind {
                ExprKind::Name(name) if matches!(name.last(), "move" | "forward") && call.args.len() == 1 => {
                    match name.last() {
                        "move" => Category::Moved,
                        // Nobody keeps track of what a forwarding reference was bound to.
                        _ => return None,
                    }
                }
                _ => Category::Temporary,
            },
            ExprKind::Cast { ty, operand } if ty.reference => match ty.rvalue {
                true if !self.is_parameter_of_template(ty) || self.is_forwarded(operand) => Category::Moved,
                _ => Category::Named,
            },
            _ => Category::Temporary,
        })
    }

    /// An argument of a constructor, with what is known of its type: at least whether it is named.
    pub(super) fn typed_argument(&mut self, expression: &'p Expr) -> (Argument, Option<Static>) {
        let argument = self.argument(expression);
        let mut ty = self.type_of_argument(expression, &argument.value);
        if let (Some(ty), Value::Aggregate(_)) = (&mut ty, &argument.value) {
            // What a forwarding reference was bound to it is handed on as.
            ty.category = match self.category_of(expression) {
                Some(category) => category,
                None if argument.moved => Category::Moved,
                None => Category::Named,
            };
        }
        (argument, ty)
    }

    /// The same for a list.
    pub(super) fn typed_arguments(
        &mut self,
        expressions: impl IntoIterator<Item = &'p Expr>,
    ) -> (Vec<Argument>, Vec<Option<Static>>) {
        let (mut arguments, mut types) = (Vec::new(), Vec::new());
        for expression in expressions {
            if self.is_pack(expression) {
                let pack = self.arguments(std::slice::from_ref(expression));
                types.extend(pack.iter().map(|it| {
                    let category = match it.moved {
                        true => Category::Moved,
                        false => Category::Named,
                    };
                    let known = self.type_of_value(&it.value).or_else(|| it.ty.clone())?;
                    match it.value {
                        Value::Aggregate(_) => Some(Static { category, ..known }),
                        _ => Some(known),
                    }
                }));
                arguments.extend(pack);
                continue;
            }
            let (argument, ty) = self.typed_argument(expression);
            arguments.push(argument);
            types.push(ty);
        }
        (arguments, types)
    }

    /// Arguments that something hands on to a constructor, each with its static type.
    pub(super) fn arguments_handed_on(&mut self, expressions: &'p [Expr]) -> Vec<Argument> {
        let (mut arguments, types) = self.typed_arguments(expressions);
        for (argument, ty) in arguments.iter_mut().zip(types) {
            argument.ty = ty;
        }
        arguments
    }

    /// A temporary object lives until the expression it stands in has ended.
    pub(super) fn note_temporary(&mut self, expression: &'p Expr, value: &Value) {
        let Value::Aggregate(place) = value else { return };
        let Some(class) = self.object_at(place) else {
            return;
        };
        if !self.ends_by_code(class) || self.control.temporaries.iter().any(|(it, _)| it == place) {
            return;
        }
        let is_made = match &expression.kind {
            ExprKind::Construct { .. } => true,
            ExprKind::Call(_) | ExprKind::Binary { .. } | ExprKind::Unary { .. } => {
                matches!(self.type_of(expression), Some(known) if known.category == Category::Temporary)
            }
            _ => false,
        };
        if is_made {
            self.control.temporaries.push((place.clone(), class));
        }
    }

    /// Somebody else ends what was a temporary.
    pub(super) fn keep_temporary(&mut self, place: &Location) {
        self.control.temporaries.retain(|(it, _)| it != place);
    }

    /// The end of a full expression.
    pub(super) fn end_temporaries(&mut self, mark: usize, span: Span) {
        while self.control.temporaries.len() > mark {
            let Some((place, class)) = self.control.temporaries.pop() else {
                return;
            };
            let throwing = std::mem::take(&mut self.control.throwing);
            if !self.exited {
                self.destroy(&place, class, span);
            }
            self.control.throwing |= throwing;
        }
    }

    /// Makes the objects that parameters taken by value are, and those that constants are converted to.
    pub(super) fn pass(
        &mut self,
        function: FunctionId,
        written: &'p [Expr],
        args: &mut [Argument],
        template: &BTreeMap<String, Arc<str>>,
        span: Span,
    ) {
        if written.len() != args.len() {
            return;
        }
        let program = self.program;
        let definition = program.function(function);
        if let Some(pack) = definition.params.iter().position(|it| it.pack) {
            for (argument, expression) in args.iter_mut().zip(written).skip(pack) {
                argument.ty = self.type_of(expression);
            }
        }
        for ((parameter, expression), argument) in definition.params.iter().zip(written).zip(args) {
            self.pass_one((function, parameter), expression, argument, template, span);
        }
    }

    /// The same for one parameter of a function.
    pub(super) fn pass_one(
        &mut self,
        (function, parameter): (FunctionId, &Parameter),
        expression: &'p Expr,
        argument: &mut Argument,
        template: &BTreeMap<String, Arc<str>>,
        span: Span,
    ) {
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let ty = &parameter.ty;
        if ty.pointers > 0 || parameter.pack {
            return;
        }
        let is_object = matches!(argument.value, Value::Aggregate(_));
        if ty.reference && is_object {
            self.note_temporary(expression, &argument.value.clone());
            return;
        }
        let wanted = match &argument.value {
            Value::Aggregate(place)
                if !ty.reference && definition.template_params.iter().any(|it| it == ty.name.last()) =>
            {
                let given = template.get(ty.name.last());
                let given = given.and_then(|it| crate::program::kernels::written_name(it));
                given
                    .and_then(|it| self.class_meant(&it))
                    .or_else(|| self.object_at(place))
            }
            value if matches!(value, Value::Aggregate(_)) || becomes_object(value) => {
                self.program.resolve_class(scope, &ty.name)
            }
            _ => None,
        };
        let Some(class) = wanted else { return };
        let of_code = if is_object {
            self.copies_by_code(class) || self.ends_by_code(class)
        } else {
            !definition.template_params.iter().any(|it| it == ty.name.last())
                && self.program.resolve_constructor(class, 1).is_some()
        };
        if !of_code {
            return;
        }
        let given = self
            .type_of_argument(expression, &argument.value)
            .map(|it| Static {
                category: self.category_of(expression).unwrap_or(it.category),
                ..it
            });
        let place = self.memory.local();
        self.construct_typed(&place, class, vec![argument.clone()], &[given], span);
        argument.value = Value::Aggregate(place.clone());
        argument.place = Some(place.clone());
        if ty.reference {
            if self.ends_by_code(class) {
                self.control.temporaries.push((place, class));
            }
        } else {
            self.control.passed.push(place);
        }
    }

    /// What an object is assigned that is none itself: the object that a constructor of its class makes of it.
    pub(super) fn converted_to_object(
        &mut self,
        place: &Location,
        written: &'p Expr,
        value: Value,
        span: Span,
    ) -> Value {
        let value = self.as_object_of(value, self.object_at(place), span);
        let class = self.object_at(place).filter(|_| becomes_object(&value));
        let Some(class) = class.filter(|it| self.program.resolve_constructor(*it, 1).is_some()) else {
            return value;
        };
        let made = self.memory.local();
        let given = self.type_of_argument(written, &value);
        let argument = Argument::unplaced(value, self.words(written.span));
        self.construct_typed(&made, class, vec![argument], &[given], span);
        Value::Aggregate(made)
    }

    /// A parameter that is an object of its own ends with the function.
    pub(super) fn own_parameter(&mut self, place: &Location, from: &Location) {
        if let Some(index) = self.control.passed.iter().position(|it| it == from) {
            self.control.passed.swap_remove(index);
            if let Some(class) = self.memory.classes.get(place).copied()
                && self.ends_by_code(class)
            {
                self.on_scope_exit(Cleanup::Destroy(place.clone(), class));
            }
        }
    }

    /// Whether what is returned is made by a constructor that is followed: its class says what a copy or its end does, or it
    /// is the object that a method was called for.
    pub(super) fn is_copied_when_returned(&self, expression: &Expr, from: &Location) -> bool {
        let is_this = matches!(
            &expression.kind,
            ExprKind::Unary { operand, .. } if matches!(operand.kind, ExprKind::This)
        );
        let by_code = |class| self.copies_by_code(class) || self.ends_by_code(class);
        is_this || self.object_at(from).is_some_and(by_code)
    }

    /// The object a function returns: a variable of its own as it is, anything else as a copy.
    pub(super) fn returned_object(&mut self, expression: &'p Expr, value: Value, span: Span) -> Value {
        let Value::Aggregate(from) = &value else {
            return value;
        };
        let Some(class) = self.object_at(from) else {
            return value;
        };
        if !self.is_copied_when_returned(expression, from) {
            let is_place = matches!(expression.kind, ExprKind::Name(_) | ExprKind::Member { .. });
            let is_own = from.path.is_empty() && matches!(from.base, super::Base::Local(_));
            if !is_place && is_own && !self.memory.owners_in(from).is_empty() {
                self.memory.passing.insert(from.base);
            }
            // A part of something that may end with the function.
            if !from.path.is_empty() && matches!(from.base, super::Base::Local(_)) {
                let taken = self.memory.local();
                self.memory.copy_object(from, &taken);
                return Value::Aggregate(taken);
            }
            return value;
        }
        if self.is_own_variable(expression) {
            let from = from.clone();
            self.forget_cleanup(&from);
            return value;
        }
        let Some(category) = self.category_of(expression) else {
            return value;
        };
        if category == Category::Temporary {
            let from = from.clone();
            self.keep_temporary(&from);
            return value;
        }
        let constant = self.type_of(expression).is_some_and(|it| it.constant);
        let given = Static {
            constant,
            category,
            ..Static::temporary(Core::Class(class))
        };
        let (from, place) = (from.clone(), self.memory.local());
        self.copy_construct(&place, class, &from, &given, span);
        Value::Aggregate(place)
    }

    /// A variable of the function that runs, by its name; parameters are moved from, which most often is the same.
    pub(super) fn is_own_variable(&self, expression: &Expr) -> bool {
        let ExprKind::Name(name) = &expression.kind else {
            return false;
        };
        let Some(place) = self.lookup(name.last()).filter(|_| name.is_plain()) else {
            return false;
        };
        let scopes = &self.frame().scopes;
        let declared = scopes.iter().rev().find(|it| it.names.contains_key(name.last()));
        let by_reference = match declared.and_then(|it| it.types.get(name.last())) {
            Some(super::types::Typed::Written(ty, _)) => ty.reference,
            Some(super::types::Typed::Known(_) | super::types::Typed::Own) => false,
            None => true,
        };
        !by_reference && matches!(place.base, super::Base::Local(_)) && place.path.is_empty()
    }
}

/// The same thing looked at as an object of a class.
fn as_class(given: &Static, class: ClassId) -> Static {
    Static {
        constant: given.constant,
        // What is copied here is a part of something, or of another class: it has a place.
        category: match given.category {
            Category::Temporary => Category::Moved,
            it => it,
        },
        ..Static::temporary(Core::Class(class))
    }
}

/// Whether a constructor may take a value that is no object.
pub(super) fn becomes_object(value: &Value) -> bool {
    matches!(
        value,
        Value::Int(_) | Value::Str(_) | Value::Stream(_) | Value::Event(_)
    )
}
