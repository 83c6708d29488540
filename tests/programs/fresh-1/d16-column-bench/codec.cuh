#pragma once
#include <cstdint>

#include "gpu_timer.h"

namespace colbench {

// One integer column and everything needed to encode it.
class Column {
public:
    Column(int rows, int width);
    ~Column();
    Column(Column&& o) noexcept;
    Column(const Column&) = delete;

    void encode(cudaStream_t s);
    int rows() const { return rows_; }
    int width() const { return width_; }
    size_t bytes() const { return size_t(rows_) * width_; }
    uint32_t last_offset() const;

private:
    int rows_, width_;
    uint32_t* lengths_ = nullptr;
    uint32_t* offsets_ = nullptr;
    void* temp_ = nullptr;
    size_t temp_bytes_ = 0;
};

}  // namespace colbench
