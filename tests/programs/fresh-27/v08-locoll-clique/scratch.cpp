#include "scratch.h"

#include <algorithm>

#include "locoll.h"

namespace locoll {

Scratch::Scratch(std::size_t bytes) { reserve(bytes); }

Scratch::~Scratch() { cudaFree(data_); }

void Scratch::reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    const std::size_t size = std::max(bytes, bytes_ + bytes_ / 2);
    if (data_) {
        LOCOLL_CALL(cudaFree(data_));
        data_ = nullptr;
        bytes_ = 0;
    }
    LOCOLL_CALL(cudaMalloc(&data_, size));
    bytes_ = size;
}

}  // namespace locoll
