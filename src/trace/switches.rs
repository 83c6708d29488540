//! `switch`: which section control gets into, and what runs from there on.

use super::joins::{Body, Side, Ways};
use super::machine::{Flow, Machine};
use super::memory::Value;
use super::statements::ends;
use crate::facts::ir::{BinaryOp, Case, Expr, ExprKind, StmtKind};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    pub(super) fn switch(&mut self, value: &'p Expr, cases: &'p [Case], span: Span) -> Flow {
        let scrutinee = self.evaluate(value);
        let hides_labels = |case: &Case| {
            let mut labels = case.labels.iter().flatten();
            labels.any(|it| matches!(it.kind, ExprKind::Opaque(_)))
        };
        let quiet = cases.iter().all(|it| !self.may_make_events(&it.body));
        if quiet && cases.iter().any(hides_labels) {
            let is_listed = |it: &usize| cases[*it].labels.iter().all(Option::is_some);
            let listed = self.first_case(&scrutinee, cases).filter(is_listed);
            if let Some(start) = listed {
                return self.run_cases(&cases[start..], span);
            }
            // Wherever control gets in, what the sections store is changed or not.
            let mark = self.memory.watch();
            self.run_cases(cases, span);
            self.lose_changes(mark, false);
            self.memory.unwatch();
            return self.flow();
        }
        if matches!(scrutinee, Value::Unknown(_)) {
            if quiet {
                return self.all_sections(&scrutinee, cases, span, |_| true);
            }
            let eventful: Vec<bool> = (0..cases.len())
                .map(|it| self.section_may_make_events(&cases[it..]))
                .collect();
            // What makes no events in any of several sections is followed through all of them.
            let listed = |case: &Case| case.labels.iter().any(Option::is_some);
            let default = cases.iter().position(|it| it.labels.iter().any(Option::is_none));
            let beside = (0..cases.len()).any(|it| !eventful[it] && listed(&cases[it]));
            if beside && default.is_none_or(|it| !eventful[it]) {
                return match self.eventful_case(&scrutinee, cases, &eventful) {
                    Some(start) => self.run_cases(&cases[start..], span),
                    None => self.all_sections(&scrutinee, cases, span, |it| !eventful[it]),
                };
            }
        }
        let Some(start) = self.first_case(&scrutinee, cases) else {
            return Flow::Next;
        };
        self.run_cases(&cases[start..], span)
    }

    /// Whether what runs from the first of these sections on, up to where it leaves the `switch`, makes events.
    fn section_may_make_events(&mut self, cases: &'p [Case]) -> bool {
        for case in cases {
            if self.may_make_events(&case.body) {
                return true;
            }
            if case.body.iter().any(|it| ends(it).is_some()) {
                return false;
            }
        }
        false
    }

    /// The section with events that a `switch` over a value nobody knows begins with on this path.
    fn eventful_case(&mut self, scrutinee: &Value, cases: &'p [Case], eventful: &[bool]) -> Option<usize> {
        for (index, case) in cases.iter().enumerate().filter(|(it, _)| eventful[*it]) {
            for label in case.labels.iter().flatten() {
                let label = self.evaluate(label);
                let equal = self.memory.binary(BinaryOp::Equal, scrutinee.clone(), label);
                let taken = match (self.truth(&equal), &equal) {
                    (Some(known), _) => known,
                    (None, Value::Unknown(id)) => self.decide(*id),
                    (None, _) => false,
                };
                if taken {
                    return Some(index);
                }
            }
        }
        None
    }

    /// The sections of a `switch` from the first on.
    pub(super) fn run_cases(&mut self, cases: &'p [Case], span: Span) -> Flow {
        let departed = self.control.departed.len();
        let (left, outer) = self.begin_meeting();
        self.enter_scope();
        let mut flow = Flow::Next;
        for case in cases {
            flow = self.statements(&case.body);
            if flow != Flow::Next {
                break;
            }
        }
        self.leave_scope(span);
        if self.left_so_far() > left {
            let quiet = cases.iter().all(|it| !self.may_make_events(&it.body));
            self.believe_again(departed, quiet, Ways::OF_SWITCH);
            flow = self.meet_left(left, quiet, flow, |it| *it == Flow::Break);
        }
        self.end_meeting(outer);
        if flow == Flow::Break { Flow::Next } else { flow }
    }

    /// A `switch` over a value nobody knows: every section without events it can begin with.
    fn all_sections(
        &mut self,
        scrutinee: &Value,
        cases: &'p [Case],
        span: Span,
        may_be: impl Fn(usize) -> bool,
    ) -> Flow {
        const MOST: usize = 24;
        let mut sides = Vec::new();
        let mut rest: &[Case] = &[];
        for (index, case) in cases.iter().enumerate().filter(|it| may_be(it.0)) {
            for label in &case.labels {
                let Some(label) = label else {
                    rest = &cases[index..];
                    continue;
                };
                let label = self.evaluate(label);
                let equal = self.memory.binary(BinaryOp::Equal, scrutinee.clone(), label);
                match (self.truth(&equal), equal) {
                    (Some(true), _) => return self.run_cases(&cases[index..], span),
                    (None, Value::Unknown(id)) => sides.push(Side {
                        condition: Some(id),
                        body: Body::Cases(&cases[index..], span),
                        expected: false,
                    }),
                    _ => {}
                }
            }
        }
        sides.push(Side {
            condition: None,
            body: Body::Cases(rest, span),
            expected: false,
        });
        // A value that none of the sections lists, where the function ends for it, is the exception.
        let expected = if self.sections_end(rest) {
            0
        } else {
            sides.len() - 1
        };
        sides[expected].expected = true;
        if sides.len() > MOST {
            sides.drain(..sides.len() - MOST);
        }
        self.all_sides(&sides)
    }

    /// The section a `switch` begins with. Of an unknown value, one without events is as good as another; that it is
    /// none of those listed, and the function ends for it, is the exception.
    fn first_case(&mut self, scrutinee: &Value, cases: &'p [Case]) -> Option<usize> {
        let mut possible = None;
        for (index, case) in cases.iter().enumerate() {
            for label in case.labels.iter().flatten() {
                let label = self.evaluate(label);
                let equal = self.memory.binary(BinaryOp::Equal, scrutinee.clone(), label);
                let taken = match (self.truth(&equal), &equal) {
                    (Some(known), _) => known,
                    (None, Value::Unknown(id)) if self.section_may_make_events(&cases[index..]) => {
                        let ends = self.sections_end(&cases[index..]);
                        self.decide_first(*id, !ends)
                    }
                    (None, Value::Unknown(id)) => {
                        if possible.is_none() && !self.sections_end(&cases[index..]) {
                            possible = Some((index, *id));
                        }
                        false
                    }
                    (None, _) => false,
                };
                if taken {
                    return Some(index);
                }
            }
        }
        let is_default = |case: &Case| case.labels.iter().any(Option::is_none);
        let default = cases.iter().position(is_default)?;
        match possible {
            Some((index, condition)) if self.sections_end(&cases[default..]) => {
                let is_possible = if self.may_make_events(&cases[default].body) {
                    self.decide_first(condition, true)
                } else {
                    self.assume(condition, true);
                    true
                };
                Some(if is_possible { index } else { default })
            }
            _ => Some(default),
        }
    }

    /// Whether sections of a `switch`, from the first on, leave the function before a `break` in any case.
    fn sections_end(&self, cases: &[Case]) -> bool {
        let ending = cases.iter().find_map(|case| {
            let before_break = match case.body.split_last() {
                Some((last, before)) if matches!(last.kind, StmtKind::Break) => before,
                _ => &case.body,
            };
            let ends_by_call = self.ends_by_call(before_break);
            ends_by_call
                .then_some(true)
                .or_else(|| case.body.iter().find_map(ends))
        });
        ending.unwrap_or(false)
    }
}
