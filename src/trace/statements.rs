//! Statements: bounded path exploration over the statement tree.

use super::machine::{Cleanup, Flow, Machine, Names, is_empty};
use super::memory::Value;
use super::{Action, Location, Step, budget};
use crate::facts::ir::{BinaryOp, Case, Expr, ExprKind, Init, LoopKind, Stmt, StmtKind, UnaryOp, Variable};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// What a branch can do that matters.
#[derive(Clone, Copy)]
struct Interest {
    /// Makes CUDA calls or touches threads.
    event: bool,
    /// Leaves the function or the loop.
    leaves: bool,
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
        let cleanups = self
            .frame_mut()
            .scopes
            .pop()
            .map_or_else(Vec::new, |scope| scope.cleanups);
        // What an exception passes on its way out is destroyed all the same.
        let throwing = std::mem::take(&mut self.throwing);
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
                Cleanup::DeviceVector(place) => self.free_device_vector(&place, span),
            }
        }
        self.throwing |= throwing;
    }

    pub(super) fn on_scope_exit(&mut self, cleanup: Cleanup) {
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.cleanups.push(cleanup);
        }
    }

    pub(super) fn statements(&mut self, body: &'p [Stmt]) -> Flow {
        let (mut next, mut jumps) = (0, 0);
        while let Some(statement) = body.get(next) {
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
                flow => return flow,
            }
        }
        Flow::Next
    }

    fn statement(&mut self, statement: &'p Stmt) -> Flow {
        if !self.tick() {
            return Flow::Stop;
        }
        match &statement.kind {
            StmtKind::Expr(expression) => {
                self.evaluate(expression);
                self.flow()
            }
            StmtKind::Declare(variables) => {
                variables
                    .iter()
                    .for_each(|it| self.declare_variable(it, statement.span));
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
                let value = value.as_ref().map_or(Value::Int(0), |it| self.returning(it));
                match self.flow() {
                    Flow::Next => Flow::Return(value),
                    flow => flow,
                }
            }
            StmtKind::Break => Flow::Break,
            StmtKind::Continue => Flow::Continue,
            StmtKind::Goto(label) => Flow::Goto(label.clone()),
            StmtKind::Label(_) => Flow::Next,
            StmtKind::Block(body) => self.block(body),
            StmtKind::OpenMp { directive, body } => self.openmp(directive, body, statement.span),
            StmtKind::Try { body, handlers } => self.try_block(body, handlers),
        }
    }

    /// An exception runs the first handler; which types it catches is not looked at.
    fn try_block(&mut self, body: &'p [Stmt], handlers: &'p [Vec<Stmt>]) -> Flow {
        self.handlers += 1;
        let flow = self.block(body);
        self.handlers -= 1;
        if flow != Flow::Throw {
            return flow;
        }
        self.throwing = false;
        handlers.first().map_or(Flow::Next, |handler| self.block(handler))
    }

    /// The value a function returns; a reference is the place it refers to as well.
    fn returning(&mut self, value: &'p Expr) -> Value {
        let function = self.frame().function.map(|it| self.program.function(it));
        if function.is_some_and(|it| it.result.reference && it.result.pointers == 0) {
            let result = self.argument(value);
            self.returned = result.place;
            return result.value;
        }
        let value = self.evaluate_moved(value);
        self.returned = None;
        value
    }

    fn flow(&self) -> Flow {
        match (self.exited, self.throwing) {
            (true, _) => Flow::Stop,
            (false, true) => Flow::Throw,
            (false, false) => Flow::Next,
        }
    }

    fn branch(&mut self, condition: &'p Expr, then: &'p [Stmt], otherwise: &'p [Stmt]) -> Flow {
        let value = self.deciding(condition);
        let value = self.as_condition(value, condition.span);
        let taken = match (self.truth(&value), &value) {
            (Some(known), Value::Unknown(_)) => {
                self.note_decision();
                known
            }
            (Some(known), _) => known,
            (None, Value::Unknown(id)) => {
                let (then, otherwise_interest) = (self.interest(then), self.interest(otherwise));
                self.choose(*id, then, otherwise_interest, otherwise.is_empty())
            }
            (None, _) => true,
        };
        if self.flow() != Flow::Next {
            return self.flow();
        }
        if taken {
            self.block(then)
        } else {
            self.block(otherwise)
        }
    }

    /// Which side of an unknown condition to take: explored only where a side matters.
    fn choose(&mut self, condition: u32, then: Interest, otherwise: Interest, no_otherwise: bool) -> bool {
        let assumed = match (then.event, otherwise.event) {
            (false, false) if then.leaves != otherwise.leaves => Some(otherwise.leaves),
            // Nothing that matters on either side: the common reading is that an `if` without `else` is an exception.
            (false, false) => Some(!no_otherwise),
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
            None => self.decide(condition),
        }
    }

    fn interest(&mut self, body: &[Stmt]) -> Interest {
        Interest {
            event: self.is_eventful(body) || self.calls_local(body),
            leaves: leaves(body),
        }
    }

    fn is_eventful(&mut self, body: &[Stmt]) -> bool {
        let Some(first) = body.first() else { return false };
        let end = body.last().map_or(first.span.end, |it| it.span.end);
        let key = (
            self.frame().file,
            Span {
                start: first.span.start,
                end,
            },
        );
        if let Some(known) = self.interests.get(&key) {
            return *known;
        }
        let known = self.program.body_is_eventful(self.scope(), body);
        self.interests.insert(key, known);
        known
    }

    /// A call of a local variable: a lambda or function pointer that may hold events.
    fn calls_local(&self, body: &[Stmt]) -> bool {
        let mut found = false;
        visit::statements(body, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            }) = node
                && let ExprKind::Name(name) = &call.callee.kind
            {
                found |= name.is_plain() && self.lookup(name.last()).is_some();
            }
        });
        found
    }

    fn looping(
        &mut self,
        kind: LoopKind,
        condition: Option<&'p Expr>,
        step: Option<&'p Expr>,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        let mut iterations = 0;
        let mut first = kind == LoopKind::DoWhile;
        let mut decided = true;
        let mut iteration = self.events_so_far();
        let execution = self.enter_loop();
        let mut counter = None;
        let trips;
        loop {
            if !first {
                let value = self.poll(condition);
                if self.flow() != Flow::Next {
                    return self.flow();
                }
                match self.truth(&value) {
                    Some(false) if iterations == 0 && self.had_to_wait(condition, body, span) => {
                        return self.flow();
                    }
                    Some(false) if iterations == 0 && self.held_at_spawn(body) => {
                        return match self.block(body) {
                            Flow::Next | Flow::Continue | Flow::Break => Flow::Next,
                            flow => flow,
                        };
                    }
                    Some(false) => return Flow::Next,
                    Some(true) => {}
                    None => decided = false,
                }
                if let Some(condition) = condition
                    && self.polls(body)
                    && self.wait_for_reads(condition, span)
                {
                    return self.flow();
                }
            }
            let more = condition.and_then(|it| self.trips_left(it, &mut counter));
            first = false;
            iterations += 1;
            let limit = if decided && condition.is_some() {
                budget::KNOWN_ITERATIONS
            } else {
                budget::ITERATIONS
            };
            if iterations > limit {
                let done = u64::from(iterations) - 1;
                let endless = condition.is_none_or(|it| matches!(it.kind, ExprKind::Int(1)));
                trips = match more.filter(|_| decided) {
                    _ if leaves(body) => None,
                    Some(more) => Some(done.saturating_add(more)),
                    None => endless.then_some(u64::MAX),
                };
                break;
            }
            iteration = self.events_so_far();
            let flow = self.block(body);
            self.note_pass(execution, iteration as u32, decided && condition.is_some(), span);
            match flow {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Flow::Next,
                flow => return flow,
            }
            if let Some(step) = step {
                self.evaluate(step);
            }
            if !self.tick() {
                return if self.throwing { Flow::Throw } else { Flow::Stop };
            }
        }
        if let Some(trips) = trips {
            self.trace.notes.trips.insert(execution, trips);
        }
        self.forget_induction(step);
        self.forget_values_since(iteration);
        Flow::Next
    }

    /// How often the body of a counting loop still runs, once its counter was seen to move.
    fn trips_left(&mut self, condition: &'p Expr, counter: &mut Option<i64>) -> Option<u64> {
        let ExprKind::Binary { op, left, right } = &condition.kind else {
            return None;
        };
        let is_plain = |it: &Expr| matches!(it.kind, ExprKind::Name(_) | ExprKind::Int(_));
        if !is_plain(left) || !is_plain(right) {
            return None;
        }
        let (Value::Int(now), Value::Int(end)) = (self.evaluate(left), self.evaluate(right)) else {
            return None;
        };
        let by = now.checked_sub(counter.replace(now)?)?;
        let left = match op {
            BinaryOp::Less | BinaryOp::NotEqual if by > 0 => end.checked_sub(now)?,
            BinaryOp::LessEqual if by > 0 => end.checked_sub(now)?.checked_add(1)?,
            BinaryOp::Greater | BinaryOp::NotEqual if by < 0 => now.checked_sub(end)?,
            BinaryOp::GreaterEqual if by < 0 => now.checked_sub(end)?.checked_add(1)?,
            _ => return None,
        };
        u64::try_from(left).ok()?.checked_div(by.unsigned_abs())
    }

    fn events_so_far(&self) -> usize {
        self.trace.threads[self.thread.0 as usize].events.len()
    }

    /// The last iteration stands for all further ones: what it stores can be any of their values.
    fn forget_values_since(&mut self, start: usize) {
        for event in &mut self.trace.threads[self.thread.0 as usize].events[start..] {
            match &mut event.action {
                Action::Store(write) => write.value = None,
                Action::Call(call) => {
                    let writes = call.work.iter_mut().flat_map(|work| &mut work.writes);
                    writes.for_each(|write| write.value = None);
                }
                _ => {}
            }
        }
    }

    /// A spawned thread is executed after what released it: its polling loop is over by then, but it did wait.
    fn had_to_wait(&mut self, condition: Option<&'p Expr>, body: &'p [Stmt], span: Span) -> bool {
        if self.thread == super::ThreadId(0) {
            return false;
        }
        if waits_for_notification(body) {
            self.block(body);
            return true;
        }
        match condition {
            Some(condition) if self.polls(body) => {
                let reads: Vec<Location> = self.reads.clone();
                let values: Vec<Value> = reads.iter().map(|it| self.memory.load(it)).collect();
                let waited = self.wait_for_reads(condition, span);
                for (place, value) in reads.into_iter().zip(values) {
                    if !self.memory.arrays.contains(&place) {
                        self.memory.set(place, value);
                    }
                }
                waited
            }
            _ => false,
        }
    }

    /// A thread that runs until another one tells it to stop did run: what its condition reads was different
    /// when it was started.
    fn held_at_spawn(&mut self, body: &[Stmt]) -> bool {
        let changed = |place: &Location| {
            let before = self.at_spawn.get(place);
            before.is_some() && before != self.memory.get(place)
        };
        self.thread != super::ThreadId(0) && self.reads.iter().any(changed) && self.is_eventful(body)
    }

    /// Evaluates a loop condition: a query in it waits, and what it reads is noted.
    fn poll(&mut self, condition: Option<&'p Expr>) -> Value {
        self.reads.clear();
        let Some(condition) = condition else {
            return Value::Int(1);
        };
        self.polling += 1;
        let value = self.deciding(condition);
        self.polling -= 1;
        value
    }

    /// A loop body that only passes time.
    fn polls(&mut self, body: &[Stmt]) -> bool {
        is_empty(body) || !leaves(body) && !assigns(body) && !self.is_eventful(body)
    }

    /// Turns a polling loop into a wait for somebody else's write; `false` when it polls nothing shared.
    fn wait_for_reads(&mut self, condition: &'p Expr, span: Span) -> bool {
        let reads = std::mem::take(&mut self.reads);
        let locations: Vec<Location> = reads.into_iter().filter(|it| self.is_shared(it)).collect();
        if locations.is_empty() {
            return false;
        }
        let what = self.words(condition.span);
        let until = self.until_of(condition);
        self.emit(
            Span {
                start: span.start,
                end: condition.span.end.max(span.start),
            },
            Action::HostWait {
                locations: locations.clone(),
                until,
                what,
            },
        );
        for location in locations {
            let value = self.memory.fresh();
            self.memory.set(location, value);
        }
        true
    }

    /// The relation that ends a loop with this condition.
    fn until_of(&mut self, condition: &'p Expr) -> Option<(BinaryOp, i64)> {
        match &condition.kind {
            ExprKind::Unary { op: UnaryOp::Not, .. } => Some((BinaryOp::NotEqual, 0)),
            ExprKind::Binary { op, left: _, right } => {
                let Value::Int(value) = self.evaluate(right) else {
                    return None;
                };
                let negated = match op {
                    BinaryOp::Equal => BinaryOp::NotEqual,
                    BinaryOp::NotEqual => BinaryOp::Equal,
                    BinaryOp::Less => BinaryOp::GreaterEqual,
                    BinaryOp::LessEqual => BinaryOp::Greater,
                    BinaryOp::Greater => BinaryOp::LessEqual,
                    BinaryOp::GreaterEqual => BinaryOp::Less,
                    _ => return None,
                };
                Some((negated, value))
            }
            _ => None,
        }
    }

    /// After a loop that was cut short its counter is anything.
    fn forget_induction(&mut self, step: Option<&'p Expr>) {
        let Some(step) = step else { return };
        let mut targets = Vec::new();
        visit::expression(step, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Unary { operand, .. } | ExprKind::Assign { target: operand, .. },
                ..
            }) = node
            {
                targets.push(&**operand);
            }
        });
        for target in targets {
            if let Some(place) = self.place(target) {
                let value = self.memory.fresh();
                self.memory.set(place, value);
            }
        }
    }

    fn range_for(&mut self, variable: &'p Variable, range: &'p Expr, body: &'p [Stmt], span: Span) -> Flow {
        let (container, length) = self.container(range);
        if self.memory.maps.contains(&container) {
            let entries = self.memory.entries(&container, budget::KNOWN_ITERATIONS as usize);
            return self.each_element(variable, entries, body, span);
        }
        let iterations = length.map_or(i64::from(budget::ITERATIONS), |it| {
            it.min(i64::from(budget::KNOWN_ITERATIONS))
        });
        let elements = (0..iterations)
            .map(|index| self.memory.element(&container, index))
            .collect();
        self.each_element(variable, elements, body, span)
    }

    fn each_element(
        &mut self,
        variable: &'p Variable,
        elements: Vec<Location>,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        let execution = self.enter_loop();
        for element in elements {
            if !self.tick() {
                return Flow::Stop;
            }
            let start = self.position();
            self.enter_scope();
            self.bind_element(variable, &element);
            let flow = self.block(body);
            self.leave_scope(span);
            self.note_pass(execution, start, true, span);
            match flow {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow => return flow,
            }
        }
        Flow::Next
    }

    fn container(&mut self, range: &'p Expr) -> (Location, Option<i64>) {
        if let ExprKind::InitList(items) = &range.kind {
            let place = self.memory.local();
            for (index, item) in items.iter().enumerate() {
                let value = self.evaluate(&item.value);
                self.memory.set(place.step(Step::Element(index as i64)), value);
            }
            self.memory.arrays.insert(place.clone());
            return (place, Some(items.len() as i64));
        }
        let place = match self.place(range) {
            Some(place) => place,
            None => {
                let value = self.evaluate(range);
                self.pointee(&value).unwrap_or_else(|| self.memory.local())
            }
        };
        let length = self.memory.lengths.get(&place).copied();
        (place, length)
    }

    fn bind_element(&mut self, variable: &'p Variable, element: &Location) {
        if !variable.bindings.is_empty() {
            for (index, name) in variable.bindings.iter().enumerate() {
                let part = self.part(element, index);
                self.declare(name, part);
            }
        } else if variable.ty.reference {
            self.declare(&variable.name, element.clone());
        } else {
            let place = self.memory.local();
            let value = self.load(element);
            self.assign(&place, value);
            self.declare(&variable.name, place);
        }
    }

    fn switch(&mut self, value: &'p Expr, cases: &'p [Case], span: Span) -> Flow {
        let scrutinee = self.evaluate(value);
        let Some(start) = self.first_case(&scrutinee, cases) else {
            return Flow::Next;
        };
        self.enter_scope();
        let mut flow = Flow::Next;
        for case in &cases[start..] {
            flow = self.statements(&case.body);
            if flow != Flow::Next {
                break;
            }
        }
        self.leave_scope(span);
        if flow == Flow::Break { Flow::Next } else { flow }
    }

    fn first_case(&mut self, scrutinee: &Value, cases: &'p [Case]) -> Option<usize> {
        for (index, case) in cases.iter().enumerate() {
            for label in case.labels.iter().flatten() {
                let label = self.evaluate(label);
                let equal = self.memory.binary(BinaryOp::Equal, scrutinee.clone(), label);
                let taken = match (self.truth(&equal), &equal) {
                    (Some(known), _) => known,
                    (None, Value::Unknown(id)) => self.interest(&case.body).event && self.decide(*id),
                    (None, _) => false,
                };
                if taken {
                    return Some(index);
                }
            }
        }
        cases
            .iter()
            .position(|case| case.labels.iter().any(Option::is_none))
    }

    /// Declares a local variable and runs its initialiser.
    pub(super) fn declare_variable(&mut self, variable: &'p Variable, span: Span) {
        if variable.is_static {
            self.declare_static(variable, span);
            return;
        }
        if !variable.bindings.is_empty() {
            self.declare_bindings(variable);
            return;
        }
        if variable.ty.reference
            && let Some(target) = reference_target(variable)
            && let Some(place) = self.place(target)
        {
            self.declare(&variable.name, place);
            return;
        }
        let place = self.memory.local();
        // Declared first: `auto f = [&] { f(); }` and `T x{&x}` name themselves.
        self.declare(&variable.name, place.clone());
        self.initialise(&place, variable, span);
    }

    /// A static local is initialised the first time it is reached.
    fn declare_static(&mut self, variable: &'p Variable, span: Span) {
        let place = Location::object(super::Base::Static(self.frame().file, variable.span.start));
        if self.memory.get(&place).is_none() && !self.memory.is_object(&place) {
            let owned = self.initialise_object(&place, variable, span);
            owned.into_iter().for_each(|cleanup| self.at_exit(cleanup));
            if variable.init.is_none() && self.memory.get(&place).is_none() && variable.dims.is_empty() {
                self.memory.set(place.clone(), Value::Int(0));
            }
        }
        self.declare(&variable.name, place);
    }

    fn declare_bindings(&mut self, variable: &'p Variable) {
        let source = reference_target(variable).map(|it| self.evaluate(it));
        for (index, name) in variable.bindings.iter().enumerate() {
            let place = match &source {
                Some(Value::Aggregate(object)) => self.part(object, index),
                _ => self.memory.local(),
            };
            self.declare(name, place);
        }
    }
}

/// `while (!ready) cv.wait(lock);`
fn waits_for_notification(body: &[Stmt]) -> bool {
    let mut found = false;
    visit::statements(body, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Call(call),
            ..
        }) = node
            && let ExprKind::Member { field, .. } = &call.callee.kind
        {
            found |= field == "wait" && call.args.len() == 1;
        }
    });
    found
}

/// What a reference is bound to, as written.
fn reference_target(variable: &Variable) -> Option<&Expr> {
    match variable.init.as_ref()? {
        Init::Value(value) => Some(value),
        Init::Parens(args) => args.first(),
        Init::Braces(items) => items.first().map(|it| &it.value),
    }
}

/// Whether control can leave these statements other than at their end.
fn leaves(body: &[Stmt]) -> bool {
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

/// `throw`, `exit`, `abort` and what test frameworks spell them.
fn ends_process(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Throw(_) => true,
        ExprKind::Call(call) => match &call.callee.kind {
            ExprKind::Name(name) => matches!(
                name.last(),
                "exit"
                    | "_exit"
                    | "_Exit"
                    | "quick_exit"
                    | "abort"
                    | "terminate"
                    | "__builtin_trap"
                    | "__builtin_unreachable"
                    | "GTEST_SKIP"
            ),
            _ => false,
        },
        _ => false,
    }
}

/// Whether statements assign to anything.
fn assigns(body: &[Stmt]) -> bool {
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
