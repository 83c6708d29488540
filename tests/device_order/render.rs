//! A program as CUDA source: what a user would write, with the line of every operation.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::program::{ELEMENTS, Flag, Host, Kernel, Op, Program, Stream, Work};

/// Clock ticks of a millisecond.
const TICKS: u64 = 1_700_000;

/// The files of a program.
pub struct Source {
    /// Name and text; `main.cu` comes first.
    pub files: Vec<(String, String)>,
    /// Line in `main.cu` → thread and index of the operation written there.
    pub lines: BTreeMap<u32, (usize, usize)>,
}

/// Writes a program as CUDA source.
pub fn render(program: &Program) -> Source {
    let kernels = program.kernels();
    let units: Vec<u8> = {
        let mut units: Vec<u8> = kernels.iter().map(|(kernel, _)| kernel.unit).collect();
        units.retain(|it| *it > 0);
        units.dedup();
        units
    };
    let mut main = Text::default();
    let has_values = program
        .operations()
        .any(|(_, _, op)| matches!(op, Op::WaitValue { .. } | Op::WriteValue { .. }));
    for header in ["cstdio", "cstdlib"] {
        main.line(&format!("#include <{header}>"));
    }
    if program.threads.len() > 1 {
        for header in ["atomic", "chrono", "thread"] {
            main.line(&format!("#include <{header}>"));
        }
    }
    if has_values {
        main.line("#include <cuda.h>");
    }
    main.line("#include <cuda_runtime.h>");
    if !units.is_empty() {
        main.line("#include \"kernels.h\"");
    }
    main.line("");
    for (kernel, work) in kernels.iter().filter(|(kernel, _)| kernel.unit == 0) {
        main.line(&definition(*kernel, *work));
    }
    let raises = |op: Op| matches!(op, Op::HostFunction { raises: Some(_), .. });
    let nothing = |op: Op| matches!(op, Op::HostFunction { raises: None, .. });
    if program.operations().any(|(_, _, op)| raises(op)) {
        main.line("static void CUDART_CB raise_on_host(void *flag) { *(volatile int *)flag = 1; }\n");
    }
    if program.operations().any(|(_, _, op)| nothing(op)) {
        main.line("static void CUDART_CB note(void *) {}\n");
    }
    main.line("int main() {");
    set_up(program, &mut main);
    let mut lines = BTreeMap::new();
    body(program, 0, 1, &mut main, &mut lines);
    results(program, &mut main);
    main.line("  puts(\"DONE\");");
    main.line("  return 0;");
    main.line("}");
    let mut files = vec![("main.cu".to_owned(), main.0)];
    for unit in &units {
        let mut text = Text::default();
        text.line("#include \"kernels.h\"\n");
        for (kernel, work) in kernels.iter().filter(|(kernel, _)| kernel.unit == *unit) {
            text.line(&definition(*kernel, *work));
        }
        files.push((format!("unit{unit}.cu"), text.0));
    }
    if !units.is_empty() {
        let mut header = Text::default();
        header.line("#pragma once");
        for (kernel, work) in kernels.iter().filter(|(kernel, _)| kernel.unit > 0) {
            header.line(&format!("{};", signature(*kernel, *work)));
        }
        files.push(("kernels.h".to_owned(), header.0));
    }
    Source { files, lines }
}

/// Text that is written line by line.
#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn number(&self) -> u32 {
        self.0.matches('\n').count() as u32 + 1
    }
}

fn kernel_name(kernel: Kernel, work: Work) -> String {
    format!("{}_{}_{}", work.name(), kernel.unit, kernel.variant)
}

fn signature(kernel: Kernel, work: Work) -> String {
    let parameters = match work {
        Work::Write { .. } => "int *data, int value, long long ticks",
        Work::Read { .. } => "const int *data, int *kept",
        Work::Copy { .. } => "const int *from, int *to",
        Work::Spin { .. } | Work::Set { .. } => "volatile int *flag, int value",
        Work::Relay { .. } => "volatile int *from, int value, volatile int *to",
        Work::Pause { .. } => "long long ticks",
    };
    format!("__global__ void {}({parameters})", kernel_name(kernel, work))
}

fn definition(kernel: Kernel, work: Work) -> String {
    let pause = "  long long start = clock64();\n  while (clock64() - start < ticks) {\n  }\n";
    let body = match work {
        Work::Write { .. } => format!("{pause}  data[threadIdx.x] = value;\n"),
        Work::Read { .. } => "  if (threadIdx.x == 0) *kept = data[0];\n".to_owned(),
        Work::Copy { .. } => "  to[threadIdx.x] = from[threadIdx.x];\n".to_owned(),
        Work::Spin { .. } => "  while (*flag < value) {\n  }\n".to_owned(),
        Work::Set { .. } => "  *flag = value;\n".to_owned(),
        Work::Relay { .. } => "  while (*from < value) {\n  }\n  *to = value;\n".to_owned(),
        Work::Pause { .. } => pause.to_owned(),
    };
    format!("{} {{\n{body}}}\n", signature(kernel, work))
}

fn stream_name(stream: Stream) -> String {
    match stream {
        Stream::Legacy => "0".to_owned(),
        Stream::Made(number) => format!("s{number}"),
    }
}

fn flag_name(flag: Flag) -> String {
    match flag {
        Flag::Device(number) => format!("flag{number}"),
        Flag::Mapped(number) => format!("mail{number}"),
    }
}

fn host_name(host: Host) -> String {
    match host {
        Host::Pinned(number) => format!("pinned{number}"),
        Host::Pageable(number) => format!("plain{number}"),
    }
}

fn set_up(program: &Program, out: &mut Text) {
    let bytes = format!("{ELEMENTS} * sizeof(int)");
    for (number, non_blocking) in program.streams.iter().enumerate() {
        out.line(&format!("  cudaStream_t s{number};"));
        out.line(&if *non_blocking {
            format!("  cudaStreamCreateWithFlags(&s{number}, cudaStreamNonBlocking);")
        } else {
            format!("  cudaStreamCreate(&s{number});")
        });
    }
    for number in 0..program.events {
        out.line(&format!("  cudaEvent_t e{number};"));
        out.line(&format!(
            "  cudaEventCreateWithFlags(&e{number}, cudaEventDisableTiming);"
        ));
    }
    for number in 0..program.device_flags {
        out.line(&format!(
            "  int *flag{number};\n  cudaMalloc(&flag{number}, sizeof(int));"
        ));
        out.line(&format!("  cudaMemset(flag{number}, 0, sizeof(int));"));
    }
    for number in 0..program.mapped_flags {
        out.line(&format!(
            "  int *mail{number};\n  cudaHostAlloc(&mail{number}, sizeof(int), cudaHostAllocMapped);\n  *mail{number} = 0;"
        ));
    }
    for number in 0..program.buffers {
        out.line(&format!("  int *b{number};\n  cudaMalloc(&b{number}, {bytes});"));
        out.line(&format!("  cudaMemset(b{number}, 0, {bytes});"));
    }
    for number in program.buffers..program.buffers + program.pool_buffers {
        out.line(&format!("  int *b{number};"));
    }
    for number in 0..program.pinned {
        out.line(&format!(
            "  int *pinned{number};\n  cudaMallocHost(&pinned{number}, {bytes});"
        ));
        out.line(&format!(
            "  for (int i = 0; i < {ELEMENTS}; ++i) pinned{number}[i] = 0;"
        ));
    }
    for number in 0..program.pageable {
        out.line(&format!(
            "  int *plain{number} = (int *)calloc({ELEMENTS}, sizeof(int));"
        ));
    }
    for value in copied_values(program) {
        out.line(&format!(
            "  int *word{value};\n  cudaMallocHost(&word{value}, sizeof(int));\n  *word{value} = {value};"
        ));
    }
    for number in 0..program.scratch {
        out.line(&format!(
            "  int *scratch{number};\n  cudaMalloc(&scratch{number}, 4096);"
        ));
    }
    for number in 0..program.host_scratch {
        out.line(&format!(
            "  int *spare{number};\n  cudaMallocHost(&spare{number}, 4096);"
        ));
    }
    for number in 0..program.fresh {
        out.line(&format!("  int *fresh{number};"));
    }
    for number in 0..program.host_fresh {
        out.line(&format!("  int *page{number};"));
    }
    for (number, on_host) in program.host_slots.iter().enumerate() {
        out.line(&if *on_host {
            format!("  int kept{number} = 0;")
        } else {
            format!("  int *kept{number};\n  cudaMalloc(&kept{number}, sizeof(int));\n  cudaMemset(kept{number}, 0, sizeof(int));")
        });
    }
    for number in 0..program.gates {
        out.line(&format!("  std::atomic<int> gate{number}{{0}};"));
    }
    for number in 0..program.graphs {
        out.line(&format!(
            "  cudaGraph_t graph{number};\n  cudaGraphExec_t exec{number};"
        ));
    }
    out.line("  cudaDeviceSynchronize();\n");
}

/// Values that are copied to flags: each lies in pinned memory.
pub fn copied_values(program: &Program) -> Vec<i32> {
    let mut values: Vec<i32> = program
        .operations()
        .filter_map(|(_, _, op)| match op {
            Op::CopyFlag { value, .. } => Some(value),
            _ => None,
        })
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

fn body(
    program: &Program,
    thread: usize,
    depth: usize,
    out: &mut Text,
    lines: &mut BTreeMap<u32, (usize, usize)>,
) {
    let indent = "  ".repeat(depth);
    for (index, op) in program.threads[thread].iter().enumerate() {
        if let Op::Spawn { thread: child } = op {
            out.line(&format!("{indent}std::thread t{child}([&] {{"));
            body(program, *child as usize, depth + 1, out, lines);
            out.line(&format!("{indent}}});"));
            continue;
        }
        for statement in statement(program, *op).lines() {
            lines.insert(out.number(), (thread, index));
            out.line(&format!("{indent}{statement}"));
        }
    }
}

fn results(program: &Program, out: &mut Text) {
    if program.host_slots.iter().any(|it| !it) {
        out.line("  int result;");
    }
    for (number, on_host) in program.host_slots.iter().enumerate() {
        if *on_host {
            out.line(&format!("  printf(\"%d\\n\", kept{number});"));
        } else {
            out.line(&format!(
                "  cudaMemcpy(&result, kept{number}, sizeof(int), cudaMemcpyDeviceToHost);"
            ));
            out.line("  printf(\"%d\\n\", result);");
        }
    }
}

fn copy(to: &str, from: &str, bytes: &str, direction: &str, stream: Option<Stream>) -> String {
    match stream {
        None => format!("cudaMemcpy({to}, {from}, {bytes}, cudaMemcpy{direction});"),
        Some(stream) => {
            format!(
                "cudaMemcpyAsync({to}, {from}, {bytes}, cudaMemcpy{direction}, {});",
                stream_name(stream)
            )
        }
    }
}

fn statement(program: &Program, op: Op) -> String {
    let bytes = format!("{ELEMENTS} * sizeof(int)");
    match op {
        Op::Launch { kernel, work, stream } => {
            let threads = if matches!(work, Work::Write { .. } | Work::Copy { .. }) {
                ELEMENTS
            } else {
                1
            };
            let arguments = match work {
                Work::Write { buffer, value, pause } => {
                    format!("b{buffer}, {value}, {}", u64::from(pause) * TICKS)
                }
                Work::Read { buffer, slot } => format!("b{buffer}, kept{slot}"),
                Work::Copy { from, to } => format!("b{from}, b{to}"),
                Work::Spin { flag, value } | Work::Set { flag, value } => {
                    format!("{}, {value}", flag_name(flag))
                }
                Work::Relay { from, value, to } => format!("{}, {value}, {}", flag_name(from), flag_name(to)),
                Work::Pause { pause } => format!("{}", u64::from(pause) * TICKS),
            };
            let name = kernel_name(kernel, work);
            match stream {
                Stream::Legacy => format!("{name}<<<1, {threads}>>>({arguments});"),
                Stream::Made(_) => format!(
                    "{name}<<<1, {threads}, 0, {}>>>({arguments});",
                    stream_name(stream)
                ),
            }
        }
        Op::Preload { kernel, work } => format!(
            "{{ cudaFuncAttributes attributes; cudaFuncGetAttributes(&attributes, {}); }}",
            kernel_name(kernel, work)
        ),
        Op::Record { event, stream } => format!("cudaEventRecord(e{event}, {});", stream_name(stream)),
        Op::WaitEvent { stream, event } => {
            format!("cudaStreamWaitEvent({}, e{event}, 0);", stream_name(stream))
        }
        Op::SyncEvent { event } => format!("cudaEventSynchronize(e{event});"),
        Op::SyncStream { stream } => format!("cudaStreamSynchronize({});", stream_name(stream)),
        Op::SyncDevice => "cudaDeviceSynchronize();".to_owned(),
        Op::WaitValue {
            stream,
            flag,
            value,
            equal,
        } => format!(
            "cuStreamWaitValue32({}, (CUdeviceptr){}, {value}, CU_STREAM_WAIT_VALUE_{});",
            stream_name(stream),
            flag_name(flag),
            if equal { "EQ" } else { "GEQ" }
        ),
        Op::WriteValue { stream, flag, value } => format!(
            "cuStreamWriteValue32({}, (CUdeviceptr){}, {value}, 0);",
            stream_name(stream),
            flag_name(flag)
        ),
        Op::CopyFlag { stream, flag, value } => copy(
            &flag_name(flag),
            &format!("word{value}"),
            "sizeof(int)",
            "HostToDevice",
            Some(stream),
        ),
        Op::Store { flag, value } => format!("*(volatile int *){} = {value};", flag_name(flag)),
        Op::Poll { flag, value } => format!("while (*(volatile int *){} < {value}) {{\n}}", flag_name(flag)),
        Op::ToDevice { buffer, host, stream } => copy(
            &format!("b{buffer}"),
            &host_name(host),
            &bytes,
            "HostToDevice",
            stream,
        ),
        Op::ToHost { buffer, host, stream } => copy(
            &host_name(host),
            &format!("b{buffer}"),
            &bytes,
            "DeviceToHost",
            stream,
        ),
        Op::OnDevice { from, to, stream } => copy(
            &format!("b{to}"),
            &format!("b{from}"),
            &bytes,
            "DeviceToDevice",
            stream,
        ),
        Op::Memset { buffer, byte, stream } => match stream {
            None => format!("cudaMemset(b{buffer}, {byte}, {bytes});"),
            Some(stream) => format!(
                "cudaMemsetAsync(b{buffer}, {byte}, {bytes}, {});",
                stream_name(stream)
            ),
        },
        Op::HostWrite { host, value } => {
            format!(
                "for (int i = 0; i < {ELEMENTS}; ++i) {}[i] = {value};",
                host_name(host)
            )
        }
        Op::HostRead { host, slot } => format!("kept{slot} = {}[0];", host_name(host)),
        Op::Malloc { fresh } => format!("cudaMalloc(&fresh{fresh}, 4096);"),
        Op::Free { scratch } => format!("cudaFree(scratch{scratch});"),
        Op::MallocHost { fresh } => format!("cudaMallocHost(&page{fresh}, 4096);"),
        Op::FreeHost { scratch } => format!("cudaFreeHost(spare{scratch});"),
        Op::MallocAsync { buffer, stream } => {
            format!("cudaMallocAsync(&b{buffer}, {bytes}, {});", stream_name(stream))
        }
        Op::FreeAsync { buffer, stream } => format!("cudaFreeAsync(b{buffer}, {});", stream_name(stream)),
        Op::HostFunction { stream, raises } => match raises {
            Some(flag) => format!(
                "cudaLaunchHostFunc({}, raise_on_host, {});",
                stream_name(stream),
                flag_name(flag)
            ),
            None => format!("cudaLaunchHostFunc({}, note, nullptr);", stream_name(stream)),
        },
        Op::Spawn { .. } => String::new(),
        Op::Join { thread } => format!("t{thread}.join();"),
        Op::Open { gate } => format!("gate{gate}.store(1);"),
        Op::Pass { gate } => format!("while (gate{gate}.load() == 0) {{\n}}"),
        Op::Sleep { milliseconds } => {
            let sleep = format!("std::chrono::milliseconds({milliseconds})");
            debug_assert!(program.threads.len() > 1);
            format!("std::this_thread::sleep_for({sleep});")
        }
        Op::BeginCapture { stream } => {
            format!(
                "cudaStreamBeginCapture({}, cudaStreamCaptureModeThreadLocal);",
                stream_name(stream)
            )
        }
        Op::EndCapture { stream, graph } => {
            let end = format!("cudaStreamEndCapture({}, &graph{graph});", stream_name(stream));
            let mut text = end;
            let _ = write!(text, "\ncudaGraphInstantiate(&exec{graph}, graph{graph}, 0);");
            text
        }
        Op::LaunchGraph { graph, stream } => {
            format!("cudaGraphLaunch(exec{graph}, {});", stream_name(stream))
        }
    }
}
