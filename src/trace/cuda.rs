//! CUDA calls: what each one enqueues, waits for and loads, with the roles of `api` bound to values.

use std::sync::Arc;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{
    Action, Base, Block, Call, EventId, KernelUse, LEGACY, Load, Location, StreamId, StreamKind, Wait, Work,
    WorkKind, Write,
};
use crate::api::{self, Blocking, Loading, Operation, Preload, Role};
use crate::facts::ir::{BinaryOp, Expr, Launch, Name};
use crate::program::kernels::LoadKind;
use crate::program::{FunctionId, Scope};
use crate::syntax::Span;

/// Batch mem-ops looked at per call.
const MAX_BATCH: i64 = 16;

/// A call being executed.
struct Invocation<'a> {
    entry: &'static api::Call,
    name: &'a str,
    args: &'a [Argument],
    span: Span,
}

impl Invocation<'_> {
    fn arg(&self, role: Role) -> Option<&Argument> {
        self.args.get(self.entry.argument(role, self.args.len())?)
    }
}

impl<'p> Machine<'p> {
    /// `kernel<<<…>>>(…)`.
    pub(super) fn launch(&mut self, launch: &'p Launch, span: Span) {
        let kernel = self.evaluate(&launch.kernel);
        let words = self.words(launch.kernel.span);
        let mut stream = None;
        for (index, it) in launch.config.iter().enumerate() {
            let argument = self.argument(it);
            if index == 3 {
                stream = Some(self.stream_of(&argument.value, &argument.words));
            }
        }
        let stream = stream.unwrap_or_else(|| self.default_stream());
        let args: Vec<Argument> = launch.args.iter().map(|it| self.argument(it)).collect();
        self.cuda_called = true;
        self.enqueue_kernel(&kernel, &words, stream, &args, None, span);
    }

    fn kernel_use(&self, kernel: &Value, words: &str) -> KernelUse {
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
                    name,
                }
            }
            Value::External(name) => KernelUse {
                function: None,
                name: name.to_string(),
            },
            _ => KernelUse {
                function: None,
                name: words.trim_start_matches('&').to_owned(),
            },
        }
    }

    fn enqueue_kernel(
        &mut self,
        kernel: &Value,
        words: &str,
        stream: StreamId,
        args: &[Argument],
        entry: Option<&'static api::Call>,
        span: Span,
    ) {
        let kernel_use = self.kernel_use(kernel, words);
        let (waits, writes) = match kernel {
            Value::Function(function, arguments) => self.kernel_effects(*function, arguments, args, span),
            _ => (Vec::new(), Vec::new()),
        };
        let work = Work {
            kind: WorkKind::Kernel,
            stream,
            kernel: Some(kernel_use.clone()),
            waits,
            writes,
        };
        let name = kernel_use.name.clone();
        self.finish(
            name,
            entry,
            Some(work),
            Block::None,
            false,
            Some(Load::Kernel(kernel_use)),
            span,
        );
    }

    /// Records a call; work for a capturing stream goes into its graph instead.
    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of a call, each named by its position in one place"
    )]
    fn finish(
        &mut self,
        name: String,
        entry: Option<&'static api::Call>,
        work: Option<Work>,
        blocks: Block,
        lock: bool,
        load: Option<Load>,
        span: Span,
    ) {
        let mut work = work;
        if let Some(it) = &work
            && let Some(graph) = self.capturing.get(&it.stream).copied()
        {
            if let WorkKind::Record(event) = it.kind {
                self.captured_events.insert(event, graph);
            }
            self.graphs[graph as usize].extend(work.take());
        }
        if let Some(Work {
            kind: WorkKind::WaitEvent(event),
            stream,
            ..
        }) = &work
            && let Some(graph) = self.captured_events.get(event)
            && self.capturing.values().any(|it| it == graph)
        {
            self.capturing.insert(*stream, *graph);
            return;
        }
        let device = self.device;
        self.emit(
            span,
            Action::Call(Box::new(Call {
                name,
                api: entry,
                work,
                blocks,
                lock,
                load,
                device,
            })),
        );
    }

    /// What one launch of a kernel waits for and writes, with its arguments bound.
    fn kernel_effects(
        &mut self,
        function: FunctionId,
        instance: &Arc<str>,
        args: &[Argument],
        span: Span,
    ) -> (Vec<Wait>, Vec<Write>) {
        let program = self.program;
        let Some(summary) = program.kernel(function) else {
            return (Vec::new(), Vec::new());
        };
        if summary.waits.is_empty() && summary.writes.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let definition = program.function(function);
        self.in_frame(function.file, &definition.path, None, None, |machine| {
            let instances = instance.split(", ").filter(|it| !it.is_empty()).map(Arc::from);
            machine.frame_mut().template = definition
                .template_params
                .iter()
                .cloned()
                .zip(instances)
                .collect();
            for (parameter, argument) in definition.params.iter().zip(args) {
                let place = machine.memory.local();
                machine.assign(&place, argument.value.clone());
                machine.declare(&parameter.name, place);
            }
            let mut waits = Vec::new();
            for it in summary.waits.iter() {
                if !machine.guards_hold(&it.guards) {
                    continue;
                }
                let locations: Vec<Location> = it
                    .places
                    .iter()
                    .filter_map(|place| machine.device_place(place, args, span))
                    .collect();
                if locations.len() < it.places.len() || locations.is_empty() {
                    continue;
                }
                let until = it
                    .until
                    .as_ref()
                    .and_then(|(op, value)| match machine.evaluate(value) {
                        Value::Int(value) => Some((*op, value)),
                        _ => None,
                    });
                let what = machine.place_words(&it.places[0], args, function);
                waits.push(Wait {
                    locations,
                    until,
                    load: it.load,
                    at: (it.file, it.span),
                    what,
                });
            }
            let mut writes = Vec::new();
            for it in summary.writes.iter() {
                if !machine.guards_hold(&it.guards) {
                    continue;
                }
                let Some(location) = machine.device_place(&it.place, args, span) else {
                    continue;
                };
                let value = it.value.as_ref().filter(|_| !it.atomic).and_then(|value| {
                    match machine.evaluate(value) {
                        Value::Int(value) => Some(value),
                        _ => None,
                    }
                });
                let after_wait = summary
                    .waits
                    .iter()
                    .any(|wait| wait.file == it.file && wait.span.start < it.span.start);
                writes.push(Write {
                    location,
                    range: false,
                    value,
                    at: (it.file, it.span),
                    guess: false,
                    after_wait,
                });
            }
            (waits, writes)
        })
    }

    fn guards_hold(&mut self, guards: &'p [(Expr, bool)]) -> bool {
        guards.iter().all(|(condition, taken)| {
            let value = self.evaluate(condition);
            self.truth(&value).is_none_or(|known| known == *taken)
        })
    }

    /// The place a kernel's summary names, with this launch's arguments.
    fn device_place(
        &mut self,
        place: &'p crate::program::kernels::Place,
        args: &[Argument],
        _span: Span,
    ) -> Option<Location> {
        use crate::program::kernels::{PlaceBase, PlaceStep};
        enum At {
            Value(Value),
            Place(Location),
        }
        let mut at = match place.base {
            PlaceBase::Parameter(index) => match &args.get(index as usize)?.value {
                Value::Aggregate(place) => At::Place(place.clone()),
                value => At::Value(value.clone()),
            },
            PlaceBase::Global(id) => At::Place(Location::object(Base::Global(id))),
            PlaceBase::Unknown => return None,
        };
        for step in &place.path {
            let element = |location: Location, machine: &mut Self| match step {
                PlaceStep::Field(field) => location.field(field),
                PlaceStep::Element(index) => location.element(*index),
                PlaceStep::Uniform(index) => match machine.evaluate(index) {
                    Value::Int(index) => location.element(index),
                    Value::Unknown(id) => location.step(super::Step::At(id)),
                    _ => location.step(super::Step::Any),
                },
                PlaceStep::Varying => location.step(super::Step::Any),
            };
            at = match (at, step) {
                (At::Place(location), PlaceStep::Field(_)) => At::Place(element(location, self)),
                (At::Place(location), _) => {
                    let is_array = self.memory.arrays.contains(&location)
                        || matches!(location.base, Base::Global(id) if location.path.is_empty() && self.program.global(id).variable.ty.pointers == 0);
                    let held = self.memory.get(&location).cloned();
                    match held {
                        Some(Value::Pointer(target)) if !is_array => At::Place(element(target, self)),
                        _ if matches!(location.base, Base::Local(_)) && !is_array => {
                            let value = self.memory.load(&location);
                            let target = self.pointee(&value)?;
                            At::Place(element(target, self))
                        }
                        _ => At::Place(element(location, self)),
                    }
                }
                (At::Value(value), _) => {
                    let target = self.pointee(&value)?;
                    At::Place(element(target, self))
                }
            };
        }
        match at {
            At::Place(location) => Some(location),
            At::Value(value) => self.pointee(&value),
        }
    }

    /// The waited place in the user's words: the argument as written at the launch, or the variable.
    fn place_words(
        &self,
        place: &crate::program::kernels::Place,
        args: &[Argument],
        _kernel: FunctionId,
    ) -> String {
        use crate::program::kernels::{PlaceBase, PlaceStep};
        let mut words = match place.base {
            PlaceBase::Parameter(index) => args
                .get(index as usize)
                .map_or_else(String::new, |it| it.words.clone()),
            PlaceBase::Global(id) => self.program.global(id).variable.name.clone(),
            PlaceBase::Unknown => String::new(),
        };
        for step in &place.path {
            if let PlaceStep::Field(field) = step {
                words = format!("{words}.{field}");
            }
        }
        words
    }

    /// A call of the CUDA API or a CUDA library by name.
    pub(super) fn cuda_call(
        &mut self,
        entry: &'static api::Call,
        name: &'p Name,
        args: &'p [Expr],
        span: Span,
    ) -> Value {
        let args: Vec<Argument> = args.iter().map(|it| self.argument(it)).collect();
        self.cuda_call_values(entry, name.last(), args, span)
    }

    /// The same with evaluated arguments.
    pub(super) fn cuda_call_values(
        &mut self,
        entry: &'static api::Call,
        name: &str,
        args: Vec<Argument>,
        span: Span,
    ) -> Value {
        if entry.operation != Operation::ErrorQuery {
            self.cuda_called = true;
        }
        let call = Invocation {
            entry,
            name,
            args: &args,
            span,
        };
        match entry.operation {
            Operation::StreamCreate => self.create_stream(&call),
            Operation::EventCreate => {
                let event = call
                    .arg(Role::Out)
                    .map(|it| handle_name(&it.words))
                    .unwrap_or_default();
                let event = self.new_event(event);
                self.fill_out(&call, Value::Event(event));
            }
            Operation::Allocate => self.allocate(&call, Origin::Device),
            Operation::AllocateAsync => self.allocate(&call, Origin::Pool),
            Operation::AllocateHost => self.allocate(&call, Origin::Pinned),
            Operation::AllocateManaged => self.allocate(&call, Origin::Managed),
            Operation::RegisterHost => {
                if let Some(Value::Pointer(Location {
                    base: Base::Allocation(index),
                    ..
                })) = call.arg(Role::Pointer).map(|it| &it.value)
                    && let Some(origin) = self.memory.allocations.get_mut(*index as usize)
                {
                    *origin = Origin::Pinned;
                }
                self.plain(&call, None);
            }
            Operation::HostDevicePointer => {
                let value = call
                    .arg(Role::Pointer)
                    .map_or_else(|| self.memory.fresh(), |it| it.value.clone());
                self.fill_out(&call, value);
            }
            Operation::SymbolAddress => {
                let symbol = call.arg(Role::Symbol).and_then(|it| self.symbol(it));
                let load = symbol.as_ref().and_then(unit_of);
                let value = symbol.map_or_else(|| self.memory.fresh(), Value::Pointer);
                self.fill_out(&call, value);
                self.plain(&call, load);
            }
            Operation::Launch | Operation::CooperativeLaunch => self.launch_call(&call),
            Operation::Copy => self.copy(&call),
            Operation::Memset => self.memset(&call),
            Operation::StreamWaitValue => self.wait_value(&call),
            Operation::StreamWriteValue => self.write_value(&call),
            Operation::StreamBatchMemOp => self.batch(&call),
            Operation::EventRecord => {
                let event = self.event_argument(&call);
                let stream = self.stream_argument(&call);
                self.enqueue(&call, WorkKind::Record(event), stream, Vec::new(), Vec::new());
            }
            Operation::StreamWaitEvent => {
                let event = self.event_argument(&call);
                let stream = self.stream_argument(&call);
                self.enqueue(&call, WorkKind::WaitEvent(event), stream, Vec::new(), Vec::new());
            }
            Operation::StreamQuery | Operation::EventQuery => {
                if self.polling > 0 {
                    let block = if entry.operation == Operation::EventQuery {
                        Block::Event(self.event_argument(&call))
                    } else {
                        Block::Stream(self.stream_argument(&call))
                    };
                    self.finish(name.to_owned(), Some(entry), None, block, false, None, span);
                }
            }
            Operation::HostFunction => self.host_function(&call),
            Operation::FunctionQuery => {
                let load = self
                    .kernel_argument(&call)
                    .filter(|_| entry.preloads != Preload::No)
                    .map(|it| Load::Kernel(it.1));
                if call.arg(Role::Out).is_some()
                    && let Some((kernel, _)) = self.kernel_argument(&call)
                {
                    self.fill_out(&call, kernel);
                }
                self.plain(&call, load);
            }
            Operation::ModuleGetFunction => self.get_function(&call),
            Operation::ModuleLoad | Operation::LibraryHandleCreate => {
                let handle = self.memory.fresh();
                self.fill_out(&call, handle);
                let load = self.call_load(&call);
                self.plain(&call, load);
            }
            Operation::LibrarySetStream => {
                let stream = self.stream_argument(&call);
                if let Some(handle) = args.first() {
                    self.handle_streams.insert(handle.value.clone(), stream);
                }
            }
            Operation::LibraryCall
            | Operation::CubAlgorithm
            | Operation::ThrustAlgorithm
            | Operation::CollectiveCall => self.library_call(&call),
            Operation::CaptureBegin => {
                let stream = self.stream_argument(&call);
                self.graphs.push(Vec::new());
                self.capturing.insert(stream, self.graphs.len() as u32 - 1);
            }
            Operation::CaptureEnd => {
                let stream = self.stream_argument(&call);
                if let Some(graph) = self.capturing.remove(&stream) {
                    self.capturing.retain(|_, it| *it != graph);
                    self.fill_out(&call, Value::Graph(graph));
                }
            }
            Operation::GraphInstantiate => {
                let graph = call.arg(Role::Graph).map(|it| it.value.clone());
                if let Some(graph) = graph {
                    self.fill_out(&call, graph);
                }
                self.plain(&call, None);
            }
            Operation::GraphLaunch => self.launch_graph(&call),
            Operation::DeviceSet => {
                if let Some(Value::Int(device)) = call.arg(Role::Device).or(args.first()).map(|it| &it.value)
                {
                    self.device = *device;
                }
                self.plain(&call, None);
            }
            Operation::Free | Operation::FreeHost | Operation::FreeAsync => self.free(&call),
            _ => {
                if call.arg(Role::Out).is_some() {
                    let value = self.memory.fresh();
                    self.fill_out(&call, value);
                }
                self.forget_outputs(&call);
                if entry.operation != Operation::ErrorQuery {
                    let load = self.call_load(&call);
                    self.plain(&call, load);
                }
            }
        }
        Value::Int(0)
    }

    // Arguments.

    fn stream_argument(&mut self, call: &Invocation<'_>) -> StreamId {
        match call.arg(Role::Stream) {
            Some(it) => {
                let (value, words) = (it.value.clone(), handle_name(&it.words));
                self.stream_of(&value, &words)
            }
            None => self.default_stream(),
        }
    }

    fn event_argument(&mut self, call: &Invocation<'_>) -> EventId {
        match call.arg(Role::Event) {
            Some(it) => {
                let (value, words) = (it.value.clone(), handle_name(&it.words));
                self.event_of(&value, &words)
            }
            None => self.new_event(String::new()),
        }
    }

    fn kernel_argument(&mut self, call: &Invocation<'_>) -> Option<(Value, KernelUse)> {
        let argument = call.arg(Role::Kernel)?;
        let value = match &argument.value {
            Value::Function(..) | Value::External(_) => argument.value.clone(),
            _ => return None,
        };
        let kernel_use = self.kernel_use(&value, &argument.words);
        Some((value, kernel_use))
    }

    /// The `__device__` variable a symbol argument names.
    fn symbol(&mut self, argument: &Argument) -> Option<Location> {
        match (&argument.place, &argument.value) {
            (Some(place), _) if matches!(place.base, Base::Global(_)) => Some(place.clone()),
            (_, Value::Pointer(place)) if matches!(place.base, Base::Global(_)) => Some(place.clone()),
            _ => None,
        }
    }

    fn fill_out(&mut self, call: &Invocation<'_>, value: Value) {
        let Some(argument) = call.arg(Role::Out) else {
            return;
        };
        match &argument.value {
            Value::Pointer(place) => {
                let place = place.clone();
                self.memory.set(place, value);
            }
            // `cudaMalloc(&p, n)` through a reference wrapper: the place itself was handed over.
            _ => {
                if let Some(place) = argument.place.clone() {
                    self.memory.set(place, value);
                }
            }
        }
    }

    /// Queries store through the pointers they are handed.
    fn forget_outputs(&mut self, call: &Invocation<'_>) {
        for argument in call.args {
            if let Value::Pointer(place) = &argument.value
                && argument.place.is_none()
                && matches!(place.base, Base::Local(_))
                && !self.memory.arrays.contains(place)
            {
                let value = self.memory.fresh();
                self.memory.set(place.clone(), value);
            }
        }
    }

    /// What a call waits for before it returns, whatever it enqueues.
    fn blocking(&mut self, call: &Invocation<'_>, enqueues: bool) -> Block {
        match call.entry.blocks {
            Blocking::None => Block::None,
            Blocking::Stream => Block::Stream(self.stream_argument(call)),
            Blocking::Event => Block::Event(self.event_argument(call)),
            Blocking::Legacy | Blocking::LegacyCopy if enqueues => Block::OwnWork,
            Blocking::Legacy | Blocking::LegacyCopy => Block::Stream(LEGACY),
            Blocking::PageableToHost => Block::None,
            Blocking::Device => Block::Device,
        }
    }

    fn call_load(&mut self, call: &Invocation<'_>) -> Option<Load> {
        match call.entry.loads {
            Loading::None => None,
            Loading::Function => match self.kernel_argument(call) {
                Some((_, kernel)) => Some(Load::Kernel(kernel)),
                None => Some(Load::Kernel(KernelUse {
                    function: None,
                    name: call.name.to_owned(),
                })),
            },
            Loading::Symbol => call
                .arg(Role::Symbol)
                .and_then(|it| self.symbol(it))
                .as_ref()
                .and_then(unit_of),
            Loading::Module => Some(Load::Module),
            Loading::Library => Some(Load::Library(library_of(call.name).to_owned())),
        }
    }

    /// A call without device work.
    fn plain(&mut self, call: &Invocation<'_>, load: Option<Load>) {
        let blocks = self.blocking(call, false);
        self.finish(
            call.name.to_owned(),
            Some(call.entry),
            None,
            blocks,
            call.entry.lock,
            load,
            call.span,
        );
    }

    fn enqueue(
        &mut self,
        call: &Invocation<'_>,
        kind: WorkKind,
        stream: StreamId,
        waits: Vec<Wait>,
        writes: Vec<Write>,
    ) {
        let work = Work {
            kind,
            stream,
            kernel: None,
            waits,
            writes,
        };
        let blocks = self.blocking(call, true);
        let load = self.call_load(call);
        self.finish(
            call.name.to_owned(),
            Some(call.entry),
            Some(work),
            blocks,
            call.entry.lock,
            load,
            call.span,
        );
    }

    // Operations.

    fn create_stream(&mut self, call: &Invocation<'_>) {
        let kind = match call.arg(Role::Flags).map(|it| &it.value) {
            None | Some(Value::Int(0)) => StreamKind::Blocking,
            Some(Value::Int(1)) => StreamKind::NonBlocking,
            Some(_) => StreamKind::Unknown,
        };
        let name = call
            .arg(Role::Out)
            .map(|it| handle_name(&it.words))
            .unwrap_or_default();
        let stream = self.new_stream(kind, name, true);
        self.fill_out(call, Value::Stream(stream));
        self.plain(call, None);
    }

    fn allocate(&mut self, call: &Invocation<'_>, origin: Origin) {
        let memory = self.memory.allocate(origin);
        self.fill_out(call, Value::Pointer(memory));
        self.plain(call, None);
    }

    fn free(&mut self, call: &Invocation<'_>) {
        let freed = call
            .arg(Role::Pointer)
            .or(call.args.first())
            .map(|it| it.value.clone());
        match freed {
            // Freeing nothing is the idiom that creates the context; pool memory is freed without waiting (M1).
            Some(Value::Int(0)) => {}
            Some(Value::Pointer(place)) if self.memory.origin(place.base) == Some(Origin::Pool) => {}
            _ => self.plain(call, None),
        }
    }

    fn launch_call(&mut self, call: &Invocation<'_>) {
        let Some(argument) = call.arg(Role::Kernel) else {
            return;
        };
        let (kernel, words) = (argument.value.clone(), argument.words.clone());
        let stream = match call.arg(Role::LaunchConfig).map(|it| it.value.clone()) {
            Some(config) => {
                let config = self.pointee(&config);
                let value = config
                    .map(|it| it.field("stream"))
                    .and_then(|it| self.memory.get(&it).cloned());
                match value {
                    Some(value) => self.stream_of(&value, "stream"),
                    None => self.default_stream(),
                }
            }
            None => self.stream_argument(call),
        };
        let args = self.launch_arguments(call, &kernel);
        self.enqueue_kernel(&kernel, &words, stream, &args, Some(call.entry), call.span);
    }

    /// Kernel arguments out of a `void**`, or the rest of a variadic launch.
    fn launch_arguments(&mut self, call: &Invocation<'_>, kernel: &Value) -> Vec<Argument> {
        let Some(packed) = call.arg(Role::KernelArguments) else {
            return call
                .entry
                .first_kernel_argument()
                .and_then(|first| call.args.get(first..))
                .unwrap_or_default()
                .to_vec();
        };
        let count = match kernel {
            Value::Function(function, _) => self.program.function(*function).params.len(),
            _ => 0,
        };
        let Some(mut array) = self.pointee(&packed.value) else {
            return Vec::new();
        };
        if self.memory.get(&array).is_none() {
            array = array.step(super::Step::Element(0));
        }
        (0..count as i64)
            .map(|index| {
                let place = match self.memory.get(&array.element(index)) {
                    Some(Value::Pointer(place)) => Some(place.clone()),
                    _ => None,
                };
                let value = match &place {
                    Some(place) => self.load(place),
                    None => self.memory.fresh(),
                };
                let words = match kernel {
                    Value::Function(function, _) => self.program.function(*function).params[index as usize]
                        .name
                        .clone(),
                    _ => String::new(),
                };
                Argument { value, place, words }
            })
            .collect()
    }

    fn copy(&mut self, call: &Invocation<'_>) {
        let destination = match call.arg(Role::Destination) {
            Some(it) => self.pointee(&it.value.clone()),
            None => call.arg(Role::Symbol).and_then(|it| self.symbol(it)),
        };
        let to_symbol = call.arg(Role::Destination).is_none() && call.arg(Role::Source).is_some();
        let direction = match call.arg(Role::Direction).map(|it| &it.value) {
            Some(Value::Int(direction)) => Some(*direction),
            Some(_) => None,
            None => match call.entry.direction {
                api::Direction::HostToDevice => Some(1),
                api::Direction::DeviceToHost => Some(2),
                api::Direction::DeviceToDevice => Some(3),
                _ if to_symbol => Some(1),
                _ => None,
            },
        };
        let value = match call.arg(Role::Source).map(|it| it.value.clone()) {
            Some(Value::Pointer(source)) if direction != Some(3) => match self.memory.get(&source) {
                Some(Value::Int(value)) => Some(*value),
                _ => None,
            },
            _ => None,
        };
        let at = (self.frame().file, call.span);
        let host_side = direction == Some(2);
        let writes = destination
            .into_iter()
            .map(|location| Write {
                location,
                range: true,
                value,
                at,
                guess: false,
                after_wait: false,
            })
            .collect();
        let stream = if call.arg(Role::Stream).is_some()
            || !matches!(call.entry.blocks, Blocking::LegacyCopy | Blocking::Legacy)
        {
            self.stream_argument(call)
        } else {
            self.default_stream()
        };
        let to_pageable = host_side
            && call
                .arg(Role::Destination)
                .is_some_and(|it| self.is_pageable(&it.value));
        let blocks = match call.entry.blocks {
            // Device to device copies do not wait (M10).
            Blocking::LegacyCopy if direction == Some(3) => Block::None,
            Blocking::LegacyCopy | Blocking::Legacy => Block::OwnWork,
            Blocking::PageableToHost if to_pageable => Block::OwnWork,
            Blocking::Stream => Block::OwnWork,
            Blocking::Device => Block::Device,
            _ => Block::None,
        };
        let load = call
            .arg(Role::Symbol)
            .and_then(|it| self.symbol(it))
            .and_then(|it| unit_of(&it));
        let work = Work {
            kind: WorkKind::Copy,
            stream,
            kernel: None,
            waits: Vec::new(),
            writes,
        };
        self.finish(
            call.name.to_owned(),
            Some(call.entry),
            Some(work),
            blocks,
            call.entry.lock,
            load,
            call.span,
        );
        // What was copied to the host is not known from here on.
        if host_side
            && let Some(Value::Pointer(place)) = call.arg(Role::Destination).map(|it| &it.value)
            && matches!(place.base, Base::Local(_))
            && !self.memory.arrays.contains(place)
        {
            let (place, value) = (place.clone(), self.memory.fresh());
            self.memory.set(place, value);
        }
    }

    fn memset(&mut self, call: &Invocation<'_>) {
        let destination = call
            .arg(Role::Destination)
            .and_then(|it| self.pointee(&it.value.clone()));
        let value = match call.arg(Role::Value).map(|it| &it.value) {
            // `cudaMemset` repeats a byte; the driver's D16 and D32 forms repeat the element.
            Some(Value::Int(value)) if call.name.contains("D32") || call.name.contains("D16") => Some(*value),
            Some(Value::Int(value)) => Some((value & 0xff).wrapping_mul(0x0101_0101)),
            _ => None,
        };
        let at = (self.frame().file, call.span);
        let writes = destination
            .into_iter()
            .map(|location| Write {
                location,
                range: true,
                value,
                at,
                guess: false,
                after_wait: false,
            })
            .collect();
        let stream = self.stream_argument(call);
        self.enqueue(call, WorkKind::Memset, stream, Vec::new(), writes);
    }

    fn wait_value(&mut self, call: &Invocation<'_>) {
        let Some(address) = call.arg(Role::Address).cloned() else {
            return;
        };
        let value = call.arg(Role::Value).map(|it| it.value.clone());
        let flags = call.arg(Role::Flags).map_or(Value::Int(0), |it| it.value.clone());
        let stream = self.stream_argument(call);
        let wait = self.value_wait(&address, value, &flags, call.span);
        self.enqueue(
            call,
            WorkKind::WaitValue,
            stream,
            wait.into_iter().collect(),
            Vec::new(),
        );
    }

    fn value_wait(
        &mut self,
        address: &Argument,
        value: Option<Value>,
        flags: &Value,
        span: Span,
    ) -> Option<Wait> {
        let location = self.pointee(&address.value)?;
        let op = match flags {
            Value::Int(flags) => match flags & 3 {
                0 => Some(BinaryOp::GreaterEqual),
                1 => Some(BinaryOp::Equal),
                2 => Some(BinaryOp::BitAnd),
                _ => None,
            },
            _ => None,
        };
        let until = match (op, value) {
            (Some(op), Some(Value::Int(value))) => Some((op, value)),
            _ => None,
        };
        let at = (self.frame().file, span);
        Some(Wait {
            locations: vec![location],
            until,
            load: LoadKind::Fresh,
            at,
            what: handle_name(&address.words),
        })
    }

    fn write_value(&mut self, call: &Invocation<'_>) {
        let Some(location) = call
            .arg(Role::Address)
            .and_then(|it| self.pointee(&it.value.clone()))
        else {
            return;
        };
        let value = match call.arg(Role::Value).map(|it| &it.value) {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        };
        let at = (self.frame().file, call.span);
        let stream = self.stream_argument(call);
        let write = Write {
            location,
            range: false,
            value,
            at,
            guess: false,
            after_wait: false,
        };
        self.enqueue(call, WorkKind::WriteValue, stream, Vec::new(), vec![write]);
    }

    /// `cuStreamBatchMemOp(stream, count, ops, flags)`: its operations happen in order.
    fn batch(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let array = call.args.iter().skip(1).find_map(|it| match &it.value {
            Value::Pointer(place) => Some(place.clone()),
            Value::Aggregate(place) => Some(place.clone()),
            _ => None,
        });
        let count = match call.args.get(1).map(|it| &it.value) {
            Some(Value::Int(count)) => *count,
            _ => 1,
        };
        let Some(array) = array else { return };
        for index in 0..count.min(MAX_BATCH) {
            let it = array.element(index);
            for (part, waits) in [("waitValue", true), ("writeValue", false)] {
                let Some(address) = self.memory.get(&it.field(part).field("address")).cloned() else {
                    continue;
                };
                let operation = self
                    .memory
                    .get(&it.field("operation"))
                    .or_else(|| self.memory.get(&it.field(part).field("operation")));
                let is_wait = match operation {
                    Some(Value::Int(operation)) => matches!(operation, 1 | 4),
                    _ => waits,
                };
                if is_wait != waits {
                    continue;
                }
                let value = self
                    .memory
                    .get(&it.field(part).field("value"))
                    .or_else(|| self.memory.get(&it.field(part).field("value64")))
                    .cloned();
                let flags = self
                    .memory
                    .get(&it.field(part).field("flags"))
                    .cloned()
                    .unwrap_or(Value::Int(0));
                let address = Argument {
                    value: address,
                    place: None,
                    words: String::new(),
                };
                self.batch_operation(call, stream, waits, &address, value, &flags);
            }
        }
    }

    fn batch_operation(
        &mut self,
        call: &Invocation<'_>,
        stream: StreamId,
        waits: bool,
        address: &Argument,
        value: Option<Value>,
        flags: &Value,
    ) {
        if waits {
            let wait = self.value_wait(address, value, flags, call.span);
            self.enqueue(
                call,
                WorkKind::WaitValue,
                stream,
                wait.into_iter().collect(),
                Vec::new(),
            );
        } else if let Some(location) = self.pointee(&address.value) {
            let value = match value {
                Some(Value::Int(value)) => Some(value),
                _ => None,
            };
            let at = (self.frame().file, call.span);
            let write = Write {
                location,
                range: false,
                value,
                at,
                guess: false,
                after_wait: false,
            };
            self.enqueue(call, WorkKind::WriteValue, stream, Vec::new(), vec![write]);
        }
    }

    /// A host function is device work: its stores release, its waits wait.
    fn host_function(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let callee = call.arg(Role::HostFunction).map(|it| it.value.clone());
        let data: Vec<Argument> = call.arg(Role::UserData).cloned().into_iter().collect();
        let thread = self.new_thread();
        if let Some(callee) = callee {
            let span = call.span;
            let data = if call.name.contains("AddCallback") {
                let unknown = || Argument {
                    value: Value::Int(0),
                    place: None,
                    words: String::new(),
                };
                vec![unknown(), unknown()].into_iter().chain(data).collect()
            } else {
                data
            };
            self.as_thread(thread, |machine| machine.invoke_value(&callee, data, span));
        }
        let events = std::mem::take(&mut self.trace.threads[thread.0 as usize].events);
        let (mut waits, mut writes) = (Vec::new(), Vec::new());
        for event in events {
            let at = (event.site.file, event.site.span);
            match event.action {
                Action::Store(write) => writes.push(write),
                Action::HostWait {
                    locations,
                    until,
                    what,
                } => waits.push(Wait {
                    locations,
                    until,
                    load: LoadKind::Fresh,
                    at,
                    what,
                }),
                _ => {}
            }
        }
        self.enqueue(call, WorkKind::HostFunction, stream, waits, writes);
    }

    fn get_function(&mut self, call: &Invocation<'_>) {
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

    /// A kernel by its symbol name, mangled or not.
    fn kernel_named(&mut self, symbol: &str) -> Value {
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

    fn library_call(&mut self, call: &Invocation<'_>) {
        let by_handle = call
            .args
            .first()
            .and_then(|it| self.handle_streams.get(&it.value).copied());
        let named = call.args.iter().find_map(|it| match it.value {
            Value::Stream(stream) => Some(stream),
            _ => None,
        });
        let stream = match (call.arg(Role::Stream), by_handle.or(named)) {
            (Some(_), _) => self.stream_argument(call),
            (None, Some(stream)) => stream,
            (None, None) => self.default_stream(),
        };
        self.enqueue(call, WorkKind::Other, stream, Vec::new(), Vec::new());
    }

    fn launch_graph(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let graph = match call.arg(Role::GraphExec).map(|it| &it.value) {
            Some(Value::Graph(graph)) => self.graphs.get(*graph as usize).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        let writes: Vec<Write> = graph
            .iter()
            .flat_map(|it| it.writes.iter().cloned())
            .map(|it| Write {
                after_wait: false,
                ..it
            })
            .collect();
        // What one node of the graph waits for another may do: order inside a graph is not looked at.
        let waits = graph
            .iter()
            .flat_map(|it| it.waits.iter().cloned())
            .filter(|wait| !writes.iter().any(|write| wait.ended_by(write)))
            .collect();
        self.enqueue(call, WorkKind::Graph, stream, waits, writes);
    }
}

/// The translation unit a `__device__` variable belongs to.
fn unit_of(place: &Location) -> Option<Load> {
    match place.base {
        Base::Global(id) => Some(Load::Unit(id.file)),
        _ => None,
    }
}

/// `&stream` and `(CUstream)stream` as a person would say it.
fn handle_name(words: &str) -> String {
    let mut words = words.trim();
    while let Some(rest) = words.strip_prefix('(') {
        match rest.split_once(')') {
            Some((_, after)) if !after.trim().is_empty() => words = after.trim(),
            _ => break,
        }
    }
    words.trim_start_matches('&').to_owned()
}

/// The library a call belongs to: what is loaded once.
fn library_of(name: &str) -> &str {
    const LIBRARIES: [&str; 9] = [
        "cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn", "nccl", "nvshmem", "thrust",
    ];
    LIBRARIES
        .iter()
        .find(|it| name.starts_with(**it))
        .copied()
        .unwrap_or(name)
}
