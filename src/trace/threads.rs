//! Host threads and what orders them: spawn and join, locks, condition variables, futures, barriers.

use super::calls::Argument;
use super::construct::init_expressions;
use super::machine::{Machine, Pending};
use super::memory::Value;
use super::{Action, Location, ThreadId, budget};
use crate::api::library;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Role, Stmt, StmtKind};
use crate::program::GlobalId;
use crate::syntax::Span;

/// The member of a future's place that holds the call whose result it becomes when somebody asks.
const PUT_OFF: &str = "put off";

/// What the condition of a wait came to.
struct Asked {
    holds: Value,
    reads: Vec<Location>,
    /// What it read when it was asked first, and did not hold.
    first: Option<Vec<Location>>,
}

impl<'p> Machine<'p> {
    pub(super) fn thread_method(
        &mut self,
        place: &Location,
        held: Option<&Value>,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        if let Some(value) = self.stop_method(place, held, method, args, span) {
            return Some(value);
        }
        match (method, held) {
            ("get", Some(Value::Thread(thread))) => Some(self.join(*thread, span)),
            ("join" | "wait", Some(Value::Thread(thread))) => {
                self.join(*thread, span);
                if method == "join" {
                    self.joined.insert(*thread);
                }
                Some(Value::Int(0))
            }
            ("joinable", Some(Value::Thread(thread))) => {
                Some(Value::Int(i64::from(!self.joined.contains(thread))))
            }
            ("joinable", Some(Value::Int(0))) => Some(Value::Int(0)),
            ("joinable", _) => Some(self.memory.fresh()),
            ("swap", Some(Value::Thread(_))) if args.len() == 1 => {
                let other = self.place(&args[0])?;
                self.swap_objects(Some(place), Some(&other));
                Some(Value::Int(0))
            }
            ("detach", Some(Value::Thread(thread))) => {
                self.joined.insert(*thread);
                self.joining.remove(thread);
                Some(Value::Int(0))
            }
            ("detach" | "valid", None | Some(Value::Int(0))) => Some(Value::Int(0)),
            // Whether somebody took the result is not kept track of.
            ("valid", _) => Some(self.memory.fresh()),
            ("detach", _) => Some(Value::Int(0)),
            ("get_future", _) => Some(Value::Pointer(self.promise_of(place))),
            ("count_down", _) => {
                self.emit_arrival(place.clone(), span);
                Some(Value::Int(0))
            }
            ("arrive_and_wait" | "arrive_and_drop", _) => {
                self.arrive(place, method == "arrive_and_wait", span);
                Some(Value::Int(0))
            }
            ("acquire", _) if self.memory.semaphores.contains(place) => {
                self.acquire(place, span);
                Some(Value::Int(0))
            }
            ("release", _) if self.memory.semaphores.contains(place) => {
                self.emit_arrival(place.clone(), span);
                Some(Value::Int(0))
            }
            ("get" | "wait", Some(Value::Pointer(promise))) => {
                let promise = promise.clone();
                if !self.run_deferred(&promise, span) {
                    self.let_arrive(&promise, 1);
                    self.host_wait(vec![promise.clone()], None, span);
                }
                let result = promise.field("value");
                Some(match method == "get" && self.memory.stands_at(&result) {
                    // Only one who asks gets what has one owner.
                    true if self.memory.smart.contains(&result) && !self.memory.counted.contains(&result) => {
                        self.given_from(result, false)
                    }
                    true => self.load(&result),
                    false => self.memory.fresh(),
                })
            }
            // Every copy of it looks at the same place.
            ("share", Some(held)) if args.is_empty() && self.is_future(held) => Some(held.clone()),
            ("set_value" | "set_exception", _) => {
                let given: Vec<Value> = args.iter().map(|it| self.evaluate_copy(it)).collect();
                let promise = self.promise_of(place);
                if let ("set_value", [value]) = (method, given.as_slice()) {
                    self.assign(&promise.field("value"), value.clone());
                }
                self.emit_arrival(promise, span);
                Some(Value::Int(0))
            }
            ("lock" | "unlock", held) => {
                let mutex = match held {
                    Some(Value::Pointer(mutex)) => mutex.clone(),
                    _ => place.clone(),
                };
                self.emit(
                    span,
                    if method == "lock" {
                        Action::Lock(mutex)
                    } else {
                        Action::Unlock(mutex)
                    },
                );
                Some(Value::Int(0))
            }
            ("notify_one" | "notify_all", _) => {
                self.emit_arrival(place.clone(), span);
                Some(Value::Int(0))
            }
            ("wait", None | Some(Value::Int(_))) if args.is_empty() => {
                // A latch.
                self.let_all_arrive(place, 1);
                self.host_wait(vec![place.clone()], None, span);
                Some(Value::Int(0))
            }
            ("wait", _) if !args.is_empty() => {
                self.condition_wait(place, args, span);
                Some(match args.len() {
                    3 => self.memory.fresh(),
                    _ => Value::Int(0),
                })
            }
            (_, _) if library::waits_some_time(method) && args.len() > 1 => Some(self.timed_wait(args, span)),
            _ => None,
        }
    }

    /// `cv.wait_for(lock, time, predicate)`: it ends by itself, and gives the mutex back meanwhile. What it returns is known where
    /// the condition holds as it is.
    fn timed_wait(&mut self, args: &'p [Expr], span: Span) -> Value {
        let mutex = match self.argument(&args[0]).value {
            Value::Pointer(mutex) => Some(mutex),
            _ => None,
        };
        if let Some(mutex) = &mutex {
            self.emit(span, Action::Unlock(mutex.clone()));
        }
        for it in &args[1..args.len().min(2)] {
            self.evaluate(it);
        }
        if let Some(mutex) = mutex {
            self.emit(span, Action::Lock(mutex));
        }
        let Some(predicate) = args.get(2..).and_then(<[Expr]>::last) else {
            return self.memory.fresh();
        };
        let predicate = self.evaluate(predicate);
        let holds = self.invoke_value(&predicate, Vec::new(), span);
        match self.truth(&holds) {
            Some(true) => Value::Int(1),
            _ => self.memory.fresh(),
        }
    }

    /// `cv.wait(lock, predicate)`, `cv.wait(lock)`, `atomic.wait(old)`.
    fn condition_wait(&mut self, place: &Location, args: &'p [Expr], span: Span) {
        let (mut locations, mut until) = (vec![place.clone()], None);
        let lock = self.argument(&args[0]);
        let mutex = match (&lock.value, args.len()) {
            (Value::Pointer(mutex), _) => Some(mutex.clone()),
            _ => None,
        };
        if let Some(mutex) = &mutex {
            self.emit(span, Action::Unlock(mutex.clone()));
        }
        if let [_, token, _] = args
            && let Value::Pointer(flag) = self.evaluate(token)
        {
            locations.push(flag);
        }
        if let Some(predicate) = args.get(1..).and_then(<[Expr]>::last) {
            let predicate = self.evaluate(predicate);
            let Asked { holds, reads, first } = self.let_hold(place, &predicate, span);
            until = self.relation_of(&predicate);
            let is_callback = self.callback_calls.contains_key(&self.control.thread);
            let at = self.at(span);
            let readable = std::mem::take(&mut self.control.readable);
            let met = self.truth(&holds) == Some(true);
            let is_in = |left: &Location| {
                let mut places = readable.iter();
                places.any(|it| it.base == left.base && left.path.starts_with(&it.path))
            };
            let is_left = self.left_by_callbacks.iter().any(is_in);
            // What a host function left there nobody finds before that has run, whoever else had a part in it.
            if is_left {
                self.control.woken_by.clear();
            }
            if met && (is_callback || self.control.woken_by.is_empty() && !is_left) {
                // Who finds the condition met, and that nobody else had a part in it, goes on.
                if let Some(mutex) = mutex {
                    self.emit(span, Action::Lock(mutex));
                }
                return;
            }
            let looked_at = self.trace.notes.conditions.entry((at, place.clone()));
            looked_at.or_default().extend(readable);
            // It did not hold yet: only a store to what it reads ends the wait, however often somebody notifies.
            if let Some(first) = first
                && holds != Value::Int(0)
            {
                locations = first;
            } else if holds == Value::Int(0) && self.is_known(&reads) {
                locations = reads;
                self.let_come(&locations);
            } else {
                until = None;
                // Else the wait ends by the condition or by whoever notifies: by the latter alone where it does not hold.
                if self.truth(&holds) != Some(false) || mutex.is_none() {
                    locations.extend(reads);
                }
            }
        } else if mutex.is_some() {
            let arrived = self.arrivals.get(place).copied().unwrap_or_default();
            self.let_arrive(place, arrived + 1);
        } else {
            self.let_change(place, &lock.value);
        }
        self.host_wait(locations, until, span);
        if let Some(mutex) = mutex {
            self.emit(span, Action::Lock(mutex));
        }
    }

    /// Lets other threads go on until a condition holds, or none of them can.
    fn let_hold(&mut self, place: &Location, predicate: &Value, span: Span) -> Asked {
        let mut first = None;
        self.control.readable.clear();
        loop {
            let events = self.events();
            self.control.reads.clear();
            self.control.compared.clear();
            self.control.polling += 1;
            let outer = std::mem::replace(&mut self.control.looks_around, true);
            let holds = self.invoke_value(predicate, Vec::new(), span);
            self.control.looks_around = outer;
            self.control.polling -= 1;
            let reads = std::mem::take(&mut self.control.reads);
            let awaited: Vec<Location> = reads.iter().chain([place]).cloned().collect();
            if self.truth(&holds) != Some(false) || !self.others_go_on(&awaited) {
                self.end_wait(&awaited, self.truth(&holds) != Some(false));
                return Asked { holds, reads, first };
            }
            if first.is_none() && holds == Value::Int(0) && self.is_known(&reads) {
                first = Some(reads);
            }
            // It was asked in vain.
            self.trace.threads[self.control.thread.0 as usize]
                .events
                .truncate(events);
        }
    }

    /// What is waited for has come to these places: nobody knows what it is. What waits is not the host where it is a host
    /// function.
    fn let_come(&mut self, places: &[Location]) {
        let is_callback = self.callback_calls.contains_key(&self.control.thread);
        for place in places {
            if is_callback {
                let before = self.memory.get(place).cloned();
                self.put_off.push((place.clone(), before));
            }
            let value = self.memory.fresh();
            self.memory.set(place.clone(), value);
        }
    }

    /// How the only place that a condition reads compares with a number where it holds.
    fn relation_of(&self, predicate: &Value) -> Option<(BinaryOp, i64)> {
        let Value::Closure(index) = predicate else {
            return None;
        };
        let [
            Stmt {
                kind: StmtKind::Return(Some(result)),
                ..
            },
        ] = self.closures.get(*index as usize)?.lambda.body.as_slice()
        else {
            return None;
        };
        match (&result.kind, self.control.compared.as_slice()) {
            (ExprKind::Binary { op, .. }, [compared]) if compared.0 == *op => Some(*compared),
            (ExprKind::Name(_) | ExprKind::Member { .. }, []) => Some((BinaryOp::NotEqual, 0)),
            _ => None,
        }
    }

    /// Whether it is known what places hold.
    fn is_known(&self, places: &[Location]) -> bool {
        let known = |it: &Location| matches!(self.memory.get(it), Some(Value::Int(_)));
        !places.is_empty() && places.iter().all(known)
    }

    /// Lets other threads go on until a place was notified, released or fulfilled so often.
    fn let_arrive(&mut self, place: &Location, times: u32) {
        let here = |machine: &Self| machine.arrivals.get(place).is_some_and(|it| *it >= times);
        let awaited = [place.clone()];
        while !here(self) && self.others_go_on(&awaited) {}
        self.end_wait(&awaited, here(self));
    }

    /// Lets other threads go on until a place holds something else.
    fn let_change(&mut self, place: &Location, old: &Value) {
        let awaited = [place.clone()];
        while self.memory.get(place) == Some(old) && self.others_go_on(&awaited) {}
        self.end_wait(&awaited, self.memory.get(place) != Some(old));
    }

    /// A global semaphore, promise or task; `false` when it is none.
    pub(super) fn prepare_global_sync(&mut self, id: GlobalId, place: &Location) -> bool {
        let program = self.program;
        let global = program.global(id);
        let kind = global.variable.ty.name.last();
        let is_sync = matches!(
            kind,
            "counting_semaphore" | "binary_semaphore" | "promise" | "packaged_task"
        );
        if is_sync && !self.memory.semaphores.contains(place) && !self.memory.promises.contains_key(place) {
            let args = init_expressions(global.variable.init.as_ref());
            self.in_frame(id.file, &global.path, None, None, |machine| {
                machine.initialise_sync(place, kind, &args);
            });
        }
        is_sync
    }

    /// The place the future of a promise looks at.
    fn promise_of(&self, place: &Location) -> Location {
        self.memory.promises.get(place).unwrap_or(place).clone()
    }

    /// Semaphores, promises and packaged tasks.
    pub(super) fn initialise_sync(&mut self, place: &Location, kind: &str, args: &[&'p Expr]) {
        match kind {
            "promise" => {
                self.memory.promises.insert(place.clone(), place.clone());
            }
            "packaged_task" => {
                self.memory.promises.insert(place.clone(), place.clone());
                if let Some(callee) = args.first() {
                    let callee = self.evaluate_copy(callee);
                    self.assign(&place.field("call"), callee);
                }
            }
            _ => {
                let count = args.first().map_or(Value::Int(0), |it| self.evaluate(it));
                self.memory.semaphores.insert(place.clone());
                self.memory.set(place.clone(), count);
            }
        }
    }

    /// A packaged task runs what it holds and fulfils its promise.
    pub(super) fn run_packaged(&mut self, place: &Location, args: Vec<Argument>, span: Span) -> Value {
        let Some(callee) = self.memory.get(&place.field("call")).cloned() else {
            return self.memory.fresh();
        };
        let result = self.invoke_value(&callee, args, span);
        let promise = self.promise_of(place);
        self.assign(&promise.field("value"), result);
        self.emit_arrival(promise, span);
        Value::Int(0)
    }

    /// Every thread that arrives at a barrier waits for any other one to be there in the same round.
    pub(super) fn arrive(&mut self, place: &Location, waits: bool, span: Span) {
        const THREADS: u32 = 8;
        let own = self.control.thread.0;
        let rounds = self
            .rounds
            .entry((self.control.thread, place.clone()))
            .or_default();
        let round = *rounds;
        *rounds += 1;
        let arrival = |thread: u32| place.field(&format!("{round}.{thread}"));
        self.emit_arrival(arrival(own), span);
        let arrived = self.arrivals.entry(place.clone()).or_default();
        *arrived += 1;
        let arrived = *arrived;
        self.complete(place, arrived, span);
        if waits {
            self.let_all_arrive(place, round + 1);
            let others = (0..THREADS).filter(|it| *it != own).map(arrival).collect();
            self.host_wait(others, None, span);
        }
    }

    /// How many threads meet at a barrier or latch.
    fn meeting(&self, place: &Location) -> Option<u32> {
        match self.memory.get(place) {
            Some(Value::Int(it)) => u32::try_from(*it).ok().filter(|it| *it > 0),
            _ => None,
        }
    }

    /// The last one to arrive in a round does what is done between two of them.
    fn complete(&mut self, place: &Location, arrived: u32, span: Span) {
        let is_last = self.meeting(place).is_some_and(|it| arrived.is_multiple_of(it));
        if is_last && let Some(completion) = self.memory.get(&place.field("completion")).cloned() {
            self.invoke_value(&completion, Vec::new(), span);
        }
    }

    /// Lets other threads go on until all have arrived in a round; what they do is not known where they do not.
    fn let_all_arrive(&mut self, place: &Location, round: u32) {
        let all = self.meeting(place).and_then(|it| it.checked_mul(round));
        if let Some(all) = all {
            self.let_arrive(place, all);
        }
        let arrived = self.arrivals.get(place).copied().unwrap_or_default();
        if all.is_none_or(|it| arrived < it) {
            let handed = self.handed_over.iter().copied().map(Location::object);
            let handed: Vec<Location> = handed.collect();
            self.lose_reachable(handed);
        }
    }

    /// Takes from a semaphore: without a wait as often as it was made for.
    pub(super) fn acquire(&mut self, place: &Location, span: Span) {
        let taken = self.taken.entry(place.clone()).or_default();
        *taken += 1;
        let taken = *taken;
        match self.memory.get(place) {
            Some(Value::Int(made)) if *made >= taken => {}
            Some(Value::Int(made)) => {
                let missing = u32::try_from(taken - made).unwrap_or(u32::MAX);
                self.let_arrive(place, missing);
                self.host_wait(vec![place.clone()], None, span);
            }
            _ => {}
        }
    }

    pub(super) fn host_wait(&mut self, locations: Vec<Location>, until: Option<(BinaryOp, i64)>, span: Span) {
        for location in &locations {
            self.memory.shared.insert(location.clone());
        }
        let what = self.words(span);
        let ended_by = std::mem::take(&mut self.control.woken_by);
        self.emit(
            span,
            Action::HostWait {
                locations,
                until,
                what,
                ended_by,
            },
        );
    }

    /// `std::thread` at a place: spawns unless it is default constructed.
    pub(super) fn construct_thread(&mut self, place: &Location, kind: &str, args: Vec<Argument>, span: Span) {
        match args.as_slice() {
            [] => self.memory.set(place.clone(), Value::Int(0)),
            [
                Argument {
                    value: Value::Thread(thread),
                    place: from,
                    ..
                },
            ] => {
                self.memory.set(place.clone(), Value::Thread(*thread));
                // It cannot be copied: the other one holds none from here on.
                if let Some(from) = from.as_ref().filter(|it| *it != place) {
                    self.memory.set(from.clone(), Value::Int(0));
                }
            }
            _ => {
                let thread = match kind {
                    "jthread" => self.spawn_stoppable(args, span),
                    _ => self.spawn(args, span),
                };
                self.memory.set(place.clone(), thread);
            }
        }
    }

    /// Runs the callee as a new host thread; the order between the two is not decided here.
    pub(super) fn spawn(&mut self, args: Vec<Argument>, span: Span) -> Value {
        if self.trace.threads.len() >= budget::THREADS {
            self.trace.budgets_hit += 1;
            self.trace.stopped = true;
            self.exited = true;
            return self.memory.fresh();
        }
        let thread = self.new_thread();
        self.hand_over_to_thread(&args);
        self.emit(span, Action::Spawn(thread));
        let mut args = args.into_iter();
        let Some(callee) = args.next() else {
            return Value::Thread(thread);
        };
        let args: Vec<Argument> = args.collect();
        self.pending.push(Pending {
            thread,
            scope: self.scope(),
            callee: callee.value,
            args,
            span,
            cells: self.memory.snapshot(),
        });
        Value::Thread(thread)
    }

    /// `std::async`: a thread that the end of its future waits for, or a call put off until somebody asks for its result.
    pub(super) fn spawn_async(&mut self, mut args: Vec<Argument>, span: Span) -> Value {
        let policy = match args.first() {
            Some(first) if first.words.contains("launch::") => args.remove(0).words,
            _ => String::new(),
        };
        if policy.contains("launch::deferred") && !policy.contains("launch::async") {
            let mut args = args.into_iter();
            let callee = args.next().map_or(Value::Int(0), |it| it.value);
            self.bindings.push((callee, args.collect()));
            let put_off = Value::Bound(self.bindings.len() as u32 - 1);
            let state = self.memory.local();
            self.memory.promises.insert(state.clone(), state.clone());
            self.memory.set(state.field(PUT_OFF), put_off);
            return Value::Pointer(state);
        }
        let thread = self.spawn(args, span);
        if let Value::Thread(id) = thread {
            self.joining.insert(id);
        }
        thread
    }

    /// What was put off runs once, in the thread that asks for its result first; `false` where nothing was.
    fn run_deferred(&mut self, state: &Location, span: Span) -> bool {
        let call = state.field(PUT_OFF);
        match self.memory.get(&call).cloned() {
            Some(Value::Bound(deferred)) => {
                self.memory.set(call, Value::Int(0));
                let result = self.invoke_bound(deferred, Vec::new(), span);
                self.assign(&state.field("value"), result);
                true
            }
            it => it.is_some(),
        }
    }

    /// A thread whose result is waited for, or the place a promise is kept at.
    pub(super) fn is_future(&self, value: &Value) -> bool {
        match value {
            Value::Thread(_) => true,
            Value::Pointer(state) => self.memory.promises.values().any(|it| it == state),
            _ => false,
        }
    }

    /// A future nobody keeps: `std::async(…);` waits at its semicolon.
    pub(super) fn join_dropped(&mut self, value: &Value, span: Span) {
        if let Value::Thread(thread) = value
            && self.joining.contains(thread)
        {
            self.stop_dropped(*thread, span);
            self.join(*thread, span);
        }
    }

    /// Waits for a thread; what it does is known from here on, and what it returned where nobody waited for it before.
    pub(super) fn join(&mut self, thread: ThreadId, span: Span) -> Value {
        let result = self.run_to_end(thread);
        self.emit(span, Action::Join(thread));
        result.unwrap_or_else(|| self.memory.fresh())
    }

    /// Executes the threads nobody joined.
    pub(super) fn run_all_pending(&mut self) {
        let ended = std::mem::replace(&mut self.exited, false);
        let left = |it: &Self| {
            let begins = it.pending.first().map(|it| it.thread);
            begins.or_else(|| it.turns.suspended.keys().next().copied())
        };
        while let Some(thread) = left(self) {
            self.run_to_end(thread);
            self.turns.suspended.remove(&thread);
        }
        self.exited |= ended;
    }

    pub(super) fn run_pending(&mut self, pending: Pending<'p>) -> Value {
        let Pending {
            thread,
            scope: _,
            callee,
            args,
            span,
            cells,
        } = pending;
        let outer = std::mem::replace(&mut self.control.at_spawn, cells);
        let result = self.as_thread(thread, |machine| machine.run_callee(&callee, args, span));
        self.control.at_spawn = outer;
        result
    }

    pub(super) fn run_callee(&mut self, callee: &Value, mut args: Vec<Argument>, span: Span) -> Value {
        if let Value::Function(function, _) = callee
            && self.program.function(*function).role == Role::Method
            && !args.is_empty()
        {
            let object = self.pointee(&args.remove(0).value);
            let class = self.program.class_of_method(*function);
            if let (Some(object), Some(class)) = (object, class) {
                // A pointer to a method means the overrider of the object it is used with.
                let method = self.program.function(*function).path.last();
                let overrider = self
                    .object_at(&object)
                    .filter(|own| *own != class && self.distance_to(*own, class, 0).is_some())
                    .zip(method)
                    .filter(|(_, method)| self.is_virtual(class, method, args.len()))
                    .and_then(|(own, method)| {
                        Some((self.program.resolve_method(own, method, args.len())?, own))
                    });
                let (function, class) = overrider.unwrap_or((*function, class));
                return self.invoke(function, Some((object, class)), args, span);
            }
        }
        self.invoke_value(callee, args, span)
    }

    /// Calls what `std::bind` made: placeholders take the arguments of the call, what is left comes last.
    pub(super) fn invoke_bound(&mut self, index: u32, args: Vec<Argument>, span: Span) -> Value {
        let (callee, bound) = self.bindings[index as usize].clone();
        let mut all: Vec<Argument> = Vec::new();
        let mut takes_all = true;
        for argument in bound {
            let name = argument.words.rsplit("::").next().unwrap_or_default();
            let placeholder = name.strip_prefix('_').and_then(|it| it.parse::<usize>().ok());
            takes_all &= placeholder.is_none();
            match placeholder.and_then(|it| args.get(it.checked_sub(1)?)) {
                Some(given) => all.push(given.clone()),
                None => all.push(argument),
            }
        }
        if takes_all {
            all.extend(args);
        }
        self.run_callee(&callee, all, span)
    }

    /// Waits for the thread a place holds, if its owner does so when it is destroyed.
    pub(super) fn join_at(&mut self, place: &Location, span: Span) {
        if let Some(value) = self.memory.get(place).cloned() {
            self.join_dropped(&value, span);
        }
    }
}
