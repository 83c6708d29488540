#include "plan.h"
#include <vector>

namespace ntt {
namespace {

__host__ __device__ Word mulmod(Word a, Word b) { return static_cast<Word>(static_cast<std::uint64_t>(a) * b % kPrime); }
__host__ __device__ Word addmod(Word a, Word b) { return a + b >= kPrime ? a + b - kPrime : a + b; }
__host__ __device__ Word submod(Word a, Word b) { return a >= b ? a - b : a + kPrime - b; }

Word powmod(Word b, Word e)
{
    Word r = 1;
    for (; e; e >>= 1, b = mulmod(b, b))
        if (e & 1u)
            r = mulmod(r, b);
    return r;
}

template <bool Inverse>
__global__ void stage(Word* data, const Word* twiddle, int logn, int logHalf, int total, Word scale)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total)
        return;
    const int half = 1 << logHalf;
    const int j = i & (half - 1);
    Word* at = data + (static_cast<std::size_t>(i >> logHalf) << (logHalf + 1)) + j;
    const Word w = twiddle[static_cast<std::size_t>(j) << (logn - 1 - logHalf)];
    const Word u = at[0];
    if (Inverse) {
        const Word v = mulmod(at[half], w);
        at[0] = mulmod(addmod(u, v), scale);
        at[half] = mulmod(submod(u, v), scale);
    } else {
        const Word v = at[half];
        at[0] = addmod(u, v);
        at[half] = mulmod(submod(u, v), w);
    }
}

}  // namespace

Plan::Plan(int logn, int batch, Direction dir, cudaStream_t s) : logn_(logn), batch_(batch), dir_(dir)
{
    const std::size_t n = std::size_t{1} << logn;
    Word w = powmod(kRoot, (kPrime - 1) >> logn);
    if (dir == Direction::Inverse) {
        w = powmod(w, kPrime - 2);
        scale_ = powmod(static_cast<Word>(n), kPrime - 2);
    }
    std::vector<Word> table(n / 2);
    Word value = 1;
    for (auto& t : table) {
        t = value;
        value = mulmod(value, w);
    }
    CUDA_DO(cudaMalloc((void**)&twiddle_, table.size() * sizeof(Word)));
    CUDA_DO(cudaMemcpyAsync(twiddle_, table.data(), table.size() * sizeof(Word), cudaMemcpyHostToDevice, s));
    CUDA_DO(cudaStreamSynchronize(s));
    tune(s);
}

Plan::~Plan() { cudaFree(twiddle_); }

void Plan::exec(Word* data, int threads, cudaStream_t s) const
{
    const int total = batch_ << (logn_ - 1);
    const int blocks = (total + threads - 1) / threads;
    for (int k = 0; k < logn_; ++k) {
        if (dir_ == Direction::Forward)
            stage<false><<<blocks, threads, 0, s>>>(data, twiddle_, logn_, logn_ - 1 - k, total, 1u);
        else
            stage<true><<<blocks, threads, 0, s>>>(data, twiddle_, logn_, k, total, k == logn_ - 1 ? scale_ : 1u);
        CUDA_DO(cudaGetLastError());
    }
}

// Picks the block size that is fastest on a scratch array.
void Plan::tune(cudaStream_t s)
{
    constexpr int kTrials = 40;
    const std::size_t bytes = (static_cast<std::size_t>(batch_) << logn_) * sizeof(Word);
    Word* scratch = nullptr;
    cudaEvent_t from, to;
    CUDA_DO(cudaMalloc((void**)&scratch, bytes));
    CUDA_DO(cudaMemsetAsync(scratch, 0, bytes, s));
    CUDA_DO(cudaEventCreate(&from));
    CUDA_DO(cudaEventCreate(&to));
    float best = 1e30f;
    for (int threads : {64, 128, 256, 512}) {
        exec(scratch, threads, s);
        CUDA_DO(cudaEventRecord(from, s));
        for (int i = 0; i < kTrials; ++i)
            exec(scratch, threads, s);
        CUDA_DO(cudaEventRecord(to, s));
        CUDA_DO(cudaEventSynchronize(to));
        float ms = 0;
        CUDA_DO(cudaEventElapsedTime(&ms, from, to));
        if (ms < best) {
            best = ms;
            threads_ = threads;
        }
    }
    CUDA_DO(cudaEventDestroy(from));
    CUDA_DO(cudaEventDestroy(to));
    CUDA_DO(cudaFree(scratch));
}

}  // namespace ntt
