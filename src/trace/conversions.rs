//! Objects where one of another class is wanted: what a conversion operator makes of them.
//!
//! Invariant: an object of the class, or of one that extends it, is not converted, nor is what a constructor of the class
//! takes as it is.

use std::sync::Arc;

use super::Location;
use super::calls::Argument;
use super::construct::alias_arguments;
use super::copies::becomes_object;
use super::machine::Machine;
use super::making::Made;
use super::memory::Value;
use super::types::{Category, Core, Static};
use crate::facts::ir::{Expr, Name, Type, Variable};
use crate::program::{ClassId, FunctionId, Scope};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// The object of a class that an object of another one becomes by itself, and its type.
    pub(super) fn converted_object(
        &mut self,
        value: &Value,
        wanted: ClassId,
        span: Span,
    ) -> Option<(Value, Option<Static>)> {
        self.converted_instance(value, (wanted, &[]), span)
    }

    /// The same for a class template with these arguments, where they are known: of several operators they choose one.
    pub(super) fn converted_instance(
        &mut self,
        value: &Value,
        (wanted, arguments): (ClassId, &[Arc<str>]),
        span: Span,
    ) -> Option<(Value, Option<Static>)> {
        let Value::Aggregate(from) = value else {
            return None;
        };
        let own = self.object_at(from)?;
        let conversions = self.conversions_to(own, wanted);
        let is_meant = |it: &&FunctionId| {
            conversions.len() > 1 && self.gives_instance(**it, (from, own), (wanted, arguments))
        };
        let conversion = *conversions.iter().find(is_meant).or(conversions.first())?;
        let made = self.invoke(conversion, Some((from.clone(), own)), Vec::new(), span);
        Some((made, self.type_of_result(conversion)))
    }

    /// A value as an object of a class: converted where it is one of another class.
    pub(super) fn as_object_of(&mut self, value: Value, wanted: Option<ClassId>, span: Span) -> Value {
        let made = wanted.and_then(|it| self.converted_object(&value, it, span));
        made.map_or(value, |it| it.0)
    }

    /// A value as a member of an object.
    pub(super) fn as_member(
        &mut self,
        value: Value,
        (object, class): (&Location, ClassId),
        member: &Variable,
        span: Span,
    ) -> Value {
        let ty = &member.ty;
        let wanted = (ty.pointers == 0 && !ty.reference && member.dims.is_empty())
            .then(|| self.class_of_member(object, class, &ty.name))
            .flatten();
        self.as_object_of(value, wanted, span)
    }

    /// What a function returns, where its result is an object of another class than what stands behind `return`.
    pub(super) fn returned_as(
        &mut self,
        result: &Type,
        expression: &'p Expr,
        value: &Value,
    ) -> Option<Value> {
        let class =
            (result.pointers == 0 && !result.reference).then(|| self.class_of_type(&result.name))??;
        self.converted_as(value, class, &result.name, expression.span)
            .or_else(|| self.made_to_return((class, &result.name), expression, value))
    }

    /// The object of a class that a constructor makes of what stands behind `return`.
    fn made_to_return(
        &mut self,
        (class, name): (ClassId, &Name),
        expression: &'p Expr,
        value: &Value,
    ) -> Option<Value> {
        let constructor = self.program.resolve_constructor(class, 1)?;
        let is_other = |own: ClassId| {
            self.distance_to(own, class, 0).is_none()
                && self.distance_to(class, own, 0).is_none()
                && !self.has_unseen_base(own, 0)
        };
        let is_meant = match value {
            Value::Aggregate(place) => self.object_at(place).map_or(
                !self.memory.is_list(value) && self.is_made_by_library(place),
                is_other,
            ),
            value => becomes_object(value),
        };
        let given = self.type_of_argument(expression, value);
        let is_taken = |it: &FunctionId| {
            !self.program.function(*it).is_explicit
                && given
                    .as_ref()
                    .is_none_or(|given| self.takes(*it, given) != Some(false))
        };
        if !is_meant || !self.program.overloads(constructor, 1).iter().any(is_taken) {
            return None;
        }
        let made = self.memory.local();
        self.note_arguments_of(&made, class, name);
        let argument = Argument {
            value: value.clone(),
            place: match value {
                Value::Aggregate(place) => Some(place.clone()),
                _ => None,
            },
            words: self.words(expression.span),
            moved: true,
            ty: None,
        };
        self.construct_typed(&made, class, vec![argument], &[given], expression.span);
        Some(Value::Aggregate(made))
    }

    /// Whether an object is an owner, a sequence or another one that a library of the language makes.
    fn is_made_by_library(&self, place: &Location) -> bool {
        self.memory.smart.contains(place)
            || self.memory.is_sequence(place)
            || self.memory.maps.contains(place)
    }

    /// A value as an object of a class that is called so.
    pub(super) fn converted_as(
        &mut self,
        value: &Value,
        class: ClassId,
        name: &Name,
        span: Span,
    ) -> Option<Value> {
        let arguments = self.arguments_of(class, self.scope(), name);
        self.converted_instance(value, (class, &arguments), span)
            .map(|it| it.0)
    }

    /// Whether an object at a place is converted where one of a written type is wanted.
    pub(super) fn is_converted_to(&self, ty: &Type, place: &Location) -> bool {
        let wanted = (ty.pointers == 0).then(|| self.class_of_type(&ty.name)).flatten();
        let own = wanted.and_then(|_| self.object_at(place));
        matches!((own, wanted), (Some(own), Some(wanted)) if !self.conversions_to(own, wanted).is_empty())
    }

    /// What a class template is made for where its name is written so.
    fn arguments_of(&self, class: ClassId, scope: Scope<'_>, name: &Name) -> Vec<Arc<str>> {
        let written = alias_arguments(self.program.resolve_alias(scope, name), name);
        self.given_to_class(class, &written)
    }

    /// Whether what a conversion operator of an object gives is this instance of a class template.
    fn gives_instance(
        &self,
        conversion: FunctionId,
        (from, own): (&Location, ClassId),
        (wanted, arguments): (ClassId, &[Arc<str>]),
    ) -> bool {
        let definition = self.program.function(conversion);
        let scope = Scope {
            file: conversion.file,
            path: &definition.path,
        };
        let template = self.class_template(from, own);
        let given = self.arguments_of(wanted, scope, &definition.result.name);
        let stands_for = |it: &Arc<str>| template.get(&**it).cloned().unwrap_or_else(|| Arc::clone(it));
        !arguments.is_empty() && given.iter().map(stands_for).eq(arguments.iter().cloned())
    }

    /// The conversion operators that make an object of one class of an object of another.
    fn conversions_to(&self, own: ClassId, wanted: ClassId) -> Vec<FunctionId> {
        if self.distance_to(own, wanted, 0).is_some() {
            return Vec::new();
        }
        let gives = |it: &FunctionId| {
            let class = self.type_of_result(*it).and_then(|it| it.class());
            class.is_some_and(|it| self.distance_to(it, wanted, 0).is_some())
        };
        let conversions: Vec<FunctionId> = self.program.conversions(own).into_iter().filter(gives).collect();
        if conversions.is_empty() {
            return conversions;
        }
        let given = Static {
            category: Category::Named,
            ..Static::temporary(Core::Class(own))
        };
        let first = self.program.resolve_constructor(wanted, 1);
        let constructors = first.map_or_else(Vec::new, |it| self.program.overloads(it, 1));
        let is_taken = constructors.into_iter().any(|it| {
            self.takes(it, &given) == Some(true)
                && self.demands_hold(it, &[Some(given.clone())]) != Some(false)
        });
        if is_taken { Vec::new() } else { conversions }
    }

    /// The elements of a container that was made of a list of objects of other classes.
    pub(super) fn convert_elements(&mut self, container: &Location, count: i64, span: Span) {
        let kind = self
            .memory
            .element_types
            .get(container)
            .cloned()
            .unwrap_or_default();
        let Made::Object(wanted, _) = self.made_of(&kind) else {
            return;
        };
        for index in 0..count {
            let element = self.memory.element(container, index);
            let held = Value::Aggregate(element.clone());
            if let Some((made, _)) = self.converted_object(&held, wanted, span) {
                self.memory.clear_object(&element);
                self.assign(&element, made);
            }
        }
    }
}
