#include "hash_table.cuh"

namespace {

__global__ void clear_slots(TableView t)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= t.mask; i += gridDim.x * blockDim.x) {
        t.keys[i] = 0;
        t.values[i] = 0xffffffffu;
    }
}

__global__ void insert_pairs(TableView t, const uint32_t* keys, const uint32_t* values, uint32_t n)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t key = keys[i];
        for (uint32_t s = slot_of(key) & t.mask;; s = (s + 1) & t.mask) {
            uint32_t before = atomicCAS(t.keys + s, 0u, key);
            if (before == 0 || before == key) {
                t.values[s] = values[i];
                break;
            }
        }
    }
}

}  // namespace

HashTable::HashTable(unsigned log2_slots)
    : mask_((1u << log2_slots) - 1), keys_(std::size_t(1) << log2_slots), values_(std::size_t(1) << log2_slots)
{
    CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    clear_slots<<<256, 256, 0, stream_>>>(view());
    CUDA_OK(cudaGetLastError());
}

HashTable::~HashTable() { cudaStreamDestroy(stream_); }

void HashTable::insert(const uint32_t* keys, const uint32_t* values, uint32_t n)
{
    staged_keys_.resize(n);
    staged_values_.resize(n);
    CUDA_OK(cudaMemcpyAsync(staged_keys_.data(), keys, n * sizeof(uint32_t), cudaMemcpyHostToDevice, stream_));
    CUDA_OK(cudaMemcpyAsync(staged_values_.data(), values, n * sizeof(uint32_t), cudaMemcpyHostToDevice, stream_));
    insert_pairs<<<256, 256, 0, stream_>>>(view(), staged_keys_.data(), staged_values_.data(), n);
    CUDA_OK(cudaGetLastError());
}

void HashTable::wait() const { CUDA_OK(cudaStreamSynchronize(stream_)); }
