//! Calls that a test observes: they count as events, so that everything that leads to one is followed as in production.

use super::{FunctionId, Program, SourceUnit};
use crate::facts::ir::{Expr, ExprKind, Target};
use crate::facts::visit::{self, Node};

impl Program {
    /// Links the units, with calls of `name` as events: a function that the program does not define, and that it hands
    /// what a test wants to know. [`crate::trace::notes::Notes::observations`] says what was known of it.
    pub fn link_observing(units: Vec<SourceUnit>, name: &str) -> Program {
        Program::link_with(units, Some(name.to_owned()), false)
    }

    /// Whether calls of this name are observed; never outside tests.
    pub(crate) fn is_observed(&self, name: &str) -> bool {
        self.observed.as_deref() == Some(name)
    }

    /// Host functions that make such calls.
    pub(super) fn observers(&self) -> Vec<FunctionId> {
        if self.observed.is_none() {
            return Vec::new();
        }
        let host = |id: &FunctionId| {
            let function = self.function(*id);
            function.defined && matches!(function.target, Target::Host | Target::HostDevice)
        };
        let observes = |id: &FunctionId| {
            let mut found = false;
            visit::function(self.function(*id), &mut |node| {
                if let Node::Expr(Expr {
                    kind: ExprKind::Name(name),
                    ..
                }) = node
                {
                    found |= self.is_observed(name.last());
                }
            });
            found
        };
        let ids = self.functions().map(|(id, _)| id);
        ids.filter(host).filter(observes).collect()
    }
}
