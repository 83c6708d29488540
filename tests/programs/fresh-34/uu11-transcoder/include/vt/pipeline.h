#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "vt/channel.h"
#include "vt/filters.h"

namespace vt {

struct Surface {
    int index = -1;
    std::shared_ptr<uint8_t> host_in;
    std::shared_ptr<uint8_t> host_out;
    std::shared_ptr<uint8_t> device_in;
    std::shared_ptr<uint8_t> device_out;
    std::shared_ptr<CUevent_st> uploaded;
    std::shared_ptr<CUevent_st> filtered;
};

// decode thread -> upload, filter and download streams -> encode thread
class Transcoder {
public:
    Transcoder(const Format& f, int surfaces);

    void run();
    const std::vector<uint32_t>& digests() const { return digests_; }

private:
    struct Ticket {
        Transcoder* owner;
        Surface* surface;
    };

    static void CUDART_CB on_ready(void* data);

    void decode();
    void dispatch();
    void encode();
    void submit(Surface& s);

    Format format_;
    std::shared_ptr<CUstream_st> upload_;
    std::shared_ptr<CUstream_st> filter_;
    std::shared_ptr<CUstream_st> download_;
    std::shared_ptr<uint8_t> state_[2];
    std::vector<std::unique_ptr<Surface>> surfaces_;
    std::vector<Ticket> tickets_;
    Channel<Surface*> idle_;
    Channel<Surface*> decoded_;
    Channel<Surface*> ready_;
    std::vector<uint32_t> digests_;
};

uint32_t digest(const uint8_t* p, int n);

}  // namespace vt
