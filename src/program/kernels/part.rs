//! Which part of a buffer an access covers, as far as the arguments of the launch decide it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::symbols::{
    Base, Kind, Loc, Step, Sym, Touch, binary, depends, export, export_with_extents, int, node,
};
use super::walk::{PathCondition, Walker};
use super::{Chosen, Part, Reach};
use crate::facts::ir::{BinaryOp, Expr, UnaryOp};

/// Nesting of index expressions below which nothing is looked at.
const DEPTH: u32 = 24;

impl Walker<'_> {
    /// The part of its place an access covers.
    pub(super) fn part(&self, loc: &Loc, path: &[PathCondition]) -> Part {
        let mut found = Found::default();
        let start = self.start(loc);
        for step in &loc.path {
            if let Step::Element(index) = step
                && varies(index)
            {
                if start.is_none() {
                    self.terms(index, &mut found, 0);
                }
                found.claimed |= depends(index, &is_claim);
            }
        }
        for condition in path {
            self.bound(&condition.sym, condition.side, &mut found, 0);
        }
        found.selectors.retain(|it| !found.offsets.contains(it));
        Part {
            start,
            within: self.within(loc, path),
            offsets: found.offsets.into_iter().collect(),
            selectors: found.selectors.into_iter().collect(),
            opaque: found.opaque,
            reach: self.reach(loc, path),
            claimed: found.claimed,
            chosen: chosen(loc, path),
            counted_by: numbers_in(indices(loc)),
            kept_below: numbers_in(path.iter().filter_map(|it| upper(it)).map(|it| it.1)),
            more_than: path.iter().filter_map(|it| self.begun_below(it)).collect(),
            predicates: self.predicates(loc, path),
        }
    }

    /// The parameter that keeps an index below it, and the number that the index begins with.
    fn begun_below(&self, condition: &PathCondition) -> Option<(u32, i64)> {
        let (lower, upper) = upper(condition).filter(|it| varies(it.0))?;
        match (&self.lowest(lower, 0)?.kind, plain_parameter(upper)?) {
            (Kind::Int(first), parameter) => Some((parameter, *first)),
            _ => None,
        }
    }

    /// The element that the first thread begins with, where arguments say it and no thread goes below it.
    fn start(&self, loc: &Loc) -> Option<Expr> {
        let mut indices = loc.path.iter().filter_map(|it| match it {
            Step::Element(index) => Some(index),
            Step::Field(_) => None,
        });
        let (Some(index), None, Some(Step::Element(_))) = (indices.next(), indices.next(), loc.path.last())
        else {
            return None;
        };
        if !varies(index) {
            return None;
        }
        let first = self.lowest(index, 0)?;
        let first = without_constants(&first);
        match first.kind {
            Kind::Int(_) => None,
            _ => export(&first, self.kernel),
        }
    }

    /// The lowest element that is accessed, and the highest, where arguments and the extents of the launch say it.
    fn within(&self, loc: &Loc, path: &[PathCondition]) -> Option<(Expr, Option<Expr>)> {
        let [Step::Element(index)] = loc.path.as_slice() else {
            return None;
        };
        let (low, high) = (self.lowest(index, 0)?, self.highest(index, path, 0));
        let high = high.and_then(|it| export_with_extents(&it, self.kernel));
        Some((export_with_extents(&low, self.kernel)?, high))
    }

    /// What an index is at most: where it grows with the number of the thread, what it is in the last one of the launch.
    fn highest(&self, index: &Sym, path: &[PathCondition], depth: u32) -> Option<Sym> {
        if depth > DEPTH {
            return None;
        }
        if !varies(index) {
            return Some(Rc::clone(index));
        }
        let mut limits = path
            .iter()
            .filter_map(upper)
            .filter(|it| it.0 == index && !varies(it.1));
        if let Some((_, limit)) = limits.next() {
            return Some(binary(BinaryOp::Subtract, limit, &int(1)));
        }
        let highest = |it: &Sym| self.highest(it, path, depth + 1);
        match &index.kind {
            Kind::Thread(name) => {
                let extent = name.strip_prefix("threadIdx.").map(|it| format!("blockDim.{it}"));
                let extent = extent.or_else(|| Some(format!("gridDim.{}", name.strip_prefix("blockIdx.")?)));
                Some(binary(BinaryOp::Subtract, &node(Kind::Launch(extent?)), &int(1)))
            }
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Multiply), left, right) => {
                Some(binary(*op, &highest(left)?, &highest(right)?))
            }
            Kind::Binary(op, left, right) if !varies(right) => match op {
                BinaryOp::Subtract | BinaryOp::Divide | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                    Some(binary(*op, &highest(left)?, right))
                }
                _ => None,
            },
            Kind::Select(_, then, otherwise) => of_numbers(&highest(then)?, &highest(otherwise)?, i64::max),
            _ => None,
        }
    }

    /// What an index is in the first thread of the launch, where it only grows from there.
    fn lowest(&self, index: &Sym, depth: u32) -> Option<Sym> {
        if depth > DEPTH {
            return None;
        }
        if !varies(index) {
            return Some(Rc::clone(index));
        }
        match &index.kind {
            Kind::Thread(_) => Some(int(0)),
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Multiply), left, right) => {
                let (left, right) = (self.lowest(left, depth + 1)?, self.lowest(right, depth + 1)?);
                Some(binary(*op, &left, &right))
            }
            Kind::Binary(op, left, right) if !varies(right) => match op {
                BinaryOp::Subtract | BinaryOp::Divide | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                    Some(binary(*op, &self.lowest(left, depth + 1)?, right))
                }
                _ => None,
            },
            Kind::Carried { loop_id, variable } => {
                let key = (*loop_id, *variable);
                let grows = |step: &Sym| match &step.kind {
                    Kind::Int(by) => *by >= 0,
                    _ => is_threads_of_block(step) || is_threads_of_grid(step),
                };
                self.strides.get(&key).filter(|it| grows(it))?;
                self.lowest(self.initials.get(&key)?, depth + 1)
            }
            Kind::Select(_, then, otherwise) => {
                let (then, otherwise) = (self.lowest(then, depth + 1)?, self.lowest(otherwise, depth + 1)?);
                of_numbers(&then, &otherwise, i64::min)
            }
            _ => None,
        }
    }

    /// What is added to an index. A term with a factor that differs between threads vanishes for the first thread.
    fn terms(&self, index: &Sym, found: &mut Found, depth: u32) {
        if depth > DEPTH {
            found.opaque = true;
            return;
        }
        if !varies(index) {
            params_of(index, &mut found.offsets);
            return;
        }
        match &index.kind {
            Kind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::BitOr, left, right) => {
                self.terms(left, found, depth + 1);
                self.terms(right, found, depth + 1);
            }
            Kind::Binary(_, left, right) => {
                for side in [left, right] {
                    if varies(side) {
                        self.terms(side, found, depth + 1);
                    }
                }
            }
            Kind::Unary(_, operand) => self.terms(operand, found, depth + 1),
            Kind::Select(_, then, otherwise) => {
                self.terms(then, found, depth + 1);
                self.terms(otherwise, found, depth + 1);
            }
            Kind::Carried { loop_id, variable } => match self.initials.get(&(*loop_id, *variable)) {
                Some(first) => self.terms(&Rc::clone(first), found, depth + 1),
                None => found.opaque = true,
            },
            Kind::Load(load) => {
                if let Base::Parameter(index) = load.loc.base {
                    found.selectors.insert(index);
                }
            }
            Kind::Thread(_) | Kind::Group | Kind::Grid => {}
            Kind::Derived(_) => {
                found.opaque = true;
                params_of(index, &mut found.selectors);
            }
            _ => found.opaque = true,
        }
    }

    /// What a condition on the way says of where the accessed elements begin; an upper bound says nothing of it.
    fn bound(&self, condition: &Sym, holds: bool, found: &mut Found, depth: u32) {
        if depth > DEPTH || !varies(condition) {
            return;
        }
        match &condition.kind {
            Kind::Unary(UnaryOp::Not, operand) => self.bound(operand, !holds, found, depth + 1),
            Kind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.bound(left, holds, found, depth + 1);
                self.bound(right, holds, found, depth + 1);
            }
            Kind::Binary(op, left, right) => {
                let upper = match op {
                    BinaryOp::Less | BinaryOp::LessEqual => holds,
                    BinaryOp::Greater | BinaryOp::GreaterEqual => !holds,
                    BinaryOp::Equal => !holds,
                    BinaryOp::NotEqual => holds,
                    _ => false,
                };
                let symmetric = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
                match (varies(left), varies(right)) {
                    (true, false) if !upper => params_of(right, &mut found.offsets),
                    (false, true) if upper && !symmetric || symmetric && !upper => {
                        params_of(left, &mut found.offsets);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// How far an access goes whose index is the number of the thread, or below a parameter.
    fn reach(&self, loc: &Loc, path: &[PathCondition]) -> Option<Reach> {
        let [Step::Element(index)] = loc.path.as_slice() else {
            return None;
        };
        let varying: Vec<&PathCondition> = path.iter().filter(|it| varies(&it.sym)).collect();
        match varying.as_slice() {
            [] if is_thread(index) => Some(Reach::Block),
            [] if is_thread_of_grid(index) => Some(Reach::Grid),
            [condition] => {
                let end = limit(condition, index)?;
                Some(match self.leaves_nothing_out(index) {
                    true => Reach::All(end),
                    false => Reach::Parameter(end),
                })
            }
            _ => None,
        }
    }

    /// Whether the counter of a loop takes every number from 0 on: in some thread of the grid, in one of each block, or in each.
    fn leaves_nothing_out(&self, index: &Sym) -> bool {
        let Kind::Carried { loop_id, variable } = index.kind else {
            return false;
        };
        let key = (loop_id, variable);
        let (Some(first), Some(step)) = (self.initials.get(&key), self.strides.get(&key)) else {
            return false;
        };
        is_thread_of_grid(first) && is_threads_of_grid(step)
            || is_thread(first) && is_threads_of_block(step)
            || matches!((&first.kind, &step.kind), (Kind::Int(0), Kind::Int(1)))
    }
}

/// One of two numbers.
fn of_numbers(a: &Sym, b: &Sym, choose: fn(i64, i64) -> i64) -> Option<Sym> {
    match (&a.kind, &b.kind) {
        (Kind::Int(a), Kind::Int(b)) => Some(int(choose(*a, *b))),
        _ => None,
    }
}

/// A sum of what the launch gives, without known numbers: neighbours of an element are taken for what begins there.
fn without_constants(sum: &Sym) -> Sym {
    match &sum.kind {
        Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let (left, right) = (without_constants(left), without_constants(right));
            binary(*op, &left, &right)
        }
        Kind::Int(_) => int(0),
        _ => Rc::clone(sum),
    }
}

fn indices(loc: &Loc) -> impl Iterator<Item = &Sym> {
    loc.path.iter().filter_map(|it| match it {
        Step::Element(index) => Some(index),
        Step::Field(_) => None,
    })
}

/// Parameters behind which numbers stand that are the same for all threads, and that these are made of.
fn numbers_in<'s>(made: impl Iterator<Item = &'s Sym>) -> Vec<u32> {
    let found = RefCell::new(BTreeSet::new());
    let look = |kind: &Kind| {
        if let Kind::Load(load) = kind
            && load.touch == Touch::Read
            && !load.loc.path.iter().any(is_varying)
            && let Base::Parameter(index) = load.loc.base
        {
            found.borrow_mut().insert(index);
        }
        false
    };
    made.for_each(|it| {
        depends(it, &look);
    });
    found.into_inner().into_iter().collect()
}

/// What memory has a say in which elements are accessed, by the index or by a condition that differs between elements.
fn chosen(loc: &Loc, path: &[PathCondition]) -> Chosen {
    let indices = indices(loc);
    let (by, unknown) = (RefCell::new(BTreeSet::new()), Cell::new(false));
    let found = |kind: &Kind| {
        match kind {
            Kind::Load(load) if load.touch == Touch::Read && load.loc.path.iter().any(is_varying) => {
                match load.loc.base {
                    Base::Parameter(index) => {
                        by.borrow_mut().insert(index);
                    }
                    _ => unknown.set(true),
                }
            }
            Kind::Unknown(_) | Kind::Local => unknown.set(true),
            _ => {}
        }
        false
    };
    indices.chain(path.iter().map(|it| &it.sym)).for_each(|it| {
        depends(it, &found);
    });
    let by = by.into_inner();
    match (unknown.get(), by.is_empty()) {
        (true, _) => Chosen::Unknown,
        (false, false) => Chosen::By(by.into_iter().collect()),
        (false, true) => Chosen::No,
    }
}

fn is_varying(step: &Step) -> bool {
    matches!(step, Step::Element(index) if varies(index))
}

/// What a condition keeps below what.
fn upper(condition: &PathCondition) -> Option<(&Sym, &Sym)> {
    let Kind::Binary(op, left, right) = &condition.sym.kind else {
        return None;
    };
    match (op, condition.side) {
        (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => Some((left, right)),
        (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => Some((right, left)),
        _ => None,
    }
}

/// The parameter a condition keeps an index below.
fn limit(condition: &PathCondition, index: &Sym) -> Option<u32> {
    let (lower, upper) = upper(condition)?;
    plain_parameter(upper).filter(|_| lower == index)
}

/// A parameter as it is handed in.
fn plain_parameter(value: &Sym) -> Option<u32> {
    match &value.kind {
        Kind::Parameter(loc) if loc.path.is_empty() => match loc.base {
            Base::Parameter(index) => Some(index),
            _ => None,
        },
        _ => None,
    }
}

fn is_thread(index: &Sym) -> bool {
    matches!(&index.kind, Kind::Thread(name) if name == "threadIdx.x")
}

fn is_threads_of_block(count: &Sym) -> bool {
    matches!(&count.kind, Kind::Launch(name) if name == "blockDim.x")
}

/// `gridDim.x * blockDim.x`.
fn is_threads_of_grid(count: &Sym) -> bool {
    let is_blocks = |it: &Sym| matches!(&it.kind, Kind::Launch(name) if name == "gridDim.x");
    match &count.kind {
        Kind::Binary(BinaryOp::Multiply, a, b) => {
            is_blocks(a) && is_threads_of_block(b) || is_threads_of_block(a) && is_blocks(b)
        }
        _ => false,
    }
}

/// `blockIdx.x * blockDim.x + threadIdx.x`.
fn is_thread_of_grid(index: &Sym) -> bool {
    let is_block = |it: &Sym| matches!(&it.kind, Kind::Thread(name) if name == "blockIdx.x");
    let is_start = |it: &Sym| match &it.kind {
        Kind::Binary(BinaryOp::Multiply, a, b) => {
            is_block(a) && is_threads_of_block(b) || is_threads_of_block(a) && is_block(b)
        }
        _ => false,
    };
    match &index.kind {
        Kind::Binary(BinaryOp::Add, a, b) => is_start(a) && is_thread(b) || is_thread(a) && is_start(b),
        _ => false,
    }
}

#[derive(Default)]
struct Found {
    offsets: BTreeSet<u32>,
    selectors: BTreeSet<u32>,
    opaque: bool,
    claimed: bool,
}

/// What an atomic operation found before it changed it: nobody else finds the same.
fn is_claim(kind: &Kind) -> bool {
    matches!(kind, Kind::Load(load) if load.touch != Touch::Read)
}

/// Whether a value differs between threads or iterations.
pub(super) fn varies(sym: &Sym) -> bool {
    depends(sym, &|kind| {
        matches!(
            kind,
            Kind::Thread(_)
                | Kind::Carried { .. }
                | Kind::Load(_)
                | Kind::Local
                | Kind::Unknown(_)
                | Kind::Group
                | Kind::Grid
                | Kind::Clock
        )
    })
}

/// The parameters a value is made of.
fn params_of(sym: &Sym, found: &mut BTreeSet<u32>) {
    let seen = RefCell::new(BTreeSet::new());
    depends(sym, &|kind| {
        if let Kind::Parameter(loc) = kind
            && let Base::Parameter(index) = loc.base
        {
            seen.borrow_mut().insert(index);
        }
        false
    });
    found.append(&mut seen.into_inner());
}
