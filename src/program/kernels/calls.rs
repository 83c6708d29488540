//! Calls in device code: inlined where the body is known, else by name.

use std::rc::Rc;

use super::super::FunctionId;
use super::symbols::{Base, Kind, Loc, Strength, Sym, Touch, Ty, int, node, select};
use super::tables::{Intrinsic, builtin_atomic, intrinsic, library};
use super::walk::{Breakable, Frame, INLINE_DEPTH, PathCondition, Walker, is_grid};
use crate::facts::ir::{Call, Expr, ExprKind, Function, Name, Parameter, Role, Span, Stmt, StmtKind};

impl<'a> Walker<'a> {
    /// The value of a call.
    pub(super) fn call(&mut self, call: &'a Call, span: Span) -> Sym {
        match &call.callee.kind {
            ExprKind::Name(name) => self.call_name(name, &call.args, span),
            ExprKind::Member { object, field, arrow } => {
                self.call_member(object, field, *arrow, &call.args, span)
            }
            _ => {
                if let Some(ty) = self.constructed_type(&call.callee)
                    && let Some(callee) = self.method_of(&ty, "operator()", call.args.len())
                {
                    let object = self.lvalue(&call.callee);
                    return self.inline(callee, &call.args, Some(object), &[], span);
                }
                let callee = self.evaluate(&call.callee);
                match callee.kind {
                    Kind::Lambda(index) => self.call_lambda(index, &call.args),
                    _ => self.unknown_call(&call.args, Vec::new()),
                }
            }
        }
    }

    fn call_name(&mut self, name: &'a Name, args: &'a [Expr], span: Span) -> Sym {
        if name.is_plain()
            && let Some(variable) = self.lookup(name.last())
        {
            return self.call_object(variable, args, span);
        }
        if let Some(operation) = builtin_atomic(name.last()) {
            return self.builtin_atomic(operation, args, span);
        }
        let known = intrinsic(name.last());
        if let Some(known) = known
            && (known == Intrinsic::Pure || is_reserved(name.last()))
        {
            return self.intrinsic(known, name, args, span);
        }
        let from = self.frame().function;
        let substituted = self.substituted(name);
        let meant = substituted.as_ref().unwrap_or(name);
        if let Some(callee) = self.callee(from, meant, args.len()) {
            let this = self.frame().this.clone();
            return self.inline(callee, args, this, &name.template_args, span);
        }
        if args.len() <= 1 && known.is_none() && (self.is_conversion(meant) || self.names_number(name)) {
            return self.constructed(name, args);
        }
        if !self.is_conversion(meant) {
            self.note_dependent(&meant.clone());
        }
        if let Some(known) = known.or_else(|| library(&name.path)) {
            return self.intrinsic(known, name, args, span);
        }
        let aliased = self.scope.alias(from, name).map(|ty| &ty.name);
        if aliased.unwrap_or(name).last() == "atomic_ref" {
            return self.constructed(name, args);
        }
        self.call_by_name(name.last(), args, span)
    }

    /// `cuda::atomic_ref<T>(place)`, `T(0)`.
    fn constructed(&mut self, name: &Name, args: &'a [Expr]) -> Sym {
        let ty = crate::facts::ir::Type {
            name: name.clone(),
            ..crate::facts::ir::Type::plain("")
        };
        let ty = self.resolved(&ty);
        self.construct(&ty, args.iter().collect())
    }

    /// `f(…)` with a local lambda or functor `f`.
    fn call_object(&mut self, variable: u32, args: &'a [Expr], span: Span) -> Sym {
        let held = self.store.find(variable, &[]).map(|(value, _)| value);
        if let Some(Kind::Lambda(index)) = held.as_deref().map(|node| &node.kind) {
            return self.call_lambda(*index, args);
        }
        let ty = self
            .variable(variable)
            .map(|variable| variable.ty.clone())
            .unwrap_or_default();
        let object = self.object_of(Loc::new(Base::Local(variable), ty));
        match self.method_of(&object.ty, "operator()", args.len()) {
            Some(callee) => self.inline(callee, args, Some(object), &[], span),
            _ => self.unknown_call(args, Vec::new()),
        }
    }

    /// The device function a name means: a static method may come from a base of its class.
    fn callee(&self, from: FunctionId, name: &Name, arguments: usize) -> Option<FunctionId> {
        let found = self.scope.resolve_device(from, name, arguments);
        found.or_else(|| {
            let (method, class) = name.path.split_last().filter(|(_, class)| !class.is_empty())?;
            let class = Name {
                path: class.to_vec(),
                template_args: Vec::new(),
                owner_args: Vec::new(),
            };
            self.scope.class_method(from, &class, method, arguments)
        })
    }

    fn call_member(
        &mut self,
        object: &'a Expr,
        method: &'a str,
        arrow: bool,
        args: &'a [Expr],
        span: Span,
    ) -> Sym {
        let loc = match arrow {
            true => self.arrow_target(object),
            false => self.lvalue(object),
        };
        let value = match &loc.base {
            Base::Local(id) if loc.path.is_empty() => self.store.find(*id, &[]).map(|(value, _)| value),
            Base::Temporary(value) if loc.path.is_empty() => Some(Rc::clone(value)),
            _ => None,
        };
        match value.as_deref().map(|node| &node.kind) {
            Some(Kind::Grid) => return self.grid_method(method, args, span),
            Some(Kind::Group) => return self.group_method(method, args),
            Some(Kind::Address(target)) if target.ty.is_atomic() => {
                let target = target.clone();
                return self.atomic_method(&target, method, args, span);
            }
            _ => {}
        }
        if loc.ty.is_atomic() {
            return self.atomic_method(&loc, method, args, span);
        }
        let loc = self.object_of(loc);
        if let Some(callee) = self.method_of(&loc.ty, method, args.len()) {
            return self.inline(callee, args, Some(loc), &[], span);
        }
        match method {
            "sync" | "wait" | "arrive" | "arrive_and_wait" | "barrier_arrive" | "barrier_wait" => {
                self.reload();
                self.discard(args);
                self.unknown()
            }
            "load" | "load_relaxed" | "load_acquire" if loc.is_visible() => {
                self.discard(args);
                self.load(&loc, Strength::Strong, Touch::Read, span)
            }
            "thread_rank" | "block_rank" | "thread_index" | "block_index" => {
                node(Kind::Thread(method.to_owned()))
            }
            _ => self.unknown_call(args, vec![loc]),
        }
    }

    fn grid_method(&mut self, method: &str, args: &'a [Expr], span: Span) -> Sym {
        self.discard(args);
        match method {
            "sync" | "barrier_wait" | "barrier_arrive" => {
                self.grid_sync(span);
                self.unknown()
            }
            "size" | "num_threads" | "num_blocks" | "group_dim" | "is_valid" | "dim_blocks" => {
                node(Kind::Launch(format!("grid.{method}")))
            }
            _ => node(Kind::Thread(format!("grid.{method}"))),
        }
    }

    fn grid_sync(&mut self, span: Span) {
        self.note_sync();
        self.reload();
        let file = self.frame().file;
        if self.dry {
            return;
        }
        self.summary.grid_sync.get_or_insert((file, span));
        self.note_grid_sync(file, span);
    }

    fn group_method(&mut self, method: &str, args: &'a [Expr]) -> Sym {
        let values: Vec<Sym> = args.iter().map(|arg| self.evaluate(arg)).collect();
        match method {
            "shfl" | "shfl_up" | "shfl_down" | "shfl_xor" | "any" | "all" | "ballot" => {
                match values.first() {
                    Some(value) => Rc::clone(value),
                    None => self.unknown(),
                }
            }
            "size" | "num_threads" | "meta_group_size" => node(Kind::Launch(method.to_owned())),
            "thread_rank" | "meta_group_rank" | "thread_index" | "group_index" | "block_rank" => {
                node(Kind::Thread(method.to_owned()))
            }
            _ => {
                self.note_sync();
                self.reload();
                self.unknown()
            }
        }
    }

    /// A barrier: what one thread has waited for, all have.
    fn note_sync(&mut self) {
        let serial = self.next_serial();
        self.syncs.push(serial);
    }

    fn intrinsic(&mut self, known: Intrinsic, name: &'a Name, args: &'a [Expr], span: Span) -> Sym {
        match known {
            Intrinsic::Heap => {
                self.discard(args);
                self.reload();
                self.heap_use(span, name.last());
                return self.unknown();
            }
            Intrinsic::Trap => {
                self.discard(args);
                self.leave_kernel();
                return self.unknown();
            }
            Intrinsic::Grid => return node(Kind::Grid),
            Intrinsic::Group => {
                self.discard(args);
                return node(Kind::Group);
            }
            _ => {}
        }
        let values: Vec<Sym> = args.iter().map(|arg| self.evaluate(arg)).collect();
        let target = values
            .first()
            .cloned()
            .map(|pointer| self.deref(&pointer, &int(0)));
        match (known, target) {
            (Intrinsic::Update, Some(loc)) => match values.get(1) {
                Some(operand) if !matches!(name.last(), "atomicInc" | "atomicDec") => {
                    let operation = name.last().trim_start_matches("atomic");
                    let operation = operation.split('_').next().unwrap_or_default().to_owned();
                    let operand = Rc::clone(operand);
                    self.read_modify_write(&loc, &operation, &operand, span)
                }
                _ => self.update(&loc, Touch::Change, None, span),
            },
            (Intrinsic::Exchange, Some(loc)) => match values.get(1) {
                Some(stored) => self.update(
                    &loc,
                    Touch::Exchange(Rc::clone(stored)),
                    Some(Rc::clone(stored)),
                    span,
                ),
                None => self.unknown(),
            },
            (Intrinsic::Compare, Some(loc)) => self.compare_and_swap(&loc, &values, span),
            (Intrinsic::WeakLoad, Some(loc)) => {
                if loc.is_visible() {
                    self.load(&loc, loc.ty.strength().max(Strength::Weak), Touch::Read, span)
                } else {
                    self.read(&loc, span)
                }
            }
            (Intrinsic::Store, Some(loc)) => {
                self.reload();
                self.write(&loc, values.get(1).cloned(), span);
                self.unknown()
            }
            (Intrinsic::Copy, Some(loc)) => {
                self.reload();
                let source = values
                    .get(1)
                    .cloned()
                    .map(|pointer| self.deref(&pointer, &int(0)));
                let value = source.map(|source| self.read(&source, span));
                self.write(&loc, value, span);
                self.unknown()
            }
            (Intrinsic::Fill, Some(loc)) => {
                self.reload();
                let zero = values
                    .get(1)
                    .filter(|value| matches!(value.kind, Kind::Int(0)))
                    .cloned();
                self.write(&loc, zero, span);
                self.unknown()
            }
            (Intrinsic::Fence, _) => {
                match name.last() {
                    "__syncthreads" => {
                        self.note_sync();
                        self.reload_cached();
                    }
                    _ => self.reload(),
                }
                self.unknown()
            }
            (Intrinsic::GroupSync, _) => {
                match values.first().map(|group| &group.kind) {
                    Some(Kind::Grid) => self.grid_sync(span),
                    _ => {
                        self.note_sync();
                        self.reload();
                    }
                }
                self.unknown()
            }
            (Intrinsic::Sleep, _) => {
                self.reload_cached();
                self.unknown()
            }
            (Intrinsic::Clock, _) => {
                self.reload();
                node(Kind::Clock)
            }
            (Intrinsic::Broadcast(position), _) => self.broadcast(name.last(), &values, position),
            (Intrinsic::Thread, _) => node(Kind::Thread(name.last().to_owned())),
            // Arithmetic gets no pointers: that one is named like an intrinsic, and nothing is known of it.
            (Intrinsic::Pure, _)
                if is_reserved(name.last()) && values.iter().any(super::evaluate::is_pointer) =>
            {
                self.unknown_result(&values, Vec::new())
            }
            (Intrinsic::Pure, _) => node(Kind::Derived(values)),
            _ => self.unknown(),
        }
    }

    fn broadcast(&mut self, name: &str, values: &[Sym], position: usize) -> Sym {
        if name.starts_with("__syncthreads") {
            self.note_sync();
            self.reload();
        }
        match values.get(position).or(values.first()) {
            Some(value) => Rc::clone(value),
            None => self.unknown(),
        }
    }

    /// A function whose body is not known and whose name may still say what it does.
    fn call_by_name(&mut self, name: &str, args: &'a [Expr], span: Span) -> Sym {
        let lower = name.to_ascii_lowercase();
        let loads = lower.contains("load") || lower.starts_with("ld_") || lower.contains("_ld_");
        if loads && args.len() <= 2 && !lower.contains("download") {
            let values: Vec<Sym> = args.iter().map(|arg| self.evaluate(arg)).collect();
            if let Some(pointer) = values.first().filter(|value| super::evaluate::is_pointer(value)) {
                let loc = self.deref(&Rc::clone(pointer), &int(0));
                if loc.is_visible() {
                    return self.load(&loc, Strength::Strong, Touch::Read, span);
                }
            }
            return self.unknown();
        }
        self.unknown_call(args, Vec::new())
    }

    /// A call nothing is known of: it may do anything with the pointers it gets.
    pub(super) fn unknown_call(&mut self, args: &'a [Expr], objects: Vec<Loc>) -> Sym {
        let values: Vec<Sym> = args.iter().map(|it| self.evaluate(it)).collect();
        self.unknown_result(&values, objects)
    }

    fn unknown_result(&mut self, values: &[Sym], objects: Vec<Loc>) -> Sym {
        let mut reached: Vec<Base> = objects
            .into_iter()
            .filter(Loc::is_visible)
            .map(|loc| loc.base)
            .collect();
        for value in values {
            self.hand_out(value, &mut reached);
        }
        if !reached.is_empty() {
            self.summary.incomplete = true;
        }
        for breakable in &mut self.breakables {
            if let Breakable::Loop(around) = breakable {
                around.reloads = true;
                around.refreshes = true;
                around.calls_unknown = true;
                around.has_effect = true;
                around.handed_out.extend(reached.iter().cloned());
            }
        }
        self.unknown()
    }

    /// Notes what a callee can reach through a value.
    fn hand_out(&mut self, value: &Sym, reached: &mut Vec<Base>) {
        match &value.kind {
            Kind::Address(loc) => match &loc.base {
                Base::Local(id) => {
                    let unknown = self.unknown();
                    if self.variable(*id).is_some() {
                        self.store.set(*id, &loc.path, unknown);
                    }
                }
                base if loc.is_visible() => reached.push(base.clone()),
                _ => {}
            },
            Kind::Parameter(loc) if loc.ty.is_pointer() => reached.push(loc.base.clone()),
            Kind::Load(load) if load.loc.ty.is_pointer() => reached.push(load.loc.base.clone()),
            _ => {}
        }
    }

    /// Walks a device function with its arguments bound.
    fn inline(
        &mut self,
        callee: FunctionId,
        args: &'a [Expr],
        this: Option<Loc>,
        template: &[String],
        span: Span,
    ) -> Sym {
        let result = self.inline_raw(callee, args, this, template);
        let function = self.scope.function(callee);
        match function.role {
            Role::Macro => result,
            _ => self.retyped_result(result, function, span),
        }
    }

    /// The same for an operator of an object: the place that it returns a reference to.
    pub(super) fn inline_place(
        &mut self,
        callee: FunctionId,
        args: &'a [Expr],
        this: Loc,
        span: Span,
    ) -> Loc {
        let result = self.inline_raw(callee, args, Some(this), &[]);
        let function = self.scope.function(callee);
        if function.result.reference
            && let Kind::Address(loc) = &result.kind
        {
            return loc.clone();
        }
        let ty = self.ty(&function.result);
        let value = self.retyped_result(result, function, span);
        Loc::new(Base::Temporary(value), ty)
    }

    fn inline_raw(
        &mut self,
        callee: FunctionId,
        args: &'a [Expr],
        this: Option<Loc>,
        template: &[String],
    ) -> Sym {
        let function = self.scope.function(callee);
        let active = self
            .frames
            .iter()
            .filter(|frame| frame.function == callee)
            .count();
        if self.recursion.is_some() && active > 0 {
            let arguments = self.bind(&function.params, args);
            if self.begins_anew(callee, &arguments) {
                return self.unknown();
            }
        }
        if active > 0 && function.role != Role::Macro {
            self.recursive.get_or_insert(callee);
        }
        if self.frames.len() > INLINE_DEPTH || active > 1 || !function.defined {
            self.summary.incomplete |= function.defined;
            return self.unknown_call(args, Vec::new());
        }
        if function.role == Role::Macro {
            return self.inline_macro(callee, function, args);
        }
        let template = self.bindings(function, template, &self.argument_types(args), this.as_ref());
        let bound: Vec<Argument> = self.bind(&function.params, args);
        let incomplete = self.summary.incomplete;
        let mut frame = Frame::new(callee, callee.file, this.clone(), self.path.len());
        frame.template = template;
        frame.returns_place = function.result.reference;
        self.frames.push(frame);
        let first = u32::try_from(self.variables.len()).unwrap_or(u32::MAX);
        self.declare_arguments(&function.params, bound.clone());
        let result = self.walk_body(&function.body, first);
        if active == 0 && self.recursive == Some(callee) {
            self.recursive = None;
            self.recursion(callee, function, &bound, this, incomplete);
        }
        result
    }

    fn retyped_result(&mut self, result: Sym, function: &'a Function, span: Span) -> Sym {
        match function.result.reference {
            true => self.referenced(&result, span),
            false => self.recast(result, &function.result),
        }
    }

    /// What is in the places that a function may return a reference to.
    fn referenced(&mut self, result: &Sym, span: Span) -> Sym {
        match &result.kind {
            Kind::Address(loc) => self.read(loc, span),
            Kind::Select(condition, then, otherwise) => {
                let (then, otherwise) = (self.referenced(then, span), self.referenced(otherwise, span));
                select(condition, &then, &otherwise)
            }
            _ => Rc::clone(result),
        }
    }

    /// Walks the body of the function in the innermost frame, and leaves the frame.
    fn walk_body(&mut self, body: &'a [Stmt], first: u32) -> Sym {
        let mark = self.path.len();
        self.block(body);
        self.path.truncate(mark);
        self.store.forget_from(first);
        let Some(frame) = self.frames.pop() else {
            return self.unknown();
        };
        let caller = self.frame_mut();
        caller.most_bytes = caller
            .most_bytes
            .max(caller.local_bytes.saturating_add(frame.most_bytes));
        self.returned(frame.returns)
    }

    /// One value for all `return`s.
    fn returned(&mut self, returns: Vec<(Vec<PathCondition>, Option<Sym>)>) -> Sym {
        let mut values = returns
            .into_iter()
            .rev()
            .filter_map(|(path, value)| Some((path, value?)));
        let Some((_, mut result)) = values.next() else {
            return self.unknown();
        };
        for (path, value) in values {
            result = match super::conditions::conjunction(&path) {
                Some(condition) => select(&condition, &value, &result),
                None => value,
            };
        }
        result
    }

    fn bind(&mut self, params: &'a [Parameter], args: &'a [Expr]) -> Vec<Argument> {
        let mut bound = Vec::new();
        for (index, param) in params.iter().enumerate() {
            bound.push(match args.get(index).or(param.default.as_ref()) {
                Some(arg) if param.ty.reference && !param.pack => Argument::Place(self.lvalue(arg)),
                Some(arg) if !param.pack => Argument::Value(self.evaluate(arg)),
                _ => Argument::Value(self.unknown()),
            });
        }
        self.discard(args.get(params.len()..).unwrap_or_default());
        bound
    }

    pub(super) fn declare_arguments(&mut self, params: &'a [Parameter], bound: Vec<Argument>) {
        for (param, argument) in params.iter().zip(bound) {
            let mut ty = self.ty(&param.ty);
            match argument {
                Argument::Place(mut loc) => {
                    if ty.is_volatile() || loc.ty.name().is_none() {
                        loc.ty = ty.clone();
                    }
                    self.declare(&param.name, ty, Some(loc), false);
                }
                Argument::Value(value) => {
                    let generic = self.is_generic(param);
                    let value = match &value.kind {
                        _ if is_grid(&param.ty) => node(Kind::Grid),
                        _ if generic => value,
                        _ => self.recast(value, &param.ty),
                    };
                    if generic {
                        ty = Self::type_of(&value).unwrap_or_default();
                    }
                    let variable = self.declare(&param.name, ty, None, false);
                    self.store.set(variable, &[], value);
                }
            }
        }
    }

    /// The parameter's type is a template parameter or `auto`: the argument knows more.
    fn is_generic(&self, param: &Parameter) -> bool {
        let function = self.scope.function(self.frame().function);
        let name = param.ty.name.last();
        name == "auto"
            || (param.ty.pointers == 0 && function.template_params.iter().any(|template| template == name))
    }

    /// A macro: its parameters stand for the arguments, its names are those of the place it is used at.
    fn inline_macro(&mut self, callee: FunctionId, function: &'a Function, args: &'a [Expr]) -> Sym {
        let bound: Vec<Loc> = args
            .iter()
            .take(function.params.len())
            .map(|arg| self.lvalue(arg))
            .collect();
        let file = std::mem::replace(&mut self.frame_mut().file, callee.file);
        let depth = self.frame().scopes.len();
        let first = self.open_scope();
        for ((param, loc), arg) in function.params.iter().zip(bound).zip(args) {
            let ty = loc.ty.clone();
            let is_value = matches!(loc.base, Base::Temporary(_));
            let id = self.declare(&param.name, ty, Some(loc), false);
            if is_value {
                self.macro_arguments.insert(id, (arg, depth));
            }
        }
        let result = match function.body.split_last() {
            Some((
                Stmt {
                    kind: StmtKind::Expr(last),
                    ..
                },
                before,
            )) => {
                self.block(before);
                self.evaluate(last)
            }
            _ => {
                self.block(&function.body);
                self.unknown()
            }
        };
        self.close_scope(first);
        self.frame_mut().file = file;
        result
    }

    fn call_lambda(&mut self, index: usize, args: &'a [Expr]) -> Sym {
        let Some(closure) = self.lambdas.get(index).cloned() else {
            return self.unknown();
        };
        if self.frames.len() > INLINE_DEPTH {
            return self.unknown_call(args, Vec::new());
        }
        let bound = self.bind(&closure.lambda.params, args);
        let mut frame = Frame::new(closure.function, closure.file, closure.this, self.path.len());
        frame.template = closure.template;
        frame.scopes = closure.scopes;
        frame.scopes.push(std::collections::BTreeMap::new());
        self.frames.push(frame);
        let first = u32::try_from(self.variables.len()).unwrap_or(u32::MAX);
        self.declare_arguments(&closure.lambda.params, bound);
        for capture in closure.lambda.captures.iter().filter(|_| !closure.outside) {
            if let Some(init) = &capture.init {
                let value = self.evaluate(init);
                let variable = self.declare(&capture.name, Ty::default(), None, false);
                self.store.set(variable, &[], value);
            }
        }
        self.walk_body(&closure.lambda.body, first)
    }
}

/// Names a project cannot give another meaning, or only gives the same one.
fn is_reserved(name: &str) -> bool {
    name.starts_with("__")
        || name.starts_with("atomic")
        || matches!(
            name,
            "printf" | "assert" | "malloc" | "free" | "memcpy" | "memset"
        )
}

/// What a parameter is bound to.
#[derive(Clone, PartialEq)]
pub(super) enum Argument {
    Value(Sym),
    Place(Loc),
}
