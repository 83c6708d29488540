#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#define OK(call)                                                        \
    do {                                                                \
        cudaError_t e_ = (call);                                        \
        if (e_ != cudaSuccess) {                                        \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));            \
            std::fflush(stdout);                                        \
            std::_Exit(1);                                              \
        }                                                               \
    } while (0)

namespace digest {

struct DeviceDelete {
    void operator()(uint8_t* p) const noexcept { cudaFree(p); }
};

using DevicePtr = std::unique_ptr<uint8_t, DeviceDelete>;

// A named byte string that lives on the device.
class Blob {
public:
    Blob(std::string name, const std::vector<uint8_t>& bytes) : name_(std::move(name)), size_(bytes.size()) {
        uint8_t* raw = nullptr;
        OK(cudaMalloc(&raw, size_));
        mem_.reset(raw);
        OK(cudaMemcpy(raw, bytes.data(), size_, cudaMemcpyHostToDevice));
    }
    Blob(Blob&&) noexcept = default;
    Blob& operator=(Blob&&) noexcept = default;

    const uint8_t* data() const { return mem_.get(); }
    uint32_t size() const { return static_cast<uint32_t>(size_); }
    const std::string& name() const { return name_; }

private:
    std::string name_;
    size_t size_;
    DevicePtr mem_;
};

}  // namespace digest
