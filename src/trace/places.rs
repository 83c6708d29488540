//! Places: which one a name, a member or an element means.

use super::containers::{is_map, is_sequence, sequence_words};
use super::joins::has_no_effect;
use super::machine::Machine;
use super::memory::Value;
use super::{Base, Location, Step};
use crate::api::library;
use crate::facts::ir::{Expr, ExprKind, Name, UnaryOp};
use crate::program::{ClassId, GlobalId, Scope};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    pub(super) fn name_place(&mut self, name: &Name) -> Option<Location> {
        if name.is_plain() {
            if let Some(place) = self.lookup(name.last()) {
                return Some(self.dereference_member(place));
            }
            if let Some(place) = self.field_named(name) {
                return Some(place);
            }
        }
        if !name.is_plain()
            && let Some(place) = self.field_of_base(name)
        {
            return Some(place);
        }
        let scope = self.scope();
        let id = self.program.resolve_global(scope, name)?;
        // A variable of another file gives way to a function of this one.
        let function = || self.function_meant(name, None);
        if id.file != scope.file && function().is_some_and(|it| it.file == scope.file) {
            return None;
        }
        Some(self.global_place(id))
    }

    /// The variable as the thread that executes has it.
    pub(super) fn global_place(&mut self, id: GlobalId) -> Location {
        let per_thread = self.program.global(id).variable.per_thread;
        let (base, is_new) = self.of_thread(Base::Global(id), per_thread);
        let place = Location::object(base);
        self.prepare_global(id, &place);
        if is_new && !self.memory.is_object(&place) {
            self.initialise_global(id, &place);
        }
        place
    }

    /// The member of the current object a plain name means.
    pub(super) fn field_named(&mut self, name: &Name) -> Option<Location> {
        let (this, class) = (self.this()?, self.this_class()?);
        if !name.is_plain() {
            return None;
        }
        let seen = match self.has_field(class, name.last(), 0) {
            true => {
                let function = self.frame().function;
                let seen = function.and_then(|it| self.program.class_of_method(it));
                seen.unwrap_or(class)
            }
            false => self.mixin_where(&this, class, |it| self.has_field(it, name.last(), 0))?,
        };
        Some(self.field_place(&this, name.last(), Some(seen)))
    }

    /// The member of the current object that is named with its class: `Base::count`.
    fn field_of_base(&mut self, name: &Name) -> Option<Location> {
        let (this, own) = (self.this()?, self.this_class()?);
        let (field, path) = name.path.split_last()?;
        let class = Name {
            path: path.to_vec(),
            template_args: name.owner_args.clone(),
            owner_args: Vec::new(),
        };
        let class = self.class_of_type(&class)?;
        self.distance_to(own, class, 0)?;
        self.has_field(class, field, 0)
            .then(|| self.field_place(&this, field, Some(class)))
    }

    /// The place of a member, by its name in a class that the object is of, or extends.
    pub(super) fn member(&self, object: &Location, class: ClassId, field: &str) -> Location {
        object.field(&self.program.field_step(class, field))
    }

    fn dereference_member(&self, place: Location) -> Location {
        self.memory.references.get(&place).cloned().unwrap_or(place)
    }

    fn field_place(&mut self, object: &Location, field: &str, seen: Option<ClassId>) -> Location {
        if let Some(class) = self.object_at(object)
            && let Some(place) = self.static_member(class, field)
        {
            return place;
        }
        let seen = seen.or_else(|| self.object_at(object));
        let place = match seen.filter(|_| self.program.is_repeated_field(field)) {
            Some(class) if self.program.is_doubled_field(class, field) => return self.memory.local(),
            Some(class) => self.member(object, class, field),
            None => object.field(field),
        };
        self.prepare_field(object, field, &place);
        self.dereference_member(place)
    }

    /// The variable that a static member is.
    fn static_member(&mut self, class: crate::program::ClassId, field: &str) -> Option<Location> {
        let definition = self.program.class(class);
        if !definition
            .fields
            .iter()
            .any(|it| it.is_static && it.name == field)
        {
            return None;
        }
        let mut path = definition.path.clone();
        path.push(field.to_owned());
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let name = Name {
            path,
            template_args: Vec::new(),
            owner_args: Vec::new(),
        };
        let id = self.program.resolve_global(scope, &name)?;
        Some(self.global_place(id))
    }

    /// Objects nobody constructed on this path still have the fields their class declares.
    fn prepare_field(&mut self, object: &Location, field: &str, place: &Location) {
        if self.memory.classes.contains_key(place)
            || self.memory.arrays.contains(place)
            || self.memory.get(place).is_some()
        {
            return;
        }
        let own = self.memory.classes.get(object).copied();
        let declaring = |it: ClassId| self.program.declaring(it, field, 0);
        let class = own.and_then(|own| {
            let mixin = || self.mixin_where(object, own, |it| declaring(it).is_some());
            declaring(own).or_else(|| declaring(mixin()?))
        });
        let Some(class) = class else { return };
        let definition = self.program.class(class);
        let Some(declared) = definition.fields.iter().find(|it| it.name == field) else {
            return;
        };
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let ty = match declared.ty.pointers {
            0 => self.standard_name(scope, &declared.ty.name),
            _ => declared.ty.name.clone(),
        };
        if declared.ty.is_for_others() || ty.last().starts_with("atomic") {
            self.memory.shared.insert(place.clone());
        }
        if !declared.dims.is_empty() || declared.ty.pointers == 0 && is_sequence(ty.last()) {
            if declared.dims.is_empty() {
                self.memory.arrays.insert(place.clone());
            } else {
                self.in_class(object, class, |machine| machine.mark_array(place, declared));
            }
            let held = sequence_words(&declared.ty).filter(|_| !declared.dims.is_empty());
            if let Some(kind) = held.or_else(|| ty.template_args.first().cloned()) {
                self.memory.element_types.insert(place.clone(), kind);
            }
        } else if declared.ty.pointers == 0 && is_map(ty.last()) {
            self.prepare_map(place, &ty);
        } else if declared.ty.pointers == 0
            && let Some(inner) = self.class_of_member(object, class, &declared.ty.name)
        {
            self.memory.classes.insert(place.clone(), inner);
            let template = self.class_template(object, class);
            let written: Vec<String> = declared.ty.name.template_args.clone();
            self.in_template(template, |machine| {
                machine.note_class_arguments(place, inner, &written)
            });
        }
    }

    fn has_field(&self, class: crate::program::ClassId, field: &str, depth: u32) -> bool {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        definition
            .fields
            .iter()
            .any(|it| it.name == field && !it.is_static)
            || depth < 4
                && definition.bases.iter().any(|base| {
                    self.program
                        .resolve_class(scope, base)
                        .is_some_and(|it| it != class && self.has_field(it, field, depth + 1))
                })
    }

    /// Runs something that asks for the place an expression names, however often: what the expression does it does once,
    /// `table[count++] = entry`.
    pub(super) fn placing<T>(&mut self, target: &'p Expr, body: impl FnOnce(&mut Self) -> T) -> T {
        // What a call gives is asked for by who knows the call: `std::tie(a, b) = pair`.
        if matches!(target.kind, ExprKind::Call(_)) || has_no_effect(target) {
            return body(self);
        }
        let place = self.place(target);
        let depth = self.control.frames.len();
        self.control.placed.push((target, depth, place));
        let result = body(self);
        self.control.placed.pop();
        result
    }

    /// The place that an expression was found to name, while what asked for it runs.
    pub(super) fn placed(&self, expression: &Expr) -> Option<Option<Location>> {
        let depth = self.control.frames.len();
        let mut known = self.control.placed.iter().rev();
        let found = known.find(|(it, at, _)| std::ptr::eq(*it, expression) && *at == depth);
        found.map(|it| it.2.clone())
    }

    /// The place an lvalue names.
    pub(super) fn place(&mut self, expression: &'p Expr) -> Option<Location> {
        if let Some(place) = self.placed(expression) {
            return place;
        }
        match &expression.kind {
            ExprKind::Name(name) => match self.text_of(name) {
                Some(text) => self
                    .evaluate_text(text, |machine, it| machine.place(it))
                    .flatten(),
                None => self.name_place(name),
            },
            ExprKind::Member { object, field, arrow } => {
                let place = self.object_place(object, *arrow)?;
                let seen = match self.program.is_repeated_field(field) {
                    true => self.type_of_receiver(object, *arrow).and_then(|it| it.class()),
                    false => None,
                };
                Some(self.field_place(&place, field, seen))
            }
            ExprKind::Index { object, index } => {
                let container = match self.place(object) {
                    Some(object)
                        if self.object_at(&object).is_some() && !self.is_indexed_as_container(&object) =>
                    {
                        let index = std::slice::from_ref(&**index);
                        return self.operator_place(&object, "operator[]", index, expression.span);
                    }
                    Some(place)
                        if self.memory.maps.contains(&place) || self.memory.arrays.contains(&place) =>
                    {
                        return Some(self.indexed(&place, index, expression.span));
                    }
                    Some(place) if self.is_array_field(object, &place) => {
                        self.memory.arrays.insert(place.clone());
                        Some(place)
                    }
                    Some(place) => {
                        let value = self.load(&place);
                        self.pointee(&value).or(Some(place))
                    }
                    None => {
                        let value = self.evaluate(object);
                        self.pointee(&value)
                    }
                };
                let index = self.evaluate(index);
                let container = container?;
                let element = match index {
                    Value::Int(index) if !self.memory.arrays.contains(&container) => self
                        .stepped(object, &container, index)
                        .unwrap_or_else(|| self.memory.element(&container, index)),
                    index => self.element_at(&container, &index),
                };
                self.prepare_element(&container, &element);
                Some(element)
            }
            ExprKind::Unary {
                op: UnaryOp::Deref,
                operand,
            } => {
                if self.presence(operand).is_some() {
                    return self.place(operand);
                }
                let value = self.evaluate(operand);
                self.place_behind(&value, expression.span)
            }
            ExprKind::Unary {
                op: UnaryOp::PreIncrement | UnaryOp::PreDecrement,
                operand,
            } => match self.evaluate(expression) {
                Value::Aggregate(place) => Some(place),
                _ => self.place(operand),
            },
            ExprKind::Unary {
                op:
                    UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement
                    | UnaryOp::Negate
                    | UnaryOp::BitNot
                    | UnaryOp::Plus,
                ..
            }
            | ExprKind::Binary { .. } => match self.evaluate(expression) {
                Value::Aggregate(place) => Some(place),
                _ => None,
            },
            ExprKind::Assign { target, .. } => match self.evaluate(expression) {
                Value::Aggregate(place) if self.names_object(target) => Some(place),
                _ => self.place(target),
            },
            ExprKind::Cast { ty, operand } => {
                let place = self.place(operand)?;
                let own = self
                    .object_at(&place)
                    .filter(|_| ty.pointers == 0 && !ty.reference);
                if own.is_none_or(|own| self.class_of_type(&ty.name).is_none_or(|it| it == own)) {
                    return Some(place);
                }
                match self.cast_object(ty, place, expression.span) {
                    Value::Aggregate(place) => Some(place),
                    _ => None,
                }
            }
            ExprKind::Call(call) => match &call.callee.kind {
                // `std::move(x)` and friends name their argument.
                ExprKind::Name(name) if library::hands_on(name.last()) && call.args.len() == 1 => {
                    let place = self.place(&call.args[0]);
                    if let (Some(place), "move") = (&place, name.last()) {
                        self.host_memory_moves(&Value::Aggregate(place.clone()));
                    }
                    place
                }
                _ => {
                    // Whoever wants the place reads nothing there.
                    self.control.returned = None;
                    let value = self.call(call, expression.span);
                    match (self.control.returned.take(), value) {
                        (Some(place), _) | (None, Value::Aggregate(place)) => Some(place),
                        _ => None,
                    }
                }
            },
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } if is_path(then) && is_path(otherwise) && self.presence(condition).is_none() => {
                let value = self.evaluate(condition);
                let value = self.as_condition(value, condition.span);
                match (self.truth(&value), value) {
                    (Some(true), _) => self.place(then),
                    (Some(false), _) => self.place(otherwise),
                    (None, Value::Unknown(id)) => {
                        let taken = self.decide(id);
                        self.place(if taken { then } else { otherwise })
                    }
                    _ => None,
                }
            }
            ExprKind::Conditional { .. } | ExprKind::Construct { .. } | ExprKind::This => {
                match self.evaluate(expression) {
                    Value::Aggregate(place) => Some(place),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `container[index]`: an element, or the value of an entry.
    pub(super) fn indexed(&mut self, container: &Location, index: &'p Expr, span: Span) -> Location {
        let index = self.evaluate(index);
        if self.memory.maps.contains(container) {
            return self.map_value(container, &index, span);
        }
        let element = self.element_at(container, &index);
        self.prepare_element(container, &element);
        element
    }

    fn element_at(&mut self, container: &Location, index: &Value) -> Location {
        match index {
            Value::Int(index) => self.memory.element(container, *index),
            Value::Unknown(id) => container.step(self.memory.at_unknown(*id)),
            _ => container.step(Step::Any),
        }
    }

    /// What `*value` names.
    pub(super) fn place_behind(&mut self, value: &Value, span: Span) -> Option<Location> {
        match value {
            Value::Aggregate(object) if self.object_at(object).is_some() => {
                let object = object.clone();
                if self.has_operator(&object, "operator*", 0) {
                    self.operator_place(&object, "operator*", &[], span)
                } else {
                    Some(object)
                }
            }
            _ => self.pointee(value),
        }
    }

    /// A field that its class declares as an array; where the class is not known, every class with such a field does.
    fn is_array_field(&mut self, object: &'p Expr, place: &Location) -> bool {
        let ExprKind::Member {
            object: owner,
            field,
            arrow,
        } = &object.kind
        else {
            return false;
        };
        if self.memory.get(place).is_some() {
            return false;
        }
        let class = self.class_behind(owner, *arrow);
        let declared = class.and_then(|it| {
            let mut fields = self.program.class(it).fields.iter();
            fields.find(|it| it.name == *field)
        });
        match declared {
            Some(declared) => !declared.dims.is_empty(),
            None => self.program.is_array_field(field),
        }
    }

    /// The class of the object left of `.` or `->`, by how it is declared.
    fn class_behind(&mut self, object: &'p Expr, arrow: bool) -> Option<ClassId> {
        if let Some(class) = self.type_of_receiver(object, arrow).and_then(|it| it.class()) {
            return Some(class);
        }
        let written = self.type_of(object).filter(|it| arrow && it.pointers == 0);
        let Some(pointer) = written.and_then(|it| it.class()) else {
            return self.declared_class(object);
        };
        let function = self.program.resolve_method(pointer, "operator->", 0)?;
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        self.program.resolve_class(scope, &definition.result.name)
    }

    /// The object left of `.` or `->`.
    pub(super) fn object_place(&mut self, object: &'p Expr, arrow: bool) -> Option<Location> {
        if !arrow {
            return self.place(object).or_else(|| {
                let value = self.evaluate(object);
                match value {
                    Value::Aggregate(place) => Some(place),
                    _ => None,
                }
            });
        }
        if matches!(object.kind, ExprKind::This) {
            return self.this();
        }
        let value = self.evaluate(object);
        if let Value::Aggregate(held) = &value
            && self.object_at(held).is_some()
        {
            let held = held.clone();
            return self
                .operator_place(&held, "operator->", &[], object.span)
                .or(Some(held));
        }
        self.pointee(&value)
    }
}

/// Names, members and elements.
fn is_path(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) => true,
        ExprKind::Member { object, .. } => is_path(object) || matches!(object.kind, ExprKind::This),
        ExprKind::Index { object, .. } => is_path(object),
        _ => false,
    }
}
