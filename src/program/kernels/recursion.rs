//! Device functions that call themselves until memory changes: loops in another guise.

use super::super::FunctionId;
use super::calls::Argument;
use super::loops::Loop;
use super::symbols::{Loc, Strength};
use super::waiting::{Wait, strength};
use super::walk::{Breakable, Frame, PathCondition, Walker};
use crate::facts::ir::Function;

/// A function being looked at as a loop: its calls of itself lead back to its beginning.
pub(super) struct Recursion {
    function: FunctionId,
    arguments: Vec<Argument>,
    path_start: usize,
    /// Conditions under which it begins anew, for each such call.
    backs: Vec<Vec<PathCondition>>,
    /// It begins anew with other arguments.
    moves: bool,
}

impl<'a> Walker<'a> {
    /// A call of the function that is being looked at as a loop; `false` when it is another function.
    pub(super) fn begins_anew(&mut self, callee: FunctionId, arguments: &[Argument]) -> bool {
        let Some(recursion) = self.recursion.as_mut().filter(|it| it.function == callee) else {
            return false;
        };
        recursion.moves |= recursion.arguments != arguments;
        let path = self.path.get(recursion.path_start..).unwrap_or_default();
        recursion.backs.push(path.to_vec());
        true
    }

    /// Looks at a function that was found to call itself as at a loop, and judges that. `incomplete` is what the summary
    /// said before the call.
    pub(super) fn recursion(
        &mut self,
        callee: FunctionId,
        function: &'a Function,
        arguments: &[Argument],
        this: Option<Loc>,
        incomplete: bool,
    ) {
        if self.dry || self.recursion.is_some() {
            return;
        }
        let (store, writes, waits) = (self.store.clone(), self.writes.len(), self.waits.len());
        let (summary, path_start) = (self.summary.clone(), self.path.len());
        let mut frame = Frame::new(callee, callee.file, this, path_start);
        frame.template = self.bindings(function, &[], &[], None);
        self.frames.push(frame);
        let first = u32::try_from(self.variables.len()).unwrap_or(u32::MAX);
        self.declare_arguments(&function.params, arguments.to_vec());
        let around = Loop::of_function(self);
        self.breakables.push(Breakable::Loop(Box::new(around)));
        self.recursion = Some(Recursion {
            function: callee,
            arguments: arguments.to_vec(),
            path_start,
            backs: Vec::new(),
            moves: false,
        });
        self.block(&function.body);
        self.path.truncate(path_start);
        self.store.forget_from(first);
        let walked = self.breakables.pop();
        self.waits.truncate(waits);
        if let (Some(recursion), Some(Breakable::Loop(mut around))) = (self.recursion.take(), walked)
            && !recursion.moves
            && let [back] = recursion.backs.as_slice()
        {
            // It ends where one of the conditions of its beginning anew does not hold.
            for (index, condition) in back.iter().enumerate() {
                let mut way = back[..index].to_vec();
                way.push(PathCondition {
                    side: !condition.side,
                    ..condition.clone()
                });
                around.add_way_out(way);
            }
            self.judge(function.name_span, function.span.end, &around);
        }
        // What the compiler makes of plain loads in such a function is not known.
        let strong = |wait: &Wait| {
            let mut loads = wait.exits.iter().flat_map(|exit| &exit.loads);
            loads.any(|load| strength(load) == Some(Strength::Strong))
        };
        if self.waits.len() > waits && !self.waits.last().is_some_and(strong) {
            self.waits.truncate(waits);
        }
        self.frames.pop();
        self.writes.truncate(writes);
        self.store = store;
        let found = self.waits.len() > waits;
        self.summary = summary;
        if found {
            self.summary.incomplete = incomplete;
        }
    }
}
