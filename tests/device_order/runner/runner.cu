// Interprets programs of `encode.rs`, one a line of standard input, on the GPU. It makes exactly the CUDA calls that the
// generated source makes, in the same order, and writes to standard output
//   ready            set-up is over
//   > THREAD INDEX   this operation begins
//   error THREAD INDEX CODE   the first call that failed
//   done VALUES      the end, with what was kept
// Each program has units of kernels of its own, which nothing has loaded before.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include "kernels.h"

constexpr int kElements = 64;
constexpr size_t kBytes = kElements * sizeof(int);
constexpr long long kTicks = 1700000;

struct Operation {
  int code;
  int at[8];
};

// Arguments of each operation code.
static const int kArity[] = {7, 3, 2, 2, 1, 1, 0, 4, 3, 3, 2, 2, 3, 3, 3, 3, 2, 2, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2};

UnitKernels *unit_kernels[kUnits];

static std::vector<cudaStream_t> streams;
static std::vector<cudaEvent_t> events;
static int *device_flags[16], *mapped_flags[16], *buffers[32], *pinned[16], *pageable[16], *scratch[32], *spare[32], *fresh[32];
static int *kept[64];
static int kept_on_host[64];
static std::vector<int> host_slots;
static int *words[256];
static std::atomic<int> gates[32];
static cudaGraph_t graphs[16];
static cudaGraphExec_t executables[16];
static std::vector<std::vector<Operation>> threads;
static std::thread spawned[8];
static std::atomic<bool> failed{false};

static void say(const char *text, int length) {
  ssize_t written = write(1, text, length);
  (void)written;
}

static void note_error(int thread, int index, int code) {
  if (code == 0 || failed.exchange(true)) return;
  char text[64];
  say(text, snprintf(text, sizeof text, "error %d %d %d\n", thread, index, code));
}

// What the program calls unit 0 is this one.
static int first_unit;

static const void *kernel(int kind, int unit, int variant) { return (*unit_kernels[first_unit + unit])[kind][variant]; }

static cudaStream_t stream_of(int number) { return number < 0 ? nullptr : streams[number]; }
static int *flag_of(int number) { return number < 16 ? device_flags[number] : mapped_flags[number - 16]; }
static int *host_of(int number) { return number < 16 ? pinned[number] : pageable[number - 16]; }

static void CUDART_CB raise_on_host(void *flag) { *(volatile int *)flag = 1; }
static void CUDART_CB note(void *) {}

static int launch(const int *at) {
  int kind = at[0];
  const void *function = kernel(kind, at[1], at[2]);
  cudaStream_t stream = stream_of(at[3]);
  const int *a = at + 4;
  int *first = nullptr, *second = nullptr, value = a[1];
  long long ticks = (kind == 6 ? a[0] : a[2]) * kTicks;
  void *arguments[3] = {&first, &value, &ticks};
  int block = kind == 0 || kind == 2 ? kElements : 1;
  switch (kind) {
  case 0: first = buffers[a[0]]; break;
  case 1: first = buffers[a[0]], second = kept[a[1]], arguments[1] = &second; break;
  case 2: first = buffers[a[0]], second = buffers[a[1]], arguments[1] = &second; break;
  case 3:
  case 4: first = flag_of(a[0]); break;
  case 5: first = flag_of(a[0]), second = flag_of(a[2]), arguments[2] = &second; break;
  case 6: arguments[0] = &ticks; break;
  }
  return cudaLaunchKernel(function, dim3(1), dim3(block), arguments, 0, stream);
}

static int copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, int stream) {
  return stream == -2 ? cudaMemcpy(to, from, bytes, kind) : cudaMemcpyAsync(to, from, bytes, kind, stream_of(stream));
}

static void run(int thread);

static int step(const Operation &op) {
  const int *a = op.at;
  switch (op.code) {
  case 0: return launch(a);
  case 1: {
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, kernel(a[0], a[1], a[2]));
  }
  case 2: return cudaEventRecord(events[a[0]], stream_of(a[1]));
  case 3: return cudaStreamWaitEvent(stream_of(a[0]), events[a[1]], 0);
  case 4: return cudaEventSynchronize(events[a[0]]);
  case 5: return cudaStreamSynchronize(stream_of(a[0]));
  case 6: return cudaDeviceSynchronize();
  case 7:
    return cuStreamWaitValue32(stream_of(a[0]), (CUdeviceptr)flag_of(a[1]), a[2],
                               a[3] ? CU_STREAM_WAIT_VALUE_EQ : CU_STREAM_WAIT_VALUE_GEQ);
  case 8: return cuStreamWriteValue32(stream_of(a[0]), (CUdeviceptr)flag_of(a[1]), a[2], 0);
  case 9: return copy(flag_of(a[1]), words[a[2]], sizeof(int), cudaMemcpyHostToDevice, a[0]);
  case 10: *(volatile int *)flag_of(a[0]) = a[1]; return 0;
  case 11:
    while (*(volatile int *)flag_of(a[0]) < a[1]) {
    }
    return 0;
  case 12: return copy(buffers[a[0]], host_of(a[1]), kBytes, cudaMemcpyHostToDevice, a[2]);
  case 13: return copy(host_of(a[1]), buffers[a[0]], kBytes, cudaMemcpyDeviceToHost, a[2]);
  case 14: return copy(buffers[a[1]], buffers[a[0]], kBytes, cudaMemcpyDeviceToDevice, a[2]);
  case 15:
    return a[2] == -2 ? cudaMemset(buffers[a[0]], a[1], kBytes)
                      : cudaMemsetAsync(buffers[a[0]], a[1], kBytes, stream_of(a[2]));
  case 16:
    for (int i = 0; i < kElements; ++i) ((volatile int *)host_of(a[0]))[i] = a[1];
    return 0;
  case 17: kept_on_host[a[1]] = ((volatile int *)host_of(a[0]))[0]; return 0;
  case 18: return cudaMalloc(&fresh[a[0]], 4096);
  case 19: return cudaFree(scratch[a[0]]);
  case 20: return cudaMallocHost(&fresh[16 + a[0]], 4096);
  case 21: return cudaFreeHost(spare[a[0]]);
  case 22: return cudaMallocAsync(&buffers[a[0]], kBytes, stream_of(a[1]));
  case 23: return cudaFreeAsync(buffers[a[0]], stream_of(a[1]));
  case 24:
    return a[1] < 0 ? cudaLaunchHostFunc(stream_of(a[0]), note, nullptr)
                    : cudaLaunchHostFunc(stream_of(a[0]), raise_on_host, flag_of(a[1]));
  case 25: spawned[a[0]] = std::thread(run, a[0]); return 0;
  case 26: spawned[a[0]].join(); return 0;
  case 27: gates[a[0]].store(1); return 0;
  case 28:
    while (gates[a[0]].load() == 0) {
    }
    return 0;
  case 29: std::this_thread::sleep_for(std::chrono::milliseconds(a[0])); return 0;
  case 30: return cudaStreamBeginCapture(stream_of(a[0]), cudaStreamCaptureModeThreadLocal);
  case 31: {
    int code = cudaStreamEndCapture(stream_of(a[0]), &graphs[a[1]]);
    int other = cudaGraphInstantiate(&executables[a[1]], graphs[a[1]], 0);
    return code ? code : other;
  }
  case 32: return cudaGraphLaunch(executables[a[0]], stream_of(a[1]));
  }
  return 999;
}

static void run(int thread) {
  const std::vector<Operation> &ops = threads[thread];
  for (size_t index = 0; index < ops.size(); ++index) {
    char text[32];
    say(text, snprintf(text, sizeof text, "> %d %zu\n", thread, index));
    note_error(thread, index, step(ops[index]));
  }
}

// Reads a program and runs it; true when the process can go on.
static bool run_line(const std::string &line) {
  std::istringstream in(line);
  auto next = [&] {
    int value = 0;
    in >> value;
    return value;
  };
  std::vector<int> kinds(next());
  for (int &it : kinds) it = next();
  int counts[11];
  for (int &it : counts) it = next();
  host_slots.assign(next(), 0);
  for (int &it : host_slots) it = next();
  int gate_count = next();
  int graph_count = next();
  std::vector<int> values(next());
  for (int &it : values) it = next();
  threads.assign(next(), {});
  for (auto &thread : threads) {
    thread.resize(next());
    for (Operation &op : thread) {
      op.code = next();
      for (int i = 0; i < kArity[op.code]; ++i) op.at[i] = next();
    }
  }

  failed = false;
  streams.clear();
  events.clear();
  for (int i = 0; i < gate_count; ++i) gates[i] = 0;
  memset(executables, 0, sizeof executables);
  memset(kept_on_host, 0, sizeof kept_on_host);
  memset(fresh, 0, sizeof fresh);
  int bad = 0;
  auto check = [&](int code) { bad = bad ? bad : code; };
  for (int non_blocking : kinds) {
    cudaStream_t stream;
    check(non_blocking ? cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) : cudaStreamCreate(&stream));
    streams.push_back(stream);
  }
  for (int i = 0; i < counts[0]; ++i) {
    cudaEvent_t event;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    events.push_back(event);
  }
  for (int i = 0; i < counts[1]; ++i) {
    check(cudaMalloc(&device_flags[i], sizeof(int)));
    check(cudaMemset(device_flags[i], 0, sizeof(int)));
  }
  for (int i = 0; i < counts[2]; ++i) {
    check(cudaHostAlloc(&mapped_flags[i], sizeof(int), cudaHostAllocMapped));
    *mapped_flags[i] = 0;
  }
  for (int i = 0; i < counts[3]; ++i) {
    check(cudaMalloc(&buffers[i], kBytes));
    check(cudaMemset(buffers[i], 0, kBytes));
  }
  for (int i = 0; i < counts[5]; ++i) {
    check(cudaMallocHost(&pinned[i], kBytes));
    memset(pinned[i], 0, kBytes);
  }
  for (int i = 0; i < counts[6]; ++i) pageable[i] = (int *)calloc(kElements, sizeof(int));
  for (int value : values) {
    check(cudaMallocHost(&words[value], sizeof(int)));
    *words[value] = value;
  }
  for (int i = 0; i < counts[7]; ++i) check(cudaMalloc(&scratch[i], 4096));
  for (int i = 0; i < counts[9]; ++i) check(cudaMallocHost(&spare[i], 4096));
  for (size_t i = 0; i < host_slots.size(); ++i) {
    if (host_slots[i]) continue;
    check(cudaMalloc(&kept[i], sizeof(int)));
    check(cudaMemset(kept[i], 0, sizeof(int)));
  }
  check(cudaDeviceSynchronize());
  if (bad) return false;
  say("ready\n", 6);
  run(0);
  std::string text = "done";
  for (size_t i = 0; i < host_slots.size(); ++i) {
    int value = kept_on_host[i];
    if (!host_slots[i]) note_error(0, 999, cudaMemcpy(&value, kept[i], sizeof(int), cudaMemcpyDeviceToHost));
    text += " " + std::to_string(value);
  }
  text += "\n";
  say(text.c_str(), text.size());

  for (int i = 0; i < graph_count; ++i) {
    if (executables[i]) check(cudaGraphExecDestroy(executables[i])), check(cudaGraphDestroy(graphs[i]));
  }
  for (cudaStream_t it : streams) check(cudaStreamDestroy(it));
  for (cudaEvent_t it : events) check(cudaEventDestroy(it));
  for (int i = 0; i < counts[1]; ++i) check(cudaFree(device_flags[i]));
  for (int i = 0; i < counts[2]; ++i) check(cudaFreeHost(mapped_flags[i]));
  for (int i = 0; i < counts[3]; ++i) check(cudaFree(buffers[i]));
  for (int i = 0; i < counts[5]; ++i) check(cudaFreeHost(pinned[i]));
  for (int value : values) check(cudaFreeHost(words[value]));
  for (int i = 0; i < 16; ++i) {
    if (fresh[i]) check(cudaFree(fresh[i]));
    if (fresh[16 + i]) check(cudaFreeHost(fresh[16 + i]));
  }
  for (size_t i = 0; i < host_slots.size(); ++i) {
    if (!host_slots[i]) check(cudaFree(kept[i]));
  }
  check(cudaDeviceSynchronize());
  return !bad && !failed;
}

int main() {
  char line[1 << 16];
  while (first_unit + 4 <= kUnits && fgets(line, sizeof line, stdin)) {
    if (!run_line(line)) break;
    first_unit += 4;
  }
  _exit(0);
}
