#include "kv_store.cuh"

namespace serve {
namespace {

__host__ __device__ inline uint32_t mix_impl(uint32_t kv, uint32_t position) {
    uint32_t h = kv ^ (position * 0x9e3779b9u);
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

__global__ void prefill_kernel(Rows rows, int row, uint32_t prompt) {
    for (int i = threadIdx.x; i < rows.context; i += blockDim.x) rows.kv[row * rows.context + i] = 0;
    if (threadIdx.x == 0) {
        rows.length[row] = 0;
        rows.token[row] = prompt;
    }
}

__global__ void append_kernel(Rows rows, int batch) {
    const int row = threadIdx.x;
    if (row >= batch) return;
    const int at = rows.length[row];
    if (at < rows.context) {
        rows.kv[row * rows.context + at] = rows.token[row];
        rows.length[row] = at + 1;
    }
}

__global__ void attend_kernel(Rows rows, int batch) {
    const int row = blockIdx.x;
    if (row >= batch) return;
    __shared__ uint32_t sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    uint32_t part = 0;
    for (int i = threadIdx.x; i < rows.length[row]; i += blockDim.x) part += mix_impl(rows.kv[row * rows.context + i], i);
    atomicAdd(&sum, part);
    __syncthreads();
    if (threadIdx.x == 0) rows.token[row] = sum;
}

__global__ void gather_kernel(Rows from, Rows to, const int* map) {
    const int source = map[blockIdx.x];
    for (int i = threadIdx.x; i < from.context; i += blockDim.x)
        to.kv[blockIdx.x * to.context + i] = from.kv[source * from.context + i];
    if (threadIdx.x == 0) {
        to.length[blockIdx.x] = from.length[source];
        to.token[blockIdx.x] = from.token[source];
    }
}

}  // namespace

uint32_t mix(uint32_t kv, uint32_t position) { return mix_impl(kv, position); }

void launch_prefill(const Rows& rows, int row, uint32_t prompt, cudaStream_t stream) {
    prefill_kernel<<<1, 64, 0, stream>>>(rows, row, prompt);
    check(cudaGetLastError());
}

void launch_decode(const Rows& rows, int batch, cudaStream_t stream) {
    const int blocks = batch > 0 ? batch : 1;
    append_kernel<<<1, 32, 0, stream>>>(rows, batch);
    attend_kernel<<<blocks, 64, 0, stream>>>(rows, batch);
    check(cudaGetLastError());
}

KvStore::KvStore(int rows, int context) : rows_(rows), context_(context) {
    for (auto& a : arrays_) {
        a.kv = device_array<uint32_t>(size_t(rows) * context);
        a.length = device_array<int>(rows);
        a.token = device_array<uint32_t>(rows);
    }
    map_ = device_array<int>(rows);
    map_host_ = pinned_array<int>(rows);
    check(cudaDeviceSynchronize());
}

void KvStore::compact(const int* survivors, int count, cudaStream_t stream) {
    const int back = front_ ^ 1;
    if (count > 0) {
        for (int i = 0; i < count; ++i) map_host_[i] = survivors[i];
        check(cudaMemcpyAsync(map_.get(), map_host_.get(), count * sizeof(int), cudaMemcpyHostToDevice, stream));
        gather_kernel<<<count, 64, 0, stream>>>(view(front_), view(back), map_.get());
        check(cudaGetLastError());
    }
    front_ = back;
    ++generation_;
}

}  // namespace serve
