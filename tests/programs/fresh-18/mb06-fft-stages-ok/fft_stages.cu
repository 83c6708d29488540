// Radix-2 FFT of two channels as a captured graph: one branch per channel, stages as kernels.
#include <cuda_runtime.h>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

inline void must(cudaError_t e, const char* where) {
    if (e != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(e));
        std::exit(EXIT_FAILURE);
    }
}
#define MUST(x) must((x), #x)

__global__ void bit_reverse(const float2* in, float2* out, int log2n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (1u << log2n)) out[__brev(i) >> (32 - log2n)] = in[i];
}

__global__ void butterfly(float2* a, int half, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2) return;
    const int pos = t % half, base = (t / half) * half * 2 + pos;
    float s, c;
    sincospif(-float(pos) / half, &s, &c);
    const float2 u = a[base], v = a[base + half];
    const float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
    a[base] = make_float2(u.x + w.x, u.y + w.y);
    a[base + half] = make_float2(u.x - w.x, u.y - w.y);
}

__global__ void power(const float2* a, float* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = (a[i].x * a[i].x + a[i].y * a[i].y) / n;
}

struct Channel {
    float2 *time = nullptr, *freq = nullptr;
    float* spectrum = nullptr;
    explicit Channel(int n) {
        MUST(cudaMalloc(&time, n * sizeof(float2)));
        MUST(cudaMalloc(&freq, n * sizeof(float2)));
        MUST(cudaMalloc(&spectrum, n * sizeof(float)));
    }
    ~Channel() { cudaFree(time); cudaFree(freq); cudaFree(spectrum); }
    Channel(const Channel&) = delete;
};

struct Plan {
    int log2n;
    cudaStream_t root{}, side{};
    cudaEvent_t fork{}, join{};
    cudaGraphExec_t exec{};

    explicit Plan(int lg) : log2n(lg) {
        MUST(cudaStreamCreateWithFlags(&root, cudaStreamNonBlocking));
        MUST(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
        MUST(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
        MUST(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    }
    ~Plan() {
        if (exec) cudaGraphExecDestroy(exec);
        cudaEventDestroy(fork); cudaEventDestroy(join);
        cudaStreamDestroy(root); cudaStreamDestroy(side);
    }
    void transform(Channel& c, cudaStream_t s) const {
        const int n = 1 << log2n, block = 256;
        bit_reverse<<<(n + block - 1) / block, block, 0, s>>>(c.time, c.freq, log2n);
        for (int half = 1; half < n; half *= 2)
            butterfly<<<(n / 2 + block - 1) / block, block, 0, s>>>(c.freq, half, n);
        power<<<(n + block - 1) / block, block, 0, s>>>(c.freq, c.spectrum, n);
    }
    void capture(Channel& left, Channel& right) {
        cudaGraph_t g;
        MUST(cudaStreamBeginCapture(root, cudaStreamCaptureModeGlobal));
        MUST(cudaEventRecord(fork, root));
        MUST(cudaStreamWaitEvent(side, fork, 0));
        transform(left, root);
        transform(right, side);
        MUST(cudaEventRecord(join, side));
        MUST(cudaStreamWaitEvent(root, join, 0));
        MUST(cudaStreamEndCapture(root, &g));
        MUST(cudaGraphInstantiateWithFlags(&exec, g, 0));
        MUST(cudaGraphDestroy(g));
    }
    void execute() { MUST(cudaGraphLaunch(exec, root)); }
};

static void load_tone(Channel& c, int n, int bin) {
    std::vector<float2> h(n);
    for (int i = 0; i < n; ++i) {
        const auto z = std::polar(1.0, 2.0 * M_PI * double(bin) * i / n);
        h[i] = make_float2(float(z.real()), float(z.imag()));
    }
    MUST(cudaMemcpy(c.time, h.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
}

static int peak(const Channel& c, int n) {
    std::vector<float> p(n);
    MUST(cudaMemcpy(p.data(), c.spectrum, n * sizeof(float), cudaMemcpyDeviceToHost));
    int best = 0;
    for (int i = 1; i < n; ++i)
        if (p[i] > p[best]) best = i;
    return best;
}

int main(int argc, char** argv) {
    const int log2n = argc > 1 ? std::atoi(argv[1]) : 16;
    const int n = 1 << log2n;
    Channel left(n), right(n);
    Plan plan(log2n);
    plan.capture(left, right);
    int errors = 0;
    for (int round = 1; round <= 5; ++round) {
        load_tone(left, n, 3 * round);
        load_tone(right, n, 7 * round);
        MUST(cudaDeviceSynchronize());
        plan.execute();
        MUST(cudaStreamSynchronize(plan.root));
        const int l = peak(left, n), r = peak(right, n);
        std::printf("round %d: peaks %d %d\n", round, l, r);
        errors += (l != 3 * round) + (r != 7 * round);
    }
    return errors ? 1 : 0;
}
