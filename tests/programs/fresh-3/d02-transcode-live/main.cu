#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <vector>

#include "encode.cuh"
#include "options.h"
#include "packet_queue.h"

#define CHECK(call)                                                   \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::exit(1);                                             \
        }                                                             \
    } while (0)

struct Lane {
    cudaStream_t stream{};
    cudaEvent_t delivered{};
    uint8_t* h_frame = nullptr;
    int16_t* h_coeffs = nullptr;
    uint8_t* d_frame = nullptr;
    int16_t* d_coeffs = nullptr;
};

struct Delivery {
    PacketQueue* queue;
    const Lane* lane;
    int frame;
    size_t count;
};

struct MuxReport {
    std::vector<std::vector<int16_t>> frames;
    size_t bytes = 0;
};

static void synthesise(uint8_t* dst, int frame, int width, int height) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            dst[y * width + x] = static_cast<uint8_t>((x * 3 + y * 5 + frame * 11) ^ ((x * y) >> 4));
}

static void CUDART_CB deliver(void* arg) {
    auto* d = static_cast<Delivery*>(arg);
    Packet p;
    p.frame = d->frame;
    p.payload.assign(d->lane->h_coeffs, d->lane->h_coeffs + d->count);
    d->queue->push(std::move(p));
}

static MuxReport run_muxer(PacketQueue& queue, int frames) {
    MuxReport r;
    r.frames.resize(frames);
    for (int i = 0; i < frames; ++i) {
        Packet p = queue.pop();
        r.bytes += p.payload.size() * sizeof(int16_t);
        r.frames[p.frame] = std::move(p.payload);
    }
    return r;
}

int main(int argc, char** argv) {
    Options opt;
    if (!parse_options(argc, argv, opt)) return 2;
    const size_t pixels = size_t(opt.width) * opt.height;

    std::vector<Lane> lanes(opt.streams);
    for (auto& l : lanes) {
        CHECK(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&l.delivered, cudaEventDisableTiming));
        CHECK(cudaMallocHost(&l.h_frame, pixels));
        CHECK(cudaMallocHost(&l.h_coeffs, pixels * sizeof(int16_t)));
        CHECK(cudaMalloc(&l.d_frame, pixels));
        CHECK(cudaMalloc(&l.d_coeffs, pixels * sizeof(int16_t)));
    }

    PacketQueue queue(opt.queue_depth);
    std::vector<Delivery> deliveries(opt.frames);
    std::future<MuxReport> muxer =
        std::async(std::launch::async, run_muxer, std::ref(queue), opt.frames);

    auto t0 = std::chrono::steady_clock::now();
    for (int f = 0; f < opt.frames; ++f) {
        Lane& l = lanes[f % lanes.size()];
        CHECK(cudaEventSynchronize(l.delivered));
        synthesise(l.h_frame, f, opt.width, opt.height);
        CHECK(cudaMemcpyAsync(l.d_frame, l.h_frame, pixels, cudaMemcpyHostToDevice, l.stream));
        launch_encode(l.d_frame, l.d_coeffs, opt.width, opt.height, opt.quality, opt.encode_us, l.stream);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(l.h_coeffs, l.d_coeffs, pixels * sizeof(int16_t), cudaMemcpyDeviceToHost, l.stream));
        deliveries[f] = Delivery{&queue, &l, f, pixels};
        CHECK(cudaLaunchHostFunc(l.stream, deliver, &deliveries[f]));
        CHECK(cudaEventRecord(l.delivered, l.stream));
    }
    for (auto& l : lanes) CHECK(cudaStreamSynchronize(l.stream));
    MuxReport report = muxer.get();
    double sec = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    std::printf("muxed %.2f MB, %.1f fps\n", report.bytes / 1e6, opt.frames / sec);

    size_t wrong = 0;
    std::vector<uint8_t> ref(pixels);
    for (int f = 0; f < opt.frames; ++f) {
        synthesise(ref.data(), f, opt.width, opt.height);
        const auto& got = report.frames[f];
        if (got.size() != pixels) {
            wrong += pixels;
            continue;
        }
        for (size_t i = 0; i < pixels; ++i) {
            int x = i % opt.width, y = i / opt.width;
            int left = x ? ref[i - 1] : 128, up = y ? ref[i - opt.width] : 128;
            wrong += got[i] != predict_and_quantise(left, ref[i], up, opt.quality);
        }
    }
    for (auto& l : lanes) {
        CHECK(cudaFree(l.d_frame));
        CHECK(cudaFree(l.d_coeffs));
        CHECK(cudaFreeHost(l.h_frame));
        CHECK(cudaFreeHost(l.h_coeffs));
        CHECK(cudaEventDestroy(l.delivered));
        CHECK(cudaStreamDestroy(l.stream));
    }
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
