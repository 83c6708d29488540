//! What conditions read that somebody may have to wait for.

use super::Location;
use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::{BinaryOp, Expr};

impl<'p> Machine<'p> {
    /// A condition that is polled reads a place.
    pub(super) fn note_polled(&mut self, place: &Location) {
        const MOST: usize = 32;
        self.note_outlasting(place);
        if self.control.polling == 0 {
            return;
        }
        if self.control.reads.len() < MOST {
            self.control.reads.push(place.clone());
        }
        if self.control.looks_around && self.control.readable.len() < MOST {
            self.control.readable.push(place.clone());
        }
    }

    /// What a condition would read if it came to this operand: whatever that does is taken back.
    pub(super) fn look_around(&mut self, operand: &'p Expr) {
        if !self.control.looks_around {
            return;
        }
        let (reads, compared) = (self.control.reads.clone(), self.control.compared.clone());
        self.sides += 1;
        self.taken_back(|machine| machine.evaluate(operand));
        self.sides -= 1;
        (self.control.reads, self.control.compared) = (reads, compared);
    }

    /// Does something beside the path: what it stores and the events it makes are taken back.
    pub(super) fn taken_back<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let (mark, events) = (self.memory.watch(), self.events());
        self.control.quiet += 1;
        let result = body(self);
        self.control.quiet -= 1;
        self.memory.roll_back(mark);
        self.memory.unwatch();
        self.trace.threads[self.control.thread.0 as usize]
            .events
            .truncate(events);
        result
    }

    /// A condition that is polled compares something with a number.
    pub(super) fn note_compared(&mut self, op: BinaryOp, with: &Value) {
        if let Value::Int(number) = with
            && self.control.polling > 0
            && op.is_comparison()
        {
            self.control.compared.push((op, *number));
        }
    }
}
