//! Branches on conditions nobody knows that make no events: all sides are executed, and what they leave different depends on the condition.
//!
//! Invariants: the memory behind a join holds a value as known only where all sides that go on agree on it; a side that leaves the function
//! meets the others at the function's end. Sides that were not expected make no events: only what they compute counts.

use std::collections::BTreeMap;

use super::machine::{Flow, Machine};
use super::memory::{Lengths, Seen, Value};
use super::{Action, Base, Location};
use crate::facts::ir::{BinaryOp, Case, Expr, ExprKind, Stmt, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::program::FileId;
use crate::syntax::{FastMap, Span};

/// One side of a branch.
pub(super) struct Side<'p> {
    /// The unknown that holds where this side is taken; the last side has none: it is what is left.
    pub(super) condition: Option<u32>,
    /// What it runs.
    pub(super) body: Body<'p>,
    /// What is recorded is what this side does.
    pub(super) expected: bool,
}

/// What a side runs.
pub(super) enum Body<'p> {
    /// Statements in a scope of their own.
    Block(&'p [Stmt]),
    /// The sections of a `switch` from one on.
    Cases(&'p [Case], Span),
    /// An expression whose value goes to a place.
    Value(&'p Expr, Location),
}

/// How a side ends.
struct Ending {
    flow: Flow,
    /// What it changed, and what stands there now.
    cells: BTreeMap<Location, Option<Value>>,
    lengths: Lengths,
}

/// A side that left what it stands in before the end: a function, a loop, a `switch`.
#[derive(Clone)]
pub(super) struct Early {
    condition: Option<u32>,
    /// How it left.
    flow: Flow,
    cells: BTreeMap<Location, Option<Value>>,
    /// Changes from here on are those of the sides that stayed.
    mark: usize,
}

/// How many sides had left a function before what runs in it began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftBefore {
    /// Before the side of a branch, whose changes are taken back at its end.
    side: usize,
    /// Before the loop or `switch` at whose end they meet those that stay.
    meeting: usize,
}

/// What was believed before some side left: what held since holds for those that stayed, until they meet.
pub(super) struct Believed {
    truths: FastMap<u32, bool>,
    seen: Seen,
    /// How many conditions had been decided for the whole path.
    decided: usize,
    /// What was left.
    ways: Ways,
    /// The position among the events of the thread.
    since: u32,
}

/// Ways to leave what a statement stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ways {
    passes: bool,
    loops: bool,
    functions: bool,
    /// Nothing was left: what was taken to hold need not.
    none: bool,
}

impl Ways {
    /// What comes together where a pass of a loop ends.
    pub(super) const OF_PASS: Ways = Ways {
        passes: true,
        loops: false,
        functions: false,
        none: true,
    };
    /// The same for a loop.
    pub(super) const OF_LOOP: Ways = Ways {
        loops: true,
        ..Ways::OF_PASS
    };
    /// The same for a `switch`.
    pub(super) const OF_SWITCH: Ways = Ways {
        passes: false,
        ..Ways::OF_LOOP
    };
    /// The same for a function.
    pub(super) const OF_FUNCTION: Ways = Ways {
        functions: true,
        ..Ways::OF_LOOP
    };

    fn of(flow: &Flow) -> Ways {
        Ways {
            none: false,
            passes: *flow == Flow::Continue,
            loops: *flow == Flow::Break,
            functions: matches!(flow, Flow::Return(_) | Flow::Goto(_)),
        }
    }

    fn with(self, other: Ways) -> Ways {
        Ways {
            passes: self.passes || other.passes,
            loops: self.loops || other.loops,
            functions: self.functions || other.functions,
            none: self.none || other.none,
        }
    }

    fn without(self, other: Ways) -> Ways {
        Ways {
            passes: self.passes && !other.passes,
            loops: self.loops && !other.loops,
            functions: self.functions && !other.functions,
            none: self.none && !other.none,
        }
    }
}

impl<'p> Machine<'p> {
    /// Executes all sides of a branch and goes on with what they have in common.
    pub(super) fn all_sides(&mut self, sides: &[Side<'p>]) -> Flow {
        self.asked += 1;
        let (truths, lengths) = (self.truths.clone(), self.memory.lengths.clone());
        let presences = self.memory.presences.clone();
        let seen = self.memory.seen();
        let (departed, decided) = (self.control.departed.len(), self.decided.len());
        let (mark, made) = (self.memory.watch(), self.memory.made());
        let mut endings = Vec::with_capacity(sides.len());
        for side in sides {
            let (left, outer) = self.begin_meeting();
            let frame = self.own_frame();
            self.control.frames[frame].early_before.side = left;
            let flow = self.run_side(sides, side);
            self.end_meeting(outer);
            self.leave_from(left, mark, side.condition);
            let patience_left = !self.is_tired() && self.steps < self.limit;
            let cells = self.memory.changed_since(mark);
            self.memory.roll_back(mark);
            let lengths = std::mem::replace(&mut self.memory.lengths, lengths.clone());
            self.memory.presences.clone_from(&presences);
            self.truths.clone_from(&truths);
            self.memory.see_again(&seen);
            endings.push(Ending { flow, cells, lengths });
            if !patience_left {
                self.memory.unwatch();
                return self.give_up_join(endings);
            }
        }
        self.memory.unwatch();
        self.decided.truncate(decided);
        let inside: Vec<Believed> = self.control.departed.drain(departed..).collect();
        let ways = inside.iter().fold(Ways::default(), |ways, it| ways.with(it.ways));
        let before = Believed {
            truths,
            seen,
            decided,
            ways,
            since: self.position(),
        };
        let within = !inside.is_empty();
        self.merge(sides, (endings, made), before, within)
    }

    /// The frame of the function that control is in.
    fn own_frame(&self) -> usize {
        let own = self.control.frames.iter().rposition(|it| !it.transparent);
        own.unwrap_or_default()
    }

    /// What left inside a side left from where the side began, with all that the side had changed by then.
    fn leave_from(&mut self, first: usize, mark: usize, condition: Option<u32>) {
        let frame = self.own_frame();
        for index in first..self.control.frames[frame].early.len() {
            let left = self.control.frames[frame].early[index].mark;
            let changed = self.memory.before_between(mark, left);
            let behind = match changed.is_empty() {
                true => BTreeMap::new(),
                false => self.memory.before_since(left),
            };
            for place in changed.into_keys() {
                let then = match behind.get(&place) {
                    Some(value) => value.clone(),
                    None => self.memory.get(&place).cloned(),
                };
                self.control.frames[frame].early[index]
                    .cells
                    .entry(place)
                    .or_insert(then);
            }
            let both = match (condition, self.control.frames[frame].early[index].condition) {
                (Some(outer), Some(inner)) => {
                    let (outer, inner) = (Value::Unknown(outer), Value::Unknown(inner));
                    self.memory.binary(BinaryOp::And, outer, inner)
                }
                _ => Value::Int(0),
            };
            let early = &mut self.control.frames[frame].early[index];
            early.mark = mark;
            early.condition = match both {
                Value::Unknown(id) => Some(id),
                _ => None,
            };
        }
    }

    /// The ways that parted since meet here, or behind here: what held for those that stayed need not hold any more.
    pub(super) fn believe_again(&mut self, departed: usize, quiet: bool, met: Ways) {
        let since = self
            .control
            .departed
            .split_off(departed.min(self.control.departed.len()));
        let ways = since.iter().fold(Ways::default(), |ways, it| ways.with(it.ways));
        let leaves = |it: &&Believed| it.ways.passes || it.ways.loops || it.ways.functions;
        if let Some(left) = since.iter().find(leaves) {
            self.note_doubt(left.since);
        }
        let Some(first) = since.into_iter().next() else {
            return;
        };
        let decided = self.decided[first.decided.min(self.decided.len())..].to_vec();
        // What was recorded is what those that stayed did: what they are not stays so for it.
        if quiet {
            self.memory.see_again(&first.seen);
            self.truths.clone_from(&first.truths);
        } else {
            self.memory.see_equal_again(&first.seen);
            self.assumed |= ways.passes || ways.loops || ways.functions;
        }
        for (condition, taken) in decided {
            let (root, inverted) = self.root_of(condition);
            self.truths.insert(root, taken != inverted);
            self.memory.note_seen(condition, taken);
        }
        let ways = ways.without(met);
        if ways != Ways::default() {
            self.control.departed.push(Believed { ways, ..first });
        }
    }

    /// What is believed now, before something is taken to hold that need not.
    pub(super) fn depart(&mut self) {
        self.control.departed.push(Believed {
            truths: self.truths.clone(),
            seen: self.memory.seen(),
            decided: self.decided.len(),
            ways: Ways {
                none: true,
                ..Ways::default()
            },
            since: self.position(),
        });
    }

    /// The value of an expression with two sides that have no effects.
    pub(super) fn either(&mut self, condition: u32, then: &'p Expr, otherwise: &'p Expr) -> Value {
        let slot = self.memory.local();
        let opposite = self.memory.opposite(condition);
        self.all_sides(&[
            Side {
                condition: Some(condition),
                body: Body::Value(then, slot.clone()),
                expected: true,
            },
            Side {
                condition: opposite,
                body: Body::Value(otherwise, slot.clone()),
                expected: false,
            },
        ]);
        self.memory.load(&slot)
    }

    /// The value of an operand without effects that is evaluated only where a condition holds, or does not.
    pub(super) fn evaluate_where(&mut self, condition: u32, holds: bool, operand: &'p Expr) -> Value {
        let (truths, seen, decided) = (self.truths.clone(), self.memory.seen(), self.decided.len());
        self.learn(condition, holds);
        let value = self.evaluate(operand);
        self.truths = truths;
        self.memory.see_again(&seen);
        let since: Vec<_> = self.decided[decided.min(self.decided.len())..].to_vec();
        for (condition, taken) in since {
            let (root, inverted) = self.root_of(condition);
            self.truths.insert(root, taken != inverted);
        }
        value
    }

    /// What a choice is where its condition is decided.
    pub(super) fn taken_side(&self, mut value: Value) -> Value {
        while let Value::Unknown(id) = value
            && let Some((condition, first, rest)) = self.memory.choice_of(id)
            && let Some(holds) = self.truth(&Value::Unknown(*condition))
        {
            value = if holds { first } else { rest }.clone();
        }
        value
    }

    fn run_side(&mut self, sides: &[Side<'p>], side: &Side<'p>) -> Flow {
        for other in sides {
            if std::ptr::eq(other, side) {
                break;
            }
            if let Some(condition) = other.condition {
                self.assume(condition, false);
            }
        }
        if let Some(condition) = side.condition {
            self.assume(condition, true);
        }
        let events = self.trace.threads[self.control.thread.0 as usize].events.len();
        let (exited, throwing) = (self.exited, self.control.throwing);
        self.control.quiet += u32::from(!side.expected);
        self.control.unsure += 1;
        self.sides += 1;
        let flow = match &side.body {
            Body::Block(body) => self.block(body),
            Body::Cases(cases, span) => self.run_cases(cases, *span),
            Body::Value(expression, slot) => {
                let value = self.evaluate(expression);
                self.memory.set(slot.clone(), value);
                self.flow()
            }
        };
        self.sides -= 1;
        self.control.unsure -= 1;
        self.control.quiet -= u32::from(!side.expected);
        let own = self.trace.threads[self.control.thread.0 as usize]
            .events
            .iter()
            .skip(events);
        self.calls_in_sides += own.filter(|it| matches!(it.action, Action::Call(_))).count();
        if !side.expected {
            let dropped = &mut self.trace.threads[self.control.thread.0 as usize].events;
            let stores = dropped[events.min(dropped.len())..].iter();
            let stores = stores.filter(|it| matches!(it.action, Action::Store(_)));
            self.dropped_stores += stores.count() as u32;
            dropped.truncate(events);
        }
        (self.exited, self.control.throwing) = (exited, throwing);
        flow
    }

    /// Sides of a branch that was taken to make no events have made calls, where those of all branches had made so many before.
    pub(super) fn note_busy(&mut self, branch: (FileId, u32), calls: usize) {
        if self.calls_in_sides > calls {
            self.busy_branches.insert(branch);
        }
    }

    /// The steps ran out inside a side: nothing that any of them changed is known.
    fn give_up_join(&mut self, endings: Vec<Ending>) -> Flow {
        for (place, _) in endings.into_iter().flat_map(|it| it.cells) {
            self.memory.lose(place, true);
        }
        Flow::Stop
    }

    fn merge(
        &mut self,
        sides: &[Side<'p>],
        (endings, made): (Vec<Ending>, u32),
        mut before: Believed,
        within: bool,
    ) -> Flow {
        let expected = sides.iter().position(|it| it.expected).unwrap_or(0);
        let goes_on = |it: &Ending| it.flow == Flow::Next;
        let leaves = |it: &Ending| !matches!(it.flow, Flow::Next | Flow::Stop | Flow::Throw);
        if within || endings.iter().any(leaves) {
            let ways = endings.iter().map(|it| Ways::of(&it.flow));
            before.ways = ways.fold(before.ways, Ways::with);
            self.control.departed.push(before);
        }
        if !endings.iter().any(goes_on) {
            return self.all_leave(sides, (endings, made), expected);
        }
        let mut staying = Vec::new();
        for (side, ending) in sides.iter().zip(endings) {
            match ending.flow {
                Flow::Next => staying.push((side.condition, ending)),
                Flow::Return(_) | Flow::Break | Flow::Continue | Flow::Goto(_) => {
                    self.leave_early(side.condition, ending.flow, ending.cells);
                }
                // The end of the process is nobody's way on.
                Flow::Stop | Flow::Throw => {}
            }
        }
        if let [(Some(condition), _)] = staying.as_slice() {
            self.assume(*condition, true);
            self.memory.note_seen(*condition, true);
        }
        self.adopt(staying, made);
        self.flow()
    }

    /// No side goes on behind the branch.
    fn all_leave(
        &mut self,
        sides: &[Side<'p>],
        (mut endings, made): (Vec<Ending>, u32),
        expected: usize,
    ) -> Flow {
        let returns = |it: &Ending| matches!(it.flow, Flow::Return(_));
        let leaves = |it: &Ending| !matches!(it.flow, Flow::Next | Flow::Stop | Flow::Throw);
        let leading = if returns(&endings[expected]) || !endings.iter().any(returns) {
            expected
        } else {
            endings.iter().position(returns).unwrap_or(expected)
        };
        for (index, (side, ending)) in sides.iter().zip(&endings).enumerate() {
            if index != leading && leaves(ending) {
                self.leave_early(side.condition, ending.flow.clone(), ending.cells.clone());
            }
        }
        let ending = endings.swap_remove(leading);
        let flow = ending.flow.clone();
        if let Some(condition) = sides[leading].condition {
            self.assume(condition, true);
        }
        self.adopt(vec![(None, ending)], made);
        if flow == Flow::Stop {
            self.exited = true;
        }
        if flow == Flow::Throw {
            self.control.throwing = true;
        }
        flow
    }

    /// A side left: where control meets again, so does what it changed.
    fn leave_early(&mut self, condition: Option<u32>, flow: Flow, cells: BTreeMap<Location, Option<Value>>) {
        let frame = self.own_frame();
        let of_function = matches!(flow, Flow::Return(_) | Flow::Goto(_));
        // Who goes on with the next pass early is met at the end of this one.
        if !matches!(flow, Flow::Return(_) | Flow::Continue) {
            self.loose_ends += 1;
        }
        self.left_open |= !of_function || !self.control.frames[frame].quiet;
        if !of_function || self.control.frames[frame].quiet {
            if self.leave_like_others(frame, &flow, &cells) {
                return;
            }
            let mark = self.memory.watch();
            self.control.frames[frame].early.push(Early {
                condition,
                flow,
                cells,
                mark,
            });
        }
    }

    /// Of many sides that leave in the same way, as the passes of a long loop do, nobody keeps apart which one it was.
    fn leave_like_others(
        &mut self,
        frame: usize,
        flow: &Flow,
        cells: &BTreeMap<Location, Option<Value>>,
    ) -> bool {
        const MOST_ALIKE: usize = 8;
        let before = self.control.frames[frame].early_before;
        let inside = match flow {
            Flow::Break | Flow::Continue => before.meeting,
            _ => before.side,
        };
        let early = self.control.frames[frame].early.get(inside..).unwrap_or_default();
        let alike = early.iter().rev().take_while(|it| it.flow == *flow).count();
        if alike < MOST_ALIKE {
            return false;
        }
        let Some(mut last) = self.control.frames[frame].early.pop() else {
            return false;
        };
        let here = self.memory.mark();
        for (place, before) in self.memory.before_between(last.mark, here) {
            last.cells.entry(place).or_insert(before);
        }
        for place in cells.keys() {
            if !last.cells.contains_key(place) {
                last.cells.insert(place.clone(), self.memory.get(place).cloned());
            }
        }
        for (place, first) in &mut last.cells {
            let second = match cells.get(place) {
                Some(value) => value.clone(),
                None => self.memory.get(place).cloned(),
            };
            if *first != second {
                *first = match is_handle(first) || is_handle(&second) {
                    true => second,
                    false => Some(self.memory.fresh()),
                };
            }
        }
        (last.mark, last.condition) = (here, None);
        self.control.frames[frame].early.push(last);
        true
    }

    /// How many sides have left so far and were not met again.
    pub(super) fn left_so_far(&self) -> usize {
        self.control.frames[self.own_frame()].early.len()
    }

    /// What leaves a loop or `switch` from here on meets those that stay before what left earlier does. Gives back how many
    /// had left, and what [`Machine::end_meeting`] is to be handed.
    pub(super) fn begin_meeting(&mut self) -> (usize, LeftBefore) {
        let (frame, left) = (self.own_frame(), self.left_so_far());
        let outer = self.control.frames[frame].early_before;
        self.control.frames[frame].early_before.meeting = left;
        (left, outer)
    }

    /// What left it has met those that stayed.
    pub(super) fn end_meeting(&mut self, outer: LeftBefore) {
        let frame = self.own_frame();
        self.control.frames[frame].early_before = outer;
    }

    /// Whether a side that left jumped to a label.
    pub(super) fn jumps_to(&self, label: &str) -> bool {
        let early = &self.control.frames[self.own_frame()].early;
        early
            .iter()
            .any(|it| matches!(&it.flow, Flow::Goto(it) if it == label))
    }

    /// Sides that left what ends here, or jumped here, meet those that stayed. `quiet`: it made no events; else it is taken
    /// for granted that nobody left.
    pub(super) fn meet_left(
        &mut self,
        first: usize,
        quiet: bool,
        flow: Flow,
        meets: impl Fn(&Flow) -> bool,
    ) -> Flow {
        let frame = self.own_frame();
        let early = &mut self.control.frames[frame].early;
        let first = first.min(early.len());
        if !early[first..].iter().any(|it| meets(&it.flow)) {
            return flow;
        }
        let (met, kept): (Vec<Early>, Vec<Early>) = early.drain(first..).partition(|it| meets(&it.flow));
        early.extend(kept);
        let given_up = flow == Flow::Stop && !self.exited;
        let mut flow = flow;
        for side in met.into_iter().rev() {
            if quiet && !given_up {
                flow = self.meet_side(side, flow, &meets);
            } else {
                self.loose_ends += 1;
            }
            self.memory.unwatch();
        }
        flow
    }

    fn meet_side(&mut self, side: Early, flow: Flow, meets: &impl Fn(&Flow) -> bool) -> Flow {
        let stays = flow == Flow::Next || meets(&flow);
        if stays && side.flow == Flow::Break && meets(&Flow::Continue) {
            // What those that stayed in a loop have changed is not known behind it in any case.
            let known = |it: &Option<Value>| matches!(it, Some(Value::Int(_) | Value::Str(_)));
            for (place, then) in side.cells {
                let now = self.memory.get(&place).cloned();
                if now != then && (known(&now) || now.is_none()) {
                    self.note_presence(&place, side.condition, &then, &now);
                    let value = self.memory.fresh();
                    self.memory.restore(place, Some(value));
                }
            }
            return flow;
        }
        let before = self.memory.before_since(side.mark);
        if stays {
            self.join_cells(&side, &before);
            return flow;
        }
        // Those that stayed left further: from here on only this side goes on.
        let ends = matches!(flow, Flow::Stop | Flow::Throw);
        if ends {
            (self.exited, self.control.throwing) = (false, false);
        } else {
            self.leave_early(None, flow, BTreeMap::new());
        }
        for (place, value) in before.into_iter().chain(side.cells) {
            self.memory.restore(place, value);
        }
        Flow::Next
    }

    /// Cells that differ at the end of a side that left and now depend on whether it did.
    fn join_cells(&mut self, side: &Early, before: &BTreeMap<Location, Option<Value>>) {
        let places = before.keys().chain(side.cells.keys());
        for place in places.cloned().collect::<std::collections::BTreeSet<_>>() {
            let now = self.memory.get(&place).cloned();
            let then = match side.cells.get(&place) {
                Some(value) => value.clone(),
                None => before.get(&place).cloned().flatten(),
            };
            if now != then && !is_handle(&now) && !is_handle(&then) {
                self.note_presence(&place, side.condition, &then, &now);
                let value = self.memory.choice(side.condition, then, now);
                self.memory.restore(place, Some(value));
            }
        }
    }

    /// Takes over what the sides that go on left. What one of them has made, after so many objects, the others do not know:
    /// whether it is there is said where something outside of it leads to it.
    fn adopt(&mut self, mut staying: Vec<(Option<u32>, Ending)>, made: u32) {
        let is_own = |it: &Location| matches!(it.base, Base::Local(id) if id > made);
        let decisive = |it: &Option<Value>| is_handle(it) || matches!(it, Some(Value::Str(_)));
        let handles = |a: &Option<Value>, b: &Option<Value>| a != b && (decisive(a) || decisive(b));
        // Which of two handles or texts it is decides too much to be left open.
        while staying.len() > 1 {
            let last = staying.len() - 1;
            let differs = staying[..last].iter().position(|(_, side)| {
                let rest = &staying[last].1;
                let mut places = side.cells.keys().chain(rest.cells.keys());
                places.any(|it| !is_own(it) && handles(&self.cell_of(side, it), &self.cell_of(rest, it)))
            });
            let Some(index) = differs else { break };
            match staying[index].0 {
                Some(condition) if self.decide(condition) => staying = vec![staying.swap_remove(index)],
                _ => {
                    staying.remove(index);
                }
            }
        }
        let Some((_, mut state)) = staying.pop() else {
            return;
        };
        while let Some((condition, side)) = staying.pop() {
            let places: Vec<Location> = side.cells.keys().chain(state.cells.keys()).cloned().collect();
            for place in places {
                let (first, rest) = (self.cell_of(&side, &place), self.cell_of(&state, &place));
                if is_own(&place) {
                    state.cells.insert(place, first.or(rest));
                } else if first != rest {
                    self.note_presence(&place, condition, &first, &rest);
                    let value = self.memory.choice(condition, first, rest);
                    state.cells.insert(place, Some(value));
                }
            }
            if !state.lengths.is_same(&side.lengths) {
                let same = |place: &Location, length: &i64| side.lengths.get(place) == Some(length);
                state.lengths.retain(|place, length| same(place, length));
            }
        }
        for (place, value) in state.cells {
            self.memory.restore(place, value);
        }
        self.memory.lengths = state.lengths;
    }

    /// An optional holds something at the end of one side alone.
    fn note_presence(
        &mut self,
        place: &Location,
        condition: Option<u32>,
        first: &Option<Value>,
        rest: &Option<Value>,
    ) {
        if self.memory.optionals.contains_key(place) && first.is_some() != rest.is_some() {
            let held = |it: &Option<Value>| Some(Value::Int(i64::from(it.is_some())));
            let presence = self.memory.choice(condition, held(first), held(rest));
            self.memory.presences.insert(place.clone(), presence);
        }
    }

    /// What stands at a place at the end of a side.
    fn cell_of(&self, ending: &Ending, place: &Location) -> Option<Value> {
        match ending.cells.get(place) {
            Some(value) => value.clone(),
            None => self.memory.get(place).cloned(),
        }
    }

    /// What a function returns, with all the sides that returned before: they meet here.
    pub(super) fn meet_early(&mut self, flow: Flow) -> Flow {
        let early = std::mem::take(&mut self.frame_mut().early);
        if !early.is_empty() {
            self.control.returned = None;
        }
        let mut flow = flow;
        for side in early.into_iter().rev() {
            let before = self.memory.before_since(side.mark);
            self.memory.unwatch();
            let Flow::Return(returned) = side.flow.clone() else {
                // A jump that was not followed to where it leads.
                if matches!(side.flow, Flow::Goto(_)) && matches!(flow, Flow::Return(_) | Flow::Next) {
                    flow = side.flow;
                }
                continue;
            };
            let result = match &flow {
                Flow::Return(value) => Some(value.clone()),
                Flow::Next => Some(Value::Int(0)),
                _ => None,
            };
            let Some(result) = result else {
                // Only those that returned before come back from here, unless patience is at its end.
                if self.exited || self.control.throwing {
                    (self.exited, self.control.throwing) = (false, false);
                    if let Some(condition) = side.condition {
                        self.assume(condition, true);
                    }
                    for (place, value) in before.into_iter().chain(side.cells) {
                        self.memory.restore(place, value);
                    }
                    flow = Flow::Return(returned);
                }
                continue;
            };
            self.join_cells(&side, &before);
            if result != returned && !is_handle(&Some(result.clone())) && !is_handle(&Some(returned.clone()))
            {
                let value = self.memory.choice(side.condition, Some(returned), Some(result));
                flow = Flow::Return(value);
            }
        }
        flow
    }
}

/// A value that says which stream, event or memory is meant.
fn is_handle(value: &Option<Value>) -> bool {
    !matches!(
        value,
        None | Some(Value::Int(_) | Value::Str(_) | Value::Unknown(_))
    )
}

/// Whether evaluating an expression changes nothing and calls nobody.
pub(super) fn has_no_effect(expression: &Expr) -> bool {
    let mut pure = true;
    visit::expression(expression, &mut |node| {
        let Node::Expr(it) = node else { return };
        pure &= !matches!(
            &it.kind,
            ExprKind::Call(_)
                | ExprKind::Launch(_)
                | ExprKind::New { .. }
                | ExprKind::Delete { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Lambda(_)
                | ExprKind::Throw(_)
                | ExprKind::Asm { .. }
                | ExprKind::Construct { .. }
                | ExprKind::Opaque(_)
                | ExprKind::Unary {
                    op: UnaryOp::PreIncrement
                        | UnaryOp::PostIncrement
                        | UnaryOp::PreDecrement
                        | UnaryOp::PostDecrement,
                    ..
                }
        );
    });
    pure
}
