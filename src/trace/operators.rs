//! Operators a class defines: conversions, `->`, `*`, `[]`, assignment.

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::{Location, budget};
use crate::facts::ir::Expr;
use crate::program::{ClassId, FunctionId};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// The class object that stands at a place.
    pub(super) fn object_at(&self, place: &Location) -> Option<ClassId> {
        let class = self.memory.classes.get(place).copied();
        class.filter(|_| !self.memory.smart.contains(place) && !self.memory.arrays.contains(place))
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
        let class = self.object_at(place)?;
        let function = self.program.resolve_method(class, operator, args.len())?;
        if self.depth() > budget::INLINE_DEPTH {
            self.note_refusal(function, true, span);
            return None;
        }
        let arguments = self.arguments(args);
        Some(self.invoke(function, Some((place.clone(), class)), arguments, span))
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
        match (self.returned.take(), value) {
            (Some(place), _) if operator != "operator->" => Some(place),
            (_, Value::Aggregate(place)) => Some(place),
            (_, value) if operator == "operator->" => self.pointee(&value),
            _ => None,
        }
    }
}
