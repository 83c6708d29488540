//! A second order of a program's accesses, written from the CUDA documentation and not from the engine: a graph of
//! when calls are made and return and when work starts and ends, and who reaches whom in it.
//!
//! Edges, each from a sentence of the programming guide or of the API reference: program order; start, join and gates of
//! host threads; work follows its call and what was enqueued in its stream before; the legacy stream and the blocking streams
//! follow each other; an event wait follows the last record before it; synchronising calls return when their scope has
//! ended; copies return when the table "API synchronization behavior" says so; nodes of a graph follow their edges, and
//! launches of one executable graph each other; a wait for a value ends behind the only write that can end it. That
//! `cudaFree` "may" synchronise orders nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::program::{Flag, Host, Op, Program, Stream, Work};

/// What is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// A buffer on the device.
    Buffer(u8),
    /// Memory of the host.
    Host(Host),
}

/// An operation, by thread and index.
pub type Place = (usize, usize);

/// Two accesses of one object that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unordered {
    /// What both access.
    pub object: Object,
    /// The operations: each is the launch, and for work in a graph the captured call too.
    pub first: Vec<Place>,
    /// The other one.
    pub second: Vec<Place>,
    /// It depends on when an asynchronous copy reads pageable memory, which is not specified.
    pub unspecified: bool,
}

/// What orders beside what the documentation promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    /// Waits for values end behind the write that ends them: CUDA cannot see that, the memory model can.
    pub flags: bool,
    /// Copies from and to pageable memory are complete when the call returns: so it was measured, up to a size.
    pub pageable: bool,
}

impl Trust {
    /// What the documentation promises.
    pub const DOCUMENTED: Trust = Trust {
        flags: true,
        pageable: false,
    };
    /// Without waits for values.
    pub const NO_FLAGS: Trust = Trust {
        flags: false,
        pageable: false,
    };
    /// What was measured.
    pub const MEASURED: Trust = Trust {
        flags: true,
        pageable: true,
    };
}

/// The order of a program.
pub struct Reference {
    accesses: Vec<Access>,
    reaches: Vec<Vec<bool>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Read,
    Write(Content),
    /// Allocated or freed.
    Life,
}

/// What a write leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Value(i32),
    Of(Object),
}

#[derive(Clone, Debug)]
struct Access {
    object: Object,
    mode: Mode,
    /// Slot that keeps what is read.
    slot: Option<u8>,
    from: usize,
    to: usize,
    places: Vec<Place>,
    unspecified: bool,
}

/// Work on the device.
#[derive(Clone, Debug)]
struct Unit {
    place: Place,
    op: Op,
    stream: Stream,
    start: usize,
    end: usize,
}

/// A captured operation: its place, and the nodes before it.
type Captured = Vec<(Place, Op, Vec<usize>)>;

struct Builder<'p> {
    program: &'p Program,
    trust: Trust,
    edges: Vec<BTreeSet<usize>>,
    calls: BTreeMap<Place, (usize, usize)>,
    units: Vec<Unit>,
    accesses: Vec<Access>,
    /// Who raises a flag to which value, and when it is done.
    raises: Vec<(Flag, i32, usize)>,
    /// Who waits for a flag, and what ends behind it.
    waits: Vec<(Flag, i32, bool, usize)>,
}

impl Reference {
    /// Works out the order of a program.
    pub fn new(program: &Program, trust: Trust) -> Self {
        let mut builder = Builder {
            program,
            trust,
            edges: Vec::new(),
            calls: BTreeMap::new(),
            units: Vec::new(),
            accesses: Vec::new(),
            raises: Vec::new(),
            waits: Vec::new(),
        };
        builder.nodes();
        builder.host_edges();
        if trust.flags {
            builder.flag_edges();
        }
        // What is enqueued before what may depend on answers of the device.
        loop {
            let reaches = builder.reaches();
            if !builder.device_edges(&reaches) {
                return Reference {
                    accesses: builder.accesses,
                    reaches,
                };
            }
        }
    }

    /// Conflicting accesses that nothing orders.
    pub fn unordered(&self) -> Vec<Unordered> {
        let mut found = BTreeSet::new();
        for (index, first) in self.accesses.iter().enumerate() {
            for second in &self.accesses[index + 1..] {
                let conflict = first.object == second.object
                    && first.places != second.places
                    && (first.mode != Mode::Read || second.mode != Mode::Read);
                let ordered = self.reaches[first.to][second.from] || self.reaches[second.to][first.from];
                if conflict && !ordered {
                    found.insert(Unordered {
                        object: first.object,
                        first: first.places.clone(),
                        second: second.places.clone(),
                        unspecified: first.unspecified || second.unspecified,
                    });
                }
            }
        }
        found.into_iter().collect()
    }

    /// What every slot must hold at the end, where no unordered access has a part in it.
    pub fn kept(&self, slots: usize) -> Vec<Option<i32>> {
        let mut unsure: BTreeSet<Object> = self.unordered().iter().map(|it| it.object).collect();
        let unspecified = self.accesses.iter().filter(|it| it.unspecified);
        unsure.extend(unspecified.map(|it| it.object));
        loop {
            let flows = self.accesses.iter().filter_map(|it| match it.mode {
                Mode::Write(Content::Of(from)) if unsure.contains(&from) => Some(it.object),
                _ => None,
            });
            let more: Vec<Object> = flows.filter(|it| !unsure.contains(it)).collect();
            if more.is_empty() {
                break;
            }
            unsure.extend(more);
        }
        // Any order that agrees with the edges gives the same values.
        let before = |it: &Access| self.reaches.iter().filter(|reached| reached[it.from]).count();
        let mut sorted: Vec<&Access> = self.accesses.iter().collect();
        sorted.sort_by_key(|it| (before(it), it.places.clone(), it.mode != Mode::Read));
        let mut memory: BTreeMap<Object, i32> = BTreeMap::new();
        let mut kept = vec![None; slots];
        for access in sorted {
            match access.mode {
                Mode::Write(Content::Value(value)) => drop(memory.insert(access.object, value)),
                Mode::Write(Content::Of(from)) => {
                    let value = memory.get(&from).copied().unwrap_or(0);
                    memory.insert(access.object, value);
                }
                Mode::Read | Mode::Life => {}
            }
            if let Some(slot) = access.slot {
                let value = memory.get(&access.object).copied().unwrap_or(0);
                kept[slot as usize] = (!unsure.contains(&access.object)).then_some(value);
            }
        }
        kept
    }
}

impl Builder<'_> {
    fn node(&mut self) -> usize {
        self.edges.push(BTreeSet::new());
        self.edges.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) -> bool {
        self.edges[from].insert(to)
    }

    /// Calls, work and accesses.
    fn nodes(&mut self) {
        let program = self.program;
        let mut graphs: BTreeMap<u8, Captured> = BTreeMap::new();
        for thread in 0..program.threads.len() {
            let mut capture: Option<Capture> = None;
            for (index, op) in program.threads[thread].iter().enumerate() {
                let place = (thread, index);
                let (call, back) = (self.node(), self.node());
                self.edge(call, back);
                self.calls.insert(place, (call, back));
                match (*op, capture.as_mut()) {
                    (Op::BeginCapture { .. }, _) => capture = Some(Capture::default()),
                    (Op::EndCapture { graph, .. }, Some(it)) => {
                        graphs.insert(graph, std::mem::take(&mut it.nodes));
                        capture = None;
                    }
                    (op, Some(it)) => it.add(place, op),
                    (op, None) => self.operation(place, op, (call, back), &graphs),
                }
            }
        }
    }

    fn operation(
        &mut self,
        place: Place,
        op: Op,
        (call, back): (usize, usize),
        graphs: &BTreeMap<u8, Captured>,
    ) {
        match op {
            Op::HostWrite { host, value } => {
                let mode = Mode::Write(Content::Value(value));
                self.access(Object::Host(host), mode, None, (call, back), &[place]);
            }
            Op::HostRead { host, slot } => {
                self.access(Object::Host(host), Mode::Read, Some(slot), (call, back), &[place]);
            }
            Op::Store { flag, value } => self.raises.push((flag, value, call)),
            Op::Poll { flag, value } => self.waits.push((flag, value, false, back)),
            _ => {}
        }
        let Some(stream) = stream_of(op) else { return };
        let (start, end) = (self.node(), self.node());
        self.edge(call, start);
        self.edge(start, end);
        self.units.push(Unit {
            place,
            op,
            stream,
            start,
            end,
        });
        if let Op::LaunchGraph { graph, .. } = op {
            let mut nodes = Vec::new();
            for (captured, inner, before) in graphs.get(&graph).into_iter().flatten() {
                let (from, to) = (self.node(), self.node());
                self.edge(start, from);
                self.edge(from, to);
                self.edge(to, end);
                for earlier in before {
                    let earlier: &(usize, usize) = &nodes[*earlier];
                    self.edge(earlier.1, from);
                }
                nodes.push((from, to));
                self.device_work(*inner, (from, to), &[place, *captured], (call, back));
            }
            return;
        }
        self.device_work(op, (start, end), &[place], (call, back));
        let waits_for_own = match op {
            // Copies from pageable memory return once they are staged; copies on the device do not block.
            Op::ToDevice {
                host, stream: None, ..
            } => matches!(host, Host::Pinned(_)),
            Op::ToHost { stream: None, .. } => true,
            _ => false,
        };
        let pageable = match op {
            Op::ToDevice { host, .. } | Op::ToHost { host, .. } => matches!(host, Host::Pageable(_)),
            _ => false,
        };
        if waits_for_own || pageable && self.trust.pageable {
            self.edge(end, back);
        }
    }

    fn device_work(&mut self, op: Op, at: (usize, usize), places: &[Place], (call, back): (usize, usize)) {
        let write = |value| Mode::Write(Content::Value(value));
        match op {
            Op::Launch { work, .. } => match work {
                Work::Write { buffer, value, .. } => {
                    self.access(Object::Buffer(buffer), write(value), None, at, places);
                }
                Work::Read { buffer, slot } => {
                    self.access(Object::Buffer(buffer), Mode::Read, Some(slot), at, places);
                }
                Work::Copy { from, to } => self.copy(Object::Buffer(from), Object::Buffer(to), at, places),
                Work::Spin { flag, value } => self.waits.push((flag, value, false, at.1)),
                Work::Set { flag, value } => self.raises.push((flag, value, at.1)),
                Work::Relay { from, value, to } => {
                    self.waits.push((from, value, false, at.1));
                    self.raises.push((to, value, at.1));
                }
                Work::Pause { .. } => {}
            },
            Op::WaitValue {
                flag, value, equal, ..
            } => self.waits.push((flag, value, equal, at.1)),
            Op::WriteValue { flag, value, .. } | Op::CopyFlag { flag, value, .. } => {
                self.raises.push((flag, value, at.1));
            }
            Op::HostFunction {
                raises: Some(flag), ..
            } => self.raises.push((flag, 1, at.1)),
            Op::OnDevice { from, to, .. } => self.copy(Object::Buffer(from), Object::Buffer(to), at, places),
            Op::Memset { buffer, byte, .. } => {
                let value = i32::from_ne_bytes([byte; 4]);
                self.access(Object::Buffer(buffer), write(value), None, at, places);
            }
            Op::ToDevice { buffer, host, stream } => {
                self.copy(Object::Host(host), Object::Buffer(buffer), at, places);
                let read = self.accesses.len() - 2;
                if matches!(host, Host::Pageable(_)) {
                    match stream {
                        None => self.accesses[read].to = back,
                        Some(_) if self.trust.pageable => {}
                        // It may be staged when the call is made, or read when the copy's turn comes.
                        Some(_) => {
                            self.accesses[read].from = call;
                            self.accesses[read].unspecified = true;
                        }
                    }
                }
            }
            Op::ToHost { buffer, host, stream } => {
                self.copy(Object::Buffer(buffer), Object::Host(host), at, places);
                if let Some(access) = self.accesses.last_mut() {
                    access.unspecified =
                        stream.is_some() && matches!(host, Host::Pageable(_)) && !self.trust.pageable;
                }
            }
            Op::MallocAsync { buffer, .. } | Op::FreeAsync { buffer, .. } => {
                self.access(Object::Buffer(buffer), Mode::Life, None, at, places);
            }
            _ => {}
        }
    }

    fn copy(&mut self, from: Object, to: Object, at: (usize, usize), places: &[Place]) {
        self.access(from, Mode::Read, None, at, places);
        self.access(to, Mode::Write(Content::Of(from)), None, at, places);
    }

    fn access(&mut self, object: Object, mode: Mode, slot: Option<u8>, at: (usize, usize), places: &[Place]) {
        self.accesses.push(Access {
            object,
            mode,
            slot,
            from: at.0,
            to: at.1,
            places: places.to_vec(),
            unspecified: false,
        });
    }

    /// Program order, threads and gates.
    fn host_edges(&mut self) {
        let program = self.program;
        let mut opened = BTreeMap::new();
        let mut passed = Vec::new();
        for (thread, index, op) in program.operations() {
            let (call, back) = self.calls[&(thread, index)];
            if index > 0 {
                let before = self.calls[&(thread, index - 1)].1;
                self.edge(before, call);
            }
            let ends = |child: u8| (child as usize, program.threads[child as usize].len() - 1);
            match op {
                Op::Spawn { thread } => {
                    let first = self.calls[&(thread as usize, 0)].0;
                    self.edge(call, first);
                }
                Op::Join { thread } => {
                    let last = self.calls[&ends(thread)].1;
                    self.edge(last, back);
                }
                Op::Open { gate } => drop(opened.insert(gate, call)),
                Op::Pass { gate } => passed.push((gate, back)),
                _ => {}
            }
        }
        for (gate, back) in passed {
            if let Some(call) = opened.get(&gate) {
                self.edge(*call, back);
            }
        }
    }

    /// A wait that only one write can end ends behind it.
    fn flag_edges(&mut self) {
        for (flag, value, equal, waits) in std::mem::take(&mut self.waits) {
            let ends =
                |it: &&(Flag, i32, usize)| it.0 == flag && if equal { it.1 == value } else { it.1 >= value };
            let releasers: Vec<usize> = self.raises.iter().filter(ends).map(|it| it.2).collect();
            if let [only] = releasers.as_slice() {
                self.edge(*only, waits);
            }
        }
    }

    fn reaches(&self) -> Vec<Vec<bool>> {
        (0..self.edges.len())
            .map(|from| {
                let mut reached = vec![false; self.edges.len()];
                let mut open = vec![from];
                while let Some(at) = open.pop() {
                    for next in &self.edges[at] {
                        if !std::mem::replace(&mut reached[*next], true) {
                            open.push(*next);
                        }
                    }
                }
                reached
            })
            .collect()
    }

    /// Streams, events and calls that wait for work; true when an edge is new.
    fn device_edges(&mut self, reaches: &[Vec<bool>]) -> bool {
        let mut new = Vec::new();
        let before = |one: Place, other: Place| reaches[self.calls[&one].1][self.calls[&other].0];
        for first in &self.units {
            for second in &self.units {
                if first.place != second.place
                    && before(first.place, second.place)
                    && self.follow(first, second)
                {
                    new.push((first.end, second.start));
                }
            }
        }
        let record_before = |event: u8, at: Place| {
            let records = |it: &&Unit| matches!(it.op, Op::Record { event: of, .. } if of == event);
            let all: Vec<&Unit> = self.units.iter().filter(records).collect();
            if all
                .iter()
                .any(|it| !before(it.place, at) && !before(at, it.place))
            {
                return None;
            }
            let earlier: Vec<&Unit> = all.into_iter().filter(|it| before(it.place, at)).collect();
            let is_last = |it: &&&Unit| {
                let others = earlier.iter().filter(|other| other.place != it.place);
                others.into_iter().all(|other| before(other.place, it.place))
            };
            earlier.iter().find(is_last).map(|it| it.end)
        };
        for unit in &self.units {
            if let Op::WaitEvent { event, .. } = unit.op {
                new.extend(record_before(event, unit.place).map(|end| (end, unit.start)));
            }
        }
        for (thread, index, op) in self.program.operations() {
            let place = (thread, index);
            let back = self.calls[&place].1;
            let in_scope = |it: &&Unit| match op {
                Op::SyncDevice => true,
                Op::SyncStream { stream } => {
                    it.stream == stream || stream == Stream::Legacy && self.is_blocking(it.stream)
                }
                _ => false,
            };
            let scope = self.units.iter().filter(in_scope);
            new.extend(
                scope
                    .filter(|it| before(it.place, place))
                    .map(|it| (it.end, back)),
            );
            if let Op::SyncEvent { event } = op {
                new.extend(record_before(event, place).map(|end| (end, back)));
            }
        }
        let mut changed = false;
        for (from, to) in new {
            changed |= self.edge(from, to);
        }
        changed
    }

    /// Whether work follows work that was enqueued before it.
    fn follow(&self, first: &Unit, second: &Unit) -> bool {
        let same_graph = match (first.op, second.op) {
            (Op::LaunchGraph { graph: one, .. }, Op::LaunchGraph { graph: other, .. }) => one == other,
            _ => false,
        };
        first.stream == second.stream
            || first.stream == Stream::Legacy && self.is_blocking(second.stream)
            || second.stream == Stream::Legacy && self.is_blocking(first.stream)
            || same_graph
    }

    fn is_blocking(&self, stream: Stream) -> bool {
        match stream {
            Stream::Legacy => false,
            Stream::Made(number) => !self.program.streams[number as usize],
        }
    }
}

/// A capture that is under way.
#[derive(Default)]
struct Capture {
    nodes: Captured,
    /// What the next operation of each stream comes after.
    heads: BTreeMap<Stream, Vec<usize>>,
    recorded: BTreeMap<u8, Vec<usize>>,
}

impl Capture {
    fn add(&mut self, place: Place, op: Op) {
        let Some(stream) = stream_of(op) else { return };
        match op {
            Op::Record { event, .. } => {
                let head = self.heads.get(&stream).cloned().unwrap_or_default();
                self.recorded.insert(event, head);
            }
            Op::WaitEvent { event, .. } => {
                let more = self.recorded.get(&event).cloned().unwrap_or_default();
                self.heads.entry(stream).or_default().extend(more);
            }
            _ => {
                let head = self.heads.insert(stream, vec![self.nodes.len()]);
                self.nodes.push((place, op, head.unwrap_or_default()));
            }
        }
    }
}

/// The stream an operation's work is enqueued in.
fn stream_of(op: Op) -> Option<Stream> {
    match op {
        Op::Launch { stream, .. }
        | Op::Record { stream, .. }
        | Op::WaitEvent { stream, .. }
        | Op::WaitValue { stream, .. }
        | Op::WriteValue { stream, .. }
        | Op::CopyFlag { stream, .. }
        | Op::MallocAsync { stream, .. }
        | Op::FreeAsync { stream, .. }
        | Op::HostFunction { stream, .. }
        | Op::LaunchGraph { stream, .. } => Some(stream),
        Op::ToDevice { stream, .. }
        | Op::ToHost { stream, .. }
        | Op::OnDevice { stream, .. }
        | Op::Memset { stream, .. } => Some(stream.unwrap_or(Stream::Legacy)),
        _ => None,
    }
}
