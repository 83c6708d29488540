//! Template parameters: what they stand for where a name is used.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::Name;
use crate::program::{ClassId, FunctionId};

impl Machine<'_> {
    /// The template parameters of the class a member is named in: `Class<…>::member()`, or a member next to it.
    pub(super) fn owner_template(&self, function: FunctionId, name: &Name) -> BTreeMap<String, Arc<str>> {
        let Some(class) = self.class_of_method(function) else {
            return BTreeMap::new();
        };
        let class = self.program.class(class);
        if !name.owner_args.is_empty() {
            let given = name
                .owner_args
                .iter()
                .map(|it| self.template_argument(it))
                .collect();
            return bound_template(&class.template_params, given);
        }
        let around = self.frames.iter().rev().find(|frame| !frame.transparent);
        let neighbour =
            around.filter(|frame| frame.path.split_last().is_some_and(|(_, it)| it == class.path));
        let known = neighbour.map(|frame| &frame.template).into_iter().flatten();
        let own = |name: &String| {
            class
                .template_params
                .iter()
                .any(|it| name.split("...").next() == Some(it))
        };
        known
            .filter(|(name, _)| own(name))
            .map(|(name, text)| (name.clone(), text.clone()))
            .collect()
    }

    /// A name that begins with a template parameter, with what the parameter stands for.
    pub(super) fn substituted(&self, name: &Name) -> Option<Name> {
        let first = name.path.first()?;
        let frame = self.frames.iter().rev().find(|frame| !frame.transparent)?;
        let argument = frame.template.get(first)?;
        let argument = crate::program::kernels::written_name(argument.trim_start_matches('&'))?;
        let mut path = argument.path;
        path.extend_from_slice(&name.path[1..]);
        let (template_args, owner_args) = match name.path.len() {
            1 => (argument.template_args, Vec::new()),
            2 => (name.template_args.clone(), argument.template_args),
            _ => (name.template_args.clone(), Vec::new()),
        };
        Some(Name {
            path,
            template_args,
            owner_args,
        })
    }

    /// The class a type means here: a template parameter is the class it stands for.
    pub(super) fn class_of_type(&self, name: &Name) -> Option<ClassId> {
        match self.substituted(name) {
            Some(name) => self.class_meant(&name),
            None => self.class_meant(name),
        }
    }

    pub(super) fn template_argument(&self, text: &str) -> Arc<str> {
        self.frames
            .iter()
            .rev()
            .find_map(|frame| frame.template.get(text).cloned())
            .unwrap_or_else(|| Arc::from(text))
    }

    pub(super) fn class_of_method(&self, function: FunctionId) -> Option<ClassId> {
        let definition = self.program.function(function);
        let (_, class) = definition.path.split_last()?;
        let scope = crate::program::Scope {
            file: function.file,
            path: class,
        };
        self.program.resolve_class(
            scope,
            &Name {
                path: class.to_vec(),
                template_args: Vec::new(),
                owner_args: Vec::new(),
            },
        )
    }

    /// A template parameter that stands for a number or a function.
    pub(super) fn template_value(&self, name: &Name) -> Option<Value> {
        if !name.is_plain() {
            return None;
        }
        let argument = self.substituted(name)?;
        let written = argument.last();
        if let Ok(value) = written.parse() {
            return Some(Value::Int(value));
        }
        let scope = self.scope();
        let function = self
            .program
            .resolve_kernel(scope, &argument)
            .or_else(|| self.program.resolve_function(scope, &argument, None))?;
        Some(Value::Function(function, Arc::from("")))
    }

    /// Template arguments as written, with the enclosing template's parameters replaced.
    pub(super) fn template_text(&self, name: &Name) -> Arc<str> {
        let known = |text: &String| {
            self.frames
                .iter()
                .rev()
                .find_map(|frame| frame.template.get(text))
                .map_or_else(|| text.clone(), |it| it.to_string())
        };
        Arc::from(
            name.template_args
                .iter()
                .map(known)
                .collect::<Vec<_>>()
                .join(", ")
                .as_str(),
        )
    }
}

/// Template parameters with what they stand for; what is left over belongs to a pack at the end, under numbered names.
pub(super) fn bound_template(params: &[String], given: Vec<Arc<str>>) -> BTreeMap<String, Arc<str>> {
    let mut bound: BTreeMap<String, Arc<str>> = params.iter().cloned().zip(given.iter().cloned()).collect();
    if let Some(last) = params.last() {
        let rest = given.into_iter().skip(params.len()).enumerate();
        bound.extend(rest.map(|(number, text)| (pack_element(last, number + 1), text)));
    }
    bound
}

/// The name of a further element of a pack of template arguments.
pub(super) fn pack_element(name: &str, number: usize) -> String {
    format!("{name}...{number}")
}
