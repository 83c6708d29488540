//! CUDA calls: what each one enqueues, waits for and loads, with the roles of `api` bound to values.

use super::calls::Argument;
use super::graph_order::Graph;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{
    Access, Action, Base, Block, Call, DeviceId, EventId, Extent, KernelUse, LEGACY, Load, Location, Mode,
    StreamId, StreamKind, Wait, Work, WorkKind, Write,
};
use crate::api::{self, Blocking, Certainty, Loading, Operation, Preload, Role};
use crate::facts::ir::{Expr, Name};
use crate::program::FileId;
use crate::syntax::Span;

/// A call being executed.
pub(super) struct Invocation<'a> {
    pub(super) entry: &'static api::Call,
    pub(super) name: &'a str,
    pub(super) args: &'a [Argument],
    pub(super) span: Span,
}

impl Invocation<'_> {
    pub(super) fn arg(&self, role: Role) -> Option<&Argument> {
        self.args.get(self.entry.argument(role, self.args.len())?)
    }

    /// Whether it surely works on no byte: a factor of its amount is 0.
    pub(super) fn is_about_nothing(&self) -> bool {
        let is_factor = |role| matches!(role, Role::Bytes | Role::Extent);
        let count = self.args.len();
        let mut arguments = self.args.iter().enumerate();
        self.arg(Role::Storage).is_none()
            && arguments
                .any(|(index, it)| is_factor(self.entry.role(index, count)) && it.value == Value::Int(0))
    }
}

impl<'p> Machine<'p> {
    /// Records a call; work for a capturing stream goes into its graph instead.
    pub(super) fn finish(
        &mut self,
        name: String,
        entry: Option<&'static api::Call>,
        work: Option<Work>,
        blocks: Block,
        load: Option<Load>,
        span: Span,
    ) {
        if let Some(it) = &work {
            self.watch(&it.accesses);
            for write in &it.writes {
                let forgotten = self.memory.forget_written(write);
                // What a host function does is executed before it is enqueued.
                if it.kind == WorkKind::Kernel {
                    self.stored_before.extend(forgotten);
                }
            }
            if it.kind == WorkKind::HostFunction {
                self.leave_late_numbers(it.stream);
            }
            let places = it.waits.iter().flat_map(Wait::locations);
            self.waited.extend(places.map(|place| place.base));
        }
        let work = work.and_then(|it| self.capture_work(it, entry, &name, span));
        if blocks != Block::None {
            self.settle_lengths();
            self.settle_late_numbers(&blocks);
            self.let_work_end(&blocks);
        }
        let device = self.control.device;
        let debug_only = blocks != Block::None && self.is_debug_only(span);
        self.emit(
            span,
            Action::Call(Box::new(Call {
                name,
                api: entry,
                work,
                blocks,
                load,
                device,
                debug_only,
            })),
        );
    }

    /// Whether a place, or a call that leads to it, stands where only builds without `NDEBUG` come.
    fn is_debug_only(&self, span: Span) -> bool {
        let stands = |(file, at): (FileId, Span)| {
            let regions = &self.program.source(file).facts.debug_only;
            regions.iter().any(|it| it.start <= at.start && at.end <= it.end)
        };
        let calls = self.control.frames.iter().filter_map(|it| it.call_site);
        calls.chain([(self.frame().file, span)]).any(stands)
    }

    /// A call of the CUDA API or a CUDA library by name.
    pub(super) fn cuda_call(
        &mut self,
        entry: &'static api::Call,
        name: &'p Name,
        args: &'p [Expr],
        span: Span,
    ) -> Value {
        let args: Vec<Argument> = self.arguments(args);
        if self.has_spent_part() {
            return self.memory.fresh_lost();
        }
        self.cuda_call_values(entry, name.last(), args, span)
    }

    /// The same with evaluated arguments.
    pub(super) fn cuda_call_values(
        &mut self,
        entry: &'static api::Call,
        name: &str,
        mut args: Vec<Argument>,
        span: Span,
    ) -> Value {
        self.note_site(span);
        self.convert_arguments(&mut args, span);
        let is_cuda = !matches!(
            entry.operation,
            Operation::ErrorQuery
                | Operation::HostTransfer
                | Operation::RequestStart
                | Operation::RequestWait
        );
        if is_cuda {
            self.cuda_called = true;
        }
        self.note_callback_call(Some(entry), name, span);
        let call = Invocation {
            entry,
            name,
            args: &args,
            span,
        };
        let result = self.result_of(&call);
        if let Some((true, result)) = result {
            if entry.operation == Operation::CaptureEnd {
                self.spoil_capture(&call);
            }
            if self.expected.uncertain && self.capturing.is_empty() {
                self.perhaps_waits(&call);
            }
            return result;
        }
        self.check_capture(&call);
        let events = self.events();
        match entry.operation {
            Operation::StreamCreate => self.create_stream(&call),
            Operation::EventCreate => {
                let event = call
                    .arg(Role::Out)
                    .map(|it| handle_name(&it.words))
                    .unwrap_or_default();
                let name = event.clone();
                let event = self.new_event(event);
                self.trace.events.insert(event, name);
                self.fill_out(&call, Value::Event(event));
            }
            Operation::Allocate => self.allocate(&call, Origin::Device),
            Operation::AllocateAsync => self.allocate(&call, Origin::Pool),
            Operation::AllocateHost => self.allocate(&call, Origin::Pinned),
            Operation::AllocateManaged => self.allocate(&call, Origin::Managed),
            Operation::RegisterHost => {
                self.note_registered(call.arg(Role::Pointer));
                self.plain(&call, None);
            }
            Operation::UnregisterHost => {
                self.plain(&call, None);
                self.note_unregistered(call.arg(Role::Pointer));
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
                self.note_external(&call);
                let event = self.event_argument(&call);
                self.note_record(event);
                let stream = self.stream_argument(&call);
                self.enqueue(&call, WorkKind::Record(event), stream, Vec::new(), Vec::new());
            }
            Operation::StreamWaitEvent => {
                self.note_external(&call);
                let event = self.event_argument(&call);
                self.note_event_wait(event, name, span);
                let stream = self.stream_argument(&call);
                self.enqueue(&call, WorkKind::WaitEvent(event), stream, Vec::new(), Vec::new());
            }
            Operation::StreamQuery | Operation::EventQuery => {
                let block = match (entry.operation, self.control.polling > 0) {
                    (_, false) if self.is_discarded(name) => Block::None,
                    (Operation::EventQuery, true) => Block::Event(self.event_argument(&call)),
                    (Operation::EventQuery, false) => Block::EventAnswered(self.event_argument(&call)),
                    (_, true) => Block::Stream(self.stream_argument(&call)),
                    (_, false) => Block::StreamAnswered(self.stream_argument(&call)),
                };
                if let Some(error) = self.not_ready(&call, block) {
                    self.finish(name.to_owned(), Some(entry), None, Block::None, None, span);
                    return error;
                }
                self.finish(name.to_owned(), Some(entry), None, block, None, span);
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
                let handle = Value::Pointer(self.memory.local());
                self.fresh_handles.insert(handle.clone());
                self.fill_out(&call, handle);
                let load = self.call_load(&call);
                self.plain(&call, load);
            }
            Operation::HostHandleCreate => {
                let handle = Value::Pointer(self.memory.local());
                self.host_handles.insert(handle.clone());
                self.fill_out(&call, handle);
                self.plain(&call, None);
            }
            Operation::LibrarySetStream => {
                let stream = self.stream_argument(&call);
                if let Some(handle) = args.first() {
                    self.fresh_handles.remove(&handle.value);
                    self.handle_streams.insert(handle.value.clone(), stream);
                }
            }
            Operation::LibraryCall
            | Operation::CubAlgorithm
            | Operation::ThrustAlgorithm
            | Operation::CollectiveCall => {
                self.library_call(&call);
                self.note_communicator(&call);
                match entry.operation {
                    Operation::LibraryCall => self.forget_outputs(&call),
                    Operation::CubAlgorithm => self.ask_for_storage(&call),
                    _ => {}
                }
            }
            Operation::ExecutionPolicy => return Value::Stream(self.default_stream()),
            Operation::CaptureBegin => self.begin_capture(&call),
            Operation::CaptureEnd => self.end_capture(&call),
            Operation::CaptureModeExchange => self.exchange_mode(&call),
            Operation::CaptureQuery => self.query_capture(&call),
            Operation::GraphCreate => self.create_graph(&call),
            Operation::GraphAddNode => self.add_node(&call),
            Operation::GraphAddEdges => self.change_edges(&call, Graph::add_edge),
            Operation::GraphRemoveEdges => self.change_edges(&call, Graph::remove_edge),
            Operation::GraphDestroyNode => self.destroy_node(&call),
            Operation::GraphFindNode => self.find_node(&call),
            Operation::GraphChild => self.child_of_node(&call),
            Operation::GraphNodeUpdate => self.update_node(&call),
            Operation::GraphUpdate => self.update_exec(&call),
            Operation::GraphDestroy => self.destroy_graph(&call),
            Operation::GraphInstantiate => self.instantiate_graph(&call),
            Operation::GraphLaunch => self.launch_graph(&call),
            Operation::DeviceSet => self.set_device(&call),
            Operation::DeviceGet => self.get_device(&call),
            Operation::Free | Operation::FreeHost | Operation::FreeAsync => self.free(&call),
            Operation::HostTransfer => self.host_transfer(&call),
            Operation::RequestStart => self.start_request(&call),
            Operation::RequestWait => self.wait_for_requests(&call),
            _ => {
                let elapsed = entry.operation == Operation::EventElapsedTime;
                let value = if elapsed {
                    self.measure_events(&call)
                } else {
                    self.memory.fresh()
                };
                self.forget_outputs(&call);
                if call.arg(Role::Out).is_some() {
                    self.fill_out(&call, value);
                }
                self.entry_point(&call);
                if entry.operation != Operation::ErrorQuery {
                    let load = self.call_load(&call);
                    self.plain(&call, load);
                }
                if entry.operation == Operation::CollectiveInit {
                    self.note_communicator(&call);
                }
            }
        }
        // What it does to nobody's work matters to other threads: they are alone while they do it.
        if entry.lock == api::Lock::Write && self.trace.threads.len() > 1 && self.events() == events {
            self.plain(&call, None);
        }
        self.note_quantity(&call);
        // Runtime and driver calls return success; what library templates return is a result.
        match result {
            Some((_, status)) => status,
            None if entry.name.contains("::") => self.memory.fresh(),
            None => Value::Int(0),
        }
    }

    /// Nobody looks at what the call returns: it is a statement of its own.
    pub(super) fn is_discarded(&self, name: &str) -> bool {
        let words = self.words(self.control.statement);
        let call = words.trim_start().trim_start_matches("(void)").trim_start();
        let call = call.trim_start_matches("std::").trim_start_matches(':');
        call.starts_with(name)
    }

    // Arguments.

    pub(super) fn stream_argument(&mut self, call: &Invocation<'_>) -> StreamId {
        match call.arg(Role::Stream) {
            Some(it) => {
                let (value, words) = (it.value.clone(), handle_name(&it.words));
                self.stream_of(&value, &words)
            }
            None => self.default_stream(),
        }
    }

    pub(super) fn event_argument(&mut self, call: &Invocation<'_>) -> EventId {
        match call.arg(Role::Event) {
            Some(it) => {
                let (value, words) = (it.value.clone(), handle_name(&it.words));
                self.event_of(&value, &words)
            }
            None => self.new_event(String::new()),
        }
    }

    pub(super) fn kernel_argument(&mut self, call: &Invocation<'_>) -> Option<(Value, KernelUse)> {
        let argument = call.arg(Role::Kernel)?;
        let value = match &argument.value {
            Value::Function(..) | Value::External(_) => argument.value.clone(),
            _ => return None,
        };
        let kernel_use = self.kernel_use(&value, &argument.words);
        Some((value, kernel_use))
    }

    /// The `__device__` variable a symbol argument names.
    pub(super) fn symbol(&mut self, argument: &Argument) -> Option<Location> {
        let place = match (&argument.place, &argument.value) {
            (Some(place), _) if place.base.global().is_some() => place.clone(),
            (_, Value::Pointer(place)) if place.base.global().is_some() => place.clone(),
            _ => return None,
        };
        Some(match place.base {
            Base::Global(id) => Location {
                base: self.instance(id),
                ..place
            },
            _ => place,
        })
    }

    pub(super) fn fill_out(&mut self, call: &Invocation<'_>, value: Value) {
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

    /// Queries store through the pointers they are handed; memory that CUDA allocated is what they are asked about.
    pub(super) fn forget_outputs(&mut self, call: &Invocation<'_>) {
        for argument in call.args {
            if let Value::Pointer(place) = &argument.value
                && argument.place.is_none()
                && matches!(self.memory.origin(place.base), None | Some(Origin::Heap))
                && !self.memory.arrays.contains(place)
            {
                let value = self.memory.fresh();
                self.memory.set(place.clone(), value);
            }
        }
    }

    /// An algorithm that is given no storage stores how much it needs.
    fn ask_for_storage(&mut self, call: &Invocation<'_>) {
        if let [storage, size, ..] = call.args
            && storage.value == Value::Int(0)
            && let Some(place) = size.place.clone()
        {
            let needed = self.memory.fresh();
            self.memory.set(place, needed);
        }
    }

    /// What a call waits for before it returns, whatever it enqueues.
    pub(super) fn blocking(&mut self, call: &Invocation<'_>, enqueues: bool) -> Block {
        match call.entry.blocks {
            Blocking::None => Block::None,
            Blocking::Stream if enqueues => Block::OwnWork,
            Blocking::Stream => Block::Stream(self.stream_argument(call)),
            Blocking::Event => {
                let event = self.event_argument(call);
                self.note_event_wait(event, call.name, call.span);
                Block::Event(event)
            }
            Blocking::Legacy | Blocking::LegacyCopy if enqueues => Block::OwnWork,
            Blocking::Legacy | Blocking::LegacyCopy => Block::Stream(LEGACY),
            Blocking::PageableToHost => Block::None,
            Blocking::Device => Block::Device,
            Blocking::StackLimit => match call.arg(Role::Limit).map(|it| &it.value) {
                Some(Value::Int(crate::api::STACK_LIMIT)) => Block::Device,
                _ => Block::None,
            },
        }
    }

    pub(super) fn call_load(&mut self, call: &Invocation<'_>) -> Option<Load> {
        match call.entry.loads {
            Loading::None => None,
            Loading::Function => match self.kernel_argument(call) {
                Some((_, kernel)) => Some(Load::Kernel(kernel)),
                None => Some(Load::Kernel(KernelUse {
                    arguments: Vec::new(),
                    function: None,
                    name: call.name.to_owned(),
                })),
            },
            Loading::Symbol => call
                .arg(Role::Symbol)
                .and_then(|it| self.symbol(it))
                .as_ref()
                .and_then(unit_of),
            Loading::Module => Some(Load::Module { lazily: false }),
            Loading::EagerModule => Some(Load::Module { lazily: true }),
            // A handle does not load what later calls launch: each function loads its own kernels (M1).
            Loading::Library
                if call.entry.operation == Operation::LibraryCall
                    && call.entry.certainty == Certainty::Measured =>
            {
                Some(Load::Library(call.name.to_owned()))
            }
            Loading::Library => Some(Load::Library(library_of(call.name).to_owned())),
        }
    }

    /// A call without device work.
    pub(super) fn plain(&mut self, call: &Invocation<'_>, load: Option<Load>) {
        let blocks = self.blocking(call, false);
        self.finish(
            call.name.to_owned(),
            Some(call.entry),
            None,
            blocks,
            load,
            call.span,
        );
    }

    pub(super) fn enqueue(
        &mut self,
        call: &Invocation<'_>,
        kind: WorkKind,
        stream: StreamId,
        waits: Vec<Wait>,
        writes: Vec<Write>,
    ) {
        self.enqueue_with(call, kind, stream, (waits, writes), Vec::new());
    }

    /// The same for work whose accesses are known.
    pub(super) fn enqueue_with(
        &mut self,
        call: &Invocation<'_>,
        kind: WorkKind,
        stream: StreamId,
        (waits, writes): (Vec<Wait>, Vec<Write>),
        accesses: Vec<Access>,
    ) {
        let work = Work {
            kind,
            stream,
            kernel: None,
            waits,
            writes,
            accesses,
        };
        let blocks = self.blocking(call, true);
        let load = self.call_load(call);
        self.finish(
            call.name.to_owned(),
            Some(call.entry),
            Some(work),
            blocks,
            load,
            call.span,
        );
    }

    // Operations.

    pub(super) fn create_stream(&mut self, call: &Invocation<'_>) {
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
        self.trace.streams[stream.0 as usize].made = Some(self.site(call.span));
        self.fill_out(call, Value::Stream(stream));
        self.plain(call, None);
    }

    pub(super) fn allocate(&mut self, call: &Invocation<'_>, origin: Origin) {
        let memory = self.memory.allocate(origin);
        if let Some(bytes) = call.arg(Role::Bytes) {
            self.sizes.insert(memory.base, bytes.value.clone());
        }
        self.fill_out(call, Value::Pointer(memory.clone()));
        if origin == Origin::Pool {
            let stream = self.stream_argument(call);
            let words = call.arg(Role::Out).map_or("", |it| it.words.as_str());
            let access = self.access(memory, Extent::Whole, Mode::Allocate, call.span, words);
            self.enqueue_with(call, WorkKind::Other, stream, Default::default(), vec![access]);
        } else {
            self.plain(call, None);
        }
    }

    pub(super) fn free(&mut self, call: &Invocation<'_>) {
        let freed = call
            .arg(Role::Pointer)
            .or(call.args.first())
            .map(|it| it.value.clone());
        self.note_freed(call, freed.as_ref());
        if let Some(Value::Pointer(place)) = &freed {
            let base = place.base;
            if call.entry.operation == Operation::FreeHost {
                self.host_memory_ends(base, call.span);
            }
        }
        let asynchronous = call.entry.operation == Operation::FreeAsync;
        // What was handed in is a place too.
        let freed = match freed {
            Some(Value::Unknown(id)) if asynchronous && self.memory.handed_in.contains(&id) => {
                Some(Value::Pointer(Location::object(Base::Outside(id))))
            }
            other => other,
        };
        match freed {
            // Freeing nothing is the idiom that creates the context; pool memory is freed without waiting (M1).
            Some(Value::Int(0)) => {}
            Some(Value::Pointer(place)) if asynchronous => {
                let stream = self.stream_argument(call);
                let words = call.args.first().map_or("", |it| it.words.as_str());
                let access = self.access(place, Extent::Whole, Mode::Free, call.span, words);
                self.enqueue_with(call, WorkKind::Other, stream, Default::default(), vec![access]);
            }
            Some(Value::Pointer(place)) if self.memory.origin(place.base) == Some(Origin::Pool) => {}
            _ => {
                self.plain(call, None);
                if call.entry.operation == Operation::FreeHost {
                    self.wait_for_other_devices(call);
                }
            }
        }
    }

    /// Page-locked memory may be in use on any device: all of them are waited for (M11).
    fn wait_for_other_devices(&mut self, call: &Invocation<'_>) {
        let own = self.control.device;
        let mut devices: Vec<DeviceId> = self.trace.streams.iter().map(|it| it.device).collect();
        devices.sort_unstable();
        devices.dedup();
        for device in devices.into_iter().filter(|it| *it != own) {
            self.control.device = device;
            self.plain(call, None);
        }
        self.control.device = own;
    }

    /// Work of a library. Policies and temporary storage decide whether it is work at all, and whether it waits.
    pub(super) fn library_call(&mut self, call: &Invocation<'_>) {
        if matches!(call.arg(Role::Storage).map(|it| &it.value), Some(Value::Int(0))) {
            // A null storage pointer asks for the size.
            return;
        }
        if call
            .args
            .first()
            .is_some_and(|it| self.host_handles.contains(&it.value))
        {
            return;
        }
        // One that was handed in may be null as well: who only asks for the size names no stream.
        let open = match call.arg(Role::Storage).map(|it| &it.value) {
            Some(Value::Unknown(id)) => self.memory.handed_in.contains(id).then_some(*id),
            _ => None,
        };
        let asks_size = match open {
            Some(id) if call.arg(Role::Stream).is_some() => {
                if !self.decide(id) {
                    return;
                }
                false
            }
            it => it.is_some(),
        };
        let policy = call.args.first().map_or("", |it| it.words.as_str());
        if policy.contains("thrust::host") || policy.contains("thrust::seq") || policy.contains("::omp::") {
            return;
        }
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
            (None, None) => {
                let handle = call.args.first().map(|it| &it.value);
                self.on_default = handle.is_some_and(|it| self.fresh_handles.contains(it));
                match call.arg(Role::Handle) {
                    Some(handle) if !self.on_default => self.stream_of_handle(handle),
                    _ => self.default_stream(),
                }
            }
        };
        let blocks = if policy.contains("_nosync") {
            Block::None
        } else {
            self.blocking(call, true)
        };
        let work = Work {
            kind: WorkKind::Other,
            stream,
            kernel: None,
            waits: Vec::new(),
            writes: Vec::new(),
            accesses: self
                .library_accesses(call)
                .into_iter()
                .map(|it| Access {
                    sure: it.sure && !asks_size,
                    ..it
                })
                .chain(self.thrust_accesses(call))
                .collect(),
        };
        let load = self.call_load(call);
        self.finish(
            call.name.to_owned(),
            Some(call.entry),
            Some(work),
            blocks,
            load,
            call.span,
        );
        self.on_default = false;
    }

    /// The stream of a library's handle that nobody saw being made.
    fn stream_of_handle(&mut self, handle: &Argument) -> StreamId {
        let unknown = self.memory.fresh();
        let stream = self.stream_of(&unknown, &handle_name(&handle.words));
        self.handle_streams.insert(handle.value.clone(), stream);
        stream
    }

    /// Memory of the device, or what the caller has a pointer to.
    pub(super) fn may_be_device_memory(&self, value: &Value) -> bool {
        match value {
            Value::Pointer(_) => !self.is_pageable(value),
            Value::Unknown(id) => self.memory.handed_in.contains(id),
            _ => false,
        }
    }
}

/// The translation unit a `__device__` variable belongs to.
pub(super) fn unit_of(place: &Location) -> Option<Load> {
    place.base.global().map(|id| Load::Unit(id.file))
}

/// `&stream`, `(CUstream)stream` and `static_cast<CUstream>(stream)` as a person would say it.
pub(super) fn handle_name(words: &str) -> String {
    let mut words = words.trim();
    while let Some(rest) = words.strip_prefix('&').or_else(|| without_cast(words)) {
        words = rest.trim();
    }
    words.to_owned()
}

/// What a cast, or parentheses around all of it, stand around.
fn without_cast(words: &str) -> Option<&str> {
    if let Some((cast, _)) = words.split_once('<').filter(|it| it.0.ends_with("_cast")) {
        let (_, inner) = in_brackets(&words[cast.len()..], '<', '>')?;
        return in_brackets(inner.trim_start(), '(', ')')
            .filter(|it| it.1.trim().is_empty())
            .map(|it| it.0);
    }
    let (inner, behind) = in_brackets(words, '(', ')')?;
    let behind = behind.trim_start();
    let is_type = inner
        .chars()
        .all(|it| it.is_alphanumeric() || "_:<>*& ".contains(it));
    let mut begin = behind.chars();
    match (begin.next(), begin.next()) {
        (None, _) => Some(inner),
        (Some(first), _) if is_type && (first.is_alphabetic() || "_(".contains(first)) => Some(behind),
        (Some('&'), Some(second)) if is_type && !second.is_whitespace() => Some(behind),
        _ => None,
    }
}

/// What a bracket holds that text begins with, and what comes behind it.
fn in_brackets(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, it) in text.char_indices() {
        depth += i32::from(it == open) - i32::from(it == close);
        match depth {
            0 if at == 0 => return None,
            0 => return Some((&text[open.len_utf8()..at], &text[at + close.len_utf8()..])),
            _ => {}
        }
    }
    None
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
