#include "walsh.h"

namespace spec {

struct Tuning {
    Word gain;
    unsigned long long cost_ns;
};

__global__ void butterfly(Word* v, int h) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = (t / h) * 2 * h + t % h;
    Word a = v[i], b = v[i + h];
    v[i] = a + b;
    v[i + h] = a - b;
}

__global__ void weigh(Word* v, const Word* w, Tuning tune) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < tune.cost_ns);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] *= w[i] * tune.gain;
}

__global__ void combine(const Word* a, const Word* b, Word* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + b[i];
}

static void transform(Word* v, cudaStream_t s) {
    for (int h = 1; h < kSize; h *= 2) butterfly<<<kSize / 512, 256, 0, s>>>(v, h);
    must(cudaGetLastError());
}

static Word* branch(Recorder& r, const Word* in, const Word* w, Word gain) {
    cudaStream_t s = r.fork();
    Word* v = r.scratch(kSize);
    Tuning tune{gain, gain == 1 ? 60'000'000ull : 30'000'000ull};
    must(cudaMemcpyAsync(v, in, kSize * sizeof(Word), cudaMemcpyDeviceToDevice, s));
    transform(v, s);
    weigh<<<kSize / 256, 256, 0, s>>>(v, w, tune);
    must(cudaGetLastError());
    transform(v, s);
    return v;
}

Plan make_filter(const Word* a, const Word* b, Word* out, std::shared_ptr<Weights> weights) {
    Recorder r(std::move(weights));
    Word* w = r.scratch(kSize);
    must(cudaMemcpyAsync(w, r.weights().data(), kSize * sizeof(Word), cudaMemcpyHostToDevice, r.trunk()));
    Word* fa = branch(r, a, w, 1);
    Word* fb = branch(r, b, w, 3);
    r.gather();
    combine<<<kSize / 256, 256, 0, r.trunk()>>>(fa, fb, out);
    must(cudaGetLastError());
    return std::move(r).finish();
}

void host_walsh(std::vector<Word>& v) {
    for (int h = 1; h < kSize; h *= 2)
        for (int t = 0; t < kSize / 2; ++t) {
            int i = (t / h) * 2 * h + t % h;
            Word a = v[i], b = v[i + h];
            v[i] = a + b;
            v[i + h] = a - b;
        }
}

}  // namespace spec
