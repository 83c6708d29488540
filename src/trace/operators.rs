//! Operators a class defines: conversions, `->`, `*`, `[]`, assignment.

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::overloads::Choice;
use super::types::{Builtin, Core, Static};
use super::{Location, budget};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Role, UnaryOp};
use crate::program::{ClassId, FunctionId};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// The class object that stands at a place.
    pub(super) fn object_at(&self, place: &Location) -> Option<ClassId> {
        let class = self.memory.classes.get(place).copied();
        class.filter(|it| {
            !self.memory.smart.contains(place)
                && (!self.memory.arrays.contains(place) || self.is_container_class(*it))
        })
    }

    /// What an object is where something else is wanted: the result of its conversion operator.
    pub(super) fn converted(&mut self, value: Value, wanted: &str, span: Span) -> Value {
        let Value::Aggregate(place) = &value else {
            return value;
        };
        let Some(class) = self.object_at(place) else {
            return value;
        };
        let place = place.clone();
        match self.conversion(class, wanted) {
            Some(function) => self.invoke(function, Some((place, class)), Vec::new(), span),
            None => value,
        }
    }

    /// Truth of an object: `operator bool`, or whatever else it converts to.
    pub(super) fn as_condition(&mut self, value: Value, span: Span) -> Value {
        if let Some(known) = self.presence_of(&value) {
            return known;
        }
        self.converted(value, "bool", span)
    }

    fn conversion(&self, class: ClassId, wanted: &str) -> Option<FunctionId> {
        let all = self.program.conversions(class);
        let result = |id: &FunctionId| {
            let ty = &self.program.function(*id).result;
            (ty.name.last(), ty.pointers > 0)
        };
        let exact = all.iter().find(|id| result(id).0 == wanted);
        let usual = || all.iter().find(|id| result(id) != ("bool", false));
        exact
            .or_else(usual)
            .or_else(|| all.first().filter(|_| wanted == "bool"))
            .copied()
    }

    /// Arguments of a CUDA call: no class of the project goes into one.
    pub(super) fn convert_arguments(&mut self, args: &mut [Argument], span: Span) {
        for argument in args {
            if matches!(argument.value, Value::Aggregate(_)) {
                let value = std::mem::replace(&mut argument.value, Value::Int(0));
                argument.value = self.converted(value, "", span);
            }
        }
    }

    /// Arguments of a function of the project: converted where a parameter is no class.
    pub(super) fn convert_for(&mut self, function: FunctionId, args: &mut [Argument], span: Span) {
        let params = &self.program.function(function).params;
        for (parameter, argument) in params.iter().zip(args) {
            let Value::Aggregate(place) = &argument.value else {
                continue;
            };
            if self.object_at(place).is_none() || !self.is_plain(&parameter.ty, function) {
                continue;
            }
            let value = std::mem::replace(&mut argument.value, Value::Int(0));
            argument.value = self.converted(value, parameter.ty.name.last(), span);
            argument.place = None;
        }
    }

    /// Whether a type is a pointer, a handle or a number, rather than a class or a template parameter.
    fn is_plain(&self, ty: &crate::facts::ir::Type, function: FunctionId) -> bool {
        let definition = self.program.function(function);
        let name = ty.name.last();
        let scope = crate::program::Scope {
            file: function.file,
            path: &definition.path,
        };
        ty.pointers > 0
            || !matches!(name, "auto" | "")
                && !ty.reference
                && !definition.template_params.iter().any(|it| it == name)
                && self.program.resolve_class(scope, &ty.name).is_none()
                && ty.name.template_args.is_empty()
    }

    /// Whether the class of the object at a place has an operator.
    pub(super) fn has_operator(&self, place: &Location, operator: &str, arguments: usize) -> bool {
        self.object_at(place)
            .is_some_and(|class| self.program.resolve_method(class, operator, arguments).is_some())
    }

    /// Calls an operator of the object at a place; `None` when its class has none.
    pub(super) fn operator(
        &mut self,
        place: &Location,
        operator: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        self.operator_of(place, None, operator, args, span)
    }

    /// The same of an object whose static type is known.
    pub(super) fn operator_of(
        &mut self,
        place: &Location,
        given: Option<&Static>,
        operator: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let class = self.object_at(place)?;
        let function = self.program.resolve_method(class, operator, args.len())?;
        if self.depth() > budget::INLINE_DEPTH {
            self.note_refusal(function, true, span);
            return None;
        }
        let mut arguments = self.arguments(args);
        // What is not said to be constant most often is not.
        let plain = Static {
            category: super::types::Category::Named,
            ..Static::temporary(Core::Class(class))
        };
        let choice = self.overload_on(
            (place, class),
            (function, &[]),
            args,
            &arguments,
            given.or(Some(&plain)),
        );
        self.pass(choice.function, args, &mut arguments, &Default::default(), span);
        let this = Some((place.clone(), class));
        Some(self.invoke_choice(choice, this, arguments, Default::default(), span))
    }

    /// An operator over operands that are evaluated, where one is an object of a class of the program: what the program
    /// says it does. An operator it does not have gives what nobody knows.
    pub(super) fn overloaded(
        &mut self,
        operator: &str,
        operands: &[(&'p Expr, Value)],
        span: Span,
    ) -> Option<Value> {
        let is_object = |it: &(&'p Expr, Value)| match &it.1 {
            Value::Aggregate(place) => self.object_at(place).is_some(),
            _ => false,
        };
        if !operands.iter().any(is_object) {
            return None;
        }
        let mut types = Vec::new();
        for (expression, value) in operands {
            let mut ty = self.type_of_argument(expression, value);
            if let (Some(ty), Value::Aggregate(_)) = (&mut ty, value) {
                ty.category = self.category_of(expression).unwrap_or(ty.category);
            }
            types.push(ty);
        }
        let function = match self.operator_for(operator, &types)? {
            Some(function) => function,
            None => return Some(self.memory.fresh()),
        };
        let operands: Vec<Argument> = operands
            .iter()
            .map(|(expression, value)| {
                self.note_temporary(expression, value);
                let place = match value {
                    Value::Aggregate(place) => Some(place.clone()),
                    _ => None,
                };
                Argument {
                    value: value.clone(),
                    place,
                    words: self.words(expression.span),
                    moved: false,
                    ty: None,
                }
            })
            .collect();
        Some(self.run_operator(function, operands, span))
    }

    pub(super) fn run_operator(
        &mut self,
        function: FunctionId,
        mut operands: Vec<Argument>,
        span: Span,
    ) -> Value {
        let choice = Choice { function, sure: true };
        if self.program.function(function).role == Role::Method {
            let object = operands.remove(0);
            let this = object.place.and_then(|it| {
                let class = self.object_at(&it)?;
                Some((it, class))
            });
            return self.invoke_choice(choice, this, operands, Default::default(), span);
        }
        self.copy_passed(function, &mut operands, span);
        self.invoke_choice(choice, None, operands, Default::default(), span)
    }

    /// Operands that a free operator takes by value.
    fn copy_passed(&mut self, function: FunctionId, operands: &mut [Argument], span: Span) {
        let program = self.program;
        for (parameter, operand) in program.function(function).params.iter().zip(operands) {
            if parameter.ty.reference || parameter.ty.pointers > 0 {
                continue;
            }
            if let Value::Aggregate(from) = &operand.value
                && let Some(class) = self.object_at(from)
                && !self.control.temporaries.iter().any(|(it, _)| it == from)
                && (self.copies_by_code(class) || self.ends_by_code(class))
            {
                let (from, place) = (from.clone(), self.memory.local());
                let given = Static {
                    category: super::types::Category::Named,
                    ..Static::temporary(Core::Class(class))
                };
                self.copy_construct(&place, class, &from, &given, span);
                operand.value = Value::Aggregate(place.clone());
                operand.place = Some(place.clone());
                self.control.passed.push(place);
            }
        }
    }

    /// A macro that stands for an operation without parentheses: what is around it binds to its parts.
    pub(super) fn is_bare_macro(&self, operand: &Expr) -> bool {
        let ExprKind::Name(name) = &operand.kind else {
            return false;
        };
        if !name.is_plain() || self.lookup(name.last()).is_some() {
            return false;
        }
        let Some((file, value)) = self.program.constant_expression(self.scope(), name) else {
            return false;
        };
        if !matches!(value.kind, ExprKind::Binary { .. } | ExprKind::Conditional { .. }) {
            return false;
        }
        let bytes = &self.program.source(file).bytes;
        let before = bytes.get(..value.span.start as usize).unwrap_or_default();
        self.stands_in_directive(file, value) && before.trim_ascii_end().last() != Some(&b'(')
    }

    /// Whether an expression is what a `#define` leaves on the line it begins.
    pub(super) fn stands_in_directive(&self, file: crate::program::FileId, expression: &Expr) -> bool {
        let bytes = &self.program.source(file).bytes;
        let before = bytes.get(..expression.span.start as usize).unwrap_or_default();
        let line = before.rsplit(|it| *it == b'\n').next().unwrap_or_default();
        line.trim_ascii_start().starts_with(b"#")
    }

    /// Whether an expression may give an object of a class of the program, by how it is written.
    pub(super) fn may_be_object(&mut self, expression: &'p Expr) -> bool {
        match &expression.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Null
            | ExprKind::SizeOf(_) => false,
            ExprKind::Construct { .. } | ExprKind::Call(_) => true,
            _ => match self.type_of(expression) {
                Some(known) => known.class().is_some(),
                None => match &expression.kind {
                    ExprKind::Name(name) => match self.name_place(name) {
                        Some(place) => self.object_at(&place).is_some(),
                        None => false,
                    },
                    _ => true,
                },
            },
        }
    }

    /// Whether the target of an assignment is an object: by its name, or by its type.
    pub(super) fn names_object(&mut self, target: &'p Expr) -> bool {
        matches!(target.kind, ExprKind::Name(_) | ExprKind::Member { .. })
            || self.is_behind_object(target)
            || self.type_of(target).is_some_and(|it| it.class().is_some())
    }

    /// `*x` of a variable that is an object with such an operator: looking twice changes nothing.
    fn is_behind_object(&mut self, target: &'p Expr) -> bool {
        let ExprKind::Unary {
            op: UnaryOp::Deref,
            operand,
        } = &target.kind
        else {
            return false;
        };
        let ExprKind::Name(name) = &operand.kind else {
            return false;
        };
        let place = self.name_place(name);
        place.is_some_and(|it| self.has_operator(&it, "operator*", 0))
    }

    /// `++x`, `x--` of an object.
    pub(super) fn overloaded_step(
        &mut self,
        op: UnaryOp,
        operand: &'p Expr,
        value: &Value,
        span: Span,
    ) -> Option<Value> {
        let Value::Aggregate(place) = value else {
            return None;
        };
        let class = self.object_at(place)?;
        let behind = matches!(op, UnaryOp::PostIncrement | UnaryOp::PostDecrement);
        let ty = |machine: &mut Self| machine.type_of_argument(operand, value);
        let mut types = vec![ty(self)];
        let plain = |value: Value, place| Argument {
            value,
            place,
            words: String::new(),
            moved: false,
            ty: None,
        };
        let mut operands = vec![plain(value.clone(), Some(place.clone()))];
        if behind {
            types.push(Some(Static::temporary(Core::Number(Builtin::Int))));
            operands.push(plain(Value::Int(0), None));
        }
        types[0].get_or_insert_with(|| Static {
            category: super::types::Category::Named,
            ..Static::temporary(Core::Class(class))
        });
        match self.operator_for(unary_name(op), &types) {
            Some(Some(function)) => Some(self.run_operator(function, operands, span)),
            Some(None) => {
                self.memory.lose_under(place);
                Some(self.memory.fresh())
            }
            None => None,
        }
    }

    /// `a = b` between objects: what the class says, else member by member.
    pub(super) fn assign_object(
        &mut self,
        place: &Location,
        target: &'p Expr,
        value: &'p Expr,
        span: Span,
    ) -> Option<Value> {
        let class = self.object_at(place)?;
        let given = self.type_of_receiver(target, false);
        let seen = given.as_ref().and_then(Static::class).unwrap_or(class);
        if self.program.resolve_method(seen, "operator=", 1).is_some() {
            return self.operator_of(
                place,
                given.as_ref(),
                "operator=",
                std::slice::from_ref(value),
                span,
            );
        }
        if seen != class && self.distance_to(class, seen, 0).is_some() {
            // Only the part that is seen is assigned.
            match self.evaluate(value) {
                Value::Aggregate(from) => self.copy_fields(place, seen, &from, 0),
                _ => self.memory.lose_under(place),
            }
            return Some(Value::Aggregate(place.clone()));
        }
        self.assign_members(place, class, value, span)
    }

    /// A binary operator over objects.
    pub(super) fn overloaded_binary(
        &mut self,
        op: BinaryOp,
        left: (&'p Expr, Value),
        right: (&'p Expr, Value),
        span: Span,
    ) -> Option<Value> {
        let is_object = |value: &Value| match value {
            Value::Aggregate(place) => self.object_at(place).is_some(),
            _ => false,
        };
        if !is_object(&left.1) && !is_object(&right.1) {
            return None;
        }
        let operands = [left, right];
        if let Some(value) = self.overloaded(binary_name(op), &operands, span) {
            return Some(value);
        }
        // `!=` without one of its own is the opposite of `==`.
        if op == BinaryOp::NotEqual
            && let Some(equal) = self.overloaded("operator==", &operands, span)
        {
            return Some(self.memory.negate(equal));
        }
        None
    }

    /// The place an operator's result names: what it refers to, or what the pointer it returns points to.
    pub(super) fn operator_place(
        &mut self,
        place: &Location,
        operator: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Location> {
        let value = self.operator(place, operator, args, span)?;
        match (self.control.returned.take(), value) {
            (Some(place), _) if operator != "operator->" => Some(place),
            (_, Value::Aggregate(place)) => Some(place),
            (_, value) if operator == "operator->" => self.pointee(&value),
            _ => None,
        }
    }
}

/// The function that overloads a binary operator.
pub(super) fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "operator+",
        BinaryOp::Subtract => "operator-",
        BinaryOp::Multiply => "operator*",
        BinaryOp::Divide => "operator/",
        BinaryOp::Remainder => "operator%",
        BinaryOp::ShiftLeft => "operator<<",
        BinaryOp::ShiftRight => "operator>>",
        BinaryOp::BitAnd => "operator&",
        BinaryOp::BitOr => "operator|",
        BinaryOp::BitXor => "operator^",
        BinaryOp::And => "operator&&",
        BinaryOp::Or => "operator||",
        BinaryOp::Equal => "operator==",
        BinaryOp::NotEqual => "operator!=",
        BinaryOp::Less => "operator<",
        BinaryOp::LessEqual => "operator<=",
        BinaryOp::Greater => "operator>",
        BinaryOp::GreaterEqual => "operator>=",
        BinaryOp::Comma | BinaryOp::List => "operator,",
    }
}

/// The function that overloads a compound assignment.
pub(super) fn compound_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "operator+=",
        BinaryOp::Subtract => "operator-=",
        BinaryOp::Multiply => "operator*=",
        BinaryOp::Divide => "operator/=",
        BinaryOp::Remainder => "operator%=",
        BinaryOp::ShiftLeft => "operator<<=",
        BinaryOp::ShiftRight => "operator>>=",
        BinaryOp::BitAnd => "operator&=",
        BinaryOp::BitOr => "operator|=",
        BinaryOp::BitXor => "operator^=",
        _ => "",
    }
}

/// The function that overloads a unary operator.
pub(super) fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Deref => "operator*",
        UnaryOp::AddressOf => "operator&",
        UnaryOp::Not => "operator!",
        UnaryOp::BitNot => "operator~",
        UnaryOp::Negate => "operator-",
        UnaryOp::Plus => "operator+",
        UnaryOp::PreIncrement | UnaryOp::PostIncrement => "operator++",
        UnaryOp::PreDecrement | UnaryOp::PostDecrement => "operator--",
    }
}
