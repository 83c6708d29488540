#include "updater.h"

namespace gbt {
namespace {

__global__ void build_hist(const std::uint8_t* bins, std::size_t rows, unsigned* hist,
                           unsigned long long ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < rows;
       i += std::size_t(gridDim.x) * blockDim.x)
    atomicAdd(&hist[bins[i]], 1u);
}

}  // namespace

HistUpdater::HistUpdater(const Context* ctx, const TrainParam& param,
                         const std::vector<std::uint8_t>& bins)
    : ctx_(ctx), param_(param), rows_(bins.size()) {
  monitor_.Init("HistUpdater");
  Check(cudaMalloc(&bins_, rows_));
  Check(cudaMalloc(&hist_, param_.max_bin * sizeof(unsigned)));
  Check(cudaMemcpyAsync(bins_, bins.data(), rows_, cudaMemcpyHostToDevice,
                        ctx_->CUDACtx()->Stream()));
  Check(cudaStreamSynchronize(ctx_->CUDACtx()->Stream()));
}

HistUpdater::~HistUpdater() {
  Check(cudaStreamSynchronize(ctx_->CUDACtx()->Stream()));
  Check(cudaFree(bins_));
  Check(cudaFree(hist_));
}

void HistUpdater::BuildHist() {
  cudaStream_t stream = ctx_->CUDACtx()->Stream();
  Check(cudaMemsetAsync(hist_, 0, param_.max_bin * sizeof(unsigned), stream));
  build_hist<<<16, 256, 0, stream>>>(bins_, rows_, hist_, param_.scan_ns);
  Check(cudaGetLastError());
}

void HistUpdater::Update(const std::string& label) {
  monitor_.Start(label);
  BuildHist();
  monitor_.Stop(label);
}

std::vector<unsigned> HistUpdater::Histogram() const {
  std::vector<unsigned> out(param_.max_bin);
  cudaStream_t stream = ctx_->CUDACtx()->Stream();
  Check(cudaMemcpyAsync(out.data(), hist_, out.size() * sizeof(unsigned), cudaMemcpyDeviceToHost,
                        stream));
  Check(cudaStreamSynchronize(stream));
  return out;
}

}  // namespace gbt
