//! Expressions of device code: their symbolic values, and the loads and stores they make.

use std::rc::Rc;

use super::super::FunctionId;
use super::symbols::{
    Base, Kind, Load, Loc, Step, Strength, Sym, Touch, Ty, binary, expr, int, node, select, unary,
};
use super::tables::type_size;
use super::walk::{Closure, PathCondition, Walker, class_of};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Lambda, MemorySpace, Name, Role, Span, Type, UnaryOp};

/// What an operator on an object comes to.
enum Applied {
    /// Its class has the operator, which names this place.
    Place(Loc),
    /// It has none: the value of the object.
    No(Sym),
}

impl<'a> Walker<'a> {
    /// The value of an expression; its side effects happen.
    pub(super) fn evaluate(&mut self, expr: &'a Expr) -> Sym {
        match self.nested(|walker| walker.value(expr)) {
            Some(value) => value,
            None => self.unknown(),
        }
    }

    fn value(&mut self, expression: &'a Expr) -> Sym {
        let span = expression.span;
        match &expression.kind {
            ExprKind::Int(value) => int(*value),
            ExprKind::Null => int(0),
            ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::SizeOf(_) => constant(expression.kind.clone()),
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. } => {
                if let ExprKind::Name(name) = &expression.kind
                    && let Some(value) = self.macro_argument(name)
                {
                    return value;
                }
                let loc = self.lvalue(expression);
                self.read(&loc, span)
            }
            ExprKind::This => match self.frame().this.clone() {
                Some(this) => node(Kind::Address(this)),
                None => self.unknown(),
            },
            ExprKind::Unary { op, operand } => self.unary_value(*op, operand, span),
            ExprKind::Binary { op, left, right } => self.binary_value(*op, left, right),
            ExprKind::Assign { op, target, value } => self.assignment(*op, target, value, span),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(condition, then, otherwise),
            ExprKind::Call(call) => self.call(call, span),
            ExprKind::Cast { ty, .. } if ty.reference => {
                let loc = self.lvalue(expression);
                self.read(&loc, span)
            }
            ExprKind::Cast { ty, operand } => {
                let value = self.evaluate(operand);
                self.recast(value, ty)
            }
            ExprKind::Construct { ty, init } => self.construct(ty, init.expressions().collect()),
            ExprKind::InitList(values) => {
                let values = values.iter().map(|value| self.evaluate(&value.value)).collect();
                node(Kind::Derived(values))
            }
            ExprKind::Lambda(lambda) => self.closure(lambda),
            ExprKind::Asm {
                text,
                operands,
                outputs,
            } => self.assembly(text, operands, *outputs, span),
            ExprKind::New {
                init,
                array,
                placement,
                ..
            } => {
                self.discard(placement);
                init.iter().flat_map(|it| it.expressions()).for_each(|it| {
                    self.evaluate(it);
                });
                array.iter().for_each(|length| {
                    self.evaluate(length);
                });
                if placement.is_empty() {
                    self.heap_use(span, "new");
                }
                self.unknown()
            }
            ExprKind::Delete { operand } => {
                self.evaluate(operand);
                self.heap_use(span, "delete");
                self.unknown()
            }
            ExprKind::Launch(launch) => self.unknown_call(&launch.args, Vec::new()),
            ExprKind::Throw(value) => {
                value.iter().for_each(|value| {
                    self.evaluate(value);
                });
                self.unknown()
            }
            ExprKind::Opaque(parts) => {
                self.discard(parts);
                self.unknown()
            }
        }
    }

    /// Evaluates for side effects only.
    pub(super) fn discard(&mut self, exprs: &'a [Expr]) {
        for expr in exprs {
            self.evaluate(expr);
        }
    }

    fn unary_value(&mut self, op: UnaryOp, operand: &'a Expr, span: Span) -> Sym {
        let step = match op {
            UnaryOp::Deref => {
                let loc = self.dereferenced(operand);
                return self.read(&loc, span);
            }
            UnaryOp::AddressOf => {
                let loc = self.lvalue(operand);
                return match loc.ty.is_array() {
                    true => node(Kind::Address(loc.element(int(0)))),
                    false => node(Kind::Address(loc)),
                };
            }
            UnaryOp::PreIncrement | UnaryOp::PostIncrement => 1,
            UnaryOp::PreDecrement | UnaryOp::PostDecrement => -1,
            UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Negate | UnaryOp::Plus => {
                let operand = self.evaluate(operand);
                let operand = self.content(operand, span);
                return unary(op, &operand);
            }
        };
        let loc = self.lvalue(operand);
        let loc = self.referent(&loc).unwrap_or(loc);
        let old = self.read(&loc, span);
        let new = self.sum(BinaryOp::Add, &old, &int(step));
        self.write(&loc, Some(Rc::clone(&new)), span);
        if matches!(op, UnaryOp::PreIncrement | UnaryOp::PreDecrement) {
            new
        } else {
            old
        }
    }

    fn binary_value(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Sym {
        let a = self.evaluate(left);
        match op {
            BinaryOp::Comma | BinaryOp::List => self.evaluate(right),
            BinaryOp::And | BinaryOp::Or => {
                let side = op == BinaryOp::And;
                if let Kind::Int(value) = a.kind
                    && (value != 0) != side
                {
                    return int(value);
                }
                self.path.push(PathCondition {
                    sym: Rc::clone(&a),
                    side,
                    span: left.span,
                    first_round: false,
                });
                let b = self.evaluate(right);
                self.path.pop();
                match a.kind {
                    Kind::Int(_) => b,
                    _ => binary(op, &a, &b),
                }
            }
            _ => {
                let a = self.content(a, left.span);
                let b = self.evaluate(right);
                let b = self.content(b, right.span);
                self.sum(op, &a, &b)
            }
        }
    }

    /// What an `atomic_ref` refers to, where its value is used; any other value.
    fn content(&mut self, value: Sym, span: Span) -> Sym {
        match &value.kind {
            Kind::Address(target) if is_atomic_ref(&target.ty) => {
                let target = target.clone();
                self.load(&target, Strength::Strong, Touch::Read, span)
            }
            _ => value,
        }
    }

    /// A binary operator that knows pointer arithmetic.
    fn sum(&mut self, op: BinaryOp, left: &Sym, right: &Sym) -> Sym {
        match op {
            BinaryOp::Add if is_pointer(left) => node(Kind::Address(self.deref(left, right))),
            BinaryOp::Add if is_pointer(right) => node(Kind::Address(self.deref(right, left))),
            BinaryOp::Subtract if is_pointer(left) && !is_pointer(right) => {
                let back = unary(UnaryOp::Negate, right);
                node(Kind::Address(self.deref(left, &back)))
            }
            _ => binary(op, left, right),
        }
    }

    fn assignment(&mut self, op: Option<BinaryOp>, target: &'a Expr, value: &'a Expr, span: Span) -> Sym {
        let value = self.evaluate(value);
        let loc = self.lvalue(target);
        let loc = self.referent(&loc).unwrap_or(loc);
        let value = match op {
            None => match loc.ty.is_pointer() {
                true => self.retyped(value, &loc.ty),
                false => value,
            },
            Some(op) => {
                let old = self.read(&loc, span);
                self.sum(op, &old, &value)
            }
        };
        self.write(&loc, Some(Rc::clone(&value)), span);
        value
    }

    /// What a local `atomic_ref` refers to.
    fn referent(&self, loc: &Loc) -> Option<Loc> {
        let held = match &loc.base {
            Base::Local(id) if loc.path.is_empty() => self.store.find(*id, &[])?.0,
            Base::Temporary(value) if loc.path.is_empty() => Rc::clone(value),
            _ => return None,
        };
        match &held.kind {
            Kind::Address(target) if is_atomic_ref(&target.ty) => Some(target.clone()),
            _ => None,
        }
    }

    /// The argument a parameter of a macro stands for, evaluated where the macro is used.
    fn is_macro_argument(&self, name: &Name) -> bool {
        let is_known = |it| self.macro_arguments.contains_key(&it);
        !self.macro_arguments.is_empty() && name.is_plain() && self.lookup(name.last()).is_some_and(is_known)
    }

    fn macro_argument(&mut self, name: &Name) -> Option<Sym> {
        if self.macro_arguments.is_empty() || !name.is_plain() {
            return None;
        }
        let id = self.lookup(name.last())?;
        let (argument, depth) = *self.macro_arguments.get(&id)?;
        let inner = self.frame_mut().scopes.split_off(depth);
        let value = self.evaluate(argument);
        self.frame_mut().scopes.extend(inner);
        Some(value)
    }

    fn conditional(&mut self, condition: &'a Expr, then: &'a Expr, otherwise: &'a Expr) -> Sym {
        let sym = self.evaluate(condition);
        match sym.kind {
            Kind::Int(0) => return self.evaluate(otherwise),
            Kind::Int(_) => return self.evaluate(then),
            _ => {}
        }
        let side = |walker: &mut Self, expr: &'a Expr, side| {
            walker.path.push(PathCondition {
                sym: Rc::clone(&sym),
                side,
                span: condition.span,
                first_round: false,
            });
            let value = walker.evaluate(expr);
            walker.path.pop();
            value
        };
        let then = side(self, then, true);
        let otherwise = side(self, otherwise, false);
        select(&sym, &then, &otherwise)
    }

    fn closure(&mut self, lambda: &'a Lambda) -> Sym {
        let frame = self.frame();
        let closure = Closure {
            lambda,
            function: frame.function,
            file: frame.file,
            this: frame.this.clone(),
            template: Rc::clone(&frame.template),
            scopes: frame.scopes.clone(),
            outside: false,
        };
        self.lambdas.push(closure);
        node(Kind::Lambda(self.lambdas.len() - 1))
    }

    /// A value of a class type made from arguments: a reference for `atomic_ref`, else the single argument.
    pub(super) fn construct(&mut self, ty: &Type, args: Vec<&'a Expr>) -> Sym {
        if ty.name.last() == "atomic_ref"
            && let Some(first) = args.first()
        {
            let mut loc = self.lvalue(first);
            loc.ty = Ty::of(ty);
            return node(Kind::Address(loc));
        }
        let mut values: Vec<Sym> = args.into_iter().map(|arg| self.evaluate(arg)).collect();
        match values.len() {
            1 => values.remove(0),
            0 => int(0),
            _ => node(Kind::Derived(values)),
        }
    }

    /// The location an expression names.
    pub(super) fn lvalue(&mut self, expression: &'a Expr) -> Loc {
        match self.nested(|walker| walker.location(expression)) {
            Some(loc) => loc,
            None => {
                let unknown = self.unknown();
                Loc::new(Base::Temporary(unknown), Ty::default())
            }
        }
    }

    fn location(&mut self, expression: &'a Expr) -> Loc {
        match &expression.kind {
            ExprKind::Name(name) => self.named(name),
            ExprKind::Member { object, field, arrow } => {
                let object = match arrow {
                    true => self.arrow_target(object),
                    false => self.lvalue(object),
                };
                self.member(&object, field)
            }
            ExprKind::Index { object, index } => {
                match self.applied(object, "operator[]", std::slice::from_ref(&**index)) {
                    Applied::Place(place) => place,
                    Applied::No(object) => {
                        let index = self.evaluate(index);
                        self.deref(&object, &index)
                    }
                }
            }
            ExprKind::Unary {
                op: UnaryOp::Deref,
                operand,
            } => self.dereferenced(operand),
            ExprKind::Cast { ty, operand } if ty.reference => {
                let mut loc = self.lvalue(operand);
                loc.ty = self.ty(ty);
                loc
            }
            _ => {
                let ty = self.constructed_type(expression).unwrap_or_default();
                let value = self.evaluate(expression);
                match (&value.kind, &expression.kind) {
                    // A call that names a place returns a reference to it.
                    (Kind::Load(load), ExprKind::Call(_)) => load.loc.clone(),
                    (Kind::Parameter(loc), ExprKind::Call(_)) => loc.clone(),
                    _ => Loc::new(Base::Temporary(value), ty),
                }
            }
        }
    }

    /// What a pointer, or an object that stands for one, points to.
    fn dereferenced(&mut self, operand: &'a Expr) -> Loc {
        match self.applied(operand, "operator*", &[]) {
            Applied::Place(place) => place,
            Applied::No(pointer) => self.deref(&pointer, &int(0)),
        }
    }

    /// What the pointer, or the object that stands for one, on the left of an arrow points to.
    pub(super) fn arrow_target(&mut self, object: &'a Expr) -> Loc {
        let pointer = match self.applied(object, "operator->", &[]) {
            Applied::Place(place) => self.read(&place, object.span),
            Applied::No(pointer) => pointer,
        };
        self.deref(&pointer, &int(0))
    }

    /// What an operator of an object's class names, where its class has that operator; else the value of the object.
    fn applied(&mut self, object: &'a Expr, operator: &str, args: &'a [Expr]) -> Applied {
        let is_place = matches!(
            object.kind,
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. }
        );
        if !is_place || matches!(&object.kind, ExprKind::Name(name) if self.is_macro_argument(name)) {
            return Applied::No(self.evaluate(object));
        }
        let place = self.lvalue(object);
        let place = self.object_of(place);
        if !place.ty.is_pointer()
            && !place.ty.is_array()
            && let Some(name) = place.ty.name().filter(|it| type_size(it.last()) == 0).cloned()
        {
            let from = self.frame().function;
            if let Some(callee) = self.scope.class_method(from, &name, operator, args.len()) {
                return Applied::Place(self.inline_place(callee, args, place, object.span));
            }
            self.note_dependent(&name);
        }
        Applied::No(self.read(&place, object.span))
    }

    /// A field of an object, with its declared type where the class is known.
    pub(super) fn member(&self, object: &Loc, field: &str) -> Loc {
        let class = object
            .ty
            .name()
            .and_then(|name| self.scope.class(self.frame().function, name));
        let declared = class.and_then(|class| class.fields.iter().find(|known| known.name == field));
        let mut ty = match declared {
            Some(declared) => Ty::array(&declared.ty, declared.dims.len()),
            None => Ty::default(),
        };
        if object.ty.is_volatile() {
            ty = ty.made_volatile();
        }
        object.field(field, ty)
    }

    /// The element at `index` of what a pointer points to.
    pub(super) fn deref(&mut self, pointer: &Sym, index: &Sym) -> Loc {
        match &pointer.kind {
            Kind::Address(loc) => loc.advanced(index),
            Kind::Parameter(loc) => loc.element(Rc::clone(index)),
            Kind::Load(load) => load.loc.element(Rc::clone(index)),
            Kind::Binary(BinaryOp::Add, left, right)
                if matches!(left.kind, Kind::Load(_) | Kind::Parameter(_)) =>
            {
                self.deref(left, right).advanced(index)
            }
            Kind::Select(_, then, otherwise) => match (&then.kind, &otherwise.kind) {
                (Kind::Int(0), _) => self.deref(&Rc::clone(otherwise), index),
                (_, Kind::Int(0)) => self.deref(&Rc::clone(then), index),
                _ => through(pointer, index),
            },
            _ => through(pointer, index),
        }
    }

    /// What a name means.
    fn named(&mut self, name: &Name) -> Loc {
        if name.is_plain()
            && let Some(id) = self.lookup(name.last())
            && let Some(variable) = self.variable(id)
        {
            return match &variable.refers_to {
                Some(target) => target.clone(),
                None => Loc::new(Base::Local(id), variable.ty.clone()),
            };
        }
        let function = self.frame().function;
        if let Some(field) = self.own_field(name, function) {
            return field;
        }
        if let Some(id) = self.scope.resolve_device_global(function, name) {
            let variable = &self.scope.global(id).variable;
            match variable.space {
                Some(MemorySpace::Device | MemorySpace::Managed | MemorySpace::Constant) => {
                    return Loc::new(
                        Base::Global(id),
                        Ty::array(&self.resolved(&variable.ty), variable.dims.len()),
                    );
                }
                Some(MemorySpace::Shared) => {
                    return Loc::new(Base::Temporary(node(Kind::Local)), Ty::default());
                }
                None => {}
            }
        }
        Loc::new(
            Base::Temporary(self.constant_value(name, function)),
            Ty::default(),
        )
    }

    fn constant_value(&self, name: &Name, function: FunctionId) -> Sym {
        match name.last() {
            "threadIdx" | "blockIdx" | "clusterIdx" => return node(Kind::Thread(name.last().to_owned())),
            "blockDim" | "gridDim" | "warpSize" | "clusterDim" => {
                return node(Kind::Launch(name.last().to_owned()));
            }
            _ => {}
        }
        let substituted = self.substituted(name);
        let name = substituted.as_ref().unwrap_or(name);
        if let Some(number) = substituted.as_ref().and_then(|it| it.last().parse().ok()) {
            return int(number);
        }
        match self.scope.constant(function, name) {
            Some(value) => int(value),
            None => constant(ExprKind::Name(name.clone())),
        }
    }

    /// The field of the current object that a plain name in a method means.
    fn own_field(&self, name: &Name, function: FunctionId) -> Option<Loc> {
        let this = self.frame().this.as_ref().filter(|_| name.is_plain())?;
        let method = self.scope.function(function);
        if !matches!(method.role, Role::Method | Role::Constructor | Role::Destructor)
            || self.scope.is_static(function)
        {
            return None;
        }
        let class = class_of(method).and_then(|class| self.scope.class(function, &class));
        let is_field = match class {
            Some(class) => {
                class.fields.iter().any(|field| field.name == name.last())
                    || (!class.bases.is_empty() && !self.is_known_elsewhere(name, function))
            }
            None => !self.is_known_elsewhere(name, function),
        };
        if !is_field {
            return None;
        }
        let mut this = this.clone();
        if this.ty.name().is_none()
            && let Some(class) = class_of(method)
        {
            this.ty = Ty::of(&Type {
                name: class,
                ..Type::plain("")
            });
        }
        Some(self.member(&this, name.last()))
    }

    fn is_known_elsewhere(&self, name: &Name, function: FunctionId) -> bool {
        matches!(
            name.last(),
            "threadIdx" | "blockIdx" | "blockDim" | "gridDim" | "warpSize"
        ) || self.scope.constant(function, name).is_some()
            || self.scope.resolve_device_global(function, name).is_some()
            || self
                .scope
                .function(function)
                .template_params
                .iter()
                .any(|param| param == name.last())
    }

    /// A value converted to a type: pointers take over what the type says of what they point to.
    pub(super) fn recast(&mut self, value: Sym, ty: &Type) -> Sym {
        if matches!(ty.name.last(), "auto" | "decltype") {
            return value;
        }
        let ty = self.ty(ty);
        self.retyped(value, &ty)
    }

    fn retyped(&mut self, value: Sym, ty: &Ty) -> Sym {
        if !ty.is_pointer() {
            return value;
        }
        match &value.kind {
            Kind::Address(loc) => node(Kind::Address(Loc {
                ty: ty.pointee(),
                ..loc.clone()
            })),
            Kind::Parameter(loc) => node(Kind::Parameter(Loc {
                ty: ty.clone(),
                ..loc.clone()
            })),
            Kind::Load(load) => node(Kind::Load(Load {
                loc: Loc {
                    ty: ty.clone(),
                    ..load.loc.clone()
                },
                strength: load.strength,
                serial: load.serial,
                touch: load.touch.clone(),
            })),
            Kind::Select(condition, then, otherwise) => {
                let then = self.retyped(Rc::clone(then), ty);
                let otherwise = self.retyped(Rc::clone(otherwise), ty);
                select(condition, &then, &otherwise)
            }
            Kind::Int(_) | Kind::Lambda(_) | Kind::Grid | Kind::Group => value,
            _ => {
                let mut loc = through(&value, &int(0));
                loc.ty = ty.pointee();
                node(Kind::Address(loc))
            }
        }
    }
}

pub(super) fn constant(kind: ExprKind) -> Sym {
    node(Kind::Constant(expr(kind)))
}

/// Memory behind a pointer of unknown origin.
fn through(pointer: &Sym, index: &Sym) -> Loc {
    let mut loc = Loc::new(Base::Through(Rc::clone(pointer)), Ty::default());
    loc.path.push(Step::Element(Rc::clone(index)));
    loc
}

/// `true` for values known to be pointers.
pub(super) fn is_pointer(sym: &Sym) -> bool {
    match &sym.kind {
        Kind::Address(_) => true,
        Kind::Parameter(loc) => loc.ty.is_pointer(),
        Kind::Load(load) => load.loc.ty.is_pointer(),
        _ => false,
    }
}

fn is_atomic_ref(ty: &Ty) -> bool {
    ty.name().is_some_and(|name| name.last() == "atomic_ref")
}
