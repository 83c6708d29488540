#include "survey.cuh"

namespace geo {

namespace {

__global__ void countHeights(const short* tile, unsigned* counts, unsigned micros) {
    __shared__ unsigned local[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < micros * 1000ull);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kTile; i += gridDim.x * blockDim.x)
        atomicAdd(&local[tile[i] / (4096 / kBins)], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&counts[b], local[b]);
}

__global__ void cumulate(const unsigned* counts, unsigned* cumulated) {
    unsigned sum = 0;
    for (int b = 0; b <= static_cast<int>(threadIdx.x); ++b) sum += counts[b];
    cumulated[threadIdx.x] = sum;
}

}  // namespace

Survey::Survey(const SurveyConfig& config) : crews_(config.crews) {
    for (auto& c : crews_) {
        GEO(cudaStreamCreate(&c.stream));
        GEO(cudaMalloc(reinterpret_cast<void**>(&c.tile), kTile * sizeof(short)));
    }
    GEO(cudaMalloc(reinterpret_cast<void**>(&counts_), kBins * sizeof(unsigned)));
    GEO(cudaMalloc(reinterpret_cast<void**>(&cumulated_), kBins * sizeof(unsigned)));
}

Survey::~Survey() {
    cudaFree(cumulated_);
    cudaFree(counts_);
    for (auto& c : crews_) {
        cudaFree(c.tile);
        cudaStreamDestroy(c.stream);
    }
}

void Survey::open() { GEO(cudaMemsetAsync(counts_, 0, kBins * sizeof(unsigned))); }

void Survey::visit(const Region& region, int tile) {
    Crew& crew = crews_[tile % crews_.size()];
    Tray& tray = staging_.next();
    for (int i = 0; i < kTile; ++i) tray.heights[i] = heightAt(region.id, tile, i);
    staging_.carry(tray, crew.tile, crew.stream);
    countHeights<<<16, 256, 0, crew.stream>>>(crew.tile, counts_, 10000);
    GEO(cudaGetLastError());
}

Profile Survey::close() {
    Profile profile{std::vector<unsigned>(kBins)};
    cumulate<<<1, kBins>>>(counts_, cumulated_);
    GEO(cudaGetLastError());
    GEO(cudaMemcpy(profile.share.data(), cumulated_, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return profile;
}

Profile Survey::run(const Region& region) {
    open();
    for (int t = 0; t < region.tiles; ++t) visit(region, t);
    return close();
}

}  // namespace geo
