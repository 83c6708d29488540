#include "decode_engine.h"
namespace serve {
namespace {
__device__ unsigned long long nowNs() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

// One block per row: attention over the blocks of the row, reduced to a token id.
__global__ void decodeStep(const int32_t* table, const int* cache, int blocksPerRow, unsigned micros, int* tokens) {
  const unsigned long long until = nowNs() + micros * 1000ull;
  while (nowNs() < until);
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < blocksPerRow; ++i) {
      const int32_t b = table[blockIdx.x * blocksPerRow + i];
      if (b >= 0) sum += cache[b];
    }
    tokens[blockIdx.x] = sum;
  }
}
}  // namespace

Expected<std::unique_ptr<DecodeEngine>> DecodeEngine::create(const ServingConfig& config) {
  std::unique_ptr<DecodeEngine> engine(new DecodeEngine(config));
  auto stager = TableStager::create(config.tableEntries());
  if (!stager) return stager.error();
  engine->stager_ = std::move(*stager);
  SERVE_TRY(engine->init());
  return std::move(engine);
}

cudaError_t DecodeEngine::init() {
  SERVE_TRY(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
  SERVE_TRY(cudaStreamCreateWithFlags(&decode_, cudaStreamNonBlocking));
  SERVE_TRY(cudaEventCreateWithFlags(&tableReady_, cudaEventDisableTiming));
  SERVE_TRY(cudaEventCreateWithFlags(&tableIdle_, cudaEventDisableTiming));
  SERVE_TRY(cudaMalloc(&table_, config_.tableEntries() * sizeof(int32_t)));
  SERVE_TRY(cudaMalloc(&cache_, config_.cacheBlocks * sizeof(int)));
  SERVE_TRY(cudaMalloc(&tokens_, config_.steps * config_.rows * sizeof(int)));
  std::vector<int> prefix(config_.cacheBlocks);
  for (int b = 0; b < config_.cacheBlocks; ++b) prefix[b] = 1 + b * 3;
  SERVE_TRY(cudaMemcpy(cache_, prefix.data(), prefix.size() * sizeof(int), cudaMemcpyHostToDevice));
  return cudaDeviceSynchronize();
}

DecodeEngine::~DecodeEngine() {
  for (cudaStream_t s : {copy_, decode_})
    if (s) cudaStreamDestroy(s);
  for (cudaEvent_t e : {tableReady_, tableIdle_})
    if (e) cudaEventDestroy(e);
  for (void* p : {(void*)table_, (void*)cache_, (void*)tokens_}) cudaFree(p);
}

cudaError_t DecodeEngine::step(int index, const std::vector<int32_t>& table) {
  SERVE_TRY(stager_->stage(table));
  SERVE_TRY(stager_->commit(table_, tableIdle_, copy_));
  SERVE_TRY(cudaEventRecord(tableReady_, copy_));
  SERVE_TRY(cudaStreamWaitEvent(decode_, tableReady_, 0));
  decodeStep<<<config_.rows, 32, 0, decode_>>>(table_, cache_, config_.blocksPerRow(), config_.stepMicros,
                                               tokens_ + index * config_.rows);
  SERVE_TRY(cudaGetLastError());
  return cudaEventRecord(tableIdle_, decode_);
}

cudaError_t DecodeEngine::tokens(std::vector<int>& out) {
  out.resize(config_.steps * config_.rows);
  SERVE_TRY(cudaStreamSynchronize(decode_));
  return cudaMemcpy(out.data(), tokens_, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
}

}  // namespace serve
