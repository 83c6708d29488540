//! Device work other than kernels: copies, memsets, stream memory operations, host functions, graphs.

use super::access::POINTEE;
use super::calls::Argument;
use super::cuda::{Invocation, handle_name, unit_of};
use super::graph_order::Graph;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{Access, Awaited, Base, Block, Extent, Location, Mode, StreamId, Wait, Work, WorkKind, Write};
use crate::api::{self, Blocking, Role};
use crate::facts::ir::BinaryOp;
use crate::syntax::Span;

/// Copies looked at per batch.
const MOST_COPIES: i64 = 16;

/// `cudaMemcpySrcAccessOrderStream`.
const STREAM_ORDER: i64 = 1;

/// `cudaMemcpySrcAccessOrderAny`.
const ANY_ORDER: i64 = 3;

/// Batch mem-ops looked at per call.
const MAX_BATCH: i64 = 16;

impl Machine<'_> {
    pub(super) fn copy(&mut self, call: &Invocation<'_>) {
        if let Some((plain, args)) = self.described_copy(call) {
            let call = Invocation {
                entry: plain,
                args: &args,
                ..*call
            };
            return self.copy(&call);
        }
        let destination = match call.arg(Role::Destination) {
            _ if is_batch(call) => None,
            Some(it) => self.pointee(&it.value.clone()),
            None => self.place_in_symbol(call).map(|it| it.0),
        };
        let to_symbol = call.arg(Role::Destination).is_none() && call.arg(Role::Source).is_some();
        let described = call
            .arg(Role::Parameters)
            .and_then(|it| self.pointee(&it.value.clone()))
            .and_then(|it| self.memory.get(&it.field("kind")).cloned());
        let given = call.arg(Role::Direction).map(|it| it.value.clone());
        let direction = match given.or(described) {
            Some(Value::Int(direction)) => Some(direction),
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
        let at = self.at(call.span);
        let host_side = direction == Some(2);
        let between_hosts = direction == Some(0);
        let accesses = self.copy_accesses(call, direction);
        let writes = destination
            .into_iter()
            .map(|location| Write {
                location,
                range: true,
                value,
                least: None,
                at,
                guess: false,
                after_wait: false,
                added: None,
            })
            .collect();
        let stream = if call.arg(Role::Stream).is_some()
            || !matches!(call.entry.blocks, Blocking::LegacyCopy | Blocking::Legacy)
        {
            self.stream_argument(call)
        } else {
            self.default_stream()
        };
        let to_pageable = matches!(direction, None | Some(2 | 4))
            && call
                .arg(Role::Destination)
                .is_some_and(|it| self.is_pageable(&it.value));
        let blocks = match call.entry.blocks {
            // Device to device copies do not wait (M10).
            Blocking::LegacyCopy if direction == Some(3) => Block::None,
            // From host to host is fully synchronous, whatever the call is named.
            _ if between_hosts => Block::Stream(stream),
            Blocking::LegacyCopy if matches!(direction, None | Some(4)) => self.copy_blocks(call),
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
            accesses,
        };
        self.note_pageable_copy(call, direction);
        self.finish(
            call.name.to_owned(),
            Some(call.entry),
            Some(work),
            blocks,
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

    /// What the host waits for in a copy whose direction follows from its pointers (M10).
    fn copy_blocks(&self, call: &Invocation<'_>) -> Block {
        let on_device = |role: Role| match call.arg(role).map(|it| &it.value) {
            Some(Value::Pointer(place)) => match place.base {
                Base::Local(_) | Base::Static(..) => Some(false),
                Base::Allocation(_) => match self.memory.origin(place.base)? {
                    Origin::Device | Origin::Pool => Some(true),
                    Origin::Heap | Origin::Pinned => Some(false),
                    Origin::Managed => None,
                },
                Base::Global(id) | Base::Instance(id, _) => {
                    self.program.global(id).variable.space.is_none().then_some(false)
                }
                Base::Outside(_) => None,
            },
            _ => None,
        };
        match (on_device(Role::Destination), on_device(Role::Source)) {
            (Some(true), Some(true)) => Block::None,
            (Some(false), _) | (_, Some(false)) => Block::OwnWork,
            _ => Block::PerhapsOwnWork,
        }
    }

    pub(super) fn memset(&mut self, call: &Invocation<'_>) {
        let destination = call
            .arg(Role::Destination)
            .and_then(|it| self.pointee(&it.value.clone()));
        let value = match call.arg(Role::Value).map(|it| &it.value) {
            // `cudaMemset` repeats a byte; the driver's D16 and D32 forms repeat the element.
            Some(Value::Int(value)) if call.name.contains("D32") || call.name.contains("D16") => Some(*value),
            Some(Value::Int(value)) => Some((value & 0xff).wrapping_mul(0x0101_0101)),
            _ => None,
        };
        let at = self.at(call.span);
        let writes = destination
            .into_iter()
            .map(|location| Write {
                location,
                range: true,
                value,
                least: None,
                at,
                guess: false,
                after_wait: false,
                added: None,
            })
            .collect();
        let stream = self.stream_argument(call);
        let target = call.arg(Role::Destination).cloned();
        let access = target
            .as_ref()
            .and_then(|it| self.access_through(call, it, Mode::Write));
        // Memory the host can reach too is set before the synchronous forms return.
        let reachable = access.as_ref().is_some_and(|it| {
            matches!(
                self.memory.origin(it.location.base),
                Some(Origin::Pinned | Origin::Managed)
            )
        });
        if reachable && call.entry.args.iter().all(|it| *it != Role::Stream) {
            let work = Work {
                kind: WorkKind::Memset,
                stream,
                kernel: None,
                waits: Vec::new(),
                writes,
                accesses: access.into_iter().collect(),
            };
            let name = call.name.to_owned();
            let (entry, load) = (Some(call.entry), self.call_load(call));
            self.finish(name, entry, Some(work), Block::OwnWork, load, call.span);
            return;
        }
        self.enqueue_with(
            call,
            WorkKind::Memset,
            stream,
            (Vec::new(), writes),
            access.into_iter().collect(),
        );
    }

    /// What a copy reads and writes. Pageable memory is read while the call is made, so it is the host that reads it.
    fn copy_accesses(&mut self, call: &Invocation<'_>, direction: Option<i64>) -> Vec<Access> {
        if is_batch(call) {
            return self.batch_accesses(call);
        }
        let mut accesses = Vec::new();
        // A captured copy reads its source when the graph runs.
        let captured = !self.capturing.is_empty() && call.arg(Role::Stream).is_some() && {
            let stream = self.stream_argument(call);
            self.capturing.contains_key(&stream)
        };
        for (role, mode) in [(Role::Source, Mode::Read), (Role::Destination, Mode::Write)] {
            let Some(argument) = call.arg(role).cloned() else {
                continue;
            };
            let staged = mode == Mode::Read && direction != Some(2) && !captured;
            if staged && self.is_pageable(&argument.value) {
                self.touch_argument(&argument, mode, call.span);
                continue;
            }
            // Only pinned memory is used after the call: of memory that was handed in nobody knows.
            let host_side = matches!(
                (mode, direction),
                (Mode::Read, Some(1)) | (Mode::Write, Some(2)) | (_, None | Some(4))
            );
            let access = self.access_through(call, &argument, mode);
            accesses.extend(access.map(|it| Access {
                sure: !(host_side && matches!(it.location.base, Base::Outside(_))),
                ..it
            }));
        }
        if let Some(argument) = call.arg(Role::Symbol).cloned()
            && let Some((place, extent)) = self.place_in_symbol(call)
        {
            let mode = if call.arg(Role::Source).is_some() {
                Mode::Write
            } else {
                Mode::Read
            };
            accesses.push(self.access(place, extent, mode, call.span, &argument.words));
        }
        accesses
    }

    /// What a copy reaches of a symbol: of an array one element, where that is as much as is copied.
    fn place_in_symbol(&mut self, call: &Invocation<'_>) -> Option<(Location, Extent)> {
        let place = call.arg(Role::Symbol).and_then(|it| self.symbol(it))?;
        let variable = place.base.global().map(|it| &self.program.global(it).variable);
        let array = variable.filter(|it| it.dims.len() == 1 && it.ty.pointers == 0 && place.path.is_empty());
        let number = |role| match call.arg(role).map(|it| it.value.clone()) {
            Some(Value::Int(number)) => Some(number),
            Some(_) => None,
            None => Some(0),
        };
        let element = array.and_then(|it| match self.size_of_type(&it.ty.name.path.join("::")) {
            Value::Int(size) if size > 0 && number(Role::Bytes) == Some(size) => {
                let offset = number(Role::Offset)?;
                (offset % size == 0).then_some(offset / size)
            }
            _ => None,
        });
        Some(match element {
            Some(index) => (place.step(super::Step::Element(index)), Extent::Element),
            None => (place, Extent::Some),
        })
    }

    /// What a batch of copies reads and writes. Pageable sources have been read when the call returns, so on an H100 with
    /// driver 580; the documents promise that only where the access order says so.
    fn batch_accesses(&mut self, call: &Invocation<'_>) -> Vec<Access> {
        let count = match call.arg(Role::Count).map(|it| &it.value) {
            Some(Value::Int(count)) => (*count).clamp(0, MOST_COPIES),
            _ => 1,
        };
        let reads_later = self.reads_sources_later(call);
        let mut accesses = Vec::new();
        for (role, mode) in [(Role::Source, Mode::Read), (Role::Destination, Mode::Write)] {
            let Some(argument) = call.arg(role).cloned() else {
                continue;
            };
            let Some(array) = self.pointee(&argument.value) else {
                continue;
            };
            for index in 0..count {
                let place = self.memory.element(&array, index);
                let Some(Value::Pointer(buffer)) = self.memory.get(&place).cloned() else {
                    continue;
                };
                if mode == Mode::Read && self.is_pageable(&Value::Pointer(buffer.clone())) {
                    if !reads_later {
                        continue;
                    }
                    self.note_deferred(self.memory.stored_at(&buffer).base);
                }
                let words = self.words_of_buffer(&buffer, &argument.words);
                accesses.push(self.access(buffer, Extent::Some, mode, call.span, &words));
            }
        }
        accesses
    }

    /// Whether a batch of copies is told to read its sources in the order of its stream, or whenever it likes.
    fn reads_sources_later(&self, call: &Invocation<'_>) -> bool {
        let attributes = match call.arg(Role::Parameters).map(|it| &it.value) {
            Some(Value::Pointer(place) | Value::Aggregate(place)) => place,
            _ => return false,
        };
        let order = self.memory.get(&attributes.field("srcAccessOrder"));
        matches!(order, Some(Value::Int(STREAM_ORDER | ANY_ORDER)))
    }

    /// What a local buffer is called.
    fn words_of_buffer(&self, buffer: &Location, otherwise: &str) -> String {
        let names = self.visible_names();
        let name = names.into_iter().find(|(_, place)| place.base == buffer.base);
        name.map_or_else(|| otherwise.to_owned(), |(name, _)| name)
    }

    /// What a library call reads and writes, as far as the table says so.
    pub(super) fn library_accesses(&mut self, call: &Invocation<'_>) -> Vec<Access> {
        let mut accesses = Vec::new();
        // The forms of CUB's algorithms that bring their own storage have fewer arguments, in other places.
        let has_count = call.entry.role_index(Role::Count).is_none() || call.arg(Role::Count).is_some();
        if call.arg(Role::Storage).is_some() && !has_count || !self.is_as_written(call) {
            return accesses;
        }
        for (index, argument) in call.args.iter().enumerate() {
            let mode = match call.entry.role(index, call.args.len()) {
                Role::Source => Mode::Read,
                Role::Destination | Role::Storage => Mode::Write,
                _ => continue,
            };
            // Libraries work on host memory too, and then they are done when they return.
            if self.is_pageable(&argument.value) {
                continue;
            }
            let bytes_apply = call.arg(Role::Bytes).is_some() && call.arg(Role::Storage).is_none();
            let access = self.access_through(call, argument, mode).map(|it| Access {
                extent: if bytes_apply { it.extent } else { Extent::Some },
                ..it
            });
            accesses.extend(access);
        }
        accesses
    }

    pub(super) fn wait_value(&mut self, call: &Invocation<'_>) {
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

    pub(super) fn value_wait(
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
        let at = self.at(span);
        Some(Wait::plain(
            vec![Awaited { location, until }],
            at,
            handle_name(&address.words),
        ))
    }

    pub(super) fn write_value(&mut self, call: &Invocation<'_>) {
        let Some(location) = call
            .arg(Role::Address)
            .and_then(|it| self.pointee(&it.value.clone()))
        else {
            return;
        };
        let value = call
            .arg(Role::Value)
            .map(|it| self.memory.known_or_least(&it.value));
        let (value, least) = value.unwrap_or_default();
        let at = self.at(call.span);
        let stream = self.stream_argument(call);
        let write = Write {
            location,
            range: false,
            value,
            least,
            at,
            guess: false,
            after_wait: false,
            added: None,
        };
        self.enqueue(call, WorkKind::WriteValue, stream, Vec::new(), vec![write]);
    }

    /// `cuStreamBatchMemOp(stream, count, ops, flags)`: its operations happen in order.
    pub(super) fn batch(&mut self, call: &Invocation<'_>) {
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
                let address = Argument::unplaced(address, String::new());
                self.batch_operation(call, stream, waits, &address, value, &flags);
            }
        }
    }

    pub(super) fn batch_operation(
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
            let at = self.at(call.span);
            let write = Write {
                location,
                range: false,
                value,
                least: None,
                at,
                guess: false,
                after_wait: false,
                added: None,
            };
            self.enqueue(call, WorkKind::WriteValue, stream, Vec::new(), vec![write]);
        }
    }

    /// A host function is device work: its stores release, its waits wait.
    pub(super) fn host_function(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let callee = call.arg(Role::HostFunction).map(|it| it.value.clone());
        let data: Vec<Argument> = call.arg(Role::UserData).cloned().into_iter().collect();
        let data = if call.name.contains("AddCallback") {
            let unknown = || Argument::unplaced(Value::Int(0), String::new());
            vec![unknown(), unknown()].into_iter().chain(data).collect()
        } else {
            data
        };
        let (waits, writes, mut accesses) = match callee {
            Some(callee) => self.deferred_effects(&callee, data, Some(stream), call.span),
            None => Default::default(),
        };
        // A graph calls it at every launch, with the same pointer.
        if self.capturing.contains_key(&stream)
            && let Some(data) = call.arg(Role::UserData)
        {
            let access = self.access_through(call, data, Mode::Read);
            accesses.retain(|it| {
                access
                    .as_ref()
                    .is_none_or(|own| own.location.base != it.location.base)
            });
            accesses.extend(access);
        } else {
            accesses.extend(self.lent_to_host_function(call));
        }
        self.enqueue_with(call, WorkKind::HostFunction, stream, (waits, writes), accesses);
    }

    /// A variable whose address a host function is handed that makes use of it: it must live until then. What else the host
    /// does with it they may agree on between themselves.
    fn lent_to_host_function(&mut self, call: &Invocation<'_>) -> Option<Access> {
        let data = call.arg(Role::UserData)?;
        let Value::Pointer(place) = &data.value else {
            return None;
        };
        let Value::Function(function, _) = call.arg(Role::HostFunction)?.value else {
            return None;
        };
        let parameter = self.program.function(function).params.last()?;
        let is_used = self.program.mentions_name(function, &parameter.name);
        if !is_used || !matches!(place.base, Base::Local(_)) {
            return None;
        }
        let whole = place.field(POINTEE);
        self.note_lent(whole.base);
        Some(self.access(whole, Extent::Some, Mode::Read, call.span, &data.words))
    }

    pub(super) fn launch_graph(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        if let Some(Value::Graph(exec)) = call.arg(Role::GraphExec).map(|it| &it.value) {
            self.note_launch(call, *exec, stream);
        }
        let graph = match call.arg(Role::GraphExec).map(|it| &it.value) {
            Some(Value::Graph(graph)) => self.flat_graph(*graph),
            _ => Graph::default(),
        };
        let (waits, writes) = graph.effects();
        let (staged, accesses) = self.staged_reads(&graph);
        for read in staged {
            self.touch(&read.location, read.extent, Mode::Read, call.span);
        }
        self.enqueue_with(call, WorkKind::Graph, stream, (waits, writes), accesses);
    }

    /// What the copies of a graph read from pageable memory, which they do while the launch is called (measured), and
    /// everything else it accesses.
    fn staged_reads(&self, graph: &Graph) -> (Vec<Access>, Vec<Access>) {
        let is_pageable = |it: &Access| self.is_pageable(&Value::Pointer(it.location.clone()));
        let (mut staged, mut others) = (Vec::new(), Vec::new());
        let ordered = graph.ordered_outside();
        for (index, node) in graph.nodes.iter().enumerate() {
            let accesses = &node.work.accesses;
            let to_host = accesses
                .iter()
                .any(|it| it.mode == Mode::Write && is_pageable(it));
            for access in accesses {
                let copied = node.work.kind == WorkKind::Copy && !to_host;
                if copied && access.mode == Mode::Read && is_pageable(access) {
                    staged.push(access.clone());
                } else {
                    others.push(Access {
                        sure: access.sure && !ordered.contains(&index),
                        ..access.clone()
                    });
                }
            }
        }
        (staged, others)
    }
}

/// Arrays of destinations and sources, and how many there are of them.
fn is_batch(call: &Invocation<'_>) -> bool {
    call.arg(Role::Count).is_some() && call.arg(Role::Source).is_some()
}
