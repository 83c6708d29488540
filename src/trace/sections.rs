//! Blocks behind the names of macros nobody defines, in a test: of those with one name, a run of the test takes one.

use std::collections::BTreeSet;

use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::{ExprKind, Role, Stmt, StmtKind};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// Whether the block behind this statement is run, where it is a part of a test; `taken` are those that were.
    pub(super) fn section(
        &mut self,
        body: &'p [Stmt],
        at: usize,
        taken: &mut BTreeSet<&'p str>,
    ) -> Option<bool> {
        let name = self.section_name(body, at)?;
        let block = body.get(at + 1)?;
        if !self.may_make_events(std::slice::from_ref(block)) {
            return Some(true);
        }
        let is_last = (at + 1..body.len()).all(|it| self.section_name(body, it) != Some(name));
        let runs = !taken.contains(name)
            && (is_last
                || match self.memory.fresh() {
                    Value::Unknown(condition) => self.decide(condition),
                    _ => true,
                });
        if runs {
            taken.insert(name);
        }
        Some(runs)
    }

    /// The name in `NAME("text") { … }`.
    fn section_name(&self, body: &'p [Stmt], at: usize) -> Option<&'p str> {
        let function = self.frame().function?;
        if self.program.function(function).role != Role::Test {
            return None;
        }
        let (head, block) = (body.get(at)?, body.get(at + 1)?);
        let (StmtKind::Expr(head_expression), StmtKind::Block(_)) = (&head.kind, &block.kind) else {
            return None;
        };
        let ExprKind::Call(call) = &head_expression.kind else {
            return None;
        };
        let ExprKind::Name(name) = &call.callee.kind else {
            return None;
        };
        let between = Span {
            start: head_expression.span.end,
            end: block.span.start,
        };
        let is_head = self.words(between).is_empty();
        let known = self
            .program
            .resolve_function(self.scope(), name, Some(call.args.len()));
        (name.is_plain() && is_head && known.is_none()).then(|| name.last())
    }
}
