//! Expressions: values, places, stores.

use std::sync::Arc;

use super::joins::has_no_effect;
use super::machine::Machine;
use super::memory::Value;
use super::operators::{compound_name, unary_name};
use super::types::{Category, Core, Static};
use super::{Action, Extent, Location, Mode, Step, Write, budget};
use crate::api;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// The value of an expression; events it causes are recorded.
    pub(super) fn evaluate(&mut self, expression: &'p Expr) -> Value {
        if !self.tick() {
            return self.memory.fresh();
        }
        let span = expression.span;
        if let Some(place) = self.placed(expression) {
            return match place {
                Some(place) => self.load(&place),
                None => self.memory.fresh(),
            };
        }
        match &expression.kind {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => self.real_literal(expression, *value),
            // Where it ends depends on who looks at it.
            ExprKind::Str(text) if text.contains('\0') => self.memory.fresh(),
            ExprKind::Str(text) => Value::Str(Arc::from(text.as_str())),
            ExprKind::Null => Value::Int(0),
            ExprKind::Name(name) => {
                self.control.here = span;
                self.evaluate_name(name)
            }
            ExprKind::This => self.this().map_or_else(|| self.memory.fresh(), Value::Pointer),
            ExprKind::Index { object, index } => self.evaluate_index(object, index, expression),
            ExprKind::Member { .. } => match self.place(expression) {
                Some(place) => {
                    self.control.here = span;
                    let value = self.load(&place);
                    self.as_declared(expression, &place, value)
                }
                None => self.memory.fresh(),
            },
            ExprKind::Unary { op, operand } => self.evaluate_unary(*op, operand, expression),
            ExprKind::Binary { op, left, right } => self.evaluate_binary(*op, left, right, span),
            ExprKind::Assign { op, target, value } => self.placing(target, |machine| {
                machine.evaluate_assignment(*op, target, value, span)
            }),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => self.evaluate_conditional(condition, then, otherwise),
            ExprKind::Call(call) => {
                self.control.returned = None;
                let value = self.call(call, span);
                self.read_handed_out(value, span)
            }
            ExprKind::Launch(launch) => {
                self.launch(launch, span);
                Value::Int(0)
            }
            ExprKind::New {
                ty,
                init,
                array,
                placement,
            } => match self.place_of_new(placement) {
                Some(place) => self.make_at(&place, ty, init.as_deref().map(|it| it.written()), span),
                None => self.evaluate_new(ty, init.as_deref().map(|it| it.written()), array.as_deref(), span),
            },
            ExprKind::Delete { operand } => {
                let value = self.evaluate(operand);
                self.delete(&value, span);
                if let Some(base) = self.pointee(&value).map(|it| it.base) {
                    let words = self.words(operand.span);
                    self.host_memory_dies(base, &words, span);
                }
                Value::Int(0)
            }
            ExprKind::Cast { ty, operand } => {
                if let Some(value) = self.call_in_parentheses(ty, operand, span) {
                    return value;
                }
                let value = self.evaluate(operand);
                match value {
                    Value::Unknown(_) => self.narrowed_unknown(ty, operand, value),
                    Value::Aggregate(from) => self.cast_object(ty, from, span),
                    Value::Int(number) if !self.holds_number(ty, number) => self.memory.fresh(),
                    value => self.as_type(ty, value),
                }
            }
            ExprKind::Construct { ty, init } => self.construct_call(&ty.name, init.written(), span),
            ExprKind::InitList(items) => {
                let place = self.memory.local();
                let parts = self.initialise_list(&place, items);
                self.memory.lists.insert(place.clone(), parts);
                Value::Aggregate(place)
            }
            ExprKind::Lambda(lambda) => self.capture(lambda),
            ExprKind::SizeOf(written) => self.size_of_type(written),
            ExprKind::Asm { operands, .. } => {
                operands.iter().for_each(|it| {
                    self.evaluate(it);
                });
                self.memory.fresh()
            }
            ExprKind::Opaque(parts) => {
                // A fold over a parameter pack among them.
                for part in parts {
                    if self.over_pack(part).is_some() {
                        continue;
                    }
                    let open = parts.len() == 1 && self.names_open_pack(part);
                    let mark = self.memory.watch();
                    self.evaluate(part);
                    if open {
                        // How often it is evaluated, if at all, depends on what the pack stands for.
                        self.lose_changes(mark, true);
                    }
                    self.memory.unwatch();
                }
                self.memory.fresh()
            }
            ExprKind::Throw(value) => {
                if let Some(value) = value {
                    let ty = self.type_of(value);
                    let thrown = match self.category_of(value) {
                        Some(super::types::Category::Temporary) | None => self.evaluate_copy(value),
                        Some(_) => {
                            let named = self.evaluate(value);
                            self.copy_seen(named, ty.as_ref(), span)
                        }
                    };
                    self.control.thrown = Some((thrown, ty));
                }
                self.control.throwing = true;
                self.memory.fresh()
            }
        }
    }

    /// The value of an expression that is copied from: a local object that is handed over is no longer destroyed here.
    pub(super) fn evaluate_copy(&mut self, expression: &'p Expr) -> Value {
        let names_place = matches!(
            expression.kind,
            ExprKind::Name(_)
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
                | ExprKind::Unary {
                    op: UnaryOp::Deref,
                    ..
                }
        );
        if names_place
            && !self.memory.smart.is_empty()
            && has_no_effect(expression)
            && let Some(place) = self.place(expression)
            && self.memory.smart.contains(&place)
        {
            // Copied, not moved: there is one owner more.
            if let Some(Value::Pointer(object)) = self.memory.get(&place).cloned() {
                self.memory.add_owner(object);
            }
            return Value::Aggregate(place);
        }
        if let ExprKind::Call(call) = &expression.kind
            && let (ExprKind::Name(name), [only]) = (&call.callee.kind, call.args.as_slice())
            && name.last() == "move"
        {
            return self.evaluate_given(only, true);
        }
        let value = self.evaluate(expression);
        if names_place && matches!(value, Value::Closure(_)) {
            return self.copy_of_closure(value);
        }
        if let (Value::Aggregate(object), ExprKind::Name(_)) = (&value, &expression.kind) {
            let object = object.clone();
            if let Some(copy) = self.copy_of_held(&object, expression.span) {
                return Value::Aggregate(copy);
            }
            self.moved_away(&object);
        }
        value
    }

    /// A copy of an optional that holds an object whose class says how it is copied.
    fn copy_of_held(&mut self, place: &Location, span: Span) -> Option<Location> {
        let kind = self.memory.optionals.get(place).cloned()?;
        let class = self.object_at(place).filter(|it| self.copies_by_code(*it))?;
        let copy = self.memory.local();
        self.memory.optionals.insert(copy.clone(), kind);
        let given = Static {
            category: Category::Named,
            ..Static::temporary(Core::Class(class))
        };
        self.copy_construct(&copy, class, place, &given, span);
        Some(copy)
    }

    pub(super) fn this(&self) -> Option<Location> {
        self.control
            .frames
            .iter()
            .rev()
            .find_map(|frame| match (&frame.this, frame.transparent) {
                (Some(this), _) => Some(Some(this.clone())),
                (None, true) => None,
                (None, false) => Some(None),
            })?
    }

    pub(super) fn this_class(&self) -> Option<crate::program::ClassId> {
        self.control
            .frames
            .iter()
            .rev()
            .find(|frame| frame.this.is_some() || !frame.transparent)?
            .class
    }

    /// Loads a place, noting it when a loop condition is evaluated.
    pub(super) fn load(&mut self, place: &Location) -> Value {
        if !self.memory.arrays.contains(place) && !self.is_empty_optional(place) {
            self.touch(place, Extent::Element, Mode::Read, self.control.here);
        }
        self.referred(place)
    }

    /// The value of what a reference is bound to: nobody reads it yet.
    pub(super) fn referred(&mut self, place: &Location) -> Value {
        self.note_polled(place);
        if self.is_empty_optional(place) {
            return Value::Int(0);
        }
        self.memory.mark_row(place);
        let is_array = self.memory.arrays.contains(place);
        let is_whole = self.memory.is_object(place) || self.memory.tuples.contains(place);
        if !is_array && !self.memory.smart.contains(place) && is_whole {
            return Value::Aggregate(place.clone());
        }
        if !is_array && self.memory.get(place).is_none() {
            let handle = |it: &Value| matches!(it, Value::Stream(_) | Value::Event(_));
            let zeroed = self.memory.is_zeroed(place);
            let sibling = self.memory.sibling(place).filter(|it| !zeroed || handle(it));
            if let Some(value) = sibling.cloned() {
                let value = self.like(place, &value);
                self.memory.set(place.clone(), value);
            } else if let Some(value) = self.initial_value(place) {
                match self.is_constant(place) {
                    true => self.memory.find(place.clone(), value),
                    false => self.memory.set(place.clone(), value),
                }
            }
        }
        let is_new = self.memory.get(place).is_none();
        let value = self.memory.load(place);
        if is_new {
            self.note_part_of_result(place, &value);
        }
        self.taken_side(value)
    }

    fn evaluate_name(&mut self, name: &'p Name) -> Value {
        if let Some(text) = self.text_of(name) {
            let value = self.evaluate_text(text, |machine, it| machine.evaluate(it));
            return value.unwrap_or_else(|| self.memory.fresh());
        }
        let scope = self.scope();
        if let Some(place) = self.name_place(name) {
            // The text of a macro with the name of a variable is taken first.
            if matches!(place.base, super::Base::Global(_))
                && name.is_plain()
                && let Some(code) = self.program.object_macro(scope, name)
                && code.file == scope.file
                && !self.is_being_expanded(code)
            {
                return self.memory.fresh();
            }
            return self.load(&place);
        }
        if let Some(value) = self.template_value(name) {
            return value;
        }
        if let Some(known) = self.trait_value(name) {
            return Value::Int(i64::from(known));
        }
        if name.last() == "nullopt" {
            return Value::Int(0);
        }
        if let Some(value) = crate::api::cuda_constant(name.last()) {
            return Value::Int(value);
        }
        if let Some(value) = self.template_number(name) {
            return Value::Int(value);
        }
        if let Some(code) = self.program.object_macro(scope, name) {
            return self.invoke(code, None, Vec::new(), self.control.here);
        }
        if let Some(value) = self.program.constant_value(scope, name) {
            return Value::Int(value);
        }
        if let Some((file, expression)) = self.program.constant_expression(scope, name)
            && self.control.frames.len() < super::budget::INLINE_DEPTH * 2
        {
            return self.in_frame(file, &[], None, None, |machine| machine.evaluate(expression));
        }
        let kernel = self.program.resolve_kernel(scope, name);
        let function = self.function_meant(name, None);
        let (of_file, kernel_of_file) = (
            function.filter(|it| it.file == scope.file),
            kernel.filter(|it| it.file == scope.file),
        );
        if let Some(function) = kernel_of_file.or(of_file).or(kernel).or(function) {
            return Value::Function(function, self.template_text(name));
        }
        if api::lookup(name.last()).is_some() {
            return Value::Api(Arc::from(name.last()));
        }
        if super::results::is_error(name.last()) {
            return self.error_value(name.last());
        }
        // A variable template is another one for each of its arguments.
        let text = name.to_string();
        match name.template_args.is_empty() && name.owner_args.is_empty() {
            true => self.memory.named(&text),
            false => self.memory.named(&self.template_argument(&text)),
        }
    }

    /// An element: what an operator of a class returns need not be a place.
    fn evaluate_index(&mut self, object: &'p Expr, index: &'p Expr, whole: &'p Expr) -> Value {
        let given = self.type_of_receiver(object, false);
        if (given.is_some() || matches!(object.kind, ExprKind::Name(_) | ExprKind::Member { .. }))
            && let Some(place) = self.place(object)
            && self.object_at(&place).is_some()
            && !self.is_indexed_as_container(&place)
        {
            let index = std::slice::from_ref(index);
            self.control.returned = None;
            let value = self.operator_of(&place, given.as_ref(), "operator[]", index, whole.span);
            let value = value.unwrap_or_else(|| self.memory.fresh());
            return self.read_handed_out(value, whole.span);
        }
        match self.place(whole) {
            Some(place) => {
                self.control.here = whole.span;
                let value = self.load(&place);
                self.seen_through_type(whole, &place, value)
            }
            None => self.memory.fresh(),
        }
    }

    /// `-x`, `~x` or `+x` of a number.
    fn signed(&mut self, op: UnaryOp, operand: &'p Expr, value: Value) -> Value {
        match (op, value) {
            (UnaryOp::Negate | UnaryOp::BitNot, Value::Int(value)) => self.negated_number(op, operand, value),
            (UnaryOp::Negate, value) if let Some(negated) = self.negated_real(&value) => negated,
            (UnaryOp::Negate, value) => self.memory.binary(BinaryOp::Subtract, Value::Int(0), value),
            (UnaryOp::BitNot, value) => self.memory.binary(BinaryOp::BitXor, value, Value::Int(-2)),
            (_, value) => value,
        }
    }

    fn evaluate_unary(&mut self, op: UnaryOp, operand: &'p Expr, whole: &'p Expr) -> Value {
        match op {
            UnaryOp::AddressOf => match self.place(operand) {
                Some(place) if self.has_operator(&place, "operator&", 0) => {
                    let value = self.operator(&place, "operator&", &[], whole.span);
                    value.unwrap_or_else(|| self.memory.fresh())
                }
                Some(place) => Value::Pointer(place),
                None => self.evaluate(operand),
            },
            UnaryOp::Deref => self.evaluate_dereference(operand, whole),
            UnaryOp::Not => {
                let value = match self.presence(operand) {
                    Some(known) => known,
                    None => {
                        let value = self.evaluate(operand);
                        if let Some(value) =
                            self.overloaded("operator!", &[(operand, value.clone())], whole.span)
                        {
                            return value;
                        }
                        self.as_condition(value, whole.span)
                    }
                };
                self.memory.negate(value)
            }
            UnaryOp::Negate | UnaryOp::BitNot | UnaryOp::Plus if self.may_be_object(operand) => {
                let value = self.evaluate(operand);
                if let Some(value) = self.overloaded(unary_name(op), &[(operand, value.clone())], whole.span)
                {
                    return value;
                }
                let value = self.converted(value, "", whole.span);
                self.signed(op, operand, value)
            }
            UnaryOp::Negate | UnaryOp::BitNot => {
                let value = self.evaluate(operand);
                self.signed(op, operand, value)
            }
            UnaryOp::Plus => self.evaluate(operand),
            UnaryOp::PreIncrement
            | UnaryOp::PostIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostDecrement => {
                let old = self.evaluate(operand);
                if let Some(value) = self.overloaded_step(op, operand, &old, whole.span) {
                    return value;
                }
                let direction = if matches!(op, UnaryOp::PreIncrement | UnaryOp::PostIncrement) {
                    1
                } else {
                    -1
                };
                let by = Value::Int(direction);
                let mut new = match self.moved(BinaryOp::Add, (operand, &old), &by) {
                    Some(moved) => moved,
                    None => self.memory.binary(BinaryOp::Add, old.clone(), by),
                };
                if let Some(place) = self.place(operand) {
                    new = self.as_stored(&place, new);
                    new = self.stored_through_type(operand, &place, new);
                    self.store(&place, new.clone(), whole.span);
                } else {
                    self.lose_target(operand);
                }
                if matches!(op, UnaryOp::PreIncrement | UnaryOp::PreDecrement) {
                    new
                } else {
                    old
                }
            }
        }
    }

    /// `*p`: what an operator of a class returns need not be a place.
    fn evaluate_dereference(&mut self, operand: &'p Expr, whole: &'p Expr) -> Value {
        if matches!(operand.kind, ExprKind::Name(_) | ExprKind::Member { .. })
            && let Some(place) = self.place(operand)
            && self.object_at(&place).is_some()
            && let Some(value) = self.operator(&place, "operator*", &[], whole.span)
        {
            return self.read_handed_out(value, whole.span);
        }
        let place = if self.presence(operand).is_some() {
            self.place(operand)
        } else {
            let value = self.evaluate(operand);
            if let Value::Aggregate(held) = &value
                && self.has_operator(held, "operator*", 0)
            {
                let held = held.clone();
                let value = self.operator(&held, "operator*", &[], whole.span);
                let value = value.unwrap_or_else(|| self.memory.fresh());
                return self.read_handed_out(value, whole.span);
            }
            // What an optional holds that a function returned.
            if matches!(value, Value::Stream(_) | Value::Event(_) | Value::Graph(_)) {
                return value;
            }
            self.place_behind(&value, whole.span)
        };
        match place {
            Some(place) => {
                self.control.here = whole.span;
                let value = self.load(&place);
                self.seen_through_type(whole, &place, value)
            }
            None => self.memory.fresh(),
        }
    }

    fn evaluate_binary(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr, span: Span) -> Value {
        if op.is_comparison()
            && let Some(known) = self.compared_optionals(op, left, right)
        {
            return known;
        }
        if op == BinaryOp::Divide
            && let Some(count) = self.elements_counted(left, right)
        {
            return Value::Int(count);
        }
        let a = self.evaluate(left);
        if matches!(op, BinaryOp::Comma | BinaryOp::List) {
            return self.evaluate(right);
        }
        if self.is_bare_macro(left) || self.is_bare_macro(right) {
            self.evaluate(right);
            return self.memory.fresh();
        }
        let eager = !matches!(op, BinaryOp::And | BinaryOp::Or);
        let kept = match &a {
            Value::Aggregate(_) if eager => Some(a.clone()),
            _ => None,
        };
        let mut early = None;
        if eager && (kept.is_some() || self.may_be_object(right)) {
            let b = self.evaluate(right);
            if let Some(value) = self.overloaded_binary(op, (left, a.clone()), (right, b.clone()), span) {
                return value;
            }
            early = Some(b);
        }
        let a = self.converted(a, "", left.span);
        let decided = match op {
            BinaryOp::And => self.truth(&a) == Some(false),
            BinaryOp::Or => self.truth(&a) == Some(true),
            _ => false,
        };
        if decided {
            self.look_around(right);
        }
        match (op, self.truth(&a)) {
            // What is about the result of a call stays so.
            (BinaryOp::And, Some(false)) | (BinaryOp::Or, Some(true)) if self.is_about_result(&a) => {
                return a;
            }
            (BinaryOp::And, Some(false)) => return Value::Int(0),
            (BinaryOp::Or, Some(true)) => return Value::Int(1),
            _ => {}
        }
        let b = match early {
            Some(b) => b,
            None => match &a {
                Value::Unknown(id) if !eager && has_no_effect(right) => {
                    self.evaluate_where(*id, op == BinaryOp::And, right)
                }
                Value::Unknown(id) if !eager => self.evaluate_perhaps(*id, op == BinaryOp::And, right),
                _ => self.evaluate(right),
            },
        };
        if op == BinaryOp::ShiftRight && self.is_extraction(left, &a) {
            // What is read from a stream is not known.
            if let Some(place) = self.place(right) {
                let read = self.memory.fresh();
                self.assign(&place, read);
            }
            return self.memory.fresh();
        }
        let b = self.converted(b, "", right.span);
        let is_object = |value: &Value| match value {
            Value::Aggregate(place) => self.object_at(place).is_some(),
            _ => false,
        };
        if eager && (is_object(&a) || is_object(&b)) {
            return self.memory.fresh();
        }
        if op == BinaryOp::ShiftLeft
            && let ExprKind::Name(name) = &left.kind
        {
            self.note_print(name.last());
        }
        if op == BinaryOp::ShiftLeft && self.is_time(&b) {
            let text = super::texts::streamed_text(left);
            self.note_shown([&b], &text);
        }
        if matches!(op, BinaryOp::And | BinaryOp::Or) && self.is_about_result(&a) && self.is_about_result(&b)
        {
            return b;
        }
        self.note_compared(op, &b);
        if let (Value::Int(_), Value::Int(_)) = (&a, &b) {
            return self.arithmetic(op, (left, a), (right, b));
        }
        if let Some(value) = self.real_arithmetic(op, (left, &a), (right, &b)) {
            return value;
        }
        let moved = match self.moved(op, (left, &a), &b) {
            None if op == BinaryOp::Add => self.moved(op, (right, &b), &a),
            moved => moved,
        };
        moved.unwrap_or_else(|| self.binary(op, a, b))
    }

    /// Whether `>>` takes something out of what is left of it, which is no number.
    fn is_extraction(&mut self, left: &'p Expr, value: &Value) -> bool {
        if matches!(value, Value::Int(_) | Value::Pointer(_)) {
            return false;
        }
        if let Some(known) = self.type_of(left) {
            return known.pointers == 0 && matches!(known.core, Core::Other(_) | Core::Class(_));
        }
        match &left.kind {
            ExprKind::Binary {
                op: BinaryOp::ShiftRight,
                left,
                ..
            } => self.is_extraction(left, value),
            // `std::cin`: nothing of the project is called so.
            ExprKind::Name(name) => self.name_place(name).is_none() && self.text_of(name).is_none(),
            _ => false,
        }
    }

    /// An operand that is only evaluated where a condition is so: the numbers it changes depend on that.
    fn evaluate_perhaps(&mut self, condition: u32, holds: bool, operand: &'p Expr) -> Value {
        let mark = self.memory.watch();
        let value = self.evaluate(operand);
        let before = self.memory.before_since(mark);
        self.memory.unwatch();
        let condition = if holds {
            Some(condition)
        } else {
            self.memory.opposite(condition)
        };
        for (place, before) in before {
            if let Some(now @ Value::Int(_)) = self.memory.get(&place).cloned()
                && before.as_ref() != Some(&now)
            {
                let value = self.memory.choice(condition, Some(now), before);
                self.memory.set(place, value);
            }
        }
        value
    }

    fn evaluate_assignment(
        &mut self,
        op: Option<BinaryOp>,
        target: &'p Expr,
        value: &'p Expr,
        span: Span,
    ) -> Value {
        if op.is_none()
            && self.names_object(target)
            && let Some(place) = self.place(target)
            && self.object_at(&place).is_some()
            && let Some(value) = self.assign_object(&place, target, value, span)
        {
            return value;
        }
        if op.is_none()
            && let ExprKind::InitList(items) = &value.kind
            && let Some(place) = self.place(target)
            && self.memory.is_sequence(&place)
        {
            self.destroy_elements(&place, span);
            self.memory.clear_object(&place);
            self.memory.lengths.insert(place.clone(), items.len() as i64);
            self.initialise_elements(&place, items, span);
            return Value::Aggregate(place);
        }
        if op.is_none() {
            if let Some(value) = self.assign_tied(target, value, span) {
                return value;
            }
            if let (
                ExprKind::InitList(items),
                ExprKind::Index { .. } | ExprKind::Member { .. } | ExprKind::Unary { .. },
            ) = (&value.kind, &target.kind)
                && self.assign_braces(target, items, span)
            {
                return Value::Int(0);
            }
            if self.presence(target).is_some()
                && let Some(place) = self.place(target)
            {
                return self.fill_optional(&place, value, span);
            }
            if let Some(value) = self.assign_alternative(target, value, span) {
                return value;
            }
        }
        if op.is_none()
            && !self.memory.weak.is_empty()
            && let Some(place) = self.place(target)
            && self.memory.weak.contains(&place)
        {
            self.watch_object(&place, value);
            return Value::Aggregate(place);
        }
        let source = match &value.kind {
            ExprKind::Name(name) => self.name_place(name),
            _ => None,
        };
        let (written, value_span) = (value, value.span);
        let value = match op {
            None => self.evaluate_copy(value),
            Some(op) => {
                let old = self.evaluate(target);
                let right = self.evaluate(value);
                let operands = [(target, old.clone()), (value, right.clone())];
                if let Some(value) = self.overloaded(compound_name(op), &operands, span) {
                    return value;
                }
                let old = self.converted(old, "", span);
                let right = self.converted(right, "", span);
                if let (Value::Int(_), Value::Int(_)) = (&old, &right) {
                    self.arithmetic(op, (target, old), (value, right))
                } else if let Some(moved) = self.moved(op, (target, &old), &right) {
                    moved
                } else {
                    match self.real_arithmetic(op, (target, &old), (value, &right)) {
                        Some(value) => value,
                        None => self.binary(op, old, right),
                    }
                }
            }
        };
        if let Some(place) = self.place(target) {
            let value = match op {
                None => self.converted_to_object(&place, written, value, span),
                Some(_) => value,
            };
            if let Some(source) = source.as_ref().filter(|_| op.is_none())
                && self.copy_device_vector(&place, source, value_span)
            {
                self.note_assignment(&place, Some(source), span);
                return Value::Aggregate(place);
            }
            if self.memory.smart.contains(&place) {
                self.release_pointer(&place, span);
            }
            if self.memory.is_sequence(&place) && !matches!(&value, Value::Aggregate(from) if *from == place)
            {
                self.destroy_elements(&place, span);
            }
            if self.memory.is_sequence(&place)
                && !matches!(value, Value::Aggregate(_) | Value::Pointer(_) | Value::Str(_))
            {
                self.lose_container(&place);
            }
            self.note_assignment(&place, source.as_ref(), span);
            let is_other = matches!(&value, Value::Aggregate(from) if *from != place);
            let replaced = match self.object_at(&place).filter(|_| is_other) {
                Some(_) => self.owned_by(&place),
                None => Vec::new(),
            };
            // What an assignment gives is what its target holds then.
            let value = self.as_stored(&place, value);
            let value = self.stored_through_type(target, &place, value);
            self.store(&place, value.clone(), span);
            if self.memory.holders.contains(&place) {
                self.lose_reachable(vec![place.clone()]);
            }
            for (held, deleter) in replaced {
                self.let_go(held, deleter, span);
            }
            return value;
        }
        self.lose_target(target);
        value
    }

    /// Something was stored, nobody knows where: in what the target is made of.
    pub(super) fn lose_target(&mut self, target: &'p Expr) {
        let mut names = Vec::new();
        crate::facts::visit::expression(target, &mut |node| {
            if let crate::facts::visit::Node::Expr(it) = node
                && let ExprKind::Name(name) = &it.kind
            {
                names.push(name);
            }
        });
        let places = names.into_iter().filter_map(|it| self.name_place(it)).collect();
        self.lose_reachable(places);
    }

    fn evaluate_conditional(&mut self, condition: &'p Expr, then: &'p Expr, otherwise: &'p Expr) -> Value {
        let condition = match self.presence(condition) {
            Some(known) => known,
            None => {
                let value = self.evaluate(condition);
                self.as_condition(value, condition.span)
            }
        };
        self.ask_start(&condition);
        let taken = match (self.truth(&condition), &condition) {
            (Some(known), _) => {
                self.answered += 1;
                known
            }
            (None, Value::Unknown(id)) if has_no_effect(then) && has_no_effect(otherwise) => {
                return self.either(*id, then, otherwise);
            }
            (None, Value::Unknown(id)) => self.decide(*id),
            (None, _) => true,
        };
        let value = self.evaluate(if taken { then } else { otherwise });
        self.as_common(then, otherwise, value)
    }

    /// Stores to a place; stores others can see are events.
    pub(super) fn store(&mut self, place: &Location, value: Value, span: Span) {
        self.touch(place, Extent::Element, Mode::Write, span);
        self.lose_text_around(place, &value);
        if !self.callback_calls.contains_key(&self.control.thread) {
            self.deferred_stores.remove(place);
        }
        if self.device_visible(place) || self.is_shared(place) || self.is_guarded(place) {
            let (known, least) = self.memory.known_or_least(&value);
            let at = self.at(span);
            let stored = self.stored_beside(place, span);
            let write = Write {
                location: place.clone(),
                range: stored == budget::ELEMENTS,
                value: known.filter(|_| stored < budget::ELEMENTS),
                least,
                at,
                guess: false,
                after_wait: false,
                added: None,
            };
            if stored <= budget::ELEMENTS {
                self.emit(span, Action::Store(write));
                self.note_count(place, &value);
            }
        }
        self.assign(place, value);
        self.let_awaiting_go_on(place);
    }

    /// What a container that a lock guards holds has changed.
    pub(super) fn emit_change(&mut self, container: &Location, span: Span) {
        if !self.is_guarded(container) {
            return;
        }
        let at = self.at(span);
        let write = Write {
            location: container.clone(),
            range: true,
            value: None,
            least: None,
            at,
            guess: false,
            after_wait: false,
            added: None,
        };
        self.emit(span, Action::Store(write));
    }

    /// How many elements of the same array this statement has stored one after the other before.
    fn stored_beside(&mut self, place: &Location, span: Span) -> u32 {
        let Some((step @ (Step::Element(_) | Step::At(_)), above)) = place.path.split_last() else {
            return 0;
        };
        let array = Location {
            base: place.base,
            path: above.to_vec(),
        };
        let (file, span) = self.at(span);
        let filled = self.filled.entry((file, span, array)).or_default();
        filled.count += 1;
        filled.last = match step {
            Step::Element(index) if filled.count == 1 || filled.last == Some(index - 1) => Some(*index),
            _ => None,
        };
        filled.count - 1
    }

    /// Changes memory without an event.
    pub(super) fn assign(&mut self, place: &Location, value: Value) {
        if let Value::Aggregate(from) = &value {
            let from = from.clone();
            if from != *place && self.memory.is_sequence(&from) {
                self.memory.clear_object(place);
            }
            if from == *place {
                return;
            }
            // Only the part that is there is assigned.
            if let (Some(own), Some(class)) = (self.object_at(&from), self.object_at(place))
                && own != class
                && self.distance_to(own, class, 0).is_some()
            {
                self.copy_fields(place, class, &from, 0);
                return;
            }
            self.memory.copy_object(&from, place);
            if let Some(scalar) = self.memory.get(&from).cloned() {
                self.memory.set(place.clone(), scalar);
            }
            self.overwrite_shared(place, &value);
            return;
        }
        let value = self.as_stored(place, value);
        let value = self.lose_text(place, value);
        if matches!(value, Value::Unknown(_)) && self.memory.is_sequence(place) {
            self.lose_container(place);
        }
        if matches!(value, Value::Unknown(_)) && self.object_at(place).is_some() {
            self.memory.lose_under(place);
        }
        self.memory.set(place.clone(), value.clone());
        self.overwrite_shared(place, &value);
    }
}
