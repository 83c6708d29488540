//! Kernel launches: which kernel, with which arguments, and what it then waits for and writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::calls::Argument;
use super::cuda::{Invocation, handle_name};
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{Access, Awaited, Base, Block, KernelUse, Load, Location, StreamId, Wait, Work, WorkKind, Write};
use crate::api::{self, Preload, Role};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Function, Launch, MemorySpace, Name};
use crate::facts::written::written_arguments;
use crate::program::kernels::{
    Access as KernelAccess, Added, Arrivals, KernelSummary, LoadKind, Place, PlaceBase, PlaceStep, WaitLoop,
    written_name,
};
use crate::program::{FunctionId, Scope};

use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// `kernel<<<…>>>(…)`.
    pub(super) fn launch(&mut self, launch: &'p Launch, span: Span) {
        let kernel = match (self.evaluate(&launch.kernel), &launch.kernel.kind) {
            // A kernel that is not in the project, named at its launch.
            (Value::Unknown(_), ExprKind::Name(name)) if self.lookup(name.last()).is_none() => {
                Value::External(Arc::from(name.to_string().as_str()))
            }
            (kernel, _) => kernel,
        };
        let words = self.words(launch.kernel.span);
        let (mut stream, mut grid, mut block, mut shared) = (None, None, None, None);
        for (index, argument) in self.arguments(&launch.config).into_iter().enumerate() {
            match index {
                0 => grid = Some(argument.value.clone()),
                1 => block = Some(argument.value.clone()),
                2 => shared = Some(argument.value.clone()),
                _ => {}
            }
            if index == 3 {
                let value = self.converted(argument.value, "cudaStream_t", span);
                stream = Some(self.stream_of(&value, &argument.words));
            }
        }
        let stream = stream.unwrap_or_else(|| self.default_stream());
        let mut args: Vec<Argument> = self.arguments(&launch.args);
        if self.has_spent_part() {
            return;
        }
        self.note_site(span);
        if let Value::Function(function, _) = &kernel {
            self.make_parameters(*function, &mut args, span);
            self.convert_for(*function, &mut args, span);
            self.add_defaults(*function, &mut args);
        }
        self.cuda_called = true;
        self.note_callback_call(None, &words, span);
        let kernel = self.deduced(kernel, &args);
        self.shape = match (&grid, &block) {
            (Some(Value::Int(grid)), Some(Value::Int(block))) => (grid.checked_mul(*block), Some(*block)),
            (_, Some(Value::Int(block))) => (None, Some(*block)),
            _ => (None, None),
        };
        self.enqueue_kernel(&kernel, &words, stream, &args, None, span);
        self.shape = (None, None);
        self.note_shape(&kernel, &args, (grid, block, shared), Some(false), span);
        self.note_stalls(&kernel, &args);
    }

    /// Arguments that are braces alone are what the kernel's parameters are made of.
    fn make_parameters(&mut self, function: FunctionId, args: &mut [Argument], span: Span) {
        let program = self.program;
        let definition = program.function(function);
        for (parameter, argument) in definition.params.iter().zip(args) {
            if !self.memory.is_list(&argument.value) {
                continue;
            }
            let place = self.memory.local();
            let made = self.in_frame(function.file, &definition.path, None, None, |machine| {
                let is_meant = machine.is_made_of_list(parameter, &argument.value);
                is_meant
                    && machine
                        .make_named(&place, &parameter.ty.name, vec![argument.clone()], span)
                        .is_ok()
            });
            if made {
                *argument = Argument::unplaced(Value::Aggregate(place), argument.words.clone());
            }
        }
    }

    /// What a launch leaves to the defaults of the kernel's parameters.
    fn add_defaults(&mut self, function: FunctionId, args: &mut Vec<Argument>) {
        let program = self.program;
        let definition = program.function(function);
        for parameter in definition.params.iter().skip(args.len()) {
            let Some(default) = &parameter.default else {
                return;
            };
            let value = self.in_frame(function.file, &definition.path, None, None, |machine| {
                machine.evaluate(default)
            });
            args.push(Argument::unplaced(value, parameter.name.clone()));
        }
    }

    pub(super) fn kernel_use(&self, kernel: &Value, words: &str) -> KernelUse {
        match kernel {
            Value::Function(function, arguments) => {
                let name = self
                    .program
                    .function(*function)
                    .path
                    .last()
                    .cloned()
                    .unwrap_or_default();
                let name = if arguments.is_empty() {
                    name
                } else {
                    format!("{name}<{arguments}>")
                };
                KernelUse {
                    function: Some(*function),
                    arguments: self.comparable_arguments(arguments),
                    name,
                }
            }
            Value::External(name) => KernelUse {
                function: None,
                arguments: Vec::new(),
                name: name.to_string(),
            },
            _ => KernelUse {
                function: None,
                arguments: Vec::new(),
                name: words.trim_start_matches('&').to_owned(),
            },
        }
    }

    /// Template arguments in a form that can be compared: numbers, built-in types, constants and classes.
    fn comparable_arguments(&self, written: &str) -> Vec<Option<String>> {
        let one = |text: &str| -> Option<String> {
            let text = text.trim();
            if text.is_empty() || text.parse::<i64>().is_ok() || text.split_whitespace().all(is_builtin_type)
            {
                return (!text.is_empty()).then(|| text.to_owned());
            }
            let name = Name {
                path: text.split("::").map(str::to_owned).collect(),
                template_args: Vec::new(),
                owner_args: Vec::new(),
            };
            if let Some(value) = self.program.constant_value(self.scope(), &name) {
                return Some(value.to_string());
            }
            if let Some(alias) = self.program.resolve_alias(self.scope(), &name) {
                return is_builtin_type(alias.name.last()).then(|| alias.name.last().to_owned());
            }
            self.program
                .resolve_class(self.scope(), &name)
                .map(|class| format!("{class:?}"))
        };
        // Nested arguments are not told apart.
        if written.contains('<') {
            Vec::new()
        } else {
            written.split(',').map(one).collect()
        }
    }

    pub(super) fn enqueue_kernel(
        &mut self,
        kernel: &Value,
        words: &str,
        stream: StreamId,
        args: &[Argument],
        entry: Option<&'static api::Call>,
        span: Span,
    ) {
        let kernel_use = self.kernel_use(kernel, words);
        let (waits, writes, accesses) = match kernel {
            Value::Function(function, arguments) => self.kernel_effects(*function, arguments, args, span),
            _ => Default::default(),
        };
        let declared = match kernel {
            Value::Function(function, _) if !self.program.function(*function).defined => {
                self.declared_accesses(*function, args, span)
            }
            _ => Vec::new(),
        };
        let handed = match kernel {
            Value::Function(function, _) if self.program.function(*function).defined => Vec::new(),
            _ => self.handed_to_unknown(args, span),
        };
        let accesses = accesses.into_iter().chain(declared).chain(handed);
        let is_seen = matches!(kernel, Value::Function(it, _) if self.program.function(*it).defined);
        let called = match is_seen {
            true => self.functor_accesses(args),
            false => self.called_accesses(args, span),
        };
        let accesses = accesses.chain(called).collect();
        let work = Work {
            kind: WorkKind::Kernel,
            stream,
            kernel: Some(kernel_use.clone()),
            waits,
            writes,
            accesses,
        };
        // A handle of unknown origin was loaded by whoever made it.
        let known = matches!(kernel, Value::Function(..) | Value::External(_));
        let name = kernel_use.name.clone();
        let load = known.then_some(Load::Kernel(kernel_use));
        self.finish(name, entry, Some(work), Block::None, load, span);
    }

    /// What the caller of the entry point handed in and a kernel nobody knows is handed.
    fn handed_to_unknown(&self, args: &[Argument], span: Span) -> Vec<Access> {
        let access = |argument: &Argument| {
            let place = match &argument.value {
                Value::Unknown(id) => super::Location::object(super::Base::Outside(*id)),
                Value::Pointer(place) => place.clone(),
                _ => return None,
            };
            let super::Base::Outside(id) = place.base else {
                return None;
            };
            let access = self.access(
                place,
                super::Extent::Some,
                super::Mode::Read,
                span,
                &argument.words,
            );
            self.memory.handed_arguments.contains(&id).then_some(Access {
                sure: false,
                declared: true,
                ..access
            })
        };
        args.iter().filter_map(access).collect()
    }

    /// What one launch of a kernel waits for and writes, with its arguments bound.
    pub(super) fn kernel_effects(
        &mut self,
        function: FunctionId,
        instance: &Arc<str>,
        args: &[Argument],
        span: Span,
    ) -> (Vec<Wait>, Vec<Write>, Vec<Access>) {
        let Some(summary) = self.summary_of(function, instance, args) else {
            return Default::default();
        };
        if summary.waits.is_empty()
            && summary.internal_waits.is_empty()
            && summary.writes.is_empty()
            && summary.reads.is_empty()
        {
            return Default::default();
        }
        self.in_kernel(function, instance, args, |machine| {
            let mut writes = Vec::new();
            let mut numbers = BTreeMap::new();
            for (number, it) in (0_u32..).zip(&summary.writes) {
                if let Some(write) = machine.bound_write(it, args) {
                    numbers.insert(number, writes.len() as u32);
                    writes.push(write);
                }
            }
            let mut waits = Vec::new();
            let counted = summary.internal_waits.iter().filter(|it| it.arrivals.is_some());
            for it in summary.waits.iter().chain(counted) {
                let Some(mut wait) = machine.bound_wait(it, function, args) else {
                    continue;
                };
                wait.holds = it
                    .holds
                    .iter()
                    .filter_map(|it| numbers.get(it).copied())
                    .collect();
                wait.resets = it
                    .resets
                    .iter()
                    .filter_map(|it| numbers.get(it).copied())
                    .collect();
                for held in &wait.holds {
                    writes[*held as usize].after_wait = true;
                }
                waits.push(wait);
            }
            let accesses = machine.kernel_accesses(summary, function, args, span);
            machine.note_used_by_device(&accesses);
            (waits, writes, accesses)
        })
    }

    /// One write of a kernel as a launch reaches it.
    fn bound_write(&mut self, it: &'p KernelAccess, args: &[Argument]) -> Option<Write> {
        if !self.guards_hold(&it.guards) {
            return None;
        }
        let location = self.device_place(&it.place, args)?;
        let value = it.value.as_ref().and_then(|value| match self.evaluate(value) {
            Value::Int(value) => Some(value),
            _ => None,
        });
        Some(Write {
            location,
            range: false,
            value,
            least: None,
            at: (it.file, it.span),
            guess: false,
            after_wait: false,
            added: it.added.as_ref().and_then(|it| self.added_by_launch(it)),
        })
    }

    /// What a launch of this shape adds to a counter at most.
    fn added_by_launch(&self, added: &Added) -> Option<i64> {
        let (Some(threads), Some(block)) = self.shape else {
            return None;
        };
        let by_threads = added.per_thread.checked_mul(threads)?;
        let by_blocks = added.per_block.checked_mul(threads.checked_div(block)?)?;
        by_threads.checked_add(by_blocks)
    }

    /// One wait of a kernel as a launch reaches it; what it holds is left open.
    pub(super) fn bound_wait(
        &mut self,
        it: &'p WaitLoop,
        function: FunctionId,
        args: &[Argument],
    ) -> Option<Wait> {
        if !self.guards_hold(&it.guards) {
            return None;
        }
        let mut awaited = Vec::new();
        for place in &it.awaited {
            let known = place.until.as_ref();
            let until = known.and_then(|(op, value)| match self.evaluate(value) {
                Value::Int(value) => Some((*op, value)),
                _ => None,
            });
            let until = match &it.arrivals {
                Some(arrivals) => self.others_must_bring(arrivals, until)?,
                None => until,
            };
            awaited.push(Awaited {
                location: self.device_place(&place.place, args)?,
                until,
            });
        }
        let first = it.awaited.first()?;
        let sure = it.certain && self.guards_known(&it.guards);
        let what = self.place_words(&first.place, args, function);
        let load = self.load_kind(it.load, &awaited);
        let times = it.times.as_ref().map(|it| self.evaluate(it));
        Some(Wait {
            awaited,
            load,
            width: it.width,
            times: match times {
                Some(Value::Int(times)) => u64::try_from(times).unwrap_or(1).max(1),
                _ => 1,
            },
            last: it.last,
            behind: it.session,
            holds: Vec::new(),
            resets: Vec::new(),
            at: (it.file, it.span),
            sure,
            what,
        })
    }

    /// How a loop that repeats a plain load reads these places: a GPU keeps copies of its own memory only.
    fn load_kind(&self, load: LoadKind, places: &[Awaited]) -> LoadKind {
        let on_device = |place: &Awaited| match place.location.base {
            Base::Global(id) | Base::Instance(id, _) => {
                self.program.global(id).variable.space == Some(MemorySpace::Device)
            }
            base => self.memory.origin(base) == Some(Origin::Device),
        };
        match load {
            LoadKind::Cached if places.iter().all(on_device) => LoadKind::Plain,
            LoadKind::Cached => LoadKind::Fresh,
            other => other,
        }
    }

    /// The summary of a kernel with the classes and device functions its template parameters stand for here.
    pub(super) fn summary_of(
        &self,
        function: FunctionId,
        instance: &Arc<str>,
        args: &[Argument],
    ) -> Option<&'p KernelSummary> {
        let generic = self.program.kernel(function)?;
        if !generic.dependent {
            return Some(generic);
        }
        let named = |text: &String| -> Option<Name> {
            let written = written_name(text)?;
            let path = match self.class_of_type(&written) {
                Some(class) => self.program.class(class).path.clone(),
                None => {
                    let function = self.program.resolve_function(self.scope(), &written, None)?;
                    self.program.function(function).path.clone()
                }
            };
            Some(Name { path, ..written })
        };
        let arguments: Vec<Option<Name>> = written_arguments(instance).iter().map(named).collect();
        self.program
            .kernel_instance(function, &arguments, &self.handed_lambdas(args))
    }

    /// Evaluates something with a kernel's parameters bound as one launch binds them.
    pub(super) fn in_kernel<T>(
        &mut self,
        function: FunctionId,
        instance: &Arc<str>,
        args: &[Argument],
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let definition = self.program.function(function);
        self.in_frame(function.file, &definition.path, None, None, |machine| {
            let instances = written_arguments(instance).into_iter().map(Arc::from);
            machine.frame_mut().template = definition
                .template_params
                .iter()
                .cloned()
                .zip(instances)
                .collect();
            for (parameter, argument) in definition.params.iter().zip(args) {
                let place = machine.memory.local();
                machine.assign(&place, argument.value.clone());
                machine.bind_captures(&place, &argument.value);
                machine.declare(&parameter.name, place);
            }
            body(machine)
        })
    }

    /// What ends a wait for arrivals of which the launch itself brings too few; `None` where it may bring enough.
    fn others_must_bring(
        &mut self,
        arrivals: &'p Arrivals,
        until: Option<(BinaryOp, i64)>,
    ) -> Option<Option<(BinaryOp, i64)>> {
        let (Some(threads), Some(block)) = self.shape else {
            return None;
        };
        let Value::Int(needed) = self.evaluate(&arrivals.needed) else {
            return None;
        };
        let blocks = threads.checked_div(block)?;
        let own = arrivals.per_thread.checked_mul(threads)?;
        let own = own.checked_add(arrivals.per_block.checked_mul(blocks)?)?;
        (own < needed).then(|| match arrivals.counts {
            true => Some((BinaryOp::GreaterEqual, needed.saturating_sub(own))),
            false => until,
        })
    }

    pub(super) fn guards_hold(&mut self, guards: &'p [(Expr, bool)]) -> bool {
        guards.iter().all(|(condition, taken)| {
            let value = self.evaluate(condition);
            self.truth(&value).is_none_or(|known| known == *taken)
        })
    }

    /// Whether every one of them is known, where none of them fails.
    fn guards_known(&mut self, guards: &'p [(Expr, bool)]) -> bool {
        guards.iter().all(|(condition, _)| {
            let value = self.evaluate(condition);
            self.truth(&value).is_some()
        })
    }

    /// The waited place in the user's words: the argument as written at the launch, or the variable.
    pub(super) fn place_words(&self, place: &Place, args: &[Argument], _kernel: FunctionId) -> String {
        let mut words = match place.base {
            // What a lambda captured has a name of its own.
            PlaceBase::Parameter(index) => args
                .get(index as usize)
                .filter(|it| !matches!(it.value, Value::Closure(_)))
                .map_or_else(String::new, |it| handle_name(&it.words)),
            PlaceBase::Global(id) => self.program.global(id).variable.name.clone(),
            PlaceBase::Unknown => String::new(),
        };
        for step in &place.path {
            if let PlaceStep::Field(field) = step {
                let dot = if words.is_empty() { "" } else { "." };
                words = format!("{words}{dot}{field}");
            }
        }
        words
    }

    pub(super) fn launch_call(&mut self, call: &Invocation<'_>) {
        let Some(argument) = call.arg(Role::Kernel) else {
            return;
        };
        let (kernel, words) = (argument.value.clone(), argument.words.clone());
        let stream = match call.arg(Role::LaunchConfig).map(|it| it.value.clone()) {
            Some(config) => {
                let config = self.pointee(&config);
                let value = config.as_ref().and_then(|it| {
                    let mut names = ["stream", "hStream"].into_iter();
                    names.find_map(|name| self.configured(it, name))
                });
                let is_filled =
                    config.is_some_and(|it| self.memory.is_object(&it) && !self.is_from_elsewhere(&it));
                match value {
                    Some(value) => self.stream_of(&value, "stream"),
                    None if is_filled => self.default_stream(),
                    // A configuration somebody else made.
                    None => {
                        let value = self.memory.fresh();
                        self.stream_of(&value, "stream")
                    }
                }
            }
            None => self.stream_argument(call),
        };
        let args = self.launch_arguments(call, &kernel);
        self.enqueue_kernel(&kernel, &words, stream, &args, Some(call.entry), call.span);
        self.note_launch_call(call, &kernel, &args);
        self.note_stalls(&kernel, &args);
    }

    /// Whether something that is not known put an object where it is: fields that were only read say nothing of the rest.
    fn is_from_elsewhere(&self, object: &Location) -> bool {
        let outer = (0..=object.path.len()).map(|depth| Location {
            path: object.path[..depth].to_vec(),
            ..object.clone()
        });
        let mut values = outer.filter_map(|it| self.memory.get(&it));
        matches!(object.base, Base::Outside(_)) || values.any(|it| matches!(it, Value::Unknown(_)))
    }

    /// Kernel arguments out of a `void**`, or the rest of a variadic launch.
    pub(super) fn launch_arguments(&mut self, call: &Invocation<'_>, kernel: &Value) -> Vec<Argument> {
        let Some(packed) = call.arg(Role::KernelArguments) else {
            return call
                .entry
                .first_kernel_argument()
                .and_then(|first| call.args.get(first..))
                .unwrap_or_default()
                .to_vec();
        };
        match self.pointee(&packed.value) {
            Some(array) => self.packed_arguments(&array, kernel),
            None => Vec::new(),
        }
    }

    pub(super) fn get_function(&mut self, call: &Invocation<'_>) {
        let kernel = match call.arg(Role::NameString).map(|it| &it.value) {
            Some(Value::Str(name)) => self.kernel_named(&name.clone()),
            _ => call
                .arg(Role::Kernel)
                .map_or_else(|| self.memory.fresh(), |it| it.value.clone()),
        };
        self.fill_out(call, kernel.clone());
        let load = match (&kernel, call.entry.preloads) {
            (Value::Function(..) | Value::External(_), Preload::Yes | Preload::Measured) => {
                Some(Load::Kernel(self.kernel_use(&kernel, "")))
            }
            _ => None,
        };
        self.plain(call, load);
    }

    /// `cudaGetDriverEntryPoint("cuStreamWaitValue32", &pointer, …)`: the pointer is the call.
    pub(super) fn entry_point(&mut self, call: &Invocation<'_>) {
        if !call.name.contains("DriverEntryPoint") && !call.name.starts_with("cuGetProcAddress") {
            return;
        }
        let values = (call.args.first(), call.args.get(1));
        if let (Some(Value::Str(name)), Some(Value::Pointer(place))) =
            (values.0.map(|it| &it.value), values.1.map(|it| &it.value))
            && api::lookup(name).is_some()
        {
            self.memory.set(place.clone(), Value::Api(name.clone()));
        }
    }

    /// Template arguments that follow from the declared types of the arguments of a launch.
    pub(super) fn deduced(&self, kernel: Value, args: &[Argument]) -> Value {
        let Value::Function(function, written) = &kernel else {
            return kernel;
        };
        let definition = self.program.function(*function);
        if !written.is_empty() || definition.template_params.is_empty() {
            return kernel;
        }
        let params = definition.template_params.iter();
        let found: Option<Vec<String>> = params
            .map(|it| self.deduced_parameter(definition, it, args))
            .collect();
        match found {
            Some(found) => Value::Function(*function, Arc::from(found.join(", ").as_str())),
            None => kernel,
        }
    }

    /// What the declared types of the arguments say a template parameter stands for.
    pub(super) fn deduced_parameter(
        &self,
        definition: &Function,
        wanted: &str,
        args: &[Argument],
    ) -> Option<String> {
        definition
            .params
            .iter()
            .zip(args)
            .filter(|(parameter, _)| parameter.ty.name.last() == wanted)
            .find_map(|(parameter, argument)| {
                let declared = argument
                    .place
                    .as_ref()
                    .and_then(|it| self.memory.declared.get(it));
                let Some(declared) = declared else {
                    let class = self.class_of_value(&argument.value)?;
                    return (parameter.ty.pointers == 0).then_some(class);
                };
                let pointers = "*".repeat(usize::from(parameter.ty.pointers));
                let core = declared.strip_suffix(pointers.as_str())?;
                (!core.ends_with('*')).then(|| core.to_owned())
            })
    }

    /// The class of an object, as template arguments name it.
    fn class_of_value(&self, value: &Value) -> Option<String> {
        let Value::Aggregate(place) = value else {
            return None;
        };
        let class = self.memory.classes.get(place)?;
        let class = self.program.class(*class);
        class.template_params.is_empty().then(|| class.path.join("::"))
    }

    /// A kernel by its symbol name, mangled or not.
    pub(super) fn kernel_named(&mut self, symbol: &str) -> Value {
        let scope = Scope {
            file: self.frame().file,
            path: &[],
        };
        let plain = symbol.strip_prefix("_Z").map_or(symbol, |rest| {
            let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
            let length: usize = rest[..digits].parse().unwrap_or(0);
            rest.get(digits..digits + length).unwrap_or(symbol)
        });
        match self.program.resolve_kernel(scope, &Name::plain(plain)) {
            Some(kernel) => Value::Function(kernel, Arc::from("")),
            None => Value::External(Arc::from(symbol)),
        }
    }
}

pub(super) fn is_builtin_type(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "unsigned"
            | "float"
            | "double"
            | "char"
            | "bool"
            | "long"
            | "short"
            | "true"
            | "false"
            | "half"
    )
}
