// Logistic regression trained with momentum SGD; the step is replayed as a CUDA graph.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#define CUDA_OK(e) cudaOk((e), #e, __LINE__)
static inline void cudaOk(cudaError_t rc, const char* what, int line) {
    if (rc != cudaSuccess) {
        std::fprintf(stderr, "%d: %s -> %s\n", line, what, cudaGetErrorString(rc));
        std::exit(1);
    }
}

struct Hyper { float lr, momentum, decay, scale; };

template <class T>
class Pinned {
public:
    Pinned() { CUDA_OK(cudaMallocHost(&p_, sizeof(T))); }
    ~Pinned() { if (p_) cudaFreeHost(p_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    T* get() const { return p_; }
    T* operator->() const { return p_; }

private:
    T* p_ = nullptr;
};

__global__ void gradient(const float* x, const float* y, const float* w, float* g, float* loss, int rows, int dim) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float z = 0.f;
    for (int d = 0; d < dim; ++d) z += x[d * rows + r] * w[d];
    const float p = 1.f / (1.f + expf(-z));
    const float e = p - y[r];
    for (int d = 0; d < dim; ++d) atomicAdd(&g[d], e * x[d * rows + r]);
    atomicAdd(loss, -(y[r] * logf(p + 1e-7f) + (1.f - y[r]) * logf(1.f - p + 1e-7f)) / rows);
}

__global__ void apply(float* w, float* m, const float* g, const Hyper* h, int dim) {
    const int d = threadIdx.x;
    if (d >= dim) return;
    m[d] = h->momentum * m[d] + g[d] * h->scale + h->decay * w[d];
    w[d] -= h->lr * m[d];
}

class Trainer {
public:
    Trainer(const std::vector<float>& x, const std::vector<float>& y, int dim)
        : rows_(int(y.size())), dim_(dim) {
        CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        CUDA_OK(cudaMalloc(&x_, x.size() * sizeof(float)));
        CUDA_OK(cudaMalloc(&y_, y.size() * sizeof(float)));
        CUDA_OK(cudaMalloc(&params_, (3 * dim_ + 1) * sizeof(float)));
        CUDA_OK(cudaMalloc(&hyper_, sizeof(Hyper)));
        CUDA_OK(cudaMemcpy(x_, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_OK(cudaMemcpy(y_, y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_OK(cudaMemset(params_, 0, (3 * dim_ + 1) * sizeof(float)));
        CUDA_OK(cudaDeviceSynchronize());
    }
    ~Trainer() {
        if (exec_) cudaGraphExecDestroy(exec_);
        cudaFree(x_); cudaFree(y_); cudaFree(params_); cudaFree(hyper_);
        cudaStreamDestroy(stream_);
    }

    void build(float lr, float momentum) {
        *staging_.get() = Hyper{lr, momentum, 1e-4f, 1.f / rows_};
        float *w = params_, *m = w + dim_, *g = m + dim_, *loss = g + dim_;
        cudaGraph_t graph;
        CUDA_OK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        CUDA_OK(cudaMemcpyAsync(hyper_, staging_.get(), sizeof(Hyper), cudaMemcpyHostToDevice, stream_));
        CUDA_OK(cudaMemsetAsync(g, 0, (dim_ + 1) * sizeof(float), stream_));
        gradient<<<(rows_ + 127) / 128, 128, 0, stream_>>>(x_, y_, w, g, loss, rows_, dim_);
        apply<<<1, 64, 0, stream_>>>(w, m, g, hyper_, dim_);
        CUDA_OK(cudaStreamEndCapture(stream_, &graph));
        CUDA_OK(cudaGraphInstantiateWithFlags(&exec_, graph, 0));
        CUDA_OK(cudaGraphDestroy(graph));
    }

    void step() { CUDA_OK(cudaGraphLaunch(exec_, stream_)); }

    float loss() {
        float v = 0;
        CUDA_OK(cudaMemcpyAsync(&v, params_ + 3 * dim_, sizeof(float), cudaMemcpyDeviceToHost, stream_));
        CUDA_OK(cudaStreamSynchronize(stream_));
        return v;
    }

private:
    int rows_, dim_;
    cudaStream_t stream_{};
    cudaGraphExec_t exec_{};
    float *x_ = nullptr, *y_ = nullptr, *params_ = nullptr;
    Hyper* hyper_ = nullptr;
    Pinned<Hyper> staging_;
};

static std::pair<std::vector<float>, std::vector<float>> make_data(int rows, int dim) {
    std::mt19937 gen(3);
    std::normal_distribution<float> nd;
    std::vector<float> x(size_t(rows) * dim), y(rows);
    for (auto& v : x) v = nd(gen);
    for (int r = 0; r < rows; ++r) {
        float z = 0;
        for (int d = 0; d < dim; ++d) z += x[size_t(d) * rows + r] * ((d & 1) ? -1.f : 1.f);
        y[r] = z > 0 ? 1.f : 0.f;
    }
    return {std::move(x), std::move(y)};
}

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 500;
    const int rows = 1 << 15, dim = 32;
    auto [x, y] = make_data(rows, dim);
    Trainer t(x, y, dim);
    t.build(0.5f, 0.9f);
    for (int s = 1; s <= steps; ++s) {
        t.step();
        if (s % 100 == 0) std::printf("step %4d  loss %.5f\n", s, t.loss());
    }
    const float final_loss = t.loss();
    std::printf("final loss %.5f\n", final_loss);
    return final_loss < 0.2f ? 0 : 1;
}
