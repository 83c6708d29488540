// Micro-benchmark of device work with CUDA events.
// Each sample is bracketed by its own pair of events in the measured stream; the
// cache flush between samples lies outside the bracket.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace evtimer {

inline void ok(cudaError_t e, const char *file, int line)
{
    if (e != cudaSuccess)
        throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + cudaGetErrorString(e));
}
#define EV_OK(x) ::evtimer::ok((x), __FILE__, __LINE__)

class Event {
public:
    Event() { EV_OK(cudaEventCreate(&ev_)); }
    Event(Event &&o) noexcept : ev_(std::exchange(o.ev_, nullptr)) {}
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    ~Event()
    {
        if (ev_) (void)cudaEventDestroy(ev_);
    }
    void record(cudaStream_t s) { EV_OK(cudaEventRecord(ev_, s)); }
    void wait() const { EV_OK(cudaEventSynchronize(ev_)); }
    static float ms(const Event &a, const Event &b)
    {
        float t = 0.0f;
        EV_OK(cudaEventElapsedTime(&t, a.ev_, b.ev_));
        return t;
    }

private:
    cudaEvent_t ev_ = nullptr;
};

class L2Flush {
public:
    L2Flush()
    {
        int dev = 0, l2 = 0;
        EV_OK(cudaGetDevice(&dev));
        EV_OK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, dev));
        bytes_ = static_cast<std::size_t>(l2) * 2;
        if (bytes_) EV_OK(cudaMalloc(&mem_, bytes_));
    }
    L2Flush(const L2Flush &) = delete;
    L2Flush &operator=(const L2Flush &) = delete;
    ~L2Flush()
    {
        if (mem_) (void)cudaFree(mem_);
    }
    void operator()(cudaStream_t s) const
    {
        if (bytes_) EV_OK(cudaMemsetAsync(mem_, 0, bytes_, s));
    }

private:
    void *mem_ = nullptr;
    std::size_t bytes_ = 0;
};

struct Options {
    int warmup = 5;
    int samples = 50;
    int inner = 1;           // launches per sample, for very short kernels
    bool cold_cache = true;
};

struct Summary {
    float min_ms = 0, median_ms = 0, mean_ms = 0;
};

// `work` must enqueue on the stream that it is given, and on nothing else.
Summary measure(const std::function<void(cudaStream_t)> &work, cudaStream_t stream, const Options &opt)
{
    if (opt.samples <= 0 || opt.inner <= 0) throw std::invalid_argument("samples");
    L2Flush flush;
    std::vector<std::pair<Event, Event>> marks(static_cast<std::size_t>(opt.samples));

    for (int i = 0; i < opt.warmup; ++i) work(stream);
    EV_OK(cudaGetLastError());
    EV_OK(cudaStreamSynchronize(stream));   // module loading and clocks ramping are over

    for (auto &m : marks) {
        if (opt.cold_cache) flush(stream);
        m.first.record(stream);
        for (int k = 0; k < opt.inner; ++k) work(stream);
        m.second.record(stream);
    }
    EV_OK(cudaGetLastError());
    marks.back().second.wait();   // same stream, so every earlier event is complete too

    std::vector<float> ms;
    ms.reserve(marks.size());
    for (const auto &m : marks) ms.push_back(Event::ms(m.first, m.second) / static_cast<float>(opt.inner));
    std::sort(ms.begin(), ms.end());
    Summary s;
    s.min_ms = ms.front();
    s.median_ms = ms[ms.size() / 2];
    for (float t : ms) s.mean_ms += t / static_cast<float>(ms.size());
    return s;
}

__global__ void triad_kernel(const float4 *a, const float4 *b, float4 *c, float s, std::size_t n)
{
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const float4 x = a[i], y = b[i];
        c[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
    }
}

// Bytes moved per second by a triad over three arrays of n float4 each.
double triad_bandwidth(const float4 *a, const float4 *b, float4 *c, std::size_t n, cudaStream_t stream)
{
    int dev = 0, sms = 0;
    EV_OK(cudaGetDevice(&dev));
    EV_OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
    const Summary s = measure(
        [=](cudaStream_t st) { triad_kernel<<<sms * 8, 256, 0, st>>>(a, b, c, 3.0f, n); }, stream, Options{});
    return 3.0 * sizeof(float4) * static_cast<double>(n) / (static_cast<double>(s.median_ms) * 1e-3);
}

}  // namespace evtimer
