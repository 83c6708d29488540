#pragma once
#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "channel.h"

namespace ct {

constexpr int kPixels = 1 << 15;
constexpr int kVoxels = 1 << 14;
constexpr int kViews = 72;
constexpr int kCassettes = 5;
constexpr int kLanes = 2;

struct Failure {
    cudaError_t code;
};

inline void must(cudaError_t e) {
    if (e != cudaSuccess) throw Failure{e};
}

__host__ __device__ inline uint16_t raw_pixel(int view, int i) {
    uint32_t x = static_cast<uint32_t>(view) * 2246822519u ^ static_cast<uint32_t>(i) * 3266489917u;
    x ^= x >> 16;
    x *= 668265263u;
    x ^= x >> 15;
    return static_cast<uint16_t>(x & 0x0fffu);
}

__host__ __device__ inline uint16_t table_entry(int table, int i) {
    return static_cast<uint16_t>(table == 0 ? (i * 31) % 97 : 1 + (i * 17) % 13);
}

__host__ __device__ inline int ray(int view, int voxel) {
    return static_cast<int>((static_cast<unsigned>(voxel) * 5u + static_cast<unsigned>(view) * 977u) % kPixels);
}

__host__ __device__ inline unsigned long long corrected(uint16_t raw, uint16_t dark, uint16_t gain) {
    return static_cast<unsigned long long>(raw > dark ? raw - dark : 0) * gain;
}

// A view as it travels from the detector to the device and back.
struct Cassette {
    uint16_t* pixels = nullptr;  // page-locked
    int view = -1;
    cudaEvent_t developed = nullptr;
};

// Dark current and gain, on the device for the whole scan.
class Calibration {
public:
    explicit Calibration(cudaStream_t stream);
    ~Calibration();
    Calibration(const Calibration&) = delete;
    Calibration& operator=(const Calibration&) = delete;
    const uint16_t* dark() const { return table_[0]; }
    const uint16_t* gain() const { return table_[1]; }

private:
    std::array<uint16_t*, 2> table_{};
    uint16_t* staging_ = nullptr;
    cudaEvent_t moved_ = nullptr;
};

// One reconstruction lane: its own stream, projection and volume.
struct Lane {
    cudaStream_t stream = nullptr;
    uint16_t* projection = nullptr;
    unsigned long long* volume = nullptr;
    cudaEvent_t finished = nullptr;
};

class Reconstructor {
public:
    Reconstructor();
    ~Reconstructor();
    Reconstructor(const Reconstructor&) = delete;
    Reconstructor& operator=(const Reconstructor&) = delete;

    // Enqueues a view; `c.developed` is recorded on the way.
    void add(Cassette& c);
    std::vector<unsigned long long> volume();

private:
    std::array<Lane, kLanes> lanes_;
    std::unique_ptr<Calibration> calibration_;
};

// The mechanical part: cassettes go round between three threads.
class Gantry {
public:
    explicit Gantry(Reconstructor& r);
    ~Gantry();
    Gantry(const Gantry&) = delete;
    Gantry& operator=(const Gantry&) = delete;

    // Returns the first failure of any thread.
    cudaError_t rotate();

private:
    void expose();
    void develop();
    void give_back();
    void note(cudaError_t e);

    Reconstructor& reconstructor_;
    std::array<Cassette, kCassettes> cassettes_;
    Channel<Cassette*> empty_, exposed_, developing_;
    std::atomic<int> failure_{cudaSuccess};
};

}  // namespace ct
