#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace tune {

class Failure : public std::runtime_error {
public:
    explicit Failure(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

#define TUNE_CALL(call)                                  \
    do {                                                 \
        const cudaError_t code_ = (call);                \
        if (code_ != cudaSuccess) throw tune::Failure(code_); \
    } while (0)

enum class Role { Compute, Transfer, Telemetry };

// The streams of one tuning session; the residuals go out beside the sweeps.
class Session {
public:
    Session() {
        for (auto& stream : streams_) TUNE_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    ~Session() {
        for (auto stream : streams_) cudaStreamDestroy(stream);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    cudaStream_t stream(Role role) const { return streams_[static_cast<std::size_t>(role)]; }

private:
    std::array<cudaStream_t, 3> streams_{};
};

class Event {
public:
    Event() { TUNE_CALL(cudaEventCreate(&event_)); }
    ~Event() {
        if (event_) cudaEventDestroy(event_);
    }
    Event(Event&& other) noexcept : event_(other.event_) { other.event_ = nullptr; }
    Event& operator=(Event&&) = delete;
    operator cudaEvent_t() const { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

// Device time of a section in milliseconds.
class Stopwatch {
public:
    explicit Stopwatch(const Session& session) : session_(session) {}
    void start() { TUNE_CALL(cudaEventRecord(begin_, session_.stream(Role::Telemetry))); }
    float stop() {
        TUNE_CALL(cudaEventRecord(end_, session_.stream(Role::Telemetry)));
        TUNE_CALL(cudaEventSynchronize(end_));
        float milliseconds = 0;
        TUNE_CALL(cudaEventElapsedTime(&milliseconds, begin_, end_));
        return milliseconds;
    }

private:
    const Session& session_;
    Event begin_, end_;
};

}  // namespace tune
