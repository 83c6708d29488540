#include <algorithm>

#include "operators.h"

namespace dbx {
namespace {

__global__ void rehash(const long long* from, int from_groups, long long* to, int to_groups) {
    for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < to_groups; g += gridDim.x * blockDim.x)
        to[g] = g < from_groups ? from[g] : 0;
}

__global__ void accumulate(const Row* batch, long long* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kBatchRows) {
        const Row row = batch[i];
        atomicAdd(reinterpret_cast<unsigned long long*>(sums + row.key),
                  static_cast<unsigned long long>(static_cast<long long>(row.value)));
    }
}

}  // namespace

GroupByOperator::GroupByOperator(int initial_groups) {
    cudaFuncAttributes attributes{};
    ok(cudaFuncGetAttributes(&attributes, accumulate));
    grow(initial_groups);
    ok(cudaStreamSynchronize(stream_.raw));
}

void GroupByOperator::grow(int wanted) {
    const int capacity = std::max(wanted, 2 * capacity_);
    auto sums = make_column<long long>(capacity);
    rehash<<<8, 128, 0, stream_.raw>>>(sums_.get(), capacity_, sums.get(), capacity);
    ok(cudaGetLastError());
    sums_ = std::move(sums);
    capacity_ = capacity;
}

void GroupByOperator::consume(const Row* batch) {
    int top = 0;
    for (int i = 0; i < kBatchRows; ++i) top = std::max(top, batch[i].key);
    if (top >= capacity_) grow(top + 1);
    accumulate<<<kBatchRows / 128, 128, 0, stream_.raw>>>(batch, sums_.get());
    ok(cudaGetLastError());
}

void GroupByOperator::close() { ok(cudaStreamSynchronize(stream_.raw)); }

std::vector<long long> GroupByOperator::groups() const {
    std::vector<long long> host(capacity_);
    ok(cudaMemcpy(host.data(), sums_.get(), host.size() * sizeof(long long),
                  cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace dbx
