#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace retina {

constexpr int kPixels = 1 << 15;

inline void must(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

// A step of the fundus analysis. It owns a stream, one output image and one event per scan.
class Stage {
public:
    explicit Stage(int scans);
    virtual ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    void readFrom(Stage* upstream) { upstream_ = upstream; }
    void submit(int scan);

    int* image(int scan) const { return images_[scan]; }
    cudaStream_t stream() const { return stream_; }

protected:
    virtual void launch(const int* in, int* out, cudaStream_t stream) = 0;

private:
    Stage* upstream_ = nullptr;
    cudaStream_t stream_ = nullptr;
    std::vector<int*> images_;
    std::vector<cudaEvent_t> finished_;
};

class Denoise : public Stage {
public:
    using Stage::Stage;

protected:
    void launch(const int* in, int* out, cudaStream_t stream) override;
};

class Contrast : public Stage {
public:
    using Stage::Stage;

protected:
    void launch(const int* in, int* out, cudaStream_t stream) override;
};

class Vessels : public Stage {
public:
    using Stage::Stage;

protected:
    void launch(const int* in, int* out, cudaStream_t stream) override;
};

}  // namespace retina
