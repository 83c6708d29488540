//! How well a type fits a parameter, as C++ ranks conversions.

use super::containers::is_sequence;
use super::machine::Machine;
use super::types::{Builtin, Category, Core, Static, vector_element};
use crate::facts::ir::{Name, Parameter, Type};
use crate::program::{ClassId, FunctionId, Scope, is_event_handle, is_stream_handle};

/// How an argument becomes a parameter; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) step: Step,
    /// Tells apart what is as good otherwise: qualifiers, bindings, distances.
    pub(super) detail: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Exact,
    Promotion,
    Conversion,
}

/// What is known of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Known(Cost),
    /// By code of a class, if there is one at all.
    User,
    /// Not exact, if there is one at all.
    Inexact,
    /// Nothing is known.
    Unknown,
    None,
}

/// Whether a type is a container of the standard library that braces do not make by themselves.
pub(super) fn is_other_sequence(written: &str) -> bool {
    let name = Name::of_type(written);
    name.last() != "initializer_list" && is_sequence(name.last())
}

/// Whether a type is a container of the standard library, with what it holds: no other name stands for one.
pub(super) fn is_known_sequence(written: &str) -> bool {
    written.contains('<') && is_sequence(Name::of_type(written).last())
}

/// Whether a class template is one of the standard library, which gives each of them one name.
pub(super) fn names_standard(name: &Name) -> bool {
    name.path.len() > 1 && name.path.iter().any(|it| it == "std")
}

pub(super) fn is_standard_sequence(name: &Name) -> bool {
    names_standard(name) && is_sequence(name.last())
}

pub(super) const fn exact(detail: u8) -> Fit {
    Fit::Known(Cost {
        step: Step::Exact,
        detail,
    })
}

pub(super) const fn conversion(detail: u8) -> Fit {
    Fit::Known(Cost {
        step: Step::Conversion,
        detail,
    })
}

impl<'p> Machine<'p> {
    /// How a type becomes a parameter's.
    pub(super) fn fit_static(
        &self,
        parameter: &Parameter,
        (template, defaults, written): (&[String], &[(String, String)], usize),
        scope: Scope<'_>,
        given: &Static,
    ) -> Fit {
        let wanted = &parameter.ty;
        if template.iter().any(|it| it == wanted.name.last()) {
            return match self.is_deduced(parameter, defaults, given) {
                true => fit_deduced(wanted, given),
                false => Fit::None,
            };
        }
        let template = template.get(written..).unwrap_or_default();
        if !template.is_empty()
            && wanted
                .name
                .template_args
                .iter()
                .any(|it| template.iter().any(|name| it.contains(name.as_str())))
        {
            return match (&given.core, given.pointers) {
                (Core::Number(_) | Core::Constant | Core::Null | Core::Void, _) => Fit::None,
                // Nothing is converted where something is deduced.
                (_, pointers) if pointers > 0 && wanted.pointers == 0 => Fit::None,
                (_, pointers) if pointers == wanted.pointers => self.fit_template(wanted, scope, given),
                _ => Fit::Unknown,
            };
        }
        let Some(wanted) = self.static_type(wanted, 0, scope) else {
            return Fit::Unknown;
        };
        let binding = match bound(&parameter.ty, &wanted, given) {
            Some(detail) => detail,
            // Of another type, it is converted to something new, which a constant reference takes.
            None if same_type(&wanted, given) => return Fit::None,
            None if !parameter.ty.rvalue && !wanted.constant => return self.fit_base(&wanted, given),
            None => 0,
        };
        self.fit_converted(&wanted, given, binding)
    }

    /// How an object of a class template fits a parameter that names one with parameters in it, `Span<T>`: as one of the
    /// same template or derived from one. Nothing is converted where something is deduced.
    pub(super) fn fit_template(&self, wanted: &Type, scope: Scope<'_>, given: &Static) -> Fit {
        let alias = self.program.resolve_alias(scope, &wanted.name);
        let name = alias.as_ref().map_or(&wanted.name, |it| &it.name);
        if alias.as_ref().is_some_and(|it| it.pointers > 0 || it.reference) {
            return Fit::Unknown;
        }
        let derived = |distance| match fit_deduced(wanted, given) {
            Fit::Known(_) => conversion(distance),
            other => other,
        };
        match (self.program.resolve_class(scope, name), &given.core) {
            (Some(to), Core::Class(from)) => match self.distance_to_template(*from, to, 0) {
                Some(0) => fit_deduced(wanted, given),
                Some(distance) => derived(distance),
                None if self.unseen_bases(*from, 0).iter().all(is_standard_sequence) => Fit::None,
                None => Fit::Unknown,
            },
            (Some(_), Core::Other(from)) if is_known_sequence(from) => Fit::None,
            (None, Core::Other(from)) if is_known_sequence(from) && names_standard(name) => {
                match Name::of_type(from).last() == name.last() {
                    true => fit_deduced(wanted, given),
                    false => Fit::None,
                }
            }
            (None, Core::Class(from)) if names_standard(name) => {
                let bases = self.unseen_bases(*from, 0);
                match bases.iter().any(|it| it.last() == name.last()) {
                    true => derived(1),
                    false if bases.iter().all(is_standard_sequence) => Fit::None,
                    false => Fit::Unknown,
                }
            }
            _ => Fit::Unknown,
        }
    }

    /// The bases of a class that are not in the project, or are given by a template parameter.
    pub(super) fn unseen_bases(&self, class: ClassId, depth: u8) -> Vec<Name> {
        const MOST_DEPTH: u8 = 6;
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let mut unseen = Vec::new();
        for it in &definition.bases {
            match self.program.resolve_class(scope, it).filter(|it| *it != class) {
                Some(base) if depth < MOST_DEPTH => unseen.extend(self.unseen_bases(base, depth + 1)),
                _ => {
                    let alias = self.program.resolve_alias(scope, it);
                    unseen.push(alias.map_or_else(|| it.clone(), |it| it.name.clone()));
                }
            }
        }
        unseen
    }

    /// How many steps up a class's bases one made of a template is, whichever specialisation of it that is.
    pub(super) fn distance_to_template(&self, class: ClassId, template: ClassId, depth: u8) -> Option<u8> {
        const MOST_DEPTH: u8 = 6;
        let definition = self.program.class(class);
        if class == template || definition.path == self.program.class(template).path {
            return Some(depth);
        }
        if depth > MOST_DEPTH {
            return None;
        }
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        definition.bases.iter().find_map(|it| {
            let it = self.program.resolve_class(scope, it).filter(|it| *it != class)?;
            self.distance_to_template(it, template, depth + 1)
        })
    }

    /// A reference to a base class takes an object of a derived one.
    pub(super) fn fit_base(&self, wanted: &Static, given: &Static) -> Fit {
        match (wanted.class(), given.class()) {
            (Some(base), Some(class)) if given.category == Category::Named => {
                if given.constant && !wanted.constant {
                    return Fit::None;
                }
                self.distance_to(class, base, 0).map_or(Fit::None, conversion)
            }
            _ => Fit::None,
        }
    }

    pub(super) fn fit_converted(&self, wanted: &Static, given: &Static, binding: u8) -> Fit {
        if same_type(wanted, given) {
            return exact(binding);
        }
        if wanted.pointers > 0 || given.pointers > 0 {
            return self.fit_pointer(wanted, given);
        }
        match (&wanted.core, &given.core) {
            (Core::Number(to), Core::Number(from)) => match () {
                () if from.promoted() == *to || (*from, *to) == (Builtin::Float, Builtin::Double) => {
                    Fit::Known(Cost {
                        step: Step::Promotion,
                        detail: 0,
                    })
                }
                () => conversion(0),
            },
            (Core::Number(Builtin::Int), Core::Constant) => exact(binding),
            (Core::Number(_), Core::Constant) => conversion(0),
            // Braces make such a list, and nothing else does.
            (Core::Other(it), Core::Number(_) | Core::Constant | Core::Class(_))
                if it.starts_with("initializer_list<") =>
            {
                Fit::None
            }
            (Core::Other(it), Core::Other(from))
                if it.starts_with("initializer_list<") && is_other_sequence(from) =>
            {
                Fit::None
            }
            (Core::Other(_), Core::Constant) => Fit::Unknown,
            (Core::Number(Builtin::Bool), Core::Null) | (Core::Null, Core::Other(_)) => Fit::None,
            (Core::Class(to), Core::Class(from)) => match self.distance_to(*from, *to, 0) {
                Some(distance) => conversion(distance),
                None => self.fit_user(wanted, given),
            },
            (Core::Class(_), _) | (_, Core::Class(_)) => self.fit_user(wanted, given),
            (Core::Other(a), Core::Other(b)) if a == b => exact(binding),
            (Core::Other(it), _) | (_, Core::Other(it)) if vector_element(it).is_some() => {
                match (&wanted.core, &given.core) {
                    (Core::Class(_), _) | (_, Core::Class(_)) => self.fit_user(wanted, given),
                    _ => Fit::None,
                }
            }
            // Handles of streams and of events are pointers to structs that have nothing in common.
            (Core::Other(it), Core::Other(from)) if is_other_handle(it, from) => Fit::None,
            // What points to such a struct is no number, and no number points to one.
            (Core::Number(Builtin::Bool), Core::Other(it)) if is_handle(it) => conversion(2),
            (Core::Number(_), Core::Other(it)) | (Core::Other(it), Core::Number(_)) if is_handle(it) => {
                Fit::None
            }
            (Core::Other(_), Core::Other(_)) => Fit::Inexact,
            (Core::Number(_), Core::Other(_)) | (Core::Other(_), Core::Number(_)) => Fit::Inexact,
            _ => Fit::Inexact,
        }
    }

    pub(super) fn fit_pointer(&self, wanted: &Static, given: &Static) -> Fit {
        match (wanted.pointers, given.pointers) {
            (0, _) => match wanted.core {
                Core::Null => Fit::None,
                Core::Number(Builtin::Bool) => conversion(2),
                Core::Number(_) => Fit::None,
                _ => self.fit_user(wanted, given),
            },
            (_, 0) => match given.core {
                Core::Null => conversion(0),
                Core::Constant => Fit::Inexact,
                Core::Number(_) => Fit::None,
                Core::Void => Fit::None,
                _ => self.fit_user(wanted, given),
            },
            (a, b) if a == b => {
                if given.constant && !wanted.constant {
                    return Fit::None;
                }
                match (&wanted.core, &given.core) {
                    (x, y) if x == y => exact(u8::from(wanted.constant != given.constant)),
                    (Core::Void, _) if a == 1 => conversion(8),
                    (Core::Class(base), Core::Class(class)) if a == 1 => {
                        self.distance_to(*class, *base, 0).map_or(Fit::None, conversion)
                    }
                    (Core::Other(_), _) | (_, Core::Other(_)) => Fit::Inexact,
                    _ => Fit::None,
                }
            }
            (1, _) if wanted.core == Core::Void => conversion(8),
            _ => match (&wanted.core, &given.core) {
                (Core::Other(_), _) | (_, Core::Other(_)) => Fit::Unknown,
                _ => Fit::None,
            },
        }
    }

    /// By a constructor or a conversion operator, if there is one.
    pub(super) fn fit_user(&self, wanted: &Static, given: &Static) -> Fit {
        let by_constructor = wanted.class().is_some_and(|class| {
            let first = self.program.resolve_constructor(class, 1);
            let all = first.map(|it| self.program.overloads(it, 1)).unwrap_or_default();
            all.iter().any(|it| !self.copies_its_class(*it))
        });
        let by_operator = given.class().is_some_and(|class| {
            let mut conversions = self.program.conversions(class).into_iter();
            conversions.any(|it| !self.gives_no_number(it) || !is_number(wanted))
        });
        let is_open = |it: &Static| match &it.core {
            // What is seen of a class is made into a stream by a conversion of its own only.
            Core::Other(name) => !is_stream_handle(name),
            Core::Class(class) => {
                !self.program.class(*class).template_params.is_empty() || self.has_unseen_base(*class, 0)
            }
            _ => false,
        };
        if let (Some(to), Some(_), 0) = (wanted.class(), given.class(), given.pointers)
            && self.is_convertible(given, to, 0) == Some(false)
        {
            return Fit::None;
        }
        let is_plain = |it: &Static| matches!(it.core, Core::Class(_) | Core::Number(_) | Core::Constant);
        match by_constructor || by_operator || is_open(wanted) || is_open(given) {
            true if is_plain(wanted) && is_plain(given) => Fit::User,
            true => Fit::Inexact,
            false => Fit::None,
        }
    }

    /// Whether a conversion makes a handle or a pointer: neither becomes a number.
    pub(super) fn gives_no_number(&self, conversion: FunctionId) -> bool {
        let result = &self.program.function(conversion).result;
        result.pointers > 0 || is_stream_handle(result.name.last()) || is_event_handle(result.name.last())
    }

    /// Whether a class extends one that is not in the project, or is given by a template parameter.
    pub(super) fn has_unseen_base(&self, class: ClassId, depth: u8) -> bool {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        depth > 6
            || definition.bases.iter().any(|it| {
                let base = self.program.resolve_class(scope, it).filter(|it| *it != class);
                base.is_none_or(|it| self.has_unseen_base(it, depth + 1))
            })
    }

    /// How many steps up a class's bases another class is.
    pub(super) fn distance_to(&self, class: ClassId, base: ClassId, depth: u8) -> Option<u8> {
        if class == base {
            return Some(depth);
        }
        if depth > 6 {
            return None;
        }
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        definition.bases.iter().find_map(|it| {
            let it = self.program.resolve_class(scope, it).filter(|it| *it != class)?;
            self.distance_to(it, base, depth + 1)
        })
    }
}

/// Whether a number is wanted, and no truth value.
pub(super) fn is_number(wanted: &Static) -> bool {
    wanted.pointers == 0 && matches!(wanted.core, Core::Number(it) if it != Builtin::Bool)
}

pub(super) fn same_type(one: &Static, other: &Static) -> bool {
    one.core == other.core
        && one.pointers == other.pointers
        && (one.pointers == 0 || one.constant == other.constant)
}

/// How well a reference binds; `None` where it cannot bind to the very thing.
pub(super) fn bound(ty: &Type, wanted: &Static, given: &Static) -> Option<u8> {
    if !ty.reference {
        return Some(0);
    }
    let is_temporary = given.category != Category::Named;
    let constant = ty.constant && wanted.pointers == 0;
    match (ty.rvalue, is_temporary) {
        (true, true) if given.constant && !ty.constant && wanted.pointers == 0 => None,
        (true, true) => Some(0),
        (true, false) => None,
        (false, true) => (constant || wanted.pointers > 0).then_some(2),
        (false, false) if wanted.pointers > 0 => Some(0),
        (false, false) => match (constant, given.constant) {
            (false, true) => None,
            (one, other) => Some(u8::from(one != other)),
        },
    }
}

/// How a type fits a parameter whose type a template parameter stands for.
pub(super) fn fit_deduced(wanted: &Type, given: &Static) -> Fit {
    if wanted.pointers > given.pointers {
        return Fit::None;
    }
    if wanted.pointers > 0 {
        return match (given.constant, wanted.constant) {
            (false, true) => exact(1),
            _ => exact(0),
        };
    }
    let is_temporary = given.category != Category::Named;
    match (wanted.reference, wanted.rvalue, wanted.constant) {
        (true, false, false) if is_temporary && !given.constant => Fit::None,
        (true, false, true) if is_temporary => exact(2),
        (true, false, true) if given.pointers == 0 => exact(u8::from(!given.constant)),
        _ => exact(0),
    }
}

/// Whether a type of this name may be one of numbers or handles.
pub(super) fn holds_numbers(name: &str) -> bool {
    let parts = [
        "int", "long", "short", "char", "bool", "float", "double", "_t", "auto",
    ];
    name.len() == 1 || parts.iter().any(|it| name.contains(it))
}

pub(super) fn is_handle(name: &str) -> bool {
    is_stream_handle(name) || is_event_handle(name)
}

/// Whether one is a stream and the other an event.
pub(super) fn is_other_handle(one: &str, other: &str) -> bool {
    is_stream_handle(one) && is_event_handle(other) || is_event_handle(one) && is_stream_handle(other)
}
