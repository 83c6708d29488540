//! Branches on conditions nobody knows that make no events: all sides are executed, and what they leave different depends on the condition.
//!
//! Invariants: the memory behind a join holds a value as known only where all sides that go on agree on it; a side that leaves the function
//! meets the others at the function's end. Sides that were not expected make no events: only what they compute counts.

use std::collections::BTreeMap;

use super::machine::{Flow, Machine};
use super::memory::Value;
use super::{Action, Location};
use crate::facts::ir::{Case, Expr, ExprKind, Stmt, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// One side of a branch.
pub(super) struct Side<'p> {
    /// The unknown that holds where this side is taken; the last side has none: it is what is left.
    pub(super) condition: Option<u32>,
    /// What it runs.
    pub(super) body: Body<'p>,
    /// What is recorded is what this side does.
    pub(super) expected: bool,
}

/// What a side runs.
pub(super) enum Body<'p> {
    /// Statements in a scope of their own.
    Block(&'p [Stmt]),
    /// The sections of a `switch` from one on.
    Cases(&'p [Case], Span),
    /// An expression whose value goes to a place.
    Value(&'p Expr, Location),
}

/// How a side ends.
struct Ending {
    flow: Flow,
    /// What it changed, and what stands there now.
    cells: BTreeMap<Location, Option<Value>>,
    lengths: BTreeMap<Location, i64>,
}

/// A side that left its function before the end.
#[derive(Clone)]
pub(super) struct Early {
    condition: Option<u32>,
    value: Value,
    cells: BTreeMap<Location, Option<Value>>,
    /// Changes from here on are those of the sides that stayed.
    mark: usize,
}

impl<'p> Machine<'p> {
    /// Executes all sides of a branch and goes on with what they have in common.
    pub(super) fn all_sides(&mut self, sides: &[Side<'p>]) -> Flow {
        self.asked += 1;
        let (truths, lengths) = (self.truths.clone(), self.memory.lengths.clone());
        let seen = self.memory.seen();
        let mark = self.memory.watch();
        let mut endings = Vec::with_capacity(sides.len());
        for side in sides {
            let flow = self.run_side(sides, side);
            let patience_left = !self.is_tired() && self.steps < self.limit;
            let cells = self.memory.changed_since(mark);
            self.memory.roll_back(mark);
            let lengths = std::mem::replace(&mut self.memory.lengths, lengths.clone());
            self.truths.clone_from(&truths);
            self.memory.see_again(&seen);
            endings.push(Ending { flow, cells, lengths });
            if !patience_left {
                self.memory.unwatch();
                return self.give_up_join(endings);
            }
        }
        self.memory.unwatch();
        self.merge(sides, endings)
    }

    /// The value of an expression with two sides that have no effects.
    pub(super) fn either(&mut self, condition: u32, then: &'p Expr, otherwise: &'p Expr) -> Value {
        let slot = self.memory.local();
        let opposite = self.memory.opposite(condition);
        self.all_sides(&[
            Side {
                condition: Some(condition),
                body: Body::Value(then, slot.clone()),
                expected: true,
            },
            Side {
                condition: opposite,
                body: Body::Value(otherwise, slot.clone()),
                expected: false,
            },
        ]);
        self.memory.load(&slot)
    }

    fn run_side(&mut self, sides: &[Side<'p>], side: &Side<'p>) -> Flow {
        for other in sides {
            if std::ptr::eq(other, side) {
                break;
            }
            if let Some(condition) = other.condition {
                self.assume(condition, false);
            }
        }
        if let Some(condition) = side.condition {
            self.assume(condition, true);
        }
        let events = self.trace.threads[self.thread.0 as usize].events.len();
        let (exited, throwing) = (self.exited, self.throwing);
        self.quiet += u32::from(!side.expected);
        self.unsure += 1;
        let flow = match &side.body {
            Body::Block(body) => self.block(body),
            Body::Cases(cases, span) => self.run_cases(cases, *span),
            Body::Value(expression, slot) => {
                let value = self.evaluate(expression);
                self.memory.set(slot.clone(), value);
                self.flow()
            }
        };
        self.unsure -= 1;
        self.quiet -= u32::from(!side.expected);
        if !side.expected {
            let dropped = &mut self.trace.threads[self.thread.0 as usize].events;
            let stores = dropped[events.min(dropped.len())..].iter();
            let stores = stores.filter(|it| matches!(it.action, Action::Store(_)));
            self.dropped_stores += stores.count() as u32;
            dropped.truncate(events);
        }
        (self.exited, self.throwing) = (exited, throwing);
        flow
    }

    /// The steps ran out inside a side: nothing that any of them changed is known.
    fn give_up_join(&mut self, endings: Vec<Ending>) -> Flow {
        for (place, _) in endings.into_iter().flat_map(|it| it.cells) {
            self.memory.lose(place, true);
        }
        Flow::Stop
    }

    fn merge(&mut self, sides: &[Side<'p>], endings: Vec<Ending>) -> Flow {
        let expected = sides.iter().position(|it| it.expected).unwrap_or(0);
        let goes_on = |it: &Ending| it.flow == Flow::Next;
        if !endings.iter().any(goes_on) {
            return self.all_leave(sides, endings, expected);
        }
        let mut staying = Vec::new();
        for (side, ending) in sides.iter().zip(endings) {
            match ending.flow {
                Flow::Next => staying.push((side.condition, ending)),
                Flow::Return(ref value) => {
                    let early = Early {
                        condition: side.condition,
                        value: value.clone(),
                        cells: ending.cells,
                        mark: 0,
                    };
                    self.return_early(early);
                }
                Flow::Break | Flow::Continue | Flow::Goto(_) => {
                    self.loose_ends += 1;
                    self.left_open = true;
                }
                // The end of the process is nobody's way on.
                Flow::Stop | Flow::Throw => {}
            }
        }
        if let [(Some(condition), _)] = staying.as_slice() {
            self.assume(*condition, true);
            self.memory.note_seen(*condition, true);
        }
        self.adopt(staying);
        self.flow()
    }

    /// No side goes on behind the branch.
    fn all_leave(&mut self, sides: &[Side<'p>], mut endings: Vec<Ending>, expected: usize) -> Flow {
        let returns = |it: &Ending| matches!(it.flow, Flow::Return(_));
        let leading = if returns(&endings[expected]) || !endings.iter().any(returns) {
            expected
        } else {
            endings.iter().position(returns).unwrap_or(expected)
        };
        for (index, (side, ending)) in sides.iter().zip(&endings).enumerate() {
            match &ending.flow {
                Flow::Return(value) if index != leading => {
                    let early = Early {
                        condition: side.condition,
                        value: value.clone(),
                        cells: ending.cells.clone(),
                        mark: 0,
                    };
                    self.return_early(early);
                }
                Flow::Break | Flow::Continue | Flow::Goto(_) if index != leading => self.loose_ends += 1,
                _ => {}
            }
        }
        let ending = endings.swap_remove(leading);
        let flow = ending.flow.clone();
        if let Some(condition) = sides[leading].condition {
            self.assume(condition, true);
        }
        self.adopt(vec![(None, ending)]);
        if flow == Flow::Stop {
            self.exited = true;
        }
        if flow == Flow::Throw {
            self.throwing = true;
        }
        flow
    }

    fn return_early(&mut self, mut early: Early) {
        let frame = self.frames.iter().rposition(|it| !it.transparent);
        if let Some(frame) = frame.filter(|it| self.frames[*it].quiet) {
            early.mark = self.memory.watch();
            self.frames[frame].early.push(early);
        } else {
            self.left_open = true;
        }
    }

    /// Takes over what the sides that go on left.
    fn adopt(&mut self, mut staying: Vec<(Option<u32>, Ending)>) {
        let decisive = |it: &Option<Value>| is_handle(it) || matches!(it, Some(Value::Str(_)));
        let handles = |a: &Option<Value>, b: &Option<Value>| a != b && (decisive(a) || decisive(b));
        // Which of two handles or texts it is decides too much to be left open.
        while staying.len() > 1 {
            let last = staying.len() - 1;
            let differs = staying[..last].iter().position(|(_, side)| {
                let rest = &staying[last].1;
                let mut places = side.cells.keys().chain(rest.cells.keys());
                places.any(|it| handles(&self.cell_of(side, it), &self.cell_of(rest, it)))
            });
            let Some(index) = differs else { break };
            match staying[index].0 {
                Some(condition) if self.decide(condition) => staying = vec![staying.swap_remove(index)],
                _ => {
                    staying.remove(index);
                }
            }
        }
        let Some((_, mut state)) = staying.pop() else {
            return;
        };
        while let Some((condition, side)) = staying.pop() {
            let places: Vec<Location> = side.cells.keys().chain(state.cells.keys()).cloned().collect();
            for place in places {
                let (first, rest) = (self.cell_of(&side, &place), self.cell_of(&state, &place));
                if first != rest {
                    let value = self.memory.choice(condition, first, rest);
                    state.cells.insert(place, Some(value));
                }
            }
            state
                .lengths
                .retain(|place, length| side.lengths.get(place) == Some(length));
        }
        for (place, value) in state.cells {
            self.memory.restore(place, value);
        }
        self.memory.lengths = state.lengths;
    }

    /// What stands at a place at the end of a side.
    fn cell_of(&self, ending: &Ending, place: &Location) -> Option<Value> {
        match ending.cells.get(place) {
            Some(value) => value.clone(),
            None => self.memory.get(place).cloned(),
        }
    }

    /// What a function returns, with all the sides that returned before: they meet here.
    pub(super) fn meet_early(&mut self, flow: Flow) -> Flow {
        let early = std::mem::take(&mut self.frame_mut().early);
        if !early.is_empty() {
            self.returned = None;
        }
        let mut flow = flow;
        for side in early.into_iter().rev() {
            let stayed = self.memory.changed_since(side.mark);
            self.memory.unwatch();
            let result = match &flow {
                Flow::Return(value) => Some(value.clone()),
                Flow::Next => Some(Value::Int(0)),
                _ => None,
            };
            let before: BTreeMap<Location, Option<Value>> = self.memory.before_since(side.mark);
            let Some(result) = result else {
                // Only those that returned before come back from here, unless patience is at its end.
                if self.exited || self.throwing {
                    (self.exited, self.throwing) = (false, false);
                    for (place, value) in before.into_iter().chain(side.cells) {
                        self.memory.restore(place, value);
                    }
                    if let Some(condition) = side.condition {
                        self.assume(condition, true);
                    }
                    flow = Flow::Return(side.value);
                }
                continue;
            };
            let places = stayed.keys().chain(side.cells.keys());
            for place in places.cloned().collect::<Vec<_>>() {
                let now = self.memory.get(&place).cloned();
                let then = match side.cells.get(&place) {
                    Some(value) => value.clone(),
                    None => before.get(&place).cloned().flatten(),
                };
                if now != then && !is_handle(&now) && !is_handle(&then) {
                    let value = self.memory.choice(side.condition, then, now);
                    self.memory.restore(place, Some(value));
                }
            }
            if result != side.value
                && !is_handle(&Some(result.clone()))
                && !is_handle(&Some(side.value.clone()))
            {
                let value = self.memory.choice(side.condition, Some(side.value), Some(result));
                flow = Flow::Return(value);
            }
        }
        flow
    }
}

/// A value that says which stream, event or memory is meant.
fn is_handle(value: &Option<Value>) -> bool {
    !matches!(
        value,
        None | Some(Value::Int(_) | Value::Str(_) | Value::Unknown(_))
    )
}

/// Whether evaluating an expression changes nothing and calls nobody.
pub(super) fn has_no_effect(expression: &Expr) -> bool {
    let mut pure = true;
    visit::expression(expression, &mut |node| {
        let Node::Expr(it) = node else { return };
        pure &= !matches!(
            &it.kind,
            ExprKind::Call(_)
                | ExprKind::Launch(_)
                | ExprKind::New { .. }
                | ExprKind::Delete { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Lambda(_)
                | ExprKind::Throw(_)
                | ExprKind::Asm { .. }
                | ExprKind::Construct { .. }
                | ExprKind::Opaque(_)
                | ExprKind::Unary {
                    op: UnaryOp::PreIncrement
                        | UnaryOp::PostIncrement
                        | UnaryOp::PreDecrement
                        | UnaryOp::PostDecrement,
                    ..
                }
        );
    });
    pure
}
