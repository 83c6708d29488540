//! Random small programs: scenes that wait, share memory, capture or hand over, interleaved with calls that may get in the way.

use super::program::{Flag, Host, Kernel, Op, Program, Stream, Work};
use super::random::Random;

/// Operations that stay together.
type Block = Vec<Op>;

/// Makes the program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    // More streams than the device has queues by default, now and then: they share.
    let streams = match random.weighted(&[8, 40, 30, 18, 4]) {
        4 => 9 + random.below(6),
        fewer => 1 + fewer,
    };
    let non_blocking = random.pick(&[100, 70, 70, 35, 0]);
    let units = 1 + random.weighted(&[60, 25, 15]) as u8;
    let has_thread = streams > 1 && random.percent(25);
    let mut draft = Draft {
        program: Program {
            streams: (0..streams).map(|_| random.percent(non_blocking)).collect(),
            buffers: 3,
            threads: vec![Vec::new()],
            ..Program::default()
        },
        units,
        variants: 1 + random.below(4),
        own_streams: if has_thread { streams - 1 } else { streams },
        thread_left: has_thread,
        next_value: 100,
        random,
    };
    let mut scenes = draft.scenes();
    let mut main = draft.preparation();
    while !scenes.is_empty() {
        let at = draft.random.below(scenes.len());
        if scenes[at].is_empty() {
            scenes.remove(at);
            continue;
        }
        main.extend(scenes[at].remove(0));
    }
    let spawned = main.iter().filter_map(|op| match op {
        Op::Spawn { thread } => Some(*thread),
        _ => None,
    });
    let joins: Vec<Op> = spawned
        .map(|thread| Op::Join { thread })
        .filter(|join| !main.contains(join))
        .collect();
    main.extend(joins);
    main.push(Op::SyncDevice);
    draft.program.threads[0] = main;
    draft.preload();
    draft.program
}

/// A program that is being made.
struct Draft {
    program: Program,
    random: Random,
    /// Units of translation.
    units: u8,
    /// Kernels of each kind that are drawn from.
    variants: usize,
    /// Streams of the main thread; one more belongs to the other thread.
    own_streams: usize,
    thread_left: bool,
    next_value: i32,
}

impl Draft {
    fn scenes(&mut self) -> Vec<Vec<Block>> {
        let mut scenes = Vec::new();
        for _ in 0..self.random.weighted(&[36, 54, 10]) {
            scenes.push(self.wait_scene());
        }
        let shares = if scenes.is_empty() { 2 } else { 1 };
        for _ in 0..self.random.below(shares + 1) {
            scenes.push(self.data_scene());
        }
        if self.random.percent(12 * shares) {
            scenes.push(self.pool_scene());
        }
        if self.random.percent(15 * shares) {
            scenes.push(self.host_scene());
        }
        if self.random.percent(14 * shares) {
            scenes.push(self.graph_scene());
        }
        if self.random.percent(12) {
            scenes.push(self.answer_scene());
        }
        let fillers = self.random.below(3);
        scenes.push((0..fillers).map(|_| self.filler(false)).collect());
        scenes
    }

    /// Launches before anything waits, so that units are touched and some kernels loaded.
    fn preparation(&mut self) -> Vec<Op> {
        if !self.random.percent(45) {
            return Vec::new();
        }
        let mut ops = Vec::new();
        for unit in 0..self.units {
            if self.random.percent(75) {
                let stream = self.stream();
                let kernel = Kernel { unit, variant: 0 };
                let work = Work::Pause { pause: 0 };
                ops.push(Op::Launch { kernel, work, stream });
            }
        }
        if self.random.percent(50) {
            ops.push(Op::SyncDevice);
        }
        ops
    }

    /// Loads all, some or none of the kernels first.
    fn preload(&mut self) {
        let share = self.random.pick(&[0, 0, 50, 80, 100]);
        if share == 0 {
            return;
        }
        let mut loads = Vec::new();
        for (kernel, work) in self.program.kernels() {
            if self.random.percent(share) {
                loads.push(Op::Preload { kernel, work });
            }
        }
        loads.append(&mut self.program.threads[0]);
        self.program.threads[0] = loads;
    }

    fn stream(&mut self) -> Stream {
        if self.random.percent(6) {
            return Stream::Legacy;
        }
        self.made_stream()
    }

    fn made_stream(&mut self) -> Stream {
        Stream::Made(self.random.below(self.own_streams) as u8)
    }

    fn other_stream(&mut self, than: Stream) -> Stream {
        let made = (0..self.own_streams as u8).map(Stream::Made);
        let others: Vec<Stream> = made.filter(|it| *it != than).collect();
        if others.is_empty() {
            Stream::Legacy
        } else {
            self.random.pick(&others)
        }
    }

    fn kernel(&mut self) -> Kernel {
        let unit = if self.random.percent(60) {
            0
        } else {
            self.random.below(self.units as usize) as u8
        };
        Kernel {
            unit,
            variant: self.random.below(self.variants) as u8,
        }
    }

    fn launch(&mut self, work: Work, stream: Stream) -> Op {
        Op::Launch {
            kernel: self.kernel(),
            work,
            stream,
        }
    }

    fn value(&mut self) -> i32 {
        self.next_value += 1;
        self.next_value
    }

    fn buffer(&mut self) -> u8 {
        self.random.below(2) as u8
    }

    fn event(&mut self) -> u8 {
        if self.program.events > 0 && self.random.percent(12) {
            return self.random.below(self.program.events as usize) as u8;
        }
        self.program.events += 1;
        self.program.events - 1
    }

    fn slot(&mut self, on_host: bool) -> u8 {
        self.program.host_slots.push(on_host);
        self.program.host_slots.len() as u8 - 1
    }

    fn flag(&mut self, mapped: bool) -> Flag {
        if mapped {
            self.program.mapped_flags += 1;
            Flag::Mapped(self.program.mapped_flags - 1)
        } else {
            self.program.device_flags += 1;
            Flag::Device(self.program.device_flags - 1)
        }
    }

    fn host(&mut self) -> Host {
        if self.random.percent(60) {
            self.program.pinned = self.program.pinned.max(1);
            Host::Pinned(0)
        } else {
            self.program.pageable = self.program.pageable.max(1);
            Host::Pageable(0)
        }
    }

    /// Something waits for a flag, calls get in between, something releases it.
    fn wait_scene(&mut self) -> Vec<Block> {
        let mapped = self.random.percent(45);
        let flag = self.flag(mapped);
        let stream = if self.random.percent(5) {
            Stream::Legacy
        } else {
            self.made_stream()
        };
        let value = if self.random.percent(97) { 1 } else { 2 };
        let mut waiting: Block = Vec::new();
        let mut last = (flag, stream);
        match self.random.weighted(&[58, 34, 8]) {
            0 => waiting.push(self.launch(Work::Spin { flag, value }, stream)),
            1 => waiting.push(Op::WaitValue {
                stream,
                flag,
                value,
                equal: self.random.percent(50),
            }),
            _ => {
                let mapped = self.random.percent(30);
                let to = self.flag(mapped);
                waiting.push(self.launch(
                    Work::Relay {
                        from: flag,
                        value,
                        to,
                    },
                    stream,
                ));
                let second = self.other_stream(stream);
                waiting.push(self.launch(Work::Spin { flag: to, value: 1 }, second));
                last = (to, second);
            }
        }
        let mut scene: Vec<Block> = waiting.into_iter().map(|it| vec![it]).collect();
        let mut edge = None;
        if self.random.percent(7) {
            let event = self.event();
            scene.push(vec![Op::Record {
                event,
                stream: last.1,
            }]);
            edge = Some(event);
        }
        let between = self.random.weighted(&[22, 36, 27, 15]);
        let between: Vec<Block> = (0..between).map(|_| self.filler(false)).collect();
        let by_thread = self.thread_left && self.random.percent(75);
        let release = self.release(flag, stream, edge, by_thread);
        if by_thread {
            self.thread_left = false;
            return self.by_thread(scene, between, release);
        }
        if self.random.percent(18) {
            let mut first = vec![release];
            first.extend(between);
            first.extend(scene);
            return first;
        }
        scene.extend(between);
        scene.push(release);
        scene
    }

    /// The release, and before it the wait for an event, where there is one.
    fn release(&mut self, flag: Flag, waits: Stream, edge: Option<u8>, by_thread: bool) -> Block {
        let stream = if by_thread {
            Stream::Made(self.own_streams as u8)
        } else {
            match self.random.weighted(&[88, 5, 7]) {
                0 => self.other_stream(waits),
                1 => waits,
                _ => Stream::Legacy,
            }
        };
        let mut block = Vec::new();
        if let Some(event) = edge.filter(|_| !by_thread) {
            block.push(Op::WaitEvent { stream, event });
        }
        let value = 1;
        let release = match flag {
            Flag::Device(_) => match self.random.weighted(&[45, 32, 15, 8]) {
                0 => self.launch(Work::Set { flag, value }, stream),
                1 => Op::WriteValue { stream, flag, value },
                2 => Op::CopyFlag { stream, flag, value },
                _ if matches!(stream, Stream::Made(_)) && !by_thread => {
                    let graph = self.program.graphs;
                    self.program.graphs += 1;
                    block.push(Op::BeginCapture { stream });
                    block.push(self.launch(Work::Set { flag, value }, stream));
                    block.push(Op::EndCapture { stream, graph });
                    Op::LaunchGraph { graph, stream }
                }
                _ => Op::WriteValue { stream, flag, value },
            },
            Flag::Mapped(_) => match self.random.weighted(&[62, 16, 11, 11]) {
                0 => Op::Store { flag, value },
                1 => Op::HostFunction {
                    stream,
                    raises: Some(flag),
                },
                2 => self.launch(Work::Set { flag, value }, stream),
                _ => Op::WriteValue { stream, flag, value },
            },
        };
        block.push(release);
        block
    }

    /// The release is another host thread's.
    fn by_thread(&mut self, mut scene: Vec<Block>, between: Vec<Block>, release: Block) -> Vec<Block> {
        let thread = self.program.threads.len() as u8;
        let mut ops = Vec::new();
        let gate = self.random.percent(40).then(|| {
            self.program.gates += 1;
            self.program.gates - 1
        });
        match gate {
            Some(gate) => ops.push(Op::Pass { gate }),
            None => ops.push(Op::Sleep { milliseconds: 60 }),
        }
        if self.random.percent(35) {
            ops.extend(self.filler(true));
        }
        ops.extend(release);
        self.program.threads.push(ops);
        let spawn = vec![Op::Spawn { thread }];
        if self.random.percent(50) {
            scene.insert(0, spawn);
        } else {
            scene.push(spawn);
        }
        let opening = gate.map(|gate| vec![Op::Open { gate }]);
        if self.random.percent(50) {
            scene.extend(opening);
            scene.extend(between);
        } else {
            scene.extend(between);
            scene.extend(opening);
        }
        if self.random.percent(40) {
            scene.push(vec![Op::Join { thread }]);
        }
        scene
    }

    /// A call that may get in the way.
    fn filler(&mut self, by_thread: bool) -> Block {
        let stream = if by_thread {
            Stream::Made(self.own_streams as u8)
        } else {
            self.stream()
        };
        let buffer = if by_thread { 2 } else { self.buffer() };
        let pause = self.random.pick(&[0, 1]);
        match self
            .random
            .weighted(&[20, 7, 1, 3, 3, 1, 6, 3, 5, 6, 3, 4, 5, 9, 6, 3, 3, 2, 3])
        {
            0 => vec![self.launch(Work::Pause { pause }, stream)],
            1 => vec![Op::SyncStream { stream }],
            2 => vec![Op::SyncDevice],
            3 => {
                let event = self.event();
                vec![Op::Record { event, stream }, Op::SyncEvent { event }]
            }
            4 => {
                self.program.scratch += 1;
                vec![Op::Free {
                    scratch: self.program.scratch - 1,
                }]
            }
            5 => {
                self.program.host_scratch += 1;
                vec![Op::FreeHost {
                    scratch: self.program.host_scratch - 1,
                }]
            }
            6 => {
                self.program.fresh += 1;
                vec![Op::Malloc {
                    fresh: self.program.fresh - 1,
                }]
            }
            7 => {
                self.program.host_fresh += 1;
                vec![Op::MallocHost {
                    fresh: self.program.host_fresh - 1,
                }]
            }
            8 => {
                let buffer = self.program.buffers + self.program.pool_buffers;
                self.program.pool_buffers += 1;
                vec![
                    Op::MallocAsync { buffer, stream },
                    Op::FreeAsync { buffer, stream },
                ]
            }
            9 => {
                let host = self.host();
                if self.random.percent(50) {
                    vec![Op::ToDevice {
                        buffer,
                        host,
                        stream: None,
                    }]
                } else {
                    vec![Op::ToHost {
                        buffer,
                        host,
                        stream: None,
                    }]
                }
            }
            10 => vec![Op::OnDevice {
                from: buffer,
                to: 2,
                stream: None,
            }],
            11 => vec![Op::Memset {
                buffer,
                byte: 3,
                stream: None,
            }],
            12 => vec![Op::Memset {
                buffer,
                byte: 5,
                stream: Some(stream),
            }],
            13 => {
                let host = self.host();
                if self.random.percent(60) {
                    vec![Op::ToDevice {
                        buffer,
                        host,
                        stream: Some(stream),
                    }]
                } else {
                    vec![Op::ToHost {
                        buffer,
                        host,
                        stream: Some(stream),
                    }]
                }
            }
            14 => {
                let work = Work::Pause { pause: 0 };
                vec![Op::Preload {
                    kernel: self.kernel(),
                    work,
                }]
            }
            15 => vec![Op::HostFunction { stream, raises: None }],
            16 if !by_thread => vec![self.launch(Work::Pause { pause }, Stream::Legacy)],
            17 => {
                let flag = self.flag(false);
                vec![Op::WriteValue {
                    stream,
                    flag,
                    value: 7,
                }]
            }
            _ => {
                let value = self.value();
                vec![self.launch(Work::Write { buffer, value, pause }, stream)]
            }
        }
    }

    /// Several streams use a buffer, ordered or not.
    fn data_scene(&mut self) -> Vec<Block> {
        let mut scene: Vec<Block> = Vec::new();
        let buffer = self.buffer();
        let mut stream = self.stream();
        for step in 0..2 + self.random.below(4) {
            let value = self.value();
            let pause = self.random.pick(&[0, 2, 2]);
            let choice = if step == 0 {
                0
            } else {
                self.random.weighted(&[28, 40, 10, 10, 8, 4])
            };
            let op = match choice {
                0 => self.launch(Work::Write { buffer, value, pause }, stream),
                1 => {
                    let slot = self.slot(false);
                    self.launch(Work::Read { buffer, slot }, stream)
                }
                2 => self.launch(
                    Work::Copy {
                        from: buffer,
                        to: 1 - buffer,
                    },
                    stream,
                ),
                3 => Op::Memset {
                    buffer,
                    byte: 9,
                    stream: Some(stream),
                },
                4 => Op::OnDevice {
                    from: buffer,
                    to: 1 - buffer,
                    stream: Some(stream),
                },
                _ => Op::Memset {
                    buffer,
                    byte: 11,
                    stream: None,
                },
            };
            let mut block = vec![op];
            let next = if self.random.percent(75) {
                self.stream()
            } else {
                stream
            };
            match self.random.weighted(&[34, 36, 10, 8, 4]) {
                0 => {}
                1 => {
                    let event = self.event();
                    block.push(Op::Record { event, stream });
                    block.push(Op::WaitEvent { stream: next, event });
                }
                2 => block.push(Op::SyncStream { stream }),
                3 => {
                    let event = self.event();
                    block.push(Op::Record { event, stream });
                    block.push(Op::SyncEvent { event });
                }
                _ => block.push(Op::SyncDevice),
            }
            scene.extend(block.into_iter().map(|it| vec![it]));
            stream = next;
        }
        scene
    }

    /// Memory that is allocated, used and freed in stream order, or not.
    fn pool_scene(&mut self) -> Vec<Block> {
        let buffer = self.program.buffers + self.program.pool_buffers;
        self.program.pool_buffers += 1;
        let (first, second, third) = (self.made_stream(), self.made_stream(), self.made_stream());
        let value = self.value();
        let slot = self.slot(false);
        let mut scene = vec![vec![Op::MallocAsync {
            buffer,
            stream: first,
        }]];
        scene.extend(self.edge(first, second));
        scene.push(vec![self.launch(
            Work::Write {
                buffer,
                value,
                pause: 1,
            },
            second,
        )]);
        scene.push(vec![self.launch(Work::Read { buffer, slot }, second)]);
        scene.extend(self.edge(second, third));
        scene.push(vec![Op::FreeAsync {
            buffer,
            stream: third,
        }]);
        scene
    }

    /// Maybe something that orders one stream behind another.
    fn edge(&mut self, from: Stream, to: Stream) -> Vec<Block> {
        if from == to {
            return Vec::new();
        }
        let event = self.event();
        let ops = match self.random.weighted(&[20, 60, 20]) {
            0 => Vec::new(),
            1 => vec![
                Op::Record { event, stream: from },
                Op::WaitEvent { stream: to, event },
            ],
            _ => vec![Op::SyncStream { stream: from }],
        };
        ops.into_iter().map(|it| vec![it]).collect()
    }

    /// The host shares memory with copies.
    fn host_scene(&mut self) -> Vec<Block> {
        let buffer = self.buffer();
        let host = self.host();
        let stream = self.stream();
        let mut scene: Vec<Block> = Vec::new();
        let sync = |draft: &mut Draft, scene: &mut Vec<Block>| match draft.random.weighted(&[35, 35, 15, 15])
        {
            0 => {}
            1 => scene.push(vec![Op::SyncStream { stream }]),
            2 => {
                let event = draft.event();
                scene.push(vec![Op::Record { event, stream }]);
                scene.push(vec![Op::SyncEvent { event }]);
            }
            _ => scene.push(vec![Op::SyncDevice]),
        };
        let value = self.value();
        if self.random.percent(60) {
            scene.push(vec![Op::HostWrite { host, value }]);
            scene.push(vec![Op::ToDevice {
                buffer,
                host,
                stream: Some(stream),
            }]);
            sync(self, &mut scene);
            let value = self.value();
            scene.push(vec![Op::HostWrite { host, value }]);
            let slot = self.slot(false);
            scene.push(vec![self.launch(Work::Read { buffer, slot }, stream)]);
        }
        if self.random.percent(70) {
            let value = self.value();
            scene.push(vec![self.launch(
                Work::Write {
                    buffer,
                    value,
                    pause: 2,
                },
                stream,
            )]);
            scene.push(vec![Op::ToHost {
                buffer,
                host,
                stream: Some(stream),
            }]);
            sync(self, &mut scene);
            let slot = self.slot(true);
            scene.push(vec![Op::HostRead { host, slot }]);
        }
        scene
    }

    /// A captured piece of work, with a fork or without one, launched once or twice.
    fn graph_scene(&mut self) -> Vec<Block> {
        let graph = self.program.graphs;
        self.program.graphs += 1;
        let stream = self.made_stream();
        let side = self.other_stream(stream);
        let forks = side != Stream::Legacy && self.random.percent(60);
        let mut block = vec![Op::BeginCapture { stream }];
        block.push(self.graph_work(stream));
        if forks {
            let events = [self.program.events, self.program.events + 1];
            self.program.events += 2;
            block.push(Op::Record {
                event: events[0],
                stream,
            });
            block.push(Op::WaitEvent {
                stream: side,
                event: events[0],
            });
            let count = 1 + self.random.below(2);
            for _ in 0..count {
                block.push(self.graph_work(side));
            }
            if self.random.percent(60) {
                block.push(self.graph_work(stream));
            }
            block.push(Op::Record {
                event: events[1],
                stream: side,
            });
            block.push(Op::WaitEvent {
                stream,
                event: events[1],
            });
        }
        if self.random.percent(60) {
            block.push(self.graph_work(stream));
        }
        block.push(Op::EndCapture { stream, graph });
        let mut scene = vec![block];
        for _ in 0..1 + self.random.below(2) {
            let on = self.stream();
            scene.push(vec![Op::LaunchGraph { graph, stream: on }]);
            if self.random.percent(25) {
                scene.push(vec![Op::SyncStream { stream: on }]);
            }
        }
        scene
    }

    fn graph_work(&mut self, stream: Stream) -> Op {
        let buffer = self.buffer();
        let value = self.value();
        let pause = self.random.pick(&[0, 1, 2]);
        match self.random.weighted(&[35, 30, 15, 10, 10]) {
            0 => self.launch(Work::Write { buffer, value, pause }, stream),
            1 => {
                let slot = self.slot(false);
                self.launch(Work::Read { buffer, slot }, stream)
            }
            2 => self.launch(
                Work::Copy {
                    from: buffer,
                    to: 1 - buffer,
                },
                stream,
            ),
            3 => Op::Memset {
                buffer,
                byte: 13,
                stream: Some(stream),
            },
            _ => self.launch(Work::Pause { pause }, stream),
        }
    }

    /// The host waits for an answer from the device.
    fn answer_scene(&mut self) -> Vec<Block> {
        let flag = self.flag(true);
        let stream = self.made_stream();
        let mut scene = Vec::new();
        match self.random.weighted(&[40, 20, 15, 25]) {
            0 => scene.push(vec![self.launch(Work::Set { flag, value: 1 }, stream)]),
            1 => scene.push(vec![Op::HostFunction {
                stream,
                raises: Some(flag),
            }]),
            2 => scene.push(vec![Op::WriteValue {
                stream,
                flag,
                value: 1,
            }]),
            _ => {
                let from = self.flag(true);
                scene.push(vec![self.launch(
                    Work::Relay {
                        from,
                        value: 1,
                        to: flag,
                    },
                    stream,
                )]);
                if self.random.percent(50) {
                    scene.push(self.filler(false));
                }
                scene.push(vec![Op::Store { flag: from, value: 1 }]);
            }
        }
        if self.random.percent(40) {
            scene.push(self.filler(false));
        }
        scene.push(vec![Op::Poll { flag, value: 1 }]);
        scene
    }
}
