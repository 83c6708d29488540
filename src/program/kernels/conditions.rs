//! Conditions taken apart: ways to make them true, the guards in them, and what they compare a place with.

use std::rc::Rc;

use super::symbols::{Kind, Sym, Touch, binary, depends, export, select, unary};
use super::walk::PathCondition;
use crate::facts::ir::{BinaryOp, Expr, Function, UnaryOp};

/// Alternatives kept apart; a condition with more is one atom.
const ALTERNATIVE_LIMIT: usize = 16;

/// The ways in which all these conditions can hold: each a list of atoms that must hold together.
pub(super) fn alternatives(path: &[PathCondition]) -> Vec<Vec<PathCondition>> {
    let mut all = vec![Vec::new()];
    for condition in path {
        let own = ways(condition, 0);
        match cross(&all, &own) {
            Some(crossed) => all = crossed,
            None => all.iter_mut().for_each(|atoms| atoms.push(condition.clone())),
        }
    }
    all
}

/// The ways in which any of these paths is taken. A condition that only says "not the other way out" is dropped:
/// `a || (!a && b)` is `a || b`. `given`: what holds on all of them.
pub(super) fn ways_out(paths: &[Vec<PathCondition>], given: &[PathCondition]) -> Vec<Vec<PathCondition>> {
    let mut all: Vec<Vec<PathCondition>> = paths.iter().flat_map(|path| alternatives(path)).collect();
    all.truncate(ALTERNATIVE_LIMIT * 4);
    let given = atoms(given);
    all.retain(|atoms| {
        !atoms
            .iter()
            .any(|it| given.iter().any(|known| contradict(it, known)))
    });
    for atoms in all.iter_mut().filter(|it| it.len() > 1) {
        atoms.retain(|it| {
            !given
                .iter()
                .any(|known| known.sym == it.sym && known.side == it.side)
        });
    }
    // `x == 1 && x == 2` is no way out, and `x == 1 && x == 1` says one thing.
    all.retain(|atoms| {
        let mut pairs = atoms.iter().enumerate();
        !pairs.any(|(index, a)| atoms[..index].iter().any(|b| contradict(a, b)))
    });
    for atoms in &mut all {
        let mut seen: Vec<(Sym, bool)> = Vec::new();
        atoms.retain(|it| {
            let known = seen.iter().any(|(sym, side)| *sym == it.sym && *side == it.side);
            seen.push((Rc::clone(&it.sym), it.side));
            !known
        });
    }
    let mut distinct: Vec<Vec<PathCondition>> = Vec::new();
    for atoms in all {
        let same = |other: &Vec<PathCondition>| {
            let mut pairs = atoms.iter().zip(other);
            other.len() == atoms.len() && pairs.all(|(a, b)| a.sym == b.sym && a.side == b.side)
        };
        if !distinct.iter().any(same) {
            distinct.push(atoms);
        }
    }
    let mut all = distinct;
    for _ in 0..4 {
        let singles: Vec<PathCondition> = all
            .iter()
            .filter(|atoms| atoms.len() == 1)
            .flat_map(|atoms| atoms.iter().cloned())
            .collect();
        let is_complement = |atom: &PathCondition| {
            singles
                .iter()
                .any(|other| other.side != atom.side && other.sym == atom.sym)
        };
        if singles.iter().any(is_complement) {
            return vec![Vec::new()];
        }
        let mut changed = false;
        for atoms in all.iter_mut().filter(|atoms| atoms.len() > 1) {
            let before = atoms.len();
            atoms.retain(|atom| !is_complement(atom));
            changed |= atoms.len() != before;
        }
        if !changed {
            break;
        }
    }
    all
}

/// One value that holds where all these conditions do; `None` where there are none.
pub(super) fn conjunction(path: &[PathCondition]) -> Option<Sym> {
    let held = |it: &PathCondition| match it.side {
        true => Rc::clone(&it.sym),
        false => unary(UnaryOp::Not, &it.sym),
    };
    path.iter()
        .map(held)
        .reduce(|left, right| binary(BinaryOp::And, &left, &right))
}

fn ways(condition: &PathCondition, depth: u32) -> Vec<Vec<PathCondition>> {
    let whole = || vec![vec![condition.clone()]];
    let part = |sym: &Sym, side| {
        ways(
            &PathCondition {
                sym: Rc::clone(sym),
                side,
                ..condition.clone()
            },
            depth.saturating_add(1),
        )
    };
    if depth > 32 {
        return whole();
    }
    let side = condition.side;
    match &condition.sym.kind {
        Kind::Int(value) => {
            if (*value != 0) == side {
                vec![Vec::new()]
            } else {
                Vec::new()
            }
        }
        Kind::Unary(UnaryOp::Not, operand) => part(operand, !side),
        Kind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            let both = matches!(condition.sym.kind, Kind::Binary(BinaryOp::And, ..)) == side;
            let (left, right) = (part(left, side), part(right, side));
            if both {
                cross(&left, &right).unwrap_or_else(whole)
            } else {
                [left, right].concat()
            }
        }
        Kind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right)
            if matches!(right.kind, Kind::Int(0)) && is_boolean(left) =>
        {
            part(left, (*op == BinaryOp::NotEqual) == side)
        }
        Kind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right)
            if matches!(right.kind, Kind::Int(1)) && is_boolean(left) =>
        {
            part(left, (*op == BinaryOp::Equal) == side)
        }
        // `(c ? a : b) == x` says `c ? a == x : b == x`.
        Kind::Binary(op, left, right) if comparison(*op).is_some() => match (&left.kind, &right.kind) {
            (Kind::Select(decides, a, b), _) => {
                let sides = (binary(*op, a, right), binary(*op, b, right));
                part(&select(decides, &sides.0, &sides.1), side)
            }
            (_, Kind::Select(decides, a, b)) => {
                let sides = (binary(*op, left, a), binary(*op, left, b));
                part(&select(decides, &sides.0, &sides.1), side)
            }
            _ => whole(),
        },
        Kind::Select(decides, then, otherwise) => {
            let first = cross(&part(decides, true), &part(then, side));
            let second = cross(&part(decides, false), &part(otherwise, side));
            match (first, second) {
                (Some(first), Some(second)) => [first, second].concat(),
                _ => whole(),
            }
        }
        _ => whole(),
    }
}

/// Every way of the one with every way of the other; `None` when that is too many.
pub(super) fn cross(
    left: &[Vec<PathCondition>],
    right: &[Vec<PathCondition>],
) -> Option<Vec<Vec<PathCondition>>> {
    if left.len().saturating_mul(right.len()) > ALTERNATIVE_LIMIT {
        return None;
    }
    Some(
        left.iter()
            .flat_map(|l| right.iter().map(move |r| [l.as_slice(), r.as_slice()].concat()))
            .collect(),
    )
}

fn is_boolean(sym: &Sym) -> bool {
    match &sym.kind {
        Kind::Unary(UnaryOp::Not, _) => true,
        Kind::Binary(op, ..) => matches!(
            op,
            BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        ),
        Kind::Select(_, then, otherwise) => is_truth(then) && is_truth(otherwise),
        _ => false,
    }
}

fn is_truth(sym: &Sym) -> bool {
    matches!(sym.kind, Kind::Int(0 | 1)) || is_boolean(sym)
}

/// The atoms that must all hold when these conditions do, `!=` turned into `==`.
pub(super) fn atoms(path: &[PathCondition]) -> Vec<PathCondition> {
    let mut atoms = Vec::new();
    for condition in path {
        match ways(condition, 0).as_slice() {
            [only] => atoms.extend(only.iter().map(normalised)),
            _ => atoms.push(condition.clone()),
        }
    }
    atoms
}

/// The atom with `!=` turned into `==`.
pub(super) fn normalised(atom: &PathCondition) -> PathCondition {
    match &atom.sym.kind {
        Kind::Binary(BinaryOp::NotEqual, left, right) => PathCondition {
            sym: super::symbols::binary(BinaryOp::Equal, left, right),
            side: !atom.side,
            ..atom.clone()
        },
        _ => atom.clone(),
    }
}

/// The conditions among these that depend on kernel parameters and constants only.
pub(super) fn guards(path: &[PathCondition], kernel: &Function) -> Vec<(Expr, bool)> {
    let mut guards: Vec<(Expr, bool)> = Vec::new();
    for condition in path {
        let parts = match ways(condition, 0) {
            mut ways if ways.len() == 1 => ways.remove(0),
            _ => vec![condition.clone()],
        };
        for part in parts {
            let Some(mut expr) = export(&part.sym, kernel) else {
                continue;
            };
            expr.span = part.span;
            let guard = (expr, part.side);
            if !guards
                .iter()
                .any(|(known, side)| known.kind == guard.0.kind && *side == guard.1)
            {
                guards.push(guard);
            }
        }
    }
    guards
}

/// The same where every loop on the way is taken to have a round.
pub(super) fn guards_in_loops(path: &[PathCondition], kernel: &Function) -> Vec<(Expr, bool)> {
    let path: Vec<PathCondition> = path.iter().filter(|it| !it.first_round).cloned().collect();
    guards(&path, kernel)
}

/// `true` when no launch satisfies both: they disagree on kernel parameters.
pub(super) fn exclude_each_other(left: &[PathCondition], right: &[PathCondition], kernel: &Function) -> bool {
    let uniform = |path: &[PathCondition]| {
        let mut atoms = atoms(path);
        atoms.retain(|atom| export(&atom.sym, kernel).is_some());
        atoms
    };
    let (left, right) = (uniform(left), uniform(right));
    left.iter().any(|a| right.iter().any(|b| contradict(a, b)))
}

/// Whether two atoms cannot both hold.
pub(super) fn contradict(a: &PathCondition, b: &PathCondition) -> bool {
    if a.sym == b.sym {
        return a.side != b.side;
    }
    match (&a.sym.kind, &b.sym.kind) {
        (Kind::Binary(BinaryOp::Equal, left, x), Kind::Binary(BinaryOp::Equal, right, y)) => {
            a.side
                && b.side
                && left == right
                && matches!((&x.kind, &y.kind), (Kind::Int(x), Kind::Int(y)) if x != y)
        }
        // `mode` and `mode == 0` say opposite things.
        (_, Kind::Binary(BinaryOp::Equal, of, zero)) if *of == a.sym => {
            matches!(zero.kind, Kind::Int(0)) && a.side == b.side
        }
        (Kind::Binary(BinaryOp::Equal, of, zero), _) if *of == b.sym => {
            matches!(zero.kind, Kind::Int(0)) && a.side == b.side
        }
        _ => false,
    }
}

/// The loads a value depends on (not those in addresses) that happened after `serial`.
pub(super) fn collect_loads(sym: &Sym, serial: u32, loads: &mut Vec<Sym>) {
    match &sym.kind {
        Kind::Load(load) if load.serial > serial && !loads.contains(sym) => loads.push(Rc::clone(sym)),
        Kind::Unary(_, operand) => collect_loads(operand, serial, loads),
        Kind::Binary(_, left, right) => {
            collect_loads(left, serial, loads);
            collect_loads(right, serial, loads);
        }
        Kind::Select(a, b, c) => {
            for sym in [a, b, c] {
                collect_loads(sym, serial, loads);
            }
        }
        Kind::Derived(of) => {
            for sym in of {
                collect_loads(sym, serial, loads);
            }
        }
        _ => {}
    }
}

/// The comparison of one load that is true when all these conditions hold: an equality says all there is to say.
pub(super) fn until_all(atoms: &[&PathCondition]) -> Option<(BinaryOp, Sym)> {
    if let [only] = atoms {
        return until(&only.sym, only.side);
    }
    let mut loads = Vec::new();
    for atom in atoms {
        collect_loads(&atom.sym, 0, &mut loads);
    }
    let equality =
        |atom: &&PathCondition| until(&atom.sym, atom.side).filter(|(op, _)| *op == BinaryOp::Equal);
    match loads.as_slice() {
        [_] => atoms.iter().find_map(equality),
        _ => None,
    }
}

/// The comparison of a load that is true when `sym` is (or, for `side == false`, is not): operator and value.
pub(super) fn until(sym: &Sym, side: bool) -> Option<(BinaryOp, Sym)> {
    let zero = || super::symbols::int(0);
    match &sym.kind {
        Kind::Load(_) => Some((if side { BinaryOp::NotEqual } else { BinaryOp::Equal }, zero())),
        Kind::Binary(BinaryOp::BitAnd, left, right) if side => match (&left.kind, &right.kind) {
            (Kind::Load(_), _) => Some((BinaryOp::BitAnd, Rc::clone(right))),
            (_, Kind::Load(_)) => Some((BinaryOp::BitAnd, Rc::clone(left))),
            _ => None,
        },
        Kind::Binary(op, left, right) => {
            let op = if side { comparison(*op)? } else { negated(*op)? };
            compared(op, left, right)
        }
        _ => None,
    }
}

fn compared(op: BinaryOp, left: &Sym, right: &Sym) -> Option<(BinaryOp, Sym)> {
    let is_zero = matches!(right.kind, Kind::Int(0));
    match (&left.kind, &right.kind) {
        (Kind::Load(_), Kind::Load(_)) => None,
        (Kind::Load(_), _) => Some((op, Rc::clone(right))),
        (_, Kind::Load(_)) => Some((flipped(op), Rc::clone(left))),
        (Kind::Binary(BinaryOp::BitAnd, a, b), _) if is_load(a) != is_load(b) => {
            let mask = if is_load(a) { b } else { a };
            let single_bit =
                mask == right && matches!(mask.kind, Kind::Int(bits) if bits & bits.wrapping_sub(1) == 0);
            let any_set = (is_zero && op == BinaryOp::NotEqual) || (single_bit && op == BinaryOp::Equal);
            any_set.then(|| (BinaryOp::BitAnd, Rc::clone(mask)))
        }
        // `(int)(*f - target) >= 0`, `n - *tail < slots` and the like.
        (Kind::Binary(sum @ (BinaryOp::Add | BinaryOp::Subtract), a, b), _) if !reads(right) => {
            let is_sum = *sum == BinaryOp::Add;
            match (reads(a), reads(b)) {
                (true, false) => {
                    let back = if is_sum { BinaryOp::Subtract } else { BinaryOp::Add };
                    compared(op, a, &binary(back, right, b))
                }
                (false, true) if is_sum => compared(op, b, &binary(BinaryOp::Subtract, right, a)),
                (false, true) => compared(flipped(op), b, &binary(BinaryOp::Subtract, a, right)),
                _ if is_zero && !is_sum => compared(op, a, b),
                _ => None,
            }
        }
        (_, Kind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..)) if reads(right) && !reads(left) => {
            compared(flipped(op), right, left)
        }
        (Kind::Unary(UnaryOp::BitNot, of), Kind::Int(value)) => {
            compared(op, of, &super::symbols::int(!value))
        }
        (Kind::Unary(UnaryOp::Negate, of), Kind::Int(_))
            if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) =>
        {
            compared(op, of, &unary(UnaryOp::Negate, right))
        }
        _ => None,
    }
}

fn is_load(sym: &Sym) -> bool {
    matches!(sym.kind, Kind::Load(_))
}

/// Whether memory has a part in a value.
fn reads(sym: &Sym) -> bool {
    depends(sym, &|kind| matches!(kind, Kind::Load(_)))
}

fn comparison(op: BinaryOp) -> Option<BinaryOp> {
    negated(op).map(|_| op)
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        _ => return None,
    })
}

fn flipped(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

/// `true` when a place that holds `stored` may satisfy `place op value`.
pub(super) fn may_satisfy(until: Option<&(BinaryOp, Sym)>, stored: Option<&Sym>) -> bool {
    let (Some((op, value)), Some(stored)) = (until, stored) else {
        return true;
    };
    if stored == value {
        return matches!(
            op,
            BinaryOp::Equal | BinaryOp::LessEqual | BinaryOp::GreaterEqual | BinaryOp::BitAnd
        );
    }
    match (&stored.kind, &value.kind) {
        (Kind::Int(stored), Kind::Int(value)) => super::symbols::fold(*op, *stored, *value) != Some(0),
        _ => true,
    }
}

/// What an access that returns the old value leaves in the place, when it does.
pub(super) fn left_behind(touch: &Touch) -> Option<&Sym> {
    match touch {
        Touch::Exchange(stored) | Touch::Compare(_, stored) => Some(stored),
        Touch::Read | Touch::Change => None,
    }
}
