//! Whose method a call means when nobody saw the object being made: what the type it was declared with says.

use super::Location;
use super::declared::declared_in;
use super::machine::Machine;
use super::memory::Value;
use super::types::{Core, Given, Static};
use crate::facts::ir::{Expr, ExprKind, Name};
use crate::program::{ClassId, FunctionId};

/// What is known of the object a method is called on.
enum Receiver {
    /// An object of a class, and what that was made for where the declaration says so.
    Class(ClassId, Given),
    /// A type of a library: its methods are none of the program's.
    Foreign,
    Unknown,
}

/// What a call of a method means.
pub(super) enum Meant {
    Method(FunctionId, ClassId, Given),
    /// None of the program's methods, or one of too many.
    Unseen,
    /// Nobody knows the type of the object.
    Unknown,
}

/// Overriders, or alternatives, that are told apart.
pub(super) const MOST_CHOICES: usize = 3;

impl<'p> Machine<'p> {
    /// The method that is called on an object of which only the declared type is known.
    pub(super) fn meant_by_type(
        &mut self,
        (object, arrow): (&'p Expr, bool),
        method: &str,
        arguments: usize,
    ) -> Meant {
        let (class, given) = match self.receiver(object, arrow) {
            Receiver::Class(class, given) => (class, given),
            Receiver::Foreign => return Meant::Unseen,
            Receiver::Unknown => return Meant::Unknown,
        };
        if !self.is_virtual(class, method, arguments) {
            let own = self.method_in_made(class, &given.0, (method, arguments));
            return own.map_or(Meant::Unknown, |it| Meant::Method(it, class, given));
        }
        let candidates = self.definitions(class, method, arguments);
        match self.one_overrider(candidates) {
            Some(chosen) => {
                let own = self.program.class_of_method(chosen).unwrap_or(class);
                let given = if own == class { given } else { Given::default() };
                Meant::Method(chosen, own, given)
            }
            None => Meant::Unseen,
        }
    }

    /// Whether a call of a method on an object of a class, or of the one it was declared with, can mean one that waits for no work of the
    /// device, and none that is known to wait.
    pub(super) fn is_prompt_on(
        &mut self,
        class: Option<ClassId>,
        (object, arrow): (&'p Expr, bool),
        method: &str,
        arguments: usize,
    ) -> bool {
        let class = match class {
            Some(class) => class,
            None => match self.receiver(object, arrow) {
                Receiver::Class(class, _) => class,
                Receiver::Foreign | Receiver::Unknown => return false,
            },
        };
        let candidates = self.definitions(class, method, arguments);
        candidates.iter().any(|it| self.program.is_prompt(*it))
            && !candidates.iter().any(|it| self.program.is_blocking(*it))
    }

    /// Whether a getter of an object of a class, or by the type it was declared with, hands out a pointer.
    pub(super) fn hands_out_pointer(
        &mut self,
        class: Option<ClassId>,
        object: &'p Expr,
        method: &str,
    ) -> bool {
        let given = class.map(Core::Class).map(Static::temporary);
        match given.or_else(|| self.type_of(object)) {
            Some(Static {
                core: Core::Class(class),
                ..
            }) => self.program.declares_pointer_getter(class, method),
            Some(it) => self.type_behind(&it).is_some(),
            None => false,
        }
    }

    /// Definitions of a method in a class and in what extends it.
    fn definitions(&self, class: ClassId, method: &str, arguments: usize) -> Vec<FunctionId> {
        let mut found = self.program.overriders(class, method, arguments);
        let own = self.program.resolve_method(class, method, arguments);
        found.extend(own.filter(|it| self.program.function(*it).defined));
        found
    }

    /// One of the methods a call can mean, each on paths of its own; none where there are too many to tell apart.
    fn one_overrider(&mut self, mut candidates: Vec<FunctionId>) -> Option<FunctionId> {
        candidates.sort_unstable();
        candidates.dedup();
        match candidates.as_slice() {
            [only] => Some(*only),
            [] => None,
            several => {
                let eventful = several.iter().any(|it| self.program.is_eventful(*it));
                (several.len() <= MOST_CHOICES && eventful).then(|| *self.one_of(several))
            }
        }
    }

    /// What a method that a class leaves open means on its own object: no object is of a class that leaves something open,
    /// so that it is of one that defines it. Which one is the same in every call.
    pub(super) fn defined_for_this(
        &mut self,
        method: &str,
        arguments: usize,
    ) -> Option<(FunctionId, Location, ClassId)> {
        let this = self.this()?;
        let known = self.memory.classes.get(&this).copied();
        let class = known.or_else(|| self.this_class())?;
        let own = self.program.resolve_method(class, method, arguments);
        let is_defined = own.is_some_and(|it| self.program.function(it).defined);
        if is_defined || !self.is_virtual(class, method, arguments) {
            return None;
        }
        let mut candidates = self.program.overriders(class, method, arguments);
        // An object that hands on to one of its own kind comes to another one in the end.
        let ends: Vec<FunctionId> = candidates
            .iter()
            .copied()
            .filter(|it| !self.is_running(*it))
            .collect();
        if !ends.is_empty() {
            candidates = ends;
        }
        let chosen = self.one_overrider(candidates)?;
        let class = self.program.class_of_method(chosen)?;
        if !self.program.is_extended(class) {
            self.memory.classes.insert(this.clone(), class);
        }
        Some((chosen, this, class))
    }

    /// Whether a function is being executed, whoever called it.
    pub(super) fn is_running(&self, function: FunctionId) -> bool {
        self.control
            .frames
            .iter()
            .any(|frame| frame.function == Some(function))
    }

    /// One of several things: each on paths of its own.
    pub(super) fn one_of<'a, T>(&mut self, several: &'a [T]) -> &'a T {
        let (last, others) = several.split_last().unwrap_or_else(|| unreachable!());
        for candidate in others {
            if let Value::Unknown(choice) = self.memory.fresh()
                && self.decide(choice)
            {
                return candidate;
            }
        }
        last
    }

    /// Whether an object is declared with a type that nobody knows, and a method is one of the class that control is in:
    /// that class is known by its name here, so the type is another one.
    pub(super) fn is_of_another_class(&self, object: &Expr, method: FunctionId) -> bool {
        let frame = self.control.frames.iter().rev().find(|it| !it.transparent);
        let function = frame.and_then(|it| it.function);
        let own = function.and_then(|it| self.program.class_of_method(it));
        if own.is_none() || self.program.class_of_method(method) != own {
            return false;
        }
        let field = |wanted: &str| {
            let fields = &self.program.class(own?).fields;
            fields.iter().find(|it| it.name == *wanted).map(|it| &it.ty)
        };
        let ty = match &object.kind {
            ExprKind::Name(name) if name.is_plain() => function
                .and_then(|it| declared_in(self.program.function(it), name.last()))
                .or_else(|| field(name.last())),
            ExprKind::Member {
                object, field: name, ..
            } if matches!(object.kind, ExprKind::This) => field(name),
            _ => None,
        };
        ty.is_some_and(|it| !it.name.path.is_empty() && it.name.last() != "auto")
    }

    /// Whether a method is virtual in a class or in one of its bases, or may be in one that nobody sees.
    pub(super) fn is_virtual(&self, class: ClassId, method: &str, arguments: usize) -> bool {
        self.is_virtual_in(class, (method, arguments), true, 0)
    }

    /// Whether a class or one of its bases that can be seen declares a method as virtual.
    pub(super) fn declares_virtual(&self, class: ClassId, method: &str, arguments: usize) -> bool {
        self.is_virtual_in(class, (method, arguments), false, 0)
    }

    fn is_virtual_in(
        &self,
        class: ClassId,
        (method, arguments): (&str, usize),
        unseen: bool,
        depth: u32,
    ) -> bool {
        let mut own = self.program.written_in(class);
        if own.any(|(_, it)| {
            it.is_virtual && it.params.len() >= arguments && it.path.last().is_some_and(|it| it == method)
        }) {
            return true;
        }
        let definition = self.program.class(class);
        let scope = crate::program::Scope {
            file: class.file,
            path: &definition.path,
        };
        depth < 6
            && definition
                .bases
                .iter()
                .any(|base| match self.program.resolve_class(scope, base) {
                    Some(it) => it != class && self.is_virtual_in(it, (method, arguments), unseen, depth + 1),
                    None => unseen && !self.is_standard_base(class, base),
                })
    }

    fn receiver(&mut self, object: &'p Expr, arrow: bool) -> Receiver {
        let written = self.type_of(object);
        // `->` on an object leads to what its class says, not to the object.
        let is_object = written.as_ref().is_some_and(|it| it.class().is_some());
        if arrow
            && is_object
            && let Some(led) = self.type_of_receiver(object, arrow)
            && let Some(class) = led.class()
        {
            return Receiver::Class(class, led.given);
        }
        if let Some(class) = self.declared_class(object) {
            let same = written.filter(|it| it.core == Core::Class(class));
            return Receiver::Class(class, same.map(|it| it.given).unwrap_or_default());
        }
        let Some(mut found) = written else {
            return Receiver::Unknown;
        };
        let by_operator = arrow && found.pointers == 0;
        if found.pointers > 0 {
            match found.pointee() {
                Some(pointee) if pointee.pointers == 0 => found = pointee,
                _ => return Receiver::Unknown,
            }
        }
        match &found.core {
            Core::Class(class) if !by_operator => Receiver::Class(*class, found.given),
            Core::Class(_) => Receiver::Unknown,
            Core::Other(text) => {
                let name = Name::written(text).unwrap_or_else(|| Name::of_type(text));
                if self.program.declares_type(name.last()) {
                    return Receiver::Unknown;
                }
                // What a class template of a library leads to is what it was made for: smart pointers, optionals.
                let pointee = name.template_args.first().filter(|_| by_operator);
                let class = pointee.and_then(|it| self.class_of_type(&Name::of_type(it)));
                match class {
                    Some(class) => Receiver::Class(class, Given::default()),
                    None if by_operator => Receiver::Unknown,
                    None => Receiver::Foreign,
                }
            }
            Core::Number(_) | Core::Constant | Core::Null | Core::Void => Receiver::Foreign,
        }
    }
}
