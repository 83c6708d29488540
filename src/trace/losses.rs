//! What stays known of the values a loop changes that was not followed to its end: counters that only rise, and flags
//! that are only set to what they hold.

use std::collections::BTreeMap;

use super::Location;
use super::machine::Machine;
use super::memory::{Lengths, Value};
use crate::api::library;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Stmt, StmtKind, UnaryOp};
use crate::facts::visit::{self, Node};

/// What further passes of a loop do to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writes {
    /// It rises or stays; no counter passes the end of its type.
    Up,
    /// It becomes this.
    To(i64),
    /// Nobody knows.
    Any,
}

/// What a place holds behind a loop that was cut.
pub(super) struct Kept {
    place: Location,
    what: What,
}

enum What {
    Value(i64),
    AtLeast(i64),
}

impl<'p> Machine<'p> {
    /// What stays known of the numbers that a loop assigns to, as it is seen before they are given up on.
    ///
    /// Events are there for the passes that were `executed`, so that these are certain on this path; what only computes
    /// may not have run at all.
    pub(super) fn kept(
        &mut self,
        body: &'p [Stmt],
        expressions: impl Iterator<Item = &'p Expr>,
        mark: usize,
        executed: bool,
    ) -> Vec<Kept> {
        let mut written: Vec<(&Expr, Writes)> = Vec::new();
        let mut look = |node: Node<'p>| {
            if let Node::Expr(expression) = node {
                writes_of(expression, &mut written);
            }
        };
        visit::statements(body, &mut look);
        expressions.for_each(|it| visit::expression(it, &mut look));
        let mut by_place: BTreeMap<Location, Writes> = BTreeMap::new();
        for (target, writes) in written {
            if let Some(place) = self.plain_place(target) {
                let known = by_place.entry(place).or_insert(writes);
                if *known != writes {
                    *known = Writes::Any;
                }
            }
        }
        by_place.retain(|_, writes| *writes != Writes::Any);
        if by_place.is_empty() {
            return Vec::new();
        }
        let before = self.memory.before_since(mark);
        let of_place = |(place, writes): (Location, Writes)| {
            let now = self.memory.get(&place).and_then(number);
            let first = match before.get(&place) {
                Some(first) => first.as_ref().and_then(number),
                None => now,
            };
            let certain = if executed { now.or(first) } else { first };
            let what = match writes {
                Writes::To(value) if now == Some(value) && certain == now => What::Value(value),
                Writes::Up => What::AtLeast(certain?),
                _ => return None,
            };
            Some(Kept { place, what })
        };
        by_place.into_iter().filter_map(of_place).collect()
    }

    /// Containers that every pass of a loop makes longer by its text, and how many elements they have when it has run through
    /// `more` further passes: the last one added so many to what they had `before`.
    pub(super) fn filled_up(
        &mut self,
        body: &'p [Stmt],
        before: &Lengths,
        more: i64,
    ) -> Vec<(Location, i64)> {
        let mut added: BTreeMap<Location, i64> = BTreeMap::new();
        for statement in body {
            if let StmtKind::Expr(expression) = &statement.kind
                && let Some((object, field)) = called_on(expression)
                && library::adds_one(field)
                && let Some(place) = self.plain_place(object)
            {
                *added.entry(place).or_default() += 1;
            }
        }
        if added.is_empty() {
            return Vec::new();
        }
        // Whatever else says its name in the body only asks it, or picks an element: no side that these passes did not
        // take makes it longer or shorter.
        let mut open = added.clone();
        visit::statements(body, &mut |node| {
            let Node::Expr(expression) = node else { return };
            let (named, of) = match &expression.kind {
                ExprKind::Index { object, .. } => (Some(&**object), 1),
                ExprKind::Name(_) | ExprKind::Member { .. } => (Some(expression), -1),
                _ => match called_on(expression) {
                    Some((object, field)) if library::adds_one(field) => (Some(object), 0),
                    Some((object, field)) if library::only_asks(field) => (Some(object), 1),
                    _ => (None, 0),
                },
            };
            if of != 0
                && let Some(left) = named
                    .and_then(|it| self.plain_place(it))
                    .and_then(|it| open.get_mut(&it))
            {
                *left += of;
            }
        });
        added.retain(|place, _| open.get(place) == Some(&0));
        let filled = added.into_iter().filter_map(|(place, added)| {
            let now = *self.memory.lengths.get(&place)?;
            let grew = before.get(&place) == Some(&(now - added));
            let length = added.checked_mul(more)?.checked_add(now)?;
            grew.then_some((place, length))
        });
        filled.collect()
    }

    /// The same behind the loop, when everything it changes was given up on.
    pub(super) fn keep(&mut self, kept: Vec<Kept>) {
        for Kept { place, what } in kept {
            match what {
                What::Value(value) => self.memory.set(place, Value::Int(value)),
                What::AtLeast(least) => self.memory.set_least(&place, least),
            }
        }
    }
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

/// The object that an expression calls a method of, and the name of that.
fn called_on(expression: &Expr) -> Option<(&Expr, &str)> {
    let ExprKind::Call(call) = &expression.kind else {
        return None;
    };
    let ExprKind::Member { object, field, .. } = &call.callee.kind else {
        return None;
    };
    Some((object, field))
}

/// What an expression writes to, and names it lets others write to.
fn writes_of<'p>(expression: &'p Expr, written: &mut Vec<(&'p Expr, Writes)>) {
    match &expression.kind {
        ExprKind::Assign { op, target, value } => {
            let writes = match (op, &value.kind) {
                (None, ExprKind::Int(value)) => Writes::To(*value),
                (Some(BinaryOp::Add), ExprKind::Int(value)) if *value >= 0 => Writes::Up,
                _ => Writes::Any,
            };
            written.push((target, writes));
        }
        ExprKind::Unary { op, operand } => {
            let writes = match op {
                UnaryOp::PreIncrement | UnaryOp::PostIncrement => Writes::Up,
                UnaryOp::PreDecrement | UnaryOp::PostDecrement | UnaryOp::AddressOf => Writes::Any,
                _ => return,
            };
            written.push((operand, writes));
        }
        // Whoever is handed a name may hold a reference to it.
        ExprKind::Call(call) => written.extend(call.args.iter().map(|it| (it, Writes::Any))),
        _ => {}
    }
}
