//! Kernels that serve: a loop that waits in each of its rounds and is left only when memory says so.
//!
//! Whoever leaves such a loop has got past the waits inside it before. What both say together tells the word that ends
//! the kernel from those that only bring the next request.

use std::rc::Rc;

use super::conditions::{self, alternatives, contradict, cross, may_satisfy};
use super::loops::Loop;
use super::release::is_same_place;
use super::symbols::{
    Kind, Load, Loc, Step, Sym, Touch, binary, depends, export, loc_depends, node, select, unary,
};
use super::waiting::{Exit, Wait, location};
use super::walk::{PathCondition, Walker};
use crate::facts::ir::{BinaryOp, Span};

/// One comparison of a place that must hold when the loop is left.
#[derive(Clone)]
struct Demand {
    load: Sym,
    until: (BinaryOp, Sym),
}

impl<'a> Walker<'a> {
    /// Notes what ends a loop that waits in each of its rounds, where every way out of it asks for one thing; `false` when
    /// it is no such loop. `this_round`: what was loaded later was loaded in the round that ends.
    pub(super) fn judge_session(&mut self, head: Span, end: u32, walked: &Loop<'a>, this_round: u32) -> bool {
        let waits = self.ends_of(walked, this_round).unwrap_or_default();
        let found = !waits.is_empty();
        for exits in waits {
            self.waits.push(Wait {
                file: self.frame().file,
                span: head,
                end: end.max(head.end),
                exits,
                bounded: false,
                bound: None,
                reloads: true,
                refreshes: true,
                path: self.path.clone(),
                serial: walked.serial_start,
                serial_end: self.serial,
                around: self.loops_around(),
                ways: Vec::new(),
                session: true,
            });
        }
        found
    }

    /// Places that must all change before the loop is left; each as one of those that say the same.
    fn ends_of(&self, walked: &Loop<'a>, this_round: u32) -> Option<Vec<Vec<Exit>>> {
        let inside = |it: &&Wait| !it.bounded && !it.session && it.around.contains(&walked.id);
        let inner: Vec<&Wait> = self.waits.iter().filter(inside).collect();
        if inner.is_empty() || walked.calls_unknown {
            return None;
        }
        let mut ways: Vec<Vec<PathCondition>> = Vec::new();
        for (index, (path, left_at)) in walked.exits.iter().zip(&walked.left_at).enumerate() {
            let again = self
                .tested_again(walked, path)
                .filter(|_| walked.tested == Some(index));
            let (path, left_at) = match again {
                Some(again) => (vec![again], u32::MAX),
                None => (path.clone(), *left_at),
            };
            let mut own = alternatives(&path);
            for wait in inner
                .iter()
                .filter(|it| it.serial_end <= left_at && is_passed(it, walked, &path))
            {
                own = cross(&own, &wait.ways)?;
            }
            ways.extend(own);
        }
        for atoms in &mut ways {
            for atom in atoms.iter_mut() {
                atom.sym = of_one_moment(&atom.sym, this_round);
                *atom = conditions::normalised(atom);
            }
        }
        ways.retain(|atoms| {
            let mut pairs = atoms.iter().enumerate();
            !pairs.any(|(index, a)| atoms[..index].iter().any(|b| contradict(a, b)))
                && !atoms.iter().any(|it| self.is_out_of_reach(it))
        });
        let demands: Vec<Vec<Demand>> = ways.iter().map(|it| self.demands(it, walked, &inner)).collect();
        self.shared(&demands)
    }

    /// The test before an iteration, with what the one before it has left: a counter that went up to a bound below is
    /// taken for that bound, which it has at least reached.
    fn tested_again(&self, walked: &Loop<'a>, path: &[PathCondition]) -> Option<PathCondition> {
        let ([only], Some(again)) = (path, &walked.tested_again) else {
            return None;
        };
        let sym = match (&only.sym.kind, &again.kind) {
            (Kind::Binary(op, before, limit), Kind::Binary(same, after, bound))
                if op == same && limit == bound && matches!(op, BinaryOp::Less | BinaryOp::LessEqual) =>
            {
                let own = matches!(before.kind, Kind::Carried { loop_id, .. } if loop_id == walked.id);
                // The walk leaves a loop with what its last iteration leaves.
                let counter = match &after.kind {
                    Kind::Binary(BinaryOp::Add, counter, one) if matches!(one.kind, Kind::Int(1)) => counter,
                    _ => after,
                };
                let reached = match counter.kind {
                    Kind::Carried { loop_id, variable } if own => self.reached.get(&(loop_id, variable)),
                    _ => None,
                };
                binary(*op, reached.unwrap_or(after), limit)
            }
            _ => Rc::clone(again),
        };
        Some(PathCondition { sym, ..only.clone() })
    }

    /// What these conditions ask of places that nothing in the kernel brings there.
    fn demands(&self, atoms: &[PathCondition], walked: &Loop<'a>, inner: &[&Wait]) -> Vec<Demand> {
        let mut demands: Vec<Demand> = Vec::new();
        for atom in atoms {
            let mut loads = Vec::new();
            conditions::collect_loads(&atom.sym, 0, &mut loads);
            let ([load], Some(until)) = (loads.as_slice(), conditions::until(&atom.sym, atom.side)) else {
                continue;
            };
            let Some(place) = location(load).filter(|it| it.is_visible()) else {
                continue;
            };
            let fixed =
                !loc_depends(place, &|kind| !is_fixed(kind)) && export(&until.1, self.kernel).is_some();
            let writes = self.writes.get(walked.write_start..).unwrap_or_default();
            let own = writes.iter().any(|write| {
                is_same_place(place, &write.loc) && may_satisfy(Some(&until), write.value.as_ref())
            });
            // A wait inside says as much itself.
            let told = inner.iter().any(|wait| {
                let [exit] = wait.exits.as_slice() else {
                    return false;
                };
                exit.until.as_ref() == Some(&until) && exit.loads.iter().any(|it| location(it) == Some(place))
            });
            if !fixed || own || told {
                continue;
            }
            let demand = Demand {
                load: Rc::clone(load),
                until,
            };
            match demands.iter_mut().find(|it| location(&it.load) == Some(place)) {
                // What a round has read is newer than what an earlier one has.
                Some(known) if is_of_this_round(&known.load) != is_of_this_round(load) => {
                    if is_of_this_round(load) {
                        *known = demand;
                    }
                }
                // An equality says all there is to say.
                Some(known) if demand.until.0 == BinaryOp::Equal => *known = demand,
                Some(_) => {}
                None => demands.push(demand),
            }
        }
        demands
    }

    /// What all the ways out ask for.
    fn shared(&self, ways: &[Vec<Demand>]) -> Option<Vec<Vec<Exit>>> {
        let exit = |it: &Demand| Exit {
            loads: vec![Rc::clone(&it.load)],
            until: Some(it.until.clone()),
            internal: false,
            parts: Vec::new(),
        };
        let (first, others) = ways.split_first()?;
        if others.is_empty() {
            return Some(first.iter().map(|it| vec![exit(it)]).collect());
        }
        let mut found = Vec::new();
        for wanted in first {
            let mut exits = vec![exit(wanted)];
            let same = |way: &Vec<Demand>| way.iter().find(|it| it.until == wanted.until).cloned();
            let all: Option<Vec<Demand>> = others.iter().map(same).collect();
            for it in all.iter().flatten() {
                if exits
                    .iter()
                    .all(|known| location(&known.loads[0]) != location(&it.load))
                {
                    exits.push(exit(it));
                }
            }
            if all.is_some() {
                found.push(exits);
            }
        }
        if found.is_empty() {
            // Each of the ways asks for something else: nothing ends the loop before one of them gets what it asks for.
            let one_of_each: Option<Vec<Exit>> = ways.iter().map(|it| it.first().map(exit)).collect();
            found.extend(one_of_each);
        }
        Some(found)
    }
}

/// Whoever leaves the loop along this path has got past the wait in the same round: what else decides whether it waits
/// is which thread it is, and the others follow the one that waits.
fn is_passed(wait: &Wait, walked: &Loop<'_>, path: &[PathCondition]) -> bool {
    let own = wait.path.get(walked.path_start..).unwrap_or_default();
    let by_thread = |kind: &Kind| matches!(kind, Kind::Thread(_) | Kind::Launch(_) | Kind::Int(_));
    own.iter().all(|it| {
        let known = path
            .iter()
            .any(|other| other.sym == it.sym && other.side == it.side);
        known || only(&it.sym, &by_thread) || is_test(it, walked)
    })
}

/// The test of the loop itself.
fn is_test(condition: &PathCondition, walked: &Loop<'_>) -> bool {
    let test = walked.tested.and_then(|it| walked.exits.get(it)?.first());
    test.is_some_and(|test| test.sym == condition.sym && test.side != condition.side)
}

/// Whether a value is made of such things alone.
fn only(sym: &Sym, wanted: &dyn Fn(&Kind) -> bool) -> bool {
    match &sym.kind {
        Kind::Unary(_, operand) => only(operand, wanted),
        Kind::Binary(_, left, right) => only(left, wanted) && only(right, wanted),
        kind => wanted(kind),
    }
}

/// The same in every round.
fn is_fixed(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Load(_) | Kind::Carried { .. } | Kind::Unknown(_) | Kind::Local | Kind::Clock | Kind::Thread(_)
    )
}

/// The value where two reads of one place in one round are one: nobody puts a word back while it is looked at.
fn of_one_moment(sym: &Sym, this_round: u32) -> Sym {
    let again = |sym: &Sym| of_one_moment(sym, this_round);
    match &sym.kind {
        Kind::Load(load) if load.serial > this_round && load.touch == Touch::Read => node(Kind::Load(Load {
            loc: place_of_one_moment(&load.loc, this_round),
            strength: load.strength,
            serial: u32::MAX,
            touch: Touch::Read,
        })),
        Kind::Unary(op, operand) => unary(*op, &again(operand)),
        Kind::Binary(op, left, right) => binary(*op, &again(left), &again(right)),
        Kind::Select(a, b, c) => select(&again(a), &again(b), &again(c)),
        _ => Rc::clone(sym),
    }
}

fn is_of_this_round(load: &Sym) -> bool {
    matches!(&load.kind, Kind::Load(load) if load.serial == u32::MAX)
}

fn place_of_one_moment(loc: &Loc, this_round: u32) -> Loc {
    let mut loc = loc.clone();
    for step in &mut loc.path {
        if let Step::Element(index) = step
            && depends(index, &|kind| matches!(kind, Kind::Load(_)))
        {
            *index = of_one_moment(index, this_round);
        }
    }
    loc
}
