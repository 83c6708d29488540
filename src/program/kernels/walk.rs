//! Walks a kernel's statements once, with every variable bound to a symbolic value.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::{FileId, FunctionId};
use super::loops::Loop;
use super::recursion::Recursion;
use super::rounds::Counted;
use super::store::{Store, Variable};
use super::symbols::{Base, Kind, Loc, Sym, Ty, binary, int, node};
use super::tables::type_size;
use super::templates::Bindings;
use super::waiting::Wait;
use super::{DeviceScope, Handed, KernelSummary, scan};
use crate::facts::ir::{
    BinaryOp, Case, Expr, ExprKind, Function, Lambda, Name, Span, Stmt, StmtKind, Type, Variable as Declared,
};

/// Device functions inlined into each other.
pub(super) const INLINE_DEPTH: usize = 6;
/// Statements walked per kernel, inlined ones and repeated walks of loop bodies included.
pub(super) const STATEMENT_LIMIT: u32 = 20_000;
/// Statements and expressions inside each other.
pub(super) const NESTING_LIMIT: u32 = 100;

/// State of the walk.
pub(super) struct Walker<'a> {
    pub(super) scope: &'a dyn DeviceScope,
    pub(super) kernel: &'a Function,
    pub(super) summary: KernelSummary,
    pub(super) writes: Vec<Write>,
    pub(super) waits: Vec<Wait>,
    pub(super) frames: Vec<Frame<'a>>,
    /// Enclosing loops and switches, of all frames.
    pub(super) breakables: Vec<Breakable<'a>>,
    /// Conditions under which the current statement is reached.
    pub(super) path: Vec<PathCondition>,
    pub(super) store: Store,
    pub(super) variables: Vec<Variable>,
    pub(super) lambdas: Vec<Closure<'a>>,
    /// What variables held before a loop that changes them.
    pub(super) initials: BTreeMap<(u32, u32), Sym>,
    pub(super) serial: u32,
    pub(super) unknowns: u32,
    pub(super) loops: u32,
    /// Arguments of macros that are no places: the expression, and the scopes it can see.
    pub(super) macro_arguments: BTreeMap<u32, (&'a Expr, usize)>,
    /// Barriers of the block.
    pub(super) syncs: Vec<u32>,
    /// Loops that count.
    pub(super) counted: BTreeMap<u32, Counted>,
    /// What a round adds to their counters.
    pub(super) strides: BTreeMap<(u32, u32), Sym>,
    /// Variables of loops that are counted up, and the numbers they may be set to instead.
    pub(super) restarts: BTreeMap<(u32, u32), Vec<i64>>,
    /// What their counters have reached at their ends, or more.
    pub(super) reached: BTreeMap<(u32, u32), Sym>,
    /// The function looked at as a loop.
    pub(super) recursion: Option<Recursion>,
    /// A function that was found to call itself, directly or through another one.
    pub(super) recursive: Option<FunctionId>,
    /// Nothing is recorded: the first of two walks of a loop body.
    pub(super) dry: bool,
    statements: u32,
    nesting: u32,
}

/// A store or atomic update of visible memory.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) file: FileId,
    pub(super) span: Span,
    pub(super) loc: Loc,
    pub(super) atomic: bool,
    pub(super) value: Option<Sym>,
    /// What an atomic addition adds, where that is a number.
    pub(super) added: Option<i64>,
    pub(super) path: Vec<PathCondition>,
    pub(super) serial: u32,
    /// Loops it is in, outermost first.
    pub(super) around: Vec<u32>,
}

/// A condition that held on the way to the current statement.
#[derive(Clone, Debug)]
pub(super) struct PathCondition {
    pub(super) sym: Sym,
    pub(super) side: bool,
    pub(super) span: Span,
    /// It is what the first round of a loop asks for.
    pub(super) first_round: bool,
}

/// A function being walked.
pub(super) struct Frame<'a> {
    pub(super) function: FunctionId,
    pub(super) file: FileId,
    pub(super) this: Option<Loc>,
    /// What its template parameters stand for.
    pub(super) template: Bindings,
    pub(super) scopes: Scopes<'a>,
    pub(super) returns: Vec<(Vec<PathCondition>, Option<Sym>)>,
    /// What it returns are references.
    pub(super) returns_place: bool,
    pub(super) path_start: usize,
    /// Local arrays in scope, and the most there ever were, callees' included.
    pub(super) local_bytes: u64,
    pub(super) most_bytes: u64,
    /// Local arrays that were in scope when each open scope was opened.
    bytes_outside: Vec<u64>,
}

/// Names in scope, innermost last.
pub(super) type Scopes<'a> = Vec<BTreeMap<&'a str, u32>>;

/// A lambda and the scope it was written in.
#[derive(Clone)]
pub(super) struct Closure<'a> {
    pub(super) lambda: &'a Lambda,
    pub(super) function: FunctionId,
    pub(super) file: FileId,
    pub(super) this: Option<Loc>,
    pub(super) template: Bindings,
    pub(super) scopes: Scopes<'a>,
    /// Made by the host: what it captures was evaluated there.
    pub(super) outside: bool,
}

/// What `break` can leave.
pub(super) enum Breakable<'a> {
    Loop(Box<Loop<'a>>),
    /// Stores at the `break`s of a `switch`.
    Switch(Vec<Store>),
}

/// Where control goes after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Leaves,
}

impl<'a> Walker<'a> {
    pub(super) fn new(
        scope: &'a dyn DeviceScope,
        id: FunctionId,
        arguments: &[Option<Name>],
        handed: &[Handed<'a>],
    ) -> Self {
        let mut walker = Walker::empty(scope, id);
        let kernel = walker.kernel;
        let mut frame = Frame::new(id, id.file, None, 0);
        let bound = kernel.template_params.iter().zip(arguments);
        let bound = bound.filter_map(|(parameter, name)| Some((parameter.clone(), name.clone()?)));
        frame.template = Rc::new(bound.collect());
        walker.frames.push(frame);
        for (index, parameter) in (0..).zip(&kernel.params) {
            let ty = walker.ty(&parameter.ty);
            let content = Loc::new(Base::Parameter(index), ty.clone());
            let lambda = handed.iter().find(|it| it.parameter == index);
            let value = match (is_grid(&parameter.ty), lambda) {
                (true, _) => node(Kind::Grid),
                (false, Some(handed)) => walker.handed_lambda(handed, &content),
                (false, None) => node(Kind::Parameter(content)),
            };
            let variable = walker.declare(&parameter.name, ty, None, false);
            walker.store.set(variable, &[], value);
        }
        walker
    }

    /// For an object that is called: each thread has arguments of its own.
    pub(super) fn of_callable(scope: &'a dyn DeviceScope, method: FunctionId) -> Self {
        let mut walker = Walker::empty(scope, method);
        let function = walker.kernel;
        let class = class_of(function).map(|name| Type {
            name,
            ..Type::plain("")
        });
        let object = Base::Parameter(u32::try_from(function.params.len()).unwrap_or(u32::MAX));
        let object = Loc::new(object, class.as_ref().map_or_else(Ty::default, Ty::of));
        walker
            .frames
            .push(Frame::new(method, method.file, Some(object), 0));
        for parameter in &function.params {
            let ty = walker.ty(&parameter.ty);
            let is_number =
                parameter.ty.pointers == 0 && ty.name().is_some_and(|it| type_size(it.last()) > 0);
            let value = match is_number {
                true => node(Kind::Thread("threadIdx.x".to_owned())),
                false => walker.unknown(),
            };
            let variable = walker.declare(&parameter.name, ty, None, false);
            walker.store.set(variable, &[], value);
        }
        walker
    }

    fn empty(scope: &'a dyn DeviceScope, id: FunctionId) -> Self {
        Walker {
            scope,
            kernel: scope.function(id),
            summary: KernelSummary::default(),
            writes: Vec::new(),
            waits: Vec::new(),
            frames: Vec::new(),
            breakables: Vec::new(),
            path: Vec::new(),
            store: Store::default(),
            variables: Vec::new(),
            lambdas: Vec::new(),
            initials: BTreeMap::new(),
            serial: 0,
            unknowns: 0,
            loops: 0,
            macro_arguments: BTreeMap::new(),
            syncs: Vec::new(),
            counted: BTreeMap::new(),
            strides: BTreeMap::new(),
            restarts: BTreeMap::new(),
            reached: BTreeMap::new(),
            recursion: None,
            recursive: None,
            dry: false,
            statements: 0,
            nesting: 0,
        }
    }

    /// A lambda the host made: what it captured stands in the argument.
    fn handed_lambda(&mut self, handed: &Handed<'a>, argument: &Loc) -> Sym {
        let mut scope = BTreeMap::new();
        for (name, declared) in &handed.captures {
            let ty = declared.map(|it| self.ty(it)).unwrap_or_default();
            let mut field = self.member(argument, name);
            field.ty = ty.clone();
            let id = u32::try_from(self.variables.len()).unwrap_or(u32::MAX);
            self.variables.push(Variable {
                ty,
                refers_to: None,
                is_array: false,
                shared: false,
            });
            self.store.set(id, &[], node(Kind::Parameter(field)));
            scope.insert(*name, id);
        }
        self.lambdas.push(Closure {
            lambda: handed.lambda,
            function: handed.function,
            file: handed.function.file,
            this: None,
            template: Bindings::default(),
            scopes: vec![scope],
            outside: true,
        });
        node(Kind::Lambda(self.lambdas.len() - 1))
    }

    /// The loops the current statement is in, outermost first.
    pub(super) fn loops_around(&self) -> Vec<u32> {
        let ids = self.breakables.iter().filter_map(|it| match it {
            Breakable::Loop(around) => Some(around.id),
            Breakable::Switch(_) => None,
        });
        ids.collect()
    }

    pub(super) fn frame(&self) -> &Frame<'a> {
        self.frames.last().expect("the kernel's frame is never popped")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame<'a> {
        self.frames
            .last_mut()
            .expect("the kernel's frame is never popped")
    }

    pub(super) fn next_serial(&mut self) -> u32 {
        self.serial += 1;
        self.serial
    }

    pub(super) fn unknown(&mut self) -> Sym {
        self.unknowns += 1;
        node(Kind::Unknown(self.unknowns))
    }

    /// Makes a variable known in the innermost scope.
    pub(super) fn declare(&mut self, name: &'a str, ty: Ty, refers_to: Option<Loc>, shared: bool) -> u32 {
        let id = u32::try_from(self.variables.len()).unwrap_or(u32::MAX);
        let is_array = ty.is_array();
        self.variables.push(Variable {
            ty,
            refers_to,
            is_array,
            shared,
        });
        if let Some(scope) = self.frame_mut().scopes.last_mut()
            && !name.is_empty()
        {
            scope.insert(name, id);
        }
        id
    }

    pub(super) fn variable(&self, id: u32) -> Option<&Variable> {
        self.variables.get(usize::try_from(id).ok()?)
    }

    /// The variable a plain name means.
    pub(super) fn lookup(&self, name: &str) -> Option<u32> {
        self.frame()
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .copied()
    }

    /// A declared type, aliases resolved.
    pub(super) fn ty(&self, ty: &Type) -> Ty {
        Ty::of(&self.resolved(ty))
    }

    pub(super) fn resolved(&self, ty: &Type) -> Type {
        let mut resolved = ty.clone();
        if let Some(name) = self.substituted(&ty.name) {
            resolved.name = name;
        }
        for _ in 0..4 {
            let Some(target) = self.scope.alias(self.frame().function, &resolved.name) else {
                break;
            };
            if target.name == resolved.name {
                break;
            }
            resolved.name = target.name.clone();
            resolved.pointers = resolved.pointers.saturating_add(target.pointers);
            resolved.volatile |= target.volatile;
            resolved.constant |= target.constant;
        }
        resolved
    }

    /// Runs `inside` one level deeper, or gives up when that is too deep.
    pub(super) fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.nesting >= NESTING_LIMIT {
            self.summary.incomplete = true;
            return None;
        }
        self.nesting += 1;
        let result = inside(self);
        self.nesting -= 1;
        Some(result)
    }

    /// Walks statements in a scope of their own.
    pub(super) fn scoped(&mut self, stmts: &'a [Stmt]) -> Flow {
        let first = self.open_scope();
        let flow = self.block(stmts);
        self.close_scope(first);
        flow
    }

    pub(super) fn open_scope(&mut self) -> u32 {
        let frame = self.frame_mut();
        frame.scopes.push(BTreeMap::new());
        frame.bytes_outside.push(frame.local_bytes);
        u32::try_from(self.variables.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn close_scope(&mut self, first: u32) {
        let frame = self.frame_mut();
        frame.scopes.pop();
        frame.local_bytes = frame.bytes_outside.pop().unwrap_or(frame.local_bytes);
        self.store.forget_from(first);
    }

    pub(super) fn block(&mut self, stmts: &'a [Stmt]) -> Flow {
        for (index, stmt) in stmts.iter().enumerate() {
            if self.statements >= STATEMENT_LIMIT {
                self.summary.incomplete = true;
                return Flow::Leaves;
            }
            self.statements += 1;
            if let StmtKind::Label(label) = &stmt.kind
                && scan::jumps_to(&stmts[index + 1..], label)
            {
                self.jump_loop(stmt.span, label, &stmts[index + 1..]);
                return Flow::Leaves;
            }
            let flow = self.nested(|walker| walker.statement(stmt)).unwrap_or(Flow::Next);
            if flow == Flow::Leaves {
                return Flow::Leaves;
            }
        }
        Flow::Next
    }

    fn statement(&mut self, stmt: &'a Stmt) -> Flow {
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                let before = self.serial;
                self.evaluate(expr);
                return if self.trapped(expr, before) {
                    Flow::Leaves
                } else {
                    Flow::Next
                };
            }
            StmtKind::Declare(variables) => variables.iter().for_each(|variable| self.declaration(variable)),
            StmtKind::If {
                init,
                condition,
                then,
                otherwise,
                ..
            } => {
                let first = self.open_scope();
                self.block(init);
                let flow = self.branch(condition, then, otherwise);
                self.close_scope(first);
                return flow;
            }
            StmtKind::Loop {
                kind,
                init,
                condition,
                step,
                body,
            } => {
                let first = self.open_scope();
                self.block(init);
                self.loop_statement(stmt.span, *kind, condition.as_ref(), step.as_ref(), body);
                self.close_scope(first);
            }
            StmtKind::RangeFor {
                variable,
                range,
                body,
            } => self.range_for(stmt.span, variable, range, body),
            StmtKind::Switch { value, cases } => return self.switch(value, cases),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| match self.frame().returns_place {
                    true => {
                        let place = self.lvalue(value);
                        match &place.base {
                            Base::Temporary(value) if place.path.is_empty() => Rc::clone(value),
                            _ => node(Kind::Address(place)),
                        }
                    }
                    false => self.evaluate(value),
                });
                self.leave_function(value);
                return Flow::Leaves;
            }
            StmtKind::Break => {
                self.leave_breakable();
                return Flow::Leaves;
            }
            StmtKind::Continue => {
                self.next_round();
                return Flow::Leaves;
            }
            StmtKind::Goto(label) => {
                self.jump(label);
                return Flow::Leaves;
            }
            StmtKind::Label(_) => {}
            StmtKind::Block(body) | StmtKind::OpenMp { body, .. } => return self.scoped(body),
            StmtKind::Try { body, .. } => return self.scoped(body),
        }
        Flow::Next
    }

    /// `true` for a call after which the thread does not go on.
    fn trapped(&self, expr: &Expr, before: u32) -> bool {
        let ExprKind::Call(call) = &expr.kind else {
            return false;
        };
        let ExprKind::Name(name) = &call.callee.kind else {
            return false;
        };
        matches!(name.last(), "__trap" | "abort" | "exit" | "__builtin_unreachable") && self.serial >= before
    }

    fn branch(&mut self, condition: &'a Expr, then: &'a [Stmt], otherwise: &'a [Stmt]) -> Flow {
        let sym = self.evaluate(condition);
        match sym.kind {
            Kind::Int(0) => return self.scoped(otherwise),
            Kind::Int(_) => return self.scoped(then),
            _ => {}
        }
        let before = self.store.clone();
        let mark = self.path.len();
        let condition = |side| PathCondition {
            sym: Rc::clone(&sym),
            side,
            span: condition.span,
            first_round: false,
        };
        self.path.push(condition(true));
        let then_flow = self.scoped(then);
        self.path.truncate(mark);
        let then_store = std::mem::replace(&mut self.store, before.clone());
        self.path.push(condition(false));
        let else_flow = self.scoped(otherwise);
        self.path.truncate(mark);
        match (then_flow, else_flow) {
            (Flow::Leaves, Flow::Leaves) => return Flow::Leaves,
            (Flow::Leaves, Flow::Next) => {
                self.path.push(condition(false));
                self.store.learn(&sym, false);
            }
            (Flow::Next, Flow::Leaves) => {
                self.store = then_store;
                self.path.push(condition(true));
                self.store.learn(&sym, true);
            }
            (Flow::Next, Flow::Next) => self.merge(&before, &sym, then_store),
        }
        Flow::Next
    }

    /// Joins `then` with the current store, which is that of the other side.
    pub(super) fn merge(&mut self, before: &Store, condition: &Sym, then: Store) {
        let otherwise = std::mem::take(&mut self.store);
        let variables = &self.variables;
        let shared = |id: u32| {
            usize::try_from(id)
                .ok()
                .and_then(|id| variables.get(id))
                .is_some_and(|variable| variable.shared)
        };
        self.store = before.merged(condition, then, otherwise, &shared);
    }

    fn switch(&mut self, value: &'a Expr, cases: &'a [Case]) -> Flow {
        let sym = self.evaluate(value);
        let before = self.store.clone();
        let mark = self.path.len();
        let scope = self.open_scope();
        self.breakables.push(Breakable::Switch(Vec::new()));
        let labels: Vec<Vec<Option<Sym>>> = cases
            .iter()
            .map(|case| {
                case.labels
                    .iter()
                    .map(|label| label.as_ref().map(|e| self.evaluate(e)))
                    .collect()
            })
            .collect();
        let mut entered: Option<Sym> = None;
        let mut all_leave = labels.iter().flatten().any(Option::is_none);
        let mut ends: Vec<(Sym, Store)> = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            let reached = case_condition(&sym, &labels, index);
            let falls = entered.take();
            let reached = match &falls {
                Some(above) => binary(BinaryOp::Or, above, &reached),
                None => reached,
            };
            if falls.is_none() {
                self.store = before.clone();
            }
            self.path.truncate(mark);
            self.path.push(PathCondition {
                sym: Rc::clone(&reached),
                side: true,
                span: value.span,
                first_round: false,
            });
            let broken = self.switch_breaks();
            let flow = self.block(&case.body);
            if self.switch_breaks() > broken {
                all_leave = false;
                ends.extend(self.last_break_store().map(|store| (Rc::clone(&reached), store)));
            }
            if flow == Flow::Next {
                entered = Some(Rc::clone(&reached));
                if index + 1 == cases.len() {
                    all_leave = false;
                    ends.push((reached, self.store.clone()));
                }
            }
        }
        self.path.truncate(mark);
        self.breakables.pop();
        self.store = before.clone();
        for (condition, end) in ends {
            self.merge(&before, &condition, end);
        }
        self.close_scope(scope);
        if all_leave && !cases.is_empty() {
            Flow::Leaves
        } else {
            Flow::Next
        }
    }

    fn switch_breaks(&self) -> usize {
        match self.breakables.last() {
            Some(Breakable::Switch(stores)) => stores.len(),
            _ => 0,
        }
    }

    fn last_break_store(&self) -> Option<Store> {
        match self.breakables.last() {
            Some(Breakable::Switch(stores)) => stores.last().cloned(),
            _ => None,
        }
    }

    fn leave_breakable(&mut self) {
        let path = &self.path;
        match self.breakables.last_mut() {
            Some(Breakable::Loop(innermost)) => {
                innermost.add_break(path, &self.store);
                innermost.add_exit(path, self.serial);
            }
            Some(Breakable::Switch(stores)) => stores.push(self.store.clone()),
            None => {}
        }
    }

    /// The innermost loop goes on with its next round, out of a `switch` as well.
    fn next_round(&mut self) {
        let innermost = self.breakables.iter_mut().rev().find_map(|it| match it {
            Breakable::Loop(innermost) => Some(innermost),
            Breakable::Switch(_) => None,
        });
        if let Some(innermost) = innermost {
            innermost.add_round(&self.path, &self.store);
        }
    }

    fn leave_function(&mut self, value: Option<Sym>) {
        let depth = self.frames.len();
        for breakable in &mut self.breakables {
            if let Breakable::Loop(innermost) = breakable
                && innermost.frame == depth
            {
                innermost.add_exit(&self.path, self.serial);
            }
        }
        let path = self.path[self.frame().path_start.min(self.path.len())..].to_vec();
        self.frame_mut().returns.push((path, value));
    }

    /// The thread ends here.
    pub(super) fn leave_kernel(&mut self) {
        for breakable in &mut self.breakables {
            if let Breakable::Loop(innermost) = breakable {
                innermost.add_exit(&self.path, self.serial);
            }
        }
    }

    fn jump(&mut self, label: &str) {
        let depth = self.frames.len();
        for breakable in &mut self.breakables {
            if let Breakable::Loop(innermost) = breakable
                && innermost.frame == depth
                && !innermost.labels.contains(label)
            {
                innermost.add_exit(&self.path, self.serial);
            }
        }
    }

    fn range_for(&mut self, span: Span, variable: &'a Declared, range: &'a Expr, body: &'a [Stmt]) {
        self.evaluate(range);
        let first = self.open_scope();
        let id = self.declare(&variable.name, Ty::default(), None, false);
        let value = self.unknown();
        self.store.set(id, &[], value);
        self.counted_loop(span, body);
        self.close_scope(first);
    }
}

impl Frame<'_> {
    pub(super) fn new(function: FunctionId, file: FileId, this: Option<Loc>, path_start: usize) -> Self {
        Frame {
            function,
            file,
            this,
            template: Bindings::default(),
            scopes: vec![BTreeMap::new()],
            returns: Vec::new(),
            returns_place: false,
            path_start,
            local_bytes: 0,
            most_bytes: 0,
            bytes_outside: Vec::new(),
        }
    }
}

/// `true` for `cooperative_groups::grid_group`.
pub(super) fn is_grid(ty: &Type) -> bool {
    matches!(ty.name.last(), "grid_group" | "multi_grid_group")
}

/// The condition under which a section of a `switch` is entered from its head.
fn case_condition(value: &Sym, labels: &[Vec<Option<Sym>>], index: usize) -> Sym {
    let any_of = |labels: &mut dyn Iterator<Item = &Sym>| {
        labels
            .map(|label| binary(BinaryOp::Equal, value, label))
            .reduce(|left, right| binary(BinaryOp::Or, &left, &right))
    };
    let own = &labels[index];
    if own.iter().any(Option::is_none) {
        let mut others = labels
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index)
            .flat_map(|(_, l)| l.iter().flatten());
        return match any_of(&mut others) {
            Some(others) => super::symbols::unary(crate::facts::ir::UnaryOp::Not, &others),
            None => int(1),
        };
    }
    any_of(&mut own.iter().flatten()).unwrap_or_else(|| int(0))
}

/// The name of the class a method belongs to.
pub(super) fn class_of(function: &Function) -> Option<Name> {
    let (_, class) = function.path.split_last()?;
    let namespaces = usize::try_from(function.namespaces).ok()?;
    (class.len() > namespaces).then(|| Name {
        path: class.to_vec(),
        template_args: Vec::new(),
        owner_args: Vec::new(),
    })
}
