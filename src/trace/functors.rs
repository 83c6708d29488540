//! What lambdas and objects that the device calls do to the memory they captured or hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::access::{Access, Extent, Mode, ValueId};
use super::calls::Argument;
use super::machine::{Closure, Machine};
use super::memory::Value;
use super::{Base, Location, Step};
use crate::facts::ir::{Expr, ExprKind, Function, Type, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::program::kernels::Handed;
use crate::syntax::Span;

/// How deep objects in objects are looked into for one that can be called.
const MOST_NESTED: u32 = 4;

impl<'p> Machine<'p> {
    /// Accesses through the pointers captured by lambdas among the arguments of a launch. What else was captured may choose
    /// the elements.
    pub(super) fn functor_accesses(&mut self, args: &[Argument]) -> Vec<Access> {
        let mut accesses = Vec::new();
        for argument in args {
            if let Value::Closure(index) = argument.value {
                accesses.extend(self.closure_accesses(index));
            }
        }
        accesses
    }

    /// The same, and what objects that the device can call do by themselves: those that an algorithm is handed, and those
    /// that its iterators hold.
    pub(super) fn called_accesses(&mut self, args: &[Argument], span: Span) -> Vec<Access> {
        let mut accesses = Vec::new();
        for argument in args {
            self.add_called(&argument.value, 0, span, &mut accesses);
        }
        accesses
    }

    fn add_called(&mut self, value: &Value, depth: u32, span: Span, accesses: &mut Vec<Access>) {
        let object = match value {
            Value::Closure(index) => return accesses.extend(self.closure_accesses(*index)),
            Value::Aggregate(object) if depth < MOST_NESTED => object.clone(),
            _ => return,
        };
        let Some(class) = self.object_at(&object) else {
            return;
        };
        let program = self.program;
        for (method, _) in program.written_in(class) {
            if let Some(summary) = program.callable(method) {
                let params = &program.function(method).params;
                let mut args: Vec<Argument> = params.iter().map(|_| self.unknown_argument()).collect();
                args.push(Argument {
                    value: Value::Aggregate(object.clone()),
                    ..self.unknown_argument()
                });
                let found = self.in_kernel(method, &Arc::from(""), &args, |machine| {
                    machine.kernel_accesses(summary, method, &args, span)
                });
                accesses.extend(found);
            }
        }
        for field in &program.class(class).fields {
            let held = self.memory.get(&object.field(&field.name)).cloned();
            if let Some(held) = held.filter(|_| !field.is_static) {
                self.add_called(&held, depth + 1, span, accesses);
            }
        }
    }

    /// An argument that is another one in each thread.
    fn unknown_argument(&mut self) -> Argument {
        Argument {
            value: self.memory.fresh(),
            place: None,
            words: String::new(),
            moved: true,
            ty: None,
        }
    }

    /// Device lambdas among the arguments of a launch.
    pub(super) fn handed_lambdas(&self, args: &[Argument]) -> Vec<Handed<'p>> {
        let handed = (0_u32..).zip(args).filter_map(|(parameter, argument)| {
            let Value::Closure(index) = argument.value else {
                return None;
            };
            let closure = self.closures.get(index as usize)?;
            let function = closure.function?;
            closure.lambda.device.then(|| Handed {
                parameter,
                lambda: closure.lambda,
                function,
                captures: captures_of(closure, self.program.function(function)),
            })
        });
        handed.collect()
    }

    /// The place of something a lambda captured.
    pub(super) fn captured_place(&self, closure: u32, name: &str) -> Option<Location> {
        self.closures.get(closure as usize)?.captured.get(name).cloned()
    }

    /// What a lambda captured, as fields of the parameter it is handed to.
    pub(super) fn bind_captures(&mut self, place: &Location, value: &Value) {
        let Value::Closure(index) = value else { return };
        let Some(closure) = self.closures.get(*index as usize) else {
            return;
        };
        for (name, from) in closure.captured.clone() {
            let value = self.memory.load(&from);
            self.memory.set(place.field(&name), value);
        }
    }

    fn closure_accesses(&mut self, index: u32) -> Vec<Access> {
        let Some(closure) = self.closures.get(index as usize).cloned() else {
            return Vec::new();
        };
        let mut indexed: BTreeMap<&str, (Span, bool)> = BTreeMap::new();
        visit::statements(&closure.lambda.body, &mut |node| {
            if let Node::Expr(expression) = node {
                note(expression, &mut indexed);
            }
        });
        let mut values: BTreeMap<&str, Value> = BTreeMap::new();
        for (name, place) in &closure.captured {
            let value = self.memory.load(place);
            values.insert(name, value);
        }
        let others = values.iter().filter(|(name, _)| !indexed.contains_key(*name));
        let others: Vec<Value> = others.map(|(_, value)| value.clone()).collect();
        let mut selectors: Vec<ValueId> = others.iter().map(|it| self.value_id(it)).collect();
        selectors.sort_unstable();
        let mut accesses = Vec::new();
        for (name, (span, writes)) in indexed {
            let target = match values.get(name) {
                Some(Value::Pointer(target)) => target.clone(),
                Some(Value::Unknown(id)) => Location::object(Base::Outside(*id)),
                _ => continue,
            };
            let location: Location = target.step(Step::Any);
            let mode = if writes { Mode::Write } else { Mode::Read };
            accesses.push(Access {
                at: (closure.file, span),
                selectors: selectors.clone(),
                opaque: true,
                claimed: false,
                ..self.access(location, Extent::Some, mode, span, name)
            });
        }
        accesses
    }
}

/// Names that are indexed or dereferenced: where, and whether that is ever a store.
fn note<'a>(expression: &'a Expr, indexed: &mut BTreeMap<&'a str, (Span, bool)>) {
    let (target, writes) = match &expression.kind {
        ExprKind::Assign { target, .. } => (&**target, true),
        ExprKind::Unary {
            op:
                UnaryOp::PreIncrement | UnaryOp::PostIncrement | UnaryOp::PreDecrement | UnaryOp::PostDecrement,
            operand,
        } => (&**operand, true),
        _ => (expression, false),
    };
    let pointer = match &target.kind {
        ExprKind::Index { object, .. } => object,
        ExprKind::Unary {
            op: UnaryOp::Deref,
            operand,
        } => operand,
        _ => return,
    };
    if let ExprKind::Name(name) = &pointer.kind
        && name.is_plain()
    {
        let entry = indexed.entry(name.last()).or_insert((target.span, writes));
        if writes && !entry.1 {
            *entry = (target.span, true);
        }
    }
}

/// The names a lambda captured, with the types they are declared with in the function around it.
fn captures_of<'p>(closure: &Closure<'p>, around: &'p Function) -> Vec<(&'p str, Option<&'p Type>)> {
    let mut declared: BTreeMap<&str, &Type> = BTreeMap::new();
    for parameter in &around.params {
        declared.insert(&parameter.name, &parameter.ty);
    }
    visit::function(around, &mut |node| {
        if let Node::Variable(variable) = node {
            declared.insert(&variable.name, &variable.ty);
        }
    });
    let mut names: BTreeSet<&str> = closure
        .lambda
        .captures
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    visit::statements(&closure.lambda.body, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Name(name),
            ..
        }) = node
            && name.is_plain()
        {
            names.insert(name.last());
        }
    });
    names.retain(|it| closure.captured.contains_key(*it));
    names
        .into_iter()
        .map(|it| (it, declared.get(it).copied()))
        .collect()
}
