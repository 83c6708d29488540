//! Variables that hold the stream their library's callers work in: whoever wants another one calls what sets them.

use std::collections::BTreeSet;

use super::{FileId, Function, GlobalId, Program, Scope};
use crate::facts::ir::{Expr, ExprKind};
use crate::facts::visit::{self, Node};

impl Program {
    /// Whether a function stores what it is handed in a global stream.
    pub fn is_set_by_callers(&self, id: GlobalId) -> bool {
        self.set_by_callers().contains(&id)
    }

    /// All such streams.
    pub(super) fn set_by_callers(&self) -> &BTreeSet<GlobalId> {
        self.set_by_callers.get_or_init(|| {
            let units = self.own_units();
            let globals = units.flat_map(|unit| {
                let (file, all) = (FileId(unit as u32), &self.units[unit].facts.globals);
                (0..all.len() as u32).map(move |index| GlobalId { file, index })
            });
            let streams: BTreeSet<GlobalId> = globals.filter(|it| self.is_stream_global(*it)).collect();
            if streams.is_empty() {
                return streams;
            }
            let mut found = BTreeSet::new();
            for unit in self.own_units() {
                for (id, function) in self.functions_of(unit).filter(|(_, it)| !it.params.is_empty()) {
                    let scope = self.scope_of_function(id);
                    let set = |it: &Expr| self.set_to_parameter(scope, function, it);
                    visit::statements(&function.body, &mut |node| {
                        if let Node::Expr(expression) = node {
                            found.extend(set(expression).filter(|it| streams.contains(it)));
                        }
                    });
                }
            }
            found
        })
    }

    fn is_stream_global(&self, id: GlobalId) -> bool {
        let global = self.global(id);
        let variable = &global.variable;
        let scope = Scope {
            file: id.file,
            path: &global.path,
        };
        !variable.ty.constant && variable.dims.is_empty() && self.is_stream_type(scope, &variable.ty)
    }

    /// The global that an expression gives what the function was handed.
    fn set_to_parameter(&self, scope: Scope<'_>, function: &Function, expression: &Expr) -> Option<GlobalId> {
        let ExprKind::Assign {
            op: None,
            target,
            value,
        } = &expression.kind
        else {
            return None;
        };
        let ExprKind::Name(name) = &target.kind else {
            return None;
        };
        let is_parameter = |it: &Expr| {
            matches!(&it.kind, ExprKind::Name(name)
                if name.is_plain() && function.params.iter().any(|it| it.name == name.last()))
        };
        let mut handed = false;
        visit::expression(value, &mut |node| {
            handed |= matches!(node, Node::Expr(it) if is_parameter(it));
        });
        let is_global = handed && !is_parameter(target);
        is_global.then(|| self.resolve_global(scope, name)).flatten()
    }
}
