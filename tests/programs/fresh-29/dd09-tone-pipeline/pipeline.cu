#include "pipeline.h"

Pipeline::Pipeline(Sink sink) : sink_(std::move(sink)) {
  cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  cuda(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
  cuda(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  cuda(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
  for (Slot& s : slots_) {
    cuda(cudaEventCreateWithFlags(&s.done, cudaEventDisableTiming));
    cuda(cudaMallocHost(&s.params, sizeof(ToneParams)));
  }
}

Pipeline::~Pipeline() {
  cudaStreamSynchronize(stream_);
  for (Slot& s : slots_) {
    if (s.exec) cudaGraphExecDestroy(s.exec);
    cudaEventDestroy(s.done);
    cudaFreeHost(s.params);
    cudaFreeHost(s.in);
    cudaFreeHost(s.out);
  }
  cudaEventDestroy(fork_);
  cudaEventDestroy(join_);
  cudaStreamDestroy(side_);
  cudaStreamDestroy(stream_);
}

void Pipeline::retire(Slot& slot) {
  if (!slot.busy) return;
  cuda(cudaEventSynchronize(slot.done));
  slot.busy = false;
  sink_(*slot.params, slot.in, slot.out, dims_);
}

void Pipeline::flush() {
  for (int k = 0; k < kSlots; ++k) retire(slots_[(next_ + k) % kSlots]);
}

void Pipeline::resize(Dims d) {
  flush();
  dims_ = d;
  const size_t bytes = d.pixels();
  for (int k = 0; k < kSlots; ++k) {
    Slot& s = slots_[k];
    if (s.exec) cuda(cudaGraphExecDestroy(s.exec));
    s.exec = nullptr;
    s.frames = 0;
    if (s.capacity < bytes) {
      if (s.in) cuda(cudaFreeHost(s.in));
      s.in = nullptr;
      if (s.out) cuda(cudaFreeHost(s.out));
      s.out = nullptr;
      cuda(cudaMallocHost(&s.in, bytes));
      cuda(cudaMallocHost(&s.out, bytes));
      s.capacity = bytes;
    }
    blur_.reserve(ws_, d, k);
    histogram_.reserve(ws_, d, k);
    tone_.reserve(ws_, d, k);
  }
}

void Pipeline::emit(int index, cudaStream_t s) {
  Slot& slot = slots_[index];
  const Tone::Arrays t = tone_.bind(ws_, dims_, index);
  const Blur::Arrays b = blur_.bind(ws_, dims_, index);
  const size_t bytes = dims_.pixels();
  cuda(cudaMemcpyAsync(const_cast<unsigned char*>(b.in), slot.in, bytes, cudaMemcpyHostToDevice,
                       s));
  cuda(cudaEventRecord(fork_, s));
  cuda(cudaStreamWaitEvent(side_, fork_, 0));
  histogram_.emit(ws_, dims_, index, side_);
  cuda(cudaMemcpyAsync(const_cast<ToneParams*>(t.params), slot.params, sizeof(ToneParams),
                       cudaMemcpyHostToDevice, side_));
  cuda(cudaEventRecord(join_, side_));
  blur_.emit(ws_, dims_, index, s);
  cuda(cudaStreamWaitEvent(s, join_, 0));
  tone_.emit(ws_, dims_, index, s);
  cuda(cudaMemcpyAsync(slot.out, t.out, bytes, cudaMemcpyDeviceToHost, s));
}

void Pipeline::capture(int index) {
  cudaGraph_t graph = nullptr;
  cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
  try {
    emit(index, stream_);
  } catch (...) {
    cudaStreamEndCapture(stream_, &graph);
    if (graph) cudaGraphDestroy(graph);
    throw;
  }
  cuda(cudaStreamEndCapture(stream_, &graph));
  const cudaError_t made = cudaGraphInstantiate(&slots_[index].exec, graph, 0);
  cudaGraphDestroy(graph);
  cuda(made);
}

void Pipeline::submit(Dims d, ToneParams p,
                      const std::function<void(unsigned char*, Dims)>& paint) {
  if (d.width != dims_.width || d.height != dims_.height) resize(d);
  const int index = static_cast<int>(next_++ % kSlots);
  Slot& slot = slots_[index];
  retire(slot);

  *slot.params = p;
  paint(slot.in, d);
  if (slot.frames == 0) {
    emit(index, stream_);
  } else {
    if (!slot.exec) capture(index);
    cuda(cudaGraphLaunch(slot.exec, stream_));
    ++replays_;
  }
  cuda(cudaEventRecord(slot.done, stream_));
  ++slot.frames;
  slot.busy = true;
}
