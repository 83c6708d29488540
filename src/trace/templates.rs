//! Template parameters: what they stand for where a name is used.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Location;
use super::machine::Machine;
use super::memory::Value;
use super::types::{Core, Static};
use crate::facts::ir::{Name, Role, Type, replaced_words};
use crate::program::{ClassId, FunctionId, Scope};

impl<'p> Machine<'p> {
    /// The template parameters of the class a member is named in: `Class<…>::member()`, or a member next to it.
    pub(super) fn owner_template(&self, function: FunctionId, name: &Name) -> BTreeMap<String, Arc<str>> {
        let Some(class) = self.program.class_of_method(function) else {
            return BTreeMap::new();
        };
        let (id, class) = (class, self.program.class(class));
        let aliased = match name.owner_args.is_empty() {
            true => self.behind_alias(name),
            false => None,
        };
        let owner_args = &aliased.as_ref().unwrap_or(name).owner_args;
        if !owner_args.is_empty() {
            return bound_template(&class.template_params, self.given_to_class(id, owner_args));
        }
        let around = self.control.frames.iter().rev().find(|frame| !frame.transparent);
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

    /// A member that is named behind another name of its class, as one of that class: `Alias::member()`.
    pub(super) fn behind_alias(&self, name: &Name) -> Option<Name> {
        let class = self.program.resolve_alias(self.scope(), &name.owner()?)?;
        let mut path = class.name.path;
        path.push(name.last().to_owned());
        (class.pointers == 0).then(|| Name {
            path,
            template_args: name.template_args.clone(),
            owner_args: class.name.template_args,
        })
    }

    /// Template arguments of a class as written, with what its defaults add to them.
    pub(super) fn given_to_class(&self, class: ClassId, written: &[String]) -> Vec<Arc<str>> {
        let given: Vec<Arc<str>> = written.iter().map(|it| self.template_argument(it)).collect();
        if self.program.class(class).specialisation.is_empty() {
            return self.with_defaults(class, given);
        }
        let written: Vec<String> = given.iter().map(|it| it.to_string()).collect();
        match self.program.bound_to_partial(class, &written) {
            Some(bound) => bound.into_iter().map(Arc::from).collect(),
            None => self.with_defaults(class, given),
        }
    }

    fn with_defaults(&self, class: ClassId, mut given: Vec<Arc<str>>) -> Vec<Arc<str>> {
        let definition = self.program.class(class);
        while let Some(name) = definition.template_params.get(given.len())
            && let Some((_, default)) = definition.template_defaults.iter().find(|it| it.0 == *name)
        {
            let bound = bound_template(&definition.template_params, given.clone());
            given.push(Arc::from(replaced(default, &bound)));
        }
        given
    }

    /// The template parameters of a function that a pointer leads to, by the arguments that were written when it was taken.
    pub(super) fn template_of(&self, function: FunctionId, instance: &str) -> BTreeMap<String, Arc<str>> {
        let params = &self.program.function(function).template_params;
        if params.is_empty() || instance.is_empty() {
            return BTreeMap::new();
        }
        let written = crate::program::kernels::written_name(&format!("it<{instance}>"));
        let given = written.map_or_else(Vec::new, |it| it.template_args);
        bound_template(params, given.into_iter().map(Arc::from).collect())
    }

    /// What an object's class was made for.
    pub(super) fn note_class_arguments(&mut self, object: &Location, class: ClassId, written: &[String]) {
        if self.program.class(class).template_params.is_empty() {
            return;
        }
        let known = self.given_to_class(class, written);
        if !known.is_empty() {
            self.memory.class_arguments.insert(object.clone(), (class, known));
        }
    }

    /// What the class of an object was made for; nothing where that is not known.
    pub(super) fn given_to_object(&self, object: &Location, class: ClassId) -> Vec<Arc<str>> {
        let known = self.memory.class_arguments.get(object);
        known
            .filter(|it| it.0 == class)
            .map_or_else(Vec::new, |it| it.1.clone())
    }

    /// A class of the program as it is named here.
    pub(super) fn static_class(&self, class: ClassId, name: &Name) -> Static {
        // Without arguments it may be the name of the class around.
        let given = match name.template_args.as_slice() {
            [] => Vec::new(),
            written => self.given_to_class(class, written),
        };
        Static::temporary(Core::Class(class)).made_for(given)
    }

    /// A type as it is written where template parameters stand for these.
    pub(super) fn type_where(
        &self,
        ty: &Type,
        dims: usize,
        scope: Scope<'_>,
        bound: &BTreeMap<String, Arc<str>>,
    ) -> Option<Static> {
        if bound.is_empty() {
            return self.static_type(ty, dims, scope);
        }
        if ty.name.is_plain()
            && let Some(argument) = bound.get(ty.name.last())
        {
            let found = self.type_of_words(argument)?;
            let pointers = u8::try_from(usize::from(ty.pointers) + dims).ok()?;
            return Some(Static {
                pointers: found.pointers.checked_add(pointers)?,
                constant: found.constant || ty.constant,
                category: super::types::category_of(ty),
                ..found
            });
        }
        let mut meant = ty.clone();
        for it in &mut meant.name.template_args {
            *it = replaced(it, bound);
        }
        self.static_type(&meant, dims, scope)
    }

    /// A base of a class that was made for these, with what the base is made for.
    pub(super) fn base_made_for(
        &self,
        class: ClassId,
        base: &Name,
        bound: &BTreeMap<String, Arc<str>>,
    ) -> Option<(ClassId, Vec<Arc<str>>)> {
        let scope = Scope {
            file: class.file,
            path: &self.program.class(class).path,
        };
        let found = self.program.resolve_class(scope, base);
        let Some(found) = found.filter(|it| *it != class) else {
            return self.mixin(class, base, bound);
        };
        let given = base.template_args.iter().map(|it| Arc::from(replaced(it, bound)));
        Some((found, self.with_defaults(found, given.collect())))
    }

    /// The template parameters of a class, or of a base of a class that was made for these.
    pub(super) fn bound_in_base(
        &self,
        own: ClassId,
        given: Vec<Arc<str>>,
        class: ClassId,
    ) -> BTreeMap<String, Arc<str>> {
        const MOST_DEPTH: u32 = 6;
        let bound = bound_template(&self.program.class(own).template_params, given);
        self.base_template(own, bound, class, MOST_DEPTH)
            .unwrap_or_default()
    }

    /// The template parameters of a class, or of one of the bases of an object's own class, with what they stand for in
    /// this object.
    pub(super) fn class_template(&self, object: &Location, class: ClassId) -> BTreeMap<String, Arc<str>> {
        let known = self.memory.class_arguments.get(object).cloned();
        let own = self.memory.classes.get(object).copied();
        let (own, given) = match known {
            Some((own, given)) => (own, given),
            None => (own.unwrap_or(class), Vec::new()),
        };
        self.bound_in_base(own, given, class)
    }

    fn base_template(
        &self,
        own: ClassId,
        bound: BTreeMap<String, Arc<str>>,
        class: ClassId,
        depth: u32,
    ) -> Option<BTreeMap<String, Arc<str>>> {
        if own == class {
            return Some(bound);
        }
        self.program.class(own).bases.iter().find_map(|name| {
            let (base, given) = self.base_made_for(own, name, &bound)?;
            let bound = bound_template(&self.program.class(base).template_params, given);
            self.base_template(base, bound, class, depth.checked_sub(1)?)
        })
    }

    /// Does something where template parameters stand for these.
    pub(super) fn in_template<T>(
        &mut self,
        template: BTreeMap<String, Arc<str>>,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (file, path) = (self.frame().file, self.frame().path);
        self.in_frame(file, path, None, None, |machine| {
            machine.frame_mut().template = template;
            body(machine)
        })
    }

    /// The class of a member of an object: a template parameter of its class is what it stands for there.
    pub(super) fn class_of_member(&self, object: &Location, class: ClassId, name: &Name) -> Option<ClassId> {
        let definition = self.program.class(class);
        let is_parameter = |it: &String| definition.template_params.contains(it);
        if name.is_plain() && name.path.first().is_some_and(is_parameter) {
            let template = self.class_template(object, class);
            let written = crate::program::kernels::written_name(template.get(name.last())?)?;
            return self.class_meant(&written);
        }
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        self.program.resolve_class(scope, name)
    }

    /// A name that begins with a template parameter, with what the parameter stands for.
    pub(super) fn substituted(&self, name: &Name) -> Option<Name> {
        let first = name.path.first()?;
        let frame = self
            .control
            .frames
            .iter()
            .rev()
            .find(|frame| !frame.transparent)?;
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

    /// A template argument as written, with what template parameters in it stand for.
    pub(super) fn template_argument(&self, text: &str) -> Arc<str> {
        let is_name = |it: &str| it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        if !is_name(text) {
            let meant = replaced_words(text, |word| self.argument_meant(word));
            return match computed(&meant) {
                Some(number) => Arc::from(number.to_string()),
                None => Arc::from(meant),
            };
        }
        self.argument_meant(text).unwrap_or_else(|| Arc::from(text))
    }

    /// What a word of a template argument stands for where it is written: a template parameter, a constant of the function, an
    /// enumerator or a macro.
    fn argument_meant(&self, word: &str) -> Option<Arc<str>> {
        let constant = || match self.lookup(word) {
            Some(place) => match self.memory.get(&place)? {
                Value::Int(number) => Some(*number),
                _ => None,
            },
            None => self.program.constant_value(self.scope(), &Name::plain(word)),
        };
        let parameter = self.parameter_meant(word);
        parameter.or_else(|| Some(Arc::from(constant()?.to_string())))
    }

    /// Whether a name is a template parameter that stands for a number or a pointer: what is made of nothing is zero.
    pub(super) fn is_plain_parameter(&self, name: &Name) -> bool {
        let meant = name
            .is_plain()
            .then(|| self.parameter_meant(name.last()))
            .flatten();
        meant.is_some_and(|it| it.ends_with('*') || super::types::Builtin::named(&it).is_some())
    }

    /// What a template parameter stands for.
    fn parameter_meant(&self, name: &str) -> Option<Arc<str>> {
        for frame in self.control.frames.iter().rev() {
            if let Some(known) = frame.template.get(name) {
                return Some(known.clone());
            }
            // Another one of the same name further out is not meant.
            let declared = |params: &[String]| params.iter().any(|it| it == name);
            let of_function = frame
                .function
                .is_some_and(|it| declared(&self.program.function(it).template_params));
            let of_class = frame
                .class
                .is_some_and(|it| declared(&self.program.class(it).template_params));
            if of_function || of_class {
                return None;
            }
        }
        None
    }

    /// What template parameters stand for in the function that control is in.
    pub(super) fn visible_template(&self) -> BTreeMap<String, Arc<str>> {
        let mut found = BTreeMap::new();
        for frame in self.control.frames.iter().rev() {
            for (name, meant) in &frame.template {
                found.entry(name.clone()).or_insert_with(|| meant.clone());
            }
            let is_macro = |it: FunctionId| self.program.function(it).role == Role::Macro;
            if frame.function.is_some_and(|it| !is_macro(it)) {
                break;
            }
        }
        found
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
            self.control
                .frames
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

/// A text with what the names in it stand for.
pub(super) fn replaced(text: &str, known: &BTreeMap<String, Arc<str>>) -> String {
    replaced_words(text, |word| known.get(word).cloned())
}

/// The number that digits, operators and parentheses come to: `8 - 1`, `(4 + 2) * 3`.
fn computed(text: &str) -> Option<i64> {
    let known = |it: u8| it.is_ascii_digit() || b"+-*/% ()".contains(&it);
    let is_sum = text.bytes().all(known) && text.bytes().any(|it| it.is_ascii_digit());
    is_sum.then(|| sum(text)).flatten()
}

fn sum(text: &str) -> Option<i64> {
    let text = text.trim();
    for operators in [&b"+-"[..], &b"*/%"[..]] {
        let mut depth = 0;
        for (at, byte) in text.bytes().enumerate().rev() {
            match byte {
                b')' => depth += 1,
                b'(' => depth -= 1,
                _ if depth == 0 && at > 0 && operators.contains(&byte) => {
                    let (left, right) = (sum(&text[..at])?, sum(&text[at + 1..])?);
                    return match byte {
                        b'+' => left.checked_add(right),
                        b'-' => left.checked_sub(right),
                        b'*' => left.checked_mul(right),
                        b'/' => left.checked_div(right),
                        _ => left.checked_rem(right),
                    };
                }
                _ => {}
            }
        }
    }
    match text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        Some(inner) => sum(inner),
        None => text.parse().ok(),
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
