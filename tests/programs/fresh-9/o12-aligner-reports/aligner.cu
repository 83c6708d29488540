#include "aligner.h"

namespace align {

template <class Get>
__host__ __device__ int scoreAt(Get base, size_t i, size_t n, const Scoring& sc) {
    int s = 0;
    for (int k = 1; k <= sc.window; ++k) s += base(i) == base((i + k) % n) ? sc.match : sc.mismatch;
    return s;
}

struct Bases {
    const unsigned char* p;
    __host__ __device__ unsigned char operator()(size_t i) const { return p[i]; }
};

__global__ void alignReads(Bases reads, int* scores, size_t n, Scoring sc) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    while (b - a < 60000000ull);
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        scores[i] = scoreAt(reads, i, n, sc);
}

int scoreOnHost(const Reads& reads, size_t i, const Scoring& sc) {
    return scoreAt(Bases{reads.data()}, i, reads.size(), sc);
}

Aligner::Aligner(int lanes, size_t readsPerSample, const Scoring& sc) : n_(readsPerSample), scoring_(sc) {
    for (int l = 0; l < lanes; ++l) lanes_.emplace_back(n_);
}

Aligner::~Aligner() {
    for (auto& l : lanes_) cudaStreamSynchronize(l.stream);
}

void Aligner::submit(int sample, const Reads& reads) {
    Lane& lane = lanes_[sample % lanes_.size()];
    Report& report = reports_[sample];
    report.sample = sample;
    report.scores.resize(n_);
    lane.reads.upload(reads, lane.stream);
    alignReads<<<6, 256, 0, lane.stream>>>(Bases{lane.reads.get()}, lane.scores.get(), n_, scoring_);
    mem::expect(cudaGetLastError());
    lane.scores.download(report.scores, lane.stream);
}

const std::unordered_map<int, Report>& Aligner::collect() {
    for (auto& l : lanes_) mem::expect(cudaStreamSynchronize(l.stream));
    return reports_;
}

}  // namespace align
