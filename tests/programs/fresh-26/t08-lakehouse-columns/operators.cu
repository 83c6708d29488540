#include "operators.cuh"

namespace etl {

namespace {

__device__ unsigned long long clockNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ int slotOf(int key) { return (key & (kGroups - 1)) * (kSlots / kGroups); }

__global__ void probe(const int* key, const int* value, int rows, int above, unsigned long long* slots,
                      unsigned micros) {
    const unsigned long long begin = clockNs();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x)
        if (value[i] > above) atomicAdd(&slots[slotOf(key[i])], static_cast<unsigned long long>(value[i]));
    while (clockNs() - begin < micros * 1000ull) {
    }
}

__global__ void fold(const unsigned long long* slots, unsigned long long* result) {
    result[threadIdx.x] += slots[slotOf(threadIdx.x)];
}

}  // namespace

void ClearResult::enqueue(ExecContext&, const Morsel& m, const Lane& lane) {
    ETL_OK(cudaMemsetAsync(m.result, 0, kGroups * sizeof(unsigned long long), lane.stream));
}

void HashAggregate::enqueue(ExecContext& ctx, const Morsel& m, const Lane& lane) {
    Scratch<unsigned long long> slots(ctx.pool, kSlots, lane.id);
    ETL_OK(cudaMemsetAsync(slots.data(), 0, slots.bytes(), lane.stream));
    probe<<<8, 256, 0, lane.stream>>>(m.key, m.value, m.rows, ctx.selectAbove, slots.data(), ctx.probeMicros);
    ETL_OK(cudaGetLastError());
    fold<<<1, kGroups, 0, lane.stream>>>(slots.data(), m.result);
    ETL_OK(cudaGetLastError());
}

}  // namespace etl
