#pragma once
#include <cuda_runtime.h>
#include <string>
#include <vector>

namespace codec {

// Status of a stage; the first failure of a session is the one reported.
class Status {
public:
    Status() = default;
    Status(cudaError_t e) : code_(e) {}
    explicit operator bool() const { return code_ == cudaSuccess; }
    std::string name() const { return cudaGetErrorName(code_); }

private:
    cudaError_t code_ = cudaSuccess;
};

#define CODEC_TRY(expr)                              \
    do {                                             \
        ::codec::Status codec_status_ = (expr);      \
        if (!codec_status_) return codec_status_;    \
    } while (0)

struct FrameControl {
    unsigned budgetReady;
    unsigned quantizer;
};

struct EncoderConfig {
    int width = 640;
    int height = 360;
    int frames = 6;
    unsigned targetBits = 48000;
};

cudaError_t launchEncode(const unsigned char* luma, unsigned char* coded, FrameControl* control,
                         int pixels, cudaStream_t stream);
cudaError_t launchBudget(const unsigned char* luma, FrameControl* control, int pixels,
                         unsigned targetBits, cudaStream_t stream);

// Quantizer that the rate model picks for a frame with the given sample sum.
__host__ __device__ inline unsigned chooseQuantizer(unsigned sum, unsigned targetBits) {
    unsigned q = 1 + sum / targetBits % 15;
    return q;
}

// One encoding session: frames go in, quantized frames come out.
class Session {
public:
    explicit Session(const EncoderConfig& config) : config_(config) {}
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Status open();
    Status encode(const std::vector<unsigned char>& luma, std::vector<unsigned char>& coded);

    int pixels() const { return config_.width * config_.height; }

private:
    EncoderConfig config_;
    cudaStream_t encodeStream_ = nullptr;
    cudaStream_t planStream_ = nullptr;
    cudaEvent_t frameLoaded_ = nullptr;
    unsigned char* luma_ = nullptr;
    unsigned char* coded_ = nullptr;
    FrameControl* control_ = nullptr;
    unsigned char* stage_ = nullptr;
};

}  // namespace codec
