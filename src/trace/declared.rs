//! Which class an expression has by the declarations of what it names, where no object of it was seen to be made.

use super::machine::Machine;
use super::making::Made;
use super::memory::Value;
use super::{Base, Location};
use crate::facts::ir::{Expr, ExprKind, Function, Initialiser, Name, Type, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// `place = {a, b}`: each field of its class is stored; `false` when its class is not known.
    pub(super) fn assign_braces(&mut self, target: &'p Expr, items: &'p [Initialiser], span: Span) -> bool {
        let Some(class) = self.declared_class(target) else {
            let written = self.place(target).and_then(|it| Some((self.held_type(&it)?, it)));
            return match written {
                Some((written, place)) if matches!(self.made_of(&written), Made::Parts(..)) => {
                    self.make_from_braces(&place, &written, items, span);
                    true
                }
                _ => false,
            };
        };
        let fields = &self.program.class(class).fields;
        if items.is_empty() || self.program.resolve_constructor(class, items.len()).is_some() {
            return false;
        }
        let Some(place) = self.place(target) else {
            return false;
        };
        for (index, item) in items.iter().enumerate() {
            let declared = fields.get(index).map(|it| it.name.as_str());
            if let Some(field) = item.field.as_deref().or(declared) {
                let value = self.evaluate_copy(&item.value);
                self.store(&place.field(field), value, span);
            }
        }
        true
    }

    /// The class a type means here, or leads to where it is an alias of a pointer.
    fn pointed_class(&self, name: &Name) -> Option<ClassId> {
        let meant = self.substituted(name);
        let name = meant.as_ref().unwrap_or(name);
        self.program.resolve_pointed_class(self.scope(), name)
    }

    /// What an expression names, where that is a part of an object nobody saw being made and converts to something else: it is one
    /// of the class it is declared with. What a call returned stays that, wherever it is kept.
    pub(super) fn as_declared(&mut self, expression: &'p Expr, place: &Location, value: Value) -> Value {
        let Value::Unknown(id) = value else {
            return value;
        };
        let known = self.unseen_results.contains_key(&id) || self.memory.smart.contains(place);
        if known || place.path.is_empty() && matches!(place.base, Base::Local(_)) {
            return value;
        }
        let declared = self.type_of(expression).filter(|it| it.pointers == 0);
        let class = declared.and_then(|it| it.class());
        match class.filter(|it| !self.program.conversions(*it).is_empty()) {
            Some(class) => {
                self.memory.classes.insert(place.clone(), class);
                Value::Aggregate(place.clone())
            }
            None => value,
        }
    }

    /// The class of what an expression names, through pointers and elements.
    pub(super) fn declared_class(&self, expression: &Expr) -> Option<ClassId> {
        match &expression.kind {
            ExprKind::Name(name) if name.is_plain() => {
                let function = self
                    .control
                    .frames
                    .iter()
                    .rev()
                    .find(|it| !it.transparent)?
                    .function;
                let ty = function.and_then(|it| declared_in(self.program.function(it), name.last()));
                match ty {
                    Some(ty) => self.pointed_class(&ty.name),
                    None => {
                        let global = self.program.resolve_global(self.scope(), name)?;
                        self.pointed_class(&self.program.global(global).variable.ty.name)
                    }
                }
            }
            ExprKind::Member { object, field, .. } => {
                let class = match object.kind {
                    ExprKind::This => self.this_class()?,
                    _ => self.declared_class(object)?,
                };
                let definition = self.program.class(class);
                let field = definition.fields.iter().find(|it| it.name == *field)?;
                let scope = Scope {
                    file: class.file,
                    path: &definition.path,
                };
                self.program.resolve_pointed_class(scope, &field.ty.name)
            }
            ExprKind::Index { object, .. } => self.declared_class(object),
            ExprKind::Unary {
                op: UnaryOp::Deref,
                operand,
            } => self.declared_class(operand),
            ExprKind::Cast { ty, .. } => self.pointed_class(&ty.name),
            _ => None,
        }
    }
}

/// The type a name is declared with in a function.
pub(super) fn declared_in<'f>(function: &'f Function, wanted: &str) -> Option<&'f Type> {
    let parameter = function.params.iter().find(|it| it.name == wanted);
    let mut found = parameter.map(|it| &it.ty);
    visit::function(function, &mut |node| {
        if let Node::Variable(variable) = node
            && variable.name == wanted
        {
            found = Some(&variable.ty);
        }
    });
    found
}
