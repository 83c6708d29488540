#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace codec {

inline void enforce(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Device memory that can be asked for more room.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t n) { reserve(n); }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(DeviceArray&& o) noexcept : data_(o.data_), room_(o.room_) { o.data_ = nullptr; o.room_ = 0; }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    void reserve(std::size_t n) {
        if (n <= room_) return;
        enforce(cudaFree(data_));
        enforce(cudaMalloc(&data_, n * sizeof(T)));
        room_ = n;
    }
    T* get() const { return data_; }

private:
    T* data_ = nullptr;
    std::size_t room_ = 0;
};

struct Slice {
    int index;
    int symbols;
};

struct EncoderConfig {
    int lanes = 4;
    int maxSymbols = 1 << 15;
    double sliceMillis = 15.0;
};

struct Lane {
    cudaStream_t stream = nullptr;
    std::uint16_t* landing = nullptr;
    DeviceArray<int> coeff;
    DeviceArray<std::uint16_t> coded;
};

class SliceEncoder {
public:
    explicit SliceEncoder(const EncoderConfig& cfg);
    ~SliceEncoder();

    void encode(const std::vector<Slice>& picture);
    const std::vector<std::uint64_t>& digests() const { return digests_; }
    static std::uint16_t reference(int slice, int i);

private:
    void encodeSlice(Lane& lane, const Slice& s);

    struct Arrival {
        const std::uint16_t* data;
        int symbols;
        std::uint64_t* digest;
    };
    static void CUDART_CB arrived(void* p);

    EncoderConfig cfg_;
    std::vector<Lane> lanes_;
    std::vector<Arrival> arrivals_;
    std::vector<std::uint64_t> digests_;
};

}  // namespace codec
