//! Template parameters of device code: what they stand for, and calls through them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::FunctionId;
use super::symbols::{Base, Kind, Loc, Sym, Ty};
use super::tables::type_size;
use super::walk::{Walker, class_of};
use crate::facts::ir::{Expr, ExprKind, Function, Name, Role, Type};

/// What template parameters stand for: classes and functions by their names, numbers by their text.
pub(super) type Bindings = Rc<BTreeMap<String, Name>>;

impl<'a> Walker<'a> {
    /// The name with what its first segment stands for, when that is a template parameter of the current function.
    pub(super) fn substituted(&self, name: &Name) -> Option<Name> {
        let known = &self.frame().template;
        let bound = known.get(name.path.first()?)?;
        let mut path = bound.path.clone();
        path.extend_from_slice(&name.path[1..]);
        let template_args = match name.is_plain() {
            true => bound.template_args.clone(),
            false => name.template_args.clone(),
        };
        Some(Name {
            path,
            template_args,
            owner_args: Vec::new(),
        })
    }

    /// Notes a call that only the template arguments of a launch can resolve.
    pub(super) fn note_dependent(&mut self, name: &Name) {
        let unbound = |it: &String| {
            self.kernel.template_params.contains(it) && !self.frames[0].template.contains_key(it)
        };
        if name.path.first().is_some_and(unbound) {
            self.summary.dependent = true;
        }
    }

    /// `real(x)` where `real` is the type of what the kernel is handed.
    pub(super) fn is_conversion(&self, callee: &Name) -> bool {
        let mut params = self.kernel.params.iter();
        callee.path.len() == 1 && params.any(|it| it.ty.name.path == callee.path)
    }

    /// Whether a name means a type of numbers, through template arguments and aliases.
    pub(super) fn names_number(&self, name: &Name) -> bool {
        let ty = self.resolved(&Type {
            name: name.clone(),
            ..Type::plain("")
        });
        ty.pointers == 0 && type_size(ty.name.last()) > 0
    }

    /// The method a call on an object means: that of its class where it is known, else the only one there is.
    pub(super) fn method_of(&mut self, ty: &Ty, method: &str, arguments: usize) -> Option<FunctionId> {
        let from = self.frame().function;
        if let Some(name) = ty.name() {
            if let Some(found) = self.scope.class_method(from, name, method, arguments) {
                return Some(found);
            }
            let name = name.clone();
            self.note_dependent(&name);
        }
        let found = self.scope.resolve_device_method(from, method, arguments)?;
        self.fits(ty, found).then_some(found)
    }

    /// `false` when the object's class is known and is not the method's.
    fn fits(&self, object: &Ty, callee: FunctionId) -> bool {
        let Some(name) = object.name() else { return true };
        let Some(class) = self.scope.class(self.frame().function, name) else {
            return true;
        };
        let method = class_of(self.scope.function(callee));
        let same = |other: &str| method.as_ref().is_some_and(|method| method.last() == other);
        class.path.last().is_some_and(|class| same(class)) || class.bases.iter().any(|base| same(base.last()))
    }

    /// The class of the temporary an expression makes: `T{}`, `T(…)`.
    pub(super) fn constructed_type(&self, expression: &Expr) -> Option<Ty> {
        let written = match &expression.kind {
            ExprKind::Construct { ty, .. } => ty.clone(),
            ExprKind::Call(call) => match &call.callee.kind {
                ExprKind::Name(name) => Type {
                    name: name.clone(),
                    ..Type::plain("")
                },
                _ => return None,
            },
            _ => return None,
        };
        let ty = self.resolved(&written);
        let is_class = self.scope.class(self.frame().function, &ty.name).is_some()
            || self.kernel.template_params.contains(&ty.name.path.concat());
        is_class.then(|| Ty::of(&ty))
    }

    /// The type of a value, as far as it says: a by-value argument keeps its class through generic parameters.
    pub(super) fn type_of(value: &Sym) -> Option<Ty> {
        match &value.kind {
            Kind::Parameter(loc) if loc.ty.name().is_some() => Some(loc.ty.clone()),
            _ => None,
        }
    }

    /// What the template parameters of a function stand for in a call: those written, then those its arguments show.
    pub(super) fn bindings(
        &self,
        function: &Function,
        written: &[String],
        arguments: &[Option<Ty>],
        this: Option<&Loc>,
    ) -> Bindings {
        let mut bound = BTreeMap::new();
        if let Some(class) = class_of(function).filter(|_| function.role == Role::Method) {
            self.bind_class(&class, this, &mut bound);
        }
        for (parameter, argument) in function.template_params.iter().zip(written) {
            if let Some(name) = Name::written(argument) {
                bound.insert(parameter.clone(), self.substituted(&name).unwrap_or(name));
            }
        }
        for (parameter, ty) in function.params.iter().zip(arguments) {
            let wanted = parameter.ty.name.last();
            if parameter.ty.pointers == 0
                && function.template_params.iter().any(|it| it == wanted)
                && !bound.contains_key(wanted)
                && let Some(name) = ty.as_ref().filter(|it| !it.is_pointer()).and_then(Ty::name)
            {
                bound.insert(wanted.to_owned(), name.clone());
            }
        }
        Rc::new(bound)
    }

    /// The parameters of a class template, from the declared type of the object or from the frame of another method.
    fn bind_class(&self, class: &Name, this: Option<&Loc>, bound: &mut BTreeMap<String, Name>) {
        let from = self.frame().function;
        let Some(definition) = self
            .scope
            .class(from, class)
            .filter(|it| !it.template_params.is_empty())
        else {
            return;
        };
        let declared = this
            .and_then(|it| it.ty.name())
            .filter(|it| it.last() == class.last());
        let arguments = declared.map_or(&[][..], |it| &it.template_args);
        for (index, parameter) in definition.template_params.iter().enumerate() {
            let name = match arguments.get(index) {
                Some(text) => Name::written(text).map(|name| self.substituted(&name).unwrap_or(name)),
                None => self.frame().template.get(parameter).cloned(),
            };
            if let Some(name) = name {
                bound.insert(parameter.clone(), name);
            }
        }
    }

    /// The classes of the arguments of a call, where they are plain to see.
    pub(super) fn argument_types(&self, args: &'a [Expr]) -> Vec<Option<Ty>> {
        args.iter()
            .map(|arg| match &arg.kind {
                ExprKind::Name(name) if name.is_plain() => {
                    let id = self.lookup(name.last())?;
                    let variable = self.variable(id)?;
                    let ty = match &variable.refers_to {
                        Some(target) => &target.ty,
                        None => &variable.ty,
                    };
                    match ty.name() {
                        Some(_) => Some(ty.clone()),
                        None => Self::type_of(&self.store.find(id, &[])?.0),
                    }
                }
                _ => self.constructed_type(arg),
            })
            .collect()
    }

    /// The object a variable holds: an argument that came by value is the argument itself.
    pub(super) fn object_of(&self, loc: Loc) -> Loc {
        let Base::Local(id) = &loc.base else { return loc };
        if loc.ty.name().is_some() || !loc.path.is_empty() {
            return loc;
        }
        let held = self
            .store
            .find(*id, &[])
            .and_then(|(value, _)| Self::type_of(&value));
        Loc {
            ty: held.unwrap_or_else(|| loc.ty.clone()),
            ..loc
        }
    }
}
