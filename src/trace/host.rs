//! The host side that orders things without CUDA: the C and C++ library, the environment, atomics.

use super::calls::Argument;
use super::environment::LOADING_MODE;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::numbers::Declared;
use super::{Action, Location, Mode, Step, Write, texts};
use crate::api::library;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Name};
use crate::program::kernels::written_name;
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// A function of the C or C++ library that matters; `None` when it is not one of them.
    pub(super) fn host_call(&mut self, name: &'p Name, args: &'p [Expr], span: Span) -> Option<Value> {
        if matches!(name.last(), "raw_pointer_cast" | "device_pointer_cast") {
            return Some(self.arguments(args).into_iter().next()?.value);
        }
        let qualified = name.path.len() > 1;
        if qualified && !matches!(name.path[name.path.len() - 2].as_str(), "std" | "boost" | "") {
            return None;
        }
        // What the program declares itself is not the library's.
        if !qualified && self.program.only_declares(self.scope(), name, args.len()) {
            return None;
        }
        let value = match name.last() {
            name if name.starts_with("omp_") && args.is_empty() => self.openmp_call(name)?,
            "visit" if let [_, variant] = args => {
                let visitor = self.argument(&args[0]);
                self.settle_variant(variant);
                let variant = self.argument(variant);
                self.invoke_value(&visitor.value, vec![variant], span)
            }
            "atexit" | "at_quick_exit" => {
                let callee = self.arguments(args).into_iter().next()?.value;
                self.at_exit(super::machine::Cleanup::Run(callee));
                Value::Int(0)
            }
            "bind" | "bind_front" | "mem_fn" => {
                let is_shared = |it: &Expr| part_type(it) == "&";
                let shared: Vec<bool> = args.iter().map(is_shared).collect();
                let mut args = self.arguments(args);
                for (argument, shared) in args.iter_mut().zip(shared).skip(1) {
                    if !shared {
                        self.keep_copy(argument);
                    }
                }
                let mut args = args.into_iter();
                let callee = args.next()?.value;
                self.bindings.push((callee, args.collect()));
                Value::Bound(self.bindings.len() as u32 - 1)
            }
            name if is_posix(name) => self.posix_call(name, args, span)?,
            "make_cudaPitchedPtr" => self.arguments(args).into_iter().next()?.value,
            name if library::changes_environment(name) => {
                let args = self.arguments(args);
                self.set_environment(name, &args);
                Value::Int(0)
            }
            "getenv" | "secure_getenv" => match args.first().map(|it| self.evaluate(it)) {
                Some(value) => self.environment_variable(&value),
                None => self.memory.fresh(),
            },
            name if library::takes_options(name) => {
                self.start.asked = true;
                if !self.start.bare {
                    return None;
                }
                self.arguments(args);
                Value::Int(-1)
            }
            "cuModuleGetLoadingMode" => {
                let mode = self.arguments(args).into_iter().next()?.value;
                let place = self.pointee(&mode)?;
                let value = self.memory.named(LOADING_MODE);
                self.memory.set(place, value);
                Value::Int(0)
            }
            "strlen" => {
                let args = self.arguments(args);
                let length = match args.first().map(|it| &it.value) {
                    Some(Value::Str(text)) => texts::length_of(text),
                    _ => None,
                };
                length.map_or_else(|| self.memory.fresh(), |it| Value::Int(it as _))
            }
            "strcmp" | "strncmp" => {
                let args = self.arguments(args);
                self.compare_strings(&args, false)
            }
            "strcasecmp" | "strncasecmp" => {
                let args = self.arguments(args);
                self.compare_strings(&args, true)
            }
            name if library::ends(name) => {
                self.exited = true;
                self.ended_by = self
                    .control
                    .frames
                    .iter()
                    .rev()
                    .find(|it| !it.transparent)
                    .and_then(|it| it.function);
                Value::Int(0)
            }
            "make_unique" | "make_shared" => {
                let args = self.arguments_handed_on(args);
                let written = self.template_argument(name.template_args.first()?);
                let object = match written.trim_end().strip_suffix("[]") {
                    Some(held) => self.new_array(held, args.into_iter().next(), span),
                    None => {
                        let made = name.template_args.first()?;
                        let ty = written_name(made).unwrap_or_else(|| Name::of_type(made));
                        self.new_object(&ty, args, span)
                    }
                };
                let place = self.memory.local();
                let kind = name.last().replace("make_", "") + "_ptr";
                self.smart_pointer(&place, &Name::plain(&kind), vec![object]);
                Value::Aggregate(place)
            }
            "make_pair" | "make_tuple" if name.path.first().is_some_and(|it| it == "std") => {
                let types: Vec<String> = args.iter().map(|it| part_type(it).to_owned()).collect();
                let parts = self.arguments(args);
                let made = self.parts_of(name.last() == "make_pair", &types, parts);
                for (index, argument) in args.iter().enumerate() {
                    if let Some(number) = self.number_of(argument) {
                        let part = self.part(&made, index);
                        self.memory.numbers.insert(part, Declared::plain(number));
                    }
                }
                Value::Aggregate(made)
            }
            "tie" | "forward_as_tuple" if name.path.first().is_some_and(|it| it == "std") => {
                let parts = self.arguments(args);
                let types = vec!["&".to_owned(); parts.len()];
                Value::Aggregate(self.parts_of(false, &types, parts))
            }
            "async" => {
                let args = self.arguments(args);
                self.spawn_async(args, span)
            }
            "make_optional" => self.make_optional(name, args, span),
            "get" | "get_if" | "holds_alternative" | "any_cast" => self.part_call(name, args)?,
            "swap" if args.len() == 2 => self.swap_places(args),
            "exchange" if args.len() == 2 => self.exchange_value(args)?,
            name if library::allocates(name) => {
                let args = self.arguments(args);
                let object = self.memory.allocate(Origin::Heap);
                if let ("malloc" | "operator new" | "operator new[]", [bytes]) = (name, args.as_slice()) {
                    self.sizes.insert(object.base, bytes.value.clone());
                }
                if name == "calloc" {
                    self.memory.zero(&object);
                }
                self.note_heap(&object, span);
                Value::Pointer(object)
            }
            "posix_memalign" if args.len() == 3 => {
                let args = self.arguments(args);
                let object = self.memory.allocate(Origin::Heap);
                self.note_heap(&object, span);
                let Value::Pointer(out) = args.into_iter().next()?.value else {
                    return None;
                };
                self.store(&out, Value::Pointer(object), span);
                Value::Int(0)
            }
            "shared_from_this" if args.is_empty() => {
                let object = self.this()?;
                self.memory.add_owner(object.clone());
                Value::Pointer(object)
            }
            "memset" | "memcpy" | "memmove" if args.len() == 3 => {
                let args = self.arguments(args);
                self.store_range(name.last(), &args, span);
                Value::Int(0)
            }
            "memcmp" | "fwrite" => {
                let args = self.arguments(args);
                for argument in &args {
                    self.touch_argument(argument, Mode::Read, span);
                }
                self.memory.fresh()
            }
            name if library::stores_atomically(name) => {
                let args = self.arguments(args);
                self.atomic_store(name, &args, span);
                Value::Int(0)
            }
            name if library::loads_atomically(name) => {
                let args = self.arguments(args);
                let place = self.pointee(&args.first()?.value)?;
                self.memory.shared.insert(place.clone());
                self.load(&place)
            }
            "move" | "forward" | "ref" | "cref" | "as_const" | "reinterpret_cast" | "static_cast"
            | "const_cast" | "bit_cast"
                if args.len() == 1 =>
            {
                let argument = self.argument(&args[0]);
                if let ("move", Some(place)) = (name.last(), &argument.place) {
                    self.host_memory_moves(&Value::Aggregate(place.clone()));
                }
                match name.last() {
                    "ref" | "cref" => self.referred_to(argument.value),
                    _ => argument.value,
                }
            }
            // Equal texts are equal keys, however they are wrapped.
            "string" | "string_view" if args.len() == 1 => match self.argument(&args[0]).value {
                text @ (Value::Str(_) | Value::Unknown(_)) => text,
                _ => self.memory.fresh(),
            },
            "call_once" if args.len() >= 2 => {
                let mut args = self.arguments(args).into_iter();
                let flag = args.next().and_then(|it| it.place)?;
                let callee = args.next()?;
                if !self.may_be_passed(&flag) {
                    // No number: what is given up on is not done again.
                    self.memory.set(flag.clone(), Value::Pointer(flag));
                    self.run_callee(&callee.value, args.collect(), span);
                }
                Value::Int(0)
            }
            "atomic_ref" if args.len() == 1 => self.argument(&args[0]).place.map(Value::Aggregate)?,
            "min" | "max" if args.len() == 2 => {
                let args = self.arguments(args);
                match (&args[0].value, &args[1].value) {
                    (Value::Int(a), Value::Int(b)) if *a >= 0 && *b >= 0 => {
                        Value::Int(if name.last() == "min" {
                            *a.min(b)
                        } else {
                            *a.max(b)
                        })
                    }
                    (a, b) if a == b => a.clone(),
                    _ => self.same_for_same(name.last(), &args),
                }
            }
            name if library::depends_on_values(name) => {
                let args = self.arguments(args);
                self.same_for_same(name, &args)
            }
            _ => return None,
        };
        Some(value)
    }

    /// What a function gives that knows nothing but the numbers and texts it is handed: the same for the same. Through pointers it
    /// stores (`stoi(text, &position)`).
    fn same_for_same(&mut self, name: &str, args: &[Argument]) -> Value {
        if let (
            "to_string",
            [
                Argument {
                    value: Value::Int(number),
                    ..
                },
            ],
        ) = (name, args)
        {
            return Value::Str(number.to_string().into());
        }
        if let [
            Argument {
                value: Value::Int(number),
                ..
            },
        ] = args
            && let Some(known) = library::of_bits(name, *number)
        {
            return Value::Int(known);
        }
        let is_plain = |it: &Argument| matches!(it.value, Value::Int(_) | Value::Str(_) | Value::Unknown(_));
        let is_lost = |it: &Argument| matches!(it.value, Value::Unknown(id) if self.memory.is_lost(id));
        if !args.iter().all(is_plain) {
            for argument in args {
                if let Value::Pointer(place) = &argument.value {
                    self.memory.lose_under(place);
                }
            }
            return self.memory.fresh();
        }
        if args.iter().any(is_lost) {
            return self.memory.fresh_lost();
        }
        let values: Vec<&Value> = args.iter().map(|it| &it.value).collect();
        self.memory.named(&format!("{name}{values:?}"))
    }

    /// Whether what is done once behind a flag is done, or that flag may be another element of its array whose work is done.
    fn may_be_passed(&self, flag: &Location) -> bool {
        let is_passed = |it: &Value| matches!(it, Value::Pointer(_));
        let open = |it: &Location| matches!(it.path.last(), Some(Step::At(_) | Step::Any));
        if self.memory.get(flag).is_some_and(is_passed) {
            return true;
        }
        let Some((_, before)) = flag.path.split_last() else {
            return false;
        };
        let array = Location {
            base: flag.base,
            path: before.to_vec(),
        };
        let mut others = self.memory.under(&array);
        others.any(|(it, value)| {
            it.path.len() == flag.path.len() && is_passed(value) && (open(it) || open(flag))
        })
    }

    /// What is kept of a number or an object that was handed over by its name: a copy.
    fn keep_copy(&mut self, argument: &mut Argument) {
        let plain = matches!(argument.value, Value::Int(_) | Value::Str(_) | Value::Unknown(_));
        if plain && argument.place.is_some() {
            let copy = self.memory.local();
            self.memory.set(copy.clone(), argument.value.clone());
            argument.place = Some(copy);
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
        self.touch_argument(&args[0], Mode::Write, span);
        if function != "memset" {
            self.touch_argument(&args[1], Mode::Read, span);
        }
        if self.device_visible(&place) {
            let at = self.at(span);
            self.emit(
                span,
                Action::Store(Write {
                    location: place.clone(),
                    range: true,
                    value,
                    least: None,
                    at,
                    guess: false,
                    after_wait: false,
                    added: None,
                }),
            );
        }
        self.fill(function, &place, args, value);
    }

    /// What `memset`, `memcpy` and `memmove` leave in an object: a whole one, unless the number of bytes says otherwise.
    fn fill(&mut self, function: &str, place: &Location, args: &[Argument], value: Option<i64>) {
        if self.fill_numbers(function, place, args) {
            return;
        }
        let is_scalar = !self.memory.arrays.contains(place)
            && !self.memory.is_object(place)
            && self.memory.number_of_place(place).is_some();
        let bytes = match &args[2].value {
            Value::Int(bytes) => Some(*bytes),
            _ => None,
        };
        if function == "memset" {
            match (&args[1].value, is_scalar) {
                (Value::Int(0), _) if !self.is_part(place, bytes) => {
                    if matches!(place.path.last(), Some(Step::Element(_))) {
                        // How many elements it is about is not known.
                        self.memory.lose_under(&super::models::owner_of(place));
                    }
                    self.memory.zero(place);
                }
                (_, true) => {
                    let value = self.memory.fresh();
                    self.memory.set(place.clone(), value);
                }
                _ => self.memory.lose_under(&super::models::owner_of(place)),
            }
            return;
        }
        match self.pointee(&args[1].value) {
            Some(from) if !self.is_part(place, bytes) && !self.is_part(&from, bytes) => {
                let kind = |it: &Location| self.memory.number_of_place(it).map(|it| it.bytes().is_some());
                if is_scalar && kind(place) != kind(&from) {
                    // The bytes of one kind of number as another.
                    let value = self.memory.fresh();
                    self.memory.set(place.clone(), value);
                    return;
                }
                self.memory.copy_object(&from, place);
                if let (Some(value), true) = (value, is_scalar) {
                    self.memory.set(place.clone(), Value::Int(value));
                }
            }
            _ => self.memory.lose_under(&super::models::owner_of(place)),
        }
    }

    /// Whether so many bytes from a place on are not the whole object that begins there.
    fn is_part(&self, place: &Location, bytes: Option<i64>) -> bool {
        let whole = match (
            self.memory.lengths.get(place),
            self.memory.number_of_place(place).and_then(|it| it.bytes()),
        ) {
            (Some(length), Some(unit)) => length.checked_mul(unit),
            (None, Some(unit)) => Some(unit),
            _ => None,
        };
        match (bytes, whole) {
            (Some(bytes), Some(whole)) => bytes < whole,
            // Elements behind the first one.
            _ => matches!(place.path.last(), Some(Step::Element(index)) if *index != 0),
        }
    }

    fn atomic_store(&mut self, function: &str, args: &[Argument], span: Span) {
        let Some(place) = args.first().and_then(|it| self.pointee(&it.value)) else {
            return;
        };
        self.memory.shared.insert(place.clone());
        let value = match (function, args.get(1)) {
            ("__atomic_store", _) | (_, None) => self.memory.fresh(),
            (name, Some(added)) if library::adds_atomically(name) => {
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
        self.see_container(place);
        if let Some(value) = self.device_vector_method(place, method, args, span) {
            return Some(value);
        }
        if let Some(value) = self.container_operator(place, method, args, span) {
            return Some(value);
        }
        if self.memory.maps.contains(place)
            && let Some(value) = self.map_method(place, method, args, span)
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
        if let Some(Value::Str(text)) = &held
            && let Some(value) = texts::asked_of_text(text, method)
        {
            return Some(value);
        }
        if matches!(held, Some(Value::Str(_))) && !library::asks_text(method) {
            // It is changed, or what it hands out leads into it.
            let lost = self.memory.fresh_lost();
            self.memory.set(place.clone(), lost);
        }
        if let ("compare", [other], Some(text)) = (method, args, &held) {
            let other = self.evaluate(other);
            return Some(self.compare_texts(text, &other));
        }
        if self.memory.weak.contains(place)
            && let Some(value) = self.weak_method(place, method)
        {
            return Some(value);
        }
        if self.memory.smart.contains(place)
            && matches!(method, "get" | "reset" | "release" | "use_count" | "unique")
        {
            return self.smart_pointer_method(place, method, args, span);
        }
        if let Some(value) = self.thread_method(place, held.as_ref(), method, args, span) {
            return Some(value);
        }
        if let Some(value) = self.atomic_method(place, method, args, span) {
            return Some(value);
        }
        if let ("swap", [other]) = (method, args)
            && !self.memory.arrays.contains(place)
        {
            let other = self.argument(other);
            self.swap_objects(Some(place), other.place.as_ref());
            return Some(Value::Int(0));
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
            "use_count" | "unique" => {
                let owners = match self.memory.get(place) {
                    Some(Value::Int(0)) => Some(0),
                    Some(Value::Pointer(object)) => self.memory.owners_of(object),
                    _ => None,
                };
                let counted = owners.filter(|_| self.memory.counted.contains(place));
                let count = counted.map_or_else(|| self.memory.fresh(), Value::Int);
                Some(match method {
                    "unique" => self.memory.binary(BinaryOp::Equal, count, Value::Int(1)),
                    _ => count,
                })
            }
            _ => {
                self.release_pointer(place, span);
                // A new object comes with a deleter of its own, or with none, where owners are counted.
                if self.memory.counted.contains(place) {
                    self.memory.deleters.remove(place);
                }
                if let Some(new) = args.first() {
                    let value = self.evaluate_copy(new);
                    self.assign(place, value);
                }
                if let Some(deleter) = args.get(1) {
                    let deleter = self.evaluate(deleter);
                    self.memory.deleters.insert(place.clone(), deleter);
                }
                Some(Value::Int(0))
            }
        }
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
                    ("fetch_sub", Some(taken)) => self.memory.binary(BinaryOp::Subtract, old.clone(), taken),
                    ("test_and_set", _) => Value::Int(1),
                    ("clear", _) => Value::Int(0),
                    _ => self.memory.fresh(),
                };
                self.memory.shared.insert(place.clone());
                self.store(place, value, span);
                Some(old)
            }
            method if library::compares_atomically(method) && args.len() >= 2 => {
                let expected = self.place(&args[0])?;
                let wanted = self.evaluate(&args[1]);
                let (held, old) = (self.load(place), self.load(&expected));
                let equal = self.memory.binary(BinaryOp::Equal, held.clone(), old.clone());
                self.memory.shared.insert(place.clone());
                match self.truth(&equal) {
                    Some(true) => self.store(place, wanted, span),
                    Some(false) => self.assign(&expected, held),
                    None => {
                        let (stored, seen) = (self.memory.fresh(), self.memory.fresh());
                        self.store(place, stored, span);
                        self.assign(&expected, seen);
                    }
                }
                Some(equal)
            }
            "load" | "test" => {
                self.memory.shared.insert(place.clone());
                Some(self.load(place))
            }
            _ => None,
        }
    }
}

/// What `std::make_tuple` makes of an argument: a reference where it is told to.
fn part_type(argument: &Expr) -> &'static str {
    let is_reference = match &argument.kind {
        ExprKind::Call(call) => match &call.callee.kind {
            ExprKind::Name(name) => call.args.len() == 1 && matches!(name.last(), "ref" | "cref"),
            _ => false,
        },
        _ => false,
    };
    if is_reference { "&" } else { "" }
}

fn is_posix(name: &str) -> bool {
    let families = ["pthread_", "sem_", "thrd_", "mtx_", "cnd_"];
    families.iter().any(|it| name.starts_with(it))
}
