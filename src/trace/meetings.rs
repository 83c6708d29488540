//! Threads that count together: who finds that a number has come to what he asks for is behind all who have brought it there.

use super::joins::has_no_effect;
use super::machine::Machine;
use super::memory::Value;
use super::{Location, ThreadId};
use crate::api::library;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::Span;

/// How many stores to one place are kept.
const MOST_KEPT: usize = 64;

/// A number that a thread has stored where others look.
pub(super) struct Count {
    thread: ThreadId,
    /// Its event.
    index: u32,
    number: i64,
}

impl<'p> Machine<'p> {
    /// Notes what the event before has stored.
    pub(super) fn note_count(&mut self, place: &Location, value: &Value) {
        if self.trace.threads.len() < 2 {
            return;
        }
        let Value::Int(number) = *value else {
            self.counts.remove(place);
            return;
        };
        let counts = self.counts.entry(place.clone()).or_default();
        if counts.len() == MOST_KEPT {
            counts.remove(0);
        }
        counts.push(Count {
            thread: self.control.thread,
            index: self.trace.threads[self.control.thread.0 as usize].events.len() as u32 - 1,
            number,
        });
    }

    /// A condition came out like this: where it asks whether a count is complete, and that is, all who counted have come so far.
    pub(super) fn meet(&mut self, condition: &'p Expr, holds: bool) {
        if self.counts.is_empty() {
            return;
        }
        let ExprKind::Binary { op, left, right } = &condition.kind else {
            return;
        };
        let is_complete = match op {
            BinaryOp::Equal => holds,
            BinaryOp::NotEqual => !holds,
            _ => false,
        };
        if !is_complete {
            return;
        }
        for operand in [left, right].into_iter().filter_map(|it| counted(it)) {
            let place = has_no_effect(operand).then(|| self.place(operand)).flatten();
            if let Some(place) = place {
                self.wait_for_counts(place, condition.span);
            }
        }
    }

    fn wait_for_counts(&mut self, place: Location, span: Span) {
        let counts = self.counts.get(&place).map_or(&[][..], Vec::as_slice);
        let steps = |index: usize| counts[index + 1].number.wrapping_sub(counts[index].number);
        let Some(last) = counts.len().checked_sub(1) else {
            return;
        };
        // From where on everybody counts on in one direction.
        let step = if last > 0 { steps(last - 1) } else { 0 };
        let first = match step {
            1 | -1 => (0..last)
                .rev()
                .find(|it| steps(*it) != step)
                .map_or(0, |it| it + 1),
            _ => last,
        };
        let mut ended_by: Vec<(ThreadId, u32)> = Vec::new();
        for count in counts[first..].iter().rev() {
            let is_told = ended_by.iter().any(|it| it.0 == count.thread);
            if count.thread != self.control.thread && !is_told {
                ended_by.push((count.thread, count.index));
            }
        }
        if !ended_by.is_empty() {
            self.control.woken_by = ended_by;
            self.host_wait(vec![place], None, span);
        }
    }
}

/// What an operand counts: `n`, `++n`, `n.fetch_sub(1)`.
fn counted(operand: &Expr) -> Option<&Expr> {
    match &operand.kind {
        ExprKind::Name(_) | ExprKind::Member { .. } => Some(operand),
        ExprKind::Unary {
            op:
                UnaryOp::PreIncrement | UnaryOp::PostIncrement | UnaryOp::PreDecrement | UnaryOp::PostDecrement,
            operand,
        } => Some(operand),
        ExprKind::Call(call) => match &call.callee.kind {
            ExprKind::Member { object, field, .. } => library::counts_atomically(field).then_some(object),
            _ => None,
        },
        _ => None,
    }
}
