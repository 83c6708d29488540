//! Calls: which function runs, with which arguments bound.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Location;
use super::coverage::Followed;
use super::machine::Machine;
use super::memory::Value;
use super::overloads::Choice;
use super::receivers::Meant;
use super::types::Static;
use super::unseen_calls::Callee;
use crate::api::{self, library};
use crate::facts::ir::{Call, Expr, ExprKind, Name, Role, Target, Type, Written};
use crate::program::{ClassId, FunctionId};
use crate::syntax::Span;

/// An evaluated argument.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) value: Value,
    /// The place it names, for reference parameters.
    pub(super) place: Option<Location>,
    /// As written.
    pub(super) words: String,
    /// Nobody else needs it any more: a temporary, or what `std::move` made of something.
    pub(super) moved: bool,
    /// Its static type, for what is handed on in a pack.
    pub(super) ty: Option<Static>,
}

impl Argument {
    /// An object that stands somewhere.
    pub(super) fn object(place: &Location) -> Self {
        Argument {
            place: Some(place.clone()),
            ..Argument::unplaced(Value::Aggregate(place.clone()), String::new())
        }
    }

    /// A value that stands nowhere and may be needed elsewhere.
    pub(super) fn unplaced(value: Value, words: String) -> Self {
        Argument {
            value,
            place: None,
            words,
            moved: false,
            ty: None,
        }
    }
}

/// What a function that nobody sees can get at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unseen {
    /// It is one of the standard library, which knows nothing of devices, or another one that waits for no work of theirs.
    Prompt,
    /// What it is handed.
    Bound,
    /// Anything: it is handed nothing, or is a method of an object nobody knows.
    Unbound,
}

impl<'p> Machine<'p> {
    /// A call expression.
    pub(super) fn call(&mut self, call: &'p Call, span: Span) -> Value {
        match &call.callee.kind {
            ExprKind::Name(name) => self.call_name(name, &call.args, span),
            ExprKind::Member { object, field, arrow } => {
                self.call_method((object, *arrow), field, call, span)
            }
            ExprKind::Unary {
                op: crate::facts::ir::UnaryOp::Deref,
                operand,
            } => {
                let mut callee = self.evaluate(operand);
                match &callee {
                    // What an iterator leads to.
                    Value::Pointer(place)
                        if self.object_at(place).is_none() && !self.memory.promises.contains_key(place) =>
                    {
                        callee = self.load(&place.clone());
                    }
                    Value::Aggregate(place)
                        if matches!(operand.kind, ExprKind::Name(_)) && self.object_at(place).is_some() =>
                    {
                        callee = self.evaluate(&call.callee);
                    }
                    _ => {}
                }
                let args = self.arguments(&call.args);
                self.invoke_value(&callee, args, span)
            }
            ExprKind::Opaque(parts) if parts.len() == 2 => self.call_through_pointer(parts, &call.args, span),
            _ => {
                let callee = self.evaluate(&call.callee);
                let args = self.arguments(&call.args);
                self.invoke_value(&callee, args, span)
            }
        }
    }

    /// `(object.*method)(…)`, `(pointer->*method)(…)`.
    fn call_through_pointer(&mut self, parts: &'p [Expr], args: &'p [Expr], span: Span) -> Value {
        let object = match &parts[0].kind {
            ExprKind::Opaque(inner) if inner.len() == 1 => self.argument(&inner[0]),
            _ => self.argument(&parts[0]),
        };
        let callee = self.evaluate(&parts[1]);
        let target = match (&object.value, object.place) {
            (Value::Pointer(object), _) => Some(object.clone()),
            (_, place) => place,
        };
        let value = target.map_or_else(|| self.memory.fresh(), Value::Pointer);
        let object = Argument::unplaced(value, String::new());
        let args: Vec<Argument> = std::iter::once(object).chain(self.arguments(args)).collect();
        self.run_callee(&callee, args, span)
    }

    fn call_name(&mut self, name: &'p Name, args: &'p [Expr], span: Span) -> Value {
        if let [operator] = name.path.as_slice()
            && is_unevaluated(operator)
        {
            let identity = if operator == "typeid" {
                self.identity_of_type(args)
            } else {
                None
            };
            return identity.unwrap_or_else(|| self.memory.fresh());
        }
        if let Some(text) = self.text_of(name) {
            let args = self.arguments(args);
            return self.call_text(text, args, span);
        }
        if name.is_plain()
            && let Some(place) = self.lookup(name.last())
        {
            let callee = self.load(&place);
            let args = self.arguments(args);
            return self.invoke_value(&callee, args, span);
        }
        if let Some(value) = self.intrinsic(name, args, span) {
            return value;
        }
        if let Some(value) = self.call_of_container(name, args, span) {
            return value;
        }
        let scope = self.scope();
        let count = self.count_of(args);
        let meant = self.substituted(name);
        let meant = meant.as_ref().unwrap_or(name);
        let by_alias = self
            .behind_alias(meant)
            .and_then(|it| self.function_meant(&it, Some(count)));
        let found = by_alias.or_else(|| self.function_meant(meant, Some(count)));
        let found = found.map(|it| self.of_named_class(it, name, count));
        // A macro's own name in its text is not expanded again.
        let found = match found.filter(|it| self.is_being_expanded(*it)) {
            Some(_) => self.program.resolve_plain_function(scope, name, Some(count)),
            None => found,
        };
        // What a test framework asserts is not asked of its inside.
        let found = found.filter(|it| !(library::asserts(name.last()) && self.program.is_of_framework(*it)));
        // A class's own name in its methods makes an object, and what it calls its methods hides what stands around it.
        let hides = |it: &FunctionId| {
            self.program.function(*it).role == Role::Function
                && name.is_plain()
                && self
                    .frame()
                    .function
                    .is_some_and(|it| self.stands_beside(it, name.last(), count))
        };
        let is_called = |it: &FunctionId| self.program.function(*it).role != Role::Constructor && !hides(it);
        let is_open = found.is_none_or(|it| !self.program.function(it).defined || hides(&it));
        let called = found.filter(is_called);
        if name.is_plain()
            && is_open
            && let Some((function, this, class)) = self.defined_for_this(name.last(), count)
        {
            let arguments = self.arguments(args);
            return self.invoke(function, Some((this, class)), arguments, span);
        }
        if let Some(function) = called.filter(|it| self.is_taken(*it, args)) {
            return self.call_function(function, name, args, span);
        }
        if let Some(value) = self.clock_call(name, args, span) {
            return value;
        }
        if name.is_plain()
            && let Some((function, this, class)) = self.method_of_this(name.last(), count)
        {
            // Declared in a base class, defined where the object's own class is.
            let arguments = self.arguments(args);
            return self.invoke(function, Some((this, class)), arguments, span);
        }
        if let Some(value) = self.host_call(name, args, span) {
            return value;
        }
        let is_tuple = matches!(name.path.as_slice(), [space, kind] if space == "std" && matches!(kind.as_str(), "tuple" | "pair"));
        if is_tuple || library::is_smart_pointer(name.last()) || matches!(name.last(), "thread" | "jthread") {
            return self.construct_call(name, Written::Args(args), span);
        }
        if let Some(entry) = api::lookup(name.last()).or_else(|| api::lookup_path(&name.path)) {
            return self.cuda_call(entry, name, args, span);
        }
        let is_number = || args.len() == 1 && super::numbers::Number::named(&name.path.join("::")).is_some();
        if self.class_of_type(name).is_some()
            || self.program.resolve_alias(scope, name).is_some()
            || is_number()
        {
            return self.construct_call(name, Written::Args(args), span);
        }
        if let Some(place) = self.field_named(name) {
            let class = self.this_class();
            let object = class.and_then(|it| self.callable_member(it, &place, name.last(), count));
            let callee = object.unwrap_or_else(|| self.load(&place));
            let args = self.arguments(args);
            return self.invoke_value(&callee, args, span);
        }
        if let Some(global) = self.program.resolve_global(scope, name) {
            let place = Location::object(super::Base::Global(global));
            let callee = self.load(&place);
            let args = self.arguments(args);
            return self.invoke_value(&callee, args, span);
        }
        if args.is_empty() && self.is_plain_parameter(name) {
            return Value::Int(0);
        }
        if library::throws(name.last()) {
            self.arguments(args);
            self.control.thrown = None;
            self.control.throwing = true;
            return self.memory.fresh();
        }
        // The standard library knows nothing of devices.
        let is_standard = name.path.len() > 1 && name.path[0] == "std";
        let unseen = match is_standard {
            true => Unseen::Prompt,
            false if args.is_empty() || self.may_be_own(name.last()) => Unseen::Unbound,
            false => Unseen::Bound,
        };
        let declared = self.program.declaration_of(scope, name, count);
        self.unknown_call(Callee::Function(name.last(), declared), args, unseen, span)
    }

    /// Whether a method's class has a method of a name.
    fn stands_beside(&self, method: FunctionId, name: &str, arguments: usize) -> bool {
        self.program.class_of_method(method).is_some_and(|class| {
            self.program.resolve_method(class, name, arguments).is_some()
                || self.declares_virtual(class, name, arguments)
        })
    }

    /// The method of the object whose method runs that a plain name means, with that object and its class.
    fn method_of_this(&self, name: &str, arguments: usize) -> Option<(FunctionId, Location, ClassId)> {
        let this = self.this()?;
        let class = self.memory.classes.get(&this).copied()?;
        let (function, class) = self.method_at(&this, class, (name, arguments))?;
        let is_constructor = self.program.function(function).role == Role::Constructor;
        (!is_constructor).then_some((function, this, class))
    }

    pub(super) fn call_function(
        &mut self,
        function: FunctionId,
        name: &'p Name,
        args: &'p [Expr],
        span: Span,
    ) -> Value {
        let function = self.overridden(function, name, self.count_of(args));
        let definition = self.program.function(function);
        if definition.role == Role::Macro {
            let (arguments, textual) = self.macro_arguments(function, args);
            self.control.macro_text = textual;
            let value = self.invoke(function, None, arguments, span);
            if self.falls_apart(definition, function.file, args) {
                return self.memory.fresh();
            }
            return value;
        }
        let mut arguments = self.arguments(args);
        if definition.target == Target::Kernel {
            return Value::Int(0);
        }
        let object = self.type_of_this();
        let mut choice =
            self.overload_given(function, &name.template_args, args, &arguments, object.as_ref());
        // With template arguments, empty ones too, only a template is meant.
        let written = format!("{}<", name.last());
        if self.program.function(choice.function).template_params.is_empty()
            && (!name.template_args.is_empty() || self.words(span).starts_with(&written))
            && self
                .possible(choice.function, &name.template_args, arguments.len())
                .len()
                > 1
        {
            choice.sure = false;
        }
        let function = choice.function;
        let definition = self.program.function(function);
        let this = match (definition.role, self.this()) {
            (Role::Method, Some(this)) if !self.program.is_static(function) => self
                .control
                .frames
                .iter()
                .rev()
                .find_map(|frame| frame.class)
                .map(|class| (this, class)),
            _ => None,
        };
        let mut template = self.owner_template(function, name);
        template.extend(self.given_template(function, &name.template_args, args, &arguments));
        self.pass(function, args, &mut arguments, &template, span);
        self.invoke_choice(choice, this, arguments, template, span)
    }

    /// Runs the overload a call means. Where that is a guess, what it does happens, and what it leaves is not known.
    pub(super) fn invoke_choice(
        &mut self,
        choice: Choice,
        this: Option<(Location, ClassId)>,
        arguments: Vec<Argument>,
        template: BTreeMap<String, Arc<str>>,
        span: Span,
    ) -> Value {
        if choice.sure {
            return self.invoke_with(choice.function, this, arguments, template, span);
        }
        let mark = self.memory.watch();
        let value = self.invoke_with(choice.function, this, arguments, template, span);
        self.lose_changes(mark, true);
        self.memory.unwatch();
        match value {
            Value::Int(_) | Value::Str(_) => self.memory.fresh_lost(),
            value => value,
        }
    }

    /// The method of the object's own class that a call in a base class means; a qualified name says which one.
    fn overridden(&self, function: FunctionId, name: &Name, arguments: usize) -> FunctionId {
        let definition = self.program.function(function);
        if definition.role != Role::Method || self.program.is_static(function) || !name.is_plain() {
            return function;
        }
        let class = self.this().and_then(|it| self.memory.classes.get(&it).copied());
        class
            .and_then(|class| self.program.resolve_method(class, name.last(), arguments))
            .unwrap_or(function)
    }

    /// `T(args)`, `T{args}`: a temporary.
    pub(super) fn construct_call(&mut self, name: &'p Name, init: Written<'p>, span: Span) -> Value {
        if let Some(class) = self.class_of_type(name) {
            return self.temporary_object(class, name, init, span);
        }
        if let Written::Args(args) = init
            && name.is_plain()
            && let Some(function) = self.function_meant(name, Some(self.count_of(args)))
        {
            return self.call_function(function, name, args, span);
        }
        if let Some(value) = self.temporary_of_library(name, init, span) {
            return value;
        }
        let arguments = self.arguments(init.expressions());
        let meant = self.program.resolve_alias(self.scope(), name);
        let ty = meant.map_or_else(|| name.clone(), |it| it.name);
        let first = arguments.into_iter().next();
        if ty.last() == "atomic_ref" {
            return first.map_or(Value::Int(0), |it| it.place.map_or(it.value, Value::Aggregate));
        }
        let value = first.map_or(Value::Int(0), |it| it.value);
        self.as_type(&Type::named(ty), value)
    }

    fn temporary_object(&mut self, class: ClassId, name: &'p Name, init: Written<'p>, span: Span) -> Value {
        let place = self.memory.local();
        self.note_arguments_of(&place, class, name);
        // The class template's own name in it means what the object is made for.
        if name.template_args.is_empty()
            && let Some(this) = self
                .this()
                .filter(|it| self.memory.classes.get(it) == Some(&class))
            && let Some(own) = self.memory.class_arguments.get(&this).cloned()
        {
            self.memory.class_arguments.insert(place.clone(), own);
        }
        self.construct_with(&place, class, Some(init), span);
        self.memory.classes.insert(place.clone(), class);
        if !self.memory.owners_in(&place).is_empty() {
            self.memory.passing.insert(place.base);
        }
        Value::Aggregate(place)
    }

    /// The function a method call on an object means: the object's own where it is virtual and not named with its class,
    /// else that of the class the object is looked at as.
    fn method_meant(
        &self,
        (place, class): (&Location, ClassId),
        given: Option<&Static>,
        (method, qualified): (&str, bool),
        arguments: usize,
    ) -> Option<(FunctionId, ClassId)> {
        let own = self.method_at(place, class, (method, arguments));
        let seen = given.and_then(Static::class).filter(|it| *it != class);
        if let Some(seen) = seen
            && self.distance_to(class, seen, 0).is_some()
            && let Some(function) = self.program.resolve_method(seen, method, arguments)
            && Some(function) != own.map(|it| it.0)
            && (qualified || !self.is_virtual(seen, method, arguments))
        {
            return Some((function, seen));
        }
        own
    }

    /// The object a member is that is called like a function, where nobody saw it being made: one of its declared class.
    fn callable_member(
        &mut self,
        class: ClassId,
        place: &Location,
        member: &str,
        arguments: usize,
    ) -> Option<Value> {
        if !matches!(self.memory.get(place), None | Some(Value::Unknown(_))) {
            return None;
        }
        let definition = self.program.class(class);
        let field = definition.fields.iter().find(|it| it.name == member)?;
        if field.ty.pointers > 0 || !field.dims.is_empty() {
            return None;
        }
        let scope = crate::program::Scope {
            file: class.file,
            path: &definition.path,
        };
        let own = self.program.resolve_class(scope, &field.ty.name)?;
        self.program.resolve_method(own, "operator()", arguments)?;
        self.memory.classes.insert(place.clone(), own);
        Some(Value::Aggregate(place.clone()))
    }

    /// A method is called on the object at a place, where that is known.
    pub(super) fn call_method_of(
        &mut self,
        place: Option<Location>,
        (object, arrow): (&'p Expr, bool),
        method: &'p str,
        call: &'p Call,
        span: Span,
    ) -> Value {
        let args = call.args.as_slice();
        if let Some(place) = &place
            && !arrow
        {
            self.note_temporary(object, &Value::Aggregate(place.clone()));
        }
        if place.is_none() && matches!(method, "join" | "get" | "wait" | "share") {
            match self.evaluate(object) {
                future if self.is_future(&future) && !arrow => {
                    let temporary = self.memory.local();
                    self.memory.set(temporary.clone(), future.clone());
                    let result = self.thread_method(&temporary, Some(&future), method, args, span);
                    return result.unwrap_or_else(|| self.memory.fresh());
                }
                // The pointer in a `thrust::device_ptr`.
                Value::Pointer(memory) if method == "get" && args.is_empty() && !arrow => {
                    return Value::Pointer(memory);
                }
                _ => {}
            }
        }
        if let Some(value) = self.clock_method(object, place.as_ref(), method) {
            return value;
        }
        let count = self.count_of(args);
        let class = place.as_ref().and_then(|it| self.memory.classes.get(it).copied());
        if method.starts_with('~') {
            if let Some(place) = &place {
                self.end_object(place, class, span);
            }
            return Value::Int(0);
        }
        if let (Some(place), Some(class)) = (&place, class) {
            if let Some(owner) = &call.owner
                && let Some(value) = self.call_of_owner(place, owner, method, args, span)
            {
                return value;
            }
            // A smart pointer's own methods are reached with `.`, the pointee's with `->`.
            let given = self.type_of_receiver(object, arrow);
            let named = (method, call.owner.is_some());
            if let Some((function, class)) = self.method_meant((place, class), given.as_ref(), named, count) {
                let mut arguments = self.arguments(args);
                let choice = self.overload_on(
                    (place, class),
                    (function, &call.method_args),
                    args,
                    &arguments,
                    given.as_ref(),
                );
                let template = self.given_template(choice.function, &call.method_args, args, &arguments);
                self.pass(choice.function, args, &mut arguments, &template, span);
                return self.invoke_choice(choice, Some((place.clone(), class)), arguments, template, span);
            }
            // `std::reference_wrapper` stands for the object itself, whose class has no such method.
            if method == "get"
                && args.is_empty()
                && !self.memory.smart.contains(place)
                && !self.program.declares_method(class, method)
            {
                return Value::Aggregate(place.clone());
            }
            let field = place.field(method);
            let is_object = self.memory.classes.contains_key(&field);
            let object = is_object.then(|| Value::Aggregate(field.clone()));
            let object = object.or_else(|| self.callable_member(class, &field, method, count));
            let known = self.memory.get(&field).cloned();
            if let Some(callee) = known
                .filter(|it| !matches!(it, Value::Unknown(_)) || object.is_none())
                .or(object)
            {
                let arguments = self.arguments(args);
                return self.invoke_value(&callee, arguments, span);
            }
        }
        // A function that stands in a field, of an element of a table say.
        if let Some(place) = &place
            && class.is_none()
            && let Some(callee) = self.memory.get(&place.field(method)).cloned()
            && !matches!(callee, Value::Unknown(_) | Value::Int(_))
        {
            let arguments = self.arguments(args);
            return self.invoke_value(&callee, arguments, span);
        }
        if let ("emplace", [wanted], Some(place)) = (method, call.method_args.as_slice(), &place)
            && let Some(value) = self.emplace_alternative(object, place, wanted, args, span)
        {
            return value;
        }
        if let Some(place) = place.as_ref().filter(|_| !arrow && class.is_none()) {
            self.see_owner(object, place, method);
        }
        if let Some(place) = &place
            && let Some(value) = self.host_method(place, method, args, span)
        {
            return value;
        }
        let meant = match class {
            Some(_) => Meant::Unseen,
            None => self.meant_by_type((object, arrow), method, count),
        };
        if let Meant::Method(function, class, made_for) = meant {
            let arguments = self.arguments(args);
            let given = self.type_of_receiver(object, arrow);
            let choice = self.overload(function, args, &arguments, given.as_ref());
            let template = self.given_template(choice.function, &call.method_args, args, &arguments);
            let owner = place.unwrap_or_else(|| self.memory.local());
            self.memory.classes.insert(owner.clone(), class);
            if !made_for.0.is_empty() {
                self.memory
                    .class_arguments
                    .insert(owner.clone(), (class, made_for.0));
            }
            return self.invoke_choice(choice, Some((owner, class)), arguments, template, span);
        }
        if matches!(meant, Meant::Unknown)
            && let Some(function) = self.program.unique_method(self.scope(), method, count)
            && self.program.is_eventful(function)
            && !self.is_running(function)
            && !self.is_of_another_class(object, function)
        {
            self.assume_text(format!(
                "`{}` is the only `{method}` in the project",
                self.words(span)
            ));
            let arguments = self.arguments(args);
            let given = self.type_of_receiver(object, arrow);
            let function = self.overload(function, args, &arguments, given.as_ref()).function;
            let owner = place.unwrap_or_else(|| self.memory.local());
            return match self.program.class_of_method(function) {
                Some(owner_class) => {
                    self.memory.classes.insert(owner.clone(), owner_class);
                    self.invoke(function, Some((owner, owner_class)), arguments, span)
                }
                None => self.memory.fresh(),
            };
        }
        self.note_unseen_call(&[], place.as_ref());
        place.iter().for_each(|it| self.lose_stand_in(it));
        if let Some(place) = place.as_ref().filter(|it| self.memory.holders.contains(*it)) {
            self.lose_reachable(vec![place.clone()]);
        }
        let is_own = |it: &Location| matches!(it.base, super::Base::Local(_));
        let unbound = args.is_empty()
            || !place.as_ref().is_some_and(is_own)
            || class.is_none() && self.may_be_own(method);
        let is_getter = args.is_empty() && library::getters().contains(&method);
        let unseen = match unbound {
            // A future hands out more than a pointer, and would wait first.
            true if is_getter && self.hands_out_pointer(class, object, method) => Unseen::Prompt,
            _ if self.is_prompt_on(class, (object, arrow), method, count) => Unseen::Prompt,
            true => Unseen::Unbound,
            false => Unseen::Bound,
        };
        self.unknown_call(Callee::Method(method), args, unseen, span)
    }

    /// Whether a call that was not followed may mean a function of the project that works with devices: it reaches more
    /// than what it is handed.
    fn may_be_own(&self, name: &str) -> bool {
        self.program.eventful_role(name).is_some()
    }

    pub(super) fn assume_text(&mut self, text: String) {
        if !self.trace.assumptions.contains(&text) {
            self.trace.assumptions.push(text);
        }
    }

    /// Calls whatever a value is.
    pub(super) fn invoke_value(&mut self, callee: &Value, args: Vec<Argument>, span: Span) -> Value {
        match callee {
            Value::Function(function, instance)
                if self.program.function(*function).target != Target::Kernel =>
            {
                // Which of several functions of one name was meant the type of the pointer says.
                let several = self.program.overloads(*function, args.len()).len() > 1;
                let choice = Choice {
                    function: *function,
                    sure: !several,
                };
                let template = self.template_of(*function, instance);
                self.invoke_choice(choice, None, args, template, span)
            }
            Value::Closure(index) => self.invoke_closure(*index, args, span),
            Value::Bound(index) => self.invoke_bound(*index, args, span),
            Value::Aggregate(object) | Value::Pointer(object) => {
                let class = self.memory.classes.get(object).copied();
                let operator = class.and_then(|class| {
                    self.program
                        .resolve_method(class, "operator()", args.len())
                        .map(|function| (function, class))
                });
                match operator {
                    Some((function, class)) => {
                        let types: Vec<_> = args.iter().map(|it| self.type_of_value(&it.value)).collect();
                        let choice = self.overload_of(function, &types, &args, None);
                        let this = Some((object.clone(), class));
                        self.invoke_choice(choice, this, args, BTreeMap::new(), span)
                    }
                    None if self.memory.promises.contains_key(object) => {
                        self.run_packaged(&object.clone(), args, span)
                    }
                    None => match self.visitor(object, &args) {
                        Some((index, true)) => self.invoke_closure(index, args, span),
                        Some((index, false)) => {
                            let mark = self.memory.watch();
                            self.invoke_closure(index, args, span);
                            self.lose_changes(mark, true);
                            self.memory.unwatch();
                            self.memory.fresh_lost()
                        }
                        None => self.memory.fresh(),
                    },
                }
            }
            // What holds no function throws.
            Value::Int(0) if self.control.handlers > 0 => {
                let error = Static::temporary(super::types::Core::Other("bad_function_call".to_owned()));
                self.control.thrown = Some((self.memory.fresh(), Some(error)));
                self.control.throwing = true;
                self.memory.fresh()
            }
            Value::Api(name) => match api::lookup(name) {
                Some(entry) => self.cuda_call_values(entry, name, args, span),
                None => self.memory.fresh(),
            },
            _ => {
                if matches!(callee, Value::Unknown(_)) {
                    self.note_call(span, Followed::UnknownValue);
                }
                let name = self.words(span);
                self.enqueue_unseen(&name, None, &args, matches!(callee, Value::Unknown(_)), span);
                self.touch_unseen(None, &args, span);
                // What it is bound to is nobody's business: the project's own functions among it.
                self.note_opaque(&name, &args, true, span);
                if self.trace.notes.client.is_some()
                    && matches!(callee, Value::Unknown(id) if self.memory.handed_arguments.contains(id))
                    && let Some(note) = self.trace.notes.opaque.last_mut()
                {
                    note.is_of_client();
                }
                self.note_unseen_call(&args, None);
                self.hand_out(args, span);
                self.memory.fresh()
            }
        }
    }

    /// The lambda of a set of them that takes the argument, and whether no other one takes it as well:
    /// `overloaded{[](A) {…}, [](B) {…}}`.
    fn visitor(&self, object: &Location, args: &[Argument]) -> Option<(u32, bool)> {
        let closures = (0..16).map_while(|index| match self.memory.get(&object.element(index)) {
            Some(Value::Closure(closure)) => Some(*closure),
            _ => None,
        });
        let fit = |index: &u32| {
            let closure = &self.closures[*index as usize];
            let scope = crate::program::Scope {
                file: closure.file,
                path: closure.path,
            };
            match (closure.lambda.params.first(), args.first()) {
                (Some(parameter), Some(argument)) => self.fit_of(&parameter.ty, scope, &argument.value),
                _ => 0,
            }
        };
        let fits: Vec<(i32, u32)> = closures.map(|index| (fit(&index), index)).collect();
        let best = fits
            .iter()
            .max_by_key(|(fit, index)| (*fit, std::cmp::Reverse(*index)))?;
        let alike = fits.iter().filter(|it| it.0 == best.0).count();
        Some((best.1, alike == 1))
    }
}

/// Operators that are written like calls, and only look at the type of what they are given.
fn is_unevaluated(operator: &str) -> bool {
    matches!(operator, "noexcept" | "typeid" | "alignof")
}
