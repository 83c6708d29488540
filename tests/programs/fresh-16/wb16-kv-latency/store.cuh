#pragma once
#include <cstdint>
#include <vector>

#include "probe.h"

namespace kv {

// Open-addressing key-value table on the device.
class Store {
public:
    explicit Store(std::uint32_t capacity_log2);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    void fill(std::uint32_t entries, cudaStream_t stream);
    void get(const std::uint32_t* keys, std::uint32_t* values, int n, cudaStream_t stream) const;
    static std::uint32_t value_of(std::uint32_t key) { return key * 2654435761u ^ 0x5bd1e995u; }

private:
    std::uint32_t mask_;
    unsigned long long* slots_ = nullptr;
};

}  // namespace kv
