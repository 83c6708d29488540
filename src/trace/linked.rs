//! Lists, whose elements are linked: when others come or go before it, an iterator leads to the same element as before.

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::models::owner_of;
use super::{Location, Step};
use crate::facts::ir::Expr;
use crate::syntax::Span;

/// Elements that are moved one by one.
const MOST: i64 = 64;

/// A position in a list, counted as its elements are.
type Position = i64;

impl<'p> Machine<'p> {
    /// `erase`, `insert`, `emplace` and `splice`: what is not known of the list or of its iterators leaves nothing known of it.
    pub(super) fn relink_list(
        &mut self,
        list: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Value {
        let args = self.arguments_handed_on(args);
        let found = match (method, args.as_slice()) {
            ("erase", [at]) => self
                .position_in(list, at)
                .map(|at| self.erase_linked(list, at, span)),
            ("insert", [at, _]) | ("emplace", [at, ..]) => self.position_in(list, at).and_then(|at| {
                let given = args.iter().skip(1).cloned().collect();
                self.open_gap(list, at)
                    .map(|element| self.fill_gap(list, element, given, span))
            }),
            ("splice", [at, other, rest @ ..]) => self.splice_given(list, at, other, rest),
            _ => None,
        };
        found.unwrap_or_else(|| {
            self.lose_container(list);
            for other in args.into_iter().filter_map(|it| it.place) {
                if self.memory.is_sequence(&other) {
                    self.lose_container(&other);
                }
            }
            self.memory.fresh()
        })
    }

    /// Where the first element of a list stands, and where the next one would behind its last.
    fn ends_of(&self, list: &Location) -> Option<(Position, Position)> {
        let count = self.memory.count(list).filter(|it| *it <= MOST)?;
        let first = self.memory.heads.get(list).copied().unwrap_or(0);
        Some((first, first.checked_add(count)?))
    }

    /// Where an iterator leads in a list.
    fn position_in(&self, list: &Location, iterator: &Argument) -> Option<Position> {
        let Value::Pointer(place) = &iterator.value else {
            return None;
        };
        let (first, end) = self.ends_of(list)?;
        let at = match place.path.last() {
            Some(Step::Element(at)) if owner_of(place) == *list => *at,
            _ if place == list => 0,
            _ => return None,
        };
        (first..=end).contains(&at).then_some(at)
    }

    fn erase_linked(&mut self, list: &Location, at: Position, span: Span) -> Value {
        self.destroy_element(list, at, span);
        self.memory.forget(&list.step(Step::Element(at)));
        Value::Pointer(self.close_gap(list, at))
    }

    /// The element that stands at a position that nothing stands at any more, when those behind it, or before it, have moved up.
    fn close_gap(&mut self, list: &Location, at: Position) -> Location {
        let Some((first, end)) = self.ends_of(list) else {
            return list.step(Step::Any);
        };
        if at == first {
            self.memory.heads.insert(list.clone(), first.saturating_add(1));
            return list.step(Step::Element(first.saturating_add(1)));
        }
        for from in at + 1..end {
            self.relink(list, from, from - 1);
        }
        self.memory.lengths.insert(list.clone(), end - 1);
        list.step(Step::Element(at))
    }

    /// A new place before an element of a list.
    fn open_gap(&mut self, list: &Location, at: Position) -> Option<Location> {
        let (first, end) = self.ends_of(list)?;
        if at == first {
            let before = first.checked_sub(1)?;
            self.memory.heads.insert(list.clone(), before);
            return Some(list.step(Step::Element(before)));
        }
        for from in (at..end).rev() {
            self.relink(list, from, from + 1);
        }
        self.memory.lengths.insert(list.clone(), end + 1);
        Some(list.step(Step::Element(at)))
    }

    fn fill_gap(&mut self, list: &Location, element: Location, given: Vec<Argument>, span: Span) -> Value {
        self.fill_element(list, &element, given, span);
        Value::Pointer(element)
    }

    fn relink(&mut self, list: &Location, from: Position, to: Position) {
        let step = |at| list.step(Step::Element(at));
        self.memory.relocate(&step(from), &step(to));
    }

    fn splice_given(
        &mut self,
        list: &Location,
        at: &Argument,
        other: &Argument,
        rest: &[Argument],
    ) -> Option<Value> {
        let other = other.place.clone()?;
        let to = self.position_in(list, at)?;
        let (first, end) = match rest {
            [] => self.ends_of(&other)?,
            [only] => {
                let from = self.position_in(&other, only)?;
                (from, from + 1)
            }
            [first, last] => (self.position_in(&other, first)?, self.position_in(&other, last)?),
            _ => return None,
        };
        self.splice(list, to, &other, first, (end - first).max(0))
    }

    /// Elements go from a list to before a position of another one, or of the same.
    fn splice(
        &mut self,
        list: &Location,
        to: Position,
        other: &Location,
        from: Position,
        count: i64,
    ) -> Option<Value> {
        let stays = other == list && (from..=from.checked_add(count)?).contains(&to);
        let (mut to, mut from) = (to, from);
        for _ in 0..if stays { 0 } else { count } {
            let between = self.memory.local();
            self.memory.relocate(&other.step(Step::Element(from)), &between);
            let next = self.close_gap(other, from);
            // What stood between the gap and the position moved up, unless the gap was the first.
            let moved_up = next == other.step(Step::Element(from));
            to -= i64::from(other == list && from < to && moved_up);
            let gap = self.open_gap(list, to)?;
            self.memory.relocate(&between, &gap);
            let Some(Step::Element(gap)) = gap.path.last() else {
                return None;
            };
            from += i64::from(!moved_up);
            // What stands behind a gap made room for it, unless it is the new first.
            from += i64::from(other == list && *gap == to && from >= to);
            to = gap + 1;
        }
        Some(Value::Int(0))
    }
}
