//! Name lookup in a single file, enough to summarise its kernels.

use crate::facts::FileFacts;
use crate::facts::ir::{Class, Expr, ExprKind, Function, Global, Name, Role, Target, Type, UnaryOp};
use crate::program::kernels::DeviceScope;
use crate::program::{FileId, FunctionId, GlobalId};
use crate::syntax::{Defines, collect_macros};

/// One file as a scope.
pub(super) struct SingleFile {
    facts: FileFacts,
}

impl SingleFile {
    pub(super) fn new(source: &[u8]) -> Self {
        let facts = crate::facts::extract(source, &Defines::default(), &collect_macros(source));
        SingleFile { facts }
    }

    pub(super) fn kernels(&self) -> impl Iterator<Item = FunctionId> {
        self.ids(|function| function.target == Target::Kernel && function.defined)
    }

    fn ids(&self, wanted: impl Fn(&Function) -> bool) -> impl Iterator<Item = FunctionId> {
        (0..)
            .zip(&self.facts.functions)
            .filter(move |(_, function)| wanted(function))
            .map(|(index, _)| id(index))
    }

    fn only(&self, wanted: impl Fn(&Function) -> bool) -> Option<FunctionId> {
        let mut found =
            self.ids(|function| function.defined && function.target != Target::Kernel && wanted(function));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

fn id(index: u32) -> FunctionId {
    FunctionId {
        file: FileId(0),
        index,
    }
}

fn takes(function: &Function, arguments: usize) -> bool {
    let required = function
        .params
        .iter()
        .filter(|param| param.default.is_none() && !param.pack)
        .count();
    (required..=function.params.len()).contains(&arguments)
}

fn device(function: &Function) -> bool {
    matches!(function.target, Target::Device | Target::HostDevice) || function.role == Role::Macro
}

impl DeviceScope for SingleFile {
    fn function(&self, id: FunctionId) -> &Function {
        &self.facts.functions[id.index as usize]
    }

    fn resolve_device(&self, _: FunctionId, name: &Name, arguments: usize) -> Option<FunctionId> {
        let fits = |function: &Function| {
            function.path.last().is_some_and(|last| last == name.last()) && takes(function, arguments)
        };
        self.only(|function| fits(function) && device(function) && function.path.ends_with(&name.path))
    }

    fn resolve_device_method(&self, _: FunctionId, method: &str, arguments: usize) -> Option<FunctionId> {
        self.only(|function| {
            function.role == Role::Method
                && device(function)
                && function.path.last().is_some_and(|last| last == method)
                && takes(function, arguments)
        })
    }

    fn resolve_device_global(&self, _: FunctionId, name: &Name) -> Option<GlobalId> {
        let index = self
            .facts
            .globals
            .iter()
            .position(|global| global.path.last().is_some_and(|l| l == name.last()))?;
        Some(GlobalId {
            file: FileId(0),
            index: index as u32,
        })
    }

    fn global(&self, id: GlobalId) -> &Global {
        &self.facts.globals[id.index as usize]
    }

    fn constant(&self, from: FunctionId, name: &Name) -> Option<i64> {
        let (_, value) = self
            .facts
            .constants
            .iter()
            .find(|(path, _)| path.last().is_some_and(|l| l == name.last()))?;
        self.value(from, value)
    }

    fn class(&self, _: FunctionId, name: &Name) -> Option<&Class> {
        self.facts
            .classes
            .iter()
            .find(|class| class.path.last().is_some_and(|last| last == name.last()))
    }

    fn alias(&self, _: FunctionId, name: &Name) -> Option<&Type> {
        let same = |path: &[String]| path.last().is_some_and(|last| last == name.last());
        self.facts
            .aliases
            .iter()
            .find(|it| same(&it.path))
            .map(|it| &it.ty)
    }
}

impl SingleFile {
    fn value(&self, from: FunctionId, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Name(name) => self.constant(from, name),
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => Some(-self.value(from, operand)?),
            ExprKind::Cast { operand, .. } => self.value(from, operand),
            _ => None,
        }
    }
}
