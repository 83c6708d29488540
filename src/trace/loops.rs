//! Loops: those that wait, those that count, those over a range.

use std::collections::{BTreeMap, BTreeSet};

use super::access::{Access, Extent, Mode};
use super::ahead::Priority;
use super::joins::Ways;
use super::machine::{Flow, Machine, is_empty};
use super::memory::Value;
use super::statements::{assigns, leaves, waits_for_notification};
use super::{Action, Location, budget};
use crate::api::{self, Operation};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, LoopKind, Stmt, StmtKind, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// How many sides of branches, left out by the passes that are followed in any case, a loop goes on for.
const MOST_LEAPS: u32 = 3;

/// A `while`, `do` or `for`.
struct Counting<'p> {
    kind: LoopKind,
    condition: Option<&'p Expr>,
    step: Option<&'p Expr>,
    body: &'p [Stmt],
    span: Span,
    /// It makes no events.
    quiet: bool,
    /// Its condition was known whenever it was asked.
    decided: bool,
    /// There are passes that were not followed.
    cut: bool,
}

/// Passes that a loop went on to beside those that are followed in any case.
#[derive(Default)]
struct Leaps {
    made: u32,
    /// Passes that were passed over.
    over: u64,
    /// The last pass to follow for them.
    until: u32,
}

impl<'p> Counting<'p> {
    /// What runs in every pass beside the body.
    fn expressions(&self) -> impl Iterator<Item = &'p Expr> + use<'p> {
        self.condition.into_iter().chain(self.step)
    }
}

impl<'p> Machine<'p> {
    pub(super) fn looping(
        &mut self,
        kind: LoopKind,
        condition: Option<&'p Expr>,
        step: Option<&'p Expr>,
        body: &'p [Stmt],
        span: Span,
    ) -> Flow {
        // What never comes round again is a block: so is what makes a statement of a macro.
        let never = matches!(condition.map(|it| &it.kind), Some(ExprKind::Int(0)));
        if kind == LoopKind::DoWhile && never {
            return match self.block(body) {
                Flow::Continue | Flow::Break => Flow::Next,
                flow => flow,
            };
        }
        let mut whole = Counting {
            kind,
            condition,
            step,
            body,
            span,
            quiet: !self.may_make_events(body),
            decided: true,
            cut: false,
        };
        let mark = self.memory.watch();
        let loose_ends = self.loose_ends;
        let departed = self.control.departed.len();
        let (left, outer) = self.begin_meeting();
        let left_out = self.enter_passes(mark);
        let flow = if whole.quiet {
            let (flow, tired) = self.patiently(|machine| {
                let flow = machine.iterate(&mut whole, mark);
                (flow, machine.is_tired())
            });
            match flow {
                Flow::Stop if tired && !self.exited => {
                    self.lose_loop(&whole, mark);
                    self.flow()
                }
                flow => flow,
            }
        } else {
            self.iterate(&mut whole, mark)
        };
        self.leave_passes(left_out, whole.cut, span);
        self.believe_again(departed, whole.quiet, Ways::OF_LOOP);
        let flow = self.meet_left(left, whole.quiet, flow, |it| {
            matches!(it, Flow::Break | Flow::Continue)
        });
        self.end_meeting(outer);
        if whole.quiet && self.loose_ends != loose_ends {
            // Any pass may have been the last one.
            whole.decided = false;
            self.lose_loop(&whole, mark);
        }
        self.memory.unwatch();
        flow
    }

    fn iterate(&mut self, whole: &mut Counting<'p>, mark: usize) -> Flow {
        let Counting {
            kind,
            condition,
            step,
            body,
            span,
            quiet,
            ..
        } = *whole;
        self.note_loop(span, false);
        let mut iterations = 0;
        let mut decided = true;
        let mut first = kind == LoopKind::DoWhile;
        let start = self.events();
        let mut iteration = start;
        let mut steps = self.steps;
        let steps_before = steps;
        let (mut before, mut last, mut lengths) = (mark, mark, self.memory.lengths.clone());
        let (rest, filled);
        let mut leaps = Leaps::default();
        let execution = self.enter_loop();
        let beginnings = self.beginnings(condition);
        let (mut counter, mut further) = (None, None);
        // What the condition read when the loop was come to was known, and made it go on.
        let mut began_known = false;
        let trips;
        loop {
            if !first {
                if iterations > 0 {
                    self.leave_beginnings(&beginnings);
                }
                let value = self.poll(condition);
                let own = last..self.memory.mark();
                let idle = iterations > 0 && self.events() == iteration;
                let value = self.let_others_end(value, condition, body, (iterations, idle));
                if self.flow() != Flow::Next {
                    return self.flow();
                }
                // What only asks how far the device is waits for what the condition reads.
                let asks = iterations > 0 && self.only_asks_since(start) && !leaves(body) && !assigns(body);
                if iterations > 0 && !asks {
                    self.look_at_reads(condition, body, began_known.then_some(start));
                }
                match self.truth(&value) {
                    Some(false)
                        if iterations == u32::from(kind == LoopKind::DoWhile)
                            && self.had_to_wait(condition, body, span) =>
                    {
                        return self.flow();
                    }
                    Some(false) if iterations == 0 && self.held_at_spawn(body) => {
                        return match self.block(body) {
                            Flow::Next | Flow::Continue | Flow::Break => Flow::Next,
                            flow => flow,
                        };
                    }
                    Some(false) => {
                        self.answered += 1;
                        if quiet && !decided {
                            // There need not have been as many passes.
                            self.lose_loop(whole, mark);
                        }
                        return Flow::Next;
                    }
                    Some(true) => {
                        began_known |= iterations == 0;
                        self.answered += 1;
                    }
                    None => {
                        let lost = matches!(value, Value::Unknown(id) if self.memory.is_lost(id));
                        self.ask_start(&value);
                        decided = false;
                        self.asked += 1;
                        whole.decided &= lost;
                        if let Value::Unknown(id) = value
                            && !quiet
                        {
                            further = Some(id);
                        }
                    }
                }
                if let Some(condition) = condition
                    && (asks || self.polls(body))
                    && self.wait_for_reads(condition, span)
                {
                    // Nobody knows how often it was asked. What other threads did meanwhile is done.
                    self.lose_between(own, false);
                    return self.flow();
                }
            }
            let more = condition.and_then(|it| self.trips_left(it, &mut counter));
            let entered = further.take();
            first = false;
            iterations += 1;
            let pass = u64::from(self.steps - steps).max(1);
            steps = self.steps;
            let limit = match (decided && condition.is_some(), quiet) {
                (_, false) if decided && self.was_served_since(start) => budget::SERVED_ITERATIONS,
                // Whatever else it may wait for, it waits for in further passes.
                (false, false) if self.only_waits_since(start) => budget::KNOWN_ITERATIONS,
                (false, _) => budget::ITERATIONS,
                (true, false) if self.is_light_since(start) && self.is_cheap_since(steps_before) => {
                    budget::LIGHT_ITERATIONS
                }
                (true, false) => budget::KNOWN_ITERATIONS,
                // What only computes is followed to its end where that is not far.
                (true, true) => match more {
                    Some(more) if more.saturating_mul(pass) > u64::from(self.patience_left()) => {
                        budget::ITERATIONS
                    }
                    _ => u32::MAX,
                },
            };
            let endless = condition.is_none_or(|it| matches!(it.kind, ExprKind::Int(1)));
            let events = self.events() - iteration;
            let spent = iteration > start && {
                // Behind the loop of a thread that serves there is little.
                match endless && self.control.thread.0 != 0 {
                    true => self.events_left() < 2 * events,
                    false => !self.affords(start, events),
                }
            };
            let is_over = iterations > limit || spent && iterations > budget::ITERATIONS;
            if is_over
                && !quiet
                && iterations > leaps.until
                && leaps.made < MOST_LEAPS
                && let Some(leap) = self.leap([before, last], condition, body)
                && self.affords(start, events.saturating_mul(leap.further as usize + 1))
            {
                self.pass_over(&leap);
                leaps.made += 1;
                leaps.over += u64::try_from(leap.over).unwrap_or(0);
                leaps.until = iterations + leap.further;
            }
            if is_over
                && iterations > leaps.until
                && let Some(condition) = entered.filter(|_| !quiet && !endless)
                && self.is_last_pass_over(condition, span)
            {
                // There are as many passes as were followed; what sides do that none of them took is open all the same.
                whole.cut = true;
                self.note_loop(span, true);
                return Flow::Next;
            }
            if is_over && iterations > leaps.until {
                let done = leaps.over + u64::from(iterations) - 1;
                trips = match more.filter(|_| decided) {
                    _ if leaves(body) => None,
                    Some(more) => Some(done.saturating_add(more)),
                    None => endless.then_some(u64::MAX),
                };
                let further = more.filter(|_| decided && leaps.over == 0 && !leaves(body));
                let further = further.map(|it| i64::try_from(it).unwrap_or(i64::MAX));
                rest = further.map_or_else(Vec::new, |it| self.rest_of(span, it));
                filled = further.map_or_else(Vec::new, |it| self.filled_up(body, &lengths, it));
                break;
            }
            if let Some(condition) = entered {
                self.depart();
                self.memory.note_seen(condition, true);
            }
            let (departed, left) = (self.control.departed.len(), self.left_so_far());
            iteration = self.events();
            (before, last) = (last, self.memory.mark());
            lengths.clone_from(&self.memory.lengths);
            self.control.unsure += u32::from(!decided);
            let asks_behind =
                kind == LoopKind::DoWhile && !condition.is_some_and(|it| matches!(it.kind, ExprKind::Int(0)));
            self.control.endless += u32::from(endless || asks_behind);
            let flow = self.block(body);
            self.control.endless -= u32::from(endless || asks_behind);
            self.control.unsure -= u32::from(!decided);
            self.note_pass(execution, iteration as u32, decided && condition.is_some(), span);
            let flow = self.end_pass(departed, left, quiet, flow);
            match flow {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Flow::Next,
                flow => return flow,
            }
            if let Some(step) = step {
                self.evaluate(step);
            }
            if !self.tick() {
                return if self.control.throwing {
                    Flow::Throw
                } else {
                    Flow::Stop
                };
            }
        }
        self.note_loop(span, true);
        whole.cut = true;
        if let Some(trips) = trips {
            self.trace.notes.trips.insert(execution, trips);
        }
        self.capture.unknowns += 1;
        let mut general = false;
        if quiet || self.only_stores_since(start) {
            self.lose_loop(whole, mark);
            // What it stores for others to see says what they wait for: that takes the time it needs.
            let stores = |it: &super::Event| matches!(it.action, Action::Store(_));
            let events = &self.trace.threads[self.control.thread.0 as usize].events;
            general = if events[iteration.min(events.len())..].iter().any(stores) {
                self.thoroughly(|machine| machine.general_pass(whole, mark))
            } else {
                self.general_pass(whole, mark)
            };
        } else {
            let kept = self.kept(whole.body, whole.expressions(), last, true);
            self.lose_last_pass(mark, last, whole.decided);
            self.lose_written(whole);
            self.keep(kept);
        }
        if !self.memory.lengths.is_same(&lengths) {
            let same = |place: &Location, length: &i64| lengths.get(place) == Some(length);
            self.memory.lengths.retain(|place, length| same(place, length));
        }
        for (place, length) in filled {
            self.memory.lengths.insert(place, length);
        }
        // What a pass stores that stands for all of them is what each of them stores.
        if !general {
            self.forget_values_since(iteration);
        }
        self.touch_rest(rest);
        Flow::Next
    }

    /// Whether the loop has no more passes than were followed: on this path, and first. That there are more, of which nothing is
    /// known, is looked at where that reaches what nothing else does. Where the program knows how many there are, so many it need not be.
    fn is_last_pass_over(&mut self, condition: u32, span: Span) -> bool {
        let seen = self.memory.seen();
        if self.control.quiet > 0
            || self.memory.is_lost(condition)
            || !self.memory.see_end(condition, &self.truths)
        {
            return false;
        }
        self.control.branching = span.start;
        let goes_on = self.settle(condition, false, Priority::Passes);
        if goes_on {
            self.memory.see_again(&seen);
        }
        !goes_on
    }

    /// Those that went on with the next pass early meet those that came to the end of this one.
    pub(super) fn end_pass(&mut self, departed: usize, left: usize, quiet: bool, flow: Flow) -> Flow {
        self.believe_again(departed, quiet, Ways::OF_PASS);
        self.meet_left(left, quiet, flow, |it| *it == Flow::Continue)
    }

    /// One pass that stands for all that were not followed: nothing the loop changes is known in it, nor behind it.
    /// Whether it was followed to its end, and stored what no side of it that it does not take stores otherwise.
    fn general_pass(&mut self, whole: &Counting<'p>, mark: usize) -> bool {
        let open = (self.dropped_stores, self.coverage.impatience);
        self.control.quiet += 1;
        self.control.unsure += 1;
        self.poll(whole.condition);
        let flow = self.block(whole.body);
        if let (Flow::Next | Flow::Continue, Some(step)) = (&flow, whole.step) {
            self.evaluate(step);
        }
        let whole_pass = matches!(flow, Flow::Next | Flow::Continue) && !self.is_tired();
        self.control.unsure -= 1;
        self.control.quiet -= 1;
        self.lose_loop(whole, mark);
        whole_pass && open == (self.dropped_stores, self.coverage.impatience)
    }

    /// A loop was not followed to its end: numbers it changes can be anything behind it.
    fn lose_loop(&mut self, whole: &Counting<'p>, mark: usize) {
        let kept = self.kept(whole.body, whole.expressions(), mark, !whole.quiet);
        self.lose_passes(mark, whole.decided);
        self.lose_written(whole);
        self.keep(kept);
    }

    /// The same for a loop over a range.
    pub(super) fn lose_body(&mut self, body: &'p [Stmt], mark: usize, known: bool) {
        let executed = self.may_make_events(body);
        let kept = self.kept(body, std::iter::empty(), mark, executed);
        self.lose_passes(mark, known);
        self.lose_targets(body, std::iter::empty(), known);
        self.keep(kept);
    }

    /// What some passes changed, and in elements beside those, others may have changed.
    fn lose_passes(&mut self, mark: usize, known: bool) {
        let changed = self.memory.before_since(mark);
        let none = BTreeMap::new();
        changed.keys().for_each(|it| self.memory.lose_beside(it, &none));
        self.lose_changes(mark, known);
    }

    fn lose_written(&mut self, whole: &Counting<'p>) {
        self.lose_targets(whole.body, whole.expressions(), whole.decided);
    }

    /// What the last pass changed, further ones change as well: in elements that each pass has for itself, those that had none yet.
    fn lose_last_pass(&mut self, start: usize, last: usize, known: bool) {
        let earlier = self.memory.before_between(start, last);
        let none = BTreeMap::new();
        for (place, before) in self.memory.before_since(last) {
            if self.memory.get(&place) != before.as_ref() {
                let kept = if earlier.contains_key(&place) {
                    &none
                } else {
                    &earlier
                };
                self.memory.lose_step(&place, before.as_ref());
                self.memory.lose_beside(&place, kept);
                self.memory.lose(place, known);
            }
        }
    }

    /// Numbers that statements or expressions assign to, whether they were executed or not.
    fn lose_targets(&mut self, body: &'p [Stmt], expressions: impl Iterator<Item = &'p Expr>, known: bool) {
        let mut targets = Vec::new();
        let mut look = |node: Node<'p>| {
            if let Node::Expr(expression) = node {
                match &expression.kind {
                    ExprKind::Assign { target, .. } => targets.push(&**target),
                    ExprKind::Unary {
                        op:
                            UnaryOp::PreIncrement
                            | UnaryOp::PostIncrement
                            | UnaryOp::PreDecrement
                            | UnaryOp::PostDecrement,
                        operand,
                    } => targets.push(&**operand),
                    _ => {}
                }
            }
        };
        visit::statements(body, &mut look);
        expressions.for_each(|it| visit::expression(it, &mut look));
        for target in targets {
            if let Some(place) = self.plain_place(target) {
                self.memory.lose(place, known);
            }
        }
    }

    /// The place of a variable or of a member of one.
    pub(super) fn plain_place(&mut self, target: &Expr) -> Option<Location> {
        match &target.kind {
            ExprKind::Name(name) if self.text_of(name).is_none() => self.name_place(name),
            ExprKind::This => self.this(),
            ExprKind::Member { object, field, .. } => {
                let object = self.plain_place(object)?;
                let object = match self.memory.get(&object) {
                    Some(Value::Pointer(to)) => to.clone(),
                    _ => object,
                };
                Some(object.field(field))
            }
            _ => None,
        }
    }

    /// What a loop counts from: the places that its condition compares, and their numbers before the first pass.
    fn beginnings(&mut self, condition: Option<&'p Expr>) -> Vec<(Location, i64)> {
        let Some(ExprKind::Binary { op, left, right }) = condition.map(|it| &it.kind) else {
            return Vec::new();
        };
        if !matches!(
            op,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual
        ) {
            return Vec::new();
        }
        let sides = [left, right].map(|it| self.plain_place(it)).into_iter().flatten();
        let begun = sides.filter_map(|it| match self.memory.get(&it) {
            Some(Value::Int(number)) => Some((it.clone(), *number)),
            _ => None,
        });
        begun.collect()
    }

    /// What counts does not come back to where it began.
    fn leave_beginnings(&mut self, beginnings: &[(Location, i64)]) {
        for (place, number) in beginnings {
            let Some(now @ Value::Unknown(_)) = self.memory.get(place).cloned() else {
                continue;
            };
            let is_back = self.memory.binary(BinaryOp::Equal, now, Value::Int(*number));
            if let Value::Unknown(is_back) = is_back {
                self.learn(is_back, false);
            }
        }
    }

    /// How often the body of a counting loop still runs, once its counter was seen to move twice by the same step: one that
    /// doubles gets there sooner.
    fn trips_left(&mut self, condition: &'p Expr, counter: &mut Option<(i64, Option<i64>)>) -> Option<u64> {
        let ExprKind::Binary { op, left, right } = &condition.kind else {
            return None;
        };
        if !is_plain(left) || !is_plain(right) {
            return None;
        }
        let (Value::Int(now), Value::Int(end)) = (self.evaluate(left), self.evaluate(right)) else {
            return None;
        };
        let (before, step) = counter.replace((now, None))?;
        let by = now.checked_sub(before)?;
        *counter = Some((now, Some(by)));
        if step != Some(by) {
            return None;
        }
        let left = match op {
            BinaryOp::Less | BinaryOp::NotEqual if by > 0 => end.checked_sub(now)?,
            BinaryOp::LessEqual if by > 0 => end.checked_sub(now)?.checked_add(1)?,
            BinaryOp::Greater | BinaryOp::NotEqual if by < 0 => now.checked_sub(end)?,
            BinaryOp::GreaterEqual if by < 0 => now.checked_sub(end)?.checked_add(1)?,
            _ => return None,
        };
        u64::try_from(left).ok()?.checked_div(by.unsigned_abs())
    }

    /// Whether nothing but waits was done since an event.
    fn only_waits_since(&self, start: usize) -> bool {
        let waits = |it: &super::Call| {
            let operation = it.api.map(|it| it.operation);
            it.blocks != super::Block::None || operation == Some(Operation::StreamWaitEvent)
        };
        let events = &self.trace.threads[self.control.thread.0 as usize].events[start..];
        let calls = |event: &super::Event| matches!(&event.action, Action::Call(call) if waits(call));
        self.is_light_since(start) && events.iter().any(calls)
    }

    /// Whether the host did nothing but store, read and poll since an event.
    fn only_stores_since(&self, start: usize) -> bool {
        let events = &self.trace.threads[self.control.thread.0 as usize].events[start..];
        let mut actions = events.iter().map(|it| &it.action);
        actions.all(|it| matches!(it, Action::Store(_) | Action::Touch(_) | Action::HostWait { .. }))
    }

    /// Whether a loop that began at a position of the thread may go on with a pass of so many events: at least as many are
    /// left to what comes behind it.
    pub(super) fn affords(&self, start: usize, pass: usize) -> bool {
        let most = self.most_events().saturating_sub(start) / 2;
        self.events() + pass <= start + most
    }

    /// Events that the thread may still record.
    fn events_left(&self) -> usize {
        self.most_events().saturating_sub(self.events())
    }

    /// Whether few of the steps that were left by then were taken since there were so many.
    fn is_cheap_since(&self, steps: u32) -> bool {
        self.steps - steps <= self.limit.saturating_sub(steps) / budget::LIGHT_PART
    }

    /// Whether the device was given nothing to do since an event.
    pub(super) fn is_light_since(&self, start: usize) -> bool {
        let is_light = |call: &super::Call| {
            call.api.is_some_and(|it| {
                let orders = matches!(it.operation, Operation::EventRecord | Operation::StreamWaitEvent);
                orders || !it.is_enqueue()
            })
        };
        let events = &self.trace.threads[self.control.thread.0 as usize].events[start..];
        events.iter().all(|event| match &event.action {
            Action::Call(call) => is_light(call),
            // What threads tell each other.
            Action::Store(write) => !self.device_visible(&write.location),
            _ => true,
        })
    }

    /// Whether queries were made since an event, and nothing else.
    fn only_asks_since(&self, start: usize) -> bool {
        let asks = |it: &super::Call| {
            let operation = it.api.map(|it| it.operation);
            matches!(operation, Some(Operation::StreamQuery | Operation::EventQuery))
        };
        let events = &self.trace.threads[self.control.thread.0 as usize].events[start..];
        !events.is_empty()
            && events
                .iter()
                .all(|event| matches!(&event.action, Action::Call(call) if asks(call)))
    }

    /// The last iteration stands for all further ones: what it stores can be any of their values. What a kernel stores
    /// as a number of its own is the same in each.
    fn forget_values_since(&mut self, start: usize) {
        let program = self.program;
        let own_number = |kernel: &Option<super::KernelUse>, write: &super::Write| {
            let summary = program.kernel(kernel.as_ref()?.function?)?;
            let mut stored = summary
                .writes
                .iter()
                .filter(|it| (it.file, it.span) == write.at)
                .map(|it| it.value.as_ref().map(|value| &value.kind));
            let number = |kind: Option<&ExprKind>| match kind {
                Some(ExprKind::Int(value)) => Some(*value),
                _ => None,
            };
            let first = number(stored.next()?)?;
            stored.all(|it| number(it) == Some(first)).then_some(first)
        };
        for event in &mut self.trace.threads[self.control.thread.0 as usize].events[start..] {
            match &mut event.action {
                Action::Store(write) => write.value = None,
                Action::Call(call) => {
                    if let Some(work) = &mut call.work {
                        for write in &mut work.writes {
                            write.value = own_number(&work.kernel, write);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What a spawned thread or a host function did is executed first: a polling loop is over by then, but did wait.
    fn had_to_wait(&mut self, condition: Option<&'p Expr>, body: &'p [Stmt], span: Span) -> bool {
        let deferred = self
            .control
            .reads
            .iter()
            .any(|it| self.deferred_stores.contains(it));
        if self.control.thread == super::ThreadId(0) && !deferred && self.control.woken_by.is_empty() {
            return false;
        }
        if waits_for_notification(body) {
            self.block(body);
            return true;
        }
        match condition {
            Some(condition) if self.polls(body) => {
                // Queries nobody looks at are calls all the same.
                if self.is_eventful(body) {
                    self.block(body);
                }
                let reads: Vec<Location> = self.control.reads.clone();
                let values: Vec<Value> = reads.iter().map(|it| self.memory.load(it)).collect();
                let waited = self.wait_for_reads(condition, span);
                for (place, value) in reads.into_iter().zip(values) {
                    if !self.memory.arrays.contains(&place) {
                        self.memory.set(place, value);
                    }
                }
                waited
            }
            _ => false,
        }
    }

    /// A thread that runs until another one tells it to stop did run: what its condition reads was different
    /// when it was started.
    fn held_at_spawn(&mut self, body: &[Stmt]) -> bool {
        let changed = |place: &Location| {
            let (before, now) = (self.control.at_spawn.get(place), self.memory.get(place));
            // A global that nothing was stored to yet had the value it starts with.
            let first = matches!(place.base, super::Base::Global(_)) && matches!(now, Some(Value::Int(_)));
            (before.is_some() || first) && before != now
        };
        self.control.thread != super::ThreadId(0)
            && self.control.reads.iter().any(changed)
            && self.is_eventful(body)
    }

    /// The condition of a loop that keeps the device busy is no wait: the host reads what it finds. Where only kernels have
    /// written that, in one place, since an event before which it made the loop go on, finding it too early is one pass more.
    fn look_at_reads(&mut self, condition: Option<&'p Expr>, body: &'p [Stmt], went_on: Option<usize>) {
        let Some(condition) = condition.filter(|_| self.is_eventful(body) && !self.polls(body)) else {
            return;
        };
        for place in self.control.reads.clone() {
            if went_on.is_none_or(|it| !self.is_left_to_kernels(it, &place)) {
                self.touch(&place, Extent::Element, Mode::Read, condition.span);
            }
        }
    }

    /// Whether nothing but kernels has written to an object since some event of the thread, and they in one place: none takes back
    /// what another one wrote.
    fn is_left_to_kernels(&self, since: usize, place: &Location) -> bool {
        let events = &self.trace.threads[self.control.thread.0 as usize].events;
        let writes = |it: &&Access| it.mode == Mode::Write && it.location.base == place.base;
        let mut written_at = BTreeSet::new();
        for event in events.iter().skip(since) {
            match &event.action {
                Action::Store(write) if write.location.base == place.base => return false,
                Action::Touch(access) if writes(&&**access) => return false,
                Action::Call(call) => {
                    let Some(work) = &call.work else { continue };
                    let mut written = work.accesses.iter().filter(writes).peekable();
                    if written.peek().is_some() && work.kind != super::WorkKind::Kernel {
                        return false;
                    }
                    written_at.extend(written.map(|it| (it.at.0, it.at.1.start)));
                }
                _ => {}
            }
        }
        written_at.len() <= 1
    }

    /// Evaluates a loop condition: a query in it waits, and what it reads is noted.
    pub(super) fn poll(&mut self, condition: Option<&'p Expr>) -> Value {
        self.control.reads.clear();
        let Some(condition) = condition else {
            return Value::Int(1);
        };
        self.control.polling += 1;
        let value = self.deciding(condition);
        self.control.polling -= 1;
        value
    }

    /// A loop body that only passes time.
    pub(super) fn polls(&mut self, body: &[Stmt]) -> bool {
        is_empty(body)
            || !leaves(body)
                && !assigns(body)
                && body
                    .iter()
                    .all(|it| is_query(it) || !self.is_eventful(std::slice::from_ref(it)))
    }

    /// Turns a polling loop into a wait for somebody else's write; `false` when it polls nothing shared.
    fn wait_for_reads(&mut self, condition: &'p Expr, span: Span) -> bool {
        let reads = std::mem::take(&mut self.control.reads);
        // What a lock guards nobody else changes while the thread holds it.
        let is_open = |it: &&Location| self.deferred_stores.contains(it) && !self.is_guarded(it);
        let set_late: Vec<Location> = reads.iter().filter(is_open).cloned().collect();
        self.memory.shared.extend(set_late);
        let locations: Vec<Location> = reads.into_iter().filter(|it| self.is_shared(it)).collect();
        if locations.is_empty() {
            return false;
        }
        if self.is_over_before(condition, &locations) {
            return true;
        }
        let what = self.words(condition.span);
        let until = self.until_of(condition);
        let ended_by = std::mem::take(&mut self.control.woken_by);
        self.emit(
            Span {
                start: span.start,
                end: condition.span.end.max(span.start),
            },
            Action::HostWait {
                locations: locations.clone(),
                until,
                what,
                ended_by,
            },
        );
        for location in locations {
            let value = self.memory.fresh();
            self.memory.set(location, value);
        }
        true
    }

    /// Whether a condition does not hold with what the host stored before the device got to write: who reads that goes on.
    fn is_over_before(&mut self, condition: &'p Expr, locations: &[Location]) -> bool {
        let before = |it: &Location| match self.memory.get(it) {
            Some(Value::Unknown(id)) => self.stored_before.get(id).map(|number| (it.clone(), *number)),
            _ => None,
        };
        let Some(stored) = locations.iter().map(before).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let value = self.taken_back(|machine| {
            for (place, number) in stored {
                machine.memory.set(place, Value::Int(number));
            }
            machine.evaluate(condition)
        });
        self.truth(&value) == Some(false)
    }

    /// The relation that ends a loop with this condition.
    fn until_of(&mut self, condition: &'p Expr) -> Option<(BinaryOp, i64)> {
        match &condition.kind {
            ExprKind::Unary { op: UnaryOp::Not, .. } => Some((BinaryOp::NotEqual, 0)),
            ExprKind::Binary { op, left: _, right } => {
                let Value::Int(value) = self.evaluate(right) else {
                    return None;
                };
                let negated = match op {
                    BinaryOp::Equal => BinaryOp::NotEqual,
                    BinaryOp::NotEqual => BinaryOp::Equal,
                    BinaryOp::Less => BinaryOp::GreaterEqual,
                    BinaryOp::LessEqual => BinaryOp::Greater,
                    BinaryOp::Greater => BinaryOp::LessEqual,
                    BinaryOp::GreaterEqual => BinaryOp::Less,
                    _ => return None,
                };
                Some((negated, value))
            }
            _ => None,
        }
    }
}

/// A query whose answer nobody looks at: it only keeps the driver going.
fn is_query(statement: &Stmt) -> bool {
    let StmtKind::Expr(Expr {
        kind: ExprKind::Call(call),
        ..
    }) = &statement.kind
    else {
        return false;
    };
    let ExprKind::Name(name) = &call.callee.kind else {
        return false;
    };
    api::lookup(name.last())
        .is_some_and(|it| matches!(it.operation, Operation::StreamQuery | Operation::EventQuery))
}

/// A value that can be looked at twice: a number, a variable, a member of one, the size of a container.
fn is_plain(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) | ExprKind::Int(_) | ExprKind::This => true,
        ExprKind::Member { object, .. } => is_plain(object),
        ExprKind::Cast { operand, .. } => is_plain(operand),
        ExprKind::Call(call) => match &call.callee.kind {
            ExprKind::Member { object, field, .. } => {
                call.args.is_empty() && field == "size" && is_plain(object)
            }
            _ => false,
        },
        _ => false,
    }
}
