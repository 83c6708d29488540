//! Loops over objects of the program that have a `begin` and an `end`.

use super::calls::Argument;
use super::machine::{Flow, Machine};
use super::memory::Value;
use super::types::{Category, Core, Static};
use super::{Base, Location, Step, budget};
use crate::facts::ir::{Stmt, Variable};
use crate::program::ClassId;
use crate::syntax::Span;

/// Passes of such a loop that are followed where none makes events.
const MOST_QUIET_PASSES: i64 = 64;

/// How far iterators lead.
pub(super) enum Walk {
    /// Through the loop.
    Done(Flow),
    /// To an array, of which nobody knows how long it is.
    Through(Location),
    /// The object has none, or they are not understood.
    Unknown,
}

impl<'p> Machine<'p> {
    /// `for (T x : object)` for an object with iterators of its own.
    pub(super) fn over_iterators(
        &mut self,
        variable: &'p Variable,
        object: &Location,
        body: &'p [Stmt],
        span: Span,
    ) -> Walk {
        let methods = self.object_at(object).and_then(|class| {
            let method = |name: &str| self.program.resolve_method(class, name, 0);
            Some((class, method("begin")?, method("end")?))
        });
        let Some((class, begin, end)) = methods else {
            return Walk::Unknown;
        };
        let first = self.invoke(begin, Some((object.clone(), class)), Vec::new(), span);
        let last = self.invoke(end, Some((object.clone(), class)), Vec::new(), span);
        let most = if self.may_make_events(body) {
            budget::KNOWN_ITERATIONS.into()
        } else {
            MOST_QUIET_PASSES
        };
        let flow = match (&first, &last) {
            (Value::Pointer(first), Value::Pointer(last)) => {
                self.over_pointers(variable, first, last, most, body, span)
            }
            (Value::Aggregate(first), Value::Aggregate(last)) => {
                let steps = self.object_at(first).filter(|_| self.object_at(last).is_some());
                steps.map(|it| self.over_objects(variable, (first, it), last, most, body, span))
            }
            _ => None,
        };
        match (flow, self.pointed(&first)) {
            (Some(flow), _) => Walk::Done(flow),
            // How many there are is not known; where they are is.
            (None, Some(elements)) => Walk::Through(elements),
            _ => Walk::Unknown,
        }
    }

    /// The array whose first element a pointer leads to.
    fn pointed(&self, first: &Value) -> Option<Location> {
        match first {
            Value::Pointer(first) => Some(element_of(first)).filter(|it| it.1 == 0).map(|it| it.0),
            Value::Unknown(id) => Some(Location::object(Base::Outside(*id))),
            _ => None,
        }
    }

    /// From one element of an array to another.
    fn over_pointers(
        &mut self,
        variable: &'p Variable,
        first: &Location,
        last: &Location,
        most: i64,
        body: &'p [Stmt],
        span: Span,
    ) -> Option<Flow> {
        let (container, from) = element_of(first);
        let (other, to) = element_of(last);
        if container != other || to < from {
            return None;
        }
        let known = to - from <= most;
        let elements = (from..to.min(from.saturating_add(most)))
            .map(|index| container.step(Step::Element(index)))
            .map(|it| {
                if it.path.last() == Some(&Step::Element(0)) && first.path.len() == container.path.len() {
                    container.clone()
                } else {
                    it
                }
            })
            .collect();
        let mark = self.memory.watch();
        let flow = self.each_element(variable, elements, body, span);
        if !known {
            self.lose_changes(mark, true);
        }
        self.memory.unwatch();
        Some(flow)
    }

    /// With what the iterators' own operators say.
    fn over_objects(
        &mut self,
        variable: &'p Variable,
        (first, class): (&Location, ClassId),
        last: &Location,
        most: i64,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        let ty = |category| {
            Some(Static {
                category,
                ..Static::temporary(Core::Class(class))
            })
        };
        let both = [ty(Category::Named), ty(Category::Named)];
        let one = [ty(Category::Named)];
        let differs = self.operator_for("operator!=", &both).flatten();
        let equals = self.operator_for("operator==", &both).flatten();
        let read = self.operator_for("operator*", &one).flatten();
        let step = self.operator_for("operator++", &one).flatten();
        let argument = |place: &Location| Argument {
            value: Value::Aggregate(place.clone()),
            place: Some(place.clone()),
            words: String::new(),
            moved: false,
            ty: None,
        };
        let mark = self.memory.watch();
        let execution = self.enter_loop();
        let (mut passes, mut flow, mut known) = (0, Flow::Next, true);
        while let (Some(read), Some(step)) = (read, step) {
            let operands = vec![argument(first), argument(last)];
            let more = match (differs, equals) {
                (Some(differs), _) => self.run_operator(differs, operands, span),
                (None, Some(equals)) => {
                    let equal = self.run_operator(equals, operands, span);
                    self.memory.negate(equal)
                }
                (None, None) => self.memory.fresh(),
            };
            let more = self.truth(&more).filter(|_| passes < most);
            match more {
                Some(false) => break,
                Some(true) => {}
                None => known = false,
            }
            if !known && passes >= i64::from(budget::ITERATIONS) || !self.tick() {
                known = false;
                break;
            }
            passes += 1;
            let start = self.position();
            self.enter_scope();
            self.control.returned = None;
            let value = self.run_operator(read, vec![argument(first)], span);
            let element = match (self.control.returned.take(), value) {
                (Some(place), _) | (None, Value::Aggregate(place)) => place,
                (None, value) => {
                    let place = self.memory.local();
                    self.assign(&place, value);
                    place
                }
            };
            self.bind_element(variable, &element);
            flow = self.block(body);
            self.leave_scope(span);
            self.note_pass(execution, start, true, span);
            match flow {
                Flow::Next | Flow::Continue => flow = Flow::Next,
                Flow::Break => {
                    flow = Flow::Next;
                    break;
                }
                _ => break,
            }
            self.run_operator(step, vec![argument(first)], span);
        }
        if !known || read.is_none() || step.is_none() {
            self.lose_changes(mark, true);
            self.lose_reachable(Vec::new());
        }
        self.memory.unwatch();
        flow
    }
}

/// The array an element stands in, and its index; the first element may stand at the array itself.
fn element_of(place: &Location) -> (Location, i64) {
    let mut container = place.clone();
    match container.path.last() {
        Some(Step::Element(index)) => {
            let index = *index;
            container.path.pop();
            (container, index)
        }
        _ => (container, 0),
    }
}
