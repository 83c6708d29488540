#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "mux_config.h"
#include "packet_queue.h"

namespace mux {

void check(cudaError_t status);

using PacketSink = std::function<void(const Packet&)>;

class Encoder {
public:
    Encoder(const MuxConfig& config, PacketSink sink);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    // Queues one group of pictures and marks its end.
    void submit(int group);
    cudaEvent_t group_mark() const { return mark_; }

private:
    struct Ticket {
        Encoder* owner;
        int frame;
        const std::uint32_t* payload;
    };

    static void CUDART_CB deliver(void* raw);

    const MuxConfig config_;
    PacketSink sink_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t mark_ = nullptr;
    std::uint32_t* coded_ = nullptr;
    std::vector<std::uint32_t*> pages_;
    std::vector<Ticket> tickets_;
};

}  // namespace mux
