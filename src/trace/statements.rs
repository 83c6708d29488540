//! Statements: bounded path exploration over the statement tree.

use std::collections::BTreeSet;

use super::construct::written_value;
use super::joins::{Body, Side};
use super::machine::{Cleanup, Flow, Machine, Names};
use super::memory::Value;
use super::types::{Core, Static, Typed};
use super::{Action, Location, budget};
use crate::api::library;
use crate::facts::ir::{Expr, ExprKind, Handler, Parameter, Stmt, StmtKind, UnaryOp, Variable};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// What a branch can do that matters.
#[derive(Clone, Copy)]
struct Interest {
    /// Makes CUDA calls or touches threads.
    event: bool,
    /// Leaves the function or the loop somewhere.
    leaves: bool,
    /// Ends the function.
    ends: bool,
}

impl<'p> Machine<'p> {
    /// Statements in a scope of their own.
    pub(super) fn block(&mut self, body: &'p [Stmt]) -> Flow {
        self.enter_scope();
        let flow = self.statements(body);
        self.leave_scope(body.last().map_or(Span::default(), |it| it.span));
        flow
    }

    pub(super) fn enter_scope(&mut self) {
        self.frame_mut().scopes.push(Names::default());
    }

    /// Runs what the end of the scope destroys, last declared first.
    pub(super) fn leave_scope(&mut self, span: Span) {
        let Names {
            cleanups,
            variables,
            names,
            ..
        } = self.frame_mut().scopes.pop().unwrap_or_default();
        // What an exception passes on its way out is destroyed all the same.
        let throwing = std::mem::take(&mut self.control.throwing);
        for cleanup in cleanups.into_iter().rev() {
            if self.exited {
                break;
            }
            match cleanup {
                Cleanup::Destroy(place, class) => self.destroy(&place, class, span),
                Cleanup::Release(place) => self.release_pointer(&place, span),
                Cleanup::Unlock(mutex) => self.emit(span, Action::Unlock(mutex)),
                Cleanup::Join(place) => self.join_at(&place, span),
                Cleanup::Empty(place) => self.empty_optional(&place, span),
                Cleanup::Elements(place) => self.destroy_elements(&place, span),
                Cleanup::Run(callee) => {
                    self.invoke_value(&callee, Vec::new(), span);
                }
                Cleanup::Forget(place) => self.lose_reachable(vec![place]),
                Cleanup::DeviceVector(place) => self.free_device_vector(&place, span),
            }
        }
        // With the end of the program everything ends.
        let frame = self.frame();
        let is_main = self.control.frames.len() == 1 && frame.scopes.len() <= 1 && frame.path == ["main"];
        let ends = !is_main && !self.exited;
        for variable in variables.into_iter().filter(|_| ends) {
            let name = names.iter().find(|(_, place)| place.base == variable);
            self.variable_ends(variable, name.map_or("", |it| it.0), span);
        }
        self.control.throwing |= throwing;
    }

    pub(super) fn on_scope_exit(&mut self, cleanup: Cleanup) {
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.cleanups.push(cleanup);
        }
    }

    pub(super) fn statements(&mut self, body: &'p [Stmt]) -> Flow {
        let (mut next, mut jumps) = (0, 0);
        let mut sections = BTreeSet::new();
        while let Some(statement) = body.get(next) {
            match self.section(body, next, &mut sections) {
                Some(true) => next += 1,
                Some(false) => {
                    next += 2;
                    continue;
                }
                None => {}
            }
            let statement = body.get(next).unwrap_or(statement);
            match self.statement(statement) {
                Flow::Next => next += 1,
                Flow::Goto(label) => {
                    let target = body
                        .iter()
                        .position(|it| matches!(&it.kind, StmtKind::Label(name) if *name == label));
                    jumps += 1;
                    match target {
                        Some(target) if jumps <= budget::ITERATIONS => next = target + 1,
                        _ => return Flow::Goto(label),
                    }
                }
                flow => match self.jumped_behind(body, next) {
                    Some((label, target)) if flow != Flow::Stop || self.exited => {
                        let meets = |it: &Flow| matches!(it, Flow::Goto(it) if *it == label);
                        self.meet_left(0, true, flow, meets);
                        next = target + 1;
                    }
                    _ => return flow,
                },
            }
        }
        Flow::Next
    }

    /// A label behind a statement that some side of a branch has jumped to.
    fn jumped_behind(&self, body: &[Stmt], at: usize) -> Option<(String, usize)> {
        let behind = body.iter().enumerate().skip(at + 1);
        let mut labels = behind.filter_map(|(index, it)| match &it.kind {
            StmtKind::Label(name) => Some((name, index)),
            _ => None,
        });
        labels
            .find(|(name, _)| self.jumps_to(name))
            .map(|(name, index)| (name.clone(), index))
    }

    fn statement(&mut self, statement: &'p Stmt) -> Flow {
        if !self.tick() {
            return Flow::Stop;
        }
        self.control.branching = statement.span.start;
        match &statement.kind {
            StmtKind::Expr(expression) => {
                self.control.statement = statement.span;
                let mark = self.control.temporaries.len();
                self.control.left = None;
                let value = self.evaluate(expression);
                let left = self.control.left.take();
                self.note_temporary(expression, &value);
                self.end_temporaries(mark, expression.span);
                self.let_go_of_result(expression, &value);
                if let (Some(flow), Flow::Next) = (left, self.flow()) {
                    return flow;
                }
                if matches!(&expression.kind, ExprKind::Call(call) if matches!(call.callee.kind, ExprKind::Name(_)))
                {
                    self.join_dropped(&value, expression.span);
                }
                self.flow()
            }
            StmtKind::Declare(variables) => {
                for variable in variables {
                    let mark = self.control.temporaries.len();
                    self.declare_variable(variable, statement.span);
                    self.end_temporaries(mark, statement.span);
                }
                self.flow()
            }
            StmtKind::If {
                init,
                condition,
                then,
                otherwise,
                ..
            } => {
                self.enter_scope();
                self.statements(init);
                let flow = self.branch(condition, then, otherwise);
                self.leave_scope(statement.span);
                flow
            }
            StmtKind::Loop {
                kind,
                init,
                condition,
                step,
                body,
            } => {
                self.enter_scope();
                self.statements(init);
                let flow = self.looping(*kind, condition.as_ref(), step.as_ref(), body, statement.span);
                self.leave_scope(statement.span);
                flow
            }
            StmtKind::RangeFor {
                variable,
                range,
                body,
            } => self.range_for(variable, range, body, statement.span),
            StmtKind::Switch { value, cases } => self.switch(value, cases, statement.span),
            StmtKind::Return(value) => {
                let mark = self.control.temporaries.len();
                let at = value.as_ref().map_or(statement.span, |it| it.span);
                let value = value.as_ref().map_or(Value::Int(0), |it| self.returning(it));
                self.hand_back(&value, at);
                self.end_temporaries(mark, statement.span);
                self.leave_captures(statement.span);
                // An address that is given back moves nothing, whatever its type is called: `auto`, `pointer`, `iterator`.
                let of = |it| &self.program.function(it).result;
                let is_address = matches!(value, Value::Pointer(_))
                    || self
                        .frame()
                        .function
                        .map(of)
                        .is_some_and(|it| it.pointers > 0 || it.reference);
                if !is_address {
                    self.host_memory_moves(&value);
                }
                match self.flow() {
                    Flow::Next => Flow::Return(value),
                    flow => flow,
                }
            }
            StmtKind::Break => Flow::Break,
            StmtKind::Continue => Flow::Continue,
            StmtKind::Goto(label) => Flow::Goto(label.clone()),
            StmtKind::Label(label) if self.jumps_to(label) => {
                let meets = |it: &Flow| matches!(it, Flow::Goto(it) if it == label);
                self.meet_left(0, true, Flow::Next, meets)
            }
            StmtKind::Label(_) => Flow::Next,
            StmtKind::Block(body) => self.block(body),
            StmtKind::OpenMp { directive, body } => self.openmp(directive, body, statement.span),
            StmtKind::Try { body, handlers } => self.try_block(body, handlers),
        }
    }

    /// An exception runs the first handler whose type takes it.
    fn try_block(&mut self, body: &'p [Stmt], handlers: &'p [Handler]) -> Flow {
        self.control.handlers += 1;
        let flow = self.block(body);
        self.control.handlers -= 1;
        if flow != Flow::Throw {
            return flow;
        }
        self.control.throwing = false;
        let thrown = self.control.thrown.clone();
        for handler in handlers {
            let takes = match (&handler.parameter, &thrown) {
                (None, _) => true,
                (Some(parameter), Some((value, ty))) => {
                    let ty = ty.clone().or_else(|| self.type_of_value(value));
                    match self.catches(parameter, ty.as_ref()) {
                        Some(known) => known,
                        None => match self.memory.fresh() {
                            Value::Unknown(id) => self.decide(id),
                            _ => true,
                        },
                    }
                }
                (Some(_), None) => true,
            };
            if !takes {
                continue;
            }
            self.enter_scope();
            if let (Some(parameter), Some((value, _))) = (&handler.parameter, &thrown)
                && !parameter.name.is_empty()
            {
                let place = match value {
                    Value::Aggregate(place) if parameter.ty.reference => place.clone(),
                    value => {
                        let place = self.memory.local();
                        let wanted = self.static_type(&parameter.ty, 0, self.scope());
                        let value = self.copy_seen(value.clone(), wanted.as_ref(), statement_span(handler));
                        self.assign(&place, value);
                        place
                    }
                };
                self.declare(&parameter.name, place);
                self.declare_type(&parameter.name, Typed::Written(&parameter.ty, 0));
            }
            let flow = self.block(&handler.body);
            self.leave_scope(statement_span(handler));
            if self.flow() == Flow::Next && flow != Flow::Throw {
                self.control.thrown = None;
            } else if flow == Flow::Throw && self.control.thrown.is_none() {
                self.control.thrown = thrown;
            }
            return flow;
        }
        self.control.throwing = true;
        Flow::Throw
    }

    /// Whether a handler takes what was thrown, where the types tell.
    fn catches(&self, parameter: &Parameter, thrown: Option<&Static>) -> Option<bool> {
        let wanted = self.static_type(&parameter.ty, 0, self.scope())?;
        let thrown = thrown?;
        if wanted.pointers != thrown.pointers {
            return Some(false);
        }
        match (&wanted.core, &thrown.core) {
            (a, b) if a == b => Some(true),
            (Core::Class(base), Core::Class(class)) if wanted.pointers == 0 => {
                Some(self.distance_to(*class, *base, 0).is_some())
            }
            (Core::Other(base), Core::Other(name)) if wanted.pointers == 0 => Some(is_standard(name, base)),
            (Core::Other(base), Core::Class(class)) if wanted.pointers == 0 => {
                self.extends_standard(*class, base, 0)
            }
            (Core::Number(_) | Core::Class(_), Core::Number(_) | Core::Class(_) | Core::Other(_)) => {
                Some(false)
            }
            (Core::Other(base), Core::Number(_)) if is_exception(base) => Some(false),
            (Core::Other(_), Core::Number(_)) => None,
            _ => None,
        }
    }

    /// Whether a class of the program extends an exception of the standard library.
    fn extends_standard(&self, class: crate::program::ClassId, base: &str, depth: u32) -> Option<bool> {
        let definition = self.program.class(class);
        let scope = crate::program::Scope {
            file: class.file,
            path: &definition.path,
        };
        let mut all = Some(false);
        for name in &definition.bases {
            let known = match self.program.resolve_class(scope, name) {
                Some(it) if it != class && depth < 6 => self.extends_standard(it, base, depth + 1),
                Some(_) => Some(false),
                None if is_standard(name.last(), base) => Some(true),
                None if name.path.first().is_some_and(|it| it == "std") => Some(false),
                None => None,
            };
            match known {
                Some(true) => return Some(true),
                Some(false) => {}
                None => all = None,
            }
        }
        all
    }

    /// The value a function returns; a reference is the place it refers to as well.
    fn returning(&mut self, value: &'p Expr) -> Value {
        self.control.here = value.span;
        let function = self.frame().function.map(|it| self.program.function(it));
        if self.hands_out_place(value) {
            return self.refer_to(value);
        }
        let value = match (&value.kind, function) {
            (ExprKind::InitList(items), Some(function)) => {
                let result = super::traits::enabled(&function.result);
                let class = self.class_of_type(&result.name);
                let place = self.memory.local();
                match class {
                    Some(class) => {
                        self.note_arguments_of(&place, class, &result.name);
                        self.initialise_braces(&place, class, items, value.span);
                    }
                    None => self.return_braces(&place, &function.result, items, value.span),
                }
                Value::Aggregate(place)
            }
            (_, Some(function)) if let Some(kind) = self.optional_number(&function.result, value) => {
                let place = self.memory.local();
                self.memory.optionals.insert(place.clone(), kind);
                self.fill_optional(&place, value, value.span);
                Value::Aggregate(place)
            }
            (_, Some(function)) => {
                let expression = value;
                let value = self.evaluate_returned(expression);
                if let Some(made) = self.returned_as(&function.result, expression, &value) {
                    self.control.returned = None;
                    return made;
                }
                let value = self.returned_object(expression, value, expression.span);
                self.as_type(&function.result, value)
            }
            (_, None) => self.evaluate_returned(value),
        };
        self.control.returned = None;
        value
    }

    pub(super) fn flow(&self) -> Flow {
        match (self.exited, self.control.throwing) {
            (true, _) => Flow::Stop,
            (false, true) => Flow::Throw,
            (false, false) => Flow::Next,
        }
    }

    fn branch(&mut self, condition: &'p Expr, then: &'p [Stmt], otherwise: &'p [Stmt]) -> Flow {
        let value = match self.presence(condition) {
            Some(known) => known,
            None => {
                let value = self.deciding(condition);
                self.as_condition(value, condition.span)
            }
        };
        self.note_branch_on_result(&value, then, otherwise);
        self.control.branching = condition.span.start;
        let taken = match (self.truth(&value), &value) {
            (Some(known), Value::Unknown(_)) if !self.is_about_result(&value) => {
                self.note_decision();
                known
            }
            (Some(known), _) => {
                self.answered += 1;
                known
            }
            (None, Value::Unknown(id)) => {
                self.ask_start(&value);
                let (first, second) = (self.interest(then), self.interest(otherwise));
                let at = (self.frame().file, condition.span.start);
                if self.told_apart.contains(&at) {
                    self.decide_first(*id, first.leaves)
                } else if !(first.event || second.event)
                    && self.control.handlers == 0
                    && stops(then) != stops(otherwise)
                {
                    let taken = stops(otherwise);
                    self.assume(*id, taken);
                    taken
                } else if first.ends != second.ends && self.captures_here(condition.span) {
                    // A way out of what is to end a capture is one of its own.
                    self.decide_first(*id, second.ends)
                } else if !(first.event || second.event) && self.flow() == Flow::Next {
                    self.left_open = false;
                    let calls = self.calls_in_sides;
                    let flow = self.both(*id, (then, first.leaves), (otherwise, second.leaves));
                    self.note_busy(at, calls);
                    if std::mem::take(&mut self.left_open) {
                        self.open_branches.insert(at);
                    }
                    return flow;
                } else {
                    if first.leaves != second.leaves {
                        self.open_branches.insert(at);
                    }
                    self.choose(*id, first, second)
                }
            }
            (None, _) => true,
        };
        if self.flow() != Flow::Next {
            return self.flow();
        }
        self.meet(condition, taken);
        let (side, other) = if taken {
            (then, otherwise)
        } else {
            (otherwise, then)
        };
        self.leave_out(condition, taken, other);
        let guard = self.guard();
        let flow = self.block(side);
        if let Some(guard) = guard {
            match (stops(other), &flow) {
                (true, Flow::Next) => self.frame_mut().guards.push(guard),
                _ => self.close_guard(guard),
            }
        }
        flow
    }

    /// Both sides of a branch without events; the common reading is that what leaves, or an `if` without `else`, is an exception.
    fn both(&mut self, condition: u32, then: (&'p [Stmt], bool), otherwise: (&'p [Stmt], bool)) -> Flow {
        let expected = if then.1 != otherwise.1 {
            otherwise.1
        } else {
            !otherwise.0.is_empty()
        };
        let opposite = self.memory.opposite(condition);
        let side = |condition, body, expected| Side {
            condition,
            body: Body::Block(body),
            expected,
        };
        self.all_sides(&[
            side(Some(condition), then.0, expected),
            side(opposite, otherwise.0, !expected),
        ])
    }

    /// Which side of an unknown condition to take: explored only where a side matters.
    fn choose(&mut self, condition: u32, then: Interest, otherwise: Interest) -> bool {
        let assumed = match (then.event, otherwise.event) {
            (true, false) if otherwise.leaves && !then.leaves => Some(true),
            (false, true) if then.leaves && !otherwise.leaves => Some(false),
            _ => None,
        };
        match assumed {
            Some(taken) => {
                if then.leaves || otherwise.leaves {
                    self.assume(condition, taken);
                }
                taken
            }
            // What leaves the function is an exception: what comes behind it is looked at first.
            None => self.decide_first(condition, !then.ends || otherwise.ends),
        }
    }

    fn interest(&mut self, body: &[Stmt]) -> Interest {
        let ends = body.iter().find_map(ends) == Some(true) || self.ends_by_call(body);
        Interest {
            event: self.may_make_events(body),
            leaves: ends || leaves(body),
            ends,
        }
    }

    /// Declares a local variable and runs its initialiser.
    pub(super) fn declare_variable(&mut self, variable: &'p Variable, span: Span) {
        if variable.is_static {
            self.declare_static(variable, span);
            return;
        }
        if variable.external && self.declare_external(variable) {
            return;
        }
        if !variable.bindings.is_empty() {
            self.declare_bindings(variable);
            return;
        }
        if (variable.ty.reference || self.is_reference_of(&variable.ty))
            && let Some(target) = written_value(variable.init.as_ref())
            && let Some(place) = self.place(target)
        {
            self.declare(&variable.name, place.clone());
            self.note_declared(variable);
            self.extend_temporary(target, place);
            return;
        }
        let place = self.memory.local();
        // Declared first: `auto f = [&] { f(); }` and `T x{&x}` name themselves.
        self.declare(&variable.name, place.clone());
        self.note_declared(variable);
        // A reference that binds no temporary refers to what belongs to somebody else.
        let ty = &variable.ty;
        if !ty.reference || ty.rvalue || ty.constant {
            self.note_variable(&place);
        }
        self.initialise(&place, variable, span);
        // What the initialiser does not show its value may.
        if variable.ty.name.last() == "auto"
            && variable.ty.pointers == 0
            && self.declared_type(&variable.name).flatten().is_none()
            && let Some(class) = self.object_at(&place)
        {
            let known = Static {
                constant: variable.ty.constant,
                ..Static::temporary(Core::Class(class))
            };
            self.declare_type(&variable.name, Typed::Known(known));
        }
    }

    /// Whether `decltype` makes a reference of a name: of one that is a reference, and of any in parentheses.
    fn is_reference_of(&self, ty: &crate::facts::ir::Type) -> bool {
        let named = ty.name.last().strip_prefix("decltype(");
        let Some(named) = named.and_then(|it| it.strip_suffix(')')).map(str::trim) else {
            return false;
        };
        if named.starts_with('(') && ty.pointers == 0 {
            return true;
        }
        let scopes = self.frame().scopes.iter().rev();
        let mut types = scopes.filter_map(|it| it.types.get(named));
        ty.pointers == 0 && matches!(types.next(), Some(Typed::Written(ty, _)) if ty.reference)
    }

    /// A smart pointer that nobody keeps ends with its expression.
    fn let_go_of_result(&mut self, expression: &Expr, value: &Value) {
        let Value::Aggregate(place) = value else { return };
        let is_made = matches!(expression.kind, ExprKind::Call(_) | ExprKind::Construct { .. });
        let is_named = |frame: &super::machine::Frame<'_>| {
            let mut names = frame.scopes.iter().flat_map(|it| it.names.values());
            names.any(|it| it.base == place.base)
        };
        if is_made
            && self.memory.smart.contains(place)
            && matches!(place.base, super::Base::Local(_))
            && place.path.is_empty()
            && !self.control.frames.iter().any(is_named)
            && !self
                .closures
                .iter()
                .any(|it| it.captured.values().any(|it| it == place))
        {
            self.release_pointer(place, expression.span);
        }
    }

    /// `extern int x;` in a function names the variable of the namespace around it.
    fn declare_external(&mut self, variable: &'p Variable) -> bool {
        let name = crate::facts::ir::Name::plain(&variable.name);
        let Some(id) = self.program.resolve_global(self.scope(), &name) else {
            return false;
        };
        let place = self.global_place(id);
        self.declare(&variable.name, place);
        self.note_declared(variable);
        true
    }

    /// A temporary that a reference is bound to lives as long as that.
    fn extend_temporary(&mut self, expression: &'p Expr, place: Location) {
        let mark = self.control.temporaries.len();
        self.memory.passing.remove(&place.base);
        self.note_temporary(expression, &Value::Aggregate(place));
        if self.control.temporaries.len() > mark
            && let Some((place, class)) = self.control.temporaries.pop()
        {
            self.on_scope_exit(Cleanup::Destroy(place, class));
        }
    }

    /// A static local is initialised the first time it is reached.
    fn declare_static(&mut self, variable: &'p Variable, span: Span) {
        let base = super::Base::Static(self.frame().file, variable.span.start);
        let base = self.of_instance(base);
        let base = self.of_thread(base, variable.per_thread).0;
        if variable.per_thread {
            self.own_of_thread.insert(base);
        }
        let place = Location::object(base);
        // Coming here again before it is made would never end: no path of a program that runs does.
        let is_begun = self.statics_begun.contains(&base);
        if !is_begun && self.memory.get(&place).is_none() && !self.memory.is_object(&place) {
            self.statics_begun.push(base);
            let owned = self.initialise_object(&place, variable, span);
            self.statics_begun.pop();
            owned.into_iter().for_each(|cleanup| self.at_exit(cleanup));
            if self.may_hold_more(&place) {
                self.memory.forget_emptiness(&place);
                self.forget_earlier_use(&place);
            }
            if variable.init.is_none() && self.memory.get(&place).is_none() && variable.dims.is_empty() {
                self.memory.set(place.clone(), Value::Int(0));
            }
        }
        self.declare(&variable.name, place);
        self.note_declared(variable);
    }

    /// The variable that a static local of a template is for what its parameters stand for.
    fn of_instance(&mut self, base: super::Base) -> super::Base {
        let frame = self.control.frames.iter().rev().find(|it| !it.transparent);
        let made_for = frame.map(|it| it.template.clone()).unwrap_or_default();
        if made_for.is_empty() {
            return base;
        }
        let instances = self.instances.entry(base).or_default();
        let number = match instances.iter().position(|it| *it == made_for) {
            Some(number) => number,
            None => {
                instances.push(made_for);
                instances.len() - 1
            }
        };
        match (base, number) {
            (super::Base::Static(file, _), 1..) => {
                // No variable stands there.
                let further = &mut self.further_statics;
                let next = u32::MAX - further.len() as u32;
                super::Base::Static(file, *further.entry((base, number)).or_insert(next))
            }
            _ => base,
        }
    }

    /// The static type of a variable that was declared.
    fn note_declared(&mut self, variable: &'p Variable) {
        if variable.ty.name.last() != "auto" {
            let dims = u8::try_from(variable.dims.len()).unwrap_or(u8::MAX);
            self.declare_type(&variable.name, Typed::Written(&variable.ty, dims));
            return;
        }
        let Some(mut known) = written_value(variable.init.as_ref()).and_then(|it| self.type_of(it)) else {
            if !variable.ty.reference {
                self.declare_type(&variable.name, Typed::Own);
            }
            return;
        };
        // The `const` of a thing that is copied is not that of the copy.
        if !variable.ty.reference && known.pointers == 0 {
            known.constant = false;
        }
        known.constant |= variable.ty.constant;
        self.declare_type(&variable.name, Typed::Known(known));
    }

    fn declare_bindings(&mut self, variable: &'p Variable) {
        let written = written_value(variable.init.as_ref());
        let mut source = written.map(|it| {
            // A variable without members of its own has parts all the same.
            let variable = match &it.kind {
                ExprKind::Name(name) => self.name_place(name),
                _ => None,
            };
            match variable.filter(|it| self.memory.get(it).is_none() && self.memory.holds(it)) {
                Some(place) => Value::Aggregate(place),
                None => self.evaluate(it),
            }
        });
        if !variable.ty.reference
            && let Some(Value::Aggregate(from)) = &source
            && written.is_some_and(|it| self.category_of(it) == Some(super::types::Category::Named))
        {
            let (from, copy) = (from.clone(), self.memory.local());
            self.memory.copy_object(&from, &copy);
            source = Some(Value::Aggregate(copy));
        }
        if let Some(value @ Value::Aggregate(object)) = &source
            && written.is_some_and(|it| self.category_of(it) == Some(super::types::Category::Temporary))
        {
            let (object, value) = (object.clone(), value.clone());
            if let Some(cleanup) = self.owned_temporary(&object, &value, true) {
                self.on_scope_exit(cleanup);
            }
        }
        let getter = match &source {
            Some(Value::Aggregate(object)) => self.getter_of_parts(object),
            _ => None,
        };
        for (index, name) in variable.bindings.iter().enumerate() {
            if let (Some(Value::Aggregate(object)), Some((function, class))) = (&source, getter) {
                let number = std::sync::Arc::from(index.to_string());
                let params = &self.program.function(function).template_params;
                let template = params
                    .iter()
                    .take(1)
                    .map(|it| (it.clone(), std::sync::Arc::clone(&number)));
                let this = Some((object.clone(), class));
                let value = self.invoke_with(function, this, Vec::new(), template.collect(), variable.span);
                let place = self.memory.local();
                self.assign(&place, value);
                self.declare(name, place);
                continue;
            }
            let place = match &source {
                Some(Value::Aggregate(object)) => self.part(object, index),
                _ => self.memory.local(),
            };
            let place = self.memory.references.get(&place).cloned().unwrap_or(place);
            self.declare(name, place);
        }
    }
}

impl Machine<'_> {
    /// What gives the parts of an object, where the program says how many it has: they need not be its members.
    fn getter_of_parts(
        &self,
        object: &Location,
    ) -> Option<(crate::program::FunctionId, crate::program::ClassId)> {
        let class = self.object_at(object)?;
        let function = self.program.resolve_method(class, "get", 0)?;
        let is_template = !self.program.function(function).template_params.is_empty();
        (is_template && self.program.declares_type("tuple_size")).then_some((function, class))
    }
}

/// Where a handler ends.
fn statement_span(handler: &Handler) -> Span {
    handler.body.last().map_or(Span::default(), |it| it.span)
}

/// Exception classes of the standard library, and what each extends.
const BASES: [(&str, &str); 16] = [
    ("logic_error", "exception"),
    ("runtime_error", "exception"),
    ("bad_alloc", "exception"),
    ("bad_cast", "exception"),
    ("bad_function_call", "exception"),
    ("bad_optional_access", "exception"),
    ("bad_variant_access", "exception"),
    ("invalid_argument", "logic_error"),
    ("domain_error", "logic_error"),
    ("length_error", "logic_error"),
    ("out_of_range", "logic_error"),
    ("future_error", "logic_error"),
    ("range_error", "runtime_error"),
    ("overflow_error", "runtime_error"),
    ("underflow_error", "runtime_error"),
    ("system_error", "runtime_error"),
];

/// Whether a name is that of an exception class of the standard library.
fn is_exception(name: &str) -> bool {
    BASES.iter().any(|it| it.0 == name || it.1 == name)
}

/// Whether an exception class of the standard library is another one, or extends it.
fn is_standard(name: &str, base: &str) -> bool {
    let above = |name: &str| BASES.iter().find(|it| it.0 == name).map(|it| it.1);
    std::iter::successors(Some(name), |it| above(it)).any(|it| it == base)
}

/// `while (!ready) cv.wait(lock);`
pub(super) fn waits_for_notification(body: &[Stmt]) -> bool {
    let mut found = false;
    visit::statements(body, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Call(call),
            ..
        }) = node
        {
            found |= match &call.callee.kind {
                ExprKind::Member { field, .. } => field == "wait" && call.args.len() == 1,
                ExprKind::Name(name) => matches!(name.last(), "pthread_cond_wait" | "cnd_wait"),
                _ => false,
            };
        }
    });
    found
}

/// Whether control can leave these statements other than at their end.
pub(super) fn leaves(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => true,
        StmtKind::Expr(expression) => ends_process(expression),
        StmtKind::If { then, otherwise, .. } => leaves(then) || leaves(otherwise),
        StmtKind::Loop { body, .. }
        | StmtKind::RangeFor { body, .. }
        | StmtKind::Block(body)
        | StmtKind::OpenMp { body, .. } => leaves(body),
        StmtKind::Switch { cases, .. } => cases.iter().any(|case| {
            case.body
                .iter()
                .any(|it| !matches!(it.kind, StmtKind::Break) && leaves(std::slice::from_ref(it)))
        }),
        StmtKind::Try { body, .. } => leaves(body),
        StmtKind::Declare(_) | StmtKind::Label(_) => false,
    })
}

/// Whether these statements end in what ends the process, or in an exception: nothing comes behind them where nobody
/// catches it.
fn stops(body: &[Stmt]) -> bool {
    let last = body.iter().find(|it| ends(it).is_some());
    last.is_some_and(|it| match &it.kind {
        StmtKind::Expr(_) => true,
        StmtKind::Block(body) => stops(body),
        _ => false,
    })
}

/// Whether a statement leaves the function, or the `switch` it is in.
pub(super) fn ends(statement: &Stmt) -> Option<bool> {
    match &statement.kind {
        StmtKind::Return(_) | StmtKind::Goto(_) => Some(true),
        StmtKind::Expr(expression) => ends_process(expression).then_some(true),
        StmtKind::Break | StmtKind::Continue => Some(false),
        StmtKind::Block(body) => body.iter().find_map(ends),
        _ => None,
    }
}

/// `throw`, `exit`, `abort` and what test frameworks spell them.
fn ends_process(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Throw(_) => true,
        ExprKind::Call(call) => match &call.callee.kind {
            ExprKind::Name(name) => {
                library::ends(name.last())
                    || library::throws(name.last())
                    || matches!(name.last(), "__builtin_unreachable" | "GTEST_SKIP")
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether statements assign to anything.
pub(super) fn assigns(body: &[Stmt]) -> bool {
    let mut found = false;
    visit::statements(body, &mut |node| {
        if let Node::Expr(expression) = node {
            found |= match &expression.kind {
                ExprKind::Assign { .. } => true,
                ExprKind::Unary { op, .. } => matches!(
                    op,
                    UnaryOp::PreIncrement
                        | UnaryOp::PostIncrement
                        | UnaryOp::PreDecrement
                        | UnaryOp::PostDecrement
                ),
                _ => false,
            };
        }
    });
    found
}
