//! Kernels whose threads do a few steps each.

use super::kernels::DeviceScope;
use super::{FunctionId, Program};
use crate::facts::ir::ExprKind;
use crate::facts::places;
use crate::facts::visit::{self, Node};

/// How deep calls are followed.
const DEEP: u32 = 8;

impl Program {
    /// Whether a device function repeats anything, by itself or in what it calls.
    pub fn may_repeat(&self, function: FunctionId) -> bool {
        self.repeats(function, DEEP)
    }

    fn repeats(&self, function: FunctionId, depth: u32) -> bool {
        let definition = self.function(function);
        if depth == 0 || !definition.defined || places::has_loop(&definition.body) {
            return true;
        }
        let mut found = false;
        visit::function(definition, &mut |node| {
            let Node::Expr(expression) = node else { return };
            let ExprKind::Call(call) = &expression.kind else {
                return;
            };
            found |= match &call.callee.kind {
                ExprKind::Name(name) => match self.resolve_device(function, name, call.args.len()) {
                    Some(callee) => self.repeats(callee, depth - 1),
                    // What device code calls by a plain name, and the project does not declare, CUDA has built in.
                    None => !name.is_plain() || self.declares(name.last()),
                },
                _ => true,
            };
        });
        found
    }

    /// Whether the project has a function of this name; models are for the host.
    fn declares(&self, name: &str) -> bool {
        let mut named = self.names.functions.get(name).into_iter().flatten();
        named.any(|it| !self.is_model(it.file))
    }
}
