#include "encoder.h"

__global__ void encode_frame(const std::uint8_t* in, std::uint8_t* out, int n, int frame, unsigned long long ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - begin < ns);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = static_cast<std::uint8_t>(in[i] ^ (frame * 29 + i));
}

__global__ void weigh_gop(const std::uint8_t* coded, int n, unsigned long long* weight) {
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  unsigned long long mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += coded[i];
  atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x == 0) *weight = total;
}

Encoder::Encoder(const VideoFormat& format, CreditGate& gate, Channel<Packet>& packets)
    : format_(format), gate_(gate), packets_(packets) {
  GPU(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  GPU(cudaMalloc(&d_coded_, static_cast<std::size_t>(format_.frame_bytes) * format_.frames()));
  GPU(cudaMalloc(&d_weights_, format_.gops * sizeof(unsigned long long)));
  for (int f = 0; f < format_.frames(); ++f) {
    auto frame = std::make_unique<Frame>();
    frame->encoder = this;
    frame->packet.frame = f;
    frame->packet.gop = f / format_.gop_length;
    frame->packet.closes_gop = (f + 1) % format_.gop_length == 0;
    GPU(cudaMallocHost(&frame->input, format_.frame_bytes));
    GPU(cudaMallocHost(&frame->output, format_.frame_bytes));
    GPU(cudaMalloc(&frame->d_input, format_.frame_bytes));
    frame->packet.payload = frame->output;
    frames_.push_back(std::move(frame));
  }
  for (int g = 0; g < format_.gops; ++g) {
    Gop gop;
    GPU(cudaEventCreate(&gop.opened));
    GPU(cudaEventCreate(&gop.sealed));
    GPU(cudaMallocHost(&gop.weight, sizeof *gop.weight));
    gops_.push_back(gop);
  }
  // Dry run with an empty picture.
  encode_frame<<<16, 256, 0, stream_>>>(frames_[0]->d_input, d_coded_, 0, 0, 0);
  weigh_gop<<<1, 256, 0, stream_>>>(d_coded_, 0, d_weights_);
  GPU(cudaGetLastError());
  GPU(cudaStreamSynchronize(stream_));
}

Encoder::~Encoder() {
  cudaStreamSynchronize(stream_);
  for (auto& frame : frames_) {
    cudaFreeHost(frame->input);
    cudaFreeHost(frame->output);
    cudaFree(frame->d_input);
  }
  for (Gop& gop : gops_) {
    cudaEventDestroy(gop.opened);
    cudaEventDestroy(gop.sealed);
    cudaFreeHost(gop.weight);
  }
  cudaFree(d_coded_);
  cudaFree(d_weights_);
  cudaStreamDestroy(stream_);
}

void CUDART_CB Encoder::deliver(void* user) {
  auto* frame = static_cast<Frame*>(user);
  frame->encoder->gate_.take();
  frame->encoder->packets_.push(frame->packet);
}

void Encoder::submit(int index) {
  Frame& frame = *frames_[index];
  Gop& gop = gops_[frame.packet.gop];
  std::uint8_t* coded = d_coded_ + static_cast<std::size_t>(index) * format_.frame_bytes;

  if (index % format_.gop_length == 0) GPU(cudaEventRecord(gop.opened, stream_));
  GPU(cudaMemcpyAsync(frame.d_input, frame.input, format_.frame_bytes, cudaMemcpyHostToDevice, stream_));
  encode_frame<<<16, 256, 0, stream_>>>(frame.d_input, coded, format_.frame_bytes, index, format_.frame_ns);
  GPU(cudaGetLastError());
  GPU(cudaMemcpyAsync(frame.output, coded, format_.frame_bytes, cudaMemcpyDeviceToHost, stream_));
  GPU(cudaLaunchHostFunc(stream_, &Encoder::deliver, &frame));

  if (frame.packet.closes_gop) {
    const int g = frame.packet.gop;
    const std::size_t span = static_cast<std::size_t>(format_.frame_bytes) * format_.gop_length;
    weigh_gop<<<1, 256, 0, stream_>>>(d_coded_ + g * span, static_cast<int>(span), d_weights_ + g);
    GPU(cudaGetLastError());
    GPU(cudaMemcpyAsync(gop.weight, d_weights_ + g, sizeof *gop.weight, cudaMemcpyDeviceToHost, stream_));
    GPU(cudaEventRecord(gop.sealed, stream_));
  }
}

unsigned long long Encoder::weigh(int g, float* milliseconds) {
  GPU(cudaStreamSynchronize(stream_));
  GPU(cudaEventElapsedTime(milliseconds, gops_[g].opened, gops_[g].sealed));
  return *gops_[g].weight;
}
