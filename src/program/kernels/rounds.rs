//! Waits that are met more than once: in the rounds of an outer loop, or one behind the other for the same value.

use std::rc::Rc;

use super::conditions::may_satisfy;
use super::release::is_same_place;
use super::symbols::{Kind, Sym, binary, depends, int};
use super::waiting::{Wait, location};
use super::walk::{PathCondition, Walker, Write};
use crate::facts::ir::BinaryOp;

/// A loop that counts: the value its counter starts with, and how often its body runs.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    first: Sym,
    trips: Sym,
}

/// One of the places a kernel stays in a wait.
pub(super) struct Stage {
    /// When it ends, where that is plain to see.
    pub(super) until: Option<(BinaryOp, Sym)>,
    /// How many writes end it: each round takes one.
    pub(super) times: Option<Sym>,
    /// The last round: nothing of the kernel comes only after it.
    pub(super) last: bool,
}

/// Rounds that no run of a serving kernel gets to.
const ROUNDS: i64 = 1 << 24;

/// Choices in what a round leaves in a variable that are looked at.
const CHOICES: u32 = 8;

/// What else a round may set its counter to, where it otherwise counts it up by known numbers; `None` where it does not.
fn counted_or_set(value: &Sym, counter: (u32, u32), depth: u32) -> Option<Vec<i64>> {
    let is_counter =
        |it: &Sym| matches!(it.kind, Kind::Carried { loop_id, variable } if (loop_id, variable) == counter);
    match &value.kind {
        Kind::Int(number) => Some(vec![*number]),
        Kind::Carried { .. } => is_counter(value).then(Vec::new),
        Kind::Binary(BinaryOp::Add, of, by) => {
            (is_counter(of) && matches!(by.kind, Kind::Int(by) if by > 0)).then(Vec::new)
        }
        Kind::Select(_, then, otherwise) if depth < CHOICES => {
            let mut all = counted_or_set(then, counter, depth + 1)?;
            all.extend(counted_or_set(otherwise, counter, depth + 1)?);
            Some(all)
        }
        _ => None,
    }
}

impl Walker<'_> {
    /// Notes what a round of a loop adds to its variables, behind the first walk over its body.
    pub(super) fn note_strides(&mut self, id: u32) {
        for ((variable, path), value) in self.store.entries() {
            if path.is_empty()
                && let Some(restarts) = counted_or_set(value, (id, *variable), 0)
            {
                self.restarts.insert((id, *variable), restarts);
            }
            if let Kind::Binary(BinaryOp::Add, of, step) = &value.kind
                && path.is_empty()
                && !varies(step)
                && matches!(of.kind, Kind::Carried { loop_id, variable: counter } if (loop_id, counter) == (id, *variable))
            {
                self.strides.insert((id, *variable), Rc::clone(step));
            }
        }
    }

    /// Whether a condition asks a counter of a loop for a number that no run gets to: it counts up, and starts too far from
    /// there, or above it.
    pub(super) fn is_out_of_reach(&self, condition: &PathCondition) -> bool {
        let Kind::Binary(BinaryOp::Equal, left, right) = &condition.sym.kind else {
            return false;
        };
        let (Kind::Int(wanted), true) = (&right.kind, condition.side) else {
            return false;
        };
        let (counter, more) = match &left.kind {
            Kind::Binary(BinaryOp::Add, counter, by) if let Kind::Int(by) = by.kind => (counter, by),
            _ => (left, 0),
        };
        let Kind::Carried { loop_id, variable } = counter.kind else {
            return false;
        };
        let key = (loop_id, variable);
        let (Some(restarts), Some(first)) = (self.restarts.get(&key), self.initials.get(&key)) else {
            return false;
        };
        let Kind::Int(first) = first.kind else {
            return false;
        };
        restarts.iter().chain([&first]).all(|from| {
            let rounds = wanted.checked_sub(more).and_then(|it| it.checked_sub(*from));
            rounds.is_some_and(|it| !(0..=ROUNDS).contains(&it))
        })
    }

    /// Notes a loop that ends only when its counter, which goes up by one, reaches a value.
    pub(super) fn note_counted(&mut self, id: u32, exits: &[Vec<PathCondition>]) {
        let [exit] = exits else { return };
        let [only] = exit.as_slice() else { return };
        let Kind::Binary(op, counter, bound) = &only.sym.kind else {
            return;
        };
        let Kind::Carried { loop_id, variable } = counter.kind else {
            return;
        };
        let inclusive = match (op, only.side) {
            (BinaryOp::Less | BinaryOp::NotEqual, false) => false,
            (BinaryOp::LessEqual, false) => true,
            _ => return,
        };
        let Some(first) = self.initials.get(&(id, variable)).cloned() else {
            return;
        };
        let steps = self.store.of_variable(variable).any(|(_, value)| {
            matches!(&value.kind, Kind::Binary(BinaryOp::Add, of, one)
                if of == counter && matches!(one.kind, Kind::Int(1)))
        });
        if loop_id == id && steps && !inclusive {
            self.reached.insert((id, variable), Rc::clone(bound));
        }
        if loop_id != id || !steps || varies(bound) || varies(&first) {
            return;
        }
        let trips = binary(BinaryOp::Subtract, bound, &first);
        let trips = match inclusive {
            true => binary(BinaryOp::Add, &trips, &int(1)),
            false => trips,
        };
        self.counted.insert(id, Counted { first, trips });
    }

    /// A value that counters of a loop have part in as it is in the first round, where those begin with something known.
    fn at_start(&self, value: &Sym, id: u32) -> Option<Sym> {
        let first = |variable| {
            self.initials
                .get(&(id, variable))
                .filter(|it| !varies(it))
                .cloned()
        };
        depends(value, &|kind| is_counter(kind, id)).then(|| replaced(value, id, &first))?
    }

    /// The stages of a wait that nothing in the kernel ends.
    pub(super) fn stages(&self, wait: &Wait) -> Vec<Stage> {
        let once = |until| Stage {
            until,
            times: None,
            last: false,
        };
        let at_start = |(op, value): &(BinaryOp, Sym)| {
            let mut loops = wait.around.iter().rev();
            Some((*op, loops.find_map(|id| self.at_start(value, *id))?))
        };
        let [exit] = wait.exits.as_slice() else {
            let mut starts = wait.exits.iter().filter_map(|it| at_start(it.until.as_ref()?));
            return match starts.any(|(op, first)| passes_cleared(op, &first)) {
                true => Vec::new(),
                false => vec![once(None)],
            };
        };
        let Some((op, value)) = &exit.until else {
            return vec![once(None)];
        };
        let counted = wait
            .around
            .iter()
            .rev()
            .find_map(|id| Some((*id, self.counted.get(id)?)));
        if let Some((id, counted)) = counted
            && depends(value, &|kind| is_counter(kind, id))
        {
            let one = binary(BinaryOp::Subtract, &counted.trips, &int(1));
            let last = binary(BinaryOp::Add, &counted.first, &one);
            let with = |counter: &Sym| replaced(value, id, &|_| Some(Rc::clone(counter)));
            let (first, last) = (with(&counted.first), with(&last));
            return match (first, last) {
                (Some(first), Some(last)) => {
                    let end = Stage {
                        last: true,
                        ..once(Some((*op, last)))
                    };
                    match passes_cleared(*op, &first) {
                        true => vec![end],
                        false => vec![once(Some((*op, first))), end],
                    }
                }
                _ => vec![once(Some((*op, Rc::clone(value))))],
            };
        }
        if let Some((op, first)) = at_start(&(*op, Rc::clone(value))) {
            return match passes_cleared(op, &first) {
                true => Vec::new(),
                false => vec![once(Some((op, first)))],
            };
        }
        let mut stages = vec![once(Some((*op, Rc::clone(value))))];
        let taken_back = |write: &&Write| {
            let mut places = exit.loads.iter().filter_map(location);
            places.any(|place| is_same_place(place, &write.loc))
                && write.value.is_some()
                && !may_satisfy(Some(&(*op, Rc::clone(value))), write.value.as_ref())
        };
        let resets: Vec<&Write> = self.writes.iter().filter(taken_back).collect();
        if let Some((_, counted)) = counted
            && resets
                .iter()
                .any(|write| write.serial > wait.serial_end && write.around == wait.around)
        {
            stages.push(Stage {
                times: Some(Rc::clone(&counted.trips)),
                last: true,
                ..once(Some((*op, Rc::clone(value))))
            });
        }
        if wait.around.is_empty() {
            let earlier = self.waits.iter().filter(|it| {
                it.serial_end < wait.serial
                    && it.around.is_empty()
                    && is_like(it, wait)
                    && resets.iter().any(|write| {
                        it.serial_end < write.serial && write.serial <= wait.serial && write.around.is_empty()
                    })
            });
            let before = i64::try_from(earlier.count()).unwrap_or(0);
            stages[0].times = (before > 0).then(|| int(before.saturating_add(1)));
        }
        stages
    }
}

/// Whether memory that was cleared lets the first round pass: it asks for no more than that, or lets so many rounds go ahead.
fn passes_cleared(op: BinaryOp, value: &Sym) -> bool {
    let least = match op {
        BinaryOp::GreaterEqual => 0,
        BinaryOp::Greater => -1,
        _ => return false,
    };
    match &value.kind {
        Kind::Int(value) => *value <= least,
        Kind::Binary(BinaryOp::Subtract, from, _) => matches!(from.kind, Kind::Int(from) if from <= 0),
        _ => false,
    }
}

/// Two waits for the same, reached under the same conditions.
fn is_like(one: &Wait, other: &Wait) -> bool {
    let ([a], [b]) = (one.exits.as_slice(), other.exits.as_slice()) else {
        return false;
    };
    let places = |loads: &[Sym]| loads.iter().filter_map(location).cloned().collect::<Vec<_>>();
    let conditions = |wait: &Wait| wait.path.len();
    !one.bounded
        && a.until == b.until
        && places(&a.loads) == places(&b.loads)
        && conditions(one) == conditions(other)
}

fn is_counter(kind: &Kind, id: u32) -> bool {
    matches!(kind, Kind::Carried { loop_id, .. } if *loop_id == id)
}

fn varies(sym: &Sym) -> bool {
    depends(sym, &|kind| {
        matches!(
            kind,
            Kind::Carried { .. }
                | Kind::Load(_)
                | Kind::Local
                | Kind::Unknown(_)
                | Kind::Thread(_)
                | Kind::Clock
        )
    })
}

/// The value with the loop's counters, by their variables, at a known place.
fn replaced(value: &Sym, id: u32, counter: &dyn Fn(u32) -> Option<Sym>) -> Option<Sym> {
    match &value.kind {
        Kind::Carried { loop_id, variable } if *loop_id == id => counter(*variable),
        Kind::Binary(op, left, right) => Some(binary(
            *op,
            &replaced(left, id, counter)?,
            &replaced(right, id, counter)?,
        )),
        _ => (!varies(value)).then(|| Rc::clone(value)),
    }
}
