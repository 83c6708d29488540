//! How a program is started. What options it is given nobody knows; that it is given none, and nothing of its own in the
//! environment, is how most programs are run first: a path of its own.

use std::collections::BTreeSet;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;

/// What a path takes for given, and what it found out.
#[derive(Default)]
pub(super) struct Start {
    /// `main` is called with the name of the program and nothing else.
    pub(super) bare: bool,
    /// Values that nobody knows, because they depend on how the program is started.
    given: BTreeSet<u32>,
    /// The path asks for one of them.
    pub(super) asked: bool,
}

impl Machine<'_> {
    /// What `main` is called with.
    pub(super) fn start_with(&mut self, arguments: &mut [Argument]) {
        if let Some(count) = arguments.first_mut() {
            count.value = self.given_at_start(count.value.clone(), 1);
        }
        if let Some(texts) = arguments.get_mut(1).filter(|_| self.start.bare) {
            let array = self.memory.local();
            let end = self.memory.element(&array, 1);
            self.memory.set(end, Value::Int(0));
            texts.value = Value::Pointer(self.memory.element(&array, 0));
        }
    }

    /// A value that depends on how the program is started: what it is where nothing is given, else unknown.
    pub(super) fn given_at_start(&mut self, unknown: Value, otherwise: i64) -> Value {
        match unknown {
            _ if self.start.bare => Value::Int(otherwise),
            Value::Unknown(id) => {
                self.start.given.insert(id);
                unknown
            }
            known => known,
        }
    }

    /// The path comes to a condition that nobody knows.
    pub(super) fn ask_start(&mut self, condition: &Value) {
        const MOST: usize = 8;
        if self.start.asked || self.start.given.is_empty() {
            return;
        }
        let mut open = vec![condition];
        for _ in 0..MOST {
            let Some(value) = open.pop() else { break };
            let Value::Unknown(id) = value else { continue };
            let (root, _) = self.root_of(*id);
            if self.start.given.contains(id) || self.start.given.contains(&root) {
                self.start.asked = true;
                return;
            }
            let parts = self.memory.definition(root).into_iter();
            open.extend(parts.flat_map(|(_, left, right)| [left, right]));
        }
    }
}
