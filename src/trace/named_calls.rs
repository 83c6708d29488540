//! Which function the name in a call is that of, and what its template parameters stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::templates::bound_template;
use crate::facts::ir::{Expr, Name, Role, Type};
use crate::program::FunctionId;
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// The method of the specialisation that a call names: `Class<…>::method()`. Where it leaves out what chooses among them, each
    /// is one on paths of its own.
    pub(super) fn of_named_class(
        &mut self,
        function: FunctionId,
        name: &Name,
        arguments: usize,
    ) -> FunctionId {
        let Some((last, path)) = name.path.split_last().filter(|_| !name.owner_args.is_empty()) else {
            return function;
        };
        if self.program.specialised_around(function).is_none() {
            return function;
        }
        let given = name.owner_args.iter();
        let class = Name {
            path: path.to_vec(),
            template_args: given.map(|it| self.template_argument(it).to_string()).collect(),
            owner_args: Vec::new(),
        };
        let arguments_written = &class.template_args;
        let class = self.class_meant(&class);
        if let Some(class) = class {
            let program = self.program;
            let several = program.perhaps_meant(class, arguments_written);
            let several = several.filter_map(|it| program.resolve_method(it, last, arguments));
            let several: Vec<FunctionId> = several.collect();
            if several.len() > 1 {
                return *self.one_of(&several);
            }
        }
        let meant = class.and_then(|it| self.program.resolve_method(it, last, arguments));
        meant.unwrap_or(function)
    }

    /// Whether the text that is executed is that of a macro, or of what it uses.
    pub(super) fn is_being_expanded(&self, function: FunctionId) -> bool {
        for frame in self.control.frames.iter().rev() {
            if frame.function == Some(function) {
                return self.program.function(function).role == Role::Macro;
            }
            // What a macro was handed is no text of its own.
            if !frame.transparent || frame.function.is_none() {
                return false;
            }
        }
        false
    }

    /// `(name)(argument)` reads as a cast: where the name is no type it calls the function, and no macro.
    pub(super) fn call_in_parentheses(
        &mut self,
        ty: &'p Type,
        operand: &'p Expr,
        span: Span,
    ) -> Option<Value> {
        let name = &ty.name;
        let is_name = ty.pointers == 0 && !ty.reference && name.is_plain() && name.template_args.is_empty();
        if !is_name || super::types::Builtin::named(name.last()).is_some() || self.substituted(name).is_some()
        {
            return None;
        }
        let scope = self.scope();
        let function = self.program.resolve_plain_function(scope, name, Some(1))?;
        if self.class_of_type(name).is_some() || self.program.resolve_alias(scope, name).is_some() {
            return None;
        }
        Some(self.call_function(function, name, std::slice::from_ref(operand), span))
    }

    /// Template parameters of a function with what a call gives them, and what its arguments show.
    pub(super) fn given_template(
        &mut self,
        function: FunctionId,
        written: &[String],
        expressions: &'p [Expr],
        arguments: &[Argument],
    ) -> BTreeMap<String, Arc<str>> {
        let definition = self.program.function(function);
        let given = written.iter().map(|it| self.template_argument(it)).collect();
        let mut template = bound_template(&definition.template_params, given);
        for parameter in &definition.template_params {
            if template.contains_key(parameter) {
                continue;
            }
            let by_value = self.deduced_parameter(definition, parameter, arguments);
            let by_type = self.deduced_from_types(definition, parameter, expressions, arguments);
            // A value does not say whether what holds it is constant.
            let deduced = match (by_value, by_type) {
                (Some(text), Some(ty)) if ty.starts_with("const ") && !text.ends_with('*') => {
                    Some(format!("const {text}"))
                }
                (text, ty) => text.or(ty),
            };
            if let Some(deduced) = deduced {
                template.insert(parameter.clone(), deduced.into());
            }
        }
        for (parameter, default) in &definition.template_defaults {
            if !template.contains_key(parameter) && !self.may_be_deduced(definition, parameter) {
                let default = super::templates::replaced(default, &template);
                template.insert(parameter.clone(), self.template_argument(&default));
            }
        }
        template
    }

    /// Whether what a template parameter stands for is seen in the parameters of a function.
    fn may_be_deduced(&self, definition: &crate::facts::ir::Function, wanted: &str) -> bool {
        let mut names = definition.params.iter().map(|it| &it.ty.name);
        names.any(|it| {
            it.path
                .iter()
                .chain(&it.template_args)
                .any(|it| it.contains(wanted))
        })
    }

    /// The number a template parameter stands for, by the static types of what a call hands over.
    fn deduced_from_types(
        &mut self,
        definition: &crate::facts::ir::Function,
        wanted: &str,
        expressions: &'p [Expr],
        arguments: &[Argument],
    ) -> Option<String> {
        let params = definition.params.iter().enumerate();
        let mut named =
            params.filter(|(_, it)| it.ty.name.is_plain() && it.ty.name.last() == wanted && !it.pack);
        named.find_map(|(index, parameter)| {
            let ty = match expressions
                .get(index)
                .filter(|_| expressions.len() == arguments.len())
            {
                Some(expression) => self.type_of(expression)?,
                None => arguments.get(index)?.ty.clone()?,
            };
            let super::types::Core::Number(builtin) = ty.core else {
                return None;
            };
            let stars = ty.pointers.checked_sub(parameter.ty.pointers)?;
            let keeps = ty.constant && !parameter.ty.constant && (ty.pointers > 0 || parameter.ty.reference);
            let constant = if keeps { "const " } else { "" };
            Some(format!(
                "{constant}{}{}",
                builtin.text(),
                "*".repeat(usize::from(stars))
            ))
        })
    }
}
