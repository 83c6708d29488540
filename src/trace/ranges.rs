//! Loops over the elements of a container, an array or a list.
//!
//! Invariant: a range is followed as far as a loop that counts to its length.

use std::ops::Range;

use super::iterators::Walk;
use super::joins::Ways;
use super::machine::{Flow, Machine};
use super::memory::Value;
use super::types::{Static, Typed};
use super::{Location, Step, budget};
use crate::facts::ir::{Expr, ExprKind, Stmt, Variable};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    pub(super) fn range_for(
        &mut self,
        variable: &'p Variable,
        range: &'p Expr,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        self.note_elements(variable, range);
        let (container, length) = self.container(range);
        self.control.here = range.span;
        let is_adapted = !matches!(
            range.kind,
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Unary { .. }
        );
        // Iterators of an object that the program says lead to what they lead to.
        let class = self.object_at(&container);
        let iterates = class.is_some_and(|it| self.program.resolve_method(it, "begin", 0).is_some());
        if length.is_none()
            && is_adapted
            && !iterates
            && variable.ty.reference
            && !variable.ty.constant
            && super::statements::assigns(body)
        {
            // What it goes over is what it was made of.
            self.lose_target(range);
        }
        if self.may_make_events(body) {
            return self.over_container(variable, container, length, body, span);
        }
        let mark = self.memory.watch();
        let (flow, tired) = self.patiently(|machine| {
            let flow = machine.over_container(variable, container, length, body, span);
            (flow, machine.is_tired())
        });
        let flow = match flow {
            Flow::Stop if tired && !self.exited => {
                self.lose_body(body, mark, length.is_some());
                self.flow()
            }
            flow => flow,
        };
        self.memory.unwatch();
        flow
    }

    fn over_container(
        &mut self,
        variable: &'p Variable,
        mut container: Location,
        length: Option<i64>,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        if length.is_none() {
            match self.over_iterators(variable, &container, body, span) {
                Walk::Done(flow) => return flow,
                Walk::Through(elements) => container = elements,
                Walk::Unknown => {}
            }
        }
        if self.memory.maps.contains(&container) {
            let entries = self.memory.entries(&container, budget::KNOWN_ITERATIONS as usize);
            if !self.may_hold_more(&container) {
                return self.each_element(variable, entries, body, span);
            }
            return self.over_open_map(variable, &container, entries, body, span);
        }
        let most = i64::from(budget::KNOWN_ITERATIONS);
        let mut iterations = match length {
            Some(length) => length.min(most),
            None => {
                let is_held = |index: &i64| self.memory.holds(&self.memory.element(&container, *index));
                let held = (0..most).take_while(is_held).count() as i64;
                held.max(i64::from(budget::ITERATIONS))
            }
        };
        self.note_loop(span, false);
        let departed = self.control.departed.len();
        let (left, outer) = self.begin_meeting();
        let quiet = !self.may_make_events(body);
        let (mark, loose_ends) = (self.memory.watch(), self.loose_ends);
        let left_out = self.enter_passes(mark);
        self.control.unsure += u32::from(length.is_none());
        let (start, steps) = (self.events(), self.steps);
        let execution = self.enter_loop();
        let elements = self.elements_of(&container, 0..iterations);
        let mut flow = self.some_elements(execution, variable, elements, body, span);
        if let Some(length) = length
            && flow == Flow::Next
            && iterations < length
        {
            let rest = iterations..self.affordable(length, iterations, quiet, start, steps);
            iterations = rest.end;
            let elements = self.elements_of(&container, rest);
            flow = self.some_elements(execution, variable, elements, body, span);
        }
        if flow == Flow::Break {
            flow = Flow::Next;
        }
        self.control.unsure -= u32::from(length.is_none());
        // What is skipped may have ended a capture.
        if length != Some(iterations) {
            self.note_loop(span, true);
            self.capture.unknowns += 1;
        }
        self.leave_passes(left_out, length != Some(iterations), span);
        self.believe_again(departed, quiet, Ways::OF_LOOP);
        let flow = self.meet_left(left, quiet, flow, |it| matches!(it, Flow::Break | Flow::Continue));
        self.end_meeting(outer);
        if length != Some(iterations) || self.loose_ends != loose_ends {
            let known = length.is_some() && self.loose_ends == loose_ends;
            self.lose_body(body, mark, known);
        }
        self.memory.unwatch();
        flow
    }

    /// Elements of a container, each seen as what it holds.
    fn elements_of(&mut self, container: &Location, range: Range<i64>) -> Vec<Location> {
        let elements: Vec<Location> = range.map(|index| self.memory.element(container, index)).collect();
        elements.iter().for_each(|it| self.prepare_element(container, it));
        elements
    }

    /// How many of the elements of a range are gone over in all, after the first `done` of them since a position and a step:
    /// as many as a counting loop would.
    fn affordable(&self, length: i64, done: i64, quiet: bool, start: usize, steps: u32) -> i64 {
        if quiet {
            let spent = i64::from(self.steps - steps).max(1);
            let rest = spent.saturating_mul(length - done) / done.max(1);
            return if rest > i64::from(self.patience_left()) {
                done
            } else {
                length
            };
        }
        if !self.is_light_since(start) {
            return done;
        }
        let pass = (self.events() - start) / usize::try_from(done).unwrap_or(1).max(1);
        let most = length.min(i64::from(budget::LIGHT_ITERATIONS));
        let affords = |it: &i64| self.affords(start, pass * (it - done) as usize);
        (done..=most).rev().find(affords).unwrap_or(done)
    }

    /// The entries of a map that are known, and one for those that are not.
    fn over_open_map(
        &mut self,
        variable: &'p Variable,
        map: &Location,
        mut entries: Vec<Location>,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        let key = self.memory.fresh();
        entries.push(self.map_entry(map, &key));
        self.note_loop(span, true);
        self.capture.unknowns += 1;
        let mark = self.memory.watch();
        self.control.unsure += 1;
        let flow = self.each_element(variable, entries, body, span);
        self.control.unsure -= 1;
        self.lose_body(body, mark, false);
        self.memory.unwatch();
        flow
    }

    pub(super) fn each_element(
        &mut self,
        variable: &'p Variable,
        elements: Vec<Location>,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        let execution = self.enter_loop();
        match self.some_elements(execution, variable, elements, body, span) {
            Flow::Break => Flow::Next,
            flow => flow,
        }
    }

    /// Passes of one execution of a loop.
    fn some_elements(
        &mut self,
        execution: u32,
        variable: &'p Variable,
        elements: Vec<Location>,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        let quiet = !self.may_make_events(body);
        let here = self.control.here;
        for element in elements {
            if !self.tick() {
                return Flow::Stop;
            }
            self.control.here = here;
            let start = self.position();
            let (departed, left) = (self.control.departed.len(), self.left_so_far());
            self.enter_scope();
            self.bind_element(variable, &element);
            let flow = self.block(body);
            self.leave_scope(span);
            self.note_pass(execution, start, true, span);
            let flow = self.end_pass(departed, left, quiet, flow);
            match flow {
                Flow::Next | Flow::Continue => {}
                flow => return flow,
            }
        }
        Flow::Next
    }

    fn container(&mut self, range: &'p Expr) -> (Location, Option<i64>) {
        if let ExprKind::InitList(items) = &range.kind {
            let place = self.memory.local();
            for (index, item) in items.iter().enumerate() {
                let value = self.evaluate(&item.value);
                self.memory.set(place.step(Step::Element(index as i64)), value);
            }
            self.memory.arrays.insert(place.clone());
            return (place, Some(items.len() as i64));
        }
        let place = match self.place(range) {
            // The elements of a container nobody knows are where an index finds them.
            Some(place) if !self.memory.arrays.contains(&place) => match self.memory.get(&place).cloned() {
                Some(value @ Value::Unknown(_)) => self.pointee(&value).unwrap_or(place),
                _ => place,
            },
            Some(place) => place,
            None => {
                let value = self.evaluate(range);
                self.pointee(&value).unwrap_or_else(|| self.memory.local())
            }
        };
        self.see_container(&place);
        let length = self.memory.count(&place);
        (place, length)
    }

    pub(super) fn bind_element(&mut self, variable: &'p Variable, element: &Location) {
        if !variable.bindings.is_empty() {
            for (index, name) in variable.bindings.iter().enumerate() {
                let mut part = self.part(element, index);
                if !variable.ty.reference && !variable.ty.constant {
                    let (from, copy) = (part, self.memory.local());
                    match self.memory.is_object(&from) || self.memory.arrays.contains(&from) {
                        true => self.memory.copy_object(&from, &copy),
                        false => {
                            let value = self.load(&from);
                            self.assign(&copy, value);
                        }
                    }
                    part = copy;
                }
                self.declare(name, part);
            }
        } else if variable.ty.reference {
            self.declare(&variable.name, element.clone());
            self.note_element_type(variable);
        } else {
            let place = self.memory.local();
            self.note_type(&place, &variable.ty, 0);
            let value = self.load(element);
            self.assign(&place, value);
            self.declare(&variable.name, place);
            self.note_element_type(variable);
        }
    }

    fn note_element_type(&mut self, variable: &'p Variable) {
        if variable.ty.name.last() != "auto" {
            self.declare_type(&variable.name, Typed::Written(&variable.ty, 0));
            return;
        }
        let at = (self.frame().file, variable.span.start);
        if let Some(known) = self.control.elements.get(&at).cloned() {
            // A copy may be changed, whatever it was copied from; what a pointer leads to stays what it is.
            let constant = match known.pointers {
                0 => variable.ty.constant || variable.ty.reference && known.constant,
                _ => known.constant,
            };
            self.declare_type(&variable.name, Typed::Known(Static { constant, ..known }));
        }
    }

    /// What a variable is whose type its loop leaves to what it goes over.
    fn note_elements(&mut self, variable: &'p Variable, range: &'p Expr) {
        let is_left = variable.ty.name.last() == "auto" && variable.ty.pointers == 0;
        let at = (self.frame().file, variable.span.start);
        let known = match is_left && variable.bindings.is_empty() {
            true => self.type_of_elements(range),
            false => return,
        };
        match known {
            Some(known) => self.control.elements.insert(at, known),
            None => self.control.elements.remove(&at),
        };
    }
}
