#pragma once
#include <cuda_runtime.h>

namespace glyph {

constexpr int kReach = 12;

__host__ __device__ inline bool inked(int code, int x, int y, int size) {
    return x >= 0 && y >= 0 && x < size && y < size && (x * 5 + y * 9 + code * 11) % 23 < 2;
}

__host__ __device__ inline int nearest(int code, int x, int y, int size, int dx, int dy) {
    for (int d = 0; d < kReach; ++d)
        if (inked(code, x + d * dx, y + d * dy, size) || inked(code, x - d * dx, y - d * dy, size)) return d;
    return kReach;
}

// Field builders and the sheet that owns the recorded graph; see field.cu.
class SheetBuilder {
public:
    SheetBuilder(int glyphs, int size);
    ~SheetBuilder();
    SheetBuilder(const SheetBuilder&) = delete;
    SheetBuilder& operator=(const SheetBuilder&) = delete;

    const float* render(const int* codes);  // codes: glyphs of them
    int texels() const { return glyphs_ * size_ * size_; }

private:
    void record();
    void queue();

    int glyphs_;
    int size_;
    cudaStream_t stream_ = nullptr;
    cudaStream_t side_ = nullptr;
    cudaEvent_t split_ = nullptr;
    cudaEvent_t merge_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    int* codes_ = nullptr;
    int* staged_ = nullptr;
    float* sheet_ = nullptr;
};

}  // namespace glyph
