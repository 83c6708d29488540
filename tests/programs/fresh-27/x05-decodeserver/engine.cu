#include "engine.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace llm {

namespace {

constexpr int kThreads = 128;

__global__ void expandKernel(const int* prompt, int length, int hidden, int* activations) {
    int row = blockIdx.x;
    for (int c = threadIdx.x; c < hidden; c += blockDim.x)
        if (row < length) activations[static_cast<size_t>(row) * hidden + c] = prompt[row] + c;
}

__global__ void projectKernel(const int* activations, int length, int hidden, int* kvSlot) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < length) kvSlot[row] = keyOf(activations[static_cast<size_t>(row) * hidden], row);
}

// Stays on the device for the life of the server and serves one request a ring.
__global__ void decodeKernel(Mailbox* box, int* kv, int context) {
    __shared__ int command, slot, length;
    __shared__ int sum;
    for (int served = 0;; ++served) {
        if (threadIdx.x == 0) {
            while (box->doorbell == served) __nanosleep(200);
            __threadfence_system();
            command = box->command;
            slot = box->slot;
            length = box->length;
            sum = 0;
        }
        __syncthreads();
        if (command == kStop) return;
        int* row = kv + static_cast<size_t>(slot) * context;
        int part = 0;
        for (int i = threadIdx.x; i < length; i += blockDim.x) part += __ldcg(row + i);
        atomicAdd(&sum, part);
        __syncthreads();
        if (threadIdx.x == 0) {
            int token = mixToken(sum, length);
            __stcg(row + length, keyOf(token, length));
            __threadfence_system();
            box->token = token;
            __threadfence_system();
            box->served = served + 1;
        }
        __syncthreads();
    }
}

}  // namespace

Engine::Engine(const EngineConfig& config)
    : config_(config),
      mailbox_(1),
      staging_(config.context),
      kv_(static_cast<std::size_t>(config.slots) * config.context) {
    LLM_CHECK(cudaStreamCreateWithFlags(&prefillStream_, cudaStreamNonBlocking));
    LLM_CHECK(cudaStreamCreateWithFlags(&decodeStream_, cudaStreamNonBlocking));
    *mailbox_.host() = Mailbox{};
    // Dry run on slot 0: loads the kernels and sets up the copy path.
    prefill(0, std::vector<int>(16, 1));
}

Engine::~Engine() {
    if (running_) stop();
    cudaStreamDestroy(prefillStream_);
    cudaStreamDestroy(decodeStream_);
}

void Engine::start() {
    decodeKernel<<<1, kThreads, 0, decodeStream_>>>(mailbox_.device(), kv_.get(), config_.context);
    LLM_CHECK(cudaGetLastError());
    running_ = true;
}

void Engine::stop() {
    request(kStop, 0, 0);
    LLM_CHECK(cudaStreamSynchronize(decodeStream_));
    running_ = false;
}

void Engine::prefill(int slot, const std::vector<int>& prompt) {
    const int length = static_cast<int>(prompt.size());
    DeviceBuffer<int> tokens(config_.context);
    DeviceBuffer<int> activations(static_cast<std::size_t>(config_.context) * config_.hidden);
    std::copy(prompt.begin(), prompt.end(), staging_.host());
    LLM_CHECK(cudaMemcpyAsync(tokens.get(), staging_.host(), length * sizeof(int), cudaMemcpyHostToDevice,
                              prefillStream_));
    expandKernel<<<length, kThreads, 0, prefillStream_>>>(tokens.get(), length, config_.hidden, activations.get());
    LLM_CHECK(cudaGetLastError());
    projectKernel<<<(length + kThreads - 1) / kThreads, kThreads, 0, prefillStream_>>>(
        activations.get(), length, config_.hidden, kv_.get() + static_cast<std::size_t>(slot) * config_.context);
    LLM_CHECK(cudaGetLastError());
    LLM_CHECK(cudaStreamSynchronize(prefillStream_));
}

int Engine::request(Command command, int slot, int length) {
    Mailbox* box = mailbox_.host();
    box->command = command;
    box->slot = slot;
    box->length = length;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box->doorbell = ++rung_;
    if (command == kStop) return 0;
    while (box->served != rung_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return box->token;
}

std::vector<int> Engine::generate(const std::vector<int>& prompt, int tokens) {
    const int slot = nextSlot_;
    nextSlot_ = (nextSlot_ + 1) % config_.slots;
    prefill(slot, prompt);
    std::vector<int> out;
    int length = static_cast<int>(prompt.size());
    for (int t = 0; t < tokens; ++t) out.push_back(request(kDecode, slot, length++));
    return out;
}

}  // namespace llm
