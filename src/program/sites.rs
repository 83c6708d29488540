//! Launches and CUDA calls as they are written: what there is for an execution to reach.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::reads;
use super::{FileId, FunctionId, Program, Scope};
use crate::api::{self, Call};
use crate::facts::ir::{ExprKind, Function, Role, Target};
use crate::facts::visit::{self, Node};

/// A kernel launch or CUDA call in a host function.
#[derive(Clone, Copy, Debug)]
pub struct CudaSite {
    /// The function it is written in.
    pub function: FunctionId,
    /// Where it begins in its file.
    pub start: u32,
    /// It stands in a lambda of that function.
    pub in_lambda: bool,
    /// What is known of the call; `None` for launch syntax.
    pub api: Option<&'static Call>,
}

impl Program {
    /// Every launch and CUDA call in host functions, methods and their lambdas, each file in its own configuration.
    ///
    /// What a macro does stands where the macro is used: bodies of macros count for nothing.
    pub fn cuda_sites(&self) -> &[CudaSite] {
        self.sites.get_or_init(|| {
            let units: Vec<usize> = self.own_units().collect();
            let units = units.par_iter();
            let sites = || units.flat_map_iter(|unit| self.sites_of_unit(*unit)).collect();
            reads::of(sites).0
        })
    }

    /// Looks for those of some files again.
    pub(super) fn renew_sites(&mut self, files: &BTreeSet<FileId>) {
        let Some(before) = self.sites.take() else { return };
        let base = |it: &&FileId| self.source(**it).variant_of.is_none();
        let new = files
            .iter()
            .filter(base)
            .flat_map(|it| self.sites_of_unit(it.0 as usize));
        let kept = before.into_iter().filter(|it| !files.contains(&it.function.file));
        let mut sites: Vec<CudaSite> = kept.chain(new).collect();
        // Those of one file keep their order.
        sites.sort_by_key(|it| it.function.file);
        self.sites = sites.into();
    }

    /// The units of the project, each text once.
    pub(super) fn own_units(&self) -> impl Iterator<Item = usize> {
        (0..self.own).filter(|it| self.units[*it].variant_of.is_none())
    }

    /// The functions of the project as its files are written: models and other configurations have others.
    pub fn own_functions(&self) -> impl Iterator<Item = FunctionId> {
        self.own_units()
            .flat_map(|unit| self.functions_of(unit))
            .map(|(id, _)| id)
    }

    /// The functions of a unit.
    pub(super) fn functions_of(&self, unit: usize) -> impl Iterator<Item = (FunctionId, &Function)> {
        let file = FileId(unit as u32);
        let functions = self.units[unit].facts.functions.iter().enumerate();
        functions.map(move |(index, it)| {
            let index = index as u32;
            (FunctionId { file, index }, it)
        })
    }

    /// The unit whose text a unit is another reading of: itself for most.
    pub fn base_of(&self, file: FileId) -> FileId {
        let base = self.source(file).variant_of;
        base.and_then(|it| u32::try_from(it).ok()).map_or(file, FileId)
    }

    fn sites_of_unit(&self, unit: usize) -> Vec<CudaSite> {
        let mut sites = Vec::new();
        for (id, function) in self.functions_of(unit) {
            let on_host = matches!(function.target, Target::Host | Target::HostDevice);
            if function.defined && on_host && function.role != Role::Macro {
                self.sites_of_function(id, function, &mut sites);
            }
        }
        sites
    }

    pub(super) fn sites_of_function(&self, id: FunctionId, function: &Function, sites: &mut Vec<CudaSite>) {
        // Parents come before children: whatever begins before the end of a lambda stands in it.
        let (mut lambda_end, mut device_end) = (0, 0);
        visit::function(function, &mut |node| {
            let Node::Expr(expression) = node else { return };
            let start = expression.span.start;
            let api = match &expression.kind {
                ExprKind::Lambda(lambda) => {
                    lambda_end = lambda_end.max(expression.span.end);
                    if lambda.device {
                        device_end = device_end.max(expression.span.end);
                    }
                    return;
                }
                ExprKind::Launch(_) => None,
                ExprKind::Call(call) => {
                    let ExprKind::Name(name) = &call.callee.kind else {
                        return;
                    };
                    let Some(known) = api::lookup(name.last()).or_else(|| api::lookup_path(&name.path))
                    else {
                        return;
                    };
                    let scope = Scope {
                        file: id.file,
                        path: &function.path,
                    };
                    let is_own = self.names.functions.contains_key(name.last())
                        && self
                            .resolve_function(scope, name, Some(call.args.len()))
                            .is_some();
                    if is_own {
                        return;
                    }
                    Some(known)
                }
                _ => return,
            };
            if start >= device_end {
                sites.push(CudaSite {
                    function: id,
                    start,
                    in_lambda: start < lambda_end,
                    api,
                });
            }
        });
    }
}
