#pragma once
#include <cstdint>
#include <stdexcept>

#include <cuda_runtime.h>

namespace kws {

constexpr int kFrame = 256;      // features of one frame
constexpr int kWords = 64;       // templates in a bank
constexpr int kThreads = 64;

struct DeviceError : std::runtime_error {
    explicit DeviceError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw DeviceError(e);
}

// Exchange page in host memory, one caller at a time.
struct Desk {
    volatile uint32_t asked;
    volatile uint32_t answered;
    volatile uint32_t closing;
    volatile int32_t best_word;
    volatile int32_t best_score;
    volatile int32_t frame[kFrame];
};

class TemplateBank {
public:
    TemplateBank(const int32_t* templates, size_t history_bytes);
    ~TemplateBank();
    TemplateBank(const TemplateBank&) = delete;
    TemplateBank& operator=(const TemplateBank&) = delete;
    const int32_t* device() const { return templates_; }
    uint8_t* history() const { return history_; }

private:
    int32_t* templates_ = nullptr;
    uint8_t* history_ = nullptr;
};

// Owns the kernel that stays on the device for as long as the microphone is open.
class ListenSession {
public:
    ListenSession();
    ~ListenSession();
    ListenSession(const ListenSession&) = delete;
    ListenSession& operator=(const ListenSession&) = delete;

    void open(const int32_t* templates, uint8_t* history, size_t history_bytes);
    void close() noexcept;
    int ask(const int32_t* frame, int* score);

private:
    Desk* desk_ = nullptr;
    cudaStream_t stream_ = nullptr;
    uint32_t sequence_ = 0;
    bool open_ = false;
};

}  // namespace kws
