#pragma once
#include "buffers.h"

#include <vector>

namespace llm {

struct EngineConfig {
    int slots = 8;
    int context = 2048;
    int hidden = 4096;
};

enum Command : int { kDecode = 1, kStop = 2 };

// One cache line shared with the resident decoder.
struct Mailbox {
    volatile int doorbell;
    volatile int command;
    volatile int slot;
    volatile int length;
    volatile int token;
    volatile int served;
};

class Engine {
public:
    explicit Engine(const EngineConfig& config);
    ~Engine();

    void start();
    void stop();
    // Prefills a KV slot from the prompt and decodes the given number of tokens.
    std::vector<int> generate(const std::vector<int>& prompt, int tokens);

private:
    void prefill(int slot, const std::vector<int>& prompt);
    int request(Command command, int slot, int length);

    EngineConfig config_;
    MappedBuffer<Mailbox> mailbox_;
    MappedBuffer<int> staging_;
    DeviceBuffer<int> kv_;
    cudaStream_t prefillStream_ = nullptr;
    cudaStream_t decodeStream_ = nullptr;
    int rung_ = 0;
    int nextSlot_ = 0;
    bool running_ = false;
};

inline __host__ __device__ int keyOf(int token, int position) { return (token * 31 + position * 17) & 0x7fff; }
inline __host__ __device__ int mixToken(int sum, int length) { return (sum ^ (length * 73)) & 0x7fff; }

}  // namespace llm
