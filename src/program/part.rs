//! What a function is to the program as a whole. While every function stays what it is to the others, the program stays linked.
//!
//! Everything that linking works out comes from these parts and from what files declare.

use std::collections::BTreeSet;

use super::reach::{self, Mentions};
use super::{FunctionId, Program, kernels};
use crate::facts::ir::{Expr, ExprKind, Function, Role, Target};
use crate::facts::visit::{self, Node};

/// The part of one function.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Whom it leads to, and what it does itself.
    mentions: Mentions,
    /// Names of the program that stand in it.
    names: BTreeSet<String>,
    /// Functions of the program it calls, by name and number of arguments.
    calls: BTreeSet<(String, usize)>,
    /// Kernel templates that it uses with something known for their parameters.
    instantiates: BTreeSet<String>,
    /// Fields that it sets of objects it names.
    sets: BTreeSet<String>,
    /// Some launch or CUDA call stands in it.
    has_site: bool,
    streams: super::promises::Part,
    device: Option<OnDevice>,
}

/// What is asked of a function on the device to find those that wait.
#[derive(Debug, PartialEq, Eq)]
struct OnDevice {
    may_wait: bool,
    calls: BTreeSet<String>,
    mentions_grid: bool,
    /// For a kernel that somebody asked about: whether it waits, whether that depends on a launch, whether blocks wait for each other.
    summary: Option<[bool; 3]>,
}

impl Program {
    /// The part of a function; of kernels only those are summarised that were asked about in an `earlier` reading.
    pub(super) fn part_of(&self, id: FunctionId, earlier: Option<&Part>) -> Part {
        let function = self.definition(id);
        let mut sites = Vec::new();
        if function.defined && function.target != Target::Kernel && function.role != Role::Macro {
            self.sites_of_function(id, function, &mut sites);
        }
        Part {
            mentions: reach::mentions_alone(self, id),
            names: reach::names_alone(self, function),
            calls: self.own_calls(function),
            instantiates: self
                .instantiated_in(id, &|_| true)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            sets: super::members::set_by_name(function).map(str::to_owned).collect(),
            has_site: !sites.is_empty(),
            streams: self.stream_part(id),
            device: (function.target != Target::Host).then(|| self.device_part(id, function, earlier)),
        }
    }

    fn device_part(&self, id: FunctionId, function: &Function, earlier: Option<&Part>) -> OnDevice {
        let (may_wait, calls) = kernels::loops_and_calls(function);
        let is_asked = match earlier {
            None => self.is_summarised(id),
            Some(earlier) => earlier.device.as_ref().is_some_and(|it| it.summary.is_some()),
        };
        let summary = self.kernel(id).filter(|_| is_asked);
        OnDevice {
            may_wait,
            calls: calls.into_iter().map(str::to_owned).collect(),
            mentions_grid: kernels::mentions_grid(function),
            summary: summary.map(|it| [!it.waits.is_empty(), it.dependent, !it.barriers.is_empty()]),
        }
    }

    fn own_calls(&self, function: &Function) -> BTreeSet<(String, usize)> {
        let mut calls = BTreeSet::new();
        visit::function(function, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            }) = node
            {
                let name = match &call.callee.kind {
                    ExprKind::Name(name) => name.last(),
                    ExprKind::Member { field, .. } => field,
                    _ => return,
                };
                if self.names.functions.contains_key(name) {
                    calls.insert((name.to_owned(), call.args.len()));
                }
            }
        });
        calls
    }
}
