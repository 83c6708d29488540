// Gamma correction by table look-up.  The table is built on first use, once per
// device, even if that first use is inside a stream capture.
#include <cuda_runtime.h>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lazytable {

constexpr int kEntries = 4096;

static void call(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

// Lets this thread allocate while it, or another thread, captures some stream.
class RelaxedCapture {
public:
    RelaxedCapture() { call(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~RelaxedCapture() { (void)cudaThreadExchangeStreamCaptureMode(&mode_); }
    RelaxedCapture(const RelaxedCapture &) = delete;
    RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

class PrivateStream {
public:
    PrivateStream() { call(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~PrivateStream() { (void)cudaStreamDestroy(s_); }
    PrivateStream(const PrivateStream &) = delete;
    PrivateStream &operator=(const PrivateStream &) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

__global__ void build_kernel(float *table, float gamma)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kEntries) table[i] = powf(static_cast<float>(i) / (kEntries - 1), gamma);
}

__global__ void apply_kernel(const float *in, float *out, int n, const float *table)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float t = __saturatef(in[i]) * (kEntries - 1);
    const int k = min(static_cast<int>(t), kEntries - 2);
    const float w = t - static_cast<float>(k);
    out[i] = (1.0f - w) * table[k] + w * table[k + 1];
}

class TableRegistry {
public:
    // Deliberately leaked: captured graphs may refer to the tables until the
    // process ends, and the driver may be gone when static destructors run.
    static TableRegistry &instance()
    {
        static auto *r = new TableRegistry;
        return *r;
    }

    const float *get(float gamma)
    {
        int dev = 0;
        call(cudaGetDevice(&dev));
        std::lock_guard<std::mutex> lock(mutex_);
        const auto key = std::make_pair(dev, gamma);
        const auto it = tables_.find(key);
        if (it != tables_.end()) return it->second;
        const float *t = build(gamma);
        tables_.emplace(key, t);
        return t;
    }

private:
    TableRegistry() = default;

    // Complete on return, hence valid for all streams and for graph launches to come.
    static const float *build(float gamma)
    {
        RelaxedCapture relaxed;
        PrivateStream stream;
        float *table = nullptr;
        call(cudaMalloc(reinterpret_cast<void **>(&table), kEntries * sizeof(float)));
        build_kernel<<<(kEntries + 255) / 256, 256, 0, stream>>>(table, gamma);
        cudaError_t e = cudaGetLastError();
        const cudaError_t s = cudaStreamSynchronize(stream);
        if (e == cudaSuccess) e = s;
        if (e != cudaSuccess) {
            (void)cudaFree(table);
            call(e);
        }
        return table;
    }

    std::mutex mutex_;
    std::map<std::pair<int, float>, const float *> tables_;
};

// Asynchronous and capturable.
void gamma_correct(const float *in, float *out, int n, float gamma, cudaStream_t stream)
{
    if (!(gamma > 0.0f) || n < 0) throw std::invalid_argument("gamma_correct");
    if (n == 0) return;
    const float *table = TableRegistry::instance().get(gamma);
    apply_kernel<<<(n + 255) / 256, 256, 0, stream>>>(in, out, n, table);
    call(cudaGetLastError());
}

// A frame pipeline as a graph: corrected once per launch.
class FrameGraph {
public:
    FrameGraph(const float *in, float *out, int n, float gamma)
    {
        PrivateStream s;
        call(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        cudaGraph_t graph = nullptr;
        try {
            gamma_correct(in, out, n, gamma, s);
        } catch (...) {
            (void)cudaStreamEndCapture(s, &graph);
            if (graph) (void)cudaGraphDestroy(graph);
            throw;
        }
        call(cudaStreamEndCapture(s, &graph));
        const cudaError_t e = cudaGraphInstantiate(&exec_, graph, 0);
        (void)cudaGraphDestroy(graph);
        call(e);
    }
    ~FrameGraph()
    {
        if (exec_) (void)cudaGraphExecDestroy(exec_);
    }
    FrameGraph(const FrameGraph &) = delete;
    FrameGraph &operator=(const FrameGraph &) = delete;
    void launch(cudaStream_t stream) { call(cudaGraphLaunch(exec_, stream)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

std::unique_ptr<FrameGraph> make_frame_graph(const float *in, float *out, int n, float gamma)
{
    return std::make_unique<FrameGraph>(in, out, n, gamma);
}

}  // namespace lazytable
