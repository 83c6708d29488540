//! Points at which every block of a grid waits for every other block: `grid.sync()`, and barriers written by hand.

use super::super::FileId;
use super::conditions::{atoms, guards_in_loops};
use super::symbols::{Kind, Loc, Step, Sym, Touch, depends, export};
use super::waiting::{Exit, Wait, location};
use super::walk::{PathCondition, Walker, Write};
use crate::facts::ir::{Expr, Function, Span};

/// A point at which every block of a grid waits for every other one.
#[derive(Clone, Debug, PartialEq)]
pub struct GridBarrier {
    /// File of the call or of the waiting loop.
    pub file: FileId,
    /// Bytes of it.
    pub span: Span,
    /// How the blocks find out that all have arrived.
    pub arrival: Arrival,
    /// Conditions on kernel parameters under which it is reached.
    pub guards: Vec<(Expr, bool)>,
    /// Conditions on loaded data decide too whether it is reached.
    pub conditional: bool,
}

/// How the blocks find out that all have arrived.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrival {
    /// `grid.sync()`: the cooperative launch looks after it.
    Cooperative,
    /// They compare a counter with `gridDim`.
    GridSize,
    /// They compare a counter with values over parameters: it is a barrier when one of them is the size of the grid.
    Values(Vec<Expr>),
}

impl Walker<'_> {
    /// Notes a `grid.sync()`. One that asks `is_valid()` first is not reached in an ordinary launch.
    pub(super) fn note_grid_sync(&mut self, file: FileId, span: Span) {
        let asked = |atom: &PathCondition| depends(&atom.sym, &asks_validity);
        if atoms(&self.path).iter().any(asked) {
            return;
        }
        let barrier = GridBarrier {
            file,
            span,
            arrival: Arrival::Cooperative,
            guards: guards_in_loops(&self.path, self.kernel),
            conditional: self.path.iter().any(|it| depends(&it.sym, &is_data)),
        };
        if !self.summary.barriers.contains(&barrier) {
            self.summary.barriers.push(barrier);
        }
    }
}

/// Waiting loops that only end when all blocks have arrived.
pub(super) fn by_hand(waits: &[Wait], writes: &[Write], kernel: &Function) -> Vec<GridBarrier> {
    let mut found = Vec::new();
    for wait in waits
        .iter()
        .filter(|it| !it.bounded && !is_of_some_blocks(&it.path))
    {
        let Some(arrival) = wait.exits.iter().find_map(|exit| arrival(exit, writes, kernel)) else {
            continue;
        };
        found.push(GridBarrier {
            file: wait.file,
            span: wait.span,
            arrival,
            guards: guards_in_loops(&wait.path, kernel),
            conditional: wait
                .path
                .iter()
                .any(|it| depends(&it.sym, &is_data) && !depends(&it.sym, &is_arrival)),
        });
    }
    found
}

/// Either the counter itself is compared with the number of blocks, or the block that counts to it sets a flag.
fn arrival(exit: &Exit, writes: &[Write], kernel: &Function) -> Option<Arrival> {
    let touching: Vec<&Write> = writes
        .iter()
        .filter(|write| {
            exit.loads
                .iter()
                .filter_map(location)
                .any(|loc| is_same(loc, &write.loc))
        })
        .collect();
    let counts = |write: &&&Write| write.atomic && !is_of_some_blocks(&write.path);
    if let Some((_, value)) = &exit.until
        && touching.iter().any(|write| counts(&write))
        && let Some(arrival) = number_of_blocks(value, kernel)
    {
        return Some(arrival);
    }
    touching
        .iter()
        .flat_map(|write| atoms(&write.path))
        .filter(|atom| depends(&atom.sym, &is_arrival))
        .find_map(|atom| number_of_blocks(&atom.sym, kernel))
}

/// What in a value can be the number of blocks.
fn number_of_blocks(value: &Sym, kernel: &Function) -> Option<Arrival> {
    if depends(value, &is_grid_size) {
        return Some(Arrival::GridSize);
    }
    let mut values = Vec::new();
    collect_parameters(value, kernel, &mut values);
    (!values.is_empty()).then_some(Arrival::Values(values))
}

fn collect_parameters(value: &Sym, kernel: &Function, found: &mut Vec<Expr>) {
    match &value.kind {
        Kind::Parameter(loc) if !loc.ty.is_pointer() => found.extend(export(value, kernel)),
        Kind::Constant(_) => found.extend(export(value, kernel)),
        Kind::Unary(_, operand) => collect_parameters(operand, kernel, found),
        Kind::Binary(_, left, right) => {
            collect_parameters(left, kernel, found);
            collect_parameters(right, kernel, found);
        }
        Kind::Derived(of) => of.iter().for_each(|it| collect_parameters(it, kernel, found)),
        _ => {}
    }
}

/// Only some blocks get here: a condition on the block's number decides.
fn is_of_some_blocks(path: &[PathCondition]) -> bool {
    let by_block = |kind: &Kind| matches!(kind, Kind::Thread(name) if name.starts_with("blockIdx") || name.starts_with("grid.") || name == "block_rank");
    atoms(path).iter().any(|atom| depends(&atom.sym, &by_block))
}

/// Two locations with the same base and steps; indices may differ.
fn is_same(left: &Loc, right: &Loc) -> bool {
    let steps = left.path.iter().zip(&right.path);
    left.base == right.base
        && left.path.len() == right.path.len()
        && steps.into_iter().all(|pair| match pair {
            (Step::Field(left), Step::Field(right)) => left == right,
            (Step::Element(left), Step::Element(right)) => match (&left.kind, &right.kind) {
                (Kind::Int(left), Kind::Int(right)) => left == right,
                _ => left == right,
            },
            _ => false,
        })
}

fn is_grid_size(kind: &Kind) -> bool {
    matches!(kind, Kind::Launch(name) if name.starts_with("gridDim") || matches!(name.as_str(), "grid.size" | "grid.num_blocks" | "grid.num_threads" | "grid.group_dim" | "grid.dim_blocks"))
}

fn asks_validity(kind: &Kind) -> bool {
    matches!(kind, Kind::Launch(name) if name == "grid.is_valid")
}

/// The old value of a counter that every block adds to.
fn is_arrival(kind: &Kind) -> bool {
    matches!(kind, Kind::Load(load) if load.touch == Touch::Change)
}

fn is_data(kind: &Kind) -> bool {
    matches!(kind, Kind::Load(_) | Kind::Unknown(_))
}
