//! A program as a line of numbers, for the runner on the GPU.

use std::hash::Hasher;

use super::program::{Flag, Host, Kernel, Op, Program, Stream, Work};
use super::render::{self, Source};

/// Set-up, then every thread with its operations, each an operation code and its arguments.
pub fn encode(program: &Program) -> String {
    let mut numbers: Vec<i32> = Vec::new();
    let count = |it: usize| it as i32;
    numbers.push(count(program.streams.len()));
    numbers.extend(program.streams.iter().map(|it| i32::from(*it)));
    let counts = [
        program.events,
        program.device_flags,
        program.mapped_flags,
        program.buffers,
        program.pool_buffers,
        program.pinned,
        program.pageable,
        program.scratch,
        program.fresh,
        program.host_scratch,
        program.host_fresh,
    ];
    numbers.extend(counts.iter().map(|it| i32::from(*it)));
    numbers.push(count(program.host_slots.len()));
    numbers.extend(program.host_slots.iter().map(|it| i32::from(*it)));
    numbers.extend([i32::from(program.gates), i32::from(program.graphs)]);
    let values = render::copied_values(program);
    numbers.push(count(values.len()));
    numbers.extend(values);
    numbers.push(count(program.threads.len()));
    for thread in &program.threads {
        numbers.push(count(thread.len()));
        thread.iter().for_each(|op| operation(*op, &mut numbers));
    }
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// Changes when the generated text or the list of operations does.
pub fn fingerprint(program: &Program, source: &Source) -> u32 {
    // FNV-1a: the standard library's hasher may change between releases.
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
            }
        }
    }
    let mut hasher = Fnv(0xCBF2_9CE4_8422_2325);
    hasher.write(encode(program).as_bytes());
    for (name, text) in &source.files {
        hasher.write(name.as_bytes());
        hasher.write(text.as_bytes());
    }
    let wide = hasher.finish();
    (wide ^ (wide >> 32)) as u32
}

fn stream(it: Stream) -> i32 {
    match it {
        Stream::Legacy => -1,
        Stream::Made(number) => i32::from(number),
    }
}

fn maybe_stream(it: Option<Stream>) -> i32 {
    it.map_or(-2, stream)
}

fn flag(it: Flag) -> i32 {
    match it {
        Flag::Device(number) => i32::from(number),
        Flag::Mapped(number) => 16 + i32::from(number),
    }
}

fn host(it: Host) -> i32 {
    match it {
        Host::Pinned(number) => i32::from(number),
        Host::Pageable(number) => 16 + i32::from(number),
    }
}

fn name(kernel: Kernel, work: Work) -> [i32; 3] {
    [
        i32::from(work.kind()),
        i32::from(kernel.unit),
        i32::from(kernel.variant),
    ]
}

fn work_arguments(work: Work) -> [i32; 3] {
    match work {
        Work::Write { buffer, value, pause } => [i32::from(buffer), value, i32::from(pause)],
        Work::Read { buffer, slot } => [i32::from(buffer), i32::from(slot), 0],
        Work::Copy { from, to } => [i32::from(from), i32::from(to), 0],
        Work::Spin { flag: it, value } | Work::Set { flag: it, value } => [flag(it), value, 0],
        Work::Relay { from, value, to } => [flag(from), value, flag(to)],
        Work::Pause { pause } => [i32::from(pause), 0, 0],
    }
}

fn operation(op: Op, out: &mut Vec<i32>) {
    let number = |it: u8| i32::from(it);
    match op {
        Op::Launch {
            kernel,
            work,
            stream: on,
        } => {
            out.push(0);
            out.extend(name(kernel, work));
            out.push(stream(on));
            out.extend(work_arguments(work));
        }
        Op::Preload { kernel, work } => {
            out.push(1);
            out.extend(name(kernel, work));
        }
        Op::Record { event, stream: on } => out.extend([2, number(event), stream(on)]),
        Op::WaitEvent { stream: on, event } => out.extend([3, stream(on), number(event)]),
        Op::SyncEvent { event } => out.extend([4, number(event)]),
        Op::SyncStream { stream: on } => out.extend([5, stream(on)]),
        Op::SyncDevice => out.push(6),
        Op::WaitValue {
            stream: on,
            flag: it,
            value,
            equal,
        } => {
            out.extend([7, stream(on), flag(it), value, i32::from(equal)]);
        }
        Op::WriteValue {
            stream: on,
            flag: it,
            value,
        } => out.extend([8, stream(on), flag(it), value]),
        Op::CopyFlag {
            stream: on,
            flag: it,
            value,
        } => out.extend([9, stream(on), flag(it), value]),
        Op::Store { flag: it, value } => out.extend([10, flag(it), value]),
        Op::Poll { flag: it, value } => out.extend([11, flag(it), value]),
        Op::ToDevice {
            buffer,
            host: it,
            stream: on,
        } => {
            out.extend([12, number(buffer), host(it), maybe_stream(on)]);
        }
        Op::ToHost {
            buffer,
            host: it,
            stream: on,
        } => {
            out.extend([13, number(buffer), host(it), maybe_stream(on)]);
        }
        Op::OnDevice { from, to, stream: on } => {
            out.extend([14, number(from), number(to), maybe_stream(on)]);
        }
        Op::Memset {
            buffer,
            byte,
            stream: on,
        } => {
            out.extend([15, number(buffer), number(byte), maybe_stream(on)]);
        }
        Op::HostWrite { host: it, value } => out.extend([16, host(it), value]),
        Op::HostRead { host: it, slot } => out.extend([17, host(it), number(slot)]),
        Op::Malloc { fresh } => out.extend([18, number(fresh)]),
        Op::Free { scratch } => out.extend([19, number(scratch)]),
        Op::MallocHost { fresh } => out.extend([20, number(fresh)]),
        Op::FreeHost { scratch } => out.extend([21, number(scratch)]),
        Op::MallocAsync { buffer, stream: on } => out.extend([22, number(buffer), stream(on)]),
        Op::FreeAsync { buffer, stream: on } => out.extend([23, number(buffer), stream(on)]),
        Op::HostFunction { stream: on, raises } => out.extend([24, stream(on), raises.map_or(-1, flag)]),
        Op::Spawn { thread } => out.extend([25, number(thread)]),
        Op::Join { thread } => out.extend([26, number(thread)]),
        Op::Open { gate } => out.extend([27, number(gate)]),
        Op::Pass { gate } => out.extend([28, number(gate)]),
        Op::Sleep { milliseconds } => out.extend([29, number(milliseconds)]),
        Op::BeginCapture { stream: on } => out.extend([30, stream(on)]),
        Op::EndCapture { stream: on, graph } => out.extend([31, stream(on), number(graph)]),
        Op::LaunchGraph { graph, stream: on } => out.extend([32, number(graph), stream(on)]),
    }
}
