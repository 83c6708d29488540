//! Blocks behind the names of macros that nobody defines, or that open an `if`, in a test: of those with one name, a run of it takes one.

use std::collections::BTreeSet;

use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::{ExprKind, Name, Role, Stmt, StmtKind};
use crate::syntax::Span;

/// How many macros may stand for each other.
const MOST_MACROS: usize = 4;

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
        (name.is_plain() && is_head && self.leads_nowhere(name, call.args.len(), 0)).then(|| name.last())
    }

    /// Whether nobody defines a name, or only as another such name: a macro whose own text is no whole statement is none.
    fn leads_nowhere(&self, name: &Name, arguments: usize, depth: usize) -> bool {
        let Some(known) = self.program.resolve_function(self.scope(), name, Some(arguments)) else {
            return true;
        };
        let known = self.program.function(known);
        let [
            Stmt {
                kind: StmtKind::Expr(only),
                ..
            },
        ] = known.body.as_slice()
        else {
            return false;
        };
        match &only.kind {
            ExprKind::Call(call) if known.role == Role::Macro && depth < MOST_MACROS => {
                match &call.callee.kind {
                    ExprKind::Name(inner) => self.leads_nowhere(inner, call.args.len(), depth + 1),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
