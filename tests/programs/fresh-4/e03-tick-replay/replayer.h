#pragma once
#include "bounded_queue.h"
#include <cuda_runtime.h>
#include <memory>
#include <vector>

namespace replay {

struct Tick {
    int price;
    int quantity;
};

struct Bar {
    long long turnover;
    long long volume;
};

struct BarEvent {
    int session;
    Bar bar;
};

struct ReplayOptions {
    int ticks_per_session = 1 << 16;
    std::size_t event_backlog = 4;
    int max_sessions = 16;
};

// Turns recorded tick sessions into bars on the GPU, in session order.
class Replayer {
public:
    explicit Replayer(ReplayOptions options);
    ~Replayer();
    Replayer(const Replayer&) = delete;
    Replayer& operator=(const Replayer&) = delete;

    void submit(const std::vector<Tick>& session);
    std::vector<BarEvent> finish();

private:
    struct Session {
        Replayer* owner = nullptr;
        int index = 0;
        Tick* host_ticks = nullptr;
        Tick* device_ticks = nullptr;
        Bar* host_bar = nullptr;
        Bar* device_bar = nullptr;
        Session(Replayer* replayer, int ordinal, std::size_t ticks);
        ~Session();
    };

    static void CUDART_CB on_bar(void* opaque);

    ReplayOptions options_;
    cudaStream_t stream_ = nullptr;
    BoundedQueue<BarEvent> events_;
    std::vector<std::unique_ptr<Session>> sessions_;
    std::size_t submitted_ = 0;
};

}  // namespace replay
