#include <chrono>
#include <memory>

#include "frame_memory.h"

namespace rt {

constexpr int kRays = 1 << 16;

__device__ unsigned long long nanos() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void generate(int* rays, int seed) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kRays; i += gridDim.x * blockDim.x)
        rays[i] = (i ^ seed) & 0xffff;
}

__global__ void trace(const int* rays, const int* scene, int* hits, unsigned long long depth_ns) {
    const auto t0 = nanos();
    while (nanos() - t0 < depth_ns) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kRays; i += gridDim.x * blockDim.x)
        hits[i] = scene[rays[i]] * 3 + i % 5;
}

class View {
public:
    View(int id, FrameStore& store) : id_(id), store_(store) {
        RT_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~View() {
        RT_CHECK(cudaStreamSynchronize(stream_));
        RT_CHECK(cudaStreamDestroy(stream_));
    }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    void render(int frame) {
        Scratch<int> scene(kRays, stream_);
        Scratch<int> rays(kRays, stream_);
        Scratch<int> hits(kRays, stream_);
        RT_CHECK(cudaMemcpyAsync(scene, store_.scene(), store_.plane_bytes(),
                                 cudaMemcpyHostToDevice, stream_));
        generate<<<8, 256, 0, stream_>>>(rays, seed(frame));
        RT_CHECK(cudaGetLastError());
        trace<<<8, 256, 0, stream_>>>(rays, scene, hits, 25000000ull);
        RT_CHECK(cudaGetLastError());
        RT_CHECK(cudaMemcpyAsync(store_.image(id_), hits, store_.plane_bytes(),
                                 cudaMemcpyDeviceToHost, stream_));
        last_ = frame;
    }
    void present() { RT_CHECK(cudaStreamSynchronize(stream_)); }

    long mismatches() const {
        long n = 0;
        const int* image = store_.image(id_);
        for (int i = 0; i < kRays; ++i) {
            const int ray = (i ^ seed(last_)) & 0xffff;
            if (image[i] != store_.scene()[ray] * 3 + i % 5) ++n;
        }
        return n;
    }

private:
    int seed(int frame) const { return id_ * 257 + frame * 31; }

    int id_;
    int last_ = 0;
    FrameStore& store_;
    cudaStream_t stream_ = nullptr;
};

}  // namespace rt

static double render_ms(std::vector<std::unique_ptr<rt::View>>& views, size_t n, int frames) {
    const auto t0 = std::chrono::steady_clock::now();
    for (int f = 0; f < frames; ++f)
        for (size_t v = 0; v < n; ++v) views[v]->render(f);
    for (size_t v = 0; v < n; ++v) views[v]->present();
    const std::chrono::duration<double, std::milli> d = std::chrono::steady_clock::now() - t0;
    return d.count();
}

int main() {
    RT_CHECK(cudaSetDevice(0));
    rt::configure_pool(0);

    constexpr int kViews = 6;
    rt::FrameStore store(rt::kRays, kViews);
    for (int i = 0; i < rt::kRays; ++i)
        store.scene()[i] = static_cast<int>((i * 2654435761u) >> 20);

    std::vector<std::unique_ptr<rt::View>> views;
    for (int i = 0; i < kViews; ++i) views.push_back(std::make_unique<rt::View>(i, store));

    render_ms(views, views.size(), 2);
    const double one = render_ms(views, 1, 4);
    const double all = render_ms(views, views.size(), 4);
    std::printf("single view %.1f ms, %zu views %.1f ms\n", one, views.size(), all);

    long wrong = 0;
    for (const auto& v : views) wrong += v->mismatches();
    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 1;
    }
    if (all > 1.5 * one) {
        std::printf("SLOW %.2f\n", all / one);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
