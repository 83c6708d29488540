#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace grade {

inline void must(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

constexpr int kPixels = 640 * 360;

struct FrameBuffers {
    std::uint16_t* raw = nullptr;
    int* linear = nullptr;
    int* graded = nullptr;
    unsigned long long* luma = nullptr;
    int* gain = nullptr;
};

struct StageContext {
    cudaStream_t stream;
    FrameBuffers frame;
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(const StageContext& ctx) = 0;
};

// Applies the gain metered on the previous frame.
class ToneStage final : public Stage {
public:
    void enqueue(const StageContext& ctx) override;
};

class BlackLevelStage final : public Stage {
public:
    explicit BlackLevelStage(int level) : level_(level) {}
    void enqueue(const StageContext& ctx) override;

private:
    int level_;
};

// Derives the gain for the following frame from the mean of this one.
class MeteringStage final : public Stage {
public:
    MeteringStage();
    ~MeteringStage() override;
    void enqueue(const StageContext& ctx) override;

private:
    cudaStream_t background_ = nullptr;
};

class Grader {
public:
    Grader();
    ~Grader();
    Grader(const Grader&) = delete;
    Grader& operator=(const Grader&) = delete;

    template <class S, class... Args>
    Grader& add(Args&&... args)
    {
        stages_.push_back(std::make_unique<S>(std::forward<Args>(args)...));
        return *this;
    }

    void compile();
    void process(const std::vector<std::uint16_t>& raw, std::vector<int>& graded);

private:
    FrameBuffers frame_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t program_ = nullptr;
    std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace grade
