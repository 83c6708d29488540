#include "encoder.h"

#include <utility>

namespace mux {

namespace {

__device__ void busy_ms(unsigned ms) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ms * 1000000ull);
}

__global__ void encode_frame(std::uint32_t* coded, int words, int frame, bool key, unsigned ms) {
    busy_ms(ms);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        std::uint32_t symbol = static_cast<std::uint32_t>(frame) * 2654435761u + static_cast<std::uint32_t>(i) * 40503u;
        coded[i] = key ? symbol : symbol ^ (symbol >> 15);
    }
}

}  // namespace

Encoder::Encoder(const MuxConfig& config, PacketSink sink) : config_(config), sink_(std::move(sink)) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&mark_, cudaEventDisableTiming | cudaEventBlockingSync));
    const std::size_t bytes = config_.payload_words * sizeof(std::uint32_t);
    check(cudaMalloc(reinterpret_cast<void**>(&coded_), bytes));
    pages_.resize(config_.gop);
    tickets_.resize(config_.gop);
    for (auto& page : pages_) check(cudaMallocHost(reinterpret_cast<void**>(&page), bytes));
}

Encoder::~Encoder() {
    cudaStreamSynchronize(stream_);
    for (auto* page : pages_) cudaFreeHost(page);
    cudaFree(coded_);
    cudaEventDestroy(mark_);
    cudaStreamDestroy(stream_);
}

void CUDART_CB Encoder::deliver(void* raw) {
    const Ticket& ticket = *static_cast<const Ticket*>(raw);
    Packet packet;
    packet.frame = ticket.frame;
    packet.words = ticket.owner->config_.payload_words;
    for (std::size_t i = 0; i < packet.words; ++i)
        packet.digest = packet.digest * 1099511628211ull + ticket.payload[i];
    ticket.owner->sink_(packet);
}

void Encoder::submit(int group) {
    const int words = static_cast<int>(config_.payload_words);
    for (int k = 0; k < config_.gop; ++k) {
        const int frame = group * config_.gop + k;
        encode_frame<<<8, 128, 0, stream_>>>(coded_, words, frame, k == 0, config_.encode_ms);
        check(cudaGetLastError());
        check(cudaMemcpyAsync(pages_[k], coded_, words * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_));
        tickets_[k] = Ticket{this, frame, pages_[k]};
        check(cudaLaunchHostFunc(stream_, &Encoder::deliver, &tickets_[k]));
    }
    check(cudaEventRecord(mark_, stream_));
}

}  // namespace mux
