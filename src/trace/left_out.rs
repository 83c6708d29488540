//! Passes of loops that nobody followed: a side of a branch that no followed pass took may be taken in one of them.
//!
//! Invariant: only conditions over something the loop changes count. What holds in every pass holds in those as well.

use std::collections::BTreeSet;

use super::EventId;
use super::cuda::handle_name;
use super::machine::Machine;
use crate::api::{self, Blocking, Operation};
use crate::facts::ir::{Expr, ExprKind, Stmt};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// What sides that were not taken would have done.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Loops that are being executed, innermost last: where the changes they make begin.
    loops: Vec<usize>,
    /// What was left out in them so far.
    pending: Vec<Left>,
    /// Events that a pass nobody followed may have recorded, and no other one has.
    records: BTreeSet<EventId>,
    /// Events that were recorded.
    recorded: BTreeSet<EventId>,
}

/// Something a side does that orders work.
enum Left {
    /// An event is recorded.
    Record(EventId),
    /// The host waits, in a call of this name.
    Wait(&'static str),
}

impl<'p> Machine<'p> {
    /// A loop begins whose changes begin at a mark; the result is for [`Self::leave_passes`].
    pub(super) fn enter_passes(&mut self, mark: usize) -> usize {
        self.left_out.loops.push(mark);
        self.left_out.pending.len()
    }

    /// A loop ends, perhaps before all of its passes were followed.
    pub(super) fn leave_passes(&mut self, begin: usize, cut: bool, span: Span) {
        self.left_out.loops.pop();
        let left: Vec<Left> = self.left_out.pending.drain(begin..).collect();
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

    /// A side of a branch is not taken.
    pub(super) fn leave_out(&mut self, condition: &'p Expr, side: &'p [Stmt]) {
        let Some(mark) = self.left_out.loops.last().copied() else {
            return;
        };
        if !self.is_eventful(side) || !self.varies_since(mark, condition) {
            return;
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
                    self.left_out.pending.push(Left::Record(event));
                }
                _ if waits => self.left_out.pending.push(Left::Wait(entry.name)),
                _ => {}
            }
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
