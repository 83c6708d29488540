#include "aligner.h"

#include <cstring>

namespace seq {

namespace {

__device__ unsigned code(char c) { return (static_cast<unsigned>(c) >> 1) & 3u; }

__global__ void seed_count(const char* bases, unsigned* bins, int n)
{
    const long long begin = clock64();
    while (clock64() - begin < 35000000ll) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + 3 < n; i += gridDim.x * blockDim.x) {
        unsigned k = 0;
        for (int j = 0; j < 4; ++j) k = k << 2 | code(bases[i + j]);
        atomicAdd(&bins[k], 1u);
    }
}

}  // namespace

aligner::aligner(int reads_per_batch, int read_length)
    : bytes_(reads_per_batch * read_length), pool_(bytes_), slots_(2)
{
    must(cudaMalloc(&bins_, kBins * sizeof(unsigned)));
    must(cudaMemset(bins_, 0, kBins * sizeof(unsigned)));
    must(cudaStreamSynchronize(cudaStreamLegacy));
    for (slot& s : slots_) {
        must(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
        must(cudaMalloc(&s.bases, bytes_));
    }
}

aligner::~aligner()
{
    for (slot& s : slots_) {
        cudaStreamSynchronize(s.stream);
        cudaStreamDestroy(s.stream);
        cudaFree(s.bases);
    }
    cudaFree(bins_);
}

void aligner::push(const std::string& reads)
{
    slot& s = slots_[pushed_++ % slots_.size()];
    lease staged = pool_.acquire();
    std::memcpy(staged->data, reads.data(), bytes_);
    must(cudaMemcpyAsync(s.bases, staged->data, bytes_, cudaMemcpyHostToDevice, s.stream));
    pool_.used_by(staged, s.stream);
    seed_count<<<16, 128, 0, s.stream>>>(s.bases, bins_, bytes_);
    must(cudaGetLastError());
}

std::vector<unsigned> aligner::histogram()
{
    cudaEvent_t reached;
    must(cudaEventCreateWithFlags(&reached, cudaEventDisableTiming));
    for (std::size_t i = 1; i < slots_.size(); ++i) {
        must(cudaEventRecord(reached, slots_[i].stream));
        must(cudaStreamWaitEvent(slots_[0].stream, reached, 0));
    }
    std::vector<unsigned> out(kBins);
    must(cudaMemcpyAsync(out.data(), bins_, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost,
                         slots_[0].stream));
    must(cudaEventDestroy(reached));
    must(cudaStreamSynchronize(slots_[0].stream));
    return out;
}

}  // namespace seq
