//! Passes of loops that nobody followed: a side of a branch that no followed pass took may be taken in one of them.
//!
//! Invariants: only conditions over something the loop changes count. What holds in every pass holds in those as well. Passes
//! that are passed over are a multiple of [`PERIOD`]: what goes round in a ring is where it was, what counts has gone on.

use std::collections::{BTreeMap, BTreeSet};

use super::cuda::handle_name;
use super::joins::has_no_effect;
use super::machine::Machine;
use super::memory::Value;
use super::{EventId, Location};
use crate::api::{self, Blocking, Operation};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Init, Stmt, StmtKind, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// How many passes are passed over at once: a multiple of the lengths that rings of buffers have.
const PERIOD: i64 = 12;

/// How many passes ahead one is looked for that takes another side.
const FURTHEST: i64 = 1_100;

/// A loop that is being executed.
pub(super) struct Passes<'p> {
    /// Where the changes it makes begin.
    mark: usize,
    /// How deep the call that it stands in is.
    depth: usize,
    /// Sides of branches over something it changes, by where the condition stands: the condition, where no pass has taken it.
    sides: BTreeMap<(u32, bool), Option<&'p Expr>>,
}

/// Where a loop goes on, to come to a pass that takes a side that none has taken so far.
pub(super) struct Leap {
    /// What counts, and by how much from pass to pass.
    counters: Vec<(Location, i64, i64)>,
    /// Passes that are not followed.
    pub(super) over: i64,
    /// Passes from there on, the one that is wanted the last of them.
    pub(super) further: u32,
}

/// What sides that were not taken would have done.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Events that a pass nobody followed may have recorded, and no other one has.
    records: BTreeSet<EventId>,
    /// Events that were recorded.
    recorded: BTreeSet<EventId>,
}

/// Something a side does that orders work.
pub(super) enum Left {
    /// An event is recorded.
    Record(EventId),
    /// The host waits, in a call of this name.
    Wait(&'static str),
}

impl<'p> Machine<'p> {
    /// A loop begins whose changes begin at a mark; the result is for [`Self::leave_passes`].
    pub(super) fn enter_passes(&mut self, mark: usize) -> usize {
        self.control.loops.push(Passes {
            mark,
            depth: self.control.frames.len(),
            sides: BTreeMap::new(),
        });
        self.control.left_out.len()
    }

    /// A loop ends, perhaps before all of its passes were followed.
    pub(super) fn leave_passes(&mut self, begin: usize, cut: bool, span: Span) {
        self.control.loops.pop();
        let left: Vec<Left> = self.control.left_out.drain(begin..).collect();
        if !cut {
            return;
        }
        let mut waited = None;
        for it in left {
            match it {
                Left::Record(event) if self.left_out.recorded.contains(&event) => {}
                Left::Record(event) => {
                    self.left_out.records.insert(event);
                }
                Left::Wait(name) => waited = Some(name),
            }
        }
        if let Some(name) = waited {
            self.note_opaque(name, &[], true, span);
        }
    }

    /// A side of a branch is taken, the other one is not.
    pub(super) fn leave_out(&mut self, condition: &'p Expr, taken: bool, side: &'p [Stmt]) {
        let depth = self.control.frames.len();
        let Some(passes) = self.control.loops.last_mut() else {
            return;
        };
        let (mark, own) = (passes.mark, passes.depth == depth);
        if own {
            passes.sides.insert((condition.span.start, taken), None);
        }
        if !self.is_eventful(side) || !self.varies_since(mark, condition) {
            return;
        }
        if own && let Some(passes) = self.control.loops.last_mut() {
            passes
                .sides
                .entry((condition.span.start, !taken))
                .or_insert(Some(condition));
        }
        let mut calls = Vec::new();
        visit::statements(side, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call(call),
                span,
            }) = node
                && let ExprKind::Name(name) = &call.callee.kind
                && let Some(entry) = api::lookup(name.last())
            {
                calls.push((entry, &call.args, *span));
            }
        });
        for (entry, args, span) in calls {
            let waits = !matches!(entry.blocks, Blocking::None | Blocking::PageableToHost);
            match (entry.operation, args.first()) {
                (Operation::EventRecord, Some(event)) if is_plain(event) => {
                    self.control.quiet += 1;
                    let value = self.evaluate(event);
                    let value = self.converted(value, "cudaEvent_t", span);
                    self.control.quiet -= 1;
                    let words = handle_name(&self.words(event.span));
                    let event = self.event_of(&value, &words);
                    self.control.left_out.push(Left::Record(event));
                }
                _ if waits => self.control.left_out.push(Left::Wait(entry.name)),
                _ => {}
            }
        }
    }

    /// Where the loop that is being executed can go on, so that one of the passes from there takes a side of a branch that none
    /// has taken: what each of the last two passes, from two marks on, changed by the same goes on by that.
    pub(super) fn leap(
        &mut self,
        [before, last]: [usize; 2],
        whole: Option<&'p Expr>,
        body: &'p [Stmt],
    ) -> Option<Leap> {
        let passes = self.control.loops.last()?;
        let open = |(at, it): (&(u32, bool), &Option<&'p Expr>)| it.map(|it| (it, at.1));
        let open: Vec<(&'p Expr, bool)> = passes.sides.iter().filter_map(open).collect();
        if open.is_empty() {
            return None;
        }
        let counters = self.counters([before, last]);
        if counters.is_empty() {
            return None;
        }
        let (steps, mark) = (self.steps, self.memory.mark());
        self.control.quiet += 1;
        let mut wanted = open;
        let mut found = None;
        for ahead in 0..FURTHEST {
            for (place, now, by) in &counters {
                self.memory.set(place.clone(), Value::Int(now + by * ahead));
            }
            let goes_on = whole.is_none_or(|it| self.holds_ahead(it, &[]) != Some(false));
            // What is not known in one pass is not in the next.
            wanted.retain(|(condition, side)| {
                let holds = goes_on.then(|| self.holds_ahead(condition, body)).flatten();
                if holds == Some(*side) {
                    found = Some(ahead);
                }
                holds.is_some()
            });
            self.memory.roll_back(mark);
            if found.is_some() || wanted.is_empty() {
                break;
            }
        }
        self.control.quiet -= 1;
        self.steps = steps;
        let ahead = found?;
        let over = ahead / PERIOD * PERIOD;
        Some(Leap {
            counters,
            over,
            further: u32::try_from(ahead - over).ok()?,
        })
    }

    /// The passes in between are over.
    pub(super) fn pass_over(&mut self, leap: &Leap) {
        for (place, now, by) in &leap.counters {
            self.memory.set(place.clone(), Value::Int(now + by * leap.over));
        }
    }

    /// Numbers that each of two passes changed by the same: what they are now, and by how much.
    fn counters(&self, [before, last]: [usize; 2]) -> Vec<(Location, i64, i64)> {
        let first = self.memory.before_between(before, last);
        let second = self.memory.before_since(last);
        let number = |it: Option<&Option<Value>>| match it {
            Some(Some(Value::Int(it))) => Some(*it),
            _ => None,
        };
        let counter = |place: &Location| {
            let Some(Value::Int(now)) = self.memory.get(place) else {
                return None;
            };
            let (first, second) = (number(first.get(place))?, number(second.get(place))?);
            let by = now.checked_sub(second)?;
            let steady = by != 0 && second.checked_sub(first) == Some(by);
            let furthest = by.checked_mul(FURTHEST)?;
            now.checked_add(furthest)?;
            steady.then(|| (place.clone(), *now, by))
        };
        second.keys().filter_map(counter).collect()
    }

    /// Whether a condition holds, from what is known and what the body of a loop makes of it; `None` where that is not known.
    fn holds_ahead(&mut self, condition: &'p Expr, body: &'p [Stmt]) -> Option<bool> {
        match &condition.kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                let decides = *op == BinaryOp::Or;
                match (self.holds_ahead(left, body), self.holds_ahead(right, body)) {
                    (Some(it), _) | (_, Some(it)) if it == decides => Some(decides),
                    (Some(_), Some(_)) => Some(!decides),
                    _ => None,
                }
            }
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self.holds_ahead(operand, body).map(|it| !it),
            ExprKind::Name(name) if name.is_plain() && self.lookup(name.last()).is_none() => {
                let made = body.iter().find_map(|it| match &it.kind {
                    StmtKind::Declare(variables) => variables.iter().find(|it| it.name == name.last()),
                    _ => None,
                })?;
                match &made.init {
                    Some(Init::Value(value)) => self.holds_ahead(value, body),
                    _ => None,
                }
            }
            _ if has_no_effect(condition) => {
                let value = self.evaluate(condition);
                self.truth(&value)
            }
            _ => None,
        }
    }

    /// Whether something a condition reads was stored to since a mark.
    fn varies_since(&mut self, mark: usize, condition: &Expr) -> bool {
        let mut names = Vec::new();
        visit::expression(condition, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) = node
            {
                names.push(name);
            }
        });
        names.into_iter().any(|name| {
            let place = self.name_place(name);
            place.is_some_and(|it| self.memory.was_stored_since(mark, it.base))
        })
    }

    /// An event is recorded.
    pub(super) fn note_record(&mut self, event: EventId) {
        self.left_out.records.remove(&event);
        self.left_out.recorded.insert(event);
    }

    /// Somebody waits for an event; the record that is meant may stand in a pass that nobody followed.
    pub(super) fn note_event_wait(&mut self, event: EventId, name: &str, span: Span) {
        if self.left_out.records.contains(&event) {
            self.note_opaque(name, &[], true, span);
        }
    }
}

/// Names, members and elements at numbers and names: finding the value has no effect.
fn is_plain(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) | ExprKind::This | ExprKind::Int(_) => true,
        ExprKind::Member { object, .. } => is_plain(object),
        ExprKind::Index { object, index } => is_plain(object) && is_plain(index),
        _ => false,
    }
}
