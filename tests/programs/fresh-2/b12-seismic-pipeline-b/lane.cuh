#pragma once
#include "memory.h"

namespace seis {

// A stream with the device buffers needed to migrate one shot.
class Lane {
public:
    explicit Lane(std::size_t samples);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void prime();
    void migrate(Shot& shot, unsigned long long ns);
    void wait() const;

private:
    std::size_t samples_;
    cudaStream_t stream_{};
    float* in_ = nullptr;
    float* out_ = nullptr;
};

}  // namespace seis
