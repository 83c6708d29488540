//! Whether a kernel itself releases what one of its loops waits for.

use super::conditions::{atoms, exclude_each_other, may_satisfy};
use super::symbols::{Kind, Loc, Step, Sym, depends, export};
use super::waiting::{Exit, Wait, acquires, location};
use super::walk::{PathCondition, Write};
use crate::facts::ir::Function;

/// How two locations in one launch relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// The same for every thread that uses both.
    Same,
    /// One thread's may be another thread's.
    Overlapping,
    Disjoint,
}

/// `true` when the loop's own writes may end it.
pub(super) fn changes_itself(exit: &Exit, write: &Write) -> bool {
    let own = |sym: &Sym| matches!(&sym.kind, Kind::Load(load) if load.serial == write.serial);
    if exit.loads.iter().any(own) {
        return false;
    }
    let touched = |loc: &Loc| relation(loc, &write.loc, None) == Relation::Same;
    exit.loads.iter().filter_map(location).any(touched)
        && may_satisfy(exit.until.as_ref(), write.value.as_ref())
}

/// `true` when another thread of the same launch may end the wait in this way.
pub(super) fn is_internal(wait: &Wait, exit: &Exit, writes: &[Write], kernel: &Function) -> bool {
    exit.internal || writes.iter().any(|write| releases(wait, exit, write, kernel))
}

/// `true` when this write of another thread of the same launch may end the wait.
pub(super) fn releases(wait: &Wait, exit: &Exit, write: &Write, kernel: &Function) -> bool {
    let own = |sym: &Sym| matches!(&sym.kind, Kind::Load(load) if load.serial == write.serial);
    if exit.loads.iter().any(own) || !may_satisfy(exit.until.as_ref(), write.value.as_ref()) {
        return false;
    }
    let relations = exit
        .loads
        .iter()
        .filter_map(location)
        .map(|loc| relation(loc, &write.loc, Some(kernel)));
    let related = relations.fold(Relation::Disjoint, |known, next| match (known, next) {
        (Relation::Overlapping, _) | (_, Relation::Overlapping) => Relation::Overlapping,
        (Relation::Same, _) | (_, Relation::Same) => Relation::Same,
        _ => Relation::Disjoint,
    });
    if related == Relation::Disjoint || exclude_each_other(&wait.path, &write.path, kernel) {
        return false;
    }
    let after = write.serial > wait.serial;
    related == Relation::Overlapping
        || (write.atomic && write.value.is_none())
        || !after
        || exit.loads.iter().any(acquires)
        || is_turnstile(exit, write, kernel)
        || !passes_through(wait, write)
}

/// Threads wait for values of their own, and each stores one that another may wait for.
fn is_turnstile(exit: &Exit, write: &Write, kernel: &Function) -> bool {
    let differs = |kind: &Kind| {
        matches!(
            kind,
            Kind::Thread(_) | Kind::Unknown(_) | Kind::Local | Kind::Load(_)
        )
    };
    let awaited = exit
        .until
        .as_ref()
        .is_some_and(|(_, value)| depends(value, &differs));
    awaited
        && write
            .value
            .as_ref()
            .is_none_or(|value| export(value, kernel).is_none())
}

/// `true` when a thread that writes has waited before: whatever decides which threads wait also holds where it writes.
pub(super) fn passes_through(wait: &Wait, write: &Write) -> bool {
    let written = atoms(&write.path);
    let decides = |kind: &Kind| {
        matches!(
            kind,
            Kind::Thread(_) | Kind::Unknown(_) | Kind::Local | Kind::Group
        )
    };
    let holds = |atom: &PathCondition| {
        !depends(&atom.sym, &decides)
            || written
                .iter()
                .any(|other| other.sym == atom.sym && other.side == atom.side)
    };
    atoms(&wait.path).iter().all(holds)
}

/// `true` when every thread that waits has stored this value to the place before, and nothing else since.
pub(super) fn resets(wait: &Wait, write: &Write, writes: &[Write]) -> bool {
    let taken = |atom: &PathCondition| {
        let known = |other: &PathCondition| other.sym == atom.sym && other.side == atom.side;
        atoms(&wait.path).iter().any(known)
    };
    let same = |loc: &Loc| is_same_place(loc, &write.loc);
    let mut places = wait.exits.iter().flat_map(|it| &it.loads).filter_map(location);
    let since = |other: &Write| {
        (write.serial + 1..=wait.serial).contains(&other.serial)
            && relation(&write.loc, &other.loc, None) != Relation::Disjoint
    };
    write.serial <= wait.serial
        && !write.atomic
        && write.value.is_some()
        && wait.around.starts_with(&write.around)
        && places.all(same)
        && atoms(&write.path).iter().all(taken)
        && !writes.iter().any(since)
}

/// One and the same place for every thread that uses both.
pub(super) fn is_same_place(one: &Loc, other: &Loc) -> bool {
    one.path.len() == other.path.len() && relation(one, other, None) == Relation::Same
}

/// How two locations relate; with a kernel, indices that differ only between launches count as different.
fn relation(waited: &Loc, written: &Loc, kernel: Option<&Function>) -> Relation {
    if waited.base != written.base || written.path.len() > waited.path.len() {
        return Relation::Disjoint;
    }
    let mut relation = Relation::Same;
    for (a, b) in waited.path.iter().zip(&written.path) {
        match (a, b) {
            _ if a == b => {}
            (Step::Element(a), Step::Element(b)) => {
                let uniform = |sym| kernel.is_some_and(|kernel| export(sym, kernel).is_some());
                let known = matches!((&a.kind, &b.kind), (Kind::Int(_), Kind::Int(_)));
                if known || (uniform(a) && uniform(b)) {
                    return Relation::Disjoint;
                }
                relation = Relation::Overlapping;
            }
            _ => return Relation::Disjoint,
        }
    }
    relation
}
