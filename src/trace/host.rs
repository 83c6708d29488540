//! The host side that orders things without CUDA: threads, locks, futures, atomics, the environment, containers.

use super::calls::Argument;
use super::machine::{Machine, Pending};
use super::memory::{Origin, Value};
use super::{Action, Extent, Location, Mode, ThreadId, Write};
use crate::facts::ir::{BinaryOp, Expr, Name, Role};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// A function of the C or C++ library that matters; `None` when it is not one of them.
    pub(super) fn host_call(&mut self, name: &'p Name, args: &'p [Expr], span: Span) -> Option<Value> {
        let qualified = name.path.len() > 1;
        if qualified && !matches!(name.path[name.path.len() - 2].as_str(), "std" | "boost" | "") {
            return None;
        }
        let value = match name.last() {
            "setenv" | "_putenv_s" | "putenv" | "_putenv" => {
                let args = self.arguments(args);
                self.set_environment(&args);
                Value::Int(0)
            }
            "getenv" | "secure_getenv" => match args.first().map(|it| self.evaluate(it)) {
                Some(Value::Str(variable)) => self.memory.named(&format!("getenv {variable}")),
                _ => self.memory.fresh(),
            },
            "strcmp" | "strcasecmp" | "strncmp" => {
                let args = self.arguments(args);
                self.compare_strings(&args)
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" | "terminate" => {
                self.exited = true;
                Value::Int(0)
            }
            "make_unique" | "make_shared" => {
                let args = self.arguments(args);
                let ty = Name {
                    path: type_path(name.template_args.first()?),
                    template_args: Vec::new(),
                };
                let object = self.new_object(&ty, args, span);
                let place = self.memory.local();
                self.smart_pointer(&place, &Name::plain("unique_ptr"), vec![object]);
                Value::Aggregate(place)
            }
            "async" => {
                let mut args = self.arguments(args);
                if args.first().is_some_and(|it| it.words.contains("launch::")) {
                    args.remove(0);
                }
                self.spawn(args, span)
            }
            "pthread_create" => {
                let args = self.arguments(args);
                let [handle, _, body, data] = <[Argument; 4]>::try_from(args).ok()?;
                let thread = self.spawn(vec![body, data], span);
                if let Some(place) = self.pointee(&handle.value) {
                    self.memory.set(place, thread);
                }
                Value::Int(0)
            }
            "pthread_join" => {
                let args = self.arguments(args);
                if let Some(Value::Thread(thread)) = args.first().map(|it| &it.value) {
                    self.join(*thread, span);
                }
                Value::Int(0)
            }
            "malloc" | "calloc" | "realloc" | "aligned_alloc" | "_aligned_malloc" => {
                self.arguments(args);
                let object = self.memory.allocate(Origin::Heap);
                self.note_heap(&object, span);
                Value::Pointer(object)
            }
            "memset" | "memcpy" | "memmove" if args.len() == 3 => {
                let args = self.arguments(args);
                self.store_range(name.last(), &args, span);
                Value::Int(0)
            }
            "memcmp" | "fwrite" | "accumulate" | "reduce" | "equal" | "max_element" | "min_element" => {
                let args = self.arguments(args);
                for argument in &args {
                    self.touch_through(&argument.value, Mode::Read, span);
                }
                self.memory.fresh()
            }
            "__atomic_store_n"
            | "__atomic_exchange_n"
            | "atomic_store"
            | "atomic_store_explicit"
            | "__sync_lock_test_and_set"
            | "__atomic_fetch_add"
            | "__sync_fetch_and_add"
            | "__sync_add_and_fetch"
            | "__sync_fetch_and_or"
            | "__atomic_fetch_or"
            | "atomic_fetch_add"
            | "__atomic_store" => {
                let args = self.arguments(args);
                self.atomic_store(name.last(), &args, span);
                Value::Int(0)
            }
            "__atomic_load_n" | "atomic_load" | "atomic_load_explicit" => {
                let args = self.arguments(args);
                let place = self.pointee(&args.first()?.value)?;
                self.memory.shared.insert(place.clone());
                self.load(&place)
            }
            "move" | "forward" | "ref" | "cref" | "as_const" | "reinterpret_cast" | "static_cast"
            | "const_cast" | "bit_cast"
                if args.len() == 1 =>
            {
                self.argument(&args[0]).value
            }
            "call_once" if args.len() >= 2 => {
                let mut args = self.arguments(args).into_iter();
                let flag = args.next().and_then(|it| it.place)?;
                let callee = args.next()?;
                if self.memory.get(&flag) != Some(&Value::Int(1)) {
                    self.memory.set(flag, Value::Int(1));
                    self.run_callee(&callee.value, args.collect(), span);
                }
                Value::Int(0)
            }
            "atomic_ref" if args.len() == 1 => self.argument(&args[0]).place.map(Value::Aggregate)?,
            _ => return None,
        };
        Some(value)
    }

    fn set_environment(&mut self, args: &[Argument]) {
        let text = |index: usize| match args.get(index).map(|it| &it.value) {
            Some(Value::Str(text)) => text.to_string(),
            _ => String::new(),
        };
        let (name, value) = match text(0).split_once('=') {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (text(0), text(1)),
        };
        // Read when CUDA starts: setting it later does nothing (programming guide, lazy loading).
        match name.as_str() {
            "CUDA_MODULE_LOADING" if !self.cuda_called => self.trace.eager = value == "EAGER",
            "CUDA_LAUNCH_BLOCKING" if !self.cuda_called => self.trace.launch_blocking = value == "1",
            _ => {}
        }
    }

    /// `strcmp`: the comparison that finds out whether loading is eager is remembered.
    fn compare_strings(&mut self, args: &[Argument]) -> Value {
        match (args.first().map(|it| &it.value), args.get(1).map(|it| &it.value)) {
            (Some(Value::Str(a)), Some(Value::Str(b))) => Value::Int(i64::from(a != b)),
            (Some(a), Some(b)) => {
                let name = format!("strcmp {a:?} {b:?}");
                let loading = self.memory.named("getenv CUDA_MODULE_LOADING");
                let eager = Value::Str(std::sync::Arc::from("EAGER"));
                let checks = [a, b].contains(&&loading) && [a, b].contains(&&eager);
                let result = self.memory.named(&name);
                if let (true, Value::Unknown(id)) = (checks, &result) {
                    self.eager_checks.push(*id);
                }
                result
            }
            _ => self.memory.fresh(),
        }
    }

    fn store_range(&mut self, function: &str, args: &[Argument], span: Span) {
        let Some(place) = self.pointee(&args[0].value) else {
            return;
        };
        let value = match (function, &args[1].value) {
            ("memset", Value::Int(value)) => Some(value.wrapping_mul(0x0101_0101)),
            ("memset", _) => None,
            (_, source) => match self.pointee(source).map(|it| self.load(&it)) {
                Some(Value::Int(value)) => Some(value),
                _ => None,
            },
        };
        self.touch(&place, Extent::Some, Mode::Write, span);
        if function != "memset" {
            self.touch_through(&args[1].value.clone(), Mode::Read, span);
        }
        if self.device_visible(&place) {
            let at = (self.frame().file, span);
            self.emit(
                span,
                Action::Store(Write {
                    location: place.clone(),
                    range: true,
                    value,
                    at,
                    guess: false,
                    after_wait: false,
                }),
            );
        }
        let value = value.map_or_else(|| self.memory.fresh(), Value::Int);
        if !self.memory.arrays.contains(&place) && !self.memory.is_object(&place) {
            self.memory.set(place, value);
        }
    }

    fn atomic_store(&mut self, function: &str, args: &[Argument], span: Span) {
        let Some(place) = args.first().and_then(|it| self.pointee(&it.value)) else {
            return;
        };
        self.memory.shared.insert(place.clone());
        let value = match (function, args.get(1)) {
            ("__atomic_store", _) | (_, None) => self.memory.fresh(),
            (name, Some(added)) if name.contains("add") => {
                let old = self.load(&place);
                self.memory.binary(BinaryOp::Add, old, added.value.clone())
            }
            (_, Some(value)) => value.value.clone(),
        };
        self.store(&place, value, span);
    }

    /// A method of a standard class; `None` when it is none that matters.
    pub(super) fn host_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        if let Some(to) = self.memory.references.get(place).cloned() {
            return self.host_method(&to, method, args, span);
        }
        if self.memory.maps.contains(place)
            && let Some(value) = self.map_method(place, method, args)
        {
            return Some(value);
        }
        if let Some(value) = self.optional_method(place, method, args, span) {
            return Some(value);
        }
        let held = self.memory.get(place).cloned();
        if let (Some(Value::Str(_)), "c_str" | "data" | "str") = (&held, method) {
            return held;
        }
        if self.memory.smart.contains(place) && matches!(method, "get" | "reset" | "release") {
            return self.smart_pointer_method(place, method, args, span);
        }
        if let Some(value) = self.thread_method(place, held.as_ref(), method, args, span) {
            return Some(value);
        }
        if let Some(value) = self.atomic_method(place, method, args, span) {
            return Some(value);
        }
        self.container_method(place, method, args, span)
    }

    fn smart_pointer_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        match method {
            "get" => Some(self.memory.load(place)),
            "release" => {
                let value = self.memory.load(place);
                self.memory.set(place.clone(), Value::Int(0));
                Some(value)
            }
            _ => {
                self.release_pointer(place, span);
                if let Some(new) = args.first() {
                    let value = self.evaluate_copy(new);
                    self.assign(place, value);
                }
                Some(Value::Int(0))
            }
        }
    }

    fn thread_method(
        &mut self,
        place: &Location,
        held: Option<&Value>,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        match (method, held) {
            ("join" | "get" | "wait", Some(Value::Thread(thread))) => {
                self.join(*thread, span);
                Some(Value::Int(0))
            }
            ("joinable", _) => Some(Value::Int(1)),
            ("detach" | "valid", _) => Some(Value::Int(0)),
            ("get_future", _) => Some(Value::Pointer(place.clone())),
            ("get" | "wait", Some(Value::Pointer(promise))) => {
                let promise = promise.clone();
                self.host_wait(vec![promise], None, span);
                Some(self.memory.fresh())
            }
            ("set_value", _) => {
                let at = (self.frame().file, span);
                args.iter().for_each(|it| {
                    self.evaluate(it);
                });
                self.emit(
                    span,
                    Action::Store(Write {
                        location: place.clone(),
                        range: false,
                        value: None,
                        at,
                        guess: false,
                        after_wait: false,
                    }),
                );
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
                let at = (self.frame().file, span);
                self.emit(
                    span,
                    Action::Store(Write {
                        location: place.clone(),
                        range: false,
                        value: None,
                        at,
                        guess: false,
                        after_wait: false,
                    }),
                );
                Some(Value::Int(0))
            }
            ("wait", _) if !args.is_empty() => {
                self.condition_wait(place, args, span);
                Some(Value::Int(0))
            }
            _ => None,
        }
    }

    /// `cv.wait(lock, predicate)`, `cv.wait(lock)`, `atomic.wait(old)`.
    fn condition_wait(&mut self, place: &Location, args: &'p [Expr], span: Span) {
        let mut locations = vec![place.clone()];
        let lock = self.argument(&args[0]);
        let mutex = match (&lock.value, args.len()) {
            (Value::Pointer(mutex), _) => Some(mutex.clone()),
            _ => None,
        };
        if let Some(mutex) = &mutex {
            self.emit(span, Action::Unlock(mutex.clone()));
        }
        if let Some(predicate) = args.get(1) {
            self.reads.clear();
            let predicate = self.evaluate(predicate);
            self.polling += 1;
            self.invoke_value(&predicate, Vec::new(), span);
            self.polling -= 1;
            // A wait that names its condition ends by the condition or by whoever notifies.
            let reads = std::mem::take(&mut self.reads);
            locations.extend(reads);
        }
        self.host_wait(locations, None, span);
        if let Some(mutex) = mutex {
            self.emit(span, Action::Lock(mutex));
        }
    }

    fn host_wait(&mut self, locations: Vec<Location>, until: Option<(BinaryOp, i64)>, span: Span) {
        for location in &locations {
            self.memory.shared.insert(location.clone());
        }
        let what = self.words(span);
        self.emit(
            span,
            Action::HostWait {
                locations,
                until,
                what,
            },
        );
    }

    fn atomic_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        match method {
            "store" | "exchange" => {
                let value = args.first().map_or(Value::Int(0), |it| self.evaluate(it));
                self.memory.shared.insert(place.clone());
                self.store(place, value, span);
                Some(self.memory.fresh())
            }
            "fetch_add" | "fetch_sub" | "fetch_or" | "fetch_and" | "test_and_set" | "clear"
                if args.len() <= 2 && !self.memory.arrays.contains(place) =>
            {
                let old = self.load(place);
                let value = match (method, args.first().map(|it| self.evaluate(it))) {
                    ("fetch_add", Some(added)) => self.memory.binary(BinaryOp::Add, old.clone(), added),
                    ("test_and_set", _) => Value::Int(1),
                    ("clear", _) => Value::Int(0),
                    _ => self.memory.fresh(),
                };
                self.memory.shared.insert(place.clone());
                self.store(place, value, span);
                Some(old)
            }
            "load" | "test" => {
                self.memory.shared.insert(place.clone());
                Some(self.load(place))
            }
            _ => None,
        }
    }

    fn container_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        if !self.memory.arrays.contains(place) {
            return None;
        }
        let length = self.memory.lengths.get(place).copied();
        match method {
            "push_back" | "emplace_back" => {
                let index = length.unwrap_or(0);
                let element = self.memory.element(place, index);
                let args = self.arguments(args);
                self.memory.lengths.insert(place.clone(), index + 1);
                self.fill_element(place, &element, args, span);
                Some(Value::Aggregate(element))
            }
            "resize" | "reserve" | "assign" => {
                let count = args.first().map(|it| self.evaluate(it));
                if let (Some(Value::Int(count)), true) = (count, method != "reserve") {
                    self.memory.lengths.insert(place.clone(), count);
                }
                Some(Value::Int(0))
            }
            "size" | "length" => {
                Some(length.map_or_else(|| self.memory.named(&format!("size {place:?}")), Value::Int))
            }
            "empty" => length.map(|it| Value::Int(i64::from(it == 0))),
            "data" | "begin" | "cbegin" => Some(Value::Pointer(self.memory.element(place, 0))),
            "front" => Some(self.element_value(place, 0)),
            "back" => Some(self.element_value(place, length.unwrap_or(1) - 1)),
            "at" => {
                let index = args.first().map(|it| self.evaluate(it));
                match index {
                    Some(Value::Int(index)) => Some(self.element_value(place, index)),
                    _ => None,
                }
            }
            "clear" => {
                self.memory.lengths.insert(place.clone(), 0);
                Some(Value::Int(0))
            }
            _ => None,
        }
    }

    fn element_value(&mut self, place: &Location, index: i64) -> Value {
        let element = self.memory.element(place, index);
        self.load(&element)
    }

    fn fill_element(&mut self, container: &Location, element: &Location, args: Vec<Argument>, span: Span) {
        let kind = self
            .memory
            .element_types
            .get(container)
            .cloned()
            .unwrap_or_default();
        if matches!(
            kind.as_str(),
            "std::thread" | "thread" | "std::jthread" | "jthread"
        ) {
            if let [
                Argument {
                    value: Value::Thread(thread),
                    ..
                },
            ] = args.as_slice()
            {
                self.memory.set(element.clone(), Value::Thread(*thread));
            } else {
                let thread = self.spawn(args, span);
                self.memory.set(element.clone(), thread);
            }
            return;
        }
        let class = self.program.resolve_class(
            self.scope(),
            &Name {
                path: type_path(&kind),
                template_args: Vec::new(),
            },
        );
        match class {
            Some(class) if !kind.is_empty() => self.construct(element, class, args, span),
            _ if args.len() == 2 => {
                for (argument, field) in args.into_iter().zip(["first", "second"]) {
                    self.assign(&element.field(field), argument.value);
                }
            }
            _ => {
                if let Some(first) = args.into_iter().next() {
                    self.assign(element, first.value);
                }
            }
        }
    }

    /// `std::map` and its like: an entry stands at a place named after its key.
    fn map_method(&mut self, place: &Location, method: &str, args: &'p [Expr]) -> Option<Value> {
        let end = Value::Str(std::sync::Arc::from("the end of a map"));
        match method {
            "end" | "cend" => Some(end),
            "find" | "at" | "count" | "contains" => {
                let key = self.evaluate(args.first()?);
                let entry = map_entry(place, &key);
                let found = self.memory.holds(&entry);
                Some(match (method, found) {
                    ("find", true) => Value::Pointer(entry),
                    ("find", false) => end,
                    ("at", _) => self.load(&entry.field("second")),
                    (_, found) => Value::Int(i64::from(found)),
                })
            }
            "emplace" | "try_emplace" | "insert_or_assign" if args.len() == 2 => {
                let args = self.arguments(args);
                let entry = map_entry(place, &args[0].value);
                self.assign(&entry.field("first"), args[0].value.clone());
                self.assign(&entry.field("second"), args[1].value.clone());
                let result = self.memory.local();
                self.memory.set(result.field("first"), Value::Pointer(entry));
                self.memory.set(result.field("second"), Value::Int(1));
                Some(Value::Aggregate(result))
            }
            _ => None,
        }
    }

    /// `std::optional` of a class of the program: its value stands at the place of the optional.
    fn optional_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let kind = self.memory.optionals.get(place).cloned()?;
        match method {
            "emplace" => {
                let args = self.arguments(args);
                let ty = Name {
                    path: type_path(&kind),
                    template_args: Vec::new(),
                };
                if let Some(class) = self.program.resolve_class(self.scope(), &ty) {
                    self.construct(place, class, args, span);
                    self.memory.classes.insert(place.clone(), class);
                }
                Some(Value::Aggregate(place.clone()))
            }
            "reset" => {
                self.empty_optional(place, span);
                Some(Value::Int(0))
            }
            "value" => Some(Value::Aggregate(place.clone())),
            "has_value" => Some(Value::Int(i64::from(self.memory.classes.contains_key(place)))),
            _ => None,
        }
    }

    /// Destroys what an optional holds, if it holds anything.
    pub(super) fn empty_optional(&mut self, place: &Location, span: Span) {
        if let Some(class) = self.memory.classes.get(place).copied() {
            self.destroy(place, class, span);
            self.memory.classes.remove(place);
        }
    }

    // Threads.

    /// `std::thread` at a place: spawns unless it is default constructed.
    pub(super) fn construct_thread(&mut self, place: &Location, args: Vec<Argument>, span: Span) {
        match args.as_slice() {
            [] => {}
            [
                Argument {
                    value: Value::Thread(thread),
                    ..
                },
            ] => self.memory.set(place.clone(), Value::Thread(*thread)),
            _ => {
                let thread = self.spawn(args, span);
                self.memory.set(place.clone(), thread);
            }
        }
    }

    /// Runs the callee as a new host thread; the order between the two is not decided here.
    fn spawn(&mut self, args: Vec<Argument>, span: Span) -> Value {
        let thread = self.new_thread();
        self.emit(span, Action::Spawn(thread));
        let mut args = args.into_iter();
        let Some(callee) = args.next() else {
            return Value::Thread(thread);
        };
        let args: Vec<Argument> = args.collect();
        self.pending.push(Pending {
            thread,
            callee: callee.value,
            args,
            span,
        });
        Value::Thread(thread)
    }

    /// Waits for a thread; what it does is known from here on.
    pub(super) fn join(&mut self, thread: ThreadId, span: Span) {
        if let Some(index) = self.pending.iter().position(|it| it.thread == thread) {
            let pending = self.pending.remove(index);
            self.run_pending(pending);
        }
        self.emit(span, Action::Join(thread));
    }

    /// Executes the threads nobody joined.
    pub(super) fn run_all_pending(&mut self) {
        let ended = std::mem::replace(&mut self.exited, false);
        while !self.pending.is_empty() {
            let pending = self.pending.remove(0);
            self.run_pending(pending);
        }
        self.exited |= ended;
    }

    fn run_pending(&mut self, pending: Pending) {
        let Pending {
            thread,
            callee,
            args,
            span,
        } = pending;
        self.as_thread(thread, |machine| machine.run_callee(&callee, args, span));
    }

    fn run_callee(&mut self, callee: &Value, mut args: Vec<Argument>, span: Span) {
        if let Value::Function(function, _) = callee
            && self.program.function(*function).role == Role::Method
            && !args.is_empty()
        {
            let object = self.pointee(&args.remove(0).value);
            let class = self.class_of_method(*function);
            if let (Some(object), Some(class)) = (object, class) {
                self.invoke(*function, Some((object, class)), args, span);
                return;
            }
        }
        self.invoke_value(callee, args, span);
    }

    /// Waits for the thread a place holds.
    pub(super) fn join_at(&mut self, place: &Location, span: Span) {
        if let Some(Value::Thread(thread)) = self.memory.get(place) {
            let thread = *thread;
            self.join(thread, span);
        }
    }
}

/// The place of a map's entry.
pub(super) fn map_entry(map: &Location, key: &Value) -> Location {
    match key {
        Value::Str(key) => map.field(&format!("[{key}]")),
        Value::Int(key) => map.field(&format!("[{key}]")),
        Value::Unknown(id) => map.step(super::Step::At(*id)),
        _ => map.step(super::Step::Any),
    }
}

/// The segments of a type written as text, without decoration.
fn type_path(written: &str) -> Vec<String> {
    let bare = written.split('<').next().unwrap_or(written);
    bare.trim_start_matches("const ")
        .trim_end_matches(['*', '&', ' '])
        .split("::")
        .map(str::to_owned)
        .collect()
}
