#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>

namespace codec {

class CodecError : public std::runtime_error {
public:
    explicit CodecError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void require(cudaError_t code) {
    if (code != cudaSuccess) throw CodecError(code);
}

// Scratch memory that lives as long as the work of one stream needs it.
template <typename T>
class StreamScratch {
public:
    StreamScratch(std::size_t count, cudaStream_t stream) : stream_(stream) {
        require(cudaMallocAsync(reinterpret_cast<void**>(&data_), count * sizeof(T), stream_));
    }
    ~StreamScratch() { cudaFreeAsync(data_, stream_); }
    StreamScratch(const StreamScratch&) = delete;
    StreamScratch& operator=(const StreamScratch&) = delete;
    T* get() const { return data_; }

private:
    cudaStream_t stream_;
    T* data_ = nullptr;
};

struct EncoderConfig {
    int samples = 1 << 20;
    int quantum = 16;
    long long searchCycles = 30000000;
};

class Encoder {
public:
    explicit Encoder(const EncoderConfig& config);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    void load(const std::int16_t* samples);
    void encode();
    std::uint64_t checksum();

    cudaStream_t stream() const { return stream_; }
    const EncoderConfig& config() const { return config_; }

private:
    EncoderConfig config_;
    cudaStream_t stream_ = nullptr;
    std::int16_t* samples_ = nullptr;
    unsigned long long* checksum_ = nullptr;
};

}  // namespace codec
