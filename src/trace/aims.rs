//! Which side of a branch leads to launches and CUDA calls of a function that no path of it reached.

use super::budget;
use super::coverage::{Coverage, Place};
use crate::facts::ir::StmtKind;
use crate::facts::visit::{self, Node};
use crate::program::{FileId, FunctionId, Program};
use crate::syntax::Span;

/// What paths of a function are aimed at.
pub(super) struct Aims {
    file: FileId,
    function: Span,
    /// Where launches and CUDA calls begin that no path reached.
    left: Vec<u32>,
    /// Paths since one that reached some of them.
    idle: usize,
    /// The function's branches and loops, parents before children.
    branches: Vec<Span>,
}

impl Aims {
    /// The launches and CUDA calls of a function; those in its lambdas stand where nobody knows when they are called.
    pub(super) fn of(program: &Program, entry: FunctionId) -> Self {
        let function = program.function(entry);
        let own = program.cuda_sites().iter();
        let own = own.filter(|it| it.function == entry && !it.in_lambda);
        let mut branches = Vec::new();
        visit::function(function, &mut |node| {
            if let Node::Statement(statement) = node
                && matches!(
                    statement.kind,
                    StmtKind::If { .. }
                        | StmtKind::Loop { .. }
                        | StmtKind::RangeFor { .. }
                        | StmtKind::Switch { .. }
                )
            {
                branches.push(statement.span);
            }
        });
        Aims {
            file: entry.file,
            function: function.span,
            left: own.map(|it| it.start).collect(),
            idle: 0,
            branches,
        }
    }

    /// A further path was followed.
    pub(super) fn note(&mut self, coverage: &Coverage) {
        let before = self.left.len();
        self.left.retain(|it| !coverage.sites.contains(&(self.file, *it)));
        self.idle = if self.left.len() < before {
            0
        } else {
            self.idle + 1
        };
    }

    /// All were reached, or nothing more of them for long.
    pub(super) fn are_done(&self) -> bool {
        self.left.is_empty() || self.idle >= budget::AIMED_IDLE
    }

    /// Whether something is decided in the function itself.
    pub(super) fn is_own(&self, at: Place) -> bool {
        at.0 == self.file && self.function.start <= at.1 && at.1 < self.function.end
    }

    /// Whether something that is left stands in the innermost branch or loop that what is decided there belongs to; or behind
    /// it, where it was the `last` that was decided in the function.
    pub(super) fn leads(&self, at: Place, last: bool) -> bool {
        let holds = |it: &Span, place: u32| it.start <= place && place < it.end;
        let innermost = self.branches.iter().rfind(|it| holds(it, at.1));
        let leads = |it: &Span| {
            self.left
                .iter()
                .any(|place| holds(it, *place) || last && *place >= it.end)
        };
        self.is_own(at) && innermost.is_some_and(leads)
    }
}
