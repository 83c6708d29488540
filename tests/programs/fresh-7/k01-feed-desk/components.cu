#include "components.hpp"

namespace feed {
namespace {

__global__ void match_session(const volatile unsigned* published, const Order* ring, unsigned long long* net) {
  __shared__ unsigned seen;
  unsigned done = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      unsigned h;
      do {
        h = *published;
      } while ((h & kCount) == done && !(h & kClosed));
      __threadfence();
      seen = h;
    }
    __syncthreads();
    const unsigned h = seen;
    __syncthreads();
    for (; done < (h & kCount); ++done) {
      long long sum = 0;
      for (unsigned i = threadIdx.x; i < kBatch; i += blockDim.x) {
        const int2 o = __ldcg(reinterpret_cast<const int2*>(ring + done * kBatch + i));
        sum += static_cast<long long>(o.x) * o.y;
      }
      atomicAdd(net, static_cast<unsigned long long>(sum));
    }
    if (h & kClosed) return;
  }
}

__global__ void mark_positions(int* value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kSymbols) value[i] += i % 17 + 1;
}

}  // namespace

Matcher::Matcher(LanePool& pool) : lane_(pool.next()) {
  must(cudaMalloc(&inbox_.head, sizeof(unsigned)));
  must(cudaMalloc(&inbox_.ring, sizeof(Order) * kBatch * kBatches));
  must(cudaMalloc(&net_, sizeof(long long)));
  must(cudaMemset(inbox_.head, 0, sizeof(unsigned)));
  must(cudaMemset(net_, 0, sizeof(long long)));
  must(cudaDeviceSynchronize());
}

Matcher::~Matcher() {
  cudaFree(inbox_.head);
  cudaFree(inbox_.ring);
  cudaFree(net_);
}

void Matcher::open() {
  match_session<<<1, 128, 0, lane_>>>(inbox_.head, inbox_.ring, reinterpret_cast<unsigned long long*>(net_));
  must(cudaGetLastError());
}

void Matcher::join() { must(cudaStreamSynchronize(lane_)); }

long long Matcher::net() const {
  long long v = 0;
  must(cudaMemcpy(&v, net_, sizeof v, cudaMemcpyDeviceToHost));
  return v;
}

RiskBook::RiskBook(LanePool& pool) : lane_(pool.next()) {
  must(cudaMalloc(&value_, sizeof(int) * kSymbols));
  must(cudaMemset(value_, 0, sizeof(int) * kSymbols));
  must(cudaDeviceSynchronize());
  mark();
  must(cudaStreamSynchronize(lane_));
}

RiskBook::~RiskBook() { cudaFree(value_); }

void RiskBook::mark() {
  mark_positions<<<(kSymbols + 255) / 256, 256, 0, lane_>>>(value_);
  must(cudaGetLastError());
}

int RiskBook::wrong(int marks) const {
  std::vector<int> v(kSymbols);
  must(cudaMemcpy(v.data(), value_, sizeof(int) * kSymbols, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < kSymbols; ++i) bad += v[i] != marks * (i % 17 + 1);
  return bad;
}

Gateway::Gateway(LanePool& pool, Inbox inbox) : lane_(pool.next()), inbox_(inbox) {
  must(cudaMallocHost(&wire_, sizeof(Order) * kBatch * kBatches));
}

Gateway::~Gateway() { cudaFreeHost(wire_); }

void Gateway::publish(unsigned batch) {
  must(cudaMemcpyAsync(inbox_.ring + batch * kBatch, slot(batch), sizeof(Order) * kBatch, cudaMemcpyHostToDevice, lane_));
  must(cuStreamWriteValue32(lane_, reinterpret_cast<CUdeviceptr>(inbox_.head), batch + 1, CU_STREAM_WRITE_VALUE_DEFAULT));
}

void Gateway::close() {
  must(cuStreamWriteValue32(lane_, reinterpret_cast<CUdeviceptr>(inbox_.head), kBatches | kClosed,
                            CU_STREAM_WRITE_VALUE_DEFAULT));
}

}  // namespace feed
