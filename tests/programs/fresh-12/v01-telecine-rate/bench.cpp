// Reports the sustained encode rate of a reel: planes per second once the
// codec is running, as quoted in the data sheet.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "codec.h"

using telecine::Codec;
using telecine::Plane;

#define OK(call)                                                       \
    do {                                                               \
        cudaError_t ok_ = (call);                                      \
        if (ok_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(ok_));          \
            std::exit(1);                                              \
        }                                                              \
    } while (0)

namespace {

struct Options {
    std::string kind = "golomb";
    int pels = 256 * 1024;
    int planes = 10;
};

class Reel {
public:
    explicit Reel(const Options& o) : host_(o.pels) {
        for (int i = 0; i < o.pels; ++i) host_[i] = static_cast<uint16_t>((i * 977 + i / 13) & 0xffff);
        OK(cudaMalloc(&pels_, o.pels * sizeof(uint16_t)));
        OK(cudaMalloc(&symbols_, o.pels * sizeof(uint32_t)));
        OK(cudaMemcpy(pels_, host_.data(), o.pels * sizeof(uint16_t), cudaMemcpyHostToDevice));
    }
    ~Reel() {
        cudaFree(pels_);
        cudaFree(symbols_);
    }
    Plane plane() const { return Plane{pels_, symbols_, static_cast<int>(host_.size())}; }

    long mismatches(const Codec& codec) const {
        std::vector<uint32_t> got(host_.size());
        OK(cudaMemcpy(got.data(), symbols_, got.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        long bad = 0;
        for (size_t i = 0; i < got.size(); ++i) bad += got[i] != codec.reference(host_[i]);
        return bad;
    }

private:
    std::vector<uint16_t> host_;
    uint16_t* pels_ = nullptr;
    uint32_t* symbols_ = nullptr;
};

double sustained_ms(Codec& codec, const Plane& plane, int planes, cudaStream_t stream) {
    const auto t0 = std::chrono::steady_clock::now();
    for (int i = 0; i < planes; ++i) OK(codec.encode(plane, stream));
    OK(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::milli> dt = std::chrono::steady_clock::now() - t0;
    return dt.count() / planes;
}

void thread_up(Codec& codec, const Plane& plane, cudaStream_t stream) {
    OK(codec.encode(plane, stream));
    OK(cudaStreamSynchronize(stream));
}

double device_ms(Codec& codec, const Plane& plane, int planes, cudaStream_t stream) {
    cudaEvent_t a, b;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    OK(cudaEventRecord(a, stream));
    for (int i = 0; i < planes; ++i) OK(codec.encode(plane, stream));
    OK(cudaEventRecord(b, stream));
    OK(cudaEventSynchronize(b));
    float ms = 0;
    OK(cudaEventElapsedTime(&ms, a, b));
    OK(cudaEventDestroy(a));
    OK(cudaEventDestroy(b));
    return ms / planes;
}

}  // namespace

int main() {
    Options opt;
    OK(cudaSetDevice(0));
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    double quoted = 0, audited = 0;
    long bad = 0;
    {
        Reel reel(opt);
        OK(cudaDeviceSynchronize());
        auto codec = telecine::make_codec(opt.kind);
        thread_up(*codec, reel.plane(), stream);
        quoted = sustained_ms(*codec, reel.plane(), opt.planes, stream);
        std::fprintf(stderr, "%s: steady state %.2f ms/plane, %.1f planes/s\n", codec->name(), quoted,
                     1000.0 / quoted);
        audited = device_ms(*codec, reel.plane(), opt.planes, stream);
        bad = reel.mismatches(*codec);
    }
    OK(cudaStreamDestroy(stream));

    const double ratio = quoted > audited ? quoted / audited : audited / quoted;
    if (bad) {
        std::printf("WRONG %ld\n", bad);
    } else if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
    } else {
        std::printf("DONE\n");
    }
    return 0;
}
