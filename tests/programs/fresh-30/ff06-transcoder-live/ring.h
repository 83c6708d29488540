#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <vector>

#define VT_TRY(call) vt::verify((call))

namespace vt {

inline void verify(cudaError_t rc)
{
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Format {
    int width = 640;
    int height = 360;
    int block = 40;  // side of a coding block
    int pixels() const { return width * height; }
    int blocks() const { return (width / block) * (height / block); }
};

// One picture on its way from the sensor to the muxer.
struct Slot {
    int frame = -1;
    std::uint8_t* host = nullptr;      // pinned, as read from the sensor
    std::uint8_t* raw = nullptr;       // device
    std::uint8_t* clean = nullptr;     // device, denoised
    std::uint32_t* codes = nullptr;    // device
    std::uint32_t* payload = nullptr;  // pinned
    cudaEvent_t uploaded = nullptr;
    cudaEvent_t encoded = nullptr;
};

class Lane {
public:
    void post(Slot* slot)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        slots_.push_back(slot);
        changed_.notify_one();
    }
    // nullptr when the lane has been shut and is empty
    Slot* fetch()
    {
        std::unique_lock<std::mutex> guard(mutex_);
        changed_.wait(guard, [this] { return shut_ || !slots_.empty(); });
        if (slots_.empty()) return nullptr;
        Slot* slot = slots_.front();
        slots_.pop_front();
        return slot;
    }
    void shut()
    {
        std::lock_guard<std::mutex> guard(mutex_);
        shut_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Slot*> slots_;
    bool shut_ = false;
};

// Slots circulate: vacant -> (grabber) -> filled -> (encoder) -> coded -> (muxer) -> vacant.
class Ring {
public:
    Ring(const Format& format, int depth);
    ~Ring();
    Lane vacant, filled, coded;

private:
    std::vector<Slot> slots_;
};

void denoise(const std::uint8_t* raw, std::uint8_t* clean, int pixels, cudaStream_t stream);
void quantise(const std::uint8_t* clean, std::uint32_t* codes, const Format& format, cudaStream_t stream);

// Brings one picture to the device.
class Upload {
public:
    Upload(Slot& slot, const Format& format, cudaStream_t stream) : slot_(slot), stream_(stream)
    {
        VT_TRY(cudaMemcpyAsync(slot.raw, slot.host, format.pixels(), cudaMemcpyHostToDevice, stream));
        denoise(slot.raw, slot.clean, format.pixels(), stream);
    }
    ~Upload() { VT_TRY(cudaEventRecord(slot_.uploaded, stream_)); }
    Upload(const Upload&) = delete;
    Upload& operator=(const Upload&) = delete;

private:
    Slot& slot_;
    cudaStream_t stream_;
};

}  // namespace vt
