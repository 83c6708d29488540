//! Loops: an iteration is walked twice, with what it changes unknown, and every way out of it is kept.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::conditions;
use super::scan;
use super::store::Store;
use super::symbols::{Base, Kind, Loc, Sym, binary, depends, export, int, select};
use super::walk::{Breakable, Flow, PathCondition, Walker};
use crate::facts::ir::{BinaryOp, Expr, LoopKind, Span, Stmt};

/// A loop being walked.
pub(super) struct Loop<'a> {
    /// Depth of the frame it is in.
    pub(super) frame: usize,
    /// Labels inside it.
    pub(super) labels: BTreeSet<&'a str>,
    /// Something in it makes the compiler read memory again.
    pub(super) reloads: bool,
    /// What is read again may be new: more than a store, a pause or a barrier of the block happens in it.
    pub(super) refreshes: bool,
    /// Places it reads with plain loads.
    pub(super) read: Vec<Loc>,
    /// Something in it keeps the assembler from dropping it: a store, a fence, a pause, a call.
    pub(super) has_effect: bool,
    /// It calls functions without a visible body.
    pub(super) calls_unknown: bool,
    /// Memory that was handed to functions without a visible body.
    pub(super) handed_out: Vec<Base>,
    pub(super) id: u32,
    pub(super) path_start: usize,
    /// The same behind its test: what holds there holds in every round.
    pub(super) round_start: usize,
    pub(super) exits: Vec<Vec<PathCondition>>,
    /// How far the walk had come at each of them.
    pub(super) left_at: Vec<u32>,
    /// Which of them is the test before an iteration.
    pub(super) tested: Option<usize>,
    /// What that test comes to with what an iteration leaves.
    pub(super) tested_again: Option<Sym>,
    pub(super) serial_start: u32,
    pub(super) unknown_start: u32,
    pub(super) write_start: usize,
    /// Where a round ends early, and what variables hold there: at each `break`, and at each `continue`.
    pub(super) broken: Vec<Departure>,
    pub(super) continued: Vec<Departure>,
}

/// A place where control leaves the body of a loop: the conditions inside it that lead there, and what variables hold.
pub(super) struct Departure {
    path: Vec<PathCondition>,
    store: Store,
}

impl Loop<'_> {
    /// A function that calls itself, from its first statement on. Its `return`s are looked at by who asks.
    pub(super) fn of_function(walker: &Walker<'_>) -> Self {
        Loop {
            id: walker.loops.saturating_add(1),
            reloads: false,
            refreshes: false,
            has_effect: false,
            calls_unknown: false,
            frame: usize::MAX,
            path_start: walker.path.len(),
            serial_start: walker.serial,
            unknown_start: walker.unknowns,
            write_start: walker.writes.len(),
            ..unreachable_loop(0)
        }
    }

    /// The loop is left under these conditions.
    pub(super) fn add_way_out(&mut self, path: Vec<PathCondition>) {
        self.exits.push(path);
        self.left_at.push(self.serial_start);
    }

    /// The loop is left here, where variables hold this.
    pub(super) fn add_break(&mut self, path: &[PathCondition], store: &Store) {
        self.broken.push(departure(path, self.path_start, store));
    }

    /// The loop goes on with its next round, where variables hold this.
    pub(super) fn add_round(&mut self, path: &[PathCondition], store: &Store) {
        self.continued.push(departure(path, self.round_start, store));
    }

    /// The loop is left where this path leads, after this many events.
    pub(super) fn add_exit(&mut self, path: &[PathCondition], serial: u32) {
        self.exits
            .push(path.get(self.path_start..).unwrap_or_default().to_vec());
        self.left_at.push(serial);
    }
}

fn departure(path: &[PathCondition], from: usize, store: &Store) -> Departure {
    Departure {
        path: path.get(from..).unwrap_or_default().to_vec(),
        store: store.clone(),
    }
}

/// The parts of a loop statement.
struct Parts<'a> {
    /// The condition is tested after the body.
    tested_last: bool,
    condition: Option<&'a Expr>,
    step: Option<&'a Expr>,
    body: &'a [Stmt],
    /// Control leaves the loop at the end of the body.
    once: bool,
}

impl<'a> Walker<'a> {
    pub(super) fn loop_statement(
        &mut self,
        span: Span,
        kind: LoopKind,
        condition: Option<&'a Expr>,
        step: Option<&'a Expr>,
        body: &'a [Stmt],
    ) {
        let tested_last = kind == LoopKind::DoWhile;
        let end = match condition.into_iter().chain(step).map(|expr| expr.span.end).max() {
            Some(end) if !tested_last => end.saturating_add(1).min(span.end),
            _ => span
                .start
                .saturating_add(if tested_last { 2 } else { 3 })
                .min(span.end),
        };
        let head = Span {
            start: span.start,
            end,
        };
        self.walk_loop(
            head,
            &Parts {
                tested_last,
                condition,
                step,
                body,
                once: false,
            },
            BTreeSet::new(),
        );
    }

    /// A label and the statements after it, some of which jump back to it.
    pub(super) fn jump_loop(&mut self, span: Span, label: &'a str, body: &'a [Stmt]) {
        let parts = Parts {
            tested_last: true,
            condition: None,
            step: None,
            body,
            once: true,
        };
        self.walk_loop(span, &parts, BTreeSet::from([label]));
    }

    /// A loop that ends by itself.
    pub(super) fn counted_loop(&mut self, span: Span, body: &'a [Stmt]) {
        let parts = Parts {
            tested_last: false,
            condition: None,
            step: None,
            body,
            once: true,
        };
        self.walk_loop(span, &parts, BTreeSet::new());
    }

    fn walk_loop(&mut self, head: Span, parts: &Parts<'a>, mut labels: BTreeSet<&'a str>) {
        labels.extend(scan::labels(parts.body));
        self.loops += 1;
        let id = self.loops;
        let before = self.store.clone();
        let context = |walker: &Self, labels: &BTreeSet<&'a str>| Loop {
            frame: walker.frames.len(),
            labels: labels.clone(),
            reloads: false,
            refreshes: false,
            read: Vec::new(),
            has_effect: false,
            calls_unknown: false,
            handed_out: Vec::new(),
            id,
            path_start: walker.path.len(),
            round_start: walker.path.len(),
            exits: Vec::new(),
            left_at: Vec::new(),
            tested: None,
            tested_again: None,
            serial_start: walker.serial,
            unknown_start: walker.unknowns,
            write_start: walker.writes.len(),
            broken: Vec::new(),
            continued: Vec::new(),
        };
        let outside = self.path.len();
        let first_test = self.first_test(parts);
        self.path.extend(first_test);
        self.carry_assigned(id, parts);
        let first = context(self, &labels);
        let (serial_start, unknown_start) = (first.serial_start, first.unknown_start);
        let was_dry = std::mem::replace(&mut self.dry, true);
        let at_start = self.store.clone();
        let returned = self.frame().returns.len();
        let walked = self.iterate(first, parts);
        self.note_strides(id);
        self.dry = was_dry;
        if !self.dry {
            // What the first walk returns, the second one returns again.
            self.frame_mut().returns.truncate(returned);
        }
        if self.dry {
            self.leave_loop(walked.broken, &before, parts);
            self.path.truncate(outside);
            return;
        }
        self.carry_changed(id, &before, at_start, serial_start);
        let mut second = context(self, &labels);
        let this_round = self.serial;
        second.serial_start = serial_start;
        second.unknown_start = unknown_start;
        let walked = self.iterate(second, parts);
        self.note_counted(id, &walked.exits);
        let end = parts.body.last().map_or(head.end, |last| last.span.end);
        if !self.judge_session(head, end, &walked, this_round) {
            self.judge(head, end, &walked);
        }
        self.leave_loop(walked.broken, &before, parts);
        self.path.truncate(outside);
    }

    /// Behind a loop variables hold what they held at the way out that was taken.
    fn leave_loop(&mut self, broken: Vec<Departure>, before: &Store, parts: &Parts<'a>) {
        let mut broken = broken;
        if parts.condition.is_none()
            && !parts.once
            && let Some(last) = broken.pop()
        {
            self.store = last.store;
        }
        self.join(broken, before);
    }

    /// Joins what variables hold with what they held where control left for the same place.
    fn join(&mut self, departures: Vec<Departure>, before: &Store) {
        for it in departures.into_iter().rev() {
            let condition = conditions::conjunction(&it.path).unwrap_or_else(|| int(1));
            self.merge(before, &condition, it.store);
        }
    }

    /// What the launch must have decided for the loop to have a first round; `None` where it is nothing a launch decides.
    fn first_test(&mut self, parts: &Parts<'a>) -> Option<PathCondition> {
        let condition = parts.condition.filter(|_| !parts.tested_last)?;
        let was_dry = std::mem::replace(&mut self.dry, true);
        let store = self.store.clone();
        let sym = self.evaluate(condition);
        self.store = store;
        self.dry = was_dry;
        let decided =
            !matches!(sym.kind, Kind::Int(value) if value != 0) && export(&sym, self.kernel).is_some();
        decided.then_some(PathCondition {
            sym,
            side: true,
            span: condition.span,
            first_round: true,
        })
    }

    /// One iteration; the loop's exits are collected on the way.
    fn iterate(&mut self, context: Loop<'a>, parts: &Parts<'a>) -> Loop<'a> {
        let path_start = context.path_start;
        let at_start = self.store.clone();
        self.breakables.push(Breakable::Loop(Box::new(context)));
        let test = |walker: &mut Self| {
            let Some(condition) = parts.condition else { return };
            let sym = walker.evaluate(condition);
            let condition = |side| PathCondition {
                sym: Rc::clone(&sym),
                side,
                span: condition.span,
                first_round: false,
            };
            walker.path.push(condition(false));
            walker.exit_here();
            walker.path.pop();
            walker.path.push(condition(true));
        };
        if !parts.tested_last {
            if let Some(Breakable::Loop(innermost)) = self.breakables.last_mut() {
                innermost.tested = parts.condition.map(|_| innermost.exits.len());
            }
            test(self);
            self.start_round();
        }
        let flow = self.scoped(parts.body);
        if parts.once && flow == Flow::Next {
            self.exit_here();
        }
        self.join_rounds(flow, &at_start);
        if parts.tested_last {
            self.path.truncate(path_start);
            test(self);
        }
        if let Some(step) = parts.step {
            self.evaluate(step);
        }
        self.path.truncate(path_start);
        if let Some(condition) = parts.condition.filter(|_| !parts.tested_last && !self.dry) {
            self.dry = true;
            let again = self.evaluate(condition);
            self.dry = false;
            if let Some(Breakable::Loop(innermost)) = self.breakables.last_mut() {
                innermost.tested_again = Some(again);
            }
        }
        match self.breakables.pop() {
            Some(Breakable::Loop(context)) => *context,
            _ => unreachable_loop(path_start),
        }
    }

    /// Behind the test before a round.
    fn start_round(&mut self) {
        if let Some(Breakable::Loop(innermost)) = self.breakables.last_mut() {
            innermost.round_start = self.path.len();
        }
    }

    /// A round ends where its body ends, and where it goes on with the next one.
    fn join_rounds(&mut self, flow: Flow, at_start: &Store) {
        let Some(Breakable::Loop(innermost)) = self.breakables.last_mut() else {
            return;
        };
        let mut continued = std::mem::take(&mut innermost.continued);
        if flow == Flow::Leaves
            && let Some(last) = continued.pop()
        {
            self.store = last.store;
        }
        self.join(continued, at_start);
    }

    fn exit_here(&mut self) {
        if let Some(Breakable::Loop(innermost)) = self.breakables.last_mut() {
            innermost.add_exit(&self.path, self.serial);
        }
    }

    /// Variables the loop assigns to hold an unknown value at the start of an iteration.
    fn carry_assigned(&mut self, loop_id: u32, parts: &Parts<'a>) {
        let exprs = parts.condition.into_iter().chain(parts.step);
        let names = scan::assigned_names(parts.body, exprs);
        let holds = |id: u32, element: bool| !element || self.variable(id).is_some_and(|it| it.is_array);
        let variables: Vec<u32> = names
            .iter()
            .filter_map(|(name, element)| self.lookup(name).filter(|id| holds(*id, *element)))
            .collect();
        for variable in variables {
            let keys: Vec<Rc<str>> = self
                .store
                .of_variable(variable)
                .map(|(path, _)| Rc::clone(path))
                .collect();
            for key in keys {
                let first = self.store.get(&(variable, Rc::clone(&key))).map(Rc::clone);
                if let Some(first) = first.filter(|_| key.is_empty()) {
                    self.initials.insert((loop_id, variable), first);
                }
                self.store.replace((variable, key), carried(loop_id, variable));
            }
        }
    }

    /// Sets the store for the second walk from what the first one found: values an iteration computes anew from
    /// memory are kept, others that changed stay unknown.
    fn carry_changed(&mut self, loop_id: u32, before: &Store, at_start: Store, serial: u32) {
        let after = std::mem::replace(&mut self.store, before.clone());
        for (key, value) in after.entries() {
            let Some(original) = before.get(key) else {
                // A part of a variable that was known as a whole.
                let has_whole = before
                    .of_variable(key.0)
                    .any(|(path, _)| key.1.starts_with(&**path));
                if has_whole {
                    let fresh = depends(value, &|kind| is_load_since(kind, serial))
                        && !depends(value, &|kind| is_carried_since(kind, loop_id));
                    let value = if fresh {
                        Rc::clone(value)
                    } else {
                        carried(loop_id, key.0)
                    };
                    self.store.replace(key.clone(), value);
                }
                continue;
            };
            if at_start.get(key) == Some(value) && value == original {
                continue;
            }
            let changed = recomputed(value, original, loop_id, key.0)
                .filter(|value| value == original || depends(value, &|kind| is_load_since(kind, serial)))
                .unwrap_or_else(|| carried(loop_id, key.0));
            self.store.replace(key.clone(), changed);
        }
    }
}

fn is_carried_since(kind: &Kind, loop_id: u32) -> bool {
    matches!(kind, Kind::Carried { loop_id: other, .. } if *other >= loop_id)
}

pub(super) fn is_load_since(kind: &Kind, serial: u32) -> bool {
    matches!(kind, Kind::Load(load) if load.serial > serial)
}

fn carried(loop_id: u32, variable: u32) -> Sym {
    super::symbols::node(Kind::Carried { loop_id, variable })
}

/// The value at the end of an iteration when it does not build on earlier iterations; a variable that keeps its
/// value on some paths keeps the one it had before the loop.
fn recomputed(value: &Sym, original: &Sym, loop_id: u32, variable: u32) -> Option<Sym> {
    let since = |kind: &Kind| is_carried_since(kind, loop_id);
    match &value.kind {
        Kind::Carried {
            loop_id: other,
            variable: same,
        } if *other == loop_id && *same == variable => Some(Rc::clone(original)),
        Kind::Select(condition, then, otherwise) if !depends(condition, &since) => Some(select(
            condition,
            &recomputed(then, original, loop_id, variable)?,
            &recomputed(otherwise, original, loop_id, variable)?,
        )),
        Kind::Binary(
            op @ (BinaryOp::Or | BinaryOp::And | BinaryOp::BitOr | BinaryOp::BitAnd),
            left,
            right,
        ) => Some(binary(
            *op,
            &recomputed(left, original, loop_id, variable)?,
            &recomputed(right, original, loop_id, variable)?,
        )),
        _ => (!depends(value, &since)).then(|| Rc::clone(value)),
    }
}

/// Only for a stack of breakables that lost its loop; has no exits, so nothing is said about it.
fn unreachable_loop<'a>(path_start: usize) -> Loop<'a> {
    Loop {
        frame: 0,
        labels: BTreeSet::new(),
        reloads: true,
        refreshes: true,
        read: Vec::new(),
        has_effect: true,
        calls_unknown: true,
        handed_out: Vec::new(),
        id: 0,
        path_start,
        round_start: path_start,
        exits: Vec::new(),
        left_at: Vec::new(),
        tested: None,
        tested_again: None,
        serial_start: 0,
        unknown_start: 0,
        write_start: 0,
        broken: Vec::new(),
        continued: Vec::new(),
    }
}
