//! Waits for more arrivals at a counter than one small launch brings: other launches must bring the rest.

use super::Added;
use super::conditions::atoms;
use super::release::{is_same_place, releases};
use super::symbols::{Kind, Loc, Step, Sym, Touch, binary, depends, export, int};
use super::waiting::{Exit, Wait, location};
use super::walk::{PathCondition, Walker, Write};
use crate::facts::ir::{BinaryOp, Expr};

/// What a launch brings to a counter that one of its loops waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals {
    /// Arrivals each of its blocks brings at most.
    pub per_block: i64,
    /// Arrivals each of its threads brings at most.
    pub per_thread: i64,
    /// How many there must be, over kernel parameters.
    pub needed: Expr,
    /// The loop looks at the counter itself, rather than at a flag that the last one sets.
    pub counts: bool,
}

/// The arrivals that end a wait, where the kernel ends it in no other way.
pub(super) fn of(walker: &Walker<'_>, wait: &Wait) -> Option<Arrivals> {
    let [exit] = wait.exits.as_slice() else {
        return None;
    };
    let releasing: Vec<&Write> = walker
        .writes
        .iter()
        .filter(|write| releases(wait, exit, write, walker.kernel))
        .collect();
    if exit.internal || releasing.is_empty() {
        return None;
    }
    let (counter, needed, counts) = by_counter(exit, &releasing).or_else(|| by_flag(&releasing))?;
    let (per_block, per_thread) = brought(&counter, &walker.writes)?;
    Some(Arrivals {
        per_block,
        per_thread,
        needed: export(&needed, walker.kernel)?,
        counts,
    })
}

/// The loop compares the counter with a number.
fn by_counter(exit: &Exit, releasing: &[&Write]) -> Option<(Loc, Sym, bool)> {
    let (op, value) = exit.until.as_ref()?;
    let needed = match op {
        BinaryOp::GreaterEqual | BinaryOp::Equal => value.clone(),
        BinaryOp::Greater => binary(BinaryOp::Add, value, &int(1)),
        _ => return None,
    };
    let [load] = exit.loads.as_slice() else {
        return None;
    };
    let counter = location(load)?;
    let all = releasing
        .iter()
        .all(|it| it.added.is_some() && is_same_place(counter, &it.loc));
    all.then(|| (counter.clone(), needed, true))
}

/// The loop looks at a flag that only the arrival that completes the number sets.
fn by_flag(releasing: &[&Write]) -> Option<(Loc, Sym, bool)> {
    let mut found: Option<(Loc, Sym)> = None;
    for write in releasing {
        let last = atoms(&write.path).iter().find_map(last_arrival)?;
        match &found {
            None => found = Some(last),
            Some(known) if is_same_place(&known.0, &last.0) && known.1 == last.1 => {}
            Some(_) => return None,
        }
    }
    found.map(|(counter, needed)| (counter, needed, false))
}

/// `atomicAdd(&counter, 1) == needed - 1`, however it is written.
fn last_arrival(atom: &PathCondition) -> Option<(Loc, Sym)> {
    let Kind::Binary(BinaryOp::Equal, left, right) = &atom.sym.kind else {
        return None;
    };
    let arrival = |sym: &Sym| match &sym.kind {
        Kind::Load(load) if load.touch == Touch::Change => Some(load.loc.clone()),
        _ => None,
    };
    let (arrived, number) = if arrives(left) {
        (left, right)
    } else {
        (right, left)
    };
    if !atom.side || arrives(number) {
        return None;
    }
    match &arrived.kind {
        Kind::Binary(BinaryOp::Add, old, more) => {
            let before = binary(BinaryOp::Subtract, number, more);
            Some((arrival(old)?, binary(BinaryOp::Add, &before, &int(1))))
        }
        _ => Some((arrival(arrived)?, binary(BinaryOp::Add, number, &int(1)))),
    }
}

fn arrives(sym: &Sym) -> bool {
    depends(
        sym,
        &|kind| matches!(kind, Kind::Load(load) if load.touch == Touch::Change),
    )
}

/// What one block and one thread add to a counter at most; `None` where that is not plain to see.
fn brought(counter: &Loc, writes: &[Write]) -> Option<(i64, i64)> {
    let (mut per_block, mut per_thread) = (0_i64, 0_i64);
    for write in writes.iter().filter(|it| it.loc.base == counter.base) {
        if !is_same_place(counter, &write.loc) {
            // Another field or element, unless nobody knows which.
            if overlaps(counter, &write.loc) {
                return None;
            }
            continue;
        }
        let Some(added) = write.added else {
            // Cleared, or set to something nobody counts.
            match write.value.as_deref().map(|it| &it.kind) {
                Some(Kind::Int(0)) => continue,
                _ => return None,
            }
        };
        if added <= 0 {
            return None;
        }
        let added = added_by(write)?;
        per_block = per_block.checked_add(added.per_block)?;
        per_thread = per_thread.checked_add(added.per_thread)?;
    }
    Some((per_block, per_thread))
}

/// What one update adds to a counter at most.
pub(super) fn added_by(write: &Write) -> Option<Added> {
    let added = write.added.filter(|it| *it > 0 && write.around.is_empty())?;
    let one_of_block = atoms(&write.path).iter().any(is_one_thread);
    Some(match one_of_block {
        true => Added {
            per_block: added,
            per_thread: 0,
        },
        false => Added {
            per_block: 0,
            per_thread: added,
        },
    })
}

/// `threadIdx.x == 0`, and its like.
fn is_one_thread(atom: &PathCondition) -> bool {
    let of_block = |sym: &Sym| matches!(&sym.kind, Kind::Thread(name) if name.starts_with("threadIdx"));
    match &atom.sym.kind {
        Kind::Binary(BinaryOp::Equal, left, right) if atom.side => {
            of_block(left) && matches!(right.kind, Kind::Int(_))
                || of_block(right) && matches!(left.kind, Kind::Int(_))
        }
        _ => !atom.side && of_block(&atom.sym),
    }
}

/// Whether two locations of one object may be the same.
fn overlaps(one: &Loc, other: &Loc) -> bool {
    one.path.iter().zip(&other.path).all(|pair| match pair {
        (Step::Field(a), Step::Field(b)) => a == b,
        (Step::Element(a), Step::Element(b)) => match (&a.kind, &b.kind) {
            (Kind::Int(a), Kind::Int(b)) => a == b,
            _ => true,
        },
        _ => true,
    })
}
